"""Maps of a public map editor (github.com/bjornhagstrom, its JSON of versions 1 to 4) as map files.

found = import_editor_map(Path("island.json").read_text("utf-8"), "island.json")
print(found.toml)
for note in found.notes:
    print(note)

The editor draws maps and does not play them: whatever it leaves to people, such as rules of a map's own, is told in
notes, and what a game needs and the file does not say gets a usual value, told too.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from whistlestop.errors import MapError
from whistlestop.mapfile.editor_tickets import EditorTicket, made_up_tickets
from whistlestop.mapfile.model import (
    CARD_COLOURS,
    DEFAULT_PLAYERS,
    GRAY,
    LABEL_SIDES,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_NAME_LENGTH,
    MAX_OFFER,
    MAX_PARALLEL,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_SLUG_LENGTH,
    MAX_TICKETS,
    MAX_TRACKS,
    MAX_TRAINS,
    MIN_PLAYERS,
)
from whistlestop.mapfile.tomltable import found_value, map_error
from whistlestop.spelling import fold, many

MAX_EDITOR_BYTES = 32_000_000
"""Files of the editor may carry a picture."""
NEWEST_VERSION = 4
"""Of the editor's files that is understood here; a newer one may mean other things by the same words."""
USUAL_POINTS = {1: 1, 2: 2, 3: 4, 4: 7, 5: 10, 6: 15, 7: 18, 8: 21}
"""For tracks, by length: the editor has no others."""
USUAL_TRAINS, USUAL_DEALT, USUAL_KEPT, USUAL_PARALLEL_FROM = 45, 3, 2, 4
DEGREES = 0.01
"""Of latitude and longitude for one unit of the editor: a board becomes some ten degrees wide, near the equator, where
both are equally long."""
LEAST_BEND = 0.02
SHAPE_OF_TUNNELS, SHAPE_OF_BOATS = "serrated", "oval"
_LEFT_OUT = {
    "background": "areas and lines of the background",
    "backgroundImage": "the picture in the background",
    "notes": "notes on the map",
    "rules": "the map's own rules text: read it, and see which of it the keys of an edition can say",
    "deckRules": "rules by which the editor builds decks",
}
"""What of a map is never carried over, with words for it."""


@dataclass(frozen=True, slots=True)
class ImportedMap:
    """A map of the editor as a map file."""

    toml: str
    """The map file, with the notes as remarks at its top."""
    notes: tuple[str, ...]
    """What was not carried over or was made up, in words."""


@dataclass(slots=True)
class _Stop:
    name: str
    x: float
    y: float
    label: str | None


@dataclass(slots=True)
class _Route:
    a: int
    b: int
    length: int
    colour: str
    tunnel: bool = False
    ferry: int = 0
    bend: float = 0.0

    @property
    def name_key(self) -> tuple[int, int]:
        """Its two stops, the lower one first."""
        return min(self.a, self.b), max(self.a, self.b)


@dataclass(slots=True)
class _EditorMap:
    """What was understood of a file."""

    name: str
    stops: list[_Stop] = field(default_factory=list)
    routes: list[_Route] = field(default_factory=list)
    sets: list[tuple[str, str, list[EditorTicket]]] = field(default_factory=list)
    """Decks of tickets: word, label, tickets."""
    notes: list[str] = field(default_factory=list)

    def note(self, words: str) -> None:
        """Say something once."""
        if words not in self.notes:
            self.notes.append(words)


def import_editor_map(text: str, source: str = "map") -> ImportedMap:
    """Turn a file of the editor into a map file; MapError where it is none, or has no board in it."""
    payload = _payload(text, source)
    found = _EditorMap(_clean(payload.get("name")) or "Imported map")
    ids = _read_stops(found, payload, source)
    _read_routes(found, payload, ids, source)
    _read_tickets(found, payload, ids)
    for key, words in _LEFT_OUT.items():
        if payload.get(key):
            found.note(f"left out: {words}")
    setup = _setup(found, payload)
    return ImportedMap(_toml(found, setup, source), tuple(found.notes))


