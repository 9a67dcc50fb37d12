"""A board for the browser: the geometry and land of the printed boards as plain data, and a small picture of it."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise
from typing import Any

from whistlestop.draw.card_art import CAR_BODIES, CAR_DETAILS
from whistlestop.draw.geometry import GATE_SPACING, GATE_TYPE, DrawnCity, Geometry, Label, lay_out, sheet_of
from whistlestop.draw.map_sheet import MapSheet
from whistlestop.draw.passenger_slots import CHEST, PASSENGER_SHAPE, rooms, slots, tether
from whistlestop.draw.svg import (
    BADGES,
    COMPASS,
    LAND_LINES,
    LOCOMOTIVE_SHAPE,
    MARKS,
    SHORES,
    STATION_SHAPE,
    compass_spot,
    escaped,
    ferry_cars,
    graticule,
    house_shift,
    north_at,
    num,
    wavy,
)
from whistlestop.draw.themes import BROWSER_THEMES, THEMES
from whistlestop.mapfile import GRAY, Board, Edition

DRAWINGS_KEPT = 16
"""Drawings that are remembered: a server draws boards of strangers too."""
COARSE = 28
"""A picture is small: points of its coast keep this distance, in tenths of a drawing unit."""


def shapes() -> dict[str, Any]:
    """Marks of the colours and shapes of the pieces as SVG path data; `scripts/write_shapes.py` writes them."""
    return {
        "marks": {colour: path_in(mark) for colour, mark in MARKS.items()},
        "badges": {colour: path_in(mark) for colour, mark in BADGES.items()},
        "locomotive": path_in(LOCOMOTIVE_SHAPE),
        "house": STATION_SHAPE,
        "figure": PASSENGER_SHAPE,
        "chest": CHEST,
        "compass": list(COMPASS),
        "carBodies": CAR_BODIES,
        "carDetails": CAR_DETAILS,
    }


def path_in(element: str) -> str:
    """The path data of an SVG element; a circle around the middle becomes two arcs."""
    if path := re.search(r'\bd="([^"]+)"', element):
        return path[1]
    circle = re.search(r'<circle r="([\d.]+)"', element)
    if circle is None:
        raise ValueError(f"neither a path nor a circle: {element}")
    radius = float(circle[1])
    half, arc = num(radius), f"a{num(radius)} {num(radius)} 0 1 0"
    return f"M-{half} 0{arc} {num(2 * radius)} 0{arc}{num(-2 * radius)} 0z"


def board_data(edition: Edition) -> dict[str, Any]:
    """Everything to draw an edition's board: `BoardData` of `server/board_messages.py`."""
    return {**drawing_data(edition.board), **rules_data(edition)}


def rules_data(edition: Edition) -> dict[str, Any]:
    """The part of `board_data` that the edition decides: every edition of a board has the drawing of the others."""
    board = edition.board
    return {
        "edition": edition.id,
        "points": {str(length): points for length, points in sorted(board.points.items())},
        "stations": edition.stations,
        "trains": edition.trains,
        "station_points": edition.station_points,
        "passenger_colours": dict(board.passenger_colours),
    }


@lru_cache(maxsize=DRAWINGS_KEPT)
def drawing_data(board: Board) -> dict[str, Any]:
    """The part of `board_data` that the board decides, and nearly all of the work."""
    drawn, sheet = lay_out(board), sheet_of(board)
    return {
        "board": board.id,
        "name": board.name,
        "width": _short(drawn.width),
        "height": _short(drawn.height),
        "car_length": _short(drawn.car_length),
        "car_width": _short(drawn.car_width),
        "font_size": _short(drawn.font_size),
        "gate_font_size": _short(drawn.font_size * GATE_TYPE),
        "gate_spacing": round(drawn.font_size * GATE_TYPE * GATE_SPACING, 2),
        "land": _land(board, drawn, sheet),
        "compass": _compass(board, sheet),
        "cities": [_city(place) for place in drawn.cities],
        "tracks": _tracks(board, drawn),
        "slots": _slots(board, drawn),
    }


def _short(value: float) -> float:
    """A number as it is sent: one decimal, whole numbers without any."""
    rounded = round(float(value), 1)
    return int(rounded) if rounded == int(rounded) else rounded


def _land(board: Board, drawn: Geometry, sheet: MapSheet) -> list[dict[str, Any]]:
    """Layers from the bottom up; one that repeats another's path names it instead."""
    layers = sheet.layers
    whole = f"M0 0H{num(drawn.width)}V{num(drawn.height)}H0z"
    if not layers.get("land"):
        return [{"kind": "land", "path": whole, "scale": 1}]
    ground = "abroad" if layers.get("home") else "land"
    found: list[dict[str, Any]] = [
        {"kind": "sea", "path": whole, "scale": 1},
        {"kind": "grid", "path": graticule(sheet, board), "scale": 1, "width": 0.8},
        *(
            {"kind": "shore", "path": "", "of": ground, "scale": 0.1, "width": width, "opacity": faint}
            for width, faint in SHORES
        ),
        {"kind": ground, "path": layers["land"], "scale": 0.1, "width": LAND_LINES["land"]},
    ]
    kinds = {"home": "land", "regions": "region", "rivers": "river", "lakes": "lake", "borders": "border"}
    for layer, kind in kinds.items():
        if layers.get(layer):
            found.append({"kind": kind, "path": layers[layer], "scale": 0.1, "width": LAND_LINES.get(layer, 0)})
    return found


def _compass(board: Board, sheet: MapSheet) -> dict[str, float] | None:
    spot = compass_spot(board)
    return spot and {"x": _short(spot[0]), "y": _short(spot[1]), "angle": _short(north_at(sheet, board, *spot))}


