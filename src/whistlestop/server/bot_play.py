"""The bots' play at a table: when they act, what they are asked, and who acts for one that fails."""

from __future__ import annotations

import asyncio
import secrets
import time
from random import SystemRandom
from typing import Protocol

from whistlestop.bots import Limit, bot
from whistlestop.bots.lineup import Entrant
from whistlestop.server import log
from whistlestop.server.bot_pace import natural_pause
from whistlestop.server.bot_pool import BotFailure, BotInstance, Thinkers
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.lessons import BOT_SEED
from whistlestop.server.listeners import Listeners
from whistlestop.server.messages import LessonName
from whistlestop.server.metrics import Metrics
from whistlestop.server.refusals import RequestError
from whistlestop.server.seats import STAND_IN, Seats
from whistlestop.server.settings import Settings
from whistlestop.server.table_game import TableGame
from whistlestop.server.tasks import BackgroundTasks
from whistlestop.views import View

FALLBACK = "random"
"""The bot that acts in the place of one that failed; it thinks in the server's own process."""
MOST_FAILURES = 3
"""Failures in a row after which the fallback plays on for a bot."""
RETRY_SECONDS = 1.0
"""Seconds after which a bot tries again what the server could not store."""


_chance = SystemRandom()


class BotTable(Protocol):
    """What the bots' play needs of a table."""

    id: str
    pace: float
    """How much longer than usual its bots take; 0 if they act at once."""
    lesson: LessonName | None
    """In a lesson the bot does the same every time."""
    listeners: Listeners

    @property
    def seats(self) -> Seats:
        """Who sits where."""

    @property
    def playing(self) -> TableGame | None:
        """The game while it goes on."""

    @property
    def is_run_here(self) -> bool:
        """Whether this process runs its bots."""

    async def act(self, seat: int, action: int | str, n: int, by_bot: bool = False) -> int:
        """Play an action on the state after action `n`."""


class BotPlay:
    """Plays for the bots of one table."""

    def __init__(
        self,
        table: BotTable,
        thinkers: Thinkers,
        roster: BotRoster,
        settings: Settings,
        metrics: Metrics,
        tasks: BackgroundTasks,
    ) -> None:
        self._table, self._thinkers, self._roster, self._tasks = table, thinkers, roster, tasks
        self._settings, self._metrics = settings, metrics
        self._bots: dict[int, BotInstance] = {}
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Let the bots play if it is their turn."""
        if (self._task is None or self._task.done()) and self._next_seat() is not None:
            self._task = self._tasks.spawn(self._play())

    def close(self) -> None:
        """Stop playing."""
        if self._task:
            self._task.cancel()

    def _next_seat(self) -> int | None:
        """The seat of a bot that has to act."""
        game = self._table.playing if self._table.is_run_here and not self._tasks.closing else None
        return None if game is None else next((s for s in game.game.to_move if self._table.seats[s].by_bot), None)

    async def _play(self) -> None:
        """Play as long as it is the bots' turn; a fault, such as a full disk, makes them wait, not stop."""
        while (seat := self._next_seat()) is not None:
            try:
                await self._play_seat(seat)
            except RequestError as error:
                if error.code not in ("stale", "over"):
                    raise
            except Exception:
                log.logger.exception("bot could not act", extra={"facts": {"table": self._table.id, "seat": seat}})
                await asyncio.sleep(RETRY_SECONDS)

    async def _play_seat(self, seat: int) -> None:
        """Let a bot look, think and act; the fallback acts for one that fails."""
        instance = await self._instance(seat)
        if not self._has_to_act(seat) or (game := self._table.playing) is None:
            return
        n, view, began = game.n, game.view(seat), time.perf_counter()
        try:
            action = await self._chosen(instance, view)
            await self._pause(seat, view, action, began)
            if not self._has_to_act(seat):  # somebody is back
                return
            await self._act(seat, action, n)
            instance.failures = 0 if instance.failures < MOST_FAILURES else MOST_FAILURES
        except BotFailure as failure:
            self._report(failure, seat, instance, time.perf_counter() - began)
            await self._table.act(seat, _fallback_action(view), n, by_bot=True)

    def _has_to_act(self, seat: int) -> bool:
        game = self._table.playing
        return game is not None and seat in game.game.to_move and self._table.seats[seat].by_bot

    async def _chosen(self, instance: BotInstance, view: View) -> int:
        if instance.failures >= MOST_FAILURES:
            return _fallback_action(view)
        return await self._thinkers.choose(instance, view, self._settings.bot_seconds)

    async def _act(self, seat: int, action: int, n: int) -> None:
        """Play what a bot chose; an illegal action is the bot's failure."""
        try:
            await self._table.act(seat, action, n, by_bot=True)
        except RequestError as error:
            if error.code == "illegal":
                raise BotFailure("illegal", error.message) from None
            raise

    def _report(self, failure: BotFailure, seat: int, instance: BotInstance, seconds: float) -> None:
        """Log and count a failure."""
        if failure.reason != "unavailable":
            instance.failures += 1
        replaced = {"replaced_by": FALLBACK} if instance.failures == MOST_FAILURES else {}
        log.event(
            "bot failed", "error", table=self._table.id, seat=seat, bot=instance.bot, reason=failure.reason,
            seconds=round(seconds, 3), error=failure.detail, **replaced,
        )  # fmt: skip
        self._metrics.bot_failures.labels(failure.reason).inc()

    async def _instance(self, seat: int) -> BotInstance:
        """The bot of a seat, new where another one sat there before, once it is ready; the stand-in for one that is
        offered no more.
        """
        name = self._table.seats[seat].bot or STAND_IN
        if seat not in self._bots or self._bots[seat].bot != name:
            found = await self._roster.ready_entrant(name)
            if found is None:
                log.event("bot no longer offered", "warning", table=self._table.id, seat=seat, bot=name)
            seed = secrets.randbits(63) if self._table.lesson is None else BOT_SEED
            self._bots[seat] = BotInstance(name, found or Entrant(STAND_IN), seed, self._table.id, seat)
        return self._bots[seat]

    async def _pause(self, seat: int, view: View, action: int, began: float) -> None:
        """Act after a natural time, of which thinking is a part, so that people can follow; at once in the first
        choices, which all make at the same time, and where nobody looks on. A stand-in gives time to come back.
        """
        game, pace, stands_in = self._table.playing, self._table.pace, self._table.seats[seat].stands_in
        pause = self._settings.stand_in_waits if stands_in else 0.0
        seen = bool(self._table.listeners) and game is not None and not game.simultaneous
        if pace and (seen or stands_in):
            chosen = next((legal for legal in view.legal() if legal.id == action), None)
            last = game.game.history[-1] if game is not None and game.game.history else None
            pause = max(pause, natural_pause(view.phase, chosen, pace, _chance, last)) if chosen else pause
        if (left := pause - (time.perf_counter() - began)) > 0:
            await asyncio.sleep(left)


def _fallback_action(view: View) -> int:
    return bot(FALLBACK, secrets.randbits(32)).act(view, Limit()).id
