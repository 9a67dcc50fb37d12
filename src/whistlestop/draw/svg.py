"""A board, or a game on it, as SVG text.

The layers are those of a printed map: sea, land, rails, cars, cities, names, pieces; below them a legend. Groups carry
classes and `data-` attributes, and looks are presentation attributes, so a page can restyle anything with plain CSS.
All names are escaped.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Mapping, Sequence
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from whistlestop.draw.geometry import GATE_SPACING, GATE_TYPE, Car, DrawnCity, DrawnTrack, lay_out, sheet_of
from whistlestop.draw.map_sheet import MapSheet
from whistlestop.draw.passenger_slots import CHEST, PASSENGER_SHAPE, PassengerSlot, slots, tether
from whistlestop.draw.themes import Paint, Theme, mix
from whistlestop.mapfile import CARD_COLOURS, GRAY, Board, MapError, Track

MARKS = {
    "purple": '<path d="M0-4.4 4.4 0 0 4.4-4.4 0z"/>',
    "blue": '<path d="M-9-1.3H9V1.3H-9z"/>',
    "orange": '<path d="M-6-4-2.8-4 1 0-2.8 4-6 4-2.2 0zM0-4 3.2-4 7 0 3.2 4 0 4 3.8 0z"/>',
    "white": '<path d="M0-4.3a4.3 4.3 0 1 0 .1 0zM0-2.3a2.3 2.3 0 1 1-.1 0z"/>',
    "green": '<path d="M-3.6-4.2 4.6 0-3.6 4.2z"/>',
    "yellow": '<circle r="3.4"/>',
    "black": '<path d="M-4.2-4.2h2.6v8.4h-2.6zM1.6-4.2h2.6v8.4H1.6z"/>',
    "red": '<path d="M-1.3-4.4H1.3V-1.3H4.4V1.3H1.3V4.4H-1.3V1.3H-4.4V-1.3H-1.3z"/>',
}
"""A sign for each colour, for a car about 13 wide; gray has none."""

BADGES = MARKS | {
    "blue": '<path d="M-4.6-1.5H4.6V1.5H-4.6z"/>',
    "orange": '<path d="M-4.6-4-1.6-4 1.6 0-1.6 4-4.6 4-1.4 0zM-.2-4 2.8-4 6 0 2.8 4-.2 4 3 0z"/>',
}
"""The same signs, narrow enough for a passenger."""

LOCOMOTIVE_SHAPE = (
    '<path d="M-9.5-4.6h6v2.2h6V-4.9h2.8v2.5h1.4q1.6 0 1.6 1.7v2.4l2.2 2.2h-2.6'
    'a2.1 2.1 0 0 1-4.1 0h-1.6a2.1 2.1 0 0 1-4.1 0h-1.6a2.1 2.1 0 0 1-4.1 0h-1.1v-6.5h-.8z"/>'
)
STATION_SHAPE = "M-8 7.6V-3.3L0-9 8-3.3V7.6z"
"""For a disc with a radius of 8.5."""
COMPASS = ("M0-46 7-7 0 0z", "M0-30 5.5-8 0 0z")
"""Half of a long and of a short point of the compass rose."""
SHORES = ((240, 0.28), (150, 0.4), (70, 0.65))
"""Lines along the coast: width in tenths of a drawing unit, and opacity."""
LAND_LINES = {"land": 11, "regions": 11, "rivers": 14, "lakes": 9, "borders": 16}
"""Width of the lines of the land's layers, in tenths of a drawing unit."""

