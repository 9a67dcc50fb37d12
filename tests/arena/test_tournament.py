"""Tournaments: nothing lost, nothing twice, the same whatever the cores, also after kill -9; and the early stop."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.positions import TINY, tiny
from support.tournaments import HerePlayers, small
from whistlestop.arena.game_store import GameStore
from whistlestop.arena.schedule import Schedule
from whistlestop.arena.sequential import BETTER, OPEN, SequentialTest
from whistlestop.arena.tournament import LiveStandings, run
from whistlestop.arena.worker_pool import WorkerPool
from whistlestop.errors import WhistlestopError

PROGRAM = str(Path(sys.executable).with_name("whistlestop"))


def lines(store: GameStore) -> list[tuple[object, ...]]:
    """Everything that is stored but times, in an order of its own."""
    names, found = store.results()
    kept = [n for n, name in enumerate(names) if name not in ("game", "seconds", "played")]
    return sorted((tuple(line[n] for n in kept) for line in found), key=repr)


def test_a_tournament_goes_on_where_it_stopped(tmp_path: Path) -> None:
    schedule = small(seeds=6)
    players = HerePlayers(schedule)
    store = GameStore(tmp_path / "arena.sqlite")

    def stop(live: LiveStandings) -> None:
        if live.games >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(schedule, store, players, progress=stop)
    assert players.played == 5
    again = HerePlayers(schedule)
    live = run(schedule, GameStore(tmp_path / "arena.sqlite"), again)
    assert (again.played, live.games, live.total) == (7, 12, 12)
    whole = GameStore()
    run(schedule, whole, HerePlayers(schedule))
    assert lines(store) == lines(whole)
    assert live.wins.tolist() == run(schedule, store, again).wins.tolist()
    assert again.played == 7, "nothing is left to play"


def test_a_tournament_can_be_added_to() -> None:
    store = GameStore()
    for schedule, played in ((small(), 8), (small(seeds=6), 4), (small("random,casual,casual:3steps", seeds=6), 24)):
        players = HerePlayers(schedule)
        run(schedule, store, players)
        assert players.played == played


def test_the_rows_are_the_same_on_any_number_of_cores() -> None:
    schedule = small("random,casual,casual:3steps", 3, seeds=3)
    stores = []
    for players in (HerePlayers(schedule), WorkerPool(schedule.by_digest, 1), WorkerPool(schedule.by_digest, 3)):
        store = GameStore()
        run(schedule, store, players)
        stores.append(lines(store))
    assert len(stores[0]) == len(schedule) * 3
    assert stores[0] == stores[1] == stores[2]


def test_a_killed_arena_loses_nothing_and_counts_nothing_twice(tmp_path: Path) -> None:
    """kill -9 of the real program in the middle, twice, then the same command again."""
    board, out = tmp_path / "tiny.toml", tmp_path / "arena.sqlite"
    board.write_text(TINY, encoding="utf-8")
    command = [PROGRAM, "arena", "--bots", "random,casual", "--editions", str(board), "--seeds", "150", "--jobs", "2"]
    command += ["--out", str(out), "--json"]
    counts = [0]
    for _ in range(2):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and (not out.exists() or stored(out) < counts[-1] + 20):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        counts.append(stored(out))
    assert counts[0] < counts[1] < counts[2], "each run added games before it was killed"
    assert counts[-1] < 300, "it was killed on the way"
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["games"] == 300
    schedule = Schedule((tiny(),), (("random", "casual"),), range(1, 151))
    whole = GameStore()
    run(schedule, whole, HerePlayers(schedule, at_a_time=50))
    assert lines(GameStore(out)) == lines(whole)


def stored(path: Path) -> int:
    """How many games a file has, as another program sees it while they are played."""
    try:
        return len(GameStore(path, read_only=True).shares())
    except WhistlestopError:  # it has not been set up yet
        return 0


# --- the early stop --------------------------------------------------------------------------------------------------
def test_a_decided_test_stops_the_tournament() -> None:
    schedule = small("casual,random", seeds=200)
    players = HerePlayers(schedule)
    live = run(schedule, GameStore(), players, SequentialTest(0, 60))
    assert live.test is not None
    assert live.test.verdict == BETTER
    assert players.played < 200
    assert live.games == players.played


def test_the_verdict_is_the_same_in_whatever_order_games_end() -> None:
    schedule = small("casual,random", seeds=60)
    test = SequentialTest(0, 60)
    first = run(schedule, GameStore(), HerePlayers(schedule), test).test
    store = GameStore()
    backwards = run(schedule, store, HerePlayers(schedule, backwards=True), test).test
    assert first == backwards
    assert first is not None
    assert first.verdict != OPEN
    players = HerePlayers(schedule)
    assert run(schedule, store, players, test).test == first
    assert players.played == 0


def test_a_test_needs_one_bot_to_compare() -> None:
    schedule = small("casual,random,casual:2steps")
    with pytest.raises(WhistlestopError, match="a sequential test compares one bot with others"):
        run(schedule, GameStore(), HerePlayers(schedule), SequentialTest(0, 20))
    line_up = Schedule((tiny(),), (("casual", "random", "casual:2steps"),), range(12))
    assert run(line_up, GameStore(), HerePlayers(line_up), SequentialTest(0, 400)).test is not None
