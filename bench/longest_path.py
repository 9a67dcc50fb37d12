"""How long the longest path takes at worst: a search for the networks on which the kernel is slowest.

    uv run python bench/longest_path.py --seconds 30 --json

On the shipped boards the search climbs from random networks of 45 trains. On generated boards, with tracks of length 1
up to the limits of 60 trains and 64 cities, it also moves the tracks. Times are the best of three; a network that takes
longer than PATIENCE is abandoned and reported with that time.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support import networks
from support.networks import Edge
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.mapfile import load_edition
from whistlestop.server.strange_boards import MOST_TRACKS_OF_A_PLAYER

BOARDS = ("usa", "europe", "germany")
PATIENCE = 20.0
TRAINS, TRAINS_MOST, CITIES_MOST = 45, 60, 64

Network = list[Edge]


@dataclass
class Report:
    """What a search found on one kind of board."""

    board: str
    networks: int = 0
    worst: float = 0.0
    worst_network: Network = field(default_factory=list)
    random_times: list[float] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        times = np.array(self.random_times)
        return {
            "board": self.board,
            "networks": self.networks,
            "worst_ms": round(1000 * self.worst, 4),
            "random_mean_ms": round(1000 * float(times.mean()), 4),
            "random_p99_ms": round(1000 * float(np.quantile(times, 0.99)), 4),
            "worst_network": self.worst_network,
        }


def timed(tables: Any, words: Any) -> float:
    """Seconds that the longest path takes: the best of three if it is quick, at most PATIENCE."""
    taken = [PATIENCE]

    def run() -> None:
        nets = np.zeros(1, lay.NETWORK)
        for _ in range(3):
            start = time.perf_counter()
            doors.longest_path(tables, nets, words)
            taken.append(time.perf_counter() - start)
            if taken[-1] > 0.5:
                return

    worker = threading.Thread(target=run, daemon=True)
    worker.start()
    worker.join(PATIENCE)
    return min(taken)


def time_of(network: Network) -> float:
    return timed(networks.tables_of_edges(network), networks.words_of_tracks(range(len(network))))


def climb(
    report: Report,
    start: Callable[[], Network],
    change: Callable[[Network], Network],
    seconds: float,
    samples: int,
    rng: random.Random,
) -> None:
    """Random networks first, then hill climbing from the slowest of them, a new hill when one is climbed."""
    pool: list[tuple[float, Network]] = []
    end = time.perf_counter() + seconds
    while len(pool) < samples and time.perf_counter() < end:
        network = start()
        pool.append((time_of(network), network))
        report.random_times.append(pool[-1][0])
    pool.sort(key=lambda found: -found[0])
    tops = pool[:10]
    report.networks += len(pool)
    report.worst, report.worst_network = tops[0]
    while time.perf_counter() < end and report.worst < PATIENCE:
        i = rng.randrange(len(tops))
        network = change(tops[i][1])
        taken = time_of(network)
        report.networks += 1
        if taken > tops[i][0]:
            tops[i] = (taken, network)
        if taken > report.worst:
            report.worst, report.worst_network = taken, network
            sys.stderr.write(f"\r{report.board}: {1000 * taken:.3f} ms after {report.networks} networks   ")
    sys.stderr.write("\n")


def search_board(board: str, seconds: float, rng: random.Random) -> Report:
    """Tangles of 45 trains on a shipped board; a change takes some tracks out and lets the rest grow again."""
    edges = networks.edges_of(load_edition(board).board)

    def start() -> Network:
        return [edges[i] for i in networks.random_cluster(rng, edges, TRAINS, rng.random())]

    def change(network: Network) -> Network:
        kept = list(network)
        for _ in range(rng.randint(1, 4)):
            if len(kept) > 1:
                kept.pop(rng.randrange(len(kept)))
        return grown(kept, edges, TRAINS, rng)

    report = Report(board)
    climb(report, start, change, seconds, 2000, rng)
    return report


def grown(network: Network, edges: list[Edge], trains: int, rng: random.Random) -> Network:
    """A network with random tracks beside it added until the trains run out."""
    left = trains - sum(length for _, _, length in network)
    spare = list(edges)
    for edge in network:
        spare.remove(edge)
    cities = {end for a, b, _ in network for end in (a, b)}
    while fits := [e for e in spare if e[2] <= left and (e[0] in cities or e[1] in cities)]:
        edge = rng.choice(fits)
        spare.remove(edge)
        network = [*network, edge]
        cities |= {edge[0], edge[1]}
        left -= edge[2]
    return network


def search_grid(seconds: float, rng: random.Random) -> Report:
    """60 trains on a board of 8 × 8 squares."""
    edges = networks.grid(8, 8)

    def start() -> Network:
        return [edges[i] for i in networks.random_cluster(rng, edges, TRAINS_MOST, rng.random())]

    def change(network: Network) -> Network:
        kept = rng.sample(network, len(network) - rng.randint(1, 6))
        return grown(kept, edges, TRAINS_MOST, rng)

    report = Report("grid 8 × 8")
    climb(report, start, change, seconds, 1000, rng)
    return report


def search_any_shape(seconds: float, rng: random.Random, tracks: int = TRAINS_MOST) -> Report:
    """So many tracks of length 1 between any cities, most of them with three; a change moves ends about."""

    def start() -> Network:
        cities = rng.randint(tracks * 2 // 5, tracks * 3 // 4)
        ends = [i % cities for i in range(2 * tracks)]
        rng.shuffle(ends)
        return [(a, b if b != a else (a + 1) % cities, 1) for a, b in zip(ends[::2], ends[1::2], strict=True)]

    def change(network: Network) -> Network:
        changed = list(network)
        for _ in range(rng.randint(1, 3)):
            i, j = rng.sample(range(len(changed)), 2)
            (a, b, n), (c, d, m) = changed[i], changed[j]
            if rng.random() < 0.7 and a != d and c != b:
                changed[i], changed[j] = (a, d, n), (c, b, m)
            elif (there := rng.randrange(CITIES_MOST)) != a:
                changed[i] = (a, there, n)
        return changed

    report = Report(f"any shape, {tracks} tracks")
    climb(report, start, change, seconds, 300, rng)
    return report


def main() -> None:
    parser = argparse.ArgumentParser(description="Search for the networks whose longest path takes longest.")
    parser.add_argument("--seconds", type=float, default=20, help="time for each kind of board")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    time_of([(0, 1, 1)])  # compiled now, not while measuring
    reports = [search_board(board, options.seconds, rng) for board in BOARDS]
    reports += [search_grid(options.seconds, rng), search_any_shape(options.seconds, rng)]
    reports += [search_any_shape(options.seconds, rng, MOST_TRACKS_OF_A_PLAYER)]  # on boards of strangers
    rows = [report.row() for report in reports]
    if options.json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    sys.stdout.write(f"{'board':24}{'networks':>10}{'worst ms':>12}{'mean ms':>12}{'p99 ms':>12}\n")
    for row in rows:
        sys.stdout.write(
            f"{row['board']:24}{row['networks']:>10}"
            f"{row['worst_ms']:>12}{row['random_mean_ms']:>12}{row['random_p99_ms']:>12}\n"
        )


if __name__ == "__main__":
    main()
