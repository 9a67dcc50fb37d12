"""The processes in which bots think. A bot that does not answer in time is cut off by killing its process."""

from __future__ import annotations

import asyncio
import contextlib
import json
import pickle
import sys
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

from whistlestop.bots.lineup import Entrant
from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_process import LENGTH, MAKE_SECONDS, BotRequest
from whistlestop.server.metrics import Metrics
from whistlestop.views import View

GRACE = 1.5
"""Seconds after its limit in which a bot's answer is still taken: a busy machine must not cut off a bot that watches
the clock."""
STICKY = 2.0
"""Seconds that a bot waits for the process that remembers it before it begins anew in another one."""
START_WITHIN = 120.0
"""Seconds in which a process must be ready."""

Spawn = Callable[[Coroutine[Any, Any, Any]], "asyncio.Task[Any]"]


class BotFailure(Exception):  # noqa: N818  (named for what the log says)
    """A bot gave no action that could be played."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason, self.detail = reason, detail
        """The reason is overrun, exit, error, illegal or unavailable."""


class Thinkers(Protocol):
    """Whoever thinks for bots: processes of this server, or workers elsewhere."""

    async def choose(self, instance: BotInstance, view: View, seconds: float) -> int:
        """The id of the action that a bot chooses within its own limit and these seconds; BotFailure if none."""


class BotWorker:
    """One process that answers one request at a time."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.idle = False

    @classmethod
    async def start(cls) -> BotWorker:
        """A process that is warm and waits for requests."""
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "whistlestop.server.bot_process",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        worker = cls(process)
        try:
            await asyncio.wait_for(worker._receive(), START_WITHIN)
        except BaseException:
            await worker.kill()
            raise
        return worker

    async def ask(self, request: BotRequest) -> dict[str, Any]:
        """The answer to a request; TimeoutError, or OSError and EOFError where the process has ended."""
        assert self._process.stdin is not None
        data = pickle.dumps(tuple(request))
        self._process.stdin.write(LENGTH.pack(len(data)) + data)
        made = await asyncio.wait_for(self._receive(), MAKE_SECONDS)
        return made if "error" in made else await asyncio.wait_for(self._receive(), request.seconds + GRACE)

    async def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        length = LENGTH.unpack(await self._process.stdout.readexactly(LENGTH.size))[0]
        message: dict[str, Any] = json.loads(await self._process.stdout.readexactly(length))
        return message

    async def kill(self) -> int | None:
        """End the process, whatever it does; its exit code."""
        self.idle = False
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        assert self._process.stdin is not None
        self._process.stdin.close()
        return await self._process.wait()


@dataclass(slots=True)
class BotInstance:
    """A bot of a seat: it keeps what it remembers as long as its process lives."""

    bot: str
    """Its name on this server."""
    entrant: Entrant
    seed: int
    table: str
    seat: int
    worker: BotWorker | None = None
    failures: int = 0
    """In a row."""


@lru_cache(maxsize=64)
def _pickled(edition: Edition) -> bytes:
    return pickle.dumps(edition)


@dataclass(slots=True)
class _Waiter:
    """A bot that waits for a free process."""

    instance: BotInstance
    until: float
    """When any process will do."""
    reserved: asyncio.Future[BotWorker]


