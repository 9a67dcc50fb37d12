"""Boards as data: a TOML file becomes a frozen `Board`, and one of its editions a frozen `Edition`.

The format is described in `maps/README.md`. Everything here is words and plain numbers; `engine/tables.py`
compiles an `Edition` into the integers the kernels read.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
"""The eight card colours, in the engine's order; the ninth kind of card is the locomotive."""
GRAY = "gray"
PASSENGER_COLOURS_MAX = 6

# What one engine record holds. The reader refuses more, so that the engine never has to check.
MAX_CITIES = 64
"""Border spaces included."""
MAX_TRACKS = 128
MAX_PARALLEL = 3
MAX_LENGTH = 8
MAX_TICKETS = 128
"""In all decks of one edition."""
MAX_OFFER = 6
"""Tickets in one offer."""
MAX_PASSENGERS = 64
MAX_CARDS = 120
MAX_TRAINS = 60
MAX_STATIONS = 3
MAX_POINTS = 99
"""Of a ticket, a track length or a bonus."""
MIN_PLAYERS = 2
MAX_PLAYERS = 5

FACE_UP = 5
TICKET_KINDS = ("regular", "short", "long")
RETURNED = ("bottom", "shuffled-bottom", "box", "reshuffle")
TIE_BREAKS = ("tickets", "stations", "path", "passengers")
LABEL_SIDES = ("n", "ne", "e", "se", "s", "sw", "w", "nw")

MAPS = Path(__file__).parent / "maps"
_SHIPPED = ("usa", "europe", "germany")
_MAX_BYTES = 1_000_000  # far above any board; a table host reads strangers' files
_MAX_NAME = 60
_MAX_SUMMARY = 400


class MapError(ValueError):
    """A map file or ticket pack that cannot be used; the message gives file, place, reason and a hint."""


@dataclass(frozen=True, slots=True)
class City:
    """A city, or one border space of a country (then `country` names it)."""

    name: str
    lat: float
    lon: float
    country: str | None = None
    passengers: int = 0
    """Passengers placed here at the start; a border space has none of its own, its country has."""
    aliases: tuple[str, ...] = ()
    """Other spellings that are understood when somebody types the name."""
    nudge: tuple[float, float] = (0.0, 0.0)
    """Shift of the drawn city in drawing units, to give tracks room."""
    label: str | None = None
    """Side of the label: one of n, ne, e, se, s, sw, w, nw; None lets the drawing choose."""


@dataclass(frozen=True, slots=True)
class Country:
    """A country that is reached by any of its border spaces (TICKET-9)."""

    name: str
    passengers: int = 0
    """Passengers that all border spaces share (RULING-14)."""


@dataclass(frozen=True, slots=True)
class Track:
    """One line of spaces between two cities; parallel tracks are separate entries."""

    a: int
    """Index of one end in `Board.cities`."""
    b: int
    length: int
    colour: str
    """One of COLOURS, or "gray"."""
    tunnel: bool = False
    ferry: int = 0
    """Number of locomotive symbols."""
    bend: float = 0.0
    """Drawing only: how far the curve bows out to the left of a→b, as a share of its length."""


@dataclass(frozen=True, slots=True)
class Ticket:
    """A destination ticket; an end is the name of a city or of a country."""

    a: str
    b: str
    points: int
    kind: str = "regular"
    set: str = ""
    big_city: bool = False


@dataclass(frozen=True, slots=True)
class Deck:
    """A ticket deck of an edition: its name and the tickets in it, in file order."""

    name: str
    tickets: tuple[Ticket, ...]
    leaves: bool = False
    """Tickets not dealt in the setup leave the game (the long tickets of the Europe board)."""


@dataclass(frozen=True, slots=True)
class Deal:
    """One step of the first choice of tickets."""

    counts: tuple[int, int]
    """How many are dealt from deck 0 and deck 1. With `announce` the first number is the total of the mix."""
    keep_least: int
    keep_most: int
    keep_least_otherwise: int
    """The minimum for a player who kept nothing in the step before; equals keep_least where that plays no part."""
    returned: str
    """Where tickets not kept go: "bottom", "shuffled-bottom", "box" (out of the game) or "reshuffle" (into their decks)."""
    announce: bool = False
    """The player says how many come from each deck before they are dealt (SETUP-12)."""


@dataclass(frozen=True, slots=True)
class Edition:
    """Everything that makes one playable game: a board, its ticket decks, and the rules as numbers and flags."""

    id: str
    name: str
    summary: str
    board: Board = field(repr=False)
    decks: tuple[Deck, ...]
    """One or two; deck 0 is the one that is there for the whole game."""
    first_tickets: tuple[Deal, ...]
    """One or two steps."""
    draw_count: int = 3
    draw_keep_least: int = 1
    ticket_backs_differ: bool = False
    """The backs tell the decks apart, so everybody sees how many of each a player holds."""
    players: tuple[int, int] = (2, 5)
    trains: int = 45
    hand: int = 4
    cards_each: int = 12
    locomotives: int = 14
    stations: int = 0
    station_points: int = 0
    last_round_trains: int = 2
    parallel_from: int = 4
    """From this many players on all tracks of a double or triple route can be used (CLAIM-9)."""
    longest_path: int = 0
    globetrotter: int = 0
    passenger_points: tuple[int, int] = (0, 0)
    tie_breaks: tuple[str, ...] = ()
    """In order, of: "tickets", "stations" (fewest), "path" (holds the longest-path bonus), "passengers"."""
    packs: tuple[str, ...] = ()
    """Names of the ticket packs that were added."""

    def __hash__(self) -> int:
        return hash((self.id, self.packs))  # the generated one would hash every ticket and fail on the board's dicts


