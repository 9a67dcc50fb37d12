"""Several processes on one PostgreSQL: players of one table at different ones see the same game, and none is needed."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import httpx
import pytest

from support.clients import (
    PATIENCE,
    Client,
    ServerProcess,
    ServerThread,
    chosen,
    client_from,
    connections,
    httpx_post,
    open_table,
    people,
    wait_until,
)
from support.postgres import query
from whistlestop.cli import run
from whistlestop.game import Game
from whistlestop.mapfile import MAPS
from whistlestop.server import listing, messages
from whistlestop.server.end_messages import EndData
from whistlestop.server.host_store import HostStore
from whistlestop.server.news import LARGEST, payloads
from whistlestop.server.refusals import closed_table, deleted_table
from whistlestop.server.table import Table

T = TypeVar("T")
ISLANDS = (MAPS / "README.md").read_text("utf-8").partition("```toml\n")[2].partition("```")[0]
"""The complete board of the format's page."""


@pytest.fixture(scope="module")
def pair(postgres: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerThread]]:
    """Two servers on one database."""
    with ExitStack() as stack:
        yield [
            stack.enter_context(ServerThread(tmp_path_factory.mktemp("server"), database=postgres)) for _ in range(2)
        ]


def at_once(*jobs: Callable[[], T]) -> list[T]:
    """What jobs return that begin at the same moment."""
    found: list[T | None] = [None] * len(jobs)
    gate = threading.Barrier(len(jobs))

    def run(i: int) -> None:
        gate.wait()
        found[i] = jobs[i]()

    threads = [threading.Thread(target=run, args=(i,)) for i in range(len(jobs))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    return found  # type: ignore[return-value]


def moved(client: Client, server: ServerThread | ServerProcess) -> Client:
    """The same client at another server."""
    return Client(server.url, client.table, client.key, client.seats, client.watch)


def replayed(postgres: str, table: str) -> Game:
    """The game as the database holds it: every number once, every action legal."""
    row = query(postgres, "select edition, seed, options, seats from tables where id = :t", t=table)[0]
    game = Game(row.edition, len(row.seats), int(row.seed), row.options["first"], row.options["packs"])
    for i, (number, seat, action) in enumerate(
        query(postgres, "select number, seat, action from actions where table_id = :t order by number", t=table), 1
    ):
        assert number == i
        game.play(action, seat)
    return game


# ---- news -----------------------------------------------------------------------------------------------------------
def test_actions_chat_seats_and_reactions_are_seen_at_the_other_process(pair: list[ServerThread]) -> None:
    host = open_table(pair[0].url, "usa", "me", "open", start=False)
    with Client(pair[1].url, host.table, host.watch).connect() as looking:
        seat = httpx_post(f"{pair[1].url}/api/tables/{host.table}/join", {"name": "Ada"})
        guest = client_from(pair[1].url, messages.SeatKey.model_validate_json(seat).model_dump())
        with host.connect() as line, guest.connect() as other:
            wait_until(lambda: host.data()["seats"][1]["name"] == "Ada")
            wait_until(lambda: all(seat["connected"] for seat in host.data()["seats"] + guest.data()["seats"]))
            host.good(messages.TableData, "POST", "/start", json={})
            assert other.until(lambda m: m["t"] == "table" and m["status"] == "playing")
            first = other.frame()
            assert guest.act(0, first["options"]["keep"][0]["id"]) == 1
            assert line.frame(1)["moves"][-1]["seat"] == 1
            other.ask("say", text="hello there")
            assert line.until(lambda m: m["t"] == "chat")["text"] == "hello there"
            line.ask("say", text="and to you")
            assert other.until(lambda m: m["t"] == "chat" and m["n"] == 2)["text"] == "and to you"
            line.ask("react", reaction="cheer")
            assert other.until(lambda m: m["t"] == "reaction")["seat"] == 0
            assert looking.until(lambda m: m["t"] == "reaction")["reaction"] == "cheer"
            assert host.data()["spectators"] == guest.data()["spectators"] == 1
        wait_until(lambda: not any(seat["connected"] for seat in host.data()["seats"] + guest.data()["seats"]), 40)


def test_a_key_is_known_at_the_other_process_at_once(pair: list[ServerThread]) -> None:
    host = open_table(pair[0].url, "usa", "me", "open", "open", start=False)
    assert moved(host, pair[1]).data()["status"] == "waiting", "it is in the memory of both"
    for name in ("Ada", "Bob"):
        guest = moved(host.join(name), pair[1])
        assert guest.ask("GET", "/chat").status_code == 200
    assert moved(Client(host.url, host.table, "no-such-key"), pair[1]).refused("GET", "/chat") == (403, "wrong_key")


def test_a_listed_table_is_found_at_the_other_process(
    pair: list[ServerThread], postgres: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(listing, "READ_EVERY", 0.0)

    def found(kind: str) -> list[str]:
        answer = httpx.get(f"{pair[1].url}/api/tables", trust_env=False).json()
        return [table["id"] for table in answer[kind]["tables"]]

    host = open_table(pair[0].url, "usa", "me", "open", start=False)
    other = moved(host, pair[1])
    assert host.table not in found("open")
    host.good(messages.TableData, "PATCH", "", json={"listed": True})
    assert host.table in found("open")
    wait_until(lambda: other.data()["listed"])
    query(postgres, "update tables set listed_at = 1 where id = :t returning id", t=host.table)
    assert host.table not in found("open"), "nobody has been there for long"
    with host.connect():  # who is there by one process keeps it in the list of the other
        pair[0].run(lambda: pair[0].hall.listing.note_seen([server_table(pair[0], host.table)]))
        assert host.table in found("open")
    other.join("Ben")
    other.good(messages.TableData, "POST", "/start", json={})
    assert host.table in found("watch")
    assert host.table not in found("open")


def server_table(server: ServerThread, table_id: str) -> Table:
    """A table that a server has in memory."""
    table = server.hall.in_memory(table_id)
    assert table is not None
    return table


def test_what_happens_while_a_table_is_loaded_is_not_missed(
    pair: list[ServerThread], monkeypatch: pytest.MonkeyPatch
) -> None:
    host, store = open_table(pair[0].url, "usa", "me", "casual"), pair[1].hall.store
    wait_until(lambda: host.data()["n"] == 1)
    load = store.load

    async def slow(*args: Any) -> Any:
        found = await load(*args)
        monkeypatch.setattr(store, "load", load)
        keep = (await asyncio.to_thread(host.view))["options"]["keep"][0]["id"]
        await asyncio.to_thread(host.act, 1, keep)
        await asyncio.sleep(0.3)  # the news come and find no table
        return found

    monkeypatch.setattr(store, "load", slow)
    there = moved(host, pair[1])
    wait_until(lambda: there.view()["n"] == host.view()["n"] >= 2)


def test_choices_made_at_once_at_two_processes_both_count(pair: list[ServerThread]) -> None:
    for _ in range(5):
        clients = people(pair[0].url, "usa", 2)
        others = [clients[0], moved(clients[1], pair[1])]
        keeps = [client.view()["options"]["keep"][0]["id"] for client in others]
        numbers = at_once(*(partial(client.act, 0, keep) for client, keep in zip(others, keeps, strict=True)))
        assert sorted(numbers) == [1, 2]
        for client in others:
            wait_until(lambda client=client: client.data()["n"] == 2)  # type: ignore[misc]


def test_of_two_who_act_on_one_state_one_wins(pair: list[ServerThread], postgres: str) -> None:
    """The same seat at both processes: an action that is sent twice counts once, another one is refused."""
    clients = people(pair[0].url, "usa", 2)
    for client in clients:
        client.act(client.data()["n"], client.view()["options"]["keep"][0]["id"])
    mover = next(client for client in clients if client.view()["options"])
    twins = [mover, moved(mover, pair[1])]
    wait_until(lambda: twins[1].view()["n"] == 2)
    options = mover.view()["options"]
    cards = list(options["draw_face_up"].values())
    bodies = [{"n": 2, "action": options["draw_blind"]}, {"n": 2, "action": cards[0]}]
    answers = at_once(*(partial(c.ask, "POST", "/actions", json=b) for c, b in zip(twins, bodies, strict=True)))
    assert sorted(answer.status_code for answer in answers) == [200, 409]
    winner = next(i for i, answer in enumerate(answers) if answer.status_code == 200)
    again = twins[1 - winner].ask("POST", "/actions", json=bodies[winner])
    assert (again.status_code, again.json()["n"]) == (200, 3)
    assert len(query(postgres, "select number from actions where table_id = :t", t=mover.table)) == 3


def test_nobodys_seat_is_given_twice_and_a_game_begins_once(pair: list[ServerThread], postgres: str) -> None:
    for attempt in range(4):
        host = open_table(pair[0].url, "usa", "me", "open", start=False)
        guests = [Client(server.url, host.table, None) for server in pair]
        guests[1].data()
        answers = at_once(
            *(partial(g.ask, "POST", "/join", json={"name": n}) for g, n in zip(guests, ("Ada", "Bob"), strict=True))
        )
        assert sorted(answer.status_code for answer in answers) == [200, 409]
        assert next(a for a in answers if a.status_code == 409).json()["code"] == "full"
        hosts = [host, moved(host, pair[1])]
        started = at_once(*(partial(one.ask, "POST", "/start", json={}) for one in hosts))
        assert sorted(answer.status_code for answer in started) == [200, 409]
        assert next(a for a in started if a.status_code == 409).json()["code"] == "started"
        holders = query(postgres, "select seats from keys where table_id = :t order by host", t=host.table)
        assert [list(found.seats) for found in holders] == [[1], [0]]
        keys = [next(a for a in answers if a.status_code == 200).json()["key"], host.key]
        views = [Client(pair[attempt % 2].url, host.table, key).view()["view"]["hand"] for key in keys]
        assert len(views) == 2


def test_a_rematch_is_opened_once(pair: list[ServerThread], postgres: str) -> None:
    table = open_table(pair[0].url, "usa", "me", "casual")
    play([table], Random(4))
    twins = [table, moved(table, pair[1])]
    wait_until(lambda: twins[1].data()["status"] == "over")
    answers = at_once(*(partial(client.good, messages.SeatKey, "POST", "/rematch", json={}) for client in twins))
    again = [answer["table"] for answer in answers]
    assert len(set(again)) == 1
    assert query(postgres, "select status from tables where id = :t", t=again[0])[0].status == "playing"


def play(clients: list[Client], rng: Random, most: int = 10_000) -> int:
    """Let people play until the game is over or has so many actions; the number of the last action seen."""
    end = time.monotonic() + PATIENCE * 3
    while time.monotonic() < end:
        for client in clients:
            frame = client.view()
            if frame["view"]["phase"] == "over" or frame["n"] >= most:
                return int(frame["n"])
            if frame["options"]:
                answer = client.ask("POST", "/actions", json={"n": frame["n"], "action": chosen(frame, rng)})
                assert answer.status_code in (200, 409), answer.text  # another process may know more already
    raise AssertionError("the game does not go on")


@pytest.mark.parametrize("edition", ["europe", "germany"])
def test_a_whole_game_with_the_seats_at_two_processes(edition: str, pair: list[ServerThread], postgres: str) -> None:
    clients = people(pair[0].url, edition, 3, "casual")
    spread = [moved(client, pair[i % 2]) for i, client in enumerate(clients)]
    with connections(*spread) as lines:
        n = play(spread, Random(7))
        for line in lines:
            last = line.frame(n)
            assert last["view"]["phase"] == "over"
            moves = [move["n"] for message in line.got if message["t"] == "frame" for move in message["moves"]]
            assert moves == list(range(1, n + 1)), "everybody is told every move once, in order"
    wait_until(lambda: [client.data()["status"] for client in spread] == ["over"] * 3)
    game = replayed(postgres, clients[0].table)
    assert game.over
    assert len(game.history) == n


def test_orders_of_the_host_hold_at_the_other_process(pair: list[ServerThread]) -> None:
    """A new link, an end and a deletion: whoever is at the other process is seen off there."""
    first, second = pair[0].hall, pair[1].hall
    host = open_table(pair[0].url, "usa", "me", "casual")
    there = moved(host, pair[1])
    with there.spectator().connect() as spectator, there.connect() as line:
        pair[0].run(lambda: first.in_memory(host.table).change_spectator_key("another-key-of-spectators"))  # type: ignore[union-attr]
        assert spectator.closed() == 4403
        assert line.closed() == 1012, "players come back and learn the new link"
    store = HostStore(first.store)
    with there.connect() as line:
        pair[0].run(lambda: first.dismiss(host.table, closed_table(), lambda: store.close_table(host.table)))
        assert line.closed() == 1012
    wait_until(lambda: second.in_memory(host.table) is None)
    assert there.refused("GET", "/view") == (410, "closed")
    pair[0].run(lambda: first.dismiss(host.table, deleted_table(), lambda: store.delete_tables([host.table])))
    assert there.refused("GET", "/view") == (404, "no_such_table")


# ---- processes that die ---------------------------------------------------------------------------------------------
@contextmanager
def processes(folder: Path, postgres: str, n: int, *options: str) -> Iterator[list[ServerProcess]]:
    """So many servers on one database."""
    with ExitStack() as stack:
        started = [ServerProcess(folder / f"server{i}", None, "--database", postgres, *options) for i in range(n)]
        yield [stack.enter_context(process) for process in started]


def test_four_processes_and_each_is_killed_in_turn(postgres: str, tmp_path: Path) -> None:
    """Two people and two bots; whoever's server is killed goes to another one, and the bots go on within seconds."""
    with processes(tmp_path, postgres, 4, "--bot-processes", "1") as servers:
        clients = people(servers[0].url, "europe", 2, "casual", "casual")
        rng, alive = Random(2), list(servers)
        for killed in range(3):
            spread = [moved(client, alive[i % len(alive)]) for i, client in enumerate(clients)]
            play(spread, rng, 12 * (killed + 1))
            runner = query(postgres, "select runner from tables where id = :t", t=clients[0].table)[0].runner
            assert runner
            alive.pop(0).kill()
        spread = [moved(client, alive[0]) for client in clients]
        before = time.monotonic()
        n = play(spread, rng, 60)
        assert time.monotonic() - before < 60
        assert replayed(postgres, clients[0].table).status() == []
        assert n >= 60


def test_a_clock_runs_out_once_though_its_process_is_killed(postgres: str, tmp_path: Path) -> None:
    with processes(tmp_path, postgres, 2, "--bot-processes", "1") as (first, second):
        clients = people(first.url, "usa", 2, turn_seconds=10)
        for client in clients:
            client.act(client.data()["n"], client.view()["options"]["keep"][0]["id"])
        others = [moved(client, second) for client in clients]
        wait_until(lambda: others[0].data()["n"] == 2)
        slow = next(client for client in others if client.view()["options"])
        deadline = slow.view()["deadline"]
        first.kill()
        wait_until(lambda: slow.data()["seats"][slow.seats[0]]["missed"], 40)
        assert time.time() - deadline > -1.0, "nobody loses time that they had"
        wait_until(lambda: slow.data()["to_move"] != slow.seats, 40)
        wait_until(lambda: not slow.data()["seats"][slow.seats[0]]["stands_in"])
        row = query(postgres, "select seats, version from tables where id = :t", t=slow.table)[0]
        assert sorted(seat["missed"] for seat in row.seats) == [0, 1]
        assert row.version == 4, "somebody joined, the game began, one stand-in came and went"


# ---- workers --------------------------------------------------------------------------------------------------------
@contextmanager
def worker(folder: Path, postgres: str, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """A worker as a host starts it; what it logs goes into its folder."""
    folder.mkdir()
    command = [sys.executable, "-m", "whistlestop", "worker", "--database", postgres, "--processes", "1", *options]
    with (folder / "log.txt").open("ab") as log:
        running = subprocess.Popen([*command, "--json-logs"], stdout=log, stderr=log, env=dict(os.environ))
    try:
        yield running
    finally:
        running.kill()
        running.wait(PATIENCE)


def test_workers_think_and_one_that_is_killed_is_replaced(postgres: str, tmp_path: Path) -> None:
    with (
        processes(tmp_path, postgres, 2, "--bot-processes", "0") as servers,
        worker(tmp_path / "a", postgres) as first,
        worker(tmp_path / "b", postgres) as second,
    ):
        for name in ("a", "b"):
            wait_until(lambda name=name: "working" in (tmp_path / name / "log.txt").read_text())  # type: ignore[misc]
        tables = [open_table(servers[i % 2].url, "usa", "casual", "casual", "random") for i in range(4)]
        wait_until(lambda: min(table.data()["n"] for table in tables) > 10)
        first.kill()
        wait_until(lambda: all(table.data()["status"] == "over" for table in tables), PATIENCE * 3)
        for table in tables:
            assert replayed(postgres, table.table).over
        assert second.poll() is None
        assert query(postgres, "select count(*) from jobs")[0].count == 0
        logs = "".join(server.log.read_text() for server in servers)
        assert "bot failed" not in logs


def test_a_board_of_somebody_s_own_is_played_at_every_process_and_by_workers(postgres: str, tmp_path: Path) -> None:
    with (
        processes(tmp_path, postgres, 2, "--bot-processes", "0") as servers,
        worker(tmp_path / "a", postgres),
    ):
        wait_until(lambda: "working" in (tmp_path / "a" / "log.txt").read_text())
        brought = httpx.post(f"{servers[0].url}/api/boards", content=ISLANDS, timeout=PATIENCE).json()
        edition = brought["editions"][0]["id"]
        table = open_table(servers[1].url, edition, "casual", "beginner")
        wait_until(lambda: table.data()["status"] == "over", PATIENCE * 3)
        assert moved(table, servers[0]).good(EndData, "GET", "/end")["table"]["edition"] == edition
        row = query(postgres, "select edition, board from tables where id = :t", t=table.table)[0]
        assert (row.edition, row.board) == ("islands", brought["hash"])
        logs = "".join(server.log.read_text() for server in servers)
        assert "bot failed" not in logs


def test_without_a_worker_the_fallback_plays(postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whistlestop.server.jobs.ANSWER_WITHIN", -9.9)
    with ServerThread(tmp_path, database=postgres, bot_workers=0) as server:
        table = open_table(server.url, "usa", "casual", "casual")
        wait_until(lambda: table.data()["n"] >= 3)
        failed = server.app.state.metrics.text().decode()
        assert 'whistlestop_bot_failures_total{reason="unavailable"}' in failed


def test_workers_need_a_postgresql(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    serve = ["serve", "--bot-processes", "0", "--data-dir", str(tmp_path)]
    for command in (["worker", "--database", f"sqlite:///{tmp_path}/x.db"], serve):
        assert run(command) != 0
        assert "PostgreSQL" in capsys.readouterr().err


def test_notifications_are_small_and_carry_everything() -> None:
    items = [b'["changed","%05d"]' % i for i in range(2000)]
    found = list(payloads("me", items))
    assert all(len(payload) < 8000 for payload in found)
    assert max(map(len, found)) > LARGEST - 100
    assert b",".join(items).decode() == ",".join(payload[len('["me",[') : -2] for payload in found)
