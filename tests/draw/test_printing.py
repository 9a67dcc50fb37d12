"""Boards on paper: real sizes, sheets that fit, marks, and cards that can be told apart without colour."""

from __future__ import annotations

import io
import re
import sys
from xml.etree import ElementTree

import pytest
from pypdf import PdfReader

from whistlestop.draw import lay_out
from whistlestop.draw.card_art import CAR_BODIES, card_clip, ticket_card, train_card
from whistlestop.draw.print_plan import BLEED, CARD_MM, PAPERS, SHEET_MARGIN, card_plan, tile_plan, tile_sheet
from whistlestop.draw.printing import MissingPrinter, print_edition
from whistlestop.draw.svg import BADGES
from whistlestop.errors import WhistlestopError
from whistlestop.mapfile import CARD_COLOURS, CARDS, load_edition

POINT = 25.4 / 72
"""Millimetres of a PDF's unit."""


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("size", [(1133.0, 812.0), (751.0, 1018.0), (100.0, 100.0)])
def test_tiles_cover_the_board_once_and_fit_their_sheets(paper: str, size: tuple[float, float]) -> None:
    plan = tile_plan(*size, paper)
    wide, high = plan.tile
    assert wide * plan.columns == pytest.approx(size[0])
    assert high * plan.rows == pytest.approx(size[1])
    tiles = plan.tiles()
    assert len({tile.label for tile in tiles}) == plan.rows * plan.columns
    for tile in tiles:
        assert tile.left >= SHEET_MARGIN - 1e-6 > BLEED
        assert tile.left + wide <= plan.sheet.width - SHEET_MARGIN + 1e-6
        assert tile.top + high <= plan.sheet.height - SHEET_MARGIN + 1e-6
    assert {round(tile.x) for tile in tiles} == {round(n * wide) for n in range(plan.columns)}
    marks = ElementTree.fromstring(tile_sheet(plan, tiles[0], "A & B")).find("{*}path[@class='cut']")
    assert marks is not None
    numbers = [float(one) for one in re.findall(r"-?\d+\.?\d*", marks.attrib["d"])]
    assert min(numbers) > 0
    assert max(numbers) < max(plan.sheet.width, plan.sheet.height)  # no mark runs off the paper


def test_cards_fit_their_sheets() -> None:
    assert {paper: card_plan(paper).rows * card_plan(paper).columns for paper in PAPERS} == {
        "a4": 16, "a3": 36, "letter": 15,
    }  # fmt: skip
    for paper in PAPERS:
        plan = card_plan(paper)
        left, top = plan.corner
        assert min(left, top) >= 8.5
        assert left + plan.columns * CARD_MM[0] <= plan.sheet.width - 8.5


def test_every_card_has_its_own_car_and_sign() -> None:
    faces = {card: train_card(card, "clip") for card in CARDS}
    assert len(set(CAR_BODIES.values())) == len(CARD_COLOURS)
    for colour in CARD_COLOURS:
        assert faces[colour].count(BADGES[colour]) == 2
        assert CAR_BODIES[colour] in faces[colour]
    for face in faces.values():
        ElementTree.fromstring(f'<svg xmlns="http://www.w3.org/2000/svg">{card_clip("clip")}{face}</svg>')


def test_a_ticket_shows_its_ends_and_points() -> None:
    edition = load_edition("germany")
    for ticket in edition.decks[0].tickets[:3] + edition.decks[1].tickets[-3:]:
        face = ElementTree.fromstring(f"<svg>{ticket_card(edition.board, ticket)}</svg>")
        words = [text.text for text in face.iter("text")]
        assert words[:2] == [ticket.a, ticket.b]
        assert str(ticket.points) in words
        rings = [one for one in face.iter("circle") if one.get("r") == "2.3"]
        spaces = [city for city in edition.board.cities if {city.name, city.country} & {ticket.a, ticket.b}]
        assert len(rings) == len(spaces)


def test_the_pdf_has_real_size() -> None:
    edition = load_edition("usa")
    reader = PdfReader(io.BytesIO(print_edition(edition, "a3", car=20.0, parts=["board", "tickets"])))
    drawn = lay_out(edition.board)
    unit = 20.0 / drawn.car_length
    tickets = -(-len(edition.decks[0].tickets) // 36)
    text = reader.pages[0].extract_text()
    found = re.search(r"(\d+) × (\d+) mm on (\d+) sheets of A3; a space is 20 ×", text)
    assert found, text
    assert int(found[1]) == round((drawn.width + 52) * unit)
    assert len(reader.pages) == 1 + int(found[3]) + tickets
    for page in reader.pages:
        assert {round(float(side) * POINT) for side in page.mediabox[2:]} == {297, 420}
    grid = re.search(r"sheet A1: row 1 of (\d+), column 1 of (\d+)", reader.pages[1].extract_text())
    assert grid
    assert int(grid[1]) * int(grid[2]) == int(found[3])
    fonts = {str(name) for page in reader.pages for name in fonts_of(page)}
    assert fonts
    assert all("Cabin" in name for name in fonts)


def fonts_of(page: object) -> set[str]:
    """Names of all fonts that a page uses, in pictures within pictures too."""
    found: set[str] = set()

    def look(resources: object) -> None:
        data = resources.get_object()  # type: ignore[attr-defined]
        for font in data.get("/Font", {}).values():
            found.add(str(font.get_object()["/BaseFont"]))
        for form in data.get("/XObject", {}).values():
            if "/Resources" in form.get_object():
                look(form.get_object()["/Resources"])

    look(page["/Resources"])  # type: ignore[index]
    return found


def test_wrong_wishes_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    edition = load_edition("usa")
    with pytest.raises(WhistlestopError, match="no paper `a5`"):
        print_edition(edition, "a5")
    with pytest.raises(WhistlestopError, match="8 to 60 mm"):
        print_edition(edition, car=2)
    with pytest.raises(WhistlestopError, match="can't print `box`"):
        print_edition(edition, parts=["box"])
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(MissingPrinter, match="not installed") as missing:
        print_edition(edition)
    assert "whistlestop[print]" in (missing.value.hint or "")