@dataclass(frozen=True, slots=True)
class Board:
    """A board and the editions played on it."""

    id: str
    name: str
    cities: tuple[City, ...]
    countries: tuple[Country, ...]
    tracks: tuple[Track, ...]
    tickets: tuple[Ticket, ...]
    points: dict[int, int]
    """Points by track length."""
    passenger_colours: dict[str, int]
    """How many passengers of each colour are in the bag; empty where the board has none."""
    editions: tuple[Edition, ...] = field(default=(), repr=False, compare=False)
    """The editions in file order; each points back here, so they take no part in `repr` and `==`."""
    path: Path | None = field(default=None, compare=False)
    drawing: dict[str, object] = field(default_factory=dict)
    """Hints for draw.py: projection, land, size. Free-form; draw.py documents its keys."""

    def __hash__(self) -> int:
        return hash((self.id, len(self.cities), len(self.tracks)))


# --- the shop window ------------------------------------------------------------------------------------------------


def load_board(path: str | Path) -> Board:
    """Read the map file at `path` with all its editions; a file that breaks the format is a `MapError`."""
    return _board(_Table(str(path), _toml(_text(path), str(path)), _BOARD_KEYS), Path(path))


def parse_board(text: str, source: str = "map") -> Board:
    """Read a map from `text`, as an editor does before there is a file; `source` names it in errors."""
    return _board(_Table(source, _toml(text, source), _BOARD_KEYS), None)


def load_edition(name_or_path: str | Path, packs: Sequence[str | Path] = ()) -> Edition:
    """The shipped edition of that id, or one out of a map file, with the ticket packs in `packs` added in order.

    `"my.toml"` is the file's first edition, `"my.toml:long-game"` the one of that id.
    The edition's `board` stays as it is in the file: pack tickets are in the decks only.
    """
    edition = _edition_in_file(str(name_or_path)) if _is_path(name_or_path) else _shipped_edition(str(name_or_path))
    for pack in (packs,) if isinstance(packs, str | Path) else packs:
        edition = add_pack(edition, _toml(_text(pack), str(pack)), str(pack))
    return edition


@cache
def editions() -> tuple[Edition, ...]:
    """All shipped editions, in the order in which a menu shows them."""
    return tuple(edition for stem in _SHIPPED for edition in _shipped_board(stem).editions)


def digest(edition: Edition) -> str:
    """A short fingerprint of everything that matters for play: names, tracks, tickets, decks, rules.

    Drawing hints, coordinates, aliases, titles and summaries are left out, so a prettier file keeps its records valid.
    """
    import hashlib
    import json

    board = edition.board
    play = {
        "cities": [(c.name, c.country, c.passengers) for c in board.cities],
        "countries": [astuple(c) for c in board.countries],
        "tracks": [(t.a, t.b, t.length, t.colour, t.tunnel, t.ferry) for t in board.tracks],
        "points": sorted(board.points.items()),
        "passengers": list(board.passenger_colours.items()),
        "decks": [(d.name, d.leaves, [(t.a, t.b, t.points) for t in d.tickets]) for d in edition.decks],
        "first_tickets": [astuple(deal) for deal in edition.first_tickets],
        "rules": {f.name: getattr(edition, f.name) for f in fields(edition) if f.name not in _NOT_RULES},
    }
    return hashlib.sha256(json.dumps(play, sort_keys=True).encode()).hexdigest()[:16]


_NOT_RULES = ("id", "name", "summary", "board", "decks", "first_tickets", "packs")


def facts(board: Board) -> dict[str, Any]:
    """The counts of a board, as data that `json.dumps` takes."""
    parallel = Counter(_routes(board).values())
    spaces = dict.fromkeys((*COLOURS, GRAY), 0)
    for track in board.tracks:
        spaces[track.colour] += track.length
    tickets: dict[str, dict[str, int]] = {}
    for ticket in board.tickets:
        kinds = tickets.setdefault(ticket.set, {})
        kinds[ticket.kind] = kinds.get(ticket.kind, 0) + 1
    return {
        "id": board.id,
        "name": board.name,
        "cities": len(board.cities),
        "border_spaces": sum(city.country is not None for city in board.cities),
        "countries": len(board.countries),
        "tracks": len(board.tracks),
        "routes": parallel.total(),
        "doubles": parallel[2],
        "triples": parallel[3],
        "spaces": sum(spaces.values()),
        "spaces_by_colour": spaces,
        "tracks_by_length": {str(length): n for length, n in sorted(Counter(t.length for t in board.tracks).items())},
        "tunnels": sum(track.tunnel for track in board.tracks),
        "ferries": sum(track.ferry > 0 for track in board.tracks),
        "ferry_symbols": sum(track.ferry for track in board.tracks),
        "tickets": len(board.tickets),
        "tickets_by_set": tickets,
        "big_city_tickets": sum(ticket.big_city for ticket in board.tickets),
        "passengers": _places_for_passengers(board),
        "editions": {e.id: {deck.name: len(deck.tickets) for deck in e.decks} for e in board.editions},
    }


def check_board(board: Board) -> list[str]:
    """Friendly remarks on a board that can be played but might be better; an empty list is praise."""
    return [*_remarks_on_cities(board), *_remarks_on_colours(board), *_remarks_on_tickets(board), *_remarks_on_editions(board)]


# --- remarks --------------------------------------------------------------------------------------------------------


