"""What one call from Python into the engine costs: `uv run python bench/calls.py [--json]`.

The fast doors (`whistlestop.engine.doors`) must stay below 3 µs a call; the words on top are shown beside them.
The state is the one of a random game with the most legal actions; `play` and `view` include a fresh copy of it.
"""

from __future__ import annotations

import argparse
import json
import random
import timeit
from collections.abc import Callable
from typing import Any

import numpy as np

from whistlestop import Game
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import editions

FAST = ("legal", "play", "mask", "copy", "view")
LIMIT = 3.0
"""Microseconds that a call through a fast door may cost."""


def microseconds(call: Callable[[], object], seconds: float) -> float:
    """Best time of one call: other programs only ever slow it down."""
    number = max(1, int(0.02 / max(timeit.timeit(call, number=20) / 20, 1e-7)))
    rounds = max(5, int(seconds / 0.02))
    return min(timeit.repeat(call, number=number, repeat=rounds)) / number * 1e6


def busiest(edition: str, players: int) -> Game:
    """A game of random play, taken back to the turn with the most legal actions."""
    rng = random.Random(1)
    game = Game(edition, players, seed=1)
    choices: dict[int, int] = {}
    while not game.over:
        legal = game.legal()
        choices[len(game.history)] = len(legal) if game.phase == "turn" else 0
        game.play(rng.choice(legal))
    best = max(choices, key=choices.__getitem__)
    while len(game.history) > best:
        game.undo()
    return game


def fast_calls(game: Game) -> dict[str, Callable[[], object]]:
    """The doors on one-element arrays, as bots and environments call them."""
    tables = tables_of(game.edition)
    states = np.frombuffer(game.state_bytes(), lay.STATE).copy()
    other = states.copy()
    n = int(tables[0].actions)
    out, mask, log = np.zeros(n, np.int64), np.zeros(n, np.bool_), doors.new_log(0)

    def play() -> None:
        doors.copy_state(other, 0, states, 0)
        doors.step(other, 0, tables, lay.DRAW_BLIND, log)

    def view() -> None:
        doors.copy_state(other, 0, states, 0)
        doors.redact(other, 0, tables, 0)

    return {
        "legal": lambda: doors.list_legal(states, 0, tables, out),
        "play": play,
        "mask": lambda: doors.legal_mask(states, 0, tables, mask, out),
        "copy": lambda: doors.copy_state(other, 0, states, 0),
        "view": view,
    }


def word_calls(game: Game) -> dict[str, Callable[[], object]]:
    """The same things in words, through `Game`."""
    draw = next(action for action in game.legal() if action.kind == "draw_blind")

    def play() -> None:
        game.play(draw)
        game.undo()

    return {
        "Game.legal": game.legal,
        "Game.play, undo": play,
        "Game.play text": lambda: (game.play("draw blind"), game.undo()),
        "Game.view": lambda: game.view(0),
        "View.json": lambda: game.view(0).json(),
    }


def measure(edition: str, players: int, seconds: float) -> dict[str, Any]:
    game = busiest(edition, players)
    calls = {**fast_calls(game), **word_calls(game)}
    times = {name: round(microseconds(call, seconds), 3) for name, call in calls.items()}
    return {"edition": edition, "players": players, "legal_actions": len(game.legal()), "microseconds": times}


def main() -> None:
    parser = argparse.ArgumentParser(description="Microseconds a call from Python into the engine.")
    parser.add_argument("--editions", default=",".join(edition.id for edition in editions()), help="by commas")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=0.2, help="time for each call")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows = [measure(edition, args.players, args.seconds) for edition in args.editions.split(",")]
    if args.json:
        print(json.dumps(rows, indent=2))
        return
    names = list(rows[0]["microseconds"])
    print(f"{'µs a call':<16}" + "".join(f"{row['edition']:>13}" for row in rows))
    print(f"{'legal actions':<16}" + "".join(f"{row['legal_actions']:>13}" for row in rows))
    for name in names:
        print(f"{name:<16}" + "".join(f"{row['microseconds'][name]:>13.2f}" for row in rows))
    slow = [f"{row['edition']} {name}" for row in rows for name in FAST if row["microseconds"][name] >= LIMIT]
    print(f"fast doors below {LIMIT:g} µs: {'yes' if not slow else 'no: ' + ', '.join(slow)}")


if __name__ == "__main__":
    main()
