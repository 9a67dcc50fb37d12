"""The records: what one game, one edition and the scratch space of the scoring are made of.

Fields stand widest first and leave no holes, so that states can be compared, hashed and copied as bytes.
One padded layout serves every board. Tracks are bitboards of two 64-bit words, tickets too, cities of one word.
"""

from __future__ import annotations

import numpy as np

from whistlestop import mapfile
from whistlestop.mapfile import MAX_CITIES, MAX_LENGTH, MAX_OFFER, MAX_PASSENGERS, MAX_PLAYERS, MAX_TICKETS, MAX_TRACKS

# The limits of boards are written in mapfile/model.py; kernels find them here beside their own.
__all__ = [
    "MAX_CITIES", "MAX_LENGTH", "MAX_OFFER", "MAX_PASSENGERS", "MAX_PLAYERS", "MAX_TICKETS", "MAX_TRACKS",
]  # fmt: skip

COLOUR_COUNT = len(mapfile.CARD_COLOURS)
LOCO = mapfile.CARDS.index(mapfile.LOCOMOTIVE)
"""The ninth kind of card."""
KINDS = len(mapfile.CARDS)
WORDS = 2
FACE_UP = mapfile.FACE_UP
TURNED = 3
DECKS = 2
DEALS = 2
PASSENGER_COLOURS = mapfile.MAX_PASSENGER_COLOURS
MAX_STATIONS = mapfile.MAX_STATIONS
MAX_CLAIMS = MAX_TRACKS * (COLOUR_COUNT * MAX_LENGTH + 1)
STATION_PAYMENTS = COLOUR_COUNT * MAX_STATIONS + 1
"""Ways to pay for a station: a colour and 0, 1 or 2 locomotives, or locomotives only."""
ALL_LOCO_STATION = STATION_PAYMENTS - 1

NONE = -1
"""No card in this slot, no ticket, nobody, not chosen."""
HIDDEN = -2
"""A ticket or choice that the viewer may not see; HIDDEN - d for a ticket known to be of deck d."""

# What players remember of tickets they returned: columns of an entry, and what else than players stands in HANDS.
TICKET, START, LENGTH, HANDS = range(
    4
)  # NONE or the ticket; a run of places on its deck's ring; who may hold it, as bits
OFFERED = 1 << MAX_PLAYERS  # it may be among the tickets that somebody is choosing from
GONE = -128  # it is out of the game: the sign of the byte, so that six players fit in
MEMORY = 64
"""Entries of all players together."""

# Phases. In ANNOUNCE and FIRST_TICKETS all players choose at the same time.
ANNOUNCE, FIRST_TICKETS, TURN, SECOND_CARD, TICKETS, TUNNEL, PASSENGER_A, PASSENGER_B, OVER = range(9)
PHASES = ("announce", "first_tickets", "turn", "second_card", "tickets", "tunnel", "passenger", "passenger", "over")

# Actions: fixed blocks, then the edition's claims (CLAIM …) and stations (tables.station_first …).
PASS = 0
DRAW_BLIND = 1
DRAW_FACE_UP = 2  # + kind of card
DRAW_TICKETS = DRAW_FACE_UP + KINDS  # + number from deck 1; also the announcement before the first deal
KEEP = DRAW_TICKETS + MAX_OFFER + 1  # + subset of the offer as bits
PAY_EXTRA = KEEP + (1 << MAX_OFFER)  # + locomotives among the extra cards
GIVE_UP = PAY_EXTRA + TURNED + 1
TAKE_PASSENGER = GIVE_UP + 1  # + colour
TAKE_NONE = TAKE_PASSENGER + PASSENGER_COLOURS
CLAIM = TAKE_NONE + 1  # + offset of the payment in the tables

# Where tickets that were not kept go after a first deal.
BOTTOM, SHUFFLED_BOTTOM, BOX, RESHUFFLE = range(4)

# Tie-breaks, in the order the tables list them; 0 ends the list.
TIE_NONE, TIE_TICKETS, TIE_STATIONS, TIE_PATH, TIE_PASSENGERS = range(5)
TIE_BREAK_NAMES = ("", *mapfile.TIE_BREAKS)

# Columns of the score sheet that scoring.score fills, a row a player: sources of points, their total, what they come
# from.
SHEET_NAMES = (
    "routes", "tickets", "stations", "path", "passengers", "globetrotter", "total",
    "completed", "failed", "path_length", "won",
)  # fmt: skip
SHEET = len(SHEET_NAMES)
ROUTES, TICKET_POINTS, STATION_POINTS, PATH, PASSENGERS, GLOBETROTTER, TOTAL, COMPLETED, FAILED, PATH_LENGTH, WON = (
    range(SHEET)
)

# The chance log: [outcomes so far, number of scripted outcomes + 1 (0: live), outcomes …]
LOG_COUNT, LOG_SCRIPTED, LOG_FIRST = 0, 1, 2
BAD_SCRIPT = -1
"""Found in LOG_SCRIPTED after a step: a scripted outcome was impossible or missing, another stands in its place."""


