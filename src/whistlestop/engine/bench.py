"""How fast the engine is: random play of whole games with the final count, on one core."""

from __future__ import annotations

import time

import numpy as np

from whistlestop.engine.doors import random_games, scratch
from whistlestop.engine.layout import MAX_PLAYERS, SHEET
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import load_edition

CHUNK = 500


def measure(edition_id: str, players: int, seconds: float = 1.0) -> dict[str, object]:
    """Best of several short windows of random play within `seconds`: other programs on the machine only ever slow it down."""
    edition = load_edition(edition_id)
    edition.check_players(players)
    tables = tables_of(edition)
    states, nets, borrowed = scratch()
    sheets, steps = np.zeros((CHUNK, MAX_PLAYERS, SHEET), np.int64), np.zeros(CHUNK, np.int64)
    best_time, best_steps, seed = float("inf"), 0, 0
    end = time.perf_counter() + seconds
    while time.perf_counter() < end or best_steps == 0:
        start = time.perf_counter()
        n = random_games(states, tables, nets, players, np.uint64(seed), sheets, steps, borrowed)
        spent = time.perf_counter() - start
        if seed > 0 and spent / n < best_time / max(best_steps, 1):
            best_time, best_steps = spent, n
        seed += CHUNK
    return {
        "edition": edition.id,
        "players": players,
        "games_per_second": round(CHUNK / best_time),
        "steps_per_second": round(best_steps / best_time),
    }
