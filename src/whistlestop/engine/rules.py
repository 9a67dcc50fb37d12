"""The rules: new games, legal actions and steps, for every edition.

Kernels take records and trust their callers: `step` must be given a legal action. In the simultaneous first choices
`state.player` is the player who acts; set it with `take_seat`. The rule ids are those of the rules page.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whistlestop.engine.bits import ONE, ZERO, I, U, bit, chance, below, lowest, next_word, note, popcount, scaled, scripted, seeded, select
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ALL_LOCO_STATION,
    ANNOUNCE,
    BAD_SCRIPT,
    BOTTOM,
    BOX,
    CLAIM,
    COLOURS,
    DECKS,
    DRAW_BLIND,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    FACE_UP,
    FIRST_TICKETS,
    GIVE_UP,
    KEEP,
    KINDS,
    LOCO,
    LOG_COUNT,
    LOG_SCRIPTED,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PASSENGERS,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TICKETS,
    NONE,
    OVER,
    PASS,
    PASSENGER_A,
    PASSENGER_B,
    PASSENGER_COLOURS,
    PAY_EXTRA,
    RESHUFFLE,
    SECOND_CARD,
    SHUFFLED_BOTTOM,
    STATION_PAYMENTS,
    TAKE_NONE,
    TAKE_PASSENGER,
    TICKETS,
    TUNNEL,
    TURN,
    TURNED,
    WORDS,
)

RULES_VERSION = 1
"""Goes up when the same actions on the same chance outcomes give another game."""


# ---- cards ------------------------------------------------------------------------------------------------------
@kernel
def renew_deck(state: Any) -> Any:
    """The discards become the deck as soon as it is empty (DRAW-8, RULING-3)."""
    if state.deck_n == 0 and state.discard_n > 0:
        for kind in range(KINDS):
            state.deck[kind] = state.discard[kind]
            state.discard[kind] = 0
        state.deck_n = state.discard_n
        state.discard_n = 0


@kernel
def sampled_kind(state: Any) -> Any:
    """The kind of the next card, each card of the deck equally likely."""
    k = below(state, I(state.deck_n))
    kind = 0
    while k >= state.deck[kind]:
        k -= I(state.deck[kind])
        kind += 1
    return kind


@kernel
def draw_card(state: Any, log: Any) -> Any:
    """Take the next card off the deck, which must hold one."""
    if log[LOG_SCRIPTED] > 0:
        kind = scripted(log)
        if kind < 0 or kind >= KINDS or state.deck[kind] == 0:
            log[LOG_SCRIPTED] = BAD_SCRIPT
            kind = sampled_kind(state)
        log[LOG_COUNT] += 1
    else:
        kind = sampled_kind(state)
        note(log, kind)
    state.deck[kind] -= 1
    state.deck_n -= 1
    renew_deck(state)
    return kind


@kernel
def discard(state: Any, kind: Any, n: Any) -> Any:
    """Put n cards of a kind on the discards; the caller renews the deck when all are there."""
    state.discard[kind] += n
    state.discard_n += n


@kernel
def must_sweep(state: Any) -> Any:
    """Three face-up locomotives are cleared away (DRAW-7), unless that cannot help (RULING-2).

    It cannot help with fewer than three other cards left; nor when the deck is just five cards, three of them
    locomotives, and nothing is discarded: the five would change places with the face-up ones for ever.
    """
    locos = 0
    for slot in range(FACE_UP):
        if state.face_up[slot] == LOCO:
            locos += 1
    if locos < 3:
        return False
    plain = I(state.deck_n) - I(state.deck[LOCO]) + I(state.discard_n) - I(state.discard[LOCO])
    for slot in range(FACE_UP):
        if state.face_up[slot] != LOCO and state.face_up[slot] != NONE:
            plain += 1
    swaps_for_ever = state.deck_n == FACE_UP and state.discard_n == 0 and state.deck[LOCO] >= 3
    return plain >= 3 and not swaps_for_ever


@kernel
def fill_face_up(state: Any, log: Any) -> Any:
    """Fill the gaps as far as the deck goes, then sweep as often as needed (DRAW-2, DRAW-7, SETUP-4, RULING-3)."""
    for slot in range(FACE_UP):
        if state.face_up[slot] == NONE and state.deck_n > 0:
            state.face_up[slot] = draw_card(state, log)
    while must_sweep(state):
        for slot in range(FACE_UP):
            if state.face_up[slot] != NONE:
                discard(state, I(state.face_up[slot]), I(1))
                state.face_up[slot] = NONE
        renew_deck(state)
        for slot in range(FACE_UP):
            if state.deck_n > 0:
                state.face_up[slot] = draw_card(state, log)


@kernel
def give_card(state: Any, player: Any, kind: Any) -> Any:
    """A card into a player's hand; the hand has no limit (DRAW-6)."""
    state.hand[player, kind] += 1
    state.cards[player] += 1


@kernel
def take_cards(state: Any, player: Any, kind: Any, n: Any) -> Any:
    """n cards of a kind leave a hand in the open: what the table knew of them shrinks (RULING-10)."""
    state.hand[player, kind] -= n
    state.cards[player] -= n
    state.known[player, kind] = max(0, I(state.known[player, kind]) - n)


