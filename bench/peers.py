"""How fast environments step: ours beside those that people know, in one run on one machine.

    uv run --group test --with open_spiel --with pgx --with rlcard --with "pettingzoo[classic]" --with catanatron \\
        --with matplotlib python bench/peers.py --out docs/envs/peers.png

Games are played at random. A step is one decision of one player, with what a learner needs for the next one: an
observation and the legal actions. Times are processor time of the whole process, so that other programs on the machine
take none of it, but on two threads wall time. In loops one game at a time the random choice is included; in batches it
is timed by itself and taken off, for ours and for others. What is not installed is named and left out.
"""

from __future__ import annotations

import argparse
import os
import random
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import numpy as np

from batched_env import choose
from whistlestop.envs import BatchedEnv
from whistlestop.envs import env as our_aec

ROUNDS = 3
BATCH = 256
Clock = Callable[[], float]
Play = Callable[[int], int]
"""Plays at least so many steps, and says how many."""


@dataclass(frozen=True)
class Entry:
    """One environment: how it is made, how many steps are asked for at once, what its game is."""

    library: str
    game: str
    make: Callable[[], Play]
    batched: bool = False
    steps: int = 2000
    clock: Clock = time.process_time


@dataclass(frozen=True)
class Measured:
    """An environment and its steps a second."""

    entry: Entry
    speed: float


# ---- one game at a time ---------------------------------------------------------------------------------------------
def aec_loop(env: Any) -> Play:
    """Any PettingZoo environment with masks, by the loop of its documentation."""
    env.reset(seed=1)

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            env.reset()
            for _ in env.agent_iter():
                observation, _, terminated, truncated, _ = env.last()
                over = terminated or truncated
                env.step(None if over else int(random.choice(np.flatnonzero(observation["action_mask"]))))
                done += not over
        return done

    return play


def ours_aec() -> Play:
    return aec_loop(our_aec(edition="usa"))


def ours_gymnasium() -> Play:
    import gymnasium

    env = gymnasium.make("whistlestop/USA-v0", opponents=["random"])

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            _, info = env.reset()
            over = False
            while not over:
                action = int(random.choice(np.flatnonzero(info["action_mask"])))
                _, _, terminated, truncated, info = env.step(action)
                over, done = terminated or truncated, done + 1
        return done

    return play


def pettingzoo(name: str) -> Play:
    return aec_loop(import_module(f"pettingzoo.classic.{name}").env())


def rlcard_game(name: str) -> Play:
    import rlcard

    env = rlcard.make(name, config={"seed": 1})

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(random.choice(list(state["legal_actions"])))
                done += 1
        return done

    return play


def open_spiel(name: str) -> Play:
    import pyspiel

    game = pyspiel.load_game(name)

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            state = game.new_initial_state()
            while not state.is_terminal():
                if state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(random.choices(outcomes, chances)[0])
                else:
                    state.observation_tensor(state.current_player())
                    state.legal_actions_mask()
                    state.apply_action(random.choice(state.legal_actions()))
                    done += 1
        return done

    return play


def catanatron_game() -> Play:
    from catanatron import Color, Game, RandomPlayer

    def play(steps: int) -> int:
        done = 0
        while done < steps:
            game = Game([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)])
            while game.winning_color() is None and game.state.num_turns < 1000:
                game.play_tick()
                done += 1
        return done

    return play


