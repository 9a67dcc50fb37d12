"""A state in words: who may act, who owns what, and what a player may know of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.hidden import SPECTATOR
from whistlestop.engine.tables import places_of, tables_of
from whistlestop.mapfile import CARDS, Edition
from whistlestop.notation import Action, Notation, Situation, cards_text, notation_of, route_name

SIMULTANEOUS = (lay.ANNOUNCE, lay.FIRST_TICKETS)
"""Phases in which every player who has not chosen may act."""
SIMULTANEOUS_NAMES = tuple(lay.PHASES[phase] for phase in SIMULTANEOUS)


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
        plain = {name: getattr(self, name) for name in self.__slots__}
        plain["stations"] = list(self.stations)
        plain["revealed"] = None if self.revealed is None else [ticket.json() for ticket in self.revealed]
        return plain


class View:
    """What one player (or a spectator) may know: a redacted state and the words for it. Bots are given nothing else."""

    def __init__(self, edition: Edition, states: doors.Array, player: int, names: Sequence[str]) -> None:
        self.edition = edition
        self.player = player
        self.names = tuple(names)
        self.states = states
        """Array of one redacted STATE record."""
        self._state = StateReader(states)
        self._notation = notation_of(edition)

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self.edition, copied(self.states), self.player, self.names)

    @property
    def phase(self) -> str:
        """What is to be done now."""
        return lay.PHASES[int(self._state.phase)]

    @property
    def to_move(self) -> tuple[int, ...]:
        """Players who may act now."""
        return to_move(self._state)

    @property
    def hand(self) -> dict[str, int]:
        """The viewer's own cards; empty for a spectator."""
        return {} if self.player == SPECTATOR else counts(self._state.hand[self.player])

    @property
    def tickets(self) -> tuple[TicketView, ...]:
        """The viewer's own tickets, each with whether the viewer's own tracks complete it."""
        return () if self.player == SPECTATOR else tickets_held(self._notation, self._state, self.player)

    @property
    def offer(self) -> tuple[TicketView, ...]:
        """Tickets the viewer is choosing from."""
        if self.player == SPECTATOR:
            return ()
        offered = self._state.offer[self.player][: int(self._state.offer_n[self.player])]
        return tuple(ticket_view(self._notation, int(ticket)) for ticket in offered)

    @property
    def face_up(self) -> tuple[str | None, ...]:
        """The five face-up cards, None where a slot is empty."""
        return tuple(None if kind == lay.NONE else CARDS[kind] for kind in self._state.face_up.tolist())

    @property
    def deck(self) -> int:
        """Cards in the deck."""
        return int(self._state.deck_n)

    @property
    def discard(self) -> dict[str, int]:
        """The discarded cards."""
        return counts(self._state.discard)

    @property
    def ticket_decks(self) -> dict[str, int]:
        """Tickets left in each deck."""
        return {deck: int(n) for deck, n in zip(self._notation.decks, self._state.ticket_count, strict=False)}

    @property
    def owners(self) -> dict[int, int]:
        """Claimed tracks and who has them."""
        return owners(self._state)

    @property
    def closed(self) -> tuple[int, ...]:
        """Unclaimed tracks that nobody can use any more."""
        return closed(self._state, len(self.edition.board.tracks))

    @property
    def players(self) -> tuple[PlayerView, ...]:
        """What everybody knows of each player."""
        return tuple(player_view(self._notation, self._state, i, name) for i, name in enumerate(self.names))

    @property
    def passengers(self) -> dict[str, tuple[str, ...]]:
        """Passengers still waiting, by place."""
        return passengers(self._notation, self._state)

    @property
    def tunnel(self) -> dict[str, Any] | None:
        """A tunnel that is being asked about: track, cards laid, cards turned up, which of them count, extra cards."""
        state = self._state
        if int(state.phase) != lay.TUNNEL:
            return None
        turned, colour = [kind for kind in state.turned.tolist() if kind != lay.NONE], int(state.laid_colour)
        return {
            "track": int(state.track),
            "laid": counts(state.laid),
            "turned_up": [CARDS[kind] for kind in turned],
            "hits": [bool(doors.makes_dearer(kind, colour)) for kind in turned],
            "extra": int(state.extra),
        }

    @property
    def last_round(self) -> int | None:
        """Turns left in the last round: None before it has begun, 0 once the game is over."""
        return 0 if int(self._state.phase) == lay.OVER else int(self._state.last_turns) or None

    def legal(self) -> list[Action]:
        """What the viewer may do now."""
        return legal_actions(self.edition, self.states, self.player) if self.player in self.to_move else []

    def action(self, number: int) -> Action:
        """The viewer's action with this number (`Action.id`), which must be legal now."""
        return self._notation.action(number, situation_of(self.edition, self._state, self.player))

    def seated(self) -> doors.Array:
        """The redacted state with the viewer to act, for compiled code."""
        return seated(self.states, self.player)

    def public(self) -> dict[str, Any]:
        """What everybody sees, as plain data: the same in every view of a state."""
        return {
            "edition": self.edition.id,
            "phase": self.phase,
            "to_move": list(self.to_move),
            "last_round": self.last_round,
            "face_up": list(self.face_up),
            "deck": self.deck,
            "discard": self.discard,
            "ticket_decks": self.ticket_decks,
            "owners": {str(track): player for track, player in self.owners.items()},
            "closed": list(self.closed),
            "tunnel": self.tunnel,
            "waiting": {place: list(colours) for place, colours in self.passengers.items()},
            "players": [player.json() for player in self.players],
        }

    def json(self, public: dict[str, Any] | None = None) -> dict[str, Any]:
        """The view as plain data; whoever shows a state to many makes the public part once."""
        return {
            **(self.public() if public is None else public),
            "player": None if self.player == SPECTATOR else self.player,
            "hand": self.hand,
            "tickets": [ticket.json() for ticket in self.tickets],
            "offer": [ticket.json() for ticket in self.offer],
        }

    def __repr__(self) -> str:
        who = "a spectator" if self.player == SPECTATOR else self.names[self.player]
        hand = "" if self.player == SPECTATOR else f", hand {cards_text(self.hand.items()) or 'empty'}"
        return f"<View of {self.edition.id} for {who}: {self.phase}{hand}>"


