"""The rules: new games and steps, for every edition.

Kernels take records and trust their callers: `step` must be given a legal action. In the simultaneous first choices
`state.player` is the player who acts; set it with `legal.take_seat`. The rule ids are those of the rules page.
"""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, U, begin_stream, below, bit, chance, next_word, note, scripted, seeded
from whistlestop.engine.cards import discard, draw_card, fill_face_up, give_card, pay, renew_deck, take_cards
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ALL_LOCO_STATION,
    ANNOUNCE,
    BAD_SCRIPT,
    BOTTOM,
    CLAIM,
    DECKS,
    DRAW_BLIND,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    FACE_UP,
    FIRST_TICKETS,
    GIVE_UP,
    HANDS,
    KEEP,
    KINDS,
    LENGTH,
    LOCO,
    LOG_COUNT,
    LOG_SCRIPTED,
    MAX_PASSENGERS,
    MAX_PLAYERS,
    MAX_STATIONS,
    MAX_TICKETS,
    MEMORY,
    NONE,
    OVER,
    PASS,
    PASSENGER_A,
    PASSENGER_B,
    PASSENGER_COLOURS,
    PAY_EXTRA,
    SECOND_CARD,
    START,
    STATION_PAYMENTS,
    TAKE_PASSENGER,
    TICKET,
    TICKETS,
    TUNNEL,
    TURN,
    TURNED,
    WORDS,
)
from whistlestop.engine.legal import draw_mask, passenger_mask, passenger_place, random_action, station_cost
from whistlestop.engine.memory import end_offers
from whistlestop.engine.tickets import (
    begin_deal,
    choose,
    clear_offer,
    offer_tickets,
    shuffle_tickets,
    take_offer,
)
from whistlestop.engine.types import Bits, Bool, Int, Log, Rng, State, Tables

RULES_VERSION = 2
"""Goes up when the same actions on the same chance outcomes give another game."""


# ---- a new game -----------------------------------------------------------------------------------------------
@kernel
def clear_table(state: State, tables: Tables, players: Int) -> None:
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
    state.lost_offers = 0

    # The board is open, and nobody has anything but trains and stations.
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
            state.tickets_late[player, deck] = 0
        for kind in range(KINDS):
            state.hand[player, kind] = 0
            state.known[player, kind] = 0
        for colour in range(PASSENGER_COLOURS):
            state.collected[player, colour] = 0

    # No cards on the table, no passengers on the board, nothing to remember.
    for slot in range(FACE_UP):
        state.face_up[slot] = NONE
    for i in range(TURNED):
        state.turned[i] = NONE
    for i in range(MAX_PASSENGERS):
        state.passengers[i] = NONE
    state.remembers = 1
    for entry in range(MEMORY):
        state.memory[entry, TICKET] = NONE
        state.memory[entry, START] = 0
        state.memory[entry, LENGTH] = 0
        state.memory[entry, HANDS] = 0


@kernel
def stack_cards(state: State, tables: Tables) -> None:
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
def stack_tickets(state: State, tables: Tables, log: Log) -> None:
    """Both ticket decks full and shuffled."""
    for ticket in range(MAX_TICKETS):
        state.ticket_order[ticket] = ticket if ticket < tables.tickets else NONE
    for deck in range(DECKS):
        state.ticket_head[deck] = 0
        state.ticket_count[deck] = tables.deck_size[deck] if deck < tables.decks else 0
        shuffle_tickets(state, tables, log, I(deck), I(0), I(state.ticket_count[deck]))


@kernel
def draw_passenger(state: State, log: Log, bag: Bits, left: Int) -> Int:
    """Colour of the next of `left` passengers out of the bag, which is packed eight bits a colour."""
    if log[LOG_SCRIPTED] > 0:
        colour = scripted(log)
        if 0 <= colour < PASSENGER_COLOURS and (bag >> U(8 * colour)) & U(255) != ZERO:
            log[LOG_COUNT] += 1
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
def place_passengers(state: State, tables: Tables, log: Log) -> None:
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
def new_game(state: State, tables: Tables, players: Int, first: Int, low: Rng, high: Rng, log: Log) -> None:
    """Set up a game; `first` is a player or NONE to draw one (SETUP-15), low and high are the words of the seed.
    Chance: first player, tickets, cards, passengers.
    """
    clear_table(state, tables, players)
    begin_stream(state, low, high)
    state.first = chance(state, log, players) if first == NONE else first
    stack_tickets(state, tables, log)
    stack_cards(state, tables)
    for player in range(players):
        for _ in range(tables.hand):
            give_card(state, player, draw_card(state, log))
    fill_face_up(state, log)
    place_passengers(state, tables, log)
    begin_deal(state, tables)


# ---- steps ----------------------------------------------------------------------------------------------------
@kernel
def end_turn(state: State, tables: Tables) -> None:
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
def pass_turn(state: State, tables: Tables) -> None:
    """No legal action: the turn is passed; when all have passed in a row the game is over (RULING-1)."""
    state.passes += 1
    if state.passes == state.players:
        state.phase = OVER
    else:
        end_turn(state, tables)


@kernel
def after_card(state: State, tables: Tables, only_one: Int) -> None:
    """After a drawn card: the second one, or the end of the turn (DRAW-3, RULING-4)."""
    if state.phase == SECOND_CARD or only_one:
        end_turn(state, tables)
        return
    state.phase = SECOND_CARD
    if state.deck_n == 0 and draw_mask(state) == ZERO:
        end_turn(state, tables)


