"""How long tables, chat, names and boards are kept. What is old goes in small batches, beside everything else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from whistlestop.server import log
from whistlestop.server.hall import Hall
from whistlestop.server.host_store import FINISHED, HostStore
from whistlestop.server.refusals import outdated_table
from whistlestop.server.seats import Seats

BATCH = 50
"""Tables looked at in one go."""
PAUSE = 0.1
"""Seconds between batches: nobody who plays should notice."""


class Retention:
    """Deletes what is older than the host wants to keep."""

    def __init__(self, hall: Hall) -> None:
        self._hall, self._store = hall, HostStore(hall.store)
        self._settings = hall.settings

    async def run(self) -> None:
        """Sweep again and again."""
        while True:
            try:
                await self.sweep(time.time())
            except Exception:  # the next sweep makes up for it
                log.logger.exception("retention failed", extra={"facts": {}})
            await asyncio.sleep(self._settings.sweep_seconds)

    async def sweep(self, now: float) -> None:
        """Delete once what is old by now."""
        if self._settings.keep is not None:
            await self._each_batch("tables deleted by age", now - self._settings.keep, self._delete)
            await self._delete_real_tables(now - self._settings.keep)
        if self._settings.keep_chat is not None:
            await self._each_batch("chat deleted by age", now - self._settings.keep_chat, self._strip)
            await self._strip_real_tables(now - self._settings.keep_chat)
        if deleted := await self._hall.boards.delete_unused(now):
            log.event("unused boards deleted", boards=deleted)

    async def _each_batch(self, what: str, since: float, job: Callable[[str, str], Awaitable[bool]]) -> None:
        """Do something with every table at which nothing happened since then; the log says with how many."""
        last, changed = "", 0
        while batch := await self._store.quiet_tables(since, last, BATCH):
            for table, status in batch:
                if status in FINISHED or not self._is_looked_at(table):
                    changed += await job(table, status)
            last = batch[-1][0]
            await asyncio.sleep(PAUSE)
        if changed:
            log.event(what, tables=changed)

    def _is_looked_at(self, table_id: str) -> bool:
        """Whether somebody is at a table; then one that is not finished is not given up."""
        table = self._hall.in_memory(table_id)
        return table is not None and bool(table.listeners)

    async def _delete(self, table_id: str, _status: str) -> bool:
        """Delete a table."""
        await self._hall.dismiss(table_id, outdated_table(), lambda: self._store.delete_tables([table_id]))
        return True

    async def _strip(self, table_id: str, status: str) -> bool:
        """Delete the chat of a table, and the names of people if its game is finished."""
        changed = await self._store.strip(table_id, _without_names if status in FINISHED else None)
        if changed and (table := self._hall.in_memory(table_id)) is not None:
            self._hall.forget(table)  # whoever looks at it loads it anew
        return changed

    # -- real tables -------------------------------------------------------------------------------------------------
    async def _delete_real_tables(self, since: float) -> None:
        """Delete real tables that nobody has changed since then."""
        store, deleted = self._hall.real_tables.store, 0
        async for table in self._quiet_real_tables(since):
            if await store.delete_quiet(table, since):
                self._hall.real_tables.hear(table)
                deleted += 1
        if deleted:
            log.event("real tables deleted by age", tables=deleted)

    async def _strip_real_tables(self, since: float) -> None:
        """Delete the names at real tables that are counted and that nobody has changed since then."""
        stripped = 0
        async for table in self._quiet_real_tables(since, counted=True):
            stripped += await self._hall.real_tables.store.strip(table)
        if stripped:
            log.event("names at real tables deleted by age", tables=stripped)

    async def _quiet_real_tables(self, since: float, *, counted: bool = False) -> AsyncIterator[str]:
        last = ""
        while batch := await self._hall.real_tables.store.quiet(since, last, BATCH, counted=counted):
            for table in batch:
                yield table
            last = batch[-1]
            await asyncio.sleep(PAUSE)


def _without_names(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return Seats.from_rows(rows).without_names().rows()
