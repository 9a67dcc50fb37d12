"""`whistlestop playtest`: lets bots play boards and writes what came of it as a page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whistlestop.cli.inputs import check_players, edition_of, player_counts
from whistlestop.cli.show import open_file
from whistlestop.cli.standings_text import errors_told, provenance
from whistlestop.cli.terminal import fail, heading, print_json, progress, ready_engine, say, table

if TYPE_CHECKING:
    from whistlestop.arena.playtest.measures import Playtest
    from whistlestop.mapfile import Edition

MOST_GAMES = 100_000
"""With each number of players: what is noted of every game is kept in memory."""


@dataclass(frozen=True)
class AskPlaytest:
    """What somebody typed after `whistlestop playtest`."""

    boards: tuple[str, ...]
    games: int
    players: str | None
    bots: str
    seed: int
    out: str | None
    jobs: int | None
    open_it: bool
    json: bool


def play_boards(ask: AskPlaytest) -> None:
    """Play one board or two, print what stands out and write the page."""
    target = _checked(ask)
    editions = [edition_of(name) for name in ask.boards]
    counts = None if ask.players is None else player_counts(ask.players)
    for edition in editions:
        for count in counts or ():
            check_players(count, edition)
    with errors_told():
        from whistlestop.arena.playtest.traced_play import are_kernels_ready, bots_of, make_kernels_ready

        bots = tuple(part.strip() for part in ask.bots.split(",") if part.strip())
        bots_of(bots)
        ready_engine()
        if not are_kernels_ready():
            say("Getting the playtest ready, once on this machine; this takes a minute or two")
            make_kernels_ready()
        found = [_played(edition, ask, counts, bots) for edition in editions]
        _tell(found, ask.json)
        if target is not None:
            _write(target, found, ask.open_it)


def _checked(ask: AskPlaytest) -> Path | None:
    """Where the page goes, once all options are sound; nowhere if only the numbers are wanted."""
    if len(ask.boards) > 2:
        fail(f"at most two boards stand side by side, not {len(ask.boards)}", "give one map or two")
    if not 1 <= ask.games <= MOST_GAMES:
        fail(f"--games must be between 1 and {MOST_GAMES:,}, not {ask.games:,}", "for example --games 1000")
    if ask.seed < 0:
        fail(f"--seed must be 0 or more, not {ask.seed}", "for example --seed 1")
    if ask.jobs is not None and ask.jobs < 1:
        fail(f"--jobs must be 1 or more, not {ask.jobs}", "leave it out for all cores")
    if ask.out is None and ask.json:
        return None
    target = Path(ask.out or f"playtest-{Path(ask.boards[0].partition('.toml')[0]).name}.html")
    if target.suffix.lower() not in (".html", ".htm"):
        fail(f"the page is HTML, which `{target}` does not say", "end the name in .html")
    if not target.parent.is_dir():
        fail(f"there is no folder `{target.parent}`", "make it first, or choose another place")
    return target


def _played(edition: Edition, ask: AskPlaytest, counts: list[int] | None, bots: tuple[str, ...]) -> Playtest:
    from whistlestop.arena.playtest.measures import playtest

    tables = len(set(counts)) if counts else edition.players[1] - edition.players[0] + 1
    with progress(f"Playing {edition.name}", ask.games * tables) as told:
        return playtest(edition, ask.games, counts, bots, ask.seed, ask.jobs, told)


def _tell(found: list[Playtest], as_json: bool) -> None:
    from whistlestop.arena.playtest.verdicts import verdicts

    if as_json:
        data = [one.json() | {"remarks": [f"{v.title}: {v.words}" for v in verdicts(one)]} for one in found]
        print_json(data[0] if len(data) == 1 else data)
        return
    for one in found:
        heading(f"{one.edition.name}: {one.all_games:,} games of {' and '.join(one.bots)}, seed {one.seed}")
        table(
            ("players>", "games>", "the first to move wins>", "points>", "turns each>", "tickets completed>"),
            [
                [
                    str(row.players),
                    f"{row.games:,}",
                    f"{row.wins[0].value or 0:.1%} ±{row.wins[0].half or 0:.1%}",
                    f"{row.points.value or 0:.1f}",
                    f"{row.turns.value or 0:.1f}",
                    f"{row.tickets_completed.value or 0:.2f}",
                ]
                for row in one.tables
            ],
        )
        print()
        for verdict in verdicts(one):
            print(f"- {verdict.title}: {verdict.words}")
        print()


def _write(target: Path, found: list[Playtest], open_it: bool) -> None:
    from whistlestop.arena.playtest.playtest_page import playtest_page

    target.write_text(playtest_page(found, provenance()), encoding="utf-8")
    say(f"{target}: the page, open it in a browser")
    if open_it:
        open_file(target)
