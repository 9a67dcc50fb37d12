"""Whatever comes in: a clear answer for the sender, nothing for the others, and the table lives on."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.exceptions import ConnectionClosed, InvalidStatus

from support.clients import (
    UNLIMITED,
    Client,
    Connection,
    Data,
    ServerThread,
    checked,
    chosen,
    connections,
    open_table,
    people,
    refusal,
    seats,
    wait_until,
)
from support.scale import SCALE
from whistlestop.server import live, messages
from whistlestop.server.settings import Limits


@pytest.fixture
def pair(server: ServerThread) -> list[Client]:
    """Two people at a table; it is the first one's turn."""
    both = people(server.url, "usa", 2, first=0)
    for client in both:
        frame = client.view()
        client.act(frame["n"], frame["options"]["keep"][0]["id"])
    return both


def unharmed(pair: list[Client], other: Connection, n: int) -> None:
    """Nothing reached the other player, and the game goes on."""
    assert [m for m in other.quiet(0.1) if m["t"] not in ("table",)] == []
    frame = pair[0].view()
    assert frame["n"] == n
    assert pair[0].act(n, frame["options"]["draw_blind"]) == n + 1
    assert other.frame(n + 1)["n"] == n + 1


# ---- messages over a socket -----------------------------------------------------------------------------------------
BAD_MESSAGES: dict[str, Any] = {
    "no JSON": "{nonsense",
    "nothing": "",
    "a number": "5",
    "a list": "[]",
    "null": "null",
    "no kind": "{}",
    "an unknown kind": '{"t": "cheat"}',
    "a kind that is no text": '{"t": 5}',
    "half of an action": '{"t": "act"}',
    "an action of the wrong type": '{"t": "act", "n": 2, "action": {"id": 3}}',
    "an action as a list": '{"t": "act", "n": 2, "action": [1]}',
    "a fraction": '{"t": "act", "n": 2.5, "action": 1}',
    "a negative number": '{"t": "act", "n": -1, "action": 1}',
    "a huge number": '{"t": "act", "n": 2, "action": 1e400}',
    "a number of many digits": '{"t": "act", "n": 2, "action": ' + "9" * 4000 + "}",
    "not a number": '{"t": "act", "n": NaN, "action": 1}',
    "an unknown field": '{"t": "ping", "sudo": true}',
    "a seat that is not there": '{"t": "sit", "seat": 7}',
    "deep nesting": '{"t": "say", "text": ' + "[" * 5000 + "]" * 5000 + "}",
    "deep objects": '{"a":' * 2000 + "1" + "}" * 2000,
    "a half character": '{"t": "say", "text": "\\ud800"}',
    "binary": b"\x00\x01\x02",
    "binary JSON": b'{"t": "ping"}',
}


@pytest.mark.parametrize("what", BAD_MESSAGES)
def test_a_bad_message_is_answered_and_harms_nobody(pair: list[Client], what: str) -> None:
    n = pair[0].view()["n"]
    with connections(*pair) as (bad, other):
        other.quiet(0.05)
        bad.socket.send(BAD_MESSAGES[what])
        answer = bad.until(lambda m: m["t"] == "error")
        assert answer["code"] == "malformed", answer
        assert answer["message"]
        assert bad.ask("ping")["t"] == "pong", "the socket still works"
        unharmed(pair, other, n)


def test_the_answer_to_a_bad_message_names_its_reference(pair: list[Client]) -> None:
    with pair[0].connect() as line:
        line.send(t="act", ref=77)
        assert line.until(lambda m: m["t"] == "error")["ref"] == 77
        line.send(t="nonsense", ref="x")
        assert line.until(lambda m: m["t"] == "error")["ref"] is None


def test_a_message_that_is_too_large_ends_the_socket_only(pair: list[Client]) -> None:
    n = pair[0].view()["n"]
    with connections(*pair) as (bad, other):
        other.quiet(0.05)
        bad.socket.send(json.dumps({"t": "say", "text": "x" * 100_000}))
        assert bad.closed() == 1009
        unharmed(pair, other, n)


def test_whoever_goes_on_with_nonsense_is_let_go(server: ServerThread, pair: list[Client]) -> None:
    n = pair[0].view()["n"]
    with connections(*pair) as (bad, other):
        other.quiet(0.05)
        for _ in range(server.settings.limits.refused_in_a_row):
            bad.socket.send("nonsense")
        assert bad.closed() == 1008
        assert sum(m["t"] == "error" for m in bad.got) == server.settings.limits.refused_in_a_row, "each was answered"
        unharmed(pair, other, n)


