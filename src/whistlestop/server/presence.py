"""Who is here: by a socket or by asking over HTTP, at this process or another. A line that breaks may come back."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from whistlestop.server.listeners import Listeners


class Presence:
    """When each seat of a table was last here; nobody is gone at once, neither by a restart nor by a broken line."""

    def __init__(self, listeners: Listeners, grace: float) -> None:
        self._listeners, self._grace = listeners, grace
        self._since = time.monotonic()
        self._left: dict[int, float] = {}
        self._asked: dict[int, float] = {}
        self._asking: Counter[int] = Counter()
        self._elsewhere: dict[str, tuple[frozenset[int], int]] = {}
        """Seats and spectators by process."""
        self.told: tuple[list[int], int] = ([], 0)
        """What other processes were told last."""

    def left(self, seats: Iterable[int]) -> None:
        """A socket with these seats has gone."""
        now = time.monotonic()
        self._left.update((seat, now) for seat in seats)

    @contextmanager
    def asking(self, seats: Iterable[int]) -> Iterator[None]:
        """Somebody with these seats asks over HTTP, and may wait for the answer."""
        held = tuple(seats)
        self._asking.update(held)
        try:
            yield
        finally:
            self._asking.subtract(held)
            now = time.monotonic()
            self._asked.update((seat, now) for seat in held)

    @property
    def _here(self) -> set[int]:
        since = time.monotonic() - self._grace
        asking = {seat for seat, n in self._asking.items() if n > 0}
        return self._listeners.seats | asking | {seat for seat, at in self._asked.items() if at > since}

    @property
    def here(self) -> set[int]:
        """Seats that have a socket, or ask, or asked a moment ago: what the table shows."""
        return self._here.union(*(seats for seats, _ in self._elsewhere.values()))

    @property
    def spectators(self) -> int:
        """How many look on without a seat."""
        return self._listeners.spectators + sum(spectators for _, spectators in self._elsewhere.values())

    # -- other processes -------------------------------------------------------------------------------------------
    def at_this_process(self) -> tuple[list[int], int]:
        """What other processes are told: seats and spectators that are here by this one."""
        return sorted(self._here), self._listeners.spectators

    def hear(self, process: str, seats: Iterable[int], spectators: int) -> None:
        """Another process says who is there by it."""
        before, _ = self._elsewhere.pop(process, (frozenset(), 0))
        now = frozenset(seats)
        self.left(before - now)
        if now or spectators:
            self._elsewhere[process] = now, spectators

    def forget_others(self, alive: set[str]) -> bool:
        """Whoever was there by a process that has died is gone; whether there was anybody."""
        dead = self._elsewhere.keys() - alive
        for process in dead:
            self.hear(process, (), 0)
        return bool(dead)

    def is_gone(self, seat: int) -> bool:
        """Whether a seat has been away for longer than a broken line needs to come back: what others may vote on."""
        return seat not in self.here and time.monotonic() - self._left.get(seat, self._since) >= self._grace
