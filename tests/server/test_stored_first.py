"""What is not stored is not seen: a database waits, then fails or succeeds, while clients come, go and ask."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest

from support.clients import Client, Connection, Data, ServerThread, httpx_post, people
from whistlestop.server import messages
from whistlestop.server.store import Store


class SlowAppend:
    """A database that waits with an action of one table until it is told to store it, or to fail."""

    def __init__(self, server: ServerThread, table: str) -> None:
        self._house, self._table = server, table
        self.arrived = threading.Event()
        self._decided = asyncio.Event()
        self._error: Exception | None = None
        self._real = Store.append

    async def append(self, store: Store, table: str, *action: Any) -> None:
        """What the server calls instead of the real one."""
        if table == self._table and not self._decided.is_set():
            self.arrived.set()
            await self._decided.wait()
            if self._error is not None:
                raise self._error
        await self._real(store, table, *action)

    def decide(self, error: Exception | None) -> None:
        """Let it go on, or fail."""

        async def on_the_loop() -> None:
            self._error = error
            self._decided.set()

        self._house.run(on_the_loop)


def draw_first_card(pair: list[Client]) -> tuple[Client, Client, Data]:
    """Play until the next blind draw ends a turn: who draws, who is next, and the frame of who draws."""
    for client in pair:
        frame = client.view()
        client.act(frame["n"], frame["options"]["keep"][0]["id"])
    acting, other = pair if pair[0].view()["options"] else pair[::-1]
    frame = acting.view()
    acting.act(frame["n"], frame["options"]["draw_blind"])
    return acting, other, acting.view()


def seen(message: Data) -> Iterator[tuple[str, Any]]:
    """Everything in a message that tells how far the game is."""
    if message["t"] == "welcome":
        yield from seen(message["table"])
    elif message["t"] == "table":
        yield "n", message["n"]
        yield "to_move", message["to_move"]
    elif message["t"] == "frame":
        yield "n", message["n"]
        yield "to_move", message["view"]["to_move"]
        yield "phase", message["view"]["phase"]
        yield "deck", message["view"]["deck"]
        yield from (("move", move["n"]) for move in message["moves"])


def check_unseen(sent: list[Data], before: Data) -> None:
    """Nothing that was sent shows the action after a frame."""
    view, n = before["view"], before["n"]
    truth = {"n": n, "to_move": view["to_move"], "phase": view["phase"], "deck": view["deck"]}
    assert sent
    for message in sent:
        for what, value in seen(message):
            assert value <= n if what == "move" else value == truth[what], (what, value, message["t"])


@contextmanager
def waiting_action(
    server: ServerThread, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[SlowAppend, Connection, Data, list[Any]]]:
    """An action waits for its database: the gate, the actor's socket, the frame before, the clients."""
    acting, other, before = draw_first_card(people(server.url, "usa", 2))
    gate = SlowAppend(server, acting.table)
    monkeypatch.setattr(Store, "append", lambda *args: gate.append(*args))
    with acting.connect() as line:
        line.frame()
        line.send(t="act", ref=77, n=before["n"], action=before["options"]["draw_blind"])
        assert gate.arrived.wait(60)
        yield gate, line, before, [acting, other, acting.spectator()]


def look_around(clients: list[Client], before: Data) -> list[Data]:
    """Come, ask, look by every way there is, and go: all that was told."""
    sent: list[Data] = []
    acting, other, spectator = clients
    with ExitStack() as closing:
        opened = [closing.enter_context(Connection(client.url, client.table)) for client in clients]
        for client, line in zip(clients, opened, strict=True):
            line.hello(client.key)
            line.frame()
            line.ask("why", track=3)
            line.ask("way", **{"from": "Seattle", "to": "Miami"})
            line.ask("hello", key=client.key, n=before["n"])
            line.ask("ping")
        opened[1].ask("sit", seat=other.seats[0])
        opened[1].ask("react", reaction="cheer")
        going = clients[1].connect()
        going.close()  # the others are shown that somebody came and went
        for client, line in zip(clients, opened, strict=True):
            sent += [client.view(), client.view(known=before["n"], wait=0.2), client.data()]
            sent += line.quiet(0.2)
            sent += line.got
            client.good(messages.WhyData, "GET", "/why", params={"track": 3})
    mine = httpx_post(f"{acting.url}/api/mine", {"keys": [acting.key]})
    sent += [one["table"] for one in json.loads(mine)]
    assert spectator.ask("GET", "/end").status_code == 403
    return sent


def test_an_action_that_is_not_stored_is_never_seen(server: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    with waiting_action(server, monkeypatch) as (gate, line, before, clients):
        check_unseen(look_around(clients, before), before)
        gate.decide(OSError("no space left on device"))
        answer = line.until(lambda m: m.get("ref") == 77)
        assert (answer["t"], answer["code"]) == ("error", "fault")
        check_unseen([*look_around(clients, before), *line.got], before)
        again = line.ask("act", n=before["n"], action=before["options"]["draw_blind"])
        assert (again["t"], again["n"]) == ("ok", before["n"] + 1), "the action can be played afterwards"
        assert [client.view()["n"] for client in clients] == [before["n"] + 1] * 3


def test_an_action_is_seen_as_soon_as_it_is_stored(server: ServerThread, monkeypatch: pytest.MonkeyPatch) -> None:
    with waiting_action(server, monkeypatch) as (gate, line, before, clients), clients[1].connect() as watching:
        check_unseen([*look_around(clients, before), *watching.quiet()], before)
        gate.decide(None)
        answer = line.until(lambda m: m.get("ref") == 77)
        assert (answer["t"], answer["n"]) == ("ok", before["n"] + 1)
        frame = watching.frame(before["n"] + 1)
        assert [move["n"] for move in frame["moves"]] == [before["n"] + 1], "nothing is told twice or left out"
        assert frame["view"]["to_move"] == clients[1].seats
        assert [client.view()["n"] for client in clients] == [before["n"] + 1] * 3
