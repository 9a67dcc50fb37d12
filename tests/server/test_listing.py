"""Tables that anybody on a server may find: what the list shows, what it keeps to itself, and what it costs."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.clients import (
    UNLIMITED,
    Client,
    Data,
    ServerThread,
    checked,
    open_table,
    people,
    refusal,
    seats,
    wait_until,
)
from support.truth import stored
from whistlestop.server import listing, messages
from whistlestop.server.settings import Settings


@pytest.fixture(autouse=True)
def _read_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every answer is a new one, unless a test is about that."""
    monkeypatch.setattr(listing, "READ_EVERY", 0.0)


@pytest.fixture
def own(folder: Path) -> Iterator[ServerThread]:
    """A server whose list only one test sees."""
    with ServerThread(folder) as server:
        yield server


def found(server: ServerThread, **pages: int) -> Data:
    """What the list shows."""
    answer = httpx.get(f"{server.url}/api/tables", params=pages, trust_env=False)
    shown: Data = checked(answer.content, messages.ListedTables)
    return shown


def ids(server: ServerThread, kind: str) -> list[str]:
    """Tables that can be joined (`open`) or watched (`watch`)."""
    return [table["id"] for table in found(server)[kind]["tables"]]


def waiting(server: ServerThread, *kinds: str, **more: Any) -> Client:
    """A table that waits, listed unless said otherwise."""
    return open_table(server.url, "usa", *(kinds or ("me", "open")), start=False, **{"listed": True, **more})


def change(folder: Path, statement: str, *values: Any) -> None:
    """Do something to the database beside the server."""
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=10)) as database, database:
        assert database.execute(statement, values).rowcount > 0


# ---- what is shown --------------------------------------------------------------------------------------------------
def test_no_table_is_listed_unless_its_host_wants_it(own: ServerThread) -> None:
    host = waiting(own, listed=False)
    assert (ids(own, "open"), host.data()["listed"]) == ([], False)
    assert host.good(messages.TableData, "PATCH", "", json={"listed": True})["listed"] is True
    assert ids(own, "open") == [host.table]
    assert host.good(messages.TableData, "PATCH", "", json={"listed": False})["listed"] is False
    assert ids(own, "open") == []


def test_a_listed_table_shows_who_is_there_and_no_secret(own: ServerThread) -> None:
    pack = {"name": "Mine", "tickets": [{"from": "Seattle", "to": "Boston", "points": 20}]}
    wish = [{"kind": "me", "name": "<b>Ada</b>"}, {"kind": "open"}, {"kind": "bot", "bot": "casual"}]
    host = open_table(own.url, "usa", start=False, listed=True, seats=wish, turn_seconds=60, packs=[pack])
    (table,) = found(own)["open"]["tables"]
    assert (table["edition"], table["edition_name"], table["turn_seconds"]) == ("usa", "USA", 60)
    assert (table["packs"], table["watch"]) == (["Mine"], None)
    assert [seat["kind"] for seat in table["seats"]] == ["person", "open", "bot"]
    assert table["seats"][0]["name"] == "<b>Ada</b>"
    assert abs(table["since"] - time.time()) < 60
    text = httpx.get(f"{own.url}/api/tables", trust_env=False).text
    assert host.key
    assert host.key not in text
    assert host.watch not in text


def test_a_table_goes_from_the_open_ones_to_those_to_watch_and_then_from_the_list(own: ServerThread) -> None:
    host = waiting(own)
    guest = host.join("Ben")
    assert ids(own, "open") == [], "every seat is taken"
    host.good(messages.TableData, "PATCH", "/seats/1", json={"kind": "open"})
    assert ids(own, "open") == [host.table]
    host.join("Cy")
    host.good(messages.TableData, "POST", "/start", json={})
    assert (ids(own, "open"), ids(own, "watch")) == ([], [host.table])
    (table,) = found(own)["watch"]["tables"]
    assert table["watch"] == host.watch
    watcher = Client(own.url, host.table, table["watch"])
    frame = watcher.view()
    assert (frame["seat"], frame["options"], frame["view"]["hand"]) == (None, None, {})
    assert guest.view()["view"]["hand"] == {}, "who lost the seat sees what everybody sees"
    for seat in (0, 1):
        assert watcher.refused("POST", f"/seats/{seat}/leave") == (403, "no_seat")
        assert watcher.refused("GET", "/view", params={"seat": seat}) == (403, "not_your_seat")
    assert watcher.refused("PATCH", "", json={"listed": False}) == (403, "not_host")
    assert host.refused("PATCH", "", json={"listed": False}) == (409, "started")


