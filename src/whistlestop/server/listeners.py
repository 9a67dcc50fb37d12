"""Who is shown a table: sockets, each looking through a seat or as a spectator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import orjson

from whistlestop.server.refusals import RequestError


class Listener(Protocol):
    """Somebody who is shown the table: a socket."""

    known: int
    """The number of the last action it was sent."""
    game_shown: bool
    """Whether it gets frames and chat; without a key it sees only who sits where."""

    @property
    def viewer(self) -> int | None:
        """The seat it looks through; None for a spectator."""

    @property
    def seats(self) -> frozenset[int]:
        """Seats its key holds."""

    @property
    def by_link(self) -> bool:
        """Whether it came by the spectators' link."""

    def send(self, message: bytes) -> None:
        """Queue a message; never waits."""

    def disconnect(self) -> None:
        """Close the connection; the client comes back and looks again."""

    def dismiss(self, refused: RequestError) -> None:
        """Say why, then close the connection for good."""


class Listeners:
    """All listeners of a table."""

    def __init__(self) -> None:
        self._all: set[Listener] = set()

    def __iter__(self) -> Iterator[Listener]:
        return iter(tuple(self._all))

    def __len__(self) -> int:
        return len(self._all)

    def add(self, listener: Listener) -> None:
        """Somebody came."""
        self._all.add(listener)

    def remove(self, listener: Listener) -> None:
        """Somebody went."""
        self._all.discard(listener)

    @property
    def seats(self) -> set[int]:
        """Seats whose players are connected."""
        return {seat for listener in self._all for seat in listener.seats}

    @property
    def spectators(self) -> int:
        """How many hold no seat."""
        return sum(not listener.seats for listener in self._all)

    def send(self, message: dict[str, Any], with_key: bool = False) -> None:
        """Send a message to everybody, or to those who came with a key."""
        raw = orjson.dumps(message)
        for listener in self._all:
            if listener.game_shown or not with_key:
                listener.send(raw)

    def send_frames(self, n: int, frame: Callable[[int | None, int], bytes]) -> None:
        """Send all what they have not seen up to action `n`; those who know and see the same share one message."""
        made: dict[tuple[int | None, int], bytes] = {}
        for listener in self._all:
            if not listener.game_shown:
                continue
            key = (listener.viewer, listener.known)
            if key not in made:
                made[key] = frame(*key)
            listener.known = n
            listener.send(made[key])
