"""Stops and crashes: whatever a player was told to have happened is there afterwards, and every game goes on."""

from __future__ import annotations

import asyncio
import json
import sqlite3
import threading
import time
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest
import websockets
from websockets.asyncio.client import connect

from support.clients import (
    Client,
    Data,
    ServerProcess,
    ServerThread,
    chosen,
    open_table,
    play_until,
    wait_until,
)
from support.scale import SCALE
from support.truth import Row, stored, stored_actions
from whistlestop import editions
from whistlestop.server import messages
from whistlestop.server.end_messages import EndData

KILL_GAMES = 6 * SCALE
"""Games that go on while the server is killed."""
KILLS = 2 if SCALE == 1 else 5


# ---- stopping in good order -----------------------------------------------------------------------------------------
def moments(url: str) -> dict[str, tuple[Client, Data]]:
    """Tables in the middle of something, by what it is."""
    rng = Random(11)
    found: dict[str, tuple[Client, Data]] = {}
    for phase, edition, liked in (
        ("first_tickets", "europe", ()),
        ("second_card", "usa", ("draw_blind",)),
        ("tickets", "europe", ("draw_tickets",)),
        ("tunnel", "europe", ("claims", "draw_blind")),
        ("passenger", "germany", ("claims", "draw_blind")),
    ):
        client = open_table(url, edition, "device", "device", turn_seconds=600)
        frame = play_until([client], lambda frame, phase=phase: frame["view"]["phase"] == phase, rng, *liked)  # type: ignore[misc]
        if phase == "first_tickets":  # one has chosen, the other has not
            client.act(frame["n"], frame["options"]["keep"][0]["id"], frame["seat"])
        found[phase] = (client, client.view())
    return found


def test_a_server_that_is_stopped_goes_on_where_it_was(folder: Path) -> None:
    with ServerProcess(folder) as first:
        before = moments(first.url)
        assert {frame["view"]["phase"] for _, frame in before.values()} == before.keys()
        chatty = before["tunnel"][0]
        chatty.good(messages.Ok, "POST", "/chat", json={"text": "see you"})
        bots = open_table(first.url, "usa", "casual", "casual", pace="calm")
        line, watching = chatty.connect(), bots.connect()  # bots wait for those who look on
        waiting = threading.Thread(
            target=lambda: chatty.ask(
                "GET", "/view", params={"known": 10_000, "wait": 30, "seat": 1 - line.got[0]["seat"]}
            )
        )
        waiting.start()
        time.sleep(0.3)
        tables = {phase: client.data() for phase, (client, _) in before.items()}
        began = time.monotonic()
        first.process.terminate()
        assert line.closed() == 1012, "the client is told to come back"
        assert first.process.wait(20) == 0
        assert time.monotonic() - began < 8, "nobody who waits holds it up"
        waiting.join(20)
        line.close()
        watching.close()
        assert stored(folder, bots.table).row["status"] == "playing"
        assert "error" not in first.log.read_text()
        assert "stopped" in first.log.read_text()
    with ServerProcess(folder, first.port) as second:
        for phase, (client, frame) in before.items():
            again = client.view(seat=frame["seat"])
            assert {k: v for k, v in again.items() if k != "deadline"} == {
                k: v for k, v in frame.items() if k != "deadline"
            }, phase
            assert again["deadline"] > time.time()
            assert client.data() == tables[phase] | {"seats": client.data()["seats"]}
            client.act(again["n"], chosen(again, Random(1)), again["seat"])
            assert client.view()["n"] == again["n"] + 1, "the game goes on"
        assert [line["text"] for line in chatty.ask("GET", "/chat").json()] == ["see you"]
        wait_until(lambda: bots.data()["status"] == "over")
        assert second.terminate() == 0


def tamper(folder: Path, statement: str) -> None:
    """Change what is stored while no server runs."""
    with closing(sqlite3.connect(folder / "whistlestop.db")) as database:
        database.execute(statement)
        database.commit()


