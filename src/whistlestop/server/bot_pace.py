"""How long a bot takes to move: about as long as a person who knows what to do, so that people can follow."""

from __future__ import annotations

from random import Random

from whistlestop.notation import Action

QUICK = (0.35, 0.7)
USUAL = (0.6, 1.2)
SLOW = (1.2, 1.8)
"""Seconds at least and at most."""
SLOW_KINDS = ("keep", "announce", "draw_tickets", "station")
BIG_CLAIM = 4
"""Cards that nobody pays without another look at the board."""


def natural_pause(phase: str, action: Action, pace: float, chance: Random) -> float:
    """Seconds from a bot's turn to its action; `pace` is 1 for the usual pace, 0 for no pause at all."""
    paid = sum(n for _, n in action.cards)
    slow = paid >= BIG_CLAIM or action.kind in SLOW_KINDS
    least, most = QUICK if phase == "second_card" else SLOW if slow else USUAL
    return pace * chance.uniform(least, most)
