"""A table as it is stored: its seats, its game, its chat, and what everybody may see of it. Reading needs no lock."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from whistlestop.game import Game
from whistlestop.mapfile import Edition
from whistlestop.server.chat import Chat
from whistlestop.server.lessons import lesson_game
from whistlestop.server.listeners import Listeners
from whistlestop.server.messages import PACES, LessonName
from whistlestop.server.presence import Presence
from whistlestop.server.refusals import RequestError
from whistlestop.server.seating import Seating
from whistlestop.server.seats import Seats
from whistlestop.server.settings import Settings
from whistlestop.server.store import KeyHolder, Store, StoredAction, StoredTable
from whistlestop.server.strange_boards import board_hash_in
from whistlestop.server.table_game import TableGame
from whistlestop.server.turn_clock import TurnClock

FIRST_CHOICE_TIMES = 2
"""How many turns' time all have together to choose first tickets: they look at the board for the first time."""


def commitment(seed: str, salt: str) -> str:
    """What is published before the game: it fixes the seed without telling it."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


class TableState:
    """What is known of a table in memory; everything in it is stored."""

    def __init__(
        self,
        stored: StoredTable,
        holders: Sequence[KeyHolder],
        edition: Edition,
        store: Store,
        settings: Settings,
        on_time_up: Callable[[], object],
    ) -> None:
        row = stored.row
        self.id: str = row["id"]
        self.edition = edition
        self.status: str = row["status"]
        self.options: dict[str, Any] = row["options"]
        self.lesson: LessonName | None = self.options.get("lesson")  # tables of older versions have no such option
        self.pace: float = PACES[self.options["pace"]]
        seats = Seats.from_rows(row["seats"])
        self.seating = Seating(self.id, seats, holders, row["watch"], row["version"], store)
        self.runner: str | None = row["runner"]
        """The process that runs the clock and the bots, where there may be several."""
        self.created: float = row["created"]
        self.rematch: str | None = row["rematch"]
        self.listed: bool = row["listed_at"] is not None
        """Whether anybody on this server may find it."""
        self.chat = Chat(self.id, stored.chat, store, settings.limits)
        self.listeners = Listeners()
        self.presence = Presence(self.listeners, settings.absence)
        self._changed = asyncio.Event()
        self._counting = asyncio.Lock()
        self.touched = time.time()
        self.seed_hash = commitment(row["seed"], row["salt"])
        self.clock = TurnClock(self.options["turn_seconds"], on_time_up)
        self._seed: str = row["seed"]
        self._salt: str = row["salt"]
        self._began: float | None = row["began"]
        self._ended: float | None = row["ended"]
        self._game: TableGame | None = None
        self.turn_at = time.time()
        """When the turn began that went on when the table was loaded, by the clock of whoever stored it."""
        self.dismissed: RequestError | None = None
        """Why nobody can do anything here any more, once the server's host has ended the table."""
        if self.status != "waiting":
            self._replay(stored.actions)

    def _replay(self, actions: Sequence[StoredAction]) -> None:
        """Play the stored actions again."""
        self._game = self._new_game(self.seats)
        self.turn_at = self._began or time.time()
        for action in actions:
            self._game.apply(action)
            self.turn_at = action.at if self._game.begins_turn else self.turn_at
        if self.status == "playing" and self._game.game.over:  # the server was stopped before it noted the end
            self.status, self._ended = "over", actions[-1].at
        if self.status == "playing":
            self._start_turn()

    def _apply(self, actions: Sequence[StoredAction]) -> None:
        """Take actions that another process stored."""
        for action in actions:
            self.begun.apply(action)
            if self.begun.begins_turn:
                self._start_turn(time.time() - action.at)
        if actions and self.begun.game.over:
            self.status, self._ended = "over", actions[-1].at
            self.clock.stop()

    def _take_row(self, row: dict[str, Any], holders: Sequence[KeyHolder]) -> None:
        """Take what another process stored of the table itself."""
        self.seating.take(Seats.from_rows(row["seats"]), holders)
        self.seating.spectator_key = row["watch"]
        self.seating.version = row["version"]
        self.rematch, self._began = row["rematch"], row["began"]
        self.listed = row["listed_at"] is not None
        if self.status == "waiting" and row["status"] != "waiting":
            self.status, self._game = "playing", self._new_game(self.seats)
            self._start_turn(time.time() - row["began"])

    def _new_game(self, seats: Seats) -> TableGame:
        names = [seat.name for seat in seats]
        if self.lesson is not None:
            return TableGame(lesson_game(self.lesson, names))
        return TableGame(Game(self.edition, len(names), int(self._seed), self.options["first"], names=names))

    def _start_turn(self, elapsed: float = 0.0) -> None:
        """Start the clock of a turn; votes on the one before are void."""
        self._start_clock(elapsed)
        self.seating.seats = self.seats.without_votes()

    def continue_turn(self, elapsed: float) -> None:
        """A turn that goes on began some seconds ago: loading a table gives no new time."""
        if self.playing is not None:
            self._start_clock(elapsed)

    def _start_clock(self, elapsed: float) -> None:
        self.clock.start_turn(elapsed, FIRST_CHOICE_TIMES if self.begun.simultaneous else 1)

    # -- who may do what -------------------------------------------------------------------------------------------
    @property
    def seats(self) -> Seats:
        """Who sits where."""
        return self.seating.seats

    def seats_of(self, holder: KeyHolder | None) -> tuple[int, ...]:
        """All seats of a key; a refusal where it has none."""
        if holder is None or not holder.seats:
            raise RequestError("no_seat", "you have no seat at this table", status=403)
        return holder.seats

    def seat_of(self, holder: KeyHolder | None, wanted: int | None) -> int:
        """The seat that a request is for, checked against its key."""
        held = self.seats_of(holder)
        if wanted is None:
            return next((seat for seat in held if seat in self.to_move), held[0])
        if wanted not in held:
            raise RequestError("not_your_seat", f"seat {wanted + 1} is not yours", status=403)
        return wanted

    def check_open(self) -> None:
        """Refuse whatever is asked of a table that the server's host has ended."""
        if self.dismissed is not None:
            raise self.dismissed.with_traceback(None)  # it is raised again and again

    # -- what is shown ---------------------------------------------------------------------------------------------
    @property
    def begun(self) -> TableGame:
        """The game; a refusal where it has not begun."""
        self.check_open()
        if self._game is None:
            raise RequestError("not_started", "the game has not begun")
        return self._game

    @property
    def playing(self) -> TableGame | None:
        """The game while it goes on."""
        return self._game if self.status == "playing" and self.dismissed is None else None

    @property
    def has_begun(self) -> bool:
        """Whether there is a game to show."""
        return self._game is not None

    @property
    def n(self) -> int:
        """Actions so far."""
        return self._game.n if self._game else 0

    @property
    def to_move(self) -> tuple[int, ...]:
        """Seats that may act."""
        return self._game.game.to_move if self._game else ()

    @property
    def deadline(self) -> float | None:
        """When the turn's time ends."""
        return self.clock.deadline

    def data(self) -> dict[str, Any]:
        """The table as everybody may see it."""
        here = self.presence.here
        return {
            "t": "table",
            "id": self.id,
            "edition": self.edition.id,
            "edition_name": self.edition.name,
            "status": self.status,
            "seats": [
                {
                    "seat": i,
                    **asdict(seat),
                    "for_one_turn": seat.for_one_turn,
                    "connected": seat.kind == "bot" or i in here,
                }
                for i, seat in enumerate(self.seats)
            ],
            "first": self.options["first"],
            "packs": list(self.edition.packs),
            "turn_seconds": self.options["turn_seconds"],
            "pace": self.options["pace"],
            "created": self.created,
            "n": self.n,
            "to_move": list(self.to_move),
            "spectators": self.presence.spectators,
            "seed_hash": self.seed_hash,
            "rematch": self.rematch,
            "listed": self.listed,
            "board_hash": board_hash_in(self.edition.id),
            "lesson": self.lesson,
        }

    def frame(self, viewer: int | None, known: int = 0) -> bytes:
        """The game as a seat or a spectator sees it; JSON."""
        return self.begun.frame(viewer, known, self.deadline)

    async def news(self) -> None:
        """Wait until something changes here."""
        await self._changed.wait()

    def notify(self) -> None:
        """Wake the requests that wait for news."""
        self._changed.set()
        self._changed.clear()

    # -- the end ---------------------------------------------------------------------------------------------------
    @property
    def finished(self) -> TableGame:
        """The game once it is over; a refusal before."""
        if self._game is None or self.status != "over":
            raise RequestError("not_over", "the game is not over: until then this stays secret", status=403)
        return self._game

    async def tell_end(self) -> dict[str, Any]:
        """The same, counted beside everything else: on the board of a stranger the longest path may take seconds."""
        game = self.finished
        async with self._counting:
            await asyncio.to_thread(game.end)
        return self.end()

    def end(self) -> dict[str, Any]:
        """All there is to tell of a finished game."""
        return {
            "table": self.data(),
            **self.finished.end(),
            "seed": self._seed,
            "salt": self._salt,
            "seed_hash": self.seed_hash,
            "began": self._began or self.created,
            "ended": self._ended or self.touched,
        }
