"""Matches on all cores: worker processes, batches for them, and what happens when one ends.

A bot cannot stop a tournament. One that ends its process or does not come back drops out of that game: the game is
played again to where it failed, `random` plays the rest for it, and the failure is part of the game.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path

from whistlestop.arena.matches import Dropout, Match, PlayedMatch
from whistlestop.arena.worker_process import IDLE, Mark, MarkFile
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition

Results = queue.Queue[list[PlayedMatch] | BaseException | None]
"""What the threads of a pool give: matches that are done, an error, or None at their end."""
PATIENCE = 60.0
"""Seconds after its limit, or at all without one, in which a bot must come back before its process is ended."""
BUSY_SECONDS = 0.5
"""About how long a worker is busy with one batch."""
LARGEST_BATCH = 256
_TICK = 0.2
"""Seconds between looks at bots that may be stuck."""
_LAST_SECONDS = 5.0
"""In which a process must end once its output has."""
_MOST_DEATHS = 4
"""Of workers on one match, in a row and for no reason of a bot's."""


def cores() -> int:
    """How many processes this program may keep busy."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


class _Worker:
    """One process; a thread of the pool talks with it."""

    def __init__(self, editions: Mapping[str, Edition], patience: float, folder: Path) -> None:
        self._patience = patience
        self.stuck = False
        """Whether it was ended because a bot did not come back."""
        self._seen = IDLE
        """What it did at the last look."""
        path = Path(tempfile.mkdtemp(dir=folder)) / "mark"
        self._marks = MarkFile(path)
        command = [sys.executable, "-m", "whistlestop.arena.worker_process", str(path)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._send((dict(editions), patience))

    def play(self, batch: list[Match]) -> Iterator[list[PlayedMatch]]:
        """The matches of a batch as they are done; ends early if the process does."""
        self._send(batch)
        missing = len(batch)
        assert self._process.stdout is not None
        while missing:
            try:
                done: list[PlayedMatch] = pickle.load(self._process.stdout)
            except (EOFError, OSError, pickle.UnpicklingError):  # it ended, perhaps within a message
                return
            missing -= len(done)
            yield done

    def _send(self, message: object) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError):  # it ended: `play` finds no answer
            pickle.dump(message, self._process.stdin, pickle.HIGHEST_PROTOCOL)
            self._process.stdin.flush()

    def end_if_stuck(self) -> None:
        """Kill the process if its bot has not come back in time."""
        mark, before = self._marks.read(), self._seen
        self._seen = mark
        late = mark.seat >= 0 and time.monotonic() - mark.since > mark.seconds + self._patience
        if late and mark == before and self._process.poll() is None:  # two looks: nothing was being written
            self.stuck = True
            self._process.kill()

    def end(self) -> tuple[int, Mark]:
        """Its exit code and what it was doing, once its output has ended; a process that goes on is killed."""
        try:
            code = self._process.wait(_LAST_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        mark = self._marks.read()
        self._marks.close()
        return code, mark

    def kill(self) -> None:
        """End the process at once; its thread notices."""
        self._process.kill()


class WorkerPool:
    """Plays matches in processes of its own, each on one core.

    The processes end with the matches; with `keep` they wait for those of the next call, until `close`.
    """

    def __init__(
        self,
        editions: Mapping[str, Edition],
        jobs: int | None = None,
        patience: float = PATIENCE,
        keep: bool = False,
    ) -> None:
        self._editions, self._patience, self.jobs, self._keep = editions, patience, jobs or cores(), keep
        self._lock = threading.Lock()
        self._workers: dict[int, _Worker] = {}
        self._matches: Iterator[Match] = iter(())
        self._pace: float | None = None
        """Seconds that a match takes, about."""
        self._stopped = False
        self._suspects: set[tuple[Match, int, int]] = set()
        """Bots that were thinking when a signal ended their process."""

    def play(self, matches: Iterable[Match]) -> Generator[list[PlayedMatch], None, None]:
        """The matches as they are done, in any order; each of them once. Closing the iterator ends the processes."""
        self._matches, self._stopped = iter(matches), False
        if (first := next(self._matches, None)) is None:
            return
        self._matches = chain([first], self._matches)
        results: Results = queue.Queue()
        with tempfile.TemporaryDirectory(prefix="whistlestop-", ignore_cleanup_errors=True) as folder:
            threads = [
                threading.Thread(target=self._drive, args=(number, Path(folder), results), daemon=True)
                for number in range(self.jobs)
            ]
            for thread in threads:
                thread.start()
            finished = False
            try:
                yield from self._collect(results, len(threads))
                finished = True
            finally:
                if not (finished and self._keep):
                    self._stop()
                for thread in threads:
                    thread.join()

    def close(self) -> None:
        """End all processes."""
        self._stop()
        while self._workers:
            _, worker = self._workers.popitem()
            worker.end()

    def _collect(self, results: Results, running: int) -> Iterator[list[PlayedMatch]]:
        while running:
            try:
                found = results.get(timeout=_TICK)
            except queue.Empty:
                found = []
            for worker in list(self._workers.values()):
                worker.end_if_stuck()
            if found is None:
                running -= 1
            elif isinstance(found, BaseException):
                raise found
            elif found:
                yield found

    def _stop(self) -> None:
        with self._lock:
            self._stopped = True
            workers = list(self._workers.values())
        for worker in workers:
            worker.kill()

    # --- one thread for each process -----------------------------------------------------------------------------
    def _drive(self, number: int, folder: Path, results: Results) -> None:
        """Keep one process busy until no match is left."""
        try:
            while batch := self._next_batch():
                self._finish_batch(number, folder, batch, results)
        except BaseException as error:
            results.put(error)
        finally:
            if self._stopped or not self._keep:
                with self._lock:
                    worker = self._workers.pop(number, None)
                if worker is not None:
                    worker.kill()
                    worker.end()
            results.put(None)

    def _finish_batch(self, number: int, folder: Path, batch: list[Match], results: Results) -> None:
        """Play a batch to its end, in as many processes as it takes."""
        deaths = 0
        while batch and not self._stopped:
            if number not in self._workers:
                self._start(number, _Worker(self._editions, self._patience, folder))
            left = self._play(number, batch, results)
            deaths = deaths + 1 if left == batch else 0
            if deaths >= _MOST_DEATHS:
                raise WhistlestopError(
                    f"worker processes end again and again before they have played seed {batch[0].seed}",
                    "what they printed says why; with too little memory, fewer jobs help",
                )
            batch = left

    def _start(self, number: int, worker: _Worker) -> None:
        with self._lock:
            self._workers[number] = worker
            if self._stopped:
                worker.kill()

    def _next_batch(self) -> list[Match]:
        with self._lock:
            if self._stopped:
                return []
            size = 1 if self._pace is None else int(BUSY_SECONDS / max(self._pace, 1e-9))
            return list(islice(self._matches, max(1, min(size, LARGEST_BATCH))))

    def _play(self, number: int, batch: list[Match], results: Results) -> list[Match]:
        """Play a batch; what is left of it if the process ended."""
        done = 0
        for part in self._workers[number].play(batch):
            results.put(part)
            done += len(part)
            for played in part:
                self._pace = played.seconds if self._pace is None else 0.9 * self._pace + 0.1 * played.seconds
        if done == len(batch) or self._stopped:
            return []
        with self._lock:
            worker = self._workers.pop(number)
        code, mark = worker.end()
        again = list(batch)
        if 0 <= mark.match < len(again) and mark.seat >= 0:
            again[mark.match] = self._after(batch[mark.match], code, mark, worker.stuck)
        return again[done:]

    def _after(self, match: Match, code: int, mark: Mark, stuck: bool) -> Match:
        """The match to play again after a bot was thinking when its process ended: without that bot from there on.

        A signal may have come from elsewhere, as from a system without memory, so the first one is nobody's fault.
        """
        suspect = (match, mark.seat, mark.turn)
        if code < 0 and not stuck and suspect not in self._suspects:
            self._suspects.add(suspect)
            return match
        if stuck:
            reason, detail = "overrun", f"no answer within {mark.seconds + self._patience:g} s; its process was ended"
        elif code < 0:
            reason, detail = "exit", f"its process was ended by signal {-code}, twice"
        else:
            reason, detail = "exit", f"it ended its process with exit code {code}"
        return replace(match, dropouts=(*match.dropouts, Dropout(mark.seat, mark.turn, reason, detail)))
