"""Where passengers stand: in a row or block beside their city's disc, clear of names, cars, discs and each other.

Every place that can hold passengers gets a slot for as many as it starts with, so that it stays where it is when some
leave.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from whistlestop.draw.geometry import Boxes, DrawnCity, Geometry, depth, label_boxes
from whistlestop.mapfile import Board

PASSENGER_SHAPE = "M-5.8 9.8Q-6.4-1.4-2.8-3.9A4.2 4.2 0 1 1 2.8-3.9Q6.4-1.4 5.8 9.8z"
"""A person, 12 wide and 21 high, for a disc with a radius of 10."""
CELL = (14.4, 23.4)
"""Room for a figure and its outline."""
PITCH = (13.2, 21.4)
"""From figure to figure in a row, and from row to row; outlines may touch."""
CHEST = 3.7
"""How far below a figure's middle its mark stands."""
SLOT_GAP = 1.0
"""Between a disc and its passengers."""
TETHER_FROM = 3.0
"""From this distance on a line ties passengers to their disc."""
ANGLES = 48
DISTANCES = (0.0, 2.0, 4.5, 7.5, 11.0, 15.0, 20.0, 26.0, 33.0)
"""Distances from the disc that are tried."""


@dataclass(frozen=True, slots=True)
class PassengerSlot:
    """Room for the passengers of a place: a box, and how many stand in a row."""

    place: DrawnCity
    x: float
    y: float
    width: float
    height: float
    columns: int
    zoom: float

    def spots(self, count: int) -> list[tuple[float, float]]:
        """Where so many passengers stand, the back row first; the fewer, the closer they move to the disc."""
        rows, columns = math.ceil(count / self.columns), min(count, self.columns)
        width, height = block_size(columns, rows, self.zoom)
        x = _nearest(self.place.x, self.x, (self.width - width) / 2)
        y = _nearest(self.place.y, self.y, (self.height - height) / 2)
        spots = []
        for row in range(rows):
            size = count // rows + (row >= rows - count % rows)
            down = y + (row - (rows - 1) / 2) * PITCH[1] * self.zoom
            spots += [(x + (k - (size - 1) / 2) * PITCH[0] * self.zoom, down) for k in range(size)]
        return spots


def _nearest(wish: float, middle: float, slack: float) -> float:
    slack = max(slack, 0.0)
    return min(max(wish, middle - slack), middle + slack)


def block_size(columns: int, rows: int, zoom: float) -> tuple[float, float]:
    """Width and height of figures in rows and columns."""
    return (CELL[0] + (columns - 1) * PITCH[0]) * zoom, (CELL[1] + (rows - 1) * PITCH[1]) * zoom


def rooms(board: Board) -> dict[str, int]:
    """How many passengers each city and country starts with, by name."""
    room = {city.name: city.passengers for city in board.cities}
    return room | {country.name: country.passengers for country in board.countries}


def slots(board: Board, drawn: Geometry, passengers: Mapping[str, Sequence[str]]) -> dict[str, PassengerSlot]:
    """Find a slot for each city and country that can have passengers, by name."""
    sizes = {name: max(size, len(passengers.get(name, ()))) for name, size in rooms(board).items()}
    order = sorted(((name, size) for name, size in sizes.items() if size), key=lambda item: -item[1])
    return _found(drawn, tuple((track.a, track.b) for track in board.tracks), tuple(order))


@lru_cache(maxsize=8)
def _found(
    drawn: Geometry, ends: tuple[tuple[int, int], ...], sizes: tuple[tuple[str, int], ...]
) -> dict[str, PassengerSlot]:
    """Choose slots, the largest first, each in turn until none improves."""
    homes, around = homes_of(drawn), _SlotObstacles(drawn, ends)
    options = {name: _options(homes[name], size, around) for name, size in sizes if name in homes}
    chosen = {name: int(found.costs.argmin()) for name, found in options.items()}
    for _ in range(4):
        before = dict(chosen)
        for name, found in options.items():
            others = np.array([options[other].boxes[chosen[other]] for other in options if other != name]).reshape(
                -1, 5
            )
            others = others[(np.abs(others[:, :2] - found.boxes[:, :2].mean(axis=0)) < 300).all(axis=1)]
            chosen[name] = int((found.costs + 60.0 * depth(found.boxes, others).sum(axis=1)).argmin())
        if chosen == before:
            break
    return {name: options[name].slot(chosen[name]) for name in options}


