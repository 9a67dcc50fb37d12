"""A board in real size, its tickets and its cards as PDF: Typst sets the pages, all of it stays drawn, not painted.

Path("usa.pdf").write_bytes(print_edition(load_edition("usa"), paper="a3"))
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from whistlestop.draw.board_svg import MARGIN, board_svg
from whistlestop.draw.card_art import CARD_WIDTH, card_clip, ticket_card, train_card
from whistlestop.draw.geometry import lay_out
from whistlestop.draw.print_plan import (
    BLEED,
    CARD_MM,
    PAPERS,
    SHEET_MARGIN,
    CardPlan,
    Sheet,
    TilePlan,
    card_plan,
    cut_lines,
    overview_sheet,
    ruler,
    sheet_svg,
    tile_plan,
    tile_sheet,
)
from whistlestop.draw.svg import escaped
from whistlestop.draw.typeface import STACK, covers, font_file
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import CARD_COLOURS, LOCOMOTIVE, Edition
from whistlestop.spelling import many

CAR_MM = 24.0
"""Length of a printed space: as long as the usual plastic trains."""
CAR_RANGE = (8.0, 60.0)
PRINTED_PARTS = ("board", "tickets", "cards")
_CLIP = "face"


class MissingPrinter(WhistlestopError):  # noqa: N818  (named for what the reader sees)
    """The extra that sets pages is not installed."""


def print_edition(
    edition: Edition,
    paper: str = "a4",
    car: float = CAR_MM,
    theme: str = "light",
    parts: Sequence[str] = PRINTED_PARTS,
) -> bytes:
    """A PDF with the board, so large that a space is `car` millimetres long, the tickets and the train cards."""
    _check(paper, car, parts)
    typesetter = _typesetter()
    with tempfile.TemporaryDirectory(prefix="whistlestop-") as name:
        pages = _Pages(Path(name), edition, paper, theme)
        if "board" in parts:
            pages.board(car)
        if "tickets" in parts:
            pages.cards("ticket", [ticket_card(edition.board, one, theme) for one in _tickets(edition)])
        if "cards" in parts:
            kinds = [*CARD_COLOURS] * edition.cards_each + [LOCOMOTIVE] * edition.locomotives
            order = [*CARD_COLOURS, LOCOMOTIVE]
            pages.cards("card", [train_card(card, _CLIP) for card in sorted(kinds, key=order.index)])
        return pages.pdf(typesetter)


def _check(paper: str, car: float, parts: Sequence[str]) -> None:
    if paper not in PAPERS:
        raise WhistlestopError(f"there is no paper `{paper}`", f"the papers are {', '.join(PAPERS)}")
    low, high = CAR_RANGE
    if not low <= car <= high:
        raise WhistlestopError(f"a space must be {low:g} to {high:g} mm long, not {car:g}", f"for example {CAR_MM:g}")
    unknown = [part for part in parts if part not in PRINTED_PARTS]
    if unknown or not parts:
        raise WhistlestopError(
            f"can't print `{unknown[0]}`" if unknown else "nothing to print",
            f"the parts are {', '.join(PRINTED_PARTS)}",
        )


def _typesetter() -> Any:
    try:
        import typst
    except ImportError as error:
        raise MissingPrinter(
            "printing needs Typst, which is not installed", "install the extra: pip install 'whistlestop[print]'"
        ) from error
    return typst


def _tickets(edition: Edition) -> list[Any]:
    return [ticket for deck in edition.decks for ticket in deck.tickets]


class _Pages:
    """Pages as they are made: pictures in a folder, and a text that sets them."""

    def __init__(self, folder: Path, edition: Edition, paper: str, theme: str) -> None:
        self._folder, self._edition, self._paper, self._theme = folder, edition, paper, theme
        self._source = [f"#set document(title: {_quoted(edition.name)}, date: none)"]
        self._count = 0

    def pdf(self, typesetter: Any) -> bytes:
        """All pages as PDF."""
        main = self._folder / "main.typ"
        main.write_text("\n".join(self._source), encoding="utf-8")
        names = "".join(city.name for city in self._edition.board.cities) + self._edition.name
        with resources.as_file(font_file("cabin-condensed.ttf")) as font:
            fonts = {"font_paths": [str(font.parent)], "ignore_system_fonts": covers(names)}
            return bytes(typesetter.compile(str(main), **fonts))

    # --- the board ---
    def board(self, car: float) -> None:
        """An overview, then the board, sheet by sheet."""
        edition = self._edition
        nothing: dict[Any, Any] = {}
        svg = board_svg(
            edition.board,
            nothing,
            nothing,
            nothing,
            (),
            (),
            (),
            edition.board.name,
            None,
            self._theme,
            (),
            embed_font=False,
        )
        drawn = lay_out(edition.board)
        unit = car / drawn.car_length
        wide, high = (side * unit for side in _size(svg))
        self._picture(
            "board.svg", svg.replace(f'font-family="{STACK}"', 'font-family="Cabin" font-stretch="condensed"')
        )
        plan = tile_plan(wide, high, self._paper)
        self._overview(plan, car, drawn.car_width * unit)
        for tile in plan.tiles():
            width, height = plan.tile
            self._page(
                plan.sheet,
                _clipped(tile.left - BLEED, tile.top - BLEED, width + 2 * BLEED, height + 2 * BLEED,
                         BLEED - tile.x, BLEED - tile.y, (wide, high)),
                tile_sheet(plan, tile, edition.board.name),
            )  # fmt: skip

    def _overview(self, plan: TilePlan, car: float, car_width: float) -> None:
        edition, sheet = self._edition, plan.sheet
        room = sheet.width - 2 * SHEET_MARGIN, sheet.height - 2 * SHEET_MARGIN - 62
        zoom = min(room[0] / plan.width, room[1] / plan.height)
        box = SHEET_MARGIN, SHEET_MARGIN + 16, plan.width * zoom, plan.height * zoom
        cards = len(CARD_COLOURS) * edition.cards_each + edition.locomotives
        lines = [
            f"{plan.width:.0f} × {plan.height:.0f} mm on {many(plan.rows * plan.columns, 'sheet')} of "
            f"{self._paper.upper() if self._paper != 'letter' else 'Letter'}; a space is {car:g} × {car_width:.1f} mm.",
            "Print at 100 %, without “fit to page”. The line above must measure 50 mm.",
            "Cut each sheet from mark to mark, and join the sheets edge to edge, as they lie here.",
            f"{many(len(_tickets(edition)), 'ticket')} and {cards} cards belong to it; sleeves or thick paper help.",
            f"You also need {edition.trains} trains for each of {edition.players[0]} to {edition.players[1]} players"
            + (f", {edition.stations} stations for each" if edition.stations else "")
            + (", and passengers" if edition.board.passenger_colours else "")
            + ".",
        ]
        image = f'#place(dx: {box[0]:.2f}mm, dy: {box[1]:.2f}mm, image("board.svg", width: {box[2]:.2f}mm))'
        self._page(sheet, image, overview_sheet(plan, edition.board.name, lines, box))

    # --- cards ---
    def cards(self, what: str, faces: Sequence[str]) -> None:
        """Sheets of cards, edge to edge."""
        plan = card_plan(self._paper)
        each = plan.rows * plan.columns
        pages = -(-len(faces) // each)
        for number in range(pages):
            part = faces[number * each : (number + 1) * each]
            label = f"{self._edition.name}, {what}s, page {number + 1} of {pages}"
            self._page(plan.sheet, "", self._card_sheet(plan, part, label))

    def _card_sheet(self, plan: CardPlan, faces: Sequence[str], label: str) -> str:
        (left, top), (wide, high) = plan.corner, CARD_MM
        placed = "".join(
            f'<g transform="translate({left + n % plan.columns * wide:.2f} {top + n // plan.columns * high:.2f})'
            f'scale({wide / CARD_WIDTH:.5f})">{face}</g>'
            for n, face in enumerate(faces)
        )
        xs = [left + n * wide for n in range(plan.columns + 1)]
        ys = [top + n * high for n in range(plan.rows + 1)]
        y = plan.sheet.height - 3.6
        words = f'<text x="{left:.2f}" y="{y + 1:.2f}" font-size="3.2">{escaped(label)}</text>'
        defs = f"<defs>{card_clip(_CLIP)}</defs>"
        return sheet_svg(plan.sheet, defs + placed + cut_lines(xs, ys) + words + ruler(plan.sheet.width - 80, y))

    # --- pages ---
    def _picture(self, name: str, svg: str) -> None:
        (self._folder / name).write_text(svg, encoding="utf-8")

    def _page(self, sheet: Sheet, ground: str, svg: str) -> None:
        """One page: a picture of the whole sheet over some ground."""
        self._count += 1
        name = f"sheet-{self._count}.svg"
        self._picture(name, svg)
        self._source.append(
            f"#page(width: {sheet.width:g}mm, height: {sheet.height:g}mm, margin: 0pt)[{ground}"
            f'#place(top + left, image("{name}", width: 100%))]'
        )


def _clipped(
    left: float, top: float, wide: float, high: float, dx: float, dy: float, whole: tuple[float, float]
) -> str:
    """A window onto the board's picture."""
    size = f"width: {whole[0]:.3f}mm, height: {whole[1]:.3f}mm"  # both: else the picture would be cut to the window
    picture = f'place(top + left, dx: {dx:.3f}mm, dy: {dy:.3f}mm, image("board.svg", {size}))'
    window = f"block(width: {wide:.3f}mm, height: {high:.3f}mm, clip: true, {picture})"
    return f"#place(top + left, dx: {left:.3f}mm, dy: {top:.3f}mm, {window})"


def _size(svg: str) -> tuple[float, float]:
    """Width and height of a picture in its own units."""
    box = svg.partition('viewBox="')[2].partition('"')[0].split()
    assert float(box[0]) == -MARGIN
    return float(box[2]), float(box[3])


def _quoted(text: str) -> str:
    """A text in Typst's quotes."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
