"""Neighbours in slots, names and sizes: what the makers of all boards share."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Cells: TypeAlias = NDArray[np.int16]

NO_CELL = -1


def pad_neighbours(neighbours: Sequence[Sequence[int]]) -> Cells:
    """Lists of neighbours as one read-only array [cells, slots], short ones padded with NO_CELL."""
    num_columns = max(map(len, neighbours))
    padded = [[*cells, *[NO_CELL] * (num_columns - len(cells))] for cells in neighbours]
    array = np.array(padded, dtype=np.int16)
    array.setflags(write=False)
    return array


def column_letters(index: int) -> str:
    """Count in letters: a .. z for 0 .. 25, then aa, ab and so on."""
    quotient, remainder = divmod(index, 26)
    return (column_letters(quotient - 1) if quotient else "") + chr(ord("a") + remainder)


def check_size(name: str, size: int, allowed: range) -> None:
    """Refuse a size outside `sizes`, naming the limits."""
    if size not in allowed:
        steps = f" in steps of {allowed.step}" if allowed.step > 1 else ""
        raise ValueError(f"{name} must be {allowed[0]} to {allowed[-1]}{steps}, not {size}")
