"""The doors from Python into compiled code: kernels that take arrays of records, and whole games in compiled loops.

Pass arrays, never single records: a record costs ten times as much to hand over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine import graph, hidden, legal, rules, scoring
from whistlestop.engine import status as invariants
from whistlestop.engine.bits import I, U
from whistlestop.engine.jit import door
from whistlestop.engine.layout import (
    LOG_FIRST,
    MAX_PLAYERS,
    MAX_STATIONS,
    NETWORK,
    NONE,
    SHEET,
    STATE,
    WORDS,
)
from whistlestop.engine.tables import tables_of
from whistlestop.engine.types import (
    Bool,
    Int,
    Ints,
    Log,
    Mask,
    Networks,
    Rng,
    Sheet,
    Sheets,
    States,
    TablesArray,
    Words,
)
from whistlestop.mapfile import load_edition

Array = npt.NDArray[Any]


# ---- one game at a time -----------------------------------------------------------------------------------------
@door
def new_game(states: States, i: Int, tables: TablesArray, players: Int, first: Int, seed: Rng, log: Log) -> None:
    """Set up game i; `first` may be NONE."""
    rules.new_game(states[i], tables[0], players, first, seed, log)


@door
def list_legal(states: States, i: Int, tables: TablesArray, out: Ints) -> Int:
    """Fill out with the legal actions of game i; returns how many."""
    return legal.list_legal(states[i], tables[0], out)


@door
def is_legal(states: States, i: Int, tables: TablesArray, action: Int) -> Bool:
    """Whether an action is legal in game i."""
    return legal.is_legal(states[i], tables[0], action)


@door
def legal_mask(states: States, i: Int, tables: TablesArray, out: Mask, scratch: Ints) -> Int:
    """Fill a mask over all actions of the edition; returns how many are legal."""
    for k in range(out.shape[0]):
        out[k] = False
    n = legal.list_legal(states[i], tables[0], scratch)
    for k in range(n):
        out[scratch[k]] = True
    return n


@door
def step(states: States, i: Int, tables: TablesArray, action: Int, log: Log) -> None:
    """Carry out a legal action in game i."""
    rules.step(states[i], tables[0], action, log)


@door
def take_seat(states: States, i: Int, player: Int) -> Bool:
    """Let a player act in a simultaneous phase; whether that player may act."""
    return legal.take_seat(states[i], player)


@door
def copy_state(to: States, i: Int, source: States, j: Int) -> None:
    """Copy a state."""
    to[i] = source[j]


@door
def redact(states: States, i: Int, tables: TablesArray, viewer: Int) -> None:
    """Redact game i for a viewer, in place."""
    hidden.redact(states[i], tables[0], viewer)


@door
def determinize(states: States, i: Int, tables: TablesArray, viewer: Int, seed: Rng, pool: Words) -> None:
    """Make the redacted game i whole again, as its viewer thinks possible."""
    hidden.determinize(states[i], tables[0], viewer, seed, pool)


@door
def status(states: States, i: Int, tables: TablesArray, scratch: Ints) -> Int:
    """Broken invariants of game i as bits."""
    return invariants.status(states[i], tables[0], scratch)


@door
def score(states: States, i: Int, tables: TablesArray, nets: Networks, sheet: Sheet, borrowed: Ints) -> Int:
    """The final count of game i."""
    return scoring.score(states[i], tables[0], nets[0], sheet, borrowed)


@door
def station_cost(states: States, i: Int, player: Int) -> Int:
    """Cards that the player's next station costs (STATION-2)."""
    return legal.station_cost(states[i], player)


@door
def cards_turned_up(states: States, i: Int) -> Int:
    """How many cards a tunnel turns up now (TUNNEL-6)."""
    return rules.cards_turned_up(states[i])


@door
def makes_dearer(kind: Int, colour: Int) -> Bool:
    """Whether a card turned up makes a tunnel dearer that is paid with this colour (TUNNEL-2, TUNNEL-3)."""
    return rules.makes_dearer(kind, colour)


