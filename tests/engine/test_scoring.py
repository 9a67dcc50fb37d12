"""The final count of small positions against brute force: stations, tickets, bonuses, passengers and ties."""

from __future__ import annotations

import itertools
import random
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from support import networks
from support.networks import Edge
from support.reference import SOURCES
from whistlestop.engine import doors
from whistlestop.engine import layout as lay
from whistlestop.engine.tables import tables_of
from whistlestop.mapfile import load_edition


@dataclass
class Position:
    """The end of a game, in plain numbers."""

    edges: list[Edge]
    tickets: list[tuple[set[int], set[int], int]]
    owned: list[set[int]]
    """Track numbers of each player."""
    held: list[set[int]]
    """Ticket numbers of each player."""
    stations: list[list[int]]
    """Cities of each player's stations, in order."""
    points: list[int]
    collected: list[list[int]]
    path_bonus: int
    globetrotter: int
    passengers: bool
    tie_breaks: list[int]

    def tables(self) -> Any:
        tables = networks.tables_of_edges(self.edges)
        t = tables[0]
        for i, (a, b, points) in enumerate(self.tickets):
            t.ticket_a[i], t.ticket_b[i] = np.uint64(sum(1 << c for c in a)), np.uint64(sum(1 << c for c in b))
            t.ticket_points[i] = points
        t.tickets, t.stations, t.station_points = len(self.tickets), 3, 4
        t.longest_path, t.globetrotter, t.passenger_points[:] = self.path_bonus, self.globetrotter, (20, 10)
        t.places = int(self.passengers)
        t.tie_breaks[: len(self.tie_breaks)] = self.tie_breaks
        return tables

    def states(self) -> Any:
        states = np.zeros(1, lay.STATE)
        s = states[0]
        s.players = len(self.owned)
        for p in range(len(self.owned)):
            s.tracks[p], s.tickets[p] = networks.words_of_tracks(self.owned[p]), networks.words_of_tracks(self.held[p])
            s.stations[p] = sum(1 << city for city in self.stations[p])
            s.stations_left[p], s.points[p], s.collected[p] = (
                3 - len(self.stations[p]),
                self.points[p],
                self.collected[p],
            )
        return states

    # -- the same by brute force --------------------------------------------------------------------------------
    def completed(self, player: int, borrowed: Any) -> list[int]:
        """The tickets that a player's tracks and some borrowed ones complete."""
        edges = [self.edges[i] for i in self.owned[player] | set(borrowed)]
        return [t for t in self.held[player] if self.joins(edges, *self.tickets[t][:2])]

    @staticmethod
    def joins(edges: list[Edge], a: set[int], b: set[int]) -> bool:
        return any(networks.connected_cities(edges, city) & b for city in a)

    def worth(self, player: int, borrowed: Any) -> tuple[int, int]:
        done = self.completed(player, borrowed)
        return sum(self.tickets[t][2] for t in done), len(done)

    def choices(self, player: int, city: int) -> list[int | None]:
        """Tracks that a station may borrow."""
        others = set().union(*(self.owned[p] for p in range(len(self.owned)) if p != player))
        return [None, *(i for i in sorted(others) if city in self.edges[i][:2])]

    def best(self, player: int) -> tuple[int, int]:
        """Points and number of tickets completed by the best use of all stations together."""
        options = itertools.product(*(self.choices(player, city) for city in self.stations[player]))
        return max(self.worth(player, [i for i in option if i is not None]) for option in options)

    def prizes(self, player: int) -> int:
        total = 0
        for colour in range(6):
            counts = sorted((row[colour] for row in self.collected), reverse=True)
            n = self.collected[player][colour]
            if n and n == counts[0]:
                total += 20
            elif n and n == counts[1]:
                total += 10
        return total

    def rows(self) -> list[dict[str, int]]:
        rows = []
        for p in range(len(self.owned)):
            points, done = self.best(p)
            failed = sum(self.tickets[t][2] for t in self.held[p]) - points
            path = networks.longest_trail([self.edges[i] for i in self.owned[p]]) if self.path_bonus else 0
            rows.append({
                "routes": self.points[p], "tickets": points - failed, "stations": 4 * (3 - len(self.stations[p])),
                "passengers": self.prizes(p) if self.passengers else 0, "completed": done,
                "failed": len(self.held[p]) - done, "path_length": path,
            })  # fmt: skip
        for row in rows:
            most = {key: max(other[key] for other in rows) for key in ("path_length", "completed")}
            row["path"] = self.path_bonus if row["path_length"] == most["path_length"] > 0 else 0
            row["globetrotter"] = self.globetrotter if row["completed"] == most["completed"] > 0 else 0
            row["total"] = sum(row[source] for source in SOURCES)
        return rows

    def winners(self, rows: list[dict[str, int]]) -> tuple[list[int], int]:
        """Who wins, and how many tie-breaks it took; -1 where they share the victory."""
        measure = {
            lay.TIE_TICKETS: lambda p: rows[p]["completed"],
            lay.TIE_STATIONS: lambda p: -len(self.stations[p]),
            lay.TIE_PATH: lambda p: int(rows[p]["path"] > 0),
            lay.TIE_PASSENGERS: lambda p: sum(self.collected[p]),
        }
        ranks = {p: [row["total"], *(measure[tie](p) for tie in self.tie_breaks)] for p, row in enumerate(rows)}
        best = max(ranks.values())
        winners = [p for p, rank in ranks.items() if rank == best]
        if len(winners) > 1:
            return winners, -1
        others = [rank for p, rank in ranks.items() if p not in winners]
        return winners, max(
            next(i for i, (x, y) in enumerate(zip(best, rank, strict=True)) if x != y) for rank in others
        )


