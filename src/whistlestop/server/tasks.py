"""Tasks that run beside the requests: a failure is logged, never lost."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from whistlestop.server import log
from whistlestop.server.refusals import RequestError

T = TypeVar("T")


class BackgroundTasks:
    """The running tasks of a server, and whether it is closing."""

    def __init__(self) -> None:
        self._running: set[asyncio.Task[Any]] = set()
        self.closing = False

    def spawn(self, job: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something beside everything else."""
        task = asyncio.create_task(job)
        self._running.add(task)
        task.add_done_callback(self._finish)
        return task

    def _finish(self, task: asyncio.Task[Any]) -> None:
        self._running.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, RequestError):
            log.logger.error("task failed", exc_info=error, extra={"facts": {}})

    async def wait(self, seconds: float) -> None:
        """Let what runs end, within a time."""
        if running := [task for task in self._running if not task.done()]:
            await asyncio.wait(running, timeout=seconds)
