"""The nets of `onnx_export` as compiled kernels: the same layers in a fraction of the time that a general runtime needs.

Sums of floats are in a fixed order, so a position has the same evaluation on every processor and in every batch. The
activations of each convolution are quantised as in the file, but for each position alone.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..jit.kernel import compile_for, is_jit_enabled, kernel
from .int8_convolution import CHANNELS, INSTRUCTIONS, TILE, convolve, pack_weights
from .onnx_initializers import read_initializers

EPSILON = np.float32(1e-5)  # of the layer norms
LANES = 16  # partial sums of a layer norm
F32 = np.float32
Floats = NDArray[np.float32]


class NetWeights(NamedTuple):
    """The weights of a net; linear layers are [inputs, outputs], and [0] of a norm is its scale, [1] its bias."""

    stem: Floats  # [neighbourhood, planes, channels]
    stem_bias: Floats
    norms: Floats  # [blocks, 2, channels]
    global_biases: Floats  # [blocks, 2 * channels, channels]
    convolutions: NDArray[np.int8]  # [blocks, 2, neighbourhood, groups, channels, group], as `pack_weights` arranges them
    scales: Floats  # [blocks, 2, channels], of the weights
    biases: Floats  # [blocks, 2, channels]
    weight_sums: NDArray[np.int32]  # [blocks, 2, channels], over all inputs
    norm: Floats
    policy_hidden: Floats
    policy_hidden_bias: Floats
    policy_global_bias: Floats
    policy: Floats  # [kinds, channels]
    policy_bias: Floats
    global_policy: Floats
    global_policy_bias: Floats
    value_hidden: Floats
    value_hidden_bias: Floats
    value: Floats
    value_bias: Floats
    ownership: Floats  # [1, channels]
    ownership_bias: Floats


class Activations(NamedTuple):
    """Scratch for one position; the number of rows is a multiple of TILE."""

    trunk: Floats  # [rows, channels]
    branch: Floats  # [rows, channels]
    quantized: NDArray[np.uint8]  # [cells + 1, channels]; the last row is that of missing neighbours
    sums: NDArray[np.int32]  # [rows, channels]
    pooled: Floats  # [2 * channels]: mean and maximum over the cells
    vectors: Floats  # [4, channels]


class CompiledNet:
    """A net for the positions of one board; any number of threads may use it."""

    def __init__(self, game: Game, weights: NetWeights) -> None:
        self.weights = weights
        self.num_cells, self.num_rows = len(game.board), -(-len(game.board) // TILE) * TILE
        neighbour_index = game.encoding.neighbour_index
        self.neighbour_index = np.full((self.num_rows, neighbour_index.shape[1]), self.num_cells, np.int64)
        self.neighbour_index[: self.num_cells] = neighbour_index
        self.num_moves = weights.policy_bias.size * self.num_cells + weights.global_policy_bias.size
        example = np.zeros((1, self.num_cells, game.encoding.num_planes), np.int8)
        outputs = self._allocate_outputs(1)
        self._evaluate: Any = compile_for(
            evaluate_positions, example, self.neighbour_index, weights, self._allocate_activations(), *outputs
        )

    def evaluate(self, planes: NDArray[np.int8]) -> tuple[Floats, Floats, Floats]:
        """Evaluate planes [batch, cells, planes].

        Returns policy logits [batch, moves], probabilities of win, draw and loss [batch, 3], and ownership [batch, cells].
        """
        outputs = self._allocate_outputs(len(planes))
        planes = np.ascontiguousarray(planes)
        self._evaluate(planes, self.neighbour_index, self.weights, self._allocate_activations(), *outputs)
        return outputs

    def _allocate_outputs(self, batch: int) -> tuple[Floats, Floats, Floats]:
        sizes = (self.num_moves, 3, self.num_cells)
        policy, value, ownership = (np.empty((batch, size), F32) for size in sizes)
        return policy, value, ownership

    def _allocate_activations(self) -> Activations:
        rows = (self.num_rows, CHANNELS)
        return Activations(
            np.empty(rows, F32),
            np.empty(rows, F32),
            np.empty((self.num_cells + 1, CHANNELS), np.uint8),
            np.empty(rows, np.int32),
            np.empty(2 * CHANNELS, F32),
            np.empty((4, CHANNELS), F32),
        )


def load_compiled_net(game: Game, path: Path) -> CompiledNet | None:
    """Return the compiled net of a file, None if this processor or a net of this shape is not supported."""
    if INSTRUCTIONS is None or not is_jit_enabled():
        return None
    try:
        weights = arrange_weights(read_initializers(path), game)
    except (KeyError, ValueError, IndexError):
        return None
    return CompiledNet(game, weights)


def arrange_weights(stored: dict[str, NDArray[Any]], game: Game) -> NetWeights:
    """Return the weights from the initializers of a file. Raises KeyError or ValueError if it has other layers or sizes."""
    neighbourhood = game.encoding.neighbour_index.shape[1]
    num_blocks = sum(name.endswith(".look.weight") for name in stored)
    convolutions = [[f"blocks.{block}.{layer}" for layer in ("look", "look_again")] for block in range(num_blocks)]

    def get(name: str, *shape: int) -> NDArray[Any]:
        return np.ascontiguousarray(stored[name].reshape(shape))

    def stack(suffix: str, *shape: int) -> NDArray[Any]:
        return np.stack([np.stack([get(f"{name}.{suffix}", *shape) for name in names]) for names in convolutions])

    def get_norm(name: str) -> NDArray[Any]:
        return np.stack([get(f"{name}.weight", CHANNELS), get(f"{name}.bias", CHANNELS)])

    int8_weights = stack("weight", neighbourhood * CHANNELS, CHANNELS)
    packed = np.stack([np.stack([pack_weights(layer) for layer in block]) for block in int8_weights])
    kinds, num_global = stored["policy.bias"].size, game.encoding.global_moves
    has_global = "global_policy.weight" in stored
    if has_global != bool(num_global) or kinds != game.encoding.move_kinds:
        raise ValueError("the policy has other moves than the game")
    return NetWeights(
        stem=get("stem.weight", neighbourhood, game.encoding.num_planes, CHANNELS),
        stem_bias=get("stem.bias", CHANNELS),
        norms=np.stack([get_norm(f"blocks.{block}.norm") for block in range(num_blocks)]),
        global_biases=np.stack([get(f"blocks.{block}.view.weight", 2 * CHANNELS, CHANNELS) for block in range(num_blocks)]),
        convolutions=packed,
        scales=stack("steps", CHANNELS),
        biases=stack("bias", CHANNELS),
        weight_sums=int8_weights.sum(2, dtype=np.int32),
        norm=get_norm("norm"),
        policy_hidden=get("policy_hidden.weight", CHANNELS, CHANNELS),
        policy_hidden_bias=get("policy_hidden.bias", CHANNELS),
        policy_global_bias=get("policy_view.weight", 2 * CHANNELS, CHANNELS),
        policy=np.ascontiguousarray(get("policy.weight", CHANNELS, kinds).T),
        policy_bias=get("policy.bias", kinds),
        global_policy=get("global_policy.weight", 2 * CHANNELS, -1)[:, :num_global].copy()
        if has_global
        else np.zeros((2 * CHANNELS, 0), F32),
        global_policy_bias=get("global_policy.bias", -1)[:num_global].copy() if has_global else np.zeros(0, F32),
        value_hidden=get("value_hidden.weight", 2 * CHANNELS, CHANNELS),
        value_hidden_bias=get("value_hidden.bias", CHANNELS),
        value=get("value.weight", CHANNELS, 3),
        value_bias=get("value.bias", 3),
        ownership=get("owner.weight", 1, CHANNELS),
        ownership_bias=get("owner.bias", 1),
    )


@kernel
def evaluate_positions(
    planes: Any, neighbour_index: Any, weights: NetWeights, scratch: Activations, policy: Any, value: Any, ownership: Any
) -> None:
    """Evaluate a batch of positions, one after another."""
    for number in range(planes.shape[0]):
        apply_stem(planes, number, neighbour_index, weights, scratch.trunk)
        for block in range(weights.norms.shape[0]):
            apply_block(block, planes.shape[1], neighbour_index, weights, scratch)
        apply_heads(number, planes.shape[1], weights, scratch, policy, value, ownership)


@kernel
def apply_stem(planes: Any, number: int, neighbour_index: Any, weights: NetWeights, trunk: Any) -> None:
    """Write the stem's features of each cell; most of the planes are 0."""
    cells = planes.shape[1]
    for cell in range(cells):
        for channel in range(CHANNELS):
            trunk[cell, channel] = weights.stem_bias[channel]
        for slot in range(neighbour_index.shape[1]):
            neighbour = neighbour_index[cell, slot]
            if neighbour < cells:
                for plane in range(planes.shape[2]):
                    number_in_plane = np.float32(planes[number, neighbour, plane])
                    if number_in_plane != 0:
                        for channel in range(CHANNELS):
                            trunk[cell, channel] += number_in_plane * weights.stem[slot, plane, channel]


