"""Many games at once, in compiled code: one call plays a decision in each of them and writes what learners need.

`BatchedEnv` hands these doors its arrays, each with a row a game; nothing is copied.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from whistlestop.engine.bits import ZERO, I, U, next_word, seeded
from whistlestop.engine.hidden import determinize, redact
from whistlestop.engine.jit import doors_of, kernel
from whistlestop.engine.layout import LOG_FIRST, MAX_PLAYERS, MAX_STATIONS, NONE, OVER, PASS, SHEET, TOTAL, WON, WORDS
from whistlestop.engine.legal import random_action
from whistlestop.engine.rules import new_game, step
from whistlestop.engine.scoring import score
from whistlestop.engine.types import (
    Bool,
    Int,
    Ints,
    Log,
    Mask,
    Network,
    Networks,
    Reals,
    Rng,
    Sheet,
    State,
    States,
    Tables,
    TablesArray,
)
from whistlestop.envs.kernels.byte_rows import Row, row_of
from whistlestop.envs.kernels.choosing import NOT_THERE, ChoiceTables, mask_choices, mask_full, mask_small, may_choose
from whistlestop.envs.kernels.connected_cities import forget_connections, remember_completed, ticket_balance
from whistlestop.envs.kernels.episodes import Episode, Episodes
from whistlestop.envs.kernels.tensors import observe

LEARNER, RANDOM_SEAT, PLANNER_SEAT, OTHER_SEAT = range(4)
"""Who plays a seat: the caller, a policy inside the compiled loop, or a bot outside of it."""
BY_WIN, BY_MARGIN, BY_POINTS, BY_TICKETS = range(4)
"""What rewards are made of, in the order of REWARDS in batched.py."""
POINTS_A_REWARD = 100.0
"""So many points are a reward of 1."""

envs_door = doors_of(Path(__file__).parent)


# ---- one game -------------------------------------------------------------------------------------------------------
@kernel
def begin_game(state: State, tables: Tables, episode: Episode, players: Int, seed: Rng, log: Log) -> None:
    """Set up the episode's game by the environment's seed and its number."""
    new_game(state, tables, players, I(NONE), seed + episode.number, ZERO, log)
    episode.rng = seeded(~(seed + episode.number))
    episode.steps = 0
    episode.settled = 0
    for player in range(MAX_PLAYERS):
        episode.rewarded[player] = 0
    forget_connections(episode)


@kernel
def play_step(state: State, tables: Tables, episode: Episode, action: Int, log: Log) -> None:
    """One action of whoever is to move."""
    step(state, tables, action, log)
    episode.steps += 1


@kernel
def play_at_random(state: State, tables: Tables, episode: Episode, seats: Ints, log: Log) -> None:
    """Let the seats that play at random act until somebody else has to, or the game is over."""
    while state.phase != OVER and seats[state.player] == RANDOM_SEAT:
        episode.rng = next_word(episode.rng)
        play_step(state, tables, episode, random_action(state, tables, episode.rng), log)


@kernel
def reward_win(players: Int, sheet: Sheet, rewards: Reals) -> None:
    """A victory is 1, shared among those who share it, and the others pay for it in equal parts: the sum is 0."""
    winners = 0
    for player in range(players):
        winners += sheet[player, WON]
    for player in range(players):
        share = 1.0 / winners if sheet[player, WON] else 0.0
        rewards[player] = (share * players - 1.0) / (players - 1.0)


@kernel
def reward_margin(players: Int, sheet: Sheet, rewards: Reals) -> None:
    """Points ahead of the best of the others."""
    for player in range(players):
        best = I(-10000)
        for other in range(players):
            if other != player:
                best = max(best, sheet[other, TOTAL])
        rewards[player] = (sheet[player, TOTAL] - best) / POINTS_A_REWARD


@kernel
def reward_points(state: State, tables: Tables, episode: Episode, kind: Int, sheet: Sheet, rewards: Reals) -> None:
    """What each player's points have grown by since the last reward; BY_TICKETS counts tickets as they stand now."""
    for player in range(I(state.players)):
        total = sheet[player, TOTAL]
        if state.phase != OVER:
            total = I(state.points[player])
            if kind == BY_TICKETS:
                remember_completed(state, tables, episode, player)
                total += ticket_balance(state, tables, episode, player)
        rewards[player] = (total - episode.rewarded[player]) / POINTS_A_REWARD
        episode.rewarded[player] = total


