"""All tables of this server: opening, finding, loading from the database, dropping from memory."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Any

from whistlestop.engine.bits import generator_of
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.game import strong_seed
from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_pool import BotPool
from whistlestop.server.bot_preparation import BotPreparation
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.catalog import edition_with_packs
from whistlestop.server.messages import NewTable
from whistlestop.server.metrics import Metrics
from whistlestop.server.refusals import RequestError, closed_table, unreadable_table
from whistlestop.server.seats import Seats, check_new_table
from whistlestop.server.settings import Settings
from whistlestop.server.store import KeyHolder, Store, StoredTable, hash_of, new_key
from whistlestop.server.table import Services, Table
from whistlestop.server.tasks import BackgroundTasks

ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that nobody mistakes for each other."""
RESUMED_WITHIN = 7 * 24 * 3600.0
"""Games with an action in the last so many seconds go on by themselves when the server starts."""


class Hall:
    """The hall in which the tables stand."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics, preparation: BotPreparation) -> None:
        self.store, self.settings, self.metrics = store, settings, metrics
        self.tasks = BackgroundTasks()
        self.bots = BotPool(settings.bot_workers, metrics, self.tasks.spawn)
        self._roster = BotRoster(settings.bots, preparation)
        self._services = Services(store, settings, metrics, self.tasks, self.bots, self._roster)
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}

    @property
    def closing(self) -> bool:
        """Whether the server is about to stop."""
        return self.tasks.closing

    async def resume(self) -> None:
        """Let the games go on that were going on when the server stopped."""
        for table_id in await self.store.playing(time.time() - RESUMED_WITHIN):
            try:
                (await self.get(table_id)).wake()
            except RequestError as error:  # one broken table must not keep the others from going on
                log.event("table not resumed", "error", table=table_id, reason=error.message)
            except Exception:
                log.logger.exception("table not resumed", extra={"facts": {"table": table_id}})

    async def forget_idle_tables(self) -> None:
        """Drop tables that nobody needs from memory, again and again."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.idle))
            since = time.time() - self.settings.idle
            for table in list(self._tables.values()):
                if not table.listeners and table.touched < since and table.deadline is None and not table.lock.locked():
                    self.forget(table)

    def forget(self, table: Table) -> None:
        """Drop a table from memory; whoever asks next loads it anew."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
            table.close()
            self.metrics.tables.set(len(self._tables))

    def _reload(self, table: Table) -> None:
        """Load a table anew after another process has acted at it."""
        self.forget(table)
        self.tasks.spawn(self.get(table.id))

    async def begin_to_close(self) -> None:
        """Bots stop, and requests that wait for news are answered."""
        self.tasks.closing = True
        for table in list(self._tables.values()):
            await table.notify()

    async def close(self) -> None:
        """Let running actions end, then stop."""
        self.tasks.closing = True
        for table in self._tables.values():
            table.close()
        await self.bots.close()
        await self.tasks.wait(5)

    @property
    def count(self) -> int:
        """Tables in memory."""
        return len(self._tables)

    # -- finding ---------------------------------------------------------------------------------------------------
    def in_memory(self, table_id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(table_id)

    async def get(self, table_id: str) -> Table:
        """A table, from memory or from the database."""
        if found := self._tables.get(table_id):
            return found
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if found := self._tables.get(table_id):
                return found
            try:
                table = await self._load(table_id)
            finally:
                self._loading.pop(table_id, None)
        table.wake()
        return table

    async def _load(self, table_id: str) -> Table:
        """A table from the database; a refusal if there is none, or if it cannot be replayed."""
        try:
            stored = await self.store.load(table_id)
            holders = await self.store.keys_of(table_id)
        except ValueError:
            raise self._unreadable(table_id) from None
        if stored is None:
            raise RequestError("no_such_table", f"there is no table {table_id}", "ask for the link again", 404)
        check_version(stored)
        if stored.row["status"] == "closed":
            raise closed_table()
        self._make_room()
        try:
            return self._add(stored, holders)
        except Exception:  # whatever is wrong with its rows
            raise self._unreadable(table_id) from None

    def _unreadable(self, table_id: str) -> RequestError:
        """The refusal of a table whose rows make no sense; the log says where reading them failed."""
        log.logger.exception("table unreadable", extra={"facts": {"table": table_id}})
        return unreadable_table()

    def _add(self, stored: StoredTable, holders: list[KeyHolder]) -> Table:
        edition = edition_with_packs(stored.row["edition"], stored.row["options"]["packs"])
        table = Table(stored, holders, edition, self._services, self._reload)
        self._tables[table.id] = table
        self.metrics.tables.set(len(self._tables))
        return table

    def _make_room(self) -> None:
        """Drop the table that was quiet for longest when there are too many."""
        if len(self._tables) < self.settings.limits.tables:
            return
        quiet = [table for table in self._tables.values() if not table.listeners and table.status != "playing"]
        if not quiet:
            raise RequestError("full", "this server is full", "try again later", 503)
        self.forget(min(quiet, key=lambda table: table.touched))

    async def dismiss(self, table_id: str, refused: RequestError, store: Callable[[], Awaitable[None]]) -> None:
        """End a table by the host's will: in the database by `store`, and in memory if it is there."""
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            try:
                if (table := self._tables.get(table_id)) is None:
                    await store()
                else:
                    await table.dismiss(refused, store)
                    self.forget(table)
            finally:
                self._loading.pop(table_id, None)

    # -- opening ---------------------------------------------------------------------------------------------------
    async def open(self, request: NewTable) -> tuple[Table, str, KeyHolder]:
        """Open a table; the key of whoever opened it holds the seats `me` and `device`."""
        packs = [pack.model_dump(by_alias=True) for pack in request.packs]
        edition = edition_with_packs(request.edition, packs)
        check_new_table(edition, request)
        if packs:
            self._check_room_for_packs()
        options = {
            "first": request.first,
            "turn_seconds": request.turn_seconds,
            "pace": request.pace,
            "packs": packs,
        }
        held = tuple(i for i, seat in enumerate(request.seats) if seat.kind in ("me", "device"))
        key, table_id = new_key(), new_table_id()
        own = KeyHolder(hash_of(key), table_id, held, True)
        seats = Seats.from_requests(request.seats, self._roster)
        table = await self._create(table_id, edition, options, seats, [own])
        log.event("table opened", table=table.id, edition=edition.id, seats=len(table.seats))
        if request.start:
            await table.start(None)
        return table, key, own

    def _check_room_for_packs(self) -> None:
        """Refuse another table with packs of its own where there are many: each is an edition to be kept in memory."""
        if sum(bool(table.edition.packs) for table in self._tables.values()) >= self.settings.limits.pack_tables:
            raise RequestError("full", "this server has no room for more tables with packs", "play without one", 503)

    async def _create(
        self, table_id: str, edition: Edition, options: dict[str, Any], seats: Seats, holders: list[KeyHolder]
    ) -> Table:
        """Store a new table, then add it."""
        self._make_room()
        now, seed = time.time(), strong_seed()
        row = {
            "id": table_id,
            "created": now,
            "touched": now,
            "status": "waiting",
            "edition": edition.id,
            "options": options,
            "seats": seats.rows(),
            "seed": str(seed),
            "salt": secrets.token_hex(16),
            "watch": new_key(),
            "engine": version("whistlestop"),
            "generator": generator_of(seed),
            "rules": RULES_VERSION,
            "began": None,
            "ended": None,
            "rematch": None,
        }
        await self.store.add_table(row, holders)
        self.metrics.opened.inc()
        return self._add(StoredTable(row, [], []), holders)

    async def rematch(self, table: Table, key: str | None) -> tuple[Table, KeyHolder]:
        """The same people at a new table, which begins at once; their keys open it too."""
        own = table.seating.holder(key)
        if own is None:
            raise RequestError("no_seat", "you have no seat at this table", status=403)
        async with table.lock:
            _ = table.finished
            if table.rematch is None:
                table_id = new_table_id()
                holders = [replace(held, table=table_id) for held in table.seating.holders.values()]
                again = await self._create(table_id, table.edition, dict(table.options), table.seats.again(), holders)
                await table.note_rematch(table_id)
                await again.start(None)
        assert table.rematch is not None
        again = await self.get(table.rematch)
        table.show_table()
        return again, again.seating.holders[own.hash]


def check_version(stored: StoredTable) -> None:
    """Refuse a table of other rules or another chance than this server has, rather than replay it wrongly."""
    row = stored.row
    other_chance = row["seed"].isdigit() and row["generator"] != generator_of(int(row["seed"]))
    if row["rules"] != RULES_VERSION or other_chance:
        played = f"version {row['rules']} of the rules, chance {row['generator']}, Whistlestop {row['engine']}"
        hint = "its host can read it with that version: see the upgrade notes"
        raise RequestError("other_version", f"this table was played with {played}", hint, 410)


def new_table_id() -> str:
    """An id that nobody can guess."""
    return "".join(secrets.choice(ALPHABET) for _ in range(10))
