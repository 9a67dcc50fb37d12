"""An edition's numbers and flags as one TABLES record: everything a kernel needs to know about a board."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from whistlestop.engine import layout as lay
from whistlestop.engine.types import Tables, TablesArray, Words
from whistlestop.mapfile import CARD_COLOURS, EDITIONS_KEPT, GRAY, MAX_LENGTH, MAX_OFFER, RETURNED, Board, Deal, Edition

BOARDS_KEPT = 16
"""Boards whose part of the tables is kept for editions to come."""


@lru_cache(maxsize=EDITIONS_KEPT)
def tables_of(edition: Edition) -> TablesArray:
    """The edition's tables, made once; read-only."""
    return _compile(edition)


def _compile(edition: Edition) -> TablesArray:
    out = _board_tables(edition.board).copy()
    t = out[0]
    _tickets(t, edition)
    _numbers(t, edition)
    out.flags.writeable = False
    return out


@lru_cache(maxsize=BOARDS_KEPT)
def _board_tables(board: Board) -> TablesArray:
    """What the board alone decides: nearly all of the work, and the same for every pack of tickets."""
    out = np.zeros(1, lay.TABLES)
    t = out[0]
    _tracks(t, board)
    _claims(t, board)
    _passengers(t, board)
    return out


def _set(words: Words, i: int) -> None:
    words[i >> 6] |= np.uint64(1 << (i & 63))


def _tracks(t: Tables, board: Board) -> None:
    t.tracks, t.cities = len(board.tracks), len(board.cities)
    for i, track in enumerate(board.tracks):
        t.a[i], t.b[i], t.length[i] = track.a, track.b, track.length
        t.colour[i] = lay.NONE if track.colour == GRAY else CARD_COLOURS.index(track.colour)
        t.ferry[i], t.tunnel[i], t.track_points[i] = track.ferry, track.tunnel, board.points[track.length]
        _set(t.all_tracks, i)
        _set(t.city_tracks[track.a], i)
        _set(t.city_tracks[track.b], i)
        for trains in range(track.length, MAX_LENGTH + 1):
            _set(t.within[trains], i)
    # CLAIM-10: only tracks joining the same two cities are parallel.
    for tracks in board.routes().values():
        for i in tracks:
            for j in tracks:
                if i != j:
                    _set(t.twins[i], j)
    mask = sum(1 << i for i, city in enumerate(board.cities) if city.country is None)
    t.station_cities = np.uint64(mask)


def _claims(t: Tables, board: Board) -> None:
    n = 0
    for i, track in enumerate(board.tracks):
        t.claim_first[i] = n
        colours = range(lay.COLOUR_COUNT) if track.colour == GRAY else (CARD_COLOURS.index(track.colour),)
        for colour in colours:
            for locos in range(track.ferry, track.length):
                t.claim_track[n], t.claim_colour[n], t.claim_locos[n] = i, colour, locos
                n += 1
                for held in range(track.length - locos, MAX_LENGTH + 1):
                    _set(t.payable[(colour * (MAX_LENGTH + 1) + held) * (MAX_LENGTH + 1) + locos], i)
        t.claim_track[n], t.claim_colour[n], t.claim_locos[n] = i, lay.LOCO, track.length
        n += 1
        for held in range(track.length, MAX_LENGTH + 1):
            _set(t.loco_payable[held], i)
    t.claim_first[len(board.tracks)] = n
    t.claims = n


def _tickets(t: Tables, edition: Edition) -> None:
    ends: dict[str, int] = {}
    for i, city in enumerate(edition.board.cities):
        ends[city.name] = ends.get(city.name, 0) | 1 << i
        if city.country is not None:
            ends[city.country] = ends.get(city.country, 0) | 1 << i
    n = 0
    for d, deck in enumerate(edition.decks):
        t.deck_first[d], t.deck_size[d], t.deck_leaves[d] = n, len(deck.tickets), deck.leaves
        for ticket in deck.tickets:
            t.ticket_a[n], t.ticket_b[n] = np.uint64(ends[ticket.a]), np.uint64(ends[ticket.b])
            t.ticket_points[n] = ticket.points
            n += 1
    if len(edition.decks) == 1:
        t.deck_first[1], t.deck_size[1] = n, 1  # an empty ring that nothing divides by zero on
    t.tickets, t.decks = n, len(edition.decks)
    for size in range(MAX_OFFER + 1):
        for least in range(MAX_OFFER + 2):
            t.subsets[size, least] = np.uint64(sum(1 << s for s in range(1 << size) if s.bit_count() >= least))


def _passengers(t: Tables, board: Board) -> None:
    t.city_place[:] = lay.NONE
    for i, count in enumerate(board.passenger_colours.values()):
        t.bag[i] = count
    if not board.passenger_colours:
        return
    places = places_of(board)
    spot = 0
    for place, (name, count) in enumerate(places):
        t.place_first[place] = spot
        spot += count
        for i, city in enumerate(board.cities):
            if name in (city.name, city.country):
                t.city_place[i] = place
    t.place_first[len(places)] = spot
    t.places = len(places)


def places_of(board: Board) -> tuple[tuple[str, int], ...]:
    """Where passengers stand and how many at the start: cities, then countries, in the order of the board."""
    cities = [(city.name, city.passengers) for city in board.cities if city.country is None]
    return tuple(cities + [(country.name, country.passengers) for country in board.countries])


def _numbers(t: Tables, edition: Edition) -> None:
    t.card_counts[:] = edition.cards_each
    t.card_counts[lay.LOCO] = edition.locomotives
    t.trains, t.hand, t.stations, t.station_points = (
        edition.trains,
        edition.hand,
        edition.stations,
        edition.station_points,
    )
    t.last_round_trains, t.parallel_from = edition.last_round_trains, edition.parallel_from
    t.longest_path, t.globetrotter, t.passenger_points[:] = (
        edition.longest_path,
        edition.globetrotter,
        edition.passenger_points,
    )
    t.draw_count, t.draw_least = edition.draw_count, edition.draw_keep_least
    t.mixed_draw = len(edition.decks) == 2 and not edition.decks[1].leaves
    t.deals = len(edition.first_tickets)
    for i, deal in enumerate(edition.first_tickets):
        _deal(t, i, deal)
    for i, name in enumerate(edition.tie_breaks):
        t.tie_breaks[i] = lay.TIE_BREAK_NAMES.index(name)
    t.station_first = lay.CLAIM + t.claims
    t.actions = t.station_first + (t.cities * lay.STATION_PAYMENTS if edition.stations else 0)


def _deal(t: Tables, i: int, deal: Deal) -> None:
    t.deal_counts[i] = deal.counts
    t.deal_least[i], t.deal_most[i], t.deal_least_otherwise[i] = (
        deal.keep_least,
        deal.keep_most,
        deal.keep_least_otherwise,
    )
    t.deal_returned[i], t.deal_announce[i] = RETURNED.index(deal.returned), deal.announce
