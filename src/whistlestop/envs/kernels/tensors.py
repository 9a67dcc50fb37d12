"""Observations: what a player may know of a state, as one row of bytes.

`parts.py` gives every entry a name. The kernels read public fields and the observer's own; what others hide is never
looked at, so a state, its redacted view and every world dealt from that view give the same bytes: see
tests/envs/test_honesty.py. Kernels write at a place of the row and return the place after it; they put numbers together
in words of eight bytes, the lowest first, before they write.
"""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, U
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    DECKS,
    FACE_UP,
    FIRST_TICKETS,
    HIDDEN,
    KINDS,
    LOCO,
    MAX_LENGTH,
    MAX_PLAYERS,
    NONE,
    OVER,
    PASSENGER_COLOURS,
    TURNED,
)
from whistlestop.engine.types import Bits, Int, State, Tables
from whistlestop.envs.kernels.byte_rows import Row, clear, load_word, spread, store_byte, store_word
from whistlestop.envs.kernels.episodes import Episode

MOST_SHOWN = 255
"""Greater numbers are shown as this one."""


@kernel
def byte(number: Int, place: Int) -> Bits:
    """A number of 0 to 255 as the byte of a word at a place."""
    return U(I(number)) << U(8 * place)


@kernel
def seat_after(state: State, viewer: Int, seat: Int) -> Int:
    """The player on a seat counted from the observer on."""
    player = viewer + seat
    return player - I(state.players) if player >= state.players else player


@kernel
def store_kinds(row: Row, at: Int, colours: Bits, locos: Int) -> Int:
    """A number for each kind of card: those of the colours in a word, then that of the locomotives."""
    store_word(row, at, colours)
    store_byte(row, at + LOCO, locos)
    return at + KINDS


@kernel
def in_slot(kind: Int) -> Bits:
    """A card that may be a colour as a count in a word; nothing for a locomotive and for an empty slot."""
    return U(kind != NONE and kind != LOCO) << U(8 * (I(kind) & 7))


@kernel
def observe_tracks(state: State, tables: Tables, viewer: Int, row: Row, at: Int) -> Int:
    """Owners by seat from the observer on; open to somebody; open to the observer, cards aside; asked about."""
    players, n = I(state.players), I(tables.tracks)
    for seat in range(players):
        player = seat_after(state, viewer, I(seat))
        at = spread(row, at, state.tracks[player, 0], state.tracks[player, 1], n)
    clear(row, at, MAX_PLAYERS * n)
    at = MAX_PLAYERS * n
    trains = min(I(state.trains[viewer]), MAX_LENGTH)
    low, high = state.open[0], state.open[1]
    at = spread(row, at, low, high, n)
    low &= ~state.barred[viewer, 0] & tables.within[trains, 0]
    high &= ~state.barred[viewer, 1] & tables.within[trains, 1]
    at = spread(row, at, low, high, n)
    clear(row, at, at + n)
    if state.track != NONE:
        store_byte(row, at + state.track, 1)
    return at + n


@kernel
def observe_cities(state: State, tables: Tables, viewer: Int, row: Row, at: Int) -> Int:
    """Stations by seat from the observer on."""
    players, n = I(state.players), I(tables.cities)
    end = at + MAX_PLAYERS * n
    for seat in range(players):
        player = seat_after(state, viewer, I(seat))
        at = spread(row, at, state.stations[player], ZERO, n)
    clear(row, at, end)
    return end


@kernel
def observe_places(state: State, tables: Tables, row: Row, at: Int) -> Int:
    """Passengers that wait, by colour and place."""
    n = I(tables.places)
    for place in range(n):
        waiting = ZERO  # a byte for each colour
        for spot in range(tables.place_first[place], tables.place_first[place + 1]):
            colour = I(state.passengers[spot])
            waiting += U(colour != NONE) << U(8 * (colour & 7))
        for colour in range(PASSENGER_COLOURS):
            store_byte(row, at + colour * n + place, (waiting >> U(8 * colour)) & U(MOST_SHOWN))
    return at + PASSENGER_COLOURS * n


@kernel
def observe_tickets(state: State, tables: Tables, episode: Episode, viewer: Int, row: Row, at: Int, offers: Int) -> Int:
    """Tickets the observer holds; those of them that are completed; the tickets of the offer, place by place."""
    n = I(tables.tickets)
    at = spread(row, at, state.tickets[viewer, 0], state.tickets[viewer, 1], n)
    at = spread(row, at, episode.completed[viewer, 0], episode.completed[viewer, 1], n)
    clear(row, at, at + offers * n)
    for place in range(I(state.offer_n[viewer])):
        store_byte(row, at + place * n + state.offer[viewer, place], 1)
    return at + offers * n


