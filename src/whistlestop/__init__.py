"""Whistlestop: railway board games to play, host, study and build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whistlestop.bots import Bot, Limit, bot, play
    from whistlestop.game import Game, IllegalAction, Result, View
    from whistlestop.mapfile import MapError, editions, load_edition
    from whistlestop.notation import Action, InvalidNotation
    from whistlestop.record import RecordError

__version__ = "0.1.0"

__all__ = [
    "Action", "Bot", "Game", "IllegalAction", "InvalidNotation", "Limit", "MapError", "RecordError", "Result", "View", "bot", "editions",
    "load_edition", "play",
]  # fmt: skip

_HOMES = {
    "Action": "notation", "Bot": "bots", "Game": "game", "IllegalAction": "game", "InvalidNotation": "notation", "Limit": "bots",
    "MapError": "mapfile", "RecordError": "record", "Result": "game", "View": "game", "bot": "bots", "editions": "mapfile",
    "load_edition": "mapfile", "play": "bots",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the engine takes a moment that `--help` need not wait."""
    if name not in _HOMES:
        raise AttributeError(f"module 'whistlestop' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"whistlestop.{_HOMES[name]}"), name)