# ---- hello ----------------------------------------------------------------------------------------------------------
def hello_refused(server: ServerThread, table: str, *sent: str | bytes) -> tuple[str, int]:
    """Code of the refusal and of the end of a socket that begins badly."""
    with Connection(server.url, table) as line:
        for message in sent:
            line.socket.send(message)
        code = line.closed()
        return line.got[-1]["code"], code


def test_a_socket_must_say_hello_rightly(server: ServerThread, pair: list[Client]) -> None:
    table = pair[0].table
    assert hello_refused(server, table, '{"t": "ping"}') == ("no_hello", 1008)
    assert hello_refused(server, table, "nonsense") == ("malformed", 1008)
    assert hello_refused(server, table, b"\x00") == ("malformed", 1008)
    assert hello_refused(server, table, '{"t": "hello", "key": "wrong-key-here"}') == (
        "wrong_key",
        live.CLOSED_FORBIDDEN,
    )
    assert hello_refused(server, table, '{"t": "hello", "key": "ключ-ключ"}') == ("malformed", 1008)
    assert hello_refused(server, "nowhere123", '{"t": "hello"}') == ("no_such_table", live.CLOSED_UNKNOWN)
    assert hello_refused(server, "%00%ff'--", '{"t": "hello"}') == ("no_such_table", live.CLOSED_UNKNOWN)
    assert hello_refused(server, table, json.dumps({"t": "hello", "key": open_table(server.url).key})) == (
        "wrong_key",
        live.CLOSED_FORBIDDEN,
    )


def test_a_socket_that_says_nothing_is_closed(tmp_path: Path) -> None:
    with ServerThread(tmp_path, limits=replace(UNLIMITED, hello_seconds=0.2)) as quick:
        assert hello_refused(quick, open_table(quick.url).table) == ("no_hello", 1008)


def test_a_socket_that_hangs_up_at_once_is_no_error(
    server: ServerThread, pair: list[Client], caplog: pytest.LogCaptureFixture
) -> None:
    Connection(server.url, pair[0].table).close()
    with Connection(server.url, pair[0].table) as line:
        line.socket.socket.close()
    n = pair[0].view()["n"]
    with pair[1].connect() as other:
        other.quiet(0.05)
        unharmed(pair, other, n)
    assert not [record for record in caplog.records if record.levelname == "ERROR"]


def test_without_a_key_there_is_no_game_whatever_is_said_later(server: ServerThread, pair: list[Client]) -> None:
    with Connection(server.url, pair[0].table).hello(None) as line:
        assert line.got[0]["watch"] is None
        assert line.ask("hello", key="some-other-key")["code"] == "wrong_key"
        assert line.ask("hello", key=None)["t"] == "ok"
        assert line.ask("sit", seat=0)["code"] == "no_seat"
        frame = pair[0].view()
        pair[0].act(frame["n"], frame["options"]["draw_blind"])
        assert {m["t"] for m in [*line.got, *line.quiet()]} <= {"welcome", "table", "error", "ok"}
        assert line.ask("hello", key=pair[0].watch)["t"] == "ok"
        assert any(m["t"] == "frame" and m["seat"] is None for m in line.got), "with the spectators' key there is"


# ---- HTTP -----------------------------------------------------------------------------------------------------------
def test_bad_requests_are_answered(server: ServerThread, pair: list[Client]) -> None:
    client, n = pair[0], pair[0].view()["n"]
    with pair[1].connect() as other:
        other.quiet(0.05)
        for body in (
            "{nonsense",
            "[]",
            "null",
            '{"n": "x", "action": 1}',
            '{"n": 1}',
            "[" * 5000,
            '{"n": 1, "action": 1, "more": 2}',
            "",
        ):
            assert (
                refusal(client.ask("POST", "/actions", content=body, headers={"content-type": "application/json"}))[1]
                == "malformed"
            ), body
        large = client.ask(
            "POST", "/chat", content=json.dumps({"text": "x" * 200_000}), headers={"content-type": "application/json"}
        )
        assert refusal(large) == (413, "too_large")
        for header in ("Basic abc", "Bearer", "Bearer short", "Bearer " + "x" * 65, "Bearer with space in it"):
            answer = client.ask("GET", "/view", headers={"authorization": header})
            assert refusal(answer) == (403, "wrong_key"), header
        assert Client(server.url, client.table, "wrong-key-here").refused("GET", "/view") == (403, "wrong_key")
        assert Client(server.url, "nowhere123", client.key).refused("GET", "/view") == (404, "no_such_table")
        assert Client(server.url, "x" * 21, client.key).refused("GET", "/view") == (422, "malformed")
        assert client.refused("GET", "/view", params={"wait": 31}) == (422, "malformed")
        assert client.refused("GET", "/view", params={"known": -1}) == (422, "malformed")
        assert client.refused("GET", "/nothing") == (404, "http_404")
        assert client.refused("DELETE", "") == (405, "http_405")
        unharmed(pair, other, n)


