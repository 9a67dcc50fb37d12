"""Many games at once, and their statistics.

rows = simulate("usa", ["casual", "random"], games=100, seed=1)
print(Statistics.of(rows).seats[0].win_rate)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from whistlestop.bots import RANDOM, play
from whistlestop.engine.doors import random_games, scratch
from whistlestop.engine.layout import MAX_PLAYERS, SHEET, SHEET_NAMES
from whistlestop.engine.tables import tables_of
from whistlestop.errors import WhistlestopError
from whistlestop.game import Game
from whistlestop.mapfile import Edition, load_edition
from whistlestop.results import SOURCES

Rows = npt.NDArray[np.void]
"""An array of RESULT_ROW."""
RESULT_ROW = np.dtype([(name, np.int64) for name in ("game", "player", *SHEET_NAMES, "steps")])
"""What one player got in one game: points by source, their total, tickets completed and failed, spaces of the longest
path, and whether the player won; `steps` are the actions of all players."""
SEEDS = 2**63
GAMES_PER_CALL = 2000
"""Games in one call of compiled code: progress is told between calls."""


# --- playing ---------------------------------------------------------------------------------------------------------
def simulate(
    edition: str | Path | Edition,
    players: int | Sequence[str] = 2,
    games: int = 1000,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Rows:
    """Play games and return a row for each game and player, in this order; game n has the seed `seed + n`.

    `players` is a number of random players, or the name of a bot for each seat. Random players play in compiled code,
    thousands of games a second; other bots take their time. `progress` is called with the number of games done.
    """
    if games < 1:
        raise WhistlestopError(f"at least 1 game must be played, not {games}")
    edition = edition if isinstance(edition, Edition) else load_edition(edition)
    if isinstance(players, str):
        raise TypeError(
            f"players are a number or a list of bots, one for each seat, such as [{players!r}, {players!r}]"
        )
    edition.check_players(players if isinstance(players, int) else len(players))
    bots = [RANDOM] * players if isinstance(players, int) else list(players)
    rows = np.zeros(games * len(bots), RESULT_ROW)
    rows["game"] = np.repeat(np.arange(games), len(bots))
    rows["player"] = np.tile(np.arange(len(bots)), games)
    filled = _fill_random(rows, edition, len(bots), seed) if set(bots) == {RANDOM} else _fill(rows, edition, bots, seed)
    for done in filled:
        if progress:
            progress(done)
    return rows


def _fill_random(rows: Rows, edition: Edition, players: int, seed: int) -> Iterator[int]:
    """Fill rows by the compiled loop, some games at a time; gives the number of games done."""
    tables = tables_of(edition)
    states, nets, borrowed = scratch()
    games = len(rows) // players
    for start in range(0, games, GAMES_PER_CALL):
        n = min(GAMES_PER_CALL, games - start)
        sheets, steps = np.zeros((n, MAX_PLAYERS, SHEET), np.int64), np.zeros(n, np.int64)
        random_games(states, tables, nets, players, np.uint64((seed + start) % SEEDS), sheets, steps, borrowed)
        part = rows[start * players : (start + n) * players]
        part["steps"] = np.repeat(steps, players)
        for column, name in enumerate(SHEET_NAMES):
            part[name] = sheets[:, :players, column].reshape(-1)
        yield start + n


def _fill(rows: Rows, edition: Edition, bots: Sequence[str], seed: int) -> Iterator[int]:
    """Fill rows by games between bots, one at a time; gives the number of games done."""
    for number in range(len(rows) // len(bots)):
        game = play(edition, bots, (seed + number) % SEEDS)
        _fill_game(rows[number * len(bots) : (number + 1) * len(bots)], game)
        yield number + 1


def _fill_game(rows: Rows, game: Game) -> None:
    result = game.result()
    rows["steps"] = len(game.history)
    for seat, player in enumerate(result.players):
        row = rows[seat]
        row["won"] = seat in result.winners
        row["completed"], row["failed"] = len(player.completed), len(player.failed)
        for name in (*SOURCES, "total", "path_length"):
            row[name] = getattr(player, name)


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