def homes_of(drawn: Geometry) -> dict[str, list[DrawnCity]]:
    """The disc of each city, and of each country its gates, the one nearest their middle first."""
    homes = {place.name: [place] for place in drawn.cities}
    gates: dict[str, list[DrawnCity]] = {}
    for place in drawn.cities:
        if place.country:
            gates.setdefault(place.country, []).append(place)
    for country, places in gates.items():
        middle = (sum(place.x for place in places) / len(places), sum(place.y for place in places) / len(places))
        homes[country] = sorted(places, key=lambda place: math.dist((place.x, place.y), middle))
    return homes


class _SlotObstacles:
    """What passengers keep clear of."""

    def __init__(self, drawn: Geometry, ends: Sequence[tuple[int, int]]) -> None:
        half, wide = drawn.car_length / 2 + 0.6, drawn.car_width / 2 + 0.9
        cars = [(car.x, car.y, math.radians(car.angle), half, wide) for line in drawn.tracks for car in line.cars]
        beds = []
        for line, (start, stop) in zip(drawn.tracks, ends, strict=True):
            a, b = drawn.cities[start], drawn.cities[stop]
            way = [(a.x, a.y), *((car.x, car.y) for car in line.cars), (b.x, b.y)]
            for (x, y), (far_x, far_y) in ((way[0], way[1]), (way[-2], way[-1])):
                length = math.hypot(far_x - x, far_y - y)
                beds.append(((x + far_x) / 2, (y + far_y) / 2, math.atan2(far_y - y, far_x - x), length / 2, 2.0))
        self.cars = np.array(cars, dtype=float).reshape(-1, 5)
        self.beds = np.array(beds, dtype=float).reshape(-1, 5)
        self.labels = label_boxes([place.label for place in drawn.cities]) + np.array([0, 0, 0, 1.0, 0.0])
        self.discs = np.array([(place.x, place.y, place.radius) for place in drawn.cities]).reshape(-1, 3)
        self.size = np.array([drawn.width, drawn.height])


@dataclass(frozen=True, slots=True)
class _SlotOptions:
    """Possible slots of a place."""

    boxes: Boxes
    costs: NDArray[np.float64]
    homes: list[DrawnCity]
    columns: list[int]

    def slot(self, k: int) -> PassengerSlot:
        x, y, _, half, high = self.boxes[k].tolist()
        home = self.homes[k]
        return PassengerSlot(home, round(x, 1), round(y, 1), 2 * half, 2 * high, self.columns[k], zoom_of(home))


def zoom_of(place: DrawnCity) -> float:
    """Size of a figure, to suit the discs of the board."""
    return min(max(place.radius / 10, 0.7), 1.3)


def _options(homes: Sequence[DrawnCity], count: int, around: _SlotObstacles) -> _SlotOptions:
    boxes, odd, owners, columns = [], [], [], []
    angles = np.linspace(0.0, 2 * math.pi, ANGLES, endpoint=False)
    for rank, home in enumerate(homes):
        for rows in range(1, min(count, 3) + 1):
            wide = math.ceil(count / rows)
            width, height = block_size(wide, rows, zoom_of(home))
            box, cost = _ring(home, width / 2, height / 2, angles)
            boxes.append(box)
            odd.append(
                cost + _costs(box, home, around) + 2.0 * rank + 1.2 * (rows - 1) * (wide < 3) + 0.6 * max(0, wide - 3)
            )
            owners += [home] * len(box)
            columns += [wide] * len(box)
    return _SlotOptions(np.concatenate(boxes), np.concatenate(odd), owners, columns)


def _ring(home: DrawnCity, half: float, high: float, angles: NDArray[np.float64]) -> tuple[Boxes, NDArray[np.float64]]:
    """Boxes of one size around a disc in all directions and distances, and what each costs for being far or askew."""
    cos, sin = np.cos(angles), np.sin(angles)
    radius = home.radius * (1.3 if home.country else 1.0) + SLOT_GAP
    away = np.linspace(0.0, math.hypot(half, high) + radius + 1, 60)[:, None]
    gap = np.hypot(np.maximum(np.abs(away * cos) - half, 0), np.maximum(np.abs(away * sin) - high, 0))
    least = away[:, 0][(gap >= radius).argmax(axis=0)]
    rows, costs = [], []
    askew = 0.9 * np.minimum(np.abs(cos), np.abs(sin)) + 0.25 * (sin > 0.3)
    for more in DISTANCES:
        reach = least + more
        rest = np.tile([0.0, half, high], (len(angles), 1))
        rows.append(np.concatenate([np.stack([home.x + cos * reach, home.y + sin * reach], axis=1), rest], axis=1))
        costs.append(askew + 0.45 * more)
    return np.concatenate(rows), np.concatenate(costs)


