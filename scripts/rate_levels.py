"""Rate the levels that people choose, on every edition and with every number of players.

uv run --group test python scripts/rate_levels.py          # plays what is missing in bench/levels.sqlite: hours
uv run --group test python scripts/rate_levels.py --write  # only writes what the games say

Every level plays the next weaker one, alone against a table of it, from every seat on the same seeds; the weakest plays
`random`, which is 0. The result goes into src/whistlestop/bots/ratings.json, which server and page show, and into
docs/ratings.md. Stop it at any time: the same command goes on. Limits go by the processor's clock, so that other
programs on the machine change nothing but how long it takes.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from pathlib import Path

import numpy as np

from whistlestop.arena.game_store import GameStore
from whistlestop.arena.ratings import WinRate
from whistlestop.arena.rehearsal import rehearse, unrehearsed
from whistlestop.arena.schedule import LineUp, Schedule
from whistlestop.arena.standings import CellStanding, LineUpStanding, Standings
from whistlestop.arena.tournament import run
from whistlestop.arena.worker_pool import WorkerPool
from whistlestop.bots import CLOCK, RANDOM
from whistlestop.bots.levels import LEVELS
from whistlestop.cli.standings_text import processor, rating_text
from whistlestop.mapfile import Edition, editions, load_edition

HERE = Path(__file__).parents[1]
RATINGS = HERE / "src/whistlestop/bots/ratings.json"
PAGE = HERE / "docs/ratings.md"
GAMES = HERE / "bench/levels.sqlite"
"""Every game that the ratings come from, so that anybody can look at them and add to them."""
PLAYERS = (2, 3, 4, 5)
TITLES = {RANDOM: RANDOM} | {str(level.entrant): level.name for level in LEVELS}
"""Levels by the text of their bots."""
LEAST_GAMES = 10
"""Against the next weaker level, for a rating to be shown to players; the page in docs/ has all."""
QUICK_GAMES = 48
SLOW_GAMES = {"master": 12, "grandmaster": 2}
"""About so many games of a level with the next, where both answer at once, and where one of them searches."""


def texts() -> list[str]:
    """The bots of all levels, from weak to strong."""
    return list(TITLES)


def schedules(wanted: list[Edition], players: tuple[int, ...], most: int) -> Iterator[Schedule]:
    """What is to be played: the quick levels first, then the slow ones, in rounds over all editions."""
    for weak, strong in pairwise(texts()[: most + 1]):
        games = SLOW_GAMES.get(TITLES[strong], QUICK_GAMES)
        for n in players:
            line_up: LineUp = (strong, *[weak] * (n - 1))
            yield Schedule(tuple(wanted), (line_up,), range(1, 1 + max(1, games // n)))


def play_missing(store: GameStore, wanted: list[Edition], players: tuple[int, ...], most: int) -> None:
    """Play what is not in the file."""
    os.environ[CLOCK] = "processor"  # for the processes that play
    for name in unrehearsed(texts()):
        rehearse(name)
    for schedule in schedules(wanted, players, most):
        print(f"{' '.join(TITLES[text] for text in schedule.line_ups[0])}: {schedule}", flush=True)
        run(schedule, store, WorkerPool(schedule.by_digest))


# ---- what the games say ---------------------------------------------------------------------------------------------
def against_weaker(cell: CellStanding) -> dict[str, LineUpStanding]:
    """How each level did alone against the next weaker one."""
    order = texts()
    return {
        found.bot: found
        for found in cell.line_ups
        if found.bot in order[1:] and found.alone_against == order[order.index(found.bot) - 1]
    }


def ratings_json(standings: Standings, command: str) -> dict[str, object]:
    """Ratings by edition and number of players, as the server reads them."""
    cells = {}
    for cell in standings.cells:
        enough = {RANDOM} | {bot for bot, step in against_weaker(cell).items() if step.games >= LEAST_GAMES}
        rated = {bot.bot: bot.rating.elo for bot in cell.bots if bot.bot in enough}
        cells[f"{cell.cell.edition}/{cell.cell.players}"] = {
            TITLES[text]: round(rated[text] or 0) for text in texts() if text in rated
        }
    return {"date": str(date.today()), "command": command, "ratings": dict(sorted(cells.items()))}


def page(standings: Standings, command: str) -> str:
    """docs/ratings.md."""
    machine = f"{date.today()}, {processor()}, Python {platform.python_version()}"
    lines = [
        "# How strong the levels are",
        "",
        f"Written by `{command}` ({machine};",
        f"{standings.games:,} games). [The arena](arena.md) says how ratings are made. Every level sits alone at a",
        "table of the next weaker one, from every seat on the same seeds. The command plays what is missing and can",
        "be stopped at any time (`--levels` and `--players` choose): what is empty here was not played yet. The games",
        "are in `bench/levels.sqlite`. Times to think go by the processor's clock; most of the master's games and the",
        "grandmaster's first ten were played by the clock on the wall beside other work, without an overrun.",
        "",
        "## Ratings",
        "",
        "Elo, `random` is 0, with 95% intervals. The steps from one level to the next are what was measured; a level",
        'that won all its games is rated by a drawn one beside them, so read its number as "at least".',
        "",
        *_rating_table(standings),
        "",
        "## Each level against the next weaker one",
        "",
        "Share of the games that the stronger level won, with its 95% interval, how many games, and its mean points.",
        "Even is a half with two players, a third with three, and so on. Points are no measure of strength, but people",
        "ask.",
        "",
        *_step_table(standings),
        "",
        "## All editions together",
        "",
        "The same games by number of players. A block is one seed of one edition.",
        "",
        *_together(standings),
    ]
    return "\n".join(lines) + "\n"


def in_order(standings: Standings) -> list[CellStanding]:
    """Editions one after another, with two players first."""
    order = [edition.id for edition in editions()]
    return sorted(standings.cells, key=lambda one: (order.index(one.cell.edition), one.cell.players))


def _rating_table(standings: Standings) -> Iterator[str]:
    levels = [text for text in texts() if any(bot.bot == text for cell in standings.cells for bot in cell.bots)]
    yield "| edition | players | " + " | ".join(TITLES[text] for text in levels[1:]) + " |"
    yield "|---" * (len(levels) + 1) + "|"
    for cell in in_order(standings):
        rated = {bot.bot: bot.rating for bot in cell.bots}
        shown = [rating_text(rated.get(text)) for text in levels[1:]]
        yield f"| {cell.cell.edition} | {cell.cell.players} | " + " | ".join(shown) + " |"


def _step_table(standings: Standings) -> Iterator[str]:
    steps = list(pairwise(texts()))
    known = [(weak, strong) for weak, strong in steps if any(strong in against_weaker(one) for one in standings.cells)]
    yield "| edition | players | " + " | ".join(f"{TITLES[s]} : {TITLES[w]}" for w, s in known) + " |"
    yield "|---" * (len(known) + 2) + "|"
    for cell in in_order(standings):
        found = against_weaker(cell)
        shown = []
        for _, strong in known:
            one = found.get(strong)
            wins = "" if one is None else f"{one.wins.rate:.0%} ({one.wins.low:.0%} to {one.wins.high:.0%})"
            shown.append(wins if one is None else f"{wins}, {one.games} games, {one.points:.0f} points")
        yield f"| {cell.cell.edition} | {cell.cell.players} | " + " | ".join(shown) + " |"


def _together(standings: Standings) -> Iterator[str]:
    """Steps over all editions: where games are few, one edition says little."""
    found = {(one.cell.edition, one.cell.players): against_weaker(one) for one in standings.cells}
    yield "| players | " + " | ".join(f"{TITLES[strong]} : {TITLES[weak]}" for weak, strong in pairwise(texts())) + " |"
    yield "|---" * len(texts()) + "|"
    for n in PLAYERS:
        shown = []
        for strong in texts()[1:]:
            steps = [by_bot[strong] for (_, players), by_bot in found.items() if players == n and strong in by_bot]
            wins = WinRate.of(np.concatenate([step.block_wins for step in steps])) if steps else None
            games = sum(step.games for step in steps)
            shown.append(f"{wins.rate:.0%} ({wins.low:.0%} to {wins.high:.0%}), {games} games" if wins else "")
        yield f"| {n} | " + " | ".join(shown) + " |"


def main() -> None:
    """Play and write."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", default=str(GAMES), help="SQLite file of the games")
    parser.add_argument("--editions", default=",".join(one.id for one in editions()))
    parser.add_argument("--players", default=",".join(map(str, PLAYERS)))
    parser.add_argument("--levels", type=int, default=len(LEVELS), help="how many levels to play, from the weakest")
    parser.add_argument("--write", action="store_true", help="play nothing")
    options = parser.parse_args()
    wanted = [load_edition(name) for name in options.editions.split(",")]
    store = GameStore(options.out)
    if not options.write:
        play_missing(store, wanted, tuple(map(int, options.players.split(","))), options.levels)
    standings = Standings.of(store, RANDOM)
    command = "uv run --group test python scripts/rate_levels.py"
    RATINGS.write_text(json.dumps(ratings_json(standings, command), indent=1) + "\n", "utf-8")
    PAGE.write_text(page(standings, command), "utf-8")
    store.close()


if __name__ == "__main__":
    main()
