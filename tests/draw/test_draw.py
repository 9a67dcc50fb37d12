"""Pictures of boards: everything has its place, nothing covers anything else, and the SVG is sound."""

from __future__ import annotations

import re
import struct
import subprocess
import sys
import time
import xml.etree.ElementTree as ET
from dataclasses import replace
from functools import cache
from itertools import cycle, pairwise
from pathlib import Path

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from numpy.typing import NDArray

from whistlestop.draw import THEME_NAMES, draw_board, lay_out, passenger_slots, to_png
from whistlestop.draw import geometry as geo
from whistlestop.draw.board_svg import figures_of
from whistlestop.draw.legend import legend
from whistlestop.draw.map_sheet import fitted_sheet, known_land, prepared_sheet
from whistlestop.draw.svg import BADGES, MARKS, STATION_SHAPE, Painter, ferry_cars, house_shift
from whistlestop.draw.themes import THEMES, Theme
from whistlestop.draw.typeface import font_file, text_width
from whistlestop.mapfile import CARD_COLOURS, GRAY, MAX_PLAYERS, Board, City, MapError, Track, load_board

MAPS = Path(geo.__file__).parents[1] / "maps"
BOARDS = ("usa", "europe", "germany")
SVG = "{http://www.w3.org/2000/svg}"
TOUCH = 0.35
"""Overlaps below this many drawing units are roundings."""


@cache
def board(name: str) -> Board:
    return load_board(MAPS / f"{name}.toml")


@cache
def drawn(name: str) -> geo.Geometry:
    return lay_out(board(name))


def car_boxes(picture: geo.Geometry) -> tuple[geo.Boxes, NDArray[np.int64]]:
    rows = [
        (car.x, car.y, np.radians(car.angle), picture.car_length / 2, picture.car_width / 2)
        for line in picture.tracks
        for car in line.cars
    ]
    owner = np.array([line.track for line in picture.tracks for _ in line.cars])
    return np.array(rows), owner


def parsed(svg: str) -> ET.Element:
    return ET.fromstring(svg)


def grouped(root: ET.Element, kind: str) -> list[ET.Element]:
    return [item for item in root.iter(f"{SVG}g") if kind in item.get("class", "").split()]


def figures(root: ET.Element) -> list[ET.Element]:
    return [item for item in root.iter(f"{SVG}use") if item.get("class") == "passenger"]


def full_crowd(name: str) -> dict[str, list[str]]:
    """As many passengers as every place starts with, colours in turn."""
    source = board(name)
    colours = cycle(source.passenger_colours)
    room = {city.name: city.passengers for city in source.cities} | {
        country.name: country.passengers for country in source.countries
    }
    return {name: [next(colours) for _ in range(size)] for name, size in room.items()}


def legend_of(svg: str) -> ET.Element:
    return grouped(parsed(svg), "legend")[0]


def uses(item: ET.Element, ending: str) -> int:
    return sum(use.get("href", "").endswith(f"-{ending}") for use in item.iter(f"{SVG}use"))


def small_board(**drawing: object) -> Board:
    """A made-up board without prepared land, around Lake Victoria, with all the kinds of tracks."""
    cities = (
        City("Kampala", 0.32, 32.58),
        City("Nairobi", -1.29, 36.82),
        City("Mwanza", -2.52, 32.9),
        City("Kigali", -1.95, 30.06),
    )
    tracks = (
        Track(0, 1, 4, "red"),
        Track(1, 0, 4, "blue"),
        Track(0, 1, 4, GRAY),
        Track(0, 2, 3, GRAY, ferry=2),
        Track(2, 3, 2, "white", tunnel=True),
        Track(3, 0, 3, "black"),
    )
    return Board("lake", "Great Lakes", cities, (), tracks, (), {1: 1, 2: 2, 3: 4, 4: 7}, {}, drawing=dict(drawing))


