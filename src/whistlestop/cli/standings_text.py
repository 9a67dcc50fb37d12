"""Standings of the arena as tables for a terminal, as Markdown, as data and as files."""

from __future__ import annotations

import platform
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from whistlestop.cli.terminal import fail, heading, print_json, say, table
from whistlestop.spelling import many, whole

if TYPE_CHECKING:
    from whistlestop.arena.game_store import Cell, GameStore
    from whistlestop.arena.ratings import Rating, WinRate
    from whistlestop.arena.sequential import SequentialState
    from whistlestop.arena.standings import CellStanding, LineUpStanding, Standings


@dataclass(frozen=True)
class Wanted:
    """What somebody wants to have of the standings."""

    anchor: str | None
    report: str | None
    csv: str | None
    parquet: str | None
    markdown: bool
    json: bool


@contextmanager
def errors_told() -> Iterator[None]:
    """What somebody can mend is told as `error:` and `hint:`."""
    from whistlestop.errors import WhistlestopError

    try:
        yield
    except WhistlestopError as error:
        fail(error.message, error.hint)


def print_ratings(path: str, editions: str | None, players: str | None, wanted: Wanted) -> None:
    """`whistlestop ratings`: what the games in a file say."""
    with errors_told():
        from whistlestop.arena.game_store import GameStore

        store = GameStore(path, read_only=True)
        try:
            give_standings(store, wanted, _chosen(store.cells(), editions, players))
        finally:
            store.close()


def _chosen(cells: Sequence[Cell], editions: str | None, players: str | None) -> list[Cell]:
    """The cells of some editions and numbers of players; all unless told."""
    names = [name.strip() for name in editions.split(",")] if editions else []
    numbers = [part.strip() for part in players.split(",")] if players else []
    for kind, asked, there in (
        ("of the edition", names, [cell.edition for cell in cells]),
        ("for this number of players:", numbers, [str(cell.players) for cell in cells]),
    ):
        if missing := next((one for one in asked if one not in there), None):
            fail(
                f"there are no games {kind} `{missing}`",
                f"there are {', '.join(dict.fromkeys(there)) or 'none at all'}",
            )
    return [
        cell for cell in cells if (not names or cell.edition in names) and (not numbers or str(cell.players) in numbers)
    ]


def give_standings(
    store: GameStore,
    wanted: Wanted,
    cells: Sequence[Cell] | None = None,
    test: SequentialState | None = None,
    bot: str = "",
) -> None:
    """Print the standings of a store and write the files that are wanted."""
    from whistlestop.arena.standings import Standings

    standings = Standings.of(store, wanted.anchor, cells)
    if wanted.json:
        print_json(standings.json() | ({"test": _test_json(test)} if test else {}))
    elif wanted.markdown:
        print(markdown(standings))
    else:
        _print(standings)
    if test and not wanted.json:
        say(test_text(test, bot))
    for note in standings.notes:
        say(f"note: {note}")
    _write_files(store, standings, wanted)


def _write_files(store: GameStore, standings: Standings, wanted: Wanted) -> None:
    from whistlestop.arena.export import write_csv, write_parquet
    from whistlestop.arena.report import report

    if wanted.csv:
        say(f"{wanted.csv}: {many(write_csv(store, wanted.csv), 'line')}")
    if wanted.parquet:
        say(f"{wanted.parquet}: {many(write_parquet(store, wanted.parquet), 'line')}")
    if wanted.report:
        Path(wanted.report).write_text(report(standings, provenance()), encoding="utf-8")
        say(f"{wanted.report}: the report, open it in a browser")


# --- tables ----------------------------------------------------------------------------------------------------------
def _print(standings: Standings) -> None:
    for cell in standings.cells:
        _print_cell(cell, standings.labels)
        print()
    if standings.overall:
        heading("All of these together")
        table(
            ("bot", "rating>", "95% interval>", "over the next>", "95% interval>"),
            [[standings.labels[one.bot], *_rating_cells(one)] for one in standings.overall],
        )
        print()
    for failure in standings.failures:
        where = f"first on {failure.edition} with seed {failure.seed}, action {failure.action}"
        print(
            f"{standings.labels.get(failure.bot, failure.bot)} failed {many(failure.count, 'time')} "
            f"in {many(failure.games, 'game')} ({failure.reason}), {where}: {failure.detail}"
        )
    print(f"{standings.games:,} games; ratings are Elo, intervals 95% by a bootstrap over seeds")


def _print_cell(standing: CellStanding, labels: dict[str, str]) -> None:
    cell = standing.cell
    heading(
        f"{cell.edition}, {cell.players} players: {standing.games:,} games, {many(standing.blocks, 'seed')}, "
        f"{standing.anchor} = 0"
    )
    table(
        ("bot", "rating>", "95% interval>", "over the next>", "95% interval>", "games>", "wins>", "points>"),
        [
            [
                bot.label,
                *_rating_cells(bot.rating),
                f"{bot.games:,}",
                f"{bot.wins.rate:.1%}",
                f"{bot.statistics.points.mean:.1f}",
            ]
            for bot in standing.bots
        ],
    )
    table(
        ("bot", "against", "wins>", "95% interval>", "even>", "points>"),
        [_line_up_cells(one, labels) for one in alone_or_first(standing)],
    )


