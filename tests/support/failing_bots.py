"""Bots that fail, each in its own way, for servers that must not care. `install` plugs them in as a package would."""

from __future__ import annotations

import ctypes
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from whistlestop import bots
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
        """Leave without a word."""
        os._exit(3)


class Cheats(Failing):
    """Answers with an action that is not legal."""

    def act(self, view: View, _limit: Limit) -> Action:
        """Take what nobody may take."""
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


def install(folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Make a package in a folder that adds the bots, and put it on the path of this process and of those it starts."""
    info = folder / "failing_bots-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: failing-bots\nVersion: 1.0\n")
    classes = {kind.__name__.lower(): kind.__name__ for kind in Failing.__subclasses__()}
    lines = [f"{name} = support.failing_bots:{kind}" for name, kind in classes.items()]
    (info / "entry_points.txt").write_text("\n".join([f"[{bots.GROUP}]", *lines]))
    paths = (str(folder), str(Path(__file__).parents[1]))
    patch.syspath_prepend(str(folder))
    patch.setenv("PYTHONPATH", os.pathsep.join(paths))
    bots._registered.cache_clear()