@kernel
def apply_block(block: int, cells: int, neighbour_index: Any, weights: NetWeights, scratch: Activations) -> None:
    """Add a residual block to the trunk."""
    trunk, branch, sums, vectors = scratch.trunk, scratch.branch, scratch.sums, scratch.vectors
    normalise(trunk, cells, weights.norms, block, branch, vectors)
    pool(branch, cells, scratch.pooled)
    for channel in range(CHANNELS):
        vectors[0, channel] = weights.biases[block, 0, channel]
    add_product(scratch.pooled, weights.global_biases[block], vectors, 0)
    scale, zero_point = quantize(branch, cells, scratch.quantized, vectors)
    convolve(scratch.quantized, neighbour_index, weights.convolutions[block, 0], sums)
    for cell in range(cells):
        for channel in range(CHANNELS):
            total = np.int32(sums[cell, channel] - np.int32(zero_point * weights.weight_sums[block, 0, channel]))
            scaled = np.float32(total) * np.float32(scale * weights.scales[block, 0, channel])
            branch[cell, channel] = max(scaled + vectors[0, channel], np.float32(0))
    scale, zero_point = quantize(branch, cells, scratch.quantized, vectors)
    convolve(scratch.quantized, neighbour_index, weights.convolutions[block, 1], sums)
    for cell in range(cells):
        for channel in range(CHANNELS):  # the zero point is 0: no activation is negative
            scaled = np.float32(sums[cell, channel]) * np.float32(scale * weights.scales[block, 1, channel])
            trunk[cell, channel] += scaled + weights.biases[block, 1, channel]