# --- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", BOARDS)
def test_no_disc_or_label_overlaps_another(name: str) -> None:
    picture = drawn(name)
    discs = geo.disc_boxes(np.array([(place.x, place.y) for place in picture.cities]), picture.cities[0].radius)
    labels = geo.label_boxes([place.label for place in picture.cities])
    boxes = np.concatenate([discs, labels])
    depths = geo.depth(boxes, boxes)
    np.fill_diagonal(depths, 0.0)
    names = [place.name for place in picture.cities] * 2
    assert [(names[i], names[j], depths[i, j]) for i, j in np.argwhere(depths > 0).tolist()] == []


@pytest.mark.parametrize("name", BOARDS)
def test_no_label_lies_on_a_car(name: str) -> None:
    picture = drawn(name)
    cars, owner = car_boxes(picture)
    depths = geo.depth(geo.label_boxes([place.label for place in picture.cities]), cars)
    hits = [
        (picture.cities[i].name, int(owner[j]), float(depths[i, j])) for i, j in np.argwhere(depths > TOUCH).tolist()
    ]
    assert hits == []


@pytest.mark.parametrize("name", BOARDS)
def test_everything_is_on_the_sheet(name: str) -> None:
    picture = drawn(name)
    cars, _ = car_boxes(picture)
    boxes = np.concatenate([cars, geo.label_boxes([place.label for place in picture.cities])])
    reach = np.hypot(boxes[:, 3], boxes[:, 4]) * (boxes[:, 2] != 0) + boxes[:, 3] * (boxes[:, 2] == 0)
    assert (boxes[:, 0] - reach > 0).all()
    assert (boxes[:, 0] + reach < picture.width).all()
    assert (boxes[:, 1] > 10).all()
    assert (boxes[:, 1] < picture.height - 10).all()


@pytest.mark.parametrize("name", BOARDS)
def test_cars_keep_clear_of_all_discs(name: str) -> None:
    picture = drawn(name)
    cars, owner = car_boxes(picture)
    points = np.array([(place.x, place.y) for place in picture.cities])
    delta = points[None] - cars[:, None, :2]
    cos, sin = np.cos(cars[:, 2])[:, None], np.sin(cars[:, 2])[:, None]
    along = np.maximum(np.abs(delta[..., 0] * cos + delta[..., 1] * sin) - cars[:, None, 3], 0)
    across = np.maximum(np.abs(delta[..., 1] * cos - delta[..., 0] * sin) - cars[:, None, 4], 0)
    lack = picture.cities[0].radius - np.hypot(along, across)
    assert [
        (int(owner[i]), picture.cities[j].name, float(lack[i, j])) for i, j in np.argwhere(lack > TOUCH).tolist()
    ] == []


@pytest.mark.parametrize("name", BOARDS)
def test_cars_of_different_tracks_do_not_overlap(name: str) -> None:
    cars, owner = car_boxes(drawn(name))
    depths = geo.depth(cars, cars)
    depths[owner[:, None] == owner[None]] = 0.0
    pairs = {(int(owner[i]), int(owner[j])) for i, j in np.argwhere(depths > TOUCH).tolist() if i < j}
    assert pairs == set()


@pytest.mark.parametrize("name", BOARDS)
def test_cars_of_one_track_do_not_overlap(name: str) -> None:
    cars, owner = car_boxes(drawn(name))
    depths = geo.depth(cars, cars)
    np.fill_diagonal(depths, 0.0)
    assert depths[owner[:, None] == owner[None]].max() <= TOUCH


@pytest.mark.parametrize("name", BOARDS)
def test_every_track_has_its_cars_from_a_to_b(name: str) -> None:
    picture, source = drawn(name), board(name)
    assert [line.track for line in picture.tracks] == list(range(len(source.tracks)))
    for line, track in zip(picture.tracks, source.tracks, strict=True):
        assert len(line.cars) == track.length
        if track.length > 1:
            start = np.array([picture.cities[track.a].x, picture.cities[track.a].y])
            ways = [float(np.hypot(car.x - start[0], car.y - start[1])) for car in (line.cars[0], line.cars[-1])]
            assert ways[0] < ways[1]