def random_position(rng: random.Random) -> Position:
    players, cities = rng.randint(2, 4), rng.randint(3, 8)
    edges = networks.random_edges(rng, rng.randint(3, min(12, 3 * cities)), cities, 4)
    owners = [rng.randrange(-1, players) for _ in edges]
    free = list(range(cities))
    rng.shuffle(free)
    tickets = [(*ends(rng, cities), rng.choice((1, 2, 2, 5, 20))) for _ in range(rng.randint(2, 14))]
    hands = [rng.randrange(players) for _ in tickets]
    built = [sorted(free.pop() for _ in range(min(rng.randint(0, 3), len(free)))) for _ in range(players)]
    ties = rng.sample((lay.TIE_TICKETS, lay.TIE_STATIONS, lay.TIE_PATH, lay.TIE_PASSENGERS), rng.randint(0, 4))
    return Position(
        edges, tickets,
        [{i for i, owner in enumerate(owners) if owner == p} for p in range(players)],
        [{i for i, owner in enumerate(hands) if owner == p} for p in range(players)],
        built,
        [rng.randint(0, 2) for _ in range(players)],
        [[rng.randint(0, 2) for _ in range(6)] for _ in range(players)],
        rng.choice((0, 10)), rng.choice((0, 15)), rng.random() < 0.5, ties,
    )  # fmt: skip


def ends(rng: random.Random, cities: int) -> tuple[set[int], set[int]]:
    """Two ends of a ticket; sometimes one is a country of two border spaces."""
    mixed = rng.sample(range(cities), 3)
    return {mixed[0]}, set(mixed[1:]) if rng.random() < 0.2 else {mixed[1]}


def count(position: Position) -> tuple[Any, Any, int]:
    _, nets, borrowed = doors.scratch()
    sheet = np.full((lay.MAX_PLAYERS, lay.SHEET), 77, np.int64)
    return sheet, borrowed, doors.score(position.states(), 0, position.tables(), nets, sheet, borrowed)


