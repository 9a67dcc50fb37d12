"""Tickets: the decks as rings, offers, and the secret first choices."""

from __future__ import annotations

from whistlestop.engine.bits import I, bit, chance
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import (
    ANNOUNCE,
    BOX,
    DECKS,
    FIRST_TICKETS,
    GONE,
    MAX_OFFER,
    NONE,
    RESHUFFLE,
    SHUFFLED_BOTTOM,
    TURN,
)
from whistlestop.engine.memory import (
    deck_of,
    end_offers,
    forget,
    forget_offered,
    remember,
    see_draw,
    see_leave,
    see_return,
    see_shuffle,
)
from whistlestop.engine.types import Int, Log, State, Tables


@kernel
def ring(state: State, tables: Tables, deck: Int, i: Int) -> Int:
    """Index into ticket_order of the i-th ticket from the top of a deck."""
    place = I(state.ticket_head[deck]) + i
    if place >= tables.deck_size[deck]:
        place -= tables.deck_size[deck]
    return tables.deck_first[deck] + place


@kernel
def shuffle_tickets(state: State, tables: Tables, log: Log, deck: Int, start: Int, n: Int) -> None:
    """Shuffle n tickets of a deck from position `start`; nobody knows any longer where among them each is."""
    for i in range(n - 1, 0, -1):
        here, there = ring(state, tables, deck, start + i), ring(state, tables, deck, start + chance(state, log, i + 1))
        ticket = state.ticket_order[here]
        state.ticket_order[here] = state.ticket_order[there]
        state.ticket_order[there] = ticket
    see_shuffle(state, tables, deck, start, n)


@kernel
def offer_tickets(state: State, tables: Tables, player: Int, deck: Int, n: Int) -> None:
    """Add the top n tickets of a deck to a player's offer, fewer where the deck has fewer (TICKET-4)."""
    n = min(n, I(state.ticket_count[deck]))
    if n <= 0:
        return
    see_draw(state, tables, player, deck, n)
    for _ in range(n):
        top = ring(state, tables, deck, I(0))
        ticket = I(state.ticket_order[top])
        state.ticket_order[top] = NONE
        state.ticket_head[deck] = ring(state, tables, deck, I(1)) - tables.deck_first[deck]
        state.ticket_count[deck] -= 1
        forget(state, player, ticket)
        state.offer[player, state.offer_n[player]] = ticket
        state.offer_n[player] += 1


@kernel
def put_under(state: State, tables: Tables, player: Int, ticket: Int) -> None:
    """A ticket goes to the bottom of its deck (TICKET-5); only who returned it knows that."""
    deck = deck_of(tables, ticket)
    place = ring(state, tables, deck, I(state.ticket_count[deck]))
    state.ticket_order[place] = ticket
    state.ticket_count[deck] += 1
    remember(state, player, ticket, place - tables.deck_first[deck], I(0))


@kernel
def keep_ticket(state: State, tables: Tables, player: Int, ticket: Int, mixed: Int) -> None:
    """A ticket into a player's hand, where it stays (TICKET-6)."""
    state.tickets[player, ticket >> 6] |= bit(ticket)
    if mixed:
        state.tickets_mixed[player] += 1
    else:
        state.tickets_sure[player, deck_of(tables, ticket)] += 1


@kernel
def take_offer(state: State, tables: Tables, player: Int, subset: Int, returned: Int, mixed: Int) -> None:
    """Keep a subset of the offer.

    The others go under their decks in the order they were drawn (RULING-5), or out of the game.
    """
    for deck in range(tables.decks):
        kept, back = I(0), I(0)
        for i in range(I(state.offer_n[player])):
            ticket = I(state.offer[player, i])
            if deck_of(tables, ticket) != deck:
                continue
            if (subset >> i) & 1:
                keep_ticket(state, tables, player, ticket, mixed)
                kept += 1
            elif returned == BOX:
                remember(state, player, ticket, I(NONE), I(GONE))
            else:
                put_under(state, tables, player, ticket)
                back += 1
        if returned == BOX:
            forget_offered(state, tables, deck)
        elif kept + back > 0:
            see_return(state, tables, player, deck, kept, back)
        if state.phase != FIRST_TICKETS:
            state.tickets_late[player, deck] += kept
    clear_offer(state, player)


