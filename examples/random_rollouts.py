"""A thousand games at random by masks, and how often each player won. Nothing but the package is needed."""

import numpy as np

from whistlestop.envs import BatchedEnv

env = BatchedEnv("europe", games=250, players=3, seed=1)
random, wins = np.random.default_rng(1), np.zeros(3)
while wins.sum() < 1000:
    env.step(np.where(env.masks, random.random(env.masks.shape), -1).argmax(1))
    wins += (env.won & env.terminated[:, np.newaxis]).sum(0)
print("wins by seat:", wins.astype(int).tolist())