@kernel
def pay(state: Any, player: Any, colour: Any, n: Any, locos: Any) -> Any:
    """Discard n cards of a colour and some locomotives from a hand."""
    if n > 0:
        take_cards(state, player, colour, n)
        discard(state, colour, n)
    if locos > 0:
        take_cards(state, player, I(LOCO), locos)
        discard(state, I(LOCO), locos)


# ---- tickets ----------------------------------------------------------------------------------------------------
@kernel
def deck_of(tables: Any, ticket: Any) -> Any:
    """The deck a ticket belongs to: deck 1 has the higher numbers."""
    return 1 if ticket >= tables.deck_first[1] else 0


@kernel
def ring(state: Any, tables: Any, deck: Any, i: Any) -> Any:
    """Index into ticket_order of the i-th ticket from the top of a deck."""
    return tables.deck_first[deck] + (I(state.ticket_head[deck]) + i) % tables.deck_size[deck]


@kernel
def shuffle_tickets(state: Any, tables: Any, log: Any, deck: Any, start: Any, n: Any) -> Any:
    """Shuffle n tickets of a deck from position `start`; nobody knows any longer where they are."""
    for i in range(n - 1, 0, -1):
        here, there = ring(state, tables, deck, start + i), ring(state, tables, deck, start + chance(state, log, i + 1))
        ticket = state.ticket_order[here]
        state.ticket_order[here] = state.ticket_order[there]
        state.ticket_order[there] = ticket
    for i in range(n):
        state.knows[state.ticket_order[ring(state, tables, deck, start + i)]] = 0


@kernel
def offer_tickets(state: Any, tables: Any, player: Any, deck: Any, n: Any) -> Any:
    """Add the top n tickets of a deck to a player's offer, fewer where the deck has fewer (TICKET-4)."""
    for _ in range(min(n, I(state.ticket_count[deck]))):
        top = ring(state, tables, deck, I(0))
        ticket = state.ticket_order[top]
        state.ticket_order[top] = NONE
        state.ticket_head[deck] = (I(state.ticket_head[deck]) + 1) % tables.deck_size[deck]
        state.ticket_count[deck] -= 1
        state.knows[ticket] = 0
        state.offer[player, state.offer_n[player]] = ticket
        state.offer_n[player] += 1


@kernel
def put_under(state: Any, tables: Any, player: Any, ticket: Any) -> Any:
    """A ticket goes to the bottom of its deck (TICKET-5); only who returned it knows that."""
    deck = deck_of(tables, ticket)
    state.ticket_order[ring(state, tables, deck, I(state.ticket_count[deck]))] = ticket
    state.ticket_count[deck] += 1
    state.knows[ticket] = 1 << player


@kernel
def keep_ticket(state: Any, tables: Any, player: Any, ticket: Any, mixed: Any) -> Any:
    """A ticket into a player's hand, where it stays (TICKET-6)."""
    state.tickets[player, ticket >> 6] |= bit(ticket)
    if mixed:
        state.tickets_mixed[player] += 1
    else:
        state.tickets_sure[player, deck_of(tables, ticket)] += 1


@kernel
def clear_offer(state: Any, player: Any) -> Any:
    """No tickets in front of a player."""
    for i in range(MAX_OFFER):
        state.offer[player, i] = NONE
    state.offer_n[player] = 0


@kernel
def held_tickets(state: Any, player: Any) -> Any:
    """How many tickets a player holds: public."""
    return I(state.tickets_sure[player, 0]) + I(state.tickets_sure[player, 1]) + I(state.tickets_mixed[player])


# ---- the first choices (SETUP-5 to SETUP-9, SETUP-12, SETUP-14) --------------------------------------------------
@kernel
def begin_deal(state: Any, tables: Any) -> Any:
    """Open a step of the first choices: announcements where the step asks for them, else the deal."""
    for player in range(I(state.players)):
        state.choice[player] = NONE
    state.player = 0
    if tables.deal_announce[state.deal]:
        state.phase = ANNOUNCE
    else:
        deal_tickets(state, tables)


@kernel
def deal_tickets(state: Any, tables: Any) -> Any:
    """Deal this step's tickets, player by player, those of deck 1 first; then all choose."""
    deal = I(state.deal)
    for player in range(I(state.players)):
        if tables.deal_announce[deal]:
            second = I(state.choice[player])
            first = tables.deal_counts[deal, 0] - second
        else:
            first, second = tables.deal_counts[deal, 0], tables.deal_counts[deal, 1]
        offer_tickets(state, tables, player, I(1), second)
        offer_tickets(state, tables, player, I(0), first)
        state.choice[player] = NONE
    state.player = 0
    state.phase = FIRST_TICKETS


@kernel
def least_kept(state: Any, tables: Any, player: Any) -> Any:
    """How many tickets of the first offer must be kept: more for a player who kept none before (SETUP-8)."""
    deal = I(state.deal)
    if held_tickets(state, player) == 0:
        return min(tables.deal_least_otherwise[deal], I(state.offer_n[player]))
    return min(tables.deal_least[deal], I(state.offer_n[player]))