def test_a_game_that_is_over_and_a_closed_table_are_not_shown(own: ServerThread, folder: Path) -> None:
    played, waits = open_table(own.url, "usa", "me", "casual", listed=True), waiting(own)
    assert (ids(own, "open"), ids(own, "watch")) == ([waits.table], [played.table])
    change(folder, "update tables set status = 'over' where id = ?", played.table)
    change(folder, "update tables set status = 'closed' where id = ?", waits.table)
    assert (ids(own, "open"), ids(own, "watch")) == ([], [])


def test_only_the_host_decides_and_a_rematch_is_not_listed(own: ServerThread) -> None:
    host = waiting(own)
    guest = host.join("Ben")
    assert guest.refused("PATCH", "", json={"listed": False}) == (403, "not_host")
    assert Client(own.url, host.table, None).refused("PATCH", "", json={"listed": False}) == (403, "not_host")
    table = open_table(own.url, "usa", "me", "casual", listed=True)
    table.good(messages.TableData, "POST", "/seats/0/leave")
    wait_until(lambda: table.data()["status"] == "over")
    again = table.good(messages.SeatKey, "POST", "/rematch")
    assert Client(own.url, again["table"], table.key).data()["listed"] is False
    assert ids(own, "watch") == []


def test_everybody_at_the_table_is_told_once_it_is_stored(own: ServerThread, folder: Path) -> None:
    host = waiting(own, listed=False)
    guest = host.join("Ben")
    with guest.connect() as line:
        host.good(messages.TableData, "PATCH", "", json={"listed": True})
        line.until(lambda m: m["t"] == "table" and m["listed"])
        assert stored(folder, host.table).row["listed_at"] is not None


def test_the_list_outlives_a_restart(folder: Path) -> None:
    with ServerThread(folder) as server:
        host = waiting(server)
    with ServerThread(folder) as server:
        assert ids(server, "open") == [host.table]
        assert Client(server.url, host.table, None).data()["listed"]


# ---- tables that nobody is at ---------------------------------------------------------------------------------------
def test_an_abandoned_table_leaves_the_list_and_comes_back_with_its_people(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "SEEN_EVERY", 0.1)
    monkeypatch.setattr("whistlestop.server.hall.SEEN_EVERY", 0.1)
    with ServerThread(folder) as server:
        host, other = waiting(server), waiting(server, "casual", "open")
        late = time.time() - listing.GONE_AFTER - 1
        change(folder, "update tables set listed_at = ?", late)
        assert ids(server, "open") == []
        with Client(server.url, host.table, None).connect():  # a stranger who looks at the waiting room
            time.sleep(0.5)
            assert ids(server, "open") == []
        with host.connect():
            wait_until(lambda: ids(server, "open") == [host.table])
        with other.connect():  # it has no seat, but it is the host
            wait_until(lambda: other.table in ids(server, "open"))
        host.good(messages.TableData, "PATCH", "", json={"listed": False})
        with host.connect():
            time.sleep(0.5)
            assert host.table not in ids(server, "open"), "what is not listed is not noted either"
        assert host.data()["listed"] is False


def test_a_table_that_waits_for_hours_leaves_the_list(own: ServerThread, folder: Path) -> None:
    host = waiting(own)
    change(folder, "update tables set created = ? where id = ?", time.time() - listing.WAITS_AT_MOST - 1, host.table)
    assert ids(own, "open") == []


