"""Databases that are full, read-only, locked or gone: every kind of write is refused and changes nothing; when the
database is well the same request works; and what everybody was told then is what a crash leaves behind.
"""

from __future__ import annotations

import asyncio
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
import sqlalchemy as sa

from support.clients import Client, Data, ServerThread, open_table, people, seats
from support.postgres import postgres_server
from whistlestop.server import messages
from whistlestop.server import store as store_module
from whistlestop.server.store import StoredAction
from whistlestop.server.table import Table

FAULT, DONE = 500, 200
NEVER = 3600.0
Sickness = Callable[[ServerThread], AbstractContextManager[None]]


# ---- what is written ------------------------------------------------------------------------------------------------
@dataclass
class Wish:
    """Something that somebody wants of a table and that has to be stored."""

    client: Client
    method: str
    path: str
    body: Any = None

    def ask(self) -> int:
        """The status of the answer, 200 for all that are good."""
        status = self.client.ask(self.method, self.path, json=self.body).status_code
        return DONE if status < 300 else status


class Opening(Wish):
    """A table that is opened and begins at once; afterwards the client sits there."""

    def ask(self) -> int:
        """As for all wishes."""
        answer = self.client._http.post("/api/tables", json=self.body)
        if answer.status_code == 201:
            place = answer.json()
            self.client = Client(self.client.url, place["table"], place["key"], place["seats"])
        return DONE if answer.status_code == 201 else answer.status_code


class TimeUp(Wish):
    """The time of a turn ends, once: that a bot stands in is tried until it can be stored."""

    server: ServerThread
    patience = 0.5

    def ask(self) -> int:
        """Whether a bot stands in soon; at the second time of asking it only has to be waited for."""

        async def ring() -> None:
            clock = table_of(self.server, self.client).clock
            clock._seconds = 0
            clock.start_turn()

        if self.patience < 1:
            self.server.run(ring)
        end, self.patience = time.monotonic() + self.patience, 20.0
        while not (stands_in := any(seat["stands_in"] for seat in self.client.data()["seats"])):
            if time.monotonic() > end:
                break
            time.sleep(0.02)
        return DONE if stands_in else FAULT


def table_of(server: ServerThread, client: Client) -> Table:
    """A client's table in the server's memory."""
    found = server.hall.in_memory(client.table)
    assert found is not None
    return found


def near_the_end(server: ServerThread, client: Client, over: bool = False) -> Wish:
    """The last action of a game, which is laid into the database up to there; played already, if it is to be over."""

    async def lay() -> tuple[int, int, int]:
        table = table_of(server, client)
        game, rng = table.begun.game.at(0), Random(4)
        while not game.over:
            seat = next(iter(game.to_move))
            game.play(rng.choice(game.legal(seat)), seat)
        *most, last = game.history
        rows = [(move.number, StoredAction(move.player, move.action.id, False, time.time())) for move in most]
        await asyncio.gather(*(server.hall.store.append(table.id, *row) for row in rows))
        server.hall.forget(table)
        return last.number - 1, last.player, last.action.id

    n, seat, action = server.run(lay)
    wish = Wish(client, "POST", "/actions", {"n": n, "seat": seat, "action": action})
    if over:
        assert wish.ask() == DONE
        return Wish(client, "POST", "/rematch")
    return wish


def wishes(server: ServerThread) -> dict[str, Wish]:
    """Every kind of write, each at a table of its own, where nobody acts by himself."""

    def waiting() -> Client:
        return open_table(server.url, "usa", "me", "open", start=False)

    def shared() -> Client:
        return open_table(server.url, "usa", "device", "device")

    def three() -> Client:
        return people(server.url, "usa", 3)[0]

    acting, absent, timed = three(), three(), open_table(server.url, "usa", "device", "device", turn_seconds=600)
    absent.good(messages.TableData, "POST", "/seats/0/leave")
    action = acting.view()["options"]["keep"][0]["id"]
    full, refilled = (people(server.url, "usa", 2, start=False)[0] for _ in range(2))
    time_up = TimeUp(timed, "", "")
    time_up.server = server
    body = {"edition": "usa", "seats": seats("me", "device"), "start": True}
    return {
        "open": Opening(waiting(), "POST", "", body),
        "start": Wish(full, "POST", "/start", {}),
        "join": Wish(waiting(), "POST", "/join", {"name": "Guest"}),
        "change a name": Wish(waiting(), "PATCH", "/seats/0", {"name": "Another"}),
        "give a seat to a bot": Wish(refilled, "PATCH", "/seats/1", {"kind": "bot", "bot": "casual"}),
        "act": Wish(acting, "POST", "/actions", {"n": 0, "action": action}),
        "say": Wish(three(), "POST", "/chat", {"text": "hello"}),
        "leave": Wish(three(), "POST", "/seats/0/leave"),
        "come back": Wish(absent, "POST", "/seats/0/back"),
        "vote": Wish(three(), "POST", "/seats/1/vote"),
        "time up": time_up,
        "end": near_the_end(server, shared()),
        "rematch": near_the_end(server, shared(), over=True),
    }


# ---- what is seen ---------------------------------------------------------------------------------------------------
def seen(client: Client) -> Data:
    """All that a table shows to a client, but for what depends on the moment."""
    data = client.data()
    if data["status"] == "waiting":
        return {"table": data}
    view = {name: part for name, part in client.view().items() if name != "deadline"}
    return {"table": data, "view": view, "chat": client.ask("GET", "/chat").json()}


def all_seen(wanted: dict[str, Wish]) -> dict[str, Data]:
    """What is seen at every table."""
    return {kind: seen(wish.client) for kind, wish in wanted.items()}


