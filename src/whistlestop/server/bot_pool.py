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
from typing import Any

from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_process import LENGTH, BotRequest
from whistlestop.server.metrics import Metrics
from whistlestop.views import View

GRACE = 0.5
"""Seconds after its limit in which a bot's answer is still taken."""
STICKY = 0.5
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
        return await asyncio.wait_for(self._receive(), request.seconds + GRACE)

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
    seed: int
    worker: BotWorker | None = None
    failures: int = 0
    """In a row."""


@lru_cache(maxsize=64)
def _pickled(edition: Edition) -> bytes:
    return pickle.dumps(edition)


class BotPool:
    """Up to so many processes; the first is started with the server, others when they are needed."""

    def __init__(self, most: int, metrics: Metrics, spawn: Spawn) -> None:
        self._most, self._metrics, self._spawn = most, metrics, spawn
        self._workers: list[BotWorker] = []
        self._starting: set[asyncio.Task[Any]] = set()
        self._closing = False
        self._changed = asyncio.Condition()

    def start(self) -> None:
        """Begin to start a process, if there may be one more."""
        if not self._closing and len(self._workers) + len(self._starting) < self._most:
            task = self._spawn(self._start())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self) -> None:
        try:
            worker = await BotWorker.start()
        except (OSError, EOFError, TimeoutError) as error:
            log.event("bot process could not start", "error", error=repr(error))
        else:
            worker.idle = True
            self._workers.append(worker)
        await self._notify()

    async def _notify(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    # -- asking ----------------------------------------------------------------------------------------------------
    async def choose(self, instance: BotInstance, view: View, seconds: float) -> int:
        """The id of the action that a bot chooses; BotFailure says why there is none."""
        worker = await self._reserve(instance)
        instance.worker = worker
        request = BotRequest(
            instance.bot, instance.seed, seconds, _pickled(view.edition), view.states.tobytes(), view.player, view.names
        )
        # A task of its own: whoever asked may go away, but the process must answer or be killed before the next asks.
        answer: int | BotFailure = await asyncio.shield(self._spawn(self._ask(worker, request)))
        if isinstance(answer, BotFailure):
            raise answer
        return answer

    async def _reserve(self, instance: BotInstance) -> BotWorker:
        """A free process: for a short time only the one that remembers the bot, then any."""
        patience = time.monotonic() + STICKY
        async with self._changed:
            while True:
                any_will_do = instance.worker not in self._workers or time.monotonic() >= patience
                if (worker := self._free_worker(instance, any_will_do)) is not None:
                    break
                if self._closing:
                    raise BotFailure("unavailable", "the server is closing")
                if any_will_do and not self._starting:
                    self.start()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), STICKY)
                if not self._workers and not self._starting:
                    raise BotFailure("unavailable", "no process could be started")
            worker.idle = False
        return worker

    def _free_worker(self, instance: BotInstance, any_will_do: bool) -> BotWorker | None:
        idle = [worker for worker in self._workers if worker.idle]
        if instance.worker in idle:
            return instance.worker
        return idle[0] if idle and any_will_do else None

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
        worker.idle = True
        await self._notify()
        if "error" in answer:
            return BotFailure("error", str(answer["error"]))
        return int(answer["action"])

    async def _replace(self, worker: BotWorker) -> int | None:
        """End a process and start another one."""
        if worker in self._workers:
            self._workers.remove(worker)
        self.start()
        code = await worker.kill()
        await self._notify()
        return code

    async def close(self) -> None:
        """End all processes."""
        self._closing = True
        for task in self._starting:
            task.cancel()
        workers, self._workers = self._workers, []
        await asyncio.gather(*self._starting, *(worker.kill() for worker in workers), return_exceptions=True)
        await self._notify()
