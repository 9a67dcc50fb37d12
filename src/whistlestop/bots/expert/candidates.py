"""Candidates: what the search weighs. Each is an action and the temper in which its player goes on afterwards."""

from __future__ import annotations

from whistlestop.bots.planner.claiming import build_for_plan, cards_missing, claim_for_points, payment
from whistlestop.bots.planner.drawing import blind_value, value_cards
from whistlestop.bots.planner.mind import Mind, Minds, Tempers, copy_plan, forget_player
from whistlestop.bots.planner.parameters import LENGTH_RANK, NEAR
from whistlestop.bots.planner.passengers import passengers_worth
from whistlestop.bots.planner.planning import (
    ends_in,
    ensure_plan,
    most_held,
    rival_cities,
    turns_left,
    usable,
    waiting_cities,
)
from whistlestop.bots.planner.policy import policy, set_target
from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import CLAIM, DRAW_BLIND, DRAW_FACE_UP, DRAW_TICKETS, NONE, SECOND_CARD, TURN, WORDS
from whistlestop.engine.legal import claim_offset, draw_mask, simple_first, simple_mask, ticket_mask
from whistlestop.engine.types import Int, Ints, Real, Reals, State, Tables

MAX_CANDIDATES = 40
ROOM = 2 * MAX_CANDIDATES
PLANNED_CLAIMS = 3
BLOCKS = 3
PICK_UPS = 3
DRAWS = 3
LEAST_THREAT = 0.2
"""Share of the worlds in which a rival plans a track, for claiming it to be weighed."""
PASSENGER_SHARE = 0.4
"""Share of what a colour of passengers may bring that one of them is counted for."""
TICKET_TRAINS = 5
TICKET_TURNS = 3.0


@kernel
def add(actions: Ints, ways: Ints, n: Int, action: Int, temper: Int) -> Int:
    """Append a candidate that is not there yet; returns the new count."""
    if action == NONE or n >= MAX_CANDIDATES:
        return n
    for i in range(n):
        if actions[i] == action and ways[i] == temper:
            return n
    actions[n] = action
    ways[n] = temper
    return n + 1


@kernel
def add_tempers(
    state: State, tables: Tables, minds: Minds, mind: Mind, tempers: Tempers, own: Ints, actions: Ints, ways: Ints
) -> Int:
    """What each temper would do, the first one's first, with its plan kept in minds[2 + temper] for the playouts."""
    n, player = I(0), I(state.player)
    for i in range(len(own)):
        temper = own[i]
        mind.temper[player] = temper
        forget_player(mind, player)
        n = add(actions, ways, n, policy(state, tables, mind, tempers), temper)
        copy_plan(minds[2 + temper], mind, player)
    mind.temper[player] = own[0]
    copy_plan(mind, minds[2 + own[0]], player)
    return n


@kernel
def insert(actions: Ints, ranks: Reals, first: Int, n: Int, most: Int, action: Int, rank: Real) -> Int:
    """Insert into a list of the best, sorted from the best down, that begins at `first`; returns the new count."""
    place = n
    if n == most:
        if rank <= ranks[first + most - 1]:
            return n
        place = n - 1
    while place > 0 and ranks[first + place - 1] < rank:
        ranks[first + place] = ranks[first + place - 1]
        actions[first + place] = actions[first + place - 1]
        place -= 1
    ranks[first + place] = rank
    actions[first + place] = action
    return min(n + 1, most)


@kernel
def add_claims(
    state: State,
    tables: Tables,
    mind: Mind,
    tempers: Tempers,
    threat: Reals,
    actions: Ints,
    ways: Ints,
    ranks: Reals,
    n: Int,
) -> Int:
    """Planned tracks that can be paid, and tracks that a rival is likely to want."""
    player, temper = I(state.player), mind.temper[state.player]
    par = tempers[temper]
    near, most = rival_cities(state, tables, player), most_held(state, player)
    planned, blocks = I(0), I(0)
    first_planned, first_block = I(MAX_CANDIDATES), I(MAX_CANDIDATES + PLANNED_CLAIMS)
    for word in range(WORDS):
        left = usable(state, tables, player, word)
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if cards_missing(state, tables, player, track, most) > 0:
                continue
            in_plan = I(mind.plan[player, word] & bit(track) != 0)
            if in_plan == 0 and threat[track] < LEAST_THREAT:
                continue
            waste, colour, locos = payment(state, tables, mind, player, par, track, in_plan)
            action = CLAIM + claim_offset(tables, track, colour, locos)
            if in_plan:
                rank = par[NEAR] * ends_in(tables, track, near) + par[LENGTH_RANK] * tables.length[track] - waste
                planned = insert(actions, ranks, first_planned, planned, I(PLANNED_CLAIMS), action, rank)
            else:
                rank = threat[track] * (1.0 + tables.length[track]) + 0.3 * tables.track_points[track] - 0.5 * waste
                blocks = insert(actions, ranks, first_block, blocks, I(BLOCKS), action, rank)
    for i in range(planned):
        n = add(actions, ways, n, actions[first_planned + i], temper)
    for i in range(blocks):
        n = add(actions, ways, n, actions[first_block + i], temper)
    return n