def tables_with_keys(server: ServerThread, wanted: dict[str, Wish]) -> tuple[int, set[str]]:
    """How many tables are stored, and which the clients' keys open."""

    async def count() -> int:
        async with server.hall.store.engine.connect() as connection:
            return int((await connection.execute(sa.text("select count(*) from tables"))).scalar_one())

    keys = [wish.client.key for wish in wanted.values()]
    mine = next(iter(wanted.values())).client._http.post("/api/mine", json={"keys": keys}).json()
    return server.run(count), {one["table"]["id"] for one in mine}


def without_votes(shown: dict[str, Data]) -> dict[str, Data]:
    """Votes are of one turn, and a restart begins the turn anew."""
    for one in shown.values():
        for seat in one["table"]["seats"]:
            seat["votes"] = []
    return shown


def check_every_write(server: ServerThread, sick: Sickness) -> dict[str, Wish]:
    """Refused and without effect while the database is sick, done when it is well."""
    wanted = wishes(server)
    before, stored = all_seen(wanted), tables_with_keys(server, wanted)
    with sick(server):
        assert {kind: wish.ask() for kind, wish in wanted.items()} == dict.fromkeys(wanted, FAULT)
        assert all_seen(wanted) == before
    assert tables_with_keys(server, wanted) == stored
    assert {kind: wish.ask() for kind, wish in wanted.items()} == dict.fromkeys(wanted, DONE)
    after = all_seen(wanted)
    assert [kind for kind in wanted if after[kind] == before[kind]] == []
    return wanted


def check_after_crash(server: ServerThread, wanted: dict[str, Wish]) -> None:
    """Another server on what is stored by now shows what this one shows."""
    again = {
        kind: Wish(Client(server.url, wish.client.table, wish.client.key), "", "") for kind, wish in wanted.items()
    }
    assert without_votes(all_seen(again)) == without_votes(all_seen(wanted))


# ---- SQLite ---------------------------------------------------------------------------------------------------------
@contextmanager
def full_disk(server: ServerThread) -> Iterator[None]:
    """Nothing more fits where the database is, which is a small disk of its own."""
    filler = server.settings.data_dir / "filler"
    with filler.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))
    yield
    filler.unlink()


@contextmanager
def largest_file(server: ServerThread) -> Iterator[None]:
    """No file may grow beyond what the database's log has reached."""
    size = (server.settings.data_dir / "whistlestop.db-wal").stat().st_size
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    yield
    resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def read_only(server: ServerThread) -> Iterator[None]:
    """Every connection reads and does not write."""
    sick = True

    def on_checkout(connection: Any, *_: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA query_only={int(sick)}")
        cursor.close()

    store = server.hall.store
    assert store.writer.file_writer is not None
    for engine in (store.engine.sync_engine, store.writer.file_writer.engine):
        sa.event.listen(engine.pool, "checkout", on_checkout)
    yield
    sick = False


@contextmanager
def locked(server: ServerThread) -> Iterator[None]:
    """Another program writes and does not end."""
    with closing(sqlite3.connect(server.settings.data_dir / "whistlestop.db", isolation_level=None)) as other:
        other.execute("begin exclusive")
        yield
        other.execute("rollback")


@contextmanager
def small_disk(folder: Path) -> Iterator[None]:
    """A disk of a few megabytes at a folder, where this user may mount one."""
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    if sys.platform != "linux" or os.geteuid() != 0 or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("only root can mount a small disk")
    try:
        yield
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


SICKNESSES: dict[str, Sickness] = {"largest file": largest_file, "read-only": read_only, "locked": locked}


@pytest.fixture
def quick_to_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Locks are waited for shortly."""
    monkeypatch.setattr(store_module, "LOCK_SECONDS", 0.2)


def check_sqlite(folder: Path, sick: Sickness, crashed: Path) -> None:
    """Every write, then a server on the files as a crash would leave them."""
    with ServerThread(folder, stand_in_waits=NEVER) as server:
        wanted = check_every_write(server, sick)
        crashed.mkdir()
        for file in folder.glob("whistlestop.db*"):
            shutil.copy(file, crashed / file.name)
        with ServerThread(crashed, stand_in_waits=NEVER) as again:
            check_after_crash(again, wanted)


@pytest.mark.usefixtures("quick_to_give_up")
@pytest.mark.parametrize("sickness", SICKNESSES)
def test_a_sick_database_refuses_every_write_and_loses_nothing(tmp_path: Path, sickness: str) -> None:
    check_sqlite(tmp_path / "data", SICKNESSES[sickness], tmp_path / "crashed")


def test_a_full_disk_refuses_every_write_and_loses_nothing(tmp_path: Path) -> None:
    with small_disk(tmp_path / "data"):
        check_sqlite(tmp_path / "data", full_disk, tmp_path / "crashed")


# ---- PostgreSQL -----------------------------------------------------------------------------------------------------
def test_a_database_that_goes_and_comes_back_loses_nothing(tmp_path: Path) -> None:
    with postgres_server() as postgres:

        @contextmanager
        def stopped(_server: ServerThread) -> Iterator[None]:
            postgres.stop()
            yield
            postgres.ensure_postgres_running()

        address = postgres.get_uri()
        with ServerThread(tmp_path / "one", database=address, stand_in_waits=NEVER) as server:
            wanted = check_every_write(server, stopped)
            with ServerThread(tmp_path / "two", database=address, stand_in_waits=NEVER) as again:
                check_after_crash(again, wanted)
            with stopped(server):
                pass
            assert wanted["say"].ask() == DONE, "whoever did not ask meanwhile does not notice"
