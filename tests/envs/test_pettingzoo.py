"""PettingZoo's own tests, for every edition and number of players.

Its `max_cycles_test` is for parallel environments, which a game of turns is not: ours are cut off by a test below.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
import pytest
from pettingzoo.test import api_test, render_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger
from pettingzoo.utils.wrappers import AssertOutOfBoundsWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

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


# ---- one wrapper in place of PettingZoo's three ---------------------------------------------------------------------
Wrapped: TypeAlias = Any


def three_wrappers(**options: Any) -> Wrapped:
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(TerminateIllegalWrapper(raw_env(**options), -1.0)))


def told(game: Wrapped, call: Callable[[Wrapped], Any]) -> Any:
    """What a call gives or raises, with what PettingZoo logs of it."""
    EnvLogger.flush()
    try:
        found = call(game)
    except (AssertionError, AttributeError, ValueError) as error:
        found = type(error), str(error).splitlines()[0]
    return found, list(EnvLogger.mqueue)


def plain(seen: dict[str, Any]) -> list[Any]:
    return [seen["observation"].tolist(), seen["action_mask"].tolist()]


def state_of(game: Wrapped) -> Any:
    """Everything that a learner can ask for."""
    observation, *rest = game.last()
    parts = (game.rewards, game.terminations, game.truncations, game.infos, game.agents, game.agent_selection)
    return plain(observation), rest, parts, [plain(game.observe(agent)) for agent in game.agents], game.num_agents


def taking(action: Any) -> Callable[[Wrapped], Any]:
    return lambda game: game.step(action)


MISUSE: list[Callable[[Wrapped], Any]] = [
    taking(0),
    lambda game: game.observe("player_0"),
    lambda game: game.agent_iter(),
    lambda game: game.render(),
    lambda game: game.agents,
    lambda game: game.rewards,
    lambda game: game.agent_selection,
    lambda game: game._secret,
    lambda game: game.last(),
]


@pytest.mark.parametrize("call", MISUSE)
def test_before_a_game_the_same_is_refused_as_by_three_wrappers(call: Callable[[Wrapped], Any]) -> None:
    ours, theirs = told(env(), call), told(three_wrappers(), call)
    if ours != theirs:  # `last` without a game: theirs stumbles over what it asks for first
        assert (theirs[0][0], ours[0][0]) == (AttributeError, AssertionError)


@pytest.mark.parametrize("wrong", [None, -1, 10**6, 1.5, "draw blind", np.int64(10**6)])
def test_what_is_no_action_is_refused_as_by_three_wrappers(wrong: Any) -> None:
    ours, theirs = env(), three_wrappers()
    for game in (ours, theirs):
        game.reset(seed=3)
    found = told(ours, taking(wrong))
    assert found == told(theirs, taking(wrong))
    assert state_of(ours) == state_of(theirs)


@pytest.mark.parametrize("ending", ["by itself", "illegal", "cut off"])
@pytest.mark.parametrize("kind", [int, np.int64, np.array])
def test_games_go_as_with_three_wrappers(ending: str, kind: Callable[[int], Any]) -> None:
    options = {"players": 3, "rewards": "tickets", "max_cycles": 40 if ending == "cut off" else None}
    ours, theirs = env(**options), three_wrappers(**options)
    for game in (ours, theirs):
        game.reset(seed=5)
    random, steps = np.random.default_rng(1), 0
    while ours.agents:
        steps += 1
        observation, _, terminated, truncated, _ = ours.last()
        assert state_of(ours) == state_of(theirs)
        wanted = observation["action_mask"] != (ending == "illegal" and steps == 30)
        action = None if terminated or truncated else kind(int(random.choice(np.flatnonzero(wanted))))
        found = told(ours, taking(action))
        assert found == told(theirs, taking(action))
    assert not theirs.agents
    assert told(ours, taking(None)) == told(theirs, taking(None))


def test_whoever_is_dead_may_do_nothing() -> None:
    for game in (env(max_cycles=3), three_wrappers(max_cycles=3)):
        game.reset(seed=1)
        for _ in range(3):
            game.step(int(np.flatnonzero(game.last()[0]["action_mask"])[0]))
        with pytest.raises(ValueError, match="only valid action is None"):
            game.step(0)
        with pytest.raises(AssertionError, match="not in action space"):
            game.step(10**6)


def test_agent_iter_wants_a_step_in_between_and_counts() -> None:
    for game in (env(), three_wrappers()):
        game.reset(seed=1)
        agents = iter(game.agent_iter(2))
        first = next(agents)
        assert first == game.agent_selection
        game.step(int(np.flatnonzero(game.last()[0]["action_mask"])[0]))
        next(agents)
        with pytest.raises(StopIteration):
            next(agents)
        agents = iter(game.agent_iter())
        with pytest.raises(AssertionError, match="need to call step"):
            next(agents)
