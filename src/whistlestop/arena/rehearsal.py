"""Bots of the package act a little before they are measured: what they compile or load must not count as thinking."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from whistlestop.arena.matches import known_entrant
from whistlestop.bots import BUILT_IN
from whistlestop.bots.readiness import is_ready, make_ready


def own_bots(texts: Iterable[str]) -> list[str]:
    """Names of the package's own bots in a line-up; those of others may end or block the process that asks them."""
    return list(dict.fromkeys(name for text in texts if (name := known_entrant(text).name) in BUILT_IN))


@cache
def rehearse(name: str) -> None:
    """Load what a bot of the package has compiled, or compile it, once in this process."""
    make_ready(name)


def unrehearsed(texts: Iterable[str]) -> list[str]:
    """The package's own bots in a line-up that have not been compiled on this machine yet."""
    return [name for name in own_bots(texts) if not is_ready(name)]
