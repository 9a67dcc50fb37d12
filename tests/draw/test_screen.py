"""Boards for the browser: the same as the printed ones, as plain and small data."""

from __future__ import annotations

import gzip
import json
import re
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from whistlestop.draw import lay_out
from whistlestop.draw.screen import board_data, coarse, path_in, picture, shapes
from whistlestop.draw.svg import MARKS
from whistlestop.draw.themes import BROWSER_THEMES, THEMES
from whistlestop.mapfile import CARD_COLOURS, Edition, editions, load_edition
from whistlestop.server.board_messages import BoardData

ROOT = Path(__file__).parents[2]
TOKENS = ROOT / "web" / "src" / "styles" / "tokens.css"
EDITIONS = pytest.mark.parametrize("edition", editions(), ids=lambda edition: edition.id)


@EDITIONS
def test_every_city_and_track_is_there(edition: Edition) -> None:
    data, board, drawn = board_data(edition), edition.board, lay_out(edition.board)
    assert [city["name"] for city in data["cities"]] == [city.name for city in board.cities]
    assert [track["track"] for track in data["tracks"]] == list(range(len(board.tracks)))
    for sent, track, line in zip(data["tracks"], board.tracks, drawn.tracks, strict=True):
        assert {sent["from"], sent["to"]} == {board.cities[track.a].name, board.cities[track.b].name}
        assert (sent["length"], sent["colour"], sent["tunnel"], sent["ferry"]) == (
            track.length,
            track.colour,
            track.tunnel,
            track.ferry,
        )
        assert sent["points"] == board.points[track.length]
        assert sent["path"] == line.path
        assert bool(sent["waves"]) == bool(track.ferry)
        assert len(sent["symbols"]) == track.ferry
        assert len(sent["cars"]) == track.length
        for car, drawn_car in zip(sent["cars"], line.cars, strict=True):
            assert (car["x"], car["y"]) == pytest.approx((drawn_car.x, drawn_car.y), abs=0.051)
            assert car["angle"] == pytest.approx(drawn_car.angle, abs=0.051)


@EDITIONS
def test_it_is_what_the_message_promises(edition: Edition) -> None:
    """Neither more nor less: the client's types are made from the model, the data is not."""
    data = board_data(edition)
    assert BoardData.model_validate(data).model_dump(mode="json", by_alias=True, exclude_unset=True) == data


@EDITIONS
def test_parallel_tracks_know_each_other(edition: Edition) -> None:
    tracks = board_data(edition)["tracks"]
    for track in tracks:
        assert track["track"] in track["parallel"]
        assert all({tracks[k]["from"], tracks[k]["to"]} == {track["from"], track["to"]} for k in track["parallel"])


@EDITIONS
def test_it_is_plain_and_small(edition: Edition) -> None:
    data = board_data(edition)
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    assert json.loads(text) == data
    assert len(gzip.compress(text.encode())) < 80_000


@EDITIONS
def test_every_passenger_has_a_place(edition: Edition) -> None:
    data, board = board_data(edition), edition.board
    room = {city.name: city.passengers for city in board.cities if city.passengers}
    room |= {country.name: country.passengers for country in board.countries if country.passengers}
    assert {slot["place"]: len(slot["spots"]) for slot in data["slots"]} == room
    for slot in data["slots"]:
        assert [len(spots) for spots in slot["spots"]] == list(range(1, room[slot["place"]] + 1))
        assert len(slot["tethers"]) == len(slot["spots"])
        assert all(0 < x < data["width"] and 0 < y < data["height"] for spots in slot["spots"] for x, y in spots)


@EDITIONS
def test_rules_come_from_the_edition(edition: Edition) -> None:
    data = board_data(edition)
    assert (data["edition"], data["stations"], data["trains"]) == (edition.id, edition.stations, edition.trains)
    assert data["station_points"] == edition.station_points
    assert {int(length): points for length, points in data["points"].items()} == edition.board.points