def _city(place: DrawnCity) -> dict[str, Any]:
    return {
        "name": place.name,
        "x": _short(place.x),
        "y": _short(place.y),
        "radius": _short(place.radius),
        "country": place.country,
        "angle": _short(place.angle),
        "house": _short(house_shift(place)),
        "label": _label(place.label),
    }


def _label(label: Label) -> dict[str, Any]:
    return {
        "x": _short(label.x),
        "y": _short(label.y),
        "width": _short(label.width),
        "height": _short(label.height),
        "side": label.side,
        "anchor": label.anchor,
        "lines": [[_short(x), _short(y), text] for x, y, text in label.lines],
    }


def _tracks(board: Board, drawn: Geometry) -> list[dict[str, Any]]:
    routes = board.routes()
    return [
        {
            "track": line.track,
            "from": board.cities[track.a].name,
            "to": board.cities[track.b].name,
            "length": track.length,
            "colour": track.colour,
            "tunnel": track.tunnel,
            "ferry": track.ferry,
            "points": board.points[track.length],
            "parallel": routes[track.ends],
            "cars": [{"x": _short(car.x), "y": _short(car.y), "angle": _short(car.angle)} for car in line.cars],
            "symbols": sorted(ferry_cars(track)),
            "path": line.path,
            "waves": wavy(line, drawn.car_width / 2 + 3.2) if track.ferry else "",
        }
        for line, track in zip(drawn.tracks, board.tracks, strict=True)
    ]


def _slots(board: Board, drawn: Geometry) -> list[dict[str, Any]]:
    room = rooms(board)
    if not any(room.values()):
        return []
    found = []
    for name, slot in slots(board, drawn, {}).items():
        crowds = [slot.spots(count) for count in range(1, room[name] + 1)]
        lines = [tether(slot, spots) for spots in crowds]
        found.append(
            {
                "place": name,
                "spots": [[[_short(x), _short(y)] for x, y in spots] for spots in crowds],
                "zoom": round(slot.zoom, 3),
                "tethers": [line and [_short(value) for value in line] for line in lines],
            }
        )
    return found


def picture(edition: Edition, theme: str) -> str:
    """Draw a small SVG of an edition's board without names; `theme` is one of the browser's."""
    if theme not in BROWSER_THEMES:
        raise ValueError(f"unknown theme `{theme}`; use one of {', '.join(BROWSER_THEMES)}")
    return _picture(edition.board, theme)


@lru_cache(maxsize=DRAWINGS_KEPT)
def _picture(board: Board, theme: str) -> str:
    look, drawn, sheet = THEMES[BROWSER_THEMES[theme]], lay_out(board), sheet_of(board)
    layers = {name: coarse(path) for name, path in sheet.layers.items() if name in ("land", "home", "lakes")}
    size = f'width="{num(drawn.width)}" height="{num(drawn.height)}"'
    parts = [f'<rect {size} fill="{look.sea if layers.get("land") else look.land}"/>']
    fills = {"land": look.abroad if layers.get("home") else look.land, "home": look.land, "lakes": look.sea}
    lines = {"land": f' stroke="{look.coast}" stroke-width="24"', "home": f' stroke="{look.border}" stroke-width="16"'}
    shapes = [
        f'<path d="{layers[name]}" fill="{fills[name]}"{lines.get(name, "")}/>' for name in fills if layers.get(name)
    ]
    parts.append(f'<g transform="scale(.1)" fill-rule="evenodd" stroke-linejoin="round">{"".join(shapes)}</g>')
    by_colour: dict[str, str] = {}
    for line, track in zip(drawn.tracks, board.tracks, strict=True):
        colour = track.colour if track.colour in look.spaces else GRAY
        by_colour[colour] = by_colour.get(colour, "") + line.path
    width = drawn.car_width
    rails = "".join(by_colour.values())
    parts.append(
        f'<path d="{rails}" fill="none" stroke="{look.ink}" stroke-opacity=".55" stroke-width="{num(width + 3)}"/>'
    )
    for colour, path in by_colour.items():
        parts.append(
            f'<path d="{path}" fill="none" stroke="{look.spaces[colour].fill}" stroke-width="{num(width - 1)}"/>'
        )
    discs = "".join(
        f'<circle cx="{num(place.x)}" cy="{num(place.y)}" r="{num(place.radius * 1.15)}"/>' for place in drawn.cities
    )
    parts.append(f'<g fill="{look.halo}" stroke="{look.ink}" stroke-width="{num(width * 0.35)}">{discs}</g>')
    view = f'viewBox="0 0 {num(drawn.width)} {num(drawn.height)}"'
    title = f"<title>{escaped(board.name)}</title>"
    return f'<svg xmlns="http://www.w3.org/2000/svg" {view} role="img">{title}{"".join(parts)}</svg>\n'


def coarse(path: str) -> str:
    """A layer's path with fewer points, in absolute coordinates; islands too small to see are left out."""
    kept = []
    for ring in path.split("M")[1:]:
        values = [int(value) for value in re.findall(r"-?\d+", ring)]
        x, y = values[:2]
        points = [(x, y)]
        for dx, dy in zip(values[2::2], values[3::2], strict=True):
            x, y = x + dx, y + dy
            if abs(x - points[-1][0]) + abs(y - points[-1][1]) >= COARSE:
                points.append((x, y))
        if len(points) > 3:
            steps = [f"{b[0] - a[0]} {b[1] - a[1]}" for a, b in pairwise(points)]
            kept.append(f"M{points[0][0]} {points[0][1]}l{' '.join(steps).replace(' -', '-')}z")
    return "".join(kept)
