"""64-bit set operations, cache-line prefetch and atomic operations as LLVM intrinsics, with pure-Python counterparts.

A mask is a set of indices 0 to 63, held as a signed 64-bit integer (bit 63 makes it negative). The functions accept
signed and unsigned values in Python; masks that they return are signed, as in an array of int64.
"""

from __future__ import annotations

from threading import Lock
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .kernel import JIT_OPTIONS, kernel

MASK64 = 2**64 - 1
CACHE_LINE_BYTES = 64
LINES_PER_ROW = 8  # cache lines to prefetch from the beginning of a row
ROWS_AHEAD = 4  # distance between the current row and the row to prefetch
INTERPRETED_ATOMICS = Lock()


def bit(index: int) -> int:
    """Return the mask with only bit `index` set."""
    return to_signed64(1 << int(index))


def bit_count(mask: int) -> int:
    """Return the number of set bits."""
    return (int(mask) & MASK64).bit_count()


def lowest_bit(mask: int) -> int:
    """Return the index of the lowest set bit; the mask must not be 0."""
    mask = int(mask) & MASK64
    return (mask & -mask).bit_length() - 1


def highest_bit(mask: int) -> int:
    """Return the index of the highest set bit; the mask must not be 0."""
    return (int(mask) & MASK64).bit_length() - 1


def clear_lowest_bit(mask: int) -> int:
    """Return the mask without its lowest set bit."""
    mask = int(mask) & MASK64
    return to_signed64(mask & (mask - 1))


def to_signed64(mask: int) -> int:
    """Return the signed 64-bit integer with the same low 64 bits."""
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


# Lambdas, because numba requires equal signatures, annotations included, of a function and its overload.
overload(bit, jit_options=JIT_OPTIONS)(lambda index: lambda index: np.int64(1) << np.int64(index))
overload(bit_count, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: _ctpop(np.int64(mask)))
overload(lowest_bit, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: _cttz(np.int64(mask)))
overload(clear_lowest_bit, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: mask & (mask - 1))
overload(highest_bit, jit_options=JIT_OPTIONS)(lambda mask: lambda mask: 63 - _ctlz(np.int64(mask)))


def bit_indices(mask: int) -> list[int]:
    """Return the indices of all set bits in ascending order. Not available in kernels."""
    mask = int(mask) & MASK64
    return [index for index in range(64) if mask >> index & 1]


@kernel
def prefetch_row(rows: Any, index: int) -> None:
    """Prefetch the first 512 bytes of row `index + ROWS_AHEAD`, if `rows` has it."""
    if index + ROWS_AHEAD < len(rows):
        for line in range(LINES_PER_ROW):
            prefetch(rows[index + ROWS_AHEAD], line * (CACHE_LINE_BYTES // rows.itemsize))


def prefetch(array: Any, index: int) -> None:
    """Prefetch the cache line of `array[index]`; does nothing in plain Python."""


@intrinsic  # type: ignore[untyped-decorator]
def _prefetch(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data_pointer = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        address = builder.bitcast(builder.gep(data_pointer, [arguments[1]]), ir.IntType(8).as_pointer())
        int32 = ir.IntType(32)
        function_type = ir.FunctionType(ir.VoidType(), [address.type, int32, int32, int32])
        llvm_prefetch = builder.module.declare_intrinsic("llvm.prefetch", [address.type], function_type)
        builder.call(llvm_prefetch, [address, int32(0), int32(3), int32(1)])  # read, keep in all levels, data cache
        return context.get_dummy_value()

    return types.void(array, types.int64), codegen


overload(prefetch, jit_options=JIT_OPTIONS)(lambda array, index: lambda array, index: _prefetch(array, np.int64(index)))


def atomic_add(array: Any, index: int, amount: int) -> int:
    """Add to an element of an int64 array and return its value before, as one operation for all threads.

    What a thread has written before is visible to a thread that reads the sum afterwards.
    """
    with INTERPRETED_ATOMICS:
        before = int(array[index])
        array[index] = before + amount
    return before


@intrinsic  # type: ignore[untyped-decorator]
def _atomic_add(typingctx: Any, array: Any, index: Any, amount: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data_pointer = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("add", builder.gep(data_pointer, [arguments[1]]), arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), codegen


overload(atomic_add, jit_options=JIT_OPTIONS)(
    lambda array, index, amount: lambda array, index, amount: _atomic_add(array, np.int64(index), np.int64(amount))
)


def atomic_exchange(array: Any, index: int, value: int) -> int:
    """Replace an element of an int64 array and return its value before, as one operation for all threads."""
    with INTERPRETED_ATOMICS:
        before = int(array[index])
        array[index] = value
    return before


@intrinsic  # type: ignore[untyped-decorator]
def _atomic_exchange(typingctx: Any, array: Any, index: Any, value: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data_pointer = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.atomic_rmw("xchg", builder.gep(data_pointer, [arguments[1]]), arguments[2], "seq_cst")

    return types.int64(array, types.int64, types.int64), codegen


overload(atomic_exchange, jit_options=JIT_OPTIONS)(
    lambda array, index, value: lambda array, index, value: _atomic_exchange(array, np.int64(index), np.int64(value))
)


def atomic_load(array: Any, index: int) -> int:
    """Return an element of an int64 array that another thread may be writing; loops read it anew every time."""
    return int(array[index])


@intrinsic  # type: ignore[untyped-decorator]
def _atomic_load(typingctx: Any, array: Any, index: Any) -> Any:
    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data_pointer = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        return builder.load_atomic(builder.gep(data_pointer, [arguments[1]]), "seq_cst", 8)

    return types.int64(array, types.int64), codegen


overload(atomic_load, jit_options=JIT_OPTIONS)(
    lambda array, index: lambda array, index: _atomic_load(array, np.int64(index))
)
