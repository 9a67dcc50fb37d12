"""SipHash-2-4 of one 64-bit word under a key of 128 bits (Aumasson and Bernstein, 2012): a keyed function whose answers
tell nothing about the key or about each other. A game's chance is this function of 0, 1, 2, … under the game's seed.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload

from whistlestop.engine.jit import kernel
from whistlestop.engine.types import Bits, Compiler, Rng

W = np.uint64
_WORD = (1 << 64) - 1
_LENGTH = 8 << 56
"""The last block of a message of eight bytes."""
Lanes = tuple[Any, Any, Any, Any]
"""The function's inner state, four words."""


def plus(x: Bits, y: Bits) -> Any:
    """The sum modulo 2**64."""
    return W((int(x) + int(y)) & _WORD)


@overload(plus)  # type: ignore[untyped-decorator]
def _plus(x: Compiler, y: Compiler) -> Compiler:  # noqa: ARG001  (Numba reads the signature)
    def compiled(x: Compiler, y: Compiler) -> Compiler:
        return W(x) + W(y)

    return compiled


@kernel
def rotated(x: Bits, by: Bits) -> Bits:
    """The word with its bits moved round to the left."""
    return (x << by) | (x >> (W(64) - by))


@kernel
def sip_round(a: Bits, b: Bits, c: Bits, d: Bits) -> Lanes:
    """One SipRound."""
    a, c = plus(a, b), plus(c, d)
    b, d = rotated(b, W(13)) ^ a, rotated(d, W(16)) ^ c
    a = rotated(a, W(32))
    c, a = plus(c, b), plus(a, d)
    b, d = rotated(b, W(17)) ^ c, rotated(d, W(21)) ^ a
    return a, b, rotated(c, W(32)), d


@kernel
def siphash(low: Rng, high: Rng, word: Bits) -> Rng:
    """SipHash-2-4 of a word, taken as eight bytes; low and high are the key's halves."""
    a, b = low ^ W(0x736F6D6570736575), high ^ W(0x646F72616E646F6D)
    c, d = low ^ W(0x6C7967656E657261), high ^ W(0x7465646279746573)

    # Two rounds for each block: the word, and the one that ends the message.
    a, b, c, d = sip_round(a, b, c, d ^ word)
    a, b, c, d = sip_round(a, b, c, d)
    a ^= word
    a, b, c, d = sip_round(a, b, c, d ^ W(_LENGTH))
    a, b, c, d = sip_round(a, b, c, d)
    a ^= W(_LENGTH)

    # Four rounds to finish.
    a, b, c, d = sip_round(a, b, c ^ W(0xFF), d)
    a, b, c, d = sip_round(a, b, c, d)
    a, b, c, d = sip_round(a, b, c, d)
    a, b, c, d = sip_round(a, b, c, d)
    return a ^ b ^ c ^ d
