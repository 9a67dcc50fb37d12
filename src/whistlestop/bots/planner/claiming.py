"""Claims: what to pay with, which planned track to claim now, tracks for their own sake, stations, the last turn."""

from __future__ import annotations

from typing import Any, TypeAlias

from whistlestop.bots.planner.mind import NO_TARGET, Mind, Parameters
from whistlestop.bots.planner.parameters import (
    BLOCK,
    EXTEND,
    GRAB,
    JOIN,
    LENGTH_RANK,
    LOCO_WASTE,
    LONG_TRACK,
    NEAR,
    NEED_WASTE,
    PASSENGER_VALUE,
    PATIENCE,
    RISK,
    RUSH,
    TARGET_TRAIN,
    TARGET_TURN,
    WAIT_CARDS,
    WAIT_TURNS,
)
from whistlestop.bots.planner.planning import (
    MANY_CARDS,
    ends_in,
    find_way,
    lead,
    most_held,
    others_tracks,
    own_cities,
    path_ends,
    rival_cities,
    set_prices,
    usable,
    waiting_cities,
)
from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ALL_LOCO_STATION,
    CLAIM,
    COLOUR_COUNT,
    LOCO,
    MAX_LENGTH,
    MAX_STATIONS,
    NONE,
    STATION_PAYMENTS,
    TURNED,
    WORDS,
)
from whistlestop.engine.legal import claim_offset, station_cost, station_payments, station_sites
from whistlestop.engine.types import Int, Real, State, Tables

Sites: TypeAlias = Any
"""Four sets of cities as bits, from `cities_of_note`."""
NEVER = 1e9
"""Waste of what cannot be paid."""
FEW_CARDS = 12
"""With fewer cards in deck and discards, a tunnel is only tried if it can be paid whatever comes up."""
SECOND_TURNS = 8.0
"""With fewer turns left, patience grows by one for each turn less."""


# ---- payments -----------------------------------------------------------------------------------------------------
@kernel
def tunnel_reserve(state: State, tables: Tables, track: Int) -> Int:
    """Cards to have beyond a tunnel's spaces: where few are left to turn up, they may be the same ones every time, and
    players who only try would try for ever.
    """
    return I(TURNED) if tables.tunnel[track] and I(state.deck_n) + I(state.discard_n) < FEW_CARDS else I(0)


@kernel
def payment(
    state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, track: Int, planned: Int
) -> tuple[Real, Int, Int]:
    """The payment for a track that wastes least: its waste, its colour, its locomotives; NEVER if there is none.

    Locomotives are wasted where colours would do, cards where the plan wants them elsewhere.
    """
    length, ferry, colour = I(tables.length[track]), I(tables.ferry[track]), I(tables.colour[track])
    locos = I(state.hand[player, LOCO])
    needed_locos = mind.need[player, LOCO] - ferry * planned
    reserve = tunnel_reserve(state, tables, track)
    best, best_colour, best_locos = NEVER, I(0), I(0)
    first, last = (I(0), I(COLOUR_COUNT)) if colour == NONE else (colour, colour + 1)
    for kind in range(first, last):
        held = I(state.hand[player, kind])
        plain = min(held, length - ferry)
        used = length - plain
        if used > locos or (plain == 0 and kind != first) or held + locos < length + reserve:
            continue
        needed = mind.need[player, kind]
        if planned and colour != NONE:
            needed -= length - ferry
        spare = max(0.0, held - needed)
        waste = par[LOCO_WASTE] * (used - ferry) + 0.5 * max(0.0, needed_locos - (locos - used))
        waste += par[NEED_WASTE] * max(0.0, plain - spare) - 0.01 * spare
        if tables.tunnel[track] and held + locos == length:
            waste += par[RISK]
        if waste < best:
            best, best_colour, best_locos = waste, I(LOCO) if plain == 0 else I(kind), used
    return best, best_colour, best_locos


@kernel
def cards_missing(state: State, tables: Tables, player: Int, track: Int, most: Int) -> Int:
    """How many cards a player lacks for a track; `most` is what a gray one can be paid with."""
    ferry, colour = I(tables.ferry[track]), I(tables.colour[track])
    cards = I(tables.length[track]) + tunnel_reserve(state, tables, track)
    locos = I(state.hand[player, LOCO])
    held = most if colour == NONE else I(state.hand[player, colour])
    return max(0, ferry - locos) + max(0, cards - ferry - held - max(0, locos - ferry))


