"""Reading TOML tables key by key, with errors that name file, entry and key and offer a way out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from pathlib import Path

from whistlestop.errors import MapError
from whistlestop.mapfile.model import (
    CARD_COLOURS,
    MAX_CARDS,
    MAX_FILE_BYTES,
    MAX_HAND,
    MAX_NAME_LENGTH,
    MAX_OFFER,
    MAX_PLAYERS,
    MAX_POINTS,
    MAX_SLUG_LENGTH,
    MAX_STATIONS,
    MAX_TRAINS,
    MIN_PLAYERS,
)
from whistlestop.spelling import did_you_mean, nearest


def read_text(path: str | Path, most: int = MAX_FILE_BYTES) -> str:
    """The text of a file of so many bytes at most; MapError where it is none."""
    place = str(path)
    try:
        with Path(path).open("rb") as file:
            raw = file.read(most + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise map_error(place, f"cannot be read: {reason}") from error
    if len(raw) > most:
        raise map_error(place, f"larger than {most:,} bytes, this is no map")
    try:
        return raw.decode().removeprefix("\ufeff")  # some editors begin a file with this mark
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise map_error(
            place, f"not UTF-8 text: byte 0x{raw[error.start]:02x} in line {line}", "save the file as UTF-8"
        ) from error


def parse_toml(text: str, source: str) -> dict[str, object]:
    """TOML text as tables; MapError with line and column where it is broken."""
    import tomllib

    try:
        return tomllib.loads(text)
    except RecursionError as error:
        raise map_error(source, "not valid TOML: tables nested too deeply") from error
    except ValueError as error:  # TOMLDecodeError, or a number with thousands of digits
        raise map_error(source, f"not valid TOML: {error}") from error


def map_error(
    place: str, reason: str, hint: str | None = None, fault: str = "other", **words: str | int | None
) -> MapError:
    """An error at a place of a file, with a hint where one helps; `fault` and words for those who translate it."""
    given = {name: word for name, word in words.items() if word is not None}
    return MapError(f"{place}: {reason}", hint, fault, given)


def unknown_word(
    place: str, what: str, word: str, known: Iterable[str], fault: str = "other", **words: str | int | None
) -> MapError:
    """The error for a word that is none of `known`: the nearest one as a hint, else the whole list if it is short."""
    names = list(known)
    hint = did_you_mean(word, names, most=1)
    if not hint and 0 < len(names) <= 12:
        hint = f"known here: {', '.join(names)}"
    near = nearest(word, names)
    return map_error(place, f"unknown {what} {quoted(word)}", hint, fault, word=word, other=near, **words)


def quoted(word: str) -> str:
    """A word out of a file, safe to print on one line."""
    return f"`{word}`" if word.isprintable() and len(word) <= MAX_NAME_LENGTH else repr(word[:MAX_NAME_LENGTH])


def found_value(value: object) -> str:
    """How a value of the wrong kind is called in an error."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"an array of {len(value)}"
    if isinstance(value, str):
        return (
            f'"{value}"'
            if value.isprintable() and len(value) <= MAX_NAME_LENGTH
            else f"a text of {len(value)} characters"
        )
    if isinstance(value, int) and abs(value) >= 10**18:
        return "a huge number"  # thousands of digits could not even be printed
    return str(value) if isinstance(value, int | float) else f"a {type(value).__name__}"


def some_names(names: Sequence[str]) -> str:
    """The first few names, and how many more."""
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


