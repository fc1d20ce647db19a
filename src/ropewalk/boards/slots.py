"""Neighbours in slots, names and sizes: what the makers of all boards share."""

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Cells: TypeAlias = NDArray[np.int16]

NO_CELL = -1


def in_slots(neighbours: Sequence[Sequence[int]]) -> Cells:
    """Lists of neighbours as one read-only array [cells, slots], short ones padded with NO_CELL."""
    slots = max(map(len, neighbours))
    padded = [[*cells, *[NO_CELL] * (slots - len(cells))] for cells in neighbours]
    array = np.array(padded, dtype=np.int16)
    array.setflags(write=False)
    return array


def letter(number: int) -> str:
    """Count in letters: a .. z for 0 .. 25, then aa, ab and so on."""
    before, last = divmod(number, 26)
    return (letter(before - 1) if before else "") + chr(ord("a") + last)


def check_size(what: str, size: int, sizes: range) -> None:
    """Refuse a size outside `sizes`, naming the limits."""
    if size not in sizes:
        steps = f" in steps of {sizes.step}" if sizes.step > 1 else ""
        raise ValueError(f"{what} must be {sizes[0]} to {sizes[-1]}{steps}, not {size}")
