"""Observations: what a player may know of a state, as one row of bytes.

`parts.py` gives every entry a name. The kernels read public fields and the observer's own; what others hide is never
looked at, so a state, its redacted view and every world dealt from that view give the same bytes: see
tests/envs/test_honesty.py. Kernels write at a place of the row and return the place after it.
"""

from __future__ import annotations

from whistlestop.engine.bits import ZERO, I, bit
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    DECKS,
    FACE_UP,
    FIRST_TICKETS,
    HIDDEN,
    KINDS,
    MAX_LENGTH,
    MAX_PLAYERS,
    NONE,
    OVER,
    PASSENGER_COLOURS,
    TURNED,
    WORDS,
)
from whistlestop.engine.scoring import completed_tickets
from whistlestop.engine.types import Int, Network, State, Tables, Words
from whistlestop.envs.kernels.byte_rows import Row, clear, spread
from whistlestop.envs.kernels.episodes import Episode

MOST_SHOWN = 255
"""Greater numbers are shown as this one."""


@kernel
def shown(number: Int) -> Int:
    """A number as it stands in a row."""
    return min(I(number), MOST_SHOWN)


@kernel
def observe_tracks(state: State, tables: Tables, viewer: Int, row: Row, at: Int) -> Int:
    """Owners by seat from the observer on; open to somebody; open to the observer, cards aside; asked about."""
    players, n = I(state.players), I(tables.tracks)
    for seat in range(players):
        player = viewer + seat - (players if viewer + seat >= players else 0)
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
        row[at + state.track] = 1
    return at + n


@kernel
def observe_cities(state: State, tables: Tables, viewer: Int, row: Row, at: Int) -> Int:
    """Stations by seat from the observer on."""
    players, n = I(state.players), I(tables.cities)
    end = at + MAX_PLAYERS * n
    for seat in range(players):
        player = viewer + seat - (players if viewer + seat >= players else 0)
        at = spread(row, at, state.stations[player], ZERO, n)
    clear(row, at, end)
    return end


@kernel
def observe_places(state: State, tables: Tables, row: Row, at: Int) -> Int:
    """Passengers that wait, by colour and place."""
    n = I(tables.places)
    clear(row, at, at + PASSENGER_COLOURS * n)
    for place in range(n):
        for spot in range(tables.place_first[place], tables.place_first[place + 1]):
            colour = I(state.passengers[spot])
            if colour != NONE:
                row[at + colour * n + place] += 1
    return at + PASSENGER_COLOURS * n


@kernel
def observe_tickets(state: State, tables: Tables, viewer: Int, done: Words, row: Row, at: Int, offers: Int) -> Int:
    """Tickets the observer holds; those of them that are completed; the tickets of the offer, place by place."""
    n = I(tables.tickets)
    at = spread(row, at, state.tickets[viewer, 0], state.tickets[viewer, 1], n)
    at = spread(row, at, done[0], done[1], n)
    clear(row, at, at + offers * n)
    for place in range(I(state.offer_n[viewer])):
        row[at + place * n + state.offer[viewer, place]] = 1
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
    row[at] = 1
    row[at + 1] = shown(I(state.points[player]))
    row[at + 2] = state.trains[player]
    row[at + 3] = state.stations_left[player]
    row[at + 4] = state.cards[player]
    row[at + 5] = state.tickets_sure[player, 0]
    row[at + 6] = state.tickets_sure[player, 1]
    row[at + 7] = state.tickets_mixed[player]
    row[at + 8] = state.offer_n[player]
    row[at + 9] = offered_long(state, tables, player)
    row[at + 10] = choosing and chosen
    row[at + 11] = not chosen if choosing else state.player == player and state.phase != OVER
    row[at + 12] = state.first == player
    at += 13
    for kind in range(KINDS):
        row[at + kind] = state.known[player, kind]
    at += KINDS
    if tables.places > 0:
        for colour in range(PASSENGER_COLOURS):
            row[at + colour] = state.collected[player, colour]
        at += PASSENGER_COLOURS
    return at


@kernel
def observe_players(state: State, tables: Tables, viewer: Int, row: Row, at: Int) -> Int:
    """Players by seat from the observer on; zeros where nobody sits."""
    players = I(state.players)
    start = at
    for seat in range(players):
        player = viewer + seat - (players if viewer + seat >= players else 0)
        at = observe_player(state, tables, player, row, at)
    end = start + (at - start) // players * MAX_PLAYERS
    clear(row, at, end)
    return end


@kernel
def observe_cards(state: State, viewer: Int, row: Row, at: Int) -> Int:
    """Counts by kind: the observer's hand, face-up cards, discards, cards laid for a tunnel, cards turned up for it."""
    for kind in range(KINDS):
        row[at + kind] = state.hand[viewer, kind]
        row[at + KINDS + kind] = 0
        row[at + 2 * KINDS + kind] = state.discard[kind]
        row[at + 3 * KINDS + kind] = state.laid[kind]
        row[at + 4 * KINDS + kind] = 0
    for slot in range(FACE_UP):
        if state.face_up[slot] != NONE:
            row[at + KINDS + state.face_up[slot]] += 1
    for i in range(TURNED):
        if state.turned[i] != NONE:
            row[at + 4 * KINDS + state.turned[i]] += 1
    return at + 5 * KINDS


@kernel
def observe_moment(state: State, row: Row, at: Int) -> Int:
    """The phase, one of its entries 1 or, at the end, none; then single numbers."""
    for phase in range(OVER):
        row[at + phase] = state.phase == phase
    at += OVER
    row[at] = state.deck_n
    row[at + 1] = state.extra
    row[at + 2] = state.last_turns
    row[at + 3] = state.deal
    for deck in range(DECKS):
        row[at + 4 + deck] = state.ticket_count[deck]
    return at + 4 + DECKS


@kernel
def observe(state: State, tables: Tables, viewer: Int, done: Words, offers: Int, row: Row) -> Int:
    """Fill a row with what a player may know; `done` has the tickets that the player has completed.

    Returns the length of the row.
    """
    at = observe_tracks(state, tables, viewer, row, I(0))
    if tables.stations > 0:
        at = observe_cities(state, tables, viewer, row, at)
    if tables.places > 0:
        at = observe_places(state, tables, row, at)
    at = observe_tickets(state, tables, viewer, done, row, at, offers)
    at = observe_players(state, tables, viewer, row, at)
    at = observe_cards(state, viewer, row, at)
    return observe_moment(state, row, at)


@kernel
def remember_completed(state: State, tables: Tables, net: Network, episode: Episode, player: Int, none: Words) -> None:
    """Find a player's completed tickets anew if tracks or tickets have changed; `none` is a set without tracks."""
    same = True
    for word in range(WORDS):
        same &= episode.of_tracks[player, word] == state.tracks[player, word]
        same &= episode.of_tickets[player, word] == state.tickets[player, word]
    if not same:
        completed_tickets(state, tables, net, player, none, episode.completed[player])
        for word in range(WORDS):
            episode.of_tracks[player, word] = state.tracks[player, word]
            episode.of_tickets[player, word] = state.tickets[player, word]


@kernel
def ticket_balance(state: State, tables: Tables, done: Words, player: Int) -> Int:
    """Points of a player's completed tickets less those of the others."""
    total = I(0)
    for ticket in range(tables.tickets):
        if state.tickets[player, ticket >> 6] & bit(ticket):
            points = I(tables.ticket_points[ticket])
            total += points if done[ticket >> 6] & bit(ticket) else -points
    return total
