"""Lay out a board: find room for every car and label, and write the result as hints into its map file and land file.

    uv run python scripts/lay_out_board.py warp usa     warp of the sheet, into land/usa.json; then run prepare_land.py
    uv run python scripts/lay_out_board.py hints usa    nudge and label of cities, bend of tracks, into maps/usa.toml

`warp` pushes cities apart until their tracks have room, and keeps the smooth part of these shifts as a warp of the
whole sheet, so that coast and cities move together. `hints` then searches small nudges and bends until cars, discs and
labels no longer overlap. Both are deterministic. Only lines of `cities` and `tracks` are edited, and in them only the
three hints.
"""

from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from whistlestop.draw import geometry as geo
from whistlestop.draw.map_sheet import MapSheet, Points, prepared_sheet
from whistlestop.mapfile import Board, load_board

Ends = NDArray[np.int64]
"""Index of the city at one end of each route."""
ROOT = Path(__file__).parents[1] / "src/whistlestop"
CELL = 50
"""Distance of the warp's nodes."""
SMOOTH = 130.0
"""Reach of a city's shift in the warp."""
GENTLE = 0.05
"""Bend that longer routes get where nothing else matters: a line drawn by hand is never quite straight."""
CLEAR = 20.0
"""Routes keep this distance from foreign discs where they can, so that nobody thinks they stop there."""
EDGE = 46.0
"""Least distance of a city from the edge of the sheet."""


def relaxed(board: Board, sheet: MapSheet, home: Points, *, rounds: int, hold: float) -> Points:
    """Push cities apart until every track has room; `hold` draws each back towards the shift of its surroundings."""
    routes = geo.routes_of(board)
    points = home.copy()
    scale = geo.scale_of(board, points, routes)
    a, b = np.array([r.a for r in routes]), np.array([r.b for r in routes])
    need = np.array([scale.needed(r.length) + 3 for r in routes]) * 1.02
    wide = np.array([len(r.tracks) * scale.lane / 2 for r in routes]) + scale.radius + 9
    near = np.exp(-((np.linalg.norm(home[:, None] - home[None], axis=-1) / SMOOTH) ** 2) / 2)
    near /= near.sum(axis=1, keepdims=True)
    low, high = np.full(2, EDGE), np.array([sheet.width - EDGE, sheet.height - EDGE])
    for step in range(rounds):
        push = np.zeros_like(points)
        separate_ends(points, a, b, need, push)
        separate_discs(points, 2 * scale.radius + 30, push)
        separate_strangers(points, a, b, wide, push)
        points += 0.35 * push
        shift = points - home
        points = home + (1 - hold) * shift + hold * (near @ shift) * (1.0 if step < rounds * 0.8 else 0.999)
        points = np.clip(points, low, high)
    return points


def separate_ends(points: Points, a: Ends, b: Ends, need: Points, push: Points) -> None:
    """Push the ends of too short routes apart."""
    way = points[b] - points[a]
    length = np.linalg.norm(way, axis=1)
    lack = np.maximum(need - length, 0.0)
    move = way / length[:, None] * (lack / 2)[:, None]
    np.add.at(push, b, move)
    np.add.at(push, a, -move)


def separate_discs(points: Points, least: float, push: Points) -> None:
    """Push cities that are too near each other apart."""
    delta = points[:, None] - points[None]
    distance = np.linalg.norm(delta, axis=-1) + np.eye(len(points)) * 1e6
    lack = np.maximum(least - distance, 0.0)
    push += (delta / distance[..., None] * lack[..., None] / 2).sum(axis=1)


