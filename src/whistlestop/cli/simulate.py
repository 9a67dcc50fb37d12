"""`whistlestop simulate`: many games, summed up."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from whistlestop.cli.inputs import RANDOM, edition_of, resolve_players
from whistlestop.cli.terminal import fail, heading, print_json, progress, ready_engine, table

if TYPE_CHECKING:
    import numpy as np

    from whistlestop.game import Result
    from whistlestop.mapfile import Edition

MAX_GAMES = 2_000_000
"""In one run: the numbers of every game are kept in memory."""
GAMES = 1000
"""Unless told otherwise, where all choose at random; they take milliseconds."""
BOT_GAMES = 100
"""Unless told otherwise, where a bot thinks."""
SEEDS = 2**63
SOURCES = {
    "routes": "routes",
    "tickets": "tickets",
    "stations": "stations",
    "path": "longest path",
    "passengers": "passengers",
    "globetrotter": "Globetrotter",
}
"""Where points come from: field of the engine's rows, and the words for it."""


def print_simulation(
    name: str, players: int | None, games: int | None, seed: int, names: str | None, packs: list[str], as_json: bool
) -> None:
    """Play the games and print the summary."""
    if games is not None and not 1 <= games <= MAX_GAMES:
        fail(
            f"--games must be between 1 and {MAX_GAMES:,}, not {games:,}",
            "for example --games 1000; different seeds give different games",
        )
    if seed < 0:
        fail(f"--seed must be 0 or more, not {seed}", "for example --seed 1")
    edition = edition_of(name, packs)
    lineup = resolve_players(names, players, edition)
    by_chance = set(lineup) == {RANDOM}
    games = games or (GAMES if by_chance else BOT_GAMES)
    ready_engine()
    first = (seed * MAX_GAMES) % SEEDS  # game n has seed + n: runs must not overlap
    rows, seconds = play(edition, len(lineup), games, first) if by_chance else play_bots(edition, lineup, games, first)
    summary = summed_up(rows, edition, lineup, games, seed, seconds)
    if as_json:
        print_json(summary)
    else:
        _print(summary, edition)


def play(edition: Edition, players: int, games: int, seed: int) -> tuple[np.ndarray[Any, Any], float]:
    """Random games from the compiled loop, with a bar; rows and seconds."""
    from whistlestop.engine.doors import simulate

    simulate(edition, players, 1, seed)  # loads the compiled code, which is no part of playing
    start = time.perf_counter()
    with progress(f"Playing {edition.name}", games) as done:
        rows = simulate(edition, players, games, seed, progress=done)
    return rows, time.perf_counter() - start


def play_bots(edition: Edition, lineup: list[str], games: int, seed: int) -> tuple[np.ndarray[Any, Any], float]:
    """Games between bots, with a bar; rows and seconds."""
    import numpy as np

    from whistlestop.bots import play as play_one
    from whistlestop.engine.doors import RESULT

    rows = np.zeros(games * len(lineup), RESULT)
    start = time.perf_counter()
    with progress(f"Playing {edition.name}", games) as done:
        for number in range(games):
            game = play_one(edition, lineup, (seed + number) % SEEDS)
            _fill(rows[number * len(lineup) : (number + 1) * len(lineup)], number, len(game.history), game.result())
            done(number + 1)
    return rows, time.perf_counter() - start


def _fill(rows: np.ndarray[Any, Any], number: int, steps: int, result: Result) -> None:
    """The rows of one game, a player each, as the compiled loop fills them."""
    rows["game"], rows["steps"] = number, steps
    for seat, player in enumerate(result.players):
        row = rows[seat]
        row["player"], row["won"] = seat, seat in result.winners
        row["completed"], row["failed"] = len(player.completed), len(player.failed)
        for field in (*SOURCES, "total", "path_length"):
            row[field] = getattr(player, field)


