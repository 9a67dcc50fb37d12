"""The game as a PettingZoo AEC environment."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

import numpy as np

from whistlestop.envs.batched import MAX_STEPS, REWARDS_AT_END, BatchedEnv, position_in
from whistlestop.envs.extras import needed
from whistlestop.envs.rendering import RENDER_MODES, Picture, render
from whistlestop.errors import IllegalAction
from whistlestop.mapfile import Edition

with needed("envs"):
    from gymnasium import spaces
    from gymnasium.utils import EzPickle, seeding
    from pettingzoo import AECEnv
    from pettingzoo.utils.env_logger import EnvLogger
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper

ILLEGAL_REWARD = -1.0
"""What an illegal action brings the player, who ends the game by it."""
SEEDS_DRAWN = 1 << 62
"""Seeds of games that were not given one are below this."""


def env(**options: Any) -> CheckedEnv:
    """The environment with what PettingZoo's wrappers promise: an illegal action ends the game, misuse is told."""
    return CheckedEnv(raw_env(**options))


class raw_env(AECEnv[str, Any, Any], EzPickle):  # type: ignore[misc]  # noqa: N801  (PettingZoo's name for it)
    """The environment itself; an illegal action raises and changes nothing.

    In the first choices, which all players make at the same time, agents are asked in the order of their seats; none
    sees what another has chosen.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "whistlestop_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        edition: str | Edition = "usa",
        players: int = 2,
        *,
        observation: str = "flat",
        actions: str = "small",
        rewards: str = "win",
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self, edition, players, observation=observation, actions=actions, rewards=rewards, max_cycles=max_cycles,
            render_mode=render_mode,
        )  # fmt: skip
        super().__init__()
        limit = MAX_STEPS if max_cycles is None else max_cycles
        self.batch = BatchedEnv(
            edition, 1, players=players, actions=actions, rewards=rewards, auto_reset=False, max_steps=limit
        )
        """The one game, in an environment that could play many."""
        self.render_mode = render_mode
        self._structured = shape_of(observation)
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents = self.possible_agents[:]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        space = spaces.Dict(
            {
                "observation": observation_space(self.batch, self._structured),
                "action_mask": spaces.Box(0, 1, (self.batch.actions.count,), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(self.batch.actions.count) for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)
        self._chosen = np.zeros(1, np.int64)
        self._rewards_at_end = rewards in REWARDS_AT_END

    def observation_space(self, agent: str) -> Any:
        """What an agent observes: `observation` and `action_mask`."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The numbers of the set of actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002
        """A new game; games after a seed go on from it."""
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self.batch.reset(int(self._random.integers(SEEDS_DRAWN)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self._to_move()

    def step(self, action: Any) -> None:
        """The chosen action of `agent_selection`; None from an agent whose game has ended."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        batch = self.batch
        self._chosen[0] = action
        batch.step(self._chosen)
        self._cumulative_rewards[agent] = 0.0
        ended = batch.terminated[0] or batch.truncated[0]
        if ended:
            self.terminations = dict.fromkeys(self.agents, bool(batch.terminated[0]))
            self.truncations = dict.fromkeys(self.agents, bool(batch.truncated[0]))
        if ended or not self._rewards_at_end:  # otherwise all rewards are and stay 0
            self.rewards = dict(zip(self.agents, batch.rewards[0].tolist(), strict=True))
            self._accumulate_rewards()
        self.agent_selection = self._to_move()
        if self.render_mode == "human":
            self.render()

    def lose_by_illegal_action(self) -> None:
        """End the game for all, with a punishment for `agent_selection`."""
        offender = self.agent_selection
        self._cumulative_rewards[offender] = 0.0
        self.terminations = dict.fromkeys(self.agents, True)
        self.truncations = dict.fromkeys(self.agents, True)
        self.rewards = dict.fromkeys(self.agents, 0.0) | {offender: ILLEGAL_REWARD}
        self._accumulate_rewards()
        self._deads_step_first()

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent may know now; the mask is empty for an agent who is not to move."""
        batch, seat = self.batch, self._seat[agent]
        mine = seat == batch.players[0]
        row = batch.observations[0].copy() if mine else batch.observe(0, seat)
        mask = batch.masks[0].view(np.int8).copy() if mine else np.zeros(batch.actions.count, np.int8)
        return {"observation": batch.layout.split(row) if self._structured else row, "action_mask": mask}

    def render(self) -> Picture:
        """What everybody sees, by the render mode."""
        return render(self.batch.view(0), self.render_mode)

    def close(self) -> None:
        """There is nothing to close."""

    def _to_move(self) -> str:
        return self.possible_agents[int(self.batch.players[0])]


class CheckedEnv(OrderEnforcingWrapper[str, Any, Any]):  # type: ignore[misc]
    """What PettingZoo's three wrappers do, in one: order is enforced, actions outside the space are refused, illegal
    ones end the game for their player.

    One around the other they ask each other for every attribute, which takes longer than a step of the game.
    tests/envs/test_pettingzoo.py plays both side by side.
    """

    env: raw_env
    _has_reset: bool
    _has_updated: bool

    def __init__(self, env: raw_env) -> None:
        super().__init__(env)
        self._actions = env.batch.actions.count

    def __str__(self) -> str:
        return str(self.env)

    def agent_iter(self, max_iter: int = 2**63) -> Iterator[str]:
        """The agents in the order in which they act; each must step before the next one is asked for."""
        if not self._has_reset:
            EnvLogger.error_agent_iter_before_reset()
        return self._agents(max_iter)

    def _agents(self, left: int) -> Iterator[str]:
        raw = self.env
        while raw.agents and left > 0:
            left -= 1
            assert self._has_updated, "need to call step() or reset() in a loop over `agent_iter`"
            self._has_updated = False
            yield raw.agent_selection

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """What `agent_selection` sees, has earned since its last action, and whether its game has ended."""
        if not self._has_reset:
            EnvLogger.error_observe_before_reset()
        return self.env.last(observe)  # type: ignore[no-any-return]

    def step(self, action: Any) -> None:
        """The action of `agent_selection`; an illegal one ends the game."""
        raw = self.env
        if not self._has_reset:
            EnvLogger.error_step_before_reset()
        self._has_updated = True
        if not raw.agents:
            EnvLogger.warn_step_after_terminated_truncated()
            return
        if type(action) is not int or not 0 <= action < self._actions:
            agent = raw.agent_selection
            dead = raw.terminations[agent] or raw.truncations[agent]
            assert (action is None and dead) or raw.action_space(agent).contains(action), (
                "action is not in action space"
            )
        try:
            raw.step(action)
        except IllegalAction:
            EnvLogger.warn_on_illegal_move()
            raw.lose_by_illegal_action()


def shape_of(observation: str) -> bool:
    """Whether observations are structured; refuses other words than flat and parts."""
    return position_in(("flat", "parts"), observation, "shape of observations") == 1


def observation_space(batch: BatchedEnv, structured: bool) -> Any:
    """The space of flat or of structured observations."""
    if not structured:
        return spaces.Box(0, 255, (batch.layout.size,), np.uint8)
    return spaces.Dict({part.name: spaces.Box(0, 255, part.shape, np.uint8) for part in batch.layout.parts})
