"""Whistlestop: railway board games to play, host, study and build."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from whistlestop import rich_display

if TYPE_CHECKING:
    from whistlestop.arena.playtest.measures import Playtest, playtest
    from whistlestop.arena.playtest.playtest_page import playtest_page
    from whistlestop.arena.simulation import Statistics, simulate
    from whistlestop.bots import Bot, Limit, bot
    from whistlestop.bots.lineup import Entrant, entrant, lineup
    from whistlestop.bots.referee import Failure, play
    from whistlestop.errors import (
        IllegalAction,
        ImpossibleOutcome,
        InvalidNotation,
        MapError,
        RecordError,
        StaleDraft,
        WhistlestopError,
    )
    from whistlestop.game import Draft, Game, Move
    from whistlestop.mapfile import Board, Edition, editions, load_board, load_edition, parse_board
    from whistlestop.notation import Action
    from whistlestop.positions import Position
    from whistlestop.real_table import Count, Holdings, OddTable, RealTable, score
    from whistlestop.real_table_file import TableFileError, read_real_table
    from whistlestop.results import Result
    from whistlestop.views import View

__version__ = "0.1.0"

__all__ = [
    "Action", "Board", "Bot", "Count", "Draft", "Edition", "Entrant", "Failure", "Game", "Holdings", "IllegalAction",
    "ImpossibleOutcome", "InvalidNotation", "Limit", "MapError", "Move", "OddTable", "Playtest", "Position",
    "RealTable", "RecordError", "Result", "StaleDraft", "Statistics", "TableFileError", "View", "WhistlestopError",
    "bot", "editions", "entrant", "lineup", "load_board", "load_edition", "parse_board", "play", "playtest",
    "playtest_page", "read_real_table", "score", "simulate",
]  # fmt: skip

_HOMES = {
    "arena.playtest.measures": ("Playtest", "playtest"),
    "arena.playtest.playtest_page": ("playtest_page",),
    "arena.simulation": ("Statistics", "simulate"),
    "bots": ("Bot", "Limit", "bot"),
    "bots.lineup": ("Entrant", "entrant", "lineup"),
    "bots.referee": ("Failure", "play"),
    "errors": (
        "IllegalAction", "ImpossibleOutcome", "InvalidNotation", "MapError", "RecordError", "StaleDraft",
        "WhistlestopError",
    ),
    "game": ("Draft", "Game", "Move"),
    "mapfile": ("Board", "Edition", "editions", "load_board", "load_edition", "parse_board"),
    "notation": ("Action",),
    "positions": ("Position",),
    "real_table": ("Count", "Holdings", "OddTable", "RealTable", "score"),
    "real_table_file": ("TableFileError", "read_real_table"),
    "results": ("Result",),
    "views": ("View",),
}  # fmt: skip
"""The module of every public name."""


def __getattr__(name: str) -> Any:
    """Import what is asked for when it is asked for: the engine takes a moment that `--help` need not wait."""
    home = next((module for module, names in _HOMES.items() if name in names), None)
    if home is None:
        raise AttributeError(f"module 'whistlestop' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"whistlestop.{home}"), name)


def _svg_of(view: View) -> str:
    from whistlestop.envs.rendering import svg_of

    return svg_of(view)


rich_display.draw_by(_svg_of)