def _rating_cells(rating: Rating) -> list[str]:
    """A rating with its interval, and how much it is above the next one with that interval."""
    lead = ["", ""]
    if rating.lead:
        ahead, low, high = rating.lead
        lead = [f"+{elo_text(ahead)}", f"{elo_text(low)} to {elo_text(high)}"]
    return [elo_text(rating.elo), interval_text(rating), *lead]


def alone_or_first(standing: CellStanding) -> list[LineUpStanding]:
    """Line-ups from the side of the bot that is alone against others, of two the stronger; the strongest bots first."""
    order = {bot.bot: number for number, bot in enumerate(standing.bots)}
    return [
        one
        for one in standing.line_ups
        if one.bot not in one.others and (len(one.others) > 1 or order[one.bot] < order[one.others[0]])
    ]


def _line_up_cells(one: LineUpStanding, labels: dict[str, str]) -> list[str]:
    return [
        labels[one.bot],
        one.others_text(labels),
        f"{one.wins.rate:.1%}",
        rate_interval(one.wins),
        f"{one.even:.0%}",
        f"{one.points:.1f}",
    ]


def elo_text(elo: float | None) -> str:
    """A rating as a whole number with a true minus."""
    return "–" if elo is None else whole(elo)


def interval_text(rating: Rating) -> str:
    """The ends of a rating's interval."""
    if rating.low is None or rating.high is None or rating.low == rating.high:
        return ""
    return f"{elo_text(rating.low)} to {elo_text(rating.high)}"


def rate_interval(wins: WinRate) -> str:
    """The ends of a win rate's interval."""
    return f"{wins.low:.1%} to {wins.high:.1%}"


def test_text(test: SequentialState, bot: str) -> str:
    """What a sequential test says, in words."""
    verdicts = {
        "better": f"{bot} is stronger: the higher of the two differences fits",
        "worse": f"{bot} is not: the lower of the two differences fits",
        "open": "more games are needed",
    }
    numbers = f"log-likelihood ratio {test.ratio:.2f} between {test.low:.2f} and {test.high:.2f}"
    return f"sequential test after {many(test.blocks, 'seed')}: {verdicts[test.verdict]} ({numbers})"


def _test_json(test: SequentialState) -> dict[str, object]:
    return {
        "verdict": test.verdict,
        "seeds": test.blocks,
        "ratio": round(test.ratio, 4),
        "low": round(test.low, 4),
        "high": round(test.high, 4),
    }


# --- Markdown --------------------------------------------------------------------------------------------------------
def markdown(standings: Standings) -> str:
    """Ratings by edition and number of players, and every line-up, as Markdown for a page."""
    anchors = dict.fromkeys(cell.anchor for cell in standings.cells)
    lines = [
        f"Ratings in Elo, {' or '.join(f'`{anchor}`' for anchor in anchors)} = 0, with 95% intervals; "
        f"{standings.games:,} games ({provenance()}):",
        "",
        *_rating_lines(standings),
        "",
        "| edition | players | bot | against | wins | 95% interval | even | points |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for cell in standings.cells:
        for one in alone_or_first(cell):
            bot, others, *numbers = _line_up_cells(one, standings.labels)
            cells = [cell.cell.edition, str(cell.cell.players), f"`{bot}`", f"`{others}`", *numbers]
            lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _rating_lines(standings: Standings) -> list[str]:
    cells = [
        (f"{one.cell.edition}, {one.cell.players}", {bot.bot: bot.rating for bot in one.bots})
        for one in standings.cells
    ]
    if standings.overall:
        cells.append(("all", {rating.bot: rating for rating in standings.overall}))
    order = list(cells[-1][1])
    lines = [f"| bot | {' | '.join(name for name, _ in cells)} |", "|---" * (len(cells) + 1) + "|"]
    for bot in order:
        texts = [rating_text(ratings.get(bot)) for _, ratings in cells]
        lines.append(f"| `{standings.labels[bot]}` | {' | '.join(texts)} |")
    return lines


def rating_text(rating: Rating | None) -> str:
    """A rating with its interval; nothing where there is none."""
    if rating is None or rating.elo is None:
        return ""
    interval = interval_text(rating)
    return f"{elo_text(rating.elo)} ({interval})" if interval else elo_text(rating.elo)


def provenance() -> str:
    """Date, machine and command: what numbers in docs must say."""
    date = datetime.now(UTC).date().isoformat()
    program = Path(sys.argv[0]).stem.replace("__main__", "whistlestop")
    return f"{date}, {processor()}, Python {platform.python_version()}; `{program} {shlex.join(sys.argv[1:])}`"


def processor() -> str:
    """What this machine computes with."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
    return model or platform.processor() or platform.machine()
