"""Bots with kernels of their own: whether they are compiled on this machine, and compiling them before they are needed.

A bot's class names the folders of its kernels as `kernels`. Compiling them takes a minute or two, once for each version
of their sources; loading them takes a moment. `python -m whistlestop.bots.readiness planner expert` compiles one after
another with low priority, and prints the name of each that is ready.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from whistlestop.bots import RANDOM, Bot, Limit, bot
from whistlestop.bots.referee import play
from whistlestop.engine.jit import COMPILED, writable_cache

MARKER = "ready"
"""A file in the cache of some kernels that says that all of them are there."""
SMALL = Limit(steps=16)
"""Enough for a search to pass through every door."""


def kernel_folders(made: Bot) -> tuple[Path, ...]:
    """The folders of a bot's own kernels; none for a bot in plain Python."""
    return tuple(getattr(made, "kernels", ()))


def is_ready(name: str) -> bool:
    """Whether a bot can play at once: it has no kernels of its own, or they were compiled before."""
    folders = kernel_folders(bot(name))
    if not folders or not COMPILED:
        return True
    cache = writable_cache(*folders)
    return cache is not None and (cache / MARKER).exists()


def load_kernels(name: str) -> None:
    """Play a small game, so that a bot's kernels are loaded, or compiled where they are not in the cache."""
    if COMPILED:
        play("usa", [name, RANDOM], 0, SMALL)


def make_ready(name: str) -> None:
    """Compile a bot's kernels into the cache and remember that they are there."""
    folders = kernel_folders(bot(name))
    cache = writable_cache(*folders) if folders else None  # before compiling: sources may change meanwhile
    load_kernels(name)
    if cache is not None:
        (cache / MARKER).touch()


def main(names: Sequence[str]) -> None:
    """Make bots ready, one after another, without slowing others down."""
    if hasattr(os, "nice"):
        os.nice(19)
    for name in names:
        make_ready(name)
        if not is_ready(name):
            sys.exit("no folder for compiled code can be written: name one by WHISTLESTOP_CACHE")
        print(name, flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
