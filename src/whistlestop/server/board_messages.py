"""Messages about boards: one with everything the client needs to draw it, whose data `draw/screen.py` makes."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from whistlestop.server.messages import Data, EditionData

Point = tuple[float, float]


class CarData(Data):
    """Where one car of a track stands, and its direction in degrees."""

    x: float
    y: float
    angle: float


class LabelData(Data):
    """The name beside a city: its box, and its lines as x, y and text."""

    x: float
    y: float
    width: float
    height: float
    side: str
    anchor: Literal["start", "middle", "end"]
    lines: list[tuple[float, float, str]]


class CityData(Data):
    """A city, or a gate to a country."""

    name: str
    x: float
    y: float
    radius: float
    country: str | None
    angle: float
    """Direction in which a gate's track leaves."""
    house: float
    """How far below the middle of the disc its station stands."""
    label: LabelData


class TrackData(Data):
    """One line of spaces between two cities."""

    track: int
    from_: str = Field(alias="from")
    to: str
    length: int
    colour: str
    tunnel: bool
    ferry: int
    points: int
    parallel: list[int]
    """Tracks between the same two cities, this one included."""
    cars: list[CarData]
    symbols: list[int]
    """Cars of a ferry that need a locomotive, by their place."""
    path: str
    waves: str
    """Waves of a ferry, an SVG path; empty for others."""


class SlotData(Data):
    """Where the passengers of a place stand."""

    place: str
    spots: list[list[Point]]
    """Where 1, 2, … of them stand: spots[count - 1]."""
    zoom: float
    tethers: list[tuple[float, float, float, float] | None]
    """Line to the disc when they stand away from it, by count; None where there is none."""


class LandData(Data):
    """A layer of the land."""

    kind: str
    """sea, grid, shore, abroad, land, region, river, lake, border: a class that the style sheet knows."""
    path: str
    of: str | None = None
    """The layer whose path this one repeats; its own is then empty."""
    scale: float
    """From the path's numbers to the board's."""
    width: float | None = None
    """Of its line, in the path's numbers."""
    opacity: float | None = None


class BoardData(Data):
    """Everything to draw an edition's board, from the same geometry as the printed boards."""

    edition: str
    board: str
    name: str
    width: float
    height: float
    car_length: float
    car_width: float
    font_size: float
    gate_font_size: float
    """Type of the countries' names."""
    gate_spacing: float
    land: list[LandData]
    """Layers from the bottom up."""
    compass: CarData | None
    cities: list[CityData]
    tracks: list[TrackData]
    slots: list[SlotData]
    points: dict[str, int]
    """By track length."""
    stations: int
    trains: int
    station_points: int
    passenger_colours: dict[str, int]


class BoardLimits(Data):
    """Whether boards of one's own can be played here."""

    enabled: bool
    largest: int
    """Bytes of a map file."""
    playtest_games: int
    """That bots play with each number of players to measure one; none where nothing is measured here."""


class OwnBoardData(Data):
    """A board that was brought and can be played."""

    hash: str
    name: str
    editions: list[EditionData]
    remarks: list[str]
    """What its maker may want to change."""


class PlaytestData(Data):
    """Games of bots on a board that somebody brought, to measure it."""

    id: str
    edition: str
    status: Literal["waiting", "getting_ready", "running", "done", "failed"]
    """Other boards come first; something is compiled, once on a machine; bots play; there is a page; there is none."""
    done: int
    """Games."""
    all: int
    """Games of all numbers of players together; 0 before bots play."""
    code: str | None
    """Why it failed."""
    message: str | None
    """The same in words."""