# ---- many games at once ---------------------------------------------------------------------------------------------
def ours_batched(games: int, threads: int) -> Play:
    """Steps alone; choosing is taken off by `Choosing`."""
    env = BatchedEnv("usa", games, threads=threads)
    choices = np.zeros(env.games, np.int64)

    def play(steps: int) -> int:
        for _ in range(rounds := max(1, steps // env.games)):
            choose(env.masks, choices)
            env.step(choices)
        return rounds * env.games

    def chosen(steps: int) -> int:
        for _ in range(rounds := max(1, steps // env.games)):
            choose(env.masks, choices)
        return rounds * env.games

    return Choosing(play, chosen)


def pgx_batched(name: str) -> Play:
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make(name)
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))

    def pick(state: Any, key: Any) -> Any:
        return jax.random.categorical(key, jax.numpy.where(state.legal_action_mask, 0.0, -1e9), axis=-1)

    pick_all, games = jax.jit(pick), 4 * BATCH
    keys = jax.random.split(jax.random.PRNGKey(0), games)
    kept = [jax.jit(jax.vmap(env.init))(keys), jax.random.PRNGKey(1)]

    def run(steps: int, *, stepping: bool) -> int:
        state, key = kept
        actions = state.legal_action_mask
        for _ in range(rounds := max(1, steps // games)):
            key, one = jax.random.split(key)
            actions = pick_all(state, one)
            state = step(state, actions, keys) if stepping else state
        jax.block_until_ready((state, actions))
        kept[:] = state, key
        return rounds * games

    return Choosing(lambda steps: run(steps, stepping=True), lambda steps: run(steps, stepping=False))


@dataclass(frozen=True)
class Choosing:
    """Play of which the random choice can be timed by itself."""

    whole: Play
    choice: Play

    def __call__(self, steps: int) -> int:
        return self.whole(steps)


# ---- measuring ------------------------------------------------------------------------------------------------------
ENTRIES = [
    Entry("whistlestop", "USA, PettingZoo", ours_aec),
    Entry("whistlestop", "USA, Gymnasium against random", ours_gymnasium),
    Entry("PettingZoo", "Leduc hold'em", lambda: pettingzoo("leduc_holdem_v4")),
    Entry("PettingZoo", "Texas hold'em", lambda: pettingzoo("texas_holdem_v4")),
    Entry("PettingZoo", "Hanabi", lambda: pettingzoo("hanabi_v5"), steps=500),
    Entry("RLCard", "Leduc hold'em", lambda: rlcard_game("leduc-holdem")),
    Entry("RLCard", "Uno", lambda: rlcard_game("uno")),
    Entry("OpenSpiel", "Leduc poker", lambda: open_spiel("leduc_poker")),
    Entry("OpenSpiel", "gin rummy", lambda: open_spiel("gin_rummy")),
    Entry("OpenSpiel", "backgammon", lambda: open_spiel("backgammon")),
    Entry("Catanatron", "Catan, no observations", catanatron_game),
    Entry("whistlestop", "USA, one thread", lambda: ours_batched(BATCH, 1), True, 100_000),
    Entry("whistlestop", "USA, two threads", lambda: ours_batched(4096, 2), True, 1_000_000, time.perf_counter),
    Entry("Pgx", "Leduc hold'em", lambda: pgx_batched("leduc_holdem"), True, 50_000),
    Entry("Pgx", "sparrow mahjong", lambda: pgx_batched("sparrow_mahjong"), True, 50_000),
    Entry("Pgx", "backgammon", lambda: pgx_batched("backgammon"), True, 20_000),
]


def seconds_a_step(play: Play, steps: int, clock: Clock) -> float:
    """The best of some rounds, after one that compiles and warms up."""
    play(steps)
    best = float("inf")
    for _ in range(ROUNDS):
        start = clock()
        done = play(steps)
        best = min(best, (clock() - start) / done)
    return best


def measure(entry: Entry) -> Measured:
    play = entry.make()
    spent = seconds_a_step(play, entry.steps, entry.clock)
    if isinstance(play, Choosing):
        spent -= seconds_a_step(play.choice, entry.steps, entry.clock)
    return Measured(entry, 1 / spent)


def draw(found: list[Measured], out: Path) -> None:
    """Bars on a logarithmic scale: one game at a time, and batches."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 0.36 * len(found) + 1.2), layout="constrained")
    names = [f"{one.entry.library}: {one.entry.game}{' (batch)' * one.entry.batched}" for one in found]
    colours = ["#b5482f" if one.entry.library == "whistlestop" else "#7c8794" for one in found]
    bars = axes.barh(names, [one.speed for one in found], color=colours)
    axes.bar_label(bars, [f"{one.speed:,.0f}" for one in found], padding=4)
    axes.set(xscale="log", xlabel="steps a second, logarithmic")
    axes.margins(x=0.15)
    axes.invert_yaxis()
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(out, dpi=110)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the bars as PNG (needs matplotlib)")
    parser.add_argument("--only", default="", help="libraries by commas")
    given = parser.parse_args()
    warnings.simplefilter("ignore")  # of the libraries, about each other
    random.seed(1)
    found, missing = [], {}
    print("| library | game | | steps/s |\n|---|---|---|---|")
    for entry in ENTRIES:
        if given.only and entry.library not in given.only.split(","):
            continue
        try:
            found.append(measure(entry))
        except ImportError as absent:
            missing[entry.library] = str(absent)
            continue
        way = "batch" if entry.batched else "one"
        print(f"| {entry.library} | {entry.game} | {way} | {found[-1].speed:,.0f} |", flush=True)
    for library, reason in missing.items():
        print(f"\nnot measured: {library} ({reason})")
    if given.out:
        draw(found, given.out)


if __name__ == "__main__":
    main()
