"""A state in words: who may act, who owns what, and what a player may know of it."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from whistlestop import rich_display
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.mapfile import CARDS, Edition
from whistlestop.notation import Action, Notation, Situation, cards_text, notation_of, route_name

SIMULTANEOUS = (lay.ANNOUNCE, lay.FIRST_TICKETS)
"""Phases in which every player who has not chosen may act."""
SIMULTANEOUS_NAMES = tuple(lay.PHASES[phase] for phase in SIMULTANEOUS)


# ---- reading a state ------------------------------------------------------------------------------------------------
Snapshot = tuple[int, ...]
"""One state in plain numbers, read at once: quicker where much of it is looked at. The names below are places in it."""

_UNREAD = ("rng", "key", "barred", "deck", "ticket_order", "ticket_head", "memory", "tickets_late")
_CODES = {"u8": "Q", "i2": "h", "i1": "b"}


def _lay_out() -> tuple[struct.Struct, dict[str, int], dict[str, int]]:
    """How the bytes of a state become numbers, where each field begins among them, and how long its rows are."""
    code, first, row, place = "=", {}, {}, 0
    for name in lay.STATE.names or ():
        field = lay.STATE[name]
        numbers = field.itemsize // field.base.itemsize
        if name in _UNREAD:
            code += f"{field.itemsize}x"
            continue
        code += f"{numbers}{_CODES[field.base.str[1:]]}"
        first[name], row[name] = place, field.shape[-1] if field.shape else 1
        place += numbers
    return struct.Struct(code), first, row


_NUMBERS, _FIRST, _ROW = _lay_out()


def _whole(name: str) -> slice:
    """All numbers of a field."""
    return slice(_FIRST[name], _FIRST[name] + lay.STATE[name].itemsize // lay.STATE[name].base.itemsize)


def _rows(name: str) -> tuple[slice, ...]:
    """The numbers of each player's row of a field."""
    first, row = _FIRST[name], _ROW[name]
    return tuple(slice(first + row * player, first + row * (player + 1)) for player in range(lay.MAX_PLAYERS))


PHASE, PLAYER, PLAYERS, DEAL = (_FIRST[name] for name in ("phase", "player", "players", "deal"))
DECK_N, LAST_TURNS, EXTRA, TRACK, LAID_COLOUR = (
    _FIRST[name] for name in ("deck_n", "last_turns", "extra", "track", "laid_colour")
)
OPEN, TRACKS, STATIONS, POINTS, CHOICE = map(_whole, ("open", "tracks", "stations", "points", "choice"))
CARDS_HELD, TRAINS, STATIONS_LEFT, TICKETS_MIXED, OFFER_N = map(
    _whole, ("cards", "trains", "stations_left", "tickets_mixed", "offer_n")
)
DISCARD, FACE_UP, LAID, TURNED = map(_whole, ("discard", "face_up", "laid", "turned"))
TICKET_COUNT, PASSENGERS = map(_whole, ("ticket_count", "passengers"))
TICKETS, TRACKS_OF = map(_rows, ("tickets", "tracks"))
HAND, KNOWN, OFFER, TICKETS_SURE, COLLECTED = map(_rows, ("hand", "known", "offer", "tickets_sure", "collected"))
_TRACK_KEYS = tuple(map(str, range(lay.MAX_TRACKS)))


def snapshot(states: doors.Array) -> Snapshot:
    """Read one state."""
    return _NUMBERS.unpack(states.tobytes())


class _Scratch(threading.local):
    """Room for what kernels fill, one for each thread: making it would take longer than filling it."""

    def __init__(self) -> None:
        self.actions = np.empty(lay.CLAIM + lay.MAX_CLAIMS + lay.MAX_CITIES * lay.STATION_PAYMENTS, np.int64)
        self.nets = np.empty(1, lay.NETWORK)
        self.borrowed, self.done = np.empty(lay.WORDS, np.uint64), np.empty(lay.WORDS, np.uint64)


_scratch = _Scratch()


class StateReader:
    """The fields of one state as attributes, ten times as quick to read as those of a NumPy record."""

    __slots__ = ("states",)

    def __init__(self, states: doors.Array) -> None:
        self.states = states

    def __getattr__(self, name: str) -> Any:
        return self.states[name][0]


