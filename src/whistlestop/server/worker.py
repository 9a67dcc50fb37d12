"""A process that does nothing but think for bots, beside servers that share a PostgreSQL."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress
from importlib.metadata import version

from sqlalchemy.exc import SQLAlchemyError

from whistlestop.server import log
from whistlestop.server.bot_pool import BotFailure, BotInstance, BotPool
from whistlestop.server.bot_preparation import BotPreparation
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.jobs import Answer, Job, answer_job, take_job
from whistlestop.server.leases import BEAT, Leases
from whistlestop.server.metrics import Metrics
from whistlestop.server.news import Item
from whistlestop.server.own_boards import Boards
from whistlestop.server.settings import Settings
from whistlestop.server.store import Store
from whistlestop.server.tasks import BackgroundTasks
from whistlestop.server.warming import WarmUpProgress, warm_up

LOOK_SECONDS = 2.0
"""Without news a worker looks for work so often: what a dead worker left is told by nobody."""


class Worker:
    """Takes decisions from the database, lets bots think in processes of its own, and stores what they chose."""

    def __init__(self, store: Store, settings: Settings, preparation: BotPreparation) -> None:
        self._store, self._settings = store, settings
        self._tasks = BackgroundTasks()
        self._pool = BotPool(settings.bot_workers, Metrics(), self._tasks.spawn)
        self._roster = BotRoster(settings.bots, preparation)
        self._leases = Leases(store, "worker")
        self._boards = Boards(store)
        self._asked = asyncio.Event()

    async def run(self) -> None:
        """Work until cancelled; what is being thought about then is left to others."""
        await self._leases.beat()
        jobs = [self._work() for _ in range(self._settings.bot_workers)]
        try:
            async with asyncio.TaskGroup() as group:
                for job in (*jobs, self._live(), self._store.news.listen(self._hear, self._asked.set)):
                    group.create_task(job)
        finally:
            self._tasks.closing = True
            await self._pool.close()
            await self._boards.close()
            with suppress(SQLAlchemyError, OSError):  # the database may be the reason for stopping
                await self._leases.leave()

    def _hear(self, process: str, item: Item) -> None:
        if item.kind == "job":
            self._asked.set()
        elif item.kind == "beat" and process == self._leases.me:
            self._leases.hear_beat(item.data)

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self._leases.beat()
            except (SQLAlchemyError, OSError) as error:
                log.event("no sign of life", "error", error=type(error).__name__)

    async def _work(self) -> None:
        """Take decisions one after the other; wait for news where there are none."""
        while True:
            try:
                job = await take_job(self._store, self._boards)
                if job is not None:
                    await answer_job(self._store, job, await self._answer(job))
                    continue
            except Exception:  # the database is away, or a decision makes no sense: the next one may
                log.logger.exception("no work done", extra={"facts": {}})
            self._asked.clear()
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._asked.wait()

    async def _answer(self, job: Job) -> Answer:
        """What a bot chooses, or why it does not."""
        entrant = await self._roster.ready_entrant(job.bot)
        if entrant is None:
            return {"reason": "unavailable", "detail": f"this worker has no bot {job.bot}"}
        instance = BotInstance(job.bot, entrant, job.seed, job.table, job.seat)
        try:
            return {"action": await self._pool.choose(instance, job.view, job.seconds)}
        except BotFailure as failure:
            return {"reason": failure.reason, "detail": failure.detail}


async def _work(settings: Settings) -> None:
    """Work until somebody stops it."""
    store = await Store.open(settings.database_url)
    preparation = BotPreparation()
    try:
        await warm_up(WarmUpProgress())
        await preparation.look()
        working = asyncio.create_task(Worker(store, settings, preparation).run())
        preparing = asyncio.create_task(preparation.run())
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, working.cancel)
        log.event("working", version=version("whistlestop"), processes=settings.bot_workers)
        with suppress(asyncio.CancelledError):
            await working
        preparing.cancel()
        await asyncio.gather(preparing, return_exceptions=True)
    finally:
        await store.close()
    log.event("stopped")


def run(settings: Settings, json_logs: bool | None) -> None:
    """Work until somebody stops it."""
    log.set_up(json_logs, quiet=False)
    asyncio.run(_work(settings))