@door
def completed_tickets(
    states: States, i: Int, tables: TablesArray, nets: Networks, player: Int, borrowed: Words, done: Words
) -> None:
    """Which tickets of a player are completed, by own tracks and borrowed ones; both sets as words."""
    scoring.completed_tickets(states[i], tables[0], nets[0], player, borrowed, done)


@door
def longest_path(tables: TablesArray, nets: Networks, words: Words) -> Int:
    """Spaces on the longest path of a set of tracks."""
    graph.build_network(nets[0], tables[0], words[0], words[1])
    return graph.longest_path(nets[0])


# ---- whole games --------------------------------------------------------------------------------------------------
@door
def random_games(
    states: States,
    tables: TablesArray,
    nets: Networks,
    players: Int,
    seed: Rng,
    sheets: Sheets,
    steps: Ints,
    borrowed: Ints,
) -> Int:
    """Play sheets.shape[0] random games one after another in states[0], with the final count.

    Returns the number of steps.
    """
    log = np.zeros(LOG_FIRST, np.int64)
    total = 0
    for game in range(sheets.shape[0]):
        rules.new_game(states[0], tables[0], players, I(NONE), seed + U(game), log)
        states[0].remembers = 0
        steps[game] = rules.play_random(states[0], tables[0], ~(seed + U(game)), log)
        scoring.score(states[0], tables[0], nets[0], sheets[game], borrowed)
        total += steps[game]
    return total


def scratch() -> tuple[Array, Array, Array]:
    """Room for one game, for the scoring network, and for borrowed tracks."""
    return np.zeros(1, STATE), np.zeros(1, NETWORK), np.zeros((MAX_PLAYERS, MAX_STATIONS), np.int64)


def new_log(size: int = 512) -> Array:
    """An empty chance log for live play."""
    return np.zeros(LOG_FIRST + size, np.int64)


LAST_PART = "scoring and whole games"
"""The jobs of this name come last and need nothing of the others: another process can do them meanwhile."""


def warm_up_jobs() -> list[tuple[str, Callable[[], Any]]]:
    """What to compile, in order: each job uses one door on a small game. The invariants are left to those who check
    them.
    """
    edition = load_edition("usa")
    tables = tables_of(edition)
    states, nets, borrowed = scratch()
    other = states.copy()
    log, out, sheet = new_log(), np.zeros(int(tables[0].actions), np.int64), np.zeros((MAX_PLAYERS, SHEET), np.int64)
    pool, one, sheets = np.zeros(WORDS, np.uint64), np.zeros(1, np.int64), np.zeros((1, MAX_PLAYERS, SHEET), np.int64)
    return [
        ("setting up games", lambda: new_game(states, 0, tables, 2, NONE, np.uint64(1), log)),
        ("legal actions", lambda: list_legal(states, 0, tables, out)),
        ("legal actions", lambda: is_legal(states, 0, tables, 0)),
        ("legal actions", lambda: legal_mask(states, 0, tables, np.zeros(len(out), np.bool_), out)),
        ("copies and seats", lambda: (copy_state(other, 0, states, 0), take_seat(states, 0, 0))),
        ("prices", lambda: station_cost(states, 0, 0)),
        ("tunnels", lambda: (cards_turned_up(states, 0), makes_dearer(0, 0))),
        ("completed tickets", lambda: completed_tickets(states, 0, tables, nets, 0, pool, pool.copy())),
        ("views", lambda: redact(other, 0, tables, 0)),
        ("redeals", lambda: determinize(other, 0, tables, 0, np.uint64(1), pool)),
        ("steps", lambda: step(states, 0, tables, int(out[0]), log)),
        (LAST_PART, lambda: random_games(states, tables, nets, 2, np.uint64(1), sheets, one, borrowed)),
        (LAST_PART, lambda: score(states, 0, tables, nets, sheet, borrowed)),
        (LAST_PART, lambda: longest_path(tables, nets, pool)),
    ]
