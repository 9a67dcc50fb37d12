"""Bots that fail, each in its own way; a server must survive them. Processes of bots import this module."""

from __future__ import annotations

import ctypes
import os
from dataclasses import replace
from typing import Any

from whistlestop.bots import Limit
from whistlestop.notation import Action
from whistlestop.views import View


class Failing:
    """A bot that takes a seed, as all do."""

    def __init__(self, seed: int = 0) -> None:
        self.seed = seed


class Loops(Failing):
    """Never comes back."""

    def act(self, _view: View, _limit: Limit) -> Action:
        """Count for ever."""
        while True:
            self.seed += 1


class HoldsGil(Failing):
    """Never comes back, and lets no other thread of its process run."""

    def act(self, view: View, _limit: Limit) -> Action:
        """Sleep in C with the lock of the interpreter held."""
        ctypes.PyDLL(None).sleep(3600)
        return view.legal()[0]


class Raises(Failing):
    """Has a bug."""

    def act(self, _view: View, _limit: Limit) -> Action:
        """Divide by zero."""
        raise ZeroDivisionError("a bug")


class Exits(Failing):
    """Ends its process."""

    def act(self, _view: View, _limit: Limit) -> Action:
        """Exit the process."""
        os._exit(3)


class Cheats(Failing):
    """Answers with an action that is not legal."""

    def act(self, view: View, _limit: Limit) -> Action:
        """An action number that does not exist."""
        return replace(view.legal()[0], id=99_999)


class Babbles(Failing):
    """Answers with something that is no action, and prints meanwhile."""

    def act(self, _view: View, _limit: Limit) -> Any:
        """Say something."""
        print("I think that I am", flush=True)
        return lambda: "draw blind"


class Remembers(Failing):
    """Fails when it is asked for the first time in the middle of a game: then it was made anew."""

    begun = False

    def act(self, view: View, _limit: Limit) -> Action:
        """Play as long as it remembers the first choice."""
        assert self.begun or view.phase == "first_tickets", "made anew"
        self.begun = True
        return view.legal()[0]


REASONS = {
    "loops": "overrun",
    "holdsgil": "overrun",
    "raises": "error",
    "exits": "exit",
    "cheats": "illegal",
    "babbles": "error",
}
"""What the server says of each."""
