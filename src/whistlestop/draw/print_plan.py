"""How a board and its cards are laid out on sheets of paper: sizes in millimetres, marks to cut by, labels."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil

from whistlestop.draw.svg import escaped
from whistlestop.draw.themes import THEMES

PAPERS = {"a4": (210.0, 297.0), "a3": (297.0, 420.0), "letter": (215.9, 279.4)}
"""Width and height of a standing sheet."""
SHEET_MARGIN = 14.0
"""Around the board's part on a sheet: what printers leave blank, and the marks."""
BLEED = 3.0
"""How far the picture goes on beyond the cut, so that a cut that is a little off shows no white."""
CARD_MM = (66.0, 44.0)
"""Of train cards and tickets, as in the usual sleeves for small cards."""
CARD_MARGIN = 8.5
_MARK = (4.0, 10.0)
"""Where a mark begins and ends, from the corner that is cut."""
_RULER = 50.0


@dataclass(frozen=True, slots=True)
class Sheet:
    """A sheet of paper, lying or standing."""

    width: float
    height: float


@dataclass(frozen=True, slots=True)
class BoardTile:
    """The part of the board that one sheet shows: where on the board it begins, and where it lies on the sheet."""

    row: int
    column: int
    x: float
    y: float
    left: float
    top: float

    @property
    def label(self) -> str:
        """A letter for the row and a number for the column: B3."""
        return f"{chr(ord('A') + self.row)}{self.column + 1}"


@dataclass(frozen=True, slots=True)
class TilePlan:
    """A board cut into equal tiles, joined edge to edge."""

    sheet: Sheet
    rows: int
    columns: int
    width: float
    """Of the whole board."""
    height: float

    @property
    def tile(self) -> tuple[float, float]:
        """Width and height of a tile."""
        return self.width / self.columns, self.height / self.rows

    def tiles(self) -> list[BoardTile]:
        """All tiles, row by row."""
        wide, high = self.tile
        left, top = (self.sheet.width - wide) / 2, (self.sheet.height - high) / 2
        return [
            BoardTile(row, column, column * wide, row * high, left, top)
            for row in range(self.rows)
            for column in range(self.columns)
        ]


def both_ways(paper: str) -> tuple[Sheet, Sheet]:
    """A paper lying and standing."""
    short, long = PAPERS[paper]
    return Sheet(long, short), Sheet(short, long)


def tile_plan(width: float, height: float, paper: str) -> TilePlan:
    """The fewest sheets that hold a board, lying if that takes no more."""
    plans = []
    for sheet in both_ways(paper):
        room = sheet.width - 2 * SHEET_MARGIN, sheet.height - 2 * SHEET_MARGIN
        columns, rows = ceil(width / room[0] - 1e-9), ceil(height / room[1] - 1e-9)
        plans.append(TilePlan(sheet, rows, columns, width, height))
    return min(plans, key=lambda plan: plan.rows * plan.columns)


@dataclass(frozen=True, slots=True)
class CardPlan:
    """Cards edge to edge on a sheet."""

    sheet: Sheet
    rows: int
    columns: int

    @property
    def corner(self) -> tuple[float, float]:
        """Where the first card begins."""
        wide, high = CARD_MM
        return (self.sheet.width - self.columns * wide) / 2, (self.sheet.height - self.rows * high) / 2


def card_plan(paper: str) -> CardPlan:
    """The most cards on a sheet."""
    plans = []
    for sheet in both_ways(paper):
        rooms = sheet.width - 2 * CARD_MARGIN, sheet.height - 2 * CARD_MARGIN
        plans.append(CardPlan(sheet, int(rooms[1] / CARD_MM[1]), int(rooms[0] / CARD_MM[0])))
    return max(plans, key=lambda plan: plan.rows * plan.columns)


