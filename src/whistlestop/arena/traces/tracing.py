"""Kernels that note who claimed which track when, which tickets were offered, kept and completed, and cards spent.

Games come as a seed and a list of actions, and are replayed: that takes a tenth of the time in which the quickest bots
play them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest
from whistlestop.engine.jit import doors_of, kernel
from whistlestop.engine.layout import (
    FIRST_TICKETS,
    KEEP,
    KINDS,
    LOG_FIRST,
    MAX_STATIONS,
    MAX_TICKETS,
    MAX_TRACKS,
    NONE,
    OVER,
    PAY_EXTRA,
    TURN,
    WORDS,
)
from whistlestop.engine.rules import new_game, step
from whistlestop.engine.scoring import completed_tickets, score
from whistlestop.engine.types import (
    Bits,
    Int,
    Ints,
    Log,
    Network,
    Networks,
    Sheet,
    Sheets,
    State,
    States,
    Tables,
    TablesArray,
    Words,
)

Trace: TypeAlias = Any
"""One TRACE record."""
Traces: TypeAlias = Any
"""An array of TRACE records."""

TRACE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("stations", np.uint64),  # cities with a station at the end
                ("first", np.int64),  # who had the first turn
                ("steps", np.int64),
                ("turns", np.int64),  # of all players together; the first choice of tickets is none
                ("spent", np.int64, (KINDS,)),  # cards paid for tracks and stations
                ("claimed_at", np.int64, (MAX_TRACKS,)),  # the turn, from 0; NONE where nobody has claimed it
                ("owner", np.int8, (MAX_TRACKS,)),  # player or NONE
                ("offers", np.int8, (MAX_TICKETS,)),  # how often a player could keep the ticket
                ("dealt", np.int8, (MAX_TICKETS,)),  # to whom in the first choice, or NONE
                ("holder", np.int8, (MAX_TICKETS,)),  # who kept it, or NONE
                ("late", np.int8, (MAX_TICKETS,)),  # whether it was kept during the game, not in the first choice
                ("done", np.int8, (MAX_TICKETS,)),  # whether its holder completed it
            ]
        ),
    )
)
tracing_door = doors_of(Path(__file__).parent)


@kernel
def clear_trace(trace: Trace, first: Int) -> None:
    """Nothing has happened yet."""
    trace.first = first
    trace.steps = 0
    trace.turns = 0
    for kind in range(KINDS):
        trace.spent[kind] = 0
    for track in range(MAX_TRACKS):
        trace.claimed_at[track] = NONE
        trace.owner[track] = NONE
    for ticket in range(MAX_TICKETS):
        trace.offers[ticket] = 0
        trace.dealt[ticket] = NONE
        trace.holder[ticket] = NONE
        trace.late[ticket] = 0
        trace.done[ticket] = 0


@kernel
def note_choice(state: State, player: Int, subset: Int, trace: Trace) -> None:
    """Tickets that a player chooses from now, and those of them that are kept."""
    first = state.phase == FIRST_TICKETS
    for i in range(I(state.offer_n[player])):
        ticket = I(state.offer[player, i])
        trace.offers[ticket] += 1
        if first:
            trace.dealt[ticket] = player
        if (subset >> i) & 1:
            trace.holder[ticket] = player
            trace.late[ticket] = 0 if first else 1


@kernel
def note_cards(state: State, player: Int, before: Ints, trace: Trace) -> None:
    """Cards that have left a player's hand and the table for good; those laid for a tunnel may still come back."""
    for kind in range(KINDS):
        gone = before[kind] - I(state.hand[player, kind]) - I(state.laid[kind])
        if gone > 0:
            trace.spent[kind] += gone


@kernel
def note_claim(player: Int, word: Int, fresh: Bits, trace: Trace) -> None:
    """The track that a step has given to a player, if any."""
    if fresh != ZERO:
        track = 64 * word + lowest(fresh)
        trace.owner[track] = player
        trace.claimed_at[track] = trace.turns


@kernel
def traced_step(state: State, tables: Tables, action: Int, log: Log, before: Ints, trace: Trace) -> None:
    """Carry out a legal action and note what came of it; `before` is room for a hand."""
    player, in_turn = I(state.player), state.phase >= TURN
    if KEEP <= action < PAY_EXTRA:
        note_choice(state, player, action - KEEP, trace)
    for kind in range(KINDS):
        before[kind] = I(state.hand[player, kind]) + I(state.laid[kind])
    low, high = state.tracks[player, 0], state.tracks[player, 1]
    step(state, tables, action, log)
    note_cards(state, player, before, trace)
    note_claim(player, I(0), state.tracks[player, 0] & ~low, trace)
    note_claim(player, I(1), state.tracks[player, 1] & ~high, trace)
    trace.steps += 1
    if in_turn and (state.phase == TURN or state.phase == OVER):
        trace.turns += 1


@kernel
def trace_end(
    state: State, tables: Tables, net: Network, sheet: Sheet, borrowed: Ints, words: Words, done: Words, trace: Trace
) -> None:
    """The final count, and which tickets are completed; `words` and `done` are room for two words each."""
    score(state, tables, net, sheet, borrowed)
    trace.stations = ZERO
    for player in range(I(state.players)):
        trace.stations |= state.stations[player]
        for word in range(WORDS):
            words[word] = ZERO
        for station in range(MAX_STATIONS):
            track = borrowed[player, station]
            if track != NONE:
                words[track >> 6] |= bit(track)
        completed_tickets(state, tables, net, I(player), words, done)
        for word in range(WORDS):
            left = done[word]
            while left != ZERO:
                trace.done[64 * word + lowest(left)] = 1
                left &= left - ONE


@tracing_door
def traced_games(
    states: States,
    tables: TablesArray,
    nets: Networks,
    players: Int,
    seeds: Any,
    actions: Any,
    steps: Ints,
    sheets: Sheets,
    borrowed: Ints,
    traces: Traces,
) -> Int:
    """Replay games in states[0] and note them; returns how many of them have not come to their end.

    Row n of `actions` has the steps[n] actions of the game with seed n; where all choose at the same time, in the order
    of their seats.
    """
    log, before = np.zeros(LOG_FIRST, np.int64), np.zeros(KINDS, np.int64)
    words, done = np.zeros(WORDS, np.uint64), np.zeros(WORDS, np.uint64)
    unfinished = 0
    for game in range(seeds.shape[0]):
        new_game(states[0], tables[0], players, I(NONE), seeds[game], ZERO, log)
        states[0].remembers = 0
        clear_trace(traces[game], I(states[0].first))
        for n in range(steps[game]):
            traced_step(states[0], tables[0], I(actions[game, n]), log, before, traces[game])
        if states[0].phase != OVER:
            unfinished += 1
        trace_end(states[0], tables[0], nets[0], sheets[game], borrowed, words, done, traces[game])
    return unfinished
