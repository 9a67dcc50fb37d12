"""Records: a whole game as text that people can read, with every outcome of chance written down.

A record of the same chance stream is played again from its seed and checked line by line against what it says. One of
another stream is played from its written outcomes, so records outlive the generator. Nothing is ever half loaded.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from whistlestop import __version__
from whistlestop.engine import layout as lay
from whistlestop.engine.bits import GENERATOR
from whistlestop.engine.rules import RULES_VERSION
from whistlestop.mapfile import Edition, MapError, add_pack, digest, load_edition
from whistlestop.notation import CARDS

if TYPE_CHECKING:
    from whistlestop.game import Game

FORMAT = 1
TITLE = f"whistlestop record {FORMAT}"
_KEYS = ("edition", "board", "pack", "players", "player", "seed", "first", "engine", "rules", "generator", "tickets", "cards", "passengers")


class RecordError(ValueError):
    """A record that cannot be played; the message names the line and the reason."""


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str


def _bad(line: _Line | int, reason: str, hint: str = "") -> RecordError:
    number = line if isinstance(line, int) else line.number
    return RecordError(f"record line {number}: {reason}" + (f"\nhint: {hint}" if hint else ""))


# ---- writing --------------------------------------------------------------------------------------------------------
def write(game: Game) -> str:
    """A game as a record."""
    lines = [
        TITLE,
        f"edition: {game._source}",
        f"board: {digest(game.edition)}",
        *(f"pack: {json.dumps(pack, ensure_ascii=False)}" for pack in _packs(game.edition)),
        f"players: {game.players}",
        *(f"player {i}: {name}" for i, name in enumerate(game.names, 1)),
        f"seed: {game.seed}",
        f"engine: {__version__}",
        f"rules: {RULES_VERSION}",
        f"generator: {GENERATOR}",
        *_setup_lines(game),
        "",
        *(f"{move.number}. P{move.player + 1}: {move.text}" for move in game.history),
    ]
    return "\n".join(lines) + "\n"


def _packs(edition: Edition) -> list[dict[str, object]]:
    """The added packs with all their tickets, so that a record needs no other file."""
    return [
        {
            "name": pack,
            "tickets": [
                {"from": t.a, "to": t.b, "points": t.points, "kind": t.kind} for d in edition.decks for t in d.tickets if t.set == pack
            ],
        }
        for pack in edition.packs
    ]


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
    lines = [f"first: {game.first + 1} {'drawn' if drawn else 'set'}", f"tickets: {' '.join(map(str, left[:shuffles]))}"]
    lines.append(f"cards: {' '.join(CARDS[c] for c in cards)}")
    if people:
        lines.append(f"passengers: {' '.join(colours[c] for c in left[len(left) - people :])}")
    return lines


# ---- reading --------------------------------------------------------------------------------------------------------
def read(text: str, edition: str | Path | Edition | None = None) -> Game:
    """The game of a record, or a RecordError that names the line."""
    lines = [_Line(i, line.rstrip()) for i, line in enumerate(text.removeprefix("\ufeff").splitlines(), 1)]
    if not lines or not lines[0].text.startswith("whistlestop record "):
        raise _bad(1, f"not a record: the first line must be {TITLE!r}")
    if lines[0].text != TITLE:
        raise _bad(1, f"this is a {lines[0].text!r}, this version reads {TITLE!r}", "a newer whistlestop may read it")
    split = next((i for i, line in enumerate(lines) if i and not line.text), len(lines))
    header = _header(lines[1:split])
    game = _begun(header, edition)
    for line in lines[split:]:
        if line.text:
            _play_line(game, line, header["generator"].text == GENERATOR)
    return game


def _header(lines: list[_Line]) -> dict[str, _Line]:
    """Header lines by key; keys that come several times are numbered."""
    header: dict[str, _Line] = {}
    for line in lines:
        key, colon, value = line.text.partition(": ")
        if not colon and line.text.endswith(":"):
            key, value = line.text[:-1], ""
        elif not colon:
            raise _bad(line, f"{line.text!r} is no header line of the form `key: value`")
        if key.split(" ")[0] not in _KEYS:
            raise _bad(line, f"unknown key {key!r}", f"the keys are {', '.join(_KEYS)}")
        if key == "pack":
            key = f"pack {sum(k.startswith('pack') for k in header) + 1}"
        if key in header:
            raise _bad(line, f"{key!r} stands here a second time")
        header[key] = _Line(line.number, value)
    for key in ("edition", "board", "players", "seed", "rules", "generator", "first", "tickets", "cards"):
        if key not in header:
            raise _bad(lines[-1] if lines else 1, f"the header ends without `{key}:`")
    return header


def _number(line: _Line, word: str | None = None) -> int:
    word = line.text if word is None else word
    if not word.isascii() or not word.isdigit() or len(word) > 20:
        raise _bad(line, f"{word!r} is not a whole number")
    return int(word)


def _begun(header: dict[str, _Line], edition: str | Path | Edition | None) -> Game:
    """The game as it was set up."""
    from whistlestop.game import Game

    rules = header["rules"]
    if _number(rules) != RULES_VERSION:
        raise _bad(rules, f"played by version {rules.text} of the rules, this engine has version {RULES_VERSION}: it might end otherwise")
    found = _edition(header, edition)
    if digest(found) != header["board"].text:
        raise _bad(
            header["board"],
            f"played on another version of {found.name}: its board or rules differ from this one",
            "load the map file it was played on",
        )
    players = _number(header["players"])
    first, _, how = header["first"].text.partition(" ")
    names = [header[key].text for i in range(players if players <= lay.MAX_PLAYERS else 0) if (key := f"player {i + 1}") in header]
    try:
        game = Game(
            found, players, _number(header["seed"]), _number(header["first"], first) - 1 if how != "drawn" else None, names=names or None
        )
    except ValueError as error:
        raise _bad(header["players"], str(error)) from error
    game._source = header["edition"].text if edition is None else game._source
    _set_up(game, header, _script(game, header))
    return game


def _edition(header: dict[str, _Line], edition: str | Path | Edition | None) -> Edition:
    line = header["edition"]
    try:
        found = edition if isinstance(edition, Edition) else load_edition(line.text if edition is None else edition)
        for key, pack in header.items():
            if key.startswith("pack "):
                line = pack
                found = add_pack(found, json.loads(pack.text), "pack")
    except (MapError, ValueError) as error:
        raise _bad(line, str(error)) from error
    return found


def _script(game: Game, header: dict[str, _Line]) -> list[int]:
    """The outcomes of the setup as the record gives them."""
    script = [] if game.first_set is not None else [_number(header["first"], header["first"].text.partition(" ")[0]) - 1]
    script += [_number(header["tickets"], word) for word in header["tickets"].text.split()]
    script += [_named(header["cards"], word, CARDS) for word in header["cards"].text.split()]
    if game.edition.board.passenger_colours:
        if "passengers" not in header:
            raise _bad(header["cards"], "the header has no `passengers:`")
        colours = tuple(game.edition.board.passenger_colours)
        script += [_named(header["passengers"], word, colours) for word in header["passengers"].text.split()]
    return script


def _named(line: _Line, word: str, names: tuple[str, ...]) -> int:
    if word not in names:
        raise _bad(line, f"{word!r} is none of {', '.join(names)}")
    return names.index(word)


def _set_up(game: Game, header: dict[str, _Line], script: list[int]) -> None:
    if header["generator"].text == GENERATOR:
        if tuple(script) != game.setup:
            raise _bad(header["tickets"], "the setup is not the one that the seed gives: seed or setup has been changed")
        return
    try:
        game.setup = game._chance(game._begin, script)
    except ValueError as error:
        raise _bad(header["cards"], str(error)) from error


def _play_line(game: Game, line: _Line, same_generator: bool) -> None:
    """Play one line `12. P2: draw blind -> green` and check it."""
    from whistlestop.game import IllegalAction, ImpossibleOutcome
    from whistlestop.notation import InvalidNotation

    number, dot, rest = line.text.partition(". ")
    who, colon, what = rest.partition(": ")
    if not dot or not colon or not who.startswith("P"):
        raise _bad(line, f"{line.text!r} is no move", "a move looks like: 12. P2: draw blind -> green")
    if _number(line, number) != len(game.history) + 1:
        raise _bad(line, f"move {number} stands where move {len(game.history) + 1} belongs")
    action, _, outcome = what.partition(" -> ")
    player = _number(line, who[1:]) - 1
    if not 0 <= player < game.players:
        raise _bad(line, f"there is no player {who}")
    try:
        acting = game._acting(player, action)
        assert acting is not None
        found = game._find(action, acting)
    except (IllegalAction, InvalidNotation) as error:
        raise _bad(line, str(error)) from error
    script = [_number(line, w) if found.kind == "keep" else _named(line, w, CARDS) for w in outcome.split()]
    try:
        move = game._play(found, acting, None if same_generator else script)
    except ImpossibleOutcome as error:
        raise _bad(line, str(error)) from error
    if list(move.outcome) != script:
        raise _bad(
            line, f"chance gave {' '.join(move.words) or 'nothing'} here, the record says {outcome or 'nothing'}: it has been changed"
        )
