"""Lessons: short games whose beginning is laid by hand, so that a guide on the page can tell what to do.

A lesson is a table like any other; the engine decides all of it. What differs: fewer trains, so that it ends within
minutes, a position in place of the deal, and chance that is the same for everybody, the gentle opponent's too. Who does
as the guide says meets the same game every time; who does not plays on, and the guide goes along. Nothing is at stake,
so a known seed harms nobody.

Stored tables name their lesson: a position that has been released is not changed, another one gets a name of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from whistlestop.game import Game
from whistlestop.mapfile import Edition
from whistlestop.server.catalog import edition_of
from whistlestop.server.messages import LessonName

OPPONENT = "beginner"
"""The bot that everybody learns against."""
BOT_SEED = 1
"""Where the opponent's moods begin."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """How a lesson's game begins; the learner is player 0, the opponent player 1."""

    edition: str
    trains: int
    seed: int
    offered: Mapping[int, Sequence[str]]
    """Tickets that lie on top of each deck."""
    position: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `Position`."""


LESSONS: Mapping[LessonName, Lesson] = {
    "usa": Lesson(
        edition="usa",
        trains=13,  # three tracks for the first ticket, two for the second, and the last round begins
        seed=6,  # a locomotive lies open when the guide speaks of it
        offered={0: ("Kansas City–Houston", "Los Angeles–Miami", "Seattle–New York")},
        position={
            "hands": {0: "4 green, 2 blue, 1 purple, 1 white", 1: "1 black, 1 yellow, 1 orange, 1 red"},
            "face_up": "purple, black, yellow, orange, red",
            "tickets": {0: ("Chicago–New Orleans",), 1: ("Denver–El Paso", "Portland–Phoenix")},
        },
    ),
    "europe": Lesson(
        edition="europe",
        trains=10,  # two tracks are there, a ferry and a tunnel follow: then the last round begins
        seed=3,  # the tunnel costs one card more
        offered={0: ()},
        position={
            "hands": {0: "4 yellow, 3 locomotive, 2 red, 1 blue", 1: "1 black, 1 white, 1 green, 1 purple"},
            "face_up": "green, black, white, orange, purple",
            "tracks": {0: ("Dieppe–Paris", "Paris–Zürich"), 1: ("München–Wien",)},
            "tickets": {0: ("London–Wien",), 1: ("Kyiv–Petrograd", "Sofia–Smyrna")},
        },
    ),
    "germany": Lesson(
        edition="germany",
        trains=9,  # two tracks of four and three spaces: then the last round begins
        seed=1,
        offered={
            0: ("Hamburg–Kassel", "Emden–Hamburg", "Hannover–Frankfurt", "Berlin–Erfurt"),
            1: ("Hamburg–Stuttgart", "Berlin–Köln", "Hamburg–Karlsruhe", "Berlin–München"),
        },
        position={
            "hands": {0: "4 red, 3 blue, 1 locomotive", 1: "1 black, 1 white, 1 green, 1 purple"},
            "face_up": "green, black, white, orange, purple",
            "tickets": {1: ("Leipzig–Nürnberg",)},
            "passengers": {"Hamburg": "red, blue, white, yellow", "Hannover": "red", "Kassel": "green"},
        },
    ),
}
"""Every lesson by the name that tables and the page know it by."""


@lru_cache(maxsize=len(LESSONS))
def lesson_edition(lesson: LessonName) -> Edition:
    """The edition of a lesson: its real one, with fewer trains."""
    found = LESSONS[lesson]
    return replace(edition_of(found.edition), trains=found.trains)


def lesson_game(lesson: LessonName, names: Sequence[str]) -> Game:
    """The game of a lesson before its first action."""
    found, edition = LESSONS[lesson], lesson_edition(lesson)
    held = {name for tickets in found.position["tickets"].values() for name in tickets}
    decks = {deck: _stacked(edition, deck, offered, held) for deck, offered in found.offered.items()}
    return Game.position(edition, len(names), names=names, seed=found.seed, ticket_decks=decks, **found.position)


def _stacked(edition: Edition, deck: int, first: Sequence[str], held: set[str]) -> list[str]:
    """A deck's tickets: the offered ones on top, below them all others that nobody holds."""
    everything = [f"{ticket.a}–{ticket.b}" for ticket in edition.decks[deck].tickets]
    return [*first, *(name for name in everything if name not in first and name not in held)]
