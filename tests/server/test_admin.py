"""Orders of the server's host: over the socket and over HTTP, what they change, and that nobody else can give them."""

from __future__ import annotations

import json
import sqlite3
import stat
import tempfile
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from support.clients import Client, Data, ServerThread, chosen, open_table, people, refusal, wait_until
from whistlestop.cli import run
from whistlestop.server.bans import Bans, network_of
from whistlestop.server.refusals import RequestError
from whistlestop.server.side_servers import AddressUnusable, unix_socket

TOKEN = "0123456789abcdef" * 4
FAR = "203.0.113.7"


@pytest.fixture(scope="module")
def hosted() -> Iterator[ServerThread]:
    """A server behind a proxy that takes orders at a socket and with a token."""
    with tempfile.TemporaryDirectory(prefix="ws") as folder:  # a socket's path must be short
        path = Path(folder)
        more = {"admin_socket": path / "a.sock", "admin_token": TOKEN, "trusted_proxies": ("127.0.0.1",)}
        with ServerThread(path / "data", **more) as server:
            yield server


class Host:
    """The host at the command line."""

    def __init__(self, server: ServerThread, capsys: pytest.CaptureFixture[str]) -> None:
        self._where = ["admin", "--socket", str(server.settings.admin_socket)]
        self._capsys = capsys

    def __call__(self, *args: str) -> str:
        """What a good order prints."""
        code, out, err = self.try_to(*args)
        assert (code, err) == (0, "")
        return out

    def data(self, *args: str) -> Any:
        """The same as data."""
        return json.loads(self(*args, "--json"))

    def try_to(self, *args: str) -> tuple[int, str, str]:
        """Exit code, output and errors of an order."""
        code = run([*self._where, *args])
        return code, *self._capsys.readouterr()


@pytest.fixture
def host(hosted: ServerThread, capsys: pytest.CaptureFixture[str]) -> Host:
    return Host(hosted, capsys)


def rows_of(server: ServerThread, table: str) -> dict[str, int]:
    """How many rows the database has of a table."""
    with closing(sqlite3.connect(server.settings.data_dir / "whistlestop.db", timeout=30)) as database:
        return {
            name: database.execute(f"select count(*) from {name} where {key} = ?", (table,)).fetchone()[0]
            for name, key in (("tables", "id"), ("actions", "table_id"), ("keys", "table_id"), ("chat", "table_id"))
        }


def played(server: ServerThread) -> list[Client]:
    """A table of two with an action of each and a line of chat."""
    pair = people(server.url, "europe", 2)
    for client in pair:
        frame = client.view()
        client.act(frame["n"], next(iter(frame["options"]["keep"]))["id"])
    pair[0].ask("POST", "/chat", json={"text": "hello"})
    assert rows_of(server, pair[0].table) == {"tables": 1, "actions": 2, "keys": 2, "chat": 1}
    return pair


# ---- who may give orders --------------------------------------------------------------------------------------------
def test_without_socket_and_token_there_is_nothing(server: ServerThread) -> None:
    table = open_table(server.url).table
    for method, path in (
        ("GET", "/tables"), ("GET", "/statistics"), ("GET", "/bans"), ("POST", "/bans"),
        ("POST", f"/tables/{table}/close"), ("DELETE", f"/tables/{table}"),
    ):  # fmt: skip
        answer = httpx.request(
            method, f"{server.url}/api/admin{path}", headers={"authorization": f"Bearer {TOKEN}"}, trust_env=False
        )
        assert refusal(answer) == (404, "http_404")
    assert server.hall.in_memory(table) is not None


@pytest.mark.parametrize(
    "sent", [None, "", "Bearer x", f"Bearer {TOKEN[:-1]}", f"Bearer {TOKEN}x", f"Basic {TOKEN}", TOKEN]
)
def test_a_wrong_token_is_refused(hosted: ServerThread, sent: str | None) -> None:
    headers = [] if sent is None else [(b"authorization", sent.encode("latin-1"))]
    address = f"{hosted.url}/api/admin/statistics"
    assert refusal(httpx.get(address, headers=headers, trust_env=False)) == (403, "wrong_token")
    in_address = httpx.get(address, params={"token": TOKEN, "authorization": f"Bearer {TOKEN}"}, trust_env=False)
    assert refusal(in_address) == (403, "wrong_token")


