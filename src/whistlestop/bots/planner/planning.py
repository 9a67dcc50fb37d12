"""Plans: a network for all tickets of a player together, own tracks free, the others at a price."""

from __future__ import annotations

from whistlestop.bots.planner.mind import UNKNOWN_TARGET, Mind, Parameters
from whistlestop.bots.planner.parameters import (
    BORROW_PRICE,
    CARD_PRICE,
    CONTESTED,
    CROWD_OFF,
    FERRY_PRICE,
    GRAY_PRICE,
    HELD_OFF,
    LATE,
    LEAST_PRICE,
    PLENTY_OFF,
    POINTS_OFF,
    RATE,
    REACH,
    TUNNEL_PRICE,
    TURN_PRICE,
)
from whistlestop.engine.bits import ONE, ZERO, I, U, bit, lowest, popcount
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import COLOUR_COUNT, KINDS, LOCO, MAX_LENGTH, NONE, WORDS
from whistlestop.engine.types import Bits, Bool, Int, Real, State, Tables

FREE = 1.0 / 64
"""Price of a track that is there: own, or already in the plan. A little, so that ways stay short."""
BUILT_PRICE = 1.5
"""Price of borrowing a track at a city where the player has a station."""
MANY_CARDS = 12
"""From here on a hand is large: its cards should be spent."""
FAR_AHEAD = 30.0
"""Points of routes that a player can hardly lose any more, or catch up."""
REPLAN_CARDS = 5
"""So many cards more than when the plan was made, and it is made anew."""
CARDS_OF_USE = 0.75
"""Share of the cards in hand that a plan can be paid with, as a rule."""
GIVEN_UP, PURSUED, COMPLETED = range(3)


# ---- what a board looks like to a player --------------------------------------------------------------------------
@kernel
def usable(state: State, tables: Tables, player: Int, word: Int) -> Bits:
    """A word of the tracks that a player may still claim, cards aside."""
    trains = min(I(state.trains[player]), MAX_LENGTH)
    return state.open[word] & ~state.barred[player, word] & tables.within[trains, word]


@kernel
def others_tracks(state: State, player: Int, word: Int) -> Bits:
    """A word of the tracks that others have."""
    tracks = ZERO
    for other in range(I(state.players)):
        if other != player:
            tracks |= state.tracks[other, word]
    return tracks


@kernel
def ends_of(tables: Tables, low: Bits, high: Bits) -> Bits:
    """Cities at the ends of some tracks."""
    cities = ZERO
    while low:
        track = lowest(low)
        low &= low - ONE
        cities |= bit(I(tables.a[track])) | bit(I(tables.b[track]))
    while high:
        track = 64 + lowest(high)
        high &= high - ONE
        cities |= bit(I(tables.a[track])) | bit(I(tables.b[track]))
    return cities


@kernel
def own_cities(state: State, tables: Tables, player: Int) -> Bits:
    """Cities where a player has tracks."""
    return ends_of(tables, state.tracks[player, 0], state.tracks[player, 1])


