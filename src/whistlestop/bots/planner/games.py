"""What Python calls: one decision from a view, and whole games of planners in one compiled loop."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from whistlestop.bots.planner.mind import Mind, Minds, Tempers, forget
from whistlestop.bots.planner.planning import set_start_prices
from whistlestop.bots.planner.policy import policy
from whistlestop.engine.bits import ZERO, I, U
from whistlestop.engine.jit import doors_of, kernel
from whistlestop.engine.layout import LOG_FIRST, NONE, OVER
from whistlestop.engine.rules import new_game, step
from whistlestop.engine.scoring import score
from whistlestop.engine.types import Int, Ints, Log, Networks, Rng, Sheets, State, States, Tables, TablesArray

MOST_STEPS = 5000
"""Ten times as many as long games have: no set of parameters, however odd, plays for ever."""
Actions: TypeAlias = Any
"""An array of int16."""
planner_door = doors_of(Path(__file__).parent)


@kernel
def begin(tables: Tables, mind: Mind, players: Int, tempers: Tempers) -> None:
    """A mind for a new game or view: each seat plays by its own row, the last ones by the last row."""
    forget(mind)
    for temper in range(len(tempers)):
        set_start_prices(tables, mind, temper, tempers[temper])
    for player in range(players):
        mind.temper[player] = min(player, len(tempers) - 1)


@kernel
def play_out(state: State, tables: Tables, mind: Mind, tempers: Tempers, log: Log, actions: Actions) -> Int:
    """Play to the end, all seats by the policy, and note the first actions, as many as there is room for.

    Returns the number of steps.
    """
    steps = 0
    while state.phase != OVER and steps < MOST_STEPS:
        action = policy(state, tables, mind, tempers)
        if steps < actions.shape[0]:
            actions[steps] = action
        step(state, tables, action, log)
        steps += 1
    return steps


@planner_door
def choose(states: States, tables: TablesArray, minds: Minds, tempers: Tempers) -> Int:
    """The action for a redacted state of which nothing else is known."""
    begin(tables[0], minds[0], I(states[0].players), tempers)
    return policy(states[0], tables[0], minds[0], tempers)


@planner_door
def planned_games(
    states: States,
    tables: TablesArray,
    minds: Minds,
    nets: Networks,
    players: Int,
    seed: Rng,
    tempers: Tempers,
    sheets: Sheets,
    steps: Ints,
    borrowed: Ints,
    actions: Actions,
) -> None:
    """Play sheets.shape[0] games of planners one after another in states[0]; seat p plays by row p of tempers.

    Actions are noted in a row for each game, which may have no columns. The policy looks at nothing but what its player
    may know, so states need not be redacted.
    """
    log = np.zeros(LOG_FIRST, np.int64)
    for game in range(sheets.shape[0]):
        new_game(states[0], tables[0], players, I(NONE), seed + U(game), ZERO, log)
        states[0].remembers = 0
        begin(tables[0], minds[0], players, tempers)
        steps[game] = play_out(states[0], tables[0], minds[0], tempers, log, actions[game])
        score(states[0], tables[0], nets[0], sheets[game], borrowed)