def test_layers_of_land_lie_in_order() -> None:
    kinds = [layer["kind"] for layer in board_data(load_edition("germany"))["land"]]
    assert kinds[:6] == ["sea", "grid", "shore", "shore", "shore", "abroad"]
    assert "land" in kinds[6:]
    for layer in board_data(load_edition("usa"))["land"]:
        assert bool(layer["path"]) != ("of" in layer)


def test_shapes_are_paths() -> None:
    found = shapes()
    assert set(found["marks"]) == set(found["badges"]) == set(CARD_COLOURS) == set(MARKS)
    for path in (
        *found["marks"].values(),
        *found["badges"].values(),
        found["locomotive"],
        found["house"],
        found["figure"],
    ):
        assert path.startswith("M")
    with pytest.raises(ValueError, match="neither a path nor a circle"):
        path_in("<rect/>")


def test_the_browser_has_these_shapes() -> None:
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        import write_shapes
    finally:
        sys.path.pop(0)
    target = ROOT / "web" / "src" / "ui" / "shapes.ts"
    assert target.read_text(encoding="utf-8") == write_shapes.typescript(), (
        "run `uv run python scripts/write_shapes.py`"
    )


def tokens(browser_theme: str) -> dict[str, str]:
    """The custom properties of the client's style sheet, as one theme sees them."""
    blocks = re.findall(r"(:root[^{]*){(.*?)}", TOKENS.read_text(encoding="utf-8"), re.DOTALL)
    wanted = (":root", f':root[data-theme="{browser_theme}"]')
    found: dict[str, str] = {}
    for selector, body in blocks:
        if selector.strip() in wanted:
            found |= re.findall(r"--([\w-]+): ([^;]+);", body)
    pair = re.compile(r"light-dark\((#\w+), (#\w+)\)")
    return {name: pair.sub(r"\2" if browser_theme == "dark" else r"\1", value) for name, value in found.items()}


BOARD_TOKENS = ("sea", "shore", "land", "abroad", "coast", "river", "region", "border", "grid", "halo", "bed", "wave",
                "glow", "beacon", "ink", "paper")  # fmt: skip


@pytest.mark.parametrize("browser_theme", BROWSER_THEMES)
def test_the_client_has_the_colours_of_the_themes(browser_theme: str) -> None:
    theme, found = THEMES[BROWSER_THEMES[browser_theme]], tokens(browser_theme)
    expected = {name: getattr(theme, name) for name in BOARD_TOKENS}
    expected |= {colour: paint.fill for colour, paint in theme.spaces.items()}
    expected |= {f"player{seat}": paint.fill for seat, paint in enumerate(theme.players)}
    expected |= {"player-edge": theme.players[0].edge, "player-rim": theme.players[0].mark}
    assert {name: found.get(name) for name in expected} == expected
    assert f"player{len(theme.players)}" not in found


@EDITIONS
@pytest.mark.parametrize("theme", BROWSER_THEMES)
def test_a_picture_is_small_and_sound(edition: Edition, theme: str) -> None:
    svg = picture(edition, theme)
    assert len(svg.encode()) < 40_000
    root = ET.fromstring(svg)
    assert len(root.findall(".//{http://www.w3.org/2000/svg}circle")) == len(edition.board.cities)
    assert "style" not in svg


def test_a_picture_needs_a_known_theme() -> None:
    with pytest.raises(ValueError, match="use one of light, dark, contrast"):
        picture(editions()[0], "pink")


def test_a_coarse_path_keeps_its_shape_and_drops_specks() -> None:
    square = "M0,0l100,0 0,100-100,0z"
    assert coarse(square) == "M0 0l100 0 0 100-100 0z"
    assert coarse(square + "M500,500l5,0 0,5z") == coarse(square)


def test_a_board_of_ones_own_is_drawn_too() -> None:
    data = board_data(load_edition(ROOT / "tests" / "support" / "mapfiles" / "valley.toml"))
    assert data["land"][0]["kind"] in ("sea", "land")
    assert all(track["cars"] for track in data["tracks"])