@kernel
def add_pick_ups(
    state: State, tables: Tables, mind: Mind, tempers: Tempers, actions: Ints, ways: Ints, ranks: Reals, n: Int
) -> Int:
    """Tracks beside the plan for the sake of the passengers at their ends.

    As a rule for every turn they lose (the planner has none); played at the right moment they win games.
    """
    player, temper = I(state.player), mind.temper[state.player]
    waiting = waiting_cities(state, tables)
    if waiting == ZERO:
        return n
    most, found, first = most_held(state, player), I(0), I(MAX_CANDIDATES)
    for word in range(WORDS):
        left = usable(state, tables, player, word) & ~mind.plan[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if ends_in(tables, track, waiting) == 0 or cards_missing(state, tables, player, track, most) > 0:
                continue
            waste, colour, locos = payment(state, tables, mind, player, tempers[temper], track, I(0))
            rank = tables.track_points[track] + PASSENGER_SHARE * passengers_worth(state, tables, player, track)
            rank -= waste + tables.length[track]
            action = CLAIM + claim_offset(tables, track, colour, locos)
            found = insert(actions, ranks, first, found, I(PICK_UPS), action, rank)
    for i in range(found):
        n = add(actions, ways, n, actions[first + i], temper)
    return n


@kernel
def add_draws(
    state: State, tables: Tables, mind: Mind, tempers: Tempers, actions: Ints, ways: Ints, ranks: Reals, n: Int
) -> Int:
    """The cards that are wanted most."""
    player, temper = I(state.player), mind.temper[state.player]
    par = tempers[temper]
    ensure_plan(state, tables, mind, player, par)
    target = set_target(state, tables, mind, player, par, turns_left(state, tables, player, par))
    value_cards(state, tables, mind, player, par, target)
    blind = blind_value(state, tables, mind, player, par)
    found, first = I(0), I(MAX_CANDIDATES)
    left = draw_mask(state)
    while left:
        action = lowest(left)
        left &= left - ONE
        rank = blind if action == DRAW_BLIND else mind.want[action - DRAW_FACE_UP]
        found = insert(actions, ranks, first, found, I(DRAWS), action, rank)
    for i in range(found):
        n = add(actions, ways, n, actions[first + i], temper)
    return n


@kernel
def list_candidates(
    state: State,
    tables: Tables,
    minds: Minds,
    mind: Mind,
    tempers: Tempers,
    own: Ints,
    threat: Reals,
    actions: Ints,
    ways: Ints,
    ranks: Reals,
) -> Int:
    """Fill actions and ways (tempers to go on in); returns how many. The first is what the first own temper does."""
    player, phase = I(state.player), I(state.phase)
    n = add_tempers(state, tables, minds, mind, tempers, own, actions, ways)
    temper = own[0]
    if phase == TURN:
        n = add_claims(state, tables, mind, tempers, threat, actions, ways, ranks, n)
        n = add_pick_ups(state, tables, mind, tempers, actions, ways, ranks, n)
        n = add(actions, ways, n, claim_for_points(state, tables, mind, player, tempers[temper]), temper)
        n = add(actions, ways, n, build_for_plan(state, tables, mind, player, tempers[temper]), temper)
        if state.last_turns == 0:
            n = add_draws(state, tables, mind, tempers, actions, ways, ranks, n)
            if (
                state.trains[player] >= TICKET_TRAINS
                and turns_left(state, tables, player, tempers[temper]) >= TICKET_TURNS
            ):
                left = ticket_mask(state, tables)
                while left:
                    n = add(actions, ways, n, DRAW_TICKETS + lowest(left), temper)
                    left &= left - ONE
        return n
    if phase == SECOND_CARD:
        return add_draws(state, tables, mind, tempers, actions, ways, ranks, n)
    left, first = simple_mask(state, tables), simple_first(state)
    while left:
        n = add(actions, ways, n, first + lowest(left), temper)
        left &= left - ONE
    return n
