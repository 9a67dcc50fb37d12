"""Drawing: which card to take, whether to draw tickets and which to keep, tunnels."""

from __future__ import annotations

from whistlestop.bots.planner.claiming import FEW_CARDS
from whistlestop.bots.planner.mind import Mind, Parameters
from whistlestop.bots.planner.parameters import (
    BLIND,
    BUDGET,
    CLOSE,
    EXTRA,
    FIRST_LONG,
    GIVE_UP_TURNS,
    LOCO_VALUE,
    LONG_TRAINS,
    OFF_PLAN,
    UPKEEP,
)
from whistlestop.bots.planner.planning import plan_network, release_all, set_prices, turns_left
from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ANNOUNCE,
    COLOUR_COUNT,
    DRAW_BLIND,
    DRAW_FACE_UP,
    DRAW_TICKETS,
    FACE_UP,
    GIVE_UP,
    KEEP,
    KINDS,
    LOCO,
    NONE,
    PAY_EXTRA,
    TURN,
    WORDS,
)
from whistlestop.engine.legal import (
    draw_mask,
    extra_mask,
    keep_mask,
    mix_mask,
    ticket_mask,
)
from whistlestop.engine.types import Bits, Int, Real, State, Tables

IMPOSSIBLE = -1e9
FERRY_LOCO = 0.6
"""Value of a locomotive besides its own, when ferries of the plan ask for more than are held."""
KEEP_PASSES = 1
"""Passes of a plan that only says what tickets are worth."""
SEEN = 0.6
"""What a face-up card counts for when a colour is chosen for a gray track."""


# ---- cards --------------------------------------------------------------------------------------------------------
@kernel
def value_cards(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, target: Int) -> None:
    """Into `want`: the value of one more card of each kind, for the plan and for a track for its own sake.

    A card is worth more where fewer are missing. A gray track takes the colour of which most is to spare.
    """
    for colour in range(COLOUR_COUNT):
        held = I(state.hand[player, colour])
        spare = held - mind.need[player, colour]
        mind.surplus[colour] = spare
        mind.want[colour] = 1.0 - par[CLOSE] / spare if spare < 0 else par[OFF_PLAN] + 0.02 * min(6, held)
    for word in range(WORDS):
        left = mind.plan[player, word]
        while left:
            track = 64 * word + lowest(left)
            left &= left - ONE
            if tables.colour[track] == NONE:
                value_gray(state, tables, mind, par, track)
    if target >= 0:
        colour = I(tables.colour[target])
        if colour == NONE:
            colour = most_spare(mind)
        missing = tables.length[target] - max(0.0, mind.surplus[colour])
        if missing > 0:
            mind.want[colour] = max(mind.want[colour], par[EXTRA] + 0.5 * par[CLOSE] / missing)
    mind.want[LOCO] = par[LOCO_VALUE] + (FERRY_LOCO if mind.need[player, LOCO] > state.hand[player, LOCO] else 0.0)


@kernel
def value_gray(state: State, tables: Tables, mind: Mind, par: Parameters, track: Int) -> None:
    """Give a gray track of the plan a colour, and value its cards."""
    best, found = IMPOSSIBLE, I(0)
    for colour in range(COLOUR_COUNT):
        spare = mind.surplus[colour]
        for slot in range(FACE_UP):
            if state.face_up[slot] == colour:
                spare += SEEN
        if spare > best:
            best, found = spare, I(colour)
    length = I(tables.length[track]) - I(tables.ferry[track])
    missing = length - max(0.0, mind.surplus[found])
    mind.surplus[found] -= length
    if missing > 0:
        mind.want[found] = max(mind.want[found], 0.8 + par[CLOSE] / missing)


@kernel
def most_spare(mind: Mind) -> Int:
    """The colour of which most is to spare."""
    found = I(0)
    for colour in range(1, COLOUR_COUNT):
        if mind.surplus[colour] > mind.surplus[found]:
            found = I(colour)
    return found