@kernel
def choose(state: Any, tables: Any, log: Any, choice: Any) -> Any:
    """Note a secret first choice; when all have chosen, carry them out, so that the order of choosing is without effect."""
    state.choice[state.player] = choice
    for player in range(I(state.players)):
        if state.choice[player] == NONE:
            state.player = player
            return
    if state.phase == ANNOUNCE:
        deal_tickets(state, tables)
    else:
        resolve_choices(state, tables, log)


@kernel
def resolve_choices(state: Any, tables: Any, log: Any) -> Any:
    """All have chosen: tickets are taken and returned in seat order (RULING-5), then comes the next step or the first turn."""
    deal = I(state.deal)
    returned = tables.deal_returned[deal]
    mixed = I(tables.deal_counts[deal, 0] > 0 and tables.deal_counts[deal, 1] > 0)
    before = I(state.ticket_count[0])
    for player in range(I(state.players)):
        for i in range(I(state.offer_n[player])):
            ticket = I(state.offer[player, i])
            if (I(state.choice[player]) >> i) & 1:
                keep_ticket(state, tables, player, ticket, mixed)
            elif returned == BOX:
                state.knows[ticket] = 1 << player
            else:
                put_under(state, tables, player, ticket)
        clear_offer(state, player)
        state.choice[player] = NONE
    if returned == SHUFFLED_BOTTOM:
        shuffle_tickets(state, tables, log, I(0), before, I(state.ticket_count[0]) - before)
    elif returned == RESHUFFLE:
        for deck in range(DECKS):
            shuffle_tickets(state, tables, log, I(deck), I(0), I(state.ticket_count[deck]))
    if deal + 1 < tables.deals:
        state.deal = deal + 1
        begin_deal(state, tables)
    else:
        begin_turns(state, tables)


@kernel
def begin_turns(state: Any, tables: Any) -> Any:
    """The setup is over: undealt long tickets leave the game (SETUP-6) and the first player begins (SETUP-15)."""
    for deck in range(tables.decks):
        if tables.deck_leaves[deck]:
            for i in range(tables.deck_size[deck]):
                state.ticket_order[tables.deck_first[deck] + i] = NONE
            state.ticket_count[deck] = 0
            state.ticket_head[deck] = 0
    state.player = state.first
    state.phase = TURN


# ---- a new game -------------------------------------------------------------------------------------------------
@kernel
def clear_table(state: Any, tables: Any, players: Any) -> Any:
    """Everything in its place before the first card is dealt (SETUP-2, SETUP-10)."""
    state.players = players
    state.phase = FIRST_TICKETS
    state.player = 0
    state.deal = 0
    state.last_turns = 0
    state.passes = 0
    state.laid_colour = NONE
    state.track = NONE
    state.extra = 0
    for word in range(WORDS):
        state.open[word] = tables.all_tracks[word]
    for player in range(MAX_PLAYERS):
        playing = player < players
        for word in range(WORDS):
            state.tracks[player, word] = ZERO
            state.barred[player, word] = ZERO
            state.tickets[player, word] = ZERO
        state.stations[player] = ZERO
        state.points[player] = 0
        state.cards[player] = 0
        state.trains[player] = tables.trains if playing else 0
        state.stations_left[player] = tables.stations if playing else 0
        state.tickets_mixed[player] = 0
        state.choice[player] = NONE
        clear_offer(state, player)
        for deck in range(DECKS):
            state.tickets_sure[player, deck] = 0
        for kind in range(KINDS):
            state.hand[player, kind] = 0
            state.known[player, kind] = 0
        for colour in range(PASSENGER_COLOURS):
            state.collected[player, colour] = 0
    for slot in range(FACE_UP):
        state.face_up[slot] = NONE
    for i in range(TURNED):
        state.turned[i] = NONE
    for i in range(MAX_PASSENGERS):
        state.passengers[i] = NONE


@kernel
def stack_cards(state: Any, tables: Any) -> Any:
    """All cards in the deck (SETUP-3)."""
    total = 0
    for kind in range(KINDS):
        state.deck[kind] = tables.card_counts[kind]
        state.discard[kind] = 0
        state.laid[kind] = 0
        total += I(tables.card_counts[kind])
    state.deck_n = total
    state.discard_n = 0


@kernel
def stack_tickets(state: Any, tables: Any, log: Any) -> Any:
    """Both ticket decks full and shuffled."""
    for ticket in range(MAX_TICKETS):
        state.ticket_order[ticket] = ticket if ticket < tables.tickets else NONE
        state.knows[ticket] = 0
    for deck in range(DECKS):
        state.ticket_head[deck] = 0
        state.ticket_count[deck] = tables.deck_size[deck] if deck < tables.decks else 0
        shuffle_tickets(state, tables, log, I(deck), I(0), I(state.ticket_count[deck]))


