"""The font of the drawings: its files and the widths of its characters.

Cabin Condensed SemiBold (SIL Open Font License 1.1, see `font/OFL.txt`), cut down by `scripts/prepare_font.py`.
"""

from __future__ import annotations

import base64
import json
import unicodedata
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

FAMILY = "Cabin Condensed"
STACK = "'Cabin Condensed','Gill Sans','Gill Sans MT','Segoe UI',sans-serif"


def font_file(name: str) -> Traversable:
    """Find a file of the font: `cabin-condensed.ttf`, `cabin-condensed.woff2` or `metrics.json`."""
    return resources.files("whistlestop.draw").joinpath("font", name)


@cache
def _widths() -> dict[str, int]:
    widths: dict[str, int] = json.loads(font_file("metrics.json").read_text(encoding="utf-8"))["widths"]
    return widths


def text_width(text: str, size: float, spacing: float = 0.0) -> float:
    """Width of a line of text; characters that the font doesn't have are taken as wide ones."""
    widths = _widths()
    thousandths = sum(widths[mark] if mark in widths else _foreign_width(mark) for mark in text)
    return size * (thousandths / 1000 + spacing * len(text))


def covers(text: str) -> bool:
    """Whether the font has all characters of a text."""
    return set(text) <= set(_widths())


def _foreign_width(mark: str) -> int:
    if unicodedata.combining(mark):
        return 0
    return 1050 if unicodedata.east_asian_width(mark) in "WF" else 680


@cache
def font_face() -> str:
    """CSS that carries the font within an SVG."""
    data = base64.b64encode(font_file("cabin-condensed.woff2").read_bytes()).decode("ascii")
    return (
        f"@font-face{{font-family:'{FAMILY}';font-weight:600;src:url(data:font/woff2;base64,{data}) format('woff2')}}"
    )
