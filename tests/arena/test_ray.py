"""A tournament on a Ray cluster; needs the extra `ray`, without which this file is not collected (see conftest.py)."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import ray

from support.tournaments import FAILING, HerePlayers, small
from whistlestop.arena.game_store import GameStore
from whistlestop.arena.ray_cluster import LOCAL, RayCluster
from whistlestop.arena.tournament import LiveStandings, run

pytestmark = pytest.mark.timeout(600)  # a cluster takes its time to start


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    """A cluster of two workers on this machine."""
    ray.init(address=LOCAL, num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    yield
    ray.shutdown()


def lines(store: GameStore) -> list[tuple[object, ...]]:
    """Everything that is stored but times, in an order of its own."""
    names, found = store.results()
    kept = [n for n, name in enumerate(names) if name not in ("game", "seconds", "played")]
    return sorted((tuple(line[n] for n in kept) for line in found), key=repr)


def test_a_killed_worker_loses_no_game_and_counts_none_twice(tmp_path: Path) -> None:
    schedule = small("random,casual", seeds=150)
    players = RayCluster(schedule.by_digest, LOCAL)
    store = GameStore(tmp_path / "arena.sqlite")
    killed: list[int] = []

    def kill_one(live: LiveStandings) -> None:
        if live.games > 40 and not killed:
            assert len(players.workers) == 2
            killed.append(ray.get(players.workers[0].pid.remote()))
            os.kill(killed[0], signal.SIGKILL)

    live = run(schedule, store, players, progress=kill_one)
    assert len(killed) == 1
    assert (live.games, live.total) == (300, 300)
    whole = GameStore()
    run(schedule, whole, HerePlayers(schedule, at_a_time=50))
    assert lines(store) == lines(whole)


def test_a_bot_that_ends_its_process_is_named_there_too() -> None:
    schedule = small(f"random,{FAILING}:Exits", seeds=1)
    store = GameStore()
    run(schedule, store, RayCluster(schedule.by_digest, LOCAL))
    (failure,) = store.failures()
    assert (failure.reason, failure.games) == ("exit", 2)
