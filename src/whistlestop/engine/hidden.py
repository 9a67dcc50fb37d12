"""The one gate for secrets.

`redact` blanks everything a player may not know; bots, environments and browsers get nothing else. `determinize` deals
the blanks anew from what the player cannot see, so a search can only ever look into worlds its player thinks possible.
Redacting a redealt state gives the same bytes as redacting the true one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from whistlestop.engine.bits import ZERO, I, below, bit, popcount, seeded, select
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ANNOUNCE,
    FACE_UP,
    FIRST_TICKETS,
    HIDDEN,
    KINDS,
    NONE,
    OVER,
    TURNED,
    WORDS,
)
from whistlestop.engine.legal import simple_mask
from whistlestop.engine.tickets import deck_of, ring

SPECTATOR = NONE
"""As a player's number: somebody who sees only what everybody sees."""


# ---- hiding -----------------------------------------------------------------------------------------------------
@kernel
def hide_player(state: Any, tables: Any, other: Any) -> Any:
    """Blank what only `other` knows: cards but those the table saw, tickets (until the final count), offer and choice."""
    for kind in range(KINDS):
        state.hand[other, kind] = state.known[other, kind]
    if state.phase != OVER:
        for word in range(WORDS):
            state.tickets[other, word] = ZERO
    for i in range(I(state.offer_n[other])):
        state.offer[other, i] = HIDDEN - deck_of(tables, I(state.offer[other, i]))
    if state.choice[other] != NONE:
        state.choice[other] = HIDDEN


@kernel
def redact(state: Any, tables: Any, viewer: Any) -> Any:
    """Blank everything that `viewer` (a player or SPECTATOR) may not know, in place (RULING-10, TICKET-7)."""
    state.rng = ZERO
    for kind in range(KINDS):
        state.deck[kind] = 0
    for other in range(I(state.players)):
        if other != viewer:
            hide_player(state, tables, other)
    seen = 0 if viewer == SPECTATOR else 1 << viewer
    for ticket in range(tables.tickets):
        state.knows[ticket] = I(state.knows[ticket]) & seen
    for i in range(tables.tickets):
        ticket = I(state.ticket_order[i])
        if ticket != NONE and state.knows[ticket] == 0:
            state.ticket_order[i] = HIDDEN


# ---- redealing --------------------------------------------------------------------------------------------------
@kernel
def count_unseen_cards(state: Any, tables: Any) -> Any:
    """Into the deck: every card that is not in sight, taken from a redacted state."""
    total = 0
    for kind in range(KINDS):
        n = I(tables.card_counts[kind]) - I(state.discard[kind]) - I(state.laid[kind])
        for player in range(I(state.players)):
            n -= I(state.hand[player, kind])
        for slot in range(FACE_UP):
            n -= 1 if state.face_up[slot] == kind else 0
        for i in range(TURNED):
            n -= 1 if state.turned[i] == kind else 0
        state.deck[kind] = n
        total += n
    return total


@kernel
def deal_cards(state: Any, tables: Any) -> Any:
    """Fill up the hands from the unseen cards, each as likely as any; what is left is the deck."""
    unseen = count_unseen_cards(state, tables)
    for player in range(I(state.players)):
        held = 0
        for kind in range(KINDS):
            held += I(state.hand[player, kind])
        for _ in range(I(state.cards[player]) - held):
            k = below(state, unseen)
            kind = 0
            while k >= state.deck[kind]:
                k -= I(state.deck[kind])
                kind += 1
            state.deck[kind] -= 1
            state.hand[player, kind] += 1
            unseen -= 1


