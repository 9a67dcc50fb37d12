"""All tables of this process: opening, finding, loading from the database, dropping from memory, news of them."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from typing import Any, NamedTuple

from whistlestop.engine.bits import generator_of
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.game import strong_seed
from whistlestop.mapfile import Edition
from whistlestop.server import log
from whistlestop.server.bot_pool import BotPool
from whistlestop.server.bot_preparation import BotPreparation
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.catalog import with_packs
from whistlestop.server.jobs import JobQueue
from whistlestop.server.leases import BEAT, Leases
from whistlestop.server.lessons import LESSONS, OPPONENT, lesson_edition
from whistlestop.server.listing import SEEN_EVERY, Listing
from whistlestop.server.messages import LessonName, NewTable, OpenLesson, SeatRequest
from whistlestop.server.metrics import Metrics
from whistlestop.server.news import Item
from whistlestop.server.own_boards import Boards
from whistlestop.server.playtests import Playtests
from whistlestop.server.real_table_store import NEWS_OF_REAL_TABLE
from whistlestop.server.real_tables import RealTables
from whistlestop.server.refusals import RequestError, closed_table, no_such_table, unreadable_table
from whistlestop.server.seats import Seats, check_new_table
from whistlestop.server.settings import Settings
from whistlestop.server.shared_table import Services, SharedTable
from whistlestop.server.store import KeyHolder, Store, StoredAction, StoredTable, hash_of, new_key, new_table_id
from whistlestop.server.strange_boards import board_hash_in
from whistlestop.server.table import Table
from whistlestop.server.tasks import BackgroundTasks

RESUMED_WITHIN = 7 * 24 * 3600.0
"""Games with an action in the last so many seconds go on by themselves when the server starts."""


class AsleepTable(NamedTuple):
    """A table that is not in memory though a turn of it has an end."""

    turn_began: float
    """By the clock that only runs forward."""
    wakes: asyncio.TimerHandle


class Hall:
    """The hall in which the tables stand."""

    def __init__(self, store: Store, settings: Settings, metrics: Metrics, preparation: BotPreparation) -> None:
        self.store, self.settings, self.metrics = store, settings, metrics
        self.tasks = BackgroundTasks()
        self.leases = Leases(store)
        self._jobs = JobQueue(store)
        self.bots = BotPool(settings.bot_workers, metrics, self.tasks.spawn)
        self._roster = BotRoster(settings.bots, preparation)
        thinkers = self.bots if settings.bot_workers else self._jobs
        self._services = Services(store, settings, metrics, self.tasks, thinkers, self._roster, self.leases)
        self.listing = Listing(store, settings)
        self.real_tables = RealTables(store, self.tasks)
        self.boards = Boards(store)
        self.playtests = Playtests(settings)
        self._tables: dict[str, Table] = {}
        self._asleep: dict[str, AsleepTable] = {}
        self._loading: dict[str, asyncio.Lock] = {}
        self._changed_meanwhile: set[str] = set()
        """Tables of which news came while they were being loaded."""

    @property
    def closing(self) -> bool:
        """Whether the server is about to stop."""
        return self.tasks.closing

    async def resume(self) -> None:
        """Let the games go on that were going on when the server stopped, or another process died."""
        for table_id in await self.leases.take_orphans(time.time() - RESUMED_WITHIN):
            try:
                (await self.get(table_id)).wake()
            except RequestError as error:  # one broken table must not keep the others from going on
                log.event("table not resumed", "error", table=table_id, reason=error.message)
            except Exception:
                log.logger.exception("table not resumed", extra={"facts": {"table": table_id}})

    # -- other processes -------------------------------------------------------------------------------------------
    async def run_with_others(self) -> None:
        """Give signs of life, and take over from processes that have died, for ever; on SQLite there are none."""
        while self.leases.shared:
            await asyncio.sleep(BEAT)
            try:
                if await self.leases.beat():
                    self._look_for_the_dead()
                await self.resume()
            except Exception:  # the database is away: go on when it is back
                log.logger.exception("no sign of life", extra={"facts": {}})
            for table in list(self._tables.values()):
                table.tell_presence()

    def _look_for_the_dead(self) -> None:
        """A process came or died: tables that it ran are taken over where they are in memory."""
        for table in list(self._tables.values()):
            if table.presence.forget_others(self.leases.others):
                table.show_presence()
            table.wake()

    def hear(self, process: str, item: Item) -> None:
        """Take news of a process."""
        if process == self.leases.me:
            if item.kind == "beat":
                self.leases.hear_beat(item.data)
            return
        if item.kind == NEWS_OF_REAL_TABLE:
            self.real_tables.hear(item.about)
        elif item.kind == "answer":
            self._jobs.hear_answer(item.about, item.data)
        elif table := self._tables.get(item.about):
            self._hear_of(table, process, item)
        elif item.about in self._loading:
            self._changed_meanwhile.add(item.about)

    def _hear_of(self, table: Table, process: str, item: Item) -> None:
        match item.kind:
            case "action":
                number, *action = item.data
                table.hear_action(number, StoredAction(*action))
            case "changed":
                table.hear_change()
            case "drop":
                self.forget(table)
            case "here":
                table.presence.hear(process, *item.data)
                table.show_presence()
            case "asks":
                table.tell_presence(again=True)
            case "reaction":
                table.show_reaction(*item.data)

    def missed_news(self) -> None:
        """News may have been lost: look at all tables again."""
        for table in list(self._tables.values()):
            table.hear_change()
            table.tell_presence(again=True)
            self.store.tell(Item("asks", table.id))

    # -- memory ----------------------------------------------------------------------------------------------------
    async def forget_idle_tables(self) -> None:
        """Drop tables that nobody needs from memory, again and again."""
        while True:
            await asyncio.sleep(min(60.0, self.settings.idle))
            since = time.time() - self.settings.idle
            for table in list(self._tables.values()):
                if not table.listeners and table.touched < since and not table.lock.locked():
                    self._let_go(table)

    async def keep_listed(self) -> None:
        """Keep the tables in the list at which somebody is, again and again."""
        while self.settings.listing:
            await asyncio.sleep(SEEN_EVERY)
            try:
                await self.listing.note_seen(list(self._tables.values()))
            except Exception:  # the next time makes up for it
                log.logger.exception("listed tables not noted", extra={"facts": {}})

    def _let_go(self, table: Table) -> None:
        """Drop a table from memory; where a turn has an end, only that is kept, and the table is loaded again then."""
        if table.clock.left is None:
            self.forget(table)
        elif table.clock.left > self.settings.idle and table.is_run_here:
            began = time.monotonic() - table.clock.elapsed
            wakes = asyncio.get_running_loop().call_later(table.clock.left, self._wake_up, table.id)
            self._asleep[table.id] = AsleepTable(began, wakes)
            self._drop(table)

    def _wake_up(self, table_id: str) -> None:
        """The time of a turn is up at a table that is not in memory."""
        if not self.closing:
            self.tasks.spawn(self.get(table_id))

    def _wind_clock(self, table: Table) -> None:
        """Let the turn of a table that was loaded go on where it was: loading it gives no new time."""
        if (asleep := self._asleep.pop(table.id, None)) is not None:
            asleep.wakes.cancel()
            table.continue_turn(time.monotonic() - asleep.turn_began)
        elif table.runner in self.leases.others:
            table.continue_turn(time.time() - table.turn_at)

    def forget(self, table: SharedTable) -> None:
        """Drop a table from memory; whoever asks next loads it anew, and runs it."""
        if self._tables.get(table.id) is table:
            if self.leases.shared and table.is_run_here:
                self.tasks.spawn(self.leases.give_back(table.id))
            self._drop(table)

    def _drop(self, table: SharedTable) -> None:
        del self._tables[table.id]
        table.close()
        self.metrics.tables.set(len(self._tables))

    async def begin_to_close(self) -> None:
        """Bots stop, and requests that wait for news are answered."""
        self.tasks.closing = True
        self.real_tables.wake_all()
        for table in list(self._tables.values()):
            table.notify()

    async def close(self) -> None:
        """Let running actions end, then stop."""
        self.tasks.closing = True
        for asleep in self._asleep.values():
            asleep.wakes.cancel()
        for table in self._tables.values():
            table.close()
        await self.bots.close()
        await self.boards.close()
        await self.playtests.close()
        await self.tasks.wait(5)
        try:
            await self.leases.leave()
        except Exception:  # the database is away: the others notice by themselves that this process is gone
            log.logger.exception("not signed off", extra={"facts": {}})

    @property
    def bots_waiting(self) -> int:
        """Bots that wait for somebody to think for them."""
        return self.bots.waiting + len(self._jobs)

    @property
    def tables_run(self) -> int:
        """Tables whose clock and bots this process runs."""
        return sum(table.playing is not None and table.is_run_here for table in self._tables.values())

    @property
    def count(self) -> int:
        """Tables in memory."""
        return len(self._tables)

    # -- finding ---------------------------------------------------------------------------------------------------
    def in_memory(self, table_id: str) -> Table | None:
        """A table, if it is in memory."""
        return self._tables.get(table_id)

    async def get(self, table_id: str) -> Table:
        """A table, from memory or from the database."""
        if found := self._tables.get(table_id):
            return found
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            if found := self._tables.get(table_id):
                return found
            try:
                table = await self._load(table_id)
            finally:
                self._loading.pop(table_id, None)
        self._wind_clock(table)
        if table_id in self._changed_meanwhile:
            self._changed_meanwhile.discard(table_id)
            table.hear_change()
        table.wake()
        return table

    async def get_for(self, table_id: str, key: str | None) -> Table:
        """A table for the holder of a key, which another process may have given out a moment ago."""
        table = await self.get(table_id)
        if self.leases.shared and not table.seating.knows(key):
            await table.look_again()
        return table

    async def _load(self, table_id: str) -> Table:
        """A table from the database; a refusal if there is none, or if it cannot be replayed."""
        try:
            stored = await self.store.load(table_id)
            holders = await self.store.keys_of(table_id)
        except ValueError:
            raise self._unreadable(table_id) from None
        if stored is None:
            raise no_such_table(table_id)
        check_version(stored)
        if stored.row["status"] == "closed":
            raise closed_table()
        try:
            edition = await self.boards.edition_of_table(stored.row)
            self._make_room()
            return self._add(stored, holders, edition)
        except RequestError as refused:
            if refused.status == 503:  # no room, or no time: it may be read later
                raise
            raise self._unreadable(table_id) from None
        except Exception:  # whatever is wrong with its rows
            raise self._unreadable(table_id) from None

    def _unreadable(self, table_id: str) -> RequestError:
        """The refusal of a table whose rows make no sense; the log says where reading them failed."""
        log.logger.exception("table unreadable", extra={"facts": {"table": table_id}})
        return unreadable_table()

    def _add(self, stored: StoredTable, holders: list[KeyHolder], edition: Edition) -> Table:
        table = Table(stored, holders, edition, self._services, self.forget)
        self._tables[table.id] = table
        self.store.tell(Item("asks", table.id))
        self.metrics.tables.set(len(self._tables))
        return table

    def _make_room(self) -> None:
        """Drop the table that was quiet for longest when there are too many."""
        if len(self._tables) < self.settings.limits.tables:
            return
        quiet = [table for table in self._tables.values() if not table.listeners and table.status != "playing"]
        if not quiet:
            raise RequestError("full", "this server is full", "try again later", 503)
        self.forget(min(quiet, key=lambda table: table.touched))

    async def dismiss(self, table_id: str, refused: RequestError, store: Callable[[], Awaitable[None]]) -> None:
        """End a table by the host's will: in the database by `store`, and in memory if it is there."""
        async with self._loading.setdefault(table_id, asyncio.Lock()):
            try:
                if (table := self._tables.get(table_id)) is None:
                    await store()
                else:
                    await table.dismiss(refused, store)
                    self.forget(table)
            finally:
                self._loading.pop(table_id, None)

    # -- opening ---------------------------------------------------------------------------------------------------
    async def open(self, request: NewTable) -> tuple[Table, str, KeyHolder]:
        """Open a table; the key of whoever opened it holds the seats `me` and `device`."""
        packs = [pack.model_dump(by_alias=True) for pack in request.packs]
        own_board = board_hash_in(request.edition) is not None
        if own_board:
            self.check_boards_enabled()
        edition = with_packs(await self.boards.edition(request.edition), packs)
        check_new_table(edition, request)
        if request.listed:
            self.listing.check_enabled()
        if own_board:
            await self.boards.note_use(edition)
        if _is_own(edition):
            self._check_room_for_own()
        options = {
            "first": request.first,
            "turn_seconds": request.turn_seconds,
            "pace": request.pace,
            "packs": packs,
            **({"edition_name": edition.name} if own_board else {}),  # for lists, which read no boards
        }
        return await self._open(edition, options, request.seats, begins=request.start, listed=request.listed)

    async def open_lesson(self, lesson: LessonName, request: OpenLesson) -> tuple[Table, str, KeyHolder]:
        """Open the table of a lesson, which begins at once; the key holds the learner's seat."""
        options: dict[str, Any] = {"first": 0, "turn_seconds": None, "pace": "brisk", "packs": [], "lesson": lesson}
        learner = SeatRequest(kind="me", name=request.name, colour=request.colour)
        opponent = SeatRequest(kind="bot", bot=OPPONENT)
        return await self._open(lesson_edition(lesson), options, [learner, opponent], begins=True, listed=False)

    async def _open(
        self, edition: Edition, options: dict[str, Any], requests: Sequence[SeatRequest], *, begins: bool, listed: bool
    ) -> tuple[Table, str, KeyHolder]:
        held = tuple(i for i, seat in enumerate(requests) if seat.kind in ("me", "device"))
        key, table_id = new_key(), new_table_id()
        own = KeyHolder(hash_of(key), table_id, held, True)
        seats = Seats.from_requests(requests, self._roster)
        table = await self._create(table_id, edition, options, seats, [own], begins=begins, listed=listed)
        log.event("table opened", table=table.id, edition=edition.id, seats=len(table.seats))
        if begins:
            table.tell_start()
        return table, key, own

    def check_boards_enabled(self) -> None:
        """Refuse boards of people's own where the server's host wants none."""
        if not self.settings.boards:
            raise RequestError("boards_off", "this server plays no boards but its own", "host one yourself", 403)

    def _check_room_for_own(self) -> None:
        """Refuse another table with packs or a board of its own where there are many: each edition is in memory."""
        if sum(_is_own(table.edition) for table in self._tables.values()) >= self.settings.limits.pack_tables:
            message = "this server has no room for more tables with packs or boards of their own"
            raise RequestError("full", message, "play without one", 503)

    async def _create(
        self,
        table_id: str,
        edition: Edition,
        options: dict[str, Any],
        seats: Seats,
        holders: list[KeyHolder],
        *,
        begins: bool,
        listed: bool = False,
        rematch_of: tuple[str, int] | None = None,
    ) -> Table:
        """Store a new table, with the beginning of its game and whose rematch it is, in one write; then add it."""
        self._make_room()
        lesson = options.get("lesson")
        now, seed = time.time(), LESSONS[lesson].seed if lesson else strong_seed()
        row = {
            "id": table_id,
            "created": now,
            "touched": now,
            "status": "playing" if begins else "waiting",
            "edition": edition.id.partition("@")[0],
            "board": board_hash_in(edition.id),
            "options": options,
            "seats": seats.rows(),
            "seed": str(seed),
            "salt": secrets.token_hex(16),
            "watch": new_key(),
            "engine": version("whistlestop"),
            "generator": generator_of(seed),
            "rules": RULES_VERSION,
            "began": now if begins else None,
            "ended": None,
            "rematch": None,
            "version": 0,
            "runner": self.leases.signature if begins else None,
            "listed_at": now if listed else None,
        }
        await self.store.add_table(row, holders, rematch_of)
        self.metrics.opened.inc()
        return self._add(StoredTable(row, [], []), holders, edition)

    async def rematch(self, table: Table, key: str | None) -> tuple[Table, KeyHolder]:
        """The same people at a new table, which begins at once; their keys open it too."""
        own = table.seating.holder(key)
        if own is None:
            raise RequestError("no_seat", "you have no seat at this table", status=403)
        again = await self.get(await table.play_again(lambda: self._create_rematch(table)))
        table.show_table()
        return again, again.seating.holders[own.hash]

    async def _create_rematch(self, table: Table) -> str:
        """A table like one that is over, on which the same people play at once; the caller holds that one's lock."""
        if _is_own(table.edition):
            self._check_room_for_own()
        table_id = new_table_id()
        holders = [replace(held, table=table_id) for held in table.seating.holders.values()]
        again = await self._create(
            table_id, table.edition, dict(table.options), table.seats.again(), holders,
            begins=True, rematch_of=(table.id, table.seating.version),
        )  # fmt: skip
        again.tell_start()
        return table_id


def _is_own(edition: Edition) -> bool:
    """Whether no other server has this edition: it has packs, or a board of somebody's own."""
    return bool(edition.packs) or board_hash_in(edition.id) is not None


def check_version(stored: StoredTable) -> None:
    """Refuse a table of other rules or another chance than this server has, rather than replay it wrongly."""
    row = stored.row
    other_chance = row["seed"].isdigit() and row["generator"] != generator_of(int(row["seed"]))
    if row["rules"] != RULES_VERSION or other_chance:
        played = f"version {row['rules']} of the rules, chance {row['generator']}, Whistlestop {row['engine']}"
        hint = "its host can read it with that version: see the upgrade notes"
        raise RequestError("other_version", f"this table was played with {played}", hint, 410)
