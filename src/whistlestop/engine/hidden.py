"""The one gate for secrets.

`redact` blanks everything a player may not know; bots, environments and browsers get nothing else. `determinize` deals
the blanks anew from what the player cannot see, so a search can only ever look into worlds its player thinks possible.
Redacting a redealt state gives the same bytes as redacting the true one.
"""

from __future__ import annotations

import numpy as np

from whistlestop.engine.bits import ONE, ZERO, I, begin_stream, below, bit, end_stream, lowest, popcount, select
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ANNOUNCE,
    BOX,
    FACE_UP,
    FIRST_TICKETS,
    GONE,
    HANDS,
    HIDDEN,
    KINDS,
    LENGTH,
    LOCO,
    MAX_PLAYERS,
    MAX_TICKETS,
    NONE,
    OFFERED,
    OVER,
    START,
    TICKET,
    TURNED,
    WORDS,
)
from whistlestop.engine.legal import simple_mask
from whistlestop.engine.memory import covers, deck_of, is_exact, is_of, quota
from whistlestop.engine.tickets import ring
from whistlestop.engine.types import Bool, Int, Ints, Real, Rng, State, Tables, Words

SPECTATOR = NONE
"""As a player's number: somebody who sees only what everybody sees."""
MANY = 1 << 30
TRIES = 64
"""Redeals of shares until they fit the decks; three are enough as a rule."""


# ---- hiding -----------------------------------------------------------------------------------------------------
@kernel
def hide_player(state: State, tables: Tables, other: Int) -> None:
    """Blank what only `other` knows: cards but those the table saw, tickets (until the final count), offer and
    choice.
    """
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
def redact(state: State, tables: Tables, viewer: Int) -> None:
    """Blank everything that `viewer` (a player or SPECTATOR) may not know, in place (RULING-10, TICKET-7)."""
    end_stream(state)
    for kind in range(KINDS):
        state.deck[kind] = 0
    for other in range(I(state.players)):
        if other != viewer:
            hide_player(state, tables, other)
            hide_memory(state, other)
    state.lost_offers = 0
    for entry in range(quota(state) * I(state.players)):  # the viewer's alone are left
        state.lost_offers += 1 if I(state.memory[entry, HANDS]) & OFFERED else 0
    for place in range(tables.tickets):
        if state.ticket_order[place] >= 0 and not knows_place(state, tables, viewer, place):
            state.ticket_order[place] = HIDDEN


@kernel
def hide_memory(state: State, other: Int) -> None:
    """Blank what `other` remembers of returned tickets."""
    for entry in range(quota(state) * other, quota(state) * (other + 1)):
        state.memory[entry, TICKET] = NONE
        for column in range(START, HANDS + 1):
            state.memory[entry, column] = 0


@kernel
def knows_place(state: State, tables: Tables, viewer: Int, place: Int) -> Bool:
    """Whether a viewer knows which ticket is in this place of a deck."""
    if viewer == SPECTATOR:
        return False
    for entry in range(quota(state) * viewer, quota(state) * (viewer + 1)):
        ticket = I(state.memory[entry, TICKET])
        if ticket == NONE:
            return False
        if is_exact(state, entry) and place == tables.deck_first[deck_of(tables, ticket)] + state.memory[entry, START]:
            return True
    return False


# ---- redealing --------------------------------------------------------------------------------------------------
@kernel
def count_unseen_cards(state: State, tables: Tables) -> Int:
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
def most_plain(state: State) -> Int:
    """The most cards other than locomotives that the deck can hold in the viewer's eyes.

    Three face-up locomotives that were left lying tell that fewer than three other cards were left among face-up cards,
    deck and discards (RULING-2). Cards turned up for a tunnel came off that deck.
    """
    locos, plain = 0, I(state.discard_n) - I(state.discard[LOCO])
    for slot in range(FACE_UP):
        locos += I(state.face_up[slot] == LOCO)
        plain += I(state.face_up[slot] != LOCO and state.face_up[slot] != NONE)
    for i in range(TURNED):
        plain += I(state.turned[i] != LOCO and state.turned[i] != NONE)
    return I(state.deck_n) if locos < 3 else 2 - plain


@kernel
def ways(n: Int, k: Int) -> Real:
    """Ways to choose k of n, as a float: only their ratios are used."""
    if k < 0 or k > n:
        return 0.0
    product = 1.0
    for i in range(k):
        product *= (n - i) / (i + 1)
    return product


@kernel
def plain_in_deck(state: State, unseen: Int, most: Int) -> Int:
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
def take_unseen(state: State, n: Int) -> Int:
    """A random kind among the first n unseen cards, kind by kind; that card is unseen no longer."""
    k = below(state, n)
    kind = I(0)
    while k >= state.deck[kind]:
        k -= I(state.deck[kind])
        kind += 1
    state.deck[kind] -= 1
    return kind


