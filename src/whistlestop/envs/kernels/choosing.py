"""Masks of the actions that a player may choose, and the full action that a choice means; see `choices.py`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from whistlestop.engine import layout as lay
from whistlestop.engine.bits import ONE, ZERO, I, U, bit, lowest
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ALL_LOCO_STATION,
    CLAIM,
    COLOUR_COUNT,
    LOCO,
    MAX_LENGTH,
    MAX_STATIONS,
    PASS,
    PAY_EXTRA,
    STATION_PAYMENTS,
    TUNNEL,
    TURN,
    WORDS,
)
from whistlestop.engine.legal import (
    is_legal,
    list_legal,
    loco_claims,
    reachable,
    simple_first,
    simple_mask,
    station_cost,
    station_payments,
    station_sites,
)
from whistlestop.engine.types import Bits, Bool, Int, Ints, State, Tables
from whistlestop.envs.kernels.byte_rows import Row, clear, store_byte, store_word

ChoiceTables: TypeAlias = Any
"""One CHOICES record: the small set of an edition."""

_ANY_LOCOS = U((1 << MAX_STATIONS) - 1)
"""Payments for a station with one colour, whatever the number of locomotives."""
NOT_THERE = -1
"""In `small_of`: the edition never has this action."""
EACH_COLOUR = U(0x0101010101010101)
"""The lowest bit of each of eight bytes: of a word that has a byte for each colour."""
GRAY_KINDS = 8
"""Kinds of gray tracks, by length and locomotive symbols, in one word of eight bytes with eight bits each."""
GRAY_WORDS = -(-lay.MAX_LENGTH * (lay.MAX_LENGTH + 1) // 2 // GRAY_KINDS)
_MOST_FULL = lay.CLAIM + lay.MAX_CLAIMS + lay.MAX_CITIES * lay.STATION_PAYMENTS

CHOICES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # [colour, cards held, locomotives held]: tracks that can be paid with a card of the colour
                ("payable", np.uint64, (lay.COLOUR_COUNT, lay.MAX_LENGTH + 1, lay.MAX_LENGTH + 1, lay.WORDS)),
                # [word, cards held, locomotives held]: kinds of gray tracks that can be paid with a colour, as bits
                ("gray_payable", np.uint64, (GRAY_WORDS, lay.MAX_LENGTH + 1, lay.MAX_LENGTH + 1)),
                ("gray_tracks", np.uint64, (GRAY_WORDS, lay.WORDS)),  # the gray tracks whose kinds stand in a word
                ("gray_words", np.int64),
                ("coloured", np.uint64, (lay.WORDS,)),  # tracks of one colour
                ("coloured_claim_of", np.int32, (lay.MAX_TRACKS,)),  # of such a track, with cards of its colour
                ("loco_claim_of", np.int32, (lay.MAX_TRACKS,)),  # of any track, with locomotives only
                ("gray_kind", np.int8, (lay.MAX_TRACKS,)),  # of a gray track: its bit
                ("count", np.int64),  # actions of the small set
                ("small", np.int64),  # 1: players choose from the small set; 0: from the full one
                ("small_of", np.int32, (_MOST_FULL,)),  # of a full action
                ("first_of", np.int32, (_MOST_FULL,)),  # of a small action: the full one with the fewest locomotives
                ("claim_of", np.int32, (lay.MAX_TRACKS, lay.KINDS)),  # of a track and a colour
                ("station_of", np.int32, (lay.MAX_CITIES, lay.KINDS)),  # of a city and a colour
            ]
        ),
    )
)


@kernel
def full_action(state: State, tables: Tables, choices: ChoiceTables, action: Int) -> Int:
    """The full action that a small one means now; NOT_THERE for a number outside the set."""
    if not choices.small:
        return action
    if action < 0 or action >= choices.count:
        return I(NOT_THERE)
    first = I(choices.first_of[action])
    player = I(state.player)
    if first >= tables.station_first:
        payment = (first - tables.station_first) % STATION_PAYMENTS
        if payment == ALL_LOCO_STATION:
            return first
        held = I(state.hand[player, payment // MAX_STATIONS])
        return first + max(I(0), station_cost(state, player) - held) if held > 0 else I(NOT_THERE)
    if first >= CLAIM:
        offset = first - CLAIM
        colour, fewest = I(tables.claim_colour[offset]), I(tables.claim_locos[offset])
        if colour == LOCO:
            return first
        length = I(tables.length[tables.claim_track[offset]])
        locos = max(fewest, length - I(state.hand[player, colour]))
        return first + locos - fewest if locos < length else I(NOT_THERE)
    if first == PAY_EXTRA and state.phase == TUNNEL:
        extra = I(state.extra)
        held = I(state.hand[player, state.laid_colour]) if state.laid_colour != LOCO else I(0)
        return first + max(I(0), extra - held)
    return first


@kernel
def may_choose(state: State, tables: Tables, choices: ChoiceTables, action: Int) -> Int:
    """The full action that the player to move has chosen, or NOT_THERE if it is not legal now."""
    full = full_action(state, tables, choices, action)
    return full if is_legal(state, tables, full) else I(NOT_THERE)


@kernel
def mask_gray(state: State, choices: ChoiceTables, row: Row, first: Bits, second: Bits) -> None:
    """Mark the claims of gray tracks with every colour that pays them: eight actions of a track at once.

    How a gray track can be paid depends on its kind, not on the track, and is found once for all of a kind.
    """
    player = I(state.player)
    locos = min(I(state.hand[player, LOCO]), MAX_LENGTH)
    for group in range(choices.gray_words):
        payable = ZERO  # a byte for each colour, in it a bit for each kind
        for colour in range(COLOUR_COUNT):
            held = min(I(state.hand[player, colour]), MAX_LENGTH)
            payable |= choices.gray_payable[group, held, locos] << U(8 * colour)
        for word in range(WORDS):
            tracks = (second if word else first) & choices.gray_tracks[group, word]
            while tracks:
                track = 64 * word + lowest(tracks)
                colours = (payable >> U(choices.gray_kind[track])) & EACH_COLOUR
                store_word(row, choices.claim_of[track, 0], colours)
                tracks &= tracks - ONE


@kernel
def mask_claims(state: State, tables: Tables, choices: ChoiceTables, row: Row) -> Bool:
    """Mark every claim of the small set that can be made now; whether there is any."""
    player = I(state.player)
    locos = min(I(state.hand[player, LOCO]), MAX_LENGTH)
    first, second = reachable(state, tables, I(0)), reachable(state, tables, I(1))
    found = ZERO
    for word in range(WORDS):
        payable = ZERO
        for colour in range(COLOUR_COUNT):
            held = min(I(state.hand[player, colour]), MAX_LENGTH)
            payable |= choices.payable[colour, held, locos, word]
        payable &= second if word else first
        with_locos = loco_claims(state, tables, I(word))
        found |= payable | with_locos
        tracks = payable & choices.coloured[word]
        while tracks:
            store_byte(row, choices.coloured_claim_of[64 * word + lowest(tracks)], 1)
            tracks &= tracks - ONE
        while with_locos:
            store_byte(row, choices.loco_claim_of[64 * word + lowest(with_locos)], 1)
            with_locos &= with_locos - ONE
    mask_gray(state, choices, row, first, second)
    return found != ZERO


@kernel
def mask_stations(state: State, tables: Tables, choices: ChoiceTables, row: Row) -> Bool:
    """Mark every station of the small set that can be built now; whether there is any."""
    payments = station_payments(state)
    sites = station_sites(state, tables) if payments != ZERO else ZERO
    if sites == ZERO:
        return False
    colours = ZERO  # a byte for each
    for colour in range(COLOUR_COUNT):
        colours |= U((payments >> U(colour * MAX_STATIONS)) & _ANY_LOCOS != ZERO) << U(8 * colour)
    locos = payments & bit(I(ALL_LOCO_STATION)) != ZERO
    while sites:
        city = lowest(sites)
        store_word(row, choices.station_of[city, 0], colours)
        store_byte(row, choices.station_of[city, LOCO], locos)
        sites &= sites - ONE
    return True


@kernel
def mask_small(state: State, tables: Tables, choices: ChoiceTables, row: Row) -> None:
    """Mark the small actions that are open to the player to move."""
    clear(row, I(0), choices.count)
    first, simple = simple_first(state), simple_mask(state, tables)
    found = simple != ZERO
    while simple:
        store_byte(row, choices.small_of[first + lowest(simple)], 1)
        simple &= simple - ONE
    if state.phase == TURN:
        claims, stations = mask_claims(state, tables, choices, row), mask_stations(state, tables, choices, row)
        if not (found or claims or stations):
            store_byte(row, choices.small_of[PASS], 1)  # RULING-1


@kernel
def mask_full(state: State, tables: Tables, row: Row, scratch: Ints) -> None:
    """Mark every legal action of the full set."""
    clear(row, I(0), tables.actions)
    for k in range(list_legal(state, tables, scratch)):
        store_byte(row, scratch[k], 1)


@kernel
def mask_choices(state: State, tables: Tables, choices: ChoiceTables, row: Row, scratch: Ints) -> None:
    """Mark what the player to move may choose, in the set that is played with; nothing when the game is over."""
    if choices.small:
        mask_small(state, tables, choices, row)
    else:
        mask_full(state, tables, row, scratch)