@pytest.mark.parametrize("name", BOARDS)
def test_cities_stay_near_their_place_on_earth(name: str) -> None:
    assert max(float(np.hypot(*city.nudge)) for city in board(name).cities) < 60


def test_border_spaces_are_gates_named_by_their_country() -> None:
    gates = [place for place in drawn("germany").cities if place.country]
    assert len(gates) == 14
    assert all(gate.label.lines[0][2] == (gate.country or "").upper() for gate in gates)
    assert len(grouped(parsed(draw_board(board("germany"))), "gate")) == 14


def test_parallel_tracks_may_be_given_in_either_direction() -> None:
    picture = lay_out(small_board())
    first, second = picture.tracks[0].cars, picture.tracks[1].cars
    assert np.hypot(first[0].x - second[-1].x, first[0].y - second[-1].y) < 2 * picture.car_width


# --- passengers and stations -----------------------------------------------------------------------------------------


def figure_boxes(found: dict[str, passenger_slots.PassengerSlot], counts: dict[str, int]) -> geo.Boxes:
    rows = [
        (x, y, 0.0, passenger_slots.CELL[0] / 2 * slot.zoom, passenger_slots.CELL[1] / 2 * slot.zoom)
        for name, slot in found.items()
        for x, y in slot.spots(counts[name])
    ]
    return np.array(rows)


@pytest.mark.parametrize("left", [1, 2, 3, 5])
def test_passengers_cover_no_label_car_disc_or_each_other(left: int) -> None:
    picture, people = drawn("germany"), full_crowd("germany")
    found = passenger_slots.slots(board("germany"), picture, people)
    counts = {name: min(len(colours), left) for name, colours in people.items()}
    assert set(found) == {name for name, count in counts.items() if count}
    boxes = figure_boxes(found, counts)
    assert len(boxes) == sum(counts.values())
    assert geo.depth(boxes, geo.label_boxes([place.label for place in picture.cities])).max() <= TOUCH
    assert geo.depth(boxes, car_boxes(picture)[0]).max() <= TOUCH
    discs = np.array([(place.x, place.y) for place in picture.cities])
    aside = np.maximum(np.abs(discs[None] - boxes[:, None, :2]) - boxes[:, None, 3:], 0)
    assert np.hypot(aside[..., 0], aside[..., 1]).min() >= picture.cities[0].radius - TOUCH
    slots = np.array([(slot.x, slot.y, 0.0, slot.width / 2, slot.height / 2) for slot in found.values()])
    depths = geo.depth(slots, slots)
    np.fill_diagonal(depths, 0.0)
    assert depths.max() <= TOUCH
    assert (boxes[:, :2] - boxes[:, 3:]).min() > 0
    assert (boxes[:, :2] + boxes[:, 3:] < (picture.width, picture.height)).all()


def test_passengers_are_nearer_to_their_own_city_than_to_any_other() -> None:
    picture = drawn("germany")
    for name, slot in passenger_slots.slots(board("germany"), picture, {}).items():
        ways = {}
        for place in picture.cities:
            x, y = max(abs(place.x - slot.x) - slot.width / 2, 0), max(abs(place.y - slot.y) - slot.height / 2, 0)
            ways[place.name] = float(np.hypot(x, y))
        assert min(ways, key=lambda city: ways[city]) == slot.place.name, name


@pytest.mark.parametrize("left", [1, 2, 3, 5])
def test_no_line_to_passengers_crosses_a_label(left: int) -> None:
    picture, people = drawn("germany"), full_crowd("germany")
    rows = []
    for name, slot in passenger_slots.slots(board("germany"), picture, people).items():
        if ends := passenger_slots.tether(slot, slot.spots(min(len(people[name]), left))):
            x, y, far_x, far_y = ends
            rows.append(
                (
                    (x + far_x) / 2,
                    (y + far_y) / 2,
                    np.arctan2(far_y - y, far_x - x),
                    np.hypot(far_x - x, far_y - y) / 2,
                    0.8,
                )
            )
    assert rows
    assert geo.depth(np.array(rows), geo.label_boxes([place.label for place in picture.cities])).max() <= TOUCH


