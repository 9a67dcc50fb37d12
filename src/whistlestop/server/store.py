"""The database of tables: opening it, reading it, and changing it.

Actions and chat are appended by the group writer. Changes of a table's row are transactions of their own.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from alembic.util import CommandError
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from whistlestop.errors import WhistlestopError
from whistlestop.server.group_writer import GroupWriter
from whistlestop.server.news import Item, News
from whistlestop.server.schema import actions, chat, keys, tables

Returned = TypeVar("Returned")

ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits of ids that nobody mistakes for each other."""
OWNER_ONLY = 0o600
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


def new_table_id() -> str:
    """An id that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))


def hash_of(key: str) -> str:
    """What is kept of a key."""
    return hashlib.sha256(key.encode()).hexdigest()


class Store:
    """One database, its readers and its one writer."""

    def __init__(self, engine: AsyncEngine, lock: BaseFileLock | None = None) -> None:
        self.engine = engine
        self.news = News(engine)
        self._append_action = str(actions.insert().compile(dialect=engine.dialect))
        """Plain SQL, for it is what is done most; its values are the columns in order."""
        self._lock = lock
        self._unfinished: set[asyncio.Task[Any]] = set()
        self.writer = GroupWriter(engine, self.news, _file_engine(engine.url) if lock is not None else None)

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect, bring the schema up to date, and start the writer."""
        try:
            # a database that was started anew must not cost the next write: see that a connection still answers
            engine = create_async_engine(url, hide_parameters=True, pool_pre_ping="sqlite" not in url, pool_size=10)
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
        store.writer.start()
        return store

    async def close(self) -> None:
        """Commit what waits, then disconnect."""
        await asyncio.gather(*self._unfinished, return_exceptions=True)
        await self.writer.close()
        await self.engine.dispose()
        if self._lock is not None:
            self._lock.release()

    # -- writing ---------------------------------------------------------------------------------------------------
    async def _append(self, statement: Any, values: Any, news: Item) -> None:
        """Insert a numbered row; Outdated if that number is there already."""
        try:
            await self.writer.write(statement, values, news)
        except IntegrityError as error:
            raise Outdated(f"{news.about} has that number already") from error

    async def finish(self, transaction: Coroutine[Any, Any, Returned]) -> Returned:
        """Do a transaction to its end, even if whoever waits for it is cancelled."""
        task = asyncio.create_task(transaction)
        self._unfinished.add(task)
        task.add_done_callback(self._finished)
        return await asyncio.shield(task)

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._unfinished.discard(task)
        if not task.cancelled():
            task.exception()  # whoever waited for it hears of it, if they still wait

    async def settle(self) -> None:
        """Return when all that was begun is stored or refused, whoever waited for it."""
        await asyncio.gather(*self._unfinished, return_exceptions=True)
        await self.writer.settle()

    @contextlib.asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction of its own, counted if it fails."""
        try:
            async with self.engine.begin() as connection:
                yield connection
        except Outdated:
            raise
        except Exception:
            self.writer.failed += 1
            raise

    async def append(self, table: str, number: int, action: StoredAction) -> None:
        """Append an action; Outdated if that number is there already."""
        await self._append(self._append_action, (table, number, *action), Item("action", table, (number, *action)))

    async def add_chat(self, line: dict[str, Any]) -> None:
        """Keep a line of chat; Outdated if its number is there already."""
        await self._append(_CHAT, line, Item("changed", line["table_id"]))

    def tell(self, item: Item) -> None:
        """Tell other processes something that is not kept."""
        self.writer.tell(item)

    async def change(self, table: str, version: int, holders: Sequence[KeyHolder] = (), **values: Any) -> None:
        """Change a table's row, together with keys that are new or changed; Outdated if it has another version."""
        await self.finish(self._change_row(table, version, holders, values))

    async def _change_row(self, table: str, version: int, holders: Sequence[KeyHolder], values: dict[str, Any]) -> None:
        async with self.transaction() as connection:
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
        await self.finish(self._add_table(row, holders, rematch_of))

    async def _add_table(
        self, row: dict[str, Any], holders: Sequence[KeyHolder], rematch_of: tuple[str, int] | None
    ) -> None:
        async with self.transaction() as connection:
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


def _file_engine(url: sa.URL) -> sa.Engine:
    """The writer's own connection to an SQLite file."""
    engine = sa.create_engine(url.set(drivername="sqlite"), hide_parameters=True)
    sa.event.listen(engine, "connect", _tune_sqlite)
    return engine


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
