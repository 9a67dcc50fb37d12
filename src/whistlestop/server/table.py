"""One table: who sits where, the game, who listens. It orders and stores what players do and shows it; it knows no rules."""

from __future__ import annotations

import asyncio
import hashlib
import secrets
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import orjson

from whistlestop.bots import Bot, Limit, bot
from whistlestop.errors import IllegalAction, InvalidNotation, WhistlestopError
from whistlestop.game import Action, Game
from whistlestop.names import is_writable
from whistlestop.obstacles import station_obstacle, track_obstacle
from whistlestop.server import log, story
from whistlestop.server.messages import PACES
from whistlestop.server.store import Holder, Stored, Taken
from whistlestop.views import SIMULTANEOUS_NAMES

if TYPE_CHECKING:
    from whistlestop.mapfile import Edition
    from whistlestop.server.hall import Hall

STAND_IN = "casual"
"""The bot that plays for somebody who is away."""
LAST_WORDS = 0.1
"""Seconds that listeners have to get their last answers when a table leaves the memory."""
THINKING = 10.0
"""Seconds that a bot may think about one action."""
AFTER_FAULT = 1.0
"""Seconds after which a bot tries again what the server could not store."""


class Refused(Exception):  # noqa: N818  (named for what the sender reads)
    """A wish that is not granted: a code for programs, a sentence for people. Nothing changed."""

    def __init__(self, code: str, message: str, hint: str | None = None, status: int = 409) -> None:
        super().__init__(message)
        self.code, self.message, self.hint, self.status = code, message, hint, status

    def json(self, ref: int | None = None) -> dict[str, Any]:
        """The refusal as data."""
        return {"t": "error", "ref": ref, "code": self.code, "message": self.message, "hint": self.hint}


def illegal(error: WhistlestopError) -> Refused:
    """A refusal in the words of the game's error."""
    code = "illegal" if isinstance(error, IllegalAction) else "not_understood"
    return Refused(code, error.message, error.hint, 422)


class Listener(Protocol):
    """Somebody who is shown the table: a socket."""

    known: int
    """The last action it was told."""
    game_shown: bool
    """Whether it wants frames."""

    @property
    def eyes(self) -> int | None:
        """The seat it looks through; None for a spectator."""

    @property
    def seats(self) -> frozenset[int]:
        """Seats its key holds."""

    def send(self, message: bytes) -> None:
        """Show a message soon; never waits."""

    def let_go(self) -> None:
        """Hang up; whoever it is comes back and looks again."""


@dataclass(slots=True)
class Chair:
    """A seat and who sits there."""

    kind: str
    """open, bot or person."""
    name: str
    colour: int
    bot: str | None = None
    stands_in: bool = False
    shared: bool = False
    votes: list[int] = field(default_factory=list)

    @property
    def by_bot(self) -> bool:
        """Whether a bot acts here."""
        return self.kind == "bot" or self.stands_in


def commitment(seed: str, salt: str) -> str:
    """What is published before the game: it fixes the seed without telling it."""
    return hashlib.sha256(f"{seed}:{salt}".encode()).hexdigest()


