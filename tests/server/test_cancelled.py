"""Whoever changes a table is cancelled, at every point where that waits: memory and database agree soon after,
everybody is shown what is stored, and nobody anything else.
"""

from __future__ import annotations

import asyncio
import sqlite3
import types
from collections.abc import Awaitable, Callable, Coroutine, Generator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import orjson
import pytest

from support.clients import ServerThread
from whistlestop.server.hall import Hall
from whistlestop.server.messages import ChangeSeat, Join, NewTable
from whistlestop.server.refusals import RequestError
from whistlestop.server.seats import Seats
from whistlestop.server.table import Table

Change = Callable[[Table, str], Coroutine[Any, Any, Any]]
"""A change of a table, by the holder of a key."""


@types.coroutine
def cancelled_at(pause: int, job: Coroutine[Any, Any, Any]) -> Generator[Any, None, int]:
    """Run something, and cancel whoever runs it when it waits for the n-th time; how often it waited, if it ended."""
    step, pauses = partial(job.send, None), 0
    while True:
        try:
            waits_for = step()
        except StopIteration:
            return pauses
        pauses += 1
        if pauses == pause:
            task = asyncio.current_task()
            assert task is not None
            task.cancel()
        try:
            yield waits_for
        except BaseException as error:  # the cancellation, and whatever else is thrown in
            step = partial(job.throw, error)
        else:
            step = partial(job.send, None)


class Onlooker:
    """Somebody at the table who looks into the database whenever something is told."""

    def __init__(self, file: Path, table: str) -> None:
        self._file, self._table = file, table
        self.known, self.game_shown, self.by_link = 0, True, False
        self.viewer: int | None = None
        self.seats: frozenset[int] = frozenset({0})
        self.frame: dict[str, Any] = {}
        self.table: dict[str, Any] = {}
        self.chat: list[str] = []
        self.gone = False

    def _stored(self, query: str) -> Any:
        with closing(sqlite3.connect(self._file, timeout=30)) as database:
            return database.execute(query, (self._table,)).fetchone()

    def send(self, message: bytes) -> None:
        """See that what is told is stored."""
        told = orjson.loads(message)
        if told["t"] == "frame":
            assert self._stored("select count(*) from actions where table_id = ?")[0] >= told["n"]
            self.frame = told
        elif told["t"] == "chat":
            assert self._stored("select count(*) from chat where table_id = ?")[0] >= told["n"]
            self.chat.append(told["text"])
        elif told["t"] == "table":
            status, seats = self._stored("select status, seats from tables where id = ?")
            assert told["status"] == status
            assert [seat["name"] for seat in told["seats"]] == [seat["name"] for seat in orjson.loads(seats)]
            self.table = told

    def disconnect(self) -> None:
        """The client is asked to come back."""
        self.gone = True

    def dismiss(self, _refused: RequestError) -> None:
        """The client is sent away."""
        self.gone = True


async def act(table: Table, _key: str) -> None:
    seat = table.to_move[0]
    await table.act(seat, table.begun.view(seat).legal()[0].id, table.n)


CHANGES: dict[str, tuple[bool, Change]] = {
    "act": (True, act),
    "say": (True, lambda table, _key: table.say(0, "hello")),
    "leave": (True, lambda table, _key: table.leave(1)),
    "start": (False, lambda table, _key: table.start("random")),
    "join": (False, lambda table, _key: table.join(Join(name="Cleo"), None)),
    "change a seat": (False, lambda table, key: table.change_seat(0, ChangeSeat(name="Dora"), key)),
    "list": (False, lambda table, _key: table.change_listing(True)),
    "another link": (True, lambda table, _key: table.change_spectator_key("another-key")),
}
"""Each with whether the game has begun."""


async def open_table(hall: Hall, begun: bool) -> tuple[Table, str]:
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "device", "name": "Bob"}]
    seats += [] if begun else [{"kind": "open"}]
    table, key, _ = await hall.open(NewTable.model_validate({"edition": "usa", "seats": seats, "start": begun}))
    return table, key


async def check_agreement(hall: Hall, table: Table, onlooker: Onlooker) -> None:
    """Memory is what the database has, and the last that was told; the caller holds the lock, so that no bot acts."""
    stored = await hall.store.load(table.id)
    assert stored is not None
    assert table.n == len(stored.actions)
    assert table.seats == Seats.from_rows(stored.row["seats"])
    assert (table.status, table.listed) == (stored.row["status"], stored.row["listed_at"] is not None)
    assert (table.seating.version, table.seating.spectator_key) == (stored.row["version"], stored.row["watch"])
    assert {holder.hash for holder in await hall.store.keys_of(table.id)} == set(table.seating.holders)
    assert [line["text"] for line in stored.chat] == onlooker.chat
    if table.has_begun:
        assert onlooker.frame.get("n", 0) == table.n
    if onlooker.table:
        assert [seat["name"] for seat in onlooker.table["seats"]] == [seat["name"] for seat in stored.row["seats"]]


async def change_and_cancel(hall: Hall, file: Path, what: str, pause: int) -> tuple[bool, int]:
    """Cancel a change at one of its pauses; whether it was cancelled, and whether something was stored by it."""
    begun, change = CHANGES[what]
    table, key = await open_table(hall, begun)
    onlooker = Onlooker(file, table.id)
    table.listeners.add(onlooker)
    before = table.n, table.seating.version, len(table.chat.messages)
    changing: Awaitable[int] = cancelled_at(pause, change(table, key))
    was_cancelled = False
    try:
        await asyncio.create_task(_awaited(changing))
    except asyncio.CancelledError:
        was_cancelled = True
    await hall.tasks.wait(30)
    async with table.lock:
        await check_agreement(hall, table, onlooker)
    hall.forget(table)
    return was_cancelled, int((table.n, table.seating.version, len(table.chat.messages)) != before)


async def _awaited(job: Awaitable[int]) -> int:
    return await job


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_that_is_cancelled_is_stored_and_shown_or_neither(server: ServerThread, what: str) -> None:
    file = server.settings.data_dir / "whistlestop.db"

    async def try_every_pause() -> list[tuple[bool, int]]:
        results: list[tuple[bool, int]] = []
        while not results or results[-1][0]:
            assert len(results) < 100
            results.append(await change_and_cancel(server.hall, file, what, len(results) + 1))
        return results

    results = server.run(try_every_pause)
    assert results[-1] == (False, 1), "without a cancellation it is stored"
    assert (True, 1) in results, "a change that was being stored goes on"
