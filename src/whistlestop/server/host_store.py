"""What the host of a server asks of the database: lists, counts, bans, and the end of tables."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from whistlestop.server.news import Item
from whistlestop.server.schema import actions, bans, chat, jobs, keys, tables
from whistlestop.server.store import Store

STATUSES = ("waiting", "playing", "over", "closed")
FINISHED = ("over", "closed")

_LAST_ACTION = sa.select(sa.func.max(actions.c.at)).where(actions.c.table_id == tables.c.id).scalar_subquery()
_ACTION_COUNT = sa.select(sa.func.count()).where(actions.c.table_id == tables.c.id).scalar_subquery()
_COLUMNS = (*(tables.c[name] for name in ("id", "status", "edition", "created", "touched", "began", "ended", "seats")),)
_FINDABLE = tables.c.listed_at.is_not(None).label("listed")
_LISTED = sa.select(*_COLUMNS, _FINDABLE, _ACTION_COUNT.label("actions"), _LAST_ACTION.label("acted"))


class HostStore:
    """The database as the host of a server looks at it."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._engine = store.engine

    # -- tables ----------------------------------------------------------------------------------------------------
    async def list_tables(self, status: str | None, limit: int) -> list[dict[str, Any]]:
        """Tables, the newest first."""
        query = _LISTED.order_by(tables.c.created.desc(), tables.c.id).limit(limit)
        async with self._engine.connect() as connection:
            found = await connection.execute(query if status is None else query.where(tables.c.status == status))
            return [_plain(row) for row in found.mappings()]

    async def table(self, table: str) -> dict[str, Any] | None:
        """One table, with the lines of its chat counted."""
        said = sa.select(sa.func.count()).where(chat.c.table_id == tables.c.id).scalar_subquery().label("chat")
        held = sa.select(sa.func.count()).where(keys.c.table_id == tables.c.id).scalar_subquery().label("keys")
        query = _LISTED.add_columns(said, held, tables.c.rules, tables.c.engine, tables.c.options, tables.c.rematch)
        async with self._engine.connect() as connection:
            row = (await connection.execute(query.where(tables.c.id == table))).mappings().first()
            return None if row is None else _plain(row)

    async def close_table(self, table: str) -> None:
        """Note that the host has closed a table."""
        now, later = time.time(), tables.c.version + 1
        async with self._store.transaction() as connection:
            closed = tables.update().where(tables.c.id == table)
            await connection.execute(closed.values(status="closed", ended=now, touched=now, runner=None, version=later))
            await self._drop(connection, [table])

    async def _drop(self, connection: AsyncConnection, found: Sequence[str]) -> None:
        """Let other processes drop tables from memory."""
        await self._store.news.tell(connection, [Item("drop", table) for table in found])

    async def delete_tables(self, found: Sequence[str]) -> None:
        """Delete all rows of tables, and the way to them from the games before."""
        async with self._store.transaction() as connection:
            for part in (chat, keys, actions, jobs):
                await connection.execute(part.delete().where(part.c.table_id.in_(found)))
            await connection.execute(tables.update().where(tables.c.rematch.in_(found)).values(rematch=None))
            await connection.execute(tables.delete().where(tables.c.id.in_(found)))
            await self._drop(connection, found)

    # -- what is old -----------------------------------------------------------------------------------------------
    async def quiet_tables(self, since: float, after: str, limit: int) -> list[tuple[str, str]]:
        """Ids, the ones after a given one, and statuses of tables at which nothing happened since then."""
        acted = sa.exists().where(actions.c.table_id == tables.c.id, actions.c.at >= since)
        said = sa.exists().where(chat.c.table_id == tables.c.id, chat.c.at >= since)
        query = sa.select(tables.c.id, tables.c.status).where(
            tables.c.id > after, tables.c.touched < since, tables.c.created < since, ~acted, ~said
        )
        async with self._engine.connect() as connection:
            found = await connection.execute(query.order_by(tables.c.id).limit(limit))
            return [(row[0], row[1]) for row in found]

    async def strip(self, table: str, new_seats: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] | None) -> bool:
        """Delete the chat of a table and change its seats, if they change; whether there was anything to do."""
        async with self._store.transaction() as connection:
            changed = bool((await connection.execute(chat.delete().where(chat.c.table_id == table))).rowcount)
            if new_seats is not None:
                changed |= await _rename(connection, table, new_seats)
            if changed:
                await self._drop(connection, [table])
            return changed

    # -- bans ------------------------------------------------------------------------------------------------------
    async def bans(self) -> list[dict[str, Any]]:
        """All bans, the newest first."""
        async with self._engine.connect() as connection:
            rows = await connection.execute(bans.select().order_by(bans.c.since.desc(), bans.c.network))
            return [_plain(row) for row in rows.mappings()]

    async def ban(self, network: str, note: str) -> None:
        """Keep a ban; one that is there already gets the new note."""
        async with self._store.transaction() as connection:
            await connection.execute(bans.delete().where(bans.c.network == network))
            await connection.execute(bans.insert(), {"network": network, "since": time.time(), "note": note})
            await self._store.news.tell(connection, [Item("bans", "")])

    async def unban(self, network: str) -> bool:
        """Forget a ban; whether there was one."""
        async with self._store.transaction() as connection:
            await self._store.news.tell(connection, [Item("bans", "")])
            return bool((await connection.execute(bans.delete().where(bans.c.network == network))).rowcount)

    # -- numbers ---------------------------------------------------------------------------------------------------
    async def statistics(self) -> dict[str, Any]:
        """How much there is of everything."""
        async with self._engine.connect() as connection:
            by_status = await _counts(connection, tables.c.status)
            by_bot = await _counts(connection, actions.c.bot)
            return {
                "tables": {status: by_status.get(status, 0) for status in STATUSES},
                "editions": await _counts(connection, tables.c.edition),
                "actions": {"people": by_bot.get(False, 0), "bots": by_bot.get(True, 0)},
                "chat": await _count(connection, chat),
                "bans": await _count(connection, bans),
                "database_bytes": await self._size(connection),
            }

    async def _size(self, connection: AsyncConnection) -> int:
        """Bytes of the database."""
        if self._engine.dialect.name == "sqlite":
            parts = [(await connection.execute(sa.text(f"PRAGMA {name}"))).scalar_one() for name in _SQLITE_SIZE]
            return int(parts[0] * parts[1])
        return int((await connection.execute(sa.text("SELECT pg_database_size(current_database())"))).scalar_one())


async def _rename(
    connection: AsyncConnection, table: str, new_seats: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]
) -> bool:
    """Change the names at a table; whether they are others now."""
    seats = (await connection.execute(sa.select(tables.c.seats).where(tables.c.id == table))).scalar_one()
    names = [seat["name"] for seat in seats]
    renamed = new_seats(seats)
    if [seat["name"] for seat in renamed] == names:
        return False
    later = tables.c.version + 1
    await connection.execute(tables.update().where(tables.c.id == table).values(seats=renamed, version=later))
    return True


_SQLITE_SIZE = ("page_count", "page_size")


def _plain(row: sa.RowMapping) -> dict[str, Any]:
    """A row as data; SQLAlchemy's names are more than text."""
    return {str(name): value for name, value in row.items()}


async def _counts(connection: AsyncConnection, column: sa.Column[Any]) -> dict[Any, int]:
    query = sa.select(column, sa.func.count()).group_by(column).order_by(sa.func.count().desc(), column)
    return {row[0]: row[1] for row in await connection.execute(query)}


async def _count(connection: AsyncConnection, table: sa.Table) -> int:
    return int((await connection.execute(sa.select(sa.func.count()).select_from(table))).scalar_one())
