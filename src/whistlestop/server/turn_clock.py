"""The time of a turn: when it began, when it ends, and what happens then."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

EARLY = 0.05
"""Seconds by which a timer may fire before its time."""


class TurnClock:
    """The clock of a table's turns; without a limit it only knows when the turn began."""

    def __init__(self, seconds: int | None, on_time_up: Callable[[], object]) -> None:
        self._seconds, self._on_time_up = seconds, on_time_up
        self._timer: asyncio.TimerHandle | None = None
        self.since = time.time()
        self.deadline: float | None = None
        """When the turn's time ends, in seconds since 1970."""

    def start_turn(self) -> None:
        """A turn begins."""
        self.stop()
        self.since = time.time()
        if self._seconds is not None:
            self.deadline = round(self.since + self._seconds, 3)
            self._timer = asyncio.get_running_loop().call_later(self._seconds, self._on_time_up)

    @property
    def is_up(self) -> bool:
        """Whether the turn's time has ended."""
        return self.deadline is not None and time.time() >= self.deadline - EARLY

    def stop(self) -> None:
        """No turn goes on any more."""
        self.deadline = None
        if self._timer:
            self._timer.cancel()
