"""`whistlestop dataset`: writes games of bots for learners, with a bar, and goes on where it was stopped."""

from __future__ import annotations

import time
from collections.abc import Sequence

from whistlestop.cli.arena_command import ready_bots
from whistlestop.cli.inputs import edition_of, resolve_players
from whistlestop.cli.simulate import MAX_GAMES
from whistlestop.cli.standings_text import errors_told
from whistlestop.cli.terminal import fail, progress, ready_engine, say
from whistlestop.spelling import many


def make_dataset(
    edition: str,
    bots: str,
    players: int | None,
    games: int,
    seed: int,
    out: str,
    full: bool,
    packs: Sequence[str],
    jobs: int | None,
) -> None:
    """Play and write what is not in the folder yet."""
    if not 1 <= games <= MAX_GAMES:
        fail(f"--games must be between 1 and {MAX_GAMES:,}, not {games:,}", "for example --games 1000")
    if seed < 0:
        fail(f"--seed must be 0 or more, not {seed}", "for example --seed 1")
    if jobs is not None and jobs < 1:
        fail(f"--jobs must be 1 or more, not {jobs}", "leave it out for all cores")
    with errors_told():
        from whistlestop.envs.dataset import DatasetRequest, write_dataset

        chosen = edition_of(edition, packs)
        line_up = tuple(resolve_players(bots, players, chosen))
        ready_engine()
        ready_bots(line_up)
        first = seed * MAX_GAMES  # games of other seeds are other games
        wanted = DatasetRequest(chosen, line_up, games, first, small=not full)
        done, began = 0, time.perf_counter()
        with progress(f"Playing {chosen.name}", games) as show:

            def told(there: int) -> None:
                nonlocal done
                done = there
                show(there)

            try:
                written = write_dataset(wanted, out, jobs=jobs, progress=told)
            except KeyboardInterrupt:
                fail(f"stopped after {done:,} of {games:,} games", "the same command goes on", 130)
    seconds = time.perf_counter() - began
    rate = f", {written.decisions / seconds:,.0f} a second" if written.decisions else ""
    say(f"{out}: {many(written.games, 'game')}; {many(written.decisions, 'decision')} written{rate}")
    for game, failure in written.failures[:5]:
        say(f"game {game}: {line_up[failure.seat]} failed at action {failure.action}: {failure.detail}")
    if len(written.failures) > 5:
        say(f"and {many(len(written.failures) - 5, 'failure')} more")