@kernel
def settle(
    state: State,
    tables: Tables,
    net: Network,
    episode: Episode,
    kind: Int,
    sheet: Sheet,
    borrowed: Ints,
    rewards: Reals,
    points: Ints,
    won: Mask,
) -> None:
    """Rewards after some steps; at the end of a game, once, also its points and winners."""
    players = I(state.players)
    for player in range(players):
        rewards[player] = 0.0
    if episode.settled:
        return
    if state.phase == OVER:
        episode.settled = 1
        score(state, tables, net, sheet, borrowed)
        for player in range(players):
            points[player] = sheet[player, TOTAL]
            won[player] = sheet[player, WON] != 0
        if kind == BY_WIN:
            reward_win(players, sheet, rewards)
        elif kind == BY_MARGIN:
            reward_margin(players, sheet, rewards)
    if kind >= BY_POINTS:
        reward_points(state, tables, episode, kind, sheet, rewards)


@kernel
def show(
    state: State, tables: Tables, choices: ChoiceTables, episode: Episode, offers: Int, row: Row, mask: Row
) -> Int:
    """The observation of the player to move, and the mask of the small set if that is played with; that player."""
    player = I(state.player)
    remember_completed(state, tables, episode, player)
    observe(state, tables, episode, player, offers, row)
    if choices.small:
        mask_small(state, tables, choices, mask)
    return player


@kernel
def find_illegal(
    begin: Int, end: Int, states: States, tables: Tables, choices: ChoiceTables, actions: Ints, meant: Ints
) -> Int:
    """The first of games begin to end in which the action is not legal, or NONE; into `meant`, what actions mean.

    Games that are over take any.
    """
    wrong = I(NONE)
    for i in range(end - 1, begin - 1, -1):
        over = states[i].phase == OVER
        meant[i] = PASS if over else may_choose(states[i], tables, choices, I(actions[i]))
        if meant[i] == NOT_THERE:
            wrong = I(i)
    return wrong


# ---- doors ----------------------------------------------------------------------------------------------------------
@envs_door
def check_games(
    begin: Int, end: Int, states: States, tables: TablesArray, choices: ChoiceTables, actions: Ints, meant: Ints
) -> Int:
    """The first of games begin to end in which the action is not legal, or NONE; into `meant`, what actions mean."""
    return find_illegal(begin, end, states, tables[0], choices[0], actions, meant)


@envs_door
def begin_games(which: Mask, states: States, tables: TablesArray, episodes: Episodes, seats: Ints, seed: Rng) -> None:
    """Set up some games; seats that play at random act first where it is their turn."""
    log = np.zeros(LOG_FIRST, np.int64)
    for i in np.flatnonzero(which):
        begin_game(states[i], tables[0], episodes[i], I(len(seats)), seed, log)
        play_at_random(states[i], tables[0], episodes[i], seats, log)


@envs_door
def show_games(
    begin: Int,
    end: Int,
    states: States,
    tables: TablesArray,
    choices: ChoiceTables,
    episodes: Episodes,
    offers: Int,
    observations: Ints,
    masks: Mask,
    players: Ints,
) -> None:
    """Write the observation, mask and player to move of games begin to end, as they stand."""
    scratch = np.zeros(masks.shape[1], np.int64)
    for i in range(begin, end):
        row, mask = row_of(observations, i), row_of(masks, i)
        players[i] = show(states[i], tables[0], choices[0], episodes[i], offers, row, mask)
        if not choices[0].small:
            mask_full(states[i], tables[0], mask, scratch)


