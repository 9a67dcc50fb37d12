"""Bits and chance, the two things that every kernel leans on."""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numba.extending import intrinsic, overload

from whistlestop.engine.jit import kernel
from whistlestop.engine.layout import BAD_SCRIPT, LOG_COUNT, LOG_FIRST, LOG_SCRIPTED
from whistlestop.engine.siphash import siphash
from whistlestop.engine.types import Bits, Compiler, Int, Log, Rng, State

U = np.uint64
I: Any = np.int64  # noqa: E741  (stands everywhere, so it is short)
"""Widens small fields; also keeps literals from compiling a kernel once per value."""
ONE = U(1)
ZERO = U(0)

SEED_BITS = 128
QUICK_SEED_BITS = 64
"""Seeds of no more bits start the quick stream, larger ones the strong one."""
QUICK, STRONG = "mwc64x-1", "siphash-2-4-counter-1"
"""Names of the two chance streams; a name changes when the same seed gives another game.

The quick one is for research and for games among friends at one screen: who sees many outcomes can compute the rest.
The strong one is for tables with strangers: nobody can, without the seed.
"""


def generator_of(seed: int) -> str:
    """The name of the chance stream that a seed starts."""
    return STRONG if seed >> QUICK_SEED_BITS else QUICK


def popcount(x: Bits) -> int:
    """Number of set bits."""
    return int(x).bit_count()


def lowest(x: Bits) -> int:
    """Index of the lowest set bit; 64 for zero."""
    x = int(x)
    return (x & -x).bit_length() - 1 if x else 64


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(_context: Compiler, x: Compiler) -> Compiler:
    def build(_c: Compiler, builder: Compiler, _s: Compiler, args: Compiler) -> Compiler:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), build if x == types.uint64 else None


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(_context: Compiler, x: Compiler) -> Compiler:
    def build(_c: Compiler, builder: Compiler, _s: Compiler, args: Compiler) -> Compiler:
        from llvmlite import ir

        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.uint64), build if x == types.uint64 else None


@overload(popcount)  # type: ignore[untyped-decorator]
def _popcount(x: Compiler) -> Compiler:  # noqa: ARG001  (Numba reads the signature)
    def compiled(x: Compiler) -> Compiler:
        return _ctpop(U(x))

    return compiled


@overload(lowest)  # type: ignore[untyped-decorator]
def _lowest(x: Compiler) -> Compiler:  # noqa: ARG001  (Numba reads the signature)
    def compiled(x: Compiler) -> Compiler:
        return _cttz(U(x))

    return compiled


@kernel
def bit(i: Int) -> Bits:
    """The word with bit i (mod 64) set."""
    return ONE << U(i & 63)


@kernel
def select(x: Bits, k: Int) -> Int:
    """Index of the k-th set bit, counted from 0."""
    for _ in range(k):
        x &= x - ONE
    return lowest(x)


@kernel
def next_word(rng: Rng) -> Rng:
    """The next state of a multiply-with-carry stream (MWC64X); no operation overflows 64 bits."""
    return U(4294883355) * (rng & U(0xFFFFFFFF)) + (rng >> U(32))


@kernel
def scaled(rng: Rng, n: Int) -> Int:
    """A number below n from 64 bits of a stream; n is far below 2**32, so the bias is not measurable."""
    word = (rng & U(0xFFFFFFFF)) ^ (rng >> U(32))
    return np.int64((word * U(n)) >> U(32))


@kernel
def seeded(seed: Rng) -> Rng:
    """Start of a stream for any 64-bit seed: neighbouring seeds give unrelated streams."""
    x = U(seed) ^ U(0x9E3779B97F4A7C15)
    for _ in range(3):
        x ^= (x << U(13)) ^ U(0x5851F42D4C957F2D)
        x ^= x >> U(7)
        x ^= x << U(17)
    x = (x & U(0x7FFFFFFFFFFFFFFF)) | ONE  # away from the stream's two fixed points
    for _ in range(6):
        x = next_word(x)
    return x


@kernel
def begin_stream(state: State, low: Rng, high: Rng) -> None:
    """Start the game's chance stream with a seed, given as two words: the strong one where the high word is not 0."""
    state.key[0] = low if high else ZERO
    state.key[1] = high
    state.rng = ZERO if high else seeded(low)


@kernel
def end_stream(state: State) -> None:
    """Blank the chance stream."""
    state.key[0] = ZERO
    state.key[1] = ZERO
    state.rng = ZERO


@kernel
def strong_word(state: State) -> Rng:
    """The strong stream's next 64 bits."""
    word = siphash(state.key[0], state.key[1], state.rng)
    state.rng += ONE
    return word


@kernel
def below(state: State, n: Int) -> Int:
    """The game's next random number below n."""
    if state.key[1]:
        return scaled(strong_word(state), n)
    state.rng = next_word(state.rng)
    return scaled(state.rng, n)


@kernel
def note(log: Log, outcome: Int) -> None:
    """Write an outcome of chance into the log; a log that is full only counts."""
    i = log[LOG_COUNT]
    if i + LOG_FIRST < log.shape[0]:
        log[i + LOG_FIRST] = outcome
    log[LOG_COUNT] = i + 1


@kernel
def scripted(log: Log) -> Int:
    """The next outcome of a script, or NONE after marking the script as bad when it has run out."""
    i = log[LOG_COUNT]
    if i < log[LOG_SCRIPTED] - 1:
        return log[i + LOG_FIRST]
    log[LOG_SCRIPTED] = BAD_SCRIPT
    return -1


@kernel
def chance(state: State, log: Log, n: Int) -> Int:
    """A number below n: the script's where one is given, else from the game's stream."""
    if log[LOG_SCRIPTED] > 0:
        outcome = scripted(log)
        if 0 <= outcome < n:
            log[LOG_COUNT] += 1
            return outcome
        log[LOG_SCRIPTED] = BAD_SCRIPT
    outcome = below(state, n)
    note(log, outcome)
    return outcome
