"""The chat of a table: lines are stored, then shown."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from whistlestop.game import is_writable
from whistlestop.server.refusals import RequestError
from whistlestop.server.store import Store


class Chat:
    """What was said at one table. Whoever adds to it holds the table's lock."""

    def __init__(self, table_id: str, stored: Sequence[dict[str, Any]], store: Store) -> None:
        self._table_id, self._store = table_id, store
        self.messages = [_message(line) for line in stored]

    async def add(self, seat: int, name: str, text: str) -> dict[str, Any]:
        """Store a line, then add it; the message that shows it."""
        if not all(map(is_writable, text)):
            raise RequestError("malformed", "chat is plain text on one line", status=422)
        number, at = len(self.messages) + 1, round(time.time(), 3)
        line = {"table_id": self._table_id, "number": number, "seat": seat, "name": name, "text": text, "at": at}
        await self._store.add_chat(line)
        self.messages.append(_message(line))
        return self.messages[-1]


def _message(line: dict[str, Any]) -> dict[str, Any]:
    """A line of chat as it is sent."""
    return {"t": "chat", "n": line["number"], **{name: line[name] for name in ("seat", "name", "text", "at")}}
