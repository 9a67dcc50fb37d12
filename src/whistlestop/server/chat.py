"""The chat of a table: lines are stored, then shown. Nobody can fill it, or drown out the others."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from whistlestop.names import is_writable
from whistlestop.server.rate_limits import Bucket
from whistlestop.server.refusals import RequestError
from whistlestop.server.settings import Limits
from whistlestop.server.store import Store

AT_ONCE = 10
"""Lines and reactions that a seat may send one right after the other."""


class Chat:
    """What was said at one table. Whoever adds to it holds the table's lock."""

    def __init__(self, table_id: str, stored: Sequence[dict[str, Any]], store: Store, limits: Limits) -> None:
        self._table_id, self._store, self._limits = table_id, store, limits
        self._buckets: dict[int, Bucket] = {}
        self.messages = [_message(line) for line in stored]

    @property
    def latest(self) -> list[dict[str, Any]]:
        """What a newcomer is sent."""
        return self.messages[-self._limits.chat_shown :]

    def admit(self, seat: int) -> None:
        """Refuse a seat that talks or reacts too much."""
        if not self._buckets.setdefault(seat, Bucket(self._limits.chat_a_second, AT_ONCE)).take():
            raise RequestError("rate", "too many messages", "slow down", 429)

    async def add(self, seat: int, name: str, text: str) -> dict[str, Any]:
        """Store a line, then add it; the message that shows it."""
        if not all(map(is_writable, text)):
            raise RequestError("malformed", "chat is plain text on one line", status=422)
        if len(self.messages) >= self._limits.chat_lines:
            raise RequestError("chat_full", "the chat of this table is full")
        number, at = len(self.messages) + 1, round(time.time(), 3)
        line = {"table_id": self._table_id, "number": number, "seat": seat, "name": name, "text": text, "at": at}
        await self._store.add_chat(line)
        return self.take(line)

    def take(self, line: dict[str, Any]) -> dict[str, Any]:
        """Add a line that is stored; the message that shows it."""
        self.messages.append(_message(line))
        return self.messages[-1]


def _message(line: dict[str, Any]) -> dict[str, Any]:
    """A line of chat as it is sent."""
    return {"t": "chat", "n": line["number"], **{name: line[name] for name in ("seat", "name", "text", "at")}}
