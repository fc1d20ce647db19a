"""Bitboard of at most 64 cells: byte-table dilation, flood fill, and the stub of the test of a full board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...games.carrier_rules import CarrierRules
from ...games.game import Game
from ...jit.intrinsics import bit_indices, to_signed64
from ...jit.kernel import dispatch_by_rules, kernel
from ...jit.prng import zobrist_keys

MAX_CELLS = 64
MASK_BYTES = 8

Masks: TypeAlias = NDArray[np.int64]


class BitBoard(NamedTuple):
    """Constant tables of a board. Masks are signed 64-bit integers, bit n for cell n."""

    goal: Any  # the winning condition: its type selects the kernel `is_won`; its fields are masks
    dilation_table: Masks  # [bytes, 256]: closed neighbourhood of a byte's cells
    edge: int  # cells of which a group needs one, such as the edge of Lariat's board; 0 for none
    claimable: int  # the cells that are not blocked
    live: int  # claimable cells that are not dead
    images: NDArray[np.int16]  # [symmetries, cells]: image of each cell
    reflection_tables: NDArray[np.int64]  # [mirrors, bytes, 256]: images of a byte's cells
    fixed_cells: Masks  # [mirrors]: the cells that are their own image
    keys: NDArray[np.int64]  # [3, symmetries, cells]: Zobrist keys of both colours, and at cell 0 the mover
    num_cells: int  # sides included


@dispatch_by_rules
def is_won(goal: Any, bitboard: Any, mine: Any) -> Any:
    """Return whether `mine` wins the full board on which the opponent has all other claimable cells."""


def make_bitboard(game: Game, rules: CarrierRules) -> BitBoard:
    """Return the tables of a game's board, which has at most MAX_CELLS cells with its sides."""
    images = symmetry_images(game, rules)
    mirrors = list_mirrors(images, rules)
    live = rules.claimable & ~make_mask(dead_cells(rules))
    closed_neighbourhoods = [mask | 1 << cell for cell, mask in enumerate(rules.neighbour_masks)]
    return BitBoard(
        goal=type(rules.goal)(*map(to_signed64, rules.goal)),
        dilation_table=make_byte_table(closed_neighbourhoods),
        edge=to_signed64(rules.edge),
        claimable=to_signed64(rules.claimable),
        live=to_signed64(live),
        images=np.array(images, np.int16),
        reflection_tables=np.array(
            [make_byte_table([1 << image for image in cells]) for cells in mirrors], np.int64
        ).reshape(-1, MASK_BYTES, 256),
        fixed_cells=np.array(
            [to_signed64(make_mask(cell for cell, image in enumerate(cells) if cell == image)) for cells in mirrors],
            np.int64,
        ),
        keys=np.ascontiguousarray(zobrist_keys(5, (3, len(rules.neighbour_masks)))[:, images]),
        num_cells=len(rules.neighbour_masks),
    )


def symmetry_images(game: Game, rules: CarrierRules) -> list[list[int]]:
    """Return for each symmetry that keeps the colours the image of every cell and side."""
    cells = [symmetry.cells.tolist() for symmetry in game.symmetries if not symmetry.swaps_colours]
    return [[*images, *side_images(images, rules)] for images in cells]


def side_images(cell_images: Sequence[int], rules: CarrierRules) -> list[int]:
    """Return the images of the sides under a symmetry of the board: the sides that touch the images of their neighbours."""
    num_cells = len(cell_images)
    touched = [make_mask(cell_images[cell] for cell in bit_indices(mask)) for mask in rules.neighbour_masks[num_cells:]]
    return [num_cells + rules.neighbour_masks[num_cells:].index(mask) for mask in touched]


def list_mirrors(images: Iterable[Sequence[int]], rules: CarrierRules) -> list[Sequence[int]]:
    """Return the images of which reflections can win: involutions other than the identity, if colours do not matter."""
    return [cells for cells in images if is_involution(cells) and list(cells) != sorted(cells) and rules.is_colour_blind]


def fixed_cells(images: Sequence[int]) -> int:
    """Return the mask of the cells that are their own image."""
    return make_mask(cell for cell, image in enumerate(images) if cell == image)


def make_mask(cells: Iterable[int]) -> int:
    """Return a set of cells as a mask."""
    return sum(1 << int(cell) for cell in cells)


def is_involution(images: Sequence[int]) -> bool:
    """Return whether a symmetry, given as the image of each cell, is its own inverse."""
    return all(images[image] == cell for cell, image in enumerate(images))


def dead_cells(rules: CarrierRules) -> list[int]:
    """Return the unmarked cells whose neighbours are all adjacent to each other.

    No group needs such a cell: a path through it can be shortened.
    """
    marked = sum(rules.marks)
    neighbours = [bit_indices(mask) for mask in rules.neighbour_masks]
    return [
        cell
        for cell in bit_indices(rules.claimable & ~marked)
        if all(rules.neighbour_masks[one] >> other & 1 for one, other in combinations(neighbours[cell], 2))
    ]


def make_byte_table(cell_masks: Sequence[int]) -> Masks:
    """Return [bytes, 256]: the union of `cell_masks` over the cells of each byte value of a mask."""
    table = np.zeros((MASK_BYTES, 256), np.int64)
    for byte in range(MASK_BYTES):
        for value in range(1, 256):
            cell = 8 * byte + (value & -value).bit_length() - 1
            mask = cell_masks[cell] if cell < len(cell_masks) else 0
            table[byte, value] = to_signed64(mask | int(table[byte, value & (value - 1)]))
    return table


@kernel
def lookup_union(table: Masks, cells: int) -> int:
    """Return the union of a byte table's masks over `cells`."""
    union = table[0, cells & 255] | table[1, (cells >> 8) & 255] | table[2, (cells >> 16) & 255]
    union |= table[3, (cells >> 24) & 255] | table[4, (cells >> 32) & 255] | table[5, (cells >> 40) & 255]
    return union | table[6, (cells >> 48) & 255] | table[7, (cells >> 56) & 255]


@kernel
def dilate(bitboard: BitBoard, cells: int) -> int:
    """Return `cells` and their neighbours."""
    return lookup_union(bitboard.dilation_table, cells)


@kernel
def flood(bitboard: BitBoard, cells: int, within: int) -> int:
    """Return everything connected with `cells` inside `within`, including `cells`."""
    reached, previous = cells, 0
    while reached != previous:
        previous = reached
        reached |= dilate(bitboard, reached) & within
    return reached
