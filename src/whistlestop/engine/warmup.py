"""Compiling the engine before it is needed: once for each version of its sources, with progress to show."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine.jit import CACHE, is_warm
from whistlestop.engine.layout import MAX_PLAYERS, NONE, SHEET, WORDS
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import load_edition

Progress = Callable[[int, int, str], None]
"""Called with steps done, steps in all, and what is being compiled."""
LAST_PART = "scoring and whole games"
"""The jobs of this name come last and need nothing of the others: another process can do them meanwhile."""


def warm_up_jobs() -> list[tuple[str, Callable[[], Any]]]:
    """What to compile, in order: each job uses one door on a small game. The invariants are left to those who check
    them.
    """
    edition = load_edition("usa")
    tables = tables_of(edition)
    states, nets, borrowed = doors.scratch()
    other = states.copy()
    log, out, sheet = (
        doors.new_log(),
        np.zeros(int(tables[0].actions), np.int64),
        np.zeros((MAX_PLAYERS, SHEET), np.int64),
    )
    pool, one, sheets = np.zeros(WORDS, np.uint64), np.zeros(1, np.int64), np.zeros((1, MAX_PLAYERS, SHEET), np.int64)
    return [
        ("setting up games", lambda: doors.new_game(states, 0, tables, 2, NONE, doors.seed_words(1), log)),
        ("legal actions", lambda: doors.list_legal(states, 0, tables, out)),
        ("legal actions", lambda: doors.is_legal(states, 0, tables, 0)),
        ("legal actions", lambda: doors.legal_mask(states, 0, tables, np.zeros(len(out), np.bool_), out)),
        ("copies and seats", lambda: (doors.copy_state(other, 0, states, 0), doors.take_seat(states, 0, 0))),
        ("prices", lambda: doors.station_cost(states, 0, 0)),
        ("tunnels", lambda: (doors.cards_turned_up(states, 0), doors.makes_dearer(0, 0))),
        ("completed tickets", lambda: doors.completed_tickets(states, 0, tables, nets, 0, pool, pool.copy())),
        ("views", lambda: doors.redact(other, 0, tables, 0)),
        ("redeals", lambda: doors.determinize(other, 0, tables, 0, np.uint64(1), pool)),
        ("steps", lambda: doors.step(states, 0, tables, int(out[0]), log)),
        (LAST_PART, lambda: doors.random_games(states, tables, nets, 2, np.uint64(1), sheets, one, borrowed)),
        (LAST_PART, lambda: doors.score(states, 0, tables, nets, sheet, borrowed)),
        (LAST_PART, lambda: doors.longest_path(tables, nets, pool)),
    ]


def warm_up(progress: Progress | None = None) -> None:
    """Compile every door that Python calls, or load it from the cache; on two processors in half the time."""
    show = progress or (lambda _done, _total, _what: None)
    helper = _compile_elsewhere() if CACHE is not None and not is_warm() and (os.cpu_count() or 1) > 1 else None
    jobs = warm_up_jobs()
    for done, (what, job) in enumerate(jobs):
        show(done, len(jobs), what)
        if what == LAST_PART and helper is not None:
            helper.wait()  # what it compiled is in the cache now; if it failed, the job compiles here
            helper = None
        job()
    show(len(jobs), len(jobs), "ready")
    if CACHE is not None:
        (CACHE / "warm").touch()


def _compile_elsewhere() -> subprocess.Popen[bytes]:
    """Another process that compiles the last part into the cache meanwhile."""
    code = (
        "from whistlestop.engine import warmup\n"
        "for what, job in warmup.warm_up_jobs():\n"
        "    what == warmup.LAST_PART and job()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