NOT_XML = re.compile(r"[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML can't hold, not even escaped; they are dropped."""


def escaped(text: object) -> str:
    """Make any text safe inside XML."""
    return escape(NOT_XML.sub("", str(text)))


def quoted(text: object) -> str:
    """Write any text as an attribute's value, with its quotes."""
    return quoteattr(NOT_XML.sub("", str(text)))


def num(value: float) -> str:
    """Write a number with at most one decimal."""
    text = f"{value:.1f}"
    return "0" if text == "-0.0" else text.removesuffix(".0")


def centred(half: float, wide: float, radius: float) -> str:
    """Attributes of a rectangle around the origin, from half its sides, with rounded corners."""
    size = f'width="{num(2 * half)}" height="{num(2 * wide)}"'
    return f'x="{num(-half)}" y="{num(-wide)}" {size} rx="{num(radius)}"'


def upright(angle: float) -> float:
    """Turn a direction by half a turn if things in it would stand on their head."""
    turned = (angle + 90) % 180 - 90
    return 90.0 if turned == -90 else turned


def spot(car: Car) -> str:
    """Transform to a car's place."""
    return f'transform="translate({num(car.x)} {num(car.y)})rotate({num(upright(car.angle))})"'


class Painter:
    """Draws one picture; holds what all its parts share."""

    def __init__(
        self, board: Board, theme: Theme, name: str, names: Sequence[str] = (), figures: Sequence[str] = ()
    ) -> None:
        self.board, self.theme, self.drawn, self.sheet = board, theme, lay_out(board), sheet_of(board)
        self.names, self.figures = names, figures
        self.key = f"w{zlib.crc32(repr((board.id, name, self.drawn.car_length)).encode()):08x}"

    def player(self, player: int) -> str:
        """Name of a player."""
        name = " ".join(NOT_XML.sub(" ", self.names[player]).split()) if player < len(self.names) else ""
        return name or f"player {player + 1}"

    # --- definitions -----------------------------------------------------------------------------------------------

    def definitions(self) -> str:
        """Shapes that are used many times."""
        drawn, theme = self.drawn, self.theme
        half, wide = drawn.car_length / 2, drawn.car_width / 2
        zoom = f'transform="scale({drawn.car_width / 13:.3f})"'
        parts = [
            f'<clipPath id="{self.key}-map"><rect width="{num(drawn.width)}" height="{num(drawn.height)}"/></clipPath>'
        ]
        body = f"<rect {centred(half, wide, wide * 0.45)}/>"
        for colour in (*CARD_COLOURS, GRAY):
            for name, pale in ((colour, 0.0), (f"free-{colour}", 1 - theme.free)):
                fill, edge, ink = (mix(tone, theme.land, pale) for tone in theme.spaces[colour])
                mark = f'<g {zoom} fill="{ink}" stroke="none">{MARKS[colour]}</g>' if colour in MARKS else ""
                parts.append(
                    f'<g id="{self.key}-{name}" fill="{fill}" stroke="{edge}" stroke-width="1.1">{body}{mark}</g>'
                )
        parts.append(f'<g id="{self.key}-locomotive" {zoom}>{LOCOMOTIVE_SHAPE}</g>')
        parts.append(f'<g id="{self.key}-tunnel">{self._portal()}</g>')
        parts += [f'<g id="{self.key}-train{k}">{self._train(k, paint)}</g>' for k, paint in enumerate(theme.players)]
        parts += [f'<g id="{self.key}-figure-{colour}">{self._figure(colour)}</g>' for colour in self.figures]
        return "<defs>" + "".join(parts) + "</defs>"

    def _portal(self) -> str:
        """Masonry around a tunnel's car: a dark band with joints."""
        half, wide = self.drawn.car_length / 2 + 1.1, self.drawn.car_width / 2 + 1.1
        rect = f'{centred(half, wide, wide * 0.5)} fill="none"'
        return (
            f'<rect {rect} stroke="{self.theme.ink}" stroke-width="3.4"/>'
            f'<rect {rect} stroke="{self.theme.halo}" stroke-width="2" stroke-dasharray="2.1 3"/>'
        )

    def _train(self, player: int, paint: Paint) -> str:
        """A player's train car with roof line, windows and the player's number."""
        half, wide = self.drawn.car_length / 2 + 0.4, self.drawn.car_width / 2 + 0.9
        rect = centred(half, wide, wide * 0.4)
        pane, inset = wide * 0.62, wide + 2.2
        room = half - inset
        panes = "".join(
            f'<rect x="{num(x)}" y="{num(-pane / 2 - 0.2)}" width="{num(room * 0.62)}" height="{num(pane)}" rx="1"/>'
            for x in (-half + 2.2, half - 2.2 - room * 0.62)
        )
        return (
            f'<rect {rect} fill="{paint.mark}" stroke="{paint.mark}" stroke-width="3.2"/>'
            f'<rect {rect} fill="{paint.fill}" stroke="{paint.edge}" stroke-width="1.3"/>'
            f'<g fill="{paint.mark}" fill-opacity=".82">{panes}</g><circle r="{num(wide - 0.9)}" fill="#fff"/>'
            f'<text y="{num(wide * 0.53)}" font-size="{num(wide * 1.5)}" text-anchor="middle" fill="#16130f">'
            f"{player + 1}</text>"
        )

    def _figure(self, colour: str) -> str:
        """A passenger with the colour's mark, a dark outline, and a pale rim that stands out from anything."""
        paint, rim = self.theme.figures[colour], self.theme.players[0].mark
        mark = (
            f'<g transform="translate(0 {CHEST})scale(.88)" fill="{paint.mark}">{BADGES[colour]}</g>'
            if colour in BADGES
            else ""
        )
        return (
            f'<path d="{PASSENGER_SHAPE}" fill="{rim}" stroke="{rim}" stroke-width="3" stroke-linejoin="round"/>'
            f'<path d="{PASSENGER_SHAPE}" fill="{paint.fill}" stroke="{paint.edge}" stroke-width="1.2" '
            f'stroke-linejoin="round"/>{mark}'
        )

    def use(self, name: str, transform: str) -> str:
        """Refer to a shape."""
        return f'<use href="#{self.key}-{name}" {transform}/>'

    # --- land ------------------------------------------------------------------------------------------------------

    def background(self) -> str:
        """Sea, coast, land, waters and borders."""
        drawn, theme, layers = self.drawn, self.theme, self.sheet.layers
        sea = theme.sea if layers.get("land") else theme.land
        parts = [f'<rect width="{num(drawn.width)}" height="{num(drawn.height)}" fill="{sea}"/>']
        if layers.get("land"):
            parts.append(
                f'<path class="graticule" d="{graticule(self.sheet, self.board)}" '
                f'fill="none" stroke="{theme.grid}" stroke-width=".8"/>'
            )
            parts.append(
                f'<g transform="scale(.1)" stroke-linejoin="round" stroke-linecap="round">{self._layers(layers)}</g>'
            )
        if spot := compass_spot(self.board):
            parts.append(self._compass(*spot))
        return f'<g class="background" clip-path="url(#{self.key}-map)" aria-hidden="true">{"".join(parts)}</g>'

    def _layers(self, layers: Mapping[str, str]) -> str:
        theme, shape, wide = self.theme, f"#{self.key}-land", LAND_LINES
        parts = [f'<defs><path id="{shape[1:]}" d="{layers["land"]}" fill-rule="evenodd"/></defs>']
        for width, opacity in SHORES:
            style = f'stroke="{theme.shore}" stroke-width="{width}" stroke-opacity="{opacity}"'
            parts.append(f'<use href="{shape}" fill="none" {style}/>')
        ground = theme.abroad if layers.get("home") else theme.land
        parts.append(
            f'<use href="{shape}" class="land" fill="{ground}" stroke="{theme.coast}" stroke-width="{wide["land"]}"/>'
        )
        if layers.get("home"):
            parts.append(f'<path class="home" d="{layers["home"]}" fill-rule="evenodd" fill="{theme.land}"/>')
        if layers.get("regions"):
            style = f'fill="none" stroke="{theme.region}" stroke-width="{wide["regions"]}"'
            parts.append(f'<path class="regions" d="{layers["regions"]}" {style}/>')
        if layers.get("rivers"):
            style = f'fill="none" stroke="{theme.river}" stroke-width="{wide["rivers"]}"'
            parts.append(f'<path class="rivers" d="{layers["rivers"]}" {style}/>')
        if layers.get("lakes"):
            style = f'fill="{theme.sea}" stroke="{theme.coast}" stroke-width="{wide["lakes"]}"'
            parts.append(f'<path class="lakes" d="{layers["lakes"]}" fill-rule="evenodd" {style}/>')
        if layers.get("borders"):
            style = (
                f'fill="none" stroke="{theme.border}" stroke-width="{wide["borders"]}" stroke-dasharray="70 28 12 28"'
            )
            parts.append(f'<path class="borders" d="{layers["borders"]}" {style}/>')
        return "".join(parts)

    def _compass(self, x: float, y: float) -> str:
        """A compass rose that points to the real north of its place."""
        ink, turn = self.theme.coast, north_at(self.sheet, self.board, x, y)
        long, short = COMPASS
        halves = "".join(
            f'<g transform="rotate({angle})"><path d="{shape}" fill="{ink}"/>'
            f'<path d="{shape}" transform="scale(-1 1)" fill="{self.theme.halo}"/></g>'
            for start, shape in ((45, short), (0, long))
            for angle in range(start, 360, 90)
        )
        rings = (
            '<g fill="none"><circle r="22" stroke-width="2.2" stroke-dasharray="1 2.84"/>'
            '<circle r="25"/><circle r="19"/></g>'
        )
        letter = f'<text y="-51" font-size="16" text-anchor="middle" fill="{ink}" stroke="none">N</text>'
        place = f'transform="translate({num(x)} {num(y)})rotate({num(turn)})"'
        style = f'stroke="{ink}" stroke-width=".7" stroke-linejoin="round" opacity=".8"'
        return f'<g class="compass" {place} {style}>{rings}{halves}{letter}</g>'

    def frame(self) -> str:
        """The neat line of an old map around the picture: a bar of alternating pieces between two lines."""
        drawn, ink = self.drawn, self.theme.ink

        def rect(out: float) -> str:
            size = f'width="{num(drawn.width + 2 * out)}" height="{num(drawn.height + 2 * out)}"'
            return f'<rect x="{num(-out)}" y="{num(-out)}" {size} fill="none" stroke-width="1.1"/>'

        def bars(length: float, line: str) -> str:
            piece = (length + 8) / (2 * round(length / 100) + 1)
            return f'<path d="{line}" stroke-width="5" stroke-opacity=".65" stroke-dasharray="{piece:.3f}"/>'

        right, bottom = num(drawn.width + 4), num(drawn.height + 4)
        sides = bars(drawn.width, f"M-4-4H{right}M-4 {bottom}H{right}") + bars(
            drawn.height, f"M-4-4V{bottom}M{right}-4V{bottom}"
        )
        return f'<g class="frame" fill="none" stroke="{ink}" aria-hidden="true">{sides}{rect(1)}{rect(7)}</g>'

    # --- tracks ----------------------------------------------------------------------------------------------------

    def beds(self) -> str:
        """Rails with sleepers under each track; a wavy line under a ferry."""
        rails, waves = [], []
        for line in self.drawn.tracks:
            if self.board.tracks[line.track].ferry:
                waves.append(wavy(line, self.drawn.car_width / 2 + 3.2))
            else:
                rails.append(line.path)
        style = f'fill="none" stroke="{self.theme.bed}"'
        sleepers = f'<path d="{"".join(rails)}" {style} stroke-width="6.5" stroke-dasharray="1.3 3.7"/>'
        rail = f'<path d="{"".join(rails)}" {style} stroke-width="1.6"/>'
        style = f'fill="none" stroke="{self.theme.wave}" stroke-width="1.3" stroke-opacity=".75" stroke-linecap="round"'
        wave = f'<path d="{"".join(waves)}" {style}/>' if waves else ""
        return f'<g class="beds" aria-hidden="true">{sleepers}{rail}{wave}</g>'

    def track(self, line: DrawnTrack, owner: int | None, *, pale: bool) -> str:
        """One track: its spaces, or the trains on it."""
        track = self.board.tracks[line.track]
        colour = track.colour if track.colour in self.theme.spaces else GRAY
        shape = f"train{owner}" if owner is not None else f"free-{colour}" if pale else colour
        symbols = ferry_cars(track) if owner is None else set()
        parts = [
            f"<title>{escaped(track_words(self.board, track, None if owner is None else self.player(owner)))}</title>"
        ]
        for k, car in enumerate(line.cars):
            place = spot(car)
            parts += [self.use("tunnel", place)] * track.tunnel + [self.use(shape, place)]
            if k in symbols:
                ink = "#1b1a18" if colour == GRAY else self.theme.spaces[colour].mark
                parts.append(f'<g class="symbol" fill="{ink}">{self.use("locomotive", place)}</g>')
        kind = f"track {colour}" + (" claimed" if owner is not None else "")
        return f'<g class="{kind}" {self._track_data(line.track, colour, owner)}>{"".join(parts)}</g>'

    def _track_data(self, index: int, colour: str, owner: int | None) -> str:
        """Attributes by which a page finds and styles a track."""
        track = self.board.tracks[index]
        a, b = (quoted(self.board.cities[end].name) for end in (track.a, track.b))
        data = f'data-track="{index}" data-from={a} data-to={b} data-length="{track.length}" data-colour="{colour}"'
        data += ' data-tunnel="1"' if track.tunnel else ""
        data += f' data-ferry="{track.ferry}"' if track.ferry else ""
        return data + (f' data-owner="{owner}"' if owner is not None else "")

    def tracks(self, owners: Mapping[int, int]) -> str:
        """All tracks; free ones first, so that trains lie on top."""
        order = sorted(self.drawn.tracks, key=lambda line: (line.track in owners, line.track))
        drawn = "".join(self.track(line, owners.get(line.track), pale=bool(owners)) for line in order)
        return f'<g class="tracks">{drawn}</g>'

    def glow(self, tracks: Iterable[int], name: str, wider: float, opacity: float) -> str:
        """A light along some tracks."""
        paths = "".join(self.drawn.tracks[k].path for k in tracks)
        if not paths:
            return ""
        width = num(self.drawn.car_width + wider)
        style = f'stroke="{self.theme.glow}" stroke-width="{width}" stroke-opacity="{opacity:g}" stroke-linecap="round"'
        return f'<path class="{name}" d="{paths}" fill="none" {style}/>'

    def last_move(self, tracks: Sequence[int]) -> str:
        """A ring around each car of some tracks."""
        half, wide = self.drawn.car_length / 2 + 3.4, self.drawn.car_width / 2 + 3.4
        rect = f'x="{num(-half)}" y="{num(-wide)}" width="{num(2 * half)}" height="{num(2 * wide)}" rx="5"'
        cars = "".join(f"<rect {rect} {spot(car)}/>" for k in tracks for car in self.drawn.tracks[k].cars)
        style = f'fill="{self.theme.glow}" stroke="{self.theme.ink}" stroke-width=".8"'
        return f'<g class="highlight" {style}>{cars}</g>' if cars else ""

    # --- cities ----------------------------------------------------------------------------------------------------

    def cities(self, beacons: Sequence[str]) -> str:
        """Discs, gates, and rings around the cities that are pointed out; a country's name points out all its gates."""
        parts = []
        for place in self.drawn.cities:
            lit = place.name in beacons or (place.country is not None and place.country in beacons)
            ring = self._beacon(place) if lit else ""
            country = f" data-country={quoted(place.country)}" if place.country else ""
            kind = "gate" if place.country else "city"
            body = self._gate(place) if place.country else self._disc(place)
            parts.append(
                f'<g class="{kind}{" lit" if lit else ""}" data-city={quoted(place.name)}{country} '
                f'transform="translate({num(place.x)} {num(place.y)})">{ring}{body}</g>'
            )
        return f'<g class="cities">{"".join(parts)}</g>'

    def _beacon(self, place: DrawnCity) -> str:
        colour = self.theme.beacon
        style = f'fill="{colour}" fill-opacity=".22" stroke="{colour}" stroke-width="2.6"'
        return f'<circle r="{num(place.radius + 5.5)}" {style}/>'

    def _disc(self, place: DrawnCity) -> str:
        theme, radius = self.theme, place.radius
        return (
            f'<circle r="{num(radius)}" fill="{theme.ink}"/><circle r="{num(radius * 0.78)}" fill="{theme.halo}"/>'
            f'<circle r="{num(radius * 0.48)}" fill="{theme.accent}"/>'
        )

    def _gate(self, place: DrawnCity) -> str:
        """A border post: a square in bars, turned to its track."""
        theme, side = self.theme, place.radius * 0.92
        bar = side * 2 / 5
        bars = "".join(
            f'<rect x="{num(-side + k * bar)}" y="{num(-side)}" width="{num(bar)}" height="{num(2 * side)}"/>'
            for k in (1, 3)
        )
        square = f'x="{num(-side)}" y="{num(-side)}" width="{num(2 * side)}" height="{num(2 * side)}"'
        return (
            f'<g transform="rotate({num(upright(place.angle))})"><rect {square} rx="2" fill="{theme.halo}"/>'
            f'<g fill="{theme.accent}">{bars}</g>'
            f'<rect {square} rx="2" fill="none" stroke="{theme.ink}" stroke-width="2"/></g>'
        )

    def labels(self) -> str:
        """Names of cities and countries, with a halo that keeps them readable on anything."""
        theme, size = self.theme, self.drawn.font_size
        parts = []
        for place in self.drawn.cities:
            gate = (
                f' font-size="{num(size * GATE_TYPE)}" letter-spacing="{size * GATE_TYPE * GATE_SPACING:.2f}"'
                if place.country
                else ""
            )
            fill = f' fill="{theme.faint}"' if place.country else ""
            anchor = "" if place.label.anchor == "start" else f' text-anchor="{place.label.anchor}"'
            rows = "".join(
                f'<text x="{num(x)}" y="{num(y)}">{escaped(text)}</text>' for x, y, text in place.label.lines
            )
            kind = "label country" if gate else "label"
            parts.append(f'<g class="{kind}" data-label={quoted(place.name)}{anchor}{gate}{fill}>{rows}</g>')
        halo = f'stroke="{theme.halo}" stroke-width="3.6" stroke-linejoin="round" stroke-opacity=".92"'
        halo += ' paint-order="stroke"'
        return f'<g class="labels" font-size="{num(size)}" fill="{theme.ink}" {halo}>{"".join(parts)}</g>'

    # --- pieces ----------------------------------------------------------------------------------------------------

    def stations(self, stations: Mapping[str, int]) -> str:
        """A little house in the owner's colour on each city with a station."""
        parts = []
        for place in self.drawn.cities:
            if place.name not in stations:
                continue
            player = stations[place.name]
            paint = self.theme.players[player]
            move = f"translate({num(place.x)} {num(place.y + house_shift(place))})scale({place.radius / 8.5:.3g})"
            parts.append(
                f'<g class="station" data-city={quoted(place.name)} data-owner="{player}" transform="{move}">'
                f"<title>{escaped(f'{place.name}: station of {self.player(player)}')}</title>"
                f'{house(paint)}<circle cy="1" r="4.7" fill="#fff"/>'
                f'<text y="4.3" font-size="9.4" text-anchor="middle" fill="#16130f">{player + 1}</text></g>'
            )
        return f'<g class="stations">{"".join(parts)}</g>' if parts else ""

    def passengers(self, passengers: Mapping[str, Sequence[str]]) -> str:
        """Little figures beside cities; those of a country stand at one of its gates."""
        parts = []
        found = slots(self.board, self.drawn, passengers) if any(passengers.values()) else {}
        for name, slot in found.items():
            if colours := passengers.get(name):
                parts.append(self._crowd(name, slot, colours))
        return f'<g class="passengers">{"".join(parts)}</g>' if parts else ""

    def _crowd(self, name: str, slot: PassengerSlot, colours: Sequence[str]) -> str:
        spots = slot.spots(len(colours))
        line = ""
        if ends := tether(slot, spots):
            path = (
                f'd="M{num(ends[0])} {num(ends[1])}L{num(ends[2])} {num(ends[3])}" fill="none" stroke-linecap="round"'
            )
            rim = f'<path {path} stroke="{self.theme.halo}" stroke-width="4"/>'
            line = f'{rim}<path {path} stroke="{self.theme.ink}" stroke-width="1.6"/>'
        figures = []
        for colour, (x, y) in zip(colours, spots, strict=True):
            look = self.figure(colour, f"translate({num(x)} {num(y)})scale({slot.zoom:.3g})")
            figures.append(look.replace("<use", f'<use class="passenger" data-colour={quoted(colour)}', 1))
        words = f"{name}: passenger{'s' if len(colours) > 1 else ''} {', '.join(colours)}"
        return f"<g data-city={quoted(name)}><title>{escaped(words)}</title>{line}{''.join(figures)}</g>"

    def figure(self, colour: str, transform: str) -> str:
        """A passenger of a colour; an unknown colour is drawn gray."""
        return self.use(f"figure-{colour if colour in self.theme.figures else GRAY}", f'transform="{transform}"')


def house(paint: Paint) -> str:
    """A station of a player, without a number, with a rim that stands out from anything."""
    shape = f'<path d="{STATION_SHAPE}"'
    return (
        f'{shape} fill="{paint.mark}" stroke="{paint.mark}" stroke-width="4" stroke-linejoin="round"/>'
        f'{shape} fill="{paint.fill}" stroke="{paint.edge}" stroke-width="1.4" stroke-linejoin="round"/>'
    )


def house_shift(place: DrawnCity) -> float:
    """How far below the middle of a disc its station stands: away from the name, if that is above or below."""
    side = place.label.side[0]
    return place.radius * (0.07 if side == "n" else -0.2 if side == "s" else -0.05)


def ferry_cars(track: Track) -> set[int]:
    """Choose the cars of a ferry that carry its locomotive symbols: around the middle."""
    first = (track.length - track.ferry + 1) // 2
    return set(range(first, min(first + track.ferry, track.length)))


def track_words(board: Board, track: Track, owner: str | None) -> str:
    """Say what a track is."""
    words = f"{board.cities[track.a].name}–{board.cities[track.b].name}, {track.length} {track.colour}"
    words += ", tunnel" if track.tunnel else ""
    words += f", ferry with {track.ferry} locomotive{'s' if track.ferry > 1 else ''}" if track.ferry else ""
    return words + (f", claimed by {owner}" if owner is not None else "")


def wavy(line: DrawnTrack, out: float) -> str:
    """A wave from disc to disc under a ferry, and one on either side of its cars, `out` from their middle."""
    found = [float(value) for value in re.findall(r"-?\d+\.?\d*", line.path)]
    points = [(found[0], found[1]), *((car.x, car.y) for car in line.cars), (found[-2], found[-1])]
    if math.dist(points[0], points[1]) > math.dist(points[0], points[-2]):
        points = [points[0], *points[-2:0:-1], points[-1]]
    beside = points[1:-1]
    return _wave(points, 0.0, 0.0) + "".join(_wave(_lengthened(beside, 2 * out), side * out, 0.0) for side in (-1, 1))


def _lengthened(points: Sequence[tuple[float, float]], more: float) -> list[tuple[float, float]]:
    """Continue a line of points straight at both ends; a single point becomes a level line."""
    if len(points) == 1:
        return [(points[0][0] - more, points[0][1]), (points[0][0] + more, points[0][1])]

    def beyond(end: tuple[float, float], inner: tuple[float, float]) -> tuple[float, float]:
        share = more / max(math.dist(end, inner), 1e-9)
        return end[0] + (end[0] - inner[0]) * share, end[1] + (end[1] - inner[1]) * share

    return [beyond(points[0], points[1]), *points, beyond(points[-1], points[-2])]


def _wave(points: Sequence[tuple[float, float]], offset: float, skip: float) -> str:
    """A wave along a line of points, shifted to one side, without so much at its ends."""
    way = np.array(points)
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(way, axis=0).T))])
    count = max(2, 2 * round((lengths[-1] - 2 * skip) / 18))
    stops = np.linspace(skip, lengths[-1] - skip, 2 * count + 1)
    spots = np.stack([np.interp(stops, lengths, way[:, axis]) for axis in (0, 1)], axis=-1)
    ahead = np.gradient(spots, axis=0)
    normal = (
        np.stack([-ahead[:, 1], ahead[:, 0]], axis=-1) / np.maximum(np.hypot(ahead[:, 0], ahead[:, 1]), 1e-9)[:, None]
    )
    swing = np.zeros(len(spots))
    swing[1::2] = np.where(np.arange(count) % 2, 3.4, -3.4)
    spots = spots + normal * (offset + swing)[:, None]
    path = f"M{num(spots[0, 0])} {num(spots[0, 1])}"
    return path + "".join(
        f"Q{num(spots[k, 0])} {num(spots[k, 1])} {num(spots[k + 1, 0])} {num(spots[k + 1, 1])}"
        for k in range(1, len(spots), 2)
    )


