"""The final count: tickets with the best use of stations, bonuses, passengers, and who wins."""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest, popcount
from whistlestop.engine.graph import build_network, connected, group_of, longest_path
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    COMPLETED,
    FAILED,
    GLOBETROTTER,
    MAX_STATIONS,
    NONE,
    PASSENGER_COLOURS,
    PASSENGERS,
    PATH,
    PATH_LENGTH,
    ROUTES,
    SHEET,
    STATION_POINTS,
    TICKET_POINTS,
    TIE_NONE,
    TIE_PATH,
    TIE_STATIONS,
    TIE_TICKETS,
    TOTAL,
    WON,
    WORDS,
)
from whistlestop.engine.types import Bits, Int, Ints, Network, Sheet, State, Tables, Words


# ---- stations (STATION-4, RULING-6) -----------------------------------------------------------------------------
@kernel
def list_choices(state: State, tables: Tables, net: Network, player: Int, station: Int, city: Int) -> None:
    """Tracks of opponents into a station's city, one for each group of cities that they would bring in."""
    n = 0
    own = group_of(net, city)
    for word in range(WORDS):
        left = ZERO
        for other in range(I(state.players)):
            if other != player:
                left |= state.tracks[other, word]
        left &= tables.city_tracks[city, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            group = group_of(net, I(tables.a[track]) ^ I(tables.b[track]) ^ city)
            fresh = group != own
            for i in range(n):
                fresh &= net.choice_group[station, i] != group
            if fresh:
                net.choice_group[station, n] = group
                net.choice_track[station, n] = track
                n += 1
    net.choice_n[station] = n


@kernel
def merged(one: Bits, other: Bits) -> Bits:
    """Two groups as one if they share a city, else the first."""
    return one | other if one & other else one


@kernel
def worth(net: Network, n_open: Int, first: Bits, second: Bits, third: Bits) -> Int:
    """Points and number of the open tickets that three groups of cities complete: points * 256 + number."""
    # Groups that touch are one: after two rounds each holds all that it is connected with.
    for _ in range(2):
        first = merged(merged(first, second), third)
        second = merged(merged(second, third), first)
        third = merged(merged(third, first), second)
    value = 0
    for i in range(n_open):
        a, b = net.open_a[i], net.open_b[i]
        if (first & a and first & b) or (second & a and second & b) or (third & a and third & b):
            value += net.open_points[i] * 256 + 1
    return value


@kernel
def best_stations(state: State, tables: Tables, net: Network, player: Int, n_open: Int, borrowed: Ints) -> Int:
    """Most points (then most tickets) that a player's stations add.

    Into borrowed[i]: the track that the i-th station's city borrows, or NONE.
    Every combination of one track per station, or none, is weighed for all tickets together. The first best one found
    borrows nothing without need.
    """
    left = state.stations[player]
    groups = left  # each station's own group: filled in below
    n_stations = I(0)
    for station in range(MAX_STATIONS):
        borrowed[station] = NONE
        net.choice_n[station] = 0
    while left:
        list_choices(state, tables, net, player, n_stations, lowest(left))
        n_stations += 1
        left &= left - ONE
    best = 0
    for i in range(net.choice_n[0] + 1):
        first = joined(net, groups, I(0), i)
        for j in range(net.choice_n[1] + 1):
            second = joined(net, groups, I(1), j)
            for k in range(net.choice_n[2] + 1):
                value = worth(net, n_open, first, second, joined(net, groups, I(2), k))
                if value > best:
                    best = value
                    borrowed[0] = net.choice_track[0, i - 1] if i > 0 else NONE
                    borrowed[1] = net.choice_track[1, j - 1] if j > 0 else NONE
                    borrowed[2] = net.choice_track[2, k - 1] if k > 0 else NONE
    return best


@kernel
def joined(net: Network, stations: Bits, station: Int, choice: Int) -> Bits:
    """Cities connected with a station's city when its choice-th track is borrowed; nothing for choice 0."""
    if choice == 0:
        return ZERO
    for _ in range(station):
        stations &= stations - ONE
    return group_of(net, lowest(stations)) | net.choice_group[station, choice - 1]


# ---- tickets (TICKET-8, TICKET-9, END-2) -------------------------------------------------------------------------
@kernel
def completed_tickets(state: State, tables: Tables, net: Network, player: Int, borrowed: Words, done: Words) -> None:
    """Into done (words): the player's tickets that own tracks and borrowed ones (words) complete (TICKET-8,
    STATION-4).
    """
    build_network(net, tables, state.tracks[player, 0] | borrowed[0], state.tracks[player, 1] | borrowed[1])
    for word in range(WORDS):
        done[word] = ZERO
        left = state.tickets[player, word]
        while left:
            ticket = 64 * word + lowest(left)
            if connected(net, tables.ticket_a[ticket], tables.ticket_b[ticket]):
                done[word] |= bit(ticket)
            left &= left - ONE


@kernel
def open_ticket(tables: Tables, net: Network, n: Int, ticket: Int) -> None:
    """Note a ticket that the player's own tracks do not complete."""
    net.open_a[n] = tables.ticket_a[ticket]
    net.open_b[n] = tables.ticket_b[ticket]
    net.open_points[n] = tables.ticket_points[ticket]


@kernel
def score_tickets(state: State, tables: Tables, net: Network, player: Int, sheet: Sheet, borrowed: Ints) -> None:
    """Completed and failed tickets of a player, the stations used for the best; the network must be built."""
    # What own tracks connect; the others are open.
    done, completed, missed, n_open = I(0), I(0), I(0), I(0)
    for word in range(WORDS):
        left = state.tickets[player, word]
        while left:
            ticket = 64 * word + lowest(left)
            left &= left - ONE
            points = I(tables.ticket_points[ticket])
            if connected(net, tables.ticket_a[ticket], tables.ticket_b[ticket]):
                done += points
                completed += 1
            else:
                open_ticket(tables, net, n_open, ticket)
                missed += points
                n_open += 1

    # What stations add to that (STATION-4, RULING-6).
    for station in range(MAX_STATIONS):
        borrowed[player, station] = NONE
    if n_open > 0 and state.stations[player] != ZERO:
        value = best_stations(state, tables, net, player, n_open, borrowed[player])
        done += value >> 8
        missed -= value >> 8
        completed += value & 255
        n_open -= value & 255
    sheet[player, TICKET_POINTS] = done - missed
    sheet[player, COMPLETED] = completed
    sheet[player, FAILED] = n_open


# ---- bonuses -----------------------------------------------------------------------------------------------------
@kernel
def most(state: State, sheet: Sheet, column: Int) -> Int:
    """The highest number in a column."""
    best = 0
    for player in range(I(state.players)):
        best = max(best, sheet[player, column])
    return best


@kernel
def score_most(state: State, sheet: Sheet, column: Int, bonus_column: Int, bonus: Int) -> None:
    """A bonus to all who have the most of something, if there is any (END-3, END-4, RULING-7)."""
    best = most(state, sheet, column)
    if best > 0:
        for player in range(I(state.players)):
            if sheet[player, column] == best:
                sheet[player, bonus_column] = bonus


@kernel
def score_passengers(state: State, tables: Tables, sheet: Sheet) -> None:
    """Prizes for the most and second most passengers of each colour (PASSENGER-3, RULING-7)."""
    for colour in range(PASSENGER_COLOURS):
        best, second, ahead = 0, 0, 0
        for player in range(I(state.players)):
            n = I(state.collected[player, colour])
            if n > best:
                second, best, ahead = best, n, 1
            elif n == best:
                ahead += 1
            elif n > second:
                second = n
        for player in range(I(state.players)):
            n = I(state.collected[player, colour])
            if n > 0 and n == best:
                sheet[player, PASSENGERS] += tables.passenger_points[0]
            elif n > 0 and n == second and ahead == 1:
                sheet[player, PASSENGERS] += tables.passenger_points[1]


# ---- who wins (END-5 to END-7, RULING-9) ---------------------------------------------------------------------------
@kernel
def standing(state: State, sheet: Sheet, player: Int, criterion: Int) -> Int:
    """A player's number for a criterion; more is better."""
    if criterion == TIE_NONE:
        return sheet[player, TOTAL]
    if criterion == TIE_TICKETS:
        return sheet[player, COMPLETED]
    if criterion == TIE_STATIONS:
        return -popcount(state.stations[player])
    if criterion == TIE_PATH:
        return 1 if sheet[player, PATH] > 0 else 0
    total = 0
    for colour in range(PASSENGER_COLOURS):
        total += I(state.collected[player, colour])
    return total


@kernel
def leaders(state: State, sheet: Sheet, among: Bits, criterion: Int) -> Bits:
    """Of some players (bits), those who are best by a criterion."""
    found, best = ZERO, 0
    for player in range(I(state.players)):
        if among & bit(player):
            n = standing(state, sheet, player, criterion)
            if found == ZERO or n > best:
                found, best = bit(player), n
            elif n == best:
                found |= bit(player)
    return found


@kernel
def decide(state: State, tables: Tables, sheet: Sheet) -> Int:
    """Mark the winners; returns the number of criteria after the points that were needed, or NONE if they share the
    victory.
    """
    among = leaders(state, sheet, bit(I(state.players)) - ONE, I(TIE_NONE))
    needed = 0
    while popcount(among) > 1 and needed < len(tables.tie_breaks) and tables.tie_breaks[needed] != TIE_NONE:
        among = leaders(state, sheet, among, tables.tie_breaks[needed])
        needed += 1
    for player in range(I(state.players)):
        sheet[player, WON] = 1 if among & bit(player) else 0
    return needed if popcount(among) == 1 else NONE


@kernel
def score(state: State, tables: Tables, net: Network, sheet: Sheet, borrowed: Ints) -> Int:
    """Fill the score sheet and the borrowed tracks; returns what `decide` does."""
    for player in range(I(state.players)):
        for column in range(SHEET):
            sheet[player, column] = 0
        sheet[player, ROUTES] = state.points[player]
        sheet[player, STATION_POINTS] = I(state.stations_left[player]) * tables.station_points
        build_network(net, tables, state.tracks[player, 0], state.tracks[player, 1])
        score_tickets(state, tables, net, player, sheet, borrowed)
        if tables.longest_path > 0:
            sheet[player, PATH_LENGTH] = longest_path(net)
    if tables.longest_path > 0:
        score_most(state, sheet, I(PATH_LENGTH), I(PATH), tables.longest_path)
    if tables.globetrotter > 0:
        score_most(state, sheet, I(COMPLETED), I(GLOBETROTTER), tables.globetrotter)
    if tables.places > 0:
        score_passengers(state, tables, sheet)
    for player in range(I(state.players)):
        for column in range(TOTAL):
            sheet[player, TOTAL] += sheet[player, column]
    return decide(state, tables, sheet)
