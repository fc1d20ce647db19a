"""The int8 convolution of a net on x86: products of gathered cells and weights by the processor's instructions for them.

LLVM does not find these instructions by itself, so the inner loops are written in its intermediate language. All of them
compute the same integers: `INT8_LIMIT` keeps the 16-bit sums of AVX2 from overflowing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import llvmlite.binding
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numpy.typing import NDArray

from ..jit.kernel import kernel

CHANNELS = 64
GROUP = 4  # inputs whose products one instruction adds up
NUM_GROUPS = CHANNELS // GROUP  # of one cell
MAX_TILE = 6  # cells at a time
INT8, INT16, INT32, INT64 = (ir.IntType(bits) for bits in (8, 16, 32, 64))


class InstructionSet(NamedTuple):
    """The instructions of a processor, and how many of its registers a convolution uses."""

    features: tuple[str, ...]  # names of LLVM; all are required
    lanes: int  # int32 numbers in a register
    tile: int  # cells at a time: their sums stay in registers
    add_products: Callable[[Any, Any, Any, Any], Any]


def add_products_vnni(builder: Any, sums: Any, inputs: Any, weights: Any) -> Any:
    """Build sums + the products of uint8 inputs and int8 weights, four to a lane, with one instruction."""
    vector = sums.type
    name = f"llvm.x86.avx512.vpdpbusd.{32 * vector.count}"
    function = builder.module.declare_intrinsic(name, fnty=ir.FunctionType(vector, [vector] * 3))
    return builder.call(function, [sums, inputs, weights])


def add_products_avx2(builder: Any, sums: Any, inputs: Any, weights: Any) -> Any:
    """Build the same sums with three instructions: products and their sums in 16 bits, in 32 bits, and the last sum."""
    count = sums.type.count
    octets, words = ir.VectorType(INT8, 4 * count), ir.VectorType(INT16, 2 * count)
    declare = builder.module.declare_intrinsic
    add_in_words = declare("llvm.x86.avx2.pmadd.ub.sw", fnty=ir.FunctionType(words, [octets, octets]))
    add_in_sums = declare("llvm.x86.avx2.pmadd.wd", fnty=ir.FunctionType(sums.type, [words, words]))
    products = builder.call(add_in_words, [builder.bitcast(inputs, octets), builder.bitcast(weights, octets)])
    return builder.add(sums, builder.call(add_in_sums, [products, ir.Constant(words, [1] * (2 * count))]))


INSTRUCTION_SETS = (
    InstructionSet(("avx512f", "avx512vnni"), 16, MAX_TILE, add_products_vnni),
    InstructionSet(("avxvnni", "avx2"), 8, 1, add_products_vnni),
    InstructionSet(("avx2",), 8, 1, add_products_avx2),
)


def find_instruction_set() -> InstructionSet | None:
    """Return the fastest instruction set that this processor has, None if it has none of them."""
    has = llvmlite.binding.get_host_cpu_features()
    return next((one for one in INSTRUCTION_SETS if all(has.get(feature) for feature in one.features)), None)


def make_tile_intrinsic(instructions: InstructionSet) -> Any:
    """Return the numba intrinsic that convolves `instructions.tile` cells."""
    count = CHANNELS // instructions.lanes
    vector = ir.VectorType(INT32, instructions.lanes)

    def convolve_tile(typing_context: Any, inputs: Any, index: Any, neighbourhood: Any, weights: Any, sums: Any) -> Any:
        """Addresses of uint8 rows, int64 [tile, neighbourhood], weights of `pack_weights`, and int32 [tile, CHANNELS]."""

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            input_address, index_address, num_neighbours, weight_address, sum_address = arguments

            def integer(value: int) -> Any:
                return ir.Constant(INT64, value)

            def at(address: Any, kind: Any) -> Any:
                return builder.inttoptr(address, kind.as_pointer())

            totals = [[cgutils.alloca_once(builder, vector) for _ in range(count)] for _ in range(instructions.tile)]
            for total in (each for row in totals for each in row):
                builder.store(ir.Constant(vector, [0] * instructions.lanes), total)
            with cgutils.for_range(builder, num_neighbours) as neighbours:
                rows = []
                for cell in range(instructions.tile):
                    place = builder.add(neighbours.index, builder.mul(num_neighbours, integer(cell)))
                    row = builder.load(at(builder.add(index_address, builder.mul(place, integer(8))), INT64))
                    rows.append(builder.add(input_address, builder.mul(row, integer(CHANNELS))))
                offset = builder.mul(neighbours.index, integer(CHANNELS * CHANNELS))
                slot_weights = builder.add(weight_address, offset)
                with cgutils.for_range(builder, integer(NUM_GROUPS)) as groups:
                    address = builder.add(slot_weights, builder.mul(groups.index, integer(GROUP * CHANNELS)))
                    group_weights = [
                        builder.load(at(builder.add(address, integer(4 * instructions.lanes * part)), vector), align=4)
                        for part in range(count)
                    ]
                    for row, cell_totals in zip(rows, totals, strict=True):
                        group_address = builder.add(row, builder.mul(groups.index, integer(GROUP)))
                        group = spread(builder, builder.load(at(group_address, INT32), align=4), vector)
                        for total, part_weights in zip(cell_totals, group_weights, strict=True):
                            added = instructions.add_products(builder, builder.load(total), group, part_weights)
                            builder.store(added, total)
            for number, total in enumerate(each for row in totals for each in row):
                address = builder.add(sum_address, integer(4 * instructions.lanes * number))
                builder.store(builder.load(total), at(address, vector), align=4)
            return context.get_dummy_value()

        return types.void(inputs, index, neighbourhood, weights, sums), generate

    return intrinsic(convolve_tile)


def spread(builder: Any, number: Any, vector: Any) -> Any:
    """Build a vector with a number in all lanes."""
    undefined = ir.Constant(vector, ir.Undefined)
    single = builder.insert_element(undefined, number, ir.Constant(INT32, 0))
    return builder.shuffle_vector(single, undefined, ir.Constant(ir.VectorType(INT32, vector.count), [0] * vector.count))


def pack_weights(weights: NDArray[np.int8]) -> NDArray[np.int8]:
    """Rearrange weights [neighbourhood * CHANNELS, CHANNELS] to [neighbourhood, groups, CHANNELS, GROUP]."""
    grouped = weights.reshape(-1, NUM_GROUPS, GROUP, CHANNELS)
    return np.ascontiguousarray(grouped.transpose(0, 1, 3, 2))


INSTRUCTIONS = find_instruction_set()
TILE = INSTRUCTIONS.tile if INSTRUCTIONS else 1
convolve_tile: Any = make_tile_intrinsic(INSTRUCTIONS) if INSTRUCTIONS else None


@kernel
def convolve(inputs: Any, neighbour_index: Any, weights: Any, sums: Any) -> None:
    """Write int32 sums [cells, CHANNELS] of products of weights and each cell's neighbours, uint8 [cells + 1, CHANNELS].

    The number of rows of `neighbour_index` and `sums` is a multiple of TILE.
    """
    neighbourhood = neighbour_index.shape[1]
    for cell in range(0, neighbour_index.shape[0], TILE):
        convolve_tile(
            inputs.ctypes.data,
            neighbour_index.ctypes.data + 8 * neighbourhood * cell,
            neighbourhood,
            weights.ctypes.data,
            sums.ctypes.data + 4 * CHANNELS * cell,
        )
