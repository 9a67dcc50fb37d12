"""The notebook runs as it stands, and shows what it promises."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from whistlestop import Game

NOTEBOOK = Path(__file__).parent.parent / "examples" / "whistlestop.ipynb"


@pytest.fixture(scope="module")
def cells() -> list[Any]:
    notebook = nbformat.read(NOTEBOOK, 4)
    assert not any(cell.get("outputs") for cell in notebook.cells), "kept without outputs"
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: Any, kind: str) -> str:
    """What a cell shows of one kind: a drawing, HTML, or what it prints."""
    found = [output.data[kind] for output in cell.outputs if kind in output.get("data", {})]
    assert found, f"{cell.source} shows no {kind}"
    return str(found[-1])


def test_it_opens_with_a_board_drawn_inline(cells: list[Any]) -> None:
    drawn = shown(cells[0], "image/svg+xml")
    assert drawn.startswith("<svg")
    assert "Salt Lake City" in drawn


def test_it_shows_a_view_a_result_and_an_environment(cells: list[Any]) -> None:
    by_source = {cell.source.splitlines()[-1]: cell for cell in cells}
    view = shown(by_source["game.view(0)"], "text/html")
    assert "<th>tickets</th>" in view
    assert "Ada" in view
    printed = "".join(output.get("text", "") for cell in cells for output in cell.outputs)
    assert "a second must follow" in printed
    assert "longest path" in printed
    assert "games ended" in printed


def test_a_display_has_what_the_viewer_may_know_and_no_more() -> None:
    game = Game("usa", players=2, seed=3)
    mine, others, nobody = (game.view(seat)._repr_html_() for seat in (0, 1, None))
    offers = [[ticket.text for ticket in game.view(seat).offer] for seat in (0, 1)]
    assert all(ticket in mine for ticket in offers[0])
    assert not any(ticket in others for ticket in offers[0])
    assert not any(ticket in nobody or ticket in game._repr_svg_() for both in offers for ticket in both)


def test_names_are_no_markup() -> None:
    game = Game("usa", players=2, seed=3, names=["<b>", "Ben"])
    assert "<b>" not in game.view(0)._repr_html_()
    assert "&lt;b&gt;" in game._repr_svg_()
