"""A table that listeners are shown and that other processes may change too: showing it, catching up with what is
stored, and the way that every change goes.
"""

from __future__ import annotations

import asyncio
import functools
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec, TypeVar

from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_pool import Thinkers
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.leases import Leases
from whistlestop.server.listeners import Listener
from whistlestop.server.metrics import Metrics
from whistlestop.server.news import Item
from whistlestop.server.refusals import RequestError, closed_table, no_such_table
from whistlestop.server.settings import Settings
from whistlestop.server.store import KeyHolder, Outdated, Store, StoredAction, StoredTable
from whistlestop.server.table_state import TableState
from whistlestop.server.tasks import BackgroundTasks

GATHER_SECONDS = 0.1
"""In which those who come and go are gathered into one message."""
AGAIN_SECONDS = 1.0
"""After which is tried again what the database did not take or tell."""


@dataclass(frozen=True, slots=True)
class Services:
    """What all tables of a server share."""

    store: Store
    settings: Settings
    metrics: Metrics
    tasks: BackgroundTasks
    bots: Thinkers
    roster: BotRoster
    leases: Leases


Subject = TypeVar("Subject", bound="SharedTable")
Given = ParamSpec("Given")
Result = TypeVar("Result")


def changing(
    change: Callable[Concatenate[Subject, Given], Awaitable[Result]],
) -> Callable[Concatenate[Subject, Given], Coroutine[Any, Any, Result]]:
    """Make a method one that changes its table: it has the lock; where another process was first, what that one did is
    read and shown and the method begins anew; where whoever called it is cancelled, what is stored by then is shown.
    """

    @functools.wraps(change)
    async def changed(table: Subject, /, *args: Given.args, **more: Given.kwargs) -> Result:
        async with table.lock:
            try:
                while True:
                    try:
                        return await change(table, *args, **more)
                    except Outdated:
                        await table.catch_up()
            except asyncio.CancelledError:
                table.left_midway()
                raise

    return changed