@kernel
def apply_heads(
    number: int, cells: int, weights: NetWeights, scratch: Activations, policy: Any, value: Any, ownership: Any
) -> None:
    """Write the three outputs of a position."""
    branch, vectors = scratch.branch, scratch.vectors
    normalise(scratch.trunk, cells, weights.norm.reshape(1, 2, CHANNELS), 0, branch, vectors)
    for cell in range(cells):
        for channel in range(CHANNELS):
            branch[cell, channel] = max(branch[cell, channel], np.float32(0))
    pool(branch, cells, scratch.pooled)
    write_policy(number, cells, weights, scratch, policy)
    for cell in range(cells):
        total = dot(branch, cell, weights.ownership, 0, vectors) + weights.ownership_bias[0]
        ownership[number, cell] = math.tanh(total)
    for channel in range(CHANNELS):
        vectors[0, channel] = weights.value_hidden_bias[channel]
    add_product(scratch.pooled, weights.value_hidden, vectors, 0)
    write_value(number, weights, vectors, value)


@kernel
def write_policy(number: int, cells: int, weights: NetWeights, scratch: Activations, policy: Any) -> None:
    """Write the logits of all moves: those of cells by kind of move, then the others."""
    branch, vectors, kinds = scratch.branch, scratch.vectors, weights.policy_bias.size
    for channel in range(CHANNELS):
        vectors[0, channel] = weights.policy_hidden_bias[channel]
    add_product(scratch.pooled, weights.policy_global_bias, vectors, 0)
    for cell in range(cells):
        for channel in range(CHANNELS):
            vectors[1, channel] = vectors[0, channel]
        add_cell_product(branch, cell, weights.policy_hidden, vectors, 1)
        for channel in range(CHANNELS):
            vectors[1, channel] = max(vectors[1, channel], np.float32(0))
        for kind in range(kinds):
            logit = dot(vectors, 1, weights.policy, kind, vectors) + weights.policy_bias[kind]
            policy[number, kind * cells + cell] = logit
    for move in range(weights.global_policy_bias.size):
        logit = weights.global_policy_bias[move]
        for feature in range(2 * CHANNELS):
            logit += scratch.pooled[feature] * weights.global_policy[feature, move]
        policy[number, kinds * cells + move] = logit


@kernel
def write_value(number: int, weights: NetWeights, vectors: Any, value: Any) -> None:
    """Write the probabilities of win, draw and loss; row 0 of `vectors` has the hidden features."""
    highest = np.float32(-math.inf)
    for result in range(3):
        logit = weights.value_bias[result]
        for channel in range(CHANNELS):
            logit += max(vectors[0, channel], np.float32(0)) * weights.value[channel, result]
        value[number, result] = logit
        highest = max(highest, logit)
    total = np.float32(0)
    for result in range(3):
        value[number, result] = math.exp(value[number, result] - highest)
        total += value[number, result]
    for result in range(3):
        value[number, result] /= total


