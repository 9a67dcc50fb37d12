"""Random small boards and networks, and brute-force algorithms on them, for comparison with the engine.

Only the layout of the tables is taken from the engine: trails and connections are found by exhaustive search.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from whistlestop.engine import layout as lay
from whistlestop.mapfile import CARD_COLOURS, Board, City, Country, Deal, Deck, Edition, Ticket, Track

Edge = tuple[int, int, int]
"""A track: the numbers of two cities, and its length."""
POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21}


# ---- networks --------------------------------------------------------------------------------------------------------
def edges_of(board: Board) -> list[Edge]:
    """Every track of a board."""
    return [(track.a, track.b, track.length) for track in board.tracks]


def words_of_tracks(tracks: Any) -> npt.NDArray[np.uint64]:
    """A set of track numbers as the engine's two words."""
    mask = sum(1 << track for track in set(tracks))
    return np.array([mask & (2**64 - 1), mask >> 64], np.uint64)


def tables_of_edges(edges: list[Edge]) -> npt.NDArray[Any]:
    """Tables with nothing in them but tracks: enough for the graph kernels, for boards of any shape."""
    tables = np.zeros(1, lay.TABLES)
    t = tables[0]
    t.tracks, t.cities = len(edges), 1 + max(max(a, b) for a, b, _ in edges)
    for i, (a, b, length) in enumerate(edges):
        t.a[i], t.b[i], t.length[i] = a, b, length
        for city in (a, b):
            t.city_tracks[city][i >> 6] |= np.uint64(1 << (i & 63))
    return tables


def longest_trail(edges: list[Edge]) -> int:
    """Spaces on the longest path that uses no track twice, by exhaustive search; for a dozen tracks at most."""

    def further(city: int, used: int) -> int:
        best = 0
        for i, (a, b, length) in enumerate(edges):
            if not used >> i & 1 and city in (a, b):
                best = max(best, length + further(a + b - city, used | 1 << i))
        return best

    return max((further(city, 0) for city in {end for a, b, _ in edges for end in (a, b)}), default=0)


def connected_cities(edges: list[Edge], start: int) -> set[int]:
    """All cities that can be reached from one."""
    found, fringe = {start}, [start]
    while fringe:
        city = fringe.pop()
        for a, b, _ in edges:
            if city in (a, b) and a + b - city not in found:
                found.add(a + b - city)
                fringe.append(a + b - city)
    return found


def random_edges(rng: random.Random, tracks: int, cities: int, longest: int = 8) -> list[Edge]:
    """Tracks between random cities, up to three side by side; often in several pieces."""
    edges: list[Edge] = []
    while len(edges) < tracks:
        a, b = rng.sample(range(cities), 2)
        if sum({a, b} == {x, y} for x, y, _ in edges) < 3:
            edges.append((a, b, rng.randint(1, longest)))
    return edges


def random_cluster(rng: random.Random, edges: list[Edge], trains: int, greed: float = 0.7) -> list[int]:
    """Track numbers of a network that grows from a random city until the trains run out; the greedier, the denser."""
    chosen: list[int] = []
    cities = {rng.choice(edges)[0]}
    while True:
        fits = [
            i for i, (a, b, n) in enumerate(edges) if i not in chosen and n <= trains and (a in cities or b in cities)
        ]
        if not fits:
            return chosen
        inner = [i for i in fits if edges[i][0] in cities and edges[i][1] in cities]
        track = rng.choice(inner if inner and rng.random() < greed else fits)
        chosen.append(track)
        cities |= {edges[track][0], edges[track][1]}
        trains -= edges[track][2]


def grid(columns: int, rows: int) -> list[Edge]:
    """A board of squares, every track of length 1."""
    across = [(y * columns + x, y * columns + x + 1, 1) for y in range(rows) for x in range(columns - 1)]
    down = [(y * columns + x, (y + 1) * columns + x, 1) for y in range(rows - 1) for x in range(columns)]
    return across + down


# ---- whole boards with rules -----------------------------------------------------------------------------------------
@dataclass
class Tiny:
    """A tiny board for the fast engine, and the same for the reference."""

    edition: Edition
    spec: dict[str, Any]


