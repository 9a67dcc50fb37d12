"""Whether the database answers."""

from __future__ import annotations

import asyncio
import time

from whistlestop.server.store import Store

FRESH = 1.0
"""Seconds for which an answer holds: whoever asks often must not keep the database busy."""


class DatabaseCheck:
    """Asks the database for a sign of life, once for all who want to know."""

    patience = 2.0
    """Seconds in which it must answer."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._asked: asyncio.Task[bool] | None = None
        self._at = 0.0

    async def answers(self) -> bool:
        """Whether it answers, now or a moment ago."""
        if self._asked is None or (self._asked.done() and time.monotonic() - self._at >= FRESH):
            self._at, self._asked = time.monotonic(), asyncio.create_task(self._ask())
        return await asyncio.shield(self._asked)

    async def _ask(self) -> bool:
        try:
            await asyncio.wait_for(self._store.ping(), self.patience)
        except Exception:  # whatever is wrong with it
            return False
        return True
