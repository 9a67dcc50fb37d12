"""Write the browser's signs and pieces from those of the printed boards: `uv run python scripts/write_shapes.py`."""

from __future__ import annotations

import json
from pathlib import Path

from whistlestop.draw.screen import shapes

TARGET = Path(__file__).parents[1] / "web" / "src" / "ui" / "shapes.ts"
HEAD = (
    "/** Signs and pieces as SVG paths, around their middle. "
    "Made by scripts/write_shapes.py from draw/svg.py and draw/card_art.py: change them there. */\n"
)
WIDEST = 121
"""With its end of line."""
SHORT_KEY = 4
"""After which prettier breaks no line: nothing would be won."""


def typescript() -> str:
    """The shapes as constants, laid out as prettier does."""
    lines = [HEAD]
    for name, value in shapes().items():
        if isinstance(value, dict):
            rows = "".join(_row(key, path) for key, path in value.items())
            lines.append(f"export const {name}: Record<string, string> = {{\n{rows}}};\n")
            continue
        kind = {str: "string", float: "number", list: "string[]"}[type(value)]
        line = f"export const {name}: {kind} = {json.dumps(value)};\n"
        lines.append(line if len(line) <= WIDEST else line.replace(" = ", " =\n  ", 1))
    return "".join(lines)


def _row(key: str, path: str) -> str:
    line = f"  {key}: {json.dumps(path)},\n"
    short = len(key) <= SHORT_KEY or len(line) <= WIDEST
    return line if short else line.replace(": ", ":\n    ", 1)


if __name__ == "__main__":
    TARGET.write_text(typescript(), encoding="utf-8")
    print(f"wrote {TARGET.name}")
