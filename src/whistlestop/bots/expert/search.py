"""The search: which candidate wins most often in the worlds that its player thinks possible.

All candidates are played in the same worlds, the worse half is dropped again and again, and the planner's own action is
left only for one that is surely better: most differences are far smaller than the luck of single games.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import ceil, log2

import numpy as np
import numpy.typing as npt

from whistlestop.bots import Limit, thinking_time
from whistlestop.bots.expert.candidates import ROOM
from whistlestop.bots.expert.playouts import play_candidates, prepare
from whistlestop.bots.planner.mind import MAX_TEMPERS, MIND
from whistlestop.engine.doors import Array, scratch
from whistlestop.engine.layout import (
    CLAIM,
    DRAW_TICKETS,
    KEEP,
    MAX_PLAYERS,
    MAX_TICKETS,
    MAX_TRACKS,
    PAY_EXTRA,
    SHEET,
    STATE,
    WORDS,
)
from whistlestop.engine.tables import tables_of
from whistlestop.engine.types import Tables
from whistlestop.mapfile import Edition

Shares = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int64]
SURVEYED = 24
"""Worlds in which the others' plans are looked at before candidates are listed."""
MOST_WORLDS = 64
"""Worlds in one call of compiled code, where playouts are limited."""
UNLIMITED = 1 << 30
SURVEY = 0x5EED
"""Sets the worlds of the survey apart from those of the playouts."""
DEFAULT_SECONDS = 0.2
"""Time to think where no limit is given."""
BATCH_SECONDS = 0.008
"""Compiled code comes back to look at the clock about so often."""
LEAST_WORLDS = 96
"""Worlds before a search may end ahead of its limit."""
CLEAR = 2.5
"""Standard errors that make a choice clear."""
TRIFLE = 0.02
"""A share of a victory for which nobody would think on."""


@dataclass(frozen=True, slots=True)
class Taste:
    """What a character likes, in shares of a victory that it gives for it."""

    tickets: float = 0.0
    """Drawing tickets, and each ticket kept."""
    blocks: float = 0.0
    """Claiming a track that a rival surely plans."""
    spaces: float = 0.0
    """Each space of a claim."""

    def of(self, actions: Numbers, tables: Tables, threat: Shares) -> Shares:
        """What it gives for each action."""
        return np.array([self._of(int(action), tables, threat) for action in actions])

    def _of(self, action: int, tables: Tables, threat: Shares) -> float:
        if DRAW_TICKETS <= action < KEEP:
            return self.tickets
        if KEEP <= action < PAY_EXTRA:
            return self.tickets * (action - KEEP).bit_count()
        if CLAIM <= action < int(tables.station_first):
            track = int(tables.claim_track[action - CLAIM])
            return self.blocks * float(threat[track]) + self.spaces * int(tables.length[track])
        return 0.0


@dataclass(frozen=True, slots=True)
class Approach:
    """What a search believes of its players and how it weighs results."""

    tempers: Shares
    """Rows of parameters."""
    own: tuple[int, ...]
    """Tempers in which the player itself may go on, the planner's own first."""
    rivals: tuple[int, ...]
    """Tempers that the others are taken to play by, each as likely as any."""
    margin: float = 0.3
    """Weight of the margin beside the victory."""
    scale: float = 25.0
    """Points of margin that count for a clear result."""
    sure: float = 1.0
    """Standard errors by which a candidate must be better than the planner's own action."""
    taste: Taste = Taste()
    """What decides between candidates that win about as often."""


@dataclass(slots=True)
class Thought:
    """What a search found."""

    action: int
    actions: list[int]
    """Candidates; the planner's own action is the first."""
    gains: list[float]
    """How much more than the first each brings, in shares of a victory."""
    wins: list[float]
    """How often each won."""
    counts: list[int]
    """In how many worlds each was played."""
    playouts: int = 0
    seconds: float = 0.0

    @property
    def playouts_a_second(self) -> float:
        """How fast it thought."""
        return self.playouts / self.seconds if self.seconds else 0.0


class _Room:
    """Scratch space for one thread."""

    def __init__(self) -> None:
        _, self.nets, self.borrowed = scratch()
        self.states = np.zeros(2, STATE)
        self.minds = np.zeros(2, MIND)
        self.sheet = np.zeros((MAX_PLAYERS, SHEET), np.int64)
        self.pool = np.zeros(WORDS, np.uint64)


