"""`whistlestop replay`: a recorded game in words, turn by turn."""

from __future__ import annotations

import sys
import textwrap
import time
from shutil import get_terminal_size
from typing import TYPE_CHECKING

from whistlestop.cli.inputs import game_of
from whistlestop.cli.simulate import source_heads, used_sources
from whistlestop.cli.terminal import chips, console, fail, heading, say, table
from whistlestop.cli.turns import RecordedTurn, in_words, turns_of
from whistlestop.draw.themes import PLAYER_COLOURS
from whistlestop.mapfile import LOCOMOTIVE
from whistlestop.rulebook import tie_break_texts
from whistlestop.spelling import did_you_mean

if TYPE_CHECKING:
    from rich.text import Text

    from whistlestop.game import Game, Result

SEAT_STYLES = tuple("bold" if name == "black" else f"bold {name}" for name, _ in PLAYER_COLOURS)
"""The players' colours; black is the terminal's own colour, as it may be on a black ground."""


def print_replay(
    record: str, start: int, delay: float | None, player: str | None, everything: bool, board: str | None
) -> None:
    """Print the turns from `start` on, waiting for a key, for a while or not at all."""
    if delay is not None and delay < 0:
        fail(f"--delay must be 0 or more, not {delay:g}", "for example --delay 0.5")
    game = game_of(record, board)
    viewer = _viewer(game, player)
    turns = turns_of(game_of(record, board))
    last = turns[-1].number if turns else 0
    if not 0 <= start <= last:
        fail(f"the record has turns 0 to {last}, not {start}", "turn 0 is the choice of the first tickets")
    _introduce(game, viewer)
    if _show_turns(game, [turn for turn in turns if turn.number >= start], viewer, delay, everything):
        _print_end(game)


def _viewer(game: Game, player: str | None) -> int | None:
    """The seat through whose eyes the game is seen: a name, or a number from 1."""
    if player is None:
        return None
    seats = {
        **{str(number): number - 1 for number in range(1, game.players + 1)},
        **{name: seat for seat, name in enumerate(game.names)},
    }
    if player not in seats:
        names = ", ".join(game.names)
        fail(
            f"there is no player `{player}`",
            did_you_mean(player, game.names) or f"the players are {names}, or 1 to {game.players}",
        )
    return seats[player]


def _introduce(game: Game, viewer: int | None) -> None:
    heading(f"{game.edition.name}, {game.players} players: {', '.join(game.names)}")
    if viewer is not None:
        print(f"As {game.names[viewer]} saw it")


def _show_turns(
    game: Game, turns: list[RecordedTurn], viewer: int | None, delay: float | None, everything: bool
) -> bool:
    """Print turns one after another; False if the person had enough before the end."""
    waiting = sys.stdin.isatty() and sys.stdout.isatty() and delay is None and not everything
    if waiting:
        say("any key: next turn · a: all the rest · q: quit")
    for turn in turns:
        _print_turn(game, turn, viewer)
        if waiting:
            key = _key()
            if key in "qQ\x03\x04\x1b":
                return False
            waiting = key not in "aA"
        elif delay and sys.stdout.isatty():
            time.sleep(delay)
    return True


def _key() -> str:
    import typer

    return typer.getchar() or "q"


def _print_turn(game: Game, turn: RecordedTurn, viewer: int | None) -> None:
    """One turn: who, what, and how things stand."""
    from rich.text import Text

    out = console()
    title = f"Turn {turn.number}" if turn.number else "First tickets"
    out.print(Text.assemble("\n", (title, "bold"), "  ", (game.names[turn.player], SEAT_STYLES[turn.player])))
    for sentence in in_words(turn, viewer):
        out.print(Text("  ").append_text(chips(sentence)))
    if turn.number or viewer in (None, turn.player):
        out.print(_own_standing(turn, open_hand=viewer in (None, turn.player)))
    if turn.number:
        out.print(_others_standing(turn))
    if turn.number and viewer not in (None, turn.player):
        assert viewer is not None
        out.print(Text(f"  hand of {game.names[viewer]}: ", "dim").append_text(_hand(turn.views[viewer].hand)))


def _own_standing(turn: RecordedTurn, open_hand: bool) -> Text:
    """Points, trains and cards of the player whose turn it was."""
    from rich.text import Text

    own = turn.views[0].players[turn.player]
    gained = f" (+{turn.gained})" if turn.gained else ""
    line = Text(
        f"  {_many(own.points, 'point')}{gained}, {_many(own.trains, 'train')}, {_many(own.cards, 'card')}", "dim"
    )
    return line.append(": ").append_text(_hand(turn.views[turn.player].hand)) if open_hand and own.cards else line


def _others_standing(turn: RecordedTurn) -> Text:
    """Points and trains of the others, in one line."""
    from rich.text import Text

    parts = [
        Text.assemble(
            (public.name, SEAT_STYLES[seat]),
            (f" {_many(public.points, 'point')}, {_many(public.trains, 'train')}", "dim"),
        )
        for seat, public in enumerate(turn.views[0].players)
        if seat != turn.player
    ]
    return Text("  ").append_text(Text(" · ").join(parts))


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _hand(hand: dict[str, int]) -> Text:
    from rich.text import Text

    cards = [chips(_many(count, kind) if kind == LOCOMOTIVE else f"{count} {kind}") for kind, count in hand.items()]
    return Text(" ").join(cards) if cards else Text("empty")


def _print_end(game: Game) -> None:
    """The final score, or whose turn it would be."""
    print()
    if not game.over:
        print(f"The record ends here; to move: {', '.join(game.names[seat] for seat in game.to_move)}")
        return
    result = game.result()
    used = used_sources(game.edition)
    heading("Final score")
    table(
        ("player", *source_heads(used), "total>"),
        [[seat.name, *(str(getattr(seat, field)) for field in used), str(seat.total)] for seat in result.players],
    )
    for seat in result.players:
        print(f"\n{seat.name}")
        _print_list("completed", [ticket.text for ticket in seat.completed])
        _print_list("not completed", [ticket.text for ticket in seat.failed])
        for use in seat.borrowed:
            print(f"  station in {use.city}: {f'borrowed {use.route}' if use.route else 'not needed'}")
    print(f"\n{_verdict(game, result)}")


def _print_list(title: str, words: list[str]) -> None:
    """A list on one line; on a terminal, on as many as it takes."""
    line = f"  {title}: {', '.join(words) or 'none'}"
    width = get_terminal_size().columns if sys.stdout.isatty() else len(line) + 1
    print(textwrap.fill(line, width, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False))


def _verdict(game: Game, result: Result) -> str:
    names = " and ".join(game.names[seat] for seat in result.winners)
    if len(result.winners) > 1:
        return f"{names} win together"
    return f"{names} wins" + (
        "" if result.decided_by == "points" else f", decided by {tie_break_texts()[result.decided_by]}"
    )
