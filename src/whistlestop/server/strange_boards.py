"""Boards of strangers: a map file is read, checked and drawn within limits, and named by what is in it.

What the text says never leads to another file: `land` names a drawing that comes with the package, and a map file names
nothing else. `board_process.py` does this in a process of its own, which can be killed.
"""

from __future__ import annotations

import hashlib
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

import orjson

from whistlestop.draw.screen import drawing_data, picture
from whistlestop.draw.themes import BROWSER_THEMES
from whistlestop.errors import MapError
from whistlestop.mapfile import Board, Edition, check_board, line_of, parse_board

LARGEST_BOARD = 100_000
"""Bytes of a map file; those of the package have 30,000 at most."""
READ_SECONDS = 0.5
"""Of the processor, to read a map file and check it; those of the package take a twentieth of that."""
DRAW_SECONDS = 4.0
"""Of the processor, to draw it; the largest that the format allows takes a quarter of that, unless it is one heap."""
MOST_EDITIONS = 12
"""Of one map file on a server."""
MOST_TRACKS_OF_A_PLAYER = 36
"""Where the longest path counts. Looking for it takes longer with every track: with this many about a second on the
worst board that was found (bench/longest_path.py), and twenty seconds and more with the 60 that the format allows.
"""
LONGEST_HASH = 32
"""Characters of a board's hash."""
LONGEST_FAULT = 400
"""Characters that are said of a fault: what it quotes may be as long as the file."""
SOURCE = "map"
"""How the reader's errors call the file, for nobody knows its name here."""


@dataclass(frozen=True, slots=True)
class ReadBoard:
    """A board that was read and drawn."""

    editions: tuple[Edition, ...]
    """Named by the board's hash, see `edition_name`."""
    drawing: bytes
    """`drawing_data` of `draw/screen.py`, as JSON."""
    pictures: dict[str, str]
    """A small picture by theme, as SVG."""
    remarks: tuple[str, ...]
    """What its maker may want to change."""


@dataclass(frozen=True, slots=True)
class BoardFault:
    """Why a board cannot be used."""

    message: str
    hint: str | None = None
    line: int | None = None


class TimeUp(BaseException):
    """The processor was used for too long; no error, so that nothing takes it for one of its own."""


def hash_of_board(text: bytes) -> str:
    """What tells one map file from all others."""
    return hashlib.sha256(text).hexdigest()[:LONGEST_HASH]


def edition_name(identity: str, board_hash: str) -> str:
    """How an edition of a board of strangers is called on a server: its own id may be anybody's."""
    return f"{identity}@{board_hash}"


def stored_edition(row: Mapping[str, Any]) -> str:
    """The name of the edition that a stored table plays."""
    edition, board_hash = row["edition"], row["board"]
    return edition_name(edition, board_hash) if board_hash else str(edition)


def board_hash_in(edition: str) -> str | None:
    """The hash of the board in an edition's name; None for editions that come with the package."""
    return edition.partition("@")[2] or None


def read_strange_board(text: bytes) -> ReadBoard | BoardFault:
    """A map file as a board with its drawing, or what is wrong with it."""
    try:
        with _limited(READ_SECONDS):
            board = _read(text)
    except MapError as error:
        return BoardFault(_plain(error.message, SOURCE), error.hint, error.line)
    except TimeUp:
        return BoardFault("this file takes too long to read", "a map file is a short list of cities, tracks, tickets")
    try:
        with _limited(DRAW_SECONDS):
            return _drawn(board, hash_of_board(text))
    except MapError as error:
        reason = _plain(error.message, board.id)
        return BoardFault(reason, error.hint, line_of(reason, text.decode()))
    except TimeUp:
        return BoardFault("this board takes too long to draw", "it may have too many cities or tracks")
    except (ArithmeticError, ValueError, LookupError):  # coordinates that no drawing was made for
        return BoardFault("this board can't be drawn", "are the coordinates of its cities those of places on a map?")


def _plain(message: str, source: str) -> str:
    return message.removeprefix(f"{source}: ")[:LONGEST_FAULT]


def _read(raw: bytes) -> Board:
    try:
        text = raw.decode().removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        found = MapError(f"not UTF-8 text: byte 0x{raw[error.start]:02x} in line {line}", "save the file as UTF-8")
        found.line = line
        raise found from None
    board = parse_board(text, SOURCE)
    try:
        _check_editions(board)
    except MapError as error:
        error.line = line_of(error.message, text)
        raise
    return board


def _check_editions(board: Board) -> None:
    """Refuse what the format allows and a server does not."""
    if len(board.editions) > MOST_EDITIONS:
        reason = f"edition {MOST_EDITIONS + 1}: {len(board.editions)} editions, a server takes {MOST_EDITIONS}"
        raise MapError(reason, "leave some of them out")
    for edition in board.editions:
        _check_path(edition)


def _check_path(edition: Edition) -> None:
    """Refuse an edition whose longest path might take very long to find."""
    tracks = most_tracks(edition)
    if edition.longest_path and tracks > MOST_TRACKS_OF_A_PLAYER:
        raise MapError(
            f"edition `{edition.id}`: with {edition.trains} trains a player could have {tracks} "
            f"tracks, and a server looks for the longest path in {MOST_TRACKS_OF_A_PLAYER} at most",
            "give it fewer `trains`, longer tracks, or no `longest_path`",
        )


def most_tracks(edition: Edition) -> int:
    """More tracks than this no player can have: the shortest first, until the trains run out."""
    left, found = edition.trains, 0
    for length in sorted(track.length for track in edition.board.tracks):
        left -= length
        found += left >= 0
    return found


def _drawn(board: Board, board_hash: str) -> ReadBoard:
    editions = tuple(replace(edition, id=edition_name(edition.id, board_hash)) for edition in board.editions)
    object.__setattr__(board, "editions", editions)  # as the reader completes it: what is sent has no other ones
    return ReadBoard(
        editions,
        orjson.dumps(drawing_data(board)),
        {theme: picture(editions[0], theme) for theme in BROWSER_THEMES},
        tuple(check_board(board)),
    )


@contextmanager
def _limited(seconds: float) -> Iterator[None]:
    """Raise TimeUp after so many seconds of the processor; where the system has no such clock, the server's holds."""

    def up(_signal: int, _frame: FrameType | None) -> None:
        raise TimeUp

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGPROF, up)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
