"""Worker processes: what bots do to them is named in the game, and costs no other game."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from support.positions import tiny
from support.tournaments import FAILING, small
from whistlestop import simulate
from whistlestop.arena.matches import Match, PlayedMatch, play_match
from whistlestop.arena.worker_pool import WorkerPool
from whistlestop.arena.worker_process import IDLE, Mark, MarkFile
from whistlestop.bots.referee import Failure
from whistlestop.engine.jit import CACHE
from whistlestop.mapfile import digest

PATIENCE = 3.0


def played(bots: str, seeds: int = 1, jobs: int = 2) -> dict[tuple[tuple[str, ...], int], PlayedMatch]:
    """A round robin on the tiny board, by seating and seed."""
    schedule = small(bots, seeds=seeds)
    pool = WorkerPool(schedule.by_digest, jobs, PATIENCE)
    found = [one for part in pool.play(schedule.matches()) for one in part]
    assert len(found) == len(schedule)
    return {(one.match.seating, one.match.seed): one for one in found}


@pytest.mark.parametrize(
    ("name", "others", "reason", "detail"),
    [
        ("Exits", "random,casual", "exit", "it ended its process with exit code 3"),
        ("Loops", "random", "overrun", "no answer within 3 s; its process was ended"),
        ("HoldsGil", "random", "overrun", "no answer within 3 s; its process was ended"),
    ],
)
def test_a_bot_that_ends_or_blocks_its_process_is_named_once(name: str, others: str, reason: str, detail: str) -> None:
    bad = f"{FAILING}:{name}"
    games = played(f"{bad},{others}")
    for (seating, _), one in games.items():
        if bad not in seating:
            assert one.failures == ()
            continue
        (failure,) = one.failures
        assert (failure.seat, failure.reason, failure.detail) == (seating.index(bad), reason, detail)
        assert failure.action in (1, 2), "the first time that it is asked"
        assert one.rows["won"].any(), "the game was played to its end"


def test_a_bot_that_raises_cheats_or_babbles_stays_in_its_process() -> None:
    games = played(f"{FAILING}:Raises,{FAILING}:Cheats,{FAILING}:Babbles", jobs=1)
    assert {failure.reason for one in games.values() for failure in one.failures} == {"error", "illegal"}
    for one in games.values():
        assert {failure.seat for failure in one.failures} == {0, 1}
        assert one.rows["failures"].sum() == len(one.failures)


def test_an_answer_after_the_limit_is_named(tmp_path: Path) -> None:
    file = tmp_path / "slow.py"
    file.write_text(
        "import time\n"
        "class Slow:\n"
        "    asked = 0\n"
        "    def act(self, view, limit):\n"
        "        self.asked += 1\n"
        "        time.sleep(limit.seconds + 0.4 if self.asked == 2 else 0)\n"
        "        return view.legal()[0]\n"
    )
    games = played(f"{file}:Slow:100ms,random", jobs=1)
    for (seating, _), one in games.items():
        (failure,) = one.failures
        assert failure.reason == "overrun"
        assert failure.seat == (0 if "Slow" in seating[0] else 1)
        assert "instead of 0.1 s" in failure.detail


def test_a_bot_whose_file_ends_the_process_when_it_is_made(tmp_path: Path) -> None:
    file = tmp_path / "born_dead.py"
    file.write_text(
        "import os\n"
        "class Stillborn:\n"
        "    def __init__(self):\n"
        "        os._exit(7)\n"
        "    def act(self, view, limit):\n"
        "        return view.legal()[0]\n"
    )
    games = played(f"{file}:Stillborn,random", jobs=1)
    assert {failure.detail for one in games.values() for failure in one.failures} == {
        "it ended its process with exit code 7"
    }


def children(parent: int) -> list[int]:
    """Processes that a process started."""
    found = []
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                stat = (folder / "stat").read_text()
            except OSError:  # it ended meanwhile
                continue
            if int(stat.rpartition(")")[2].split()[1]) == parent and "worker_process" in command(folder):
                found.append(int(folder.name))
    return found


def command(folder: Path) -> str:
    try:
        return (folder / "cmdline").read_text()
    except OSError:
        return ""


def test_a_worker_that_somebody_kills_is_replaced_and_no_bot_is_blamed() -> None:
    schedule = small("casual,random", seeds=150)
    key = digest(tiny())

    def killing(matches: Iterator[Match]) -> Iterator[Match]:
        for number, match in enumerate(matches):
            if number in (40, 120):
                os.kill(children(os.getpid())[0], signal.SIGKILL)
            yield match

    pool = WorkerPool(schedule.by_digest, 2)
    found = [one for part in pool.play(killing(schedule.matches())) for one in part]
    assert sorted((one.match.seating, one.match.seed) for one in found) == sorted(
        (match.seating, match.seed) for match in schedule.matches()
    )
    assert all(one.failures == () for one in found)
    for one in found[::50]:
        assert one.rows.tolist() == play_match(one.match, schedule.by_digest[key]).rows.tolist()


def test_closing_ends_all_processes() -> None:
    schedule = small("casual,random", seeds=5000)
    began = time.monotonic()
    with closing(WorkerPool(schedule.by_digest, 2).play(schedule.matches())) as parts:
        next(parts)
        assert children(os.getpid())
    assert children(os.getpid()) == []
    assert time.monotonic() - began < 60


def test_a_pool_that_keeps_its_processes_plays_again_in_them() -> None:
    schedule = small("casual,random")
    pool = WorkerPool(schedule.by_digest, 1, keep=True)
    processes = []
    for _ in range(2):
        assert sum(len(part) for part in pool.play(schedule.matches())) == len(schedule)
        processes.append(children(os.getpid()))
    assert len(processes[0]) == 1
    assert processes[0] == processes[1]
    pool.close()
    assert children(os.getpid()) == []


def test_workers_load_what_is_compiled() -> None:
    assert CACHE is not None

    def compiled() -> set[tuple[str, int]]:
        return {(file.name, file.stat().st_mtime_ns) for file in CACHE.rglob("*.nb*")}

    before = compiled()
    assert before
    played("random,casual")
    assert compiled() == before


def test_a_mark_that_is_being_written_is_not_read(tmp_path: Path) -> None:
    """A reader that saw half of it once took a bot for one that had been thinking since the machine was started."""
    path = tmp_path / "mark"
    writer, reader = MarkFile(path), MarkFile(path)
    assert reader.read() == IDLE
    mark = Mark(12.5, 0.5, 3, 7, 1)
    writer.write(mark)
    assert reader.read() == mark
    whole = path.read_bytes()
    writer.write(mark._replace(seat=0))
    for written in range(8, len(whole) + 1, 8):
        path.write_bytes(bytes(written) + whole[written:])
        assert reader.read() == IDLE


# --- simulate --------------------------------------------------------------------------------------------------------
def test_simulated_rows_are_the_same_on_any_number_of_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = simulate(tiny(), ["casual", "random", "casual"], games=40, seed=3, jobs=1)
    monkeypatch.setattr("whistlestop.arena.simulation.ALONE_FOR", 0.0)
    told: list[int] = []
    together = simulate(tiny(), ["casual", "random", "casual"], games=40, seed=3, jobs=2, progress=told.append)
    assert alone.tolist() == together.tolist()
    assert told == list(range(1, 41))


def test_a_simulated_bot_cannot_end_the_program() -> None:
    failures: list[tuple[int, Failure]] = []
    rows = simulate(tiny(), [f"{FAILING}:Exits", "random"], games=2, seed=1, failures=failures, jobs=1)
    assert [game for game, _ in failures] == [0, 1]
    assert all(failure.reason == "exit" for _, failure in failures)
    assert rows["won"].sum() >= 2
