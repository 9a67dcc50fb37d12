"""What `whistlestop` alone prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from whistlestop.cli.terminal import console, styled

if TYPE_CHECKING:
    from rich.text import Text

STEAM_ENGINE = (
    "   o O  o  .    ",
    "  o        ____ ",
    " _||__^___|[]  |",
    "|__________|___|",
    "=(o)(o)-(O)-(O)=",
)
WAGON = (
    "           ",
    "  ________ ",
    " |▪ ▪ ▪ ▪ |",
    "-|________|",
    "==o=o==o=o=",
)
WAGON_COLOURS = ("red", "blue", "green", "magenta", "yellow")

EXAMPLES = (
    ("whistlestop", "play in the browser"),
    ("whistlestop serve --host 0.0.0.0", "host tables for others"),
    ("whistlestop editions", "what can be played"),
    ("whistlestop rules europe", "the rules in plain words"),
    ("whistlestop show usa", "draw the board"),
    ("whistlestop score saturday.toml", "count a game of a real table"),
    ("whistlestop simulate germany --players 4", "play 1000 games, see who wins"),
    ("whistlestop arena --bots random,casual", "rate bots against each other"),
    ("whistlestop replay game.txt", "watch a recorded game"),
    ("whistlestop check-map my-island.toml", "test a board of your own"),
    ("whistlestop playtest my-island.toml", "let bots play it, and see how good it is"),
    ("whistlestop bench", "how fast the engine is here"),
)
PYTHON = """\
from whistlestop import Game
game = Game("europe", players=3, seed=7)
while not game.over:
    game.play(game.legal()[0])
print(game.result())"""


def print_welcome() -> None:
    """What this is, what can be done, examples to copy."""
    if styled(sys.stdout):
        _pretty()
    else:
        print(_plain())


def _plain() -> str:
    width = max(len(line) for line, _ in EXAMPLES)
    lines = ["Whistlestop: railway board games to play, host, study and build", "", "Try:"]
    lines += [f"  {line:<{width}}  {meaning}" for line, meaning in EXAMPLES]
    lines += ["", "From Python:", *(f"  {line}" for line in PYTHON.splitlines()), ""]
    lines.append("`whistlestop COMMAND --help` explains a command, with examples")
    return "\n".join(lines)


def _pretty() -> None:
    from rich.console import Group
    from rich.panel import Panel
    from rich.syntax import Syntax
    from rich.table import Table
    from rich.text import Text

    out = console()
    examples = Table.grid(padding=(0, 3))
    for line, meaning in EXAMPLES:
        examples.add_row(Text(line, "bold cyan", no_wrap=True), Text(meaning))
    parts = (
        _train(),
        Text("\nRailway board games: play them, host them, study them, build your own.\n", "bold"),
        examples,
        Text("\nFrom Python:\n", "bold"),
        Syntax(PYTHON, "python", theme="ansi_dark", background_color="default"),
        Text("\nwhistlestop COMMAND --help explains a command, with examples.", "dim"),
    )
    out.print(
        Panel(
            Group(*parts), title="[bold]Whistlestop[/]", border_style="yellow", padding=(1, 3), width=min(out.width, 96)
        )
    )


def print_hello(url: str, note: str) -> None:
    """Where the server is."""
    from rich.console import Group
    from rich.panel import Panel
    from rich.text import Text

    out = console()
    where = Text.assemble("\nPlay at ", (url, "bold cyan"), "\n")
    parts = (_train(), where, Text(note, "dim"), Text("whistlestop help shows what else there is.", "dim"))
    out.print(
        Panel(
            Group(*parts), title="[bold]Whistlestop[/]", border_style="yellow", padding=(1, 3), width=min(out.width, 96)
        )
    )


def _train() -> Text:
    """An engine and its wagons, each in a colour of the game."""
    from rich.text import Text

    lines = [Text(part, "bold white") for part in STEAM_ENGINE]
    for colour in WAGON_COLOURS:
        for line, part in zip(lines, WAGON, strict=True):
            line.append(part, colour)
    lines[-1].stylize("dim white")
    return Text("\n", no_wrap=True, overflow="crop").join(lines)
