"""Which cities the tracks of a player connect, kept from step to step.

The engine builds a player's network anew whenever it asks; a learner asks at every step, so here a new track joins two
groups of cities and nothing else is looked at. tests/envs compare with what the engine finds.
"""

from __future__ import annotations

from whistlestop.engine.bits import ONE, ZERO, I, bit, lowest
from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import MAX_CITIES, MAX_PLAYERS, WORDS
from whistlestop.engine.types import Bits, Bool, Int, State, Tables
from whistlestop.envs.kernels.episodes import Episode


@kernel
def forget_connections(episode: Episode) -> None:
    """Nobody has tracks or tickets: every city is a group of its own."""
    for player in range(MAX_PLAYERS):
        for word in range(WORDS):
            episode.completed[player, word] = ZERO
            episode.of_tracks[player, word] = ZERO
            episode.of_tickets[player, word] = ZERO
        for city in range(MAX_CITIES):
            episode.group[player, city] = city


@kernel
def join(episode: Episode, player: Int, a: Int, b: Int) -> None:
    """A track of the player connects two cities."""
    one, other = episode.group[player, a], episode.group[player, b]
    if one != other:
        for city in range(MAX_CITIES):  # all of them, without a branch: 64 bytes are two of a processor's words
            group = episode.group[player, city]
            episode.group[player, city] = one if group == other else group


@kernel
def connects(episode: Episode, player: Int, ends_a: Bits, ends_b: Bits) -> Bool:
    """Whether some city of one end is connected with some city of the other."""
    while ends_a:
        group = episode.group[player, lowest(ends_a)]
        left = ends_b
        while left:
            if episode.group[player, lowest(left)] == group:
                return True
            left &= left - ONE
        ends_a &= ends_a - ONE
    return False


@kernel
def remember_completed(state: State, tables: Tables, episode: Episode, player: Int) -> None:
    """Find a player's completed tickets anew if tracks or tickets have changed."""
    same = True
    for word in range(WORDS):
        same &= episode.of_tracks[player, word] == state.tracks[player, word]
        same &= episode.of_tickets[player, word] == state.tickets[player, word]
    if same:
        return
    for word in range(WORDS):
        fresh = state.tracks[player, word] & ~episode.of_tracks[player, word]
        episode.of_tracks[player, word] = state.tracks[player, word]
        while fresh:
            track = 64 * word + lowest(fresh)
            join(episode, player, I(tables.a[track]), I(tables.b[track]))
            fresh &= fresh - ONE
    for word in range(WORDS):
        done, left = ZERO, state.tickets[player, word]
        episode.of_tickets[player, word] = left
        while left:
            ticket = 64 * word + lowest(left)
            if connects(episode, player, tables.ticket_a[ticket], tables.ticket_b[ticket]):
                done |= bit(ticket)
            left &= left - ONE
        episode.completed[player, word] = done


@kernel
def ticket_balance(state: State, tables: Tables, episode: Episode, player: Int) -> Int:
    """Points of a player's completed tickets less those of the others."""
    total = I(0)
    for word in range(WORDS):
        left = state.tickets[player, word]
        while left:
            points = I(tables.ticket_points[64 * word + lowest(left)])
            total += points if episode.completed[player, word] & bit(lowest(left)) else -points
            left &= left - ONE
    return total
