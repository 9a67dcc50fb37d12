"""One game of the arena: which bots sit where on which edition with which seed, and what came of it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt

from whistlestop.bots import Bot, Limit
from whistlestop.bots.lineup import Entrant, entrant
from whistlestop.bots.referee import Failure, finish, seat_names, seat_seed
from whistlestop.engine.layout import SHEET_NAMES
from whistlestop.errors import WhistlestopError
from whistlestop.game import Game
from whistlestop.mapfile import Edition
from whistlestop.notation import Action
from whistlestop.results import SOURCES, Result
from whistlestop.views import View

Rows = npt.NDArray[np.void]
"""An array of RESULT_ROW."""
RESULT_ROW = np.dtype([(name, np.int64) for name in ("game", "player", *SHEET_NAMES, "steps", "failures")])
"""What one player got in one game: points by source, their total, tickets completed and failed, spaces of the longest
path, and whether the player won; `steps` are the actions of all players, `failures` those that this one's bot failed to
give."""
SEEDS = 2**63
"""Seeds of games are below."""


@dataclass(frozen=True, slots=True)
class Dropout:
    """A bot that ended or blocked its process: from that action on the random bot plays for it."""

    seat: int
    turn: int
    """How often the bot had been asked in this game, the last time included; 0 while it was made."""
    reason: str
    """exit or overrun."""
    detail: str


@dataclass(frozen=True, slots=True)
class Match:
    """A game to be played."""

    edition: str
    """The edition's digest: the same board under another name is the same, a changed one is not."""
    seating: tuple[str, ...]
    """The text of the bot on each seat, as `str(entrant)` gives it."""
    seed: int
    dropouts: tuple[Dropout, ...] = ()
    """What earlier attempts to play it came to."""


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A game that was played to its end."""

    match: Match
    rows: Rows
    """A row for each seat."""
    seconds: float
    failures: tuple[Failure, ...]
    actions: npt.NDArray[np.int16]
    """All actions by their ids, in order: with the seed they give the game again."""


class Watch(Protocol):
    """Whoever wants to know which bot is thinking, in case it never comes back."""

    def begin(self, seat: int, turn: int, limit: Limit) -> None:
        """A bot is made (turn 0) or asked."""

    def end(self) -> None:
        """It came back."""


class Unwatched:
    """Nobody."""

    def begin(self, seat: int, turn: int, limit: Limit) -> None:
        """Nobody asked."""

    def end(self) -> None:
        """Nobody asked."""


def play_match(match: Match, edition: Edition, watch: Watch | None = None) -> PlayedMatch:
    """Play a match; the same match gives the same rows as long as its bots have no limit in seconds.

    Bots are asked one action at a time, in Python. Line-ups whose bots are all compiled can have a faster function of
    this shape: workers call nothing else.
    """
    began = time.perf_counter()
    watch = watch or Unwatched()
    entrants = [known_entrant(text) for text in match.seating]
    game = Game(edition, len(entrants), match.seed % SEEDS, names=seat_names(entrants))
    bots = [_WatchedBot(one, seat, match, watch) for seat, one in enumerate(entrants)]
    failures: list[Failure] = []
    finish(game, bots, [one.limit for one in entrants], failures)
    rows = np.zeros(len(bots), RESULT_ROW)
    fill_rows(rows, game.result(), len(game.history))
    rows["failures"] = [sum(failure.seat == seat for failure in failures) for seat in range(len(bots))]
    actions = np.array([move.action.id for move in game.history], np.int16)
    return PlayedMatch(match, rows, time.perf_counter() - began, tuple(_named(failures, match.dropouts)), actions)


@lru_cache(maxsize=256)
def known_entrant(text: str) -> Entrant:
    """The entrant that a text names, read once."""
    return entrant(text)


class _WatchedBot:
    """A bot of a match: tells the watch whenever it is made or asked, and answers no more once it has dropped out."""

    def __init__(self, one: Entrant, seat: int, match: Match, watch: Watch) -> None:
        self._seat, self._watch, self._turn = seat, watch, 0
        self._last_turn = next((out.turn for out in match.dropouts if out.seat == seat), None)
        self._bot: Bot | None = None
        self._error: WhistlestopError | None = None
        if self._last_turn == 0:
            return
        watch.begin(seat, 0, Limit())
        try:
            self._bot = one.make(seat_seed(match.seed % SEEDS, seat))
        except WhistlestopError as error:
            self._error = error
        finally:
            watch.end()

    def act(self, view: View, limit: Limit) -> Action:
        """The bot's action; raises where there is no bot."""
        self._turn += 1
        if self._last_turn is not None and self._turn >= self._last_turn:
            raise _DroppedOutError
        if self._bot is None:
            assert self._error is not None
            raise self._error
        self._watch.begin(self._seat, self._turn, limit)
        try:
            return self._bot.act(view, limit)
        finally:
            self._watch.end()


class _DroppedOutError(Exception):
    """The bot is no longer there."""


def _named(failures: Sequence[Failure], dropouts: Sequence[Dropout]) -> list[Failure]:
    """Failures as people are told: a bot that dropped out is named once, with the reason."""
    found: list[Failure] = []
    open_dropouts = {out.seat: out for out in dropouts}
    for failure in failures:
        if not failure.detail.startswith(_DroppedOutError.__name__):
            found.append(failure)
        elif out := open_dropouts.pop(failure.seat, None):
            found.append(replace(failure, reason=out.reason, detail=out.detail))
    return found


def shares_of(won: npt.NDArray[np.generic]) -> npt.NDArray[np.float64]:
    """Each seat's share of the win, along the last axis: what k players share counts 1/k for each of them."""
    winners = won.astype(np.float64)
    return np.asarray(winners / winners.sum(axis=-1, keepdims=True))


def fill_rows(rows: Rows, result: Result, steps: int) -> None:
    """Fill the rows of one game from its result."""
    rows["player"] = np.arange(len(rows))
    rows["steps"] = steps
    for seat, player in enumerate(result.players):
        row = rows[seat]
        row["won"] = seat in result.winners
        row["completed"], row["failed"] = len(player.completed), len(player.failed)
        for name in (*SOURCES, "total", "path_length"):
            row[name] = getattr(player, name)