def test_script_is_passed_on_as_plain_text(server: ServerThread) -> None:
    name = "<script>alert(1)</script>"[:24]
    host = open_table(server.url, "usa", "me", "open", start=False)
    guest = host.join(name)
    host.good(messages.TableData, "POST", "/start", json={})
    guest.good(messages.Ok, "POST", "/chat", json={"text": '"><img src=x onerror=alert(1)>'})
    assert host.data()["seats"][1]["name"] == name
    answer = host.ask("GET", "/chat")
    assert answer.json()[0]["text"] == '"><img src=x onerror=alert(1)>'
    assert answer.headers["content-type"] == "application/json"
    assert answer.headers["x-content-type-options"] == "nosniff"


# ---- origins --------------------------------------------------------------------------------------------------------
def test_pages_of_other_sites_can_do_nothing(server: ServerThread, pair: list[Client]) -> None:
    table = pair[0].table
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
        answer = httpx.post(
            f"{server.url}/api/tables",
            json={"edition": "usa", "seats": seats("me", "casual")},
            headers={"origin": origin},
            trust_env=False,
        )
        assert refusal(answer) == (403, "wrong_origin")
        with pytest.raises(InvalidStatus) as refused:
            Connection(server.url, table, origin=origin)
        assert refused.value.response.status_code == 403
    with Connection(server.url, table, origin=server.url).hello(pair[0].key) as line:
        assert line.ask("ping")["t"] == "pong"


def test_sites_that_the_host_named_may(tmp_path: Path) -> None:
    with ServerThread(tmp_path, origins=("https://friend.example",)) as friendly:
        client = open_table(friendly.url)
        with Connection(friendly.url, client.table, origin="https://friend.example").hello(client.key) as line:
            assert line.ask("ping")["t"] == "pong"


# ---- limits ---------------------------------------------------------------------------------------------------------
@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Callable[..., ServerThread]]:
    """A server with some limits."""
    running: list[ServerThread] = []

    def start(**limits: Any) -> ServerThread:
        running.append(ServerThread(tmp_path, limits=Limits(**limits)).start())
        return running[0]

    yield start
    for server in running:
        server.stop()


def test_too_many_messages_are_refused(strict: Callable[..., ServerThread]) -> None:
    server = strict(messages_a_second=4)
    pair = people(server.url, "usa", 2, first=0)
    for client in pair:
        client.act(client.view()["n"], client.view()["options"]["keep"][0]["id"])
    n = pair[0].view()["n"]
    with connections(*pair) as (busy, other):
        other.quiet(0.3)
        for _ in range(40):  # 20 at once, two of them hellos, and 4 a second
            busy.send(t="ping")
        answers: list[Data] = []
        while len(answers) < 40:
            answers.append(busy.until(lambda message: message["t"] in ("pong", "error")))
        assert 15 < sum(m["t"] == "pong" for m in answers) < 40
        assert {m.get("code") for m in answers if m["t"] == "error"} == {"rate"}
        unharmed(pair, other, n)
        with suppress(ConnectionClosed):  # perhaps before the last is sent
            for _ in range(150):
                busy.send(t="ping")
        assert busy.closed() == 1008, "whoever does not stop is let go"
    time.sleep(1.0)
    with pair[0].connect() as again:
        assert again.ask("ping")["t"] == "pong"


def welcomed(client: Client) -> bool:
    """Whether there is room for another socket."""
    with Connection(client.url, client.table) as line, suppress(ConnectionClosed):
        return bool(line.hello(client.key).got[0]["t"] == "welcome")
    time.sleep(0.2)  # trying costs as well
    return False


def test_too_many_sockets_requests_and_tables_are_refused(strict: Callable[..., ServerThread]) -> None:
    server = strict(sockets=2, tables_an_hour=4, requests_a_second=3)
    client = open_table(server.url)
    with connections(client, client) as open_lines:
        with Connection(server.url, client.table) as third:
            assert third.closed() == live.CLOSED_BUSY
        open_lines[0].close()
        wait_until(lambda: welcomed(client))
    body = {"edition": "usa", "seats": seats("me", "casual")}
    answers = [httpx.post(f"{server.url}/api/tables", json=body, trust_env=False, verify=False) for _ in range(10)]
    assert [answer.status_code for answer in answers] == [201] * 9 + [429]
    assert refusal(answers[-1]) == (429, "rate")
    codes = (httpx.get(f"{server.url}/api/bots", trust_env=False, verify=False).status_code for _ in range(1000))
    assert next(codes) == 200
    assert 429 in codes
    assert httpx.get(f"{server.url}/health", trust_env=False, verify=False).status_code == 200, (
        "the host still sees how it is"
    )