@envs_door
def step_games(
    begin: Int,
    end: Int,
    states: States,
    tables: TablesArray,
    nets: Networks,
    choices: ChoiceTables,
    episodes: Episodes,
    seats: Ints,
    seed: Rng,
    kind: Int,
    most_steps: Int,
    renew: Bool,
    offers: Int,
    check: Bool,
    actions: Ints,
    meant: Ints,
    observations: Ints,
    masks: Mask,
    rewards: Reals,
    terminated: Mask,
    truncated: Mask,
    players: Ints,
    points: Ints,
    won: Mask,
) -> Int:
    """Play an action in each of games begin to end, and what random seats answer; then settle and show them.

    With `check`, nothing is done if an action is not legal, and the first such game is returned; without, `check_games`
    was asked before. NONE if all is well.
    """
    wrong = find_illegal(begin, end, states, tables[0], choices[0], actions, meant) if check else I(NONE)
    if wrong != NONE:
        return wrong
    some_random = False
    for player in range(len(seats)):
        some_random |= seats[player] == RANDOM_SEAT
    log, scratch = np.zeros(LOG_FIRST, np.int64), np.zeros(masks.shape[1], np.int64)
    sheet, borrowed = np.zeros((MAX_PLAYERS, SHEET), np.int64), np.zeros((MAX_PLAYERS, MAX_STATIONS), np.int64)
    games = U(len(states))
    for i in range(begin, end):
        state, episode = states[i], episodes[i]
        if state.phase != OVER:
            play_step(state, tables[0], episode, I(meant[i]), log)
            if some_random:
                play_at_random(state, tables[0], episode, seats, log)
        for player in range(len(seats)):
            rewards[i, player] = 0.0
        terminated[i] = state.phase == OVER
        truncated[i] = not terminated[i] and episode.steps >= most_steps
        if terminated[i] or kind >= BY_POINTS:
            settle(state, tables[0], nets[0], episode, kind, sheet, borrowed, rewards[i], points[i], won[i])
        if renew and (terminated[i] or truncated[i]):
            episode.number += games
            begin_game(state, tables[0], episode, I(len(seats)), seed, log)
            play_at_random(state, tables[0], episode, seats, log)
        row, mask = row_of(observations, i), row_of(masks, i)
        players[i] = show(state, tables[0], choices[0], episode, offers, row, mask)
        if not choices[0].small:
            mask_full(state, tables[0], mask, scratch)
    return wrong


@envs_door
def decide_at_random(
    begin: Int, end: Int, states: States, tables: TablesArray, episodes: Episodes, chosen: Ints
) -> None:
    """Into `chosen`, a legal action of each of games begin to end that is not over, each as likely."""
    for i in range(begin, end):
        if states[i].phase != OVER:
            episodes[i].rng = next_word(episodes[i].rng)
            chosen[i] = random_action(states[i], tables[0], episodes[i].rng)


@envs_door
def act_in_games(begin: Int, end: Int, states: States, tables: TablesArray, episodes: Episodes, meant: Ints) -> None:
    """The first third of `step_games`, for opponents with kernels of their own: play an action in each game."""
    log = np.zeros(LOG_FIRST, np.int64)
    for i in range(begin, end):
        state = states[i]
        if state.phase != OVER:
            play_step(state, tables[0], episodes[i], I(meant[i]), log)


@envs_door
def settle_games(
    begin: Int,
    end: Int,
    states: States,
    tables: TablesArray,
    nets: Networks,
    episodes: Episodes,
    kind: Int,
    most_steps: Int,
    rewards: Reals,
    terminated: Mask,
    truncated: Mask,
    points: Ints,
    won: Mask,
) -> None:
    """The second third: rewards, points and winners, and whether games have ended."""
    sheet, borrowed = np.zeros((MAX_PLAYERS, SHEET), np.int64), np.zeros((MAX_PLAYERS, MAX_STATIONS), np.int64)
    for i in range(begin, end):
        terminated[i] = states[i].phase == OVER
        truncated[i] = not terminated[i] and episodes[i].steps >= most_steps
        settle(states[i], tables[0], nets[0], episodes[i], kind, sheet, borrowed, rewards[i], points[i], won[i])


@envs_door
def observe_game(
    states: States, tables: TablesArray, episodes: Episodes, viewer: Int, offers: Int, observations: Ints
) -> Int:
    """The observation that any player has of the first game, whoever is to move; its length."""
    remember_completed(states[0], tables[0], episodes[0], viewer)
    return observe(states[0], tables[0], episodes[0], viewer, offers, row_of(observations, 0))


@envs_door
def mask_game(states: States, tables: TablesArray, choices: ChoiceTables, masks: Mask) -> None:
    """The mask of whoever is to move in the first game."""
    mask_choices(states[0], tables[0], choices[0], row_of(masks, 0), np.zeros(masks.shape[1], np.int64))


@envs_door
def meant_action(states: States, tables: TablesArray, choices: ChoiceTables, action: Int) -> Int:
    """The full action that a choice means in the first game; NOT_THERE if it is not legal."""
    return may_choose(states[0], tables[0], choices[0], action)


@envs_door
def redeal_games(states: States, tables: TablesArray, seed: Rng) -> None:
    """Each game becomes a world that its player to move thinks possible, with a chance stream of its own."""
    pool = np.zeros(WORDS, np.uint64)
    for i in range(len(states)):
        viewer = I(states[i].player)
        redact(states[i], tables[0], viewer)
        determinize(states[i], tables[0], viewer, seed + U(i), pool)
