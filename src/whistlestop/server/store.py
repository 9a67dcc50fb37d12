"""The database: reading it, and writing to it in groups.

Actions of all tables are committed in groups: while one transaction runs, the next ones gather. An action is
acknowledged only after its transaction, so whatever a player was told to have happened is there after a crash.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic.util import CommandError
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy.exc import DBAPIError, IntegrityError, InterfaceError, OperationalError, SQLAlchemyError, StatementError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from whistlestop.errors import WhistlestopError
from whistlestop.server.news import Item, News
from whistlestop.server.schema import actions, chat, keys, tables

OWNER_ONLY = 0o600
MOST_IN_GROUP = 500
"""Writes in one transaction."""
MIGRATING = 0x5747
"""The number of PostgreSQL's lock on the schema."""
LOCK_SECONDS = 5.0
"""That a write waits for an SQLite file that another program has locked."""


class DatabaseUnusable(WhistlestopError):  # noqa: N818  (named for what the host learns)
    """The database cannot be opened; the message says why, the hint what to do."""


class Outdated(Exception):  # noqa: N818  (named for what the caller learns)
    """Another process has changed the table meanwhile: look at it, then try again."""


@dataclass(frozen=True, slots=True)
class KeyHolder:
    """What a key opens at a table."""

    hash: str
    table: str
    seats: tuple[int, ...]
    host: bool

    def row(self) -> dict[str, Any]:
        """The holder as it is stored."""
        return {"hash": self.hash, "table_id": self.table, "seats": list(self.seats), "host": self.host}


class StoredAction(NamedTuple):
    """An action as it is stored; its number is its place in the list."""

    seat: int
    action: int
    bot: bool
    """Whether a bot chose it."""
    at: float
    outcome: str | None = None
    """What chance gave, as numbers; None where it was not noted."""


@dataclass(slots=True)
class StoredTable:
    """All that is kept of a table."""

    row: dict[str, Any]
    actions: list[StoredAction]
    chat: list[dict[str, Any]]


def new_key() -> str:
    """A secret that nobody can guess."""
    return secrets.token_urlsafe(18)


def hash_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


