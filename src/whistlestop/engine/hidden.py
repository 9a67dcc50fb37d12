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
    BOX,
    FACE_UP,
    FIRST_TICKETS,
    HIDDEN,
    KINDS,
    LOCO,
    MAX_PLAYERS,
    NONE,
    OVER,
    TURNED,
    WORDS,
)
from whistlestop.engine.legal import simple_mask
from whistlestop.engine.tickets import deck_of, ring

SPECTATOR = NONE
"""As a player's number: somebody who sees only what everybody sees."""
TRIES = 64
"""Redeals of shares until they fit the decks; three are enough as a rule."""


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
        if state.offer[other, i] >= 0:
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
        if ticket >= 0 and state.knows[ticket] == 0:
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
def most_plain(state: Any) -> Any:
    """The most cards other than locomotives that the deck can hold in the viewer's eyes.

    Three face-up locomotives that were left lying tell that clearing them away could not help (RULING-2).
    """
    locos, seen, turned = 0, I(state.discard_n) - I(state.discard[LOCO]), 0
    plain_turned = 0
    for slot in range(FACE_UP):
        locos += I(state.face_up[slot] == LOCO)
        seen += I(state.face_up[slot] != LOCO and state.face_up[slot] != NONE)
    for i in range(TURNED):
        turned += I(state.turned[i] != NONE)
        plain_turned += I(state.turned[i] != LOCO and state.turned[i] != NONE)
    if locos < 3:
        return I(state.deck_n)
    if state.discard_n == 0 and I(state.deck_n) + turned == FACE_UP:
        seen = I(0)  # five against five: only the locomotives among the deck's five count
    return 2 - seen - plain_turned


@kernel
def ways(n: Any, k: Any) -> Any:
    """Ways to choose k of n, as a float: only their ratios are used."""
    if k < 0 or k > n:
        return 0.0
    product = 1.0
    for i in range(k):
        product *= (n - i) / (i + 1)
    return product


@kernel
def plain_in_deck(state: Any, unseen: Any, most: Any) -> Any:
    """How many of the deck's cards are no locomotives, as likely as the unseen cards make it, but at most `most`."""
    locos, size = I(state.deck[LOCO]), I(state.deck_n)
    total = 0.0
    for n in range(most + 1):
        total += ways(unseen - locos, n) * ways(locos, size - n)
    k = below(state, I(1 << 30)) / (1 << 30) * total
    for n in range(most):
        k -= ways(unseen - locos, n) * ways(locos, size - n)
        if k < 0:
            return n
    return most


@kernel
def take_unseen(state: Any, n: Any) -> Any:
    """A random kind among the first n unseen cards, kind by kind; that card is unseen no longer."""
    k = below(state, n)
    kind = I(0)
    while k >= state.deck[kind]:
        k -= I(state.deck[kind])
        kind += 1
    state.deck[kind] -= 1
    return kind


@kernel
def deal_cards(state: Any, tables: Any) -> Any:
    """Fill up the hands from the unseen cards, each as likely as any; what is left is the deck."""
    unseen = I(count_unseen_cards(state, tables))
    aside = np.zeros(KINDS, np.int64)
    most = most_plain(state)
    if most < state.deck_n:
        # The deck is not as likely as any: lay its cards aside first.
        plain = plain_in_deck(state, unseen, most)
        aside[LOCO] = I(state.deck_n) - plain
        state.deck[LOCO] -= aside[LOCO]
        coloured = unseen - I(state.deck[LOCO]) - aside[LOCO]
        for i in range(plain):
            aside[take_unseen(state, coloured - i)] += 1
        unseen -= I(state.deck_n)
    for player in range(I(state.players)):
        held = 0
        for kind in range(KINDS):
            held += I(state.hand[player, kind])
        for _ in range(I(state.cards[player]) - held):
            state.hand[player, take_unseen(state, unseen)] += 1
            unseen -= 1
    for kind in range(KINDS):
        state.deck[kind] += aside[kind]


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
def mixed_of_second_deck(state: Any, tables: Any, viewer: Any, pool: Any) -> Any:
    """How many mixed tickets of the others are of deck 1, where the size of deck 0 tells: none of its tickets left the game."""
    unseen_tickets(state, tables, I(0), pool)
    n = -popcount(pool[0]) - popcount(pool[1])
    for i in range(I(state.ticket_count[0])):
        n += I(state.ticket_order[ring(state, tables, I(0), i)] == HIDDEN)
    for player in range(I(state.players)):
        for i in range(I(state.offer_n[player])):
            n += I(state.offer[player, i] == HIDDEN)
        if player != viewer:
            n += I(state.tickets_sure[player, 0]) + I(state.tickets_mixed[player])
    return n


@kernel
def share_out(state: Any, tables: Any, viewer: Any, shares: Any, pool: Any) -> Any:
    """Into shares: how many of each other player's mixed tickets are of deck 1."""
    wanted = mixed_of_second_deck(state, tables, viewer, pool)
    known = tables.deal_returned[0] != BOX
    for _ in range(TRIES):
        total = I(0)
        for player in range(I(state.players)):
            shares[player] = second_deck_share(state, tables, player) if player != viewer else I(0)
            total += shares[player]
        if total == wanted or not known:
            return
    for player in range(I(state.players)):  # chance did not find it: move what is too much or too little
        while total != wanted and player != viewer:
            moved = shares[player] + (1 if total < wanted else -1)
            if moved < 0 or moved > state.tickets_mixed[player] or moved > tables.deal_counts[0, 1]:
                break
            if I(state.tickets_mixed[player]) - moved > tables.deal_counts[0, 0]:
                break
            total += moved - shares[player]
            shares[player] = moved


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
    shares = np.zeros(MAX_PLAYERS, np.int64)
    share_out(state, tables, viewer, shares, pool)
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
