"""Real tables that are kept: several phones enter them at the same time, each its own players, and see each other.

A change is checked by the engine's count, stored, then told. What nobody may know before the count are the tickets of
others: a phone gets those of its own players alone, and what is said of the table is counted without them.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Container, Coroutine, Iterable, Iterator
from functools import lru_cache
from typing import Any

import orjson

from whistlestop.draw import draw_board
from whistlestop.errors import WhistlestopError
from whistlestop.names import check_name, is_blank
from whistlestop.notation import notation_of
from whistlestop.real_table import Count, Holdings, RealTable
from whistlestop.server import catalog, log
from whistlestop.server.real_table_store import RealTableStore, StoredRealTable
from whistlestop.server.refusals import RequestError, no_such_table, unreadable_table
from whistlestop.server.score_messages import ChangeHoldings, ChangeRealTable, NewRealTable
from whistlestop.server.store import Outdated, Store, hash_of, new_key, new_table_id
from whistlestop.server.tasks import BackgroundTasks

LISTS = ("tracks", "stations", "tickets")
Player = dict[str, Any]


class RealTables:
    """The real tables of a server: in the database, and who waits for news of them."""

    def __init__(self, store: Store, tasks: BackgroundTasks) -> None:
        self.store = RealTableStore(store)
        self._tasks = tasks
        self._waiting: dict[str, set[asyncio.Event]] = {}

    # -- looking -----------------------------------------------------------------------------------------------------
    async def look(self, table: str, key: str | None, known: int | None = None, wait: float = 0) -> dict[str, Any]:
        """A table as the holder of a key may know it; with `wait`, once it has another version than the one known."""
        with self._listening(table) as news:
            found = await self._load(table)
            if known == found.row["version"] and wait:
                with contextlib.suppress(TimeoutError):  # nothing happened: the answer says so by its version
                    await asyncio.wait_for(news.wait(), wait)
                found = await self._load(table)
        return await self._shown(found, key)

    @contextlib.contextmanager
    def _listening(self, table: str) -> Iterator[asyncio.Event]:
        """News of a table from now on; begun before it is read, so that none are lost."""
        news = asyncio.Event()
        if self._tasks.closing:
            news.set()
        self._waiting.setdefault(table, set()).add(news)
        try:
            yield news
        finally:
            self._waiting[table].discard(news)
            if not self._waiting[table]:
                del self._waiting[table]

    def hear(self, table: str) -> None:
        """A table has changed, here or by another process."""
        for news in self._waiting.get(table, ()):
            news.set()

    def wake_all(self) -> None:
        """Whoever waits looks again: news may have been lost, or the server stops."""
        for table in self._waiting:
            self.hear(table)

    async def _load(self, table: str) -> StoredRealTable:
        found = await self.store.load(table)
        if found is None:
            raise no_such_table(table)
        return found

    async def _shown(self, found: StoredRealTable, key: str | None) -> dict[str, Any]:
        try:
            return await asyncio.to_thread(table_data, found, None if key is None else hash_of(key))
        except WhistlestopError:  # its edition is another one by now
            log.logger.exception("real table unreadable", extra={"facts": {"table": found.row["id"]}})
            raise unreadable_table() from None

    async def draw(self, table: str, theme: str) -> str:
        """A table that is counted, as a picture."""
        found = await self._load(table)
        if not found.row["counted"]:
            raise RequestError("not_counted", "a real table is drawn once it is counted", "count it first")
        return await asyncio.to_thread(_drawn, found, theme)

    # -- opening -----------------------------------------------------------------------------------------------------
    async def open(self, request: NewRealTable) -> tuple[str, str]:
        """Keep a new table; its id, and the key that holds all its players."""
        edition = catalog.edition_of(request.edition)
        if request.first >= len(request.players):
            raise RequestError("wrong_first", f"there is no player {request.first + 1} to begin", status=422)
        table, key, now = new_table_id(), new_key(), time.time()
        players = [
            {
                "table_id": table,
                "seat": seat,
                "holder": hash_of(key),
                "version": 0,
                "name": player.name,
                "colour": player.colour,
                "holdings": player.model_dump(include={*LISTS, "passengers"}),
            }
            for seat, player in enumerate(request.players)
        ]
        row = {
            "id": table,
            "created": now,
            "touched": now,
            "edition": edition.id,
            "host": hash_of(key),
            "version": 0,
            "revision": 0,
            "counted": False,
            "running": request.running,
            "first": request.first,
            "turn": 0,
            "last_turn": None,
        }
        new = StoredRealTable(row, players)
        await asyncio.to_thread(_check, new, range(len(players)))
        await self.store.add(row, players)
        log.event("real table opened", table=table, edition=edition.id, players=len(players))
        return table, key

    # -- changing ----------------------------------------------------------------------------------------------------
    async def change_player(
        self, table: str, seat: int, request: ChangeHoldings, key: str | None
    ) -> tuple[list[dict[str, Any]], dict[str, Any]]:
        """Change what a player has; what would be odd and was not forced, and the table."""
        found = await self._load(table)
        before = _player(found, seat)
        if key is None or hash_of(key) != before["holder"]:
            raise RequestError("not_your_player", "another phone enters this player", status=403)
        if before["version"] != request.version:
            raise _outdated()
        after = _changed(before, request)
        players = [after if player is before else player for player in found.players]
        odd = await asyncio.to_thread(_new_oddities, found, StoredRealTable(found.row, players), seat)
        if odd and not request.force:
            return odd, await self._shown(found, key)
        values = {name: after[name] for name in ("name", "colour", "holdings")}
        await self._do(table, self.store.change_player(table, before, **values))
        return [], await self.look(table, key)

    async def change(self, table: str, request: ChangeRealTable, key: str | None) -> dict[str, Any]:
        """Change the table itself: whose turn it is, whether it is counted."""
        found = await self._load(table)
        self._check_phone(found, key, host=request.counted is not None)
        if found.row["revision"] != request.revision:
            raise _outdated()
        values = request.model_dump(include={"running", "turn", "counted"}, exclude_none=True)
        if request.turn is not None:
            low = (await self._shown(found, key))["low"]
            values["last_turn"] = last_turn(found.row, len(found.players), request.turn, bool(low))
        await self._do(table, self.store.change_table(table, request.revision, **values))
        return await self.look(table, key)

    async def take(self, table: str, seat: int, key: str | None) -> str:
        """Enter a player on another phone from now on; the key of that phone.

        A player that is on the opener's phone can be taken as long as its tickets would not be shown to somebody else.
        The opener can take a player back; tickets that were entered elsewhere are forgotten then.
        """
        found = await self._load(table)
        player = _player(found, seat)
        known = key is not None and self._is_at(found, hash_of(key))
        own = key if known and key is not None else new_key()
        if player["holder"] == hash_of(own):
            return own
        host, hidden = found.row["host"], bool(player["holdings"]["tickets"]) and not found.row["counted"]
        if hash_of(own) != host:
            if player["holder"] != host:
                raise RequestError("player_taken", f"{player['name']} is entered on another phone already")
            if hidden:
                hint = "go on there, or take them off there first"
                raise RequestError("tickets_entered", f"{player['name']}'s tickets are on another phone", hint)
            hidden = False
        holdings = {**player["holdings"], "tickets": []} if hidden else player["holdings"]
        await self._do(table, self.store.change_player(table, player, holder=hash_of(own), holdings=holdings))
        return own

    async def delete(self, table: str, key: str | None) -> None:
        """Delete a table by the wish of whoever opened it."""
        self._check_phone(await self._load(table), key, host=True)
        await self.store.delete(table)
        log.event("real table deleted", table=table)
        self.hear(table)

    async def _do(self, table: str, change: Coroutine[Any, Any, None]) -> None:
        """Store a change, then let everybody know."""
        try:
            await change
        except Outdated:
            raise _outdated() from None
        self.hear(table)

    @staticmethod
    def _is_at(found: StoredRealTable, holder: str) -> bool:
        return holder == found.row["host"] or any(player["holder"] == holder for player in found.players)

    def _check_phone(self, found: StoredRealTable, key: str | None, *, host: bool) -> None:
        if key is None or not self._is_at(found, hash_of(key)):
            raise RequestError("no_player", "only phones that enter a player can do this", status=403)
        if host and hash_of(key) != found.row["host"]:
            raise RequestError("not_host", "only the phone that opened the table can do this", status=403)


def last_turn(row: dict[str, Any], players: int, turn: int, low: bool) -> int | None:
    """The number of the last turn once `turn` begins: after the one that leaves few trains everybody has one more."""
    if not low:
        return None
    known: int | None = row["last_turn"]
    if known is not None and turn > known - players:
        return known
    return turn - 1 + players if turn > row["turn"] else None


def _outdated() -> RequestError:
    return RequestError("outdated", "somebody else has changed this meanwhile", "look at it, then try again")


def _player(found: StoredRealTable, seat: int) -> Player:
    if seat >= len(found.players):
        raise RequestError("no_such_player", f"there is no player {seat + 1}", status=404)
    return found.players[seat]


def _changed(player: Player, request: ChangeHoldings) -> Player:
    """A player after a change."""
    given = request.model_dump(include={"name", "colour"}, exclude_none=True)
    held = request.model_dump(include={*LISTS, "passengers"}, exclude_none=True)
    return {**player, **given, "holdings": {**player["holdings"], **held}}


# ---- counting -------------------------------------------------------------------------------------------------------
def table_data(found: StoredRealTable, holder: str | None) -> dict[str, Any]:
    """A table as the holder of a key may know it."""
    row = found.row
    count = _count_of(found, known_tickets=range(len(found.players)) if row["counted"] else ())
    edition = catalog.edition_of(row["edition"])
    last, turn = row["last_turn"], row["turn"]
    return {
        "id": row["id"],
        "edition": edition.id,
        "edition_name": edition.name,
        "created": row["created"],
        "version": row["version"],
        "revision": row["revision"],
        "host": holder == row["host"],
        "counted": row["counted"],
        "running": row["running"],
        "turn": turn,
        "to_move": (row["first"] + turn) % len(found.players),
        "turns_left": None if last is None else max(0, last - turn + 1),
        "low": [seat for seat, left in enumerate(count["trains"]) if left <= edition.last_round_trains],
        "players": [_player_data(player, row, holder) for player in found.players],
        "count": count,
    }


def _player_data(player: Player, row: dict[str, Any], holder: str | None) -> dict[str, Any]:
    held, mine = player["holdings"], player["holder"] == holder
    return {
        "name": player["name"],
        "colour": player["colour"],
        "version": player["version"],
        "mine": mine,
        "elsewhere": player["holder"] != row["host"],
        "tracks": held["tracks"],
        "stations": held["stations"],
        "passengers": held["passengers"],
        "ticket_count": len(held["tickets"]),
        "tickets": held["tickets"] if mine or row["counted"] else None,
    }


def _count_of(found: StoredRealTable, known_tickets: Iterable[int]) -> dict[str, Any]:
    """The count of a table as it lies, with the tickets of some players."""
    return _counted(found.row["edition"], _players_json(found, set(known_tickets)))


def _players_json(found: StoredRealTable, known: Container[int]) -> bytes:
    """What the players have, without the tickets of those that are not known."""
    players = [
        [player["name"], {**player["holdings"], "tickets": player["holdings"]["tickets"] if seat in known else []}]
        for seat, player in enumerate(found.players)
    ]
    return orjson.dumps(players)


@lru_cache(maxsize=512)
def _counted(edition: str, players: bytes) -> dict[str, Any]:
    """The engine's count as data; phones that look at one table share it."""
    count = _engine_count(edition, players)
    return {**count.json(), "trains": [player.trains for player in count.game.view(None).players]}


