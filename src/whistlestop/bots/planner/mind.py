"""What a planner keeps in mind during a game, and the scratch space of its kernels: one record serves all seats."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from whistlestop.engine.bits import ZERO, I
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import KINDS, MAX_CITIES, MAX_PLAYERS, MAX_TICKETS, MAX_TRACKS, WORDS
from whistlestop.engine.types import Int

Mind: TypeAlias = Any
"""One MIND record."""
Minds: TypeAlias = Any
"""An array of one MIND record."""
Parameters: TypeAlias = Any
"""Parameters of one seat, an array of float64."""
Tempers: TypeAlias = Any
"""Rows of parameters, MAX_TEMPERS at most; `mind.temper` tells which one a seat plays by."""

NO_TARGET = -1
"""There is no track worth claiming for its own sake."""
UNKNOWN_TARGET = -2
"""Nobody has looked for one yet."""

MAX_TEMPERS = 8
"""Rows of parameters that the seats of a game can play by."""

MIND = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # -- per seat: the plan, and what it was made for
                ("plan", np.uint64, (MAX_PLAYERS, WORDS)),  # tracks to claim
                ("borrow", np.uint64, (MAX_PLAYERS, WORDS)),  # others' tracks to use by a station
                ("tickets", np.uint64, (MAX_PLAYERS, WORDS)),  # tickets that the plan was made for
                ("done", np.uint64, (MAX_PLAYERS, WORDS)),  # tickets known to be completed by own tracks
                ("valid", np.int64, (MAX_PLAYERS,)),
                ("cards", np.int64, (MAX_PLAYERS,)),  # hand when the plan was made
                ("hopeless", np.int64, (MAX_PLAYERS,)),  # tickets that the plan gives up
                ("spaces", np.int64, (MAX_PLAYERS,)),  # of the tracks to claim
                ("claims", np.int64, (MAX_PLAYERS,)),  # number of them
                ("target", np.int64, (MAX_PLAYERS,)),  # a track for its own sake, NO_TARGET or UNKNOWN_TARGET
                (
                    "need",
                    np.float64,
                    (MAX_PLAYERS, KINDS),
                ),  # cards of each kind that coloured tracks of the plan ask for
                # -- parameters: which row each seat plays by, and what they alone tell of prices
                ("temper", np.int64, (MAX_PLAYERS,)),
                ("start_price", np.float64, (MAX_TEMPERS, MAX_TRACKS)),
                # -- planning: prices now, how many tickets' ways use a track, and Dijkstra's numbers
                ("price", np.float64, (MAX_TRACKS,)),
                ("list_price", np.float64, (MAX_TRACKS,)),  # before tickets share tracks
                ("uses", np.int64, (MAX_TRACKS,)),
                ("distance", np.float64, (MAX_CITIES,)),
                ("came_by", np.int64, (MAX_CITIES,)),
                ("reached", np.uint64, ()),
                ("order", np.int64, (MAX_TICKETS,)),
                ("fate", np.int64, (MAX_TICKETS,)),
                ("way", np.uint64, (MAX_TICKETS, WORDS)),
                ("draft", np.uint64, (WORDS,)),
                ("draft_borrow", np.uint64, (WORDS,)),
                ("draft_tickets", np.int64, ()),
                ("draft_spaces", np.int64, ()),
                ("draft_claims", np.int64, ()),
                ("draft_price", np.float64, ()),
                ("draft_points", np.int64, ()),
                ("draft_hopeless", np.int64, ()),
                # -- one decision
                ("want", np.float64, (KINDS,)),  # value of one more card of a kind
                ("surplus", np.float64, (KINDS,)),
                ("group_a", np.uint64, (MAX_TICKETS,)),  # cities that one end of an open ticket is connected with
                ("group_b", np.uint64, (MAX_TICKETS,)),
            ]
        ),
    )
)


@kernel
def forget(mind: Mind) -> None:
    """Nothing is planned: before a game, and before a view of which nothing else is known."""
    for player in range(MAX_PLAYERS):
        forget_player(mind, I(player))


@kernel
def forget_player(mind: Mind, player: Int) -> None:
    """Nothing is planned for one seat."""
    mind.valid[player] = 0
    mind.target[player] = UNKNOWN_TARGET
    for word in range(WORDS):
        mind.done[player, word] = ZERO


@kernel
def copy_plan(mind: Mind, other: Mind, player: Int) -> None:
    """Take over what another mind has planned for a seat."""
    for word in range(WORDS):
        mind.plan[player, word] = other.plan[player, word]
        mind.borrow[player, word] = other.borrow[player, word]
        mind.tickets[player, word] = other.tickets[player, word]
        mind.done[player, word] = other.done[player, word]
    for kind in range(KINDS):
        mind.need[player, kind] = other.need[player, kind]
    mind.valid[player] = other.valid[player]
    mind.cards[player] = other.cards[player]
    mind.hopeless[player] = other.hopeless[player]
    mind.spaces[player] = other.spaces[player]
    mind.claims[player] = other.claims[player]
    mind.target[player] = other.target[player]
