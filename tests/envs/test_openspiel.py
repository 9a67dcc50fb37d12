"""OpenSpiel's own random simulation test for every edition, and what the game adds to it."""

from __future__ import annotations

import pickle

import numpy as np
import pyspiel
import pytest

import whistlestop.envs.openspiel
from support.random_batches import EDITIONS
from whistlestop import Game
from whistlestop.envs.openspiel import OUTCOMES, WhistlestopState


def dealt(game: pyspiel.Game, seed: int) -> WhistlestopState:
    """The state after the deal of a seed."""
    state: WhistlestopState = game.new_initial_state()
    for place in range(whistlestop.envs.openspiel.DEAL_NODES):
        state.apply_action(seed // OUTCOMES**place % OUTCOMES)
    return state


def walked(state: WhistlestopState, random: np.random.Generator, steps: int) -> WhistlestopState:
    """Go on at random, chance included; stops where a player is to move, or at the end."""
    while not state.is_terminal() and (steps > 0 or state.is_chance_node()):
        state.apply_action(int(random.choice(state.legal_actions())))
        steps -= 1
    return state


@pytest.mark.parametrize("edition", EDITIONS)
def test_random_simulation(edition: str) -> None:
    game = pyspiel.load_game(f"python_whistlestop(edition={edition},players={2 + EDITIONS.index(edition) % 4})")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_the_deal_is_the_package_s_own_game_of_that_seed() -> None:
    state = dealt(pyspiel.load_game("python_whistlestop(edition=germany,players=3)"), 70_007)
    twin = Game("germany", players=3, seed=70_007)
    assert state.states().tobytes() == twin.state_bytes()
    assert state.current_player() == twin.to_move[0]


def test_the_result_is_that_of_the_referee_and_sums_to_0() -> None:
    game = pyspiel.load_game("python_whistlestop(players=2)")
    state = walked(dealt(game, 5), np.random.default_rng(1), 10_000)
    assert state.is_terminal()
    ahead = np.diff([player.points for player in state.view(0).players])
    assert sum(state.returns()) == 0
    assert sorted(state.returns()) in ([-1, 1], [0, 0])
    assert ahead.size == 1


def test_chance_branches_where_cards_are_drawn_and_nowhere_else() -> None:
    game = pyspiel.load_game("python_whistlestop(edition=usa,players=2)")
    state = walked(dealt(game, 1), np.random.default_rng(0), 2)
    assert not state.is_chance_node()
    blind = next(a for a in state.legal_actions() if state.action_to_string(a) == "draw blind")
    mover = state.current_player()
    state.apply_action(blind)
    assert state.is_chance_node()
    hands = set()
    for outcome in range(64):
        child = state.child(outcome)
        hands.add(tuple(child.observation(mover)))
    assert 5 <= len(hands) <= 9  # one for each kind of card that came
    tickets = next(a for a in child.legal_actions() if "ticket" not in child.action_to_string(a))
    assert tickets in child.legal_actions()


@pytest.mark.parametrize("edition", ["usa", "germany"])
def test_a_resampled_world_looks_the_same_to_its_player_and_hides_other_cards(edition: str) -> None:
    game = pyspiel.load_game(f"python_whistlestop(edition={edition},players=3)")
    state, random = walked(dealt(game, 3), np.random.default_rng(2), 60), np.random.default_rng(4)
    player, worlds = state.current_player(), set()
    for _ in range(8):
        world = state.resample_from_infostate(player, random.random)
        assert world.observation_string(player) == state.observation_string(player)
        assert world.legal_actions() == state.legal_actions()
        worlds.add(world.states()["hand"].tobytes())
    assert len(worlds) > 1


def test_observations_are_those_of_the_other_environments() -> None:
    game = pyspiel.load_game("python_whistlestop(edition=europe,players=2)")
    state = walked(dealt(game, 8), np.random.default_rng(3), 80)
    layout = game.encoding.layout
    for player in range(2):
        tensor = np.array(state.observation_tensor(player), np.float32)
        assert tensor.max() <= 1
        row = game.encoding.observation(state.view(player))
        assert tensor == pytest.approx(row * layout.scale)


def test_states_survive_pickling() -> None:
    state = walked(dealt(pyspiel.load_game("python_whistlestop(edition=big-cities)"), 9), np.random.default_rng(6), 40)
    again = pickle.loads(pickle.dumps(state))
    assert str(again) == str(state)
    assert again.states().tobytes() == state.states().tobytes()
    assert again.history() == state.history()


def test_wrong_parameters_are_told() -> None:
    with pytest.raises(Exception, match="players"):
        pyspiel.load_game("python_whistlestop(players=9)")
    with pytest.raises(Exception, match="set of actions"):
        pyspiel.load_game("python_whistlestop(actions=tiny)")
