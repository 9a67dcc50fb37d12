"""The policy: what a planner does in each phase, from what its player may know of a state."""

from __future__ import annotations

from whistlestop.bots.planner.claiming import (
    build_for_plan,
    claim_beside_plan,
    claim_for_points,
    claim_of_plan,
    claim_track,
    find_target,
    last_turn,
)
from whistlestop.bots.planner.drawing import (
    answer_tunnel,
    draw_card,
    draw_tickets,
    keep_tickets,
    value_cards,
)
from whistlestop.bots.planner.mind import NO_TARGET, UNKNOWN_TARGET, Mind, Parameters, Tempers
from whistlestop.bots.planner.parameters import DRAW_EARLY, DRAW_LEAD, DRAW_TRAINS, DRAW_TURNS, HOARD
from whistlestop.bots.planner.passengers import take_passenger
from whistlestop.bots.planner.planning import ensure_plan, lead, turns_left
from whistlestop.engine.bits import ZERO, I, U, lowest, seeded
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import ANNOUNCE, FIRST_TICKETS, NONE, SECOND_CARD, TICKETS, TUNNEL, TURN
from whistlestop.engine.legal import draw_mask, random_action, ticket_mask
from whistlestop.engine.types import Bool, Int, Real, State, Tables

SPARE_TRAINS = 4
"""So many trains beyond the plan, and a track for its own sake is looked for."""


@kernel
def wants_tickets(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, turns: Real) -> Bool:
    """Whether there are trains and turns enough for more tickets."""
    spare = I(state.trains[player]) - mind.spaces[player] - par[DRAW_LEAD] * lead(state, player)
    return spare >= par[DRAW_TRAINS] and turns >= par[DRAW_TURNS] and ticket_mask(state, tables) != ZERO


@kernel
def set_target(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, turns: Real) -> Int:
    """A track for its own sake, where trains are left for one."""
    spare = I(state.trains[player]) - mind.spaces[player]
    if mind.claims[player] > 0 and spare < SPARE_TRAINS:
        mind.target[player] = NO_TARGET
    else:
        mind.target[player] = find_target(state, tables, mind, player, par, turns, spare)
    return mind.target[player]


@kernel
def take_turn(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """A turn: claim for the plan, else draw tickets, else claim beside the plan, else draw cards."""
    ensure_plan(state, tables, mind, player, par)
    turns = turns_left(state, tables, player, par)
    action = I(NONE)
    if mind.claims[player] > 0:
        action = claim_of_plan(state, tables, mind, player, par, turns)
        early = action == NONE and mind.spaces[player] <= par[DRAW_EARLY]
        if early and wants_tickets(state, tables, mind, player, par, turns):
            return draw_tickets(state, tables, player, par)
        if action == NONE and state.cards[player] >= par[HOARD]:
            action = claim_beside_plan(state, tables, mind, player, par)
        if action != NONE:
            return action
        target = set_target(state, tables, mind, player, par, turns)
    else:
        action = build_for_plan(state, tables, mind, player, par)
        if action != NONE:
            return action
        if wants_tickets(state, tables, mind, player, par, turns):
            return draw_tickets(state, tables, player, par)
        target = set_target(state, tables, mind, player, par, turns)
        if target >= 0:
            action = claim_track(state, tables, mind, player, par, target)
            if action != NONE:
                return action
    value_cards(state, tables, mind, player, par, target)
    return draw_card(state, tables, mind, player, par)


@kernel
def second_card(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """The second card, with the same wishes as the first."""
    ensure_plan(state, tables, mind, player, par)
    target = mind.target[player]
    if target == UNKNOWN_TARGET:
        target = set_target(state, tables, mind, player, par, turns_left(state, tables, player, par))
    value_cards(state, tables, mind, player, par, target)
    return draw_card(state, tables, mind, player, par)


@kernel
def anything(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """What is left when a turn has no better use."""
    action = claim_for_points(state, tables, mind, player, par)
    return action if action != NONE else random_action(state, tables, seeded(U(1)))


@kernel
def policy(state: State, tables: Tables, mind: Mind, tempers: Tempers) -> Int:
    """The action of the player to move."""
    player = I(state.player)
    par = tempers[mind.temper[player]]
    phase = I(state.phase)
    if phase == TURN:
        if state.last_turns > 0:
            action = last_turn(state, tables, mind, player, par)
            if action == NONE and draw_mask(state) != ZERO:
                return lowest(draw_mask(state))
        else:
            action = take_turn(state, tables, mind, player, par)
        return action if action != NONE else anything(state, tables, mind, player, par)
    if phase == SECOND_CARD:
        if state.last_turns > 0:
            return lowest(draw_mask(state))
        return second_card(state, tables, mind, player, par)
    if phase == FIRST_TICKETS or phase == TICKETS:
        return keep_tickets(state, tables, mind, player, par)
    if phase == ANNOUNCE:
        return draw_tickets(state, tables, player, par)
    if phase == TUNNEL:
        return answer_tunnel(state, tables, player, par)
    return take_passenger(state, tables, player)
