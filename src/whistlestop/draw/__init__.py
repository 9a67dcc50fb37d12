"""Boards and games as SVG and PNG, and the numbers with which the browser draws them itself.

svg = draw_board(board, owners={12: 0}, theme="dark")
Path("board.png").write_bytes(to_png(svg))
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from whistlestop.draw.themes import THEMES

if TYPE_CHECKING:
    from whistlestop.draw.geometry import Geometry
    from whistlestop.mapfile import Board

__all__ = ["THEME_NAMES", "draw_board", "lay_out", "to_png"]

THEME_NAMES = tuple(THEMES)


def lay_out(board: Board) -> Geometry:
    """Work out where everything on a board is drawn."""
    from whistlestop.draw.geometry import lay_out as work_out

    return work_out(board)


def draw_board(
    board: Board,
    *,
    owners: Mapping[int, int] | None = None,
    stations: Mapping[str, int] | None = None,
    passengers: Mapping[str, Sequence[str]] | None = None,
    highlight: Sequence[int] = (),
    path: Sequence[int] = (),
    cities: Sequence[str] = (),
    title: str | None = None,
    caption: str | None = None,
    theme: str = "light",
    embed_font: bool = True,
    names: Sequence[str] | None = None,
) -> str:
    """Draw a board as SVG text.

    `owners` gives the player (from 0) of each claimed track by its index, `stations` of each city with a station, and
    `passengers` the colours of the passengers at cities and countries. `highlight` marks tracks (the last move), `path`
    traces tracks (the longest path), `cities` rings cities or countries (ends of a ticket). `title` is the board's name
    unless given. With `embed_font` the SVG carries its font, else it relies on the page around it. `names` are the
    players', from player 0, "" for none: the legend then lists them all, else only players with pieces on the board, as
    "player 1".
    """
    from whistlestop.draw.board_svg import board_svg

    called = list(names or ())
    _check(board, owners or {}, stations or {}, [*highlight, *path], theme, called)
    pieces = (owners or {}, stations or {}, passengers or {})
    return board_svg(board, *pieces, highlight, path, cities, title, caption, theme, called, embed_font=embed_font)


def _check(
    board: Board,
    owners: Mapping[int, int],
    stations: Mapping[str, int],
    tracks: Sequence[int],
    theme: str,
    names: Sequence[str],
) -> None:
    """Refuse what can't be drawn, with the reason."""
    from whistlestop.mapfile import MAX_PLAYERS

    if theme not in THEME_NAMES:
        raise ValueError(f"unknown theme `{theme}`; use one of {', '.join(THEME_NAMES)}")
    for track in [*owners, *tracks]:
        if not 0 <= track < len(board.tracks):
            raise ValueError(f"no track {track}: {board.name} has tracks 0 to {len(board.tracks) - 1}")
    for player in [*owners.values(), *stations.values()]:
        if not 0 <= player < MAX_PLAYERS:
            raise ValueError(f"no player {player}: players are 0 to {MAX_PLAYERS - 1}")
    if len(names) > MAX_PLAYERS:
        raise ValueError(f"{len(names)} names, but at most {MAX_PLAYERS} players can be drawn")


def to_png(svg: str, width: int = 1600) -> bytes:
    """Render SVG text as a PNG so many pixels wide, the same on every machine."""
    from importlib import resources

    import resvg_py

    from whistlestop.draw.typeface import FAMILY, font_file

    with resources.as_file(font_file("cabin-condensed.ttf")) as font:
        return bytes(
            resvg_py.svg_to_bytes(
                svg_string=svg, width=width, font_files=[str(font)], font_family=FAMILY, skip_system_fonts=True
            )
        )
