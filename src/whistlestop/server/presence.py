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

    @property
    def here(self) -> set[int]:
        """Seats that have a socket, or ask, or asked a moment ago: what the table shows."""
        since = time.monotonic() - self._grace
        asking = {seat for seat, n in self._asking.items() if n > 0}
        return self._listeners.seats | asking | {seat for seat, at in self._asked.items() if at > since}

    def is_gone(self, seat: int) -> bool:
        """Whether a seat has been away for longer than a broken line needs to come back: what others may vote on."""
        return seat not in self.here and time.monotonic() - self._left.get(seat, self._since) >= self._grace
