"""Random play of whole games with the final count, every edition in one run, beside the slow reference engine.

`uv run python bench/random_play.py` prints the table of the README; `--json` the numbers.
Ratios of one run mean more than the numbers: other programs on a machine slow all lines alike.
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
import time
from datetime import date
from pathlib import Path

from whistlestop.cli.standings_text import processor
from whistlestop.engine.speed import measure
from whistlestop.engine.warmup import warm_up

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

RUNS = (
    ("usa", 2),
    ("usa", 4),
    ("europe", 2),
    ("europe-1912", 2),
    ("mega-europe", 2),
    ("big-cities", 2),
    ("germany", 2),
)


def reference_games_per_second(seconds: float) -> float:
    """Random play of the USA board on the reference engine in tests/, plain Python written for clarity."""
    from support.reference import RandomChance, Reference

    rng, games, start = random.Random(1), 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        game = Reference("usa", 2, RandomChance(games))
        while players := game.to_act():
            player = min(players)
            game.apply(player, rng.choice(sorted(game.legal(player), key=str)))
        game.result()
        games += 1
    return games / (time.perf_counter() - start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each line")
    options = parser.parse_args()
    warm_up()
    rows = [measure(edition, players, options.seconds) for edition, players in RUNS]
    slow = reference_games_per_second(options.seconds)
    if options.json:
        print(
            json.dumps(
                {"date": str(date.today()), "processor": processor(), "runs": rows, "reference_games_per_second": slow}
            )
        )
        return
    print(f"{date.today()}, one core of {processor()}, Python {platform.python_version()}\n")
    print("| edition | players | games/s | steps/s | ns a step | per step, to USA |\n|---|---|---|---|---|---|")
    first = float(str(rows[0]["steps_per_second"]))
    for row in rows:
        games, steps = int(str(row["games_per_second"])), int(str(row["steps_per_second"]))
        print(
            f"| {row['edition']} | {row['players']} | {games:,} | {steps:,} | {1e9 / steps:.0f} | {first / steps:.2f} |"
        )
    ratio = float(str(rows[0]["games_per_second"])) / slow
    print(f"| usa, the reference engine in tests/ | 2 | {slow:,.0f} | | | {ratio:,.0f} times slower |")


if __name__ == "__main__":
    main()
