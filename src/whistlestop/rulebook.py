"""The rules page: every rule in our own words, with its id, chapter and the editions it belongs to.

The texts are in `rules.toml`, those of other languages in files beside it. `rules("europe")` picks those of one
edition; `rules_of` does it for any edition, by what its board has (stations, ferries, …), and adds its own numbers.
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


LANGUAGES = ("en", "de")
"""Languages that the page is written in, the one it was first written in first."""


@cache
def _page() -> dict[str, Any]:
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))


@cache
def _translation(language: str) -> dict[str, Any]:
    """The texts of another language than that of the page: by the rule's id, and by the chapter's title."""
    if language not in LANGUAGES:
        raise ValueError(f"the rules page is written in {', '.join(LANGUAGES)}, not in {language!r}")
    return tomllib.loads(Path(__file__).with_name(f"rules.{language}.toml").read_text("utf-8"))


def _chapter(chapter: dict[str, Any], language: str) -> dict[str, Any]:
    """A chapter with its title and introduction in a language."""
    return chapter if language == LANGUAGES[0] else chapter | _translation(language)["chapter"][chapter["title"]]


def known_editions() -> tuple[str, ...]:
    """Ids of the editions the page speaks of, in its order."""
    return tuple(_page()["groups"]["all"])


def chapters(language: str = LANGUAGES[0]) -> dict[str, str]:
    """Title of each chapter, in order, with its introduction."""
    found = (_chapter(chapter, language) for chapter in _page()["chapter"])
    return {chapter["title"]: chapter["intro"] for chapter in found}


def _editions(names: list[str]) -> tuple[str, ...]:
    groups = _page()["groups"]
    return tuple(edition for name in names for edition in groups.get(name, [name]))


@cache
def _all_rules(language: str) -> tuple[Rule, ...]:
    texts = {} if language == LANGUAGES[0] else _translation(language)["rule"]
    return tuple(
        Rule(
            id=rule["id"],
            chapter=_chapter(chapter, language)["title"],
            title=texts.get(rule["id"], rule)["title"],
            text=texts.get(rule["id"], rule)["text"],
            editions=_editions(rule["editions"]),
            ours=rule.get("ours", False),
            needs=rule.get("needs"),
        )
        for chapter in _page()["chapter"]
        for rule in chapter["rule"]
    )


def all_ids() -> tuple[str, ...]:
    """Every rule's id, in the page's order."""
    return tuple(rule.id for rule in _all_rules(LANGUAGES[0]))


def rules(edition: str | None = None, language: str = LANGUAGES[0]) -> list[Rule]:
    """The rules of one of the six editions, or all rules; raises ValueError for an unknown edition or language."""
    if edition is not None and edition not in known_editions():
        raise ValueError(f"the rules page has no edition {edition!r}; it has {', '.join(known_editions())}")
    return [rule for rule in _all_rules(language) if edition is None or edition in rule.editions]


def rules_of(edition: Edition, language: str = LANGUAGES[0]) -> list[Rule]:
    """The rules of any edition: shipped ones by id; others by what they have, then a chapter with their numbers."""
    if (
        edition.id in known_editions()
        and edition.board.path
        and edition.board.path.parent == Path(__file__).with_name("maps")
    ):
        return rules(edition.id, language)
    general = [
        rule
        for rule in _all_rules(language)
        if (rule.needs in edition.features if rule.needs else set(rule.editions) >= set(known_editions()))
    ]
    return general + _numbers(edition, _page() if language == LANGUAGES[0] else _translation(language))


def tie_break_texts() -> dict[str, str]:
    """What can decide between level scores, in words."""
    found: dict[str, str] = _page()["numbers"]["tie_breaks"]
    return found


def _numbers(edition: Edition, page: dict[str, Any]) -> list[Rule]:
    """The numbers of one edition, as a chapter of its own; they go before those of the general rules."""
    words: dict[str, Any] = page["numbers"]
    first = [f"{step}. {_deal(edition, deal, words)}" for step, deal in enumerate(edition.first_tickets, 1)]
    points = [
        _counted(words, "points", length).format(length=length, points=_counted(words, "point", value).format(n=value))
        for length, value in sorted(edition.board.points.items())
    ]
    ties = words["then"].join(words["tie_breaks"][name] for name in edition.tie_breaks) or words["ties_none"]
    sections = {
        "start": _start(edition, words),
        "first": "\n".join(first),
        "points": "\n".join(points),
        "draw": words["draw"].format(count=edition.draw_count, least=edition.draw_keep_least),
        "bonuses": _bonuses(edition, words),
        "ties": words["ties"].format(ties=ties),
    }
    chapter = words["chapter"].format(edition=edition.name)
    return [
        Rule(f"BOARD-{n}", chapter, words["titles"][name], text, (edition.id,))
        for n, (name, text) in enumerate(sections.items(), 1)
    ]


def _counted(words: dict[str, Any], name: str, n: int) -> str:
    """A text in the form for a number."""
    return str(words[f"{name}_one" if n == 1 else f"{name}_other"])


def _start(edition: Edition, words: dict[str, Any]) -> str:
    least, most = edition.players
    stations = words["stations"].format(stations=edition.stations) if edition.stations else ""
    text: str = words["start"].format(
        least=least, most=most, trains=edition.trains, stations=stations, cards=edition.cards_each,
        locomotives=edition.locomotives, hand=edition.hand, last=edition.last_round_trains,
        parallel=edition.parallel_from,
    )  # fmt: skip
    return text


def _deal(edition: Edition, deal: Deal, words: dict[str, Any]) -> str:
    total = deal.counts[0] if deal.announce else sum(deal.counts)
    mixed = deal.announce and len(edition.decks) > 1
    differs = deal.keep_least_otherwise != deal.keep_least
    text: str = words["deal"].format(
        total=total,
        mix=words["mix"] if mixed else "",
        least=deal.keep_least,
        otherwise=words["otherwise"].format(least=deal.keep_least_otherwise) if differs else "",
        most=words["most"].format(most=deal.keep_most) if deal.keep_most < total else "",
    )
    return text


def _bonuses(edition: Edition, words: dict[str, Any]) -> str:
    most, second = edition.passenger_points
    lines = {
        words["longest_path"].format(n=edition.longest_path): edition.longest_path,
        words["globetrotter"].format(n=edition.globetrotter): edition.globetrotter,
        words["station_points"].format(n=edition.station_points): edition.stations * edition.station_points,
        words["passenger_points"].format(most=most, second=second): most,
    }
    return "\n".join(line for line, worth in lines.items() if worth) or str(words["no_bonus"])