# --- what is printed around them -------------------------------------------------------------------------------------
def sheet_svg(sheet: Sheet, inside: str) -> str:
    """A page of paper in millimetres."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {sheet.width:g} {sheet.height:g}" '
        f'font-family="Cabin" font-stretch="condensed" font-weight="600">{inside}</svg>'
    )


def cut_lines(xs: list[float], ys: list[float]) -> str:
    """Marks outside a grid, at the ends of every line along which it is cut."""
    near, far = _MARK
    up, down, left, right = ys[0], ys[-1], xs[0], xs[-1]
    lines = "".join(f"M{x:.2f} {up - near:.2f}V{up - far:.2f}M{x:.2f} {down + near:.2f}V{down + far:.2f}" for x in xs)
    lines += "".join(
        f"M{left - near:.2f} {y:.2f}H{left - far:.2f}M{right + near:.2f} {y:.2f}H{right + far:.2f}" for y in ys
    )
    return f'<path class="cut" d="{lines}" fill="none" stroke="#000" stroke-width=".2"/>'


def ruler(x: float, y: float) -> str:
    """A line of known length, to see whether the printer changed the size."""
    line = f"M{x:.2f} {y - 1.2:.2f}v2.4m0-1.2h{_RULER:g}m0-1.2v2.4"
    bar = f'<path d="{line}" fill="none" stroke="#000" stroke-width=".25"/>'
    return f'{bar}<text x="{x + _RULER + 2:.2f}" y="{y + 1.1:.2f}" font-size="3.1">{_RULER:g} mm</text>'


def tile_sheet(plan: TilePlan, tile: BoardTile, name: str) -> str:
    """Marks, label and a little plan for the sheet of one tile."""
    wide, high = plan.tile
    xs, ys = [tile.left, tile.left + wide], [tile.top, tile.top + high]
    below = plan.sheet.height - 4.2
    words = f"{name}, sheet {tile.label}: row {tile.row + 1} of {plan.rows}, column {tile.column + 1} of {plan.columns}"
    step = min(2.6, 7.0 / plan.rows)
    left, top = plan.sheet.width - 14 - plan.columns * step, below + 2 - plan.rows * step
    grid = "".join(
        f'<rect x="{left + other.column * step:.2f}" y="{top + other.row * step:.2f}" width="{step:.2f}" '
        f'height="{step:.2f}" fill="{"#000" if other == tile else "#fff"}"/>'
        for other in plan.tiles()
    )
    grid = f'<g stroke="#000" stroke-width=".15">{grid}</g>'
    text = f'<text x="26" y="{below + 1.1:.2f}" font-size="3.6">{escaped(words)}</text>'
    return sheet_svg(plan.sheet, cut_lines(xs, ys) + text + ruler(plan.sheet.width / 2 + 10, below) + grid)


def overview_sheet(plan: TilePlan, name: str, lines: list[str], box: tuple[float, float, float, float]) -> str:
    """The first page: how the sheets lie together, over a small picture of the board in the box, and what to know."""
    left, top, wide, high = box
    ink, accent = THEMES["light"].ink, THEMES["light"].accent
    step_x, step_y = wide / plan.columns, high / plan.rows
    cuts = "".join(f"M{left + n * step_x:.2f} {top:.2f}v{high:.2f}" for n in range(1, plan.columns))
    cuts += "".join(f"M{left:.2f} {top + n * step_y:.2f}h{wide:.2f}" for n in range(1, plan.rows))
    labels = "".join(
        f'<g transform="translate({left + (tile.column + 0.5) * step_x:.2f} {top + (tile.row + 0.5) * step_y:.2f})">'
        f'<circle r="6" fill="#fff" fill-opacity=".88"/>'
        f'<text y="1.9" font-size="5.4" text-anchor="middle" fill="{accent}">{tile.label}</text></g>'
        for tile in plan.tiles()
    )
    words = "".join(
        f'<text x="{left:.2f}" y="{top + high + 11 + 5.6 * n:.2f}" font-size="4.1" fill="{ink}">{escaped(line)}</text>'
        for n, line in enumerate(lines)
    )
    title = f'<text x="{left:.2f}" y="{top - 6:.2f}" font-size="10" fill="{ink}">{escaped(name)}</text>'
    edge = f'x="{left:.2f}" y="{top:.2f}" width="{wide:.2f}" height="{high:.2f}"'
    frame = f'<rect {edge} fill="none" stroke="{ink}" stroke-width=".4"/>'
    dashes = f'<path d="{cuts}" fill="none" stroke="{accent}" stroke-width=".5" stroke-dasharray="2.4 1.6"/>'
    return sheet_svg(plan.sheet, title + frame + dashes + labels + words + ruler(plan.sheet.width - 90, top - 8))