@kernel
def blind_value(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Real:
    """Mean value of a card that nobody has seen, as this player counts them."""
    total, value = I(0), 0.0
    for kind in range(KINDS):
        n = I(tables.card_counts[kind]) - I(state.discard[kind]) - I(state.laid[kind]) - I(state.hand[player, kind])
        for slot in range(FACE_UP):
            n -= I(state.face_up[slot] == kind)
        for other in range(I(state.players)):
            if other != player:
                n -= I(state.known[other, kind])
        n = max(0, n)
        total += n
        value += n * mind.want[kind]
    return value / max(1, total) + par[BLIND]


@kernel
def draw_card(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """The card to draw, as an action, or NONE where there is none; cards must be valued.

    A face-up locomotive ends the turn: it must be worth more than two other cards.
    """
    mask = draw_mask(state)
    if mask == ZERO:
        return I(NONE)
    blind = blind_value(state, tables, mind, player, par) if mask & bit(I(DRAW_BLIND)) else IMPOSSIBLE
    best, second, kind = IMPOSSIBLE, IMPOSSIBLE, I(NONE)
    for slot in range(FACE_UP):
        here = I(state.face_up[slot])
        if here != NONE and here != LOCO:
            value = mind.want[here]
            if value > best:
                best, second, kind = value, best, here
            elif value > second:
                second = value
    action = DRAW_FACE_UP + kind
    if blind >= best:
        best, second, action = blind, max(blind, best), I(DRAW_BLIND)
    else:
        second = max(second, blind)
    if state.phase == TURN and mask & bit(I(DRAW_FACE_UP + LOCO)) and mind.want[LOCO] > best + max(0.0, second):
        return I(DRAW_FACE_UP + LOCO)
    if best == IMPOSSIBLE:
        return lowest(mask)
    return action


# ---- tickets ------------------------------------------------------------------------------------------------------
@kernel
def draw_tickets(state: State, tables: Tables, player: Int, par: Parameters) -> Int:
    """How to draw or announce tickets: with so many long ones as wished, or the nearest number that there is."""
    if state.phase == ANNOUNCE:
        mask, wanted = mix_mask(state, tables.deal_counts[state.deal, 0]), I(par[FIRST_LONG] + 0.5)
    else:
        mask, wanted = ticket_mask(state, tables), I(state.trains[player] >= par[LONG_TRAINS])
    found, off = lowest(mask), I(99)
    while mask:
        n = lowest(mask)
        mask &= mask - ONE
        if abs(n - wanted) < off:
            found, off = n, abs(n - wanted)
    return DRAW_TICKETS + found


@kernel
def value_of_keeping(
    state: State, tables: Tables, mind: Mind, player: Int, par: Parameters, low: Bits, high: Bits, subset: Int
) -> Real:
    """Points of some tickets (two words) and of a subset of the offer, as planned together, less the plan's upkeep."""
    for i in range(I(state.offer_n[player])):
        if (subset >> i) & 1:
            ticket = I(state.offer[player, i])
            if ticket < 64:
                low |= bit(ticket)
            else:
                high |= bit(ticket)
    points = plan_network(
        state, tables, mind, player, par, low, high, I(par[BUDGET] * state.trains[player]), I(KEEP_PASSES)
    )
    value = points - par[UPKEEP] * mind.draft_price
    release_all(tables, mind)
    return value


@kernel
def keep_tickets(state: State, tables: Tables, mind: Mind, player: Int, par: Parameters) -> Int:
    """The subset of the offer with the best plan."""
    mask = keep_mask(state, tables)
    low, high = state.tickets[player, 0] & ~mind.done[player, 0], state.tickets[player, 1] & ~mind.done[player, 1]
    set_prices(state, tables, mind, player, par)
    best, found = IMPOSSIBLE, lowest(mask)
    while mask:
        subset = lowest(mask)
        mask &= mask - ONE
        value = value_of_keeping(state, tables, mind, player, par, low, high, subset)
        if value > best:
            best, found = value, subset
    for word in range(WORDS):  # what is completed among tickets not kept is of no matter
        mind.done[player, word] &= state.tickets[player, word]
    mind.valid[player] = 0
    return KEEP + found


# ---- answers ------------------------------------------------------------------------------------------------------
@kernel
def answer_tunnel(state: State, tables: Tables, player: Int, par: Parameters) -> Int:
    """Pay what a tunnel costs more with as few locomotives as can be; give up rather than pay with two in good time."""
    locos = lowest(extra_mask(state))
    if locos == GIVE_UP - PAY_EXTRA:
        return I(GIVE_UP)
    many = I(state.deck_n) + I(state.discard_n) >= FEW_CARDS
    if locos > 1 and many and turns_left(state, tables, player, par) > par[GIVE_UP_TURNS]:
        return I(GIVE_UP)
    return PAY_EXTRA + locos
