"""`whistlestop score`: counts a real table from its file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from whistlestop.cli.inputs import check_file
from whistlestop.cli.show import check_picture, write_picture
from whistlestop.cli.terminal import fail, print_json, ready_engine, say
from whistlestop.draw import draw_board
from whistlestop.draw.themes import PLAYER_COLOURS
from whistlestop.spelling import did_you_mean

if TYPE_CHECKING:
    from whistlestop.real_table import Count

COLOUR_NAMES = [colour.name for colour in PLAYER_COLOURS]


def print_score(file: str, as_json: bool, force: bool, out: str | None, theme: str, width: int) -> None:
    """Print the count of a file, as text or JSON, and draw the board where asked."""
    check_file(file, "file of a real table")
    check_picture(out, theme, width)
    ready_engine()
    from whistlestop.errors import WhistlestopError
    from whistlestop.real_table_file import read_real_table

    try:
        found = read_real_table(file)
        colours = colour_numbers(found.colours)
        count = found.table.count(force=force)
    except WhistlestopError as error:
        fail(error.message, error.hint)
    if as_json:
        print_json(count.json())
    else:
        print(count)
    if out is not None:
        _draw(count, colours, Path(out), theme, width)


def _draw(count: Count, colours: Sequence[int], target: Path, theme: str, width: int) -> None:
    write_picture(target, draw_board(count.game.edition.board, theme=theme, **count.drawing(colours)), width)
    say(f"Wrote {target}")


def colour_numbers(given: Sequence[str | None]) -> list[int]:
    """The players' colours as numbers; who has none gets the first that is free."""
    for colour in given:
        if colour is not None and colour not in COLOUR_NAMES:
            hint = did_you_mean(colour, COLOUR_NAMES) or f"the colours are {', '.join(COLOUR_NAMES)}"
            fail(f"`{colour}` is no colour of players", hint)
        if colour is not None and given.count(colour) > 1:
            fail(f"two players are {colour}", f"the colours are {', '.join(COLOUR_NAMES)}")
    free = iter([number for number, name in enumerate(COLOUR_NAMES) if name not in given])
    return [next(free) if colour is None else COLOUR_NAMES.index(colour) for colour in given]