@kernel
def deal_cards(state: State, tables: Tables) -> None:
    """Fill up the hands from the unseen cards, each as likely as any; what is left is the deck."""
    unseen = I(count_unseen_cards(state, tables))
    aside = np.zeros(KINDS, np.int64)

    # Locomotives left lying tell something of the deck (RULING-2): lay its cards aside first, by what they tell.
    most = most_plain(state)
    if most < state.deck_n:
        plain = plain_in_deck(state, unseen, most)
        aside[LOCO] = I(state.deck_n) - plain
        state.deck[LOCO] -= aside[LOCO]
        coloured = unseen - I(state.deck[LOCO]) - aside[LOCO]
        for i in range(plain):
            aside[take_unseen(state, coloured - i)] += 1
        unseen -= I(state.deck_n)

    # Cards that the table saw are in the hands already: fill up with unseen ones.
    for player in range(I(state.players)):
        held = 0
        for kind in range(KINDS):
            held += I(state.hand[player, kind])
        for _ in range(I(state.cards[player]) - held):
            state.hand[player, take_unseen(state, unseen)] += 1
            unseen -= 1

    # What is left is the deck.
    for kind in range(KINDS):
        state.deck[kind] += aside[kind]


@kernel
def unseen_tickets(state: State, tables: Tables, deck: Int, pool: Words) -> None:
    """Into pool (words): the tickets of a deck that a redacted state shows nowhere."""
    for word in range(WORDS):
        pool[word] = ZERO
    for ticket in range(tables.deck_first[deck], tables.deck_first[deck] + tables.deck_size[deck]):
        if ticket < tables.tickets:
            pool[ticket >> 6] |= bit(ticket)
    for place in range(tables.deck_first[deck], tables.deck_first[deck] + tables.deck_size[deck]):
        if place < tables.tickets and state.ticket_order[place] >= 0:
            pool[state.ticket_order[place] >> 6] &= ~bit(I(state.ticket_order[place]))
    for player in range(I(state.players)):
        for word in range(WORDS):
            pool[word] &= ~state.tickets[player, word]
        for i in range(I(state.offer_n[player])):
            ticket = I(state.offer[player, i])
            if ticket >= 0:
                pool[ticket >> 6] &= ~bit(ticket)
    for entry in range(quota(state) * I(state.players)):  # in a redacted state the viewer's alone
        ticket = I(state.memory[entry, TICKET])
        if ticket != NONE and I(state.memory[entry, HANDS]) & GONE:
            pool[ticket >> 6] &= ~bit(ticket)


@kernel
def draw_from(state: State, pool: Words) -> Int:
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
def second_deck_share(state: State, tables: Tables, player: Int) -> Int:
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
def mixed_of_second_deck(state: State, tables: Tables, viewer: Int, pool: Words) -> Int:
    """How many mixed tickets of the others are of deck 1, where the size of deck 0 tells: none of its tickets left
    the game.
    """
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
def share_out(state: State, tables: Tables, viewer: Int, shares: Ints, pool: Words) -> None:
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
def room_in_hand(state: State, player: Int, deck: Int, taken: Ints) -> Int:
    """How many more lost tickets of a deck a player can hold: as many as were drawn during the game, while they are
    hidden.
    """
    return I(0) if state.phase == OVER else I(state.tickets_late[player, deck]) - taken[player]


@kernel
def count_spots(state: State, tables: Tables, deck: Int, entry: Int, taken: Ints, narrow: Ints) -> tuple[Int, Int, Int]:
    """Where a ticket that the viewer lost sight of can be: hidden places, hidden offers, and tickets that others
    hold.
    """
    places, offers, held = I(0), I(0), I(0)
    for i in range(I(state.ticket_count[deck])):
        if state.ticket_order[ring(state, tables, deck, i)] == HIDDEN and state.memory[entry, LENGTH] <= narrow[i]:
            places += I(covers(state, tables, deck, entry, i))
    hands = I(state.memory[entry, HANDS])
    for player in range(I(state.players)):
        if hands & OFFERED:
            for i in range(I(state.offer_n[player])):
                offers += I(state.offer[player, i] == HIDDEN - deck)
        if (hands >> player) & 1:
            held += room_in_hand(state, player, deck, taken)
    return places, offers, held