def test_a_full_server_says_so_and_forgets_what_is_over(strict: Callable[..., ServerThread]) -> None:
    server = strict(tables=2, requests_a_second=10_000)
    first, second = open_table(server.url, "usa", "me", "casual"), open_table(server.url, "usa", "me", "casual")
    third = httpx.post(
        f"{server.url}/api/tables",
        json={"edition": "usa", "seats": seats("me", "casual")},
        trust_env=False,
        verify=False,
    )
    assert refusal(third) == (503, "full")
    first.good(messages.TableData, "POST", "/seats/0/leave")
    while first.data()["status"] != "over":
        pass
    assert open_table(server.url).data()["status"] == "playing"
    assert second.view()["n"] >= 0


# ---- fuzz -----------------------------------------------------------------------------------------------------------
VALID: list[Data] = [
    {"t": "act", "n": 3, "action": 1, "seat": 1}, {"t": "act", "n": 3, "action": "draw blind"}, {"t": "ping"},
    {"t": "say", "text": "hi"}, {"t": "react", "reaction": "wow"}, {"t": "vote", "seat": 0}, {"t": "leave"},
    {"t": "why", "track": 3}, {"t": "why", "city": "Miami"}, {"t": "way", "from": "Miami", "to": "Boston"},
    {"t": "sit", "seat": 1}, {"t": "back"}, {"t": "hello", "key": "OWN-KEY", "n": 2},
]  # fmt: skip
SCALARS = st.none() | st.booleans() | st.integers(-5, 300) | st.integers() | st.floats() | st.text(max_size=30)
ANY_JSON = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
NAMES = st.sampled_from(
    ["t", "n", "action", "seat", "text", "track", "city", "from", "to", "reaction", "ref", "key", "wanted", "zzz"]
)


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A valid message with something changed, added or taken away."""
    message = dict(draw(st.sampled_from(VALID)))
    for _ in range(draw(st.integers(0, 3))):
        name = draw(NAMES)
        if draw(st.booleans()):
            message[name] = draw(ANY_JSON)
        else:
            message.pop(name, None)
    return json.dumps(message)


FUZZ = (
    mutated()
    | ANY_JSON.map(json.dumps)
    | st.text(max_size=60).map(lambda text: text.encode("utf-8", "replace").decode())
    | st.binary(max_size=40)
)


def test_no_message_brings_a_table_down(server: ServerThread) -> None:
    pair = people(server.url, "usa", 2, first=0)
    for client in pair:
        client.act(client.view()["n"], client.view()["options"]["keep"][0]["id"])
    n = pair[0].view()["n"]
    before = pair[0].view()["view"]
    fuzzer, ends = [pair[1].connect()], list[int]()
    with pair[0].connect() as other:

        @settings(max_examples=80 * SCALE, deadline=None, suppress_health_check=list(HealthCheck))
        @given(st.lists(FUZZ, min_size=1, max_size=8))
        def fuzz(messages_sent: list[str | bytes]) -> None:
            try:
                for message in messages_sent:
                    fuzzer[0].socket.send(
                        message.replace("OWN-KEY", pair[1].key or "") if isinstance(message, str) else message
                    )
                fuzzer[0].ask("ping")
            except ConnectionClosed as closed:
                ends.append(closed.rcvd.code if closed.rcvd else 1006)
                fuzzer[0].close()
            assert "fault" not in {m.get("code") for m in fuzzer[0].got}
            fuzzer[0].got.clear()
            if fuzzer[0].socket.protocol.close_rcvd is not None:
                fuzzer[0] = pair[1].connect()

        fuzz()
        fuzzer[0].close()
        assert set(ends) <= {live.CLOSED_NONSENSE}, "let go for nonsense, never by a fault"
        assert pair[0].view()["n"] == n
        assert pair[0].view()["view"] == before, "nothing changed in the game"
        other.ask("ping")
        assert {m["t"] for m in other.got} <= {"welcome", "table", "frame", "chat", "reaction", "pong"}
        assert [m["n"] for m in other.got if m["t"] == "frame"] == [n] * sum(m["t"] == "frame" for m in other.got)
        pair[1].good(messages.TableData, "POST", "/seats/1/back")
        for _ in range(2):
            frame = pair[0].view()
            pair[0].act(frame["n"], frame["options"]["draw_blind"])
        frame = pair[1].view()
        assert pair[1].act(frame["n"], chosen(frame, Random(1))) == n + 3, "the game goes on"
        assert checked(json.dumps(other.frame(n + 3)))["n"] == n + 3
