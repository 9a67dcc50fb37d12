"""The writer: appends of all tables, committed in groups. While one transaction runs, the next writes gather.

An append is acknowledged only after its transaction, so whatever a player was told to have happened is there after a
crash.
"""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, StatementError
from sqlalchemy.ext.asyncio import AsyncEngine

from whistlestop.server.news import Item, News

MOST_IN_GROUP = 500
"""Writes in one transaction."""


@dataclass(slots=True)
class Write:
    """A statement that waits for its transaction."""

    statement: Any
    """A statement of SQLAlchemy, or plain SQL, which costs it less; None where there is only something to tell."""
    values: Any
    """By name, or in the order of plain SQL."""
    news: Item | None
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FileWriter:
    """A thread that writes to an SQLite file: a whole transaction at a time, for every visit of a thread costs more
    than what it does there, and an asynchronous driver needs one for each step.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self.engine = engine
        self._thread = ThreadPoolExecutor(1, "writer")

    async def run(self, writes: Sequence[Write]) -> None:
        """Write all of it, or nothing."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, writes)

    def _transact(self, writes: Sequence[Write]) -> None:
        if len({write.statement for write in writes}) == 1 and isinstance(writes[0].statement, str):
            self._append(writes[0].statement, [write.values for write in writes])
        else:
            with self.engine.begin() as connection:
                _execute(connection, writes)

    def _append(self, statement: str, rows: Sequence[Any]) -> None:
        """A transaction of plain SQL, as nearly all are, goes to the driver itself: a connection of SQLAlchemy costs
        more than what is done with it. Errors are SQLAlchemy's, for whoever hears of them.
        """
        with contextlib.closing(self.engine.raw_connection()) as line:  # closing it rolls back what was not committed
            try:
                line.cursor().executemany(statement, rows)
                line.commit()
            except sqlite3.Error as error:
                raise DBAPIError.instance(None, None, error, sqlite3.Error, hide_parameters=True) from error

    async def close(self) -> None:
        """Disconnect."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self.engine.dispose)
        self._thread.shutdown()


class GroupWriter:
    """Commits what is put into it, in the order of coming, as many at once as there are."""

    def __init__(self, engine: AsyncEngine, news: News, file: sa.Engine | None) -> None:
        self._engine, self._news = engine, news
        self.file_writer = None if file is None else FileWriter(file)
        self._queue: asyncio.Queue[Write | None] = asyncio.Queue()
        self._task: asyncio.Task[None] | None = None
        self.groups = 0
        self.writes = 0
        self.failed = 0
        """Writes that the database did not take, for whatever reason but that somebody else was first."""

    def start(self) -> None:
        """Begin to commit."""
        self._task = asyncio.create_task(self._write_on(), name="writer")

    async def close(self) -> None:
        """Commit what waits, then stop."""
        self._queue.put_nowait(None)
        if self._task:
            await self._task
        if self.file_writer:
            await self.file_writer.close()

    async def write(self, statement: Any, values: Any, news: Item) -> None:
        """Write something and tell other processes of it; returns when it is committed."""
        write = Write(statement, values, news)
        self._queue.put_nowait(write)
        await write.done

    async def settle(self) -> None:
        """Return when all that was put in before is committed or refused, whoever waited for it."""
        write = Write(None, None, None)
        self._queue.put_nowait(write)
        with contextlib.suppress(Exception):  # its group was refused
            await write.done

    def tell(self, item: Item) -> None:
        """Tell other processes something that is not kept, with the next group."""
        if self._news.shared:
            write = Write(None, None, item)
            write.done.add_done_callback(asyncio.Future.exception)  # nobody waits for it
            self._queue.put_nowait(write)

    async def _write_on(self) -> None:
        """Commit waiting writes in groups, for ever."""
        while True:
            group = [await self._queue.get()]
            while len(group) < MOST_IN_GROUP and not self._queue.empty():
                group.append(self._queue.get_nowait())
            writes = [write for write in group if write is not None]
            if writes:
                await self._commit(writes)
            if None in group:
                return

    async def _commit(self, writes: Sequence[Write]) -> None:
        """One transaction for all; if one write's fault may be why it fails, one for each: only the guilty hears of it.

        A lock, a full disk and a lost connection are everybody's: trying each alone would let them wait one by one.
        """
        try:
            await self._transact(writes)
        except Exception as error:
            if len(writes) > 1 and _is_fault_of_one(error):
                for write in writes:
                    await self._commit([write])
                return
            self.failed += 0 if isinstance(error, IntegrityError) else len(writes)
            for write in writes:
                _answer(write, error)
            return
        self.groups += 1
        self.writes += len(writes)
        for write in writes:
            _answer(write, None)

    async def _transact(self, writes: Sequence[Write]) -> None:
        if self.file_writer:
            await self.file_writer.run(writes)
            return
        async with self._engine.begin() as connection:
            await connection.run_sync(_execute, writes)
            await self._news.tell(connection, [write.news for write in writes if write.news])


def _execute(connection: sa.Connection, writes: Sequence[Write]) -> None:
    """Execute writes in order; neighbours with one statement go together."""
    writes = [write for write in writes if write.statement is not None]
    first = 0
    for i in range(1, len(writes) + 1):
        if i == len(writes) or writes[i].statement is not writes[first].statement:
            statement, values = writes[first].statement, [write.values for write in writes[first:i]]
            if isinstance(statement, str):
                connection.exec_driver_sql(statement, values)
            else:
                connection.execute(statement, values)
            first = i


def _is_fault_of_one(error: Exception) -> bool:
    """Whether a statement is to blame, and not the database."""
    lost = isinstance(error, DBAPIError) and error.connection_invalidated
    return isinstance(error, StatementError) and not isinstance(error, OperationalError | InterfaceError) and not lost


def _answer(write: Write, error: Exception | None) -> None:
    if write.done.done():  # whoever waited has gone
        return
    if error is None:
        write.done.set_result(None)
    else:
        write.done.set_exception(error)
