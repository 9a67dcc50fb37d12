"""Cards: piles as counts, sampled at the draw; the face-up cards; what goes into and out of hands."""

from __future__ import annotations

from whistlestop.engine.bits import I, below, note, scripted
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import BAD_SCRIPT, FACE_UP, KINDS, LOCO, LOG_SCRIPTED, NONE
from whistlestop.engine.types import Bool, Int, Log, State


@kernel
def renew_deck(state: State) -> None:
    """The discards become the deck as soon as it is empty (DRAW-8, RULING-3)."""
    if state.deck_n == 0 and state.discard_n > 0:
        for kind in range(KINDS):
            state.deck[kind] = state.discard[kind]
            state.discard[kind] = 0
        state.deck_n = state.discard_n
        state.discard_n = 0


@kernel
def sampled_kind(state: State) -> Int:
    """The kind of the next card, each card of the deck equally likely."""
    k = below(state, I(state.deck_n))
    kind, upto = I(0), I(0)
    for earlier in range(KINDS - 1):  # counts instead of searching: chance is what a processor cannot foresee
        upto += I(state.deck[earlier])
        kind += I(k >= upto)
    return kind


@kernel
def top_card(state: State, log: Log) -> Int:
    """Take the next card off the deck, which must hold one and may be empty afterwards."""
    if log[LOG_SCRIPTED] > 0:
        kind = scripted(log)
        if kind < 0 or kind >= KINDS or state.deck[kind] == 0:
            log[LOG_SCRIPTED] = BAD_SCRIPT
            kind = sampled_kind(state)
    else:
        kind = sampled_kind(state)
    note(log, kind)
    state.deck[kind] -= 1
    state.deck_n -= 1
    return kind


@kernel
def draw_card(state: State, log: Log) -> Int:
    """Take the next card off the deck, which must hold one and is renewed as soon as it is empty (RULING-3)."""
    kind = top_card(state, log)
    renew_deck(state)
    return kind


@kernel
def discard(state: State, kind: Int, n: Int) -> None:
    """Put n cards of a kind on the discards; the caller renews the deck when all are there."""
    state.discard[kind] += n
    state.discard_n += n


@kernel
def sweep_helps(state: State) -> Bool:
    """Whether clearing away three face-up locomotives can end well: three other cards must be left (RULING-2)."""
    plain = I(state.deck_n) - I(state.deck[LOCO]) + I(state.discard_n) - I(state.discard[LOCO])
    for slot in range(FACE_UP):
        if state.face_up[slot] != LOCO and state.face_up[slot] != NONE:
            plain += 1
    return plain >= 3


@kernel
def gap(state: State) -> Int:
    """The first face-up slot without a card, or NONE."""
    for slot in range(FACE_UP):
        if state.face_up[slot] == NONE:
            return I(slot)
    return I(NONE)


@kernel
def face_up_locos(state: State) -> Int:
    """Locomotives among the face-up cards."""
    n = I(0)
    for slot in range(FACE_UP):
        n += I(state.face_up[slot] == LOCO)
    return n


@kernel
def fill_gaps(state: State, log: Log) -> None:
    """Fill the face-up slots as far as the deck goes (DRAW-2, RULING-3)."""
    slot = gap(state)
    while slot != NONE and state.deck_n > 0:
        state.face_up[slot] = draw_card(state, log)
        slot = gap(state)


@kernel
def sweep(state: State, log: Log) -> None:
    """Discard the face-up cards and turn up new ones (DRAW-7).

    Here the deck is renewed only when a card is needed and it has none (RULING-2): a deck of five that has just been
    turned up waits for the next sweep, so that its cards are shuffled with those swept before and not swapped for ever.
    """
    for slot in range(FACE_UP):
        if state.face_up[slot] != NONE:
            discard(state, I(state.face_up[slot]), I(1))
            state.face_up[slot] = NONE
    for slot in range(FACE_UP):
        renew_deck(state)
        if state.deck_n > 0:
            state.face_up[slot] = top_card(state, log)


@kernel
def fill_face_up(state: State, log: Log) -> None:
    """Fill the gaps, then clear three locomotives away as often as needed (DRAW-7, SETUP-4)."""
    fill_gaps(state, log)
    if face_up_locos(state) >= 3:
        while face_up_locos(state) >= 3 and sweep_helps(state):
            sweep(state, log)
        renew_deck(state)


@kernel
def give_card(state: State, player: Int, kind: Int) -> None:
    """A card into a player's hand; the hand has no limit (DRAW-6)."""
    state.hand[player, kind] += 1
    state.cards[player] += 1


@kernel
def take_cards(state: State, player: Int, kind: Int, n: Int) -> None:
    """n cards of a kind leave a hand in the open: what the table knew of them shrinks (RULING-10)."""
    state.hand[player, kind] -= n
    state.cards[player] -= n
    state.known[player, kind] = max(0, I(state.known[player, kind]) - n)


@kernel
def pay(state: State, player: Int, colour: Int, n: Int, locos: Int) -> None:
    """Discard n cards of a colour and some locomotives from a hand."""
    if n > 0:
        take_cards(state, player, colour, n)
        discard(state, colour, n)
    if locos > 0:
        take_cards(state, player, I(LOCO), locos)
        discard(state, I(LOCO), locos)