@kernel
def normalise(x: Any, cells: int, norms: Any, norm: int, output: Any, vectors: Any) -> None:
    """Write the layer norm of each cell; rows 0 and 1 of `vectors` are scratch."""
    for cell in range(cells):
        for lane in range(LANES):
            vectors[0, lane] = np.float32(0)
            vectors[1, lane] = np.float32(0)
        for first in range(0, CHANNELS, LANES):
            for lane in range(LANES):
                vectors[0, lane] += x[cell, first + lane]
        mean = add_lanes(vectors, 0) / np.float32(CHANNELS)
        for first in range(0, CHANNELS, LANES):
            for lane in range(LANES):
                difference = x[cell, first + lane] - mean
                vectors[1, lane] += difference * difference
        variance = add_lanes(vectors, 1) / np.float32(CHANNELS)
        factor = np.float32(1) / np.float32(math.sqrt(variance + EPSILON))
        for channel in range(CHANNELS):
            scaled = (x[cell, channel] - mean) * factor
            output[cell, channel] = scaled * norms[norm, 0, channel] + norms[norm, 1, channel]


@kernel
def add_lanes(vectors: Any, row: int) -> Any:
    """Return the sum of the first LANES numbers of a row."""
    for lane in range(8):
        vectors[row, lane] += vectors[row, lane + 8]
    for lane in range(4):
        vectors[row, lane] += vectors[row, lane + 4]
    return (vectors[row, 0] + vectors[row, 2]) + (vectors[row, 1] + vectors[row, 3])


@kernel
def pool(x: Any, cells: int, pooled: Any) -> None:
    """Write mean and maximum over the cells."""
    for channel in range(CHANNELS):
        pooled[channel] = np.float32(0)
        pooled[CHANNELS + channel] = x[0, channel]
    for cell in range(cells):
        for channel in range(CHANNELS):
            pooled[channel] += x[cell, channel]
            pooled[CHANNELS + channel] = max(pooled[CHANNELS + channel], x[cell, channel])
    for channel in range(CHANNELS):
        pooled[channel] /= np.float32(cells)


@kernel
def add_product(x: Any, matrix: Any, vectors: Any, row: int) -> None:
    """Add the product of a vector and a matrix to a row."""
    for source in range(x.size):
        for channel in range(CHANNELS):
            vectors[row, channel] += x[source] * matrix[source, channel]


@kernel
def add_cell_product(x: Any, cell: int, matrix: Any, vectors: Any, row: int) -> None:
    """Add the product of a cell's features and a matrix to a row; four features at a time keep the row in registers."""
    for source in range(0, CHANNELS, 4):
        first, second, third, fourth = x[cell, source], x[cell, source + 1], x[cell, source + 2], x[cell, source + 3]
        for channel in range(CHANNELS):
            total = vectors[row, channel] + first * matrix[source, channel]
            total += second * matrix[source + 1, channel]
            total += third * matrix[source + 2, channel]
            vectors[row, channel] = total + fourth * matrix[source + 3, channel]


@kernel
def dot(x: Any, row: int, matrix: Any, matrix_row: int, vectors: Any) -> Any:
    """Return the dot product of two rows of CHANNELS numbers; row 3 of `vectors` is scratch."""
    for lane in range(LANES):
        vectors[3, lane] = np.float32(0)
    for first in range(0, CHANNELS, LANES):
        for lane in range(LANES):
            vectors[3, lane] += x[row, first + lane] * matrix[matrix_row, first + lane]
    return add_lanes(vectors, 3)


@kernel
def quantize(x: Any, cells: int, quantized: Any, vectors: Any) -> tuple[Any, Any]:
    """Write uint8 numbers as DynamicQuantizeLinear does, with a row for missing neighbours; return scale and zero point.

    Rows 1 and 2 of `vectors` are scratch.
    """
    for channel in range(CHANNELS):
        vectors[1, channel] = np.float32(0)
        vectors[2, channel] = np.float32(0)
    for cell in range(cells):
        for channel in range(CHANNELS):
            vectors[1, channel] = min(vectors[1, channel], x[cell, channel])
            vectors[2, channel] = max(vectors[2, channel], x[cell, channel])
    lowest, highest = np.float32(0), np.float32(0)
    for channel in range(CHANNELS):
        lowest = min(lowest, vectors[1, channel])
        highest = max(highest, vectors[2, channel])
    scale = (highest - lowest) / np.float32(255) if highest > lowest else np.float32(1)
    factor = np.float32(1) / scale
    zero_point = np.int32(np.rint(-lowest * factor))
    for cell in range(cells):
        for channel in range(CHANNELS):
            number: Any = np.int32(np.rint(x[cell, channel] * factor)) + zero_point
            quantized[cell, channel] = np.uint8(min(max(number, 0), 255))
    for channel in range(CHANNELS):
        quantized[cells, channel] = np.uint8(zero_point)
    return scale, zero_point
