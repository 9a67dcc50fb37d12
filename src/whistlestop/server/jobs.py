"""Decisions that bots have to think about, kept in the database: servers ask, workers answer.

A table has one decision at a time, and the oldest is taken first, so no table can push itself before others. A worker
that dies is noticed by its missing signs of life, and another one takes what it had.
"""

from __future__ import annotations

import asyncio
import secrets
from dataclasses import dataclass
from typing import Any

import numpy as np
import sqlalchemy as sa

from whistlestop.engine import layout as lay
from whistlestop.mapfile import Edition
from whistlestop.server.bot_pool import BotFailure, BotInstance
from whistlestop.server.leases import NOW, alive
from whistlestop.server.news import Item
from whistlestop.server.own_boards import Boards
from whistlestop.server.schema import jobs, tables
from whistlestop.server.store import Store
from whistlestop.views import View

ANSWER_WITHIN = 30.0
"""Seconds beside its limit in which a worker must have taken a decision and answered."""

Answer = dict[str, Any]
"""The id of an `action`, or a `reason` and a `detail` of a failure."""


class JobQueue:
    """Where a server asks."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._waiting: dict[str, asyncio.Future[Answer]] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    async def choose(self, instance: BotInstance, view: View, seconds: float) -> int:
        """The id of the action that a bot chooses within its own limit and these seconds; BotFailure if none."""
        job = secrets.token_hex(8)
        answered = self._waiting[job] = asyncio.get_running_loop().create_future()
        try:
            await self._ask(job, instance, view, seconds)
            async with asyncio.timeout(seconds + ANSWER_WITHIN):
                answer: Answer = await answered
        except TimeoutError:
            answer = await self._late_answer(job)
        finally:
            del self._waiting[job]
            await self._delete(job)
        if "action" not in answer:
            raise BotFailure(answer["reason"], answer["detail"])
        return int(answer["action"])

    async def _ask(self, job: str, instance: BotInstance, view: View, seconds: float) -> None:
        async with self._store.engine.begin() as connection:
            await connection.execute(jobs.delete().where(jobs.c.table_id == instance.table))
            row = {
                "id": job,
                "table_id": instance.table,
                "seat": instance.seat,
                "bot": instance.bot,
                "seed": instance.seed,
                "seconds": seconds,
                "state": view.states.tobytes(),
                "names": list(view.names),
                "asked": NOW,
            }
            await connection.execute(jobs.insert().values(**row))
            await self._store.news.tell(connection, [Item("job", job)])

    def hear_answer(self, job: str, answer: Answer) -> None:
        """A worker has answered."""
        if (answered := self._waiting.get(job)) is not None and not answered.done():
            answered.set_result(answer)

    async def _late_answer(self, job: str) -> Answer:
        """What the database says of a decision whose answer was not heard."""
        async with self._store.engine.connect() as connection:
            row = (await connection.execute(sa.select(jobs.c.answer, jobs.c.taken_by).where(jobs.c.id == job))).first()
        if row is not None and row.answer is not None:
            found: Answer = row.answer
            return found
        why = "no worker has taken it" if row is None or row.taken_by is None else "the worker does not answer"
        return {"reason": "unavailable", "detail": why}

    async def _delete(self, job: str) -> None:
        async with self._store.engine.begin() as connection:
            await connection.execute(jobs.delete().where(jobs.c.id == job))


@dataclass(frozen=True, slots=True)
class Job:
    """A decision that a worker has taken."""

    id: str
    bot: str
    """Its name on the servers."""
    seed: int
    seconds: float
    view: View
    table: str
    seat: int


async def take_job(store: Store, boards: Boards) -> Job | None:
    """The oldest decision that no living worker has taken, for this process."""
    oldest = (
        sa.select(jobs.c.id)
        .where(jobs.c.answer.is_(None), sa.or_(jobs.c.taken_by.is_(None), jobs.c.taken_by.not_in(alive("worker"))))
        .order_by(jobs.c.asked)
        .limit(1)
        .with_for_update(skip_locked=True)
    )
    async with store.engine.begin() as connection:
        taking = jobs.update().where(jobs.c.id.in_(oldest)).values(taken_by=store.news.process)
        row = (await connection.execute(taking.returning(*jobs.c))).mappings().first()
        if row is None:
            return None
        of_table = sa.select(tables.c.edition, tables.c.board, tables.c.options).where(tables.c.id == row["table_id"])
        played = (await connection.execute(of_table)).mappings().one()
    return _job(dict(row), await boards.edition_of_table(dict(played)))


def _job(row: dict[str, Any], edition: Edition) -> Job:
    state = np.frombuffer(row["state"], lay.STATE).copy()
    view = View(edition, state, row["seat"], tuple(row["names"]))
    return Job(row["id"], row["bot"], row["seed"], row["seconds"], view, row["table_id"], row["seat"])


async def answer_job(store: Store, job: Job, answer: Answer) -> None:
    """Store an answer and tell the server that waits for it."""
    async with store.engine.begin() as connection:
        await connection.execute(jobs.update().where(jobs.c.id == job.id).values(answer=answer))
        await store.news.tell(connection, [Item("answer", job.id, answer)])
