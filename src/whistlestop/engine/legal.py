"""Legal actions: listed, counted, checked and picked at random.

Sets of actions are bits: `simple_mask` for everything but claims and stations, bitboards of tracks for claims.
"""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, U, bit, lowest, popcount, scaled, select
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ALL_LOCO_STATION,
    ANNOUNCE,
    CLAIM,
    COLOUR_COUNT,
    DRAW_BLIND,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    FACE_UP,
    FIRST_TICKETS,
    GIVE_UP,
    KEEP,
    LOCO,
    MAX_LENGTH,
    MAX_STATIONS,
    NONE,
    OVER,
    PASS,
    PASSENGER_A,
    PAY_EXTRA,
    SECOND_CARD,
    STATION_PAYMENTS,
    TAKE_NONE,
    TAKE_PASSENGER,
    TICKETS,
    TUNNEL,
    TURN,
    WORDS,
)
from whistlestop.engine.tickets import least_kept
from whistlestop.engine.types import Bits, Bool, Int, Ints, Rng, State, Tables


@kernel
def take_seat(state: State, player: Int) -> Bool:
    """In a simultaneous phase: `player` is the one who acts next. True if that player may."""
    if state.phase > FIRST_TICKETS:
        return state.phase != OVER and state.player == player
    if player < 0 or player >= state.players or state.choice[player] != NONE:
        return False
    state.player = player
    return True


@kernel
def draw_mask(state: State) -> Bits:
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
def mix_mask(state: State, total: Int) -> Bits:
    """Ways to draw `total` tickets from two decks, as bits: how many come from deck 1 (TICKET-3, TICKET-4)."""
    mask = ZERO
    for second in range(total + 1):
        if second <= state.ticket_count[1] and total - second <= state.ticket_count[0]:
            mask |= bit(second)
    return mask


@kernel
def ticket_mask(state: State, tables: Tables) -> Bits:
    """Ways to draw tickets during the game, as bits of how many come from deck 1."""
    if not tables.mixed_draw:
        return ONE if state.ticket_count[0] > 0 else ZERO
    left = I(state.ticket_count[0]) + I(state.ticket_count[1])
    if left == 0:
        return ZERO
    return mix_mask(state, min(tables.draw_count, left))


@kernel
def keep_mask(state: State, tables: Tables) -> Bits:
    """Subsets of the offer that may be kept, as bits (SETUP-5 …, TICKET-1 …)."""
    player = I(state.player)
    n = I(state.offer_n[player])
    if state.phase == TICKETS:
        return tables.subsets[n, min(tables.draw_least, n)]
    most = min(tables.deal_most[state.deal], n)
    return tables.subsets[n, least_kept(state, tables, player)] & ~tables.subsets[n, most + 1]


@kernel
def extra_mask(state: State) -> Bits:
    """Answers to a tunnel that became dearer: PAY_EXTRA + locomotives, and giving up (TUNNEL-2 to TUNNEL-4,
    RULING-11).
    """
    player, colour, extra = I(state.player), I(state.laid_colour), I(state.extra)
    mask = bit(I(GIVE_UP - PAY_EXTRA))
    for locos in range(extra + 1):
        plain = extra - locos
        if locos <= state.hand[player, LOCO] and (
            plain == 0 or (colour != LOCO and plain <= state.hand[player, colour])
        ):
            mask |= bit(locos)
    return mask


@kernel
def passenger_place(state: State, tables: Tables) -> Int:
    """The place whose passengers are being asked about."""
    city = tables.a[state.track] if state.phase == PASSENGER_A else tables.b[state.track]
    return I(tables.city_place[city])


@kernel
def passenger_mask(state: State, tables: Tables, place: Int) -> Bits:
    """Colours of the passengers standing at a place, as bits (PASSENGER-1)."""
    mask = ZERO
    if place != NONE:
        for spot in range(tables.place_first[place], tables.place_first[place + 1]):
            if state.passengers[spot] != NONE:
                mask |= bit(I(state.passengers[spot]))
    return mask


@kernel
def simple_first(state: State) -> Int:
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
def simple_mask(state: State, tables: Tables) -> Bits:
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
        return mix_mask(state, tables.deal_counts[state.deal, 0])
    if phase == OVER:
        return ZERO
    return passenger_mask(state, tables, passenger_place(state, tables)) | bit(I(TAKE_NONE - TAKE_PASSENGER))