@kernel
def offered_long(state: State, tables: Tables, player: Int) -> Int:
    """Tickets of the second deck that a player is choosing from; their backs tell."""
    found = I(0)
    for place in range(I(state.offer_n[player])):
        ticket = I(state.offer[player, place])
        found += I(ticket == HIDDEN - 1 or ticket >= tables.deck_size[0])
    return found


@kernel
def observe_player(state: State, tables: Tables, player: Int, row: Row, at: Int) -> Int:
    """What everybody knows of a player."""
    choosing = state.phase <= FIRST_TICKETS
    chosen = state.choice[player] != NONE
    to_move = not chosen if choosing else state.player == player and state.phase != OVER
    first = byte(1, 0) | byte(min(I(state.points[player]), MOST_SHOWN), 1)
    first |= byte(state.trains[player], 2) | byte(state.stations_left[player], 3) | byte(state.cards[player], 4)
    first |= byte(state.tickets_sure[player, 0], 5) | byte(state.tickets_sure[player, 1], 6)
    store_word(row, at, first | byte(state.tickets_mixed[player], 7))
    second = byte(state.offer_n[player], 0) | byte(offered_long(state, tables, player), 1)
    second |= byte(choosing and chosen, 2) | byte(to_move, 3) | byte(state.first == player, 4)
    store_word(row, at + 8, second)
    at = store_kinds(row, at + 13, load_word(state.known, KINDS * player), I(state.known[player, LOCO]))
    if tables.places > 0:
        for colour in range(PASSENGER_COLOURS):
            store_byte(row, at + colour, state.collected[player, colour])
        at += PASSENGER_COLOURS
    return at


@kernel
def observe_players(state: State, tables: Tables, viewer: Int, row: Row, at: Int) -> Int:
    """Players by seat from the observer on; zeros where nobody sits."""
    players = I(state.players)
    start = at
    for seat in range(players):
        player = seat_after(state, viewer, I(seat))
        at = observe_player(state, tables, player, row, at)
    end = start + (at - start) // players * MAX_PLAYERS
    clear(row, at, end)
    return end


@kernel
def observe_cards(state: State, viewer: Int, row: Row, at: Int) -> Int:
    """Counts by kind: the observer's hand, face-up cards, discards, cards laid for a tunnel, cards turned up for it."""
    up, up_locos, turned, turned_locos = ZERO, I(0), ZERO, I(0)
    for slot in range(FACE_UP):
        up += in_slot(state.face_up[slot])
        up_locos += I(state.face_up[slot] == LOCO)
    for slot in range(TURNED):
        turned += in_slot(state.turned[slot])
        turned_locos += I(state.turned[slot] == LOCO)
    at = store_kinds(row, at, load_word(state.hand, KINDS * viewer), I(state.hand[viewer, LOCO]))
    at = store_kinds(row, at, up, up_locos)
    at = store_kinds(row, at, load_word(state.discard, I(0)), I(state.discard[LOCO]))
    at = store_kinds(row, at, load_word(state.laid, I(0)), I(state.laid[LOCO]))
    return store_kinds(row, at, turned, turned_locos)


@kernel
def observe_moment(state: State, row: Row, at: Int) -> Int:
    """The phase, one of its entries 1 or, at the end, none; then single numbers."""
    store_word(row, at, ONE << U(8 * I(state.phase)) if state.phase < OVER else ZERO)
    at += OVER
    store_byte(row, at, state.deck_n)
    store_byte(row, at + 1, state.extra)
    store_byte(row, at + 2, state.last_turns)
    store_byte(row, at + 3, state.deal)
    for deck in range(DECKS):
        store_byte(row, at + 4 + deck, state.ticket_count[deck])
    return at + 4 + DECKS


@kernel
def observe(state: State, tables: Tables, episode: Episode, viewer: Int, offers: Int, row: Row) -> Int:
    """Fill a row with what a player may know; the episode knows which tickets the player has completed.

    Returns the length of the row.
    """
    at = observe_tracks(state, tables, viewer, row, I(0))
    if tables.stations > 0:
        at = observe_cities(state, tables, viewer, row, at)
    if tables.places > 0:
        at = observe_places(state, tables, row, at)
    at = observe_tickets(state, tables, episode, viewer, row, at, offers)
    at = observe_players(state, tables, viewer, row, at)
    at = observe_cards(state, viewer, row, at)
    return observe_moment(state, row, at)
