"""One table: what people, bots and the host do at it. Every change is stored before it is applied and shown.

It knows no rules.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence

from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_play import BotPlay
from whistlestop.server.messages import ChangeSeat, Join
from whistlestop.server.news import Item
from whistlestop.server.refusals import RequestError
from whistlestop.server.seats import Seats
from whistlestop.server.shared_table import AGAIN_SECONDS, Services, SharedTable, changing
from whistlestop.server.store import KeyHolder, Outdated, StoredAction, StoredTable
from whistlestop.server.table_game import TableGame, outcome_text

DISCONNECT_AFTER = 0.1
"""Seconds in which listeners get their last answers when a table leaves the memory."""


class Table(SharedTable):
    """A table that people and bots play at."""

    def __init__(
        self,
        stored: StoredTable,
        holders: Sequence[KeyHolder],
        edition: Edition,
        services: Services,
        forget: Callable[[SharedTable], None],
    ) -> None:
        time_up: Callable[[], object] = lambda: services.tasks.spawn(self._time_up())  # noqa: E731
        super().__init__(stored, holders, edition, services, forget, time_up)
        self._bots = BotPlay(self, services.bots, services.roster, services.settings, services.metrics, services.tasks)

    # -- running: the clock and the bots ---------------------------------------------------------------------------
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

    # -- acting ----------------------------------------------------------------------------------------------------
    @changing
    async def act(self, seat: int, action: int | str, n: int, by_bot: bool = False) -> int:
        """Play an action on the state after action `n`; its number once stored. Sending it again is harmless."""
        if n > self.n and self._services.leases.shared:  # the player has seen more by another process
            await self.catch_up()
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
        self.notify()
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

    # -- time ------------------------------------------------------------------------------------------------------
    async def _time_up(self) -> None:
        """The time of a turn is over; what cannot be stored now is tried again."""
        try:
            await self._replace_absent()
        except Exception:
            self.clock.ring_again(AGAIN_SECONDS)
            raise

    @changing
    async def _replace_absent(self) -> None:
        """For whoever had to act and did not, a bot plays this turn, and plays on after several in a row."""
        if self.playing is None or not self.clock.is_up or not self.is_run_here:
            return
        seats = self.seats
        for seat in self.to_move:
            seats = seats if seats[seat].by_bot else seats.with_time_up(seat)
        await self._change_seats(seats)

    async def _give_seats_back(self, seat: int, by_bot: bool) -> None:
        """Whoever missed a turn plays the next one. What cannot be stored now is made up for after the next turn."""
        while (seats := self.seats.after_turn(seat, by_bot)) != self.seats:
            try:
                await self.seating.save(seats)
            except Outdated:  # somebody left or voted at another process
                await self.catch_up()
            except Exception:
                log.logger.exception("seat not given back", extra={"facts": {"table": self.id}})
                return
            else:
                self.show_table()

    # -- seats -----------------------------------------------------------------------------------------------------
    def _seats_changed(self) -> None:
        """Show who sits where now."""
        self.touched = time.time()
        self.show_table()
        self.notify()
        self.wake()

    async def _change_seats(self, seats: Seats) -> None:
        """Store, apply and show who sits where."""
        await self.seating.save(seats)
        self._seats_changed()

    def _check_waiting(self, hint: str | None = None) -> None:
        self.check_open()
        if self.status != "waiting":
            raise RequestError("started", "the game has begun already", hint)

    @changing
    async def start(self, fill: str | None) -> None:
        """Begin the game; open seats are filled by a bot, if one is named."""
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
        self.tell_start()

    def tell_start(self) -> None:
        """Tell the log, the listeners and the bots that the game has begun."""
        bots = sum(seat.kind == "bot" for seat in self.seats)
        log.event("table started", table=self.id, edition=self.edition.id, bots=bots)
        self.show_table()
        self._show_game()
        self.notify()
        self.wake()

    @changing
    async def join(self, request: Join, key: str | None) -> tuple[str, KeyHolder]:
        """Sit down at an open seat."""
        self._check_waiting("ask for the spectators' link")
        found = await self.seating.join(request, key)
        self._seats_changed()
        return found

    @changing
    async def change_seat(self, seat: int, request: ChangeSeat, key: str | None) -> None:
        """Change who sits somewhere, or a name and colour, while the table waits."""
        self.seating.holder(key)
        self._check_waiting()
        await self.seating.change(seat, request, key, self._services.roster)
        self._seats_changed()

    @changing
    async def change_listing(self, listed: bool) -> None:
        """Let anybody on this server find the table, or no longer, while it waits."""
        self._check_waiting()
        if listed != self.listed:
            await self.seating.change_row(listed_at=time.time() if listed else None)
            self.listed = listed
            self.show_table()

    @changing
    async def leave(self, seat: int) -> None:
        """A bot plays for this seat until its player comes back."""
        self._current_game()
        if not self.seats[seat].by_bot or self.seats[seat].for_one_turn:
            await self._change_seats(self.seats.with_stand_in(seat))

    @changing
    async def come_back(self, seat: int) -> None:
        """The player is back; the bot goes. The turn's time goes on as if nobody had left."""
        if not self.seats[seat].stands_in:
            return
        if self.playing is not None and seat in self.to_move and self.clock.is_up:
            hint = "the bot ends this turn; the next one is yours"
            raise RequestError("time_up", "your time for this turn is up", hint)
        await self._change_seats(self.seats.without_stand_in(seat))

    @changing
    async def vote(self, held: Sequence[int], seat: int, wanted: bool) -> None:
        """Whoever holds some seats wants a bot to stand in for somebody who is gone or too slow: a vote for each."""
        self._current_game()
        if not self.seats.can_be_voted_on(seat, held):
            raise RequestError("no_vote", "that seat cannot be voted on")
        slow = seat in self.to_move and self.clock.elapsed >= self._services.settings.patience
        if wanted and not (slow or self.presence.is_gone(seat)):
            raise RequestError("not_gone", f"{self.seats[seat].name} is here", "wait a minute, or ask in the chat")
        if not (voters := self.seats.voters(held)):
            raise RequestError("stands_in", "a bot plays for you", "say that you are back")
        await self._change_seats(self.seats.with_votes(seat, voters, wanted))

    @changing
    async def play_again(self, open_rematch: Callable[[], Awaitable[str]]) -> str:
        """The table on which the same people play again, opened where there is none yet."""
        _ = self.finished
        if self.rematch is None:
            self.rematch = await open_rematch()
            self.seating.version += 1
        return self.rematch

    # -- chat ------------------------------------------------------------------------------------------------------
    async def say(self, seat: int, text: str) -> None:
        """Say something to everybody at the table."""
        self.chat.admit(seat)
        await self._say(seat, text)

    @changing
    async def _say(self, seat: int, text: str) -> None:
        self.check_open()
        line = await self.chat.add(seat, self.seats[seat].name, text)
        self.listeners.send(line, with_key=True)

    def react(self, seat: int, reaction: str) -> None:
        """Show a quick reaction, which is not kept."""
        self.chat.admit(seat)
        self.show_reaction(seat, reaction)
        self._services.store.tell(Item("reaction", self.id, (seat, reaction)))

    def show_reaction(self, seat: int, reaction: str) -> None:
        """Show a reaction that was given here or at another process."""
        self.listeners.send({"t": "reaction", "seat": seat, "reaction": reaction}, with_key=True)

    # -- by the server's host --------------------------------------------------------------------------------------
    @changing
    async def dismiss(self, refused: RequestError, store: Callable[[], Awaitable[None]]) -> None:
        """End the table: once `store` has done so in the database nobody can act here, and all are told why."""
        await store()
        self.dismissed = refused
        for listener in self.listeners:
            listener.dismiss(refused)
        self.notify()

    @changing
    async def change_spectator_key(self, key: str) -> None:
        """Give the spectators another link; who came by the old one must go, the others look again for the new one."""
        await self.seating.change_row(watch=key)
        self.seating.spectator_key = key
        self._see_off_spectators()

    def close(self) -> None:
        """Stop the clock and the bots, and disconnect the listeners once they have their answers."""
        for listener in self.listeners:
            asyncio.get_running_loop().call_later(DISCONNECT_AFTER, listener.disconnect)
        self.clock.stop()
        self._bots.close()
        if self._presence_timer:
            self._presence_timer.cancel()