@dataclass(slots=True)
class Write:
    """A statement that waits for its transaction."""

    statement: Any
    """None where there is only something to tell."""
    values: dict[str, Any]
    news: Item
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class FileWriter:
    """A thread that writes to an SQLite file: a whole transaction at a time, for every visit of a thread costs more
    than what it does there, and an asynchronous driver needs one for each step.
    """

    def __init__(self, url: sa.URL) -> None:
        self._engine = sa.create_engine(url.set(drivername="sqlite"), hide_parameters=True)
        sa.event.listen(self._engine, "connect", _tune_sqlite)
        self._connection: sa.Connection | None = None
        self._thread = ThreadPoolExecutor(1, "writer")

    async def run(self, writes: Sequence[Write]) -> None:
        """Write all of it, or nothing."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._transact, writes)

    def _transact(self, writes: Sequence[Write]) -> None:
        if self._connection is None:
            self._connection = self._engine.connect()
        with self._connection.begin():
            _run(self._connection, writes)

    async def close(self) -> None:
        """Disconnect."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._disconnect)
        self._thread.shutdown()

    def _disconnect(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


class Store:
    """One database, its readers and its one writer."""

    def __init__(self, engine: AsyncEngine, lock: BaseFileLock | None = None) -> None:
        self.engine = engine
        self.news = News(engine)
        self._lock = lock
        self._file_writer = FileWriter(engine.url) if engine.dialect.name == "sqlite" else None
        self._queue: asyncio.Queue[Write | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self.groups = 0
        self.writes = 0

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect, bring the schema up to date, and start the writer."""
        try:
            # a database that was started anew must not cost the next write: see that a connection still answers
            engine = create_async_engine(url, hide_parameters=True, pool_pre_ping="sqlite" not in url)
            store = cls(engine, _locked_file(engine.url.database) if engine.dialect.name == "sqlite" else None)
        except (SQLAlchemyError, OSError, ImportError) as error:
            raise _unusable(url, error) from error
        try:
            if engine.dialect.name == "sqlite":
                sa.event.listen(engine.sync_engine, "connect", _tune_sqlite)
            async with engine.begin() as connection:
                await connection.run_sync(migrate)
        except (SQLAlchemyError, CommandError, OSError) as error:
            await store.close()
            raise _unusable(url, error) from error
        store._writer = asyncio.create_task(store._write_on(), name="writer")
        return store

    async def close(self) -> None:
        """Commit what waits, then disconnect."""
        self._queue.put_nowait(None)
        if self._writer:
            await self._writer
        if self._file_writer:
            await self._file_writer.close()
        await self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    # -- writing ---------------------------------------------------------------------------------------------------
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
            if self._file_writer:
                await self._file_writer.run(writes)
            else:
                async with self.engine.begin() as connection:
                    await connection.run_sync(_run, writes)
                    await self.news.tell(connection, [write.news for write in writes])
        except Exception as error:
            if len(writes) > 1 and _is_fault_of_one(error):
                for write in writes:
                    await self._commit([write])
            else:
                for write in writes:
                    _answer(write, error)
            return
        self.groups += 1
        self.writes += len(writes)
        for write in writes:
            _answer(write, None)

    async def _append(self, statement: Any, values: dict[str, Any]) -> None:
        """Insert a numbered row; Outdated if that number is there already."""
        write = Write(statement, values, Item("changed", values["table_id"]))
        self._queue.put_nowait(write)
        try:
            await write.done
        except IntegrityError as error:
            raise Outdated(f"{values['table_id']} has a number {values['number']} already") from error

    async def append(self, table: str, number: int, action: StoredAction) -> None:
        """Append an action; Outdated if that number is there already."""
        await self._append(_APPEND, {"table_id": table, "number": number, **action._asdict()})

    async def add_chat(self, line: dict[str, Any]) -> None:
        """Keep a line of chat; Outdated if its number is there already."""
        await self._append(_CHAT, line)

    def tell(self, item: Item) -> None:
        """Tell other processes something that is not kept, with the next group."""
        if self.news.shared:
            write = Write(None, {}, item)
            write.done.add_done_callback(asyncio.Future.exception)  # nobody waits for it
            self._queue.put_nowait(write)

    async def change(self, table: str, version: int, holders: Sequence[KeyHolder] = (), **values: Any) -> None:
        """Change a table's row, together with keys that are new or changed; Outdated if it has another version."""
        async with self.engine.begin() as connection:
            await _change(connection, table, version, values)
            for holder in holders:
                where = sa.and_(keys.c.hash == holder.hash, keys.c.table_id == holder.table)
                found = await connection.execute(keys.update().where(where).values(seats=list(holder.seats)))
                if not found.rowcount:
                    await connection.execute(keys.insert(), holder.row())
            await self.news.tell(connection, [Item("changed", table)])

    async def add_table(
        self, row: dict[str, Any], holders: Sequence[KeyHolder], rematch_of: tuple[str, int] | None = None
    ) -> None:
        """Keep a new table and its keys, together, and that it is the rematch of another one at a version."""
        async with self.engine.begin() as connection:
            if rematch_of is not None:
                await _change(connection, *rematch_of, {"rematch": row["id"]})
                await self.news.tell(connection, [Item("changed", rematch_of[0])])
            await connection.execute(tables.insert(), row)
            for holder in holders:
                await connection.execute(keys.insert(), holder.row())

    # -- reading ---------------------------------------------------------------------------------------------------
    async def load(self, table: str, n: int = 0, said: int = 0) -> StoredTable | None:
        """A table with its actions and its chat, all or those after some."""
        async with self.engine.connect() as connection:
            row = (await connection.execute(tables.select().where(tables.c.id == table))).mappings().first()
            if row is None:
                return None
            played = await connection.execute(
                sa.select(*(actions.c[name] for name in StoredAction._fields))
                .where(actions.c.table_id == table, actions.c.number > n)
                .order_by(actions.c.number)
            )
            lines = await connection.execute(
                chat.select().where(chat.c.table_id == table, chat.c.number > said).order_by(chat.c.number)
            )
            return StoredTable(dict(row), [StoredAction(*one) for one in played], list(map(dict, lines.mappings())))

    async def holders(self, hashes: Sequence[str], table: str | None = None) -> list[KeyHolder]:
        """What keys open, newest table first."""
        query = sa.select(keys).join(tables, tables.c.id == keys.c.table_id).where(keys.c.hash.in_(hashes))
        if table is not None:
            query = query.where(keys.c.table_id == table)
        async with self.engine.connect() as connection:
            rows = (await connection.execute(query.order_by(tables.c.created.desc()))).mappings()
            return [_holder(row) for row in rows]

    async def keys_of(self, table: str) -> list[KeyHolder]:
        """Everybody who holds a key of a table."""
        async with self.engine.connect() as connection:
            rows = (await connection.execute(sa.select(keys).where(keys.c.table_id == table))).mappings()
            return [_holder(row) for row in rows]

    async def playing(self, since: float) -> list[str]:
        """Tables whose games are going on and that began or had an action since then."""
        query = sa.select(tables.c.id).where(tables.c.status == "playing", recently_played(since))
        async with self.engine.connect() as connection:
            return list((await connection.execute(query.order_by(tables.c.touched.desc()))).scalars())

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        async with self.engine.connect() as connection:
            await connection.execute(sa.select(1))


def _holder(row: sa.RowMapping) -> KeyHolder:
    return KeyHolder(row["hash"], row["table_id"], tuple(row["seats"]), row["host"])


_APPEND = actions.insert()
_CHAT = chat.insert()


def recently_played(since: float) -> sa.ColumnElement[bool]:
    """Tables that began or had an action since then."""
    acted = sa.exists().where(actions.c.table_id == tables.c.id, actions.c.at >= since)
    return sa.or_(tables.c.touched >= since, acted)


async def _change(connection: AsyncConnection, table: str, version: int, values: dict[str, Any]) -> None:
    """Change a table's row to its next version; Outdated if somebody else did."""
    where = sa.and_(tables.c.id == table, tables.c.version == version)
    found = await connection.execute(tables.update().where(where).values(**values, version=version + 1))
    if not found.rowcount:
        raise Outdated(f"{table} has no version {version} any more")


def _run(connection: sa.Connection, writes: Sequence[Write]) -> None:
    """Execute writes in order; neighbours with one statement go together."""
    writes = [write for write in writes if write.statement is not None]
    first = 0
    for i in range(1, len(writes) + 1):
        if i == len(writes) or writes[i].statement is not writes[first].statement:
            connection.execute(writes[first].statement, [write.values for write in writes[first:i]])
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


async def check_database(url: str) -> None:
    """Open the database and close it again: DatabaseUnusable if a server could not."""
    await (await Store.open(url)).close()


_KINDS = "SQLite and PostgreSQL can be used, the latter with the `postgres` extra"


def _unusable(url: str, error: Exception) -> DatabaseUnusable:
    """Why a database cannot be opened, in one line and without a password."""
    reason = str(getattr(error, "orig", None) or error).strip().partition("\n")[0] or type(error).__name__
    where = sa.make_url(url).render_as_string(hide_password=True) if "://" in url else url
    if isinstance(error, ImportError):
        return DatabaseUnusable(f"the database {where} can't be used: {reason}", _KINDS)
    return DatabaseUnusable(
        f"the database {where} can't be used: {reason}",
        "see that it is there, that it may be written, and that there is room",
    )


def _locked_file(path: str | None) -> BaseFileLock | None:
    """Take a database file for this process alone: two servers would deal past each other.

    It holds seeds and keys, so only its owner may read it; SQLite gives the files beside it the same mode.
    """
    if not path or path == ":memory:":
        return None
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, OWNER_ONLY))
    Path(path).chmod(OWNER_ONLY)
    lock = FileLock(f"{path}.lock", mode=OWNER_ONLY)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        hint = "stop that one first, or choose another folder with --data-dir; several servers can share a PostgreSQL"
        raise DatabaseUnusable(f"another server uses {path}", hint) from None
    return lock


def _tune_sqlite(connection: Any, _record: Any) -> None:
    """Readers beside the writer, foreign keys, and a commit that outlives the process and the machine."""
    cursor = connection.cursor()
    waits = f"busy_timeout={LOCK_SECONDS * 1000:.0f}"
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", waits):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def migrate(connection: sa.Connection) -> None:
    """Bring the schema up to date; processes that start at once do so one after the other."""
    from alembic import command
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATING})
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
