"""Who sits where at a table. Every change makes new seats, so a table can store them before it shows them."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from whistlestop.mapfile import MAX_PLAYERS, Edition
from whistlestop.names import check_name, is_blank, looks_like
from whistlestop.server.bot_roster import BotRoster
from whistlestop.server.messages import LONGEST_SEAT_NAME, ChangeSeat, NewTable, SeatRequest
from whistlestop.server.refusals import RequestError

STAND_IN = "casual"
"""The bot that plays for somebody who is away."""
MOST_MISSED = 2
"""Turns in a row whose time ran out, after which the bot plays on until the player is back."""
DEFAULT_BOT = "casual"
"""The bot of a seat for which none is named."""
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


@dataclass(frozen=True, slots=True)
class Seat:
    """A seat and who sits there."""

    kind: str
    """open, bot or person."""
    name: str
    colour: int
    bot: str | None = None
    stands_in: bool = False
    shared: bool = False
    votes: tuple[int, ...] = ()
    missed: int = 0
    """Own turns in a row whose time ran out."""

    @property
    def by_bot(self) -> bool:
        """Whether a bot acts here."""
        return self.kind == "bot" or self.stands_in

    @property
    def by_person(self) -> bool:
        """Whether a person acts here."""
        return self.kind == "person" and not self.stands_in

    @property
    def for_one_turn(self) -> bool:
        """Whether a bot only ends the turn whose time ran out."""
        return self.stands_in and 0 < self.missed < MOST_MISSED


class Seats(tuple[Seat, ...]):
    """The seats of a table, in the order of play; methods return changed seats and leave these as they are."""

    __slots__ = ()

    @classmethod
    def from_rows(cls, rows: Iterable[Mapping[str, Any]]) -> Seats:
        """Seats from how they are stored."""
        return cls(Seat(**{**row, "votes": tuple(row["votes"])}) for row in rows)

    @classmethod
    def from_requests(cls, requests: Sequence[SeatRequest], roster: BotRoster) -> Seats:
        """Seats of a new table as they are asked for, with colours and names that differ."""
        seats = cls(Seat("open", "", colour) for colour in _colours(requests))
        people = sum(request.kind in ("me", "device") for request in requests)
        for i, request in enumerate(requests):
            if request.name is not None:
                _check_name(request.name)
            if request.kind == "bot":
                seats = seats.with_bot(i, request.bot or DEFAULT_BOT, roster)
                seats = seats.renamed(i, request.name) if request.name else seats
            elif request.kind != "open":
                seats = seats.with_person(i, request.name or f"Player {i + 1}")._with(i, shared=people > 1)
        return seats

    def rows(self) -> list[dict[str, Any]]:
        """The seats as they are stored."""
        return [asdict(seat) for seat in self]

    def _with(self, number: int, **changes: Any) -> Seats:
        return Seats((*self[:number], replace(self[number], **changes), *self[number + 1 :]))

    def _others(self, number: int) -> list[Seat]:
        return [seat for i, seat in enumerate(self) if i != number]

    # -- while the table waits -------------------------------------------------------------------------------------
    @property
    def open(self) -> list[int]:
        """Numbers of the seats that nobody has taken."""
        return [i for i, seat in enumerate(self) if seat.kind == "open"]

    def free_seat(self, wanted: int | None) -> int:
        """The open seat that is asked for, or the first one."""
        free = self.open
        if not free:
            raise RequestError("full", "every seat is taken", "ask for the spectators' link")
        if wanted is not None and wanted not in free:
            there = wanted < len(self)
            raise RequestError("seat_taken", f"seat {wanted + 1} is taken" if there else "there is no such seat")
        return free[0] if wanted is None else wanted

    def with_person(self, number: int, name: str, colour: int | None = None) -> Seats:
        """A person sits down; the name is made to differ from the others'."""
        _check_name(name)
        seats = self if colour is None else self.recoloured(number, colour)
        return seats._with(number, kind="person", bot=None).renamed(number, name)

    def with_bot(self, number: int, bot: str, roster: BotRoster) -> Seats:
        """A bot of the server sits down, called after somebody who built railways."""
        roster.check(bot)
        taken = [seat.name for seat in self if seat.name]
        name = secrets.choice([name for name in BOT_NAMES if not any(looks_like(name, other) for other in taken)])
        return self._with(number, kind="bot", bot=bot, name=name)

    def with_bots(self, bot: str, roster: BotRoster) -> Seats:
        """A bot on every open seat."""
        seats = self
        for number in self.open:
            seats = seats.with_bot(number, bot, roster)
        return seats

    def changed(self, number: int, request: ChangeSeat, roster: BotRoster) -> Seats:
        """A seat as a request wants it: who sits there first, then the name and the colour."""
        seats = self
        if request.kind is not None:
            seats = seats._with(number, kind="open", name="", bot=None, shared=False)
        if request.kind == "bot":
            seats = seats.with_bot(number, request.bot or DEFAULT_BOT, roster)
        elif request.kind == "device":
            seats = seats.with_person(number, request.name or f"Player {number + 1}")
        if request.name is not None:
            _check_name(request.name)
            seats = seats.renamed(number, request.name) if seats[number].kind != "open" else seats
        return seats if request.colour is None else seats.recoloured(number, request.colour)

    def renamed(self, number: int, name: str) -> Seats:
        """A seat with a name, numbered if somebody else at the table has the same; one that only looks the same is
        refused.
        """
        for other in self._others(number):
            if other.name and other.name != name and looks_like(name, other.name):
                raise RequestError("name_taken", f"that name looks like {other.name}'s", "choose another one")
        return self._numbered(number, name)

    def _numbered(self, number: int, name: str) -> Seats:
        """A seat with a name, numbered if somebody else at the table has the same."""
        taken = [seat.name for seat in self._others(number)]
        stem = name[: LONGEST_SEAT_NAME - 3]
        names = (name, *(f"{stem} {i}" for i in range(2, MAX_PLAYERS + 1)))
        return self._with(number, name=next(name for name in names if name not in taken))

    def recoloured(self, number: int, colour: int) -> Seats:
        """A seat with a colour; an open seat or a bot that had it takes the old one."""
        owner = next((i for i, seat in enumerate(self) if seat.colour == colour and i != number), None)
        if owner is None:
            return self._with(number, colour=colour)
        if self[owner].kind == "person":
            raise RequestError("colour_taken", f"{self[owner].name} has that colour", "choose another one")
        return self._with(owner, colour=self[number].colour)._with(number, colour=colour)

    def shared_by(self, held: Sequence[int]) -> Seats:
        """The seats of one key are marked as shared when there are several."""
        seats = self
        for number in held:
            seats = seats._with(number, shared=len(held) > 1)
        return seats

    def again(self) -> Seats:
        """The seats of a rematch: the same people and bots, everybody back."""
        return Seats(Seat(s.kind, s.name, s.colour, None if s.stands_in else s.bot, shared=s.shared) for s in self)

    def without_names(self) -> Seats:
        """The seats without what people called themselves."""
        seats = Seats(replace(seat, name="") if seat.kind == "person" else seat for seat in self)
        for number, seat in enumerate(seats):
            if seat.kind == "person":
                seats = seats._numbered(number, f"Player {number + 1}")
        return seats

    # -- during the game -------------------------------------------------------------------------------------------
    def with_stand_in(self, number: int) -> Seats:
        """A bot plays for a person until they come back."""
        return self._with(number, stands_in=True, bot=STAND_IN, votes=(), missed=0)

    def without_stand_in(self, number: int) -> Seats:
        """The person plays again."""
        return self._with(number, stands_in=False, bot=None, missed=0)

    def with_time_up(self, number: int) -> Seats:
        """A person's time is up: a bot plays this turn, and all the next ones if it happens again."""
        return self.with_stand_in(number)._with(number, missed=self[number].missed + 1)

    def after_turn(self, number: int, by_bot: bool) -> Seats:
        """A turn has ended by an action of a seat: who missed it plays the next one, who played it has missed none."""
        seats = self
        if self[number].missed and not by_bot:
            seats = seats._with(number, missed=0)
        for other, seat in enumerate(seats):
            if seat.for_one_turn:
                seats = seats._with(other, stands_in=False, bot=None)
        return seats

    def can_be_voted_on(self, number: int, held: Sequence[int]) -> bool:
        """Whether whoever holds some seats may vote for a bot on a seat."""
        return number < len(self) and number not in held and self[number].by_person

    def voters(self, held: Sequence[int]) -> tuple[int, ...]:
        """Those of some seats that have a vote: who has left has none."""
        return tuple(number for number in held if self[number].by_person)

    def with_votes(self, number: int, voters: Sequence[int], wanted: bool) -> Seats:
        """Votes given or taken back, one a seat; with more than half of the other people a bot stands in."""
        votes = tuple(vote for vote in self[number].votes if vote not in voters) + (tuple(voters) if wanted else ())
        others = sum(seat.by_person for seat in self._others(number))
        return self.with_stand_in(number) if 2 * len(votes) > others else self._with(number, votes=votes)

    def without_votes(self) -> Seats:
        """The seats at the beginning of a turn."""
        return Seats(replace(seat, votes=()) for seat in self) if any(seat.votes for seat in self) else self


