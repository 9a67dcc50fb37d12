"""How notebooks show games: as drawings, which are made when they are shown and not before.

What draws stands above games and views, so the package itself says here how a view is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from html import escape
from typing import Any


def svg_of(view: Any) -> str:
    """The board of a view with everybody's pieces."""
    return _drawing[0](view)


def draw_by(drawing: Callable[[Any], str]) -> None:
    """Say how a view is drawn."""
    _drawing[:] = [drawing]


_drawing: list[Callable[[Any], str]] = []


def html_of(view: Any, facts: Iterable[tuple[str, str]]) -> str:
    """The board of a view, and what the viewer knows besides, in lines of a table."""
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(text)}</td></tr>" for name, text in facts if text)
    return f'<div style="max-width: 1000px">{svg_of(view)}<table>{rows}</table></div>'
