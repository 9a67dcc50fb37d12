"""Guests who mean harm, within the limits or without any key: the others notice nothing."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from support.clients import UNLIMITED, Client, Connection, ServerThread, open_table, people, seats, wait_until
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import add_pack, load_edition
from whistlestop.server import live
from whistlestop.server.rate_limits import client_name
from whistlestop.server.settings import Limits

Strict = Callable[..., ServerThread]


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Strict]:
    """Servers with few limits of their own."""
    running: list[ServerThread] = []

    def start(settings: dict[str, Any] | None = None, **limits: Any) -> ServerThread:
        folder = tmp_path / f"server{len(running)}"
        running.append(ServerThread(folder, limits=replace(UNLIMITED, **limits), **(settings or {})).start())
        return running[-1]

    yield start
    for server in running:
        server.stop()


# ---- connections ----------------------------------------------------------------------------------------------------
def silent(server: ServerThread) -> socket.socket:
    """A connection that asks for nothing."""
    return socket.create_connection(("127.0.0.1", server.port), 5)


def is_closed(connection: socket.socket, seconds: float = 5.0) -> bool:
    """Whether the server hangs up within a time."""
    connection.settimeout(seconds)
    try:
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


def test_a_connection_that_asks_for_nothing_is_closed_and_one_that_asks_slowly_too(strict: Strict) -> None:
    server = strict(first_request_seconds=0.5)
    with silent(server) as quiet, silent(server) as slow:
        slow.send(b"GET /health HTTP/1.1\r\nhost: x\r\n")
        assert is_closed(quiet)
        assert is_closed(slow)
    client = people(server.url, "usa", 2)[0]
    with client.connect() as line:  # a socket that has said hello is no such connection
        time.sleep(0.7)
        assert line.ask("ping")["t"] == "pong"


def test_one_address_has_few_silent_connections_and_others_are_served(strict: Strict) -> None:
    server = strict(silent_connections=5, first_request_seconds=30.0)
    opened = [silent(server) for _ in range(12)]
    try:
        closed = [is_closed(connection, 0.3) for connection in opened]
        assert closed == [False] * 5 + [True] * 7
    finally:
        for connection in opened:
            connection.close()
    wait_until(lambda: httpx.get(f"{server.url}/health").json()["status"] == "ready")


# ---- limits over all sockets of an address --------------------------------------------------------------------------
def test_all_sockets_of_an_address_share_one_limit(strict: Strict) -> None:
    server = strict(messages_a_second=0.6)  # three at once, two of which are hellos
    client = people(server.url, "usa", 2)[0]
    with client.connect() as one, client.connect() as other:
        answers = [line.ask("ping") for _ in range(3) for line in (one, other)]
        assert answers[0]["t"] == "pong"
        assert [answer.get("code") for answer in answers[-4:]] == ["rate"] * 4
        with Connection(server.url, client.table) as third:  # coming anew does not help
            third.send(t="hello", key=client.key)
            assert third.closed() == live.CLOSED_BUSY


def test_sockets_that_come_again_and_again_have_an_end(strict: Strict) -> None:
    server = strict(requests_a_second=1.0, hello_seconds=0.05)  # ten at once
    client = people(server.url, "usa", 2)[0]
    codes = []
    for _ in range(15):
        with Connection(server.url, client.table) as line:
            codes.append(line.closed())
    assert codes[0] == live.CLOSED_NONSENSE, "it said nothing"
    assert live.CLOSED_BUSY in codes


def test_clients_are_addresses_or_networks_of_64_bits() -> None:
    assert client_name("203.0.113.7") == "203.0.113.7"
    assert client_name("::ffff:203.0.113.7") == "203.0.113.7"
    assert client_name("2001:db8:1:2:3:4:5:6") == client_name("2001:db8:1:2::1") == "2001:db8:1:2::/64"
    assert client_name("2001:db8:1:3::1") != client_name("2001:db8:1:2::1")
    assert client_name("a socket file") == "a socket file"


def codes(server: ServerThread, forwarded: Callable[[int], str], n: int = 60) -> list[int]:
    """Answers to requests that say where they come from."""
    with httpx.Client(base_url=server.url, trust_env=False) as http:
        return [http.get("/api/editions", headers={"x-forwarded-for": forwarded(i)}).status_code for i in range(n)]


def test_behind_a_proxy_the_last_hop_that_is_not_trusted_counts(strict: Strict) -> None:
    server = strict({"trusted_proxies": ("127.0.0.1", "10.0.0.0/8")}, requests_a_second=1.0)
    assert set(codes(server, lambda i: f"198.51.100.{i}, 10.1.2.3")) == {200}, "sixty clients"
    assert 429 in codes(server, lambda i: f"192.0.2.{i}, 198.51.100.99"), "one client that says it is many"
    assert 429 in codes(server, lambda _: "198.51.100.98")


def test_without_a_trusted_proxy_nobody_can_say_who_they_are(strict: Strict) -> None:
    server = strict(requests_a_second=1.0)
    assert 429 in codes(server, lambda i: f"198.51.100.{i}")


# ---- noise ----------------------------------------------------------------------------------------------------------
def test_a_flood_of_hellos_is_gathered(strict: Strict) -> None:
    server = strict()
    host, guest = people(server.url, "usa", 2)
    with host.connect() as quiet, guest.connect() as noisy:
        quiet.quiet()
        for _ in range(100):
            noisy.send(t="hello", key=guest.key)
        heard = [message for message in quiet.quiet(0.6) if message["t"] == "table"]
        assert 1 <= len(heard) <= 10


def test_chat_and_reactions_of_a_seat_are_limited_together(strict: Strict) -> None:
    server = strict(chat_a_second=0.01)
    host, guest = people(server.url, "usa", 2)
    with host.connect() as one, host.connect() as other, guest.connect() as third:
        wishes = [{"t": "say", "text": "hey"}, {"t": "react", "reaction": "wow"}]
        answers = [line.ask(**wish) for _ in range(4) for line in (one, other) for wish in wishes]
        assert [answer["t"] for answer in answers] == ["ok"] * 10 + ["error"] * 6
        assert host.refused("POST", "/chat", json={"text": "hey"}) == (429, "rate")
        assert third.ask("say", text="the other seat may")["t"] == "ok"


def test_chat_has_an_end_and_newcomers_get_the_last_of_it(strict: Strict) -> None:
    server = strict(chat_lines=30, chat_shown=5)
    host, guest = people(server.url, "usa", 2)
    with host.connect() as line:
        answers = [line.ask("say", text=f"line {i}") for i in range(32)]
    assert [answer.get("code") for answer in answers] == [None] * 30 + ["chat_full"] * 2
    with guest.connect() as late:
        assert [line["text"] for line in late.got[0]["chat"]] == [f"line {i}" for i in range(25, 30)]
    assert len(host.ask("GET", "/chat").json()) == 30


def test_a_socket_that_never_reads_is_cut_off_by_bytes(strict: Strict) -> None:
    server = strict(queued_bytes=200_000)
    host, guest = people(server.url, "usa", 2)
    with Connection(server.url, guest.table, queue=1) as deaf:  # what comes beyond stays on the line
        deaf.hello(guest.key)
        table = server.hall.in_memory(host.table)
        assert table is not None
        message = {"t": "chat", "n": 1, "seat": 0, "name": "x", "text": "x" * 100_000, "at": 1.0}

        async def shout() -> None:
            for _ in range(300):
                table.listeners.send(message)

        server.run(shout)
        assert deaf.closed() == live.CLOSED_SLOW
        assert sum(len(raw) for raw in deaf.raw) < 20_000_000, "what the system takes at once, and not all"
    with host.connect() as again:
        assert again.ask("ping")["t"] == "pong"


def test_rematches_count_as_tables_that_are_opened(strict: Strict) -> None:
    server = strict(tables_an_hour=1)
    client = open_table(server.url, "usa", "me", "random")
    client.ask("POST", "/seats/0/leave")
    wait_until(lambda: client.data()["status"] == "over")
    for _ in range(12):
        answer = client.ask("POST", "/rematch", json={})
        if answer.status_code == 429:
            break
        client = Client(server.url, answer.json()["table"], client.key)
        client.ask("POST", "/seats/0/leave")
        wait_until(lambda: client.data()["status"] == "over")  # noqa: B023  (asked at once)
    else:
        raise AssertionError("a chain without end")


def test_the_usual_limits_let_a_household_play() -> None:
    """A dozen people behind one address, each acting once a second, and a class that comes in at once."""
    usual = Limits()
    assert usual.messages_a_second >= 3 * 12
    assert usual.sockets >= 2 * 24
    assert usual.silent_connections >= usual.sockets


def test_tables_with_packs_of_their_own_have_an_end(strict: Strict) -> None:
    server = strict(pack_tables=2)

    def opened(points: int) -> int:
        pack = {"name": "Mine", "tickets": [{"from": "Chicago", "to": "Miami", "points": points}]}
        body = {"edition": "usa", "seats": seats("me", "open"), "packs": [pack]}
        return httpx.post(f"{server.url}/api/tables", json=body, trust_env=False).status_code

    assert [opened(points) for points in range(5, 9)] == [201, 201, 503, 503]
    assert open_table(server.url).data()["status"] == "playing"


def test_a_hundred_packs_of_one_name_do_not_slow_each_other_down() -> None:
    base = load_edition("usa")
    tickets = [{"from": "Chicago", "to": "Miami", "points": points} for points in range(1, 21)]
    packs: list[dict[str, Any]] = [{"name": "Mine", "tickets": [ticket]} for ticket in tickets]
    packs += [{"name": f"Mine {i}", "tickets": tickets[:1]} for i in range(100)]
    made = [add_pack(base, pack) for pack in packs]
    assert len({hash(edition) for edition in made}) == len(made)
    first = [tables_of(edition) for edition in made]
    assert all(tables_of(edition) is tables for edition, tables in zip(made, first, strict=True))
