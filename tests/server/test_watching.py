"""What a host watches and who else may: health with the database, metrics and where they are, other sites' pages."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from support.clients import ServerThread, checked, free_port, open_table
from whistlestop.server import messages
from whistlestop.server.database_check import DatabaseCheck
from whistlestop.server.side_servers import AddressUnusable, host_and_port, tcp_socket

CLUB = "https://club.example.org"


def get(url: str, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    return httpx.get(url, headers=named, trust_env=False)


def number(text: str, name: str) -> float:
    """The value of a metric."""
    found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
    assert found, name
    return float(found[1])


# ---- health ---------------------------------------------------------------------------------------------------------
def test_health_says_that_the_database_does_not_answer(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(DatabaseCheck, "patience", 0.2)
    monkeypatch.setattr("whistlestop.server.database_check.FRESH", 0.0)
    with ServerThread(folder) as server:
        store = server.hall.store
        assert get(f"{server.url}/health").json()["status"] == "ready"

        async def hangs() -> None:
            await asyncio.sleep(3600)

        async def fails() -> None:
            raise sqlite3.OperationalError("disk I/O error")

        for broken in (hangs, fails):
            monkeypatch.setattr(store, "ping", broken)
            answer = get(f"{server.url}/health")
            assert answer.status_code == 503
            health = checked(answer.content, messages.Health)
            assert (health["status"], health["what"]) == ("database", "the database does not answer")
        monkeypatch.undo()
        monkeypatch.setattr("whistlestop.server.database_check.FRESH", 0.0)
        assert get(f"{server.url}/health").status_code == 200


def test_the_database_is_asked_once_for_all_who_ask() -> None:
    asked = 0

    class Slow:
        async def ping(self) -> None:
            nonlocal asked
            asked += 1
            await asyncio.sleep(0.05)

    async def job() -> list[bool]:
        check = DatabaseCheck(Slow())  # type: ignore[arg-type]
        return await asyncio.gather(*(check.answers() for _ in range(50)))

    assert all(asyncio.run(job()))
    assert asked == 1


# ---- metrics --------------------------------------------------------------------------------------------------------
def test_metrics_count_failed_writes_commits_and_room(folder: Path) -> None:
    with ServerThread(folder) as server:
        client = open_table(server.url, "europe", "me", "device")
        for seat in (0, 1):
            frame = client.view(seat=seat)
            client.act(frame["n"], frame["options"]["keep"][0]["id"], seat)
        before = get(f"{server.url}/metrics").text
        assert number(before, "whistlestop_writes_failed_total") == 0
        assert number(before, "whistlestop_group_commits_total") >= 2
        assert number(before, "whistlestop_group_writes_total") >= 2
        assert number(before, "whistlestop_bots_waiting") == 0
        assert number(before, "whistlestop_disk_free_bytes") > 0
        with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
            for event in ("insert on chat", "insert on tables"):
                name = event.rpartition(" ")[2]
                database.execute(
                    f"create trigger no_{name} before {event} begin select abs(-9223372036854775807 - 1); end"
                )
            database.commit()
        assert client.ask("POST", "/chat", json={"text": "hello"}).status_code == 500
        body = {"edition": "usa", "seats": [{"kind": "me"}, {"kind": "open"}]}
        assert httpx.post(f"{server.url}/api/tables", json=body, trust_env=False).status_code == 500
        assert number(get(f"{server.url}/metrics").text, "whistlestop_writes_failed_total") == 2


def test_metrics_are_for_the_machine_of_the_server(folder: Path) -> None:
    with ServerThread(folder, trusted_proxies=("127.0.0.1",)) as server:
        assert get(f"{server.url}/metrics").status_code == 200
        assert get(f"{server.url}/metrics", x_forwarded_for="::1").status_code == 200
        far = get(f"{server.url}/metrics", x_forwarded_for="203.0.113.7")
        assert far.status_code == 404
        assert "whistlestop_" not in far.text
        assert get(f"{server.url}/health", x_forwarded_for="203.0.113.7").status_code == 200


def test_metrics_can_have_an_address_of_their_own(folder: Path) -> None:
    there = f"127.0.0.1:{free_port()}"
    with ServerThread(folder, metrics_address=there) as server:
        assert get(f"{server.url}/metrics").status_code == 404
        answer = get(f"http://{there}/metrics")
        assert answer.headers["content-type"].startswith("text/plain")
        assert number(answer.text, "whistlestop_tables") == 0
        for path in ("/", "/api/editions", "/health", "/api/admin/tables"):
            assert get(f"http://{there}{path}").status_code == 404
        with pytest.raises(AddressUnusable, match="can't listen at"):
            tcp_socket(there)
    with pytest.raises(httpx.ConnectError):
        get(f"http://{there}/metrics")


def test_addresses_are_read_with_their_port() -> None:
    assert host_and_port("127.0.0.1:9100") == ("127.0.0.1", 9100)
    assert host_and_port("[::1]:9100") == ("::1", 9100)
    for text in ("9100", ":9100", "host:", "host:x", "host:70000"):
        with pytest.raises(AddressUnusable, match="is no address"):
            host_and_port(text)


# ---- pages of other sites -------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def open_to_a_club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerThread]:
    with ServerThread(tmp_path_factory.mktemp("club"), origins=(CLUB,)) as server:
        yield server


def preflight(server: ServerThread, origin: str, method: str = "POST") -> httpx.Response:
    """What a browser asks before a page of another site may ask."""
    headers = {
        "origin": origin,
        "access-control-request-method": method,
        "access-control-request-headers": "authorization,content-type",
    }
    return httpx.options(f"{server.url}/api/tables", headers=headers, trust_env=False)


def test_a_page_of_a_named_site_may_ask_and_read(open_to_a_club: ServerThread) -> None:
    server = open_to_a_club
    answer = preflight(server, CLUB)
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == CLUB
    assert "authorization" in answer.headers["access-control-allow-headers"].lower()
    assert {"GET", "POST", "PATCH"} <= set(answer.headers["access-control-allow-methods"].split(", "))
    body = {"edition": "usa", "seats": [{"kind": "me"}, {"kind": "open"}]}
    opened = httpx.post(f"{server.url}/api/tables", json=body, headers={"origin": CLUB}, trust_env=False)
    assert opened.status_code == 201
    assert opened.headers["access-control-allow-origin"] == CLUB
    assert "access-control-allow-credentials" not in opened.headers
    missing = get(f"{server.url}/api/tables/nosuchtable", origin=CLUB)
    assert (missing.status_code, missing.headers["access-control-allow-origin"]) == (404, CLUB)
    assert preflight(server, CLUB, "DELETE").status_code == 400


@pytest.mark.parametrize("origin", ["https://evil.example", "https://club.example.org.evil.example", "null"])
def test_a_page_of_any_other_site_gets_nothing(open_to_a_club: ServerThread, origin: str) -> None:
    server = open_to_a_club
    assert preflight(server, origin).status_code == 400
    for answer in (preflight(server, origin), get(f"{server.url}/api/editions", origin=origin)):
        assert "access-control-allow-origin" not in answer.headers
    refused = httpx.post(f"{server.url}/api/tables", json={}, headers={"origin": origin}, trust_env=False)
    assert refused.status_code == 403


def test_without_origins_there_is_no_cors(server: ServerThread) -> None:
    for answer in (preflight(server, CLUB), get(f"{server.url}/api/editions", origin=CLUB)):
        assert not [name for name in answer.headers if name.startswith("access-control-")]
