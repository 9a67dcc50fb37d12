"""A recorded game cut into turns, with what the table looked like after each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from whistlestop.game import Game, Move

FIRST_CHOICES = ("announce", "first_tickets")
"""Phases before the first turn."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Everything one player did between two other players' turns; number 0 is the choice of the first tickets."""

    number: int
    player: int
    moves: tuple[Move, ...]
    end: int
    """Moves of the game up to here."""
    views: tuple[Any, ...]
    """What each player may know after it."""


def turns_of(game: Game) -> list[Turn]:
    """The turns of a game. Walks the game back to its start: give it a copy you don't need."""
    moves = list(game.history)
    views = {len(moves): _views(game)}
    phases: dict[int, str] = {}
    for number in reversed(range(len(moves))):
        game.undo()
        phases[number] = game.phase
        views[number] = _views(game)
    starts = [number for number in range(len(moves)) if phases[number] in (*FIRST_CHOICES, "turn")]
    turns: list[Turn] = []
    for start, end in zip(starts, [*starts[1:], len(moves)], strict=True):
        before = turns[-1].number if turns else 0
        number = 0 if phases[start] in FIRST_CHOICES else before + 1
        turns.append(Turn(number, moves[start].player, tuple(moves[start:end]), end, views[end]))
    return turns


def _views(game: Game) -> tuple[Any, ...]:
    return tuple(game.view(player) for player in range(game.players))