@kernel
def draw_passenger(state: Any, log: Any, bag: Any, left: Any) -> Any:
    """Colour of the next of `left` passengers out of the bag, which is packed eight bits a colour."""
    if log[LOG_SCRIPTED] > 0:
        colour = scripted(log)
        log[LOG_COUNT] += 1
        if 0 <= colour < PASSENGER_COLOURS and (bag >> U(8 * colour)) & U(255) != ZERO:
            return colour
        log[LOG_SCRIPTED] = BAD_SCRIPT
    k = below(state, left)
    colour = 0
    while k >= I((bag >> U(8 * colour)) & U(255)):
        k -= I((bag >> U(8 * colour)) & U(255))
        colour += 1
    note(log, colour)
    return colour


@kernel
def place_passengers(state: Any, tables: Any, log: Any) -> Any:
    """Passengers come out of the bag one by one onto their spots, place after place (SETUP-13)."""
    bag = ZERO
    total = 0
    for colour in range(PASSENGER_COLOURS):
        bag |= U(tables.bag[colour]) << U(8 * colour)
        total += I(tables.bag[colour])
    for spot in range(total):
        colour = draw_passenger(state, log, bag, total - spot)
        state.passengers[spot] = colour
        bag -= ONE << U(8 * colour)


@kernel
def new_game(state: Any, tables: Any, players: Any, first: Any, seed: Any, log: Any) -> Any:
    """Set up a game; `first` is a player or NONE to draw one (SETUP-15). Chance: first player, tickets, cards, passengers."""
    clear_table(state, tables, players)
    state.rng = seeded(seed)
    state.first = chance(state, log, players) if first == NONE else first
    stack_tickets(state, tables, log)
    stack_cards(state, tables)
    for player in range(players):
        for _ in range(tables.hand):
            give_card(state, player, draw_card(state, log))
    fill_face_up(state, log)
    place_passengers(state, tables, log)
    begin_deal(state, tables)


# ---- legal actions ----------------------------------------------------------------------------------------------
@kernel
def take_seat(state: Any, player: Any) -> Any:
    """In a simultaneous phase: `player` is the one who acts next. True if that player may."""
    if state.phase > FIRST_TICKETS:
        return state.phase != OVER and state.player == player
    if player < 0 or player >= state.players or state.choice[player] != NONE:
        return False
    state.player = player
    return True


@kernel
def draw_mask(state: Any) -> Any:
    """Card draws open to the player, as bits of their action numbers (DRAW-1, DRAW-3, DRAW-4, DRAW-9)."""
    mask = ZERO
    if state.deck_n > 0:
        mask |= bit(I(DRAW_BLIND))
    for slot in range(FACE_UP):
        kind = I(state.face_up[slot])
        if kind != NONE and not (kind == LOCO and state.phase == SECOND_CARD):
            mask |= bit(DRAW_FACE_UP + kind)
    return mask


@kernel
def mix_mask(state: Any, tables: Any, total: Any) -> Any:
    """Ways to draw `total` tickets from two decks, as bits: how many come from deck 1 (TICKET-3, TICKET-4)."""
    mask = ZERO
    for second in range(total + 1):
        if second <= state.ticket_count[1] and total - second <= state.ticket_count[0]:
            mask |= bit(second)
    return mask


@kernel
def ticket_mask(state: Any, tables: Any) -> Any:
    """Ways to draw tickets during the game, as bits of how many come from deck 1."""
    if not tables.mixed_draw:
        return ONE if state.ticket_count[0] > 0 else ZERO
    left = I(state.ticket_count[0]) + I(state.ticket_count[1])
    if left == 0:
        return ZERO
    return mix_mask(state, tables, min(tables.draw_count, left))


@kernel
def keep_mask(state: Any, tables: Any) -> Any:
    """Subsets of the offer that may be kept, as bits (SETUP-5 …, TICKET-1 …)."""
    player = I(state.player)
    n = I(state.offer_n[player])
    if state.phase == TICKETS:
        return tables.subsets[n, min(tables.draw_least, n)]
    most = min(tables.deal_most[state.deal], n)
    return tables.subsets[n, least_kept(state, tables, player)] & ~tables.subsets[n, most + 1]


@kernel
def extra_mask(state: Any) -> Any:
    """Answers to a tunnel that became dearer: PAY_EXTRA + locomotives, and giving up (TUNNEL-2 to TUNNEL-4, RULING-11)."""
    player, colour, extra = I(state.player), I(state.laid_colour), I(state.extra)
    mask = bit(I(GIVE_UP - PAY_EXTRA))
    for locos in range(extra + 1):
        plain = extra - locos
        if locos <= state.hand[player, LOCO] and (plain == 0 or (colour != LOCO and plain <= state.hand[player, colour])):
            mask |= bit(locos)
    return mask


@kernel
def passenger_place(state: Any, tables: Any) -> Any:
    """The place whose passengers are being asked about."""
    city = tables.a[state.track] if state.phase == PASSENGER_A else tables.b[state.track]
    return I(tables.city_place[city])


@kernel
def passenger_mask(state: Any, tables: Any, place: Any) -> Any:
    """Colours of the passengers standing at a place, as bits (PASSENGER-1)."""
    mask = ZERO
    if place != NONE:
        for spot in range(tables.place_first[place], tables.place_first[place + 1]):
            if state.passengers[spot] != NONE:
                mask |= bit(I(state.passengers[spot]))
    return mask


