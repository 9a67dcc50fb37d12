"""Tallies as files: a real table in a small TOML file, with errors that name the line and the remedy."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from whistlestop.errors import MapError, WhistlestopError
from whistlestop.mapfile import MAX_PLAYERS, MAX_TRACKS, Edition, load_edition
from whistlestop.mapfile.tomltable import TomlTable, found_value, parse_toml, read_text
from whistlestop.names import LONGEST_NAME
from whistlestop.real_table import HOLDINGS, Holdings, RealTable, check_word

TOP_KEYS = ("edition", "players")
PLAYER_KEYS = ("name", "colour", *HOLDINGS)
_PLAYER = re.compile(r"^\s*\[\[\s*players\s*\]\]")


class TableFileError(WhistlestopError):
    """A file of a real table that cannot be used; the message gives file, line and reason."""


@dataclass(frozen=True, slots=True)
class TableFile:
    """What stands in a file: the table, and the players' colours as they are written, or None."""

    table: RealTable
    colours: tuple[str | None, ...]


def read_real_table(path: str | Path) -> TableFile:
    """The real table of a file; what is wrong with it is a `TableFileError`."""
    try:
        text = read_text(path)
    except MapError as error:
        raise TableFileError(error.message.replace("this is no map", "this is no table"), error.hint) from error
    return parse_real_table(text, str(path))


def parse_real_table(text: str, source: str = "table") -> TableFile:
    """The same from a text; `source` names it in errors."""
    lines = _Lines(text, source)
    try:
        return _real_table(TomlTable(source, parse_toml(text, source), TOP_KEYS), lines)
    except MapError as error:
        raise TableFileError(lines.placed(error.message), error.hint) from error


class _Lines:
    """Where things stand in a file: TOML's reader does not say, so they are looked for."""

    def __init__(self, text: str, source: str) -> None:
        self._lines, self.source = text.splitlines(), source
        heads = [number for number, line in enumerate(self._lines) if _PLAYER.match(line)]
        self._parts = list(zip(heads, [*heads[1:], len(self._lines)], strict=True))

    def of(self, player: int, word: str, key: str) -> str:
        """The place of a player's word under a key: the line with it, else the key's, else the player's."""
        first, last = self._parts[player] if player < len(self._parts) else (0, len(self._lines))
        begin = next((n for n in range(first, last) if re.match(rf"\s*{key}\b", self._lines[n])), first)
        found = next((n for n in range(begin, last) if word in self._lines[n]), begin)
        return f"{self.source}:{found + 1}"

    def placed(self, message: str) -> str:
        """The message of a table's reader, which counts players, with the line instead."""
        match = re.match(rf"{re.escape(self.source)}: player (\d+): (.*)", message, re.DOTALL)
        if match:
            key = re.search(r"`([^`]*)`", match[2])
            place = self.of(int(match[1]) - 1, key[1] if key else "", key[1] if key else "name")
            return f"{place}: {match[2]}"
        at_line = re.match(rf"({re.escape(self.source)}): (.*) \(at line (\d+), column \d+\)", message, re.DOTALL)
        return f"{at_line[1]}:{at_line[3]}: {at_line[2]}" if at_line else message


def _real_table(top: TomlTable, lines: _Lines) -> TableFile:
    rows = top.rows("players", "player", PLAYER_KEYS, 1, MAX_PLAYERS)
    try:
        edition = load_edition(top.text("edition", 200))
        edition.check_players(len(rows))
    except MapError as error:
        if error.message.startswith(lines.source):
            raise
        raise TableFileError(f"{lines.of(len(rows), '', 'edition')}: {error.message}", error.hint) from error
    except WhistlestopError as error:
        raise TableFileError(f"{lines.source}: {error.message}", "each [[players]] is one player") from error
    names = tuple(row.text("name", LONGEST_NAME) for row in rows)
    held = tuple(_holdings(row, player, edition, lines) for player, row in enumerate(rows))
    for player, name in enumerate(names):
        if name in names[:player]:
            raise TableFileError(
                f"{lines.of(player, name, 'name')}: there are two players called {name}", "name them apart"
            )
    colours = tuple(row.text("colour") if "colour" in row else None for row in rows)
    table = RealTable(edition, names, held)
    try:
        table.check()
        table.game()  # what cannot be held at all is noticed here, with the file's name
    except WhistlestopError as error:
        raise TableFileError(f"{lines.source}: {error.message}", error.hint) from error
    return TableFile(table, colours)


def _holdings(row: TomlTable, player: int, edition: Edition, lines: _Lines) -> Holdings:
    """What a player has, each word checked where it stands."""
    passengers = row.table("passengers")
    for colour, n in passengers.items():
        if not isinstance(n, int) or isinstance(n, bool):
            place = lines.of(player, colour, "passengers")
            raise TableFileError(f"{place}: `{colour}` must be a whole number, found {found_value(n)}")
    numbers = {colour: n for colour, n in passengers.items() if isinstance(n, int)}
    given = {key: row.texts(key) if key in row else () for key in HOLDINGS[:-1]}
    for key, words in {**given, "passengers": tuple(numbers)}.items():
        if len(words) > MAX_TRACKS:
            raise TableFileError(f"{lines.of(player, '', key)}: {len(words)} {key} are more than any board has")
        for word in words:
            try:
                check_word(edition, key, word, numbers.get(word, 0))
            except WhistlestopError as error:
                raise TableFileError(f"{lines.of(player, word, key)}: {error.message}", error.hint) from error
    return Holdings(**given, passengers=numbers)