# ---- planned tracks -----------------------------------------------------------------------------------------------
@kernel
def claim_of_plan(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, turns: Real) -> Int:
    """The planned track to claim now, as an action: those near rivals first, then long ones; NONE to wait.

    A claim that wastes cards waits; less so with a large hand, near the end and where a rival is near.
    """
    cards, most = I(state.cards[player]), most_held(state, player)
    patience = par[PATIENCE] + max(0.0, (cards - MANY_CARDS) / 4.0) + max(0.0, SECOND_TURNS - turns)
    near = rival_cities(state, tables, player)
    best, action, best_danger = -NEVER, I(NONE), 0.0
    for word in range(WORDS):
        left = mind.plan[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if cards_missing(state, tables, player, track, most) > 0:
                continue
            waste, colour, locos = payment(state, tables, mind, player, par, track, I(1))
            danger = par[NEAR] * ends_in(tables, track, near)
            rank = danger + par[LENGTH_RANK] * tables.length[track] - waste
            if waste <= patience + danger / 4.0 and rank > best:
                best, best_danger = rank, danger
                action = CLAIM + claim_offset(tables, track, colour, locos)
    if cards < par[WAIT_CARDS] and turns > par[WAIT_TURNS] and best_danger <= 0.0:
        return I(NONE)
    return action


# ---- tracks for their own sake ------------------------------------------------------------------------------------
@kernel
def cities_of_note(state: State, tables: Tables, player: Int, par: Parameters) -> Sites:
    """What a track's worth depends on: cities with own tracks, where own paths end, with rivals', with passengers."""
    tips = path_ends(state, tables, player) if tables.longest_path > 0 and par[EXTEND] != 0.0 else ZERO
    rivals = rival_cities(state, tables, player) if par[BLOCK] != 0.0 and state.last_turns == 0 else ZERO
    return own_cities(state, tables, player), tips, rivals, waiting_cities(state, tables)


@kernel
def worth(tables: Tables, par: Parameters, track: Int, sites: Sites) -> Real:
    """Points that a track brings by itself, a part of the path bonus, passengers, and what it takes from rivals."""
    mine, tips, rivals, waiting = sites
    value = 1.0 * tables.track_points[track] + par[PASSENGER_VALUE] * ends_in(tables, track, waiting)
    if tables.longest_path > 0 and ends_in(tables, track, mine) > 0:
        value += (par[JOIN] + par[EXTEND] * ends_in(tables, track, tips)) * tables.length[track]
    if rivals and ends_in(tables, track, rivals) == 2:
        value += par[BLOCK] * tables.length[track]
    return value


@kernel
def most_worth(tables: Tables, par: Parameters, sites: Sites) -> tuple[Real, Real]:
    """What a track can be worth beyond its points at most: for each space, and besides."""
    _, _, rivals, waiting = sites
    per_space = max(0.0, par[JOIN] + 2.0 * max(0.0, par[EXTEND])) if tables.longest_path > 0 else 0.0
    if rivals:
        per_space += max(0.0, par[BLOCK])
    return per_space, 2.0 * max(0.0, par[PASSENGER_VALUE]) if waiting else 0.0


@kernel
def find_target(
    state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, turns: Real, trains: Int
) -> Int:
    """The track beside the plan that brings most points a turn with so many trains, or NO_TARGET."""
    sites = cities_of_note(state, tables, player, par)
    most = most_held(state, player)
    per_train = par[RUSH] * lead(state, player) - par[TARGET_TRAIN]
    most_per_space, most_besides = most_worth(tables, par, sites)
    best, target = 0.0, I(NO_TARGET)
    for word in range(WORDS):
        within = tables.within[max(0, min(trains, MAX_LENGTH)), word]
        left = usable(state, tables, player, word) & within & ~mind.plan[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            needed = par[TARGET_TURN] + (cards_missing(state, tables, player, track, most) + 1) // 2
            at_most = tables.track_points[track] + (most_per_space + per_train) * tables.length[track] + most_besides
            if needed > turns or at_most <= best * needed:
                continue
            value = worth(tables, par, track, sites) + per_train * tables.length[track]
            if value > best * needed:
                best, target = value / needed, track
    return target


@kernel
def claim_beside_plan(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """A long track from cards and trains that the plan does not need, as an action, or NONE."""
    sites = cities_of_note(state, tables, player, par)
    spare, most = I(state.trains[player]) - mind.spaces[player] - 2, most_held(state, player)
    best, action = 0.0, I(NONE)
    for word in range(WORDS):
        within = tables.within[max(0, min(spare, MAX_LENGTH)), word]
        left = usable(state, tables, player, word) & within & ~mind.plan[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if tables.length[track] < par[LONG_TRACK] or cards_missing(state, tables, player, track, most) > 0:
                continue
            waste, colour, locos = payment(state, tables, mind, player, par, track, I(0))
            value = worth(tables, par, track, sites) - waste
            if waste < par[GRAB] and value > best:
                best, action = value, CLAIM + claim_offset(tables, track, colour, locos)
    return action


@kernel
def claim_track(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, track: Int) -> Int:
    """The claim of a track beside the plan, as an action, or NONE if it cannot be paid."""
    if cards_missing(state, tables, player, track, most_held(state, player)) > 0:
        return I(NONE)
    _, colour, locos = payment(state, tables, mind, player, par, track, I(0))
    return CLAIM + claim_offset(tables, track, colour, locos)


@kernel
def claim_for_points(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """The payable track that brings most points, as an action, or NONE: when there is nothing to draw."""
    sites, most = cities_of_note(state, tables, player, par), most_held(state, player)
    best, action = -NEVER, I(NONE)
    for word in range(WORDS):
        left = usable(state, tables, player, word)
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if cards_missing(state, tables, player, track, most) == 0:
                value = worth(tables, par, track, sites)
                if value > best:
                    _, colour, locos = payment(state, tables, mind, player, par, track, I(0))
                    best, action = value, CLAIM + claim_offset(tables, track, colour, locos)
    return action


# ---- stations -----------------------------------------------------------------------------------------------------
@kernel
def station_payment(state: State, mind: Mind, player: Int, par: Parameters) -> Int:
    """The payment for a station that wastes least, or NONE."""
    n = station_cost(state, player)
    best, found = NEVER, I(NONE)
    left = station_payments(state)
    while left:
        way = lowest(left)
        left &= left - ONE
        if way == ALL_LOCO_STATION:
            waste = par[LOCO_WASTE] * n
        else:
            locos, colour = way % MAX_STATIONS, way // MAX_STATIONS
            spare = max(0.0, state.hand[player, colour] - mind.need[player, colour])
            waste = par[LOCO_WASTE] * locos + par[NEED_WASTE] * max(0.0, n - locos - spare)
            waste -= 0.01 * state.hand[player, colour]
        if waste < best:
            best, found = waste, way
    return found


@kernel
def build_for_plan(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """A station for a track that the plan borrows, as an action, or NONE."""
    if state.stations_left[player] == 0 or (mind.borrow[player, 0] | mind.borrow[player, 1]) == ZERO:
        return I(NONE)
    way = station_payment(state, mind, player, par)
    if way == NONE:
        return I(NONE)
    sites = station_sites(state, tables)
    for word in range(WORDS):
        left = mind.borrow[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            ends = bit(I(tables.a[track])) | bit(I(tables.b[track]))
            if ends & state.stations[player] == ZERO and ends & sites:
                return tables.station_first + lowest(ends & sites) * STATION_PAYMENTS + way
    return I(NONE)


# ---- the last turn ------------------------------------------------------------------------------------------------
@kernel
def find_open_tickets(state: State, tables: Tables, mind: Mind, player: Int) -> Int:
    """Tickets that own tracks do not complete into `order`, with what each end is connected with; how many."""
    n = I(0)
    low, high = state.tracks[player, 0], state.tracks[player, 1]
    for word in range(WORDS):
        left = state.tickets[player, word] & ~mind.done[player, word]
        while left:
            ticket = 64 * word + lowest(left)
            left &= left - ONE
            if find_way(tables, mind, tables.ticket_a[ticket], tables.ticket_b[ticket], low, high) == NONE:
                mind.order[n] = ticket
                mind.group_a[n] = mind.reached
                find_way(tables, mind, tables.ticket_b[ticket], ZERO, low, high)
                mind.group_b[n] = mind.reached
                n += 1
    return n


@kernel
def points_joined(tables: Tables, mind: Mind, n: Int, track: Int) -> Int:
    """What a track adds by completing open tickets: twice their points, since they would count against."""
    a, b = bit(I(tables.a[track])), bit(I(tables.b[track]))
    points = I(0)
    for i in range(n):
        one, other = mind.group_a[i], mind.group_b[i]
        if (one & a and other & b) or (one & b and other & a):
            points += 2 * I(tables.ticket_points[mind.order[i]])
    return points


@kernel
def last_turn(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """What brings most at once: a track by its points and the tickets it completes, or a station; NONE if nothing."""
    set_prices(state, tables, mind, player, par)
    n = find_open_tickets(state, tables, mind, player)
    for kind in range(COLOUR_COUNT + 1):
        mind.need[player, kind] = 0.0
    sites, most = cities_of_note(state, tables, player, par), most_held(state, player)
    best, action = 0.0, I(NONE)
    for word in range(WORDS):
        left = usable(state, tables, player, word)
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if cards_missing(state, tables, player, track, most) > 0:
                continue
            waste, colour, locos = payment(state, tables, mind, player, par, track, I(0))
            value = worth(tables, par, track, sites) + points_joined(tables, mind, n, track)
            value -= 0.01 * waste
            if value > best:
                best, action = value, CLAIM + claim_offset(tables, track, colour, locos)
    if n > 0 and state.stations_left[player] > 0:
        value, station = best_station(state, tables, mind, player, par, n)
        if value > best:
            action = station
    return action


@kernel
def best_station(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, n: Int) -> tuple[Real, Int]:
    """The station that completes most with one track of another: its points and the action."""
    way, sites = station_payment(state, mind, player, par), station_sites(state, tables)
    best, action = 0.0, I(NONE)
    if way == NONE:
        return best, action
    for word in range(WORDS):
        left = others_tracks(state, player, word)
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            ends = (bit(I(tables.a[track])) | bit(I(tables.b[track]))) & sites
            value = 1.0 * points_joined(tables, mind, n, track) - tables.station_points
            if ends and value > best:
                best, action = value, tables.station_first + lowest(ends) * STATION_PAYMENTS + way
    return best, action