class TomlTable:
    """One table of a file, read key by key; `place` is where it stands, for the errors."""

    def __init__(self, place: str, value: object, keys: Sequence[str]) -> None:
        if not isinstance(value, dict):
            raise map_error(
                place, f"must be a table, found {found_value(value)}", f"write {{ {keys[0]} = …, {keys[1]} = … }}"
            )
        for key in value:
            if key not in keys:
                raise unknown_word(place, "key", key, keys)
        self.place = place
        self.values: dict[str, object] = value

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def wrong(self, key: str, wanted: str, value: object) -> MapError:
        """The error for a value of the wrong kind."""
        return map_error(
            self.place, f"`{key}` must be {wanted}, found {found_value(value)}", fault="bad_value", key=key
        )

    def need(self, key: str) -> object:
        """A value that must be there."""
        if key not in self.values:
            raise map_error(self.place, f"missing key `{key}`")
        return self.values[key]

    def text(self, key: str, longest: int = MAX_NAME_LENGTH) -> str:
        """A short printable text."""
        return self._as_text(key, self.need(key), longest)

    def _as_text(self, key: str, value: object, longest: int = MAX_NAME_LENGTH) -> str:
        if not isinstance(value, str):
            raise self.wrong(key, "a text", value)
        text = unicodedata.normalize("NFC", value)  # ü typed as one character or as two is the same ü
        if not text or text != text.strip() or not text.isprintable() or len(text) > longest:
            raise self.wrong(key, f"a printable text of 1 to {longest} characters without spaces around it", value)
        return text

    def slug(self, key: str) -> str:
        """A name for commands and file names."""
        text = self.text(key, MAX_SLUG_LENGTH)
        if not all(part.isalnum() and part.isascii() and part == part.lower() for part in text.split("-")):
            raise self.wrong(key, "lower-case letters, digits and single hyphens", text)
        return text

    def texts(self, key: str) -> tuple[str, ...]:
        """A text, or an array of texts."""
        value = self.need(key)
        items = value if isinstance(value, list) else [value]
        return tuple(self._as_text(key, item) for item in items)

    def choice(self, key: str, what: str, known: Sequence[str]) -> str:
        """One of a few words."""
        word = self.text(key)
        if word not in known:
            raise unknown_word(self.place, what, word, known)
        return word

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        """A whole number within bounds."""
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
        """Two whole numbers."""
        first, second = self._pair(key)
        return self._as_whole(key, first, low, high), self._as_whole(key, second, low, high)

    def _pair(self, key: str) -> tuple[object, object]:
        value = self.need(key)
        if not isinstance(value, list) or len(value) != 2:
            raise self.wrong(key, "an array of two numbers", value)
        return value[0], value[1]

    def real(self, key: str, limit: float) -> float:
        """A number within ±limit."""
        return self._as_real(key, self.need(key), limit)

    def _as_real(self, key: str, value: object, limit: float) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise self.wrong(key, "a number", value)
        if not -limit <= value <= limit:  # also refuses nan
            raise self.wrong(key, f"between -{limit:g} and {limit:g}", value)
        return float(value)

    def real_pair(self, key: str, limit: float) -> tuple[float, float]:
        """Two numbers."""
        first, second = self._pair(key)
        return self._as_real(key, first, limit), self._as_real(key, second, limit)

    def flag(self, key: str) -> bool:
        """True or false; false where the key is missing."""
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

    def rows(self, key: str, what: str, keys: Sequence[str], least: int, most: int) -> list[TomlTable]:
        """An array of tables, each knowing its place as "what 17"; empty where the key is missing and `least` is 0."""
        value = self.values.get(key, []) if least == 0 else self.need(key)
        if not isinstance(value, list):
            raise self.wrong(key, "an array of tables", value)
        if not least <= len(value) <= most:
            raise map_error(self.place, f"`{key}` must have {least} to {most} entries, found {len(value)}")
        return [TomlTable(f"{self.place}: {what} {number}", row, keys) for number, row in enumerate(value, 1)]


BOARD_KEYS = (
    "id",
    "name",
    "points",
    "passenger_colours",
    "cities",
    "countries",
    "tracks",
    "tickets",
    "drawing",
    "edition",
)
CITY_KEYS = ("name", "lat", "lon", "country", "passengers", "aliases", "nudge", "label")
COUNTRY_KEYS = ("name", "passengers")
TRACK_KEYS = ("from", "to", "length", "colour", "tunnel", "ferry", "bend")
TICKET_KEYS = ("from", "to", "points", "kind", "set", "big_city")
DECK_KEYS = ("name", "kind", "set", "big_city", "leaves")
DEAL_KEYS = ("deal", "announce", "keep_least", "keep_most", "keep_least_otherwise", "returned")
PACK_KEYS = ("name", "board", "tickets")
PACK_TICKET_KEYS = ("from", "to", "points", "kind")
RULE_RANGES = {
    "draw_count": (1, MAX_OFFER),
    "draw_keep_least": (0, MAX_OFFER),
    "trains": (1, MAX_TRAINS),
    "hand": (0, MAX_HAND),
    "cards_each": (1, MAX_CARDS // len(CARD_COLOURS)),
    "locomotives": (0, MAX_CARDS),
    "stations": (0, MAX_STATIONS),
    "station_points": (0, MAX_POINTS),
    "last_round_trains": (0, MAX_TRAINS),
    "parallel_from": (MIN_PLAYERS, MAX_PLAYERS + 1),
    "longest_path": (0, MAX_POINTS),
    "globetrotter": (0, MAX_POINTS),
}
"""The rules that are one number each, with the range of it; their defaults are those of `Edition`."""
EDITION_KEYS = (
    "id",
    "name",
    "summary",
    "decks",
    "first_tickets",
    "ticket_backs_differ",
    "players",
    "passenger_points",
    "tie_breaks",
    *RULE_RANGES,
)