# --- the file --------------------------------------------------------------------------------------------------------
def _payload(text: str, source: str) -> dict[str, Any]:
    """The map within a file: under its own key since version 2, the file itself before."""
    if len(text) > MAX_EDITOR_BYTES:
        raise map_error(source, f"larger than {MAX_EDITOR_BYTES:,} characters")
    try:
        data = json.loads(text)
    except RecursionError as error:
        raise map_error(source, "not valid JSON: nested too deeply") from error
    except ValueError as error:
        raise map_error(source, f"not valid JSON: {error}", "give the file that the editor's export wrote") from error
    if not isinstance(data, dict):
        raise map_error(source, f"must be a map of the editor, found {found_value(data)}")
    inner = data.get("payload")
    if isinstance(inner, dict) and "version" in data:
        version = data["version"]
        if not isinstance(version, int) or isinstance(version, bool) or version < 1:
            raise map_error(source, f"`version` must be a whole number from 1 on, found {found_value(version)}")
        if version > NEWEST_VERSION:
            reason = f"written by a newer editor, version {version} of its files; up to {NEWEST_VERSION} is understood"
            raise map_error(source, reason)
        kind, payload = data.get("kind", "map"), inner
    else:
        kind, payload = data.get("kind", "map"), data
    if kind in ("background", "tickets"):
        raise map_error(source, f"a file of kind `{kind}` has no stops and routes", "export the whole map")
    return payload


def _entries(payload: dict[str, Any], key: str, source: str) -> list[dict[str, Any]]:
    value = payload.get(key, [])
    if not isinstance(value, list) or not all(isinstance(row, dict) for row in value):
        raise map_error(source, f"`{key}` must be a list of objects, found {found_value(value)}")
    return value


def _rows(payload: dict[str, Any], key: str) -> list[dict[str, Any]]:
    """Entries of a list that need not be there, without what is no object."""
    value = payload.get(key)
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _clean(value: object, longest: int = MAX_NAME_LENGTH) -> str:
    """A text as a map file may have it: one line of printable characters, not too long."""
    if not isinstance(value, str):
        return ""
    plain = "".join(mark if mark.isprintable() else " " for mark in unicodedata.normalize("NFC", value))
    return " ".join(plain.split())[:longest].strip()


def _number(value: object) -> float | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if abs(value) < 1e6 else None  # also refuses nan, inf and numbers of thousands of digits


def _count(value: object, usual: int) -> int:
    number = _number(value)
    return max(1, round(number)) if number is not None and number >= 1 else usual


# --- stops and routes ------------------------------------------------------------------------------------------------
def _read_stops(found: _EditorMap, payload: dict[str, Any], source: str) -> dict[str, int]:
    """The stops into the map; where each stop's id is among them."""
    rows, ids = _entries(payload, "stops", source), {}
    if not 2 <= len(rows) <= MAX_CITIES:
        raise map_error(source, f"a board has 2 to {MAX_CITIES} cities, the map has {many(len(rows), 'stop')}")
    names: Counter[str] = Counter()
    for number, row in enumerate(rows, 1):
        x, y = _number(row.get("x")), _number(row.get("y"))
        if x is None or y is None:
            raise map_error(f"{source}: stop {number}", "`x` and `y` must be numbers")
        identity = row.get("id")
        if not isinstance(identity, str) or identity in ids:
            raise map_error(f"{source}: stop {number}", "`id` must be a text that no other stop has")
        given = _clean(row.get("name"))
        name = _unique(given or f"Stop {number}", names)
        if name != given:
            found.note(f"renamed: stop {number} is now {name}; every city needs a name of its own")
        angle = _number(row.get("labelAngle"))
        ids[identity] = len(found.stops)
        found.stops.append(_Stop(name, x, y, None if angle is None else _side(angle)))
    return ids


def _unique(name: str, names: Counter[str]) -> str:
    number, found = 1, name
    while names[found.casefold()]:
        number += 1
        found = f"{name[: MAX_NAME_LENGTH - 4]} {number}"
    names[found.casefold()] += 1
    return found


def _side(angle: float) -> str:
    """Side of a name at an angle, which is clockwise from the right."""
    return LABEL_SIDES[(round(angle / 45) + LABEL_SIDES.index("e")) % len(LABEL_SIDES)]


