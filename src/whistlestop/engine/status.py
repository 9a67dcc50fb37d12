"""Invariants: what must hold in every state of every game."""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest, popcount
from whistlestop.engine.cards import face_up_locos, sweep_helps
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ANNOUNCE,
    FACE_UP,
    FIRST_TICKETS,
    GONE,
    HANDS,
    KINDS,
    NONE,
    OFFERED,
    OVER,
    PASSENGER_A,
    PASSENGER_B,
    PASSENGER_COLOURS,
    TICKET,
    TICKETS,
    TUNNEL,
    TURNED,
    WORDS,
)
from whistlestop.engine.legal import list_legal
from whistlestop.engine.memory import covers, deck_of, quota
from whistlestop.engine.tickets import held_tickets, ring
from whistlestop.engine.types import Bool, Int, Ints, State, Tables

BROKEN = (
    "cards: the kinds do not add up to the whole deck",
    "cards: a pile or hand holds fewer than none",
    "cards: the size of a hand or pile is wrong",
    "cards: the table knows of more cards than a hand holds",
    "cards: the deck is empty beside discards, or a face-up gap beside a deck",
    "cards: three face-up locomotives were left lying",
    "trains: they do not match the tracks claimed",
    "points: they do not match the tracks claimed",
    "tracks: two players own one, or an owned or closed one is open",
    "tracks: a player owns two parallel ones",
    "stations: wrong number, or two in one city",
    "tickets: one is in two places or in the wrong deck",
    "tickets: the number held is wrong",
    "tickets: one left the game though no rule says so",
    "passengers: they do not add up",
    "phase: it does not fit what lies on the table",
    "turn: no such player, or no legal action",
    "tickets: one that a player returned is where that player knows it is not",
)


@kernel
def bad_cards(state: State, tables: Tables) -> Int:
    """Broken invariants of the cards, as bits."""
    bad = 0
    deck_n, discard_n = 0, 0

    # Every card is in one place, and the table knows of no more than there are.
    for kind in range(KINDS):
        n = I(state.deck[kind]) + I(state.discard[kind]) + I(state.laid[kind])
        if state.deck[kind] < 0 or state.discard[kind] < 0 or state.laid[kind] < 0:
            bad |= 1 << 1
        deck_n += I(state.deck[kind])
        discard_n += I(state.discard[kind])
        for slot in range(FACE_UP):
            n += 1 if state.face_up[slot] == kind else 0
        for i in range(TURNED):
            n += 1 if state.turned[i] == kind else 0
        for player in range(I(state.players)):
            n += I(state.hand[player, kind])
            if state.hand[player, kind] < 0 or state.known[player, kind] < 0:
                bad |= 1 << 1
            if state.known[player, kind] > state.hand[player, kind]:
                bad |= 1 << 3
        if n != tables.card_counts[kind]:
            bad |= 1

    # Sizes of hands and piles.
    for player in range(I(state.players)):
        held = 0
        for kind in range(KINDS):
            held += I(state.hand[player, kind])
        if held != state.cards[player]:
            bad |= 1 << 2
    if deck_n != state.deck_n or discard_n != state.discard_n:
        bad |= 1 << 2

    # RULING-3: no empty deck beside discards, no gap beside a deck; DRAW-7 and RULING-2: no locomotives that could go.
    if state.deck_n == 0 and state.discard_n > 0:
        bad |= 1 << 4
    for slot in range(FACE_UP):
        if state.face_up[slot] == NONE and state.deck_n > 0 and state.phase != TUNNEL:
            bad |= 1 << 4
    if face_up_locos(state) >= 3 and sweep_helps(state) and state.phase != TUNNEL:
        bad |= 1 << 5
    return bad


@kernel
def bad_tracks(state: State, tables: Tables) -> Int:
    """Broken invariants of trains, points, tracks and stations, as bits."""
    bad = 0
    stations = ZERO
    for player in range(I(state.players)):
        trains, points = I(tables.trains), 0

        # A track has one owner and is open no longer; parallel ones are not the player's too (CLAIM-8, CLAIM-9).
        for word in range(WORDS):
            left = state.tracks[player, word]
            for other in range(I(state.players)):
                if other != player and left & state.tracks[other, word]:
                    bad |= 1 << 8
            if left & state.open[word] or left & ~tables.all_tracks[word]:
                bad |= 1 << 8
            while left:
                track = 64 * word + lowest(left)
                left &= left - ONE
                trains -= I(tables.length[track])
                points += I(tables.track_points[track])
                for twin in range(WORDS):
                    if tables.twins[track, twin] & state.tracks[player, twin]:
                        bad |= 1 << 9
                    if state.players < tables.parallel_from and tables.twins[track, twin] & state.open[twin]:
                        bad |= 1 << 8

        # Trains, points and stations match what stands on the board.
        if trains != state.trains[player] or trains < 0:
            bad |= 1 << 6
        if points != state.points[player]:
            bad |= 1 << 7
        if (
            popcount(state.stations[player]) + I(state.stations_left[player]) != tables.stations
            or stations & state.stations[player]
        ):
            bad |= 1 << 10
        stations |= state.stations[player]
    if stations & ~tables.station_cities:
        bad |= 1 << 10
    return bad


