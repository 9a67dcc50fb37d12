"""How long a bot takes to move: about as long as a person who knows what to do, so that people can follow."""

from __future__ import annotations

from random import Random

from whistlestop.game import Move
from whistlestop.notation import Action

QUICK = (0.35, 0.7)
USUAL = (0.6, 1.2)
SLOW = (1.2, 1.8)
"""Seconds at least and at most."""
SLOW_KINDS = ("keep", "announce", "draw_tickets", "station")
BIG_CLAIM = 4
"""Cards that nobody pays without another look at the board."""
TUNNEL_SECONDS = 2.6
"""Seconds in which a screen turns up a tunnel's cards, one after the other."""
TRAIN_SECONDS = 0.1
"""Seconds in which a screen places a train."""


def time_shown(move: Move | None) -> float:
    """Seconds in which screens show an action: who is next waits for it."""
    if move is None or move.action.kind != "claim":
        return 0.0
    trains = TRAIN_SECONDS * sum(n for _, n in move.action.cards)
    return trains + TUNNEL_SECONDS if move.outcome else trains  # only a tunnel leaves a claim to chance


def natural_pause(phase: str, action: Action, pace: float, chance: Random, last: Move | None = None) -> float:
    """Seconds from a bot's turn to its action; `pace` is 1 for the usual pace, 0 for no pause at all; `last` is the
    action before it.
    """
    paid = sum(n for _, n in action.cards)
    slow = paid >= BIG_CLAIM or action.kind in SLOW_KINDS
    least, most = QUICK if phase == "second_card" else SLOW if slow else USUAL
    return pace * chance.uniform(least, most) + (time_shown(last) if pace else 0.0)
