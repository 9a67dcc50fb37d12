"""One table: it puts requests in order, and stores every change before it applies and shows it. It knows no rules."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_play import BotPlay
from whistlestop.server.bot_pool import Thinkers
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.leases import Leases
from whistlestop.server.listeners import Listener
from whistlestop.server.messages import ChangeSeat, Join
from whistlestop.server.metrics import Metrics
from whistlestop.server.news import Item
from whistlestop.server.refusals import RequestError, closed_table, no_such_table
from whistlestop.server.seats import Seats
from whistlestop.server.settings import Settings
from whistlestop.server.store import KeyHolder, Outdated, Store, StoredAction, StoredTable
from whistlestop.server.table_game import TableGame, outcome_text
from whistlestop.server.table_state import TableState
from whistlestop.server.tasks import BackgroundTasks

GATHER_SECONDS = 0.1
"""In which those who come and go are gathered into one message."""
STAND_IN_AGAIN = 1.0
"""Seconds after which a stand-in that could not be stored is tried again."""
DISCONNECT_AFTER = 0.1
"""Seconds in which listeners get their last answers when a table leaves the memory."""


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


Result = TypeVar("Result")


class Table(TableState):
    """A table that people and bots play at. Only writers take the lock; they store what they change first."""

    def __init__(
        self,
        stored: StoredTable,
        holders: Sequence[KeyHolder],
        edition: Edition,
        services: Services,
        forget: Callable[[Table], None],
    ) -> None:
        super().__init__(
            stored, holders, edition, services.store, services.settings,
            on_time_up=lambda: services.tasks.spawn(self._time_up()),
        )  # fmt: skip
        self._services, self._forget = services, forget
        self.lock = asyncio.Lock()
        self._looks_again = False
        self._heard: list[tuple[int, StoredAction]] = []
        self._presence_timer: asyncio.TimerHandle | None = None
        self._bots = BotPlay(self, services.bots, services.roster, services.settings, services.metrics, services.tasks)

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

    # -- running: the clock and the bots ---------------------------------------------------------------------------
    @property
    def is_run_here(self) -> bool:
        """Whether this process runs the clock and the bots."""
        return self._services.leases.is_mine(self.runner)

    def wake(self) -> None:
        """Let the bots play if it is their turn; where no living process runs the table, this one does from now on."""
        if self.is_run_here:
            self._bots.wake()
        elif self.playing is not None and self._services.leases.is_free(self.runner):
            self._services.tasks.spawn(self._run())

    async def _run(self) -> None:
        """Become the process that runs the table."""
        if not await self._services.leases.take(self.id):
            return
        self.runner = self._services.leases.me
        if self.clock.is_up:
            await self._time_up()
        self._bots.wake()

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
                    await self._catch_up()
                if self._game is not None and number == self.n + 1:
                    self._take_actions([action])
            if self.n > before:
                await self._show_news(row_changed=False)

    async def look_again(self) -> None:
        """Take and show what other processes have changed."""
        async with self.lock:
            self._looks_again = False
            await self._catch_up()

    async def _catch_up(self) -> None:
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
            await self._show_news(changed)
        else:
            self.wake()

    def _take_actions(self, actions: Sequence[StoredAction]) -> None:
        """Take actions that another process stored."""
        try:
            self._apply(actions)
        except Exception:
            self._forget(self)  # whoever opens it next learns what is wrong
            raise

    async def _show_news(self, row_changed: bool) -> None:
        """Show what other processes did, and let the bots play if it is their turn now."""
        self.touched = time.time()
        if row_changed:
            self.show_table()
        self._show_game()
        if self.status == "over":
            self.show_table()
        await self.notify()
        self.wake()

    async def _change(self, job: Callable[[], Awaitable[Result]]) -> Result:
        """Change the table; where another process was first, look at what it did and try anew."""
        async with self.lock:
            while True:
                try:
                    return await job()
                except Outdated:
                    await self._catch_up()

    # -- acting ----------------------------------------------------------------------------------------------------
    async def act(self, seat: int, action: int | str, n: int, by_bot: bool = False) -> int:
        """Play an action on the state after action `n`; its number once stored. Sending it again is harmless.

        Draft, store, apply, show. Whoever is cancelled while it is stored leaves the table behind what the database
        has; the next action is then refused by the database, and the table catches up.
        """

        async def act() -> int:
            if n > self.n and self._services.leases.shared:  # the player has seen more by another process
                await self._catch_up()
            game = self._game
            if game is not None and (number := game.find_repeated(seat, action, n)) is not None:
                return number
            game = self._current_game()
            self._check_actor(seat, by_bot)
            draft = game.draft(seat, action, n)
            stored = StoredAction(seat, draft.move.action.id, by_bot, time.time(), outcome_text(draft.move))
            await self._services.store.append(self.id, draft.move.number, stored)
            game.apply(stored, draft)
            self._services.metrics.count_action(by_bot)
            await self._after_action(game, seat, by_bot)
            return draft.move.number

        return await self._change(act)

    def _current_game(self) -> TableGame:
        """The game that is going on; a refusal says why there is none."""
        game = self.begun
        if self.status == "over":
            raise RequestError("over", "the game is over")
        return game

    def _check_actor(self, seat: int, by_bot: bool) -> None:
        """Refuse a bot whose player is back, and a player for whom a bot stands in."""
        if by_bot and not self.seats[seat].by_bot:
            raise RequestError("stale", "the player is back")
        if self.seats[seat].by_bot and not by_bot:
            raise RequestError("stands_in", "a bot plays for you", "say that you are back")

    async def _after_action(self, game: TableGame, seat: int, by_bot: bool) -> None:
        """What follows an action: the clock, the end, the news, the bots."""
        self.touched = time.time()
        if game.game.over:
            await self._end_game()
        elif game.begins_turn:
            self._start_turn()
            await self._give_seats_back(seat, by_bot)
        self._show_game()
        if game.game.over:
            self.show_table()
        await self.notify()
        self.wake()

    async def _end_game(self) -> None:
        """The game is over by its actions; the note of it in the table's row can be made up for at the next loading."""
        self.status, self._ended = "over", time.time()
        self.clock.stop()
        try:
            await self._note_end()
        except Exception:
            log.logger.exception("end not noted", extra={"facts": {"table": self.id}})
        log.event("table over", table=self.id, actions=self.n)

    async def _note_end(self) -> None:
        while True:
            try:
                await self.seating.change_row(status="over", ended=self._ended, touched=self.touched, runner=None)
            except Outdated:  # somebody left or voted at another process
                await self._catch_up()
            else:
                return

    # -- time ------------------------------------------------------------------------------------------------------
    async def _time_up(self) -> None:
        """For whoever had to act and did not, a bot plays this turn, and plays on after several in a row."""

        async def replace_absent() -> None:
            if self.playing is None or not self.clock.is_up or not self.is_run_here:
                return
            seats = self.seats
            for seat in self.to_move:
                seats = seats if seats[seat].by_bot else seats.with_time_up(seat)
            await self._change_seats(seats)

        try:
            await self._change(replace_absent)
        except Exception:
            self.clock.ring_again(STAND_IN_AGAIN)
            raise

    async def _give_seats_back(self, seat: int, by_bot: bool) -> None:
        """Whoever missed a turn plays the next one. What cannot be stored now is made up for after the next turn."""
        while (seats := self.seats.after_turn(seat, by_bot)) != self.seats:
            try:
                await self.seating.save(seats)
            except Outdated:  # somebody left or voted at another process
                await self._catch_up()
            except Exception:
                log.logger.exception("seat not given back", extra={"facts": {"table": self.id}})
                return
            else:
                self.show_table()

    # -- seats -----------------------------------------------------------------------------------------------------
    async def _seats_changed(self) -> None:
        """Show who sits where now."""
        self.touched = time.time()
        self.show_table()
        await self.notify()
        self.wake()

    async def _change_seats(self, seats: Seats) -> None:
        """Store, apply and show who sits where."""
        await self.seating.save(seats)
        await self._seats_changed()

    def _check_waiting(self, hint: str | None = None) -> None:
        self.check_open()
        if self.status != "waiting":
            raise RequestError("started", "the game has begun already", hint)

    async def start(self, fill: str | None) -> None:
        """Begin the game; open seats are filled by a bot, if one is named."""

        async def start() -> None:
            self._check_waiting()
            if (free := len(self.seats.open)) and fill is None:
                message = f"{free} of {len(self.seats)} seats are open"
                raise RequestError("seats_open", message, "wait, or fill them with bots")
            seats = self.seats.with_bots(fill or "", self._services.roster)
            game, now, runner = self._new_game(seats), time.time(), self._services.leases.signature
            await self.seating.change_row(status="playing", began=now, seats=seats.rows(), touched=now, runner=runner)
            self.seating.seats, self.runner = seats, runner
            self.status, self._game, self._began, self.touched = "playing", game, now, now
            self._start_turn()

        await self._change(start)
        await self.tell_start()

    async def tell_start(self) -> None:
        """Tell the log, the listeners and the bots that the game has begun."""
        bots = sum(seat.kind == "bot" for seat in self.seats)
        log.event("table started", table=self.id, edition=self.edition.id, bots=bots)
        self.show_table()
        self._show_game()
        await self.notify()
        self.wake()

    async def join(self, request: Join, key: str | None) -> tuple[str, KeyHolder]:
        """Sit down at an open seat."""

        async def join() -> tuple[str, KeyHolder]:
            self._check_waiting("ask for the spectators' link")
            found = await self.seating.join(request, key)
            await self._seats_changed()
            return found

        return await self._change(join)

    async def change_seat(self, seat: int, request: ChangeSeat, key: str | None) -> None:
        """Change who sits somewhere, or a name and colour, while the table waits."""
        self.seating.holder(key)

        async def change() -> None:
            self._check_waiting()
            await self.seating.change(seat, request, key, self._services.roster)
            await self._seats_changed()

        await self._change(change)

    async def change_listing(self, listed: bool) -> None:
        """Let anybody on this server find the table, or no longer, while it waits."""

        async def change() -> None:
            self._check_waiting()
            if listed != self.listed:
                await self.seating.change_row(listed_at=time.time() if listed else None)
                self.listed = listed
                self.show_table()

        await self._change(change)

    async def leave(self, seat: int) -> None:
        """A bot plays for this seat until its player comes back."""

        async def leave() -> None:
            self._current_game()
            if not self.seats[seat].by_bot or self.seats[seat].for_one_turn:
                await self._change_seats(self.seats.with_stand_in(seat))

        await self._change(leave)

    async def come_back(self, seat: int) -> None:
        """The player is back; the bot goes. The turn's time goes on as if nobody had left."""

        async def come_back() -> None:
            if not self.seats[seat].stands_in:
                return
            if self.playing is not None and seat in self.to_move and self.clock.is_up:
                hint = "the bot ends this turn; the next one is yours"
                raise RequestError("time_up", "your time for this turn is up", hint)
            await self._change_seats(self.seats.without_stand_in(seat))

        await self._change(come_back)

    async def vote(self, held: Sequence[int], seat: int, wanted: bool) -> None:
        """Whoever holds some seats wants a bot to stand in for somebody who is gone or too slow: a vote for each."""

        async def vote() -> None:
            self._current_game()
            if not self.seats.can_be_voted_on(seat, held):
                raise RequestError("no_vote", "that seat cannot be voted on")
            slow = seat in self.to_move and self.clock.elapsed >= self._services.settings.patience
            if wanted and not (slow or self.presence.is_gone(seat)):
                raise RequestError("not_gone", f"{self.seats[seat].name} is here", "wait a minute, or ask in the chat")
            if not (voters := self.seats.voters(held)):
                raise RequestError("stands_in", "a bot plays for you", "say that you are back")
            await self._change_seats(self.seats.with_votes(seat, voters, wanted))

        await self._change(vote)

    async def play_again(self, open_rematch: Callable[[], Awaitable[str]]) -> str:
        """The table on which the same people play again, opened where there is none yet."""

        async def play_again() -> str:
            _ = self.finished
            if self.rematch is None:
                self.rematch = await open_rematch()
                self.seating.version += 1
            return self.rematch

        return await self._change(play_again)

    # -- chat ------------------------------------------------------------------------------------------------------
    async def say(self, seat: int, text: str) -> None:
        """Say something to everybody at the table."""
        self.chat.admit(seat)

        async def say() -> None:
            self.check_open()
            line = await self.chat.add(seat, self.seats[seat].name, text)
            self.listeners.send(line, with_key=True)

        await self._change(say)

    def react(self, seat: int, reaction: str) -> None:
        """Show a quick reaction, which is not kept."""
        self.chat.admit(seat)
        self.show_reaction(seat, reaction)
        self._services.store.tell(Item("reaction", self.id, (seat, reaction)))

    def show_reaction(self, seat: int, reaction: str) -> None:
        """Show a reaction that was given here or at another process."""
        self.listeners.send({"t": "reaction", "seat": seat, "reaction": reaction}, with_key=True)

    # -- by the server's host --------------------------------------------------------------------------------------
    async def dismiss(self, refused: RequestError, store: Callable[[], Awaitable[None]]) -> None:
        """End the table: once `store` has done so in the database nobody can act here, and all are told why."""
        async with self.lock:
            await store()
            self.dismissed = refused
        for listener in self.listeners:
            listener.dismiss(refused)
        await self.notify()

    async def change_spectator_key(self, key: str) -> None:
        """Give the spectators another link; who came by the old one must go, the others look again for the new one."""

        async def change() -> None:
            await self.seating.change_row(watch=key)
            self.seating.spectator_key = key

        await self._change(change)
        self._see_off_spectators()

    def _see_off_spectators(self) -> None:
        """The spectators' link is another one."""
        refused = RequestError("wrong_key", "this link was replaced by another one", "ask for the link again", 403)
        for listener in self.listeners:
            if listener.by_link:
                listener.dismiss(refused)
            else:
                listener.disconnect()

    def close(self) -> None:
        """Stop the clock and the bots, and disconnect the listeners once they have their answers."""
        for listener in self.listeners:
            asyncio.get_running_loop().call_later(DISCONNECT_AFTER, listener.disconnect)
        self.clock.stop()
        self._bots.close()
        if self._presence_timer:
            self._presence_timer.cancel()