def separate_strangers(points: Points, a: Ends, b: Ends, wide: Points, push: Points) -> None:
    """Push cities off the straight way of routes that don't serve them."""
    way = points[b] - points[a]
    along = ((points[:, None] - points[a][None]) * way[None]).sum(-1) / (way**2).sum(-1)[None]
    along = np.clip(along, 0.0, 1.0)
    gap = points[:, None] - (points[a][None] + along[..., None] * way[None])
    distance = np.linalg.norm(gap, axis=-1)
    lack = np.maximum(wide[None] - distance, 0.0)
    lack[a, np.arange(len(a))] = lack[b, np.arange(len(b))] = 0.0
    move = gap / np.maximum(distance, 1e-6)[..., None] * lack[..., None] / 2
    push += move.sum(axis=1)
    np.add.at(push, a, -(move * (1 - along)[..., None]).sum(axis=0))
    np.add.at(push, b, -(move * along[..., None]).sum(axis=0))


def warp_grid(sheet: MapSheet, home: Points, shift: Points) -> Points:
    """Spread the shifts of the cities smoothly over the sheet."""
    rows, columns = round(sheet.height / CELL) + 1, round(sheet.width / CELL) + 1
    x, y = np.meshgrid(np.linspace(0, sheet.width, columns), np.linspace(0, sheet.height, rows))
    nodes = np.stack([x, y], axis=-1)
    distance = np.linalg.norm(nodes[:, :, None] - home[None, None], axis=-1)
    weight = np.exp(-((distance / (SMOOTH * 0.75)) ** 2) / 2)
    far = np.exp(-((distance / (SMOOTH * 2.5)) ** 2) / 2) * 0.05
    weight = weight + far
    return np.asarray((weight[..., None] * shift[None, None]).sum(axis=2) / (weight.sum(axis=2, keepdims=True) + 0.01))