# ---- reading a state ------------------------------------------------------------------------------------------------
class StateReader:
    """The fields of one state as attributes, ten times as quick to read as those of a NumPy record."""

    __slots__ = ("states",)

    def __init__(self, states: doors.Array) -> None:
        self.states = states

    def __getattr__(self, name: str) -> Any:
        return self.states[name][0]


def copied(states: doors.Array) -> doors.Array:
    """A copy of one state."""
    return state_of(states.tobytes())


def state_of(state: bytes) -> doors.Array:
    """The state of some bytes, to be read and changed; NumPy takes seven times as long to make an array of records."""
    return np.frombuffer(bytearray(state), lay.STATE)


def counts(kinds: Any) -> dict[str, int]:
    """Cards by name, without kinds of which there are none."""
    return {card: n for card, n in zip(CARDS, kinds.tolist(), strict=True) if n}


def bits(words: Iterable[int]) -> list[int]:
    """Numbers of the set bits of some 64-bit words, rising; a single word may be longer."""
    found = []
    for first, word in enumerate(map(int, words)):
        left = word
        while left:
            found.append(64 * first + (left & -left).bit_length() - 1)
            left &= left - 1
    return found


def to_move(state: StateReader) -> tuple[int, ...]:
    """Players who may act in a state."""
    phase = int(state.phase)
    if phase == lay.OVER:
        return ()
    if phase in SIMULTANEOUS:
        return tuple(p for p, choice in enumerate(state.choice[: int(state.players)].tolist()) if choice == lay.NONE)
    return (int(state.player),)


def owners(state: StateReader) -> dict[int, int]:
    """Claimed tracks and their owners, in track order."""
    found = {track: player for player, words in enumerate(state.tracks.tolist()) for track in bits(words)}
    return dict(sorted(found.items()))


def closed(state: StateReader, tracks: int) -> tuple[int, ...]:
    """Unclaimed tracks closed to everybody (CLAIM-9)."""
    usable = _joined(state.open.tolist())
    for claimed in state.tracks.tolist():
        usable |= _joined(claimed)
    return tuple(bits([(1 << tracks) - 1 & ~usable]))


def _joined(words: Sequence[int]) -> int:
    """Several 64-bit words as one number."""
    return sum(word << 64 * i for i, word in enumerate(words))


def stations(notation: Notation, state: StateReader) -> dict[str, int]:
    """Cities with a station, and whose it is."""
    return {
        notation.cities[city]: player
        for player, cities in enumerate(state.stations.tolist())
        for city in bits([cities])
    }


