"""All tables of this server: opening, finding, loading from the database, letting go; and who holds which key."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import time
from collections.abc import Coroutine, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from functools import lru_cache
from importlib.metadata import version
from typing import Any, TypeVar

from whistlestop.bots import bot_names
from whistlestop.mapfile import Edition, MapError, add_pack, editions, load_edition
from whistlestop.names import check_name
from whistlestop.server import log
from whistlestop.server.messages import PLAYER_COLOURS, ChangeSeat, Join, NewTable, SeatWish
from whistlestop.server.metrics import Metrics
from whistlestop.server.settings import Settings
from whistlestop.server.store import Holder, Store, Stored, hash_of, new_key
from whistlestop.server.table import Chair, Refused, Table
from whistlestop.spelling import nearest

T = TypeVar("T")
ALPHABET = "23456789abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ"
"""Letters and digits that nobody mistakes for each other."""
BOT_NAMES = (
    "Stephenson",
    "Brunel",
    "Trevithick",
    "Borsig",
    "Crampton",
    "Harkness",
    "Siemens",
    "Locke",
    "Maffei",
    "Cooper",
)
"""Bots are called after people who built railways."""
RESUMED = 7 * 24 * 3600.0
"""Games that were touched so many seconds ago go on by themselves when the server starts."""


@lru_cache(maxsize=64)
def edition_of(name: str) -> Edition:
    """An edition that comes with the package, loaded once; nothing else, since a name could be any path."""
    known = {edition.id: edition for edition in editions()}
    if name not in known:
        near = nearest(name, known)
        raise Refused(
            "no_such_edition", f"there is no edition {name!r}", f"did you mean {near}?" if near else None, 404
        )
    return load_edition(name)


def with_packs(name: str, packs: Sequence[dict[str, Any]]) -> Edition:
    """An edition with ticket packs."""
    edition = edition_of(name)
    for pack in packs:
        try:
            edition = add_pack(edition, pack)
        except MapError as error:
            raise Refused("bad_pack", error.message, error.hint, 422) from None
    return edition


class Hall:
    """The hall in which the tables stand."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics) -> None:
        self.store, self.settings, self.metrics = store, settings, metrics
        self.thinkers = ThreadPoolExecutor(settings.thinkers, thread_name_prefix="bot")
        self._tables: dict[str, Table] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._tasks: set[asyncio.Task[Any]] = set()
        self.closing = False

    # -- running things --------------------------------------------------------------------------------------------
    def spawn(self, job: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """Run something beside everything else; a failure is logged, never lost."""
        task = asyncio.create_task(job)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and not isinstance(error, Refused):
            log.logger.error("task failed", exc_info=error, extra={"facts": {}})

    def log(self, what: str, level: str = "info", **facts: Any) -> None:
        """Log something about a table."""
        log.event(what, level, **facts)

    async def resume(self) -> None:
        """Let the games go on that were going on when the server stopped."""
        for table_id in await self.store.playing(time.time() - RESUMED):
            try:
                (await self.get(table_id)).wake()
            except Exception as error:  # one broken table must not keep the others from going on
                log.logger.error("table not resumed", exc_info=error, extra={"facts": {"table": table_id}})

    async def tidy(self) -> None:
        """Let go of tables that nobody needs in memory, again and again."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.idle))
            since = time.time() - self.settings.idle
            for table in list(self._tables.values()):
                if not table.listeners and table.touched < since and table.deadline is None and not table.lock.locked():
                    self.forget(table)

    def forget(self, table: Table) -> None:
        """Drop a table from memory; whoever asks next loads it anew."""
        if self._tables.get(table.id) is table:
            del self._tables[table.id]
            table.close()
            self.metrics.tables.set(len(self._tables))

    async def stop_waiting(self) -> None:
        """Begin to close: bots stop, and requests that wait for news are answered."""
        self.closing = True
        for table in list(self._tables.values()):
            await table.notify()

    async def close(self) -> None:
        """Let running actions end, then stop."""
        self.closing = True
        for table in self._tables.values():
            table.close()
        running = [task for task in self._tasks if not task.done()]
        if running:
            await asyncio.wait(running, timeout=5)
        self.thinkers.shutdown(wait=False, cancel_futures=True)

    # -- finding ---------------------------------------------------------------------------------------------------
    def at_hand(self, table_id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(table_id)

    async def get(self, table_id: str) -> Table:
        """A table, from memory or from the database."""
        if found := self._tables.get(table_id):
            return found
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if found := self._tables.get(table_id):
                return found
            stored = await self.store.load(table_id)
            if stored is None:
                self._loading.pop(table_id, None)
                raise Refused("no_such_table", f"there is no table {table_id}", "ask for the link again", 404)
            self._make_room()
            table = self._place(stored, await self.store.keys_of(table_id))
        self._loading.pop(table_id, None)
        table.wake()
        return table

    def _place(self, stored: Stored, holders: list[Holder]) -> Table:
        edition = with_packs(stored.row["edition"], stored.row["options"]["packs"])
        table = Table(self, stored, holders, edition)
        self._tables[table.id] = table
        self.metrics.tables.set(len(self._tables))
        return table

    def _make_room(self) -> None:
        """Let go of the table that was quiet for longest when there are too many."""
        if len(self._tables) < self.settings.limits.tables:
            return
        quiet = [table for table in self._tables.values() if not table.listeners and table.status != "playing"]
        if not quiet:
            raise Refused("full", "this server is full", "try again later", 503)
        self.forget(min(quiet, key=lambda table: table.touched))

    def holder(self, table: Table, key: str | None) -> Holder | None:
        """What a key opens at a table; None without a key; a refusal for a wrong one."""
        if key is None:
            return None
        if found := table.holders.get(hash_of(key)):
            return found
        if hmac.compare_digest(key, table.watch):
            return None
        raise Refused("wrong_key", "this key does not open this table", "ask for the link again", 403)

    def host(self, table: Table, key: str | None) -> Holder:
        """The holder of a host's key."""
        found = self.holder(table, key)
        if found is None or not found.host:
            raise Refused("not_host", "only whoever opened the table may do that", status=403)
        return found

    # -- opening ---------------------------------------------------------------------------------------------------
    async def open(self, wish: NewTable) -> tuple[Table, str, Holder]:
        """Open a table; the key of whoever opened it holds the seats `me` and `device`."""
        packs = [pack.model_dump(by_alias=True) for pack in wish.packs]
        edition = with_packs(wish.edition, packs)
        _check_seats(edition, wish)
        options = {"first": wish.first, "turn_seconds": wish.turn_seconds, "pace": wish.pace, "packs": packs}
        chairs = _chairs(wish.seats)
        seats = [i for i, seat in enumerate(wish.seats) if seat.kind in ("me", "device")]
        key = new_key()
        table = await self._create(edition, options, chairs, [(hash_of(key), seats, True)])
        self.log("table opened", table=table.id, edition=edition.id, seats=len(chairs))
        if wish.start:
            await self.start(table, None)
        return table, key, table.holders[hash_of(key)]

    async def _create(
        self,
        edition: Edition,
        options: dict[str, Any],
        chairs: list[Chair],
        holders: Sequence[tuple[str, list[int], bool]],
    ) -> Table:
        self._make_room()
        table_id = "".join(secrets.choice(ALPHABET) for _ in range(10))
        now = time.time()
        row = {
            "id": table_id, "created": now, "touched": now, "status": "waiting", "edition": edition.id, "options": options,
            "seats": [asdict(chair) for chair in chairs], "seed": str(secrets.randbits(63)), "salt": secrets.token_hex(16),
            "watch": new_key(), "engine": version("whistlestop"), "began": None, "ended": None, "rematch": None,
        }  # fmt: skip
        held = [Holder(hashed, table_id, seats, host) for hashed, seats, host in holders]
        await self.store.add_table(row, held)
        self.metrics.opened.inc()
        return self._place(Stored(row, [], []), held)

    async def start(self, table: Table, fill: str | None) -> None:
        """Begin the game; open seats are filled by a bot, if one is named."""
        async with table.lock:
            if table.status != "waiting":
                raise Refused("started", "the game has begun already")
            empty = [chair for chair in table.chairs if chair.kind == "open"]
            if empty and fill is None:
                raise Refused(
                    "seats_open", f"{len(empty)} of {len(table.chairs)} seats are open", "wait, or fill them with bots"
                )
            for chair in empty:
                _sit_bot(chair, fill or "", table.chairs)
            table.status, table.began, table.touched = "playing", time.time(), time.time()
            table.game = table.new_game()
            table.new_turn()
            await self.store.save(
                table.id, status="playing", began=table.began, seats=table.seats_row(), touched=table.touched
            )
        self.log(
            "table started",
            table=table.id,
            edition=table.edition.id,
            bots=sum(chair.kind == "bot" for chair in table.chairs),
        )
        table.show_table()
        table.show_game()
        await table.notify()
        table.wake()

    # -- sitting down ----------------------------------------------------------------------------------------------
    async def join(self, table: Table, wish: Join, key: str | None) -> tuple[str, Holder]:
        """Sit down at an open seat; somebody with a seat here takes another one on the same device."""
        async with table.lock:
            if table.status != "waiting":
                raise Refused("started", "the game has begun already", "ask for the spectators' link")
            seat = _open_seat(table, wish.seat)
            own = self.holder(table, key)
            _checked_name(wish.name)
            _sit_person(table.chairs, seat, wish.name, wish.colour)
            if own is None:
                key = new_key()
                own = Holder(hash_of(key), table.id, [], False)
            own.seats = sorted({*own.seats, seat})
            for held in own.seats:
                table.chairs[held].shared = len(own.seats) > 1
            assert key is not None
            table.holders[own.hash] = own
            await self.store.put_key(own)
            await table.seats_changed()
        return key, own

    async def change(self, table: Table, seat: int, wish: ChangeSeat, key: str | None) -> None:
        """The host changes a seat, a player their own name and colour, while the table waits."""
        own = self.holder(table, key)
        async with table.lock:
            if table.status != "waiting":
                raise Refused("started", "the game has begun already")
            if seat >= len(table.chairs):
                raise Refused("no_such_seat", f"the table has {len(table.chairs)} seats", status=404)
            mine = own is not None and seat in own.seats
            if own is None or not (own.host or mine):
                raise Refused("not_your_seat", f"seat {seat + 1} is not yours", status=403)
            if wish.kind is not None:
                if not own.host:
                    raise Refused("not_host", "only whoever opened the table may do that", status=403)
                _check_change(table.chairs, seat, wish)
                await self._refill(table, seat, wish, own)
            chair = table.chairs[seat]
            if wish.name is not None and chair.kind != "open":
                _checked_name(wish.name)
                chair.name = _unique(wish.name, [other.name for other in table.chairs if other is not chair])
            if wish.colour is not None:
                _paint(table.chairs, chair, wish.colour)
            await table.seats_changed()

    async def _refill(self, table: Table, seat: int, wish: ChangeSeat, host: Holder) -> None:
        """Give a seat to nobody, a bot, or this device; whoever sat there loses it."""
        chair = table.chairs[seat]
        for holder in [held for held in table.holders.values() if seat in held.seats]:
            holder.seats = [held for held in holder.seats if held != seat]
            await self.store.put_key(holder)
        chair.kind, chair.name, chair.bot, chair.shared = "open", "", None, False
        if wish.kind == "bot":
            _sit_bot(chair, wish.bot or "casual", table.chairs)
        elif wish.kind == "device":
            _sit_person(table.chairs, seat, wish.name or f"Player {seat + 1}", wish.colour)
            host.seats = sorted({*host.seats, seat})
            for held in host.seats:
                table.chairs[held].shared = len(host.seats) > 1
            await self.store.put_key(host)

    async def rematch(self, table: Table, key: str | None) -> tuple[Table, Holder]:
        """The same people at a new table, which begins at once; their keys open it too."""
        own = self.holder(table, key)
        if own is None:
            raise Refused("no_seat", "you have no seat at this table", status=403)
        async with table.lock:
            table.finished()
            if table.rematch is None:
                chairs = [
                    Chair(c.kind, c.name, c.colour, None if c.stands_in else c.bot, False, c.shared)
                    for c in table.chairs
                ]
                holders = [(held.hash, list(held.seats), held.host) for held in table.holders.values()]
                again = await self._create(table.edition, dict(table.options), chairs, holders)
                await self.store.save(table.id, rematch=again.id)
                table.rematch = again.id
                await self.start(again, None)
        again = await self.get(table.rematch)
        table.show_table()
        return again, again.holders[own.hash]


# ---- seats ----------------------------------------------------------------------------------------------------------
def _check_seats(edition: Edition, wish: NewTable) -> None:
    least, most = edition.players
    if not least <= len(wish.seats) <= most:
        raise Refused(
            "wrong_seats", f"{edition.name} is for {least} to {most} players, not {len(wish.seats)}", status=422
        )
    if wish.first is not None and wish.first >= len(wish.seats):
        raise Refused("wrong_first", f"there is no seat {wish.first + 1} to begin", status=422)
    if sum(seat.kind == "me" for seat in wish.seats) > 1:
        raise Refused(
            "wrong_seats", "only one seat can be yours", "let others on this device sit at a device seat", 422
        )
    if wish.start and any(seat.kind == "open" for seat in wish.seats):
        raise Refused("seats_open", "a game with open seats cannot begin at once", "fill them, or start later", 422)


def _chairs(wishes: Sequence[SeatWish]) -> list[Chair]:
    """Chairs as wished, with colours and names that differ."""
    chairs = [Chair("open", "", -1) for _ in wishes]
    for chair, wish in zip(chairs, wishes, strict=True):
        if wish.colour is not None and all(other.colour != wish.colour for other in chairs):
            chair.colour = wish.colour
    for chair in chairs:
        if chair.colour < 0:
            chair.colour = min(set(range(PLAYER_COLOURS)) - {other.colour for other in chairs})
    people = sum(wish.kind in ("me", "device") for wish in wishes)
    for i, (chair, wish) in enumerate(zip(chairs, wishes, strict=True)):
        if wish.kind == "bot":
            _checked_name(wish.name or "x")
            _sit_bot(chair, wish.bot or "casual", chairs)
            chair.name = _unique(wish.name, [c.name for c in chairs if c is not chair]) if wish.name else chair.name
        elif wish.kind != "open":
            _checked_name(wish.name or "x")
            chair.kind, chair.shared = "person", people > 1
            chair.name = _unique(wish.name or f"Player {i + 1}", [c.name for c in chairs if c is not chair])
    return chairs


def _check_change(chairs: Sequence[Chair], seat: int, wish: ChangeSeat) -> None:
    """Refuse a change that cannot be made before anything is changed."""
    if wish.name is not None:
        _checked_name(wish.name)
    if wish.kind == "bot":
        _check_bot(wish.bot or "casual")
    if wish.colour is not None:
        _check_colour(chairs, chairs[seat], wish.colour)


def _checked_name(name: str) -> None:
    try:
        check_name(name)
    except ValueError as error:
        raise Refused("bad_name", str(error), status=422) from None


def _sit_person(chairs: Sequence[Chair], seat: int, name: str, colour: int | None) -> None:
    chair = chairs[seat]
    if colour is not None:
        _paint(chairs, chair, colour)
    chair.kind, chair.bot = "person", None
    chair.name = _unique(name, [other.name for other in chairs if other is not chair])


def _check_bot(level: str) -> None:
    if level not in bot_names():
        near = nearest(level, bot_names())
        hint = f"did you mean {near}?" if near else f"the bots are {', '.join(bot_names())}"
        raise Refused("no_such_bot", f"there is no bot {level!r}", hint, 422)


def _sit_bot(chair: Chair, level: str, chairs: Sequence[Chair]) -> None:
    _check_bot(level)
    taken = {other.name for other in chairs}
    free = [name for name in BOT_NAMES if name not in taken]
    chair.kind, chair.bot, chair.name = "bot", level, secrets.choice(free)


def _check_colour(chairs: Sequence[Chair], chair: Chair, colour: int) -> Chair | None:
    """The chair that has a colour already, if it can give it away."""
    other = next((one for one in chairs if one.colour == colour and one is not chair), None)
    if other is not None and other.kind == "person":
        raise Refused("colour_taken", f"{other.name} has that colour", "choose another one")
    return other


def _paint(chairs: Sequence[Chair], chair: Chair, colour: int) -> None:
    """Give a chair a colour; an open chair that had it takes the other's old one."""
    other = _check_colour(chairs, chair, colour)
    if other is not None:
        other.colour = chair.colour
    chair.colour = colour


def _unique(name: str, taken: Sequence[str]) -> str:
    """A name that nobody else at the table has."""
    if name not in taken:
        return name
    return next(f"{name[:21]} {i}" for i in range(2, 9) if f"{name[:21]} {i}" not in taken)


def _open_seat(table: Table, wanted: int | None) -> int:
    free = [i for i, chair in enumerate(table.chairs) if chair.kind == "open"]
    if not free:
        raise Refused("full", "every seat is taken", "ask for the spectators' link")
    if wanted is not None and wanted not in free:
        raise Refused(
            "seat_taken", f"seat {wanted + 1} is taken" if wanted < len(table.chairs) else "there is no such seat"
        )
    return free[0] if wanted is None else wanted