class Layout:
    """A board's layout that is improved step by step: points of the cities and bends of the routes."""

    def __init__(self, board: Board, sheet: MapSheet, points: Points) -> None:
        self.board = replace(board, cities=tuple(replace(city, label=None) for city in board.cities))
        self.size = (float(sheet.width), float(sheet.height))
        self.home, self.points = sheet.place([c.lon for c in board.cities], [c.lat for c in board.cities]), points
        self.routes = geo.routes_of(board)
        self.scale = geo.scale_of(board, points, self.routes)
        self.at_city: list[list[int]] = [
            [k for k, r in enumerate(self.routes) if c in (r.a, r.b)] for c in range(len(board.cities))
        ]
        self.arcs = [geo.Arc(points[r.a].tolist(), points[r.b].tolist(), r.bend) for r in self.routes]
        choices = [geo.label_choices(city, (0.0, 0.0), self.scale) for city in self.board.cities]
        choices = [[option for option in options if option.odd < 1.2] for options in choices]
        self.labels = [geo.label_boxes(options) for options in choices]
        self.odd = [np.array([option.odd for option in options]) for options in choices]
        self.strange = np.array([[float(c not in (r.a, r.b)) for c in range(len(board.cities))] for r in self.routes])
        self.bed_boxes: list[geo.Boxes] = [np.zeros((0, 5))] * len(self.routes)
        self.backs: dict[tuple[int, int], float] = {}
        self.cars: list[geo.Boxes] = [np.zeros((0, 5))] * len(self.routes)
        self.refresh(set(range(len(board.cities))))

    def refresh(self, cities: set[int]) -> set[int]:
        """Draw anew whatever depends on these cities; gives the routes whose cars may have moved."""
        bent = {k for city in cities for k in self.at_city[city]}
        for k in bent:
            route = self.routes[k]
            self.arcs[k] = geo.Arc(self.points[route.a].tolist(), self.points[route.b].tolist(), route.bend)
            self.bed_boxes[k] = geo.bed_boxes(self.arcs[k], self.scale.radius, 3.0)
        touched = {end for k in bent for end in (self.routes[k].a, self.routes[k].b)}
        return self.redraw(touched)

    def redraw(self, touched: set[int]) -> set[int]:
        """DrawnCity the cars of all routes at these cities."""
        drawn = {k for city in touched for k in self.at_city[city]}
        order = sorted({k for city in touched for k in self.at_city[city]})
        part = geo.setbacks([self.routes[k] for k in order], [self.arcs[k] for k in order], self.scale, touched)
        self.backs.update({(order[k], city): back for (k, city), back in part.items()})
        for k in drawn:
            route = self.routes[k]
            ends = (self.backs.get((k, route.a), 0.0), self.backs.get((k, route.b), 0.0))
            self.cars[k] = geo.boxes_of(geo.cars_of(route, self.arcs[k], self.scale, ends), self.scale)
        return drawn

    def route_cost(self, moved: set[int]) -> float:
        """Cost of some routes among all: overlaps of cars, foreign discs, the edge, lack of room, and bends."""
        inflate = np.array([0, 0, 0, 0.6, 0.9])
        others = [k for k in range(len(self.routes)) if k not in moved]
        rest = np.concatenate([self.cars[k] for k in others]) if others else np.zeros((0, 5))
        cost = 0.0
        members = sorted(moved)
        boxes = np.concatenate([self.cars[k] for k in members]) + inflate
        owner = np.concatenate([np.full(len(self.cars[k]), k) for k in members])
        low, high = boxes[:, :2].min(axis=0) - 45, boxes[:, :2].max(axis=0) + 45
        rest = rest[((rest[:, :2] > low) & (rest[:, :2] < high)).all(axis=1)] + inflate
        cost += overlap_cost(geo.depth(boxes, rest))
        inner = geo.depth(boxes, boxes)
        inner[owner[:, None] == owner[None]] = 0.0
        cost += overlap_cost(inner) / 2
        everything, owners = np.concatenate([rest, boxes]), np.concatenate([np.full(len(rest), -1), owner])
        thin = np.concatenate([self.bed_boxes[k] for k in members]) - np.array([0, 0, 0, 0, 2.0])
        whose = np.repeat(members, 5)
        discs = geo.disc_boxes(self.points, self.scale.radius * 0.95 + 2)
        wider = discs + np.array([0, 0, 0, CLEAR, CLEAR])
        cost += 4 * overlap_cost(geo.depth(boxes - inflate, discs) * 2 * self.strange[owner])
        cost += 4 * overlap_cost(geo.depth(thin, discs) * 2 * self.strange[whose])
        cost += 0.2 * overlap_cost(geo.depth(thin, wider) * self.strange[whose])
        cost += 0.4 * overlap_cost(geo.depth(thin, everything) * (whose[:, None] != owners[None]))
        for k in members:
            route, arc = self.routes[k], self.arcs[k]
            lack = self.scale.needed(route.length, self.scale.stretch(arc, len(route.tracks))) + 0.5 - arc.length
            wish = GENTLE if route.length > 2 else 0.0
            cost += 2.0 * max(0.0, lack) ** 2
            cost += 120 * (abs(route.bend) - wish) ** 2 + 900 * max(0.0, abs(route.bend) - 0.22) ** 2
        edge = np.maximum(0, 24 - everything[:, :2]) + np.maximum(0, everything[:, :2] + 24 - np.array(self.size))
        return cost + float((edge**2).sum())

    def city_cost(self, cities: set[int]) -> float:
        """Cost of some cities: distance from home and neighbours, and how well the best label fits."""
        members = sorted(cities)
        obstacles = geo.LabelObstacles(
            np.concatenate(self.cars),
            np.concatenate(self.bed_boxes),
            geo.disc_boxes(self.points, self.scale.radius + 1),
            self.size,
        )
        gap = np.linalg.norm(self.points[members][:, None] - self.points[None], axis=-1)
        gap[np.arange(len(members)), members] = 1e6
        cost = float((np.maximum(0, 2 * self.scale.radius + 22 - gap) ** 2).sum())
        cost += 0.012 * float(((self.points[members] - self.home[members]) ** 2).sum())
        low = np.maximum(0, EDGE - 8 - self.points[members])
        high = np.maximum(0, self.points[members] + EDGE - 8 - np.array(self.size))
        cost += float((low**2 + high**2).sum())
        for city in members:
            boxes = self.labels[city] + np.array([*self.points[city], 0, 0, 0])
            cost += 1.5 * min(60.0, float(geo.label_costs(boxes, self.odd[city], obstacles).min()))
        return cost

    def around(self, cities: set[int], moved: set[int]) -> set[int]:
        """Cities whose labels may feel a change."""
        spots = [self.points[city] for city in cities] + [
            np.array(self.arcs[k].at(self.arcs[k].length / 2)[:2]) for k in moved
        ]
        near = np.linalg.norm(self.points[:, None] - np.array(spots)[None], axis=-1).min(axis=1) < 110
        return set(np.flatnonzero(near).tolist()) | cities

    def try_city(self, city: int, step: tuple[float, float]) -> bool:
        """Move a city if that helps."""
        ends = {end for k in self.at_city[city] for end in (self.routes[k].a, self.routes[k].b)} | {city}
        moved = {k for end in ends for k in self.at_city[end]}
        near = self.around({city}, set(self.at_city[city]))
        before, old = self.route_cost(moved) + self.city_cost(near), self.points.copy()
        self.points[city] += step
        self.refresh({city})
        if self.route_cost(moved) + self.city_cost(near) < before - 1e-6:
            return True
        self.points = old
        self.refresh({city})
        return False

    def try_bend(self, k: int, bend: float) -> bool:
        """Bend a route otherwise if that helps."""
        route = self.routes[k]
        moved = set(self.at_city[route.a]) | set(self.at_city[route.b])
        near = self.around({route.a, route.b}, {k})
        before, old = self.route_cost(moved) + self.city_cost(near), route.bend
        route.bend = max(-0.45, min(0.45, bend))
        self.refresh({route.a, route.b})
        if self.route_cost(moved) + self.city_cost(near) < before - 1e-6:
            return True
        route.bend = old
        self.refresh({route.a, route.b})
        return False

    def improve(self, sweeps: int, seed: int = 1) -> None:
        """Try moves and bends, coarse ones first, until the sweeps are over."""
        random = np.random.default_rng(seed)
        for sweep in range(sweeps):
            reach = 14.0 * (1 - sweep / sweeps) + 1.5
            wins = 0
            for city in random.permutation(len(self.points)).tolist():
                for angle in random.permutation(6) * math.pi / 3 + random.uniform(0, 1):
                    wins += self.try_city(city, (reach * math.cos(angle), reach * math.sin(angle)))
            for k in random.permutation(len(self.routes)).tolist():
                bend = self.routes[k].bend
                bold = (0.16, -0.16) if sweep < sweeps / 2 else ()
                for other in (bend * 0.5, bend + reach / 120, bend - reach / 120, -bend, *bold):
                    if other != bend:
                        wins += self.try_bend(k, other)
            total = self.route_cost(set(range(len(self.routes)))) + self.city_cost(set(range(len(self.points))))
            print(
                f"{self.board.id}: sweep {sweep + 1}/{sweeps}, {wins} changes, cost {total:.0f}",
                file=sys.stderr,
                flush=True,
            )

    def hinted(self) -> Board:
        """The board with nudges, bends and label sides as found."""
        nudges = np.round(self.points - self.home, 1) + 0.0
        cities = [
            replace(city, nudge=(float(x), float(y)), label=None)
            for city, (x, y) in zip(self.board.cities, nudges, strict=True)
        ]
        tracks = list(self.board.tracks)
        for route in self.routes:
            for k in route.tracks:
                bend = round(route.bend if tracks[k].a == route.a else -route.bend, 3)
                tracks[k] = replace(tracks[k], bend=bend + 0.0)
        board = replace(self.board, cities=tuple(cities), tracks=tuple(tracks))
        sides = [place.label.side for place in geo.lay_out(board).cities]
        return replace(board, cities=tuple(replace(city, label=side) for city, side in zip(cities, sides, strict=True)))


