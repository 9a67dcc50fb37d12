"""Tables laid at a moment of a game: a game of bots, played here, is written into a running server's database.

A page that opens such a table is at once where it would be after a hundred actions. Games are fixed by their seeds, so
a test meets the same position every time.
"""

from __future__ import annotations

import secrets
import sqlite3
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from support.browser_tables import BOT, ME, open_beside
from support.clients import ServerProcess
from whistlestop.bots import Limit, bot
from whistlestop.engine.bits import generator_of
from whistlestop.game import Action, Game, View
from whistlestop.mapfile import load_edition

SEAT = 0
"""The seat of the person at the page; bots hold the others."""
SEEDS = 40
"""Games that are searched for a moment."""
BUSY = 18
"""Claimed tracks on a board that is worth looking at."""
SECONDS_AN_ACTION = 4.0


@dataclass(frozen=True)
class LaidGame:
    """A game up to a moment."""

    seed: int
    actions: tuple[tuple[int, int], ...]
    """Seat and action of each."""
    over: bool


# ---- games ----------------------------------------------------------------------------------------------------------
class Explorer:
    """A casual bot that sometimes draws tickets, builds a station or digs a tunnel, so that every moment comes up."""

    def __init__(self, edition: str, seed: int) -> None:
        self.bot, self.rng = bot("casual", seed), Random(seed)
        self.tunnels = {i for i, track in enumerate(load_edition(edition).board.tracks) if track.tunnel}

    def act(self, view: View) -> Action:
        """The action to play now."""
        wanted = self.rng.choice(("draw_tickets", "station", "tunnel", *["plan"] * 12))
        found = [action for action in view.legal() if self._kind(action) == wanted]
        return self.rng.choice(found) if found else self.bot.act(view, Limit())

    def _kind(self, action: Action) -> str:
        digs = action.track in self.tunnels
        return "tunnel" if digs else action.kind


@lru_cache(maxsize=64)
def whole_game(edition: str, players: int, seed: int) -> Game:
    """A whole game of bots; seat 0 explores."""
    game = Game(edition, players, seed)
    explorer, others = Explorer(edition, seed), [bot("casual", seed + seat) for seat in range(players)]
    while not game.over:
        seat = next(iter(game.to_move))
        view = game.view(seat)
        action = explorer.act(view) if seat == SEAT else others[seat].act(view, Limit())
        game.play(action.id, seat)
    return game


# ---- moments --------------------------------------------------------------------------------------------------------
def kinds(view: View) -> set[str]:
    """Kinds of action that are open."""
    return {action.kind for action in view.legal()}


def is_late_turn(view: View) -> bool:
    """A turn on a busy board before the last round, with something to claim."""
    return view.phase == "turn" and view.last_round is None and len(view.owners) >= BUSY and "claim" in kinds(view)


MOMENTS: Mapping[str, Callable[[View], bool]] = {
    "announce": lambda view: view.phase == "announce",
    "first_tickets": lambda view: view.phase == "first_tickets",
    "middle": lambda view: is_late_turn(view) and len(view.owners) < BUSY + 6,
    "turn": is_late_turn,
    "tickets": lambda view: view.phase == "tickets",
    "tunnel": lambda view: view.phase == "tunnel" and "pay_extra" in kinds(view),
    "station": lambda view: view.phase == "turn" and "station" in kinds(view) and len(view.owners) >= BUSY,
    "passenger": lambda view: view.phase == "passenger",
    "last_round": lambda view: view.phase == "turn" and view.last_round is not None,
}
"""Moments at which seat 0 has to act, by name; the moment "over" is the end of the game."""
OVER = "over"


@lru_cache(maxsize=256)
def game_at(edition: str, moment: str, players: int) -> LaidGame:
    """The latest such moment of the first game that has one."""
    for seed in range(1, SEEDS + 1):
        whole = whole_game(edition, players, seed)
        played = tuple((move.player, move.action.id) for move in whole.history)
        if moment == OVER:
            return LaidGame(seed, played, over=True)
        for n in reversed(range(len(played))):
            if played[n][0] == SEAT and MOMENTS[moment](whole.at(n).view(SEAT)):
                return LaidGame(seed, played[:n], over=False)
    raise LookupError(f"{edition} with {players} players has no {moment} in {SEEDS} games")


# ---- tables ---------------------------------------------------------------------------------------------------------
def lay_table(server: ServerProcess, edition: str, moment: str, players: int = 3) -> dict[str, Any]:
    """A table of one person and bots at a moment; its id and key, as `open_beside` gives them."""
    laid = game_at(edition, moment, players)
    opened = open_beside(server, edition, ME, *[BOT] * (players - 1), start=False)
    table = f"laid{secrets.token_hex(6)}"
    began = time.time() - SECONDS_AN_ACTION * (len(laid.actions) + 1)
    changed: dict[str, Any] = {
        "id": table,
        "seed": str(laid.seed),
        "generator": generator_of(laid.seed),
        "status": "over" if laid.over else "playing",
        "created": began,
        "began": began,
        "ended": time.time() if laid.over else None,
    }
    with closing(sqlite3.connect(server.folder / "whistlestop.db", timeout=30)) as database, database:
        # the table that the server opened is the pattern: whatever else a row holds stays as the server wrote it
        copy_row(database, "tables", "id", opened["table"], changed)
        copy_row(database, "keys", "table_id", opened["table"], {"table_id": table})
        rows = [
            {"table_id": table, "number": n, "seat": seat, "action": action, "bot": seat != SEAT,
             "at": began + SECONDS_AN_ACTION * n}
            for n, (seat, action) in enumerate(laid.actions, 1)
        ]  # fmt: skip
        database.executemany("insert into actions (table_id, number, seat, action, bot, at) "
                             "values (:table_id, :number, :seat, :action, :bot, :at)", rows)  # fmt: skip
    return opened | {"table": table, "n": len(laid.actions)}


def copy_row(database: sqlite3.Connection, name: str, column: str, value: str, changed: dict[str, Any]) -> None:
    """Insert a copy of a row with some columns changed."""
    found = database.execute(f"select * from {name} where {column} = ?", (value,))
    names = [described[0] for described in found.description]
    row = dict(zip(names, found.fetchone(), strict=True)) | changed
    marks = ", ".join("?" * len(row))
    database.execute(f"insert into {name} ({', '.join(row)}) values ({marks})", list(row.values()))
