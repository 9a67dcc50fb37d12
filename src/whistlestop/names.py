"""Names of players: what may stand in one."""

from __future__ import annotations

import unicodedata

from whistlestop.errors import WhistlestopError
from whistlestop.spelling import shown

LONGEST_NAME = 80


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
