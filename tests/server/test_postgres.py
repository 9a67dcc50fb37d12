"""The same server on PostgreSQL: a real one, from a package, with its data in a folder of the test."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.clients import Client, ServerThread, open_table, people, play_until, wait_until
from support.truth import row
from whistlestop.mapfile import editions
from whistlestop.server.end_messages import EndData
from whistlestop.server.settings import Settings
from whistlestop.server.store import Outdated, Store, StoredAction


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
        assert Counter(map(type, results)) == {type(None): 39, Outdated: 39}
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
        assert bots.good(EndData, "GET", "/end")["n"] == bots.data()["n"] > 50


def seen(client: Client) -> Any:
    """How the game stands for a client."""
    frame = client.view()
    return frame["n"], frame["view"], frame["options"]
