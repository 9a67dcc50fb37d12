"""Beliefs: which tickets the others may hold, weighed by how well they explain what they claimed."""

from __future__ import annotations

from math import exp

import numpy as np

from whistlestop.bots.planner.mind import Mind
from whistlestop.bots.planner.planning import find_way
from whistlestop.engine.bits import ONE, I, below, bit, lowest
from whistlestop.engine.hidden import unseen_tickets
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import MAX_TICKETS, NONE, TICKET, WORDS
from whistlestop.engine.memory import quota
from whistlestop.engine.types import Int, Real, Reals, State, Tables, Words

SHARE_SAVED = 3.0
"""How much the share of a ticket's spaces that a player's tracks save speaks for it, in log odds …"""
SPACES_SAVED = 1.0
"""… and each ten spaces saved."""
CUT_OFF = 4.0
"""Spaces that a ticket is counted as farther away than on an empty board when there is no way left."""
FINE = 1 << 30


@kernel
def set_lengths(tables: Tables, mind: Mind) -> None:
    """Every track at the price of its spaces."""
    for track in range(tables.tracks):
        mind.price[track] = 1.0 * tables.length[track]


@kernel
def spaces_between(tables: Tables, mind: Mind, ticket: Int, low: Real, high: Real) -> Real:
    """Spaces between a ticket's ends over some tracks at their prices, or -1 where there is no way."""
    end = find_way(tables, mind, tables.ticket_a[ticket], tables.ticket_b[ticket], low, high)
    return mind.distance[end] if end != NONE else -1.0


@kernel
def weigh_tickets(state: State, tables: Tables, mind: Mind, viewer: Int, weights: Reals) -> None:
    """Into weights[player, ticket]: how much more than others a ticket explains what a player claimed."""
    low, high = tables.all_tracks[0], tables.all_tracks[1]
    empty = np.zeros(MAX_TICKETS, np.float64)
    set_lengths(tables, mind)
    for ticket in range(tables.tickets):
        empty[ticket] = max(1.0, spaces_between(tables, mind, I(ticket), low, high))
    for player in range(I(state.players)):
        if player == viewer:
            continue
        set_lengths(tables, mind)
        for word in range(WORDS):
            left = state.tracks[player, word]
            while left:
                mind.price[64 * word + lowest(left)] = 0.0
                left &= left - ONE
        low = state.tracks[player, 0] | (state.open[0] & ~state.barred[player, 0])
        high = state.tracks[player, 1] | (state.open[1] & ~state.barred[player, 1])
        for ticket in range(tables.tickets):
            now = spaces_between(tables, mind, I(ticket), low, high)
            saved = empty[ticket] - now if now >= 0.0 else -CUT_OFF
            weights[player, ticket] = exp(SHARE_SAVED * saved / empty[ticket] + SPACES_SAVED * saved / 10.0)


@kernel
def exchangeable(root: State, tables: Tables, viewer: Int, deck: Int, pool: Words) -> None:
    """Into pool: tickets of a deck of which the viewer knows nothing; `root` is the viewer's redacted state."""
    unseen_tickets(root, tables, deck, pool)
    for entry in range(quota(root) * viewer, quota(root) * (viewer + 1)):
        ticket = I(root.memory[entry, TICKET])
        if ticket != NONE:
            pool[ticket >> 6] &= ~bit(ticket)


@kernel
def put_in_place(state: State, tables: Tables, deck: Int, old: Int, new: Int) -> None:
    """Where a ticket lies in its deck, another one lies instead; nothing where it is out of the game."""
    first = tables.deck_first[deck]
    for place in range(first, first + tables.deck_size[deck]):
        if place < tables.tickets and state.ticket_order[place] == old:
            state.ticket_order[place] = new
            return


@kernel
def free_tickets(state: State, pool: Words, word: Int) -> Real:
    """A word of the pool without the tickets that somebody holds or chooses from in this world."""
    free = pool[word]
    for player in range(I(state.players)):
        free &= ~state.tickets[player, word]
        for i in range(I(state.offer_n[player])):
            ticket = I(state.offer[player, i])
            if ticket >= 0 and ticket >> 6 == word:
                free &= ~bit(ticket)
    return free


@kernel
def reweigh(state: State, tables: Tables, root: State, viewer: Int, weights: Reals, pool: Words) -> None:
    """Exchange each ticket that another holds in this world for an unseen one of its deck, by weight.

    One sweep of Gibbs sampling from the redeal, which gave every ticket the same chance.
    """
    for deck in range(tables.decks):
        exchangeable(root, tables, viewer, I(deck), pool)
        for player in range(I(state.players)):
            if player == viewer:
                continue
            for word in range(WORDS):
                held = state.tickets[player, word] & pool[word]
                while held:
                    ticket = 64 * word + lowest(held)
                    held &= held - ONE
                    exchange(state, tables, deck, player, ticket, weights[player], pool)


@kernel
def exchange(state: State, tables: Tables, deck: Int, player: Int, ticket: Int, weights: Reals, pool: Words) -> None:
    """Exchange one ticket of a player, or leave it, by weight."""
    total = weights[ticket]
    for word in range(WORDS):
        left = free_tickets(state, pool, word)
        while left:
            total += weights[64 * word + lowest(left)]
            left &= left - ONE
    k = below(state, I(FINE)) / FINE * total - weights[ticket]
    if k < 0:
        return
    for word in range(WORDS):
        left = free_tickets(state, pool, word)
        while left:
            other = 64 * word + lowest(left)
            left &= left - ONE
            k -= weights[other]
            if k < 0:
                put_in_place(state, tables, deck, other, ticket)
                state.tickets[player, ticket >> 6] &= ~bit(ticket)
                state.tickets[player, other >> 6] |= bit(other)
                return
