"""Rows of bytes written and read many at a time: a byte alone costs a learner's loop as much as thirty-two together."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from whistlestop.engine.bits import ZERO
from whistlestop.engine.jit import kernel
from whistlestop.engine.types import Bits, Compiler, Int

Row: TypeAlias = Any
"""One row of bytes, an observation or a mask: in compiled code the address of its first byte.

An array would be counted at every call, which takes longer than to write the row.
"""

SPREAD = 64
"""Bytes that `spread_word` writes."""
ZEROS = 32
"""Bytes that `store_zeros` writes."""


# ---- without a compiler ---------------------------------------------------------------------------------------------
def row_of(rows: Any, i: Int) -> Row:
    """A row of a contiguous array of bytes or flags."""
    return rows[i]


def store_byte(row: Row, at: Int, number: Int) -> None:
    """Write one byte of a row."""
    row[at] = number


def store_word(row: Row, at: Int, word: Bits) -> None:
    """Write eight bytes of a row, lowest first; they must lie inside it."""
    row[at : at + 8] = np.frombuffer(int(word).to_bytes(8, "little"), row.dtype)


def spread_word(row: Row, at: Int, word: Bits) -> None:
    """Write the bits of a word as 64 bytes of 0 and 1, lowest first; they must lie inside the row."""
    row[at : at + SPREAD] = [int(word) >> i & 1 for i in range(SPREAD)]


def store_zeros(row: Row, at: Int) -> None:
    """Write 32 zeros; they must lie inside the row."""
    row[at : at + ZEROS] = 0


def load_word(numbers: Any, at: Int) -> Bits:
    """Eight bytes of an array of bytes, from the at-th on in the order of memory; they must lie inside it."""
    return np.uint64(int.from_bytes(numbers.reshape(-1)[at : at + 8].tobytes(), "little"))


# ---- compiled -------------------------------------------------------------------------------------------------------
def _pointer(builder: Compiler, row: Compiler, at: Compiler, to: Compiler) -> Compiler:
    """A place of a row, as a pointer to a value of some type."""
    return builder.inttoptr(builder.add(row, at), to.as_pointer())


@intrinsic  # type: ignore[untyped-decorator]
def _row_of(_context: Compiler, rows: Compiler, _i: Compiler) -> Compiler:
    def build(context: Compiler, builder: Compiler, signature: Compiler, args: Compiler) -> Compiler:
        array = context.make_array(signature.args[0])(context, builder, args[0])
        step = cgutils.unpack_tuple(builder, array.strides)[0]
        return builder.add(builder.ptrtoint(array.data, args[1].type), builder.mul(args[1], step))

    fits = rows.ndim == 2 and rows.layout == "C" and (rows.dtype == types.boolean or rows.dtype.bitwidth == 8)
    return types.int64(rows, types.int64), build if fits else None


@intrinsic  # type: ignore[untyped-decorator]
def _store(_context: Compiler, _row: Compiler, _at: Compiler, value: Compiler) -> Compiler:
    def build(context: Compiler, builder: Compiler, _signature: Compiler, args: Compiler) -> Compiler:
        builder.store(args[2], _pointer(builder, args[0], args[1], args[2].type), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, value), build


@intrinsic  # type: ignore[untyped-decorator]
def _load(_context: Compiler, numbers: Compiler, _at: Compiler) -> Compiler:
    def build(context: Compiler, builder: Compiler, signature: Compiler, args: Compiler) -> Compiler:
        from llvmlite import ir

        data = context.make_array(signature.args[0])(context, builder, args[0]).data
        place = cgutils.pointer_add(builder, data, args[1], return_type=ir.IntType(64).as_pointer())
        return builder.load(place, align=1)

    return types.uint64(numbers, types.int64), build if numbers.dtype == types.int8 else None


@intrinsic  # type: ignore[untyped-decorator]
def _spread(_context: Compiler, _row: Compiler, _at: Compiler, _word: Compiler) -> Compiler:
    def build(context: Compiler, builder: Compiler, _signature: Compiler, args: Compiler) -> Compiler:
        from llvmlite import ir

        # Each byte of the word eight times over, of which the i-th keeps bit i: a few instructions for 32 bytes.
        lanes = ir.VectorType(ir.IntType(8), SPREAD)
        word = builder.bitcast(args[2], ir.VectorType(ir.IntType(8), 8))
        eightfold = ir.Constant(ir.VectorType(ir.IntType(32), SPREAD), [i // 8 for i in range(SPREAD)])
        kept = ir.Constant(lanes, [1 << i % 8 for i in range(SPREAD)])
        found = builder.and_(builder.shuffle_vector(word, word, eightfold), kept)
        flags = builder.zext(builder.icmp_unsigned("!=", found, ir.Constant(lanes, None)), lanes)
        builder.store(flags, _pointer(builder, args[0], args[1], lanes), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.uint64), build


@intrinsic  # type: ignore[untyped-decorator]
def _zero(_context: Compiler, _row: Compiler, _at: Compiler) -> Compiler:
    def build(context: Compiler, builder: Compiler, _signature: Compiler, args: Compiler) -> Compiler:
        from llvmlite import ir

        lanes = ir.VectorType(ir.IntType(8), ZEROS)
        builder.store(ir.Constant(lanes, None), _pointer(builder, args[0], args[1], lanes), align=1)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), build


@overload(row_of)  # type: ignore[untyped-decorator]
def _compiled_row_of(rows: Compiler, i: Compiler) -> Compiler:  # noqa: ARG001  (Numba reads the signature)
    def compiled(rows: Compiler, i: Compiler) -> Compiler:
        return _row_of(rows, np.int64(i))

    return compiled


@overload(store_byte)  # type: ignore[untyped-decorator]
def _store_byte(row: Compiler, at: Compiler, number: Compiler) -> Compiler:  # noqa: ARG001
    def compiled(row: Compiler, at: Compiler, number: Compiler) -> None:
        _store(row, np.int64(at), np.uint8(number))

    return compiled


@overload(store_word)  # type: ignore[untyped-decorator]
def _store_word(row: Compiler, at: Compiler, word: Compiler) -> Compiler:  # noqa: ARG001
    def compiled(row: Compiler, at: Compiler, word: Compiler) -> None:
        _store(row, np.int64(at), np.uint64(word))

    return compiled


@overload(load_word)  # type: ignore[untyped-decorator]
def _load_word(numbers: Compiler, at: Compiler) -> Compiler:  # noqa: ARG001
    def compiled(numbers: Compiler, at: Compiler) -> Compiler:
        return _load(numbers, np.int64(at))

    return compiled


@overload(spread_word)  # type: ignore[untyped-decorator]
def _spread_word(row: Compiler, at: Compiler, word: Compiler) -> Compiler:  # noqa: ARG001
    def compiled(row: Compiler, at: Compiler, word: Compiler) -> None:
        _spread(row, np.int64(at), np.uint64(word))

    return compiled


@overload(store_zeros)  # type: ignore[untyped-decorator]
def _store_zeros(row: Compiler, at: Compiler) -> Compiler:  # noqa: ARG001
    def compiled(row: Compiler, at: Compiler) -> None:
        _zero(row, np.int64(at))

    return compiled


# ---- kernels --------------------------------------------------------------------------------------------------------
@kernel
def clear(row: Row, begin: Int, end: Int) -> None:
    """Zeros from one place of a row up to another."""
    at = begin
    while at + ZEROS <= end:
        store_zeros(row, at)
        at += ZEROS
    while at + 8 <= end:
        store_word(row, at, ZERO)
        at += 8
    while at < end:
        store_byte(row, at, 0)
        at += 1


@kernel
def spread(row: Row, at: Int, low: Bits, high: Bits, n: Int) -> Int:
    """The lowest n bits of two words as bytes of 0 and 1; returns the place after them.

    Up to 63 bytes after them are overwritten too: the row goes on so far, and what comes next is written afterwards.
    """
    spread_word(row, at, low)
    if n > SPREAD:
        spread_word(row, at + SPREAD, high)
    return at + n
