"""Games of a playtest: played by any bots on all cores, and traced."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

import whistlestop.arena.traces
import whistlestop.bots.planner
from whistlestop.arena.matches import SEEDS, Match, PlayedMatch, known_entrant
from whistlestop.arena.simulation import play_matches
from whistlestop.arena.traces.tracing import TRACE, traced_games
from whistlestop.bots.levels import level_entrants
from whistlestop.bots.planner.games import MOST_STEPS, planned_games
from whistlestop.bots.planner.mind import MIND
from whistlestop.bots.planner.parameters import parameters_for
from whistlestop.bots.readiness import MARKER
from whistlestop.engine.doors import scratch
from whistlestop.engine.jit import COMPILED, writable_cache
from whistlestop.engine.layout import MAX_PLAYERS, SHEET
from whistlestop.engine.tables import tables_of
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition, digest, load_edition

COMPILED_BOT = "planner"
"""The bot whose whole games are one compiled loop."""
PLANNED_PER_CALL = 50
"""Games in one call of compiled code: progress is told between calls."""
_KERNELS = (Path(whistlestop.arena.traces.__file__).parent, Path(whistlestop.bots.planner.__file__).parent)
Arrays = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class TracedGames:
    """All games with one number of players."""

    players: int
    sheets: npt.NDArray[np.int64]
    """Score sheets by game and player."""
    traces: Arrays
    """A TRACE for each game."""


def bots_of(texts: Sequence[str]) -> tuple[str, ...]:
    """Bots by the names of levels (`club`, `master`) or as any line-up writes them (`expert:500ms`)."""
    if not texts:
        raise WhistlestopError("a playtest needs at least one bot", "for example `club`")
    levels = level_entrants()
    return tuple(str(levels[text] if text in levels else known_entrant(text)) for text in texts)


def are_kernels_ready() -> bool:
    """Whether compiled games and traces were compiled on this machine before."""
    cache = writable_cache(*_KERNELS)
    return not COMPILED or (cache is not None and (cache / MARKER).exists())


def make_kernels_ready() -> None:
    """Play one game, so that everything is compiled or loaded, and remember that it is there."""
    cache = writable_cache(*_KERNELS)  # before compiling: sources may change meanwhile
    edition = load_edition("usa")
    play_traced(edition, edition.players[0], (COMPILED_BOT,), 1, 0, 1, lambda _done: None)
    if cache is not None:
        (cache / MARKER).touch()


def play_traced(
    edition: Edition,
    players: int,
    bots: Sequence[str],
    games: int,
    seed: int,
    jobs: int,
    progress: Callable[[int], None],
) -> TracedGames:
    """Play games; game n has the seed `seed + n`, and with several bots each sits on another seat in every game.

    The same arguments give the same games, as long as no bot has a limit in seconds. `progress` is called with the
    number of games done.
    """
    found = TracedGames(players, np.zeros((games, MAX_PLAYERS, SHEET), np.int64), np.zeros(games, TRACE))
    compiled = set(bots) == {COMPILED_BOT}
    filled = _planned(found, edition, seed, jobs) if compiled else _played(found, edition, bots, seed, jobs)
    for done in filled:
        progress(done)
    return TracedGames(players, found.sheets[:, :players], found.traces)


def _planned(found: TracedGames, edition: Edition, seed: int, jobs: int) -> Iterator[int]:
    """Play by the compiled loop, some games at a time on each core; gives the number of games done."""
    games, done = len(found.traces), 0
    tempers = parameters_for(edition, found.players)[np.newaxis]

    def play(start: int) -> int:
        n = min(PLANNED_PER_CALL, games - start)
        states, nets, borrowed = scratch()
        actions, steps = np.zeros((n, MOST_STEPS), np.int16), np.zeros(n, np.int64)
        sheets, first = found.sheets[start : start + n], np.uint64((seed + start) % SEEDS)
        room = (states, tables_of(edition), np.zeros(1, MIND), nets, found.players)
        planned_games(*room, first, tempers, sheets, steps, borrowed, actions)
        _trace(found, edition, start, [(seed + start + k) % SEEDS for k in range(n)], actions, steps)
        return n

    with ThreadPoolExecutor(jobs) as threads:  # compiled code holds no lock: threads do
        for n in threads.map(play, range(0, games, PLANNED_PER_CALL)):
            done += n
            yield done


def _played(found: TracedGames, edition: Edition, bots: Sequence[str], seed: int, jobs: int) -> Iterator[int]:
    """Play games between bots that are asked one action at a time; gives the number of games done."""
    key = digest(edition)
    matches = (
        Match(key, tuple(bots[(seat + n) % len(bots)] for seat in range(found.players)), (seed + n) % SEEDS)
        for n in range(len(found.traces))
    )
    for done, played in enumerate(play_matches(edition, matches, bots, jobs), 1):
        _trace_match(found, edition, (played.match.seed - seed) % SEEDS, played)
        yield done


def _trace_match(found: TracedGames, edition: Edition, number: int, played: PlayedMatch) -> None:
    actions = played.actions[np.newaxis]
    _trace(found, edition, number, [played.match.seed], actions, np.array([len(played.actions)], np.int64))


def _trace(
    found: TracedGames, edition: Edition, start: int, seeds: Sequence[int], actions: Arrays, steps: Arrays
) -> None:
    """Replay games and keep their traces and score sheets from `start` on."""
    states, nets, borrowed = scratch()
    part = slice(start, start + len(seeds))
    room = (states, tables_of(edition), nets, found.players, np.array(seeds, np.uint64))
    unfinished = traced_games(*room, actions, steps, found.sheets[part], borrowed, found.traces[part])
    if unfinished:
        raise WhistlestopError(
            f"{unfinished} of the games from seed {seeds[0]} on did not come to an end in {MOST_STEPS} actions",
            "the bots go round in circles on this board; `whistlestop check-map` may say why",
        )