class Search:
    """Thinks about views of one edition, one decision at a time, on as many cores as the limit allows."""

    def __init__(self, edition: Edition, approach: Approach) -> None:
        self._tables = tables_of(edition)
        self._approach = approach
        self._own = np.array(approach.own, np.int64)
        self._rivals = np.array(approach.rivals, np.int64)
        self._rooms = threading.local()
        self._plans = np.zeros(2 + MAX_TEMPERS, MIND)
        self._weights = np.zeros((MAX_PLAYERS, MAX_TICKETS))
        self._threads: ThreadPoolExecutor | None = None

    def think(self, roots: Array, limit: Limit, seed: int) -> Thought:
        """The best action for a redacted state with its player to act."""
        clock = _Clock(limit)
        actions, ways, threat = self._candidates(roots, seed)
        if len(set(actions.tolist())) == 1:
            return Thought(int(actions[0]), actions[:1].tolist(), [0.0], [0.0], [0])
        tally = Tally(self._approach, actions, self._approach.taste.of(actions, self._tables[0], threat))

        def play(alive: Numbers, first: int, worlds: int) -> tuple[Shares, Shares]:
            return self._play(roots, actions[alive], ways[alive], first, worlds, limit.cores, seed)

        best = _halve(tally, clock, play)
        return Thought(
            int(actions[best]), actions.tolist(), tally.gains().tolist(), tally.win_rates().tolist(),
            tally.n.astype(int).tolist(), clock.playouts, clock.seconds(),
        )  # fmt: skip

    def play_all(self, roots: Array, worlds: int, seed: int) -> PlayedWorlds:
        """Every candidate in the same worlds, with nothing dropped: what a search with any limit would have seen."""
        actions, ways, _ = self._candidates(roots, seed)
        return PlayedWorlds(self._approach, actions, *self._play(roots, actions, ways, 0, worlds, 1, seed))

    def beliefs(self, roots: Array, seed: int) -> Shares:
        """How much more than others each ticket explains what a player claimed, by player and ticket."""
        self._candidates(roots, seed)
        return self._weights.copy()

    def _candidates(self, roots: Array, seed: int) -> tuple[Numbers, Numbers, Shares]:
        """Actions, tempers to go on in, and how likely rivals plan each track."""
        room = self._room()
        actions, ways, ranks = np.zeros(ROOM, np.int64), np.zeros(ROOM, np.int64), np.zeros(ROOM)
        threat = np.zeros(MAX_TRACKS)
        n = prepare(
            roots, self._tables, room.states, self._plans, self._approach.tempers, self._own, self._rivals,
            np.uint64(seed ^ SURVEY), SURVEYED, self._weights, threat, actions, ways, ranks, room.pool,
        )  # fmt: skip
        return actions[:n].copy(), ways[:n].copy(), threat

    def _room(self) -> _Room:
        if not hasattr(self._rooms, "room"):
            self._rooms.room = _Room()
        room: _Room = self._rooms.room
        return room

    def _play(
        self, roots: Array, actions: Numbers, ways: Numbers, first: int, worlds: int, cores: int, seed: int
    ) -> tuple[Shares, Shares]:
        """Victories and margins of candidates in some worlds; which core plays which world changes nothing."""
        wins, margins = np.zeros((worlds, len(actions))), np.zeros((worlds, len(actions)))

        def play(start: int, end: int) -> None:
            room = self._room()
            play_candidates(
                roots, self._tables, room.states, room.minds, room.nets, room.sheet, room.borrowed,
                self._approach.tempers, self._rivals, self._plans, self._weights, np.uint64(seed), first + start,
                actions, ways, wins[start:end], margins[start:end], room.pool,
            )  # fmt: skip

        if cores == 1 or worlds == 1:
            play(0, worlds)
        else:
            self._threads = self._threads or ThreadPoolExecutor(cores, "expert")
            cuts = np.linspace(0, worlds, cores + 1).astype(int).tolist()
            list(self._threads.map(play, cuts[:-1], cuts[1:]))
        return wins, margins


def _halve(tally: Tally, clock: _Clock, play: Callable[[Numbers, int, int], tuple[Shares, Shares]]) -> int:
    """Play candidates and drop the worse half of them, again and again, until the limit is used; returns the best."""
    alive = np.arange(len(tally.n))
    rounds = ceil(log2(len(alive)))
    for number in range(1, rounds + 1):
        while not tally.settled(alive) and (worlds := clock.worlds(len(alive), number / rounds)) > 0:
            tally.add(alive, *play(alive, tally.worlds, worlds))
            clock.played(worlds * len(alive))
        if number < rounds:
            alive = tally.better_half(alive)
    return tally.best(alive)


