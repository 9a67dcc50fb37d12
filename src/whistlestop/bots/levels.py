"""The levels that people choose by words: which bot a level is and how long it may think, and how strong it is.

This is the one place that says so. A seat keeps a level's name, `master`, or that of a level with a character,
`master-builder`; ratings come from a file that the arena fills.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from typing import Any

from whistlestop.bots import Limit, bot_names
from whistlestop.bots.lineup import Entrant


@dataclass(frozen=True, slots=True)
class Character:
    """A way to play that a player may choose at a strong level."""

    name: str
    title: str
    summary: str


CHARACTERS = (
    Character("builder", "Builder", "Likes long tracks, and lays more trains than others would."),
    Character("collector", "Collector", "Likes tickets, and completes more of them than others would."),
    Character("blocker", "Blocker", "Likes to stand in your way, where it costs you most."),
)


@dataclass(frozen=True, slots=True)
class Level:
    """What people choose; each is stronger than those before it."""

    name: str
    title: str
    summary: str
    bot: str
    limit: Limit = field(default_factory=Limit)
    has_characters: bool = False

    @property
    def entrant(self) -> Entrant:
        """The bot, and how long it may think."""
        return Entrant(self.bot, self.limit)

    @property
    def characters(self) -> tuple[Character, ...]:
        """Characters to choose from: those of which there are bots."""
        known = bot_names() if self.has_characters else ()
        return tuple(one for one in CHARACTERS if self._bot_of(one) in known)

    def seat_name(self, character: Character) -> str:
        """What a seat keeps for this level with a character."""
        return f"{self.name}-{character.name}"

    def entrants(self) -> dict[str, Entrant]:
        """The level alone and with each character, by what a seat keeps."""
        plain = {self.name: self.entrant}
        return plain | {self.seat_name(one): Entrant(self._bot_of(one), self.limit) for one in self.characters}

    def _bot_of(self, character: Character) -> str:
        return f"{self.bot}-{character.name}"


LEVELS = (
    Level("beginner", "Beginner", "Plays for the first time: good for children, and for learning.", "beginner"),
    Level("casual", "Casual", "Finds cheap ways for its tickets, and leaves you in peace.", "casual"),
    Level("club", "Club", "Plans all its tickets together, wastes no card and knows when to hurry.", "planner"),
    Level(
        "master", "Master", "Plays hundreds of games in its head before each move.", "expert", Limit(seconds=0.2), True
    ),
    Level("grandmaster", "Grandmaster", "As the master, with ten times the thought.", "expert", Limit(seconds=2), True),
)
"""From weak to strong."""


def level_entrants() -> dict[str, Entrant]:
    """Every level, alone and with characters, by what a seat keeps."""
    return {name: found for level in LEVELS for name, found in level.entrants().items()}


# ---- how strong they are --------------------------------------------------------------------------------------------
def ratings_of(name: str, entrant: Entrant) -> dict[str, int]:
    """Ratings of a level by edition and number of players, as `usa/2`; those that were never measured are left out."""
    found = {}
    for where, ratings in _ratings()["ratings"].items():
        rating = ratings.get(name, ratings.get(str(entrant)))
        if rating is not None:
            found[where] = round(rating)
    return found


@lru_cache(maxsize=1)
def _ratings() -> dict[str, Any]:
    """The file as the arena writes it: when and by which command, and ratings by level or by bot and limit."""
    found: dict[str, Any] = json.loads(files("whistlestop.bots").joinpath("ratings.json").read_text(encoding="utf-8"))
    return found
