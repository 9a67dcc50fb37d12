"""PettingZoo's own tests, for every edition and number of players.

Its `max_cycles_test` is for parallel environments, which a game of turns is not: ours are cut off by a test below.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test

from support.random_batches import EDITIONS
from whistlestop.envs import env, raw_env
from whistlestop.errors import IllegalAction

TABLES = list(itertools.product(EDITIONS, (2, 3, 4, 5)))


@pytest.fixture(autouse=True)
def _advice_is_no_error() -> Iterator[None]:
    """The tests give advice as warnings, on observations that are no pictures for example."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        yield


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_api(edition: str, players: int) -> None:
    api_test(env(edition=edition, players=players), num_cycles=60)


@pytest.mark.parametrize("edition", EDITIONS)
def test_api_to_the_end_of_games(edition: str) -> None:
    api_test(env(edition=edition, players=2, observation="parts", rewards="tickets"), num_cycles=700)


@pytest.mark.parametrize(("edition", "players"), TABLES)
def test_seeds(edition: str, players: int) -> None:
    seed_test(lambda: env(edition=edition, players=players), num_cycles=30)


@pytest.mark.parametrize("edition", EDITIONS)
def test_render(edition: str, capsys: pytest.CaptureFixture[str]) -> None:
    svg = {"svg": lambda drawn: drawn.startswith("<svg")}
    render_test(lambda render_mode: env(edition=edition, players=3, render_mode=render_mode), custom_tests=svg)
    assert "Player 1: 0 points" in capsys.readouterr().out


def test_games_are_cut_off_after_max_cycles() -> None:
    game = env(max_cycles=7)
    game.reset(seed=1)
    taken = 0
    for agent in game.agent_iter():
        observation, _, terminated, truncated, _ = game.last()
        over = terminated or truncated
        taken += not over
        game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))
    assert taken == 7
    assert truncated
    assert not terminated


def test_an_illegal_action_ends_the_game_or_raises() -> None:
    game = env()
    game.reset(seed=1)
    wrong = int(np.flatnonzero(game.last()[0]["action_mask"] == 0)[0])
    offender = game.agent_selection
    game.step(wrong)
    assert game.terminations[offender]
    assert game.rewards[offender] == -1
    raw = raw_env()
    raw.reset(seed=1)
    with pytest.raises(IllegalAction):
        raw.step(wrong)


def test_whoever_is_not_to_move_sees_the_own_hand_and_no_actions() -> None:
    game = raw_env(players=3, observation="parts")
    game.reset(seed=1)
    for agent in game.possible_agents:
        seen = game.observe(agent)
        view = game.batch.view_of(0, game.possible_agents.index(agent))
        assert seen["observation"]["hand"].sum() == sum(view.hand.values())
        assert seen["action_mask"].any() == (agent == game.agent_selection)
