"""Names of players: what may stand in one."""

from __future__ import annotations

import unicodedata

from whistlestop.errors import WhistlestopError
from whistlestop.spelling import shown

LONGEST_NAME = 80


_LATIN, _OTHERS = (
    # What looks like a Latin letter, by script: Cyrillic, Greek, Armenian, and Latin letters that do not decompose.
    "aeopcyxijshdqwgABEKMHOPCTYXSIJ" "aovpiuxkyABEZHIKMNOPTYX" "noushg" "ilodhDLO",
    "аеорсухіјѕһԁԛԝɡАВЕКМНОРСТУХЅІЈ" "αονριυχκγΑΒΕΖΗΙΚΜΝΟΡΤΥΧ" "ոօստհց" "ıłøđħĐŁØ",
)  # fmt: skip
_HOMOGLYPHS = str.maketrans(_OTHERS, _LATIN)
_DIGITS = str.maketrans("01|", "oll")
_UNSEEN = frozenset("\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and a symbol, as Unicode has it, that show nothing."""


def is_blank(name: str) -> bool:
    """Whether there is nothing to see of a name: spaces, joiners, marks without a letter."""
    return not _seen(name).strip()


def looks_like(name: str, other: str) -> bool:
    """Whether people may take a name for another one: other case, accents, alphabets, l for I, 0 for O, unseen letters.

    A small skeleton of our own in the manner of Unicode's UTS #39, for the scripts in which names are faked.
    """
    return not _skeletons(name).isdisjoint(_skeletons(other))


def _skeletons(name: str) -> frozenset[str]:
    """What a name looks like if case says nothing, and if a capital I is an l."""
    base = " ".join(_seen(name).split()).translate(_HOMOGLYPHS)
    return frozenset(form.casefold().translate(_DIGITS) for form in (base, base.replace("I", "l")))


def _seen(name: str) -> str:
    """The letters of a name without accents, and without what shows nothing."""
    return "".join(
        character
        for character in unicodedata.normalize("NFKD", name)
        if unicodedata.category(character)[0] not in "MC" and character not in _UNSEEN
    )


def check_name(name: str) -> None:
    """Refuse what cannot be a player's name."""
    if not isinstance(name, str):
        raise TypeError(f"a player's name is text, not {type(name).__name__}")
    if not name.strip() or len(name) > LONGEST_NAME or not all(map(is_writable, name)):
        raise WhistlestopError(f"a player's name is 1 to {LONGEST_NAME} characters on one line, not {shown(name)}")


def is_writable(character: str) -> bool:
    """Whether a character may stand in a name or in chat: no control characters or line ends; emoji may be joined."""
    return (
        unicodedata.category(character) not in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp")
        or character == "\N{ZERO WIDTH JOINER}"
    )
