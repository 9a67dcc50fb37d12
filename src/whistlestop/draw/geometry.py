"""Where everything on a board is drawn: cities, gates, labels, and each car of each track.

`lay_out(board)` is pure and deterministic. The browser and the SVG writer use the same numbers. Units are those of the
sheet (`map_sheet.py`), y downwards, angles in degrees clockwise. Hints come from the map file: a city's `nudge` and
`label`, a track's `bend`, and these keys of the `[drawing]` table, all optional:

    land = "europe"       a prepared sheet; without it the sheet is fitted around the cities; "none" has no coast at all
    car  = 36.0           length of a train car; without it the largest that fits
    font = 17.0           size of the city names; without it chosen to suit the cars
    compass = [120, 860]  where a compass rose stands, right and down; without it there is none
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from whistlestop.draw.map_sheet import MapSheet, fitted_sheet, known_land, prepared_sheet
from whistlestop.draw.typeface import text_width
from whistlestop.mapfile import Board, City, MapError

Boxes = NDArray[np.float64]
"""Rotated rectangles as rows of (x, y, angle in radians, half length, half width)."""

NO_LAND = "none"
"""As `land`: an invented country, with no coast of the world behind it."""
SIDES = ("e", "w", "n", "s", "ne", "nw", "se", "sw")
CAR_LIMITS = (13.0, 58.0)
CAR_GAP = 1.8
"""Least room between two cars of a track."""
DISC_GAP = 1.5
"""Least room between a city's disc and a car."""
LANE_GAP = 1.6
"""Room between parallel tracks."""
MAX_SPACING = 1.26
"""Cars are spread up to this multiple of their length where there is room, beyond it by less than half of the room."""
MAX_BEND = 0.6
"""Largest bend that the drawing chooses itself where a way is too short for its cars."""
GATE_TYPE = 0.78
"""Size of a country's name at its gates, as a share of a city's."""
GATE_SPACING = 0.06
"""Letter spacing of that name, as a share of its size."""


@dataclass(frozen=True, slots=True)
class Car:
    """One space of a track: its middle and direction."""

    x: float
    y: float
    angle: float


@dataclass(frozen=True, slots=True)
class Label:
    """A name beside its disc: the box around it, and each line of text with its baseline."""

    x: float
    y: float
    width: float
    height: float
    side: str
    """Where it stands, seen from the disc: one of SIDES."""
    anchor: str
    """start, middle or end, as in SVG."""
    lines: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True, slots=True)
class DrawnCity:
    """A drawn city, or a gate to a country."""

    name: str
    x: float
    y: float
    radius: float
    label: Label
    country: str | None = None
    angle: float = 0.0
    """Direction in which the gate's track leaves."""


@dataclass(frozen=True, slots=True)
class DrawnTrack:
    """A drawn track."""

    track: int
    cars: tuple[Car, ...]
    path: str
    """SVG path of its bed, from disc to disc."""


@dataclass(frozen=True, slots=True)
class Geometry:
    """Everything that is drawn of a board, as numbers."""

    width: float
    height: float
    car_length: float
    car_width: float
    font_size: float
    cities: tuple[DrawnCity, ...]
    tracks: tuple[DrawnTrack, ...]
    """In the order of `Board.tracks`."""