@kernel
def reachable(state: State, tables: Tables, word: Int) -> Bits:
    """A word of the tracks the player to move may claim, cards aside (CLAIM-4, CLAIM-6, CLAIM-8, CLAIM-9)."""
    player = I(state.player)
    trains = min(I(state.trains[player]), MAX_LENGTH)
    return state.open[word] & ~state.barred[player, word] & tables.within[trains, word]


@kernel
def station_payments(state: State) -> Bits:
    """Payments for the player's next station, as bits (STATION-2); none where no station is left."""
    player = I(state.player)
    if state.stations_left[player] == 0:
        return ZERO
    n = station_cost(state, player)
    locos = I(state.hand[player, LOCO])
    mask = bit(I(ALL_LOCO_STATION)) if locos >= n else ZERO
    for colour in range(COLOUR_COUNT):
        for used in range(max(0, n - I(state.hand[player, colour])), min(n - 1, locos) + 1):
            mask |= bit(colour * MAX_STATIONS + used)
    return mask


@kernel
def station_cost(state: State, player: Int) -> Int:
    """Cards for the next station: 1, then 2, then 3 (STATION-2)."""
    return popcount(state.stations[player]) + 1


@kernel
def station_sites(state: State, tables: Tables) -> Bits:
    """Cities without a station (STATION-1)."""
    taken = ZERO
    for player in range(I(state.players)):
        taken |= state.stations[player]
    return tables.station_cities & ~taken


@kernel
def claim_offset(tables: Tables, track: Int, colour: Int, locos: Int) -> Int:
    """Offset of a payment in the claim block: colours in order, locomotives rising, locomotives only at the end."""
    plain = I(tables.length[track]) - I(tables.ferry[track])
    if colour == LOCO:
        return I(tables.claim_first[track + 1]) - 1
    row = colour if tables.colour[track] == NONE else 0
    return I(tables.claim_first[track]) + row * plain + locos - I(tables.ferry[track])


@kernel
def payment_row(state: State, colour: Int) -> Int:
    """First row of `tables.payable` for the player's cards of a colour; the locomotives used are added."""
    held = min(I(state.hand[state.player, colour]), MAX_LENGTH)
    return (colour * (MAX_LENGTH + 1) + held) * (MAX_LENGTH + 1)


@kernel
def list_claims(state: State, tables: Tables, out: Ints, n: Int) -> Int:
    """Append every legal claim to out; returns the new count (CLAIM-1 to CLAIM-3, FERRY-1)."""
    player = I(state.player)
    locos = I(state.hand[player, LOCO])
    for word in range(WORDS):
        free = reachable(state, tables, word)
        for colour in range(COLOUR_COUNT):
            row = payment_row(state, I(colour))
            for used in range(min(locos, MAX_LENGTH - 1) + 1):
                tracks = free & tables.payable[row + used, word]
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
def list_stations(state: State, tables: Tables, out: Ints, n: Int) -> Int:
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
def list_legal(state: State, tables: Tables, out: Ints) -> Int:
    """Fill out with the legal actions of the player to move, in no particular order.

    Returns how many. None when the game is over.
    """
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
def legal_claim(state: State, tables: Tables, offset: Int) -> Bool:
    """Whether a claim can be made and paid now."""
    player = I(state.player)
    track, colour, locos = I(tables.claim_track[offset]), I(tables.claim_colour[offset]), I(tables.claim_locos[offset])
    if reachable(state, tables, track >> 6) & bit(track) == ZERO or locos > state.hand[player, LOCO]:
        return False
    return colour == LOCO or I(tables.length[track]) - locos <= state.hand[player, colour]


