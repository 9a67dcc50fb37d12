"""`whistlestop bench`: the engine's speed on this machine."""

from __future__ import annotations

from typing import Any

from whistlestop.cli.inputs import check_players, edition_of
from whistlestop.cli.terminal import fail, print_json, progress, ready_engine, say, table

KEYS = ("edition", "players", "games_per_second", "steps_per_second")


def print_bench(names: str | None, players: str, seconds: float, as_json: bool) -> None:
    """Measure each edition with each number of players and print rates."""
    if seconds <= 0:
        fail(f"--seconds must be above 0, not {seconds:g}", "for example --seconds 2")
    jobs = _jobs(names, players)
    ready_engine()
    rows = _measured(jobs, seconds)
    if as_json:
        print_json(rows)
        return
    base = next((row["steps_per_second"] for row in rows if row["edition"] == "usa"), None)
    table(
        ("edition", "players>", "games/s>", "steps/s>", "ns/step>", "time per step, usa = 1>"),
        [_cells(row, base) for row in rows],
    )
    say("Whole random games with final scoring, on one core")


def _jobs(names: str | None, players: str) -> list[tuple[str, int]]:
    from whistlestop.mapfile import editions

    try:
        counts = [int(part) for part in players.split(",")]
    except ValueError:
        fail(f"--players takes whole numbers by commas, not `{players}`", "for example --players 2,5")
    chosen = [name.strip() for name in names.split(",")] if names else [edition.id for edition in editions()]
    for name in chosen:
        edition = edition_of(name)
        for count in counts:
            check_players(count, edition)
    return [(name, count) for name in chosen for count in counts]


def _measured(jobs: list[tuple[str, int]], seconds: float) -> list[dict[str, Any]]:
    from whistlestop.engine.speed import measure

    rows = []
    with progress("Measuring", len(jobs)) as done:
        for number, (edition, players) in enumerate(jobs):
            done(number)
            result = measure(edition, players, seconds)
            rows.append({key: result[key] for key in KEYS})
    return rows


def _cells(row: dict[str, Any], base: float | None) -> list[str]:
    rate = row["steps_per_second"]
    ratio = f"{base / rate:.2f}" if base else ""
    return [
        row["edition"],
        str(row["players"]),
        f"{row['games_per_second']:,.0f}",
        f"{rate:,.0f}",
        f"{1e9 / rate:.0f}",
        ratio,
    ]
