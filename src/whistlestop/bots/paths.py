"""Paths over the board: the cheapest connection of two places, and a plan of tracks for several tickets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heapify, heappop, heappush
from math import inf

from whistlestop.engine.hidden import SPECTATOR
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import Board, Ticket
from whistlestop.spelling import nearest, shown
from whistlestop.views import StateReader, View

IMPASSABLE = inf
"""Price of a track that cannot be used."""
STEP = 1 / 64
"""Price of passing over a track, own ones included: of equally cheap paths the one with the fewest tracks wins."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardGraph:
    """A board as a graph, made once per board."""

    neighbours: tuple[tuple[tuple[int, int], ...], ...]
    """For each city the cities next to it, each with the track that leads there."""
    places: dict[str, frozenset[int]]
    """The city of a name, or the border spaces of a country."""
    ends: tuple[tuple[int, int], ...]
    lengths: tuple[int, ...]


@lru_cache(maxsize=64)
def graph_of(board: Board) -> BoardGraph:
    """The board's graph."""
    neighbours: list[list[tuple[int, int]]] = [[] for _ in board.cities]
    for i, track in enumerate(board.tracks):
        neighbours[track.a].append((track.b, i))
        neighbours[track.b].append((track.a, i))
    places = {city.name: frozenset([i]) for i, city in enumerate(board.cities)}
    for country in board.countries:
        places[country.name] = frozenset(i for i, city in enumerate(board.cities) if city.country == country.name)
    ends = tuple((track.a, track.b) for track in board.tracks)
    return BoardGraph(tuple(map(tuple, neighbours)), places, ends, tuple(track.length for track in board.tracks))


def cheapest_path(view: View, a: str, b: str, player: int | None = None) -> tuple[int, ...] | None:
    """The tracks, in order, of a player's cheapest path between two cities or countries, or None if there is none.

    Own tracks cost nothing and usable ones their length; the player is the viewer unless given. The path may need more
    trains than the player has left.
    """
    graph = graph_of(view.edition.board)
    state = StateReader(view.states)
    own, usable = tracks_for(state, view.player if player is None else player)
    prices = [
        STEP if own >> i & 1 else length + STEP if usable >> i & 1 else IMPASSABLE
        for i, length in enumerate(graph.lengths)
    ]
    return shortest_path(graph, place(graph, a), place(graph, b), prices)


def place(graph: BoardGraph, name: str) -> frozenset[int]:
    """The cities that a name stands for."""
    if name not in graph.places:
        near = nearest(name, graph.places)
        raise WhistlestopError(
            f"there is no place {shown(name)} on this board", f"did you mean {near}?" if near else None
        )
    return graph.places[name]


def mask(words: Iterable[int]) -> int:
    """Words of 64 bits as one number, of which bit i stands for track or ticket i."""
    return sum(int(word) << 64 * i for i, word in enumerate(words))


def tracks_for(state: StateReader, player: int) -> tuple[int, int]:
    """A player's own tracks and those the player may still claim, as bits; a spectator may claim any open one."""
    usable = mask(state.open.tolist())
    if player == SPECTATOR:
        return 0, usable
    return mask(state.tracks[player].tolist()), usable & ~mask(state.barred[player].tolist())


def shortest_path(
    graph: BoardGraph, starts: Iterable[int], goals: Collection[int], prices: Sequence[float]
) -> tuple[int, ...] | None:
    """The tracks, in order, of the cheapest path from any start to any goal, or None (Dijkstra)."""
    neighbours = graph.neighbours
    best = [inf] * len(neighbours)
    came: list[tuple[int, int]] = [(-1, -1)] * len(neighbours)
    heap = [(0.0, city) for city in starts]
    heapify(heap)
    for _, city in heap:
        best[city] = 0.0
    while heap:
        price, city = heappop(heap)
        if city in goals:
            return _tracks_back(came, city)
        if price > best[city]:
            continue
        for other, track in neighbours[city]:
            there = price + prices[track]
            if there < best[other]:
                best[other] = there
                came[other] = (track, city)
                heappush(heap, (there, other))
    return None