def summed_up(
    rows: np.ndarray[Any, Any], edition: Edition, lineup: list[str], games: int, seed: int, seconds: float
) -> dict[str, Any]:
    """The numbers of a batch of games as plain data."""
    by_seat = [rows[rows["player"] == seat] for seat in range(len(lineup))]
    shared = sum(seat["won"].astype(int) for seat in by_seat) > 1
    return {
        "edition": edition.id,
        "players": len(lineup),
        "names": lineup,
        "games": games,
        "seed": seed,
        "seconds": round(seconds, 4),
        "games_per_second": round(games / seconds, 1),
        "actions_per_game": _spread(by_seat[0]["steps"]),
        "shared_wins": int(shared.sum()),
        "seats": [
            {"seat": number, "name": lineup[number - 1], **_seat(seat)} for number, seat in enumerate(by_seat, 1)
        ],
        "all": _seat(rows),
    }


def _seat(rows: np.ndarray[Any, Any]) -> dict[str, Any]:
    rate = float(rows["won"].mean())
    return {
        "win_rate": round(rate, 4),
        "win_rate_margin": round(1.96 * (rate * (1 - rate) / len(rows)) ** 0.5, 4),
        "points": _spread(rows["total"]),
        "sources": {field: round(float(rows[field].mean()), 2) for field in SOURCES},
        "tickets_completed": round(float(rows["completed"].mean()), 3),
        "tickets_failed": round(float(rows["failed"].mean()), 3),
    }


def _spread(values: np.ndarray[Any, Any]) -> dict[str, float]:
    import numpy as np

    return {
        "mean": round(float(values.mean()), 2),
        "median": float(np.median(values)),
        "sd": round(float(values.std(ddof=1)) if len(values) > 1 else 0.0, 2),
        "min": int(values.min()),
        "max": int(values.max()),
    }


def _print(summary: dict[str, Any], edition: Edition) -> None:
    games, players = summary["games"], summary["players"]
    heading(f"{edition.name}: {games:,} games with {players} players, seed {summary['seed']}")
    seats = [(str(seat["seat"]), seat["name"], seat) for seat in summary["seats"]] + [("all", "", summary["all"])]
    table(
        ("seat", "player", "wins>", "±>", "points>", "median>", "sd>", "min>", "max>"),
        [[seat, name, *_points_cells(numbers)] for seat, name, numbers in seats],
    )
    print()
    heading("Where the points come from (means)")
    used = used_sources(edition)
    table(
        ("seat", *(f"{SOURCES[field]}>" for field in used), "tickets completed>", "failed>"),
        [
            [
                seat,
                *(f"{numbers['sources'][field]:.1f}" for field in used),
                f"{numbers['tickets_completed']:.2f}",
                f"{numbers['tickets_failed']:.2f}",
            ]
            for seat, _, numbers in seats
        ],
    )
    print()
    actions = summary["actions_per_game"]
    print(f"{actions['mean']:.1f} actions a game, from {actions['min']} to {actions['max']}")
    rate = summary["games_per_second"]
    print(f"{rate:,.0f} games a second" if rate >= 20 else f"{rate:.1f} games a second")
    if summary["shared_wins"]:
        print(f"{summary['shared_wins']:,} games had more than one winner")


def _points_cells(numbers: dict[str, Any]) -> list[str]:
    points = numbers["points"]
    return [
        f"{numbers['win_rate']:.1%}",
        f"{numbers['win_rate_margin']:.1%}",
        f"{points['mean']:.1f}",
        f"{points['median']:g}",
        f"{points['sd']:.1f}",
        f"{points['min']}",
        f"{points['max']}",
    ]


def used_sources(edition: Edition) -> list[str]:
    """The sources of points that this edition has."""
    there = {
        "stations": edition.stations * edition.station_points,
        "path": edition.longest_path,
        "passengers": max(edition.passenger_points),
        "globetrotter": edition.globetrotter,
    }
    return [field for field in SOURCES if there.get(field, 1)]
