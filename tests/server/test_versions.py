"""Versions: what a table was opened with is stored with it; nothing is ever replayed wrongly in silence."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from support.clients import Client, Connection, Data, ServerThread, open_table, people, play_until, wait_until
from support.truth import stored
from whistlestop.engine.bits import STRONG
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.game import Game
from whistlestop.server import live, messages
from whistlestop.server import store as store_module
from whistlestop.server.end_messages import EndData
from whistlestop.server.seats import Seat, Seats
from whistlestop.server.store import hash_of

KEY = "a-key-of-an-earlier-version"
LANDED = Path(__file__).parents[1] / "support" / "databases" / "2026-11-18.sql"
"""What a server of that day left behind: a game that goes on, a table that waits, a game that is over."""
RUNNING, WAITING, FINISHED = "cGDg8WxSK6", "bvwi3KAdBb", "A5MbHt3xmE"


def change(folder: Path, statement: str, *values: Any) -> None:
    """Do something to the database of a server that is stopped."""
    with closing(sqlite3.connect(folder / "whistlestop.db")) as database, database:
        assert database.execute(statement, values).rowcount > 0


def refused_everywhere(client: Client, code: str) -> None:
    """The table says so over HTTP and over a socket, which is closed for good."""
    for path in ("", "/view"):
        assert client.refused("GET", path) == (410, code)
    with Connection(client.url, client.table) as line:
        line.socket.send(json.dumps({"t": "hello", "key": client.key}))
        assert line.closed() == live.CLOSED_UNREADABLE
        assert line.got[-1]["code"] == code


def after(n: int) -> Callable[[Data], bool]:
    """Whether a frame comes after so many actions."""
    return lambda frame: frame["n"] >= n


# ---- what is stored -------------------------------------------------------------------------------------------------
def test_a_table_has_a_strong_seed_and_says_by_which_chance_and_rules_it_is_played(folder: Path) -> None:
    with ServerThread(folder) as server:
        row = stored(folder, open_table(server.url, "germany", "me", "random").table).row
    assert int(row["seed"]) >= 2**64
    assert (row["generator"], row["rules"]) == (STRONG, RULES_VERSION)


def test_what_chance_gave_is_stored_with_every_action(folder: Path) -> None:
    with ServerThread(folder) as server:
        pair = people(server.url, "europe", 2)
        play_until(pair, after(25), Random(1))
    table = pair[0].table
    moves = stored(folder, table).game().history
    with closing(sqlite3.connect(folder / "whistlestop.db")) as database:
        found = database.execute("select outcome from actions where table_id = ? order by number", (table,))
        assert [outcome for (outcome,) in found] == [" ".join(map(str, move.outcome)) for move in moves]
    assert any(move.outcome for move in moves)


# ---- what cannot be replayed ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("column", ["rules = 1", "generator = 'dice-1'", "seed = '5'"])
def test_a_table_of_another_version_says_so_and_harms_no_other(folder: Path, column: str) -> None:
    with ServerThread(folder) as server:
        other, sound = (people(server.url, "usa", 2)[0] for _ in range(2))
    change(folder, f"update tables set {column} where id = ?", other.table)
    with ServerThread(folder) as server:
        refused_everywhere(Client(server.url, other.table, other.key), "other_version")
        assert Client(server.url, sound.table, sound.key).view()["n"] == 0
        mine = httpx.post(f"{server.url}/api/mine", json={"keys": [other.key, sound.key]}).json()
        assert [one["table"]["id"] for one in mine] == [sound.table]


@pytest.mark.parametrize(
    "statement",
    [
        "update actions set outcome = '8 8 8' where number = 4 and table_id = ?",
        "update actions set action = 999999 where number = 3 and table_id = ?",
        "delete from actions where number = 2 and table_id = ?",
        "update tables set edition = 'atlantis' where id = ?",
        "update tables set seats = '[]' where id = ?",
        "update tables set options = '{}' where id = ?",
        "update tables set seats = 'no json' where id = ?",
        "update tables set seed = 'no number' where id = ?",
    ],
)
def test_a_table_whose_rows_are_broken_says_so_and_harms_no_other(folder: Path, statement: str) -> None:
    with ServerThread(folder) as server:
        broken, sound = people(server.url, "usa", 2), people(server.url, "usa", 2)
        for pair in (broken, sound):
            play_until(pair, after(6), Random(1))
    change(folder, statement, broken[0].table)
    with ServerThread(folder) as server:
        refused_everywhere(Client(server.url, broken[0].table, broken[0].key), "unreadable")
        assert Client(server.url, sound[0].table, sound[0].key).view()["n"] >= 6


# ---- upgrades -------------------------------------------------------------------------------------------------------
def first_schema(folder: Path) -> None:
    """The database as the first version made it."""
    folder.mkdir()
    engine = sa.create_engine(f"sqlite:///{folder / 'whistlestop.db'}")
    with engine.begin() as connection:
        config = Config()
        config.set_main_option("script_location", str(Path(store_module.__file__).parent / "migrations"))
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
    engine.dispose()


def lay_old_game(folder: Path, game: Game) -> None:
    """A game of two people on one device, as the first version stored it: no outcomes, a seed of few bits."""
    options: dict[str, Any] = {"first": None, "turn_seconds": None, "pace": "instant", "packs": []}
    seats = Seats(Seat("person", name, colour) for colour, name in enumerate(game.names))
    with closing(sqlite3.connect(folder / "whistlestop.db")) as database, database:
        database.execute(
            "insert into tables (id, created, touched, status, edition, options, seats, seed, salt, watch, engine, "
            "began) values ('oldtable', 1.0, 1.0, 'playing', ?, ?, ?, ?, 'salt', 'watch-key', '0.1.0', 1.0)",
            (game.edition.id, json.dumps(options), json.dumps(seats.rows()), str(game.seed)),
        )
        database.execute("insert into keys values (?, 'oldtable', '[0, 1]', 1)", (hash_of(KEY),))
        database.executemany(
            "insert into actions (table_id, number, seat, action, bot, at) values ('oldtable', ?, ?, ?, 0, 1.0)",
            [(move.number, move.player, move.action.id) for move in game.history],
        )


def test_a_game_of_the_first_version_goes_on_as_it_began(folder: Path) -> None:
    game, chance = Game("europe", 2, 987654321, names=["Ada", "Ben"]), Random(1)
    while len(game.history) < 60 or game.phase != "turn":
        game.play(chance.choice(game.legal()))
    first_schema(folder)
    lay_old_game(folder, game)
    with ServerThread(folder) as server:
        client = Client(server.url, "oldtable", KEY)
        (seat,) = game.to_move
        assert client.view(seat=seat)["n"] == len(game.history)
        client.act(len(game.history), "draw blind", seat)
        game.play("draw blind")
        assert client.view(seat=seat)["view"] == json.loads(json.dumps(game.view(seat).json()))
    truth = stored(folder, "oldtable")
    assert truth.game().state_bytes() == game.state_bytes()
    assert (truth.row["generator"], truth.row["rules"], truth.row["seed"]) == ("mwc64x-1", 2, "987654321")


# ---- the database of the last version -------------------------------------------------------------------------------
@pytest.fixture
def upgraded(folder: Path) -> Iterator[ServerThread]:
    """This version on a database that an earlier one made."""
    folder.mkdir()
    with closing(sqlite3.connect(folder / "whistlestop.db")) as database:
        database.executescript(LANDED.read_text())
    with ServerThread(folder) as server:
        yield server


def test_a_game_of_the_last_version_goes_on_to_its_end(upgraded: ServerThread, folder: Path) -> None:
    keys = ("host-of-the-running-game", "guest-of-the-running-game")
    pair = [Client(upgraded.url, RUNNING, key, [seat]) for seat, key in enumerate(keys)]
    first, second = (client.view() for client in pair)
    assert (first["n"], first["seat"], second["seat"], first["view"]["to_move"]) == (60, 0, 1, [1])
    assert first["view"]["hand"] == {"blue": 1, "white": 1, "green": 1, "yellow": 1}
    assert [ticket["to"] for ticket in second["view"]["tickets"]] == ["Kyiv", "Rostov"]
    assert [player["points"] for player in first["view"]["players"]] == [10, 11, 14]
    assert [line["text"] for line in pair[0].ask("GET", "/chat").json()] == ["see you after the upgrade"]
    play_until(pair, lambda frame: frame["view"]["phase"] == "over", Random(2))
    end = pair[0].good(EndData, "GET", "/end")
    record = Game.from_record(pair[0].ask("GET", "/record").text)
    assert record.state_bytes() == stored(folder, RUNNING).game().state_bytes()
    assert end["n"] == len(stored(folder, RUNNING).actions) > 100
    again = pair[1].good(messages.SeatKey, "POST", "/rematch")
    assert Client(upgraded.url, again["table"], keys[1]).data()["status"] == "playing"


def test_a_table_of_the_last_version_that_waits_can_be_joined_and_played(upgraded: ServerThread) -> None:
    host = Client(upgraded.url, WAITING, "host-of-the-waiting-table", [0])
    assert [seat["kind"] for seat in host.data()["seats"]] == ["person", "open", "bot"]
    guest = host.join("Guest")
    host.good(messages.TableData, "POST", "/start", json={})
    for client in (host, guest):
        client.good(messages.TableData, "POST", f"/seats/{client.seats[0]}/leave")
    wait_until(lambda: host.data()["status"] == "over")
    assert len(host.good(EndData, "GET", "/end")["result"]["players"]) == 3


def test_a_finished_game_of_the_last_version_has_the_result_that_it_had(upgraded: ServerThread) -> None:
    client = Client(upgraded.url, FINISHED, "host-of-the-finished-game", [0])
    end = client.good(EndData, "GET", "/end")
    totals = [(player["name"], player["total"]) for player in end["result"]["players"]]
    assert (totals, end["n"]) == ([("Player 1", 107), ("Cooper", 94)], 127)
    assert end["seed_hash"] == hash_of(f"{end['seed']}:{end['salt']}") == client.data()["seed_hash"]
    mine = client._http.post("/api/mine", json={"keys": ["host-of-the-finished-game", "host-of-the-waiting-table"]})
    assert [one["table"]["id"] for one in mine.json()] == [FINISHED, WAITING]