@kernel
def path_ends(state: State, tables: Tables, player: Int) -> Bits:
    """Cities where an odd number of a player's tracks meet: a path that uses all of them begins and ends there."""
    cities = ZERO
    for word in range(WORDS):
        left = state.tracks[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            cities ^= bit(I(tables.a[track])) ^ bit(I(tables.b[track]))
    return cities


@kernel
def rival_cities(state: State, tables: Tables, player: Int) -> Bits:
    """Cities where others have tracks."""
    return ends_of(tables, others_tracks(state, player, I(0)), others_tracks(state, player, I(1)))


@kernel
def ends_in(tables: Tables, track: Int, cities: Bits) -> Int:
    """How many ends of a track are among some cities."""
    return I((cities >> U(tables.a[track])) & ONE) + I((cities >> U(tables.b[track])) & ONE)


@kernel
def waiting_cities(state: State, tables: Tables) -> Bits:
    """Cities where passengers wait."""
    cities = ZERO
    if tables.places == 0:
        return cities
    for city in range(tables.cities):
        place = I(tables.city_place[city])
        if place != NONE:
            for spot in range(tables.place_first[place], tables.place_first[place + 1]):
                if state.passengers[spot] != NONE:
                    cities |= bit(city)
                    break
    return cities


@kernel
def turns_left(state: State, tables: Tables, player: Int, par: Parameters) -> Real:
    """Turns that a player can count on, as fast as the rivals lay their trains."""
    if state.last_turns > 0:
        return 1.0
    least = I(99)
    for other in range(I(state.players)):
        if other != player:
            least = min(least, I(state.trains[other]))
    return max(least - tables.last_round_trains, 0) / par[RATE] + 2.0


@kernel
def lead(state: State, player: Int) -> Real:
    """How far a player's routes are ahead of the best rival's: 1 is far ahead, -1 far behind."""
    best = I(0)
    for other in range(I(state.players)):
        if other != player:
            best = max(best, I(state.points[other]))
    return max(-1.0, min(1.0, (I(state.points[player]) - best) / FAR_AHEAD))


@kernel
def most_held(state: State, player: Int) -> Int:
    """Cards of the colour of which a player holds most."""
    most = I(0)
    for colour in range(COLOUR_COUNT):
        most = max(most, I(state.hand[player, colour]))
    return most


# ---- prices -------------------------------------------------------------------------------------------------------
@kernel
def set_start_prices(tables: Tables, mind: Mind, temper: Int, par: Parameters) -> None:
    """The part of each track's price that neither hand nor board change."""
    for track in range(tables.tracks):
        price = par[TURN_PRICE] + par[CARD_PRICE] * tables.length[track] - par[POINTS_OFF] * tables.track_points[track]
        price += par[FERRY_PRICE] * tables.ferry[track]
        if tables.tunnel[track]:
            price += par[TUNNEL_PRICE]
        if tables.colour[track] == NONE:
            price += par[GRAY_PRICE]
        mind.start_price[temper, track] = price


@kernel
def set_price(mind: Mind, track: Int, price: Real) -> None:
    """Note a track's price before tickets share it."""
    mind.price[track] = price
    mind.list_price[track] = price
    mind.uses[track] = 0


@kernel
def set_prices(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> None:
    """The price of every track that a player can use: own ones are free, others' are borrowed by stations."""
    most, cards, temper = most_held(state, player), I(state.cards[player]), mind.temper[player]
    off = par[HELD_OFF] + par[PLENTY_OFF] * min(1.0, max(0, cards - MANY_CARDS) / MANY_CARDS)
    crowded = waiting_cities(state, tables)
    contested = rival_cities(state, tables, player) if par[CONTESTED] != 0.0 else ZERO
    for word in range(WORDS):
        left = usable(state, tables, player, word)
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            colour = I(tables.colour[track])
            held = min(I(tables.length[track]), most if colour == NONE else I(state.hand[player, colour]))
            price = mind.start_price[temper, track] - off * held
            if crowded:
                price -= par[CROWD_OFF] * ends_in(tables, track, crowded)
            if contested:
                price += par[CONTESTED] * ends_in(tables, track, contested)
            set_price(mind, track, max(price, par[LEAST_PRICE]))
        left = state.tracks[player, word]
        while left:
            set_price(mind, 64 * word + lowest(left), FREE)
            left &= left - ONE
        if tables.stations > 0:
            left = others_tracks(state, player, word)
            while left:
                track = 64 * word + lowest(left)
                left &= left - ONE
                built = ends_in(tables, track, state.stations[player]) > 0
                set_price(mind, track, BUILT_PRICE if built else par[BORROW_PRICE])


# ---- ways ---------------------------------------------------------------------------------------------------------
@kernel
def nearest_city(mind: Mind, cities: Bits) -> Int:
    """The city with the smallest distance."""
    best, found = 1e18, I(0)
    while cities:
        city = lowest(cities)
        cities &= cities - ONE
        if mind.distance[city] < best:
            best, found = mind.distance[city], city
    return found


@kernel
def find_way(tables: Tables, mind: Mind, sources: Bits, targets: Bits, low: Bits, high: Bits) -> Int:
    """The nearest target by the cheapest way over some tracks (Dijkstra), or NONE; `came_by` leads back.

    Into `reached`: the cities looked at. Without targets, all that can be reached.
    """
    fringe, seen, done = sources, sources, ZERO
    left = sources
    while left:
        city = lowest(left)
        left &= left - ONE
        mind.distance[city] = 0.0
        mind.came_by[city] = NONE
    while fringe:
        city = nearest_city(mind, fringe)
        here, distance = bit(city), mind.distance[city]
        fringe &= ~here
        done |= here
        if here & targets:
            mind.reached = done
            return city
        for word in range(WORDS):
            left = tables.city_tracks[city, word] & (low if word == 0 else high)
            while left:
                track = 64 * word + lowest(left)
                left &= left - ONE
                there = I(tables.a[track]) ^ I(tables.b[track]) ^ city
                if done & bit(there):
                    continue
                longer = distance + mind.price[track]
                if seen & bit(there) == ZERO or longer < mind.distance[there]:
                    mind.distance[there] = longer
                    mind.came_by[there] = track
                    seen |= bit(there)
                    fringe |= bit(there)
    mind.reached = done
    return I(NONE)


# ---- plans --------------------------------------------------------------------------------------------------------
@kernel
def sort_tickets(tables: Tables, mind: Mind, low: Bits, high: Bits) -> Int:
    """Tickets into `order`, those with most points first; returns how many."""
    n = I(0)
    for word in range(WORDS):
        left = low if word == 0 else high
        while left:
            ticket = 64 * word + lowest(left)
            left &= left - ONE
            place, points = n, tables.ticket_points[ticket]
            while place > 0 and tables.ticket_points[mind.order[place - 1]] < points:
                mind.order[place] = mind.order[place - 1]
                place -= 1
            mind.order[place] = ticket
            n += 1
    return n


@kernel
def release_way(tables: Tables, mind: Mind, place: Int) -> None:
    """Take a ticket's way out of the draft, but for what other tickets use."""
    for word in range(WORDS):
        left = mind.way[place, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            mind.uses[track] -= 1
            if mind.uses[track] > 0:
                continue
            mind.price[track] = mind.list_price[track]
            mind.draft_price -= mind.list_price[track]
            if mind.draft[word] & bit(track):
                mind.draft[word] &= ~bit(track)
                mind.draft_spaces -= I(tables.length[track])
                mind.draft_claims -= 1
            else:
                mind.draft_borrow[word] &= ~bit(track)


@kernel
def release_all(tables: Tables, mind: Mind) -> None:
    """Take every way out of the draft: prices are again what they were before the plan."""
    for place in range(mind.draft_tickets):
        if mind.fate[place] == PURSUED:
            release_way(tables, mind, place)


@kernel
def read_way(tables: Tables, mind: Mind, place: Int, end: Int, own_low: Bits, own_high: Bits) -> None:
    """The way that ends in a city, without own tracks, into `way`."""
    low, high = ZERO, ZERO
    city, track = end, mind.came_by[end]
    while track >= 0:
        if track < 64:
            low |= bit(track)
        else:
            high |= bit(track)
        city ^= I(tables.a[track]) ^ I(tables.b[track])
        track = mind.came_by[city]
    mind.way[place, 0] = low & ~own_low
    mind.way[place, 1] = high & ~own_high


@kernel
def add_way(tables: Tables, mind: Mind, place: Int, word: Int, borrowed: Bits) -> None:
    """Put a word of a ticket's way into the draft; what is in it is free for other tickets."""
    left = mind.way[place, word]
    while left:
        track = 64 * word + lowest(left)
        left &= left - ONE
        mind.uses[track] += 1
        mind.price[track] = FREE
        if mind.uses[track] > 1:
            continue
        mind.draft_price += mind.list_price[track]
        if borrowed & bit(track):
            mind.draft_borrow[word] |= bit(track)
        else:
            mind.draft[word] |= bit(track)
            mind.draft_spaces += I(tables.length[track])
            mind.draft_claims += 1


@kernel
def turns_needed(claims: Int, spaces: Int, cards: Int) -> Real:
    """Turns that so many claims take, with those for the cards they lack."""
    return claims + max(0.0, spaces - CARDS_OF_USE * cards) / 2.0


@kernel
def plan_network(
    state: State,
    tables: Tables,
    mind: Mind,
    player: Int,
    par: Parameters,
    low: Bits,
    high: Bits,
    budget: Int,
    passes: Int,
) -> Real:
    """Plan for some tickets (two words) with at most `budget` spaces; prices must be set.

    Returns the points of the tickets pursued or completed, less those given up, less the upkeep of the price.
    Tickets go one after another, each on the tracks of those before; in a second pass each is taken out and laid anew.
    """
    n = sort_tickets(tables, mind, low, high)
    own_low, own_high = state.tracks[player, 0], state.tracks[player, 1]
    built = popcount(state.stations[player])
    stations = built + I(state.stations_left[player])
    borrowed_low = others_tracks(state, player, I(0)) if stations > 0 else ZERO
    borrowed_high = others_tracks(state, player, I(1)) if stations > 0 else ZERO
    paths_low = own_low | usable(state, tables, player, I(0)) | borrowed_low
    paths_high = own_high | usable(state, tables, player, I(1)) | borrowed_high
    turns, cards = turns_left(state, tables, player, par), I(state.cards[player])
    for word in range(WORDS):
        mind.draft[word] = ZERO
        mind.draft_borrow[word] = ZERO
    mind.draft_tickets = n
    mind.draft_spaces = 0
    mind.draft_claims = 0
    mind.draft_price = 0.0
    for again in range(passes if n > 1 else 1):
        for place in range(n):
            ticket = mind.order[place]
            if again:
                if mind.fate[place] == COMPLETED:
                    continue
                if mind.fate[place] == PURSUED:
                    release_way(tables, mind, place)
            mind.fate[place] = GIVEN_UP
            end = find_way(tables, mind, tables.ticket_a[ticket], tables.ticket_b[ticket], paths_low, paths_high)
            if end == NONE:
                continue
            read_way(tables, mind, place, end, own_low, own_high)
            if mind.way[place, 0] == ZERO and mind.way[place, 1] == ZERO:
                mind.fate[place] = COMPLETED
                continue
            before_price, before_borrowed = (
                mind.draft_price,
                popcount(mind.draft_borrow[0]) + popcount(mind.draft_borrow[1]),
            )
            add_way(tables, mind, place, I(0), borrowed_low)
            add_way(tables, mind, place, I(1), borrowed_high)
            borrowed = popcount(mind.draft_borrow[0]) + popcount(mind.draft_borrow[1])
            needed = turns_needed(mind.draft_claims, mind.draft_spaces, cards) + max(0, borrowed - built)
            if (
                mind.draft_spaces > budget
                or (borrowed > stations and borrowed > before_borrowed)
                or (turns < par[LATE] and needed > turns)
                or (mind.draft_price - before_price) * par[REACH] > 3.0 * tables.ticket_points[ticket] + 6.0
            ):
                release_way(tables, mind, place)
                continue
            mind.fate[place] = PURSUED
    return add_up(tables, mind, n, player)


@kernel
def add_up(tables: Tables, mind: Mind, n: Int, player: Int) -> Real:
    """Points of the tickets of a draft: for those pursued and completed, against those given up."""
    points, hopeless = I(0), I(0)
    for place in range(n):
        ticket = mind.order[place]
        if mind.fate[place] == GIVEN_UP:
            points -= I(tables.ticket_points[ticket])
            hopeless += 1
        else:
            points += I(tables.ticket_points[ticket])
        if mind.fate[place] == COMPLETED:
            mind.done[player, ticket >> 6] |= bit(ticket)
    mind.draft_hopeless = hopeless
    return 1.0 * points


@kernel
def note_needs(tables: Tables, mind: Mind, player: Int) -> None:
    """What a plan asks for: its spaces, its claims, and the cards of each kind that are not free to choose."""
    for kind in range(KINDS):
        mind.need[player, kind] = 0.0
    spaces, claims = I(0), I(0)
    for word in range(WORDS):
        left = mind.plan[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            length, ferry, colour = I(tables.length[track]), I(tables.ferry[track]), I(tables.colour[track])
            spaces += length
            claims += 1
            mind.need[player, LOCO] += ferry
            if colour != NONE:
                mind.need[player, colour] += length - ferry
    mind.spaces[player] = spaces
    mind.claims[player] = claims


@kernel
def still_holds(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Bool:
    """Whether a plan is as good as when it was made. Tracks claimed since leave it."""
    if mind.valid[player] == 0:
        return False
    if mind.tickets[player, 0] != state.tickets[player, 0] or mind.tickets[player, 1] != state.tickets[player, 1]:
        return False
    low, high = mind.plan[player, 0] & ~state.tracks[player, 0], mind.plan[player, 1] & ~state.tracks[player, 1]
    if low & ~usable(state, tables, player, I(0)) or high & ~usable(state, tables, player, I(1)):
        return False
    if low != mind.plan[player, 0] or high != mind.plan[player, 1]:
        mind.plan[player, 0], mind.plan[player, 1] = low, high
        note_needs(tables, mind, player)
    if low | high == ZERO:
        return True
    cards = I(state.cards[player])
    if cards > mind.cards[player] + REPLAN_CARDS:
        return False
    turns = turns_left(state, tables, player, par)
    return turns >= par[LATE] or turns_needed(mind.claims[player], mind.spaces[player], cards) <= turns


@kernel
def ensure_plan(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> None:
    """A plan for the tickets that a player holds, made anew where the old one does not hold any longer."""
    if still_holds(state, tables, mind, player, par):
        return
    low, high = state.tickets[player, 0], state.tickets[player, 1]
    set_prices(state, tables, mind, player, par)
    open_low, open_high = low & ~mind.done[player, 0], high & ~mind.done[player, 1]
    plan_network(state, tables, mind, player, par, open_low, open_high, I(state.trains[player]), I(2))
    for word in range(WORDS):
        mind.plan[player, word] = mind.draft[word]
        mind.borrow[player, word] = mind.draft_borrow[word]
        mind.tickets[player, word] = state.tickets[player, word]
    mind.hopeless[player] = mind.draft_hopeless
    mind.cards[player] = I(state.cards[player])
    mind.target[player] = UNKNOWN_TARGET
    mind.valid[player] = 1
    note_needs(tables, mind, player)