@kernel
def deal_to_spot(state: State, tables: Tables, deck: Int, entry: Int, taken: Ints, narrow: Ints, k: Int) -> None:
    """Put an entry's ticket into the k-th of its spots, in the order of `count_spots`."""
    ticket, hands = I(state.memory[entry, TICKET]), I(state.memory[entry, HANDS])
    for i in range(I(state.ticket_count[deck])):
        place = ring(state, tables, deck, i)
        room = state.ticket_order[place] == HIDDEN and state.memory[entry, LENGTH] <= narrow[i]
        if room and covers(state, tables, deck, entry, i):
            if k == 0:
                state.ticket_order[place] = ticket
                return
            k -= 1
    if hands & OFFERED:
        for player in range(I(state.players)):
            for i in range(I(state.offer_n[player])):
                if state.offer[player, i] == HIDDEN - deck:
                    if k == 0:
                        state.offer[player, i] = ticket
                        return
                    k -= 1
    for player in range(I(state.players)):
        if (hands >> player) & 1:
            more = room_in_hand(state, player, deck, taken)
            if k < more:
                state.tickets[player, ticket >> 6] |= bit(ticket)
                taken[player] += 1
                return
            k -= more


@kernel
def deal_lost(state: State, tables: Tables, viewer: Int, deck: Int, pool: Words, taken: Ints) -> None:
    """Tickets that the viewer lost sight of go where they can be, each spot as likely as any.

    Those with the fewest spots go first, so that the others leave them one.
    They leave pool; into taken: how many went into each hand.
    """
    first, last = quota(state) * viewer, quota(state) * (viewer + 1)
    left = ZERO  # entries to deal
    narrow = np.full(
        MAX_TICKETS, MANY, np.int64
    )  # [i]: length of the shortest run with the i-th place from the top in it
    for entry in range(first, last):
        ticket = I(state.memory[entry, TICKET])
        if is_of(state, tables, deck, entry) and pool[ticket >> 6] & bit(ticket):
            left |= bit(entry - first)
            for i in range(I(state.ticket_count[deck])):
                if covers(state, tables, deck, entry, i):
                    narrow[i] = min(narrow[i], I(state.memory[entry, LENGTH]))

    # A run may have places in it that only tickets with a shorter run can have come to: those are left to them.
    while left:
        fewest, chosen, todo = I(MANY), I(0), left
        while todo:
            places, offers, held = count_spots(state, tables, deck, first + lowest(todo), taken, narrow)
            n = places + offers + held
            if n < fewest:
                fewest, chosen = n, lowest(todo)
            todo &= todo - ONE
        if fewest == 0:
            for i in range(MAX_TICKETS):  # then it must be in such a place
                narrow[i] = MANY
            places, offers, held = count_spots(state, tables, deck, first + chosen, taken, narrow)
            fewest = places + offers + held
        left &= ~bit(chosen)
        if fewest > 0:
            ticket = I(state.memory[first + chosen, TICKET])
            pool[ticket >> 6] &= ~bit(ticket)
            deal_to_spot(state, tables, deck, first + chosen, taken, narrow, below(state, fewest))


@kernel
def deal_held(state: State, pool: Words, player: Int, n: Int) -> None:
    """n unseen tickets into a player's hand."""
    for _ in range(n):
        ticket = draw_from(state, pool)
        state.tickets[player, ticket >> 6] |= bit(ticket)


@kernel
def deal_offers(state: State, pool: Words, deck: Int) -> None:
    """Hidden tickets of offers become unseen ones of their deck."""
    for player in range(I(state.players)):
        for i in range(I(state.offer_n[player])):
            if state.offer[player, i] == HIDDEN - deck:
                state.offer[player, i] = draw_from(state, pool)


@kernel
def deal_tickets(state: State, tables: Tables, viewer: Int, pool: Words) -> None:
    """Redeal the tickets: those the viewer lost sight of, then offers, hands and decks.

    What is left over is out of the game.
    """
    shares, taken = np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    share_out(state, tables, viewer, shares, pool)
    for deck in range(tables.decks):
        unseen_tickets(state, tables, deck, pool)

        # First what has few spots to go to.
        for player in range(I(state.players)):
            taken[player] = 0
        if viewer != SPECTATOR:
            deal_lost(state, tables, viewer, deck, pool, taken)

        # Everything else is as likely anywhere. Hands lie open when the game is over.
        deal_offers(state, pool, deck)
        for player in range(I(state.players)):
            if player != viewer and state.phase != OVER:
                mixed = shares[player] if deck == 1 else I(state.tickets_mixed[player]) - shares[player]
                deal_held(state, pool, player, I(state.tickets_sure[player, deck]) + mixed - taken[player])
        for i in range(I(state.ticket_count[deck])):
            place = ring(state, tables, deck, i)
            if state.ticket_order[place] == HIDDEN:
                state.ticket_order[place] = draw_from(state, pool)


@kernel
def deal_choices(state: State, tables: Tables) -> None:
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
def determinize(state: State, tables: Tables, viewer: Int, seed: Rng, pool: Words) -> None:
    """Turn a redacted state into a whole one that its viewer thinks possible; pool is scratch of WORDS 64-bit words."""
    begin_stream(state, seed, ZERO)
    deal_cards(state, tables)
    deal_tickets(state, tables, viewer, pool)
    deal_choices(state, tables)