def tiny(number: int) -> Tiny:
    """The tiny board of a number: few cards, tracks and tickets, so that piles run empty and rare states occur."""
    rng = random.Random(f"tiny {number}")
    inner = [City(f"C{i}", 0.0, 0.0) for i in range(rng.randint(4, 7))]
    borders = [City(f"X{i}", 0.0, 0.0, "Abroad") for i in range(rng.choice((0, 0, 2, 3)))]
    tracks = _tracks(rng, len(inner), len(borders))
    countries: tuple[Country, ...] = (Country("Abroad", 0),) if borders else ()
    bag: dict[str, int] = {}
    if rng.random() < 0.4:
        inner = [City(city.name, 0.0, 0.0, None, rng.randint(0, 2)) for city in inner]
        countries = tuple(Country(country.name, 2) for country in countries)
        total = sum(city.passengers for city in inner) + sum(country.passengers for country in countries)
        bag = {"red": total // 2, "blue": total - total // 2}
    cities = (*inner, *borders)
    ends = [city.name for city in inner] + [country.name for country in countries]
    board = Board(f"tiny-{number}", f"Tiny {number}", cities, countries, tracks, (), POINTS, bag)
    edition, spec = _rules(rng, board, ends)
    spec |= {
        "cities": [{"name": city.name, "passengers": city.passengers} for city in cities],
        "countries": [
            {"name": c.name, "endpoints": [b.name for b in borders], "passengers": c.passengers} for c in countries
        ],
        "passenger_colors": bag,
        "routes": [
            {
                "a": cities[t.a].name,
                "b": cities[t.b].name,
                "length": t.length,
                "color": t.colour,
                "tunnel": t.tunnel,
                "ferry": t.ferry,
            }
            for t in tracks
        ],
        "route_points": POINTS,
    }
    return Tiny(edition, spec)


def _tracks(rng: random.Random, cities: int, borders: int) -> tuple[Track, ...]:
    """A tree with some more tracks, doubles and triples among them, and a track or two to every border space."""
    pairs = [(rng.randrange(i), i) for i in range(1, cities)]
    pairs += [tuple(rng.sample(range(cities), 2)) for _ in range(rng.randint(1, 5))]  # type: ignore[misc]
    pairs += [(rng.randrange(cities), cities + i) for i in range(borders)]
    pairs += rng.sample(pairs, rng.randint(0, 2))
    tunnels, ferries = rng.random() < 0.6, rng.random() < 0.5
    longest = rng.choice((2, 4, 4, 6))
    tracks: list[Track] = []
    for a, b in pairs:
        if sum({a, b} == {t.a, t.b} for t in tracks) < 3:
            length, colour = rng.randint(1, longest), rng.choice((*CARD_COLOURS, "gray", "gray", "gray"))
            ferry = rng.randint(1, length) if ferries and colour == "gray" and rng.random() < 0.4 else 0
            tracks.append(Track(a, b, length, colour, tunnels and not ferry and rng.random() < 0.5, ferry))
    return tuple(tracks)


def _tickets(rng: random.Random, ends: list[str], n: int, taken: set[tuple[str, str, int]]) -> tuple[Ticket, ...]:
    """n different tickets."""
    tickets: list[Ticket] = []
    while len(tickets) < n:
        a, b = rng.sample(ends, 2)
        ticket = (a, b, rng.randint(1, 20))
        if ticket not in taken:
            taken.add(ticket)
            tickets.append(Ticket(*ticket))
    return tuple(tickets)


RETURNED = {"bottom": "bottom", "shuffled-bottom": "shuffled", "reshuffle": "reshuffled", "box": "gone"}


def _rules(rng: random.Random, board: Board, ends: list[str]) -> tuple[Edition, dict[str, Any]]:
    """Ticket decks, first deals and numbers, for the engine and for the reference."""
    taken: set[tuple[str, str, int]] = set()
    shape = rng.choice(("plain", "plain", "long", "two steps", "announce", "two decks"))
    least = rng.randint(1, 2)
    leaves = shape in ("long", "two steps")
    decks = [_tickets(rng, ends, 10 if shape == "announce" else rng.randint(6, 12), taken)]
    if shape != "plain":
        decks.append(_tickets(rng, ends, 10, taken))
    deals: tuple[Deal, ...]
    if shape == "two steps":
        deals = (Deal((0, 2), 0, 1, 0, "box"), Deal((3, 0), 1, 3, 2, "shuffled-bottom"))
        steps = [
            {"deal": (0, 2), "least": 0, "most": 1, "returned": "gone"},
            {"deal": (3, 0), "least": 1, "least_without_long": 2, "returned": "shuffled"},
        ]
    elif shape == "announce":
        deals, steps = (
            (Deal((2, 0), least, 2, least, "reshuffle", True),),
            [{"announce": 2, "least": least, "returned": "reshuffled"}],
        )
    else:
        counts = (3, 0) if shape == "plain" else (2, 1)
        returned = (
            rng.choice(("bottom", "shuffled-bottom", "box", "reshuffle"))
            if shape == "plain"
            else rng.choice(("box", "reshuffle"))
        )
        deals, steps = (
            (Deal(counts, least, 3, least, returned),),
            [{"deal": counts, "least": least, "returned": RETURNED[returned]}],
        )
    numbers: dict[str, Any] = {
        "trains": rng.randint(5, 16),
        "hand": rng.randint(1, 3),
        "stations": rng.choice((0, 0, 1, 2, 3)),
    }
    cards, locomotives, draw = rng.choice((3, 3, 4, 8)), rng.choice((3, 5, 9, 14)), rng.randint(1, 4)
    bonuses: dict[str, Any] = {"longest_path": rng.choice((0, 10)), "globetrotter": rng.choice((0, 15))}
    breaks = tuple(rng.sample(("tickets", "stations", "path", "passengers"), rng.randint(0, 4)))
    edition = Edition(
        board.id, board.name, "", board,
        tuple(Deck(f"deck {i}", deck, leaves and i == 1) for i, deck in enumerate(decks)), deals,
        draw_count=draw, cards_each=cards, locomotives=locomotives, station_points=4 if numbers["stations"] else 0,
        passenger_points=(20, 10) if board.passenger_colours else (0, 0), tie_breaks=breaks, **numbers, **bonuses,
    )  # fmt: skip
    spec = {
        "decks": [[{"a": t.a, "b": t.b, "points": t.points} for t in deck] for deck in decks],
        "cards": dict.fromkeys(CARD_COLOURS, cards) | {"locomotive": locomotives},
        "first_choices": steps,
        "long_leaves": leaves,
        "draw": draw,
        "path_bonus": bonuses["longest_path"],
        "globetrotter": bonuses["globetrotter"],
        "tie_breaks": breaks,
        **numbers,
    }
    return edition, spec
