"""Bots play in processes of their own: whatever one does, its table goes on, and other tables notice nothing."""

from __future__ import annotations

import json
import logging
import os
import pickle
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import httpx
import pytest

from support import failing_bots
from support.clients import Client, ServerProcess, ServerThread, chosen, open_table, people, wait_until
from whistlestop import bots
from whistlestop.game import Game
from whistlestop.server import bot_process
from whistlestop.server.bot_process import LENGTH, BotRequest

SECONDS = 1.0
"""That bots may think here."""


def install(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a package in a folder that adds the bots, and put it on the path of this process and of those it starts."""
    info = folder / "failing_bots-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: failing-bots\nVersion: 1.0\n")
    classes = {kind.__name__.lower(): kind.__name__ for kind in failing_bots.Failing.__subclasses__()}
    lines = [f"{name} = support.failing_bots:{kind}" for name, kind in classes.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{bots.GROUP}]", *lines]))
    paths = (str(folder), str(Path(failing_bots.__file__).parents[1]))
    patch.syspath_prepend(str(folder))
    patch.setenv("PYTHONPATH", os.pathsep.join(paths))
    bots._registered.cache_clear()


@pytest.fixture(scope="module")
def patch() -> Iterator[pytest.MonkeyPatch]:
    with pytest.MonkeyPatch.context() as found:
        yield found
    bots._registered.cache_clear()


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory, patch: pytest.MonkeyPatch) -> Iterator[ServerThread]:
    """A server on which failing bots can be seated, and where bots have little time."""
    install(tmp_path_factory.mktemp("package"), patch)
    with ServerThread(tmp_path_factory.mktemp("strict"), bot_seconds=SECONDS) as running:
        yield running


def failures(server: ServerThread) -> dict[str, float]:
    """How many failures the metrics count, by reason."""
    lines = httpx.get(f"{server.url}/metrics", trust_env=False).text.splitlines()
    found = [line.split('"') for line in lines if line.startswith("whistlestop_bot_failures_total{")]
    return {parts[1]: float(parts[2].split()[-1]) for parts in found}


@pytest.mark.parametrize(("name", "reason"), failing_bots.REASONS.items())
def test_a_game_with_a_failing_bot_ends(
    strict: ServerThread, caplog: pytest.LogCaptureFixture, name: str, reason: str
) -> None:
    before = failures(strict)
    with caplog.at_level(logging.INFO, "whistlestop.server"):
        client = open_table(strict.url, "usa", name, "casual")
        wait_until(lambda: client.data()["status"] == "over")
    told = [
        record.facts  # type: ignore[attr-defined]
        for record in caplog.records
        if record.getMessage() == "bot failed" and (record.facts["table"], record.facts["bot"]) == (client.table, name)  # type: ignore[attr-defined]
    ]
    assert [(facts["seat"], facts["reason"]) for facts in told] == [(0, reason)] * 3
    assert told[-1]["replaced_by"] == "random", "after three failures in a row the fallback plays on"
    if reason == "overrun":
        assert all(facts["seconds"] >= SECONDS for facts in told)
    assert failures(strict)[reason] >= before[reason] + 3
    assert client.ask("GET", "/end").json()["n"] > 20


def act_for_a_while(pair: list[Client], seconds: float) -> list[float]:
    """Let two people act; how long each action took."""
    rng, took, end = Random(5), list[float](), time.monotonic() + seconds
    while time.monotonic() < end:
        for client in pair:
            frame = client.view()
            if frame["options"]:
                began = time.perf_counter()
                client.act(frame["n"], chosen(frame, rng, "draw_blind"))
                took.append(time.perf_counter() - began)
    return took


def test_other_tables_notice_nothing(strict: ServerThread) -> None:
    """Bots that never answer hold both processes up, while people act; other bots go on as well."""
    pair = people(strict.url, "usa", 2)
    act_for_a_while(pair, 0.5)
    for name in ("loops", "holdsgil"):
        open_table(strict.url, "usa", name, "random")
    took = act_for_a_while(pair, 3)
    assert len(took) > 10
    assert statistics.median(took) < SECONDS / 2
    other = open_table(strict.url, "usa", "casual", "casual")
    wait_until(lambda: other.data()["n"] > 10)


def test_a_bot_keeps_its_memory_while_its_process_lives(tmp_path: Path, strict: ServerThread) -> None:
    """With other bots beside it, which wait for the same processes; `strict` has installed the bots."""
    assert strict
    with ServerThread(tmp_path) as server:
        clients = [
            open_table(server.url, "usa", "casual", "remembers"),
            open_table(server.url, "usa", "casual", "casual"),
        ]
        for client in clients:
            wait_until(lambda client=client: client.data()["status"] == "over")  # type: ignore[misc]
        assert sum(failures(server).values()) == 0


def test_a_server_stops_at_once_while_bots_think(strict: ServerThread, tmp_path: Path) -> None:
    assert strict
    with ServerThread(tmp_path) as server:
        open_table(server.url, "usa", "loops", "casual")
        wait_until(lambda: server.hall.bots._workers and not server.hall.bots._workers[0].idle)
        pids = [worker._process.pid for worker in server.hall.bots._workers]
        began = time.monotonic()
        server.stop()
        assert time.monotonic() - began < 5
    assert pids
    assert not any(is_running(pid) for pid in pids)


def is_running(pid: int) -> bool:
    """Whether there is a process that has not ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def children(pid: int) -> list[int]:
    """Processes that a process has started."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
        except (FileNotFoundError, ProcessLookupError):
            continue
        if parent == pid:
            found.append(int(stat.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_no_process_survives_a_server_that_is_killed(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        client = open_table(server.url, "usa", "casual", "casual")
        wait_until(lambda: client.data()["n"] > 5)
        workers = children(server.process.pid)
        assert workers
        server.kill()
        wait_until(lambda: not any(is_running(pid) for pid in workers), 20)


def answer_of(process: subprocess.Popen[bytes]) -> object:
    """The next message of a process."""
    assert process.stdout
    return json.loads(process.stdout.read(LENGTH.unpack(process.stdout.read(LENGTH.size))[0]))


def test_a_bot_that_loops_does_not_outlive_the_server(strict: ServerThread) -> None:
    """Nobody kills the process here: it ends by itself."""
    assert strict
    view = Game("usa", 2, 1).view(0)
    request = BotRequest("holdsgil", 1, 0.1, pickle.dumps(view.edition), view.states.tobytes(), view.player, view.names)
    data = pickle.dumps(tuple(request))
    process = subprocess.Popen(
        [sys.executable, "-m", "whistlestop.server.bot_process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with process:
        assert process.stdin
        assert answer_of(process) == {"ready": process.pid}
        process.stdin.write(LENGTH.pack(len(data)) + data)
        process.stdin.close()
        assert answer_of(process) == {"made": "holdsgil"}
        began = time.monotonic()
        assert process.wait(60) != 0
        assert time.monotonic() - began < bot_process.ORPHANED + 5