# ---- views ---------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class TicketView:
    """A ticket as people see it."""

    a: str
    b: str
    points: int
    completed: bool | None = None
    kind: str = "regular"
    """One of the map files' kinds of tickets: regular, short or long."""

    @property
    def text(self) -> str:
        """The ticket in words: Paris–Wien (8)."""
        return f"{route_name(self.a, self.b)} ({self.points})"

    def json(self) -> dict[str, Any]:
        """The ticket as plain data."""
        plain = {"from": self.a, "to": self.b, "points": self.points, "kind": self.kind}
        return plain if self.completed is None else plain | {"completed": self.completed}


@dataclass(frozen=True, slots=True)
class PlayerView:
    """What everybody knows of a player."""

    name: str
    points: int
    trains: int
    stations_left: int
    stations: tuple[str, ...]
    cards: int
    known: dict[str, int]
    """Cards that everybody saw the player take and that must still be in the hand."""
    tickets: int
    tickets_by_deck: dict[str, int] | None
    """Where the backs tell the decks apart."""
    announced: dict[str, int] | None
    """The mix of first tickets that the player announced, while all choose from them (RULING-16); None otherwise."""
    offered: int
    """How many tickets the player is choosing from (RULING-10)."""
    passengers: dict[str, int]
    chosen: bool
    """Has made the secret first choice that is going on."""
    revealed: tuple[TicketView, ...] | None
    """The player's tickets when the game is over and they lie open; None before."""

    def json(self) -> dict[str, Any]:
        """The player as plain data."""
        return {
            "name": self.name,
            "points": self.points,
            "trains": self.trains,
            "stations_left": self.stations_left,
            "stations": list(self.stations),
            "cards": self.cards,
            "known": self.known,
            "tickets": self.tickets,
            "tickets_by_deck": self.tickets_by_deck,
            "announced": self.announced,
            "offered": self.offered,
            "passengers": self.passengers,
            "chosen": self.chosen,
            "revealed": None if self.revealed is None else [ticket.json() for ticket in self.revealed],
        }


