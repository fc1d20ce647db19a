"""Directional moves on boards of squares: texts, and images under symmetries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board

FILES = "zabcdefghijk"  # z is the file left of a, rank 0 the rank below 1
DIRECTION_OFFSETS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}


def adjacent_square_name(board: Board, cell: int, direction: int) -> str:
    """Return the name of the neighbour of a cell, even off the board, so that every move id has a text."""
    file_step, rank_step = DIRECTION_OFFSETS[board.directions[direction]]
    file, rank = FILES.index(board.names[cell][0]), int(board.names[cell][1:])
    return f"{FILES[file + file_step]}{rank + rank_step}"


def list_direction_moves(board: Board, separator: str) -> list[str]:
    """Return the texts of moves from every cell in every direction, direction by direction."""
    return [
        f"{name}{separator}{adjacent_square_name(board, cell, direction)}"
        for direction in range(len(board.directions))
        for cell, name in enumerate(board.names)
    ]


def symmetry_directions(board: Board, cells: NDArray[np.int16]) -> list[int]:
    """Return the image of each direction under a symmetry, read from a cell with all neighbours."""
    reference_cell = int(np.argmax(board.degrees))
    image_neighbours = board.neighbours[cells[reference_cell]].tolist()
    return [
        image_neighbours.index(int(cells[neighbour]))
        for neighbour in board.neighbours[reference_cell]
        if neighbour != NO_CELL
    ]


def symmetry_move_ids(
    board: Board, cells: NDArray[np.int16], directed_kinds: Sequence[bool], num_global_moves: int
) -> NDArray[np.int16]:
    """Return the image of each move id under a symmetry.

    `directed_kinds` says for each group of moves whether it has one kind for each direction or one kind in all; moves
    without a cell come last and are fixed.
    """
    direction_images = symmetry_directions(board, cells)
    images: list[int] = []
    first_kind = 0
    for directed in directed_kinds:
        kind_images = direction_images if directed else [0]
        images += [(first_kind + kind) * len(board) + int(cell) for kind in kind_images for cell in cells]
        first_kind += len(kind_images)
    return np.array([*images, *range(len(images), len(images) + num_global_moves)], np.int16)