def test_a_game_whose_last_action_was_the_last_thing_stored_is_over(folder: Path) -> None:
    """A crash between the last action and the note that the game is over."""
    with ServerThread(folder) as first:
        client = open_table(first.url, "usa", "casual", "casual")
        wait_until(lambda: client.data()["status"] == "over")
        end = client.good(EndData, "GET", "/end")
    tamper(folder, "update tables set status = 'playing', ended = null")
    with ServerThread(folder) as second:
        client = Client(second.url, client.table, client.key)
        assert client.data()["status"] == "over"
        again = client.good(EndData, "GET", "/end")
        assert {k: v for k, v in again.items() if k != "ended"} == {k: v for k, v in end.items() if k != "ended"}
        assert abs(again["ended"] - end["ended"]) < 5


def test_old_games_that_were_played_lately_go_on_by_themselves(folder: Path) -> None:
    with ServerThread(folder) as first:
        client = open_table(first.url, "usa", "me", "casual", pace="calm")
        client.good(messages.TableData, "POST", "/seats/0/leave")
        wait_until(lambda: client.data()["n"] > 4)
    tamper(folder, "update tables set touched = touched - 30 * 86400, created = created - 30 * 86400")
    with ServerThread(folder) as second:
        wait_until(lambda: client.table in second.hall._tables)


# ---- killing --------------------------------------------------------------------------------------------------------
class Follower:
    """Watches many tables over sockets and remembers the highest number that each was shown, and the moves."""

    def __init__(self) -> None:
        self.shown: dict[str, int] = {}
        self.moves: dict[str, dict[int, tuple[int, str, float]]] = {}
        self._loop = asyncio.new_event_loop()
        self._tasks: list[asyncio.Task[None]] = []
        self._thread = threading.Thread(target=self._loop.run_forever, name="follower")
        self._thread.start()

    def follow(self, clients: list[Client]) -> None:
        """Watch tables until the server goes."""

        async def begin() -> None:
            self._tasks = [asyncio.create_task(self._watch(client)) for client in clients]

        asyncio.run_coroutine_threadsafe(begin(), self._loop).result(30)

    def gone(self) -> None:
        """Wait until every socket has ended."""

        async def end() -> None:
            await asyncio.wait_for(asyncio.gather(*self._tasks), 30)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(40)

    def close(self) -> None:
        """Stop for good."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _watch(self, client: Client) -> None:
        table = client.table
        address = f"{client.url.replace('http', 'ws', 1)}/api/tables/{table}/live"
        try:
            async with connect(
                address, proxy=None, compression=None, max_size=None, open_timeout=30, close_timeout=1
            ) as socket:
                await socket.send(json.dumps({"t": "hello", "key": client.watch, "n": self.shown.get(table, 0)}))
                async for raw in socket:
                    self._note(table, json.loads(raw))
        except (OSError, websockets.WebSocketException, TimeoutError):
            return

    def _note(self, table: str, message: Data) -> None:
        if message["t"] != "frame":
            return
        assert message["n"] >= self.shown.get(table, 0), "a number was shown that is gone"
        self.shown[table] = message["n"]
        for move in message["moves"]:
            told = (move["seat"], move["kind"], move["at"])
            assert self.moves.setdefault(table, {}).setdefault(move["n"], told) == told, "history was rewritten"


class Script:
    """A player over HTTP who remembers what was acknowledged; it goes on when the server comes back."""

    def __init__(self, client: Client, seed: int) -> None:
        self.client, self.rng = client, Random(seed)
        self.acknowledged: dict[int, int] = {}
        self.failure: BaseException | None = None
        self.over = False
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait for the end of its game."""
        self._thread.join(seconds)
        assert not self._thread.is_alive(), "a scripted game did not end"
        if self.failure:
            raise self.failure

    def _run(self) -> None:
        try:
            while not self.over:
                try:
                    self._turn()
                except httpx.TransportError:
                    time.sleep(0.05)  # the server is gone for a moment
        except BaseException as error:
            self.failure = error

    def _turn(self) -> None:
        answer = self.client.ask("GET", "/view", params={"known": max(self.acknowledged, default=0), "wait": 5})
        if answer.status_code == 503:
            time.sleep(0.05)
            return
        frame = answer.json()
        assert answer.status_code == 200, answer.text
        assert frame["n"] >= max(self.acknowledged, default=0), "an acknowledged action is gone"
        self.over = frame["view"]["phase"] == "over"
        if frame["options"]:
            action = chosen(frame, self.rng)
            done = self.client.ask("POST", "/actions", json={"n": frame["n"], "action": action})
            if done.status_code == 200:
                self.acknowledged[done.json()["n"]] = action


