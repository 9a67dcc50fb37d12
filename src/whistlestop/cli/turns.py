"""A recorded game by turns: sentences for each action, and every player's view after each turn."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from whistlestop.mapfile import FACE_UP

if TYPE_CHECKING:
    from whistlestop.game import Game, Move, View


@dataclass(frozen=True, slots=True)
class RecordedTurn:
    """Everything one player did in a turn; number 0 stands for the choices of the first tickets."""

    number: int
    player: int
    moves: tuple[Move, ...]
    end: int
    """Moves of the game up to here."""
    views: tuple[View, ...]
    """What each player may know after it."""
    gained: int = 0
    """Points the player scored in it."""


def turns_of(game: Game) -> list[RecordedTurn]:
    """The turns of a game. Walks the game back to its start: give it one you don't need any more."""
    from whistlestop.views import SIMULTANEOUS_NAMES  # the phases before the first turn

    moves = list(game.history)
    views = {len(moves): _views(game)}
    phases: dict[int, str] = {}
    for number in reversed(range(len(moves))):
        game.undo()
        phases[number] = game.phase
        views[number] = _views(game)
    starts = [number for number in range(len(moves)) if phases[number] in (*SIMULTANEOUS_NAMES, "turn")]
    turns: list[RecordedTurn] = []
    for start, end in pairwise([*starts, len(moves)]):
        before = turns[-1].number if turns else 0
        number = 0 if phases[start] in SIMULTANEOUS_NAMES else before + 1
        player = moves[start].player
        gained = views[end][0].players[player].points - views[start][0].players[player].points
        turns.append(RecordedTurn(number, player, tuple(moves[start:end]), end, views[end], gained))
    return turns


def _views(game: Game) -> tuple[View, ...]:
    return tuple(game.view(player) for player in range(game.players))


def in_words(turn: RecordedTurn, viewer: int | None) -> list[str]:
    """What was done in a turn, a sentence a move; with a viewer, only what that player could see of it."""
    sentences = [_move_in_words(move, viewer) for move in turn.moves]
    if len(turn.moves) > 1 and turn.moves[1].action.kind in ("pay_extra", "give_up"):  # a tunnel that became dearer
        sentences[0] = sentences[0].replace("claims", "tries", 1)
    return sentences


def _move_in_words(move: Move, viewer: int | None) -> str:
    """A move as a sentence without its player; with a viewer, only what that player could see of it."""
    secret = viewer is not None and viewer != move.player
    sentence = _sentence(move, secret)
    shown = [] if move.shuffles or (secret and move.action.kind == "draw_blind") else list(move.words)
    if move.action.kind == "draw_blind":
        shown = shown[1:]
    return sentence + _turned_up(shown)


def _sentence(move: Move, secret: bool) -> str:
    action = move.action
    kind = action.kind
    if kind == "draw_face_up":
        return f"takes {action.card}"
    if kind == "draw_blind":
        return "draws a card from the deck" if secret or not move.words else f"draws {move.words[0]} from the deck"
    if kind == "announce":
        return "announces a mix of tickets" if secret else action.text.replace("announce", "announces", 1)
    if kind == "draw_tickets":
        return action.text.replace("draw tickets", "looks at new tickets", 1)
    if kind == "keep":
        number = len(action.kept)
        return (
            f"keeps {number} ticket{'' if number == 1 else 's'}" if secret else action.text.replace("keep", "keeps", 1)
        )
    return _sentence_in_the_open(kind, action.text)


def _sentence_in_the_open(kind: str, text: str) -> str:
    """What everybody sees in full."""
    if kind == "claim":
        return text.replace("claim", "claims", 1)
    if kind == "station":
        return text.replace("build station", "builds a station", 1)
    if kind == "take_passenger":
        return (
            text.replace("take no", "takes no", 1)
            if text.startswith("take no ")
            else text.replace("take", "takes a", 1)
        )
    if kind == "pay_extra":
        return f"{text.replace('pay', 'pays', 1)} more and claims it"
    return {"give_up": "gives up and takes the cards back", "pass": "passes"}.get(kind, text)


def _turned_up(cards: list[str]) -> str:
    """The cards that were turned over, and the sweeps that three locomotives caused (DRAW-7)."""
    if not cards:
        return ""
    first = len(cards) % FACE_UP or FACE_UP
    words = f"; turned up: {', '.join(cards[:first])}"
    for start in range(first, len(cards), FACE_UP):
        words += f"; swept and turned up: {', '.join(cards[start : start + FACE_UP])}"
    return words