class Arc:
    """A circular arc from one city to another; `bend` is its height to the left, as a share of the straight way."""

    __slots__ = ("_along", "_middle", "_out", "_radius", "_side", "_start", "_turn", "length")

    def __init__(self, start: Sequence[float], end: Sequence[float], bend: float) -> None:
        dx, dy = end[0] - start[0], end[1] - start[1]
        chord = max(math.hypot(dx, dy), 1e-6)
        self._start = (start[0], start[1])
        self._along = (dx / chord, dy / chord)
        self._side = 1.0 if bend >= 0 else -1.0
        self._out = (self._side * dy / chord, -self._side * dx / chord)
        self._turn = 2 * math.atan(2 * abs(bend))
        if self._turn < 1e-3:
            self._turn, self._radius, self.length = 0.0, math.inf, chord
            self._middle = self._start
            return
        self._radius = chord / (2 * math.sin(self._turn))
        back = abs(bend) * chord - self._radius
        self._middle = ((start[0] + end[0]) / 2 + self._out[0] * back, (start[1] + end[1]) / 2 + self._out[1] * back)
        self.length = 2 * self._turn * self._radius

    @property
    def curvature(self) -> float:
        """One over the radius; 0 for a straight line."""
        return 1.0 / self._radius

    def at(self, way: float, offset: float = 0.0) -> tuple[float, float, float]:
        """Point after so much of the way, shifted to the left by `offset`, and the direction there in radians."""
        (ux, uy), (nx, ny), shift = self._along, self._out, self._side * offset
        if self._turn == 0.0:
            return self._start[0] + ux * way + nx * shift, self._start[1] + uy * way + ny * shift, math.atan2(uy, ux)
        phi = way / self._radius - self._turn
        sin, cos, radius = math.sin(phi), math.cos(phi), self._radius + shift
        x = self._middle[0] + radius * (sin * ux + cos * nx)
        y = self._middle[1] + radius * (sin * uy + cos * ny)
        return x, y, math.atan2(cos * uy - sin * ny, cos * ux - sin * nx)

    def path(self, begin: float, stop: float, offset: float = 0.0) -> str:
        """SVG path of a part of the arc."""
        x, y, _ = self.at(begin, offset)
        far_x, far_y, _ = self.at(stop, offset)
        if self._turn == 0.0:
            return f"M{_short(x)} {_short(y)}L{_short(far_x)} {_short(far_y)}"
        radius = _short(self._radius + self._side * offset)
        large = int((stop - begin) / self._radius > math.pi)
        arc = f"A{radius} {radius} 0 {large} {int(self._side > 0)}"
        return f"M{_short(x)} {_short(y)}{arc} {_short(far_x)} {_short(far_y)}"


def _short(value: float) -> str:
    """Write a coordinate with at most one decimal."""
    text = f"{value:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


@dataclass(slots=True)
class DrawnRoute:
    """The parallel tracks between two cities, drawn side by side around one arc from `a` to `b`."""

    a: int
    b: int
    length: int
    tracks: tuple[int, ...]
    bend: float


@dataclass(frozen=True, slots=True)
class DrawingScale:
    """Sizes of one board's drawing."""

    car: float
    font: float

    @property
    def car_width(self) -> float:
        """Width of a car."""
        return self.car * 0.345

    @property
    def lane(self) -> float:
        """Distance of parallel tracks."""
        return self.car_width + LANE_GAP

    @property
    def radius(self) -> float:
        """Radius of a city's disc."""
        return self.car * 0.27

    def needed(self, length: int, stretch: float = 1.0) -> float:
        """Shortest arc that has room for a track's cars and half of the two discs."""
        return length * (self.car + CAR_GAP) * stretch - CAR_GAP + 2 * (self.radius + DISC_GAP)

    def stretch(self, arc: Arc, lanes: int) -> float:
        """How much more room cars need on a bent route, because they come closer on its inner side."""
        return 1.0 + min(0.5, lanes * self.lane / 2 * arc.curvature)


def routes_of(board: Board) -> list[DrawnRoute]:
    """The routes of a board; all tracks of a route take the first one's bend."""
    routes = []
    for (a, b), members in board.routes().items():
        first = board.tracks[members[0]]
        bend = first.bend if first.a == a else -first.bend
        routes.append(DrawnRoute(a, b, max(board.tracks[k].length for k in members), tuple(members), bend))
    return routes


def sheet_of(board: Board) -> MapSheet:
    """Find the sheet a board is drawn on."""
    land = board.drawing.get("land")
    if land in (None, NO_LAND):
        places = [city.lon for city in board.cities], [city.lat for city in board.cities]
        return fitted_sheet(*places, coast=land is None)
    if land not in known_land():
        raise MapError(
            f"{board.path or board.id}: [drawing]: unknown land `{land}`",
            f"use one of {', '.join(known_land())} or {NO_LAND}, or leave it out",
        )
    return prepared_sheet(str(land))