def _remarks_on_cities(board: Board) -> Iterator[str]:
    routes: dict[int, list[int]] = {index: [] for index in range(len(board.cities))}
    for a, b in _routes(board):
        routes[a].append(b)
        routes[b].append(a)
    ends = {end for ticket in board.tickets for end in (ticket.a, ticket.b)}
    for index, city in enumerate(board.cities):
        if city.country is not None:
            continue
        if len(routes[index]) == 1:
            yield f"{city.name} has one route only, from {board.cities[routes[index][0]].name}: it is easily cut off"
        if city.name not in ends:
            yield f"no ticket leads to {city.name}"


def _remarks_on_colours(board: Board) -> Iterator[str]:
    spaces: dict[str, int] = {colour: facts(board)["spaces_by_colour"][colour] for colour in COLOURS}
    mean = sum(spaces.values()) / len(spaces)
    for colour, n in spaces.items():
        if abs(n - mean) > max(3.0, 0.15 * mean):
            yield f"{colour} has {n} spaces, a colour has {mean:.0f} on average: even colours make even games"
    pairs = Counter((frozenset((t.a, t.b)), t.colour) for t in board.tracks if t.colour != GRAY)
    for (ends, colour), n in pairs.items():
        if n > 1:
            names = "–".join(board.cities[index].name for index in sorted(ends))
            yield f"{names} has {n} {colour} tracks: parallel tracks usually differ in colour, or are gray"


