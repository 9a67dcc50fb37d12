"""`whistlestop replay`: a recorded game in words, turn by turn."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from whistlestop.cli.history import Turn, turns_of
from whistlestop.cli.inputs import game_of
from whistlestop.cli.simulate import SOURCES, used_sources
from whistlestop.cli.terminal import chips, console, did_you_mean, fail, heading, say, table

if TYPE_CHECKING:
    from rich.text import Text

    from whistlestop.game import Game

SEAT_STYLES = ("bold red", "bold blue", "bold green", "bold magenta", "bold yellow")


def print_replay(record: str, start: int, delay: float | None, player: str | None, everything: bool) -> None:
    """Print the turns from `start` on, waiting for a key, for a while or not at all."""
    if delay is not None and delay < 0:
        fail(f"--delay must be 0 or more, not {delay:g}", "for example --delay 0.5")
    game = game_of(record)
    viewer = _viewer(game, player)
    turns = turns_of(game_of(record))
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
    seats = {**{str(number): number - 1 for number in range(1, game.players + 1)}, **{name: seat for seat, name in enumerate(game.names)}}
    if player not in seats:
        names = ", ".join(game.names)
        fail(f"there is no player `{player}`", did_you_mean(player, game.names) or f"the players are {names}, or 1 to {game.players}")
    return seats[player]


def _introduce(game: Game, viewer: int | None) -> None:
    heading(f"{game.edition.name}, {game.players} players: {', '.join(game.names)}")
    if viewer is not None:
        print(f"As {game.names[viewer]} saw it")


def _show_turns(game: Game, turns: list[Turn], viewer: int | None, delay: float | None, everything: bool) -> bool:
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


def _print_turn(game: Game, turn: Turn, viewer: int | None) -> None:
    from rich.text import Text

    out = console()
    title = f"Turn {turn.number}" if turn.number else "First tickets"
    out.print(Text.assemble("\n", (title, "bold"), "  ", (game.names[turn.player], SEAT_STYLES[turn.player])))
    for move in turn.moves:
        out.print(Text("  ").append_text(chips(move.text)))
    if turn.number:
        out.print(_standing(game, turn))
    shown = turn.player if viewer is None else viewer
    out.print(Text(f"  hand of {game.names[shown]}: ", "dim").append_text(_hand(turn.views[shown].hand)))


def _standing(game: Game, turn: Turn) -> Text:
    """Everybody's points and trains after a turn, in one line."""
    from rich.text import Text

    parts = [
        Text.assemble((name, SEAT_STYLES[seat]), f" {public.points} points, {public.trains} trains, {public.cards} cards")
        for seat, (name, public) in enumerate(zip(game.names, turn.views[0].players, strict=True))
    ]
    return Text("  ").append_text(Text(" · ", "dim").join(parts))


def _hand(hand: dict[str, int]) -> Text:
    from rich.text import Text

    cards = [chips(f"{count} {colour}") for colour, count in hand.items() if count]
    return Text(" ").join(cards) if cards else Text("empty")


def _print_end(game: Game) -> None:
    print()
    if not game.over:
        print(f"The record ends here; to move: {', '.join(game.names[seat] for seat in game.to_move)}")
        return
    result = game.result()
    used = used_sources(game.edition)
    heading("Final score")
    table(
        ("player", *(f"{SOURCES[field]}>" for field in used), "total>", "tickets completed>", "failed>"),
        [
            [name, *(str(getattr(seat, field)) for field in used), str(seat.total), str(_count(seat.completed)), str(_count(seat.failed))]
            for name, seat in zip(game.names, result.players, strict=True)
        ],
    )
    winners = " and ".join(game.names[seat] for seat in result.winners)
    print(f"{winners} {'wins' if len(result.winners) == 1 else 'win together'}")


def _count(tickets: object) -> int:
    return len(tickets) if isinstance(tickets, list | tuple) else int(str(tickets))
