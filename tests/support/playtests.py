"""What playtests need is compiled by a test, and not while a server waits for it."""

from __future__ import annotations

from whistlestop.arena.playtest.traced_play import are_kernels_ready, make_kernels_ready

COMPILES_WITHIN = 900
"""Seconds for a test that may be the first one that compiles them."""


def compile_playtests() -> None:
    """Compile them, unless somebody did before."""
    if not are_kernels_ready():
        make_kernels_ready()