@kernel
def places_of_ticket(state: State, tables: Tables, ticket: Int) -> Int:
    """In how many hands, offers and deck places a ticket is."""
    n = 0
    for player in range(I(state.players)):
        if state.tickets[player, ticket >> 6] & bit(ticket):
            n += 1
        for i in range(I(state.offer_n[player])):
            n += 1 if state.offer[player, i] == ticket else 0
    for deck in range(tables.decks):
        for i in range(I(state.ticket_count[deck])):
            if state.ticket_order[ring(state, tables, deck, i)] == ticket:
                n += 1 if deck == deck_of(tables, ticket) else 2
    return n


@kernel
def tickets_may_leave(tables: Tables, deck: Int) -> Bool:
    """Whether tickets of a deck can be out of the game."""
    leave = tables.deck_leaves[deck] != 0
    for deal in range(tables.deals):
        leave |= tables.deal_returned[deal] == 2 and tables.deal_counts[deal, deck] > 0
    return leave


@kernel
def bad_tickets(state: State, tables: Tables) -> Int:
    """Broken invariants of the tickets, as bits."""
    bad = 0
    for ticket in range(tables.tickets):
        n = places_of_ticket(state, tables, ticket)
        if n > 1:
            bad |= 1 << 11
        if n == 0 and not tickets_may_leave(tables, deck_of(tables, ticket)):
            bad |= 1 << 13
    for player in range(I(state.players)):
        if popcount(state.tickets[player, 0]) + popcount(state.tickets[player, 1]) != held_tickets(state, player):
            bad |= 1 << 12
    return bad


@kernel
def fits_memory(state: State, tables: Tables, entry: Int) -> Bool:
    """Whether a ticket that a player remembers is where it can be."""
    ticket, hands = I(state.memory[entry, TICKET]), I(state.memory[entry, HANDS])
    if hands & GONE:
        return places_of_ticket(state, tables, ticket) == 0
    deck = deck_of(tables, ticket)
    for i in range(I(state.ticket_count[deck])):
        if state.ticket_order[ring(state, tables, deck, i)] == ticket:
            return covers(state, tables, deck, entry, i)
    for player in range(I(state.players)):
        if state.tickets[player, ticket >> 6] & bit(ticket):
            return (hands >> player) & 1 != 0
    return hands & OFFERED != 0


@kernel
def bad_memory(state: State, tables: Tables) -> Int:
    """Broken invariants of what players remember of tickets they returned, as bits."""
    for entry in range(quota(state) * I(state.players)):
        if state.memory[entry, TICKET] != NONE and not fits_memory(state, tables, entry):
            return 1 << 17
    return 0


@kernel
def bad_passengers(state: State, tables: Tables) -> Int:
    """Broken invariants of the passengers, as bits."""
    for colour in range(PASSENGER_COLOURS):
        n = 0
        for spot in range(len(state.passengers)):
            n += 1 if state.passengers[spot] == colour else 0
        for player in range(I(state.players)):
            n += I(state.collected[player, colour])
        if n != tables.bag[colour]:
            return 1 << 14
    return 0


@kernel
def bad_phase(state: State, tables: Tables, out: Ints) -> Int:
    """Broken invariants of phase and turn, as bits; out is scratch for the legal actions."""
    bad = 0
    phase, player = I(state.phase), I(state.player)
    if player < 0 or player >= state.players or phase < ANNOUNCE or phase > OVER:
        return 1 << 16
    laid = 0
    for kind in range(KINDS):
        laid += I(state.laid[kind])
    if (laid > 0) != (phase == TUNNEL) or (state.extra > 0) != (phase == TUNNEL):
        bad |= 1 << 15
    if (state.track != NONE) != (phase == TUNNEL or phase == PASSENGER_A or phase == PASSENGER_B):
        bad |= 1 << 15
    for other in range(I(state.players)):
        offered = phase == FIRST_TICKETS or (phase == TICKETS and other == player)
        if (state.offer_n[other] > 0) and not offered:
            bad |= 1 << 15
        if state.choice[other] != NONE and phase > FIRST_TICKETS:
            bad |= 1 << 15
    if phase != OVER and list_legal(state, tables, out) == 0:
        bad |= 1 << 16
    return bad


@kernel
def status(state: State, tables: Tables, out: Ints) -> Int:
    """Every broken invariant as a bit, in the order of BROKEN.

    0 for a sound state. out is scratch for legal actions.
    """
    return (
        bad_cards(state, tables)
        | bad_tracks(state, tables)
        | bad_tickets(state, tables)
        | bad_memory(state, tables)
        | bad_passengers(state, tables)
        | bad_phase(state, tables, out)
    )