def _remarks_on_tickets(board: Board) -> Iterator[str]:
    distances: dict[str, dict[str, int]] = {}
    for ticket in board.tickets:
        if ticket.a not in distances:
            distances[ticket.a] = _distances(board, ticket.a)
        shortest = distances[ticket.a][ticket.b]
        if abs(ticket.points - shortest) > max(3, shortest // 3):
            yield f"ticket {ticket.a}–{ticket.b} is worth {ticket.points}, its shortest path has {shortest} spaces"


def _remarks_on_editions(board: Board) -> Iterator[str]:
    spaces = sum({(min(t.a, t.b), max(t.a, t.b)): t.length for t in board.tracks}.values())
    for edition in board.editions:
        longest = max(track.length for track in board.tracks)
        symbols = max(track.ferry for track in board.tracks)
        if longest > min(edition.trains, edition.cards_each + edition.locomotives):
            yield f"edition {edition.id}: nobody can ever claim a track of {longest} spaces"
        if symbols > edition.locomotives:
            yield f"edition {edition.id}: a ferry asks for {symbols} locomotives, the deck has {edition.locomotives}"
        crowd = min(edition.players[1], edition.parallel_from - 1)  # the most players who share one track a route
        if crowd >= edition.players[0] and spaces < crowd * edition.trains // 2:
            yield f"edition {edition.id}: {crowd} players have {crowd * edition.trains} trains for {spaces} spaces, routes will run out"


def _distances(board: Board, start: str) -> dict[str, int]:
    """Spaces on the shortest path from the city or country `start` to every city and country."""
    from heapq import heappop, heappush

    steps: dict[int, list[tuple[int, int]]] = {index: [] for index in range(len(board.cities))}
    for track in board.tracks:
        steps[track.a].append((track.length, track.b))
        steps[track.b].append((track.length, track.a))
    queue = [(0, index) for index, city in enumerate(board.cities) if start in (city.name, city.country)]
    found: dict[str, int] = {}
    done: set[int] = set()
    while queue:
        distance, here = heappop(queue)
        if here in done:
            continue
        done.add(here)
        city = board.cities[here]
        found.setdefault(city.country or city.name, distance)  # nearest first, so the first border space counts
        for length, there in steps[here]:
            heappush(queue, (distance + length, there))
    return found


# --- finding files --------------------------------------------------------------------------------------------------


@cache
def _shipped_board(stem: str) -> Board:
    return load_board(MAPS / f"{stem}.toml")


def _is_path(name: str | Path) -> bool:
    return isinstance(name, Path) or name.endswith(".toml") or any(mark in name for mark in (".toml:", "/", "\\"))


def _edition_in_file(name: str) -> Edition:
    file, mark, wanted = name.rpartition(".toml:")
    board = load_board(file + ".toml" if mark else name)
    for edition in board.editions:
        if not mark or edition.id == wanted:
            return edition
    raise _unknown(f"{file}.toml", "edition", wanted, [edition.id for edition in board.editions])


def _shipped_edition(name: str) -> Edition:
    for stem in _SHIPPED:  # board by board: most callers need one file only
        for edition in _shipped_board(stem).editions:
            if edition.id == name:
                return edition
    known = [edition.id for edition in editions()]
    hints = [_did_you_mean(name, known), f"the editions are {', '.join(known)}; a map file is given by its path, ending in .toml"]
    raise MapError(f"unknown edition {_quoted(name)}\nhint: {' '.join(filter(None, hints))}")


def _text(path: str | Path) -> str:
    place = str(path)
    try:
        with Path(path).open("rb") as file:
            raw = file.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise _error(place, f"cannot be read: {reason}") from error
    if len(raw) > _MAX_BYTES:
        raise _error(place, f"larger than {_MAX_BYTES:,} bytes, this is no map")
    try:
        return raw.decode().removeprefix("\ufeff")  # some editors begin a file with this mark
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise _error(place, f"not UTF-8 text: byte 0x{raw[error.start]:02x} in line {line}", "save the file as UTF-8") from error


def _toml(text: str, source: str) -> dict[str, object]:
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise _error(source, "not valid TOML: tables nested too deeply") from error
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise _error(source, f"not valid TOML: {error}") from error


# --- errors ---------------------------------------------------------------------------------------------------------


def _error(place: str, reason: str, hint: str = "") -> MapError:
    return MapError(f"{place}: {reason}" + (f"\nhint: {hint}" if hint else ""))


def _unknown(place: str, what: str, word: str, known: Iterable[str]) -> MapError:
    """The error for a word that is none of `known`: the nearest one as a hint, else the whole list if it is short."""
    names = list(known)
    hint = _did_you_mean(word, names)
    if not hint and 0 < len(names) <= 12:
        hint = f"known here: {', '.join(names)}"
    return _error(place, f"unknown {what} {_quoted(word)}", hint)


def _quoted(word: str) -> str:
    """A word out of a file, safe to print on one line."""
    return f"`{word}`" if word.isprintable() and len(word) <= _MAX_NAME else repr(word[:_MAX_NAME])


def _did_you_mean(word: str, known: Iterable[str]) -> str:
    from difflib import get_close_matches

    folded = {_fold(name): name for name in known}
    match = get_close_matches(_fold(word), folded, 1)
    return f"did you mean `{folded[match[0]]}`?" if match else ""


def _fold(name: str) -> str:
    """The name without accents and capitals, as a hurried reader types it."""
    return "".join(c for c in unicodedata.normalize("NFD", name) if not unicodedata.combining(c)).casefold()


def _found(value: object) -> str:
    """How a value of the wrong kind is called in an error."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, str):
        return f'"{value}"' if value.isprintable() and len(value) <= _MAX_NAME else f"a text of {len(value)} characters"
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a huge number"  # thousands of digits could not even be printed
    return str(value) if isinstance(value, int | float) else f"a {type(value).__name__}"


def _some(names: Sequence[str]) -> str:
    """The first few names, and how many more."""
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


# --- reading tables -------------------------------------------------------------------------------------------------


class _Table:
    """One table of a file, read key by key; `place` is where it stands, for the errors."""

    def __init__(self, place: str, value: object, keys: Sequence[str]) -> None:
        if not isinstance(value, dict):
            raise _error(place, f"must be a table, found {_found(value)}", f"write {{ {keys[0]} = …, {keys[1]} = … }}")
        for key in value:
            if key not in keys:
                raise _unknown(place, "key", key, keys)
        self.place = place
        self.values: dict[str, object] = value

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def wrong(self, key: str, wanted: str, value: object) -> MapError:
        return _error(self.place, f"`{key}` must be {wanted}, found {_found(value)}")

    def need(self, key: str) -> object:
        if key not in self.values:
            raise _error(self.place, f"missing key `{key}`")
        return self.values[key]

    def text(self, key: str, longest: int = _MAX_NAME) -> str:
        return self._as_text(key, self.need(key), longest)

    def _as_text(self, key: str, value: object, longest: int = _MAX_NAME) -> str:
        if not isinstance(value, str):
            raise self.wrong(key, "a text", value)
        text = unicodedata.normalize("NFC", value)  # ü typed as one character or as two is the same ü
        if not text or text != text.strip() or not text.isprintable() or len(text) > longest:
            raise self.wrong(key, f"a printable text of 1 to {longest} characters without spaces around it", value)
        return text

    def slug(self, key: str) -> str:
        """A name for commands and file names."""
        text = self.text(key, 40)
        if not all(part.isalnum() and part.isascii() and part == part.lower() for part in text.split("-")):
            raise self.wrong(key, "lower-case letters, digits and single hyphens", text)
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        """A text, or an array of texts."""
        value = self.need(key)
        items = value if isinstance(value, list) else [value]
        return tuple(self._as_text(key, item) for item in items)

    def choice(self, key: str, what: str, known: Sequence[str]) -> str:
        word = self.text(key)
        if word not in known:
            raise _unknown(self.place, what, word, known)
        return word

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        if default is not None and key not in self.values:
            return default
        return self._as_whole(key, self.need(key), low, high)

    def _as_whole(self, key: str, value: object, low: int, high: int) -> int:
        if not isinstance(value, int) or isinstance(value, bool):
            raise self.wrong(key, "a whole number", value)
        if not low <= value <= high:
            raise self.wrong(key, f"between {low} and {high}", value)
        return value

    def whole_pair(self, key: str, low: int, high: int) -> tuple[int, int]:
        first, second = self._pair(key)
        return self._as_whole(key, first, low, high), self._as_whole(key, second, low, high)

    def _pair(self, key: str) -> tuple[object, object]:
        value = self.need(key)
        if not isinstance(value, list) or len(value) != 2:
            raise self.wrong(key, "an array of two numbers", value)
        return value[0], value[1]

    def real(self, key: str, limit: float) -> float:
        return self._as_real(key, self.need(key), limit)

    def _as_real(self, key: str, value: object, limit: float) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.wrong(key, "a number", value)
        if not -limit <= value <= limit:  # also refuses nan
            raise self.wrong(key, f"between -{limit:g} and {limit:g}", value)
        return float(value)

    def real_pair(self, key: str, limit: float) -> tuple[float, float]:
        first, second = self._pair(key)
        return self._as_real(key, first, limit), self._as_real(key, second, limit)

    def flag(self, key: str) -> bool:
        value = self.values.get(key, False)
        if not isinstance(value, bool):
            raise self.wrong(key, "true or false", value)
        return value

    def table(self, key: str) -> dict[str, object]:
        """A free table; empty where the key is missing."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, "a table", value)
        return value

    def rows(self, key: str, what: str, keys: Sequence[str], least: int, most: int) -> list[_Table]:
        """An array of tables, each knowing its place as "what 17"; empty where the key is missing and `least` is 0."""
        value = self.values.get(key, []) if least == 0 else self.need(key)
        if not isinstance(value, list):
            raise self.wrong(key, "an array of tables", value)
        if not least <= len(value) <= most:
            raise _error(self.place, f"`{key}` must have {least} to {most} entries, found {len(value)}")
        return [_Table(f"{self.place}: {what} {number}", row, keys) for number, row in enumerate(value, 1)]


_BOARD_KEYS = ("id", "name", "points", "passenger_colours", "cities", "countries", "tracks", "tickets", "drawing", "edition")
_CITY_KEYS = ("name", "lat", "lon", "country", "passengers", "aliases", "nudge", "label")
_COUNTRY_KEYS = ("name", "passengers")
_TRACK_KEYS = ("from", "to", "length", "colour", "tunnel", "ferry", "bend")
_TICKET_KEYS = ("from", "to", "points", "kind", "set", "big_city")
_DECK_KEYS = ("name", "kind", "set", "big_city", "leaves")
_DEAL_KEYS = ("deal", "announce", "keep_least", "keep_most", "keep_least_otherwise", "returned")
_PACK_KEYS = ("name", "board", "tickets")
_PACK_TICKET_KEYS = ("from", "to", "points", "kind")
_RULE_RANGES = {
    "draw_count": (1, MAX_OFFER),
    "draw_keep_least": (0, MAX_OFFER),
    "trains": (1, MAX_TRAINS),
    "hand": (0, 20),
    "cards_each": (1, MAX_CARDS // len(COLOURS)),
    "locomotives": (0, MAX_CARDS),
    "stations": (0, MAX_STATIONS),
    "station_points": (0, MAX_POINTS),
    "last_round_trains": (0, MAX_TRAINS),
    "parallel_from": (MIN_PLAYERS, MAX_PLAYERS + 1),
    "longest_path": (0, MAX_POINTS),
    "globetrotter": (0, MAX_POINTS),
}
"""The rules that are one number each, with the range of it; their defaults are those of `Edition`."""
_EDITION_KEYS = (
    *("id", "name", "summary", "decks", "first_tickets", "ticket_backs_differ", "players", "passenger_points", "tie_breaks"),
    *_RULE_RANGES,
)


# --- the board ------------------------------------------------------------------------------------------------------


class _Names:
    """Every name and alias of a board's places, and what it stands for."""

    def __init__(self, cities: Sequence[City], countries: Sequence[Country]) -> None:
        self.index = {name: index for index, city in enumerate(cities) for name in (city.name, *city.aliases)}
        self.ends = {name: city.name for city in cities if city.country is None for name in (city.name, *city.aliases)}
        self.ends |= {country.name: country.name for country in countries}
        self.border = {city.name: city.country for city in cities if city.country is not None}

    def city(self, table: _Table, key: str) -> int:
        """The index of the city that a track names."""
        name = table.text(key)
        if name not in self.index:
            raise _unknown(table.place, "city", name, self.index)
        return self.index[name]

    def end(self, table: _Table, key: str) -> str:
        """The name of the city or country that a ticket names."""
        name = table.text(key)
        if name in self.border:
            country = self.border[name]
            raise _error(table.place, f"`{name}` is a border space; a ticket leads to the whole country", f"write `{country}`")
        if name not in self.ends:
            raise _unknown(table.place, "city or country", name, self.ends)
        return self.ends[name]


def _board(top: _Table, path: Path | None) -> Board:
    identity, name = top.slug("id"), top.text("name")
    points = _points(top)
    countries = tuple(
        Country(row.text("name"), row.whole("passengers", 0, MAX_PASSENGERS, 0))
        for row in top.rows("countries", "country", _COUNTRY_KEYS, 0, MAX_CITIES)
    )
    cities = _cities(top, countries)
    _check_names(top.place, cities, countries)
    names = _Names(cities, countries)
    tracks = _tracks(top, names, points)
    tickets, bag, drawing = _tickets(top, names), _bag(top), top.table("drawing")
    board = Board(identity, name, cities, countries, tracks, tickets, points, bag, path=path, drawing=drawing)
    _check_routes(board, top.place)
    _check_connected(board, top.place)
    _check_borders(board, top.place)
    _check_passengers(board, top.place)
    # An edition knows its board and the board its editions: the one place where a frozen record is completed later.
    object.__setattr__(board, "editions", _editions(top, board))
    return board


def _points(top: _Table) -> dict[int, int]:
    top.need("points")
    points = {}
    table = _Table(f"{top.place}: points", top.table("points"), [str(length) for length in range(1, MAX_LENGTH + 1)])
    for length in table.values:
        points[int(length)] = table.whole(length, 1, MAX_POINTS)
    return points


def _bag(top: _Table) -> dict[str, int]:
    place = f"{top.place}: passenger_colours"
    table = top.table("passenger_colours")
    for colour in table:
        if colour not in COLOURS:
            raise _unknown(place, "colour", colour, COLOURS)
    if len(table) > PASSENGER_COLOURS_MAX:
        raise _error(place, f"{len(table)} colours, at most {PASSENGER_COLOURS_MAX} fit")
    bag = _Table(place, table, COLOURS)
    return {colour: bag.whole(colour, 1, MAX_PASSENGERS) for colour in table}


def _cities(top: _Table, countries: Sequence[Country]) -> tuple[City, ...]:
    known = [country.name for country in countries]
    return tuple(_city(row, known) for row in top.rows("cities", "city", _CITY_KEYS, 2, MAX_CITIES))


def _city(row: _Table, countries: Sequence[str]) -> City:
    city = City(
        name=row.text("name"),
        lat=row.real("lat", 90),
        lon=row.real("lon", 180),
        country=row.choice("country", "country", countries) if "country" in row else None,
        passengers=row.whole("passengers", 0, MAX_PASSENGERS, 0),
        aliases=row.texts("aliases") if "aliases" in row else (),
        nudge=row.real_pair("nudge", 10_000) if "nudge" in row else (0.0, 0.0),
        label=row.choice("label", "side", LABEL_SIDES) if "label" in row else None,
    )
    if city.country is not None and city.passengers:
        hint = f"give them to the country `{city.country}`"
        raise _error(row.place, "a border space has no passengers of its own", hint)
    return city


def _check_names(place: str, cities: Sequence[City], countries: Sequence[Country]) -> None:
    """Every name stands for one place, whatever its capitals; an alias for no place but its own."""
    owner: dict[str, str] = {}
    for what, names in (("country", [country.name for country in countries]), ("city", [city.name for city in cities])):
        for number, name in enumerate(names, 1):
            if name.casefold() in owner:
                raise _error(f"{place}: {what} {number}", f"the name `{name}` is taken already")
            owner[name.casefold()] = name
    for number, city in enumerate(cities, 1):
        for alias in city.aliases:
            if owner.setdefault(alias.casefold(), city.name) != city.name:
                raise _error(f"{place}: city {number}", f"the alias `{alias}` of `{city.name}` also means `{owner[alias.casefold()]}`")


def _tracks(top: _Table, names: _Names, points: dict[int, int]) -> tuple[Track, ...]:
    tracks = []
    for row in top.rows("tracks", "track", _TRACK_KEYS, 1, MAX_TRACKS):
        track = Track(
            a=names.city(row, "from"),
            b=names.city(row, "to"),
            length=row.whole("length", 1, MAX_LENGTH),
            colour=row.choice("colour", "colour", (*COLOURS, GRAY)),
            tunnel=row.flag("tunnel"),
            ferry=row.whole("ferry", 0, MAX_LENGTH, 0),
            bend=row.real("bend", 10) if "bend" in row else 0.0,
        )
        _check_track(track, row, points)
        tracks.append(track)
    return tuple(tracks)


def _check_track(track: Track, row: _Table, points: dict[int, int]) -> None:
    if track.a == track.b:
        raise _error(row.place, f"leads from `{row.text('from')}` to itself")
    if track.length not in points:
        raise _error(row.place, f"length {track.length} has no points", f"add `{track.length} = …` to `points`")
    if track.ferry > track.length:
        raise _error(row.place, f"`ferry` asks for {track.ferry} locomotives on {track.length} spaces")
    if track.ferry and track.colour != GRAY:
        raise _error(row.place, f"a ferry is gray, found `{track.colour}`", 'write colour = "gray"')
    if track.ferry and track.tunnel:
        raise _error(row.place, "a track is a tunnel or a ferry, not both")


def _tickets(top: _Table, names: _Names) -> tuple[Ticket, ...]:
    rows = top.rows("tickets", "ticket", _TICKET_KEYS, 1, 1000)
    return tuple(_ticket(row, names, row.text("set") if "set" in row else "", row.flag("big_city")) for row in rows)


def _ticket(row: _Table, names: _Names, ticket_set: str, big_city: bool = False) -> Ticket:
    kind = row.choice("kind", "ticket kind", TICKET_KINDS) if "kind" in row else TICKET_KINDS[0]
    ticket = Ticket(names.end(row, "from"), names.end(row, "to"), row.whole("points", 1, MAX_POINTS), kind, ticket_set, big_city)
    if ticket.a == ticket.b:
        raise _error(row.place, f"leads from `{ticket.a}` to itself")
    return ticket


def _routes(board: Board) -> Counter[tuple[int, int]]:
    """The routes as pairs of cities, and how many tracks each has."""
    return Counter((min(track.a, track.b), max(track.a, track.b)) for track in board.tracks)


def _check_routes(board: Board, place: str) -> None:
    """Parallel tracks are equally long, and three at most."""
    first: dict[tuple[int, int], int] = {}
    for number, track in enumerate(board.tracks, 1):
        pair = (min(track.a, track.b), max(track.a, track.b))
        length = board.tracks[first.setdefault(pair, number) - 1].length
        if track.length != length:
            raise _error(f"{place}: track {number}", f"length {track.length}, but its parallel track {first[pair]} has {length}")
    for (a, b), n in _routes(board).items():
        if n > MAX_PARALLEL:
            names = f"`{board.cities[a].name}` and `{board.cities[b].name}`"
            raise _error(place, f"{n} tracks between {names}, at most {MAX_PARALLEL} may be parallel")


def _check_connected(board: Board, place: str) -> None:
    parts: list[set[int]] = [{index} for index in range(len(board.cities))]
    for track in board.tracks:
        joined = [part for part in parts if track.a in part or track.b in part]
        parts = [part for part in parts if part not in joined] + [set().union(*joined)]
    if len(parts) > 1:
        parts.remove(max(parts, key=len))
        lost = [board.cities[index].name for index in sorted(set().union(*parts))]
        raise _error(place, f"cut off from the rest of the board: {_some(lost)}", "every city must be reachable by tracks")


def _check_borders(board: Board, place: str) -> None:
    """Border spaces are dead ends (TICKET-9), and every country has one."""
    degree = Counter(end for pair in _routes(board) for end in pair)
    for index, city in enumerate(board.cities):
        if city.country is not None and degree[index] != 1:
            reason = f"the border space `{city.name}` has {degree[index]} routes, it must have exactly one"
            raise _error(f"{place}: city {index + 1}", reason, f"make one border space of `{city.country}` for each route")
    reached = {city.country for city in board.cities}
    for number, country in enumerate(board.countries, 1):
        if country.name not in reached:
            hint = f'add a city with country = "{country.name}"'
            raise _error(f"{place}: country {number}", f"`{country.name}` has no border space", hint)


def _places_for_passengers(board: Board) -> int:
    return sum(city.passengers for city in board.cities) + sum(country.passengers for country in board.countries)


def _check_passengers(board: Board, place: str) -> None:
    bag, places = sum(board.passenger_colours.values()), _places_for_passengers(board)
    if bag != places:
        raise _error(place, f"{bag} passengers in the bag (`passenger_colours`), but places for {places} on the board")
    if bag > MAX_PASSENGERS:
        raise _error(place, f"{bag} passengers, at most {MAX_PASSENGERS} fit")


# --- editions -------------------------------------------------------------------------------------------------------


def _editions(top: _Table, board: Board) -> tuple[Edition, ...]:
    if "edition" not in top:
        raise _error(top.place, "has no edition, so it can't be played", "add an [[edition]] table at the end")
    found: dict[str, Edition] = {}
    for row in top.rows("edition", "edition", _EDITION_KEYS, 1, 100):
        identity = row.slug("id")
        if identity in found:
            raise _error(row.place, f"the id `{identity}` is taken already")
        row.place = f"{top.place}: edition `{identity}`"
        found[identity] = _edition(row, board)
    return tuple(found.values())


def _edition(row: _Table, board: Board) -> Edition:
    rules: dict[str, Any] = {key: row.whole(key, *limits) for key, limits in _RULE_RANGES.items() if key in row}
    if "players" in row:
        rules["players"] = row.whole_pair("players", MIN_PLAYERS, MAX_PLAYERS)
    if "passenger_points" in row:
        rules["passenger_points"] = row.whole_pair("passenger_points", 0, MAX_POINTS)
    if "tie_breaks" in row:
        rules["tie_breaks"] = row.texts("tie_breaks")
    decks = _decks(row, board)
    edition = Edition(
        id=row.slug("id"),
        name=row.text("name"),
        summary=row.text("summary", _MAX_SUMMARY),
        board=board,
        decks=decks,
        first_tickets=_deals(row, decks),
        ticket_backs_differ=row.flag("ticket_backs_differ"),
        **rules,
    )
    _check_decks(edition, row.place)
    _check_deals(edition, row.place)
    _check_rules(edition, row.place)
    _check_tie_breaks(edition, row.place)
    return edition


def _decks(row: _Table, board: Board) -> tuple[Deck, ...]:
    decks = []
    for deck in row.rows("decks", "deck", _DECK_KEYS, 1, 2):
        kinds = _filter(deck, "kind", "ticket kind", {ticket.kind for ticket in board.tickets})
        sets = _filter(deck, "set", "ticket set", {ticket.set for ticket in board.tickets})
        marks = {deck.flag("big_city")} if "big_city" in deck else {True, False}
        tickets = tuple(t for t in board.tickets if t.kind in kinds and t.set in sets and t.big_city in marks)
        if not tickets:
            raise _error(deck.place, "no ticket of the board fits this deck")
        decks.append(Deck(deck.slug("name"), tickets, deck.flag("leaves")))
    if len({deck.name for deck in decks}) < len(decks):  # before the deals, which name the decks
        raise _error(row.place, f"both decks are called `{decks[0].name}`")
    return tuple(decks)


def _filter(deck: _Table, key: str, what: str, known: set[str]) -> set[str]:
    """The wanted values of a ticket's `key`; all of them where the deck does not say."""
    if key not in deck:
        return known
    wanted = set(deck.texts(key))
    for word in sorted(wanted - known):
        raise _unknown(deck.place, what, word, sorted(known))
    return wanted


def _check_decks(edition: Edition, place: str) -> None:
    first = edition.decks[0]
    if first.leaves:
        raise _error(place, f"the first deck, `{first.name}`, can't leave the game: it is the one that is drawn from", "put it second")
    if edition.ticket_backs_differ and len(edition.decks) < 2:
        raise _error(place, "`ticket_backs_differ` needs two decks")
    _check_tickets(edition, place)


def _check_tickets(edition: Edition, place: str) -> None:
    """No ticket is twice in the decks, and all of them fit."""
    seen = set()
    for deck in edition.decks:
        for ticket in deck.tickets:
            ends = frozenset((ticket.a, ticket.b))
            if ends in seen:
                raise _error(place, f"the ticket `{ticket.a}`–`{ticket.b}` is in the decks twice")
            seen.add(ends)
    if len(seen) > MAX_TICKETS:
        raise _error(place, f"{len(seen)} tickets in the decks, at most {MAX_TICKETS} fit")


def _deals(row: _Table, decks: Sequence[Deck]) -> tuple[Deal, ...]:
    rows = row.rows("first_tickets", "first_tickets", _DEAL_KEYS, 1, 2)
    return tuple(_deal(deal, decks, first=deal is rows[0]) for deal in rows)


def _deal(row: _Table, decks: Sequence[Deck], *, first: bool) -> Deal:
    counts = _counts(row, decks)
    total = sum(counts)
    announce = row.flag("announce")
    if not 1 <= total <= MAX_OFFER:
        raise _error(row.place, f"deals {total} tickets, it must be 1 to {MAX_OFFER}")
    if announce and (len(decks) < 2 or decks[1].leaves):
        raise _error(row.place, "`announce` needs two decks that stay in the game")
    if announce and isinstance(row.need("deal"), dict):
        raise _error(row.place, "with `announce` the player chooses the mix, so `deal` is one number: the total")
    if first and "keep_least_otherwise" in row:
        raise _error(row.place, "`keep_least_otherwise` looks back at the step before, and the first step has none")
    most = row.whole("keep_most", 0, total, total)
    least = _keep(row, "keep_least", most)
    otherwise = _keep(row, "keep_least_otherwise", most) if "keep_least_otherwise" in row else least
    return Deal(counts, least, most, otherwise, row.choice("returned", "place for returned tickets", RETURNED), announce)


def _keep(row: _Table, key: str, most: int) -> int:
    least = row.whole(key, 0, MAX_OFFER)
    if least > most:
        raise _error(row.place, f"`{key}` is {least}, but at most {most} can be kept")
    return least


def _counts(row: _Table, decks: Sequence[Deck]) -> tuple[int, int]:
    """`deal = 3` is three from the first deck; `deal = { regular = 3, long = 1 }` names the decks."""
    if not isinstance(row.need("deal"), dict):
        return row.whole("deal", 1, MAX_OFFER), 0
    names = [deck.name for deck in decks]
    table = row.table("deal")
    for name in table:
        if name not in names:
            raise _unknown(row.place, "deck", name, names)
    deal = _Table(f"{row.place}: deal", table, names)
    counts = [deal.whole(name, 0, MAX_OFFER, 0) for name in names]
    return counts[0], counts[1] if len(counts) > 1 else 0


def _check_deals(edition: Edition, place: str) -> None:
    """Every deck has enough for the setup of a full table, whatever mix is announced."""
    players = edition.players[1]
    for index, deck in enumerate(edition.decks):
        each = sum(deal.counts[0] if deal.announce else deal.counts[index] for deal in edition.first_tickets)
        if each * players > len(deck.tickets):
            reason = f"deck `{deck.name}` has {len(deck.tickets)} tickets, {players} players are dealt {each} each"
            raise _error(place, reason, f"deal fewer, or set players = [{edition.players[0]}, …]")


def _check_rules(edition: Edition, place: str) -> None:
    low, high = edition.players
    if low > high:
        raise _error(place, f"`players` goes from {low} down to {high}")
    if edition.draw_keep_least > edition.draw_count:
        raise _error(place, f"`draw_keep_least` is {edition.draw_keep_least}, but only {edition.draw_count} tickets are drawn")
    if edition.last_round_trains >= edition.trains:
        raise _error(place, f"`last_round_trains` is {edition.last_round_trains}, it must be less than the {edition.trains} trains")
    cards = len(COLOURS) * edition.cards_each + edition.locomotives
    need = high * edition.hand + FACE_UP
    if not need <= cards <= MAX_CARDS:
        reason = f"{cards} cards ({len(COLOURS)} × {edition.cards_each} and {edition.locomotives} locomotives)"
        raise _error(place, f"{reason}, it must be between {need} (hands and face-up cards) and {MAX_CARDS}")
    if any(edition.passenger_points) and not edition.board.passenger_colours:
        raise _error(place, "`passenger_points` without passengers on the board", "add `passenger_colours` to the board")


def _check_tie_breaks(edition: Edition, place: str) -> None:
    needs = {"stations": edition.stations, "path": edition.longest_path, "passengers": len(edition.board.passenger_colours)}
    for number, word in enumerate(edition.tie_breaks):
        if word not in TIE_BREAKS:
            raise _unknown(place, "tie-break", word, TIE_BREAKS)
        if word in edition.tie_breaks[:number]:
            raise _error(place, f"tie-break `{word}` is listed twice")
        if not needs.get(word, 1):
            key = {"path": "longest_path", "passengers": "passenger_colours"}.get(word, word)
            raise _error(place, f"tie-break `{word}` can decide nothing here: `{key}` is not set")


# --- ticket packs ---------------------------------------------------------------------------------------------------


def add_pack(edition: Edition, pack: dict[str, object], place: str = "pack") -> Edition:
    """The edition with the tickets of one pack, as its file reads, at the end of its decks (SETUP-11, RULING-15)."""
    top = _Table(place, pack, _PACK_KEYS)
    name, board = top.text("name"), edition.board
    if "board" in top and top.slug("board") != board.id:
        raise _error(place, f"this pack is for the board `{top.slug('board')}`, not for `{board.id}`")
    if name in edition.packs:
        raise _error(place, f"the pack `{name}` is added already")
    names = _Names(board.cities, board.countries)
    decks = list(edition.decks)
    taken = {frozenset((ticket.a, ticket.b)) for deck in decks for ticket in deck.tickets}
    for row in top.rows("tickets", "ticket", _PACK_TICKET_KEYS, 1, MAX_TICKETS):
        ticket = _ticket(row, names, name)
        if frozenset((ticket.a, ticket.b)) in taken:
            raise _error(row.place, f"the ticket `{ticket.a}`–`{ticket.b}` is in the edition `{edition.id}` already")
        taken.add(frozenset((ticket.a, ticket.b)))
        index = _pack_deck(ticket, edition, row.place)
        decks[index] = replace(decks[index], tickets=(*decks[index].tickets, ticket))
    if len(taken) > MAX_TICKETS:
        raise _error(place, f"with this pack the decks have {len(taken)} tickets, at most {MAX_TICKETS} fit")
    return replace(edition, decks=tuple(decks), packs=(*edition.packs, name))


def _pack_deck(ticket: Ticket, edition: Edition, place: str) -> int:
    if ticket.kind != "long":
        return 0
    if len(edition.decks) < 2:
        raise _error(place, f"the edition `{edition.id}` has no deck of long tickets", "leave out kind, or choose another edition")
    return 1