def check_stored(
    before: dict[str, list[Row]], now: dict[str, list[Row]], follower: Follower, scripts: list[Script]
) -> None:
    """Nothing that was stored, shown or acknowledged is missing or changed."""
    for table, rows in before.items():
        assert now[table][: len(rows)] == rows, "histories are prefixes of each other"
    for table, n in follower.shown.items():
        assert len(now.get(table, [])) >= n, "an action that was shown is gone"
        for number, (seat, _, at) in list(follower.moves.get(table, {}).items()):
            row = now[table][number - 1]
            assert (row[0], row[1], round(row[4], 3)) == (number, seat, at)
    for script in scripts:
        for number, action in list(script.acknowledged.items()):
            assert now[script.client.table][number - 1][:3] == (number, 0, action), "an acknowledged action is gone"


def open_games(url: str, games: int) -> tuple[list[Client], list[Client]]:
    """Games of bots alone, and some with a scripted player, of all editions."""
    names = [edition.id for edition in editions()]
    scripted = max(2, games // 12)
    levels = (
        ("casual", "casual"),
        ("casual", "random"),
        ("random", "casual", "casual"),
        ("casual", "casual", "casual", "random"),
    )
    bots = [
        open_table(url, names[i % 6], *levels[i % 4 if names[i % 6] != "usa" else i % 3])
        for i in range(games - scripted)
    ]
    return bots, [open_table(url, names[i % 6], "me", "casual") for i in range(scripted)]


def count_of(actions: dict[str, list[Row]]) -> int:
    return sum(map(len, actions.values()))


@pytest.mark.parametrize("seed", range(1, 2 + SCALE // 10))
def test_killing_the_server_loses_nothing_that_was_told(folder: Path, seed: int) -> None:
    rng = Random(seed)  # when the server is killed
    follower, before = Follower(), dict[str, list[Row]]()
    scripts: list[Script] = []
    server = ServerProcess(folder).ready()
    port = server.port
    counts: list[int] = []
    try:
        bots, played = open_games(server.url, KILL_GAMES)
        scripts = [Script(client, i) for i, client in enumerate(played)]
        for _ in range(KILLS):
            follower.follow([*bots, *played])
            wait_until(
                lambda: count_of(stored_actions(folder)) > sum(counts[-1:])
            )  # something happens between the kills
            time.sleep(rng.uniform(0.0, 0.3 + KILL_GAMES / 30))
            server.kill()
            follower.gone()
            now = stored_actions(folder)
            check_stored(before, now, follower, scripts)
            before = now
            counts.append(count_of(now))
            server = ServerProcess(folder, port).ready()
        for client in (*bots, *played):
            wait_until(lambda client=client: client.data()["status"] == "over", 120 + KILL_GAMES)  # type: ignore[misc]
        for script in scripts:
            script.join(60)
        check_stored(before, stored_actions(folder), follower, scripts)
        assert server.terminate() == 0
    finally:
        for script in scripts:
            script.over = True
        server.kill()
        follower.close()
    assert counts == sorted(set(counts)), "something happened between the kills"
    for client in (*bots, *played):
        game = stored(folder, client.table).game()
        assert game.over
        assert game.status() == []
    assert '"level":"error"' not in server.log.read_text()


# ---- two servers on one database ------------------------------------------------------------------------------------
