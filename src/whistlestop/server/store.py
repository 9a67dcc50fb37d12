"""The database: tables, seats, keys, chat, and every action that was played, appended and numbered.

Actions of all tables are committed in groups: while one transaction runs, the next ones gather. An action is
acknowledged only after its transaction, so whatever a player was told to have happened is there after a crash.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy as sa
from alembic.util import CommandError
from filelock import BaseFileLock, FileLock, Timeout
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from whistlestop.errors import WhistlestopError

OWNER_ONLY = 0o600
MOST_IN_GROUP = 500
"""Writes in one transaction."""

schema = sa.MetaData()

tables = sa.Table(
    "tables", schema,
    sa.Column("id", sa.String(20), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("touched", sa.Float, nullable=False, index=True),
    sa.Column("status", sa.String(10), nullable=False, index=True),
    sa.Column("edition", sa.String(40), nullable=False),
    sa.Column("options", sa.JSON, nullable=False),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("seed", sa.String(40), nullable=False),
    sa.Column("salt", sa.String(64), nullable=False),
    sa.Column("watch", sa.String(64), nullable=False),
    sa.Column("engine", sa.String(40), nullable=False),
    sa.Column("generator", sa.String(40), nullable=False),
    sa.Column("rules", sa.Integer, nullable=False),
    sa.Column("began", sa.Float),
    sa.Column("ended", sa.Float),
    sa.Column("rematch", sa.String(20)),
)  # fmt: skip
"""One row a table; `seats` and `options` are what the table page shows."""

actions = sa.Table(
    "actions", schema,
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("action", sa.Integer, nullable=False),
    sa.Column("bot", sa.Boolean, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
    sa.Column("outcome", sa.Text),
)  # fmt: skip
"""A table's truth. The key (table, number) is unique, so nobody can append twice to the same state. `outcome` is what
chance gave, so that a replay that goes another way is noticed; tables of earlier versions have none.
"""

keys = sa.Table(
    "keys", schema,
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("seats", sa.JSON, nullable=False),
    sa.Column("host", sa.Boolean, nullable=False),
)  # fmt: skip
"""Who holds which seats. Only hashes of the keys are kept."""

chat = sa.Table(
    "chat", schema,
    sa.Column("table_id", sa.String(20), sa.ForeignKey("tables.id"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("seat", sa.SmallInteger, nullable=False),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Column("at", sa.Float, nullable=False),
)  # fmt: skip

bans = sa.Table(
    "bans", schema,
    sa.Column("network", sa.String(50), primary_key=True),
    sa.Column("since", sa.Float, nullable=False),
    sa.Column("note", sa.String(200), nullable=False),
)  # fmt: skip
"""Addresses and networks that may not use the server."""


class DatabaseUnusable(WhistlestopError):  # noqa: N818  (named for what the host learns)
    """The database cannot be opened; the message says why, the hint what to do."""


class ActionConflict(Exception):  # noqa: N818  (named for what the caller learns)
    """Another process has appended that number already."""


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
    values: dict[str, Any]
    done: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())


class Store:
    """One database, its readers and its one writer."""

    def __init__(self, engine: AsyncEngine, lock: BaseFileLock | None = None) -> None:
        self._engine = engine
        self._lock = lock
        self._queue: asyncio.Queue[Write | None] = asyncio.Queue()
        self._writer: asyncio.Task[None] | None = None
        self.groups = 0
        self.writes = 0
        self.failed = 0
        """Writes that the database did not take; an action whose number is taken is none of them."""

    @classmethod
    async def open(cls, url: str) -> Store:
        """Connect, bring the schema up to date, and start the writer."""
        try:
            engine = create_async_engine(url, hide_parameters=True)
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

    @property
    def engine(self) -> AsyncEngine:
        """The connections, for what the host asks (`host_store.py`)."""
        return self._engine

    async def close(self) -> None:
        """Commit what waits, then disconnect."""
        self._queue.put_nowait(None)
        if self._writer:
            await self._writer
        await self._engine.dispose()
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
        """One transaction for all; if it fails, one for each, so that only the guilty hears of it."""
        try:
            async with self._engine.begin() as connection:
                await _run(connection, writes)
        except Exception as error:
            if len(writes) == 1:
                self.failed += not isinstance(error, IntegrityError)
                _answer(writes[0], error)
                return
            for write in writes:
                await self._commit([write])
            return
        self.groups += 1
        self.writes += len(writes)
        for write in writes:
            _answer(write, None)

    async def _write(self, statement: Any, values: dict[str, Any]) -> None:
        write = Write(statement, values)
        self._queue.put_nowait(write)
        await write.done

    @contextlib.asynccontextmanager
    async def _transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction of its own, counted if it fails."""
        try:
            async with self._engine.begin() as connection:
                yield connection
        except Exception:
            self.failed += 1
            raise

    async def append(self, table: str, number: int, action: StoredAction) -> None:
        """Append an action; ActionConflict if that number is there already."""
        try:
            await self._write(_APPEND, {"table_id": table, "number": number, **action._asdict()})
        except IntegrityError as error:
            raise ActionConflict(f"{table} has an action {number} already") from error

    async def save(self, table: str, **values: Any) -> None:
        """Change some columns of a table's row."""
        await self._write(
            _UPDATES[frozenset(values)], {"which": table, **{f"new_{name}": value for name, value in values.items()}}
        )

    async def add_chat(self, line: dict[str, Any]) -> None:
        """Keep a line of chat."""
        await self._write(_CHAT, line)

    async def save_seats(self, table: str, seats: list[dict[str, Any]], holders: Sequence[KeyHolder] = ()) -> None:
        """Keep who sits where, together with the keys that are new or changed."""
        if not holders:
            await self.save(table, seats=seats)
            return
        async with self._transaction() as connection:
            await connection.execute(_UPDATES[frozenset(("seats",))], {"which": table, "new_seats": seats})
            for holder in holders:
                where = sa.and_(keys.c.hash == holder.hash, keys.c.table_id == holder.table)
                found = await connection.execute(keys.update().where(where).values(seats=list(holder.seats)))
                if not found.rowcount:
                    await connection.execute(keys.insert(), holder.row())

    async def add_table(self, row: dict[str, Any], holders: Sequence[KeyHolder]) -> None:
        """Keep a new table and its keys, together."""
        async with self._transaction() as connection:
            await connection.execute(tables.insert(), row)
            for holder in holders:
                await connection.execute(keys.insert(), holder.row())

    # -- reading ---------------------------------------------------------------------------------------------------
    async def load(self, table: str) -> StoredTable | None:
        """A table with all its actions and its chat."""
        async with self._engine.connect() as connection:
            row = (await connection.execute(tables.select().where(tables.c.id == table))).mappings().first()
            if row is None:
                return None
            played = await connection.execute(
                sa.select(*(actions.c[name] for name in StoredAction._fields))
                .where(actions.c.table_id == table)
                .order_by(actions.c.number)
            )
            said = await connection.execute(chat.select().where(chat.c.table_id == table).order_by(chat.c.number))
            return StoredTable(dict(row), [StoredAction(*one) for one in played], list(map(dict, said.mappings())))

    async def holders(self, hashes: Sequence[str], table: str | None = None) -> list[KeyHolder]:
        """What keys open, newest table first."""
        query = sa.select(keys).join(tables, tables.c.id == keys.c.table_id).where(keys.c.hash.in_(hashes))
        if table is not None:
            query = query.where(keys.c.table_id == table)
        async with self._engine.connect() as connection:
            rows = (await connection.execute(query.order_by(tables.c.created.desc()))).mappings()
            return [_holder(row) for row in rows]

    async def keys_of(self, table: str) -> list[KeyHolder]:
        """Everybody who holds a key of a table."""
        async with self._engine.connect() as connection:
            rows = (await connection.execute(sa.select(keys).where(keys.c.table_id == table))).mappings()
            return [_holder(row) for row in rows]

    async def playing(self, since: float) -> list[str]:
        """Tables whose games are going on and that began or had an action since then."""
        acted = sa.exists().where(actions.c.table_id == tables.c.id, actions.c.at >= since)
        query = sa.select(tables.c.id).where(tables.c.status == "playing", sa.or_(tables.c.touched >= since, acted))
        async with self._engine.connect() as connection:
            return list((await connection.execute(query.order_by(tables.c.touched.desc()))).scalars())

    async def ping(self) -> None:
        """Raise if the database does not answer."""
        async with self._engine.connect() as connection:
            await connection.execute(sa.select(1))


def _holder(row: sa.RowMapping) -> KeyHolder:
    return KeyHolder(row["hash"], row["table_id"], tuple(row["seats"]), row["host"])


_APPEND = actions.insert()
_CHAT = chat.insert()


def _update(*names: str) -> Any:
    return (
        tables.update()
        .where(tables.c.id == sa.bindparam("which"))
        .values({name: sa.bindparam(f"new_{name}") for name in names})
    )


_SAVED = (("seats",), ("status", "began", "seats", "touched"), ("status", "ended", "touched"), ("rematch",), ("watch",))
"""Columns that change together."""
_UPDATES = {frozenset(names): _update(*names) for names in _SAVED}


async def _run(connection: AsyncConnection, writes: Sequence[Write]) -> None:
    """Execute writes in order; neighbours with one statement go together."""
    first = 0
    for i in range(1, len(writes) + 1):
        if i == len(writes) or writes[i].statement is not writes[first].statement:
            await connection.execute(writes[first].statement, [write.values for write in writes[first:i]])
            first = i


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
    for setting in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=5000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()


def migrate(connection: sa.Connection) -> None:
    """Bring the schema up to date."""
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
