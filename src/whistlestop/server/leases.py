"""Who runs a table's clock and bots, where several processes share one PostgreSQL.

A process says every few seconds that it is alive; a table belongs to the process that is noted in its row as long as
that one is. This only saves work: that nothing happens twice is seen to by the numbers of actions and the versions of
rows, whoever believes to run a table.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from whistlestop.server.news import Item
from whistlestop.server.schema import processes, tables
from whistlestop.server.store import Store, recently_played

BEAT = 2.0
"""Seconds between two signs of life."""
TERM = 6.0
"""Seconds after which a process without a sign of life is taken for dead."""
FORGOTTEN = 3600.0
"""Seconds after which the row of a dead process is deleted."""
MOST_AT_ONCE = 50
"""Tables of a dead process that one process takes over in one go, so that several share them."""

NOW = sa.extract("epoch", sa.func.clock_timestamp())
"""The database's clock, which all processes share."""


def alive(kind: str) -> Any:
    """Processes of a kind that gave a sign of life within the term."""
    return sa.select(processes.c.id).where(processes.c.kind == kind, processes.c.seen > NOW - TERM)


class Leases:
    """The tables that this process runs; on SQLite these are all."""

    def __init__(self, store: Store, kind: str = "server") -> None:
        self._store, self._kind = store, kind
        self.me = store.news.process
        self.shared = store.news.shared
        self._alive = {self.me}
        self._heard = time.monotonic()
        self.lag = 0.0
        """Seconds from telling to hearing, measured with this process' own sign of life."""

    # -- signs of life ---------------------------------------------------------------------------------------------
    async def beat(self) -> set[str]:
        """Give a sign of life, and look at the others'; those that have come or gone since the last one."""
        if not self.shared:
            return set()
        async with self._store.engine.begin() as connection:
            sign = insert(processes).values(id=self.me, kind=self._kind, seen=NOW)
            await connection.execute(sign.on_conflict_do_update(index_elements=["id"], set_={"seen": NOW}))
            await connection.execute(processes.delete().where(processes.c.seen < NOW - FORGOTTEN))
            found = set((await connection.execute(alive(self._kind))).scalars())
            await self._store.news.tell(connection, [Item("beat", self.me, time.monotonic())])
        if time.monotonic() - self._heard > TERM + BEAT:
            self._heard = time.monotonic()
            self._store.news.reconnect()
        changed, self._alive = self._alive ^ found, found
        return changed

    def hear_beat(self, told: float) -> None:
        """This process has heard itself: the line is good."""
        self._heard = time.monotonic()
        self.lag = self._heard - told

    async def leave(self) -> None:
        """This process stops: others may take its tables at once."""
        if not self.shared:
            return
        async with self._store.engine.begin() as connection:
            await connection.execute(processes.delete().where(processes.c.id == self.me))

    @property
    def others(self) -> set[str]:
        """Other processes that are alive."""
        return self._alive - {self.me}

    # -- tables ----------------------------------------------------------------------------------------------------
    @property
    def signature(self) -> str | None:
        """What stands in the row of a table that this process runs."""
        return self.me if self.shared else None

    def is_mine(self, runner: str | None) -> bool:
        """Whether this process runs a table."""
        return not self.shared or runner == self.me

    def is_free(self, runner: str | None) -> bool:
        """Whether nobody who is alive runs a table."""
        return runner not in self._alive

    async def take(self, table: str) -> bool:
        """Run a table from now on, unless another process that is alive does."""
        held_by_me = tables.c.runner == self.me
        return table in await self._take(sa.and_(tables.c.id == table, sa.or_(held_by_me, _unheld())))

    async def take_orphans(self, since: float) -> Sequence[str]:
        """Tables of dead processes that were played since then: this process runs some of them from now on."""
        if not self.shared:
            return await self._store.playing(since)
        chosen = (
            sa.select(tables.c.id)
            .where(tables.c.runner.is_not(None), _unheld(), recently_played(since))
            .order_by(tables.c.touched.desc())
            .limit(MOST_AT_ONCE)
            .with_for_update(skip_locked=True)
        )
        return await self._take(tables.c.id.in_(chosen))

    async def _take(self, which: sa.ColumnElement[bool]) -> Sequence[str]:
        async with self._store.engine.begin() as connection:
            change = tables.update().where(tables.c.status == "playing", which).values(runner=self.me)
            taken: Sequence[str] = (await connection.execute(change.returning(tables.c.id))).scalars().all()
            await self._store.news.tell(connection, [Item("changed", table) for table in taken])
        return taken

    async def give_back(self, table: str) -> None:
        """A table is dropped from memory: whoever needs it next runs it."""
        async with self._store.engine.begin() as connection:
            mine = sa.and_(tables.c.id == table, tables.c.runner == self.me)
            if (await connection.execute(tables.update().where(mine).values(runner=None))).rowcount:
                await self._store.news.tell(connection, [Item("changed", table)])


def _unheld() -> sa.ColumnElement[bool]:
    return sa.or_(tables.c.runner.is_(None), tables.c.runner.not_in(alive("server")))
