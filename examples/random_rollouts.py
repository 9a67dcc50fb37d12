"""Games at random by masks: a thousand at once on the batched environment, then one through PettingZoo."""

import numpy as np

from whistlestop.envs import BatchedEnv

env = BatchedEnv("europe", games=250, players=3, seed=1)  # nothing but the package is needed
random, wins = np.random.default_rng(1), np.zeros(3)
while wins.sum() < 1000:
    env.step(np.where(env.masks, random.random(env.masks.shape), -1).argmax(1))
    wins += (env.won & env.terminated[:, np.newaxis]).sum(0)
print("wins by seat:", wins.astype(int).tolist())

from whistlestop.envs import env as pettingzoo_env  # noqa: E402  (needs whistlestop[envs])

game = pettingzoo_env(edition="usa", players=2, rewards="points")
game.reset(seed=42)
for agent in game.agent_iter():
    observation, reward, terminated, truncated, info = game.last()
    over = terminated or truncated
    game.step(None if over else game.action_space(agent).sample(observation["action_mask"]))
print("the last reward:", round(reward, 2))
