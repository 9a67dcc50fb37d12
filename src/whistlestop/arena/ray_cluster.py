"""Matches on a Ray cluster: the same batches as on this machine, for workers anywhere.

Every machine of the cluster needs this package, and the files of bots and maps at the same paths. A worker plays in a
process pool of its own, so a bot that fails is handled as everywhere; a worker that is lost has its batch played anew
by another one. Whoever collects the games stores each once.
"""

from __future__ import annotations

import os
import socket
from collections import deque
from collections.abc import Generator, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from whistlestop.arena.matches import Match, PlayedMatch
from whistlestop.arena.worker_pool import BUSY_SECONDS, LARGEST_BATCH, PATIENCE, WorkerPool
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Edition

# Under `uv run`, Ray would copy the working folder to its workers, where all kernels are compiled anew. It reads this
# when it is imported.
os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")

LOCAL = "local"
"""The address that starts a cluster on this machine."""
_CONNECT_SECONDS = 10.0
_LOSSES = 20
"""Workers that may be lost one after another without a game in between."""
_LONGER_BATCH = 10
"""A batch for a cluster is so many times one for a process: messages take longer."""


def check_reachable(address: str) -> None:
    """Refuse an address where nobody answers: Ray itself would try for minutes. It finds `auto` and `local` alone."""
    host, mark, port = address.removeprefix("ray://").rpartition(":")
    if not mark or not port.isdigit():
        if address in (LOCAL, "auto"):
            return
        raise WhistlestopError(f"`{address}` is no address of a Ray cluster", "write host:port, auto or local")
    try:
        socket.create_connection((host, int(port)), _CONNECT_SECONDS).close()
    except OSError as error:
        raise WhistlestopError(
            f"there is no Ray cluster at `{address}`: {error}", "`ray start --head` prints the address of one"
        ) from error


class RayWorker:
    """Plays batches on one core of a cluster."""

    def __init__(self, editions: Mapping[str, Edition], patience: float) -> None:
        self._pool = WorkerPool(editions, 1, patience, keep=True)

    def play(self, batch: list[Match]) -> list[PlayedMatch]:
        """A batch, played to its end."""
        return [played for part in self._pool.play(batch) for played in part]

    def pid(self) -> int:
        """The number of this worker's process."""
        return os.getpid()


class RayCluster:
    """Plays matches on the cores of a Ray cluster; `local` is a cluster of this machine alone."""

    def __init__(
        self, editions: Mapping[str, Edition], address: str, jobs: int | None = None, patience: float = PATIENCE
    ) -> None:
        try:
            import ray
        except ImportError:
            raise WhistlestopError(
                "a Ray cluster needs the package ray", "install it: pip install 'whistlestop[ray]'"
            ) from None
        self._ray: Any = ray
        self._editions, self._patience, self._jobs = dict(editions), patience, jobs
        self._connect(address)
        self.workers: list[Any] = []
        self._pace: float | None = None

    def _connect(self, address: str) -> None:
        if self._ray.is_initialized():
            return
        check_reachable(address)
        options: dict[str, Any] = {"include_dashboard": False} if address == LOCAL else {}
        try:
            self._ray.init(address=address, log_to_driver=False, logging_level="ERROR", **options)
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise WhistlestopError(
                f"there is no Ray cluster at `{address}`: {error}", "`ray start --head` prints the address of one"
            ) from error

    def play(self, matches: Iterable[Match]) -> Generator[list[PlayedMatch], None, None]:
        """The matches as they are done, in any order; a batch whose worker is lost is played again by another."""
        waiting, again = iter(matches), deque[list[Match]]()
        jobs = self._jobs or max(1, int(self._ray.cluster_resources().get("CPU", 1)))
        maker = self._ray.remote(num_cpus=1)(RayWorker)
        editions = self._ray.put(self._editions)
        running: dict[Any, tuple[Any, list[Match]]] = {}
        losses = 0
        try:
            while True:
                while len(running) < jobs and (batch := self._next_batch(again, waiting)):
                    worker = self._free_worker(running) or self._hire(maker, editions)
                    running[worker.play.remote(batch)] = (worker, batch)
                if not running:
                    return
                (ready,), _ = self._ray.wait(list(running), num_returns=1)
                worker, batch = running.pop(ready)
                try:
                    done: list[PlayedMatch] = self._ray.get(ready)
                except self._ray.exceptions.RayActorError as error:  # its process or its machine is gone
                    losses += 1
                    self.workers.remove(worker)
                    again.append(batch)
                    self._check(losses, error)
                    continue
                losses = 0
                self._pace = sum(played.seconds for played in done) / len(done)
                yield done
        finally:
            for worker in self.workers:
                self._ray.kill(worker)
            self.workers.clear()

    def _hire(self, maker: Any, editions: Any) -> Any:
        worker = maker.remote(editions, self._patience)
        self.workers.append(worker)
        return worker

    def _free_worker(self, running: Mapping[Any, tuple[Any, list[Match]]]) -> Any:
        busy = [worker for worker, _ in running.values()]
        return next((worker for worker in self.workers if worker not in busy), None)

    def _next_batch(self, again: deque[list[Match]], waiting: Iterator[Match]) -> list[Match]:
        if again:
            return again.popleft()
        size = 1 if self._pace is None else int(_LONGER_BATCH * BUSY_SECONDS / max(self._pace, 1e-9))
        return list(islice(waiting, max(1, min(size, LARGEST_BATCH))))

    def _check(self, losses: int, error: Exception) -> None:
        """Give up where workers only ever end."""
        if losses > _LOSSES:
            raise WhistlestopError(
                f"workers of the Ray cluster end again and again: {error}",
                "every machine needs whistlestop and the files of bots and maps at the same paths",
            ) from error