def _read_routes(found: _EditorMap, payload: dict[str, Any], ids: dict[str, int], source: str) -> None:
    rows = _entries(payload, "routes", source)
    types = {row.get("id"): row for row in _rows(payload, "routeTypeStyles")}
    wagons = {row.get("id"): row for row in _rows(payload, "wagonStyles")}
    built, lengths = Counter[tuple[int, int]](), dict[tuple[int, int], int]()
    for number, row in enumerate(rows, 1):
        route = _route(found, row, ids, f"{source}: route {number}", types, wagons)
        if route is None:
            continue
        name, key = _between(found, route), route.name_key
        if built[key] == MAX_PARALLEL:
            found.note(f"left out: more than {MAX_PARALLEL} parallel tracks of {name}")
            continue
        first = lengths.setdefault(key, route.length)
        if route.length != first:
            found.note(f"changed: a track of {name} has {first} spaces, not {route.length}: parallel ones are equal")
            route.length, route.ferry = first, min(route.ferry, first)
        built[key] += 1
        found.routes.append(route)
    if not 1 <= len(found.routes) <= MAX_TRACKS:
        count = many(len(found.routes), "route")
        raise map_error(source, f"a board has 1 to {MAX_TRACKS} tracks, the map has {count} that can be claimed")


def _route(
    found: _EditorMap,
    row: dict[str, Any],
    ids: dict[str, int],
    place: str,
    types: dict[Any, dict[str, Any]],
    wagons: dict[Any, dict[str, Any]],
) -> _Route | None:
    """One route as a track; None if nobody could claim it."""
    ends = [ids.get(row[key]) if isinstance(row.get(key), str) else None for key in ("a", "b")]
    a, b = ends
    if a is None or b is None:
        raise map_error(place, "`a` and `b` must be ids of stops")
    name = f"{found.stops[a].name}–{found.stops[b].name}"
    if a == b:
        found.note(f"left out: the route from {found.stops[a].name} to itself")
        return None
    style = types.get(row.get("type"), {})
    label = _clean(style.get("label")) or _clean(row.get("type"))
    if style.get("infrastructure") is True:
        found.note(f"left out: routes of type {label}, which are built already and take no cards, as {name}")
        return None
    length = _number(row.get("length"))
    if length is None or length < 1 or length != int(length):
        raise map_error(place, f"`length` must be a whole number of spaces, found {found_value(row.get('length'))}")
    if length > MAX_LENGTH:
        found.note(f"changed: {name} has {MAX_LENGTH} spaces, the most a track can have, not {length:.0f}")
    route = _Route(a, b, min(int(length), MAX_LENGTH), _colour(found, row, name), bend=_bend(found, row, a, b))
    _special(found, route, row, style, wagons.get(row.get("wagonStyle"), {}), name, label)
    return route


def _colour(found: _EditorMap, row: dict[str, Any], name: str) -> str:
    colour = row.get("color", "neutral")
    if colour in CARD_COLOURS:
        return str(colour)
    if colour not in ("neutral", "grey", GRAY):
        found.note(f"changed: {name} is gray; there is no colour {_clean(colour) or 'of that name'}")
    return GRAY


def _special(
    found: _EditorMap,
    route: _Route,
    row: dict[str, Any],
    style: dict[str, Any],
    wagon: dict[str, Any],
    name: str,
    label: str,
) -> None:
    """Tunnels, locomotives, and types of routes whose rules are only in people's heads."""
    shape = wagon.get("shape") or style.get("shape") or ("" if style else row.get("type"))
    tunnel = row.get("tunnel") is True or row.get("wagonStyle") == "tunnel"
    route.tunnel = tunnel or shape in (SHAPE_OF_TUNNELS, "tunnel")
    slots = row.get("locomotiveSlots")
    symbols = len({slot for slot in slots if isinstance(slot, int)}) if isinstance(slots, list) else 0
    symbols = min(symbols, route.length)
    if symbols and route.tunnel:
        found.note(f"left out: the locomotives of the tunnel {name}; a track is a tunnel or a ferry")
    elif symbols and route.colour != GRAY:
        found.note(f"left out: the locomotives of {name}, which is {route.colour}; only gray tracks ask for them")
    else:
        route.ferry = symbols
    if shape in (SHAPE_OF_BOATS, "boat", "ferry") and not route.ferry and not route.tunnel:
        found.note(f"changed: boats that ask for no locomotive are ordinary tracks, as {name}")
    elif (glyph := _clean(style.get("glyph") or wagon.get("glyph"))) or shape in ("notched", "heavy"):
        mark = f", marked {glyph}" if glyph else ""
        found.note(f"changed: routes of type {label}{mark} are ordinary tracks; a rule of their own is not known here")