class SharedTable(TableState, ABC):
    """A table with those who look at it, in a process that may be one of several. Only writers take the lock."""

    def __init__(
        self,
        stored: StoredTable,
        holders: Sequence[KeyHolder],
        edition: Edition,
        services: Services,
        forget: Callable[[SharedTable], None],
        on_time_up: Callable[[], object],
    ) -> None:
        super().__init__(stored, holders, edition, services.store, services.settings, on_time_up)
        self._services, self._forget = services, forget
        self.lock = asyncio.Lock()
        self._looks_again = False
        self._heard: list[tuple[int, StoredAction]] = []
        self._presence_timer: asyncio.TimerHandle | None = None

    @property
    def is_run_here(self) -> bool:
        """Whether this process runs the clock and the bots."""
        return self._services.leases.is_mine(self.runner)

    @abstractmethod
    def wake(self) -> None:
        """Let the bots play if it is their turn."""

    @abstractmethod
    def close(self) -> None:
        """Stop what runs for the table in this process."""

    # -- listeners -------------------------------------------------------------------------------------------------
    def show_table(self) -> None:
        """Tell all listeners who sits where."""
        self.listeners.send(self.data())

    def show_presence(self) -> None:
        """Tell all listeners soon who is here: of those who come and go in a moment, all are told of once."""
        if self._presence_timer is None:
            self._presence_timer = asyncio.get_running_loop().call_later(GATHER_SECONDS, self._show_presence)

    def _show_presence(self) -> None:
        self._presence_timer = None
        self.tell_presence()
        self.show_table()

    def tell_presence(self, again: bool = False) -> None:
        """Tell other processes who is here by this one, where that has changed or somebody asks."""
        if (here := self.presence.at_this_process()) != self.presence.told or again:
            self.presence.told = here
            self._services.store.tell(Item("here", self.id, here))

    def _show_game(self) -> None:
        """Send every listener what it has not seen."""
        if (game := self._game) is not None and self.listeners:
            deadline = self.deadline
            self.listeners.send_frames(game.n, lambda viewer, known: game.frame(viewer, known, deadline))

    def add(self, listener: Listener) -> None:
        """Somebody came."""
        if self.dismissed is not None:
            listener.dismiss(self.dismissed)
        self.listeners.add(listener)
        self.show_presence()
        self.wake()

    def remove(self, listener: Listener) -> None:
        """Somebody went."""
        self.listeners.remove(listener)
        self.presence.left(listener.seats)
        self.touched = time.time()
        self.show_presence()

    def _see_off_spectators(self) -> None:
        """The spectators' link is another one."""
        refused = RequestError("wrong_key", "this link was replaced by another one", "ask for the link again", 403)
        for listener in self.listeners:
            if listener.by_link:
                listener.dismiss(refused)
            else:
                listener.disconnect()

    # -- other processes -------------------------------------------------------------------------------------------
    def hear_change(self) -> None:
        """Another process has changed something: look at the database soon."""
        if not self._looks_again:
            self._looks_again = True
            self._services.tasks.spawn(self.look_again())

    def hear_action(self, number: int, action: StoredAction) -> None:
        """Another process has stored an action: take it soon."""
        self._heard.append((number, action))
        if len(self._heard) == 1:
            self._services.tasks.spawn(self._take_heard())

    async def _take_heard(self) -> None:
        """Take and show the actions that were heard of; where one is missing, look at the database."""
        async with self.lock:
            heard, self._heard = self._heard, []
            before = self.n
            for number, action in heard:
                if self._game is None or number > self.n + 1:
                    await self.catch_up()
                if self._game is not None and number == self.n + 1:
                    self._take_actions([action])
            if self.n > before:
                self._show_news(row_changed=False)

    async def look_again(self) -> None:
        """Take and show what other processes have changed."""
        async with self.lock:
            self._looks_again = False
            await self.catch_up()

    async def catch_up(self) -> None:
        """Read what is new, take it and show it; the caller holds the lock."""
        store = self._services.store
        found = await store.load(self.id, self.n, len(self.chat.messages))
        if found is None:
            self._forget(self)
            raise no_such_table(self.id)
        if found.row["status"] == "closed":
            self._forget(self)
            raise closed_table()
        changed = found.row["version"] != self.seating.version
        other_link = found.row["watch"] != self.seating.spectator_key
        self.runner = found.row["runner"]
        if changed:
            self._take_row(found.row, await store.keys_of(self.id))
        self._take_actions(found.actions)
        if other_link:
            self._see_off_spectators()
        for line in found.chat:
            self.listeners.send(self.chat.take(line), with_key=True)
        if changed or found.actions:
            self._show_news(changed)
        else:
            self.wake()

    def _take_actions(self, actions: Sequence[StoredAction]) -> None:
        """Take actions that another process stored."""
        try:
            self._apply(actions)
        except Exception:
            self._forget(self)  # whoever opens it next learns what is wrong
            raise

    def _show_news(self, row_changed: bool) -> None:
        """Show what other processes did, and let the bots play if it is their turn now."""
        self.touched = time.time()
        if row_changed:
            self.show_table()
        self._show_game()
        if self.status == "over":
            self.show_table()
        self.notify()
        self.wake()

    # -- changes that were left midway -----------------------------------------------------------------------------
    def left_midway(self) -> None:
        """Whoever changed the table was cancelled. What they had begun to store will be there: show it then."""
        if not self._services.tasks.closing:
            self._services.tasks.spawn(self._finish())

    async def _finish(self) -> None:
        """Take and show what is stored of a change that was left midway."""
        while not self._services.tasks.closing:
            try:
                await self._services.store.settle()
                async with self.lock:
                    await self.catch_up()
                    if self.status == "over":
                        await self._note_end()
                    self._show_news(row_changed=True)
            except RequestError:  # there is no such table any more
                return
            except Exception:
                log.logger.exception("change not finished", extra={"facts": {"table": self.id}})
                await asyncio.sleep(AGAIN_SECONDS)
            else:
                return

    async def _note_end(self) -> None:
        """Note in the table's row that its game is over."""
        while True:
            try:
                await self.seating.change_row(status="over", ended=self._ended, touched=self.touched, runner=None)
            except Outdated:  # somebody left or voted at another process
                await self.catch_up()
            else:
                return
