"""Boards as data: a TOML file becomes a frozen `Board`, and one of its editions a frozen `Edition`.

`maps/README.md` describes the format. Here are names and plain numbers only; `engine/tables.py` compiles an `Edition`
into the integers that the kernels read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, fields
from functools import cache
from pathlib import Path

from whistlestop.errors import MapError
from whistlestop.mapfile.board import read_board
from whistlestop.mapfile.edition import add_pack, read_editions
from whistlestop.mapfile.lines import line_of
from whistlestop.mapfile.model import (
    CARD_COLOURS,
    CARDS,
    EDITIONS_KEPT,
    FACE_UP,
    GRAY,
    LABEL_SIDES,
    LOCOMOTIVE,
    MAX_CARDS,
    MAX_CITIES,
    MAX_LENGTH,
    MAX_OFFER,
    MAX_PARALLEL,
    MAX_PASSENGER_COLOURS,
    MAX_PASSENGERS,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_STATIONS,
    MAX_TICKETS,
    MAX_TRACKS,
    MAX_TRAINS,
    MIN_PLAYERS,
    RETURNED,
    TICKET_KINDS,
    TIE_BREAKS,
    Board,
    City,
    Country,
    Deal,
    Deck,
    Edition,
    Ticket,
    Track,
)
from whistlestop.mapfile.remarks import check_board, distances, facts
from whistlestop.mapfile.tomltable import (
    BOARD_KEYS,
    TomlTable,
    parse_toml,
    quoted,
    read_text,
    unknown_word,
)
from whistlestop.spelling import did_you_mean

__all__ = [
    "CARDS",
    "CARD_COLOURS",
    "EDITIONS_KEPT",
    "FACE_UP",
    "GRAY",
    "LABEL_SIDES",
    "LOCOMOTIVE",
    "MAPS",
    "MAX_CARDS",
    "MAX_CITIES",
    "MAX_LENGTH",
    "MAX_OFFER",
    "MAX_PARALLEL",
    "MAX_PASSENGERS",
    "MAX_PASSENGER_COLOURS",
    "MAX_PLAYERS",
    "MAX_POINTS",
    "MAX_STATIONS",
    "MAX_TICKETS",
    "MAX_TRACKS",
    "MAX_TRAINS",
    "MIN_PLAYERS",
    "RETURNED",
    "TICKET_KINDS",
    "TIE_BREAKS",
    "Board",
    "City",
    "Country",
    "Deal",
    "Deck",
    "Edition",
    "MapError",
    "Ticket",
    "Track",
    "add_pack",
    "check_board",
    "digest",
    "distances",
    "editions",
    "facts",
    "line_of",
    "load_board",
    "load_edition",
    "parse_board",
]

MAPS = Path(__file__).parent.parent / "maps"
_SHIPPED = ("usa", "europe", "germany")


def load_board(path: str | Path) -> Board:
    """Read the map file at `path` with all its editions; a file that breaks the format is a `MapError`."""
    return _whole_board(read_text(path), str(path), Path(path))


def parse_board(text: str, source: str = "map") -> Board:
    """Read a map from `text`, as an editor does before there is a file; `source` names it in errors."""
    return _whole_board(text, source, None)


def _whole_board(text: str, source: str, path: Path | None) -> Board:
    try:
        top = TomlTable(source, parse_toml(text, source), BOARD_KEYS)
        board = read_board(top, path)
        # An edition knows its board and the board its editions: the one place where a frozen record is completed later.
        object.__setattr__(board, "editions", read_editions(top, board))
    except MapError as error:
        error.line = line_of(error.message.removeprefix(f"{source}: "), text)
        raise
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
        did_you_mean(name, known, most=1),
        f"the editions are {', '.join(known)}; a map file is given by its path, ending in .toml",
    ]
    raise MapError(f"unknown edition {quoted(name)}", f"{' '.join(filter(None, hints))}")