def city_points(board: Board, sheet: MapSheet) -> NDArray[np.float64]:
    """Place the cities: geography, then nudges, never outside the sheet."""
    points = sheet.place([city.lon for city in board.cities], [city.lat for city in board.cities])
    points = points + np.array([city.nudge for city in board.cities], dtype=float).reshape(-1, 2)
    return np.asarray(np.clip(points, 20.0, np.array([sheet.width - 20.0, sheet.height - 20.0])))


def scale_of(board: Board, points: NDArray[np.float64], routes: Iterable[DrawnRoute]) -> DrawingScale:
    """Choose the size of cars and type: the map file's, else the largest cars that fit the tightest routes."""
    if "car" in board.drawing:
        return DrawingScale(_number(board, "car", 36.0), _number(board, "font", 17.0))
    rooms = [math.dist(points[route.a], points[route.b]) * 1.2 / (route.length + 0.7) - CAR_GAP for route in routes]
    fits = sorted(rooms)[len(rooms) // 20] if rooms else CAR_LIMITS[1]
    car = min(max(fits, CAR_LIMITS[0]), CAR_LIMITS[1])
    return DrawingScale(car, _number(board, "font", max(16.0, car * 0.45)))


def _number(board: Board, key: str, default: float) -> float:
    value = board.drawing.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 4 <= value <= 200:
        raise MapError(f"{board.path or board.id}: [drawing]: `{key}` must be a number from 4 to 200, not {value!r}")
    return float(value)


def arc_of(route: DrawnRoute, points: NDArray[np.float64], scale: DrawingScale) -> Arc:
    """Bend a route as its hint says, and further where the cars would not fit."""
    a, b = points[route.a].tolist(), points[route.b].tolist()
    arc, bend = Arc(a, b, route.bend), route.bend
    while arc.length < scale.needed(route.length) and abs(bend) < MAX_BEND:
        bend += 0.02 if bend >= 0 else -0.02
        arc = Arc(a, b, bend)
    return arc


def setbacks(
    routes: Sequence[DrawnRoute], arcs: Sequence[Arc], scale: DrawingScale, only: Iterable[int] | None = None
) -> dict[tuple[int, int], float]:
    """How far from a city's middle each route's first car keeps, so that neighbours don't overlap, by (route, city)."""
    ends: dict[int, list[tuple[float, float, int]]] = {}
    wanted = None if only is None else set(only)
    probe = scale.radius * 3
    for k, (route, arc) in enumerate(zip(routes, arcs, strict=True)):
        half = len(route.tracks) * scale.lane / 2
        for city, way in ((route.a, min(probe, arc.length / 2)), (route.b, max(arc.length - probe, arc.length / 2))):
            if wanted is None or city in wanted:
                x, y, _ = arc.at(way)
                origin = arc.at(0.0 if city == route.a else arc.length)
                ends.setdefault(city, []).append((math.atan2(y - origin[1], x - origin[0]), half, k))
    least = scale.radius + DISC_GAP
    backs: dict[tuple[int, int], float] = {}
    for city, fan in ends.items():
        fan.sort()
        for place, (angle, half, k) in enumerate(fan):
            back = least
            for other in (fan[place - 1], fan[(place + 1) % len(fan)]):
                if other[2] != k:
                    between = abs((other[0] - angle + math.pi) % (2 * math.pi) - math.pi)
                    back = max(back, (half + other[1]) / (2 * math.sin(max(between, 0.12) / 2)) - scale.car_width * 0.1)
            backs[k, city] = back
    return backs


def cars_of(
    route: DrawnRoute, arc: Arc, scale: DrawingScale, backs: tuple[float, float]
) -> list[list[tuple[float, float, float]]]:
    """Place the cars of each parallel track: evenly, clear of the discs, and of neighbours where there is room."""
    least = scale.radius + DISC_GAP
    count, whole = route.length, arc.length - 2 * least
    tight = (scale.car + CAR_GAP) * scale.stretch(arc, len(route.tracks))
    tight = max(scale.car + CAR_GAP, min(tight, (whole + CAR_GAP) / count))
    spare = whole - (count * tight - CAR_GAP)
    wishes = [max(0.0, back - least) for back in backs]
    share = min(1.0, max(0.0, spare) / (sum(wishes) or 1.0))
    begin, stop = least + wishes[0] * share, arc.length - least - wishes[1] * share
    room = stop - begin
    pitch, loose = max((room + CAR_GAP) / count, tight), scale.car * MAX_SPACING
    pitch = min(pitch, loose + (pitch - loose) * 0.45)
    middle = (begin + stop) / 2
    ways = [middle + (k - (count - 1) / 2) * pitch for k in range(count)]
    lanes = [(k - (len(route.tracks) - 1) / 2) * scale.lane for k in range(len(route.tracks))]
    return [[arc.at(way, lane) for way in ways] for lane in lanes]


def boxes_of(cars: Iterable[Sequence[tuple[float, float, float]]], scale: DrawingScale) -> Boxes:
    """Cars as rectangles."""
    rows = [(x, y, angle, scale.car / 2, scale.car_width / 2) for lane in cars for x, y, angle in lane]
    return np.array(rows, dtype=float).reshape(-1, 5)


def bed_boxes(arc: Arc, skip: float, half_width: float) -> Boxes:
    """Thin rectangles along an arc, without `skip` at each end."""
    ways = np.linspace(skip, max(arc.length - skip, skip + 1), 6)
    ends = np.array([arc.at(float(way))[:2] for way in ways])
    middle, delta = (ends[1:] + ends[:-1]) / 2, np.diff(ends, axis=0)
    rest = np.stack(
        [np.arctan2(delta[:, 1], delta[:, 0]), np.hypot(delta[:, 0], delta[:, 1]) / 2, np.full(5, half_width)], axis=1
    )
    return np.concatenate([middle, rest], axis=1)


def depth(first: Boxes, second: Boxes) -> NDArray[np.float64]:
    """How deep each of the first rectangles lies in each of the second, 0 where they don't touch (separating axes)."""
    delta = second[None, :, :2] - first[:, None, :2]
    turn = second[None, :, 2] - first[:, None, 2]
    cos, sin = np.abs(np.cos(turn)), np.abs(np.sin(turn))
    deepest = np.full(cos.shape, np.inf)
    for own, other, axis, side in ((first, second, first[:, None, 2], 0), (second, first, second[None, :, 2], 1)):
        half, across = (own[:, 3], own[:, 4])
        long, wide = (other[:, 3], other[:, 4])
        mine = (half[:, None], across[:, None]) if side == 0 else (half[None, :], across[None, :])
        theirs = (long[None, :], wide[None, :]) if side == 0 else (long[:, None], wide[:, None])
        east, south = np.cos(axis), np.sin(axis)
        along = np.abs(delta[..., 0] * east + delta[..., 1] * south)
        away = np.abs(delta[..., 1] * east - delta[..., 0] * south)
        deepest = np.minimum(deepest, mine[0] + theirs[0] * cos + theirs[1] * sin - along)
        deepest = np.minimum(deepest, mine[1] + theirs[0] * sin + theirs[1] * cos - away)
    return np.asarray(np.maximum(deepest, 0.0))


def label_text(city: City) -> str:
    """Name that is written beside a city or a gate."""
    return city.country.upper() if city.country else city.name


class LabelOption(NamedTuple):
    """A possible label: how odd it is, where its box lies, and what stands in it."""

    odd: float
    x: float
    y: float
    width: float
    height: float
    side: str
    lines: tuple[str, ...]
    size: float


def label_choices(city: City, point: Sequence[float], scale: DrawingScale) -> list[LabelOption]:
    """List possible labels of a city."""
    size = scale.font * (GATE_TYPE if city.country else 1.0)
    spacing = GATE_SPACING if city.country else 0.0
    sides = (city.label,) if city.label in SIDES else SIDES
    gap, slant, choices = (
        scale.radius + (5.0 if city.country else 2.5),
        scale.radius * 0.72 + (3.0 if city.country else 1.5),
        [],
    )
    for lines, extra in _line_breaks(label_text(city)):
        width = max(text_width(line, size, spacing) for line in lines)
        height = size * (len(lines) - 0.02)
        for rank, side in enumerate(sides):
            x = {"e": gap, "w": -gap - width}.get(
                side, -width / 2 if side in ("n", "s") else slant if "e" in side else -slant - width
            )
            y = {"n": -gap - height, "s": gap}.get(
                side, -height / 2 if side in ("e", "w") else slant if "s" in side else -slant - height
            )
            left, top, odd = point[0] + x, point[1] + y, extra + rank * 0.05
            choices += [
                LabelOption(cost + odd, left + dx, top + dy, width, height, side, lines, size)
                for cost, dx, dy in _slides(side, width, scale)
            ]
    return choices


def _line_breaks(text: str) -> list[tuple[tuple[str, ...], float]]:
    """One line, and for names of several words the most even break into two."""
    breaks: list[tuple[tuple[str, ...], float]] = [((text,), 0.0)]
    words = text.split()
    if len(words) > 1 and len(text) > 9:
        best = min(range(1, len(words)), key=lambda k: abs(len(" ".join(words[:k])) - len(" ".join(words[k:]))))
        breaks.append(((" ".join(words[:best]), " ".join(words[best:])), 0.6))
    return breaks


def _slides(side: str, width: float, scale: DrawingScale) -> Iterable[tuple[float, float, float]]:
    """Small shifts of a label beside its disc: (cost, along x, along y)."""
    step = scale.font * 0.28
    for away in (0.0, step, 2 * step):
        for slide in range(-3, 4):
            cost = 0.25 * abs(slide) + 0.5 * away / step
            if side in ("e", "w"):
                yield cost, away if side == "e" else -away, slide * step
            elif side in ("n", "s"):
                yield cost, slide * max(step, width / 8), away if side == "s" else -away
            elif slide >= 0:
                yield cost, slide * step * (1 if "e" in side else -1), away * (1 if "s" in side else -1)


def _label(choice: LabelOption) -> Label:
    """Work a choice out."""
    anchor = "middle" if choice.side in ("n", "s") else "start" if "e" in choice.side else "end"
    text_x = round(choice.x + {"start": 0.0, "middle": choice.width / 2, "end": choice.width}[anchor], 1)
    rows = tuple((text_x, round(choice.y + choice.size * (0.765 + k), 1), line) for k, line in enumerate(choice.lines))
    x, y, width, height = (round(value, 1) for value in (choice.x, choice.y, choice.width, choice.height))
    return Label(x, y, width, height, choice.side, anchor, rows)


def label_boxes(labels: Sequence[Label | LabelOption]) -> Boxes:
    """Label boxes as rectangles."""
    rows = [
        (label.x + label.width / 2, label.y + label.height / 2, 0.0, label.width / 2, label.height / 2)
        for label in labels
    ]
    return np.array(rows, dtype=float).reshape(-1, 5)


def disc_boxes(points: NDArray[np.float64], radius: float) -> Boxes:
    """Discs as squares."""
    rest = np.tile([0.0, radius, radius], (len(points), 1))
    return np.concatenate([points.reshape(-1, 2), rest], axis=1)


@dataclass(frozen=True, slots=True)
class LabelObstacles:
    """What labels keep clear of."""

    cars: Boxes
    beds: Boxes
    discs: Boxes
    size: tuple[float, float]
    """Of the sheet."""


def label_costs(boxes: Boxes, odd: NDArray[np.float64], obstacles: LabelObstacles) -> NDArray[np.float64]:
    """Cost of each choice of a label: for being odd, and against cars, rails, discs and the edge of the sheet."""
    middle = boxes[:, :2].mean(axis=0)
    reach = np.abs(boxes[:, :2] - middle).max(axis=0) + boxes[:, 3:].max(axis=0) + 40

    def depths(things: Boxes) -> NDArray[np.float64]:
        return depth(boxes, things[(np.abs(things[:, :2] - middle) < reach).all(axis=1)])

    on_cars = depths(obstacles.cars)
    cost = odd + 3.0 * on_cars.sum(axis=1) + 3.0 * (on_cars > 0).sum(axis=1)
    cost = cost + 0.12 * depths(obstacles.beds).sum(axis=1) + 50.0 * depths(obstacles.discs).sum(axis=1)
    out = np.maximum(0, boxes[:, 3:] + 8 - boxes[:, :2]) + np.maximum(
        0, boxes[:, :2] + boxes[:, 3:] + 8 - np.array(obstacles.size)
    )
    return np.asarray(cost + 100.0 * out.sum(axis=1))


def place_labels(
    board: Board, points: NDArray[np.float64], scale: DrawingScale, obstacles: LabelObstacles
) -> list[Label]:
    """Choose a label for each city, each in turn until none improves."""
    choices = [label_choices(city, points[k].tolist(), scale) for k, city in enumerate(board.cities)]
    boxes = [label_boxes(options) for options in choices]
    odd = [np.array([option.odd for option in options]) for options in choices]
    costs = [label_costs(boxes[k], odd[k], obstacles) for k in range(len(choices))]
    chosen = [int(cost.argmin()) for cost in costs]
    for _ in range(4):
        before = list(chosen)
        for k in range(len(choices)):
            others = np.array([boxes[other][chosen[other]] for other in range(len(choices)) if other != k]).reshape(
                -1, 5
            )
            others = others[(np.abs(others[:, :2] - points[k]) < 260).all(axis=1)] + np.array([0, 0, 0, 7.0, 0.5])
            chosen[k] = int((costs[k] + 40.0 * depth(boxes[k], others).sum(axis=1)).argmin())
        if chosen == before:
            break
    return [_label(choices[k][chosen[k]]) for k in range(len(choices))]


def lay_out(board: Board) -> Geometry:
    """Work out a board's drawing."""
    sheet = sheet_of(board)
    points, routes = city_points(board, sheet), routes_of(board)
    scale = scale_of(board, points, routes)
    arcs = [arc_of(route, points, scale) for route in routes]
    backs = setbacks(routes, arcs, scale)
    lanes = [
        cars_of(route, arc, scale, (backs[k, route.a], backs[k, route.b]))
        for k, (route, arc) in enumerate(zip(routes, arcs, strict=True))
    ]
    cars = boxes_of([lane for route in lanes for lane in route], scale)
    beds = np.concatenate([np.zeros((0, 5)), *(bed_boxes(arc, scale.radius, 3.0) for arc in arcs)])
    labels = place_labels(
        board,
        points,
        scale,
        LabelObstacles(cars, beds, disc_boxes(points, scale.radius + 1.0), (sheet.width, sheet.height)),
    )
    lines: dict[int, DrawnTrack] = {}
    leaving: dict[int, float] = {}
    for route, arc, drawn in zip(routes, arcs, lanes, strict=True):
        lines.update(_lines(board, route, arc, drawn, scale))
        leaving.setdefault(route.a, math.degrees(arc.at(0.0)[2]))
        leaving.setdefault(route.b, math.degrees(arc.at(arc.length)[2]) + 180)
    places = tuple(
        DrawnCity(
            city.name,
            *_rounded(points[k].tolist()),
            round(scale.radius, 2),
            labels[k],
            city.country,
            round(leaving.get(k, 0.0) % 360, 1),
        )
        for k, city in enumerate(board.cities)
    )
    return Geometry(
        sheet.width,
        sheet.height,
        round(scale.car, 2),
        round(scale.car_width, 2),
        scale.font,
        places,
        tuple(lines[k] for k in sorted(lines)),
    )


def _rounded(point: Sequence[float]) -> tuple[float, float]:
    return round(point[0], 1), round(point[1], 1)


def _lines(
    board: Board,
    route: DrawnRoute,
    arc: Arc,
    drawn: Sequence[Sequence[tuple[float, float, float]]],
    scale: DrawingScale,
) -> dict[int, DrawnTrack]:
    """Turn the lanes of a route into tracks, each in its own direction from a to b."""
    lines = {}
    for lane, (track, cars) in enumerate(zip(route.tracks, drawn, strict=True)):
        offset = (lane - (len(drawn) - 1) / 2) * scale.lane
        along = [Car(*_rounded((x, y)), round(math.degrees(angle), 1)) for x, y, angle in cars]
        along = along if board.tracks[track].a == route.a else along[::-1]
        lines[track] = DrawnTrack(
            track, tuple(along), arc.path(scale.radius * 0.5, arc.length - scale.radius * 0.5, offset)
        )
    return lines
