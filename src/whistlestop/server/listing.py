"""Tables that anybody on this server may find. All who ask are given the same answer, read every few seconds."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import orjson
import sqlalchemy as sa

from whistlestop.server import log
from whistlestop.server.catalog import edition_of
from whistlestop.server.refusals import RequestError
from whistlestop.server.schema import tables
from whistlestop.server.settings import Settings
from whistlestop.server.store import Store
from whistlestop.server.strange_boards import stored_edition
from whistlestop.server.table import Table

READ_EVERY = 3.0
"""Seconds for which an answer holds, however many ask."""
SEEN_EVERY = 60.0
"""Seconds between two notes of the listed tables at which somebody is."""
GONE_AFTER = 300.0
"""Seconds without anybody there after which a table is not shown; it is again when somebody is back."""
WAITS_AT_MOST = 6 * 3600.0
"""Seconds after which a table that still waits is not shown any more, even if somebody left its page open."""
MOST_FOUND = 240
"""Tables of each list that can be paged through, the newest."""
PAGE_SIZE = 12
NOTED_AT_ONCE = 500
"""Tables in one statement."""

_COLUMNS = (*(tables.c[name] for name in ("id", "status", "edition", "board", "created", "began", "watch")),)
# as text: a row that cannot be read is left out, and does not keep the others from being shown
_FOUND = sa.select(*_COLUMNS, *(sa.cast(tables.c[name], sa.Text).label(name) for name in ("options", "seats")))
_LATEST = {"waiting": tables.c.created.desc(), "playing": tables.c.began.desc()}


class FoundTables(NamedTuple):
    """What is shown until the next look at the database."""

    open: list[dict[str, Any]]
    watch: list[dict[str, Any]]


NOTHING_FOUND = FoundTables([], [])


class Listing:
    """The tables of a server that are open to anybody, by this process or another."""

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store, self._settings = store, settings
        self._found: FoundTables | None = None
        self._read_at = -READ_EVERY
        self._reading = asyncio.Lock()
        self._unreadable: set[str] = set()
        """Tables that the log has named."""

    def check_enabled(self) -> None:
        """Refuse to list a table where the server's host wants no list."""
        if not self._settings.listing:
            raise RequestError("listing_off", "this server lists no tables", "send your friends the link", 403)

    # -- what is shown ---------------------------------------------------------------------------------------------
    async def pages(self, open_page: int, watch_page: int) -> dict[str, Any]:
        """One page of the tables that wait for people, and one of the games that can be watched."""
        found = await self._latest() if self._settings.listing else NOTHING_FOUND
        return {
            "enabled": self._settings.listing,
            "open": _page(found.open, open_page),
            "watch": _page(found.watch, watch_page),
        }

    async def _latest(self) -> FoundTables:
        """Read the database where the last answer is too old; who asks meanwhile is given the last answer."""
        if self._found is not None and (self._is_fresh or self._reading.locked()):
            return self._found
        async with self._reading:
            if not self._is_fresh:
                self._read_at = time.monotonic()  # before reading: a database that is away is not asked by everybody
                self._found = await self._read(time.time())
        return self._found or NOTHING_FOUND

    @property
    def _is_fresh(self) -> bool:
        return time.monotonic() - self._read_at < READ_EVERY

    async def _read(self, now: float) -> FoundTables:
        shown = tables.c.listed_at >= now - GONE_AFTER
        recent = tables.c.created >= now - WAITS_AT_MOST
        async with self._store.engine.connect() as connection:
            waiting = await connection.execute(_newest("waiting", shown, recent))
            playing = await connection.execute(_newest("playing", shown))
            found = FoundTables(self._shown(waiting.mappings()), self._shown(playing.mappings()))
        return FoundTables([table for table in found.open if _has_room(table)], found.watch)

    def _shown(self, rows: Iterable[Mapping[Any, Any]]) -> list[dict[str, Any]]:
        """Rows as data; the log names those that cannot be read, once."""
        found = []
        for row in rows:
            try:
                found.append(_listed_table(row))
            except (ValueError, LookupError, TypeError, RequestError):
                if row["id"] not in self._unreadable:
                    self._unreadable.add(row["id"])
                    log.event("listed table unreadable", "error", table=row["id"])
        return found

    # -- who is there ----------------------------------------------------------------------------------------------
    async def note_seen(self, all_tables: Iterable[Table]) -> None:
        """Note that somebody is at the listed tables of this process, so that they stay in the list."""
        seen = [table.id for table in all_tables if table.listed and _is_attended(table)]
        for at in range(0, len(seen), NOTED_AT_ONCE):
            # no new version: nothing that anybody is shown of the table itself changes
            here = sa.and_(tables.c.id.in_(seen[at : at + NOTED_AT_ONCE]), tables.c.listed_at.is_not(None))
            async with self._store.transaction() as connection:
                await connection.execute(tables.update().where(here).values(listed_at=time.time()))


def _newest(status: str, *conditions: sa.ColumnElement[bool]) -> sa.Select[Any]:
    found = _FOUND.where(tables.c.status == status, *conditions)
    return found.order_by(_LATEST[status], tables.c.id).limit(MOST_FOUND)


def _page(found: Sequence[dict[str, Any]], number: int) -> dict[str, Any]:
    return {
        "tables": found[number * PAGE_SIZE : (number + 1) * PAGE_SIZE],
        "page": number,
        "pages": -(-len(found) // PAGE_SIZE),
        "total": len(found),
    }


def _listed_table(row: Mapping[Any, Any]) -> dict[str, Any]:
    """A table as strangers are shown it. The spectators' key is given out once there is a game to watch."""
    options, seats = orjson.loads(row["options"]), orjson.loads(row["seats"])
    return {
        "id": row["id"],
        "edition": stored_edition(row),
        "edition_name": options["edition_name"] if row["board"] else edition_of(row["edition"]).name,
        "seats": [{name: seat[name] for name in ("kind", "name", "colour", "bot")} for seat in seats],
        "turn_seconds": options["turn_seconds"],
        "packs": [pack["name"] for pack in options["packs"]],
        "since": row["created"] if row["status"] == "waiting" else row["began"],
        "watch": row["watch"] if row["status"] == "playing" else None,
    }


def _has_room(table: dict[str, Any]) -> bool:
    return any(seat["kind"] == "open" for seat in table["seats"])


def _is_attended(table: Table) -> bool:
    """Whether somebody is there by this process: at a table that waits somebody of its own, else anybody."""
    seats, onlookers = table.presence.at_this_process()
    if table.status == "waiting":
        return bool(seats) or any(listener.game_shown and not listener.by_link for listener in table.listeners)
    return table.status == "playing" and bool(seats or onlookers)
