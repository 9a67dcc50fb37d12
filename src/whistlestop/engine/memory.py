"""What players remember of the tickets they returned: where each can be, as far as the table saw.

Who returns a ticket knows its place in the deck (TICKET-5, RULING-5) or that it left the game. When the place is
shuffled with others, or somebody else draws it, the ticket may be wherever it can have come to since: in a run of
places on the deck's ring, in the hands of some players, in an offer. Decks are queues, so one run is always enough; it
may wrap around the end of the queue. An entry follows from what its player saw and from nothing else, so it may stand
in that player's view.

Entries of a player stand together, the oldest first, closed by NONE; a full list forgets its oldest entry.
Playouts do without (`state.remembers`): it would cost them up to half of their speed, and nobody looks at their views.
"""

from __future__ import annotations

from whistlestop.engine.bits import I
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import GONE, HANDS, LENGTH, MEMORY, NONE, OFFERED, START, TICKET
from whistlestop.engine.types import Bool, Int, State, Tables


@kernel
def deck_of(tables: Tables, ticket: Int) -> Int:
    """The deck a ticket belongs to: deck 1 has the higher numbers."""
    return I(1) if ticket >= tables.deck_first[1] else I(0)


@kernel
def quota(state: State) -> Int:
    """Entries that each player has."""
    return MEMORY // I(state.players)


@kernel
def remember(state: State, player: Int, ticket: Int, start: Int, hands: Int) -> None:
    """A new entry: a ticket goes to a place on its deck's ring, or somewhere else if start is NONE."""
    if state.remembers == 0:
        return
    first = quota(state) * player
    n = I(0)
    while n < quota(state) and state.memory[first + n, TICKET] != NONE:
        n += 1
    if n == quota(state):
        drop(state, player, first)
        n -= 1
    state.memory[first + n, TICKET] = ticket
    state.memory[first + n, START] = 0 if start == NONE else start
    state.memory[first + n, LENGTH] = 0 if start == NONE else 1
    state.memory[first + n, HANDS] = hands


@kernel
def drop(state: State, player: Int, entry: Int) -> None:
    """Take an entry out of a player's list; those after it move up."""
    last = quota(state) * (player + 1) - 1
    while entry < last and state.memory[entry, TICKET] != NONE:
        for column in range(4):
            state.memory[entry, column] = state.memory[entry + 1, column]
        entry += 1
    if state.memory[last, TICKET] != NONE:
        state.memory[last, TICKET] = NONE
        for column in range(START, HANDS + 1):
            state.memory[last, column] = 0


@kernel
def forget(state: State, player: Int, ticket: Int) -> None:
    """A player sees a ticket again, or will never need to know."""
    if state.remembers == 0:
        return
    for entry in range(quota(state) * player, quota(state) * (player + 1)):
        if state.memory[entry, TICKET] == NONE:
            return
        if state.memory[entry, TICKET] == ticket:
            drop(state, player, entry)
            return


@kernel
def offset(state: State, tables: Tables, deck: Int, place: Int) -> Int:
    """How many places a place on a deck's ring is behind the top."""
    away = place - I(state.ticket_head[deck])
    return away if away >= 0 else away + tables.deck_size[deck]


@kernel
def covers(state: State, tables: Tables, deck: Int, entry: Int, i: Int) -> Bool:
    """Whether an entry's run has the i-th place from the top of its deck in it."""
    size = tables.deck_size[deck]
    start = offset(state, tables, deck, I(state.memory[entry, START]))
    return (i - start if i >= start else i - start + size) < state.memory[entry, LENGTH]


@kernel
def is_exact(state: State, entry: Int) -> Bool:
    """Whether an entry tells the very place of its ticket."""
    return state.memory[entry, LENGTH] == 1 and state.memory[entry, HANDS] == 0


@kernel
def is_of(state: State, tables: Tables, deck: Int, entry: Int) -> Bool:
    """Whether an entry is of a ticket of this deck that is still in the game."""
    ticket = I(state.memory[entry, TICKET])
    return ticket != NONE and deck_of(tables, ticket) == deck and I(state.memory[entry, HANDS]) & GONE == 0


@kernel
def see_draw(state: State, tables: Tables, drawer: Int, deck: Int, n: Int) -> None:
    """A player is about to draw n tickets off a deck: others may lose sight of tickets, and runs get shorter."""
    if state.remembers == 0:
        return
    room, size, first_of_deck = quota(state), tables.deck_size[deck], tables.deck_first[deck]
    count = I(state.ticket_count[deck]) - n
    for player in range(I(state.players)):
        known = known_places(state, tables, player, deck, n) if player != drawer else I(0)
        for entry in range(room * player, room * (player + 1)):
            ticket = I(state.memory[entry, TICKET])
            if ticket == NONE:
                break
            length = I(state.memory[entry, LENGTH])
            if length == 0 or ticket < first_of_deck or ticket >= first_of_deck + size:
                continue

            # Does the run reach to the places that are drawn, where the player does not know them to hold others?
            start = offset(state, tables, deck, I(state.memory[entry, START]))
            if player != drawer and (start < n or start + length > size):
                if is_exact(state, entry):
                    offer_entry(state, entry)
                else:
                    for i in range(n):
                        if covers(state, tables, deck, entry, i) and (known >> i) & 1 == 0:
                            offer_entry(state, entry)
                            break

            # Places that are empty now leave the run. Counted from the new top:
            start = start - n if start >= n else start - n + size
            wrapped = start + length - size  # places at the top, where the run began at the bottom
            if start >= count:
                state.memory[entry, START] = ring_place(state, tables, deck, n)
                state.memory[entry, LENGTH] = min(max(I(0), wrapped), count)
            elif wrapped <= 0:
                state.memory[entry, LENGTH] = min(length, count - start)