def _record(fields: list[tuple[str, type, object]], align: int = 8) -> np.dtype[np.void]:
    """A record dtype without holes, its size a multiple of `align` by a named field of zeros."""
    size = sum(np.dtype((kind, shape)).itemsize for _, kind, shape in fields)
    if size % align:
        fields = [*fields, ("padding", np.int8, (align - size % align,))]
    dtype = np.dtype([(name, kind, shape) for name, kind, shape in fields])
    assert dtype.itemsize == sum(dtype[name].itemsize for name in dtype.names or ())
    return np.dtype((np.record, dtype))


u8, i8, i2, i1 = np.uint64, np.int64, np.int16, np.int8

STATE = _record(
    [
        ("rng", u8, ()),  # the chance stream; never shown to a player. The strong one counts here
        ("key", u8, (2,)),  # the strong stream's key, its seed; 0 for the quick one
        ("open", u8, (WORDS,)),  # tracks that nobody has and that are not closed to all (CLAIM-9)
        ("tracks", u8, (MAX_PLAYERS, WORDS)),  # tracks each player has claimed
        (
            "barred",
            u8,
            (MAX_PLAYERS, WORDS),
        ),  # parallel tracks of a player's own (CLAIM-8), where others may still claim them
        ("tickets", u8, (MAX_PLAYERS, WORDS)),  # tickets each player has kept
        ("stations", u8, (MAX_PLAYERS,)),  # cities with a station of the player
        ("points", i2, (MAX_PLAYERS,)),  # for routes, scored at once
        ("hand", i1, (MAX_PLAYERS, KINDS)),
        ("known", i1, (MAX_PLAYERS, KINDS)),  # cards that everybody knows a player holds (RULING-10): at least so many
        ("cards", i1, (MAX_PLAYERS,)),  # size of each hand
        ("trains", i1, (MAX_PLAYERS,)),
        ("stations_left", i1, (MAX_PLAYERS,)),
        ("deck", i1, (KINDS,)),  # piles are counts; a card is sampled when it is drawn
        ("discard", i1, (KINDS,)),
        ("deck_n", i1, ()),
        ("discard_n", i1, ()),
        ("face_up", i1, (FACE_UP,)),  # kind of card or NONE
        ("laid", i1, (KINDS,)),  # cards laid for a tunnel that is being asked about
        ("laid_colour", i1, ()),  # the colour played; LOCO: locomotives only; NONE: no tunnel
        ("turned", i1, (TURNED,)),  # cards turned up for the tunnel, or NONE
        ("extra", i1, ()),  # cards the tunnel costs more
        ("track", i1, ()),  # the track of the tunnel, or of the passengers being picked; NONE otherwise
        ("ticket_order", i1, (MAX_TICKETS,)),  # both decks as rings, each in its own segment; NONE where empty
        ("ticket_head", i1, (DECKS,)),
        ("ticket_count", i1, (DECKS,)),
        ("memory", i1, (MEMORY, 4)),  # tickets that players returned and have not seen since: see memory.py
        ("remembers", i1, ()),  # whether memory is kept; not in playouts, at whose views nobody looks
        ("lost_offers", i1, ()),  # entries whose ticket may be in an offer
        ("tickets_sure", i1, (MAX_PLAYERS, DECKS)),  # tickets held that everybody knows to be of this deck
        ("tickets_late", i1, (MAX_PLAYERS, DECKS)),  # those of them that were drawn during the game
        (
            "tickets_mixed",
            i1,
            (MAX_PLAYERS,),
        ),  # tickets held from a first deal of both decks: only the sum is public (SETUP-14)
        ("offer", i1, (MAX_PLAYERS, MAX_OFFER)),  # tickets to choose from, or NONE
        ("offer_n", i1, (MAX_PLAYERS,)),
        ("choice", i1, (MAX_PLAYERS,)),  # secret first choice: subset or announced number; NONE: not chosen yet
        ("passengers", i1, (MAX_PASSENGERS,)),  # colour of the passenger on each spot of the board, or NONE
        ("collected", i1, (MAX_PLAYERS, PASSENGER_COLOURS)),
        ("players", i1, ()),
        ("first", i1, ()),
        ("player", i1, ()),  # to move; in simultaneous phases the lowest seat that has not chosen
        ("phase", i1, ()),
        ("deal", i1, ()),  # which step of the first choices
        ("last_turns", i1, ()),  # turns left in the last round; 0: not begun
        ("passes", i1, ()),  # in a row
    ]
)