def test_the_right_token_gives_orders(hosted: ServerThread, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "token.txt"
    file.write_text(TOKEN + "\n")
    file.chmod(0o600)
    where = ["admin", "--server", hosted.url, "--token-file", str(file)]
    assert run([*where, "stats", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["now"]["failed_writes"] == 0
    file.chmod(0o644)
    assert run([*where, "stats"]) == 2
    assert "others can read" in capsys.readouterr().err
    assert TOKEN not in repr(hosted.settings)


def test_the_socket_is_its_owners_alone(hosted: ServerThread) -> None:
    assert hosted.settings.admin_socket is not None
    found = hosted.settings.admin_socket.stat().st_mode
    assert stat.S_ISSOCK(found)
    assert stat.S_IMODE(found) == 0o600


def test_a_socket_is_not_taken_from_another_server(hosted: ServerThread, tmp_path: Path) -> None:
    assert hosted.settings.admin_socket is not None
    with pytest.raises(AddressUnusable, match="another server"):
        unix_socket(hosted.settings.admin_socket)
    other = tmp_path / "letter.txt"
    other.write_text("dear diary")
    with pytest.raises(AddressUnusable, match="no socket"):
        unix_socket(other)
    assert other.read_text() == "dear diary"


def test_what_a_killed_server_left_is_replaced() -> None:
    with tempfile.TemporaryDirectory(prefix="ws") as folder:
        path = Path(folder) / "a.sock"
        unix_socket(path).close()
        assert path.exists()
        unix_socket(path).close()


def test_an_error_is_a_sentence_with_a_hint(host: Host, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert host.try_to("table", "nosuchtable") == (
        1, "", "error: there is no table nosuchtable\nhint: see the list of tables\n"
    )  # fmt: skip
    assert host.try_to("tables", "--status", "wating")[0] == 2
    assert run(["admin", "--socket", str(tmp_path / "none.sock"), "stats"]) == 1
    assert "no server answers" in capsys.readouterr().err


# ---- tables ---------------------------------------------------------------------------------------------------------
def test_tables_are_listed_and_shown(hosted: ServerThread, host: Host) -> None:
    waiting = open_table(hosted.url, "usa", "me", "open", "random")
    playing = played(hosted)[0]
    listed = {row["id"]: row for row in host.data("tables", "--limit", "1000")}
    assert listed[waiting.table]["status"] == "waiting"
    assert listed[playing.table] | {"status": "playing", "edition": "europe", "actions": 2} == listed[playing.table]
    assert waiting.table not in {row["id"] for row in host.data("tables", "--status", "playing", "--limit", "1000")}
    assert len(host.data("tables", "--limit", "1")) == 1
    lines = host("tables", "--status", "waiting").splitlines()
    assert lines[0].split() == ["table", "status", "edition", "seats", "actions", "opened", "last", "sockets"]
    assert any(line.startswith(waiting.table) and "1 person, 1 bot, 1 open" in line for line in lines)
    shown = host("table", playing.table)
    assert "lines of chat" in shown
    assert "Player 2" in shown
    every = host.data("table", playing.table)
    assert (every["chat"], every["keys"]) == (1, 2)
    assert not {"seed", "salt", "watch", "hash"} & every.keys()


def test_a_closed_table_takes_no_action_and_says_why(hosted: ServerThread, host: Host) -> None:
    pair = played(hosted)
    frame = next(client.view() for client in pair if client.view()["options"])
    before = rows_of(hosted, pair[0].table)
    with pair[0].connect() as line:
        host("close", pair[0].table)
        told = line.until(lambda m: m["t"] == "error")
        assert (told["code"], told["message"]) == ("closed", "whoever runs this server has closed this table")
        assert line.closed() == 4410
    for client in pair:
        action = {"n": frame["n"], "action": chosen(frame, Random(1))}
        assert client.refused("POST", "/actions", json=action) == (410, "closed")
        assert client.refused("POST", "/chat", json={"text": "hm"}) == (410, "closed")
        assert client.refused("GET", "/view") == (410, "closed")
    assert rows_of(hosted, pair[0].table) == before
    assert host.data("table", pair[0].table)["status"] == "closed"
    assert host.try_to("close", pair[0].table)[0] == 1


def test_a_closed_table_waits_for_nobody(hosted: ServerThread, host: Host) -> None:
    table = open_table(hosted.url, "usa", "me", "open")
    host("close", table.table)
    answer = httpx.post(f"{hosted.url}/api/tables/{table.table}/join", json={"name": "Late"}, trust_env=False)
    assert refusal(answer) == (410, "closed")


def test_who_waits_for_news_hears_of_the_end(hosted: ServerThread, host: Host) -> None:
    pair = people(hosted.url, "europe", 2)
    frame = pair[0].view()
    pair[0].act(frame["n"], frame["options"]["keep"][0]["id"])
    heard: list[tuple[int, str]] = []
    waits = threading.Thread(
        target=lambda: heard.append(pair[0].refused("GET", "/view", params={"known": 1, "wait": 30}))
    )
    waits.start()
    table = hosted.hall.in_memory(pair[0].table)
    assert table is not None
    wait_until(lambda: table.presence._asking[0] > 0)
    host("close", pair[0].table)
    waits.join(20)
    assert heard == [(410, "closed")]


def test_bots_stop_at_a_closed_table(hosted: ServerThread, host: Host) -> None:
    table = open_table(hosted.url, "europe", "me", "random", pace="calm")
    kept = hosted.hall.in_memory(table.table)
    assert kept is not None
    host("close", table.table)
    before = rows_of(hosted, table.table)["actions"]
    kept.wake()
    assert kept.playing is None
    assert rows_of(hosted, table.table)["actions"] == before


def test_a_deleted_table_leaves_nothing(hosted: ServerThread, host: Host) -> None:
    pair = played(hosted)
    code, _, err = host.try_to("delete", pair[0].table)
    assert (code, err) == (2, "error: nothing was deleted\nhint: say --yes if you mean it\n")
    with pair[1].connect() as line:
        host("delete", pair[0].table, "--yes")
        assert "deleted" in line.until(lambda m: m["t"] == "error")["message"]
        assert line.closed() == 4404
    assert rows_of(hosted, pair[0].table) == {"tables": 0, "actions": 0, "keys": 0, "chat": 0}
    assert pair[0].refused("GET", "") == (404, "no_such_table")
    assert host.try_to("delete", pair[0].table, "--yes")[0] == 1


def test_a_table_that_cannot_be_read_can_be_deleted(hosted: ServerThread, host: Host) -> None:
    table = open_table(hosted.url, "usa", "me", "open").table
    kept = hosted.hall.in_memory(table)
    assert kept is not None

    async def forget() -> None:
        hosted.hall.forget(kept)

    hosted.run(forget)
    with closing(sqlite3.connect(hosted.settings.data_dir / "whistlestop.db", timeout=30)) as database:
        database.execute("update tables set edition = 'atlantis' where id = ?", (table,))
        database.commit()
    host("delete", table, "--yes")
    assert rows_of(hosted, table)["tables"] == 0


def test_a_new_link_for_spectators_closes_the_old_one(hosted: ServerThread, host: Host) -> None:
    pair = played(hosted)
    with pair[0].spectator().connect() as spectator, pair[0].connect() as player:
        new = host.data("new-link", pair[0].table)["watch"]
        assert spectator.closed() == 4403
        assert spectator.got[-1]["code"] == "wrong_key"
        assert player.closed() == 1012  # it comes back and learns the new link
    assert new != pair[0].watch
    assert pair[0].spectator().refused("GET", "/view") == (403, "wrong_key")
    with pair[0].connect() as player:
        assert player.got[0]["watch"] == new
    with Client(hosted.url, pair[0].table, new).connect() as spectator:
        assert spectator.frame()["seat"] is None


# ---- bans -----------------------------------------------------------------------------------------------------------
def asked_from(server: ServerThread, address: str, path: str = "/api/editions") -> int:
    """The status of an answer to somebody far away."""
    headers = {"x-forwarded-for": address}
    return httpx.get(f"{server.url}{path}", headers=headers, trust_env=False).status_code


def socket_from(server: ServerThread, client: Client, address: str) -> Any:
    """A socket of somebody far away."""
    url = f"{server.url.replace('http', 'ws')}/api/tables/{client.table}/live"
    return connect(url, additional_headers={"x-forwarded-for": address}, proxy=None)


def closed_with(line: Any) -> tuple[int, list[Data]]:
    """The code of a socket's end, and what came before it."""
    heard = []
    try:
        while True:
            heard.append(json.loads(line.recv(20)))
    except ConnectionClosed as closed:
        return (closed.rcvd.code if closed.rcvd else 1006), heard


@pytest.mark.parametrize(
    ("banned", "inside", "outside"),
    [
        (FAR, FAR, "203.0.113.8"),
        ("198.51.100.0/24", "198.51.100.200", "198.51.101.1"),
        ("2001:db8:1:2::5", "2001:db8:1:2:ffff::1", "2001:db8:1:3::5"),
        ("2001:db8:7::/48", "2001:db8:7:9::1", "2001:db8:8::1"),
        ("192.0.2.9", "::ffff:192.0.2.9", "192.0.2.10"),
    ],
)
def test_who_is_banned_gets_nothing_until_unbanned(
    hosted: ServerThread, host: Host, banned: str, inside: str, outside: str
) -> None:
    client = open_table(hosted.url)
    assert asked_from(hosted, inside) == 200
    with socket_from(hosted, client, inside) as line:
        line.send(json.dumps({"t": "hello", "key": client.key}))
        assert json.loads(line.recv(20))["t"] == "welcome"
        assert host.data("ban", banned, "--note", "floods")["sockets"] == 1
        code, heard = closed_with(line)
    assert (code, heard[-1]["code"]) == (4403, "banned")
    for path in ("/", "/api/editions", "/docs"):
        assert asked_from(hosted, inside, path) == 403
    with socket_from(hosted, client, inside) as line:
        assert closed_with(line)[0] == 4403
    assert asked_from(hosted, outside) == 200
    assert [row["note"] for row in host.data("bans")] == ["floods"]
    host("unban", banned)
    assert asked_from(hosted, inside) == 200
    assert host.data("bans") == []


def test_bans_outlive_the_server(folder: Path) -> None:
    more = {"admin_token": TOKEN, "trusted_proxies": ("127.0.0.1",)}
    with ServerThread(folder, **more) as server:
        answer = httpx.post(
            f"{server.url}/api/admin/bans", json={"network": FAR}, headers={"authorization": f"Bearer {TOKEN}"},
            trust_env=False,
        )  # fmt: skip
        assert answer.status_code == 200
        assert asked_from(server, FAR) == 403
    with ServerThread(folder, **more) as again:
        assert asked_from(again, FAR) == 403
        assert asked_from(again, "203.0.113.8") == 200


def test_the_machine_and_its_proxy_cannot_be_banned(hosted: ServerThread, host: Host) -> None:
    for network in ("127.0.0.1", "0.0.0.0/0", "::1", "::/0"):
        code, _, err = host.try_to("ban", network)
        assert code == 1
        assert "this machine or its proxy" in err
    assert "no address" in host.try_to("ban", "nonsense")[2]
    assert asked_from(hosted, FAR) == 200


def test_networks_are_read_as_clients_are_named() -> None:
    assert str(network_of("2001:db8::1")) == "2001:db8::/64"
    assert str(network_of("2001:db8::1/128")) == "2001:db8::/64"
    assert str(network_of("203.0.113.9/24")) == "203.0.113.0/24"
    with pytest.raises(RequestError):
        network_of("203.0.113.300")
    bans = Bans(["10.0.0.0/8", "unix"])
    bans.replace(["203.0.113.0/24"])
    assert bans.covers("203.0.113.9")
    assert not bans.covers("unknown")
    assert not bans.covers("::/64")
    with pytest.raises(RequestError):
        bans.check(network_of("10.1.2.3"))


# ---- numbers --------------------------------------------------------------------------------------------------------
def test_statistics_count_what_there_is(hosted: ServerThread, host: Host) -> None:
    before = host.data("stats")
    played(hosted)
    open_table(hosted.url, "usa", "me", "open")
    after = host.data("stats")
    assert after["tables"]["playing"] == before["tables"]["playing"] + 1
    assert after["tables"]["waiting"] == before["tables"]["waiting"] + 1
    assert after["editions"]["usa"] == before["editions"].get("usa", 0) + 1
    assert after["actions"]["people"] == before["actions"]["people"] + 2
    assert after["chat"] == before["chat"] + 1
    assert after["database_bytes"] > 10_000
    assert after["now"]["tables_in_memory"] >= 2
    assert "actions by people" in host("stats")
