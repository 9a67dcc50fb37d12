"""Tickets of imported maps, and a deck for a map that has none."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

TICKETS_PER_CITY = 0.85
"""About as many as boards have that are played a lot."""
LEAST_TICKETS, MOST_TICKETS = 24, 60
SHORTEST = 0.25
"""Of the longest way on the board: tickets that are shorter are left out, unless there are too few others."""


@dataclass(frozen=True, slots=True)
class EditorTicket:
    """A ticket between two stops, by their numbers."""

    a: int
    b: int
    points: int
    long: bool = False


def made_up_tickets(
    stops: int, lengths: Mapping[tuple[int, int], int], junctions: Collection[int]
) -> list[EditorTicket]:
    """A deck in which every city has about as many tickets, of all lengths, worth their shortest paths.

    `lengths` has the spaces of every route by its two stops; no ticket ends at a junction.
    """
    far = _distances(stops, lengths)
    ends = [stop for stop in range(stops) if stop not in junctions]
    pairs = {pair: far[pair] for pair in combinations(ends, 2) if pair in far and pair not in lengths}
    if len(pairs) < LEAST_TICKETS:
        pairs |= {pair: far[pair] for pair in combinations(ends, 2) if pair in far}
    longest = max(pairs.values(), default=0)
    worthy = {pair: spaces for pair, spaces in pairs.items() if spaces >= SHORTEST * longest}
    pairs = worthy if len(worthy) >= LEAST_TICKETS else pairs
    wanted = min(MOST_TICKETS, max(LEAST_TICKETS, round(stops * TICKETS_PER_CITY)), len(pairs))
    used, taken, chosen = [0] * stops, dict.fromkeys(pairs.values(), 0), []
    for _ in range(wanted):  # always the pair whose cities and length were chosen least so far
        a, b = min(pairs, key=lambda pair: (used[pair[0]] + used[pair[1]], taken[pairs[pair]], pair))
        spaces = pairs.pop((a, b))
        used[a], used[b], taken[spaces] = used[a] + 1, used[b] + 1, taken[spaces] + 1
        chosen.append(EditorTicket(a, b, min(spaces, 99)))
    return chosen


def _distances(stops: int, lengths: Mapping[tuple[int, int], int]) -> dict[tuple[int, int], int]:
    """Spaces on the shortest path of every two stops that are connected (Floyd and Warshall)."""
    unknown = sum(lengths.values()) + 1
    far = [[0 if i == j else lengths.get((min(i, j), max(i, j)), unknown) for j in range(stops)] for i in range(stops)]
    for k in range(stops):
        for i in range(stops):
            if far[i][k] < unknown:
                far[i] = [min(far[i][j], far[i][k] + far[k][j]) for j in range(stops)]
    return {(i, j): far[i][j] for i, j in combinations(range(stops), 2) if far[i][j] < unknown}