class View:
    """What one player (or a spectator) may know: a redacted state and the words for it. Bots are given nothing else."""

    def __init__(self, edition: Edition, states: doors.Array, player: int, names: Sequence[str]) -> None:
        self.edition = edition
        self.player = player
        self.names = tuple(names)
        self.states = states
        """Array of one redacted STATE record."""
        self._notation = notation_of(edition)
        self._read: Snapshot | None = None

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self.edition, copied(self.states), self.player, self.names)

    @property
    def snapshot(self) -> Snapshot:
        """The state in plain numbers, read when first asked for."""
        if self._read is None:
            self._read = snapshot(self.states)
        return self._read

    @property
    def phase(self) -> str:
        """What is to be done now."""
        return lay.PHASES[int(self.states["phase"][0])]

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who may act now."""
        return to_move(self.snapshot)

    @property
    def hand(self) -> dict[str, int]:
        """The viewer's own cards; empty for a spectator."""
        return {} if self.player == SPECTATOR else counts(self.snapshot[HAND[self.player]])

    @property
    def tickets(self) -> tuple[TicketView, ...]:
        """The viewer's own tickets, each with whether the viewer's own tracks complete it."""
        return () if self.player == SPECTATOR else own_tickets(self._notation, self.states, self.snapshot, self.player)

    @property
    def offer(self) -> tuple[TicketView, ...]:
        """Tickets the viewer is choosing from."""
        if self.player == SPECTATOR:
            return ()
        return tuple(ticket_view(self._notation, ticket) for ticket in offer(self.snapshot, self.player))

    @property
    def face_up(self) -> tuple[str | None, ...]:
        """The five face-up cards, None where a slot is empty."""
        return tuple(None if kind == lay.NONE else CARDS[kind] for kind in self.snapshot[FACE_UP])

    @property
    def deck(self) -> int:
        """Cards in the deck."""
        return self.snapshot[DECK_N]

    @property
    def discard(self) -> dict[str, int]:
        """The discarded cards."""
        return counts(self.snapshot[DISCARD])

    @property
    def ticket_decks(self) -> dict[str, int]:
        """Tickets left in each deck."""
        return dict(zip(self._notation.decks, self.snapshot[TICKET_COUNT], strict=False))

    @property
    def owners(self) -> dict[int, int]:
        """Claimed tracks and who has them."""
        return owners(self.snapshot)

    @property
    def closed(self) -> tuple[int, ...]:
        """Unclaimed tracks that nobody can use any more."""
        return closed(self.snapshot, len(self.edition.board.tracks))

    @property
    def players(self) -> tuple[PlayerView, ...]:
        """What everybody knows of each player."""
        state = self.snapshot
        return tuple(player_view(self._notation, self.states, i, name, state) for i, name in enumerate(self.names))

    @property
    def passengers(self) -> dict[str, tuple[str, ...]]:
        """Passengers still waiting, by place."""
        return passengers(self._notation, self.snapshot)

    @property
    def tunnel(self) -> dict[str, Any] | None:
        """A tunnel that is being asked about: track, cards laid, cards turned up, which of them count, extra cards."""
        state = self.snapshot
        if state[PHASE] != lay.TUNNEL:
            return None
        turned, colour = [kind for kind in state[TURNED] if kind != lay.NONE], state[LAID_COLOUR]
        return {
            "track": state[TRACK],
            "laid": counts(state[LAID]),
            "turned_up": [CARDS[kind] for kind in turned],
            "hits": [bool(doors.makes_dearer(kind, colour)) for kind in turned],
            "extra": state[EXTRA],
        }

    @property
    def last_round(self) -> int | None:
        """Turns left in the last round: None before it has begun, 0 once the game is over."""
        return 0 if self.snapshot[PHASE] == lay.OVER else self.snapshot[LAST_TURNS] or None

    def legal(self) -> list[Action]:
        """What the viewer may do now."""
        return legal_actions(self.edition, self.states, self.player) if self.player in self.to_move else []

    def legal_numbers(self) -> doors.Array:
        """The numbers of what the viewer, who has to act, may do now, rising."""
        return legal_numbers(self._notation, self.seated())

    def action(self, number: int) -> Action:
        """The viewer's action with this number (`Action.id`), which must be legal now."""
        return self._notation.action(number, situation_of(self.edition, self.states, self.player))

    def seated(self) -> doors.Array:
        """The redacted state with the viewer to act, for compiled code."""
        return seated(self.states, self.player)

    def _repr_html_(self) -> str:
        """For notebooks: the board, and what the viewer has."""
        tickets = (f"{ticket.text}{', completed' if ticket.completed else ''}" for ticket in self.tickets)
        return rich_display.html_of(
            self,
            (
                ("to move", ", ".join(self.names[player] for player in self.to_move)),
                ("face up", cards_text((card, self.face_up.count(card)) for card in CARDS)),
                ("hand", cards_text(self.hand.items())),
                ("tickets", "; ".join(tickets)),
                ("offer", "; ".join(ticket.text for ticket in self.offer)),
            ),
        )

    def json(self) -> dict[str, Any]:
        """The view as plain data: what everybody sees, the same in every view of a state, then what the viewer does."""
        return {
            "edition": self.edition.id,
            "phase": self.phase,
            "to_move": list(self.to_move),
            "last_round": self.last_round,
            "face_up": list(self.face_up),
            "deck": self.deck,
            "discard": self.discard,
            "ticket_decks": self.ticket_decks,
            "owners": {_TRACK_KEYS[track]: player for track, player in owned(self.snapshot[TRACKS])},
            "closed": list(self.closed),
            "tunnel": self.tunnel,
            "waiting": {place: list(colours) for place, colours in self.passengers.items()},
            "players": [player.json() for player in self.players],
            "player": None if self.player == SPECTATOR else self.player,
            "hand": self.hand,
            "tickets": [ticket.json() for ticket in self.tickets],
            "offer": [ticket.json() for ticket in self.offer],
        }

    def __repr__(self) -> str:
        who = "a spectator" if self.player == SPECTATOR else self.names[self.player]
        hand = "" if self.player == SPECTATOR else f", hand {cards_text(self.hand.items()) or 'empty'}"
        return f"<View of {self.edition.id} for {who}: {self.phase}{hand}>"


# ---- parts of a state ------------------------------------------------------------------------------------------------
def copied(states: doors.Array) -> doors.Array:
    """A copy of one state."""
    return state_of(states.tobytes())


def state_of(state: bytes) -> doors.Array:
    """The state of some bytes, to be read and changed; NumPy takes seven times as long to make an array of records."""
    return np.frombuffer(bytearray(state), lay.STATE)


def counts(kinds: Iterable[int]) -> dict[str, int]:
    """Cards by name, without kinds of which there are none."""
    return {card: n for card, n in zip(CARDS, kinds, strict=True) if n}