def _bend(found: _EditorMap, row: dict[str, Any], a: int, b: int) -> float:
    """How far a route bows out to the left, as a share of its length: its furthest point, for an arc has but one."""
    start, end = found.stops[a], found.stops[b]
    chord = math.hypot(end.x - start.x, end.y - start.y)
    spots = [(_number(p.get("x")), _number(p.get("y"))) for p in _rows(row, "points")]
    points = [(x, y) for x, y in spots if x is not None and y is not None]
    if not points or chord < 1:
        return 0.0
    left = ((end.y - start.y) / chord, -(end.x - start.x) / chord)
    out = [((x - start.x) * left[0] + (y - start.y) * left[1]) / chord for x, y in points]
    if min(out) < -0.05 and max(out) > 0.05:
        found.note("changed: routes with several bends are drawn as one arc each")
    bend = max(out, key=abs)
    return round(max(-0.6, min(0.6, bend)), 2) if abs(bend) >= LEAST_BEND else 0.0


def _between(found: _EditorMap, route: _Route) -> str:
    return f"{found.stops[route.a].name}–{found.stops[route.b].name}"


# --- tickets ---------------------------------------------------------------------------------------------------------
def _read_tickets(found: _EditorMap, payload: dict[str, Any], ids: dict[str, int]) -> None:
    """Each deck of the map; one is made up if there is none."""
    sets = {str(row.get("id")): _clean(row.get("label")) for row in _rows(payload, "ticketSets")} or {"main": ""}
    first, words = next(iter(sets)), Counter[str]()
    decks: dict[str, list[EditorTicket]] = {name: [] for name in sets}
    lost = 0
    for row in _rows(payload, "tickets"):
        a, b = (ids.get(row[key]) if isinstance(row.get(key), str) else None for key in ("a", "b"))
        points = _number(row.get("points"))
        named = str(row.get("set") or first)
        if a is None or b is None or a == b or points is None:
            lost += 1
            continue
        deck = decks.setdefault(named if named in decks else first, [])
        if any({a, b} == {one.a, one.b} for one in deck):
            found.note(f"left out: a second ticket {found.stops[a].name}–{found.stops[b].name} in one deck")
            continue
        deck.append(EditorTicket(a, b, max(1, min(MAX_POINTS, round(points))), row.get("long") is True))
    if lost:
        found.note(f"left out: {many(lost, 'ticket')} without two stops and points")
    for name, deck in decks.items():
        label = sets.get(name) or name
        if len(deck) > MAX_TICKETS:
            found.note(f"left out: {many(len(deck) - MAX_TICKETS, 'ticket')} of deck {label}; {MAX_TICKETS} fit")
        if deck:
            found.sets.append((_unique(_slug(label), words), label, deck[:MAX_TICKETS]))
    if not found.sets:
        lengths = {route.name_key: route.length for route in found.routes}
        made = made_up_tickets(len(found.stops), lengths, _junctions(payload, ids))
        found.note(f"made up: {many(len(made), 'ticket')}, worth their shortest paths, for the map has none")
        found.sets.append(("main", "", made))


def _junctions(payload: dict[str, Any], ids: dict[str, int]) -> set[int]:
    """Stops that only join routes: no ticket ends there."""
    kinds = {row.get("id") for row in _rows(payload, "stopTypeStyles") if row.get("junction") is True} or {"junction"}
    return {ids[str(row["id"])] for row in _rows(payload, "stops") if row.get("type") in kinds}


def _slug(text: str) -> str:
    """A word for commands out of any text."""
    words = re.findall(r"[a-z0-9]+", fold(text))
    return "-".join(words)[: MAX_SLUG_LENGTH - 5].strip("-") or "map"


# --- rules -----------------------------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _Setup:
    trains: int
    dealt: int
    kept: int
    players: tuple[int, int]
    parallel_from: int


