"""Map files of people in the database: each once, by its hash, for as long as a table plays on it."""

from __future__ import annotations

import time
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from whistlestop.server.schema import boards, tables
from whistlestop.server.store import Store

_UNUSED = ~sa.exists().where(tables.c.board == boards.c.hash)


class BoardStore:
    """The database as far as it is about boards of people's own."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._insert = {"postgresql": postgresql.insert, "sqlite": sqlite.insert}[store.engine.dialect.name]

    async def add(self, board_hash: str, name: str, text: bytes) -> None:
        """Keep a map file; one that is there already is only noted as seen."""
        row = {"hash": board_hash, "name": name, "text": text, "seen": time.time()}
        async with self._store.transaction() as connection:
            adding: Any = self._insert(boards).values(row)
            await connection.execute(adding.on_conflict_do_update(index_elements=["hash"], set_={"seen": row["seen"]}))

    async def see(self, board_hash: str) -> bool:
        """Note that somebody opens a table with a board; whether it is there."""
        async with self._store.transaction() as connection:
            seen = boards.update().where(boards.c.hash == board_hash).values(seen=time.time())
            return bool((await connection.execute(seen)).rowcount)

    async def text(self, board_hash: str) -> bytes | None:
        """The map file of a board."""
        async with self._store.engine.connect() as connection:
            found = await connection.execute(sa.select(boards.c.text).where(boards.c.hash == board_hash))
            text: bytes | None = found.scalar()
            return text

    async def unused(self) -> int:
        """How many boards there are that no table plays on."""
        async with self._store.engine.connect() as connection:
            counted = sa.select(sa.func.count()).select_from(boards).where(_UNUSED)
            return int((await connection.execute(counted)).scalar_one())

    async def delete_unused(self, before: float) -> int:
        """Delete the boards that no table plays on and that nobody saw since then; how many they were."""
        async with self._store.transaction() as connection:
            deleting = boards.delete().where(boards.c.seen < before, _UNUSED)
            return int((await connection.execute(deleting)).rowcount)
