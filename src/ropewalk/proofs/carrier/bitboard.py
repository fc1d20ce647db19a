"""Bitboard of Lariat or Cube Lariat on at most 64 cells: byte-table dilation, winner of a full board.

On a full board the adjacency graph of the groups is a tree. In Lariat the winner owns the first group on the path from the
centre that reaches the edge; in Cube Lariat the group at the median of the three nuclear cells. Colours alternate along a
path, so the parity of its colour changes tells the winner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...boards import NO_CELL, Board
from ...games.lariat_common import LariatFamilyGame
from ...jit.intrinsics import bit, to_signed64
from ...jit.kernel import kernel
from ...jit.prng import zobrist_keys

MAX_CELLS = 64
MASK_BYTES = 8

Masks: TypeAlias = NDArray[np.int64]


class BitBoard(NamedTuple):
    """Constant tables of a board. Masks are signed 64-bit integers, bit n for cell n."""

    dilation_table: Masks  # [bytes, 256]: closed neighbourhood of a byte's cells
    terminals: Masks  # [1 or 3]: the centre, or each of the three nuclear cells
    edge: int  # the edge cells; 0 on a cube
    claimable: int  # the cells that are not blocked
    live: int  # claimable cells that are not dead
    images: NDArray[np.int16]  # [symmetries, cells]: image of each cell
    reflection_tables: NDArray[np.int64]  # [mirrors, bytes, 256]: images of a byte's cells
    fixed_cells: Masks  # [mirrors]: the cells that are their own image
    keys: NDArray[np.int64]  # [3, symmetries, cells]: Zobrist keys of black, white, and at cell 0 the mover
    num_cells: int


def make_bitboard(game: LariatFamilyGame) -> BitBoard:
    """Return the tables of a game's board, which has at most MAX_CELLS cells."""
    board = game.board
    images = np.array([symmetry.cells for symmetry in game.symmetries], np.int16)
    mirrors = [cells for cells in images[1:].tolist() if is_involution(cells)]
    terminals = [*board.marked_cells.get("centre", ()), *board.marked_cells.get("nuclear", ())]
    return BitBoard(
        dilation_table=make_byte_table(closed_neighbourhoods(board)),
        terminals=np.array([bit(cell) for cell in terminals], np.int64),
        edge=make_mask(board.marked_cells.get("edge", ())),
        claimable=make_mask(set(range(len(board))) - set(game.blocked_cells())),
        live=make_mask(set(range(len(board))) - set(game.blocked_cells()) - dead_cells(board)),
        images=images,
        reflection_tables=np.array([make_byte_table([1 << image for image in cells]) for cells in mirrors]),
        fixed_cells=np.array([make_mask(cell for cell, image in enumerate(cells) if cell == image) for cells in mirrors]),
        keys=np.ascontiguousarray(zobrist_keys(5, (3, len(board)))[:, images]),
        num_cells=len(board),
    )


def make_mask(cells: Iterable[int]) -> int:
    """Return a set of cells as a signed mask."""
    return to_signed64(sum(1 << int(cell) for cell in cells))


def is_involution(images: Sequence[int]) -> bool:
    """Return whether a symmetry, given as the image of each cell, is its own inverse."""
    return all(images[image] == cell for cell, image in enumerate(images))


def closed_neighbourhoods(board: Board) -> list[int]:
    """Return for each cell the mask of the cell and its neighbours."""
    rows = board.neighbours.tolist()
    return [1 << cell | sum(1 << other for other in row if other != NO_CELL) for cell, row in enumerate(rows)]


def dead_cells(board: Board) -> set[int]:
    """Return the unmarked cells whose neighbours are all adjacent to each other.

    No group needs such a cell: a path through it can be shortened.
    """
    marked = {cell for mark, cells in board.marked_cells.items() if mark != "corners" for cell in cells}
    neighbours = [[other for other in row if other != NO_CELL] for row in board.neighbours.tolist()]
    return {
        cell
        for cell, others in enumerate(neighbours)
        if cell not in marked and all(board.adjacent(one, other) for one, other in combinations(others, 2))
    }


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


@kernel
def is_won(bitboard: BitBoard, mine: int) -> bool:
    """Return whether `mine` wins the full board on which the opponent has all other claimable cells."""
    if bitboard.edge != 0:
        return first_edge_group_wins(bitboard, mine)
    return median_group_wins(bitboard, mine)


@kernel
def first_edge_group_wins(bitboard: BitBoard, mine: int) -> bool:
    """Lariat: expand from the centre group by group until a group reaches the edge."""
    theirs = bitboard.claimable & ~mine
    is_mine = mine & bitboard.terminals[0] != 0
    reached = flood(bitboard, bitboard.terminals[0], mine if is_mine else theirs)
    while reached & bitboard.edge == 0:
        is_mine = not is_mine
        reached = flood(bitboard, dilate(bitboard, reached), mine if is_mine else theirs)
    return is_mine


@kernel
def median_group_wins(bitboard: BitBoard, mine: int) -> bool:
    """Cube Lariat: return whether the group at the median of the nuclear cells is mine.

    With d the colour changes between terminals, the median is (d01 + d02 - d12) / 2 changes away from terminal 0.
    """
    changes = 0
    for start in range(2):
        first, second = bitboard.terminals[1 + start], bitboard.terminals[2]
        total = count_colour_changes(bitboard, mine, bitboard.terminals[start], first, second)
        changes = total if start == 0 else changes - (total >> 1)
    return (mine & bitboard.terminals[0] != 0) == ((changes >> 1) & 1 == 0)


@kernel
def count_colour_changes(bitboard: BitBoard, mine: int, start: int, first: int, second: int) -> int:
    """Return the sum of the colour changes on the paths from `start` to `first` and to `second`."""
    theirs = bitboard.claimable & ~mine
    is_mine = mine & start != 0
    reached = flood(bitboard, start, mine if is_mine else theirs)
    changes = 0
    while reached & first == 0 or reached & second == 0:
        changes += (1 if reached & first == 0 else 0) + (1 if reached & second == 0 else 0)
        is_mine = not is_mine
        reached = flood(bitboard, dilate(bitboard, reached), mine if is_mine else theirs)
    return changes
