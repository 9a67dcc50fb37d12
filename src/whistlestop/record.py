"""Records: a whole game as text that people can read, with every outcome of chance written down.

A record of the same chance stream is played again from its seed and checked line by line against what it says. One of
another stream is played from its written outcomes, so records outlive the generator. Nothing is ever half loaded.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whistlestop import __version__
from whistlestop.engine.bits import GENERATOR
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.errors import (
    IllegalAction,
    ImpossibleOutcome,
    InvalidNotation,
    MapError,
    RecordError,
    WhistlestopError,
)
from whistlestop.mapfile import CARDS, Edition, add_pack, digest, load_edition
from whistlestop.notation import Action, shown

if TYPE_CHECKING:
    from whistlestop.game import Game

FORMAT = 1
TITLE = f"whistlestop record {FORMAT}"
_KEYS = (
    "edition", "board", "pack", "players", "seed", "engine", "rules", "generator", "moves", "first", "tickets", "cards", "passengers",
)  # fmt: skip
_NEEDED = ("edition", "board", "players", "seed", "rules", "generator", "first", "tickets", "cards")
_ARROW = " -> "
_LONGEST_SOURCE = 1000


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def _bad(line: _Line | int, reason: str, hint: str | None = None) -> RecordError:
    number = line if isinstance(line, int) else line.number
    return RecordError(f"record line {number}: {reason}", hint)


# ---- writing --------------------------------------------------------------------------------------------------------
def write(game: Game) -> str:
    """A game as a record."""
    from whistlestop.game import packs_of

    lines = [
        TITLE,
        f"edition: {game.source}",
        f"board: {digest(game.edition)}",
        *(f"pack: {json.dumps(pack, ensure_ascii=False)}" for pack in packs_of(game.edition)),
        f"players: {game.players}",
        *(f"player {i}: {name}" for i, name in enumerate(game.names, 1)),
        f"seed: {game.seed}",
        f"engine: {__version__}",
        f"rules: {RULES_VERSION}",
        f"generator: {game.generator}",
        f"moves: {len(game.history)}",
        *_setup_lines(game),
        "",
        *(f"{move.number}. P{move.player + 1}: {move.text}" for move in game.history),
    ]
    return "\n".join(lines) + "\n"


def _setup_lines(game: Game) -> list[str]:
    """The outcomes of the setup, part by part: first player, shuffles of the ticket decks, cards, passengers."""
    left = list(game.setup)
    drawn = game.first_set is None
    if drawn:
        left.pop(0)
    shuffles = sum(max(0, len(deck.tickets) - 1) for deck in game.edition.decks)
    people = sum(game.edition.board.passenger_colours.values())
    cards = left[shuffles : len(left) - people]
    colours = tuple(game.edition.board.passenger_colours)
    lines = [
        f"first: {game.first + 1} {'drawn' if drawn else 'set'}",
        f"tickets: {' '.join(map(str, left[:shuffles]))}",
    ]
    lines.append(f"cards: {' '.join(CARDS[c] for c in cards)}")
    if people:
        lines.append(f"passengers: {' '.join(colours[c] for c in left[len(left) - people :])}")
    return lines


# ---- reading --------------------------------------------------------------------------------------------------------
def read(text: str | bytes, edition: str | Path | Edition | None = None) -> Game:
    """The game of a record, or a RecordError that names the line."""
    lines = [_Line(i, line) for i, line in enumerate(_decoded(text).removeprefix("\ufeff").splitlines(), 1)]
    title = lines[0].text.rstrip() if lines else ""
    if not title.startswith("whistlestop record "):
        raise _bad(1, f"not a record: the first line must be {TITLE!r}")
    if title != TITLE:
        raise _bad(1, f"this is a {shown(title)}, this version reads {TITLE!r}", "a newer whistlestop may read it")
    split = next((i for i, line in enumerate(lines) if i and not line.text.strip()), len(lines))
    header = _header(lines[1:split])
    game = _begun(header, edition)
    for line in lines[split:]:
        if line.text.strip():
            _play_line(game, _Line(line.number, line.text.rstrip()), header["generator"].text == GENERATOR)
    moves = header.get("moves")
    if moves and _number(moves) != len(game.history):
        raise _bad(
            lines[-1],
            f"the record ends after move {len(game.history)}, it says that it has {moves.text}: part of it is missing",
        )
    return game


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text
    if not isinstance(text, bytes | bytearray):
        raise TypeError(f"a record is text, not {type(text).__name__}")
    try:
        return text.decode()
    except UnicodeDecodeError as error:
        line = text.count(b"\n", 0, error.start) + 1
        raise _bad(line, f"not UTF-8 text: byte 0x{text[error.start]:02x}", "a record is a text file") from error


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
            raise _bad(lines[-1].number + 1 if lines else 2, f"the header ends without `{key}:`")
    return header


def _number(line: _Line, word: str | None = None, most: int = 10**15) -> int:
    """A whole number up to `most`; a NumPy integer holds it."""
    word = line.text if word is None else word
    if not word.isascii() or not word.isdigit() or len(word) > 20 or int(word) > most:
        raise _bad(line, f"{shown(word)} is not a whole number" + (" of a sensible size" if word.isdigit() else ""))
    return int(word)


def _begun(header: dict[str, _Line], edition: str | Path | Edition | None) -> Game:
    """The game as it was set up."""
    from whistlestop.game import Game

    rules = header["rules"]
    if _number(rules) != RULES_VERSION:
        reason = f"played by version {rules.text} of the rules, this engine has version {RULES_VERSION}: it might end otherwise"
        raise _bad(rules, reason, "another version of whistlestop reads it")
    found, packs = _edition(header, edition)
    if digest(found) != header["board"].text:
        reason = f"played on another version of {found.name}: its board or rules differ from this one"
        raise _bad(header["board"], reason, "give the map file it was played on: Game.from_record(text, edition=…)")
    players = _players(header, found)
    first, drawn = _first(header, players)
    seed = _number(header["seed"], most=2**64 - 1)
    named: str | Path | Edition = header["edition"].text if edition is None else edition
    names = _names(header, players)
    if isinstance(edition, Edition):
        named, packs = found, []
    game = Game(named, players, seed, None if drawn else first, packs, names)
    _set_up(game, header, _script(game, header, first))
    return game


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


def _names(header: dict[str, _Line], players: int) -> list[str] | None:
    """The players' names; a record without any has the usual ones."""
    from whistlestop.game import check_name

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
    return [given[key].text for key in wanted] if given else None


