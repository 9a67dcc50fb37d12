"""The whole picture as SVG: map, pieces and legend on one sheet of paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from whistlestop.draw.legend import legend
from whistlestop.draw.svg import Painter, escaped, num
from whistlestop.draw.themes import THEMES
from whistlestop.draw.typeface import STACK, font_face
from whistlestop.mapfile import CARD_COLOURS, GRAY, Board

MARGIN = 26.0
"""Paper around the map; its coordinates are those of the geometry, so the margin lies at negative ones."""


def board_svg(
    board: Board,
    owners: Mapping[int, int],
    stations: Mapping[str, int],
    passengers: Mapping[str, Sequence[str]],
    highlight: Sequence[int],
    path: Sequence[int],
    cities: Sequence[str],
    title: str | None,
    caption: str | None,
    theme: str,
    names: Sequence[str],
    *,
    embed_font: bool,
) -> str:
    """Draw everything; `draw_board` explains the arguments."""
    figures = figures_of(board, passengers)
    painter = Painter(board, THEMES[theme], theme, names, figures)
    drawn, name = painter.drawn, title if title is not None else board.name
    players = sorted({*(player for player, name in enumerate(names) if name), *owners.values(), *stations.values()})
    strip, strip_height = legend(painter, name, caption, players, sorted(set(stations.values())))
    width, height = drawn.width + 2 * MARGIN, drawn.height + MARGIN + strip_height + 26
    layers = [
        painter.background(),
        painter.frame(),
        painter.glow(path, "path", 16, 0.75),
        painter.beds(),
        painter.last_move(highlight),
        painter.tracks(owners),
        painter.cities(cities),
        painter.labels(),
        painter.stations(stations),
        painter.passengers(passengers),
        f'<g transform="translate(0 {num(drawn.height + 16)})">{strip}</g>',
    ]
    style = f"<style>{font_face()}</style>" if embed_font else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{num(-MARGIN)} {num(-MARGIN)} {num(width)} {num(height)}" '
        f'class="whistlestop {theme}" role="img" font-family="{STACK}" font-weight="600">'
        f"<title>{escaped(name)}</title><desc>{escaped(describe(board, owners, caption))}</desc>"
        f"{style}{painter.definitions()}"
        f'<rect class="paper" x="{num(-MARGIN)}" y="{num(-MARGIN)}" width="{num(width)}" height="{num(height)}" '
        f'fill="{painter.theme.paper}"/>' + "\n".join(layer for layer in layers if layer) + "</svg>\n"
    )


def figures_of(board: Board, passengers: Mapping[str, Sequence[str]]) -> list[str]:
    """Colours of the passengers that a board can have or has, in the order of the cards; unknown ones count as gray."""
    shown = {*board.passenger_colours, *(colour for crowd in passengers.values() for colour in crowd)}
    known = [colour for colour in CARD_COLOURS if colour in shown]
    return known + [GRAY] * bool(shown - set(known))


def describe(board: Board, owners: Mapping[int, int], caption: str | None) -> str:
    """Say in words what the picture shows."""
    cities = sum(city.country is None for city in board.cities)
    words = f"Railway board {board.name}: {cities} cities, {len(board.tracks)} tracks"
    words += f", {len(owners)} of them claimed" if owners else ""
    return f"{words}. {caption}" if caption else f"{words}."