def _tracks_back(came: Sequence[tuple[int, int]], city: int) -> tuple[int, ...]:
    tracks: list[int] = []
    track, before = came[city]
    while track >= 0:
        tracks.append(track)
        track, before = came[before]
    return tuple(reversed(tracks))


# ---- several tickets at once ----------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class Budget:
    """What a plan may use up."""

    trains: int
    turns: float = inf
    cards: int = 0
    """Cards in hand, which save turns of drawing."""
    stations: int = 0
    built: int = 0
    """Stations that stand and borrow a track each for nothing."""

    def allows(self, graph: BoardGraph, claims: Collection[int], borrowed: Collection[int]) -> bool:
        """Whether these claims, and these tracks borrowed by stations, are within the budget."""
        spaces = sum(graph.lengths[track] for track in claims)
        stations = max(0, len(borrowed) - self.built)
        turns = len(claims) + stations + max(0.0, spaces - 0.75 * self.cards) / 2
        return spaces <= self.trains and stations <= self.stations and turns <= self.turns


@dataclass(frozen=True, slots=True)
class Plan:
    """Tracks that together complete tickets."""

    tracks: tuple[int, ...] = ()
    """Tracks to claim, those for the most worthwhile ticket first."""
    borrowed: tuple[int, ...] = ()
    """Others' tracks to use by a station."""
    kept: tuple[Ticket, ...] = ()
    """Tickets that the plan completes."""
    abandoned: tuple[Ticket, ...] = ()
    """Tickets that it gives up."""
    price: float = 0.0

    @property
    def points(self) -> int:
        """Points of the tickets completed, less those of the tickets given up."""
        return sum(ticket.points for ticket in self.kept) - sum(ticket.points for ticket in self.abandoned)


def plan_for(
    graph: BoardGraph,
    tickets: Iterable[Ticket],
    prices: Sequence[float],
    own: int,
    foreign: int,
    budget: Budget,
    longest_first: bool = False,
) -> Plan:
    """A cheap plan for as many tickets as the budget allows: one after another, each on the tracks of those before.

    `own` and `foreign` are tracks as bits; prices of foreign ones are those of borrowing. The next ticket is the one
    with the most points for its price, or the longest one.
    """
    prices = list(prices)
    waiting, kept, abandoned = list(tickets), [], []
    claims: list[int] = []
    borrowed: list[int] = []
    total = 0.0
    while waiting:
        offers = [
            (ticket, shortest_path(graph, graph.places[ticket.a], graph.places[ticket.b], prices)) for ticket in waiting
        ]
        best: tuple[float, float, Ticket, list[int]] | None = None
        waiting = []
        for ticket, path in offers:
            new = None if path is None else [track for track in path if not own >> track & 1 and prices[track] > STEP]
            if new is None or not _fits(graph, budget, claims, borrowed, new, foreign):
                abandoned.append(ticket)  # plans only grow: what does not fit now never will
                continue
            waiting.append(ticket)
            price = sum(prices[track] for track in new)
            merit = price if longest_first else ticket.points / (price + 1)
            if best is None or merit > best[0]:
                best = (merit, price, ticket, new)
        if best is None:
            break
        _, price, ticket, new = best
        waiting.remove(ticket)
        kept.append(ticket)
        total += price
        for track in new:
            (borrowed if foreign >> track & 1 else claims).append(track)
            prices[track] = STEP
    return Plan(tuple(claims), tuple(borrowed), tuple(kept), tuple(abandoned), total)


def _fits(
    graph: BoardGraph, budget: Budget, claims: list[int], borrowed: list[int], new: list[int], foreign: int
) -> bool:
    more = [track for track in new if not foreign >> track & 1]
    return budget.allows(graph, [*claims, *more], [*borrowed, *(track for track in new if foreign >> track & 1)])