def bits(words: Iterable[int]) -> list[int]:
    """Numbers of the set bits of some 64-bit words, rising; a single word may be longer."""
    found = []
    for first, word in enumerate(map(int, words)):
        left = word
        while left:
            found.append(64 * first + (left & -left).bit_length() - 1)
            left &= left - 1
    return found


def to_move(state: Snapshot) -> tuple[int, ...]:
    """Players who may act in a state."""
    return movers(state[PHASE], state[PLAYER], state[CHOICE][: state[PLAYERS]])


def movers(phase: int, player: int, choices: Iterable[int]) -> tuple[int, ...]:
    """Players who may act in a phase, of the player whose turn it is and what all have chosen in secret."""
    if phase == lay.OVER:
        return ()
    if phase in SIMULTANEOUS:
        return tuple(p for p, choice in enumerate(choices) if choice == lay.NONE)
    return (player,)


@lru_cache(maxsize=2048)
def owned(words: tuple[int, ...]) -> tuple[tuple[int, int], ...]:
    """Claimed tracks and their owners, in track order, from the words of all players' tracks."""
    found = ((track, word // lay.WORDS) for word, track in _bits_of_all(words))
    return tuple(sorted(found))


def _bits_of_all(words: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The set bits of sets of WORDS words each: the place of the word, and the number in its set."""
    for place, word in enumerate(words):
        for bit in bits([word]):
            yield place, 64 * (place % lay.WORDS) + bit


def owners(state: Snapshot) -> dict[int, int]:
    """Claimed tracks and their owners, in track order."""
    return dict(owned(state[TRACKS]))


def closed(state: Snapshot, tracks: int) -> tuple[int, ...]:
    """Unclaimed tracks closed to everybody (CLAIM-9)."""
    return _closed(state[OPEN] + state[TRACKS], tracks)


@lru_cache(maxsize=2048)
def _closed(usable: tuple[int, ...], tracks: int) -> tuple[int, ...]:
    """Tracks that are in none of some sets of WORDS words each."""
    either = 0
    for place, word in enumerate(usable):
        either |= word << 64 * (place % lay.WORDS)
    return tuple(bits([(1 << tracks) - 1 & ~either]))


def stations(notation: Notation, state: Snapshot) -> dict[str, int]:
    """Cities with a station, and whose it is."""
    return {notation.cities[city]: player for player, cities in enumerate(state[STATIONS]) for city in bits([cities])}


def passengers(notation: Notation, state: Snapshot) -> dict[str, tuple[str, ...]]:
    """Passengers waiting at each place."""
    found: dict[str, tuple[str, ...]] = {}
    if not notation.passengers:
        return found
    waiting, spot = state[PASSENGERS], 0
    for place, count in places_of(notation.edition.board):
        here = tuple(notation.passengers[c] for c in waiting[spot : spot + count] if c != lay.NONE)
        if here:
            found[place] = here
        spot += count
    return found


def offer(state: Snapshot, player: int) -> tuple[int, ...]:
    """Tickets that a player chooses from, by number."""
    return state[OFFER[player]][: state[OFFER_N][player]]


def ticket_view(notation: Notation, ticket: int, completed: bool | None = None) -> TicketView:
    """A ticket by its number; made once."""
    made = notation.made.get((ticket, completed))
    if made is None:
        found = notation.tickets[ticket]
        made = TicketView(found.a, found.b, found.points, completed, found.kind)
        notation.made[ticket, completed] = made
    return made


def tickets_held(
    notation: Notation, states: doors.Array, player: int, borrowed: Iterable[int] = ()
) -> tuple[TicketView, ...]:
    """A player's tickets, and whether own tracks with borrowed ones complete them."""
    if not (held := bits(states["tickets"][0, player].tolist())):
        return ()
    words = [0] * lay.WORDS
    for track in borrowed:
        words[track >> 6] |= 1 << (track & 63)
    room = _scratch
    room.borrowed[:] = words
    doors.completed_tickets(states, 0, tables_of(notation.edition), room.nets, player, room.borrowed, room.done)
    completed = set(bits(room.done.tolist()))
    return tuple(ticket_view(notation, t, t in completed) for t in held)


def own_tickets(notation: Notation, states: doors.Array, state: Snapshot, player: int) -> tuple[TicketView, ...]:
    """A player's tickets, and whether own tracks complete them; answers are kept, for few actions change them."""
    words = state[TICKETS[player]] + state[TRACKS_OF[player]]
    found: tuple[TicketView, ...] | None = notation.kept.get(words)
    if found is None:
        found = notation.kept[words] = tickets_held(notation, states, player)
    return found


def announced(notation: Notation, state: Snapshot, player: int) -> dict[str, int] | None:
    """The mix that a player announced, while first tickets are being chosen (RULING-16); None without announcements."""
    if not notation.edition.first_tickets[state[DEAL]].announce:
        return None
    offered = offer(state, player)
    long = sum(ticket >= len(notation.edition.decks[0].tickets) or ticket == lay.HIDDEN - 1 for ticket in offered)
    return {notation.decks[0]: len(offered) - long, notation.decks[1]: long}


def collected(notation: Notation, state: Snapshot, player: int) -> dict[str, int]:
    """Passengers that a player has taken, by colour."""
    return {colour: n for colour, n in zip(notation.passengers, state[COLLECTED[player]], strict=False) if n}


def player_view(
    notation: Notation, states: doors.Array, player: int, name: str, state: Snapshot | None = None
) -> PlayerView:
    """What everybody knows of a player; `state` is the same state, if it was read before."""
    state = snapshot(states) if state is None else state
    sure, phase = state[TICKETS_SURE[player]], state[PHASE]
    return PlayerView(
        name=name,
        points=state[POINTS][player],
        trains=state[TRAINS][player],
        stations_left=state[STATIONS_LEFT][player],
        stations=tuple(notation.cities[c] for c in bits(state[STATIONS][player : player + 1])),
        cards=state[CARDS_HELD][player],
        known=counts(state[KNOWN[player]]),
        tickets=sum(sure) + state[TICKETS_MIXED][player],
        tickets_by_deck=dict(zip(notation.decks, sure, strict=False)) if notation.edition.ticket_backs_differ else None,
        announced=announced(notation, state, player) if phase == lay.FIRST_TICKETS else None,
        offered=state[OFFER_N][player],
        passengers=collected(notation, state, player) if notation.passengers else {},
        chosen=phase in SIMULTANEOUS and state[CHOICE][player] != lay.NONE,
        revealed=tickets_held(notation, states, player) if phase == lay.OVER else None,
    )


# ---- actions --------------------------------------------------------------------------------------------------------
def situation_of(edition: Edition, states: doors.Array, player: int) -> Situation:
    """What the words of a player's actions depend on in a state."""
    phase = int(states["phase"][0])
    if phase == lay.TURN:
        tickets = min(edition.draw_count, sum(states["ticket_count"][0].tolist()))
        return Situation(phase, station_cost=doors.station_cost(states, 0, player), extra=tickets)
    state = StateReader(states)
    if phase in (lay.FIRST_TICKETS, lay.TICKETS):
        return Situation(phase, offer=tuple(state.offer[player][: int(state.offer_n[player])].tolist()))
    if phase == lay.TUNNEL:
        return Situation(phase, colour=int(state.laid_colour), extra=int(state.extra))
    if phase == lay.ANNOUNCE:
        return Situation(phase, extra=edition.first_tickets[int(state.deal)].counts[0])
    if phase in (lay.PASSENGER_A, lay.PASSENGER_B):
        track = edition.board.tracks[int(state.track)]
        city = edition.board.cities[track.a if phase == lay.PASSENGER_A else track.b]
        return Situation(phase, place=city.country or city.name)
    return Situation(phase)


def seated(states: doors.Array, player: int) -> doors.Array:
    """The states with the player to act: a copy where several may act at once, else the same array."""
    if int(states["phase"][0]) not in SIMULTANEOUS:
        return states
    copy = copied(states)
    doors.take_seat(copy, 0, player)
    return copy


def legal_numbers(notation: Notation, states: doors.Array) -> doors.Array:
    """The numbers of the actions open to whoever acts in a state, rising."""
    n = doors.list_legal(states, 0, tables_of(notation.edition), _scratch.actions)
    return np.sort(_scratch.actions[:n])


def legal_actions(edition: Edition, states: doors.Array, player: int) -> list[Action]:
    """The legal actions of a player in words, by rising number; works on true and on redacted states."""
    notation = notation_of(edition)
    states = seated(states, player)
    return notation.in_words(legal_numbers(notation, states).tolist(), situation_of(edition, states, player))
