"""64-bit set operations and cache-line prefetch as LLVM intrinsics, with pure-Python counterparts."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .kernel import JIT_OPTIONS, kernel

MASK64 = 2**64 - 1


def bit(index: int) -> int:
    """The mask with one bit set."""
    return to_signed64(1 << int(index))


def bit_count(mask: int) -> int:
    """How many bits are set."""
    return (int(mask) & MASK64).bit_count()


def lowest_bit(mask: int) -> int:
    """The index of the lowest set bit of a mask that has one."""
    mask = int(mask) & MASK64
    return (mask & -mask).bit_length() - 1


def highest_bit(mask: int) -> int:
    """The index of the highest set bit of a mask that has one."""
    return (int(mask) & MASK64).bit_length() - 1


def clear_lowest_bit(mask: int) -> int:
    """The mask without its lowest set bit."""
    mask = int(mask) & MASK64
    return to_signed64(mask & (mask - 1))


def to_signed64(mask: int) -> int:
    """A mask of 64 bits as the signed number that an array of int64 holds."""
    mask &= MASK64
    return mask - 2**64 if mask >> 63 else mask


@intrinsic  # type: ignore[untyped-decorator]
def _ctpop(typingctx: Any, mask: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctpop(arguments[0])


@intrinsic  # type: ignore[untyped-decorator]
def _cttz(typingctx: Any, mask: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.cttz(
        arguments[0], ir.Constant(ir.IntType(1), 1)
    )


@intrinsic  # type: ignore[untyped-decorator]
def _ctlz(typingctx: Any, mask: Any) -> Any:
    return types.int64(types.int64), lambda context, builder, signature, arguments: builder.ctlz(
        arguments[0], ir.Constant(ir.IntType(1), 1)
    )


# Lambdas, for numba wants the same signature of both functions, annotations included.
overload(bit, jit_options=JIT_OPTIONS)(lambda index: lambda index: np.int64(1) << np.int64(index))

overload(bit_count, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: _ctpop(np.int64(mask)))

overload(lowest_bit, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: _cttz(np.int64(mask)))

overload(clear_lowest_bit, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: mask & (mask - 1))

overload(highest_bit, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: 63 - _ctlz(np.int64(mask)))


def bit_indices(mask: int) -> list[int]:
    """The indices of all set bits, ascending; for Python only."""
    mask = int(mask) & MASK64
    return [index for index in range(64) if mask >> index & 1]


CACHE_LINE_BYTES = 64  # bytes that come at once

LINES_PER_ROW = 8  # how much of a row to ask for

ROWS_AHEAD = 4  # rows before it is used


@kernel
def prefetch_row(rows: Any, index: int) -> None:
    """Have the beginning of a row at hand by the time that a walk over many rows, now at this index, comes there."""
    if index + ROWS_AHEAD < len(rows):
        for line in range(LINES_PER_ROW):
            prefetch(rows[index + ROWS_AHEAD], line * (CACHE_LINE_BYTES // rows.itemsize))


def prefetch(array: Any, index: int) -> None:
    """Start to bring a place of an array into the cache, and what lies around it; uncompiled, do nothing."""


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data_pointer = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data_pointer, [arguments[1]]), ir.IntType(8).as_pointer())
        int32 = ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [address.type, int32, int32, int32])
        llvm_prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], function_type)
        builder.call(llvm_prefetch, [address, int32(0), int32(3), int32(1)])  # to read, into the nearest cache, no code
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


overload(prefetch, jit_options=JIT_OPTIONS)(lambda array, index: lambda array, index: _prefetch(array, np.int64(index)))