@kernel
def simple_first(state: Any) -> Any:
    """Action number of bit 0 of `simple_mask` in this phase."""
    phase = I(state.phase)
    if phase == TURN or phase == SECOND_CARD:
        return PASS
    if phase == FIRST_TICKETS or phase == TICKETS:
        return KEEP
    if phase == TUNNEL:
        return PAY_EXTRA
    if phase == ANNOUNCE:
        return DRAW_TICKETS
    return TAKE_PASSENGER


@kernel
def simple_mask(state: Any, tables: Any) -> Any:
    """Legal actions other than claims, stations and the pass, as bits from `simple_first` on."""
    phase = I(state.phase)
    if phase == TURN:
        return draw_mask(state) | (ticket_mask(state, tables) << U(DRAW_TICKETS))
    if phase == SECOND_CARD:
        return draw_mask(state)
    if phase == FIRST_TICKETS or phase == TICKETS:
        return keep_mask(state, tables)
    if phase == TUNNEL:
        return extra_mask(state)
    if phase == ANNOUNCE:
        return mix_mask(state, tables, tables.deal_counts[state.deal, 0])
    if phase == OVER:
        return ZERO
    return passenger_mask(state, tables, passenger_place(state, tables)) | bit(I(TAKE_NONE - TAKE_PASSENGER))


@kernel
def reachable(state: Any, tables: Any, word: Any) -> Any:
    """A word of the tracks the player to move may claim, cards aside (CLAIM-4, CLAIM-6, CLAIM-8, CLAIM-9)."""
    player = I(state.player)
    trains = min(I(state.trains[player]), MAX_LENGTH)
    return state.open[word] & ~state.barred[player, word] & tables.within[trains, word]


@kernel
def station_payments(state: Any) -> Any:
    """Payments for the player's next station, as bits (STATION-2); none where no station is left."""
    player = I(state.player)
    if state.stations_left[player] == 0:
        return ZERO
    n = station_cost(state, player)
    locos = I(state.hand[player, LOCO])
    mask = bit(I(ALL_LOCO_STATION)) if locos >= n else ZERO
    for colour in range(COLOURS):
        for used in range(max(0, n - I(state.hand[player, colour])), min(n - 1, locos) + 1):
            mask |= bit(colour * MAX_STATIONS + used)
    return mask


@kernel
def station_cost(state: Any, player: Any) -> Any:
    """Cards for the next station: 1, then 2, then 3 (STATION-2)."""
    return popcount(state.stations[player]) + 1


@kernel
def station_sites(state: Any, tables: Any) -> Any:
    """Cities without a station (STATION-1)."""
    taken = ZERO
    for player in range(I(state.players)):
        taken |= state.stations[player]
    return tables.station_cities & ~taken


@kernel
def claim_offset(tables: Any, track: Any, colour: Any, locos: Any) -> Any:
    """Offset of a payment in the claim block: colours in order, locomotives rising, locomotives only at the end."""
    plain = I(tables.length[track]) - I(tables.ferry[track])
    if colour == LOCO:
        return I(tables.claim_first[track + 1]) - 1
    row = colour if tables.colour[track] == NONE else 0
    return I(tables.claim_first[track]) + row * plain + locos - I(tables.ferry[track])


@kernel
def list_claims(state: Any, tables: Any, out: Any, n: Any) -> Any:
    """Append every legal claim to out; returns the new count (CLAIM-1 to CLAIM-3, FERRY-1)."""
    player = I(state.player)
    locos = I(state.hand[player, LOCO])
    for word in range(WORDS):
        free = reachable(state, tables, word)
        for colour in range(COLOURS):
            held = min(I(state.hand[player, colour]), MAX_LENGTH)
            for used in range(min(locos, MAX_LENGTH - 1) + 1 if held > 0 else 0):
                tracks = free & tables.payable[colour, held, used, word]
                while tracks:
                    out[n] = CLAIM + claim_offset(tables, 64 * word + lowest(tracks), colour, used)
                    n += 1
                    tracks &= tracks - ONE
        tracks = free & tables.loco_payable[min(locos, MAX_LENGTH), word]
        while tracks:
            out[n] = CLAIM + claim_offset(tables, 64 * word + lowest(tracks), I(LOCO), I(0))
            n += 1
            tracks &= tracks - ONE
    return n


@kernel
def list_stations(state: Any, tables: Any, out: Any, n: Any) -> Any:
    """Append every legal station to out; returns the new count."""
    payments = station_payments(state)
    if payments == ZERO:
        return n
    sites = station_sites(state, tables)
    while sites:
        action = tables.station_first + lowest(sites) * STATION_PAYMENTS
        left = payments
        while left:
            out[n] = action + lowest(left)
            n += 1
            left &= left - ONE
        sites &= sites - ONE
    return n


@kernel
def list_legal(state: Any, tables: Any, out: Any) -> Any:
    """Fill out with the legal actions of the player to move, in no particular order; returns how many. None when the game is over."""
    n = 0
    first = simple_first(state)
    simple = simple_mask(state, tables)
    while simple:
        out[n] = first + lowest(simple)
        n += 1
        simple &= simple - ONE
    if state.phase == TURN:
        n = list_claims(state, tables, out, n)
        n = list_stations(state, tables, out, n)
        if n == 0:
            out[0] = PASS  # RULING-1
            n = 1
    return n