def _costs(boxes: Boxes, home: DrawnCity, around: _SlotObstacles) -> NDArray[np.float64]:
    """Cost of each box: for covering names, cars, rails, discs or the edge, and for being nearer to another disc."""
    ties = _ties(boxes, home)
    low, top = (boxes[:, :2] - boxes[:, 3:]).min(axis=0), (boxes[:, :2] + boxes[:, 3:]).max(axis=0)

    def depths(things: Boxes, ours: Boxes = boxes) -> NDArray[np.float64]:
        return depth(
            ours, things[((things[:, :2] + things[:, 3:4] > low) & (things[:, :2] - things[:, 3:4] < top)).all(axis=1)]
        )

    on_cars, on_labels = depths(around.cars), depths(around.labels)
    cost = 20.0 * on_labels.sum(axis=1) + 40.0 * (on_labels > 0).any(axis=1)
    cost += 6.0 * depths(around.labels, ties).sum(axis=1) + 0.8 * depths(around.cars, ties).sum(axis=1)
    cost += 8.0 * on_cars.sum(axis=1) + 20.0 * (on_cars > 0).any(axis=1) + 0.22 * depths(around.beds).sum(axis=1)
    discs = around.discs[((around.discs[:, :2] > low - 80) & (around.discs[:, :2] < top + 80)).all(axis=1)]
    delta = np.maximum(np.abs(discs[None, :, :2] - boxes[:, None, :2]) - boxes[:, None, 3:], 0)
    gaps = np.hypot(delta[..., 0], delta[..., 1]) - discs[None, :, 2]
    mine = (discs[:, 0] == home.x) & (discs[:, 1] == home.y)
    ours, other = gaps[:, mine].min(axis=1), gaps[:, ~mine].min(axis=1, initial=1e3)
    cost += 30.0 * np.maximum(0, 2.0 - other) + 1.2 * np.maximum(0, 1.5 * ours + 8 - other)
    out = np.maximum(0, boxes[:, 3:] + 8 - boxes[:, :2]) + np.maximum(0, boxes[:, :2] + boxes[:, 3:] + 8 - around.size)
    return np.asarray(cost + 100.0 * out.sum(axis=1))


def _ties(boxes: Boxes, home: DrawnCity) -> Boxes:
    """The lines from a disc to boxes, as thin boxes."""
    way = boxes[:, :2] - (home.x, home.y)
    long = np.hypot(way[:, 0], way[:, 1])
    out = np.clip(long - np.hypot(boxes[:, 3], boxes[:, 4]) * 0.6, home.radius + 0.5, None)
    share = (home.radius + out) / (2 * np.maximum(long, 1e-9))
    middle = (home.x, home.y) + way * share[:, None]
    rest = np.stack([np.arctan2(way[:, 1], way[:, 0]), (out - home.radius) / 2, np.full(len(boxes), 1.6)], axis=1)
    return np.concatenate([middle, rest], axis=1)


def tether(slot: PassengerSlot, spots: Sequence[tuple[float, float]]) -> tuple[float, float, float, float] | None:
    """A line from the disc to the nearest passenger, if they stand apart."""
    home, half, high = slot.place, CELL[0] / 2 * slot.zoom, CELL[1] / 2 * slot.zoom

    def corner(spot: tuple[float, float]) -> tuple[float, float]:
        return _nearest(home.x, spot[0], half), _nearest(home.y, spot[1], high)

    spot = min(spots, key=lambda spot: math.dist(corner(spot), (home.x, home.y)))
    if math.dist(corner(spot), (home.x, home.y)) < home.radius + SLOT_GAP + TETHER_FROM:
        return None
    share = home.radius / math.dist(spot, (home.x, home.y))
    return home.x + (spot[0] - home.x) * share, home.y + (spot[1] - home.y) * share, spot[0], spot[1]
