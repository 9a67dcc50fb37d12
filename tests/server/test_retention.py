"""What is old goes, what is young stays: tables, chat, names; in the database and in memory."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from random import Random

import httpx
import pytest

from support.clients import Client, ServerThread, open_table, people, play_until, wait_until
from support.truth import stored
from whistlestop.cli.inputs import seconds_of
from whistlestop.cli.terminal import CommandError
from whistlestop.server.retention import Retention
from whistlestop.server.seats import Seat, Seats

DAY = 86_400.0


def aged(folder: Path, table: str, days: float) -> None:
    """Make everything that happened at a table so many days older."""
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        for name, key, columns in (
            ("tables", "id", ("created", "touched", "began", "ended")),
            ("actions", "table_id", ("at",)),
            ("chat", "table_id", ("at",)),
        ):
            for column in columns:
                shift = f"{column} = {column} - {days * DAY}"
                database.execute(f"update {name} set {shift} where {key} = ?", (table,))
        database.commit()


def count(folder: Path, name: str, table: str) -> int:
    key = "id" if name == "tables" else "table_id"
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        found: int = database.execute(f"select count(*) from {name} where {key} = ?", (table,)).fetchone()[0]
        return found


def sweep(server: ServerThread) -> None:
    server.run(lambda: Retention(server.hall).sweep(time.time()))


def acted(client: Client) -> None:
    """An action by a person who may act."""
    frame = client.view()
    client.act(frame["n"], frame["options"]["keep"][0]["id"])


def finished(server: ServerThread) -> list[Client]:
    """A game of two people that is over, with a line of chat."""
    pair = people(server.url, "usa", 2)
    pair[0].ask("POST", "/chat", json={"text": "good luck"})
    play_until(pair, lambda frame: frame["view"]["phase"] == "over", Random(3))
    return pair


def test_old_tables_go_and_young_ones_stay(folder: Path) -> None:
    with ServerThread(folder, keep=90 * DAY, sweep_seconds=1e6) as server:
        old_waiting = open_table(server.url, "usa", "me", "open")
        old_playing = people(server.url, "europe", 2)[0]
        acted(old_playing)
        old_over = finished(server)[0]
        young_over = finished(server)[0]
        young_waiting = open_table(server.url, "usa", "me", "open")
        old_but_acted, old_but_said = people(server.url, "europe", 2)[0], people(server.url, "europe", 2)[0]
        looked_at, old_but_joined = (open_table(server.url, "usa", "me", "open", "open") for _ in range(2))
        for client in (old_waiting, old_playing, old_over, old_but_acted, old_but_said, looked_at, old_but_joined):
            aged(folder, client.table, 91)
        for client in (young_over, young_waiting):
            aged(folder, client.table, 89)
        acted(old_but_acted)
        old_but_said.ask("POST", "/chat", json={"text": "anybody here?"})
        assert old_but_joined.ask("POST", "/join", json={"name": "Cleo"}).status_code < 300
        with looked_at.connect(), old_over.connect() as reader:
            sweep(server)
            assert "too old" in reader.until(lambda m: m["t"] == "error")["message"]
            assert reader.closed() == 4404
            for client in (old_waiting, old_playing, old_over):
                assert [count(folder, name, client.table) for name in ("tables", "actions", "keys", "chat")] == [0] * 4
                assert server.hall.in_memory(client.table) is None
                assert client.refused("GET", "") == (404, "no_such_table")
            for client in (young_over, young_waiting, old_but_acted, old_but_said, old_but_joined, looked_at):
                assert count(folder, "tables", client.table) == 1
                assert client.data()["id"] == client.table
        sweep(server)
        assert count(folder, "tables", looked_at.table) == 0


def test_more_than_a_batch_goes_in_the_background(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("whistlestop.server.retention.BATCH", 2)
    with ServerThread(folder) as server:
        tables = [open_table(server.url, "usa", "me", "open").table for _ in range(5)]
    for table in tables[1:]:
        aged(folder, table, 2)
    with ServerThread(folder, keep=DAY):
        wait_until(lambda: [count(folder, "tables", table) for table in tables] == [1, 0, 0, 0, 0])


def test_old_chat_and_names_go_while_the_game_stays(folder: Path) -> None:
    with ServerThread(folder, keep_chat=7 * DAY, sweep_seconds=1e6) as server:
        old, young = finished(server), finished(server)
        going_on = people(server.url, "europe", 2)
        going_on[0].ask("POST", "/chat", json={"text": "back in a month"})
        before = stored(folder, old[0].table).game().result()
        for pair in (old, going_on):
            aged(folder, pair[0].table, 8)
        rename(folder, old[0].table)
        sweep(server)
        assert [count(folder, "chat", pair[0].table) for pair in (old, young, going_on)] == [0, 1, 0]
        assert [seat["name"] for seat in old[0].data()["seats"]] == ["Player 1", "Player 2"]
        assert old[0].ask("GET", "/chat").json() == []
        record = httpx.get(f"{server.url}/api/tables/{old[0].table}/record", trust_env=False).text
        assert "Wilhelmina" not in record
        assert stored(folder, old[0].table).game().result() == before
        assert [seat["name"] for seat in going_on[1].data()["seats"]] == ["Player 1", "Player 2"]


def rename(folder: Path, table: str) -> None:
    """Give a player of a stored table a name of her own."""
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        database.execute("update tables set seats = replace(seats, 'Player 1', 'Wilhelmina') where id = ?", (table,))
        assert database.total_changes == 1
        database.commit()


def test_names_that_are_gone_differ() -> None:
    seats = Seats((Seat("person", "Player 2", 0), Seat("bot", "Player 3", 1), Seat("person", "Ada", 2)))
    assert [seat.name for seat in seats.without_names()] == ["Player 1", "Player 3", "Player 3 2"]


def test_nothing_goes_unless_the_host_says_so(folder: Path) -> None:
    with ServerThread(folder) as server:
        table = open_table(server.url, "usa", "me", "open").table
        aged(folder, table, 10_000)
        sweep(server)
        assert count(folder, "tables", table) == 1


def test_times_are_written_with_their_unit() -> None:
    assert [seconds_of("--keep", text) for text in ("30min", "12h", "90d", "1y")] == [1800, 43_200, 90 * DAY, 365 * DAY]
    for text in ("90", "d", "0d", "-1d", "1.5d", "90 days", "²d"):
        with pytest.raises(CommandError, match="takes a time such as 90d"):
            seconds_of("--keep", text)
