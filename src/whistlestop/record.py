"""Records: a whole game as text that people can read, with every outcome of chance written down.

`parse_record` and `record_text` turn the text into a `Record` and back; `Game.from_record` plays it. A record of the
same chance stream is played again from its seed and checked line by line against what it says. One of another stream is
played from its written outcomes, so records outlive the generator. Nothing is ever half loaded.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from whistlestop.engine.bits import SEED_BITS
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.errors import MapError, RecordError, WhistlestopError
from whistlestop.mapfile import CARDS, Edition, add_pack, digest, load_edition
from whistlestop.names import check_name
from whistlestop.spelling import shown

FORMAT = 1
TITLE = f"whistlestop record {FORMAT}"
_KEYS = (
    "edition", "board", "pack", "players", "seed", "engine", "rules", "generator", "moves", "first", "tickets", "cards",
    "passengers",
)  # fmt: skip
_NEEDED = ("edition", "board", "players", "seed", "rules", "generator", "first", "tickets", "cards")
ARROW = " -> "
"""Stands between an action and its outcome."""
_LONGEST_SOURCE = 1000


@dataclass(frozen=True, slots=True)
class RecordedMove:
    """A line of a record: who acts, and the action with its outcome, as in `draw blind -> green`."""

    player: int
    text: str
    line: int = 0


@dataclass(frozen=True, slots=True)
class Record:
    """What a record says."""

    source: str
    """What the edition was loaded by."""
    edition: Edition
    """The edition with its packs."""
    packs: tuple[Mapping[str, Any], ...]
    players: int
    names: tuple[str, ...] | None
    """None for the usual names."""
    seed: int
    generator: str
    first: int
    drawn: bool
    """Whether chance drew the first player."""
    setup: tuple[int, ...]
    """Raw outcomes of the setup, as in `Game.setup`."""
    moves: tuple[RecordedMove, ...]
    lines: Mapping[str, int] = field(default_factory=dict)
    """Where each key of the header stands."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def record_error(line: int, reason: str, hint: str | None = None) -> RecordError:
    """An error at a line of a record."""
    return RecordError(f"record line {line}: {reason}", hint)


def _bad(line: _Line, reason: str, hint: str | None = None) -> RecordError:
    return record_error(line.number, reason, hint)


# ---- writing --------------------------------------------------------------------------------------------------------
def record_text(record: Record) -> str:
    """A record as text."""
    names = record.names or ()
    lines = [
        TITLE,
        f"edition: {record.source}",
        f"board: {digest(record.edition)}",
        *(f"pack: {json.dumps(pack, ensure_ascii=False)}" for pack in record.packs),
        f"players: {record.players}",
        *(f"player {i}: {name}" for i, name in enumerate(names, 1)),
        f"seed: {record.seed}",
        f"engine: {version('whistlestop')}",
        f"rules: {RULES_VERSION}",
        f"generator: {record.generator}",
        f"moves: {len(record.moves)}",
        *_setup_lines(record),
        "",
        *(f"{number}. P{move.player + 1}: {move.text}" for number, move in enumerate(record.moves, 1)),
    ]
    return "\n".join(lines) + "\n"


def _setup_lines(record: Record) -> list[str]:
    """The outcomes of the setup, part by part: first player, shuffles of the ticket decks, cards, passengers."""
    left = list(record.setup)[1 if record.drawn else 0 :]
    shuffles = sum(max(0, len(deck.tickets) - 1) for deck in record.edition.decks)
    colours = tuple(record.edition.board.passenger_colours)
    cards = len(left) - sum(record.edition.board.passenger_colours.values())
    lines = [
        f"first: {record.first + 1} {'drawn' if record.drawn else 'set'}",
        f"tickets: {' '.join(map(str, left[:shuffles]))}",
        f"cards: {' '.join(CARDS[c] for c in left[shuffles:cards])}",
    ]
    return [*lines, f"passengers: {' '.join(colours[c] for c in left[cards:])}"] if colours else lines


