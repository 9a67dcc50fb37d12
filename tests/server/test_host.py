"""What a host relies on: headers that guard the page, logs without secrets, counters, health."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus

from support.clients import (
    Client,
    Connection,
    ServerProcess,
    ServerThread,
    checked,
    connections,
    open_table,
    people,
    play_until,
    refusal,
    wait_until,
)
from support.truth import stored
from whistlestop.server import app as app_module
from whistlestop.server import bot_play, messages
from whistlestop.server.store import Store
from whistlestop.server.warming import WarmUpProgress, warm_up


def get(server: ServerThread, path: str, **more: Any) -> httpx.Response:
    return httpx.get(f"{server.url}{path}", trust_env=False, verify=False, **more)


# ---- headers --------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    "path",
    [
        "/health",
        "/metrics",
        "/openapi.json",
        "/docs",
        "/api/editions",
        "/api/nothing",
        "/api/tables/nowhere123",
        "/swagger/swagger-ui.css",
        "/",
    ],
)
def test_every_answer_is_guarded(server: ServerThread, path: str) -> None:
    headers = get(server, path).headers
    policy = dict(part.strip().partition(" ")[::2] for part in headers["content-security-policy"].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["script-src"] == ("'self' 'unsafe-inline'" if path == "/docs" else "'self'")
    assert policy["connect-src"] == "'self'"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "camera=()" in headers["permissions-policy"]
    assert headers["cross-origin-opener-policy"] == "same-origin"
    assert "access-control-allow-origin" not in headers
    assert "server" not in headers
    assert len(headers.get_list("content-security-policy")) == 1


def test_refusals_and_faults_are_guarded_too(server: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    evil = httpx.post(
        f"{server.url}/api/mine",
        json={"keys": []},
        headers={"origin": "https://evil.example"},
        trust_env=False,
        verify=False,
    )
    assert refusal(evil) == (403, "wrong_origin")
    assert "content-security-policy" in evil.headers
    client = open_table(server.url)

    def broken(_self: object) -> None:
        raise ZeroDivisionError("secret details")

    monkeypatch.setattr("whistlestop.server.table.Table.data", broken)
    fault = client.ask("GET", "")
    assert refusal(fault) == (500, "fault")
    assert "secret details" not in fault.text
    assert "content-security-policy" in fault.headers


# ---- logs -----------------------------------------------------------------------------------------------------------
def test_no_secret_stands_in_the_log(tmp_path: Path) -> None:
    """A whole session: names, chat, keys in headers and in hello, wrong keys, nonsense, a game to its end, a stop."""
    with ServerProcess(tmp_path) as server:
        host = open_table(server.url, "usa", "me", "open", start=False)
        guest = host.join("Zaphod B.")
        host.good(messages.TableData, "PATCH", "/seats/0", json={"name": "Trillian M."})
        host.good(messages.TableData, "POST", "/start", json={})
        with connections(host, guest, host.spectator()) as (a, b, _):
            a.ask("say", text="forty-two")
            b.socket.send('{"t": "say", "text": ["mostly harmless"]}')
            b.until(lambda m: m["t"] == "error")
            a.ask("act", n=999, action="claim Zaphod-Trillian")
        with Connection(server.url, host.table) as line:
            line.send(t="hello", key="wrong-key-of-mine")
            line.closed()
        Client(server.url, host.table, "wrong-key-of-mine").ask("GET", "/view")
        host.good(messages.TableData, "POST", "/seats/0/leave")
        host.good(messages.TableData, "POST", "/seats/0/back")
        play_until([host, guest], lambda frame: frame["view"]["phase"] == "over", Random(1))
        again = host.good(messages.SeatKey, "POST", "/rematch")
        assert server.terminate() == 0
    log = server.log.read_text()
    truths = [stored(tmp_path, table).row for table in (host.table, again["table"])]
    secrets = [
        host.key,
        guest.key,
        host.watch,
        again["watch"],
        "wrong-key-of-mine",
        *(row[name] for row in truths for name in ("seed", "salt")),
    ]
    for secret in [*secrets, "Zaphod", "Trillian", "forty-two", "mostly harmless"]:
        assert secret
        assert secret not in log
    events = [json.loads(line) for line in log.splitlines() if line.startswith("{")]
    assert [event["event"] for event in events if event.get("table") == host.table] == [
        "table opened",
        "table started",
        "table over",
    ]
    assert [event["event"] for event in events if "table" not in event] == ["listening", "ready", "stopping", "stopped"]
    assert {event["level"] for event in events} == {"info"}


# ---- metrics --------------------------------------------------------------------------------------------------------
def counted(server: ServerThread) -> dict[str, float]:
    found = {}
    for line in get(server, "/metrics").text.splitlines():
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            found[name] = float(value)
    return found


def test_metrics_count(tmp_path: Path) -> None:
    with ServerThread(tmp_path) as server:
        assert get(server, "/metrics").headers["content-type"].startswith("text/plain")
        pair = people(server.url, "usa", 2, "casual")
        with connections(*pair) as both:
            before = counted(server)
            assert (
                before["whistlestop_tables_opened_total"],
                before["whistlestop_tables"],
                before["whistlestop_sockets"],
            ) == (1, 1, 2)
            for client, line in zip(pair, both, strict=True):
                frame = client.view()
                assert line.ask("act", n=frame["n"], action=frame["options"]["keep"][0]["id"])["t"] == "ok"
            assert both[0].ask("act", n=0, action=99_999)["t"] == "error"
        wait_until(lambda: counted(server)["whistlestop_sockets"] == 0)
        wait_until(lambda: pair[0].data()["to_move"][0] < len(pair))  # the bot has nothing more to do
        after = counted(server)
        assert after['whistlestop_actions_total{by="person"}'] == 2
        assert after['whistlestop_actions_total{by="bot"}'] >= 1
        assert (
            sum(n for name, n in after.items() if name.startswith("whistlestop_actions_total")) == pair[0].data()["n"]
        )
        assert sum(n for name, n in after.items() if name.startswith("whistlestop_refused_total")) == 1
        assert after["whistlestop_bot_seconds_count"] >= 1
        assert sum(n for name, n in after.items() if name.startswith("whistlestop_bot_failures_total")) == 0
        assert after["whistlestop_action_seconds_count"] == 2


# ---- health ---------------------------------------------------------------------------------------------------------
def test_a_server_that_warms_up_says_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    go = asyncio.Event()
    compiled = warm_up

    async def slowly(progress: WarmUpProgress) -> None:
        progress.done, progress.total, progress.what = 3, 20, "rules"
        await go.wait()
        await compiled(progress)

    monkeypatch.setattr(app_module, "warm_up", slowly)
    server = ServerThread(tmp_path)
    server.start(ready=False)
    try:
        wait_until(lambda: get(server, "/health").json()["done"] == 3)
        health = checked(get(server, "/health").content, messages.Health)
        assert (health["status"], health["done"], health["total"], health["what"]) == ("warming", 3, 20, "rules")
        answer = httpx.post(f"{server.url}/api/tables", json={}, trust_env=False, verify=False)
        assert refusal(answer) == (503, "warming")
        assert refusal(get(server, "/api/tables/nowhere123")) == (503, "warming")
        assert get(server, "/api/editions").status_code == 200, "boards can be looked at meanwhile"
        with pytest.raises(InvalidStatus):
            Connection(server.url, "nowhere123")

        async def let_go() -> None:
            go.set()

        server.run(let_go)
        wait_until(lambda: get(server, "/health").json()["status"] == "ready")
        assert open_table(server.url).view()["n"] >= 0
    finally:
        server.stop()


# ---- faults ---------------------------------------------------------------------------------------------------------
def test_bots_go_on_after_a_fault_of_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real, due, faults = Store.append, 3, iter((5, 6, 40))

    async def append(self: Store, of: str, number: int, *rest: Any) -> None:
        nonlocal due
        if number == due:
            due = next(faults, 0)
            raise OSError("no space left on device")
        await real(self, of, number, *rest)

    monkeypatch.setattr(Store, "append", append)
    monkeypatch.setattr(bot_play, "RETRY_SECONDS", 0.01)
    with ServerThread(tmp_path) as server:
        client = open_table(server.url, "europe", "casual", "random")
        wait_until(lambda: client.data()["status"] == "over")
        assert due == 0, "all faults came"


# ---- the page -------------------------------------------------------------------------------------------------------
def test_the_page_of_a_table_names_what_it_will_need(tmp_path: Path) -> None:
    with ServerThread(tmp_path) as server:
        client = open_table(server.url, "germany", "me", "casual")
        links = get(server, f"/t/{client.table}").headers["link"]
        assert "/api/editions/germany/board" in links
        needed = re.findall(r"<(/[^>]+)>", links)
        assert [get(server, path).status_code for path in needed] == [200] * len(needed)
        assert any("Play" in path and path.endswith(".js") for path in needed)
        assert "board" not in get(server, "/t/nosuchtable").headers["link"]
        assert "link" not in get(server, "/").headers
