"""The truth of a table, read from its database and replayed: what the tests hold against what the server says."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import tables_of
from whistlestop.game import Game

Row = tuple[int, int, int, int, float]
"""Number, seat, action, whether a bot chose it, when."""


@dataclass(frozen=True)
class Truth:
    """All that is stored of a table."""

    row: dict[str, Any]
    actions: list[Row]

    def new_game(self) -> Game:
        """The game before its first action."""
        names = [seat["name"] for seat in json.loads(self.row["seats"])]
        options = json.loads(self.row["options"])
        return Game(self.row["edition"], len(names), int(self.row["seed"]), options["first"], options["packs"], names)

    def game(self, n: int | None = None) -> Game:
        """The game after `n` actions, every one of which must be legal, in a state that is sound."""
        game = self.new_game()
        for number, (stored, seat, action, _, _) in enumerate(self.actions[:n], 1):
            assert stored == number, "no number is missing"
            game.play(action, seat)
        assert game.status() == []
        return game


def stored(folder: Path, table: str) -> Truth:
    """What the database in a folder holds of a table."""
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        database.row_factory = sqlite3.Row
        row = dict(database.execute("select * from tables where id = ?", (table,)).fetchone())
        played = database.execute(
            "select number, seat, action, bot, at from actions where table_id = ? order by number", (table,)
        )
        return Truth(row, [tuple(one) for one in played.fetchall()])


def stored_actions(folder: Path) -> dict[str, list[Row]]:
    """The actions of all tables."""
    found: dict[str, list[Row]] = {}
    with closing(sqlite3.connect(folder / "whistlestop.db", timeout=30)) as database:
        for table, *row in database.execute(
            "select table_id, number, seat, action, bot, at from actions order by table_id, number"
        ):
            found.setdefault(table, []).append(tuple(row))
    return found


def redealt(game: Game, viewer: int | None, seed: int) -> Game:
    """The game with everything dealt anew that a viewer cannot see: to this viewer it looks the same."""
    eyes = SPECTATOR if viewer is None else viewer
    world = game.at(len(game.history))
    states, tables = world._states, tables_of(game.edition)
    doors.redact(states, 0, tables, eyes)
    doors.determinize(states, 0, tables, eyes, np.uint64(seed), np.zeros(lay.WORDS, np.uint64))
    return world


def row(table: str, **more: Any) -> dict[str, Any]:
    """A table as the database holds it."""
    return {
        "id": table, "created": 1.0, "touched": 1.0, "status": "playing", "edition": "usa", "options": {}, "seats": [],
        "seed": "1", "salt": "s", "watch": "w", "engine": "0", "generator": "mwc64x-1", "rules": 2,
        "began": None, "ended": None, "rematch": None, "version": 0, "runner": None, **more,
    }  # fmt: skip
