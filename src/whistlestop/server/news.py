"""What processes on one PostgreSQL tell each other, in the same transaction as the write it is about.

News of actions carry them; of other changes they say where to look, and whoever has that table in memory reads it. What
is not kept, such as who is here, is told in full. On SQLite there is one process, and nobody to tell.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from whistlestop.server import log

CHANNEL = "whistlestop"
LARGEST = 7000
"""Bytes of one notification; PostgreSQL takes 8,000."""
RECONNECT_SECONDS = 1.0

_NOTIFY = sa.text("SELECT pg_notify(:channel, :payload)")


class Item(NamedTuple):
    """One piece of news."""

    kind: str
    """action, changed, drop, here, asks, reaction, bans, job, answer, beat or real_table."""
    about: str
    """A table, mostly."""
    data: Any = None


Hear = Callable[[str, Item], None]
"""Takes the process that tells, and what it tells; never waits."""


class News:
    """The news of one process: told in its transactions, heard on a connection that does nothing else."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self.shared = engine.dialect.name == "postgresql"
        """Whether there may be other processes."""
        self.process = secrets.token_hex(8)
        """The name of this process among them."""
        self._lost = asyncio.Event()

    async def tell(self, connection: AsyncConnection, items: Iterable[Item]) -> None:
        """Tell the others when the transaction is committed, and not before."""
        if not self.shared:
            return
        told = (_dumped(item) for item in items)
        for payload in payloads(self.process, dict.fromkeys(told)):
            await connection.execute(_NOTIFY, {"channel": CHANNEL, "payload": payload})

    async def listen(self, hear: Hear, missed: Callable[[], None]) -> None:
        """Hear for ever; `missed` is called where news may have been lost: when a broken line is back."""
        while self.shared:
            try:
                await self._listen_once(hear, missed)
            except (SQLAlchemyError, OSError) as error:
                log.event("news not heard", "error", error=type(error).__name__)
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _listen_once(self, hear: Hear, missed: Callable[[], None]) -> None:
        self._lost.clear()
        async with self._engine.connect() as connection:
            line: Any = (await connection.get_raw_connection()).driver_connection
            line.add_termination_listener(lambda _line: self._lost.set())
            await line.add_listener(CHANNEL, lambda _line, _pid, _channel, payload: _pass_on(payload, hear))
            missed()
            try:
                await self._lost.wait()
            finally:
                await connection.invalidate()  # nobody else is to get a connection that listens

    def reconnect(self) -> None:
        """Give up a line that brings nothing any more."""
        self._lost.set()


def _dumped(item: Item) -> bytes:
    """An item as it is sent; one that is too large only says where to look."""
    data = orjson.dumps(tuple(item))
    return data if len(data) < LARGEST else orjson.dumps(("changed", item.about, None))


def payloads(process: str, items: Iterable[bytes]) -> Iterator[str]:
    """Notifications that together carry all items, each not too large."""
    gathered: list[bytes] = []
    size = 0
    for item in items:
        if gathered and size + len(item) > LARGEST:
            yield _payload(process, gathered)
            gathered, size = [], 0
        gathered.append(item)
        size += len(item) + 1
    if gathered:
        yield _payload(process, gathered)


def _payload(process: str, items: list[bytes]) -> str:
    return f'["{process}",[{b",".join(items).decode()}]]'


def _pass_on(payload: str, hear: Hear) -> None:
    process, items = orjson.loads(payload)
    for item in items:
        try:
            hear(process, Item(*item))
        except Exception:  # a fault with one table must not make this process deaf
            log.logger.exception("news not taken", extra={"facts": {"kind": item[0], "about": item[1]}})
