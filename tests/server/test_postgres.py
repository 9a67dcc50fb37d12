"""The same server on PostgreSQL: a real one, from a package, with its data in a folder of the test."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from support.clients import Client, ServerThread, open_table, people, play_until, wait_until
from support.postgres import query
from support.truth import row
from whistlestop.mapfile import editions
from whistlestop.server.end_messages import EndData
from whistlestop.server.retention import Retention
from whistlestop.server.settings import Settings
from whistlestop.server.store import Outdated, Store, StoredAction

DAY = 86_400.0


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


def test_old_tables_go_and_young_ones_stay(postgres: str, tmp_path: Path) -> None:
    with ServerThread(tmp_path, database=postgres, keep=90 * DAY, sweep_seconds=1e6) as server:
        old, young = (people(server.url, "usa", 2)[0] for _ in range(2))
        for client in (old, young):
            client.act(0, client.view()["options"]["keep"][0]["id"])
            client.ask("POST", "/chat", json={"text": "good luck"})
        for name, key, columns in (
            ("tables", "id", ("created", "touched", "began")),
            ("actions", "table_id", ("at",)),
            ("chat", "table_id", ("at",)),
        ):
            for column in columns:
                text = f"update {name} set {column} = {column} - {91 * DAY} where {key} = :t returning {key}"
                assert query(postgres, text, t=old.table)
        server.run(lambda: Retention(server.hall).sweep(time.time()))
        for client, rows in ((old, 0), (young, 1)):
            for name, key in (("tables", "id"), ("actions", "table_id"), ("chat", "table_id")):
                assert len(query(postgres, f"select 1 from {name} where {key} = :t", t=client.table)) == rows
        assert old.refused("GET", "") == (404, "no_such_table")
        assert young.data()["id"] == young.table