@kernel
def ring_place(state: State, tables: Tables, deck: Int, i: Int) -> Int:
    """The i-th place from the top on a deck's ring."""
    place = I(state.ticket_head[deck]) + i
    return place if place < tables.deck_size[deck] else place - tables.deck_size[deck]


@kernel
def offer_entry(state: State, entry: Int) -> None:
    """The ticket of an entry may be in the offer."""
    if I(state.memory[entry, HANDS]) & OFFERED == 0:
        state.memory[entry, HANDS] = I(state.memory[entry, HANDS]) | OFFERED
        state.lost_offers += 1


@kernel
def known_places(state: State, tables: Tables, player: Int, deck: Int, n: Int) -> Int:
    """Which of the top n places of a deck a player knows the tickets of, as bits: they hold no other."""
    known = I(0)
    for entry in range(quota(state) * player, quota(state) * (player + 1)):
        if state.memory[entry, TICKET] == NONE:
            break
        if is_exact(state, entry) and is_of(state, tables, deck, entry):
            i = offset(state, tables, deck, I(state.memory[entry, START]))
            known |= 1 << i if i < n else 0
    return known


@kernel
def see_return(state: State, tables: Tables, returner: Int, deck: Int, kept: Int, n: Int) -> None:
    """A player kept some tickets of a deck and put n under it: what others lost sight of may be in either place."""
    if state.lost_offers == 0:
        return
    size = tables.deck_size[deck]
    below = I(state.ticket_count[deck]) - n  # places behind the top where the returned tickets begin
    for player in range(I(state.players)):
        for entry in range(quota(state) * player, quota(state) * (player + 1)):
            if player == returner or not is_of(state, tables, deck, entry):
                continue
            if I(state.memory[entry, HANDS]) & OFFERED == 0:
                continue
            if kept > 0:
                state.memory[entry, HANDS] = I(state.memory[entry, HANDS]) | 1 << returner
            start, length = offset(state, tables, deck, I(state.memory[entry, START])), I(state.memory[entry, LENGTH])
            if n == 0 or start + length > size:
                continue  # a run that wraps around has the new places in it
            if length > 0 and (start > 0 or length == below):
                state.memory[entry, LENGTH] = below + n - start  # the run reaches to where the new places begin
            else:
                # The new places, and what is left of the run at the top behind them.
                state.memory[entry, START] = ring_place(state, tables, deck, below)
                state.memory[entry, LENGTH] = n if length == 0 else size - below + length


@kernel
def end_offers(state: State) -> None:
    """No tickets are offered any more."""
    if state.lost_offers == 0:
        return
    for entry in range(quota(state) * I(state.players)):
        if state.memory[entry, TICKET] != NONE:
            state.memory[entry, HANDS] = I(state.memory[entry, HANDS]) & ~OFFERED
    state.lost_offers = 0


@kernel
def see_shuffle(state: State, tables: Tables, deck: Int, start: Int, n: Int) -> None:
    """n places of a deck are shuffled: who knew a ticket to be in one of them knows only that it is in one of them."""
    if state.remembers == 0:
        return
    for entry in range(quota(state) * I(state.players)):
        if is_of(state, tables, deck, entry) and state.memory[entry, LENGTH] > 0:
            i = offset(state, tables, deck, I(state.memory[entry, START]))
            if start <= i < start + n:
                place = I(state.ticket_head[deck]) + start
                state.memory[entry, START] = place if place < tables.deck_size[deck] else place - tables.deck_size[deck]
                state.memory[entry, LENGTH] = n


@kernel
def see_leave(state: State, tables: Tables, deck: Int) -> None:
    """A whole deck leaves the game: tickets that must be in it are gone, others are forgotten."""
    if state.remembers == 0:
        return
    for player in range(I(state.players)):
        entry = quota(state) * player
        while entry < quota(state) * (player + 1):
            if is_of(state, tables, deck, entry):
                if state.memory[entry, HANDS] != 0:
                    drop(state, player, entry)
                    continue
                state.memory[entry, HANDS] = GONE
                state.memory[entry, LENGTH] = 0
            entry += 1


@kernel
def forget_offered(state: State, tables: Tables, deck: Int) -> None:
    """Offered tickets of a deck leave the game: who saw them offered cannot follow them."""
    if state.remembers == 0:
        return
    for player in range(I(state.players)):
        entry = quota(state) * player
        while entry < quota(state) * (player + 1):
            if is_of(state, tables, deck, entry) and I(state.memory[entry, HANDS]) & OFFERED:
                drop(state, player, entry)
            else:
                entry += 1
