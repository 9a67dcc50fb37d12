"""The game as a Gymnasium environment for one learner against bots."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.envs.aec import ILLEGAL_REWARD, SEEDS_DRAWN, observation_space, shape_of
from whistlestop.envs.batched import BatchedEnv
from whistlestop.envs.extras import needed
from whistlestop.envs.rendering import RENDER_MODES, Picture, render
from whistlestop.mapfile import Edition

with needed("envs"):
    import gymnasium
    from gymnasium import spaces


class SingleEnv(gymnasium.Env[Any, int]):
    """One learner in seat 0 against `opponents`; an illegal action loses the game at once.

    `info["action_mask"]` and `action_masks()` tell which actions are legal.
    """

    metadata = {  # noqa: RUF012  (Gymnasium declares it so)
        "render_modes": list(RENDER_MODES),
        "render_fps": 2,
    }

    def __init__(
        self,
        edition: str | Edition = "usa",
        opponents: Sequence[str] = ("random",),
        *,
        observation: str = "flat",
        actions: str = "small",
        rewards: str = "win",
        render_mode: str | None = None,
    ) -> None:
        self.batch = BatchedEnv(edition, 1, opponents=opponents, actions=actions, rewards=rewards, auto_reset=False)
        """The one game, in an environment that could play many."""
        self.render_mode = render_mode
        self._structured = shape_of(observation)
        self.observation_space = observation_space(self.batch, self._structured)
        self.action_space: Any = spaces.Discrete(self.batch.actions.count)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """A new game; games after a seed go on from it."""
        super().reset(seed=seed, options=options)
        self.batch.reset(int(self.np_random.integers(SEEDS_DRAWN)))
        return self._observation(), self._info()

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The learner's action, and what the opponents answer."""
        batch = self.batch
        if not batch.masks[0, action]:
            return self._observation(), ILLEGAL_REWARD, True, False, self._info() | {"illegal": True}
        batch.step([action])
        ended = bool(batch.terminated[0])
        outcome = {"points": batch.points[0].copy(), "won": bool(batch.won[0, 0])} if ended else {}
        if self.render_mode == "human":
            self.render()
        return self._observation(), float(batch.rewards[0, 0]), ended, bool(batch.truncated[0]), self._info() | outcome

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal now, by the name that sb3-contrib asks for."""
        return np.array(self.batch.masks[0])

    def render(self) -> Picture:
        """What everybody sees, by the render mode."""
        return render(self.batch.view(0), self.render_mode)

    def _observation(self) -> Any:
        # At the end seat 0 need not be the one to whom the engine points.
        batch = self.batch
        row = batch.observations[0].copy() if batch.players[0] == 0 else batch.observe(0, 0)
        return batch.layout.split(row) if self._structured else row

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks[0].view(np.int8).copy()}
