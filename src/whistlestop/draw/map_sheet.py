"""Where on the sheet a place of the earth lies, and the land behind a board.

A `MapSheet` is a drawing surface: its size, a map projection, and a smooth warp that gives crowded regions more room
(coast and cities move together). `scripts/prepare_land.py` makes the prepared sheets in `whistlestop/land` from Natural
Earth (public domain). A board chooses one by `land = "europe"` in its `[drawing]` table; any other board gets a plain
sheet fitted around its cities, with a coarse coastline of the whole world behind it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
"""An array of shape (n, 2)."""

LAYERS = ("land", "home", "lakes", "rivers", "regions", "borders")


@dataclass(frozen=True, slots=True)
class Projection:
    """Lambert's conformal conic projection; with two equal standard parallels, plain latitude and longitude."""

    lon: float
    lat: float
    parallels: tuple[float, float]
    scale: float
    """Drawing units per radian."""
    origin: tuple[float, float]
    """Where (lon, lat) is drawn."""

    def __call__(self, lon: Points | Sequence[float], lat: Points | Sequence[float]) -> Points:
        """Project degrees into drawing units, y downwards."""
        turn = (np.asarray(lon, dtype=float) - self.lon + 180) % 360 - 180
        east, north = np.radians(turn), np.radians(np.asarray(lat, dtype=float))
        x, y = self._plain(east, north) if self.parallels[0] == self.parallels[1] else self._conic(east, north)
        return np.stack([self.origin[0] + self.scale * x, self.origin[1] - self.scale * y], axis=-1)

    def _plain(self, east: Points, north: Points) -> tuple[Points, Points]:
        return east * np.cos(np.radians(self.parallels[0])), north - np.radians(self.lat)

    def _conic(self, east: Points, north: Points) -> tuple[Points, Points]:
        first, second = np.radians(self.parallels)
        stretch = np.log(np.cos(first) / np.cos(second)) / np.log(_half_tan(second) / _half_tan(first))
        factor = np.cos(first) * _half_tan(first) ** stretch / stretch
        radius, middle = factor / _half_tan(north) ** stretch, factor / _half_tan(np.radians(self.lat)) ** stretch
        return radius * np.sin(stretch * east), middle - radius * np.cos(stretch * east)


def _half_tan(north: Any) -> Any:
    return np.tan(np.pi / 4 + north / 2)


@dataclass(frozen=True)
class MapSheet:
    """A drawing surface with its land; positions are in drawing units from the top left."""

    width: int
    height: int
    projection: Projection
    warp: NDArray[np.float64] | None = None
    """Shift at the nodes of a grid over the sheet, of shape (rows, columns, 2)."""
    layers: dict[str, str] = field(default_factory=dict)
    """SVG path data by layer, in tenths of a drawing unit."""

    def place(self, lon: Points | Sequence[float], lat: Points | Sequence[float]) -> Points:
        """Draw positions of places on earth."""
        return self.warped(self.projection(lon, lat))

    def warped(self, points: Points) -> Points:
        """Apply the warp to projected points, by bilinear interpolation."""
        if self.warp is None:
            return points
        rows, columns = self.warp.shape[:2]
        x = np.clip(points[..., 0] / self.width * (columns - 1), 0, columns - 1.001)
        y = np.clip(points[..., 1] / self.height * (rows - 1), 0, rows - 1.001)
        i, j = y.astype(int), x.astype(int)
        u, v = (x - j)[..., None], (y - i)[..., None]
        top = self.warp[i, j] * (1 - u) + self.warp[i, j + 1] * u
        bottom = self.warp[i + 1, j] * (1 - u) + self.warp[i + 1, j + 1] * u
        return np.asarray(points + top * (1 - v) + bottom * v)


def _stored(name: str) -> Any:
    return json.loads(resources.files("whistlestop").joinpath("land", f"{name}.json").read_text(encoding="utf-8"))


def known_land() -> tuple[str, ...]:
    """Names a board may give as `land` in its `[drawing]` table."""
    names = (entry.name for entry in resources.files("whistlestop").joinpath("land").iterdir())
    return tuple(sorted(name[:-5] for name in names if name.endswith(".json") and name != "world.json"))


@cache
def prepared_sheet(name: str) -> MapSheet:
    """Load a prepared sheet."""
    data = _stored(name)
    projection = Projection(data["lon"], data["lat"], tuple(data["parallels"]), data["scale"], tuple(data["origin"]))
    warp = np.array(data["warp"], dtype=float).reshape(*data["grid"], 2) if data.get("warp") else None
    width, height = data["size"]
    return MapSheet(width, height, projection, warp, {layer: data[layer] for layer in LAYERS if data.get(layer)})


