"""`whistlestop arena`: plays tournaments on all cores, with a bar and live standings."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from whistlestop.cli.inputs import check_players, edition_of, lineup_of, player_counts
from whistlestop.cli.standings_text import Wanted, elo_text, errors_told, give_standings, test_text
from whistlestop.cli.terminal import fail, ready_engine, say
from whistlestop.spelling import many

if TYPE_CHECKING:
    from whistlestop.arena.game_store import GameStore
    from whistlestop.arena.schedule import LineUp, Schedule
    from whistlestop.arena.sequential import SequentialTest
    from whistlestop.arena.tournament import LiveStandings, Players
    from whistlestop.mapfile import Edition

MAX_SEEDS = 1_000_000
REDRAWS = 4
"""Of the live standings, in a second."""


@dataclass(frozen=True)
class Ask:
    """What somebody typed after `whistlestop arena`."""

    bots: str | None
    line_up: str | None
    editions: str
    players: str | None
    seeds: int
    first_seed: int
    out: str | None
    jobs: int | None
    ray: str | None
    sprt: str | None
    packs: tuple[str, ...]


def play_arena(ask: Ask, wanted: Wanted) -> None:
    """Play what is asked for and not there yet; print and write the standings, also after Ctrl+C."""
    with errors_told():
        schedule = _schedule(ask)
        test = _test(ask.sprt)
        ready_engine()
        from whistlestop.arena.game_store import GameStore
        from whistlestop.arena.standings import labels_of

        store = GameStore(ask.out)
        ready_bots(text for line_up in schedule.line_ups for text in line_up)
        try:
            live, stopped = _play(schedule, store, ask, test)
            if live is None or not live.games:
                fail("stopped before the first game was done", "with --out FILE the same command goes on later", 130)
            label = labels_of(live.bots)[live.bots[0]]
            give_standings(store, wanted, None, live.test, label)
        finally:
            store.close()
        if stopped:
            hint = "the same command goes on" if ask.out else "with --out FILE the same command would go on"
            fail(f"stopped after {live.games:,} of {live.total:,} games", hint, 130)


# --- what is asked for -----------------------------------------------------------------------------------------------
def _schedule(ask: Ask) -> Schedule:
    from whistlestop.arena.schedule import Schedule

    if not 1 <= ask.seeds <= MAX_SEEDS:
        fail(f"--seeds must be between 1 and {MAX_SEEDS:,}, not {ask.seeds:,}", "for example --seeds 100")
    if ask.first_seed < 0:
        fail(f"--seed must be 0 or more, not {ask.first_seed}", "for example --seed 1")
    if ask.jobs is not None and ask.jobs < 1:
        fail(f"--jobs must be 1 or more, not {ask.jobs}", "leave it out for all cores")
    editions = tuple(edition_of(name.strip(), ask.packs) for name in ask.editions.split(","))
    line_ups = _line_ups(ask, editions)
    return Schedule(editions, line_ups, range(ask.first_seed, ask.first_seed + ask.seeds))


def _line_ups(ask: Ask, editions: tuple[Edition, ...]) -> tuple[LineUp, ...]:
    from whistlestop.arena.schedule import round_robin

    if (ask.bots is None) == (ask.line_up is None):
        fail(
            "say who plays: either --bots for a round robin, or --lineup for one line-up",
            "for example --bots random,casual",
        )
    if ask.line_up is not None:
        line_up = tuple(str(bot) for bot in lineup_of(ask.line_up))
        if ask.players is not None and ask.players != str(len(line_up)):
            fail(f"--lineup has {many(len(line_up), 'bot')}, but --players is {ask.players}", "leave out --players")
        numbers = [len(line_up)]
    else:
        line_up = ()
        numbers = player_counts(ask.players or "2")
    for edition in editions:
        for number in numbers:
            check_players(number, edition)
    if line_up:
        return (line_up,)
    bots = lineup_of(ask.bots or "")
    return tuple(one for number in numbers for one in round_robin(bots, number))


def _test(text: str | None) -> SequentialTest | None:
    from whistlestop.arena.sequential import SequentialTest

    if text is None:
        return None
    try:
        elo0, elo1 = (float(part) for part in text.split(","))
    except ValueError:
        fail(f"--sprt takes two rating differences by a comma, not `{text}`", "for example --sprt 0,20")
    return SequentialTest(elo0, elo1)


def ready_bots(texts: Iterable[str]) -> None:
    """Compile bots that have not been compiled on this machine: here, once, not in every process at the same time."""
    from whistlestop.arena.rehearsal import rehearse, unrehearsed

    for name in unrehearsed(texts):
        say(f"Getting {name} ready, once on this machine")
        rehearse(name)


# --- playing ---------------------------------------------------------------------------------------------------------
def _play(
    schedule: Schedule, store: GameStore, ask: Ask, test: SequentialTest | None
) -> tuple[LiveStandings | None, bool]:
    """Where it stands at the end, and whether somebody stopped it."""
    from whistlestop.arena.tournament import run

    last: LiveStandings | None = None
    with _display(schedule) as show:

        def progress(live: LiveStandings) -> None:
            nonlocal last
            last = live
            show(live)

        try:
            run(schedule, store, _players(schedule, ask), test, progress)
        except KeyboardInterrupt:
            return last, True
    return last, False


def _players(schedule: Schedule, ask: Ask) -> Players:
    if ask.ray is not None:
        from whistlestop.arena.ray_cluster import RayCluster

        return RayCluster(schedule.by_digest, ask.ray, ask.jobs)
    from whistlestop.arena.worker_pool import WorkerPool

    return WorkerPool(schedule.by_digest, ask.jobs)


# --- what is shown meanwhile -----------------------------------------------------------------------------------------
@contextmanager
def _display(schedule: Schedule) -> Iterator[Callable[[LiveStandings], None]]:
    """A bar and standings on stderr while a person waits; silent in pipes."""
    if not sys.stderr.isatty():
        yield lambda _live: None
        return
    from rich.console import Console, Group
    from rich.live import Live
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    bar = Progress(*columns)
    task = bar.add_task(f"Playing {schedule}", total=len(schedule))
    drawn = 0.0
    with Live(bar, console=Console(stderr=True), refresh_per_second=REDRAWS, transient=True) as screen:

        def show(live: LiveStandings) -> None:
            nonlocal drawn
            bar.update(task, completed=live.games)
            if time.monotonic() - drawn > 1 / REDRAWS:  # fitting and drawing take a core's time from the games
                drawn = time.monotonic()
                screen.update(Group(bar, _live_table(live)))

        yield show


def _live_table(live: LiveStandings) -> Any:
    from rich import box
    from rich.table import Table

    from whistlestop.arena.ratings import standing_elo
    from whistlestop.arena.standings import anchor_of, labels_of

    labels = labels_of(live.bots)
    anchor = anchor_of(live.bots)
    elo = standing_elo(live.wins, live.bots.index(anchor))
    caption = test_text(live.test, labels[live.bots[0]]) if live.test else None
    grid = Table(box=box.ROUNDED, border_style="dim", header_style="bold", caption=caption, caption_justify="left")
    for name, justify in (("bot", "left"), ("rating", "right"), ("seats", "right"), ("wins", "right")):
        grid.add_column(name, justify="right" if justify == "right" else "left")
    for number in sorted(range(len(live.bots)), key=lambda i: -(elo[i] or 0.0)):
        seats = live.seats[number]
        wins = f"{live.shares[number] / seats:.1%}" if seats else ""
        grid.add_row(labels[live.bots[number]], elo_text(elo[number]), f"{seats:,.0f}", wins)
    if live.failures:
        grid.add_row(f"{many(live.failures, 'failure')} of bots", "", "", "")
    return grid
