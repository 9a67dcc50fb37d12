"""Who sits at a table and which keys hold which seats. Every change is stored, then applied."""

from __future__ import annotations

import hmac
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.messages import ChangeSeat, Join
from whistlestop.server.refusals import RequestError
from whistlestop.server.seats import Seats
from whistlestop.server.store import KeyHolder, Store, hash_of, new_key


class Seating:
    """Seats and keys of one table. Whoever changes them holds the table's lock; whoever reads them needs none."""

    def __init__(
        self,
        table_id: str,
        seats: Seats,
        holders: Sequence[KeyHolder],
        spectator_key: str,
        version: int,
        store: Store,
    ) -> None:
        self._table_id, self._store = table_id, store
        self.seats = seats
        self.version = version
        """Of the table's row."""
        self.holders = {holder.hash: holder for holder in holders}
        self.spectator_key = spectator_key

    # -- keys ------------------------------------------------------------------------------------------------------
    def holder(self, key: str | None) -> KeyHolder | None:
        """What a key opens; None without a key and for the spectators' one; a refusal for a wrong one."""
        if key is None:
            return None
        if found := self.holders.get(hash_of(key)):
            return found
        if hmac.compare_digest(key, self.spectator_key):
            return None
        raise RequestError("wrong_key", "this key does not open this table", "ask for the link again", 403)

    def knows(self, key: str | None) -> bool:
        """Whether a key is one of this table's, as far as this process knows."""
        return key is None or hash_of(key) in self.holders or hmac.compare_digest(key, self.spectator_key)

    def host(self, key: str | None) -> KeyHolder:
        """The holder of the host's key."""
        found = self.holder(key)
        if found is None or not found.host:
            raise RequestError("not_host", "only whoever opened the table may do that", status=403)
        return found

    # -- changes ---------------------------------------------------------------------------------------------------
    async def change_row(self, holders: Sequence[KeyHolder] = (), **values: Any) -> None:
        """Store a change of the table's row, with changed keys; Outdated if another process was first."""
        await self._store.change(self._table_id, self.version, holders, **values)
        self.version += 1

    async def save(self, seats: Seats, holders: Sequence[KeyHolder] = ()) -> None:
        """Store seats and changed keys, then apply them."""
        await self.change_row(holders, seats=seats.rows(), touched=time.time())
        self.take(seats, holders)

    def take(self, seats: Seats, holders: Sequence[KeyHolder]) -> None:
        """Apply seats and keys that are stored."""
        self.seats = seats
        self.holders.update((holder.hash, holder) for holder in holders)

    async def join(self, request: Join, key: str | None) -> tuple[str, KeyHolder]:
        """Somebody takes an open seat; with the key of another seat here, on the same device."""
        seat = self.seats.free_seat(request.seat)
        own = self.holder(key)
        if own is None or key is None:
            key = new_key()
            own = KeyHolder(hash_of(key), self._table_id, (), False)
        own = _with_seat(own, seat)
        await self.save(self.seats.with_person(seat, request.name, request.colour).shared_by(own.seats), [own])
        return key, own

    async def change(self, seat: int, request: ChangeSeat, key: str | None, roster: BotRoster) -> None:
        """The host changes a seat, a player their own name and colour."""
        own = self.holder(key)
        if seat >= len(self.seats):
            raise RequestError("no_such_seat", f"the table has {len(self.seats)} seats", status=404)
        if own is None or not (own.host or seat in own.seats):
            raise RequestError("not_your_seat", f"seat {seat + 1} is not yours", status=403)
        if request.kind is None:
            await self.save(self.seats.changed(seat, request, roster))
        else:
            await self._refill(seat, request, self.host(key), roster)

    async def _refill(self, seat: int, request: ChangeSeat, host: KeyHolder, roster: BotRoster) -> None:
        """Give a seat to nobody, a bot, or the host's device; whoever sat there loses it."""
        seats = self.seats.changed(seat, request, roster)
        changed = {held.hash: _without_seat(held, seat) for held in self.holders.values() if seat in held.seats}
        if request.kind == "device":
            host = changed[host.hash] = _with_seat(changed.get(host.hash, host), seat)
            seats = seats.shared_by(host.seats)
        await self.save(seats, list(changed.values()))


def _with_seat(holder: KeyHolder, seat: int) -> KeyHolder:
    return replace(holder, seats=tuple(sorted({*holder.seats, seat})))


def _without_seat(holder: KeyHolder, seat: int) -> KeyHolder:
    return replace(holder, seats=tuple(held for held in holder.seats if held != seat))
