"""Positions set up by hand: cards, tracks, tickets, stations and passengers in words, put into a state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import CARDS, MAX_TRAINS, Edition
from whistlestop.notation import Notation, card_named, notation_of, route_name
from whistlestop.obstacles import Obstacle, barrier, station_barrier
from whistlestop.spelling import did_you_mean, many, shown
from whistlestop.views import StateReader


@dataclass(frozen=True, slots=True, kw_only=True)
class Oddity:
    """Something in a position that no game comes to; `code` names the kind, the other fields are its details."""

    code: str
    """owned, closed, parallel, trains, station_taken, ticket_taken or passengers."""
    player: int | None = None
    other: int | None = None
    """Who has the same track, city or ticket."""
    track: int | None = None
    city: str | None = None
    ticket: int | None = None
    colour: str | None = None
    """Of passengers."""
    have: int | None = None
    most: int | None = None
    """That there are in the game."""

    def json(self) -> dict[str, Any]:
        """The oddity as plain data."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """What lies where; players are numbers from 0, everything else is in words."""

    hands: Mapping[int, str] = field(default_factory=dict)
    """Cards by player, as in "3 red, 1 locomotive"."""
    known: Mapping[int, str] = field(default_factory=dict)
    """Cards of a hand that everybody saw being taken."""
    face_up: str | None = None
    """The face-up cards in order; None for five of which most are left, without locomotives."""
    deck: str | None = None
    """The deck; None for all cards that are nowhere else. If it is given, the last player has the others."""
    discard: str = ""
    tracks: Mapping[int, Sequence[str | int]] = field(default_factory=dict)
    """Tracks by owner, as in "Paris–Zürich" or "Frankfurt–Paris (white)", or by number."""
    stations: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """Cities by owner."""
    tickets: Mapping[int, Sequence[str | int]] = field(default_factory=dict)
    """Tickets by player, as in "Denver–El Paso", or by number."""
    ticket_decks: Mapping[int, Sequence[str]] = field(default_factory=dict)
    """Tickets of each deck, the uppermost first. If a deck is not given, it has all that nobody holds."""
    passengers: Mapping[str, str] = field(default_factory=dict)
    """Passengers by place; the others stand on the places that are not named."""
    collected: Mapping[int, str] = field(default_factory=dict)
    """Passengers by player."""
    to_move: int = 0
    last_round: int | None = None
    """Turns left in the last round, or None."""
    over: bool = False
    odd: bool = False
    """Take what no game comes to as well, and note it: for a board that really lies so. Only to be counted, not to be
    played on, so the game must be over.
    """


def put_position(states: doors.Array, edition: Edition, position: Position) -> tuple[Oddity, ...]:
    """Change a freshly set up state into a position; what is not mentioned is put where it disturbs least.

    Returns what is odd about it, which is an error unless the position says that it may be.
    """
    if position.odd and not position.over:
        raise WhistlestopError("an odd position can be counted, not played: it must be over")
    state = states[0]
    players = int(state.players)
    for player in (*position.hands, *position.tracks, *position.tickets, *position.stations, position.to_move):
        if not 0 <= player < players:
            raise WhistlestopError(f"there is no player {player}: the players are 0 to {players - 1}")
    for player in range(players):
        state.choice[player] = lay.NONE
        state.offer[player] = lay.NONE
        state.offer_n[player] = 0
    notation = notation_of(edition)
    _put_cards(state, edition, position)
    reader = StateReader(states)
    odd = [
        *_put_tracks(reader, notation, position),
        *_put_stations(reader, notation, position),
        *_put_tickets(state, notation, position),
        *_put_passengers(state, notation, position),
    ]
    state.player, state.last_turns = position.to_move, position.last_round or 0
    state.deal = len(edition.first_tickets) - 1
    state.phase = lay.OVER if position.over else lay.TURN
    return tuple(odd)


def parse_kinds(text: str) -> list[int]:
    """Cards in words, in order: "3 red, locomotive" or "red blue blue"."""
    found = re.findall(r"(\d+)?\s*([^\W\d]+)", text)
    return [CARDS.index(card_named(word)) for number, word in found for _ in range(int(number or 1))]


def _tally(text: str) -> doors.Array:
    return np.bincount(parse_kinds(text), minlength=lay.KINDS)


# ---- cards ----------------------------------------------------------------------------------------------------------
def _put_cards(state: np.record, edition: Edition, position: Position) -> None:
    players = int(state.players)
    total = np.array(tables_of(edition)[0].card_counts, np.int64)
    state.hand[:] = 0
    state.known[:] = 0
    for player, text in position.hands.items():
        state.hand[player] = _tally(text)
    for player, text in position.known.items():
        state.known[player] = _tally(text)
    state.discard[:] = _tally(position.discard)
    deck = None if position.deck is None else _tally(position.deck)
    left = total - state.hand[:players].sum(axis=0) - state.discard - (0 if deck is None else deck)
    shown_cards = _most_left(left) if position.face_up is None else parse_kinds(position.face_up)
    if len(shown_cards) > lay.FACE_UP:
        raise WhistlestopError(f"{many(len(shown_cards), 'face-up card')}: there is room for {lay.FACE_UP}")
    np.subtract.at(left, shown_cards, 1)
    for kind in np.flatnonzero(left < 0).tolist():
        used = int(total[kind] - left[kind])
        raise WhistlestopError(f"{many(used, CARDS[kind] + ' card')} in the position, the game has {int(total[kind])}")
    state.face_up[:] = (shown_cards + [lay.NONE] * lay.FACE_UP)[: lay.FACE_UP]
    if deck is None:
        state.deck[:] = left
    else:
        state.deck[:] = deck
        state.hand[players - 1] += left.astype(state.hand.dtype)
    state.deck_n, state.discard_n = state.deck.sum(), state.discard.sum()
    state.cards[:players] = state.hand[:players].sum(axis=1)


def _most_left(left: doors.Array) -> list[int]:
    """Five cards of which most are left, without locomotives."""
    counts, found = left[: lay.LOCO].copy(), []
    for _ in range(lay.FACE_UP):
        found.append(int(counts.argmax()))
        counts[found[-1]] -= 1
    return found


# ---- tracks and stations --------------------------------------------------------------------------------------------
def _put_tracks(reader: StateReader, notation: Notation, position: Position) -> list[Oddity]:
    edition, state = notation.edition, reader.states[0]
    odd = []
    for player, given in position.tracks.items():
        for name in given:
            track, found = _track_and_obstacle(reader, notation, player, name)
            code = "" if found is None else found.code
            if code == "yours" or (code in ("owned", "closed") and not position.odd):
                raise WhistlestopError(
                    f"{notation.track_name(track)} is given twice, or a parallel track closes it (CLAIM-9)"
                )
            if found is not None and code != "trains":
                odd.append(Oddity(code=code, player=player, other=found.owner, track=track))
            if edition.trains - int(state.trains[player]) + edition.board.tracks[track].length > MAX_TRAINS:
                raise WhistlestopError(f"player {player} has more than {MAX_TRAINS} trains on the board")
            _put_track(state, tables_of(edition)[0], player, track)
        if int(state.trains[player]) < 0:
            used = edition.trains - int(state.trains[player])
            odd.append(Oddity(code="trains", player=player, have=used, most=edition.trains))
    return odd


def _put_track(state: np.record, tables: Any, player: int, track: int) -> None:
    bit = np.uint64(1 << (track & 63))
    state.tracks[player, track >> 6] |= bit
    state.open[track >> 6] &= ~bit
    state.trains[player] -= tables.length[track]
    state.points[player] += tables.track_points[track]
    if int(state.players) < tables.parallel_from:
        state.open &= ~tables.twins[track]
    else:
        state.barred[player] |= tables.twins[track]


def _track_and_obstacle(
    reader: StateReader, notation: Notation, player: int, name: str | int
) -> tuple[int, Obstacle | None]:
    """The track that is meant, of parallel ones the first that the player can have, and what is in its way."""
    if isinstance(name, int):
        if not 0 <= name < len(notation.edition.board.tracks):
            raise WhistlestopError(f"there is no track {name}: this board has {len(notation.edition.board.tracks)}")
        named = [name]
    else:
        named = notation.tracks_named(name)
    tried = [(track, barrier(notation.edition, reader, track, player)) for track in named]
    return next((one for one in tried if one[1] is None), tried[0])


def _put_stations(reader: StateReader, notation: Notation, position: Position) -> list[Oddity]:
    state = reader.states[0]
    odd = []
    for player, cities in position.stations.items():
        if len(cities) > int(state.stations_left[player]):
            left = int(state.stations_left[player])
            raise WhistlestopError(f"player {player} has {many(left, 'station')}, the position {len(cities)}")
        for name in cities:
            city = notation.city_named(name)
            found = station_barrier(notation.edition, reader, city, player)
            if position.odd and found is not None and (found.code == "border" or found.owner == player):
                raise WhistlestopError(f"player {player} cannot have a station in {notation.cities[city]}")
            if found is not None and found.code == "station_taken":
                odd.append(Oddity(code=found.code, player=player, other=found.owner, city=notation.cities[city]))
            state.stations[player] |= np.uint64(1 << city)
            state.stations_left[player] -= 1
    return odd


# ---- tickets --------------------------------------------------------------------------------------------------------
def _put_tickets(state: np.record, notation: Notation, position: Position) -> list[Oddity]:
    tables = tables_of(notation.edition)[0]
    state.memory[:] = 0
    state.memory[:, lay.TICKET] = lay.NONE
    state.tickets[:] = 0
    state.tickets_sure[:] = 0
    free = set(range(len(notation.tickets)))
    holder: dict[int, int] = {}
    odd = []
    for player, names in position.tickets.items():
        for name in names:
            held = {ticket for ticket, owner in holder.items() if owner != player} if position.odd else set()
            ticket = _take(free, notation, name, held)
            if ticket in holder:
                odd.append(Oddity(code="ticket_taken", player=player, other=holder[ticket], ticket=ticket))
                _put_ticket(state, tables, player, ticket)
            else:
                holder[ticket] = player
    for deck in range(int(tables.decks)):
        first, size = int(tables.deck_first[deck]), int(tables.deck_size[deck])
        mine = range(first, first + size)
        if deck in position.ticket_decks:
            order = [_take(free, notation, name) for name in position.ticket_decks[deck]]
            holder |= dict.fromkeys(free & set(mine), int(state.players) - 1)
        else:
            order = [] if tables.deck_leaves[deck] else sorted(free & set(mine))
        state.ticket_order[first : first + size] = order + [lay.NONE] * (size - len(order))
        state.ticket_head[deck], state.ticket_count[deck] = 0, len(order)
    for ticket, player in holder.items():
        _put_ticket(state, tables, player, ticket)
    return odd


def _put_ticket(state: np.record, tables: Any, player: int, ticket: int) -> None:
    state.tickets[player, ticket >> 6] |= np.uint64(1 << (ticket & 63))
    state.tickets_sure[player, int(ticket >= tables.deck_first[1])] += 1


def _take(free: set[int], notation: Notation, name: str | int, held: Collection[int] = ()) -> int:
    """The ticket of a name, which nobody has; failing that one of `held`, which others have."""
    named = tickets_named(notation, name)
    found = next((ticket for ticket in named if ticket in free), None)
    if found is None:
        found = next((ticket for ticket in named if ticket in held), None)
    if found is None:
        raise WhistlestopError(f"the ticket {shown(notation.ticket_name(named[0]))} is given twice")
    free.discard(found)
    return found


def tickets_named(notation: Notation, name: str | int) -> list[int]:
    """The tickets that a name or a number means: several where they have the same ends."""
    if isinstance(name, int):
        if not 0 <= name < len(notation.tickets):
            raise WhistlestopError(f"there is no ticket {name}: this edition has {len(notation.tickets)}")
        return [name]
    named = [ticket for ticket in range(len(notation.tickets)) if notation.is_ticket(ticket, name)]
    if not named:
        ends = [(ticket.a, ticket.b) for ticket in notation.tickets]
        known = [route_name(*pair) for a, b in ends for pair in ((a, b), (b, a))]
        raise WhistlestopError(f"there is no ticket {shown(name)} in this edition", did_you_mean(name, known, most=1))
    return named


# ---- passengers -----------------------------------------------------------------------------------------------------
def _put_passengers(state: np.record, notation: Notation, position: Position) -> list[Oddity]:
    if not notation.passengers:
        if position.passengers or position.collected:
            raise WhistlestopError(f"{notation.edition.name} has no passengers")
        return []
    places = dict(places_of(notation.edition.board))
    for place in position.passengers:
        if place not in places:
            raise WhistlestopError(f"no passengers wait in {shown(place)}", did_you_mean(place, places))
    waiting = {place: _colours(notation, text) for place, text in position.passengers.items()}
    taken = {player: _colours(notation, text) for player, text in position.collected.items()}
    bag = Counter(dict(enumerate(notation.edition.board.passenger_colours.values())))
    for colours in (*waiting.values(), *taken.values()):
        bag.subtract(colours)
    odd = [_too_many(notation, colour, n) for colour, n in bag.items() if n < 0]
    if odd and not position.odd:
        raise WhistlestopError(f"more {notation.passengers[min(bag, key=bag.__getitem__)]} passengers than there are")
    rest, spots = list(bag.elements()), list[int]()
    for place, room in places.items():
        here = waiting[place] if place in waiting else [rest.pop() for _ in range(min(room, len(rest)))]
        if len(here) > room:
            raise WhistlestopError(f"{place} has room for {many(room, 'passenger')}, not for {len(here)}")
        spots += here + [lay.NONE] * (room - len(here))
    state.passengers[: len(spots)] = spots
    for player, colours in (*taken.items(), (int(state.players) - 1, rest)):
        for colour in colours:
            state.collected[player, colour] += 1
    return odd


def _too_many(notation: Notation, colour: int, left: int) -> Oddity:
    """The oddity of a colour of which fewer than none are left."""
    name = notation.passengers[colour]
    most = notation.edition.board.passenger_colours[name]
    return Oddity(code="passengers", colour=name, have=most - left, most=most)


def _colours(notation: Notation, text: str) -> list[int]:
    found = re.findall(r"(\d+)?\s*([^\W\d]+)", text)
    for _, word in found:
        if word not in notation.passengers:
            raise WhistlestopError(f"{shown(word)} is no passenger", f"they are {', '.join(notation.passengers)}")
    return [notation.passengers.index(word) for number, word in found for _ in range(int(number or 1))]