def _setup(found: _EditorMap, payload: dict[str, Any]) -> _Setup:
    usual = [
        words
        for key, words in (
            ("wagonsPerPlayer", f"{USUAL_TRAINS} trains"),
            ("startingTickets", f"{USUAL_DEALT} first tickets"),
            ("keptTickets", f"{USUAL_KEPT} of them to keep"),
            ("players", f"{DEFAULT_PLAYERS[0]} to {DEFAULT_PLAYERS[1]} players"),
        )
        if key not in payload
    ]
    if usual:
        found.note(f"made up: {', '.join(usual)}, as usual, for the map does not say")
    found.note("made up: cards, hands, and 10 points for the longest path are the usual ones; the editor has no others")
    trains = _count(payload.get("wagonsPerPlayer"), USUAL_TRAINS)
    if trains > MAX_TRAINS:
        found.note(f"changed: {MAX_TRAINS} trains each, the most there are, not {trains}")
    elif trains < 3:  # with two trains or fewer the last round would begin at once
        found.note(f"changed: 3 trains each, not {trains}")
    dealt = min(_count(payload.get("startingTickets"), USUAL_DEALT), MAX_OFFER - 1)
    kept = min(_count(payload.get("keptTickets"), USUAL_KEPT), dealt)
    players = _players(found, payload)
    return _Setup(max(3, min(trains, MAX_TRAINS)), dealt, kept, players, _parallel_from(found, payload, players[1]))


def _players(found: _EditorMap, payload: dict[str, Any]) -> tuple[int, int]:
    given = payload.get("players")
    if not isinstance(given, dict):
        return DEFAULT_PLAYERS
    asked = (_count(given.get("min"), DEFAULT_PLAYERS[0]), _count(given.get("max"), DEFAULT_PLAYERS[1]))
    low, high = (max(MIN_PLAYERS, min(MAX_PLAYERS, number)) for number in sorted(asked))
    if (low, high) != tuple(sorted(asked)):
        found.note(f"changed: for {low} to {high} players, not {min(asked)} to {max(asked)}")
    return low, high


def _parallel_from(found: _EditorMap, payload: dict[str, Any], most: int) -> int:
    """From how many players on all lanes are open, as far as one number can say it."""
    rule = payload.get("lanesUsableByPlayers")
    if not isinstance(rule, dict):
        return USUAL_PARALLEL_FROM
    lanes = {players: _lanes(rule, players) for players in range(MIN_PLAYERS, MAX_PLAYERS + 1)}
    parallel = [players for players, usable in lanes.items() if usable > 1]
    start = min(parallel, default=MAX_PLAYERS + 1)
    plain = all(lanes[players] == 1 or lanes[players] >= MAX_PARALLEL for players in lanes if players <= most)
    if not plain or any(lanes[players] == 1 for players in lanes if players > start):
        words = "never" if start > MAX_PLAYERS else f"all at once from {start} players on"
        found.note(f"changed: parallel tracks open {words}; the map opens them one by one")
    return start


def _lanes(rule: dict[str, Any], players: int) -> int:
    """Lanes that are open to so many players, MAX_PARALLEL for all: by their own entry, or the last `N+` below."""
    starts = [int(key[:-1]) for key in rule if re.fullmatch(r"\d{1,2}\+", key) and int(key[:-1]) <= players]
    value = rule.get(str(players), rule.get(f"{max(starts)}+") if starts else None)
    if value is None:
        return MAX_PARALLEL if players >= USUAL_PARALLEL_FROM else 1
    return MAX_PARALLEL if value == "all" else min(MAX_PARALLEL, _count(value, 1))


# --- the map file ----------------------------------------------------------------------------------------------------
def _toml(found: _EditorMap, setup: _Setup, source: str) -> str:
    name, board = _text(found.name), _slug(found.name)
    editions = [text for row in found.sets for text in _edition(found, setup, row, board)]
    used = sorted({route.length for route in found.routes})
    points = ", ".join(f"{length} = {USUAL_POINTS[length]}" for length in used)
    notes = [f"# - {note}" for note in found.notes]
    return "\n".join(
        [
            f"# Imported from {_clean(source, 200)}. What is not as it was drawn:",
            *notes,
            "",
            f'id     = "{board}"',
            f"name   = {name}",
            f"points = {{ {points} }}",
            "",
            *_array("cities", _city_lines(found)),
            *_array("tracks", [_track_line(found, route) for route in found.routes]),
            *_array("tickets", [_ticket_line(found, one, row[0]) for row in found.sets for one in row[2]]),
            "[drawing]",
            'land = "none"  # an invented land: no coast of the world behind it',
            "",
            *editions,
        ]
    )