def test_passengers_keep_their_slot_when_some_leave() -> None:
    source, picture, people = board("germany"), drawn("germany"), full_crowd("germany")
    fewer = {name: colours[1:] for name, colours in people.items()}
    assert passenger_slots.slots(source, picture, people) == passenger_slots.slots(source, picture, fewer)


def test_any_number_of_passengers_is_drawn() -> None:
    svg = draw_board(small_board(), passengers={"Kampala": ["red"] * 23, "Nairobi": [], "Atlantis": ["blue"]})
    assert len(figures(parsed(svg))) == 23


@pytest.mark.parametrize("theme", THEME_NAMES)
def test_passengers_stand_out_and_are_told_by_their_marks(theme: str) -> None:
    look = THEMES[theme]
    assert set(BADGES) == set(CARD_COLOURS)
    assert len(set(BADGES.values())) == len(CARD_COLOURS)
    for colour, paint in look.figures.items():
        assert contrast(paint.fill, paint.mark) >= 3, colour
        assert contrast(look.players[0].mark, paint.edge) >= 7, colour
    assert max(contrast(look.players[0].mark, look.land), contrast(look.figures["black"].edge, look.land)) >= 7
    svg = draw_board(board("germany"), theme=theme, passengers=full_crowd("germany"))
    shown = {use.get("href") for use in figures(parsed(svg))}
    defined = {f"#{item.get('id')}": item for item in parsed(svg).iter(f"{SVG}g") if item.get("id")}
    assert len(shown) == 6
    assert all(
        len(list(defined[href or ""].iter(f"{SVG}path"))) + len(list(defined[href or ""].iter(f"{SVG}circle"))) == 3
        for href in shown
    )
    assert len(svg.encode()) < 400_000


def contrast(first: str, second: str) -> float:
    """Contrast of two colours after WCAG, 1 to 21."""
    lights = []
    for colour in (first, second):
        parts = [value / 255 for value in bytes.fromhex(colour[1:])]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05)
    return max(lights) / min(lights)


@pytest.mark.parametrize("name", BOARDS)
def test_no_station_lies_on_a_label(name: str) -> None:
    picture = drawn(name)
    found = [float(value) for value in re.findall(r"-?\d+\.?\d*", STATION_SHAPE)]
    left, bottom, top, rim = found[0], found[1], found[4], 2.0
    assert (left, bottom, top) == (-8, 7.6, -9)
    rows = []
    for place in picture.cities:
        zoom = place.radius / 8.5
        rows.append(
            (
                place.x,
                place.y + house_shift(place) + zoom * (top + bottom) / 2,
                0.0,
                zoom * (rim - left),
                zoom * (rim + 8.3),
            )
        )
    depths = geo.depth(np.array(rows), geo.label_boxes([place.label for place in picture.cities]))
    assert depths.max() <= TOUCH


# --- legend ----------------------------------------------------------------------------------------------------------

NAMES = ["Anna", "Bartholomäus von und zu Habsburg-Lothringen", "Cleo <&> 'Co'", " ", "Eve"]
LONG = "Final score: Anna 112 · Bartholomäus 98 · Cleo 87 · David 140 · player 5 101"


@cache
def painter_of(name: str) -> Painter:
    return Painter(board(name), THEMES["light"], "light", figures=figures_of(board(name), {}))


def legend_spots(item: ET.Element, x: float = 0.0, y: float = 0.0) -> list[tuple[float, float, float]]:
    """Left, right and baseline of each text."""
    if found := re.match(r"translate\(([-\d.]+) ([-\d.]+)\)", item.get("transform", "")):
        x, y = x + float(found[1]), y + float(found[2])
    spots = []
    if item.tag == f"{SVG}text":
        spacing = float(item.get("letter-spacing", "0"))
        size = float(item.get("font-size", "0"))
        width = text_width(item.text or "", size) + spacing * len(item.text or "")
        start = {"middle": -width / 2, "end": -width}.get(item.get("text-anchor", ""), 0.0) + float(item.get("x", "0"))
        spots.append((x + start, x + start + width, y + float(item.get("y", "0"))))
    for part in item:
        spots += legend_spots(part, x, y)
    return spots