def passengers(notation: Notation, state: StateReader) -> dict[str, tuple[str, ...]]:
    """Passengers waiting at each place."""
    found: dict[str, tuple[str, ...]] = {}
    spot = 0
    for place, count in places_of(notation.edition.board) if notation.passengers else ():
        here = tuple(notation.passengers[c] for c in state.passengers[spot : spot + count].tolist() if c != lay.NONE)
        if here:
            found[place] = here
        spot += count
    return found


def ticket_view(notation: Notation, ticket: int, completed: bool | None = None) -> TicketView:
    """A ticket by its number."""
    found = notation.tickets[ticket]
    return TicketView(found.a, found.b, found.points, completed, found.kind)


def tickets_held(
    notation: Notation, state: StateReader, player: int, borrowed: Iterable[int] = ()
) -> tuple[TicketView, ...]:
    """A player's tickets, and whether own tracks with borrowed ones complete them."""
    borrowed_words, done = np.zeros(lay.WORDS, np.uint64), np.empty(lay.WORDS, np.uint64)
    for track in borrowed:
        borrowed_words[track >> 6] |= np.uint64(1 << (track & 63))
    if not (held := bits(state.tickets[player].tolist())):
        return ()
    nets, tables = np.empty(1, lay.NETWORK), tables_of(notation.edition)
    doors.completed_tickets(state.states, 0, tables, nets, player, borrowed_words, done)
    completed = set(bits(done.tolist()))
    return tuple(ticket_view(notation, t, t in completed) for t in held)


def announced(notation: Notation, state: StateReader, player: int) -> dict[str, int] | None:
    """The mix that a player announced, while first tickets are being chosen (RULING-16); None without announcements."""
    if not notation.edition.first_tickets[int(state.deal)].announce:
        return None
    offered = state.offer[player][: int(state.offer_n[player])].tolist()
    long = sum(ticket >= len(notation.edition.decks[0].tickets) or ticket == lay.HIDDEN - 1 for ticket in offered)
    return {notation.decks[0]: len(offered) - long, notation.decks[1]: long}


def collected(notation: Notation, state: StateReader, player: int) -> dict[str, int]:
    """Passengers that a player has taken, by colour."""
    return {colour: n for colour, n in zip(notation.passengers, state.collected[player].tolist(), strict=False) if n}


def player_view(notation: Notation, state: StateReader, player: int, name: str) -> PlayerView:
    """What everybody knows of a player."""
    sure = state.tickets_sure[player].tolist()
    phase = int(state.phase)
    return PlayerView(
        name=name,
        points=int(state.points[player]),
        trains=int(state.trains[player]),
        stations_left=int(state.stations_left[player]),
        stations=tuple(notation.cities[c] for c in bits([state.stations[player]])),
        cards=int(state.cards[player]),
        known=counts(state.known[player]),
        tickets=sum(sure) + int(state.tickets_mixed[player]),
        tickets_by_deck=dict(zip(notation.decks, sure, strict=False)) if notation.edition.ticket_backs_differ else None,
        announced=announced(notation, state, player) if phase == lay.FIRST_TICKETS else None,
        offered=int(state.offer_n[player]),
        passengers=collected(notation, state, player) if notation.passengers else {},
        chosen=phase in SIMULTANEOUS and int(state.choice[player]) != lay.NONE,
        revealed=tickets_held(notation, state, player) if phase == lay.OVER else None,
    )


# ---- actions --------------------------------------------------------------------------------------------------------
def situation_of(edition: Edition, state: StateReader, player: int) -> Situation:
    """What the words of a player's actions depend on in a state."""
    phase = int(state.phase)
    if phase == lay.TURN:
        tickets = min(edition.draw_count, int(state.ticket_count[0]) + int(state.ticket_count[1]))
        return Situation(phase, station_cost=doors.station_cost(state.states, 0, player), extra=tickets)
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


def legal_actions(edition: Edition, states: doors.Array, player: int) -> list[Action]:
    """The legal actions of a player in words, by rising number; works on true and on redacted states."""
    notation = notation_of(edition)
    states = seated(states, player)
    out = np.empty(notation.actions, np.int64)
    n = doors.list_legal(states, 0, tables_of(edition), out)
    return notation.in_words(out[:n].tolist(), situation_of(edition, StateReader(states), player))
