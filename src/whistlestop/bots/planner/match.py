"""Matches between two sets of parameters, in compiled code: the same seeds from every seat."""

from __future__ import annotations

import threading

import numpy as np

from whistlestop.bots.planner.games import planned_games
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import N, Vector
from whistlestop.engine.doors import scratch
from whistlestop.engine.layout import MAX_PLAYERS, SHEET, TOTAL, WON
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import Edition


class PlannerMatch:
    """Plays one planner against others of one kind."""

    def __init__(self, edition: Edition, players: int) -> None:
        self._tables = tables_of(edition)
        self._players = players
        self._rooms = threading.local()

    def play(self, values: Vector, rivals: Vector, seeds: int, seed: int) -> tuple[float, float]:
        """Share of wins (a shared one counts in part) and mean margin over the best rival, over all seats."""
        wins, margins = [], []
        for seat in range(self._players):
            pars = np.zeros((MAX_PLAYERS, N))
            pars[:] = rivals
            pars[seat] = values
            sheets = self.sheets(pars, seeds, seed)
            won, total = sheets[:, :, WON], sheets[:, :, TOTAL]
            wins.append((won[:, seat] / np.maximum(1, won.sum(1))).mean())
            margins.append((total[:, seat] - np.delete(total, seat, 1).max(1)).mean())
        return float(np.mean(wins)), float(np.mean(margins))

    def sheets(self, pars: Vector, seeds: int, seed: int) -> np.ndarray[tuple[int, int, int], np.dtype[np.int64]]:
        """The score sheets of games with a row of parameters for each seat."""
        if not hasattr(self._rooms, "room"):
            self._rooms.room = (*scratch(), np.zeros(1, MIND))
        states, nets, borrowed, minds = self._rooms.room
        sheets, steps = np.zeros((seeds, MAX_PLAYERS, SHEET), np.int64), np.zeros(seeds, np.int64)
        actions = np.zeros((seeds, 0), np.int16)
        start = np.uint64(seed)
        planned_games(states, self._tables, minds, nets, self._players, start, pars, sheets, steps, borrowed, actions)
        return sheets[:, : self._players]
