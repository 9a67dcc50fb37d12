"""The rules page: every rule in our own words, with its id, chapter and the editions it belongs to.

The texts are in `rules.toml`. `rules("europe")` picks those of one edition; `rules_of` does it for any edition, by what
its board has (stations, ferries, …), and adds the edition's own numbers.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whistlestop.mapfile import Deal, Edition


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule; `ours` marks a ruling where the published rules are silent."""

    id: str
    chapter: str
    title: str
    text: str
    """Paragraphs are parted by a blank line; a single line break is kept (tables of points)."""
    editions: tuple[str, ...]
    ours: bool = False
    needs: str | None = None
    """One of `Edition.features` without which the rule does not matter; None: every edition, or only `editions`."""

    def json(self) -> dict[str, object]:
        """The rule as plain data."""
        return {
            "id": self.id,
            "chapter": self.chapter,
            "title": self.title,
            "text": self.text,
            "editions": list(self.editions),
            "ours": self.ours,
        }


@cache
def _page() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))


def known_editions() -> tuple[str, ...]:
    """Ids of the editions the page speaks of, in its order."""
    return tuple(_page()["groups"]["all"])


def chapters() -> dict[str, str]:
    """Title of each chapter, in order, with its introduction."""
    return {chapter["title"]: chapter["intro"] for chapter in _page()["chapter"]}


def _editions(names: list[str]) -> tuple[str, ...]:
    groups = _page()["groups"]
    return tuple(edition for name in names for edition in groups.get(name, [name]))


@cache
def _all_rules() -> tuple[Rule, ...]:
    return tuple(
        Rule(
            id=rule["id"],
            chapter=chapter["title"],
            title=rule["title"],
            text=rule["text"],
            editions=_editions(rule["editions"]),
            ours=rule.get("ours", False),
            needs=rule.get("needs"),
        )
        for chapter in _page()["chapter"]
        for rule in chapter["rule"]
    )


def all_ids() -> tuple[str, ...]:
    """Every rule's id, in the page's order."""
    return tuple(rule.id for rule in _all_rules())


def rules(edition: str | None = None) -> list[Rule]:
    """The rules of one of the six editions, or all rules; raises ValueError for an unknown edition."""
    if edition is not None and edition not in known_editions():
        raise ValueError(f"the rules page has no edition {edition!r}; it has {', '.join(known_editions())}")
    return [rule for rule in _all_rules() if edition is None or edition in rule.editions]


def rules_of(edition: Edition) -> list[Rule]:
    """The rules of any edition: shipped ones by id; others by what they have, then a chapter with their numbers."""
    if (
        edition.id in known_editions()
        and edition.board.path
        and edition.board.path.parent == Path(__file__).with_name("maps")
    ):
        return rules(edition.id)
    general = [
        rule
        for rule in _all_rules()
        if (rule.needs in edition.features if rule.needs else set(rule.editions) >= set(known_editions()))
    ]
    return general + _numbers(edition)


TIE_BREAK_TEXTS = {
    "tickets": "most complete tickets",
    "stations": "fewest stations built",
    "path": "the longest path bonus",
    "passengers": "most passengers",
}


def _numbers(edition: Edition) -> list[Rule]:
    """The numbers of one edition, as a chapter of its own; they go before those of the general rules."""
    first = [f"{step}. {_deal(edition, deal)}" for step, deal in enumerate(edition.first_tickets, 1)]
    points = [
        f"{length} space{'s' if length > 1 else ''}: {value} point{'s' if value != 1 else ''}"
        for length, value in sorted(edition.board.points.items())
    ]
    draw = f"You look at {edition.draw_count} and choose at least {edition.draw_keep_least}."
    ties = ", then ".join(TIE_BREAK_TEXTS[name] for name in edition.tie_breaks) or "none: a level score is a shared win"
    sections = {
        "BOARD-1": ("Players and trains", _start(edition)),
        "BOARD-2": ("First tickets", "\n".join(first)),
        "BOARD-3": ("Points for a route", "\n".join(points)),
        "BOARD-4": ("New tickets", draw),
        "BOARD-5": ("Bonuses", _bonuses(edition)),
        "BOARD-6": ("Level scores", f"Compared in this order: {ties}."),
    }
    chapter = f"The numbers of {edition.name}"
    return [Rule(rule_id, chapter, title, text, (edition.id,)) for rule_id, (title, text) in sections.items()]


def _start(edition: Edition) -> str:
    least, most = edition.players
    cards = f"{edition.cards_each} cards of each colour and {edition.locomotives} locomotives"
    stations = f" and {edition.stations} stations" if edition.stations else ""
    return (
        f"{least} to {most} players, with {edition.trains} trains{stations} each. "
        f"There are {cards}; you start with {edition.hand}. "
        f"The last round begins at {edition.last_round_trains} trains or fewer. "
        f"Parallel tracks can all be used from {edition.parallel_from} players on."
    )


def _deal(edition: Edition, deal: Deal) -> str:
    total = deal.counts[0] if deal.announce else sum(deal.counts)
    mix = " in a mix you announce" if deal.announce and len(edition.decks) > 1 else ""
    most = f", at most {deal.keep_most}" if deal.keep_most < total else ""
    otherwise = (
        f" ({deal.keep_least_otherwise} if you chose none before)"
        if deal.keep_least_otherwise != deal.keep_least
        else ""
    )
    return f"You look at {total}{mix} and choose at least {deal.keep_least}{otherwise}{most}."


def _bonuses(edition: Edition) -> str:
    most, second = edition.passenger_points
    lines = {
        f"Longest path: {edition.longest_path} points": edition.longest_path,
        f"Globetrotter: {edition.globetrotter} points": edition.globetrotter,
        f"Each station not built: {edition.station_points} points": edition.stations * edition.station_points,
        f"Passengers of each colour: {most} points for the most, {second} for second": most,
    }
    return "\n".join(line for line, worth in lines.items() if worth) or "None."
