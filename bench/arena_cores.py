"""How many games a second the arena plays on one core and on several.

`uv run --group test python bench/arena_cores.py`. Only on an idle machine do the numbers say how near to linear it is;
what the collecting process itself needs is told beside them, as a share of what the workers need.
"""

from __future__ import annotations

import argparse
import resource
import time
from contextlib import suppress

from whistlestop import lineup, load_edition
from whistlestop.arena.game_store import GameStore
from whistlestop.arena.schedule import Schedule, round_robin
from whistlestop.arena.tournament import LiveStandings, run
from whistlestop.arena.worker_pool import WorkerPool, cores

START = 4.0
"""Seconds in which all processes are up; games before are not counted."""


def rate(bots: str, jobs: int, seconds: float) -> tuple[float, float]:
    """Games a second once all processes are up, and the share of processor time that collecting them took."""
    schedule = Schedule((load_edition("usa"),), round_robin(lineup(bots), 2), range(1, 1_000_000 // 2))
    seen: list[tuple[float, int]] = []

    def look(live: LiveStandings) -> None:
        if live.games:
            seen.append((time.monotonic(), live.games))
            if seen[-1][0] - seen[0][0] > START + seconds:
                raise KeyboardInterrupt

    own, others = time.process_time(), resource.getrusage(resource.RUSAGE_CHILDREN)
    with suppress(KeyboardInterrupt):
        run(schedule, GameStore(), WorkerPool(schedule.by_digest, jobs), progress=look)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    workers = after.ru_utime + after.ru_stime - others.ru_utime - others.ru_stime
    counted = [point for point in seen if point[0] >= seen[0][0] + START]
    (begun, before), (ended, games) = counted[0], counted[-1]
    return (games - before) / (ended - begun), (time.process_time() - own) / workers


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", default="casual,one-step")
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    one = 0.0
    for jobs in range(1, cores() + 1):
        games, share = rate(args.bots, jobs, args.seconds)
        one = one or games
        print(
            f"{jobs} cores: {games:.1f} games/s, {games / one / jobs:.2f} of linear, collecting {share:.1%}", flush=True
        )


if __name__ == "__main__":
    main()