def overlap_cost(depths: Points) -> float:
    """Any overlap is bad, a deep one worse."""
    return float((depths**2).sum() + 1.5 * depths.sum())


def write_hints(path: Path, board: Board) -> None:
    """Put the hints into the lines of a map file; a line is one city or one track."""
    lines = path.read_text(encoding="utf-8").split("\n")
    cities, tracks = {city.name: city for city in board.cities}, iter(board.tracks)
    section = ""
    for k, line in enumerate(lines):
        start = re.match(r"(\w+)\s*=\s*\[\s*$", line)
        section = start.group(1) if start else "" if line.startswith("]") else section
        if section == "cities" and (name := re.match(r'\s*\{ name = "([^"]*)"', line)):
            city = cities[name.group(1)]
            nudge = f"[{city.nudge[0]:g}, {city.nudge[1]:g}]"
            lines[k] = with_hints(
                line, {"nudge": nudge if any(city.nudge) else None, "label": f'"{city.label}"' if city.label else None}
            )
        elif section == "tracks" and re.match(r"\s*\{ from = ", line):
            track = next(tracks)
            lines[k] = with_hints(line, {"bend": f"{track.bend:g}" if track.bend else None})
    path.write_text("\n".join(lines), encoding="utf-8")


def with_hints(line: str, hints: dict[str, str | None]) -> str:
    """Set or remove keys of an inline table; what comes after the table (a comma, a comment) stays."""
    close = line.rindex(" }")
    body, tail = line[:close], line[close:]
    for key, value in hints.items():
        body = re.sub(rf", {key} = (\[[^\]]*\]|\"[^\"]*\"|[^,\s]+)", "", body)
        body += f", {key} = {value}" if value is not None else ""
    return body + tail