FARTHEST = 10_000
"""Drawing units that a compass rose may be from the corner: far beyond any sheet."""


def compass_spot(board: Board) -> tuple[float, float] | None:
    """Read where the map file wants a compass rose."""
    value = board.drawing.get("compass")
    if value is None:
        return None
    if (
        not isinstance(value, list | tuple)
        or len(value) != 2
        or not all(isinstance(part, int | float) and abs(part) <= FARTHEST for part in value)  # neither nan
    ):
        raise MapError(
            f"{board.path or board.id}: [drawing]: `compass` must be two numbers, right and down, not {value!r}"
        )
    return float(value[0]), float(value[1])


def north_at(sheet: MapSheet, board: Board, x: float, y: float) -> float:
    """Angle of the north at a point of the sheet, in degrees clockwise from upwards."""
    lons, lats = [city.lon for city in board.cities], [city.lat for city in board.cities]
    lon, lat = np.meshgrid(
        np.linspace(min(lons) - 15, max(lons) + 15, 80), np.linspace(min(lats) - 8, max(lats) + 8, 60)
    )
    nearest = int(np.hypot(*(sheet.place(lon.ravel(), lat.ravel()) - (x, y)).T).argmin())
    (ax, ay), (bx, by) = sheet.projection([lon.flat[nearest]] * 2, [lat.flat[nearest], lat.flat[nearest] + 1]).tolist()
    return math.degrees(math.atan2(bx - ax, ay - by))