@pytest.mark.parametrize("players", [0, 2, 3, 5])
@pytest.mark.parametrize("caption", [None, "Turn 28", LONG, 9 * LONG])
@pytest.mark.parametrize("names", [None, NAMES])
@pytest.mark.parametrize("name", BOARDS)
def test_the_legend_is_balanced(name: str, names: list[str] | None, caption: str | None, players: int) -> None:
    painter = painter_of(name)
    painter.names = names or ()
    svg, height = legend(painter, board(name).name, caption, range(players), range(players if name == "europe" else 0))
    spots, width = legend_spots(parsed(f'<svg xmlns="{SVG[1:-1]}">{svg}</svg>')), painter.drawn.width
    assert max(spot[2] for spot in spots) < height < 180
    assert min(spot[0] for spot in spots) >= -1
    assert max(spot[1] for spot in spots) <= width + 1
    for row in {round(spot[2]) for spot in spots}:
        line = sorted(spot for spot in spots if round(spot[2]) == row)
        assert all(first[1] <= second[0] + 1 for first, second in pairwise(line)), line
    rows = sorted({spot[2] for spot in spots})
    strips = [
        [spot for spot in spots if abs(spot[2] - row) < 24] for row in rows if row - rows[0] > 30 or len(rows) < 3
    ]
    assert all(max(spot[1] for spot in strip) > width * 0.85 for strip in strips), "a row ends in a void"


def test_the_legend_names_players() -> None:
    svg = draw_board(board("usa"), owners={0: 0, 1: 1}, names=NAMES)
    words = [item.text or "" for item in legend_of(svg).iter(f"{SVG}text")]
    assert "Anna" in words
    assert "Cleo <&> 'Co'" in words
    assert "player 4" in words
    assert any(word.startswith("Barth") and word.endswith("…") for word in words)
    assert "claimed by Bartholomäus von und zu Habsburg-Lothringen<" in svg
    plain = [item.text for item in legend_of(draw_board(board("usa"), owners={0: 0, 1: 3})).iter(f"{SVG}text")]
    assert "player 1" in plain
    assert "player 4" in plain
    assert "player 2" not in plain


def test_the_legend_explains_passengers_only_where_there_are_any() -> None:
    words = [item.text for item in legend_of(draw_board(board("germany"))).iter(f"{SVG}text")]
    assert "passengers" in words
    assert words.count("white") == 2
    assert words.count("purple") == 1
    assert "passengers" not in [item.text for item in legend_of(draw_board(board("usa"))).iter(f"{SVG}text")]
    assert "figure-" not in draw_board(board("usa"))


# --- boards of other people ------------------------------------------------------------------------------------------


def test_a_board_without_prepared_land_is_drawn() -> None:
    svg = draw_board(small_board(), owners={0: 4}, theme="dark")
    assert len(grouped(parsed(svg), "track")) == 6
    assert 'class="land"' in svg


@pytest.mark.parametrize("count", [0, 1, 2])
def test_tiny_boards_are_drawn(count: int) -> None:
    cities = (City("Here", 50.0, 179.9), City("There", 50.0, -179.9))[:count]
    tracks = (Track(0, 1, 2, "red"),) if count == 2 else ()
    parsed(draw_board(Board("tiny", "Tiny", cities, (), tracks, (), {}, {})))


def test_a_board_across_the_date_line_is_not_torn() -> None:
    sheet = fitted_sheet([178.0, -178.0], [-17.0, -14.0])
    x = sheet.place([178.0, -178.0], [-17.0, -14.0])[:, 0]
    assert 0 < x[0] < x[1] < sheet.width


def test_cities_far_too_close_still_get_their_cars() -> None:
    cities = (City("A", 50.0, 8.0), City("B", 50.01, 8.0), City("C", 50.0, 30.0), City("D", 50.0, 30.0))
    picture = lay_out(Board("close", "Close", cities, (), (Track(0, 1, 6, "red"), Track(2, 3, 2, "blue")), (), {}, {}))
    assert [len(line.cars) for line in picture.tracks] == [6, 2]


