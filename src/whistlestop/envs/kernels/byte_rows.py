"""Rows of bytes written eight at a time: a byte alone costs a learner's loop as much as eight together."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from whistlestop.engine.bits import ZERO, I, U
from whistlestop.engine.jit import kernel
from whistlestop.engine.types import Bits, Compiler, Int

Row: TypeAlias = Any
"""One row of bytes in a kernel: an observation or a mask."""

_EIGHT, _EIGHT_BITS = U(8), U(255)
_SPREAD = np.array(
    [int.from_bytes(bytes(number >> bit & 1 for bit in range(8)), "little") for number in range(256)], np.uint64
)
"""[eight bits]: the same as eight bytes of 0 and 1."""


def store_word(row: Row, at: Int, word: Bits) -> None:
    """Write eight bytes of a row, lowest first; they must lie inside it."""
    row[at : at + 8] = np.frombuffer(int(word).to_bytes(8, "little"), row.dtype)


@intrinsic  # type: ignore[untyped-decorator]
def _store(_context: Compiler, row: Compiler, _at: Compiler, _word: Compiler) -> Compiler:
    def build(context: Compiler, builder: Compiler, signature: Compiler, args: Compiler) -> Compiler:
        from llvmlite import ir

        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = cgutils.pointer_add(builder, data, args[1], return_type=ir.IntType(64).as_pointer())
        builder.store(args[2], place, align=1)
        return context.get_dummy_value()

    fits = row.dtype.bitwidth == 8 if hasattr(row.dtype, "bitwidth") else row.dtype == types.boolean
    return types.void(row, types.int64, types.uint64), build if fits and row.layout == "C" else None


@overload(store_word)  # type: ignore[untyped-decorator]
def _store_word(row: Compiler, at: Compiler, word: Compiler) -> Compiler:  # noqa: ARG001  (Numba reads the signature)
    def compiled(row: Compiler, at: Compiler, word: Compiler) -> None:
        _store(row, np.int64(at), np.uint64(word))

    return compiled


@kernel
def clear(row: Row, begin: Int, end: Int) -> None:
    """Zeros from one place of a row up to another."""
    at = begin
    while at + 8 <= end:
        store_word(row, at, ZERO)
        at += 8
    while at < end:
        row[at] = 0
        at += 1


@kernel
def spread(row: Row, at: Int, low: Bits, high: Bits, n: Int) -> Int:
    """The lowest n bits of two words as bytes of 0 and 1; returns the place after them.

    Up to seven bytes after them are overwritten too: what comes next in the row is written afterwards.
    """
    end = at + n
    place = at
    middle = min(end, at + 64)
    while place < middle:
        store_word(row, place, _SPREAD[I(low & _EIGHT_BITS)])
        low >>= _EIGHT
        place += 8
    while place < end:
        store_word(row, place, _SPREAD[I(high & _EIGHT_BITS)])
        high >>= _EIGHT
        place += 8
    return end
