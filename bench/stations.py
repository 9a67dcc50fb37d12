"""How long the best use of stations takes at worst: a search for the positions whose final count is slowest.

    uv run python bench/stations.py --seconds 20 --json

One player has three stations, few tracks and many tickets; the opponents have most of the board, so that every station
can borrow many tracks. On the Europe board the search climbs over cities, tracks and tickets; a generated board has
three hubs with as many tracks as the limits allow. The whole final count of the position is timed, with the longest
path; times are the best of three.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from support import networks
from support.networks import Edge
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import load_edition

EDITIONS = ("europe", "europe-1912", "mega-europe", "big-cities")


@dataclass
class Position:
    """Who owns each track (-1: nobody), and what player 0 has."""

    owner: list[int]
    stations: list[int]
    tickets: list[int]


def time_of(position: Position, tables: Any) -> float:
    """Seconds of the final count."""
    states, nets, borrowed = doors.scratch()
    s = states[0]
    s.players = 5
    for player in range(5):
        s.tracks[player] = networks.words_of_tracks(i for i, owner in enumerate(position.owner) if owner == player)
    s.stations[0] = sum(1 << city for city in position.stations)
    s.tickets[0] = networks.words_of_tracks(position.tickets)
    sheet = np.zeros((lay.MAX_PLAYERS, lay.SHEET), np.int64)
    taken = []
    for _ in range(3):
        start = time.perf_counter()
        doors.score(states, 0, tables, nets, sheet, borrowed)
        taken.append(time.perf_counter() - start)
    return min(taken)


def random_position(
    rng: random.Random, edges: list[Edge], cities: list[int], tickets: int, most_tickets: int
) -> Position:
    """Opponents of 45 trains each, as many tracks as they can have, and a small network of player 0."""
    owner = [-1] * len(edges)
    trains = [rng.randint(3, 30), 45, 45, 45, 45]
    for track in rng.sample(range(len(edges)), len(edges)):
        player = rng.randrange(5)
        if edges[track][2] <= trains[player]:
            owner[track] = player
            trains[player] -= edges[track][2]
    held = rng.sample(range(tickets), min(tickets, rng.randint(5, most_tickets)))
    return Position(owner, rng.sample(cities, 3), held)


def change(position: Position, rng: random.Random, cities: list[int], tickets: int) -> Position:
    """One station, some tickets, or the owners of two tracks change."""
    what = rng.randrange(3)
    if what == 0:
        stations = list(position.stations)
        stations[rng.randrange(3)] = rng.choice([city for city in cities if city not in stations])
        return replace(position, stations=stations)
    if what == 1:
        held = set(position.tickets) ^ set(rng.sample(range(tickets), 2))
        return replace(position, tickets=sorted(held)) if held else position
    owner = list(position.owner)
    i, j = rng.sample(range(len(owner)), 2)
    owner[i], owner[j] = owner[j], owner[i]
    return replace(position, owner=owner)


def search(name: str, seconds: float, rng: random.Random) -> dict[str, Any]:
    edition = load_edition(name)
    tables, edges = tables_of(edition), networks.edges_of(edition.board)
    cities = [i for i, city in enumerate(edition.board.cities) if city.country is None]
    tickets = sum(len(deck.tickets) for deck in edition.decks)
    end = time.perf_counter() + seconds
    times: list[float] = []
    tops: list[tuple[float, Position]] = []
    while len(times) < 1000 and time.perf_counter() < end:
        position = random_position(rng, edges, cities, tickets, 25)
        times.append(time_of(position, tables))
        tops = sorted([*tops, (times[-1], position)], key=lambda found: -found[0])[:10]
    tried = len(times)
    while time.perf_counter() < end:
        i = rng.randrange(len(tops))
        position = change(tops[i][1], rng, cities, tickets)
        taken = time_of(position, tables)
        tried += 1
        if taken > tops[i][0]:
            tops[i] = (taken, position)
    worst, position = max(tops, key=lambda found: found[0])
    return row(name, tried, worst, times) | {
        "stations": [edition.board.cities[city].name for city in position.stations],
        "tickets": len(position.tickets),
    }


def row(name: str, tried: int, worst: float, times: list[float]) -> dict[str, Any]:
    return {
        "board": name,
        "positions": tried,
        "worst_ms": round(1000 * worst, 4),
        "random_mean_ms": round(1000 * float(np.mean(times)), 4),
        "random_p99_ms": round(1000 * float(np.quantile(times, 0.99)), 4),
    }


def search_hubs(rng: random.Random) -> dict[str, Any]:
    """Three hubs with all tracks that fit, every one an opponent's, and as many tickets as fit."""
    times: list[float] = []
    for _ in range(20):
        edges = [(hub, city, 1) for hub in range(3) for city in range(3, 3 + lay.MAX_TRACKS // 3)]
        tables = networks.tables_of_edges(edges)
        t = tables[0]
        for ticket in range(lay.MAX_TICKETS):
            a, b = rng.sample(range(3, 3 + lay.MAX_TRACKS // 3), 2)
            t.ticket_a[ticket], t.ticket_b[ticket], t.ticket_points[ticket] = (
                np.uint64(1 << a),
                np.uint64(1 << b),
                rng.randint(5, 20),
            )
        t.tickets = lay.MAX_TICKETS
        position = Position([1 + i % 4 for i in range(len(edges))], [0, 1, 2], list(range(lay.MAX_TICKETS)))
        times.append(time_of(position, tables))
    return row("three hubs, at the limits", len(times), max(times), times)


def main() -> None:
    parser = argparse.ArgumentParser(description="Search for the positions whose stations take longest to use best.")
    parser.add_argument("--seconds", type=float, default=15, help="time for each edition")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    rng = random.Random(options.seed)
    search("europe", 0.1, rng)  # compiled now, not while measuring
    rows = []
    for name in EDITIONS:
        sys.stderr.write(f"{name} …\n")
        rows.append(search(name, options.seconds, rng))
    rows.append(search_hubs(rng))
    if options.json:
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    sys.stdout.write(f"{'board':28}{'positions':>10}{'worst ms':>12}{'mean ms':>12}{'p99 ms':>12}\n")
    for found in rows:
        sys.stdout.write(
            f"{found['board']:28}{found['positions']:>10}"
            f"{found['worst_ms']:>12}{found['random_mean_ms']:>12}{found['random_p99_ms']:>12}\n"
        )


if __name__ == "__main__":
    main()