def test_an_unknown_land_or_size_is_explained() -> None:
    with pytest.raises(MapError, match=r"unknown land `atlantis`(.|\n)*europe"):
        lay_out(small_board(land="atlantis"))
    with pytest.raises(MapError, match="`car` must be a number"):
        lay_out(small_board(car="big"))


def test_any_board_may_use_prepared_land() -> None:
    assert set(BOARDS) <= set(known_land())
    cities = (City("Oslo", 59.91, 10.75), City("Roma", 41.9, 12.5))
    tracks = (Track(0, 1, 6, "red"),)
    parsed(draw_board(Board("axis", "Axis", cities, (), tracks, (), {}, {}, drawing={"land": "europe"})))


def test_land_is_compact() -> None:
    folder = Path(geo.__file__).parents[1] / "land"
    assert all(path.stat().st_size < 150_000 for path in folder.glob("*.json"))
    assert prepared_sheet("usa").layers["regions"]
    assert prepared_sheet("germany").layers["regions"]


# --- SVG -------------------------------------------------------------------------------------------------------------

HOSTILE = """<script>alert("1")</script>&amp;'"]]>\x00\x1b\ud800 Ωж東"""


def test_hostile_names_stay_text() -> None:
    source = small_board()
    cities = (replace(source.cities[0], name=HOSTILE, country=HOSTILE), *source.cities[1:])
    hostile = replace(source, id=HOSTILE, name=HOSTILE, cities=cities)
    svg = draw_board(
        hostile,
        title=HOSTILE,
        caption=HOSTILE,
        cities=[HOSTILE],
        stations={HOSTILE: 1},
        passengers={HOSTILE: [HOSTILE]},
        names=[HOSTILE] * 2,
    )
    root = parsed(svg)
    assert not list(root.iter(f"{SVG}script"))
    assert "alert" in (root.findtext(f"{SVG}title") or "")
    assert to_png(svg, 200).startswith(b"\x89PNG")


@pytest.mark.parametrize("theme", THEME_NAMES)
@pytest.mark.parametrize("name", BOARDS)
def test_every_theme_is_sound(name: str, theme: str) -> None:
    svg = draw_board(board(name), theme=theme)
    root = parsed(svg)
    assert root.get("viewBox")
    assert root.findtext(f"{SVG}title") == board(name).name
    assert len(svg.encode()) < 400_000
    ids = [item.get("id") for item in root.iter() if item.get("id")]
    assert len(ids) == len(set(ids))
    wanted = {(use.get("href") or "#")[1:] for use in root.iter(f"{SVG}use")}
    assert wanted <= set(ids)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_theme_has_a_paint_for_every_card_colour_and_player(theme: Theme) -> None:
    assert set(theme.spaces) == set(theme.figures) == {*CARD_COLOURS, GRAY}
    assert len(theme.players) == len({paint.fill for paint in theme.players}) == MAX_PLAYERS


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="light, dark, print, high_contrast"):
        draw_board(small_board(), theme="sepia")


def test_every_colour_has_its_own_mark() -> None:
    assert set(MARKS) == set(CARD_COLOURS)
    assert len(set(MARKS.values())) == len(CARD_COLOURS)
    svg = draw_board(board("usa"))
    assert all(mark in svg for mark in MARKS.values())


@pytest.mark.parametrize("name", BOARDS)
def test_tracks_show_cars_tunnels_and_ferries(name: str) -> None:
    source = board(name)
    groups = {int(item.get("data-track", "-1")): item for item in grouped(parsed(draw_board(source)), "track")}
    assert sorted(groups) == list(range(len(source.tracks)))
    for index, track in enumerate(source.tracks):
        assert uses(groups[index], track.colour) == track.length
        assert uses(groups[index], "tunnel") == (track.length if track.tunnel else 0)
        assert uses(groups[index], "locomotive") == track.ferry
        assert len(ferry_cars(track)) == track.ferry


