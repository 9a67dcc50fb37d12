"""Gymnasium's own checks, and one learner against bots."""

from __future__ import annotations

import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import whistlestop.envs
from whistlestop.envs.gymnasium_ids import GYMNASIUM_IDS
from whistlestop.mapfile import editions

assert whistlestop.envs


@pytest.mark.parametrize("name", GYMNASIUM_IDS)
@pytest.mark.parametrize("opponents", [1, 2, 3, 4])
def test_gymnasium_finds_nothing_wrong(name: str, opponents: int) -> None:
    made = gymnasium.make(f"whistlestop/{name}-v0", opponents=["random"] * opponents, render_mode="ansi")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # advice on spaces
        check_env(made.unwrapped, skip_render_check=opponents > 1)


def test_every_edition_has_an_id() -> None:
    assert set(GYMNASIUM_IDS.values()) == {edition.id for edition in editions()}


def test_a_game_is_played_by_masks_to_its_end() -> None:
    made = gymnasium.make("whistlestop/USA-v0", opponents=["planner"], observation="parts", rewards="margin")
    observation, info = made.reset(seed=3)
    random, over = np.random.default_rng(0), False
    while not over:
        assert observation in made.observation_space
        assert (info["action_mask"] == made.get_wrapper_attr("action_masks")()).all()
        action = int(random.choice(np.flatnonzero(info["action_mask"])))
        observation, reward, over, _, info = made.step(action)
    assert reward == pytest.approx((info["points"][0] - info["points"][1]) / 100)
    assert not info["won"]


def test_an_illegal_action_loses_at_once() -> None:
    made = gymnasium.make("whistlestop/Germany-v0")
    _, info = made.reset(seed=3)
    _, reward, terminated, _, info = made.step(int(np.flatnonzero(info["action_mask"] == 0)[0]))
    assert (reward, terminated, info["illegal"]) == (-1, True, True)
