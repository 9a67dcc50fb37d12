"""`whistlestop simulate`: prints the statistics of many games."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from whistlestop.cli.inputs import edition_of, resolve_players
from whistlestop.cli.terminal import fail, heading, print_json, progress, ready_engine, table
from whistlestop.spelling import many

if TYPE_CHECKING:
    from collections.abc import Sequence

    from whistlestop.arena.matches import Rows
    from whistlestop.arena.simulation import Distribution, PlayerStatistics, Statistics
    from whistlestop.bots.referee import Failure
    from whistlestop.mapfile import Edition

MAX_GAMES = 2_000_000
"""In one run: the numbers of every game are kept in memory."""
GAMES = 1000
"""Unless given, where all players are random; they take milliseconds."""
BOT_GAMES = 100
"""Unless given, where a bot thinks."""


def print_simulation(
    name: str,
    players: int | None,
    games: int | None,
    seed: int,
    names: str | None,
    packs: list[str],
    jobs: int | None,
    as_json: bool,
) -> None:
    """Play the games and print their statistics."""
    if games is not None and not 1 <= games <= MAX_GAMES:
        fail(
            f"--games must be between 1 and {MAX_GAMES:,}, not {games:,}",
            "for example --games 1000; different seeds give different games",
        )
    if jobs is not None and jobs < 1:
        fail(f"--jobs must be 1 or more, not {jobs}", "leave it out for all cores")
    if seed < 0:
        fail(f"--seed must be 0 or more, not {seed}", "for example --seed 1")
    edition = edition_of(name, packs)
    bots = resolve_players(names, players, edition)
    ready_engine()
    from whistlestop.arena.simulation import Statistics
    from whistlestop.bots import RANDOM

    games = games or (GAMES if set(bots) == {RANDOM} else BOT_GAMES)
    failures: list[tuple[int, Failure]] = []
    rows, seconds = timed_games(
        edition, bots, games, seed * MAX_GAMES, failures, jobs
    )  # game n has seed + n: runs must not overlap
    statistics = Statistics.of(rows)
    if as_json:
        print_json(_json(edition, bots, seed, seconds, statistics, failures))
    else:
        _print(edition, bots, seed, seconds, statistics)
        _print_failures(bots, failures)


def timed_games(
    edition: Edition,
    bots: Sequence[str],
    games: int,
    seed: int,
    failures: list[tuple[int, Failure]] | None = None,
    jobs: int | None = None,
) -> tuple[Rows, float]:
    """Play games with a progress bar; rows and seconds."""
    from whistlestop.arena.simulation import simulate

    simulate(edition, len(bots), 1, seed)  # loads the compiled code, which is no part of playing
    start = time.perf_counter()
    with progress(f"Playing {edition.name}", games) as done:
        rows = simulate(edition, bots, games, seed, progress=done, failures=failures, jobs=jobs)
    return rows, time.perf_counter() - start


# --- as data ---------------------------------------------------------------------------------------------------------
def _json(
    edition: Edition,
    bots: Sequence[str],
    seed: int,
    seconds: float,
    statistics: Statistics,
    failures: Sequence[tuple[int, Failure]],
) -> dict[str, object]:
    from whistlestop.mapfile import digest

    seats = enumerate(zip(bots, statistics.seats, strict=True), 1)
    return {
        "edition": edition.id,
        "board": digest(edition),
        "players": len(bots),
        "names": list(bots),
        "games": statistics.games,
        "seed": seed,
        "seconds": round(seconds, 4),
        "games_per_second": round(statistics.games / seconds, 1),
        "actions_per_game": _rounded(statistics.actions),
        "shared_wins": statistics.shared_wins,
        "seats": [{"seat": number, "name": name, **_player_json(player)} for number, (name, player) in seats],
        "all": _player_json(statistics.overall),
        "failures": [{"game": game, **failure.json()} for game, failure in failures],
    }


def _player_json(player: PlayerStatistics) -> dict[str, object]:
    return {
        "win_rate": round(player.win_rate, 4),
        "win_rate_margin": round(player.win_rate_margin, 4),
        "points": _rounded(player.points),
        "sources": {name: round(mean, 2) for name, mean in player.sources.items()},
        "tickets_completed": round(player.tickets_completed, 3),
        "tickets_failed": round(player.tickets_failed, 3),
        "failures": player.failures,
    }


def _rounded(found: Distribution) -> dict[str, float]:
    return {
        "mean": round(found.mean, 2),
        "median": found.median,
        "sd": round(found.sd, 2),
        "min": found.min,
        "max": found.max,
    }


# --- as text ---------------------------------------------------------------------------------------------------------
def _print(edition: Edition, bots: Sequence[str], seed: int, seconds: float, statistics: Statistics) -> None:
    from whistlestop.mapfile import digest, editions

    board = "" if edition in editions() else f", board {digest(edition)}"
    heading(f"{edition.name}{board}: {statistics.games:,} games with {len(bots)} players, seed {seed}")
    seats = [
        (str(seat), name, player) for seat, (name, player) in enumerate(zip(bots, statistics.seats, strict=True), 1)
    ]
    seats.append(("all", "", statistics.overall))
    table(
        ("seat", "player", "wins>", "±>", "points>", "median>", "sd>", "min>", "max>"),
        [[seat, name, *_points_cells(player)] for seat, name, player in seats],
    )
    print()
    heading("Where the points come from (means)")
    sources = used_sources(edition)
    table(
        ("seat", *source_heads(sources), "tickets completed>", "failed>"),
        [[seat, *_source_cells(player, sources)] for seat, _, player in seats],
    )
    print()
    actions = statistics.actions
    print(f"{actions.mean:.1f} actions a game, from {actions.min} to {actions.max}")
    rate = statistics.games / seconds
    print(f"{rate:,.0f} games a second" if rate >= 20 else f"{rate:.1f} games a second")
    if statistics.shared_wins:
        print(f"{statistics.shared_wins:,} games had more than one winner")


def _print_failures(bots: Sequence[str], failures: Sequence[tuple[int, Failure]]) -> None:
    """A line for each bot that failed: how often, and what happened first."""
    for seat, name in enumerate(bots):
        found = [(game, failure) for game, failure in failures if failure.seat == seat]
        if found:
            game, first = found[0]
            where = f"first in game {game + 1}, action {first.action}"
            print(
                f"{name} on seat {seat + 1} failed {many(len(found), 'time')}, {where}: {first.reason}: {first.detail}"
            )


def _points_cells(player: PlayerStatistics) -> list[str]:
    points = player.points
    return [
        f"{player.win_rate:.1%}",
        f"{player.win_rate_margin:.1%}",
        f"{points.mean:.1f}",
        f"{points.median:g}",
        f"{points.sd:.1f}",
        f"{points.min}",
        f"{points.max}",
    ]


def _source_cells(player: PlayerStatistics, sources: Sequence[str]) -> list[str]:
    means = [f"{player.sources[source]:.1f}" for source in sources]
    return [*means, f"{player.tickets_completed:.2f}", f"{player.tickets_failed:.2f}"]


def source_heads(sources: Sequence[str]) -> list[str]:
    """Heads of right-aligned columns, one for each source of points."""
    from whistlestop.results import source_name

    return [f"{source_name(source)}>" for source in sources]


def used_sources(edition: Edition) -> list[str]:
    """The sources of points that this edition has."""
    from whistlestop.results import SOURCES

    there = {
        "stations": edition.stations * edition.station_points,
        "path": edition.longest_path,
        "passengers": max(edition.passenger_points),
        "globetrotter": edition.globetrotter,
    }
    return [source for source in SOURCES if there.get(source, 1)]