@kernel
def legal_station(state: State, tables: Tables, offset: Int) -> Bool:
    """Whether a station can be built and paid now."""
    return (
        station_payments(state) & bit(offset % STATION_PAYMENTS) != ZERO
        and station_sites(state, tables) & bit(offset // STATION_PAYMENTS) != ZERO
    )


@kernel
def is_legal(state: State, tables: Tables, action: Int) -> Bool:
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
def loco_claims(state: State, tables: Tables, word: Int) -> Bits:
    """A word of the tracks that the player can pay with locomotives only."""
    locos = min(I(state.hand[state.player, LOCO]), MAX_LENGTH)
    return reachable(state, tables, word) & tables.loco_payable[locos, word]


@kernel
def running_sums(packed: Int) -> Int:
    """Four numbers of sixteen bits in a word, each with those before it added."""
    packed += packed << 16
    return packed + (packed << 32)


@kernel
def count_claims(state: State, tables: Tables) -> tuple[Int, Int, Int, Int]:
    """Legal claims: with locomotives only; with a colour; and the running sums by colour.

    The sums stand in two words, four colours each, sixteen bits a colour.
    No branch depends on the hand: what a processor cannot foresee costs it more than counting.
    """
    # Tracks the player may claim, cards aside.
    first, second = reachable(state, tables, I(0)), reachable(state, tables, I(1))

    # Claims by colour and number of locomotives used; colours 0 to 3 in the lanes of one word, 4 to 7 in the other.
    locos = I(state.hand[state.player, LOCO])
    low, high = I(0), I(0)
    for used in range(min(locos, MAX_LENGTH - 1) + 1):
        for lane in range(COLOUR_COUNT // 2):
            row = payment_row(state, I(lane)) + used
            n = popcount(first & tables.payable[row, 0]) + popcount(second & tables.payable[row, 1])
            low += n << (16 * lane)
            row = payment_row(state, I(lane + COLOUR_COUNT // 2)) + used
            n = popcount(first & tables.payable[row, 0]) + popcount(second & tables.payable[row, 1])
            high += n << (16 * lane)

    # The last lane of a running sum is the total.
    low, high = running_sums(low), running_sums(high)

    # Claims with locomotives only count once, whatever the colour of the track.
    with_locos = I(0)
    if locos > 0:
        with_locos = popcount(loco_claims(state, tables, I(0))) + popcount(loco_claims(state, tables, I(1)))
    return with_locos, (low >> 48) + (high >> 48), low, high


@kernel
def count_legal(state: State, tables: Tables) -> Int:
    """Number of legal actions, the pass not counted."""
    n = popcount(simple_mask(state, tables))
    if state.phase == TURN:
        n_loco, n_colour, _, _ = count_claims(state, tables)
        n += n_loco + n_colour
        payments = station_payments(state)
        if payments != ZERO:
            n += popcount(payments) * popcount(station_sites(state, tables))
    return n


@kernel
def pick_track(first: Bits, second: Bits, k: Int) -> Int:
    """The k-th track of two words."""
    n = popcount(first)
    word = I(k >= n)
    return 64 * word + select(second if word else first, k - n * word)


@kernel
def pick_claim(state: State, tables: Tables, k: Int, low: Int, high: Int) -> Int:
    """The k-th legal claim paid with a colour, from the running sums of `count_claims`."""
    half = I(k >= (low >> 48))
    k -= half * (low >> 48)
    sums = high if half else low
    lane = I(k >= (sums & 0xFFFF)) + I(k >= ((sums >> 16) & 0xFFFF)) + I(k >= ((sums >> 32) & 0xFFFF))
    k -= ((sums << 16) >> (16 * lane)) & 0xFFFF
    colour = half * (COLOUR_COUNT // 2) + lane
    row = payment_row(state, colour)
    first, second = reachable(state, tables, I(0)), reachable(state, tables, I(1))
    used = I(0)
    while True:
        one, two = first & tables.payable[row + used, 0], second & tables.payable[row + used, 1]
        n = popcount(one) + popcount(two)
        if k < n:
            return CLAIM + claim_offset(tables, pick_track(one, two, k), colour, used)
        k -= n
        used += 1


@kernel
def random_turn(state: State, tables: Tables, rng: Rng) -> Int:
    """A legal action of a turn, each equally likely."""
    simple = simple_mask(state, tables)
    n_simple = popcount(simple)
    n_loco, n_claims, low, high = count_claims(state, tables)
    payments = station_payments(state)
    n_payments = popcount(payments)
    sites = station_sites(state, tables) if n_payments > 0 else ZERO
    n = n_simple + n_loco + n_claims + n_payments * popcount(sites)
    if n == 0:
        return I(PASS)
    k = scaled(rng, n)
    if k < n_simple:
        return select(simple, k)
    k -= n_simple
    if k < n_claims:
        return pick_claim(state, tables, k, low, high)
    k -= n_claims
    if k < n_loco:
        track = pick_track(loco_claims(state, tables, I(0)), loco_claims(state, tables, I(1)), k)
        return CLAIM + claim_offset(tables, track, I(LOCO), I(0))
    k -= n_loco
    return tables.station_first + select(sites, k // n_payments) * STATION_PAYMENTS + select(payments, k % n_payments)


@kernel
def random_action(state: State, tables: Tables, rng: Rng) -> Int:
    """A legal action, each equally likely, from a stream of the caller's, without listing them."""
    if state.phase == TURN:
        return random_turn(state, tables, rng)
    simple = simple_mask(state, tables)
    return simple_first(state) + select(simple, scaled(rng, popcount(simple)))