def check_new_table(edition: Edition, request: NewTable) -> None:
    """Refuse a table that cannot be played."""
    least, most = edition.players
    n = len(request.seats)
    if not least <= n <= most:
        raise RequestError("wrong_seats", f"{edition.name} is for {least} to {most} players, not {n}", status=422)
    if request.first is not None and request.first >= n:
        raise RequestError("wrong_first", f"there is no seat {request.first + 1} to begin", status=422)
    if sum(seat.kind == "me" for seat in request.seats) > 1:
        hint = "let others on this device sit at a device seat"
        raise RequestError("wrong_seats", "only one seat can be yours", hint, 422)
    if request.start and any(seat.kind == "open" for seat in request.seats):
        hint = "fill them, or start later"
        raise RequestError("seats_open", "a game with open seats cannot begin at once", hint, 422)


def _colours(requests: Sequence[SeatRequest]) -> list[int]:
    """A colour for each seat: the one asked for unless an earlier seat has it, else the first that is free."""
    given: list[int | None] = []
    for request in requests:
        given.append(request.colour if request.colour not in given else None)
    free = iter(sorted(set(range(MAX_PLAYERS)) - set(given)))
    return [next(free) if colour is None else colour for colour in given]


def _check_name(name: str) -> None:
    try:
        check_name(name)
    except ValueError as error:
        raise RequestError("bad_name", str(error), status=422) from None
    if is_blank(name):
        raise RequestError("bad_name", "there is nothing to see of that name", "take letters and digits", 422)