def _engine_count(edition: str, players: bytes) -> Count:
    named = orjson.loads(players)
    holdings = tuple(
        Holdings(**{name: tuple(held[name]) for name in LISTS}, passengers=held["passengers"]) for _, held in named
    )
    table = RealTable(catalog.edition_of(edition), tuple(name for name, _ in named), holdings)
    table.check()
    return table.count(force=True)


def _drawn(found: StoredRealTable, theme: str) -> str:
    count = _engine_count(found.row["edition"], _players_json(found, range(len(found.players))))
    colours = [player["colour"] for player in found.players]
    return draw_board(count.game.edition.board, theme=theme, **count.drawing(colours))


def _check(found: StoredRealTable, seats: Iterable[int]) -> list[dict[str, Any]]:
    """Refuse what cannot be held at all; what is odd, as far as whoever enters these players may know it."""
    if len({player["colour"] for player in found.players}) < len(found.players):
        raise RequestError("colour_taken", "two players have one colour", "give each its own", 422)
    if any(is_blank(player["name"]) for player in found.players):
        raise RequestError("bad_name", "a player has a name that can be seen", status=422)
    notation = notation_of(catalog.edition_of(found.row["edition"]))
    try:
        for player in found.players:
            check_name(player["name"])
            held = player["holdings"]
            held["stations"] = [notation.cities[notation.city_named(city)] for city in held["stations"]]
        odd: list[dict[str, Any]] = _count_of(found, seats)["odd"]
    except WhistlestopError as error:
        raise RequestError("bad_table", error.message, error.hint, 422) from None
    return odd


def _new_oddities(before: StoredRealTable, after: StoredRealTable, seat: int) -> list[dict[str, Any]]:
    """What a change of a player would make odd that was not odd before."""
    seats = range(len(before.players)) if before.row["counted"] else (seat,)
    known = {_kind(odd) for odd in _count_of(before, seats)["odd"]}
    return [odd for odd in _check(after, seats) if _kind(odd) not in known]


def _kind(odd: dict[str, Any]) -> tuple[Any, ...]:
    """What makes two oddities the same one, however much of it there is."""
    return tuple(odd[name] for name in ("code", "player", "other", "track", "city", "ticket", "colour"))