@kernel
def unseen_tickets(state: Any, tables: Any, deck: Any, pool: Any) -> Any:
    """Into pool (words): the tickets of a deck whose place is not known to the viewer of a redacted state."""
    for word in range(WORDS):
        pool[word] = ZERO
    for ticket in range(tables.deck_first[deck], tables.deck_first[deck] + tables.deck_size[deck]):
        if ticket < tables.tickets and state.knows[ticket] == 0:
            pool[ticket >> 6] |= bit(ticket)
    for player in range(I(state.players)):
        for word in range(WORDS):
            pool[word] &= ~state.tickets[player, word]
        for i in range(I(state.offer_n[player])):
            ticket = I(state.offer[player, i])
            if ticket >= 0:
                pool[ticket >> 6] &= ~bit(ticket)


@kernel
def draw_from(state: Any, pool: Any) -> Any:
    """A ticket out of a pool, each as likely as any; NONE when it is empty."""
    low = popcount(pool[0])
    n = low + popcount(pool[1])
    if n == 0:
        return NONE
    k = below(state, n)
    ticket = select(pool[0], k) if k < low else 64 + select(pool[1], k - low)
    pool[ticket >> 6] &= ~bit(ticket)
    return ticket


@kernel
def second_deck_share(state: Any, tables: Any, player: Any) -> Any:
    """How many of a player's mixed tickets are of deck 1: as if kept at random from the first deal (SETUP-6)."""
    left = [tables.deal_counts[0, 0], tables.deal_counts[0, 1]]
    second = 0
    for _ in range(I(state.tickets_mixed[player])):
        if below(state, left[0] + left[1]) < left[1]:
            left[1] -= 1
            second += 1
        else:
            left[0] -= 1
    return second


@kernel
def deal_held(state: Any, pool: Any, player: Any, n: Any) -> Any:
    """n unseen tickets into a player's hand."""
    for _ in range(n):
        ticket = draw_from(state, pool)
        state.tickets[player, ticket >> 6] |= bit(ticket)


@kernel
def deal_offers(state: Any, pool: Any, deck: Any) -> Any:
    """Hidden tickets of offers become unseen ones of their deck."""
    for player in range(I(state.players)):
        for i in range(I(state.offer_n[player])):
            if state.offer[player, i] == HIDDEN - deck:
                state.offer[player, i] = draw_from(state, pool)


@kernel
def deal_tickets(state: Any, tables: Any, viewer: Any, pool: Any) -> Any:
    """Redeal the tickets: offers, hands, then the decks; what is left over is out of the game."""
    shares = np.zeros(5, np.int64)
    for player in range(I(state.players)):
        if player != viewer:
            shares[player] = second_deck_share(state, tables, player)
    for deck in range(tables.decks):
        unseen_tickets(state, tables, deck, pool)
        deal_offers(state, pool, deck)
        for player in range(I(state.players)):
            if player != viewer and state.phase != OVER:
                mixed = shares[player] if deck == 1 else I(state.tickets_mixed[player]) - shares[player]
                deal_held(state, pool, player, I(state.tickets_sure[player, deck]) + mixed)
        for i in range(I(state.ticket_count[deck])):
            place = ring(state, tables, deck, i)
            if state.ticket_order[place] == HIDDEN:
                state.ticket_order[place] = draw_from(state, pool)


@kernel
def deal_choices(state: Any, tables: Any) -> Any:
    """Players whose secret choice is made but hidden get a random one that is legal."""
    acting = I(state.player)
    if state.phase == ANNOUNCE or state.phase == FIRST_TICKETS:
        for player in range(I(state.players)):
            if state.choice[player] == HIDDEN:
                state.player = player
                options = simple_mask(state, tables)
                state.choice[player] = select(options, below(state, popcount(options)))
        state.player = acting


@kernel
def determinize(state: Any, tables: Any, viewer: Any, seed: Any, pool: Any) -> Any:
    """Turn a redacted state into a whole one that its viewer thinks possible; pool is scratch of WORDS 64-bit words."""
    state.rng = seeded(seed)
    deal_cards(state, tables)
    deal_tickets(state, tables, viewer, pool)
    deal_choices(state, tables)
