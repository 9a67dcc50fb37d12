"""Passengers: which one to take along, and what those at the ends of a track are worth."""

from __future__ import annotations

from whistlestop.engine.bits import ONE, I, lowest
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import NONE, TAKE_NONE, TAKE_PASSENGER
from whistlestop.engine.legal import passenger_mask, passenger_place
from whistlestop.engine.types import Int, Real, State, Tables

NOBODY = -1e9
"""Value of a passenger where none waits."""


@kernel
def passenger_value(state: State, tables: Tables, player: Int, colour: Int) -> Real:
    """What one more passenger of a colour is worth: towards the first and the second prize."""
    mine, lead = I(state.collected[player, colour]), I(0)
    for other in range(I(state.players)):
        if other != player:
            lead = max(lead, I(state.collected[other, colour]))
    first, second = tables.passenger_points[0], tables.passenger_points[1]
    value = 0.5 * (mine + 1) - max(0, lead - mine - 1)
    if mine == 0:
        value += second
    if mine <= lead <= mine + 1:
        value += first - second
    return value


@kernel
def best_passenger(state: State, tables: Tables, player: Int, place: Int) -> tuple[Real, Int]:
    """The value and the colour of the passenger at a place that is worth most; NOBODY and NONE where none waits."""
    mask = passenger_mask(state, tables, place)
    best, found = NOBODY, I(NONE)
    while mask:
        colour = lowest(mask)
        mask &= mask - ONE
        value = passenger_value(state, tables, player, colour)
        if value > best:
            best, found = value, colour
    return best, found


@kernel
def take_passenger(state: State, tables: Tables, player: Int) -> Int:
    """The passenger that is worth most."""
    _, colour = best_passenger(state, tables, player, passenger_place(state, tables))
    return I(TAKE_NONE) if colour == NONE else TAKE_PASSENGER + colour


@kernel
def passengers_worth(state: State, tables: Tables, player: Int, track: Int) -> Real:
    """What the passengers at both ends of a track are worth, one from each."""
    at_a, _ = best_passenger(state, tables, player, I(tables.city_place[tables.a[track]]))
    at_b, _ = best_passenger(state, tables, player, I(tables.city_place[tables.b[track]]))
    return max(0.0, at_a) + max(0.0, at_b)
