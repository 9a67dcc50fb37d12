"""Opponents that plan, inside the compiled loop: a door of its own, for the planner takes a minute to compile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import whistlestop.bots.planner
from whistlestop.bots.planner.games import begin as begin_mind
from whistlestop.bots.planner.mind import UNKNOWN_TARGET, Minds, Tempers
from whistlestop.bots.planner.policy import policy
from whistlestop.engine.bits import I, next_word
from whistlestop.engine.jit import doors_of
from whistlestop.engine.layout import LOG_FIRST, OVER
from whistlestop.engine.legal import random_action
from whistlestop.engine.types import Bool, Int, Ints, Mask, States, TablesArray
from whistlestop.envs.kernels.episodes import Episodes
from whistlestop.envs.kernels.stepping import LEARNER, PLANNER_SEAT, play_step

planner_seats_door = doors_of(Path(__file__).parent, Path(whistlestop.bots.planner.__file__).parent)


@planner_seats_door
def answer_games(
    begin: Int,
    end: Int,
    which: Mask,
    states: States,
    tables: TablesArray,
    minds: Minds,
    tempers: Tempers,
    episodes: Episodes,
    seats: Ints,
    chosen: Ints,
    play: Bool,
) -> None:
    """Let bots act in some games until it is the caller's turn or the game is over; or, without `play`, decide once.

    `chosen` has the last action of each game. A planner looks at nothing but what its player may know. What it has
    planned in an earlier game is forgotten.
    """
    log = np.zeros(LOG_FIRST, np.int64)
    for i in range(begin, end):
        state, episode = states[i], episodes[i]
        if which[i]:
            if episode.steps == 0:
                begin_mind(tables[0], minds[i], I(len(seats)), tempers)
            while state.phase != OVER and seats[state.player] != LEARNER:
                if seats[state.player] == PLANNER_SEAT:
                    action = policy(state, tables[0], minds[i], tempers)
                else:
                    episode.rng = next_word(episode.rng)
                    action = random_action(state, tables[0], episode.rng)
                chosen[i] = action
                if not play:
                    break
                play_step(state, tables[0], episode, action, log)


def forget_plans(minds: npt.NDArray[Any]) -> None:
    """Plans made in other worlds are void."""
    minds["valid"], minds["done"], minds["target"] = 0, 0, UNKNOWN_TARGET
