"""Tune the planner's parameters by self-play: CMA-ES against a pool of different tempers, on paired seeds.

uv run --group tune python scripts/tune_planner.py usa 2 --minutes 10

Each candidate plays every opponent of the pool from every seat on the same seeds as its rivals of the generation. The
pool holds the tempers, the values that are in use and the best of earlier generations, so that no specialist comes
out. The result goes into src/whistlestop/bots/planner/parameters.json when it beats what is there on fresh seeds.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import cma
import numpy as np

from whistlestop.bots.planner.match import PlannerMatch
from whistlestop.bots.planner.parameters import LEAST, NAMES, STARTS, STEPS, Vector, tuned, vector
from whistlestop.bots.planner.tempers import TEMPERS
from whistlestop.mapfile import Edition, load_edition

FILE = Path(__file__).parents[1] / "src/whistlestop/bots/planner/parameters.json"
POPULATION = 24
SEEDS = 32
"""Games of a candidate against one opponent from one seat, in a generation."""
REMEMBERED = 4
"""Winners of earlier generations in the pool."""
EVERY = 8
"""Generations after which the mean joins the pool."""
TEST_SEEDS = 2000
MARGIN = 1 / 400
"""Weight of a point of margin beside a win: it tells candidates apart that win alike."""


def relevant(edition: Edition) -> list[int]:
    """Parameters that mean something on this board."""
    tracks = edition.board.tracks
    absent = set()
    if not any(track.ferry for track in tracks):
        absent |= {"ferry"}
    if not any(track.tunnel for track in tracks):
        absent |= {"tunnel", "risk", "give_up"}
    if not edition.stations:
        absent |= {"borrow"}
    if not edition.board.passenger_colours:
        absent |= {"crowd", "passenger"}
    if len(edition.decks) < 2 or edition.decks[1].leaves:
        absent |= {"long_trains", "first_long"}
    if not edition.longest_path:
        absent |= {"join", "extend"}
    return [i for i, name in enumerate(NAMES) if name not in absent]


def moved(start: Vector, columns: list[int], x: Sequence[float]) -> Vector:
    """Parameters, some of them moved by so many steps from where they start."""
    values = start.copy()
    values[columns] += STEPS[columns] * np.asarray(x)
    least: Vector = np.maximum(values, LEAST)
    return least


class Tuning:
    """One edition and number of players."""

    def __init__(self, edition: Edition, players: int, start: Vector, seed: int) -> None:
        self.match = PlannerMatch(edition, players)
        self.players = players
        self.columns = relevant(edition)
        self.start = start
        self.pool = [*TEMPERS.values(), start]
        self.winners: list[Vector] = []
        self.seed = seed

    def whole(self, x: Sequence[float]) -> Vector:
        """All parameters from those that are tuned."""
        return moved(self.start, self.columns, x)

    def fitness(self, values: Vector, seed: int) -> float:
        """Mean win rate against the pool, with a little for the margin."""
        results = [self.match.play(values, rival, SEEDS, seed) for rival in (*self.pool, *self.winners)]
        return float(np.mean([wins + MARGIN * margin for wins, margin in results]))

    def run(self, seconds: float) -> Vector:
        """The mean of the last generation."""
        es = cma.CMAEvolutionStrategy(
            [0.0] * len(self.columns), 0.5, {"popsize": POPULATION, "seed": self.seed, "verbose": -9}
        )
        end, generation = time.monotonic() + seconds, 0
        with ThreadPoolExecutor() as threads:
            while time.monotonic() < end:
                seed = self.seed * 10**9 + generation * SEEDS
                asked = es.ask()
                found = list(threads.map(lambda x, seed=seed: self.fitness(self.whole(x), seed), asked))
                es.tell(asked, [-value for value in found])
                generation += 1
                if generation % EVERY == 0:
                    mean = self.whole(es.mean)
                    self.winners = [*self.winners, mean][-REMEMBERED:]
                    wins, margin = self.match.play(mean, self.start, 200, 7)
                    print(
                        f"  generation {generation:3}  sigma {es.sigma:.2f}  against the start: "
                        f"{wins:.1%} of wins, margin {margin:+.1f}  pool {np.mean(found):.3f}",
                        flush=True,
                    )
        return self.whole(es.mean)


def main() -> None:
    """Tune and keep what is better."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("edition")
    parser.add_argument("players", type=int)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", help="key of the values to start from, such as usa/2; those in use unless given")
    options = parser.parse_args()
    edition = load_edition(options.edition)
    key = f"{edition.id}/{options.players}"
    known = dict(tuned())
    start_key = options.start or key
    start = vector(known[start_key]) if start_key in known else STARTS.copy()
    tuning = Tuning(edition, options.players, start, options.seed)
    print(f"{key} from {start_key if start_key in known else 'untuned values'}", flush=True)
    best = tuning.run(60 * options.minutes)
    even = 1 / options.players
    fresh = 10**17
    in_use = vector(known[key]) if key in known else start
    for name, rival in (("values in use", in_use), *TEMPERS.items()):
        wins, margin = tuning.match.play(best, rival, TEST_SEEDS // 4, fresh)
        print(f"  fresh seeds, against {name}: {wins:.1%} (even: {even:.0%}), margin {margin:+.1f}", flush=True)
    wins, margin = tuning.match.play(best, in_use, TEST_SEEDS, fresh)
    pool_new = np.mean([tuning.match.play(best, rival, TEST_SEEDS // 4, fresh)[0] for rival in TEMPERS.values()])
    pool_old = np.mean([tuning.match.play(in_use, rival, TEST_SEEDS // 4, fresh)[0] for rival in TEMPERS.values()])
    print(f"  against the values in use {wins:.1%}, against the tempers {pool_new:.1%} (before: {pool_old:.1%})")
    if (wins > even or key not in known) and pool_new > pool_old - 0.02:
        known[key] = {name: round(float(value), 4) for name, value in zip(NAMES, best, strict=True)}
        text = json.dumps({"tuned": str(date.today()), "values": dict(sorted(known.items()))}, indent=1)
        FILE.write_text(text + "\n", "utf-8")
        print(f"  kept in {FILE.name}")
    else:
        print("  not kept")


if __name__ == "__main__":
    main()
