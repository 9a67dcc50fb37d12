"""Writes that fail, each kind of them: nothing changes, nothing is lost, and the logs hold no secret."""

from __future__ import annotations

import io
import logging
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.clients import Client, ServerThread, chosen, open_table, seats, wait_until
from support.truth import stored
from whistlestop.server import log, messages
from whistlestop.server.end_messages import EndData

NAMES = ("Wilhelmina-Q", "Bartholomew-Z")
CHAT = "meet me under the clock"


@contextmanager
def failing(folder: Path, event: str) -> Iterator[None]:
    """While this lasts the database refuses one kind of write, as a full disk would."""
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        database.execute(f"create trigger refuses before {event} begin select abs(-9223372036854775807 - 1); end")
        database.commit()
        yield
        database.execute("drop trigger refuses")
        database.commit()


@contextmanager
def logged() -> Iterator[io.StringIO]:
    """What the server logs, in both of its forms."""
    stream, logger = io.StringIO(), logging.getLogger("whistlestop.server")
    handlers = []
    for formatter in (log.JsonFormatter(), log.TextFormatter()):
        handlers.append(logging.StreamHandler(stream))
        handlers[-1].setFormatter(formatter)
        logger.addHandler(handlers[-1])
    level = logger.level
    logger.setLevel(logging.DEBUG)
    try:
        yield stream
    finally:
        logger.setLevel(level)
        for handler in handlers:
            logger.removeHandler(handler)


def act(pair: list[Client]) -> int:
    """One action by whoever may act."""
    frame, client = next((client.view(), client) for client in pair if client.view()["options"])
    action = {"n": frame["n"], "action": chosen(frame, Random(1))}
    return client.ask("POST", "/actions", json=action).status_code


def asked(client: Client, what: str, **more: Any) -> int:
    """A wish over a socket; its answer as a status of HTTP."""
    with client.connect() as line:
        answer = line.ask(what, **more)
        return {"ok": 200, "fault": 500}[answer["t"] if answer["t"] == "ok" else answer["code"]]


def say(pair: list[Client]) -> int:
    """A line of chat."""
    return asked(pair[0], "say", text=CHAT)


def leave(pair: list[Client]) -> int:
    """Somebody lets a bot stand in."""
    return asked(pair[1], "leave")


PLAYING: dict[str, tuple[str, Callable[[list[Client]], int]]] = {
    "an action": ("insert on actions", act),
    "chat": ("insert on chat", say),
    "a stand-in": ("update on tables", leave),
}


def secrets_of(folder: Path, clients: list[Client]) -> list[str]:
    """What may be in no log."""
    row = stored(folder, clients[0].table).row
    keys = [client.key for client in clients if client.key]
    return [row["seed"], row["salt"], row["watch"], *keys, *NAMES, CHAT]


@pytest.mark.parametrize("kind", PLAYING)
def test_a_write_that_fails_during_a_game_changes_nothing_and_tells_the_log_no_secret(folder: Path, kind: str) -> None:
    event, do = PLAYING[kind]
    with ServerThread(folder) as server, logged() as lines:
        host = open_table(server.url, "usa", "me", "open", start=False)
        pair = [host, host.join(NAMES[1])]
        host.good(messages.TableData, "PATCH", "/seats/0", json={"name": NAMES[0]})
        host.good(messages.TableData, "POST", "/start", json={})
        before = [(client.data(), client.view()) for client in pair]
        with failing(folder, event):
            assert do(pair) == 500
        assert [(client.data(), client.view()) for client in pair] == before
        assert do(pair) == 200
        found = lines.getvalue()
        assert "request failed" in found
        assert not [secret for secret in secrets_of(folder, pair) if secret in found]