class BotPool:
    """Up to so many processes; the first is started with the server, others when they are needed."""

    def __init__(self, most: int, metrics: Metrics, spawn: Spawn) -> None:
        self._most, self._metrics, self._spawn = most, metrics, spawn
        self._workers: list[BotWorker] = []
        self._starting: set[asyncio.Task[Any]] = set()
        self._waiting: list[_Waiter] = []
        self._closing = False

    @property
    def waiting(self) -> int:
        """Bots that wait for a free process."""
        return len(self._waiting)

    def start(self) -> None:
        """Begin to start a process, if there may be one more."""
        if not self._closing and len(self._workers) + len(self._starting) < self._most:
            task = self._spawn(self._start())
            self._starting.add(task)
            task.add_done_callback(self._started)

    async def _start(self) -> None:
        try:
            worker = await BotWorker.start()
        except (OSError, EOFError, TimeoutError) as error:
            if not self._closing:  # a server that stops ends the process that it was starting
                log.event("bot process could not start", "error", error=repr(error))
        else:
            worker.idle = True
            self._workers.append(worker)

    def _started(self, task: asyncio.Task[None]) -> None:
        self._starting.discard(task)
        if self._workers or self._starting:
            self._assign()
        else:
            self._refuse_all("no process could be started")

    # -- asking ----------------------------------------------------------------------------------------------------
    async def choose(self, instance: BotInstance, view: View, seconds: float) -> int:
        """The id of the action that a bot chooses within its own limit and these seconds; BotFailure if none."""
        worker = instance.worker = await self._reserve(instance)
        limit = instance.entrant.limit
        request = BotRequest(
            instance.entrant.name, instance.seed, min(seconds, limit.seconds or seconds), _pickled(view.edition),
            view.states.tobytes(), view.player, view.names, limit.steps, limit.cores,
        )  # fmt: skip
        # A task of its own: whoever asked may go away, but the process must answer or be killed before the next asks.
        answer: int | BotFailure = await asyncio.shield(self._spawn(self._ask(worker, request)))
        if isinstance(answer, BotFailure):
            raise answer
        return answer

    async def _reserve(self, instance: BotInstance) -> BotWorker:
        """A free process, in the order of asking: for a short time only the one that remembers the bot, then any."""
        if self._closing:
            raise BotFailure("unavailable", "the server is closing")
        loop = asyncio.get_running_loop()
        waiter = _Waiter(instance, time.monotonic() + STICKY, loop.create_future())
        self._waiting.append(waiter)
        self._assign()
        if not waiter.reserved.done():
            loop.call_later(STICKY + 0.01, self._assign)
        try:
            return await asyncio.shield(waiter.reserved)
        except asyncio.CancelledError:
            if waiter in self._waiting:
                self._waiting.remove(waiter)
            elif waiter.reserved.done() and waiter.reserved.exception() is None:
                self._release(waiter.reserved.result())
            raise

    def _assign(self) -> None:
        """Give free processes to those who wait; start another one if there are too few."""
        now = time.monotonic()
        for waiter in self._waiting.copy() if any(worker.idle for worker in self._workers) else ():
            if (worker := self._free_worker(waiter, now)) is not None:
                worker.idle = False
                self._waiting.remove(waiter)
                waiter.reserved.set_result(worker)
        if any(self._takes_any(waiter, now) for waiter in self._waiting[:1]) and not self._starting:
            self.start()

    def _free_worker(self, waiter: _Waiter, now: float) -> BotWorker | None:
        idle = [worker for worker in self._workers if worker.idle]
        if waiter.instance.worker in idle:
            return waiter.instance.worker
        return idle[0] if idle and self._takes_any(waiter, now) else None

    def _takes_any(self, waiter: _Waiter, now: float) -> bool:
        return waiter.instance.worker not in self._workers or now >= waiter.until

    def _release(self, worker: BotWorker) -> None:
        worker.idle = worker in self._workers
        self._assign()

    def _refuse_all(self, why: str) -> None:
        waiting, self._waiting = self._waiting, []
        for waiter in waiting:
            waiter.reserved.set_exception(BotFailure("unavailable", why))
            waiter.reserved.exception()  # it is no error if nobody waits any more

    async def _ask(self, worker: BotWorker, request: BotRequest) -> int | BotFailure:
        began = time.perf_counter()
        try:
            answer = await worker.ask(request)
        except TimeoutError:
            await self._replace(worker)
            return BotFailure("overrun", f"no answer within {request.seconds:g} s")
        except (OSError, EOFError, ValueError):
            code = await self._replace(worker)
            return BotFailure("exit", f"its process ended with code {code}")
        finally:
            self._metrics.bot_seconds.observe(time.perf_counter() - began)
        self._release(worker)
        if "error" in answer:
            return BotFailure("error", str(answer["error"]))
        return int(answer["action"])

    async def _replace(self, worker: BotWorker) -> int | None:
        """End a process and start another one."""
        if worker in self._workers:
            self._workers.remove(worker)
        self.start()
        self._assign()  # bots that waited for this one take any now
        return await worker.kill()

    async def close(self) -> None:
        """End all processes."""
        self._closing = True
        self._refuse_all("the server is closing")
        starting, workers, self._workers = list(self._starting), self._workers, []
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, *(worker.kill() for worker in workers), return_exceptions=True)
