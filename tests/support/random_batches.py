"""Batched environments played at random, stopped at moments worth looking at."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from whistlestop.envs import BatchedEnv
from whistlestop.mapfile import editions

EDITIONS = [edition.id for edition in editions()]
GAMES = 4


def random_choices(env: BatchedEnv, random: np.random.Generator) -> npt.NDArray[np.int64]:
    """A legal action in every game, each as likely as any."""
    return np.array([random.choice(np.flatnonzero(mask)) for mask in env.masks])


def some_moments(edition: str, players: int, moments: int = 12) -> Iterator[tuple[BatchedEnv, int]]:
    """An environment and one of its games, at moments from the first choices to the last round."""
    env = BatchedEnv(edition, GAMES, players=players, seed=11)
    random = np.random.default_rng(5)
    for moment in range(moments):
        yield env, moment % GAMES
        for _ in range(1 if moment < 4 else 23 * players):
            env.step(random_choices(env, random))
