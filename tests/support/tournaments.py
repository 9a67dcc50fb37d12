"""Small tournaments on a tiny board, whose games take milliseconds, and bots in files of the test's own."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from pathlib import Path

from support.positions import tiny
from whistlestop.arena.matches import Match, PlayedMatch, play_match
from whistlestop.arena.schedule import Schedule, round_robin
from whistlestop.bots.lineup import lineup
from whistlestop.mapfile import Edition

FAILING = str(Path(__file__).with_name("failing_bots.py"))
"""Path of the bots that fail, to be named as `{FAILING}:Exits`."""


def small(bots: str = "random,casual", players: int = 2, seeds: int = 4, edition: Edition | None = None) -> Schedule:
    """A round robin on the tiny board."""
    return Schedule((edition or tiny(),), round_robin(lineup(bots), players), range(1, 1 + seeds))


class HerePlayers:
    """Plays matches in this process, some at a time, in the order that a test wants."""

    def __init__(self, schedule: Schedule, at_a_time: int = 1, backwards: bool = False) -> None:
        self._editions, self._at_a_time, self._backwards = schedule.by_digest, at_a_time, backwards
        self.played = 0

    def play(self, matches: Iterable[Match]) -> Generator[list[PlayedMatch], None, None]:
        """The matches, in order or backwards."""
        waiting = list(matches)
        if self._backwards:
            waiting.reverse()
        for start in range(0, len(waiting), self._at_a_time):
            part = waiting[start : start + self._at_a_time]
            self.played += len(part)
            yield [play_match(match, self._editions[match.edition]) for match in part]
