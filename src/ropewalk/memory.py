"""Asking for memory before it is needed: thousands of positions do not fit into a processor's cache."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .kernels import JIT_OPTIONS, kernel

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