@kernel
def clear_offer(state: State, player: Int) -> None:
    """No tickets in front of a player."""
    for i in range(MAX_OFFER):
        state.offer[player, i] = NONE
    state.offer_n[player] = 0


@kernel
def held_tickets(state: State, player: Int) -> Int:
    """How many tickets a player holds: public."""
    return I(state.tickets_sure[player, 0]) + I(state.tickets_sure[player, 1]) + I(state.tickets_mixed[player])


# ---- the first choices (SETUP-5 to SETUP-9, SETUP-12, SETUP-14) ------------------------------------------------
@kernel
def begin_deal(state: State, tables: Tables) -> None:
    """Open a step of the first choices: announcements where the step asks for them, else the deal."""
    for player in range(I(state.players)):
        state.choice[player] = NONE
    state.player = 0
    if tables.deal_announce[state.deal]:
        state.phase = ANNOUNCE
    else:
        deal_tickets(state, tables)


@kernel
def deal_tickets(state: State, tables: Tables) -> None:
    """Deal this step's tickets, player by player, those of deck 1 first; then all choose."""
    deal = I(state.deal)
    for player in range(I(state.players)):
        if tables.deal_announce[deal]:
            second = I(state.choice[player])
            first = tables.deal_counts[deal, 0] - second
        else:
            first, second = tables.deal_counts[deal, 0], tables.deal_counts[deal, 1]
        offer_tickets(state, tables, player, I(1), second)
        offer_tickets(state, tables, player, I(0), first)
        state.choice[player] = NONE
    state.player = 0
    state.phase = FIRST_TICKETS


@kernel
def least_kept(state: State, tables: Tables, player: Int) -> Int:
    """How many tickets of the first offer must be kept: more for a player who kept none before (SETUP-8)."""
    deal = I(state.deal)
    if held_tickets(state, player) == 0:
        return min(tables.deal_least_otherwise[deal], I(state.offer_n[player]))
    return min(tables.deal_least[deal], I(state.offer_n[player]))


@kernel
def choose(state: State, tables: Tables, log: Log, choice: Int) -> None:
    """Note a secret first choice.

    When all have chosen, carry them out, so that the order of choosing is without effect.
    """
    state.choice[state.player] = choice
    for player in range(I(state.players)):
        if state.choice[player] == NONE:
            state.player = player
            return
    if state.phase == ANNOUNCE:
        deal_tickets(state, tables)
    else:
        resolve_choices(state, tables, log)


@kernel
def resolve_choices(state: State, tables: Tables, log: Log) -> None:
    """All have chosen: tickets are taken and returned in seat order (RULING-5), then comes the next step or the first
    turn.
    """
    deal = I(state.deal)
    returned = tables.deal_returned[deal]
    mixed = I(tables.deal_counts[deal, 0] > 0 and tables.deal_counts[deal, 1] > 0)
    before = I(state.ticket_count[0])
    for player in range(I(state.players)):
        take_offer(state, tables, player, I(state.choice[player]), returned, mixed)
        state.choice[player] = NONE
    end_offers(state)
    if returned == SHUFFLED_BOTTOM:
        shuffle_tickets(state, tables, log, I(0), before, I(state.ticket_count[0]) - before)
    elif returned == RESHUFFLE:
        for deck in range(DECKS):
            shuffle_tickets(state, tables, log, I(deck), I(0), I(state.ticket_count[deck]))
    if deal + 1 < tables.deals:
        state.deal = deal + 1
        begin_deal(state, tables)
    else:
        begin_turns(state, tables)


@kernel
def begin_turns(state: State, tables: Tables) -> None:
    """The setup is over: undealt long tickets leave the game (SETUP-6) and the first player begins (SETUP-15)."""
    for deck in range(tables.decks):
        if tables.deck_leaves[deck]:
            see_leave(state, tables, I(deck))
            for i in range(tables.deck_size[deck]):
                state.ticket_order[tables.deck_first[deck] + i] = NONE
            state.ticket_count[deck] = 0
            state.ticket_head[deck] = 0
    state.player = state.first
    state.phase = TURN