@kernel
def draw_blind(state: State, tables: Tables, log: Log) -> None:
    """Take the top card of the deck unseen (DRAW-5)."""
    give_card(state, I(state.player), draw_card(state, log))
    after_card(state, tables, I(0))


@kernel
def draw_face_up(state: State, tables: Tables, log: Log, kind: Int) -> None:
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
def claim_track(state: State, tables: Tables, log: Log, offset: Int) -> None:
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
def cards_turned_up(state: State) -> Int:
    """How many cards a tunnel turns up now: three, or as many as deck and discards hold (TUNNEL-1, TUNNEL-6)."""
    return min(I(TURNED), I(state.deck_n) + I(state.discard_n))


@kernel
def makes_dearer(kind: Int, colour: Int) -> Bool:
    """Whether a card turned up makes a tunnel dearer; `colour` is what was played, LOCO if only locomotives were
    (TUNNEL-2, TUNNEL-3).
    """
    return kind == LOCO or kind == colour


@kernel
def attempt_tunnel(state: State, tables: Tables, log: Log, track: Int, colour: Int, plain: Int, locos: Int) -> None:
    """Lay the cards, turn up three more, and ask if they make the tunnel dearer (TUNNEL-1 to TUNNEL-3, TUNNEL-6,
    RULING-12).
    """
    player = I(state.player)
    if plain > 0:
        take_cards(state, player, colour, plain)
        state.laid[colour] += plain
    if locos > 0:
        take_cards(state, player, I(LOCO), locos)
        state.laid[LOCO] += locos
    extra = 0
    for i in range(cards_turned_up(state)):
        kind = draw_card(state, log)
        state.turned[i] = kind
        if makes_dearer(kind, colour):
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
def clear_tunnel(state: State) -> None:
    """Cards turned up are discarded (TUNNEL-5) and the table is free of the attempt; laid cards are the caller's."""
    for i in range(TURNED):
        if state.turned[i] != NONE:
            discard(state, I(state.turned[i]), I(1))
            state.turned[i] = NONE
    state.laid_colour = NONE
    state.track = NONE
    state.extra = 0


@kernel
def discard_laid(state: State) -> None:
    """The tunnel is paid: laid cards and those turned up are discarded."""
    for kind in range(KINDS):
        if state.laid[kind] > 0:
            discard(state, I(kind), I(state.laid[kind]))
            state.laid[kind] = 0
    clear_tunnel(state)


@kernel
def pay_extra(state: State, tables: Tables, log: Log, locos: Int) -> None:
    """Pay what the tunnel costs more, in cards only (RULING-13), and claim it."""
    player, colour, extra, track = I(state.player), I(state.laid_colour), I(state.extra), I(state.track)
    pay(state, player, colour, extra - locos, locos)
    discard_laid(state)
    complete_claim(state, tables, log, track)


@kernel
def give_up(state: State, tables: Tables, log: Log) -> None:
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
def complete_claim(state: State, tables: Tables, log: Log, track: Int) -> None:
    """Trains on the track, points at once, parallel tracks closed (CLAIM-4, CLAIM-5, CLAIM-8, CLAIM-9).

    Then passengers.
    """
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
def ask_passengers(state: State, tables: Tables) -> None:
    """Stay at the end of the track where passengers wait, else go to the other end, else end the turn (PASSENGER-1)."""
    if state.phase == PASSENGER_A and passenger_mask(state, tables, passenger_place(state, tables)) == ZERO:
        state.phase = PASSENGER_B
    if state.phase == PASSENGER_B and passenger_mask(state, tables, passenger_place(state, tables)) == ZERO:
        state.track = NONE
        end_turn(state, tables)


@kernel
def take_passenger(state: State, tables: Tables, colour: Int) -> None:
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
def draw_tickets(state: State, tables: Tables, second: Int) -> None:
    """Tickets to choose from, `second` of them from deck 1 (TICKET-1 to TICKET-4)."""
    player = I(state.player)
    left = I(state.ticket_count[0]) + I(state.ticket_count[1])
    offer_tickets(state, tables, player, I(1), second)
    offer_tickets(state, tables, player, I(0), min(tables.draw_count, left) - second)
    state.phase = TICKETS


@kernel
def keep_tickets(state: State, tables: Tables, log: Log, subset: Int) -> None:
    """Keep a subset of the offer; the others go under their decks in the order they were drawn (TICKET-5, RULING-5)."""
    if state.phase == FIRST_TICKETS:
        choose(state, tables, log, subset)
        return
    take_offer(state, tables, I(state.player), subset, I(BOTTOM), I(0))
    end_offers(state)
    end_turn(state, tables)


@kernel
def build_station(state: State, tables: Tables, log: Log, offset: Int) -> None:
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
def step(state: State, tables: Tables, action: Int, log: Log) -> None:
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
def play_random(state: State, tables: Tables, rng: Rng, log: Log) -> Int:
    """Play to the end by uniformly random actions; returns the number of steps."""
    steps = 0
    rng = seeded(rng)
    while state.phase != OVER:
        rng = next_word(rng)
        step(state, tables, random_action(state, tables, rng), log)
        steps += 1
    return steps
