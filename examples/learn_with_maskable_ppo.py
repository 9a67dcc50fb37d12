"""Learn USA against bots with MaskablePPO of sb3-contrib, as it is, and draw how the reward grows.

pip install torch sb3-contrib matplotlib "whistlestop[envs]"
python examples/learn_with_maskable_ppo.py --steps 60000 --curve curve.png
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import torch
from matplotlib.figure import Figure
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.monitor import Monitor
from stable_baselines3.common.vec_env import DummyVecEnv

import whistlestop.envs
from whistlestop import load_edition
from whistlestop.envs import layout_of

assert whistlestop.envs, "importing it registers the ids"
SMOOTHED = 50
"""Games that a point of the curve is the mean of."""


class Games(BaseCallback):  # type: ignore[misc]  # the library is not installed where types are checked
    """Notes every game that ends: when, its reward, and whether it was won."""

    def __init__(self) -> None:
        super().__init__()
        self.steps: list[int] = []
        self.rewards: list[float] = []
        self.won: list[bool] = []

    def _on_step(self) -> bool:
        for info in self.locals["infos"]:
            if "episode" in info:
                self.steps.append(self.num_timesteps)
                self.rewards.append(info["episode"]["r"])
                self.won.append(info["won"])
        return True


def make(opponent: str) -> Any:
    """One environment with observations from 0 to 1."""
    env = gymnasium.make("whistlestop/USA-v0", opponents=[opponent], rewards="tickets")
    scale = layout_of(load_edition("usa")).scale
    box = gymnasium.spaces.Box(0, 1, scale.shape, np.float32)
    return Monitor(gymnasium.wrappers.TransformObservation(env, lambda seen: seen * scale, box))


def smooth(numbers: list[Any], over: int) -> Any:
    """The mean of each `over` numbers in a row."""
    return np.convolve(np.array(numbers, float), np.ones(over) / over, "valid")


def draw(games: Games, opponent: str, out: Path) -> None:
    """The reward and the share of games won, over the steps."""
    over = max(1, min(SMOOTHED, len(games.steps) // 4))
    figure = Figure(figsize=(8, 4), layout="constrained")
    points, wins = figure.subplots(1, 2)
    steps = np.array(games.steps)[over - 1 :]
    points.plot(steps, 100 * smooth(games.rewards, over), color="#b5482f")
    points.set(xlabel="steps", ylabel="points")
    wins.plot(steps, smooth(games.won, over), color="#33658a")
    wins.set(xlabel="steps", ylabel=f"won against {opponent}", ylim=(0, 1.02))
    for axes in (points, wins):
        axes.spines[["top", "right"]].set_visible(False)
        axes.grid(alpha=0.3)
    figure.savefig(out, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="random")
    parser.add_argument("--steps", type=int, default=60_000)
    parser.add_argument("--games", type=int, default=16, help="at once")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--curve", type=Path, default=Path("curve.png"))
    parser.add_argument("--out", type=Path, help="the model, as stable-baselines3 saves it")
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    learner = MaskablePPO(
        "MlpPolicy", DummyVecEnv([lambda: make(given.opponent)] * given.games), n_steps=min(256, given.steps),
        batch_size=1024, n_epochs=4, gamma=1.0, learning_rate=6e-4, ent_coef=0.01, seed=given.seed,
        policy_kwargs={"net_arch": [256, 256]},
    )  # fmt: skip
    games = Games()
    learner.learn(given.steps, callback=games)
    draw(games, given.opponent, given.curve)
    if given.out:
        learner.save(given.out)
    for name, part in (("first", slice(SMOOTHED)), ("last", slice(-SMOOTHED, None))):
        points, won = 100 * np.mean(games.rewards[part]), np.mean(games.won[part])
        print(f"the {name} {len(games.rewards[part])} games: {points:.0f} points, {won:.0%} won")


if __name__ == "__main__":
    main()
