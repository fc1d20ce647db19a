"""The board of Lariat or Cube Lariat as the carrier solver sees it: sets of cells are the bits of one number.

On a full board the groups form a tree, linked where they touch. In Lariat the winner is the first group on the way from
the centre that reaches the edge; in Cube Lariat it is the group where the ways between the three nuclear cells meet.
Along these ways the colours alternate, so counting the changes of colour tells the winner.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import bit, to_signed64
from ..boards import NO_CELL, Board
from ..chance import zobrist_keys
from ..games.claiming import LariatFamilyGame
from ..kernels import kernel

MOST_CELLS = 64
BYTES = 8

Masks: TypeAlias = NDArray[np.int64]


class Field(NamedTuple):
    """What the kernels know of a board."""

    near: Masks  # [bytes, 256]: the cells in or beside those of a byte of a mask
    ends: Masks  # the centre, or each of the three nuclear cells
    edge: int  # the edge cells, none on a cube
    board: int  # the cells that may be claimed
    live: int  # those of them that can matter
    images: NDArray[np.int16]  # [symmetries, cells]: where each cell goes
    turned: NDArray[np.int64]  # [mirrors, bytes, 256]: where the cells of a byte of a mask go
    fixed: Masks  # [mirrors]: the cells that stay where they are
    keys: NDArray[np.int64]  # [3, symmetries, cells]: for hashing black stones, white stones, and the mover at cell 0
    cells: int


def field_of(game: LariatFamilyGame) -> Field:
    """The tables of a game's board."""
    board = game.board
    images = np.array([symmetry.cells for symmetry in game.symmetries], np.int16)
    mirrors = [cells for cells in images[1:].tolist() if is_mirror(cells)]
    ends = [*board.marked_cells.get("centre", ()), *board.marked_cells.get("nuclear", ())]
    return Field(
        near=byte_table(surroundings(board)),
        ends=np.array([bit(cell) for cell in ends], np.int64),
        edge=mask_of(board.marked_cells.get("edge", ())),
        board=mask_of(set(range(len(board))) - set(game.blocked_cells())),
        live=mask_of(set(range(len(board))) - set(game.blocked_cells()) - dead_cells(board)),
        images=images,
        turned=np.array([byte_table([1 << image for image in cells]) for cells in mirrors]),
        fixed=np.array([mask_of(cell for cell, image in enumerate(cells) if cell == image) for cells in mirrors]),
        keys=np.ascontiguousarray(zobrist_keys(5, (3, len(board)))[:, images]),
        cells=len(board),
    )


def mask_of(cells: Iterable[int]) -> int:
    """A set of cells as a mask."""
    return to_signed64(sum(1 << int(cell) for cell in cells))


def is_mirror(images: Sequence[int]) -> bool:
    """Whether a symmetry is undone by itself."""
    return all(images[image] == cell for cell, image in enumerate(images))


def surroundings(board: Board) -> list[int]:
    """Each cell and its neighbours."""
    rows = board.neighbours.tolist()
    return [1 << cell | sum(1 << other for other in row if other != NO_CELL) for cell, row in enumerate(rows)]


def dead_cells(board: Board) -> set[int]:
    """Cells without a mark whose neighbours all touch each other: no group needs them, for there is a shorter way."""
    marked = {cell for mark, cells in board.marked_cells.items() if mark != "corners" for cell in cells}
    around = [[other for other in row if other != NO_CELL] for row in board.neighbours.tolist()]
    return {
        cell
        for cell, others in enumerate(around)
        if cell not in marked and all(board.adjacent(one, other) for one, other in combinations(others, 2))
    }


def byte_table(of_cell: Sequence[int]) -> Masks:
    """[bytes, 256]: for each value of each byte of a mask, the union of what belongs to its cells."""
    table = np.zeros((BYTES, 256), np.int64)
    for byte in range(BYTES):
        for value in range(1, 256):
            cell = 8 * byte + (value & -value).bit_length() - 1
            own = of_cell[cell] if cell < len(of_cell) else 0
            table[byte, value] = to_signed64(own | int(table[byte, value & (value - 1)]))
    return table


@kernel
def looked_up(table: Masks, cells: int) -> int:
    """The union of what belongs to these cells."""
    found = table[0, cells & 255] | table[1, (cells >> 8) & 255] | table[2, (cells >> 16) & 255]
    found |= table[3, (cells >> 24) & 255] | table[4, (cells >> 32) & 255] | table[5, (cells >> 40) & 255]
    return found | table[6, (cells >> 48) & 255] | table[7, (cells >> 56) & 255]


@kernel
def grown(field: Field, cells: int) -> int:
    """These cells and their neighbours."""
    return looked_up(field.near, cells)


@kernel
def reach(field: Field, cells: int, within: int) -> int:
    """All that is connected with these cells inside `within`."""
    reached, before = cells, 0
    while reached != before:
        before = reached
        reached |= grown(field, reached) & within
    return reached


@kernel
def is_won(field: Field, mine: int) -> bool:
    """Whether I win the full board where I have these cells and the opponent has the rest."""
    if field.edge != 0:
        return first_at_edge(field, mine)
    return meeting_place(field, mine)


@kernel
def first_at_edge(field: Field, mine: int) -> bool:
    """Lariat: from the centre outwards, group after group, until one is at the edge."""
    rest = field.board & ~mine
    is_mine = mine & field.ends[0] != 0
    reached = reach(field, field.ends[0], mine if is_mine else rest)
    while reached & field.edge == 0:
        is_mine = not is_mine
        reached = reach(field, grown(field, reached), mine if is_mine else rest)
    return is_mine


@kernel
def meeting_place(field: Field, mine: int) -> bool:
    """Cube Lariat: to where the ways meet it is half of what two ways are longer than the third."""
    changes = 0
    for start in range(2):
        one, other = field.ends[1 + start], field.ends[2]
        both = changes_to_two(field, mine, field.ends[start], one, other)
        changes = both if start == 0 else changes - (both >> 1)
    return (mine & field.ends[0] != 0) == ((changes >> 1) & 1 == 0)


@kernel
def changes_to_two(field: Field, mine: int, start: int, one: int, other: int) -> int:
    """How often the colour changes on the ways from one cell to two others, added up."""
    rest = field.board & ~mine
    is_mine = mine & start != 0
    reached = reach(field, start, mine if is_mine else rest)
    changes = 0
    while reached & one == 0 or reached & other == 0:
        changes += (1 if reached & one == 0 else 0) + (1 if reached & other == 0 else 0)
        is_mine = not is_mine
        reached = reach(field, grown(field, reached), mine if is_mine else rest)
    return changes
