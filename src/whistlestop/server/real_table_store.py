"""Real tables in the database: what is entered at them, by whom, and until when they are kept."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from whistlestop.server.news import Item
from whistlestop.server.schema import real_players, real_tables
from whistlestop.server.store import Outdated, Store

NEWS_OF_REAL_TABLE = "real_table"
"""The kind of news about them."""


@dataclass(frozen=True, slots=True)
class StoredRealTable:
    """All that is kept of a real table; its players by seat."""

    row: dict[str, Any]
    players: list[dict[str, Any]]


class RealTableStore:
    """The database as real tables need it.

    Every change takes the table's row first and its players' rows after it, so that two changes wait for each other and
    never lock each other out.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, row: dict[str, Any], players: Sequence[dict[str, Any]]) -> None:
        """Keep a new table."""
        await self._store.finish(self._add(row, players))

    async def _add(self, row: dict[str, Any], players: Sequence[dict[str, Any]]) -> None:
        async with self._store.transaction() as connection:
            await connection.execute(real_tables.insert(), row)
            await connection.execute(real_players.insert(), list(players))

    async def load(self, table: str) -> StoredRealTable | None:
        """A table, with players that are at least as new as the version of its row."""
        async with self._store.engine.connect() as connection:
            row = (await connection.execute(real_tables.select().where(real_tables.c.id == table))).mappings().first()
            if row is None:
                return None
            query = real_players.select().where(real_players.c.table_id == table).order_by(real_players.c.seat)
            return StoredRealTable(dict(row), list(map(dict, (await connection.execute(query)).mappings())))

    async def change_player(self, table: str, player: dict[str, Any], **values: Any) -> None:
        """Change a player as it was loaded; Outdated if somebody else did meanwhile."""
        await self._store.finish(self._change_player(table, player, values))

    async def _change_player(self, table: str, player: dict[str, Any], values: dict[str, Any]) -> None:
        async with self._store.transaction() as connection:
            await self._touch(connection, table, sa.true(), {})
            where = sa.and_(*(real_players.c[key] == player[key] for key in ("table_id", "seat", "version", "holder")))
            changed = real_players.update().where(where).values(**values, version=player["version"] + 1)
            if not (await connection.execute(changed)).rowcount:
                raise Outdated(f"player {player['seat']} of {table} was changed meanwhile")

    async def change_table(self, table: str, revision: int, **values: Any) -> None:
        """Change a table's row; Outdated if it has another revision."""
        await self._store.finish(self._change_table(table, revision, values))

    async def _change_table(self, table: str, revision: int, values: dict[str, Any]) -> None:
        async with self._store.transaction() as connection:
            same = real_tables.c.revision == revision
            await self._touch(connection, table, same, {**values, "revision": revision + 1})

    async def _touch(
        self, connection: AsyncConnection, table: str, where: sa.ColumnElement[bool], values: dict[str, Any]
    ) -> None:
        """Change a table's row to its next version, and tell of it when that is stored."""
        later = real_tables.c.version + 1
        changed = real_tables.update().where(real_tables.c.id == table, where)
        found = await connection.execute(changed.values(**values, touched=time.time(), version=later))
        if not found.rowcount:
            raise Outdated(f"{table} was changed or deleted meanwhile")
        await self._store.news.tell(connection, [Item(NEWS_OF_REAL_TABLE, table)])

    async def delete(self, table: str) -> bool:
        """Delete a table; whether it was there."""
        return await self._store.finish(self._delete(table, sa.true()))

    async def _delete(self, table: str, where: sa.ColumnElement[bool]) -> bool:
        async with self._store.transaction() as connection:
            here = sa.select(real_tables.c.id).where(real_tables.c.id == table, where).with_for_update()
            if (await connection.execute(here)).first() is None:
                return False
            await connection.execute(real_players.delete().where(real_players.c.table_id == table))
            await connection.execute(real_tables.delete().where(real_tables.c.id == table))
            await self._store.news.tell(connection, [Item(NEWS_OF_REAL_TABLE, table)])
            return True

    # -- what is old -----------------------------------------------------------------------------------------------
    async def quiet(self, since: float, after: str, limit: int, *, counted: bool = False) -> list[str]:
        """Ids, the ones after a given one, of tables that nobody has changed since then: all, or those counted."""
        old = sa.select(real_tables.c.id).where(real_tables.c.id > after, real_tables.c.touched < since)
        if counted:
            old = old.where(real_tables.c.counted)
        async with self._store.engine.connect() as connection:
            return list((await connection.execute(old.order_by(real_tables.c.id).limit(limit))).scalars())

    async def delete_quiet(self, table: str, since: float) -> bool:
        """Delete a table if nobody has changed it since then."""
        return await self._store.finish(self._delete(table, real_tables.c.touched < since))

    async def strip(self, table: str) -> bool:
        """Delete the names of a table's players; whether there were any. It stays as old as it is."""
        unnamed = sa.literal("Player ") + sa.cast(real_players.c.seat + 1, sa.String)
        async with self._store.transaction() as connection:
            version = real_tables.c.version + 1
            await connection.execute(real_tables.update().where(real_tables.c.id == table).values(version=version))
            named = real_players.update().where(real_players.c.table_id == table, real_players.c.name != unnamed)
            return bool((await connection.execute(named.values(name=unnamed))).rowcount)