def fitted_sheet(
    lon: Sequence[float], lat: Sequence[float], width: int = 1600, margin: int = 130, coast: bool = True
) -> MapSheet:
    """Make a plain sheet around places: straight parallels and meridians, true distances at the middle latitude.

    Without `coast` it is empty.
    """
    west, east = _lon_range(lon or [0.0])
    south, north = min(lat, default=0.0), max(lat, default=0.0)
    middle = (south + north) / 2
    squeeze = float(np.cos(np.radians(min(80.0, max(-80.0, middle)))))
    across, up = max(np.radians(east - west) * squeeze, 1e-6), max(np.radians(north - south), 1e-6)
    scale = float(min((width - 2 * margin) / across, (1.25 * width - 2 * margin) / up))
    height = int(max(scale * up + 2 * margin, width * 0.5))
    parallel = min(80.0, max(-80.0, middle))
    plain = Projection((west + east) / 2, middle, (parallel, parallel), scale, (width / 2, height / 2))
    return MapSheet(width, height, plain, layers={"land": _world_land(plain, width, height)} if coast else {})


def _lon_range(lon: Sequence[float]) -> tuple[float, float]:
    """Find the narrowest range of longitudes around places, across the date line if that is shorter."""
    ring = sorted(value % 360 for value in lon)
    gaps = [after - before for before, after in pairwise([*ring, ring[0] + 360])]
    widest = gaps.index(max(gaps))
    west = ring[(widest + 1) % len(ring)]
    return west, west + 360.0 - gaps[widest]


def _world_land(projection: Projection, width: int, height: int) -> str:
    """Draw the coarse land of the world that lies on a plain sheet."""
    west = projection.lon - np.degrees(
        projection.origin[0] / projection.scale / np.cos(np.radians(projection.parallels[0]))
    )
    span = 2 * (projection.lon - west)
    if span > 350:
        return ""
    paths = []
    for flat in _stored("world")["land"]:
        ring = np.array(flat, dtype=float).reshape(-1, 2) / 10
        for turn in (-360.0, 0.0, 360.0):
            lon = ring[:, 0] + turn
            if lon.max() < west or lon.min() > west + span:
                continue
            x = (np.radians(lon - projection.lon)) * np.cos(np.radians(projection.parallels[0])) * projection.scale
            y = -(np.radians(ring[:, 1] - projection.lat)) * projection.scale
            points = clip_ring(
                np.stack([x + projection.origin[0], y + projection.origin[1]], axis=-1),
                -20,
                -20,
                width + 20,
                height + 20,
            )
            if len(points) > 2:
                paths.append(path_data(points, closed=True))
    return "".join(paths)


def clip_ring(ring: Points, left: float, top: float, right: float, bottom: float) -> Points:
    """Cut a closed ring to a rectangle (Sutherland and Hodgman)."""
    for axis, limit, sign in ((0, left, 1.0), (0, right, -1.0), (1, top, 1.0), (1, bottom, -1.0)):
        if len(ring) == 0:
            break
        after = np.roll(ring, -1, axis=0)
        here, there = sign * (ring[:, axis] - limit), sign * (after[:, axis] - limit)
        crossing = (here >= 0) != (there >= 0)
        share = np.divide(here, here - there, out=np.zeros_like(here), where=crossing)[:, None]
        both = np.stack([ring, ring + share * (after - ring)], axis=1).reshape(-1, 2)
        ring = both[np.stack([here >= 0, crossing], axis=1).reshape(-1)]
    return ring


def path_data(points: Points, *, closed: bool) -> str:
    """Write points as relative SVG path data in whole tenths of a drawing unit."""
    tenths = np.rint(points * 10).astype(int)
    steps = np.diff(tenths, axis=0)
    steps = steps[np.any(steps != 0, axis=1)]
    return f"M{_pair(tenths[0])}l" + _pairs(steps) + ("z" if closed else "")


def _pair(point: Iterable[int]) -> str:
    x, y = (int(value) for value in point)
    return f"{x},{y}" if y >= 0 else f"{x}{y}"


def _pairs(points: Iterable[Iterable[int]]) -> str:
    text = ""
    for point in points:
        pair = _pair(point)
        text += pair if pair.startswith("-") or not text else f" {pair}"
    return text or "0,0"
