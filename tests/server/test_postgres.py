"""The same server on PostgreSQL: a real one, from a package, with its data in a folder of the test."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.clients import Client, ServerThread, open_table, people, play_until, wait_until
from support.postgres import postgres_server
from support.truth import row
from whistlestop.mapfile import editions
from whistlestop.server import messages
from whistlestop.server.settings import Settings
from whistlestop.server.store import ActionConflict, Store, StoredAction


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The address of an empty database."""
    with postgres_server() as running:
        yield running.get_uri()


def test_a_number_can_be_taken_once(postgres: str, tmp_path: Path) -> None:
    async def race() -> None:
        first, second = [
            await Store.open(Settings(data_dir=tmp_path, database=postgres).database_url) for _ in range(2)
        ]
        await first.add_table(row("raced"), [])
        tries = [
            store.append("raced", n, StoredAction(0, 7, False, float(n)))
            for n in range(1, 40)
            for store in (first, second)
        ]
        results = await asyncio.gather(*tries, return_exceptions=True)
        assert Counter(map(type, results)) == {type(None): 39, ActionConflict: 39}
        loaded = await second.load("raced")
        assert loaded is not None
        assert [action.at for action in loaded.actions] == [float(n) for n in range(1, 40)]
        await first.close()
        await second.close()

    asyncio.run(race())


@pytest.mark.parametrize("edition", [edition.id for edition in editions()])
def test_a_whole_game_with_a_restart_in_the_middle(edition: str, postgres: str, tmp_path: Path) -> None:
    with ServerThread(tmp_path, database=postgres) as server:
        pair = people(server.url, edition, 2, "casual")
        play_until(pair, lambda frame: frame["n"] >= 30 and frame["options"], Random(3))
        before = [seen(client) for client in pair]
    with ServerThread(tmp_path, database=postgres) as server:
        again = [Client(server.url, client.table, client.key, client.seats) for client in pair]
        assert [seen(client) for client in again] == before
        bots = open_table(server.url, edition, "casual", "random")
        wait_until(lambda: bots.data()["status"] == "over")
        assert bots.good(messages.EndData, "GET", "/end")["n"] == bots.data()["n"] > 50


def seen(client: Client) -> Any:
    """How the game stands for a client."""
    frame = client.view()
    return frame["n"], frame["view"], frame["options"]


def test_whoever_loses_a_race_for_a_number_looks_again(postgres: str, tmp_path: Path) -> None:
    """Two processes with one database: the loser says so, changes nothing, and then shows what the winner did."""
    folders = tmp_path / "one", tmp_path / "two"
    with ServerThread(folders[0], database=postgres) as one, ServerThread(folders[1], database=postgres) as two:
        clients = people(one.url, "usa", 2)
        others = [Client(two.url, client.table, client.key) for client in clients]
        assert [other.view()["n"] for other in others] == [0, 0]
        options = [client.view()["options"]["keep"] for client in clients]
        line = others[0].connect()
        assert clients[0].act(0, options[0][0]["id"]) == 1
        loser = others[1].ask("POST", "/actions", json={"n": 0, "action": options[1][0]["id"]})
        assert (loser.status_code, loser.json()["code"]) == (409, "stale")
        assert others[1].view()["n"] == 1, "the loser has loaded the table anew"
        assert others[1].act(1, options[1][0]["id"]) == 2
        assert clients[1].refused("POST", "/actions", json={"n": 1, "action": options[1][1]["id"]}) == (409, "stale")
        assert clients[0].view()["n"] == clients[1].view()["n"] == 2
        assert line.closed() == 1012, "sockets at a table that was let go must come back"
        line.close()
        with others[0].connect() as again:
            assert again.frame()["n"] == 2
