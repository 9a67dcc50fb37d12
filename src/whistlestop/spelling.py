"""Spelling: what two spellings share, the known word that a mistyped one is nearest to, and how messages show words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_DASH = re.compile(r" ?(?:[-‐‑‒–—―−] ?)+")
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "ı": "i", "đ": "d", "æ": "ae", "œ": "oe", "’": "'", "`": "'"})
_EXPANDED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})


def fold(text: str) -> str:
    """A text without accents, capitals, fancy dashes and extra spaces: what two spellings of one thing share."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).casefold()
    return _DASH.sub("-", " ".join(plain.translate(_PLAIN).split()))


def loose(text: str) -> str:
    """A folded text without punctuation: Sault St. Marie–Montréal is sault st marie montreal."""
    return " ".join(re.findall(r"\w+", fold(text)))


def spellings(names: Iterable[str]) -> list[str]:
    """Names folded, with their umlauts both dropped and written out."""
    return list(dict.fromkeys(fold(spelt) for name in names for spelt in (name, name.translate(_EXPANDED))))


def shown(text: str, longest: int = 60) -> str:
    """What somebody typed, fit to stand in a message: on one line, quoted, not too long."""
    return repr(text if len(text) <= longest else text[: longest - 1] + "…")


def many(n: int, noun: str) -> str:
    """A number with its noun: 1 train, 2 trains."""
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def whole(value: float) -> str:
    """A number for people: whole, with a true minus."""
    return f"{round(value)}".replace("-", "−")


def _closest(word: str, known: Iterable[str], most: int) -> list[str]:
    """The known words that a mistyped one is closest to, the closest first; accents and capitals do not count."""
    from difflib import get_close_matches  # takes a moment to import, and is needed for mistakes only

    folded = {fold(name): name for name in reversed(list(known))}
    return [folded[match] for match in get_close_matches(fold(word[:80]), folded, most, 0.6)]


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known word that a mistyped one is closest to, or None."""
    return next(iter(_closest(word, known, 1)), None)


def did_you_mean(word: str, known: Iterable[str], most: int = 2) -> str | None:
    """A hint with the known words that a mistyped one is closest to, or None."""
    close = _closest(word, known, most)
    return f"did you mean {' or '.join(f'`{name}`' for name in close)}?" if close else None
