"""A board and its editions as frozen data, the names that every part of the package uses, and all limits."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from whistlestop.errors import WhistlestopError

CARD_COLOURS = ("purple", "blue", "orange", "white", "green", "yellow", "black", "red")
"""The eight card colours, in the engine's order."""
LOCOMOTIVE = "locomotive"
CARDS = (*CARD_COLOURS, LOCOMOTIVE)
"""The nine kinds of card."""
GRAY = "gray"
"""The colour of a track that any one colour of cards pays for."""
TICKET_KINDS = ("regular", "short", "long")
RETURNED = ("bottom", "shuffled-bottom", "box", "reshuffle")
"""Where tickets of a first deal go that are not kept."""
TIE_BREAKS = ("tickets", "stations", "path", "passengers")
LABEL_SIDES = ("n", "ne", "e", "se", "s", "sw", "w", "nw")
FACE_UP = 5
"""Face-up cards (SETUP-4)."""
DEFAULT_PLAYERS = (2, 5)
"""Fewest and most players of an edition that does not say (SETUP-1)."""

# Limits of one engine record. The reader refuses more, so that the engine never has to check.
MIN_PLAYERS = 2
MAX_PLAYERS = 5
EDITIONS_KEPT = 1024
"""Editions whose tables and notation are remembered: on a server every table with packs of its own has one."""
"""Seats at a table too. A sixth needs a colour in `draw/themes.py` and an edition with `players = [2, 6]`."""
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
MAX_PASSENGER_COLOURS = 6
MAX_CARDS = 120
MAX_HAND = 20
"""Cards dealt to each player at the start."""
MAX_TRAINS = 60
MAX_STATIONS = 3
MAX_POINTS = 99
"""Of a ticket, a track length or a bonus."""

# Limits of a file.
MAX_FILE_BYTES = 1_000_000
"""Far above any board: a server reads strangers' files."""
MAX_NAME_LENGTH = 60
MAX_SLUG_LENGTH = 40
MAX_SUMMARY_LENGTH = 400
MAX_FILE_TICKETS = 1000
"""On one board, in all its decks."""
MAX_FILE_EDITIONS = 100


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
    """One of CARD_COLOURS, or "gray"."""
    tunnel: bool = False
    ferry: int = 0
    """Number of locomotive symbols."""
    bend: float = 0.0
    """Drawing only: how far the curve bows out to the left of a→b, as a share of its length."""

    @property
    def ends(self) -> tuple[int, int]:
        """The two cities, the lower index first: the same for all parallel tracks."""
        return min(self.a, self.b), max(self.a, self.b)


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
    """Where tickets not kept go: one of RETURNED; "box" is out of the game, "reshuffle" into their decks."""
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
    players: tuple[int, int] = DEFAULT_PLAYERS
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
    """In order, some of TIE_BREAKS: most tickets, fewest stations, holder of the longest path, most passengers."""
    packs: tuple[str, ...] = ()
    """Names of the ticket packs that were added."""

    @property
    def features(self) -> tuple[str, ...]:
        """What is special about the edition; `needs` in rules.toml and the client's badges use these names."""
        present = {
            "tunnels": any(track.tunnel for track in self.board.tracks),
            "ferries": any(track.ferry for track in self.board.tracks),
            "stations": self.stations > 0,
            "passengers": bool(self.board.passenger_colours),
            "longest_path": self.longest_path > 0,
            "globetrotter": self.globetrotter > 0,
            "long_tickets": any(ticket.kind == "long" for deck in self.decks for ticket in deck.tickets),
            "countries": bool(self.board.countries),
            "packs": bool(self.packs),
        }
        return tuple(name for name, there in present.items() if there)

    def check_players(self, players: int) -> None:
        """Refuse a number of players that the edition is not for (SETUP-1)."""
        least, most = self.players
        text = f"{self.name} is for {least} to {most} players"
        if isinstance(players, bool) or not isinstance(players, int):
            given = f"the text {players!r}" if isinstance(players, str) else repr(players)
            raise WhistlestopError(f"{text}, as a number, not {given}")
        if not least <= players <= most:
            raise WhistlestopError(f"{text}, not {players}")

    def __hash__(self) -> int:
        # The generated one would hash every ticket and fail on the board's dicts; this is asked for with every view.
        if not self.packs:
            return hash(self.id)
        return hash((self.id, self.packs, *(deck.tickets[-1:] for deck in self.decks)))  # packs of one name may differ


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
    """Hints for the drawing; `draw/geometry.py` checks and documents the keys."""

    def routes(self) -> dict[tuple[int, int], list[int]]:
        """The tracks of each route by its two cities (`Track.ends`), in file order."""
        found: dict[tuple[int, int], list[int]] = {}
        for index, track in enumerate(self.tracks):
            found.setdefault(track.ends, []).append(index)
        return found

    def __hash__(self) -> int:
        return hash((self.id, len(self.cities), len(self.tracks)))
