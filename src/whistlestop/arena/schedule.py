"""Which games a tournament has: line-ups, every seating of them, and the same seeds for all.

A round robin of two players is every pair of bots. With n > 2 players a pair A, B has two line-ups, one A among B and
one B among A: both bots are measured alone against a table of the other. Every line-up is played with the same seeds
and in every seating that differs, so neither cards nor seats favour anybody. All games of one seed are a block.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from whistlestop.arena.matches import SEEDS, Match
from whistlestop.bots.lineup import Entrant
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition, digest
from whistlestop.spelling import many

LineUp = tuple[str, ...]
"""Texts of bots, in an order that says nothing about seats."""


def round_robin(bots: Sequence[Entrant], players: int) -> tuple[LineUp, ...]:
    """The line-ups of every pair of bots for a number of players."""
    texts = [str(bot) for bot in bots]
    if len(texts) < 2:
        raise WhistlestopError("a round robin needs at least 2 bots", "for example random,casual")
    if twice := next((text for text in texts if texts.count(text) > 1), None):
        raise WhistlestopError(
            f"the bot {twice} is there twice", "a round robin takes every bot once; a line-up may have it twice"
        )
    pairs = list(combinations(texts, 2))
    if players == 2:
        return tuple(pairs)
    return tuple((one, *[other] * (players - 1)) for a, b in pairs for one, other in ((a, b), (b, a)))


def seatings(line_up: LineUp) -> tuple[LineUp, ...]:
    """Every order of a line-up that differs, sorted so that the first one alone moves through the seats."""

    def orders(left: dict[str, int]) -> Iterator[LineUp]:
        if not left:
            yield ()
        for bot in left:
            rest = {name: n - (name == bot) for name, n in left.items()}
            for order in orders({name: n for name, n in rest.items() if n}):
                yield (bot, *order)

    return tuple(orders({bot: line_up.count(bot) for bot in dict.fromkeys(line_up)}))


@dataclass(frozen=True)
class Schedule:
    """The games of a tournament."""

    editions: tuple[Edition, ...]
    line_ups: tuple[LineUp, ...]
    """Of one or several numbers of players."""
    seeds: range
    by_digest: dict[str, Edition] = field(init=False)

    def __post_init__(self) -> None:
        if not self.seeds:
            raise WhistlestopError("at least 1 seed must be played", "for example 100")
        if self.seeds.start < 0 or self.seeds.stop > SEEDS:
            raise WhistlestopError(f"seeds are from 0 to {SEEDS - 1}", "for example 1")
        for edition in self.editions:
            for players in {len(line_up) for line_up in self.line_ups}:
                edition.check_players(players)
        object.__setattr__(self, "by_digest", {digest(edition): edition for edition in self.editions})
        if len(self.by_digest) < len(self.editions):
            raise WhistlestopError("an edition is there twice", "give every edition once")

    def block(self, edition: str, players: int, seed: int) -> list[Match]:
        """All games of one seed on an edition, given by its digest, with a number of players."""
        return [
            Match(edition, seating, seed)
            for line_up in self.line_ups
            if len(line_up) == players
            for seating in seatings(line_up)
        ]

    def matches(self) -> Iterator[Match]:
        """All games, seed by seed, so that a tournament that is stopped has whole blocks of everything."""
        numbers = sorted({len(line_up) for line_up in self.line_ups})
        for seed in self.seeds:
            for edition in self.by_digest:
                for players in numbers:
                    yield from self.block(edition, players, seed)

    def __len__(self) -> int:
        games = sum(len(seatings(line_up)) for line_up in self.line_ups)
        return games * len(self.editions) * len(self.seeds)

    def __str__(self) -> str:
        return f"{many(len(self.seeds), 'seed')} of {many(len(self) // len(self.seeds), 'game')} each"
