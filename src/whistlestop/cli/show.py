"""`whistlestop show`: draws a board, or a game on it, to a file, and prints boards in real size."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from whistlestop.cli.inputs import edition_of, game_of, is_map_file
from whistlestop.cli.terminal import fail, say
from whistlestop.cli.turns import turns_of
from whistlestop.draw import THEME_NAMES, draw_board, to_png
from whistlestop.spelling import did_you_mean

if TYPE_CHECKING:
    from whistlestop.game import Game
    from whistlestop.mapfile import Board

FORMATS = (".svg", ".png")
WIDTHS = range(100, 10_001)


def draw(what: str, out: str | None, theme: str, width: int, turn: int | None, open_it: bool) -> None:
    """Draw to a file, or to stdout where that is a pipe and no file is named."""
    check_picture(out, theme, width)
    board, extras = _subject(what, turn)
    svg = draw_board(board, theme=theme, **extras)
    if out is None and not sys.stdout.isatty() and not open_it:
        print(svg.rstrip("\n"))
        return
    target = Path(out) if out else Path(f"{_stem(what)}.svg")
    write_picture(target, svg, width)
    say(f"Wrote {target}")
    if open_it:
        open_file(target)


def print_sheets(what: str, out: str, theme: str, paper: str, car: float, sheets: str, open_it: bool) -> None:
    """Write a PDF for printing."""
    _check_theme(theme)
    target = Path(out)
    if target.suffix.lower() != ".pdf":
        fail(f"sheets for printing are PDF, which `{out}` does not say", "end the name in .pdf")
    _check_folder(out)
    if what not in _edition_names() and not is_map_file(what):
        fail("--print is for boards", "give an edition or a map file; `whistlestop editions` lists the editions")
    edition = edition_of(what)
    from whistlestop.draw.printing import print_edition
    from whistlestop.errors import WhistlestopError

    parts = [part.strip() for part in sheets.split(",") if part.strip()]
    try:
        target.write_bytes(print_edition(edition, paper.lower(), car, theme, parts))
    except WhistlestopError as error:
        fail(error.message, error.hint)
    say(f"Wrote {target}: print it at 100 %")
    if open_it:
        open_file(target)


def open_file(target: Path) -> None:
    """Show a file by the program that this machine has for it."""
    import webbrowser

    if not webbrowser.open(target.resolve().as_uri()):
        say("No program was found to open it")


def _check_theme(theme: str) -> None:
    if theme not in THEME_NAMES:
        known = ", ".join(THEME_NAMES)
        fail(f"there is no theme `{theme}`", did_you_mean(theme, THEME_NAMES) or f"the themes are {known}")


def _check_folder(out: str) -> None:
    if not Path(out).parent.is_dir():
        fail(f"there is no folder `{Path(out).parent}`", "make it first, or choose another place")


def check_picture(out: str | None, theme: str, width: int) -> None:
    """Refuse what cannot be drawn before anything is done."""
    _check_theme(theme)
    if width not in WIDTHS:
        fail(f"--width must be between {WIDTHS[0]} and {WIDTHS[-1]}, not {width}", "for example --width 1600")
    if out is None:
        return
    if Path(out).suffix.lower() not in FORMATS:
        fail(f"can't tell the kind of picture from `{out}`", f"end the name in {' or '.join(FORMATS)}")
    _check_folder(out)


def _subject(what: str, turn: int | None) -> tuple[Board, dict[str, Any]]:
    """The board to draw, and what stands on it."""
    known = _edition_names()
    if what in known or is_map_file(what):
        if turn is not None:
            fail("--turn is for records", f"leave it out to draw the empty board of {what}")
        edition = edition_of(what)
        return edition.board, {"title": edition.board.name}
    if not Path(what).is_file():
        fail(
            f"`{what}` is neither an edition nor a file",
            did_you_mean(what, known) or f"the editions are {', '.join(known)}",
        )
    game, caption = _at_turn(what, turn)
    path = [track for seat in game.result().players if seat.path for track in seat.path_tracks] if game.over else []
    standing = {
        "owners": game.owners(),
        "stations": game.stations(),
        "passengers": game.passengers(),
        "names": game.names,
    }
    return game.edition.board, {
        **standing,
        "path": path,
        "highlight": _last_claim(game),
        "title": game.edition.name,
        "caption": caption,
    }


def _last_claim(game: Game) -> list[int]:
    """The track that was claimed last, unless the game is over and nobody asks."""
    claims = [move.action.track for move in game.history if move.action.kind == "claim"]
    owned = game.owners()
    return [] if game.over else [track for track in claims[-1:] if track in owned]


def _edition_names() -> list[str]:
    from whistlestop.mapfile import editions

    return [edition.id for edition in editions()]


def _at_turn(file: str, turn: int | None) -> tuple[Game, str]:
    """The game as it was after a turn (the last one if None), and a line about it."""
    game = game_of(file)
    if turn is not None:
        turns = turns_of(game_of(file))
        last = turns[-1].number if turns else 0
        if not 0 <= turn <= last:
            fail(f"the record has turns 0 to {last}, not {turn}", "turn 0 is the choice of the first tickets")
        end = max((one.end for one in turns if one.number <= turn), default=0)
        while len(game.history) > end:
            game.undo()
    return game, _caption(game, turn)


def _caption(game: Game, turn: int | None) -> str:
    if game.over:
        return "Final score: " + " · ".join(f"{seat.name} {seat.total}" for seat in game.result().players)
    standing = " · ".join(f"{seat.name} {seat.points}" for seat in game.view(None).players)
    return f"After turn {turn}: {standing}" if turn is not None else standing


def _stem(what: str) -> str:
    name = Path(what.partition(".toml:")[0]).name
    return Path(name).stem


def write_picture(target: Path, svg: str, width: int) -> None:
    """Write a picture as its name says."""
    try:
        if target.suffix.lower() == ".png":
            target.write_bytes(to_png(svg, width))
        else:
            target.write_text(svg, "utf-8")
    except OSError as error:
        fail(f"can't write `{target}`: {error.strerror or error}", code=1)
