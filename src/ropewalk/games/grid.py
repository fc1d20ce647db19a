"""Moves in directions on boards of squares: their texts, and where a symmetry takes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board

FILES = "zabcdefghijk"  # z is the file left of a, as rank 0 lies below rank 1
OFFSETS = {"N": (0, 1), "NE": (1, 1), "E": (1, 0), "SE": (1, -1), "S": (0, -1), "SW": (-1, -1), "W": (-1, 0), "NW": (-1, 1)}


def beyond_name(board: Board, cell: int, direction: int) -> str:
    """The name of the square next to a cell, also one step off the board, so that every move id has a text."""
    across, up = OFFSETS[board.directions[direction]]
    file, rank = FILES.index(board.names[cell][0]), int(board.names[cell][1:])
    return f"{FILES[file + across]}{rank + up}"


def direction_moves(board: Board, mark: str) -> list[str]:
    """The texts of moves from every cell in every direction, direction by direction."""
    return [
        f"{name}{mark}{beyond_name(board, cell, direction)}"
        for direction in range(len(board.directions))
        for cell, name in enumerate(board.names)
    ]


def turned_directions(board: Board, cells: NDArray[np.int16]) -> list[int]:
    """Where a symmetry takes each direction, read off a cell with neighbours all round."""
    middle = int(np.argmax(board.degrees))
    around = board.neighbours[cells[middle]].tolist()
    return [around.index(int(cells[neighbour])) for neighbour in board.neighbours[middle] if neighbour != NO_CELL]


def turned_moves(board: Board, cells: NDArray[np.int16], kinds: Sequence[bool], others: int) -> NDArray[np.int16]:
    """Where a symmetry takes each move id: kinds with directions (True) or of a cell alone, then moves without a cell."""
    directions = turned_directions(board, cells)
    images: list[int] = []
    first = 0
    for directed in kinds:
        turned = directions if directed else [0]
        images += [(first + kind) * len(board) + int(cell) for kind in turned for cell in cells]
        first += len(turned)
    return np.array([*images, *range(len(images), len(images) + others)], np.int16)
