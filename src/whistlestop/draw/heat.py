"""Heat maps: a board whose tracks show a number each, by colour and by width, to be laid into a page.

A page draws ground and names once and lays any number of heats over them. Colours are names of CSS variables, so one
picture serves light and dark. The steps of a heat go from pale and narrow to dark and wide, which everybody can tell
apart; tracks without a number are outlined.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from whistlestop.draw.svg import Painter, centred, escaped, num, quoted, spot
from whistlestop.draw.themes import THEMES, Theme, mix
from whistlestop.mapfile import Board

HEAT_STEPS = 7
"""Steps of a heat, from 0."""
_LIGHT_ENDS = ("#f7e3a1", "#d9722e", "#6d1747")
"""Colours of the steps on light land: pale sand, orange, deep wine. Their lightness falls evenly."""
_DARK_ENDS = ("#5a3550", "#e0763a", "#fdf0b8")
"""On dark land they rise out of the dark."""
_NARROWEST = 0.5
"""Width of the cars of the lowest step, as a share of a car's."""
_MARGIN = 10.0
"""Around the map, for its frame."""


@dataclass(frozen=True, slots=True)
class Heat:
    """What one track shows: its step, or None to be outlined, and words for whoever points at it."""

    step: int | None
    words: str


def _plain_colours() -> list[str]:
    """Fields of a theme that are one colour each."""
    return [one.name for one in fields(Theme) if str(getattr(THEMES["light"], one.name)).startswith("#")]


def _named(theme: Theme) -> Theme:
    """A theme whose plain colours are CSS variables."""
    names: dict[str, Any] = {name: f"var(--map-{name})" for name in _plain_colours()}
    return replace(theme, **names)


def heat_variables() -> dict[str, tuple[str, str]]:
    """CSS variables of heat maps with their light and dark colours."""
    light, dark = THEMES["light"], THEMES["dark"]
    found = {f"map-{name}": (getattr(light, name), getattr(dark, name)) for name in _plain_colours()}
    steps = {f"heat{n}": (_along(_LIGHT_ENDS, n), _along(_DARK_ENDS, n)) for n in range(HEAT_STEPS)}
    return found | steps


def _along(ends: tuple[str, str, str], step: int) -> str:
    """The colour of a step between three ends."""
    way = step / (HEAT_STEPS - 1) * 2
    return mix(ends[0], ends[1], way) if way <= 1 else mix(ends[1], ends[2], way - 1)


class HeatBoard:
    """The parts of a board's heat maps as SVG; `key` keeps the ids of two boards on one page apart."""

    def __init__(self, board: Board, key: str) -> None:
        self._painter = Painter(board, _named(THEMES["light"]), key)
        self._painter.key = f"heat-{key}"
        self._key = key
        drawn = self._painter.drawn
        corner, size = num(-_MARGIN), [num(side + 2 * _MARGIN) for side in (drawn.width, drawn.height)]
        self._box = f'viewBox="{corner} {corner} {size[0]} {size[1]}"'

    def shared(self) -> str:
        """What all heats of the board use, to be put once on the page: land, rails, a car, cities with their names."""
        painter, drawn = self._painter, self._painter.drawn
        size = f'width="{num(drawn.width)}" height="{num(drawn.height)}"'
        half, wide = drawn.car_length / 2, drawn.car_width / 2
        parts = (
            f'<clipPath id="{painter.key}-map"><rect {size}/></clipPath>',
            f'<rect id="{self._key}-car" {centred(half, wide, wide * 0.4)}/>',
            f'<g id="{self._key}-ground">{painter.background()}{painter.frame()}{painter.beds()}</g>',
            f'<g id="{self._key}-names" font-family="var(--sign)" font-weight="600">',
            f"{painter.cities([])}{painter.labels()}</g>",
        )
        return f'<svg width="0" height="0" class="shared" aria-hidden="true"><defs>{"".join(parts)}</defs></svg>'

    def picture(self, heats: Mapping[int, Heat], summary: str) -> str:
        """One heat map; the summary is for those who cannot see it."""
        tracks = "".join(self._track(track, heat) for track, heat in heats.items())
        return (
            f'<svg {self._box} class="board" role="img" aria-label={quoted(summary)}><use href="#{self._key}-ground"/>'
            f'<g>{tracks}</g><use href="#{self._key}-names"/></svg>'
        )

    def _track(self, track: int, heat: Heat) -> str:
        """The cars of a track, as wide as its step."""
        step = heat.step
        width = 1.0 if step is None else _NARROWEST + (1.25 - _NARROWEST) * step / (HEAT_STEPS - 1)
        squeeze = "" if width == 1 else f"scale(1 {width:.2f})"
        cars = "".join(
            f'<use href="#{self._key}-car" {spot(car)[:-1]}{squeeze}"/>'
            for car in self._painter.drawn.tracks[track].cars
        )
        return f'<g class="{"cold" if step is None else f"h{step}"}"><title>{escaped(heat.words)}</title>{cars}</g>'


def heat_key() -> str:
    """The steps in a row, from few to many."""
    cells = "".join(
        f'<rect class="h{n}" x="{n * 34 + 1}" y="{num(11 - height / 2)}" width="32" height="{num(height)}" rx="3"/>'
        for n in range(HEAT_STEPS)
        for height in [20 * (_NARROWEST + (1 - _NARROWEST) * n / (HEAT_STEPS - 1))]
    )
    return f'<svg viewBox="0 0 {34 * HEAT_STEPS} 22" class="heatkey" aria-hidden="true">{cells}</svg>'