def graticule(sheet: MapSheet, board: Board) -> str:
    """Meridians and parallels in steps that suit the scale."""
    step = next(
        step for step in (1, 2, 5, 10, 15, 30) if sheet.projection.scale * math.radians(step) > 110 or step == 30
    )
    lons, lats = [city.lon for city in board.cities], [city.lat for city in board.cities]
    west, east, south, north = (
        min(lons) - 12 * step,
        max(lons) + 12 * step,
        max(min(lats) - 6 * step, -80),
        min(max(lats) + 6 * step, 85),
    )
    lon_lines = np.arange(math.floor(west / step) * step, east, step)
    lat_lines = np.arange(math.floor(south / step) * step, north, step)
    curves = [sheet.place(np.full(24, lon), np.linspace(south, north, 24)) for lon in lon_lines]
    curves += [sheet.place(np.linspace(west, east, 48), np.full(48, lat)) for lat in lat_lines]
    parts = []
    for curve in curves:
        near = (curve > -150).all(axis=1) & (curve[:, 0] < sheet.width + 150) & (curve[:, 1] < sheet.height + 150)
        if near.sum() > 1:
            first, last = int(near.argmax()), len(near) - int(near[::-1].argmax())
            parts.append("M" + "L".join(f"{round(x)} {round(y)}" for x, y in curve[first:last].tolist()))
    return "".join(parts)
