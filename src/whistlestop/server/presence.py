"""Who is here: by a socket, or by asking over HTTP. A line that breaks has some time to come back."""

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

    def is_here(self, seat: int) -> bool:
        """Whether a seat has a socket, or asks, or asked a moment ago: what the table shows."""
        asked = self._asking[seat] > 0 or time.monotonic() - self._asked.get(seat, float("-inf")) < self._grace
        return asked or seat in self._listeners.seats

    def is_gone(self, seat: int) -> bool:
        """Whether a seat has been away for longer than a broken line needs to come back: what others may vote on."""
        return not self.is_here(seat) and time.monotonic() - self._left.get(seat, self._since) >= self._grace