# ---- reading --------------------------------------------------------------------------------------------------------
def parse_record(text: str | bytes, edition: str | Path | Edition | None = None) -> Record:
    """What a record says, or a RecordError that names the line. `edition` replaces the one named in it."""
    lines = [_Line(i, line) for i, line in enumerate(_decoded(text).removeprefix("\ufeff").splitlines(), 1)]
    title = lines[0].text.rstrip() if lines else ""
    if not title.startswith("whistlestop record "):
        raise record_error(1, f"not a record: the first line must be {TITLE!r}")
    if title != TITLE:
        hint = "a newer whistlestop may read it"
        raise record_error(1, f"this is a {shown(title)}, this version reads {TITLE!r}", hint)
    split = next((i for i, line in enumerate(lines) if i and not line.text.strip()), len(lines))
    header = _header(lines[1:split])
    record = _record(header, edition, [line for line in lines[split:] if line.text.strip()])
    said = header.get("moves")
    if said and _number(said) != len(record.moves):
        reason = f"the record ends after move {len(record.moves)}, it says that it has {said.text}"
        raise _bad(lines[-1], f"{reason}: part of it is missing")
    return record


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes | bytearray):
        raise TypeError(f"a record is text, not {type(text).__name__}")
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise record_error(
            line, f"not UTF-8 text: byte 0x{text[error.start]:02x}", "a record is a text file"
        ) from error


def _header(lines: list[_Line]) -> dict[str, _Line]:
    """Header lines by key; packs, which may be several, are numbered."""
    header: dict[str, _Line] = {}
    for line in lines:
        key, colon, value = line.text.partition(": ")
        if not colon:
            key, colon, value = line.text.rstrip().partition(":")
        if not colon or (value and value == line.text.rstrip().partition(":")[2]):
            raise _bad(line, f"{shown(line.text)} is no header line of the form `key: value`")
        if key not in _KEYS and not re.fullmatch(r"player [1-9]", key):
            raise _bad(line, f"unknown key {shown(key)}", f"the keys are {', '.join(_KEYS)} and player 1, player 2 …")
        if key == "pack":
            key = f"pack {sum(k.startswith('pack') for k in header) + 1}"
        if key in header:
            raise _bad(line, f"{key!r} stands here a second time, first in line {header[key].number}")
        header[key] = _Line(line.number, value if key.startswith("player ") else value.strip())
    for key in _NEEDED:
        if key not in header:
            raise record_error(lines[-1].number + 1 if lines else 2, f"the header ends without `{key}:`")
    return header


def _number(line: _Line, word: str | None = None, most: int = 10**15) -> int:
    """A whole number up to `most`; a NumPy integer holds it."""
    word = line.text if word is None else word
    if not word.isascii() or not word.isdigit() or len(word) > 40 or int(word) > most:
        raise _bad(line, f"{shown(word)} is not a whole number" + (" of a sensible size" if word.isdigit() else ""))
    return int(word)


def _record(header: dict[str, _Line], edition: str | Path | Edition | None, moves: list[_Line]) -> Record:
    rules = header["rules"]
    if _number(rules) != RULES_VERSION:
        reason = f"played by version {rules.text} of the rules, this engine has version {RULES_VERSION}"
        raise _bad(rules, f"{reason}: it might end otherwise", "another version of whistlestop reads it")
    found, packs = _edition(header, edition)
    if digest(found) != header["board"].text:
        reason = f"played on another version of {found.name}: its board or rules differ from this one"
        raise _bad(header["board"], reason, "give the map file it was played on: Game.from_record(text, edition=…)")
    players = _players(header, found)
    first, drawn = _first(header, players)
    return Record(
        source=header["edition"].text,
        edition=found,
        packs=tuple(packs),
        players=players,
        seed=_number(header["seed"], most=2**SEED_BITS - 1),
        names=_names(header, players),
        generator=header["generator"].text,
        first=first,
        drawn=drawn,
        setup=tuple(([first] if drawn else []) + _setup(header, found)),
        moves=tuple(_move(line, number, players) for number, line in enumerate(moves, 1)),
        lines={key: line.number for key, line in header.items()},
    )