@dataclass(frozen=True, slots=True)
class PlayedWorlds:
    """Results of all candidates in the same worlds, a row a world, a column a candidate."""

    approach: Approach
    actions: Numbers
    wins: Shares
    margins: Shares

    def chosen_with(self, playouts: int, worlds: Numbers) -> int:
        """The candidate that a search with so many playouts would choose, if these were the worlds it meets."""
        if len(set(self.actions.tolist())) == 1:
            return 0

        def play(alive: Numbers, first: int, n: int) -> tuple[Shares, Shares]:
            met = np.ix_(np.take(worlds, range(first, first + n), mode="wrap"), alive)
            return self.wins[met], self.margins[met]

        tally = Tally(self.approach, self.actions, np.zeros(len(self.actions)))
        return _halve(tally, _Clock(Limit(steps=playouts)), play)


class _Clock:
    """How many worlds the next call may play, by playouts and by time, whichever is used up first."""

    def __init__(self, limit: Limit) -> None:
        self._steps = limit.steps
        self._seconds = DEFAULT_SECONDS if limit.seconds is None and limit.steps is None else limit.seconds
        self._cores = limit.cores
        self._began = self._asked = thinking_time()
        self._spent = 0.0
        self.playouts = 0

    def seconds(self) -> float:
        """Since the search began."""
        return thinking_time() - self._began

    def worlds(self, candidates: int, share: float) -> int:
        """Worlds for so many candidates, until a share of the limit is used; 0 when it is. The first call has one."""
        self._asked = thinking_time()
        worlds = min(self._within_steps(candidates, share), self._within_time(candidates, share))
        return worlds if self.playouts else max(1, worlds)

    def _within_steps(self, candidates: int, share: float) -> int:
        if self._steps is None:
            return UNLIMITED
        return min(MOST_WORLDS, (int(self._steps * share) - self.playouts) // candidates)

    def _within_time(self, candidates: int, share: float) -> int:
        if self._seconds is None:
            return UNLIMITED
        if self.playouts == 0:
            return self._cores
        left = self._seconds * share - self.seconds()
        each = self._spent / self.playouts * candidates
        return 0 if left < each * self._cores else max(1, int(min(left, BATCH_SECONDS) / each))

    def played(self, playouts: int) -> None:
        """Count playouts since the last question."""
        self.playouts += playouts
        self._spent += thinking_time() - self._asked


class Tally:
    """Results of candidates, each compared with the first in the same worlds."""

    def __init__(self, approach: Approach, actions: Numbers, likings: Shares) -> None:
        self._approach = approach
        self._actions = actions
        self._likings = likings - likings[0]
        self.worlds = 0
        self.n = np.zeros(len(likings))
        self._sum = np.zeros(len(likings))
        self._squares = np.zeros(len(likings))
        self._wins = np.zeros(len(likings))

    def add(self, alive: Numbers, wins: Shares, margins: Shares) -> None:
        """Count some worlds; the first candidate is always among the living."""
        values = wins + self._approach.margin * np.tanh(margins / self._approach.scale)
        gains = values - values[:, :1]
        self.worlds += len(wins)
        self.n[alive] += len(wins)
        self._sum[alive] += gains.sum(0)
        self._squares[alive] += (gains**2).sum(0)
        self._wins[alive] += wins.sum(0)

    def gains(self) -> Shares:
        """Mean gain over the first candidate."""
        return self._sum / np.maximum(1, self.n)

    def errors(self) -> Shares:
        """Standard errors of the gains."""
        n = np.maximum(2, self.n)
        variance = np.maximum(self._squares / n - (self._sum / n) ** 2, 1e-4)
        return np.sqrt(variance / n)

    def win_rates(self) -> Shares:
        """How often each candidate won in the playouts."""
        return self._wins / np.maximum(1, self.n)

    def better_half(self, alive: Numbers) -> Numbers:
        """The first candidate and the better half of the others."""
        others = alive[1:]
        order = np.argsort(-(self.gains() + self._likings)[others], kind="stable")
        return np.concatenate(([alive[0]], np.sort(others[order[: max(1, len(others) // 2)]])))

    def settled(self, alive: Numbers) -> bool:
        """Whether more playouts would not change the action, or change it for a trifle."""
        if self.n[alive[0]] < LEAST_WORLDS:
            return False
        gains, errors, chosen = self.gains() + self._likings, self.errors(), self.best(alive)
        errors[alive[0]] = 0.0
        others = alive[self._actions[alive] != self._actions[chosen]]
        lead = gains[chosen] - gains[others]
        return bool(np.all(lead + TRIFLE >= CLEAR * np.hypot(errors[chosen], errors[others])))

    def best(self, alive: Numbers) -> int:
        """The candidate that is surely best, or the first."""
        lower = self.gains() + self._likings - self._approach.sure * self.errors()
        lower[alive[0]] = 0.0
        return int(alive[np.argmax(lower[alive])])
