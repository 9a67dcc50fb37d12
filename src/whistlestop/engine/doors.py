"""The doors from Python into compiled code: kernels that take arrays of records, and whole games in compiled loops.

Pass arrays, never single records: a record costs ten times as much to hand over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine import graph, hidden, legal, rules, scoring
from whistlestop.engine import status as invariants
from whistlestop.engine.bits import ZERO, I, U
from whistlestop.engine.jit import door
from whistlestop.engine.layout import (
    LOG_FIRST,
    MAX_PLAYERS,
    MAX_STATIONS,
    NETWORK,
    NONE,
    STATE,
)
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

Array = npt.NDArray[Any]


# ---- one game at a time -----------------------------------------------------------------------------------------
@door
def new_game(states: States, i: Int, tables: TablesArray, players: Int, first: Int, seed: Words, log: Log) -> None:
    """Set up game i; `first` may be NONE, `seed` is what `seed_words` gives."""
    rules.new_game(states[i], tables[0], players, first, seed[0], seed[1], log)


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
        rules.new_game(states[0], tables[0], players, I(NONE), seed + U(game), ZERO, log)
        states[0].remembers = 0
        steps[game] = rules.play_random(states[0], tables[0], ~(seed + U(game)), log)
        scoring.score(states[0], tables[0], nets[0], sheets[game], borrowed)
        total += steps[game]
    return total


def seed_words(seed: int) -> Array:
    """A seed of up to 128 bits as the two words that `new_game` takes, the low one first."""
    return np.array([seed & (2**64 - 1), seed >> 64], np.uint64)


def scratch() -> tuple[Array, Array, Array]:
    """Room for one game, for the scoring network, and for borrowed tracks."""
    return np.zeros(1, STATE), np.zeros(1, NETWORK), np.zeros((MAX_PLAYERS, MAX_STATIONS), np.int64)


def new_log(size: int = 512) -> Array:
    """An empty chance log for live play."""
    return np.zeros(LOG_FIRST + size, np.int64)
