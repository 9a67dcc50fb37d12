"""A tournament: plays the games of a schedule that are not there yet, stores them, and stops when a test is decided."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from whistlestop.arena.game_store import GameStore, bot_id, key_of
from whistlestop.arena.matches import Match, PlayedMatch, shares_of
from whistlestop.arena.ratings import Floats
from whistlestop.arena.schedule import Schedule, seatings
from whistlestop.arena.sequential import OPEN, SequentialRun, SequentialState, SequentialTest
from whistlestop.errors import WhistlestopError


class Players(Protocol):
    """Whatever plays matches: the processes of this machine, or a cluster."""

    def play(self, matches: Iterable[Match]) -> Generator[list[PlayedMatch], None, None]:
        """The matches as they are done, in any order, each of them once."""


@dataclass
class LiveStandings:
    """What is known while games are played: who beat whom, over all editions and numbers of players."""

    bots: tuple[str, ...]
    """As they are called in the store."""
    games: int = 0
    """Of the schedule, done."""
    total: int = 0
    failures: int = 0
    test: SequentialState | None = None
    wins: Floats = field(init=False)
    shares: Floats = field(init=False)
    """Of wins, by bot."""
    seats: Floats = field(init=False)
    """Taken, by bot."""

    def __post_init__(self) -> None:
        self.wins = np.zeros((len(self.bots),) * 2)
        self.shares, self.seats = np.zeros(len(self.bots)), np.zeros(len(self.bots))

    def add(self, bots: tuple[str, ...], shares: tuple[float, ...]) -> None:
        """Count a game."""
        numbers = [self.bots.index(bot) for bot in bots]
        self.games += 1
        for i, share in zip(numbers, shares, strict=True):
            self.shares[i] += share
            self.seats[i] += 1
            for j in numbers:
                if i != j:
                    self.wins[i, j] += share


class _Blocks:
    """Blocks of the sequential test, in the order of seeds: the verdict is the same in whatever order games end."""

    def __init__(self, schedule: Schedule, test: SequentialTest) -> None:
        texts = {text for line_up in schedule.line_ups for text in line_up}
        self._bot = bot_id(schedule.line_ups[0][0])
        self._seeds = schedule.seeds
        if len({tuple(sorted(line_up)) for line_up in schedule.line_ups}) > 1 and len(texts) != 2:
            raise WhistlestopError(
                "a sequential test compares one bot with others",
                "give two bots, or one line-up whose first bot is tested",
            )
        self._games = [
            (line_up.count(schedule.line_ups[0][0]), len(line_up))
            for line_up in schedule.line_ups
            for _ in seatings(line_up)
        ] * len(schedule.editions)
        self._run = SequentialRun(test, self._games)
        self._shares: dict[int, list[float]] = {}

    def add(self, seed: int, bots: tuple[str, ...], shares: tuple[float, ...]) -> None:
        """Count a game."""
        own = sum(share for bot, share in zip(bots, shares, strict=True) if bot == self._bot)
        self._shares.setdefault(seed, []).append(own)

    def state(self) -> SequentialState:
        """The state after all blocks that are whole, in order of seeds."""
        for seed in self._seeds[self._run.state.blocks :]:
            block = self._shares.get(seed, [])
            if len(block) < len(self._games) or self._run.state.verdict != OPEN:
                break
            self._run.add(sum(block) / len(block))
        return self._run.state


def run(
    schedule: Schedule,
    store: GameStore,
    players: Players,
    test: SequentialTest | None = None,
    progress: Callable[[LiveStandings], None] | None = None,
) -> LiveStandings:
    """Play what is missing and store it as it is done; where it stands at the end.

    `progress` is called after every few games. What stops this function loses the games that are being played, and
    nothing else; running it again goes on.
    """
    texts = dict.fromkeys(text for line_up in schedule.line_ups for text in line_up)
    live = LiveStandings(tuple(bot_id(text) for text in texts), total=len(schedule))
    blocks = _Blocks(schedule, test) if test else None

    def count(match: Match, shares: tuple[float, ...]) -> None:
        bots = tuple(bot_id(text) for text in match.seating)
        live.add(bots, shares)
        if blocks:
            blocks.add(match.seed, bots, shares)

    there = store.shares()
    missing = []
    for match in schedule.matches():
        if (shares := there.get(key_of(match))) is None:
            missing.append(match)
        else:
            count(match, shares)
    live.test = blocks.state() if blocks else None
    if progress:
        progress(live)
    if not missing or (live.test and live.test.verdict != OPEN):
        return live
    with closing(players.play(missing)) as parts:
        for part in parts:
            store.add(part, schedule.by_digest)
            for played in part:
                count(played.match, tuple(shares_of(played.rows["won"]).tolist()))
                live.failures += len(played.failures)
            live.test = blocks.state() if blocks else None
            if progress:
                progress(live)
            if live.test and live.test.verdict != OPEN:
                break
    return live
