"""Playouts: candidates played to the end in redealt worlds, the same worlds and the same luck for all of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from whistlestop.bots.expert.beliefs import reweigh, weigh_tickets
from whistlestop.bots.expert.candidates import list_candidates
from whistlestop.bots.planner.games import MOST_STEPS
from whistlestop.bots.planner.mind import Mind, Minds, Tempers, copy_plan, forget
from whistlestop.bots.planner.planning import ensure_plan, set_start_prices
from whistlestop.bots.planner.policy import policy
from whistlestop.engine.bits import ONE, I, U, lowest, seeded
from whistlestop.engine.hidden import determinize
from whistlestop.engine.jit import doors_of, kernel
from whistlestop.engine.layout import FIRST_TICKETS, LOG_FIRST, OVER, TOTAL, TURN, WON, WORDS
from whistlestop.engine.rules import step
from whistlestop.engine.scoring import score
from whistlestop.engine.types import (
    Int,
    Ints,
    Log,
    Network,
    Networks,
    Real,
    Reals,
    Rng,
    Sheet,
    State,
    States,
    Tables,
    TablesArray,
    Words,
)

expert_door = doors_of(Path(__file__).parents[1] / "planner", Path(__file__).parent)

GOLDEN = 0x9E3779B97F4A7C15
WORLD, PLAYED = range(2)
"""States and minds of a room: the world redealt with the others' plans, and the playout; the root's plans follow."""


@kernel
def turn_seed(seed: Rng, turn: Int) -> Rng:
    """The chance stream of one turn of a world: a deviation changes the game by itself, not by other luck."""
    return seeded(seed + U(turn) * U(GOLDEN))


@kernel
def deal_world(
    root: State, tables: Tables, states: States, mind: Mind, tempers: Tempers, viewer: Int, seed: Rng,
    rivals: Ints, weights: Reals, pool: Words,
) -> None:  # fmt: skip
    """A world that the viewer thinks possible into states[WORLD], and what the others plan in it into a mind."""
    states[WORLD] = root
    world = states[WORLD]
    determinize(world, tables, viewer, seed, pool)
    world.remembers = 0
    if world.phase > FIRST_TICKETS:
        reweigh(world, tables, root, viewer, weights, pool)
    forget(mind)
    for player in range(I(world.players)):
        if player == viewer:
            continue
        mind.temper[player] = rivals[(seed >> U(8 * player + 8)) % U(len(rivals))]
        if world.phase > FIRST_TICKETS:
            ensure_plan(world, tables, mind, player, tempers[mind.temper[player]])


@kernel
def play_on(state: State, tables: Tables, mind: Mind, tempers: Tempers, log: Log, seed: Rng) -> None:
    """Play to the end by the policy, each turn with its own luck."""
    turn, steps = I(0), 0
    while state.phase != OVER and steps < MOST_STEPS:
        steps += 1
        if state.phase == TURN:
            turn += 1
            state.rng = turn_seed(seed, turn)
        step(state, tables, policy(state, tables, mind, tempers), log)


@kernel
def result(state: State, tables: Tables, net: Network, sheet: Sheet, borrowed: Ints, viewer: Int) -> tuple[Real, Real]:
    """The viewer's share of the victory and margin over the best rival at the end of a game."""
    score(state, tables, net, sheet, borrowed)
    winners, best = I(0), I(-10000)
    for player in range(I(state.players)):
        winners += sheet[player, WON]
        if player != viewer:
            best = max(best, sheet[player, TOTAL])
    return sheet[viewer, WON] / winners, 1.0 * (sheet[viewer, TOTAL] - best)


@expert_door
def prepare(
    roots: States, tables: TablesArray, states: States, minds: Minds, tempers: Tempers, own: Ints, rivals: Ints,
    seed: Rng, worlds: Int, weights: Reals, threat: Reals, actions: Ints, ways: Ints, ranks: Reals, pool: Words,
) -> Int:  # fmt: skip
    """Weigh tickets, survey what rivals plan in some worlds, and list the candidates; returns how many.

    roots[0] is a redacted state with its player to act.
    """
    root, table, mind = roots[0], tables[0], minds[PLAYED]
    viewer = I(root.player)
    begin_room(tables, minds, tempers)
    if root.phase > FIRST_TICKETS:
        weigh_tickets(root, table, mind, viewer, weights)
    for track in range(len(threat)):
        threat[track] = 0.0
    if root.phase == TURN:
        for world in range(worlds):
            deal_world(root, table, states, mind, tempers, viewer, turn_seed(seed, I(world)), rivals, weights, pool)
            for player in range(I(root.players)):
                if player != viewer:
                    for word in range(WORDS):
                        left = mind.plan[player, word]
                        while left:
                            threat[64 * word + lowest(left)] += 1.0 / worlds
                            left &= left - ONE
    forget(mind)
    return list_candidates(root, table, minds, mind, tempers, own, threat, actions, ways, ranks)


@kernel
def begin_room(tables: TablesArray, minds: Minds, tempers: Tempers) -> None:
    """Prices of every temper in the minds that plan."""
    for temper in range(len(tempers)):
        set_start_prices(tables[0], minds[WORLD], temper, tempers[temper])
        set_start_prices(tables[0], minds[PLAYED], temper, tempers[temper])


@expert_door
def play_candidates(
    roots: States, tables: TablesArray, states: States, minds: Minds, nets: Networks, sheet: Sheet, borrowed: Ints,
    tempers: Tempers, rivals: Ints, plans: Minds, weights: Reals, seed: Rng, first: Int, actions: Ints, ways: Ints,
    wins: Reals, margins: Reals, pool: Words,
) -> None:  # fmt: skip
    """Play each candidate in worlds first, first + 1, …: into wins and margins, a row a world, a column a candidate.

    plans[2 + temper] holds the viewer's plan in a temper.
    """
    log = np.zeros(LOG_FIRST, np.int64)
    root, table = roots[0], tables[0]
    viewer = I(root.player)
    begin_room(tables, minds, tempers)
    for i in range(wins.shape[0]):
        world_seed = turn_seed(seed, first + i)
        deal_world(root, table, states, minds[WORLD], tempers, viewer, world_seed, rivals, weights, pool)
        for c in range(len(actions)):
            states[PLAYED] = states[WORLD]
            mind = minds[PLAYED]
            for player in range(I(root.players)):
                if player != viewer:
                    mind.temper[player] = minds[WORLD].temper[player]
                    copy_plan(mind, minds[WORLD], player)
            mind.temper[viewer] = ways[c]
            copy_plan(mind, plans[2 + ways[c]], viewer)
            states[PLAYED].rng = turn_seed(world_seed, I(0))
            step(states[PLAYED], table, actions[c], log)
            play_on(states[PLAYED], table, mind, tempers, log, world_seed)
            won, margin = result(states[PLAYED], table, nets[0], sheet, borrowed, viewer)
            wins[i, c] = won
            margins[i, c] = margin