@pytest.mark.parametrize("event", ["insert on tables", "insert on keys"])
def test_a_table_that_cannot_be_stored_is_not_there(folder: Path, event: str) -> None:
    with ServerThread(folder) as server, logged() as lines:
        first = open_table(server.url, "usa", "me", "open", start=False)
        body = {"edition": "usa", "seats": [{"kind": "me", "name": NAMES[0]}, *seats("casual")], "start": True}
        with failing(folder, event):
            assert first._http.post("/api/tables", json=body).status_code == 500
        assert len(server.hall._tables) == 1
        with closing(sqlite3.connect(folder / "whistlestop.db")) as database:
            assert database.execute("select count(*) from tables").fetchone() == (1,)
        assert NAMES[0] not in lines.getvalue()
        assert first._http.post("/api/tables", json=body).status_code == 201


@pytest.mark.parametrize(
    ("event", "path", "body"),
    [
        ("update on tables", "/start", {"fill": "casual"}),
        ("update on tables", "/join", {"name": NAMES[1]}),
        ("insert on keys", "/join", {"name": NAMES[1]}),
    ],
)
def test_a_start_or_a_seat_that_cannot_be_stored_is_not_taken(
    folder: Path, event: str, path: str, body: dict[str, str]
) -> None:
    with ServerThread(folder) as server, logged() as lines:
        host = open_table(server.url, "usa", "me", "open", start=False)
        before, guest = host.data(), host if path == "/start" else Client(server.url, host.table, None)
        with failing(folder, event):
            assert guest.ask("POST", path, json=body).status_code == 500
        assert host.data() == before
        assert guest.ask("POST", path, json=body).status_code in (200, 201)
        assert not [secret for secret in secrets_of(folder, [host]) if secret in lines.getvalue()]
        told = host.data()
    with ServerThread(folder) as server:  # after a restart it is as it was told
        again = Client(server.url, host.table, host.key).data()
        assert [again[what] for what in ("status", "seats")] == [told[what] for what in ("status", "seats")]


@pytest.mark.parametrize("event", ["insert on tables", "insert on keys", "update on tables"])
def test_a_rematch_that_cannot_be_stored_leaves_no_table_behind(folder: Path, event: str) -> None:
    with ServerThread(folder) as server:
        client = open_table(server.url, "usa", "me", "random")
        client.good(messages.TableData, "POST", "/seats/0/leave")
        wait_until(lambda: client.data()["status"] == "over")
        before = client.data()
        with failing(folder, event):
            assert client.ask("POST", "/rematch").status_code == 500
        assert client.data() == before
        mine = client._http.post("/api/mine", json={"keys": [client.key]}).json()
        assert [one["table"]["id"] for one in mine] == [client.table]
        first, second = (client.good(messages.SeatKey, "POST", "/rematch")["table"] for _ in range(2))
        assert first == second == client.data()["rematch"]
    assert (stored(folder, first).row["status"], stored(folder, client.table).row["rematch"]) == ("playing", first)


async def until_idle(server: ServerThread, table: str) -> None:
    """The last action of a table has had all that follows it: its end was noted, or could not be."""
    async with (await server.hall.get(table)).lock:
        pass


def test_a_game_that_begins_at_once_is_one_write_and_ends_even_where_its_end_cannot_be_noted(folder: Path) -> None:
    with ServerThread(folder) as server, failing(folder, "update on tables"):
        bots = open_table(server.url, "usa", "random", "random")
        wait_until(lambda: bots.data()["status"] == "over")
        end = bots.good(EndData, "GET", "/end")
        server.run(lambda: until_idle(server, bots.table))
    assert stored(folder, bots.table).row["status"] == "playing"
    with ServerThread(folder) as server:
        again = Client(server.url, bots.table, bots.key)
        assert again.good(EndData, "GET", "/end")["result"] == end["result"]


def test_what_errors_say_is_not_logged() -> None:
    """PostgreSQL puts the row that failed into its message."""
    with logged() as lines:
        error = RuntimeError("while storing salt abc")
        error.__cause__ = ValueError("Failing row contains (seed 123456, salt abc, Wilhelmina-Q)")
        log.logger.error("request failed", exc_info=error, extra={"facts": {"table": "t"}})
    found = lines.getvalue()
    assert "123456" not in found
    assert "abc" not in found
    assert "Wilhelmina-Q" not in found
    assert found.count("builtins.ValueError") == found.count("builtins.RuntimeError") == 2
