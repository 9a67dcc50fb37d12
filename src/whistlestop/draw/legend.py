"""The strip below the map: title, colours with their marks, what tunnels and ferries look like, points by length."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from whistlestop.draw.font import text_width
from whistlestop.draw.svg import Painter, escaped, num
from whistlestop.mapfile import COLOURS, GRAY

ROW = 62.0
"""Height of a row of blocks."""
SMALL, NORMAL, LARGE = 12.5, 15.0, 31.0
GAP = 44.0


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the legend: its width, and SVG with its own origin at the left of the row's middle."""

    width: float
    svg: str


def legend(painter: Painter, title: str, caption: str | None, players: Sequence[int]) -> tuple[str, float]:
    """Draw the legend; gives SVG with the origin at its top left, and its height."""
    width = painter.drawn.width
    blocks = [
        block
        for block in (_title(painter, title, caption), _players(painter, players), _colours(painter), _kinds(painter), _points(painter))
        if block
    ]
    rows: list[list[Block]] = [[]]
    for block in blocks:
        if rows[-1] and sum(b.width + GAP for b in rows[-1]) + block.width > width:
            rows.append([])
        rows[-1].append(block)
    parts = []
    for k, row in enumerate(rows):
        gap = (width - sum(block.width for block in row)) / max(1, len(row) - 1)
        gap = min(gap, 3 * GAP) if len(row) < 3 and k else gap
        x = 0.0
        for block in row:
            parts.append(f'<g transform="translate({num(x)} {num(ROW * (k + 0.5))})">{block.svg}</g>')
            x += block.width + gap
    style = f'fill="{painter.theme.ink}" font-size="{num(SMALL)}"'
    return f'<g class="legend" {style}>{"".join(parts)}</g>', ROW * len(rows)


def text(x: float, y: float, words: object, size: float, style: str = "") -> str:
    """A line of text."""
    return f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{style}>{escaped(words)}</text>'


def _title(painter: Painter, title: str, caption: str | None) -> Block:
    words = title.upper()
    width = text_width(words, LARGE, 0.08)
    shown = text(0, 10 if not caption else 2, words, LARGE, f' letter-spacing="{LARGE * 0.08:.2f}" class="title"')
    if caption:
        width = max(width, text_width(caption, NORMAL))
        shown += text(0, 22, caption, NORMAL, f' class="caption" fill="{painter.theme.faint}"')
    return Block(width, shown)


def _players(painter: Painter, players: Sequence[int]) -> Block | None:
    """A train of each player who has pieces on the board."""
    if not players:
        return None
    step = max(painter.drawn.car_length + 14, 54.0)
    parts = []
    for k, player in enumerate(players):
        x = (k + 0.5) * step
        parts.append(painter.use(f"train{player}", f'transform="translate({num(x)} -8)"'))
        parts.append(text(x, 18, f"player {player + 1}", SMALL, f' text-anchor="middle" fill="{painter.theme.faint}"'))
    return Block(step * len(players), "".join(parts))


def _colours(painter: Painter) -> Block:
    """A car of each colour on the board, with its name."""
    used = {track.colour for track in painter.board.tracks}
    shown = [colour for colour in (*COLOURS, GRAY) if colour in used]
    step = max(painter.drawn.car_length + 12, 50.0)
    parts = []
    for k, colour in enumerate(shown):
        x = (k + 0.5) * step
        name = "any colour" if colour == GRAY else colour
        parts.append(painter.use(colour, f'transform="translate({num(x)} -8)"'))
        parts.append(text(x, 18, name, SMALL, f' text-anchor="middle" fill="{painter.theme.faint}"'))
    return Block(step * len(shown), "".join(parts))


def _kinds(painter: Painter) -> Block | None:
    """What a tunnel and a ferry look like, if the board has any."""
    tracks, place = painter.board.tracks, 'transform="translate({} -8)"'
    parts, x = [], 0.0
    step = painter.drawn.car_length + 26
    if any(track.tunnel for track in tracks):
        middle = num(x + step / 2)
        parts += [painter.use("tunnel", place.format(middle)), painter.use(GRAY, place.format(middle))]
        parts.append(text(x + step / 2, 18, "tunnel", SMALL, f' text-anchor="middle" fill="{painter.theme.faint}"'))
        x += step
    if any(track.ferry for track in tracks):
        middle = num(x + step / 2)
        half = step / 2
        wave = f"M{num(x)} -8q5.5-5.5 11 0t11 0t11 0t11 0t11 0"
        parts.append(f'<path d="{wave}" fill="none" stroke="{painter.theme.wave}" stroke-width="1.6"/>')
        parts += [painter.use(GRAY, place.format(middle)), painter.use("locomotive", place.format(middle))]
        parts.append(text(x + half, 18, "ferry", SMALL, f' text-anchor="middle" fill="{painter.theme.faint}"'))
        x += step
    return Block(x, "".join(parts)) if parts else None


def _points(painter: Painter) -> Block | None:
    """Points by length: the length in a small car, the points below."""
    points = sorted(painter.board.points.items())
    if not points:
        return None
    step, head = 33.0, max(text_width("cars", SMALL), text_width("points", SMALL)) + 16
    paint = painter.theme.spaces[GRAY]
    parts = [text(0, -3.5, "cars", SMALL, f' fill="{painter.theme.faint}"'), text(0, 18, "points", SMALL, f' fill="{painter.theme.faint}"')]
    for k, (length, value) in enumerate(points):
        x = head + (k + 0.5) * step
        box = (
            f'<rect x="{num(x - 13)}" y="-17" width="26" height="18" rx="4" fill="{paint.fill}" fill-opacity=".45" stroke="{paint.edge}"/>'
        )
        parts.append(box + text(x, -3.2, length, NORMAL, ' text-anchor="middle"') + text(x, 18.5, value, NORMAL, ' text-anchor="middle"'))
    return Block(head + step * len(points), "".join(parts))
