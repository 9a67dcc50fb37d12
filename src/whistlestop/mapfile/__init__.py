"""Boards as data: a TOML file becomes a frozen `Board`, and one of its editions a frozen `Edition`.

The format is described in `maps/README.md`. Everything here is words and plain numbers; `engine/tables.py`
compiles an `Edition` into the integers the kernels read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from functools import cache
from pathlib import Path

from whistlestop.mapfile.board import read_board
from whistlestop.mapfile.edition import add_pack as add_pack
from whistlestop.mapfile.edition import read_editions
from whistlestop.mapfile.model import (
    CARD_COLOURS as CARD_COLOURS,
)
from whistlestop.mapfile.model import (
    FACE_UP as FACE_UP,
)
from whistlestop.mapfile.model import (
    GRAY as GRAY,
)
from whistlestop.mapfile.model import (
    LABEL_SIDES as LABEL_SIDES,
)
from whistlestop.mapfile.model import (
    MAX_CARDS as MAX_CARDS,
)
from whistlestop.mapfile.model import (
    MAX_CITIES as MAX_CITIES,
)
from whistlestop.mapfile.model import (
    MAX_LENGTH as MAX_LENGTH,
)
from whistlestop.mapfile.model import (
    MAX_OFFER as MAX_OFFER,
)
from whistlestop.mapfile.model import (
    MAX_PARALLEL as MAX_PARALLEL,
)
from whistlestop.mapfile.model import (
    MAX_PASSENGERS as MAX_PASSENGERS,
)
from whistlestop.mapfile.model import (
    MAX_PLAYERS as MAX_PLAYERS,
)
from whistlestop.mapfile.model import (
    MAX_POINTS as MAX_POINTS,
)
from whistlestop.mapfile.model import (
    MAX_STATIONS as MAX_STATIONS,
)
from whistlestop.mapfile.model import (
    MAX_TICKETS as MAX_TICKETS,
)
from whistlestop.mapfile.model import (
    MAX_TRACKS as MAX_TRACKS,
)
from whistlestop.mapfile.model import (
    MAX_TRAINS as MAX_TRAINS,
)
from whistlestop.mapfile.model import (
    MIN_PLAYERS as MIN_PLAYERS,
)
from whistlestop.mapfile.model import (
    PASSENGER_COLOURS_MAX as PASSENGER_COLOURS_MAX,
)
from whistlestop.mapfile.model import (
    RETURNED as RETURNED,
)
from whistlestop.mapfile.model import (
    TICKET_KINDS as TICKET_KINDS,
)
from whistlestop.mapfile.model import (
    TIE_BREAKS as TIE_BREAKS,
)
from whistlestop.mapfile.model import (
    Board as Board,
)
from whistlestop.mapfile.model import (
    City as City,
)
from whistlestop.mapfile.model import (
    Country as Country,
)
from whistlestop.mapfile.model import (
    Deal as Deal,
)
from whistlestop.mapfile.model import (
    Deck as Deck,
)
from whistlestop.mapfile.model import (
    Edition as Edition,
)
from whistlestop.mapfile.model import (
    MapError as MapError,
)
from whistlestop.mapfile.model import (
    Ticket as Ticket,
)
from whistlestop.mapfile.model import (
    Track as Track,
)
from whistlestop.mapfile.remarks import check_board as check_board
from whistlestop.mapfile.remarks import facts as facts
from whistlestop.mapfile.tomltable import (
    BOARD_KEYS,
    TomlTable,
    did_you_mean,
    parse_toml,
    quoted,
    read_text,
    unknown_word,
)

MAPS = Path(__file__).parent.parent / "maps"
_SHIPPED = ("usa", "europe", "germany")


def load_board(path: str | Path) -> Board:
    """Read the map file at `path` with all its editions; a file that breaks the format is a `MapError`."""
    return _whole_board(read_text(path), str(path), Path(path))


def parse_board(text: str, source: str = "map") -> Board:
    """Read a map from `text`, as an editor does before there is a file; `source` names it in errors."""
    return _whole_board(text, source, None)


def _whole_board(text: str, source: str, path: Path | None) -> Board:
    top = TomlTable(source, parse_toml(text, source), BOARD_KEYS)
    board = read_board(top, path)
    # An edition knows its board and the board its editions: the one place where a frozen record is completed later.
    object.__setattr__(board, "editions", read_editions(top, board))
    return board


def load_edition(name_or_path: str | Path, packs: Sequence[str | Path] = ()) -> Edition:
    """The shipped edition of that id, or one out of a map file, with the ticket packs in `packs` added in order.

    `"my.toml"` is the file's first edition, `"my.toml:long-game"` the one of that id.
    The edition's `board` stays as it is in the file: pack tickets are in the decks only.
    """
    edition = _edition_in_file(str(name_or_path)) if _is_path(name_or_path) else _shipped_edition(str(name_or_path))
    for pack in (packs,) if isinstance(packs, str | Path) else packs:
        edition = add_pack(edition, parse_toml(read_text(pack), str(pack)), str(pack))
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
    raise unknown_word(f"{file}.toml", "edition", wanted, [edition.id for edition in board.editions])


def _shipped_edition(name: str) -> Edition:
    for stem in _SHIPPED:  # board by board: most callers need one file only
        for edition in _shipped_board(stem).editions:
            if edition.id == name:
                return edition
    known = [edition.id for edition in editions()]
    hints = [
        did_you_mean(name, known),
        f"the editions are {', '.join(known)}; a map file is given by its path, ending in .toml",
    ]
    raise MapError(f"unknown edition {quoted(name)}\nhint: {' '.join(filter(None, hints))}")