def check_borrowed(position: Position, player: int, borrowed: list[int]) -> None:
    """The borrowed tracks are allowed, give the best worth, and none is borrowed without need."""
    used = [track for track in borrowed if track != lay.NONE]
    for city, track in zip(position.stations[player], borrowed, strict=False):
        assert track == lay.NONE or track in position.choices(player, city)
    assert all(track == lay.NONE for track in borrowed[len(position.stations[player]) :])
    assert position.worth(player, used) == position.best(player)
    for i in range(len(used)):
        assert position.worth(player, used[:i] + used[i + 1 :]) < position.best(player)


@pytest.mark.rule(
    "STATION-4", "STATION-5", "STATION-6", "RULING-6", "RULING-7", "RULING-9", "END-2", "END-3", "END-4", "PASSENGER-3"
)
@pytest.mark.parametrize("part", range(8))
def test_the_count_is_that_of_brute_force(part: int) -> None:
    rng = random.Random(f"positions {part}")
    for _ in range(250):
        position = random_position(rng)
        sheet, borrowed, needed = count(position)
        rows = position.rows()
        for p, row in enumerate(rows):
            got = dict(zip(lay.SHEET_NAMES, sheet[p].tolist(), strict=True))
            assert {key: got[key] for key in row} == row, (p, position)
            check_borrowed(position, p, borrowed[p].tolist())
        winners, decided = position.winners(rows)
        assert [p for p in range(len(rows)) if sheet[p, lay.WON]] == winners, position
        assert needed == decided, position


def europe_position(rng: random.Random) -> Position:
    """Four networks on the Europe board, each with twenty tickets and two or three stations beside it."""
    edition = load_edition("europe")
    edges = networks.edges_of(edition.board)
    names = [city.name for city in edition.board.cities]
    free = set(range(len(edges)))
    owned = []
    for _ in range(4):
        chosen = {i for i in networks.random_cluster(rng, edges, 45, 0.0) if i in free}
        owned.append(chosen)
        free -= chosen
    tickets = [({names.index(t.a)}, {names.index(t.b)}, t.points) for deck in edition.decks for t in deck.tickets]
    held = [set(rng.sample(range(len(tickets)), 20)) for _ in range(4)]
    stations: list[list[int]] = []
    for chosen in owned:
        beside = {end for i in chosen for end in edges[i][:2]} - {city for built in stations for city in built}
        stations.append(sorted(rng.sample(sorted(beside), min(len(beside), rng.randint(2, 3)))))
    return Position(edges, tickets, owned, held, stations, [0] * 4, [[0] * 6] * 4, 0, 0, False, [])


@pytest.mark.rule("STATION-4", "RULING-6")
def test_stations_on_the_europe_board_are_used_as_by_brute_force() -> None:
    rng = random.Random("europe stations")
    helped = 0
    for _ in range(12):
        position = europe_position(rng)
        sheet, borrowed, _ = count(position)
        for p in range(4):
            points, done = position.best(p)
            missed = sum(position.tickets[t][2] for t in position.held[p]) - points
            assert (sheet[p, lay.TICKET_POINTS], sheet[p, lay.COMPLETED]) == (points - missed, done)
            check_borrowed(position, p, borrowed[p].tolist())
            helped += (points, done) > position.worth(p, [])
    assert helped > 5, "stations must matter in these positions"


def test_the_hand_made_tables_score_like_the_compiled_ones() -> None:
    """The positions above use tables made here; the real ones of the edition give the same count."""
    rng = random.Random("tables")
    position = europe_position(rng)
    position.path_bonus = 10
    position.tie_breaks = [lay.TIE_TICKETS, lay.TIE_STATIONS, lay.TIE_PATH]
    sheet, borrowed, needed = count(position)
    _, nets, again = doors.scratch()
    real = np.zeros_like(sheet)
    assert needed == doors.score(position.states(), 0, tables_of(load_edition("europe")), nets, real, again)
    assert (sheet[:4] == real[:4]).all()
    assert (borrowed == again).all()
