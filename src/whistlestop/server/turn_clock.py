"""The time of a turn: when it began, when it ends, and what happens then.

It goes by a clock that only runs forward: setting the computer's time changes nothing.
"""

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
        self._since = time.monotonic()
        self._end: float | None = None

    def start_turn(self, elapsed: float = 0.0, times: int = 1) -> None:
        """A turn begins, or began some seconds ago; it has so many times the usual time."""
        self.stop()
        self._since = time.monotonic() - max(0.0, elapsed)
        if self._seconds is not None:
            self._end = self._since + times * self._seconds
            left = max(0.0, self._end - time.monotonic())
            self._timer = asyncio.get_running_loop().call_later(left, self._on_time_up)

    def ring_again(self, seconds: float) -> None:
        """Call once more after some seconds, for the turn whose time is up."""
        if self._end is not None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._on_time_up)

    @property
    def elapsed(self) -> float:
        """Seconds since the turn began."""
        return time.monotonic() - self._since

    @property
    def left(self) -> float | None:
        """Seconds until the turn's time ends; None where it has no end."""
        return None if self._end is None else self._end - time.monotonic()

    @property
    def deadline(self) -> float | None:
        """When the turn's time ends, in seconds since 1970 by the computer's present time."""
        return None if self._end is None else round(time.time() + self._end - time.monotonic(), 3)

    @property
    def is_up(self) -> bool:
        """Whether the turn's time has ended."""
        return self._end is not None and time.monotonic() >= self._end - EARLY

    def stop(self) -> None:
        """No turn goes on any more."""
        self._end = None
        if self._timer:
            self._timer.cancel()
