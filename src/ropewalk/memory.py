"""Asking for memory before it is needed: thousands of positions do not fit into a processor's cache."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic, overload

from .kernels import OPTIONS, kernel

LINE = 64  # bytes that come at once
LINES = 8  # how much of a row to ask for
AHEAD = 4  # rows before it is used


@kernel
def fetch_ahead(rows: Any, index: int) -> None:
    """Have the beginning of a row at hand by the time that a walk over many rows, now at this index, comes there."""
    if index + AHEAD < len(rows):
        for line in range(LINES):
            fetch(rows[index + AHEAD], line * (LINE // rows.itemsize))


def fetch(array: Any, index: int) -> None:
    """Start to bring a place of an array into the cache, and what lies around it; uncompiled, do nothing."""


@intrinsic  # type: ignore[untyped-decorator]
def _fetch(typing: Any, array: Any, index: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        start = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        place = builder.bitcast(builder.gep(start, [arguments[1]]), ir.IntType(8).as_pointer())
        number = ir.IntType(32)
        wanted = ir.FunctionType(ir.VoidType(), [place.type, number, number, number])
        prefetch = builder.module.declare_intrinsic("llvm.prefetch", [place.type], wanted)
        builder.call(prefetch, [place, number(0), number(3), number(1)])  # to read, into the nearest cache, no code
        return context.get_dummy_value()

    return types.void(array, types.int64), generate


overload(fetch, jit_options=OPTIONS)(lambda array, index: lambda array, index: _fetch(array, np.int64(index)))