class Table:
    """A table in memory: a replay of what the database holds."""

    def __init__(self, hall: Hall, stored: Stored, holders: list[Holder], edition: Edition) -> None:
        self.hall = hall
        row = stored.row
        self.id: str = row["id"]
        self.status: str = row["status"]
        self.options: dict[str, Any] = row["options"]
        self.chairs = [Chair(**chair) for chair in row["seats"]]
        self.seed: str = row["seed"]
        self.salt: str = row["salt"]
        self.watch: str = row["watch"]
        self.created: float = row["created"]
        self.began: float | None = row["began"]
        self.ended: float | None = row["ended"]
        self.rematch: str | None = row["rematch"]
        self.seed_hash = commitment(self.seed, self.salt)
        self.edition = edition
        self.holders = {holder.hash: holder for holder in holders}
        self.chat = [_line(line) for line in stored.chat]
        self.listeners: set[Listener] = set()
        self.lock = asyncio.Lock()
        self.touched = time.time()
        self.deadline: float | None = None
        self.changed = asyncio.Condition()
        self.game: Game | None = None
        self.told: list[story.Told] = []
        self._turn_since = time.time()
        self._choice_since = 0
        self._alarm: asyncio.TimerHandle | None = None
        self._bots: dict[int, Bot] = {}
        self._bot_task: asyncio.Task[None] | None = None
        self._end: dict[str, Any] | None = None
        if self.status != "waiting":
            self._replay(stored)

    def _replay(self, stored: Stored) -> None:
        """The state is a replay of the stored actions."""
        self.game = self.new_game()
        for seat, action, by_bot, at in stored.actions:
            self._choice_began()
            _, told = story.play(self.game, action, seat, at, by_bot)
            self.told.append(told)
        self._choice_began()
        if self.status == "playing" and self.game.over:  # the server was stopped between the last action and the end
            self.status, self.ended = "over", stored.actions[-1][3]
        if self.status == "playing":
            self.new_turn()

    def new_game(self) -> Game:
        """The game of this table before its first action."""
        names = [chair.name for chair in self.chairs]
        return Game(self.edition, len(names), int(self.seed), self.options["first"], names=names)

    # -- who may what ----------------------------------------------------------------------------------------------
    def seat_of(self, holder: Holder | None, wanted: int | None) -> int:
        """The seat that a wish is for, checked against its key."""
        if holder is None or not holder.seats:
            raise Refused("no_seat", "you have no seat at this table", status=403)
        if wanted is None:
            movers = self.game.to_move if self.game else ()
            return next((seat for seat in holder.seats if seat in movers), holder.seats[0])
        if wanted not in holder.seats:
            raise Refused("not_your_seat", f"seat {wanted + 1} is not yours", status=403)
        return wanted

    def playing(self) -> Game:
        """The game that is going on; a refusal says why there is none."""
        if self.game is None:
            raise Refused("not_started", "the game has not begun")
        if self.status == "over":
            raise Refused("over", "the game is over")
        return self.game

    # -- what is shown ---------------------------------------------------------------------------------------------
    def data(self) -> dict[str, Any]:
        """The table as everybody may see it."""
        connected = {seat for listener in self.listeners for seat in listener.seats}
        return {
            "t": "table",
            "id": self.id,
            "edition": self.edition.id,
            "edition_name": self.edition.name,
            "status": self.status,
            "seats": [
                {"seat": i, **asdict(chair), "connected": i in connected or chair.kind == "bot"}
                for i, chair in enumerate(self.chairs)
            ],
            "first": self.options["first"],
            "packs": list(self.edition.packs),
            "turn_seconds": self.options["turn_seconds"],
            "pace": self.options["pace"],
            "created": self.created,
            "n": len(self.told),
            "to_move": list(self.game.to_move) if self.game else [],
            "spectators": sum(not listener.seats for listener in self.listeners),
            "seed_hash": self.seed_hash,
            "rematch": self.rematch,
        }

    def frame(self, eyes: int | None, known: int = 0, public: dict[str, Any] | None = None) -> dict[str, Any]:
        """The game as a seat or a spectator sees it."""
        if self.game is None:
            raise Refused("not_started", "the game has not begun")
        return story.frame(self.game, self.told, eyes, min(known, len(self.told)), self.deadline, public)

    def show_table(self) -> None:
        """Tell all listeners who sits where."""
        message = orjson.dumps(self.data())
        for listener in self.listeners:
            listener.send(message)

    def show_game(self) -> None:
        """Send every listener what it has not seen; those who know and see the same share one message."""
        watching = [listener for listener in self.listeners if listener.game_shown]
        if self.game is None or not watching:
            return
        public = self.game.view(None).public()
        made: dict[tuple[int | None, int], bytes] = {}
        for listener in watching:
            key = (listener.eyes, listener.known)
            if key not in made:
                made[key] = orjson.dumps(self.frame(*key, public))
            listener.known = len(self.told)
            listener.send(made[key])

    def add(self, listener: Listener) -> None:
        """Somebody came: the others see it, if it is a player."""
        self.listeners.add(listener)
        self.show_table()
        self.wake()

    def remove(self, listener: Listener) -> None:
        """Somebody went."""
        self.listeners.discard(listener)
        self.touched = time.time()
        self.show_table()

    async def notify(self) -> None:
        """Wake the requests that wait for news."""
        async with self.changed:
            self.changed.notify_all()

    # -- acting ----------------------------------------------------------------------------------------------------
    async def act(self, seat: int, action: int | str, n: int, by_bot: bool = False) -> int:
        """Play an action on the state after action `n`; its number once it is stored. Sending it again is harmless."""
        return await asyncio.shield(self.hall.spawn(self._act(seat, action, n, by_bot)))

    async def _act(self, seat: int, action: int | str, n: int, by_bot: bool) -> int:
        async with self.lock:
            game = self.game
            if game is not None and (again := self._repeated(game, seat, action, n)) is not None:
                return again
            game = self.playing()
            self._may_act(game, seat, n, by_bot)
            at = time.time()
            try:
                move, told = story.play(game, action, seat, at, by_bot)
            except (IllegalAction, InvalidNotation) as error:
                raise illegal(error) from None
            try:
                await self.hall.store.append(self.id, move.number, seat, move.action.id, by_bot, at)
            except BaseException as error:
                game.undo()
                if isinstance(error, Taken):
                    self.hall.forget(self)
                    raise Refused("stale", "somebody else acted first", "look at the table again") from None
                raise
            self.told.append(told)
            self.hall.metrics.actions.labels("bot" if by_bot else "person").inc()
            await self._acted(game)
            return move.number

    def _repeated(self, game: Game, seat: int, action: int | str, n: int) -> int | None:
        """The number of the seat's next action after `n`, if it is this very one: a message that was sent twice."""
        move = next((move for move in game.history[n:] if move.player == seat), None)
        same = move is not None and action in (move.action.id, move.action.text)
        return move.number if move is not None and same else None

    def _may_act(self, game: Game, seat: int, n: int, by_bot: bool) -> None:
        chair = self.chairs[seat]
        if chair.by_bot != by_bot:
            raise (
                Refused("stale", "the player is back")
                if by_bot
                else Refused("stands_in", "a bot plays for you", "say that you are back")
            )
        least = self._choice_since if game.phase in SIMULTANEOUS_NAMES else len(game.history)
        if not least <= n <= len(game.history):
            raise Refused(
                "stale",
                f"the game has moved on: you saw action {n}, it is at {len(game.history)}",
                "look at the table again",
            )
        if seat not in game.to_move:
            who = ", ".join(game.names[p] for p in game.to_move)
            raise Refused("not_your_turn", f"it is the turn of {who}, not of {chair.name}")

    async def _acted(self, game: Game) -> None:
        """What follows an action: the clock, the end, the news, the bots."""
        self.touched = time.time()
        self._choice_began()
        if game.over:
            self.status, self.ended, self.deadline = "over", time.time(), None
            await self.hall.store.save(self.id, status="over", ended=self.ended, touched=self.touched)
            self.hall.log("table over", table=self.id, actions=len(self.told))
        elif game.phase == "turn" or self.told[-1].seat not in game.to_move:
            self.new_turn()
        self.show_game()
        if game.over:
            self.show_table()
        await self.notify()
        self.wake()

    def _choice_began(self) -> None:
        """Remember at which action a choice of all players at once began: meanwhile others' choices make nobody's number stale."""
        game = self.game
        if game is not None and (game.phase not in SIMULTANEOUS_NAMES or len(game.to_move) == game.players):
            self._choice_since = len(game.history)

    # -- time ------------------------------------------------------------------------------------------------------
    def new_turn(self) -> None:
        """Start the clock of a turn; votes on the one before are void."""
        self._turn_since = time.time()
        for chair in self.chairs:
            chair.votes.clear()
        seconds = self.options["turn_seconds"]
        self.deadline = None if seconds is None else round(self._turn_since + seconds, 3)
        if self._alarm:
            self._alarm.cancel()
        if self.deadline is not None:
            self._alarm = asyncio.get_running_loop().call_later(seconds, lambda: self.hall.spawn(self._time_up()))

    async def _time_up(self) -> None:
        """Whoever had to act and did not is replaced by a bot until they come back."""
        async with self.lock:
            if (
                self.status != "playing"
                or self.deadline is None
                or time.time() < self.deadline - 0.05
                or self.game is None
            ):
                return
            for seat in self.game.to_move:
                if not self.chairs[seat].by_bot:
                    self._stand_in(seat)
            await self.seats_changed()

    # -- bots ------------------------------------------------------------------------------------------------------
    def wake(self) -> None:
        """Let the bots play if it is their turn."""
        if (
            self.status == "playing"
            and not self.hall.closing
            and (self._bot_task is None or self._bot_task.done())
            and self._bot_seat() is not None
        ):
            self._bot_task = self.hall.spawn(self._play_bots())

    def _bot_seat(self) -> int | None:
        game = self.game
        return None if game is None else next((seat for seat in game.to_move if self.chairs[seat].by_bot), None)

    async def _play_bots(self) -> None:
        """Play for the bots as long as it is their turn; a fault, such as a full disk, makes them wait, not stop."""
        while self.status == "playing" and not self.hall.closing and (seat := self._bot_seat()) is not None:
            try:
                await self._play_bot(seat)
            except Refused as refused:
                if refused.code not in ("stale", "over"):
                    raise
            except Exception:
                log.logger.exception("bot could not act", extra={"facts": {"table": self.id, "seat": seat}})
                await asyncio.sleep(AFTER_FAULT)

    async def _play_bot(self, seat: int) -> None:
        """Let a bot look, think and act."""
        await self._pause(seat)
        async with self.lock:
            game = self.game
            if game is None or seat not in game.to_move or not self.chairs[seat].by_bot:
                return
            n, view = len(game.history), game.view(seat)
        action = await self._chosen(seat, lambda: self._player(seat).act(view, Limit(seconds=THINKING)))
        await self._act_for_bot(seat, action, n)

    async def _act_for_bot(self, seat: int, action: int, n: int) -> None:
        """Play what a bot chose; if it may not do that, another takes the action."""
        try:
            await self.act(seat, action, n, by_bot=True)
        except Refused as refused:
            if refused.code != "illegal":
                raise
            await self.act(seat, self._instead(seat, refused), n, by_bot=True)

    async def _chosen(self, seat: int, think: Callable[[], Action]) -> int:
        """What the bot chose, off the event loop; one that fails must not stop the table, so another takes that action."""
        began = time.perf_counter()
        try:
            return (await asyncio.get_running_loop().run_in_executor(self.hall.thinkers, think)).id
        except Exception as error:
            return self._instead(seat, error)
        finally:
            self.hall.metrics.bot_seconds.observe(time.perf_counter() - began)

    def _instead(self, seat: int, error: Exception) -> int:
        """Any action, in the place of a bot that failed."""
        self.hall.log(
            "bot failed", level="error", table=self.id, seat=seat, bot=self.chairs[seat].bot, error=repr(error)
        )
        self.hall.metrics.bot_failures.inc()
        assert self.game is not None
        return bot("random", secrets.randbits(32)).act(self.game.view(seat), Limit()).id

    async def _pause(self, seat: int) -> None:
        """Bots wait a little, so that people can follow; nobody needs that in the first choice, or where nobody looks on."""
        assert self.game is not None
        pace = PACES[self.options["pace"]]
        if self.chairs[seat].stands_in:
            await asyncio.sleep(max(pace, self.hall.settings.stand_in_waits))
        elif pace and self.listeners and self.game.phase not in SIMULTANEOUS_NAMES:
            await asyncio.sleep(pace if self.game.phase == "turn" else pace * 0.7)

    def _player(self, seat: int) -> Bot:
        if seat not in self._bots:
            self._bots[seat] = bot(self.chairs[seat].bot or STAND_IN, secrets.randbits(32))
        return self._bots[seat]

    # -- seats during a game ---------------------------------------------------------------------------------------
    def _stand_in(self, seat: int) -> None:
        chair = self.chairs[seat]
        chair.stands_in, chair.bot = True, STAND_IN
        chair.votes.clear()
        self._bots.pop(seat, None)

    async def seats_changed(self) -> None:
        """Keep and show who sits where."""
        await self.hall.store.save(self.id, seats=self.seats_row())
        self.touched = time.time()
        self.show_table()
        await self.notify()
        self.wake()

    def seats_row(self) -> list[dict[str, Any]]:
        """The seats as they are stored."""
        return [asdict(chair) for chair in self.chairs]

    async def leave(self, seat: int) -> None:
        """A bot plays for this seat until its player comes back."""
        async with self.lock:
            self.playing()
            if not self.chairs[seat].by_bot:
                self._stand_in(seat)
                await self.seats_changed()

    async def back(self, seat: int) -> None:
        """The player is back; the bot goes."""
        async with self.lock:
            chair = self.chairs[seat]
            if chair.stands_in:
                chair.stands_in, chair.bot = False, None
                if self.game is not None and seat in self.game.to_move and self.status == "playing":
                    self.new_turn()
                    self.show_game()
                await self.seats_changed()

    async def vote(self, voter: int, seat: int, wanted: bool) -> None:
        """A player wants a bot to stand in for somebody who is gone or too slow; more than half of the others decide."""
        async with self.lock:
            game = self.playing()
            if (
                seat >= len(self.chairs)
                or self.chairs[seat].kind != "person"
                or self.chairs[seat].stands_in
                or seat == voter
            ):
                raise Refused("no_vote", "that seat cannot be voted on")
            gone = not any(seat in listener.seats for listener in self.listeners)
            slow = seat in game.to_move and time.time() - self._turn_since >= self.hall.settings.patience
            if wanted and not (gone or slow):
                raise Refused("not_gone", f"{self.chairs[seat].name} is here", "wait a minute, or ask in the chat")
            votes = self.chairs[seat].votes
            if voter in votes:
                votes.remove(voter)
            if wanted:
                votes.append(voter)
            others = [
                i for i, chair in enumerate(self.chairs) if chair.kind == "person" and not chair.stands_in and i != seat
            ]
            if 2 * len(votes) > len(others):
                self._stand_in(seat)
            await self.seats_changed()

    # -- talk ------------------------------------------------------------------------------------------------------
    async def say(self, seat: int, text: str) -> None:
        """Say something to everybody at the table."""
        if not all(map(is_writable, text)):
            raise Refused("malformed", "chat is plain text on one line", status=422)
        async with self.lock:
            line = {
                "table_id": self.id,
                "number": len(self.chat) + 1,
                "seat": seat,
                "name": self.chairs[seat].name,
                "text": text,
            }
            line["at"] = round(time.time(), 3)
            await self.hall.store.add_chat(line)
            self.chat.append(_line(line))
            message = orjson.dumps(self.chat[-1])
        self._tell(message)

    def react(self, seat: int, reaction: str) -> None:
        """Show a quick reaction."""
        self._tell(orjson.dumps({"t": "reaction", "seat": seat, "reaction": reaction}))

    def _tell(self, message: bytes) -> None:
        """Send something to those who hold a key of the table."""
        for listener in self.listeners:
            if listener.game_shown:
                listener.send(message)

    # -- questions -------------------------------------------------------------------------------------------------
    def why(self, eyes: int | None, track: int | None, city: str | None, ref: int | None = None) -> dict[str, Any]:
        """Why a track or a station cannot be had."""
        view = self._seen(eyes)
        if track is not None and 0 <= track < len(self.edition.board.tracks):
            found = track_obstacle(view, track)
        elif city is not None and any(city == known.name for known in self.edition.board.cities):
            found = station_obstacle(view, city)
        else:
            raise Refused("no_such_place", "there is no such track or city", status=422)
        return {"t": "why", "ref": ref, "track": track, "city": city, "obstacle": found.json()}

    def way(self, eyes: int | None, a: str, b: str, ref: int | None = None) -> dict[str, Any]:
        """The viewer's cheapest way between two places."""
        from whistlestop.bots.paths import cheapest_path

        known = {name for city in self.edition.board.cities for name in (city.name, city.country) if name}
        if a not in known or b not in known:
            raise Refused("no_such_place", "there is no such city", status=422)
        view = self._seen(eyes)
        tracks = cheapest_path(view, a, b)
        mine = {track for track, owner in view.owners.items() if owner == eyes}
        missing = [track for track in tracks or () if track not in mine]
        trains = sum(self.edition.board.tracks[track].length for track in missing)
        found = None if tracks is None else list(tracks)
        return {"t": "way", "ref": ref, "from": a, "to": b, "tracks": found, "missing": missing, "trains": trains}

    def _seen(self, eyes: int | None) -> Any:
        if self.game is None:
            raise Refused("not_started", "the game has not begun")
        return self.game.view(eyes)

    # -- the end ---------------------------------------------------------------------------------------------------
    def finished(self) -> Game:
        """The game once it is over."""
        if self.game is None or self.status != "over":
            raise Refused("not_over", "the game is not over: until then this stays secret", status=403)
        return self.game

    def end(self) -> dict[str, Any]:
        """All there is to tell of a finished game."""
        game = self.finished()
        if self._end is None:
            stats = story.statistics(game, self.told)
            self._end = {
                "result": game.result().json(),
                "seed": self.seed,
                "salt": self.salt,
                "seed_hash": self.seed_hash,
                "timeline": story.timeline(game),
                "stats": stats,
                "n": len(self.told),
                "turns": sum(seat["turns"] for seat in stats),
                "began": self.began or self.created,
                "ended": self.ended or self.touched,
            }
        return {"table": self.data(), **self._end}

    def replay(self, n: int, eyes: int | None) -> dict[str, Any]:
        """The finished game after action `n`, as a seat or a spectator saw it."""
        game = self.finished()
        if n > len(self.told) or (eyes is not None and eyes >= game.players):
            raise Refused(
                "no_such_moment", f"the game has actions 0 to {len(self.told)} and {game.players} players", status=404
            )
        return story.frame(game.at(n), self.told[:n], eyes, 0, None)

    def close(self) -> None:
        """Stop the clock and let the listeners go, once they have their answers; what is stored stays."""
        for listener in self.listeners:
            asyncio.get_running_loop().call_later(LAST_WORDS, listener.let_go)
        if self._alarm:
            self._alarm.cancel()
        if self._bot_task:
            self._bot_task.cancel()


def _line(line: dict[str, Any]) -> dict[str, Any]:
    """A line of chat as it is sent."""
    return {
        "t": "chat",
        "n": line["number"],
        "seat": line["seat"],
        "name": line["name"],
        "text": line["text"],
        "at": line["at"],
    }
