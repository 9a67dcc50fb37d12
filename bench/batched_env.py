"""How fast the batched environment steps: observations, masks, rewards and auto-reset included.

    uv run --group test python bench/batched_env.py [--games 256] [--threads 1] [--editions usa,europe] [--rounds 8]

Actions are chosen at random from the masks. Time is that of `step` alone; choosing is timed by itself and taken off. On
one thread it is processor time, so that other programs on the machine take none of it; on several it is wall time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numba
import numpy as np
import numpy.typing as npt

from whistlestop.engine.doors import random_games, scratch
from whistlestop.engine.layout import MAX_PLAYERS, SHEET
from whistlestop.engine.tables import tables_of
from whistlestop.envs.batched import BatchedEnv
from whistlestop.mapfile import Edition, editions, load_edition

STEPS = 100_000
"""Of a round, in all games together."""
GAMES = 500
"""Of random play without observations, a round."""


@numba.njit(nogil=True)  # type: ignore[untyped-decorator]
def choose(masks: npt.NDArray[np.bool_], choices: npt.NDArray[np.int64]) -> None:
    """A legal action in every game, each as likely as any."""
    for game in range(masks.shape[0]):
        k = np.random.randint(masks[game].sum())
        for action in range(masks.shape[1]):
            if masks[game, action]:
                if k == 0:
                    choices[game] = action
                    break
                k -= 1


def best_time(job: Callable[[], None], times: int, clock: Callable[[], float], rounds: int) -> float:
    """Seconds for one of `times` calls, the best of some rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = clock()
        for _ in range(times):
            job()
        best = min(best, (clock() - start) / times)
    return best


def steps_per_second(env: BatchedEnv, rounds: int) -> float:
    choices = np.zeros(env.games, np.int64)
    clock = time.thread_time if env.threads == 1 else time.perf_counter

    def both() -> None:
        choose(env.masks, choices)
        env.step(choices)

    times = max(1, STEPS // env.games)
    best_time(both, times, clock, 2)  # games of all ages
    both_time = best_time(both, times, clock, rounds)
    choosing = best_time(lambda: choose(env.masks, choices), times, clock, rounds)
    return env.games / (both_time - choosing)


def plain_steps_per_second(edition: Edition, rounds: int) -> float:
    """Random play of whole games in one compiled loop, without observations and masks: what the engine alone does."""
    states, nets, borrowed = scratch()
    sheets, steps = np.zeros((GAMES, MAX_PLAYERS, SHEET), np.int64), np.zeros(GAMES, np.int64)
    tables = tables_of(edition)
    spent = best_time(
        lambda: random_games(states, tables, nets, 2, np.uint64(1), sheets, steps, borrowed),
        1,
        time.thread_time,
        rounds,
    )
    return float(steps.sum()) / spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--editions", default=",".join(edition.id for edition in editions()))
    parser.add_argument("--rounds", type=int, default=8)
    given = parser.parse_args()
    print("| edition | bytes | actions | steps/s | random play without observations |")
    print("|---|---|---|---|---|")
    for name in given.editions.split(","):
        edition = load_edition(name)
        env = BatchedEnv(edition, given.games, threads=given.threads)
        speed, plain = steps_per_second(env, given.rounds), plain_steps_per_second(edition, given.rounds)
        print(f"| {edition.id} | {env.layout.size} | {env.actions.count} | {speed:,.0f} | {plain:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
