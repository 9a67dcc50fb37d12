"""In which line of a map file something stands: TOML's reader does not say, so the text is looked through once more.

Only where there is an error, and only for texts that TOML's reader has taken or refused with a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TomlPath = tuple[str | int, ...]
"""Where a value stands: `("tracks", 3, "colour")`."""

_TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*) | (?P<newline>\n)
    | (?P<text>\"{3}(?:[^\\]|\\.)*?\"{3,5} | '{3}.*?'{3,5} | "(?:[^"\\\n]|\\.)*" | '[^'\n]*')
    | (?P<mark>[\[\]{},=]) | (?P<word>[^\s\#"'\[\]{},=]+)""",
    re.VERBOSE | re.DOTALL,
)
_PLACES = {
    "city": "cities", "country": "countries", "track": "tracks", "ticket": "tickets", "edition": "edition",
    "deck": "decks", "first_tickets": "first_tickets",
}  # fmt: skip
"""How an entry is called in errors, and the array that it stands in."""
_DEEPEST = 8
"""Tables and arrays in each other that are told apart; no key of a map file lies deeper."""
_AT = re.compile(r"\(at line (\d+), column \d+\)$|in line (\d+)$")


def line_of(reason: str, text: str) -> int | None:
    """The line that an error speaks of, from 1; `reason` is its message without the file's name. None for all of it."""
    if at := _AT.search(reason):
        return int(at[1] or at[2])
    if reason.endswith("(at end of document)"):
        return text.rstrip().count("\n") + 1
    data = _parsed(text)
    if data is None:
        return None
    path, rest = _place(reason, data)
    lines = toml_lines(text)
    for word in re.findall(r"`([^`]*)`", rest):
        if found := _line_of_word(word, path, data, lines):
            return found
    return lines.get(path)


def _parsed(text: str) -> dict[str, Any] | None:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError):
        return None


def _place(reason: str, data: dict[str, Any]) -> tuple[TomlPath, str]:
    """Where the entry stands that an error begins with, and what it says of it."""
    path: TomlPath = ()
    while match := re.match(r"(\w+) (?:(\d+)|`([^`]*)`): |\[?(drawing|points|passenger_colours|deal)\]?: ", reason):
        reason = reason[match.end() :]
        if match[4]:
            path = (*path, match[4])
        elif match[1] in _PLACES:
            key = _PLACES[match[1]]
            path = (*path, key, int(match[2]) - 1 if match[2] else _index_of(match[3], data.get(key)))
    return path, reason


def _index_of(identity: str, rows: Any) -> int:
    """Which of some entries has an id."""
    ids = [row.get("id") if isinstance(row, dict) else None for row in rows] if isinstance(rows, list) else []
    return ids.index(identity) if identity in ids else 0


def _line_of_word(word: str, path: TomlPath, data: Any, lines: dict[TomlPath, int]) -> int | None:
    """The line of a key of an entry, or of its value; in errors of the whole file that of a place with this name."""
    if (*path, word) in lines:
        return lines[(*path, word)]
    entry = data
    for step in path:
        entry = entry[step] if isinstance(step, str) or step < len(entry) else {}
    if not path:
        named = ((key, i) for key in ("cities", "countries") for i, row in enumerate(data.get(key, ())))
        return next((lines.get(at) for at in named if word in data[at[0]][at[1]].values()), None)
    values = entry.items() if isinstance(entry, dict) else ()
    for key, value in values:
        if word == value or (isinstance(value, list) and word in value):
            return lines.get((*path, key))
    return None


def toml_lines(text: str) -> dict[TomlPath, int]:
    """The line of every key, table and array entry of a valid TOML text."""
    return _TomlLines(text).found


class _TomlLines:
    def __init__(self, text: str) -> None:
        self._tokens = _tokens(text)
        self._kind, self._word, self._line = "", "", 1
        self._entries: dict[TomlPath, int] = {}
        """How many tables there are of an array of tables so far."""
        self.found: dict[TomlPath, int] = {}
        self._next()
        table: TomlPath = ()
        while self._kind:
            if self._word == "[" and self._kind == "mark":
                table = self._header()
            elif self._kind in ("word", "text"):
                self._pair(table, 0)
            else:
                self._next()

    def _next(self) -> None:
        self._kind, self._word, self._line = next(self._tokens, ("", "", self._line))

    def _note(self, path: TomlPath) -> None:
        self.found.setdefault(path, self._line)

    def _is_mark(self, mark: str) -> bool:
        return self._kind == "mark" and self._word == mark

    def _skip_lines(self) -> None:
        while self._kind == "newline":
            self._next()

    def _key(self) -> TomlPath:
        """A key with its dots."""
        parts: list[str] = []
        while self._kind in ("word", "text"):
            parts += [self._word[1:-1]] if self._kind == "text" else filter(None, self._word.split("."))
            self._next()
        return tuple(parts)

    def _header(self) -> TomlPath:
        """`[table]` or `[[table]]`; a table within an array of tables is one of its last entry."""
        line, brackets = self._line, 0
        while self._is_mark("["):
            brackets += 1
            self._next()
        *outer, last = self._key() or ("",)
        path: TomlPath = ()
        self.found.setdefault(tuple(outer[:1]) or (last,), line)
        for part in outer:
            path = (*path, part)
            path = (*path, self._entries[path] - 1) if path in self._entries else path
        path = (*path, last)
        if brackets > 1:
            self._entries[path] = self._entries.get(path, 0) + 1
            path = (*path, self._entries[path] - 1)
        elif path in self._entries:
            path = (*path, self._entries[path] - 1)
        self.found.setdefault(path, line)
        while self._is_mark("]"):
            self._next()
        return path

    def _pair(self, table: TomlPath, depth: int) -> None:
        line = self._line
        key = self._key()
        path = (*table, *key)
        self.found.setdefault((*table, *key[:1]), line)
        self.found.setdefault(path, line)
        if self._is_mark("="):
            self._next()
            self._value(path, depth)

    def _value(self, path: TomlPath, depth: int) -> None:
        if depth >= _DEEPEST or self._kind != "mark" or self._word not in "[{":
            self._skip_value()
            return
        closing = "]" if self._word == "[" else "}"
        self._next()
        number = 0
        while self._kind and not self._is_mark(closing):
            self._skip_lines()
            if self._is_mark(",") or self._is_mark("="):
                self._next()
            elif closing == "]" and not self._is_mark(closing):
                self._note((*path, number))
                self._value((*path, number), depth + 1)
                number += 1
            elif not self._is_mark(closing):
                self._pair(path, depth + 1) if self._kind in ("word", "text") else self._next()
        self._next()

    def _skip_value(self) -> None:
        """Over a plain value, or over all that is too deep to matter."""
        depth = 0
        while self._kind:
            if self._kind == "mark" and self._word in "[{":
                depth += 1
            elif depth == 0 and (self._kind == "newline" or (self._kind == "mark" and self._word in ",]}")):
                return
            elif self._kind == "mark" and self._word in "]}":
                depth -= 1
            self._next()


def _tokens(text: str) -> Iterator[tuple[str, str, int]]:
    """Kind, text and line of everything that is no space and no remark."""
    line = 1
    for match in _TOKEN.finditer(text):
        kind = match.lastgroup or ""
        if kind != "comment":
            yield kind, match[0], line
        line += match[0].count("\n")
