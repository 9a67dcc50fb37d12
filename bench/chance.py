"""What the strong chance stream costs beside the quick one: a draw, and a step of random play with the final count.

uv run python bench/chance.py

Both are measured in turns, and the best of several windows counts: other programs only ever slow them down.
"""

from __future__ import annotations

import time

import numpy as np

from whistlestop.engine import rules, scoring
from whistlestop.engine.bits import I, U, begin_stream, below
from whistlestop.engine.doors import scratch
from whistlestop.engine.jit import door
from whistlestop.engine.layout import LOG_FIRST, MAX_PLAYERS, NONE, SHEET
from whistlestop.engine.tables import tables_of
from whistlestop.engine.types import Int, Ints, Networks, Rng, Sheet, States, TablesArray
from whistlestop.mapfile import load_edition

WINDOWS = 15
GAMES = 400
DRAWS = 1_000_000


@door
def draw(states: States, high: Rng, times: Int) -> Int:
    """Ask a stream so many times."""
    begin_stream(states[0], U(7), high)
    total = I(0)
    for _ in range(times):
        total += below(states[0], I(100))
    return total


@door
def play(
    states: States, tables: TablesArray, nets: Networks, sheet: Sheet, borrowed: Ints, high: Rng, games: Int
) -> Int:
    """Random games of two players whose seeds have this high word; returns the number of steps."""
    log, steps = np.zeros(LOG_FIRST, np.int64), I(0)
    for game in range(games):
        rules.new_game(states[0], tables[0], I(2), I(NONE), U(game), high, log)
        states[0].remembers = 0
        steps += rules.play_random(states[0], tables[0], U(game), log)
        scoring.score(states[0], tables[0], nets[0], sheet, borrowed)
    return steps


def main() -> None:
    states, nets, borrowed = scratch()
    sheet = np.zeros((MAX_PLAYERS, SHEET), np.int64)
    draws, steps = [float("inf")] * 2, {name: [float("inf")] * 2 for name in ("usa", "europe", "germany")}
    for _ in range(WINDOWS):
        for strong in (0, 1):
            began = time.perf_counter()
            draw(states, np.uint64(strong), DRAWS)
            draws[strong] = min(draws[strong], (time.perf_counter() - began) / DRAWS)
            for name, best in steps.items():
                tables = tables_of(load_edition(name))
                began = time.perf_counter()
                n = play(states, tables, nets, sheet, borrowed, np.uint64(strong), GAMES)
                best[strong] = min(best[strong], (time.perf_counter() - began) / n)
    print(f"{'':20} quick, ns  strong, ns  strong : quick")
    rows = {"a draw": draws} | {f"a step, {name}": best for name, best in steps.items()}
    for what, (quick, keyed) in rows.items():
        print(f"{what:20} {quick * 1e9:9.1f} {keyed * 1e9:11.1f} {keyed / quick:15.2f}")


if __name__ == "__main__":
    main()