def test_a_game_shows_its_pieces() -> None:
    europe = board("europe")
    pieces = {"stations": {"Paris": 2}, "passengers": {"Wien": ["red", "blue"]}}
    svg = draw_board(europe, owners={3: 1, 7: 4}, highlight=[7], path=[3, 7], cities=["Roma"], **pieces)  # type: ignore[arg-type]
    root = parsed(svg)
    claimed = {int(item.get("data-track", "-1")): item for item in grouped(root, "claimed")}
    assert {index: item.get("data-owner") for index, item in claimed.items()} == {3: "1", 7: "4"}
    assert uses(claimed[7], "train4") == europe.tracks[7].length
    assert [item.get("data-city") for item in grouped(root, "station")] == ["Paris"]
    assert [item.get("data-colour") for item in figures(root)] == ["red", "blue"]
    assert [item.get("data-city") for item in grouped(root, "lit")] == ["Roma"]
    assert len(grouped(root, "highlight")) == 1


def test_a_country_lights_all_its_gates_and_holds_its_passengers() -> None:
    root = parsed(draw_board(board("germany"), cities=["Schweiz"], passengers={"Schweiz": ["red"]}))
    assert len(grouped(root, "lit")) == 3
    assert len(figures(root)) == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"owners": {100: 0}}, "no track 100"),
        ({"owners": {0: MAX_PLAYERS}}, f"no player {MAX_PLAYERS}"),
        ({"highlight": [-1]}, "no track -1"),
        ({"names": ["Ada"] * (MAX_PLAYERS + 1)}, f"{MAX_PLAYERS + 1} names"),
    ],
)
def test_what_cannot_be_drawn_is_explained(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        draw_board(board("usa"), **arguments)  # type: ignore[arg-type]  # the point of the test


def test_same_input_gives_the_same_bytes() -> None:
    path = str(MAPS / "europe.toml")
    imports = "from whistlestop.draw import draw_board; from whistlestop.mapfile import load_board"
    code = f"{imports}; print(draw_board(load_board({path!r})))"
    runs = [subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in range(2)]
    assert runs[0] == runs[1]
    assert len(runs[0]) > 10_000


def test_drawing_is_fast() -> None:
    draw_board(board("germany"))
    times = []
    for _ in range(3):
        begin = time.process_time()
        draw_board(board("germany"))
        times.append(time.process_time() - begin)
    assert min(times) < 0.3


# --- PNG and font ----------------------------------------------------------------------------------------------------


def test_png_has_the_width_asked_for() -> None:
    svg = draw_board(small_board())
    png = to_png(svg, 640)
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    box = [float(value) for value in (parsed(svg).get("viewBox") or "").split()]
    assert width == 640
    assert abs(height - 640 * box[3] / box[2]) <= 1


def test_the_font_is_embedded_only_when_asked() -> None:
    assert "@font-face" in draw_board(small_board())
    assert "base64" not in draw_board(small_board(), embed_font=False)


def test_widths_are_those_of_the_font() -> None:
    with font_file("cabin-condensed.ttf").open("rb") as file:
        font = TTFont(file)
        table, advances, em = font.getBestCmap(), font["hmtx"], font["head"].unitsPerEm
    for name in BOARDS:
        for place in drawn(name).cities:
            for _, _, line in place.label.lines:
                real = sum(advances[table[ord(mark)]][0] for mark in line) / em * 20
                assert abs(text_width(line, 20) - real) < 0.2, line


def test_the_font_is_small_and_licensed() -> None:
    assert len(font_file("cabin-condensed.ttf").read_bytes()) < 60_000
    assert "SIL Open Font License" in font_file("OFL.txt").read_text(encoding="utf-8")


def test_coordinates_are_short() -> None:
    numbers = re.findall(r"translate\(([-\d. ]+)\)", draw_board(board("usa")))
    assert all(re.fullmatch(r"-?\d+(\.\d)? -?\d+(\.\d)?|-?\d+(\.\d)?", value) for value in numbers)