def _array(name: str, lines: Iterable[str]) -> list[str]:
    return [f"{name} = [", *(f"  {{ {line} }}," for line in lines), "]", ""]


def _text(value: str) -> str:
    """A text of printable characters in TOML's quotes."""
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _city_lines(found: _EditorMap) -> list[str]:
    xs, ys = [stop.x for stop in found.stops], [stop.y for stop in found.stops]
    middle_x, middle_y = (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    scale = min(DEGREES, 80 / max(max(xs) - min(xs), max(ys) - min(ys), 1))  # stays on the globe, whatever it says
    lines = []
    for stop in found.stops:
        lat, lon = (middle_y - stop.y) * scale, (stop.x - middle_x) * scale
        side = f', label = "{stop.label}"' if stop.label else ""
        lines.append(f"name = {_text(stop.name)}, lat = {lat:.4f}, lon = {lon:.4f}{side}")
    return lines


def _track_line(found: _EditorMap, route: _Route) -> str:
    ends = f"from = {_text(found.stops[route.a].name)}, to = {_text(found.stops[route.b].name)}"
    line = f'{ends}, length = {route.length}, colour = "{route.colour}"'
    line += ", tunnel = true" if route.tunnel else ""
    line += f", ferry = {route.ferry}" if route.ferry else ""
    return line + (f", bend = {route.bend:g}" if route.bend else "")


def _ticket_line(found: _EditorMap, ticket: EditorTicket, word: str) -> str:
    ends = f"from = {_text(found.stops[ticket.a].name)}, to = {_text(found.stops[ticket.b].name)}"
    kind = ', kind = "long"' if ticket.long else ""
    return f'{ends}, points = {ticket.points}{kind}, set = "{word}"'


def _edition(found: _EditorMap, setup: _Setup, row: tuple[str, str, Sequence[EditorTicket]], board: str) -> list[str]:
    """One edition for each deck of tickets, which are there to be compared."""
    word, label, tickets = row
    alone = len(found.sets) == 1
    long = sum(one.long for one in tickets)
    regular, low, high = len(tickets) - long, *setup.players
    split = long >= high and regular >= high
    if long and not split and regular:
        found.note(f"changed: long tickets of deck {label or word} are in one deck with the others: {long} are too few")
    pool = regular if split else len(tickets)
    if pool < low:
        raise MapError(
            f"deck {label or word} has {many(pool, 'ticket')}, too few for {low} players", "add tickets in the editor"
        )
    if pool < high:
        found.note(f"changed: deck {label or word} is for {low} to {pool} players; its tickets serve no more")
        high = pool
    dealt = min(setup.dealt, pool // high)
    if dealt < setup.dealt:
        found.note(f"changed: {dealt} first tickets of deck {label or word}, not {setup.dealt}, for there are {pool}")
    deal, decks = f"{dealt}", [f'{{ name = "tickets", set = "{word}" }}']
    if split:
        deal = f"{{ regular = {dealt}, long = 1 }}"
        decks = [
            f'{{ name = "regular", kind = "regular", set = "{word}" }}',
            f'{{ name = "long", kind = "long", set = "{word}", leaves = true }}',
        ]
        found.note(f"made up: everybody is dealt one long ticket beside the {dealt} others")
    title = found.name if alone else f"{found.name}, {label or word}"[:MAX_NAME_LENGTH].strip()
    identity = board if alone else f"{board[: MAX_SLUG_LENGTH - len(word) - 1].strip('-')}-{word}"
    returned = "box" if split else "bottom"
    first = f'{{ deal = {deal}, keep_least = {min(setup.kept, dealt)}, returned = "{returned}" }}'
    return [
        "[[edition]]",
        f'id            = "{identity}"',
        f"name          = {_text(title)}",
        'summary       = "Imported from the map editor."',
        f"decks         = [{', '.join(decks)}]",
        f"first_tickets = [{first}]",
        f"players       = [{low}, {high}]",
        f"trains        = {setup.trains}",
        f"parallel_from = {setup.parallel_from}",
        "longest_path  = 10",
        'tie_breaks    = ["tickets", "path"]',
        "",
    ]