@kernel
def legal_claim(state: Any, tables: Any, offset: Any) -> Any:
    """Whether a claim can be made and paid now."""
    player = I(state.player)
    track, colour, locos = I(tables.claim_track[offset]), I(tables.claim_colour[offset]), I(tables.claim_locos[offset])
    if reachable(state, tables, track >> 6) & bit(track) == ZERO or locos > state.hand[player, LOCO]:
        return False
    return colour == LOCO or I(tables.length[track]) - locos <= state.hand[player, colour]


@kernel
def legal_station(state: Any, tables: Any, offset: Any) -> Any:
    """Whether a station can be built and paid now."""
    return (
        station_payments(state) & bit(offset % STATION_PAYMENTS) != ZERO
        and station_sites(state, tables) & bit(offset // STATION_PAYMENTS) != ZERO
    )


@kernel
def is_legal(state: Any, tables: Any, action: Any) -> Any:
    """Whether the player to move may do this."""
    if action < 0 or action >= tables.actions:
        return False
    if action >= CLAIM:
        if state.phase != TURN:
            return False
        if action >= tables.station_first:
            return legal_station(state, tables, action - tables.station_first)
        return legal_claim(state, tables, action - CLAIM)
    if action == PASS:
        return state.phase == TURN and count_legal(state, tables) == 0
    place = action - simple_first(state)
    return 0 <= place < 64 and simple_mask(state, tables) & bit(place) != ZERO


@kernel
def count_claims(state: Any, tables: Any) -> Any:
    """Number of legal claims."""
    player = I(state.player)
    locos = I(state.hand[player, LOCO])
    first, second = reachable(state, tables, I(0)), reachable(state, tables, I(1))
    n = popcount(first & tables.loco_payable[min(locos, MAX_LENGTH), 0]) + popcount(second & tables.loco_payable[min(locos, MAX_LENGTH), 1])
    for colour in range(COLOURS):
        held = min(I(state.hand[player, colour]), MAX_LENGTH)
        if held > 0:
            for used in range(min(locos, MAX_LENGTH - 1) + 1):
                n += popcount(first & tables.payable[colour, held, used, 0]) + popcount(second & tables.payable[colour, held, used, 1])
    return n


@kernel
def count_legal(state: Any, tables: Any) -> Any:
    """Number of legal actions, the pass not counted."""
    n = popcount(simple_mask(state, tables))
    if state.phase == TURN:
        n += count_claims(state, tables)
        payments = station_payments(state)
        if payments != ZERO:
            n += popcount(payments) * popcount(station_sites(state, tables))
    return n


@kernel
def pick_claim(state: Any, tables: Any, k: Any) -> Any:
    """The k-th legal claim in the order that `count_claims` counts."""
    player = I(state.player)
    locos = I(state.hand[player, LOCO])
    first, second = reachable(state, tables, I(0)), reachable(state, tables, I(1))
    for colour in range(COLOURS + 1):
        held = min(I(state.hand[player, colour]), MAX_LENGTH)
        if held == 0:
            continue
        for used in range(min(locos, MAX_LENGTH - 1) + 1 if colour < LOCO else 1):
            if colour < LOCO:
                low, high = first & tables.payable[colour, held, used, 0], second & tables.payable[colour, held, used, 1]
            else:
                low, high = first & tables.loco_payable[held, 0], second & tables.loco_payable[held, 1]
            n = popcount(low)
            if k < n:
                return CLAIM + claim_offset(tables, select(low, k), colour, used)
            k -= n
            n = popcount(high)
            if k < n:
                return CLAIM + claim_offset(tables, 64 + select(high, k), colour, used)
            k -= n
    return PASS


@kernel
def random_action(state: Any, tables: Any, rng: Any) -> Any:
    """A legal action, each equally likely, from a stream of the caller's, without listing them."""
    simple = simple_mask(state, tables)
    n_simple = popcount(simple)
    if state.phase != TURN:
        return simple_first(state) + select(simple, scaled(rng, n_simple))
    n_claims = count_claims(state, tables)
    payments = station_payments(state)
    n_payments = popcount(payments)
    sites = station_sites(state, tables) if n_payments > 0 else ZERO
    n = n_simple + n_claims + n_payments * popcount(sites)
    if n == 0:
        return PASS
    k = scaled(rng, n)
    if k < n_simple:
        return select(simple, k)
    k -= n_simple
    if k < n_claims:
        return pick_claim(state, tables, k)
    k -= n_claims
    return tables.station_first + select(sites, k // n_payments) * STATION_PAYMENTS + select(payments, k % n_payments)


# ---- steps ------------------------------------------------------------------------------------------------------
@kernel
def end_turn(state: Any, tables: Any) -> Any:
    """The next player clockwise (TURN-2), unless the last round is over (END-1, RULING-8)."""
    player = I(state.player)
    if state.last_turns > 0:
        state.last_turns -= 1
        if state.last_turns == 0:
            state.phase = OVER
            return
    elif state.trains[player] <= tables.last_round_trains:
        state.last_turns = state.players
    state.player = player + 1 if player + 1 < state.players else 0
    state.phase = TURN


@kernel
def pass_turn(state: Any, tables: Any) -> Any:
    """No legal action: the turn is passed; when all have passed in a row the game is over (RULING-1)."""
    state.passes += 1
    if state.passes == state.players:
        state.phase = OVER
    else:
        end_turn(state, tables)


@kernel
def after_card(state: Any, tables: Any, only_one: Any) -> Any:
    """After a drawn card: the second one, or the end of the turn (DRAW-3, RULING-4)."""
    if state.phase == SECOND_CARD or only_one:
        end_turn(state, tables)
        return
    state.phase = SECOND_CARD
    if draw_mask(state) == ZERO:
        end_turn(state, tables)


@kernel
def draw_blind(state: Any, tables: Any, log: Any) -> Any:
    """Take the top card of the deck unseen (DRAW-5); a sweep that could not help before may help with one card fewer."""
    give_card(state, I(state.player), draw_card(state, log))
    fill_face_up(state, log)
    after_card(state, tables, I(0))


@kernel
def draw_face_up(state: Any, tables: Any, log: Any, kind: Any) -> Any:
    """Take a face-up card of a kind, from the lowest slot that has it; it is replaced at once (DRAW-2)."""
    player = I(state.player)
    slot = 0
    while state.face_up[slot] != kind:
        slot += 1
    state.face_up[slot] = NONE
    give_card(state, player, kind)
    state.known[player, kind] += 1
    fill_face_up(state, log)
    after_card(state, tables, I(kind == LOCO))


@kernel
def claim_track(state: Any, tables: Any, log: Any, offset: Any) -> Any:
    """Claim a track, or attempt it if it is a tunnel."""
    player = I(state.player)
    track, colour, locos = I(tables.claim_track[offset]), I(tables.claim_colour[offset]), I(tables.claim_locos[offset])
    plain = I(tables.length[track]) - locos
    if tables.tunnel[track]:
        attempt_tunnel(state, tables, log, track, colour, plain, locos)
    else:
        pay(state, player, colour, plain, locos)
        complete_claim(state, tables, log, track)


@kernel
def attempt_tunnel(state: Any, tables: Any, log: Any, track: Any, colour: Any, plain: Any, locos: Any) -> Any:
    """Lay the cards, turn up three more, and ask if they make the tunnel dearer (TUNNEL-1 to TUNNEL-3, TUNNEL-6, RULING-12)."""
    player = I(state.player)
    if plain > 0:
        take_cards(state, player, colour, plain)
        state.laid[colour] += plain
    if locos > 0:
        take_cards(state, player, I(LOCO), locos)
        state.laid[LOCO] += locos
    extra = 0
    for i in range(TURNED):
        if state.deck_n > 0:
            kind = draw_card(state, log)
            state.turned[i] = kind
            if kind == LOCO or kind == colour:
                extra += 1
    state.track = track
    state.laid_colour = colour
    state.extra = extra
    if extra > 0:
        state.phase = TUNNEL
    else:
        discard_laid(state)
        complete_claim(state, tables, log, track)


@kernel
def clear_tunnel(state: Any) -> Any:
    """Cards turned up are discarded (TUNNEL-5) and the table is free of the attempt; laid cards are the caller's."""
    for i in range(TURNED):
        if state.turned[i] != NONE:
            discard(state, I(state.turned[i]), I(1))
            state.turned[i] = NONE
    state.laid_colour = NONE
    state.track = NONE
    state.extra = 0


@kernel
def discard_laid(state: Any) -> Any:
    """The tunnel is paid: laid cards and those turned up are discarded."""
    for kind in range(KINDS):
        if state.laid[kind] > 0:
            discard(state, I(kind), I(state.laid[kind]))
            state.laid[kind] = 0
    clear_tunnel(state)


@kernel
def pay_extra(state: Any, tables: Any, log: Any, locos: Any) -> Any:
    """Pay what the tunnel costs more, in cards only (RULING-13), and claim it."""
    player, colour, extra, track = I(state.player), I(state.laid_colour), I(state.extra), I(state.track)
    pay(state, player, colour, extra - locos, locos)
    discard_laid(state)
    complete_claim(state, tables, log, track)


@kernel
def give_up(state: Any, tables: Any, log: Any) -> Any:
    """Take the laid cards back; everybody has seen them (TUNNEL-4, RULING-10)."""
    player = I(state.player)
    for kind in range(KINDS):
        n = I(state.laid[kind])
        state.hand[player, kind] += n
        state.cards[player] += n
        state.known[player, kind] += n
        state.laid[kind] = 0
    clear_tunnel(state)
    renew_deck(state)
    fill_face_up(state, log)
    end_turn(state, tables)


@kernel
def complete_claim(state: Any, tables: Any, log: Any, track: Any) -> Any:
    """Trains on the track, points at once, parallel tracks closed (CLAIM-4, CLAIM-5, CLAIM-8, CLAIM-9); then passengers."""
    player = I(state.player)
    state.trains[player] -= tables.length[track]
    state.points[player] += tables.track_points[track]
    state.tracks[player, track >> 6] |= bit(track)
    state.open[track >> 6] &= ~bit(track)
    for word in range(WORDS):
        if state.players < tables.parallel_from:
            state.open[word] &= ~tables.twins[track, word]
        else:
            state.barred[player, word] |= tables.twins[track, word]
    renew_deck(state)
    fill_face_up(state, log)
    if tables.places == 0:
        end_turn(state, tables)
        return
    state.track = track
    state.phase = PASSENGER_A
    ask_passengers(state, tables)


@kernel
def ask_passengers(state: Any, tables: Any) -> Any:
    """Stay at the end of the track where passengers wait, else go to the other end, else end the turn (PASSENGER-1)."""
    if state.phase == PASSENGER_A and passenger_mask(state, tables, passenger_place(state, tables)) == ZERO:
        state.phase = PASSENGER_B
    if state.phase == PASSENGER_B and passenger_mask(state, tables, passenger_place(state, tables)) == ZERO:
        state.track = NONE
        end_turn(state, tables)


@kernel
def take_passenger(state: Any, tables: Any, colour: Any) -> Any:
    """Take one passenger of a colour, or none (PASSENGER-1, PASSENGER-2, RULING-14); then the other end."""
    if colour < PASSENGER_COLOURS:
        place = passenger_place(state, tables)
        spot = I(tables.place_first[place])
        while state.passengers[spot] != colour:
            spot += 1
        state.passengers[spot] = NONE
        state.collected[state.player, colour] += 1
    if state.phase == PASSENGER_A:
        state.phase = PASSENGER_B
        ask_passengers(state, tables)
    else:
        state.track = NONE
        end_turn(state, tables)


@kernel
def draw_tickets(state: Any, tables: Any, second: Any) -> Any:
    """Tickets to choose from, `second` of them from deck 1 (TICKET-1 to TICKET-4)."""
    player = I(state.player)
    left = I(state.ticket_count[0]) + I(state.ticket_count[1])
    offer_tickets(state, tables, player, I(1), second)
    offer_tickets(state, tables, player, I(0), min(tables.draw_count, left) - second)
    state.phase = TICKETS


@kernel
def keep_tickets(state: Any, tables: Any, log: Any, subset: Any) -> Any:
    """Keep a subset of the offer; the others go under their decks in the order they were drawn (TICKET-5, RULING-5)."""
    if state.phase == FIRST_TICKETS:
        choose(state, tables, log, subset)
        return
    player = I(state.player)
    for i in range(I(state.offer_n[player])):
        ticket = I(state.offer[player, i])
        if (subset >> i) & 1:
            keep_ticket(state, tables, player, ticket, I(0))
        else:
            put_under(state, tables, player, ticket)
    clear_offer(state, player)
    end_turn(state, tables)


@kernel
def build_station(state: Any, tables: Any, log: Any, offset: Any) -> Any:
    """Pay for a station and put it into a city (STATION-1 to STATION-3)."""
    player = I(state.player)
    city, payment = offset // STATION_PAYMENTS, offset % STATION_PAYMENTS
    n = station_cost(state, player)
    if payment == ALL_LOCO_STATION:
        pay(state, player, I(0), I(0), n)
    else:
        locos = payment % MAX_STATIONS
        pay(state, player, payment // MAX_STATIONS, n - locos, locos)
    state.stations[player] |= bit(city)
    state.stations_left[player] -= 1
    renew_deck(state)
    fill_face_up(state, log)
    end_turn(state, tables)


@kernel
def step(state: Any, tables: Any, action: Any, log: Any) -> Any:
    """Carry out a legal action of the player to move (TURN-1); what chance gave is appended to the log."""
    if action == PASS:
        pass_turn(state, tables)
        return
    state.passes = 0
    if action >= CLAIM:
        if action >= tables.station_first:
            build_station(state, tables, log, action - tables.station_first)
        else:
            claim_track(state, tables, log, action - CLAIM)
    elif action == DRAW_BLIND:
        draw_blind(state, tables, log)
    elif action < DRAW_TICKETS:
        draw_face_up(state, tables, log, action - DRAW_FACE_UP)
    elif action < KEEP:
        if state.phase == ANNOUNCE:
            choose(state, tables, log, action - DRAW_TICKETS)
        else:
            draw_tickets(state, tables, action - DRAW_TICKETS)
    elif action < PAY_EXTRA:
        keep_tickets(state, tables, log, action - KEEP)
    elif action < GIVE_UP:
        pay_extra(state, tables, log, action - PAY_EXTRA)
    elif action == GIVE_UP:
        give_up(state, tables, log)
    else:
        take_passenger(state, tables, action - TAKE_PASSENGER)


@kernel
def play_random(state: Any, tables: Any, rng: Any, log: Any) -> Any:
    """Play to the end by uniformly random actions; returns the number of steps."""
    steps = 0
    rng = seeded(rng)
    while state.phase != OVER:
        rng = next_word(rng)
        step(state, tables, random_action(state, tables, rng), log)
        steps += 1
    return steps
