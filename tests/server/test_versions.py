"""Versions: what a table was opened with is stored with it; nothing is ever replayed wrongly in silence."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config

from support.clients import Client, Connection, Data, ServerThread, open_table, people, play_until
from support.truth import stored
from whistlestop.engine.bits import STRONG
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.game import Game
from whistlestop.server import live
from whistlestop.server import store as store_module
from whistlestop.server.seats import Seat, Seats
from whistlestop.server.store import hash_of

KEY = "a-key-of-an-earlier-version"


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