def _script(game: Game, header: dict[str, _Line], first: int) -> list[int]:
    """The outcomes of the setup as the record gives them."""
    script = [] if game.first_set is not None else [first]
    script += [_number(header["tickets"], word) for word in header["tickets"].text.split()]
    script += [_named(header["cards"], word, CARDS) for word in header["cards"].text.split()]
    colours = tuple(game.edition.board.passenger_colours)
    if colours and "passengers" not in header:
        raise _bad(header["cards"], "the header has no `passengers:`")
    if "passengers" in header:
        script += [_named(header["passengers"], word, colours) for word in header["passengers"].text.split()]
    return script


def _named(line: _Line, word: str, names: tuple[str, ...]) -> int:
    if word not in names:
        raise _bad(line, f"{shown(word)} is none of {', '.join(names)}")
    return names.index(word)


def _set_up(game: Game, header: dict[str, _Line], script: list[int]) -> None:
    if header["generator"].text == GENERATOR:
        if tuple(script) != game.setup:
            raise _bad(
                header["seed"],
                "this seed gives another setup than the one written here: seed or setup has been changed",
            )
        return
    try:
        game.set_up(script, header["generator"].text)
    except ImpossibleOutcome as error:
        raise _bad(
            header["tickets"], f"the setup (first, tickets, cards, passengers) cannot be: {error}", error.hint
        ) from error


def _play_line(game: Game, line: _Line, same_generator: bool) -> None:
    """Play one line `12. P2: draw blind -> green` and check it."""
    match = re.fullmatch(r"([0-9]{1,9})\. P([0-9]): (.*)", line.text)
    if not match:
        raise _bad(line, f"{shown(line.text)} is no move", "a move looks like: 12. P2: draw blind -> green")
    if int(match[1]) != len(game.history) + 1:
        raise _bad(line, f"move {match[1]} stands where move {len(game.history) + 1} belongs")
    player = int(match[2]) - 1
    if not 0 <= player < game.players:
        raise _bad(line, f"there is no player P{match[2]}, {game.players} play")
    try:
        found, outcome = _split(game, match[3], player)
    except (IllegalAction, InvalidNotation) as error:
        raise _bad(line, error.message, error.hint) from error
    script = [_number(line, w) if found.kind == "keep" else _named(line, w, CARDS) for w in outcome.split()]
    try:
        move = game.play(found, player, None if same_generator else script)
    except ImpossibleOutcome as error:
        raise _bad(line, error.message, error.hint) from error
    if list(move.outcome) != script:
        said = f"chance gave {' '.join(move.words) or 'nothing'} here, the record says {shown(outcome) if outcome else 'nothing'}"
        raise _bad(line, f"{said}: it has been changed")


def _split(game: Game, text: str, player: int) -> tuple[Action, str]:
    """The action of a line and its outcome; an arrow may also stand in a city's name."""
    for action in game.legal(player):
        if text == action.text or text.startswith(action.text + _ARROW):
            return action, text[len(action.text) + len(_ARROW) :]
    what, _, outcome = text.partition(_ARROW)
    return game.find(what, player), outcome
