"""What a process has in which bots think: pipes that only its parent uses, and an end should the parent be gone."""

from __future__ import annotations

import os
import signal
from typing import BinaryIO

STDERR = 2
"""Its file descriptor."""


def take_pipes(prints_to: int | None = None) -> tuple[BinaryIO, BinaryIO]:
    """Input and output for the parent alone: a bot finds no input, and what it prints goes to a file descriptor, or is
    lost without one.
    """
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.dup2(nothing if prints_to is None else prints_to, 1)
    return requests, answers


def end_after(seconds: float) -> None:
    """The system ends this process after so many seconds, even if a bot never returns and the parent is gone; 0 takes
    that back.
    """
    if hasattr(signal, "setitimer"):
        signal.setitimer(signal.ITIMER_REAL, seconds)
