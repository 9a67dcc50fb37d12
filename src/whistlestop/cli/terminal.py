"""Output of the command line: data to stdout, all else to stderr, colour and progress bars on terminals only."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import IO, TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

LOCOMOTIVE_STYLE = "bold black on #c9b5d8"


class CommandError(Exception):
    """A mistake of the user: printed as `error:` and `hint:`, never as a traceback."""

    def __init__(self, message: str, hint: str | None = None, code: int = 2) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.code = code


def fail(message: str, hint: str | None = None, code: int = 2) -> NoReturn:
    """Stop with an error; code 2 for bad usage or input, 1 for a failure."""
    raise CommandError(message, hint, code)


def styled(stream: IO[str]) -> bool:
    """Whether colour and decoration may go to this stream."""
    return stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"


def print_error(error: CommandError) -> None:
    """Write `error:` and `hint:` lines to stderr."""
    red, blue, off = ("\033[1;31m", "\033[1;36m", "\033[0m") if styled(sys.stderr) else ("", "", "")
    text = f"{red}error:{off} {error.message}"
    if error.hint:
        text += f"\n{blue}hint:{off} {error.hint}"
    print(text, file=sys.stderr)


def say(text: str) -> None:
    """Tell a person something that isn't data: to stderr."""
    print(text, file=sys.stderr)


def print_json(data: object) -> None:
    """Write data as indented JSON to stdout."""
    print(json.dumps(data, indent=2, ensure_ascii=False))


def console() -> Console:
    """The console for stdout; rich leaves colour out where it isn't wanted."""
    from rich.console import Console

    return Console(highlight=False, soft_wrap=not sys.stdout.isatty())


def heading(text: str) -> None:
    """A line above a block of output: bold for a person, plain in a pipe."""
    print(f"\033[1m{text}\033[0m" if styled(sys.stdout) else text)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: framed on a terminal, aligned columns in a pipe; `name>` aligns a column to the right."""
    if sys.stdout.isatty():
        _framed(columns, rows)
        return
    names = [column.rstrip(">") for column in columns]
    lines = [names, *rows]
    widths = [max(len(line[i]) for line in lines) for i in range(len(names))]
    for line in lines:
        cells = [
            cell.rjust(w) if column.endswith(">") else cell.ljust(w)
            for cell, w, column in zip(line, widths, columns, strict=True)
        ]
        print("  ".join(cells).rstrip())


def _framed(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=box.ROUNDED, border_style="dim", header_style="bold")
    for column in columns:
        grid.add_column(column.rstrip(">"), justify="right" if column.endswith(">") else "left")
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    console().print(grid)


@cache
def card_styles() -> dict[str, str]:
    """Terminal styles of the cards; their names are always printed too, so nothing is told by colour alone."""
    from whistlestop.draw.themes import DEEP_FILLS, is_dark
    from whistlestop.mapfile import CARD_COLOURS, LOCOMOTIVE

    styles = {colour: f"{'white' if is_dark(colour) else 'black'} on {DEEP_FILLS[colour]}" for colour in CARD_COLOURS}
    return styles | {LOCOMOTIVE: LOCOMOTIVE_STYLE}


def chips(text: str) -> Text:
    """The text with every card in it (`3 purple`, `locomotive`) on a ground of its colour."""
    import re

    from rich.text import Text

    styles, result = card_styles(), Text(text)
    for match in re.finditer(rf"\b(?P<card>(?:\d+ )?(?:{'|'.join(styles)})s?)\b", text):
        card = match["card"].split()[-1].removesuffix("s")
        result.stylize(styles[card], *match.span())
    return result


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """A bar on stderr while a person waits; the value is called with how much is done. Silent in pipes."""
    if not sys.stderr.isatty():
        yield lambda _done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=total)
        yield lambda done: bar.update(task, completed=done)


def ready_engine() -> None:
    """Compile the engine if that hasn't happened on this machine, and say so while it takes its seconds."""
    from whistlestop.engine.jit import is_warm

    if not is_warm():
        compile_engine()


def compile_engine() -> None:
    """Compile the engine with a bar on stderr."""
    from whistlestop.engine.warmup import warm_up

    if not sys.stderr.isatty():
        say("Compiling the engine, once on this machine; this takes some seconds")
        warm_up(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("Compiling the engine, once on this machine"),
        BarColumn(),
        TextColumn("{task.description}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None)
        warm_up(lambda done, total, name: bar.update(task, completed=done, total=total, description=name))
