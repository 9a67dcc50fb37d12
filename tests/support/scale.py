"""How much the tests do: one setting for everything that can be repeated more often.

`WHISTLESTOP_SCALE=1` is the default. A larger whole number does as many times more: lock-step games, kills, fuzzed
requests; and whole games in the browser of all editions. CONTRIBUTING.md tells of the long run.
"""

from __future__ import annotations

import os

VARIABLE = "WHISTLESTOP_SCALE"


def read_scale(text: str) -> int:
    """The scale that a text stands for, at least 1."""
    if not text.isascii() or not text.isdigit() or int(text) < 1:
        raise ValueError(f"{VARIABLE} is {text!r}, not a whole number from 1\nhint: {VARIABLE}=10 is the long run")
    return int(text)


SCALE = read_scale(os.environ.get(VARIABLE, "1"))
LONG = SCALE > 1
"""Whether this is a long run: it also does what a default run proves in a shorter way."""