def make_warp(board: Board) -> None:
    """Work out the warp of a board's sheet and store it in the land file."""
    name = str(board.drawing["land"])
    plain = replace(prepared_sheet(name), warp=None)
    home = plain.place([city.lon for city in board.cities], [city.lat for city in board.cities])
    shift = relaxed(board, plain, home, rounds=1500, hold=0.06) - home
    grid = warp_grid(plain, home, shift)
    data = json.loads((ROOT / f"land/{name}.json").read_text(encoding="utf-8"))
    data |= {"grid": list(grid.shape[:2]), "warp": [round(float(v), 1) for v in grid.ravel()]}
    (ROOT / f"land/{name}.json").write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    farthest, widest = np.linalg.norm(shift, axis=1).max(), np.linalg.norm(grid, axis=-1).max()
    print(f"{name}: shifts up to {farthest:.0f}, warp up to {widest:.0f}")


def laid_out(board: Board, sweeps: int = 12) -> Board:
    """Find the hints of a board."""
    bare = replace(
        board,
        cities=tuple(replace(city, nudge=(0.0, 0.0), label=None) for city in board.cities),
        tracks=tuple(replace(track, bend=0.0) for track in board.tracks),
    )
    sheet = geo.sheet_of(bare)
    home = sheet.place([city.lon for city in board.cities], [city.lat for city in board.cities])
    layout = Layout(bare, sheet, relaxed(bare, sheet, home, rounds=400, hold=0.0))
    centre = layout.points.mean(axis=0)
    for route in layout.routes:
        a, b = layout.points[route.a], layout.points[route.b]
        outward = np.dot((a + b) / 2 - centre, np.array([b[1] - a[1], a[0] - b[0]]))
        route.bend = math.copysign(GENTLE if route.length > 2 else 0.0, outward)
    layout.refresh(set(range(len(layout.points))))
    layout.improve(sweeps)
    return layout.hinted()


def main(what: str, name: str) -> None:
    """Run one of the two steps."""
    board = load_board(ROOT / f"maps/{name}.toml")
    if what == "warp":
        make_warp(board)
    else:
        write_hints(ROOT / f"maps/{name}.toml", laid_out(board))


if __name__ == "__main__":
    main(*sys.argv[1:3])
