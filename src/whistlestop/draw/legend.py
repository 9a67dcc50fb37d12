"""The legend below the map: title, players, colours with their marks, passengers, kinds of tracks, points by length.

All in one row if it fits. Else in rows of equally many blocks, with the title to their left or as one of the blocks;
above them where the rows can't be even or the caption is long.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from whistlestop.draw.passenger_slots import zoom_of
from whistlestop.draw.svg import Painter, escaped, house, num
from whistlestop.draw.typeface import text_width
from whistlestop.mapfile import CARD_COLOURS, GRAY

ROW_HEIGHT = 62.0
"""Height of a row of blocks."""
TITLE_HEIGHT = 46.0
"""Height of a row with title and caption only."""
SMALL_TYPE, NORMAL_TYPE, LARGE_TYPE = 12.5, 15.0, 31.0
BLOCK_GAP = 44.0
MAX_STRETCH = 1.85
"""Blocks are stretched up to this multiple of their width to fill a row or to end below each other."""
MAX_NAME_WIDTH = 92.0
"""Longest name of a player, in drawing units."""


@dataclass(frozen=True, slots=True)
class LegendCell:
    """A thing and its name: the room they need, and SVG around the middle of it."""

    width: float
    svg: str


@dataclass(frozen=True, slots=True)
class LegendBlock:
    """A part of the legend: cells in a row, perhaps with words before them."""

    cells: tuple[LegendCell, ...]
    head: LegendCell = LegendCell(0.0, "")
    """Its SVG starts at its left."""

    @property
    def width(self) -> float:
        """Room it needs."""
        return self.head.width + sum(cell.width for cell in self.cells)

    def stretched(self, room: float) -> float:
        """Width if it may grow into some room."""
        return max(self.width, min(room, self.head.width + (self.width - self.head.width) * MAX_STRETCH))

    def draw(self, x: float, y: float, width: float) -> str:
        """SVG with its left at x and its middle at y."""
        parts, at = [self.head.svg], self.head.width
        more = (width - self.width) / max(1, len(self.cells))
        for cell in self.cells:
            parts.append(f'<g transform="translate({num(at + (cell.width + more) / 2)} 0)">{cell.svg}</g>')
            at += cell.width + more
        return f'<g transform="translate({num(x)} {num(y)})">{"".join(parts)}</g>'


def legend(
    painter: Painter, title: str, caption: str | None, players: Sequence[int], builders: Sequence[int] = ()
) -> tuple[str, float]:
    """SVG of the legend, its origin at the top left, and its height; `builders` are the players with stations."""
    width, head = painter.drawn.width, _title(painter, title, caption)
    found = (
        _players(painter, players),
        _colours(painter),
        _passengers(painter),
        _kinds(painter, builders),
        _points(painter),
    )
    blocks = [block for block in found if block]
    beside, among = partition(blocks, width - head.width - BLOCK_GAP), partition([head, *blocks], width)
    if len(among) == 1:
        drawn, height = _row([head, *blocks], 0.0, width, ROW_HEIGHT / 2), ROW_HEIGHT
    elif head.width <= width * 0.3 and even(beside):
        height = ROW_HEIGHT * len(beside)
        drawn = head.draw(0.0, height / 2, head.width) + _grid(beside, head.width + BLOCK_GAP, width, 0.0)
    elif head.width <= width * 0.4 and even(among):
        drawn, height = _grid(among, 0.0, width, 0.0), ROW_HEIGHT * len(among)
    else:
        below = partition(blocks, width)
        drawn, height = (
            _headline(painter, title, caption, width) + _grid(below, 0.0, width, TITLE_HEIGHT),
            TITLE_HEIGHT + ROW_HEIGHT * len(below),
        )
    style = f'fill="{painter.theme.ink}" font-size="{num(SMALL_TYPE)}"'
    return f'<g class="legend" {style}>{drawn}</g>', height


def partition(blocks: Sequence[LegendBlock], room: float) -> list[list[LegendBlock]]:
    """Divide blocks into the fewest rows that fit, as even as possible; a block that is too wide has its own row."""
    for count in range(1, len(blocks) + 1):
        ways = []
        for cuts in combinations(range(1, len(blocks)), count - 1):
            rows = [list(blocks[a:b]) for a, b in pairwise((0, *cuts, len(blocks)))]
            widths = [sum(block.width + BLOCK_GAP for block in row) - BLOCK_GAP for row in rows]
            if max(widths) <= room:
                ways.append((max(map(len, rows)) - min(map(len, rows)), max(widths), rows))
        if ways:
            return min(ways, key=lambda way: way[:2])[2]
    return [[block] for block in blocks]


def even(rows: Sequence[Sequence[LegendBlock]]) -> bool:
    """Whether all rows have as many blocks, and more than one."""
    return len({len(row) for row in rows}) == 1 and len(rows[0]) > 1


def _row(blocks: Sequence[LegendBlock], left: float, right: float, y: float) -> str:
    """Blocks from edge to edge; a single one grows."""
    if len(blocks) == 1:
        return blocks[0].draw(left, y, blocks[0].stretched(right - left))
    gap = (right - left - sum(block.width for block in blocks)) / (len(blocks) - 1)
    parts, x = [], left
    for block in blocks:
        parts.append(block.draw(x, y, block.width))
        x += block.width + gap
    return "".join(parts)


def _grid(rows: Sequence[Sequence[LegendBlock]], left: float, right: float, top: float) -> str:
    """Rows of blocks: in columns if all rows have as many, else each from edge to edge."""
    lines = [top + ROW_HEIGHT * (k + 0.5) for k in range(len(rows))]
    widths = [max(block.width for block in column) for column in zip(*rows, strict=False)]
    gap = (right - left - sum(widths)) / max(1, len(widths) - 1)
    if len(rows) == 1 or not even(rows) or gap < BLOCK_GAP / 2:
        return "".join(_row(row, left, right, y) for row, y in zip(rows, lines, strict=True))
    if left:
        gap = (right - left + BLOCK_GAP - sum(widths)) / len(widths)
        left += gap - BLOCK_GAP
    parts = []
    for row, y in zip(rows, lines, strict=True):
        x = left
        for block, width in zip(row, widths, strict=True):
            parts.append(block.draw(x, y, block.stretched(width)))
            x += width + gap
    return "".join(parts)


def text(x: float, y: float, words: object, size: float, style: str = "") -> str:
    """A line of text."""
    return f'<text x="{num(x)}" y="{num(y)}" font-size="{num(size)}"{style}>{escaped(words)}</text>'


def shortened(words: str, size: float, room: float, spacing: float = 0.0) -> str:
    """Words, cut with an ellipsis if they are longer than the room."""
    if text_width(words, size, spacing) <= room:
        return words
    while words and text_width(words + "…", size, spacing) > room:
        words = words[:-1]
    return words.rstrip() + "…"


def _title(painter: Painter, title: str, caption: str | None) -> LegendBlock:
    words = title.upper()
    width = text_width(words, LARGE_TYPE, 0.08)
    shown = text(
        0, 10 if not caption else 2, words, LARGE_TYPE, f' letter-spacing="{LARGE_TYPE * 0.08:.2f}" class="title"'
    )
    if caption:
        width = max(width, text_width(caption, NORMAL_TYPE))
        shown += text(0, 22, caption, NORMAL_TYPE, f' class="caption" fill="{painter.theme.faint}"')
    return LegendBlock((), LegendCell(width, shown))


def _headline(painter: Painter, title: str, caption: str | None, room: float) -> str:
    """Title at the left, caption at the right, in a line of their own."""
    words = shortened(title.upper(), LARGE_TYPE, room * 0.6 if caption else room, 0.08)
    shown = text(0, 32, words, LARGE_TYPE, f' letter-spacing="{LARGE_TYPE * 0.08:.2f}" class="title"')
    if caption:
        line = shortened(caption, NORMAL_TYPE, room - text_width(words, LARGE_TYPE, 0.08) - BLOCK_GAP)
        shown += text(room, 31, line, NORMAL_TYPE, f' class="caption" text-anchor="end" fill="{painter.theme.faint}"')
    return shown


def _cell(painter: Painter, picture: str, name: str, least: float) -> LegendCell:
    """A picture with its name below."""
    width = max(least, text_width(name, SMALL_TYPE) + 10)
    return LegendCell(
        width, picture + text(0, 18, name, SMALL_TYPE, f' text-anchor="middle" fill="{painter.theme.faint}"')
    )


RAISED = 'transform="translate(0 -8)"'


def _players(painter: Painter, players: Sequence[int]) -> LegendBlock | None:
    """A train of each player."""
    least = max(painter.drawn.car_length + 14, 54.0)
    names = [shortened(painter.player(player), SMALL_TYPE, MAX_NAME_WIDTH) for player in players]
    cells = [
        _cell(painter, painter.use(f"train{player}", RAISED), name, least)
        for player, name in zip(players, names, strict=True)
    ]
    return LegendBlock(tuple(cells)) if cells else None


def _colours(painter: Painter) -> LegendBlock | None:
    """A car of each colour on the board, with its name."""
    used = {track.colour for track in painter.board.tracks}
    least = max(painter.drawn.car_length + 12, 50.0)
    shown = [colour for colour in (*CARD_COLOURS, GRAY) if colour in used]
    cells = [
        _cell(painter, painter.use(colour, RAISED), "any colour" if colour == GRAY else colour, least)
        for colour in shown
    ]
    return LegendBlock(tuple(cells)) if cells else None


def _passengers(painter: Painter) -> LegendBlock | None:
    """A passenger of each colour, if the board has any."""
    if not painter.figures:
        return None
    zoom = max([zoom_of(place) for place in painter.drawn.cities[:1]] or [1.0])
    names = ["other" if colour == GRAY else colour for colour in painter.figures]
    cells = [
        _cell(painter, painter.figure(colour, f"translate(0 -9)scale({zoom:.3g})"), name, 38.0)
        for colour, name in zip(painter.figures, names, strict=True)
    ]
    word = "passengers"
    return LegendBlock(
        tuple(cells),
        LegendCell(
            text_width(word, SMALL_TYPE) + 12, text(0, -3.5, word, SMALL_TYPE, f' fill="{painter.theme.faint}"')
        ),
    )


def _kinds(painter: Painter, builders: Sequence[int]) -> LegendBlock | None:
    """What a tunnel, a ferry and a station look like, as far as there are any."""
    tracks, least = painter.board.tracks, painter.drawn.car_length + 26
    cells = []
    if any(track.tunnel for track in tracks):
        cells.append(_cell(painter, painter.use("tunnel", RAISED) + painter.use(GRAY, RAISED), "tunnel", least))
    if any(track.ferry for track in tracks):
        half = num(-painter.drawn.car_length / 2 - 13)
        line = f'd="M{half} -8q5.5-5.5 11 0t11 0t11 0t11 0t11 0" fill="none"'
        wave = f'<path {line} stroke="{painter.theme.wave}" stroke-width="1.6"/>'
        cells.append(
            _cell(painter, wave + painter.use(GRAY, RAISED) + painter.use("locomotive", RAISED), "ferry", least)
        )
    if builders:
        paint = painter.theme.players[builders[0]]
        cells.append(_cell(painter, f"<g {RAISED}>{house(paint)}</g>", "station", 50.0))
    return LegendBlock(tuple(cells)) if cells else None


def _points(painter: Painter) -> LegendBlock | None:
    """Points by length: the length in a small car, the points below."""
    points, paint = sorted(painter.board.points.items()), painter.theme.spaces[GRAY]
    style = f'fill="{paint.fill}" fill-opacity=".45" stroke="{paint.edge}"'
    cells = []
    for length, value in points:
        box = f'<rect x="-13" y="-17" width="26" height="18" rx="4" {style}/>'
        words = text(0, -3.2, length, NORMAL_TYPE, ' text-anchor="middle"') + text(
            0, 18.5, value, NORMAL_TYPE, ' text-anchor="middle"'
        )
        cells.append(LegendCell(33.0, box + words))
    width = max(text_width("cars", SMALL_TYPE), text_width("points", SMALL_TYPE)) + 12
    style = f' fill="{painter.theme.faint}"'
    return (
        LegendBlock(
            tuple(cells),
            LegendCell(width, text(0, -3.5, "cars", SMALL_TYPE, style) + text(0, 18, "points", SMALL_TYPE, style)),
        )
        if cells
        else None
    )