def _edition(header: dict[str, _Line], edition: str | Path | Edition | None) -> tuple[Edition, list[dict[str, Any]]]:
    """The edition with the packs that the record brings along, and these packs."""
    line = header["edition"]
    if len(line.text) > _LONGEST_SOURCE:
        raise _bad(line, f"{shown(line.text)} is no edition")
    packs: list[dict[str, Any]] = []
    try:
        found = edition if isinstance(edition, Edition) else load_edition(line.text if edition is None else edition)
        for key, line in header.items():
            if key.startswith("pack "):
                packs.append(_pack(line))
                if not (isinstance(edition, Edition) and packs[-1].get("name") in edition.packs):
                    found = add_pack(found, packs[-1], "pack")
    except MapError as error:
        moved = "if its map file has moved: Game.from_record(text, edition=…)" if line is header["edition"] else None
        raise _bad(line, error.message, error.hint or moved) from error
    return found, packs


def _pack(line: _Line) -> dict[str, Any]:
    try:
        pack = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        raise _bad(line, f"the pack is not JSON: {error}") from error
    if not isinstance(pack, dict):
        raise _bad(line, f"a pack is a JSON object, not {shown(line.text)}")
    return pack


def _players(header: dict[str, _Line], edition: Edition) -> int:
    players = _number(header["players"])
    try:
        edition.check_players(players)
    except WhistlestopError as error:
        raise _bad(header["players"], error.message, error.hint) from error
    return players


def _first(header: dict[str, _Line], players: int) -> tuple[int, bool]:
    """The first player, and whether chance drew that one."""
    line = header["first"]
    number, _, how = line.text.partition(" ")
    if how not in ("drawn", "set") or not 1 <= _number(line, number) <= players:
        raise _bad(
            line,
            f"{shown(line.text)} is no first player",
            f"write 1 to {players} and drawn or set, as in: first: 1 drawn",
        )
    return _number(line, number) - 1, how == "drawn"


def _names(header: dict[str, _Line], players: int) -> tuple[str, ...] | None:
    """The players' names; a record without any has the usual ones."""
    given = {key: line for key, line in header.items() if key.startswith("player ")}
    wanted = [f"player {i}" for i in range(1, players + 1)]
    for key, line in given.items():
        if key not in wanted:
            raise _bad(line, f"there is no {key}: {players} play")
        try:
            check_name(line.text)
        except WhistlestopError as error:
            raise _bad(line, error.message, error.hint) from error
    for key in wanted:
        if given and key not in given:
            raise _bad(header["players"], f"the header has no `{key}:`")
    return tuple(given[key].text for key in wanted) if given else None


def _setup(header: dict[str, _Line], edition: Edition) -> list[int]:
    """The outcomes of the setup as the record gives them, without the first player."""
    outcomes = [_number(header["tickets"], word) for word in header["tickets"].text.split()]
    outcomes += [outcome_named(header["cards"].number, word, CARDS) for word in header["cards"].text.split()]
    colours = tuple(edition.board.passenger_colours)
    line = header.get("passengers")
    if colours and not line:
        raise _bad(header["cards"], "the header has no `passengers:`")
    if line:
        outcomes += [outcome_named(line.number, word, colours) for word in line.text.split()]
    return outcomes


def outcome_named(line: int, word: str, names: tuple[str, ...]) -> int:
    """The number of an outcome that is written as one of some names."""
    if word not in names:
        raise record_error(line, f"{shown(word)} is none of {', '.join(names)}")
    return names.index(word)


def outcome_numbered(line: int, word: str) -> int:
    """The number of an outcome that is written as a number."""
    return _number(_Line(line, word))


def _move(line: _Line, number: int, players: int) -> RecordedMove:
    """A line such as `12. P2: draw blind -> green`."""
    match = re.fullmatch(r"([0-9]{1,9})\. P([0-9]): (.*)", line.text.rstrip())
    if not match:
        raise _bad(line, f"{shown(line.text)} is no move", "a move looks like: 12. P2: draw blind -> green")
    if int(match[1]) != number:
        raise _bad(line, f"move {match[1]} stands where move {number} belongs")
    if not 1 <= int(match[2]) <= players:
        raise _bad(line, f"there is no player P{match[2]}, {players} play")
    return RecordedMove(int(match[2]) - 1, match[3], line.number)
