"""Many games at once, and their statistics.

rows = simulate("usa", ["casual", "random"], games=100, seed=1)
print(Statistics.of(rows).seats[0].win_rate)
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from whistlestop.arena.matches import RESULT_ROW, SEEDS, Match, PlayedMatch, Rows, known_entrant, play_match
from whistlestop.arena.rehearsal import own_bots, rehearse
from whistlestop.arena.worker_pool import WorkerPool, cores
from whistlestop.bots import RANDOM
from whistlestop.bots.referee import Failure
from whistlestop.engine.doors import random_games, scratch
from whistlestop.engine.layout import MAX_PLAYERS, SHEET, SHEET_NAMES
from whistlestop.engine.tables import tables_of
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition, digest, load_edition
from whistlestop.results import SOURCES

GAMES_PER_CALL = 2000
"""Games in one call of compiled code: progress is told between calls."""
ALONE_FOR = 1.0
"""Seconds that games are played in this process before others are started for the rest: they take as long to start."""


# --- playing ---------------------------------------------------------------------------------------------------------
def simulate(
    edition: str | Path | Edition,
    players: int | Sequence[str] = 2,
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    failures: list[tuple[int, Failure]] | None = None,
    jobs: int | None = None,
) -> Rows:
    """Play games and return a row for each game and player, in this order; game n has the seed `seed + n`.

    `players` is a number of random players, or the text of a bot for each seat: `casual`, `expert:500ms`,
    `my_bot.py:MyBot`. Random players play in compiled code, thousands of games a second; other bots take their time.
    `progress` is called with the number of games done. A bot that fails loses its turn to a random action; its row
    counts that, and `failures` is given the number of the game and what happened. `jobs` cores are used, all unless
    given; the rows are the same.
    """
    if games < 1:
        raise WhistlestopError(f"at least 1 game must be played, not {games}")
    if jobs is not None and jobs < 1:
        raise WhistlestopError(f"at least 1 core is needed, not {jobs}")
    edition = edition if isinstance(edition, Edition) else load_edition(edition)
    if isinstance(players, str):
        raise TypeError(
            f"players are a number or a list of bots, one for each seat, such as [{players!r}, {players!r}]"
        )
    edition.check_players(players if isinstance(players, int) else len(players))
    bots = [RANDOM] * players if isinstance(players, int) else [str(known_entrant(text)) for text in players]
    rows = np.zeros(games * len(bots), RESULT_ROW)
    rows["game"] = np.repeat(np.arange(games), len(bots))
    rows["player"] = np.tile(np.arange(len(bots)), games)
    jobs = jobs or cores()
    if set(bots) == {RANDOM}:
        filled = _fill_random(rows, edition, len(bots), seed, jobs)
    else:
        filled = _fill(rows, edition, bots, seed, jobs, [] if failures is None else failures)
    for done in filled:
        if progress:
            progress(done)
    return rows


def _fill_random(rows: Rows, edition: Edition, players: int, seed: int, jobs: int) -> Iterator[int]:
    """Fill rows by the compiled loop, some games at a time on each core; gives the number of games done."""
    games, done = len(rows) // players, 0

    def fill(start: int) -> int:
        n = min(GAMES_PER_CALL, games - start)
        sheets, steps = np.zeros((n, MAX_PLAYERS, SHEET), np.int64), np.zeros(n, np.int64)
        states, nets, borrowed = scratch()
        random_games(
            states, tables_of(edition), nets, players, np.uint64((seed + start) % SEEDS), sheets, steps, borrowed
        )
        part = rows[start * players : (start + n) * players]
        part["steps"] = np.repeat(steps, players)
        for column, name in enumerate(SHEET_NAMES):
            part[name] = sheets[:, :players, column].reshape(-1)
        return n

    with ThreadPoolExecutor(jobs) as threads:  # compiled code holds no lock: threads do
        for n in threads.map(fill, range(0, games, GAMES_PER_CALL)):
            done += n
            yield done


def _fill(
    rows: Rows,
    edition: Edition,
    bots: Sequence[str],
    seed: int,
    jobs: int,
    failures: list[tuple[int, Failure]],
) -> Iterator[int]:
    """Fill rows by games between bots; gives the number of games done."""
    games, key, found = len(rows) // len(bots), digest(edition), []
    matches = (Match(key, tuple(bots), (seed + number) % SEEDS) for number in range(games))
    for done, played in enumerate(play_matches(edition, matches, bots, jobs), 1):
        number = (played.match.seed - seed) % SEEDS
        of_game = rows[number * len(bots) : (number + 1) * len(bots)]
        for name in (*SHEET_NAMES, "steps", "failures"):
            of_game[name] = played.rows[name]
        found += [(number, failure) for failure in played.failures]
        yield done
    failures += sorted(found, key=lambda one: one[0])


def play_matches(edition: Edition, matches: Iterable[Match], bots: Sequence[str], jobs: int) -> Iterator[PlayedMatch]:
    """Matches of some bots in any order: on all cores, but the first ones here if all bots are the package's own.

    Those of other people may end or block their process, which must not be this one.
    """
    for name in own_bots(bots):
        rehearse(name)
    began, waiting = time.perf_counter(), iter(matches)
    if set(own_bots(bots)) == {known_entrant(text).name for text in bots}:
        for match in waiting:
            yield play_match(match, edition)
            if jobs > 1 and time.perf_counter() - began > ALONE_FOR:
                break
    with closing(WorkerPool({digest(edition): edition}, jobs).play(waiting)) as parts:
        for part in parts:
            yield from part


# --- statistics ------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Distribution:
    """Mean, median, standard deviation and range of some numbers."""

    mean: float
    median: float
    sd: float
    min: int
    max: int

    @classmethod
    def of(cls, values: npt.NDArray[np.int64]) -> Distribution:
        """Measure some numbers."""
        sd = float(values.std(ddof=1)) if len(values) > 1 else 0.0
        return cls(float(values.mean()), float(np.median(values)), sd, int(values.min()), int(values.max()))


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """How a player did over many games."""

    win_rate: float
    """Share of games won; a shared win counts for each winner."""
    win_rate_margin: float
    """Half of its 95% confidence interval (normal approximation)."""
    points: Distribution
    sources: dict[str, float]
    """Mean points by source, in the order of the score sheet."""
    tickets_completed: float
    """Mean number of tickets completed in a game."""
    tickets_failed: float
    failures: int
    """Actions that the bot failed to give, in all games."""

    @classmethod
    def of(cls, rows: Rows) -> PlayerStatistics:
        """Measure rows of `simulate`."""
        rate = float(rows["won"].mean())
        return cls(
            win_rate=rate,
            win_rate_margin=1.96 * (rate * (1 - rate) / len(rows)) ** 0.5,
            points=Distribution.of(rows["total"]),
            sources={name: float(rows[name].mean()) for name in SOURCES},
            tickets_completed=float(rows["completed"].mean()),
            tickets_failed=float(rows["failed"].mean()),
            failures=int(rows["failures"].sum()),
        )


@dataclass(frozen=True, slots=True)
class Statistics:
    """Many games in numbers."""

    games: int
    actions: Distribution
    """Actions in a game, of all players together."""
    shared_wins: int
    """Games with more than one winner."""
    seats: tuple[PlayerStatistics, ...]
    overall: PlayerStatistics
    """All seats together."""

    @classmethod
    def of(cls, rows: Rows) -> Statistics:
        """Measure the rows of `simulate`."""
        by_seat = [rows[rows["player"] == seat] for seat in range(int(rows["player"].max()) + 1)]
        winners = sum(seat["won"] for seat in by_seat)
        return cls(
            games=len(by_seat[0]),
            actions=Distribution.of(by_seat[0]["steps"]),
            shared_wins=int((winners > 1).sum()),
            seats=tuple(PlayerStatistics.of(seat) for seat in by_seat),
            overall=PlayerStatistics.of(rows),
        )

    def json(self) -> dict[str, object]:
        """The statistics as plain data."""
        return asdict(self)