TABLES = _record(
    [
        ("payable", u8, (COLOUR_COUNT * (MAX_LENGTH + 1) ** 2, WORDS)),
        # [payment_row(colour, cards held) + locomotives used]: tracks that can be paid so, with a card of the colour
        ("loco_payable", u8, (MAX_LENGTH + 1, WORDS)),  # [locomotives held]: tracks payable with nothing else
        ("within", u8, (MAX_LENGTH + 1, WORDS)),  # [trains left]: tracks no longer (CLAIM-4)
        ("all_tracks", u8, (WORDS,)),
        ("twins", u8, (MAX_TRACKS, WORDS)),  # parallel tracks of a track, itself excluded
        ("city_tracks", u8, (MAX_CITIES, WORDS)),
        ("station_cities", u8, ()),  # where a station may stand: not on border spaces
        ("ticket_a", u8, (MAX_TICKETS,)),  # cities of one end: one, or the border spaces of a country
        ("ticket_b", u8, (MAX_TICKETS,)),
        ("subsets", u8, (MAX_OFFER + 1, MAX_OFFER + 2)),  # [offer size, k]: bit s set where subset s keeps at least k
        ("actions", i8, ()),
        ("claims", i8, ()),
        ("station_first", i8, ()),
        ("cities", i8, ()),
        ("tracks", i8, ()),
        ("tickets", i8, ()),
        ("places", i8, ()),
        ("decks", i8, ()),
        ("deals", i8, ()),
        ("deck_first", i8, (DECKS,)),
        ("deck_size", i8, (DECKS,)),
        ("deck_leaves", i8, (DECKS,)),
        ("deal_counts", i8, (DEALS, DECKS)),
        ("deal_least", i8, (DEALS,)),
        ("deal_most", i8, (DEALS,)),
        ("deal_least_otherwise", i8, (DEALS,)),
        ("deal_returned", i8, (DEALS,)),
        ("deal_announce", i8, (DEALS,)),
        ("draw_count", i8, ()),
        ("draw_least", i8, ()),
        ("mixed_draw", i8, ()),  # two decks to draw from during the game (TICKET-3)
        ("trains", i8, ()),
        ("hand", i8, ()),
        ("stations", i8, ()),
        ("station_points", i8, ()),
        ("last_round_trains", i8, ()),
        ("parallel_from", i8, ()),
        ("longest_path", i8, ()),
        ("globetrotter", i8, ()),
        ("passenger_points", i8, (2,)),
        ("tie_breaks", i8, (4,)),
        ("claim_first", i2, (MAX_TRACKS + 1,)),
        ("claim_track", i1, (MAX_CLAIMS,)),
        ("claim_colour", i1, (MAX_CLAIMS,)),  # LOCO: locomotives only
        ("claim_locos", i1, (MAX_CLAIMS,)),
        ("card_counts", i1, (KINDS,)),
        ("a", i1, (MAX_TRACKS,)),
        ("b", i1, (MAX_TRACKS,)),
        ("length", i1, (MAX_TRACKS,)),
        ("colour", i1, (MAX_TRACKS,)),  # NONE: gray
        ("ferry", i1, (MAX_TRACKS,)),
        ("tunnel", i1, (MAX_TRACKS,)),
        ("track_points", i1, (MAX_TRACKS,)),
        ("ticket_points", i1, (MAX_TICKETS,)),
        ("bag", i1, (PASSENGER_COLOURS,)),
        ("city_place", i1, (MAX_CITIES,)),  # where a city's passengers stand: itself or its country; NONE
        ("place_first", i1, (MAX_CITIES + 1,)),  # first spot of a place
    ]
)

FRAMES = 64 + 2
"""Depth of the path search: each frame leaves out one more of at most 60 tracks, or names one of two ends."""

NETWORK = _record(
    [
        ("incident", u8, (MAX_CITIES,)),  # tracks of the network at each city, as bits of their number in it
        ("group", u8, (MAX_CITIES,)),  # [root]: cities connected with it
        ("touched", u8, ()),  # cities with tracks; nothing else here holds for the others
        ("odd", u8, ()),  # cities with an odd number of tracks
        ("roots", u8, ()),  # one city of each component
        ("f_unsettled", u8, (FRAMES,)),  # search frames: cities whose number of tracks is not yet right
        ("f_ends", u8, (FRAMES,)),  # cities chosen as ends of the path
        ("f_removed", u8, (FRAMES,)),  # tracks left out
        ("f_kept", u8, (FRAMES,)),  # tracks that stay
        ("f_todo", u8, (FRAMES,)),  # tracks still to try leaving out
        ("choice_group", u8, (MAX_STATIONS, MAX_CITIES)),  # station choice: cities that this borrowed track brings in
        ("open_a", u8, (MAX_TICKETS,)),  # tickets the player's own tracks do not complete
        ("open_b", u8, (MAX_TICKETS,)),
        ("far", i8, ()),  # where the longest path walked so far ends
        ("total", i8, (MAX_CITIES,)),  # [root]: spaces of the component
        ("bound", i8, (MAX_CITIES,)),  # [root]: no path in it is longer
        ("tracks", i8, (MAX_CITIES,)),  # [root]: number of tracks in the component
        ("shortest", i8, (MAX_CITIES,)),  # shortest track at a city
        ("f_weight", i8, (FRAMES,)),
        ("f_fresh", i8, (FRAMES,)),
        ("choice_track", i8, (MAX_STATIONS, MAX_CITIES)),
        ("choice_n", i8, (MAX_STATIONS,)),
        ("open_points", i8, (MAX_TICKETS,)),
        ("cross", i1, (64,)),  # a ^ b of each track: from one end to the other
        ("length", i1, (64,)),
        ("root", i1, (MAX_CITIES,)),
    ]
)

assert STATE.itemsize <= 17 * 64  # cache lines: searches copy it for every playout