def test_a_broken_row_keeps_no_other_from_being_shown(own: ServerThread, folder: Path) -> None:
    broken, sound = waiting(own), waiting(own)
    for column in ("seats = 'no json'", "seats = '[{}]'", "options = '{}'", "edition = 'atlantis'"):
        change(folder, f"update tables set {column} where id = ?", broken.table)
        assert ids(own, "open") == [sound.table]


# ---- what it costs --------------------------------------------------------------------------------------------------
def test_lists_come_in_pages_the_newest_first(own: ServerThread) -> None:
    opened = [waiting(own).table for _ in range(listing.PAGE_SIZE + 2)][::-1]
    first, second, third = (found(own, open=page)["open"] for page in range(3))
    assert [table["id"] for table in first["tables"] + second["tables"]] == opened
    assert (first["page"], second["page"], second["pages"], second["total"]) == (0, 1, 2, len(opened))
    assert (third["tables"], third["page"]) == ([], 2)
    answer = httpx.get(f"{own.url}/api/tables", params={"open": -1}, trust_env=False)
    assert refusal(answer) == (422, "malformed")


def test_however_many_ask_the_database_is_read_once(own: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "READ_EVERY", 60.0)
    read: list[float] = []
    original = listing.Listing._read

    async def counted(self: listing.Listing, now: float) -> listing.FoundTables:
        read.append(now)
        return await original(self, now)

    monkeypatch.setattr(listing.Listing, "_read", counted)
    with httpx.Client(base_url=own.url, trust_env=False) as browser:
        first = browser.get("/api/tables")
        waiting(own)
        assert all(browser.get("/api/tables").content == first.content for _ in range(20))
        assert len(read) == 1
        unchanged = browser.get("/api/tables", headers={"if-none-match": first.headers["etag"]})
        assert (unchanged.status_code, unchanged.content) == (304, b"")
        monkeypatch.setattr(listing, "READ_EVERY", 0.0)
        changed = browser.get("/api/tables", headers={"if-none-match": first.headers["etag"]})
        assert (changed.status_code, changed.json()["open"]["total"]) == (200, 1)


def test_nobody_fills_the_list_alone(folder: Path) -> None:
    with ServerThread(folder, limits=replace(UNLIMITED, listed_an_hour=8)) as server:
        wish = {"edition": "usa", "seats": seats("me", "open"), "listed": True}
        answers = [httpx.post(f"{server.url}/api/tables", json=wish, trust_env=False) for _ in range(8)]
        assert [answer.status_code for answer in answers] == [201] * 5 + [429] * 3
        assert found(server)["open"]["total"] == 5
        private = waiting(server, listed=False)
        assert private.refused("PATCH", "", json={"listed": True}) == (429, "rate")
        assert private.data()["listed"] is False
        private.good(messages.TableData, "PATCH", "", json={"listed": False})


def test_a_server_can_list_nothing(folder: Path) -> None:
    with ServerThread(folder, listing=False) as server:
        assert found(server) == {"enabled": False, **dict.fromkeys(("open", "watch"), found(server)["open"])}
        assert found(server)["open"]["total"] == 0
        wish = {"edition": "usa", "seats": seats("me", "open"), "listed": True}
        assert refusal(httpx.post(f"{server.url}/api/tables", json=wish, trust_env=False)) == (403, "listing_off")
        host = waiting(server, listed=False)
        assert host.refused("PATCH", "", json={"listed": True}) == (403, "listing_off")
        host.good(messages.TableData, "PATCH", "", json={"listed": False})
    assert Settings().listing is True, "it is on unless the host says otherwise"


def test_two_people_who_want_the_last_seat(own: ServerThread) -> None:
    host = waiting(own)
    host.join("Ben")
    answer = httpx.post(f"{own.url}/api/tables/{host.table}/join", json={"name": "Cy"}, trust_env=False)
    assert refusal(answer) == (409, "full")
    assert len(people(own.url, "usa", 2)) == 2
