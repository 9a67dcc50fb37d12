"""Masks of the actions that a player may choose, and the full action that a choice means; see `choices.py`."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from whistlestop.engine import layout as lay
from whistlestop.engine.bits import ONE, ZERO, I, lowest
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
from whistlestop.engine.types import Int, Ints, Mask, State, Tables
from whistlestop.envs.kernels.byte_rows import clear

ChoiceTables: TypeAlias = Any
"""One CHOICES record: the small set of an edition."""

NOT_THERE = -1
"""In `small_of`: the edition never has this action."""
_MOST_FULL = lay.CLAIM + lay.MAX_CLAIMS + lay.MAX_CITIES * lay.STATION_PAYMENTS

CHOICES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                # [colour, cards held, locomotives held]: tracks that can be paid with a card of the colour
                ("payable", np.uint64, (lay.COLOUR_COUNT, lay.MAX_LENGTH + 1, lay.MAX_LENGTH + 1, lay.WORDS)),
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
def mask_claims(state: State, tables: Tables, choices: ChoiceTables, mask: Mask) -> Int:
    """Mark every claim of the small set that can be made now; how many."""
    player = I(state.player)
    locos = min(I(state.hand[player, LOCO]), MAX_LENGTH)
    found = I(0)
    for word in range(WORDS):
        free = reachable(state, tables, word)
        for colour in range(COLOUR_COUNT):
            held = min(I(state.hand[player, colour]), MAX_LENGTH)
            tracks = free & choices.payable[colour, held, locos, word]
            while tracks:
                mask[choices.claim_of[64 * word + lowest(tracks), colour]] = True
                found += 1
                tracks &= tracks - ONE
        tracks = loco_claims(state, tables, I(word))
        while tracks:
            mask[choices.claim_of[64 * word + lowest(tracks), LOCO]] = True
            found += 1
            tracks &= tracks - ONE
    return found


@kernel
def mask_stations(state: State, tables: Tables, choices: ChoiceTables, mask: Mask) -> Int:
    """Mark every station of the small set that can be built now; how many."""
    payments = station_payments(state)
    sites = station_sites(state, tables) if payments != ZERO else ZERO
    found = I(0)
    while sites:
        city = lowest(sites)
        left = payments
        while left:
            payment = lowest(left)
            colour = LOCO if payment == ALL_LOCO_STATION else payment // MAX_STATIONS
            mask[choices.station_of[city, colour]] = True
            found += 1
            left &= left - ONE
        sites &= sites - ONE
    return found


@kernel
def mask_small(state: State, tables: Tables, choices: ChoiceTables, mask: Mask) -> None:
    """Mark the small actions that are open to the player to move."""
    clear(mask, I(0), choices.count)
    first, simple = simple_first(state), simple_mask(state, tables)
    found = I(0)
    while simple:
        mask[choices.small_of[first + lowest(simple)]] = True
        found += 1
        simple &= simple - ONE
    if state.phase == TURN:
        found += mask_claims(state, tables, choices, mask) + mask_stations(state, tables, choices, mask)
        if found == 0:
            mask[choices.small_of[PASS]] = True  # RULING-1


@kernel
def mask_choices(state: State, tables: Tables, choices: ChoiceTables, mask: Mask, scratch: Ints) -> None:
    """Mark what the player to move may choose, in the set that is played with; nothing when the game is over."""
    if choices.small:
        mask_small(state, tables, choices, mask)
        return
    clear(mask, I(0), tables.actions)
    for k in range(list_legal(state, tables, scratch)):
        mask[scratch[k]] = True
