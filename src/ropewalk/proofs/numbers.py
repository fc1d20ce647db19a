"""How hard a position is to prove and to disprove, and a bounded table that remembers it.

A proof number estimates how many positions are still to be proven before a seat is known to win, a disproof
number how many before it is known not to. Of many children, the hardest counts and one for each other that is open:
their sum would count what they have in common many times over.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..kernels import kernel

Table: TypeAlias = NDArray[np.int64]  # [buckets, BUCKET, 4]: two hashes, numbers, positions searched for them

NEVER = 1 << 30  # a number that cannot be brought down to 0
SHIFT = 32
UNKNOWN = 0  # in place of numbers: none of the two is 0 unless the other is NEVER
PROVEN = NEVER  # numbers 0 and NEVER
DISPROVEN = NEVER << SHIFT
BUCKET = 4
ENTRY_BYTES = 32
ONE, TWO, NUMBERS, WORK = range(4)


def table_of(memory: int) -> Table:
    """An empty table of at most so many bytes."""
    return np.zeros((max(1, memory // (BUCKET * ENTRY_BYTES)), BUCKET, 4), np.int64)


@kernel
def packed(proof: int, disproof: int) -> int:
    """Both numbers in one."""
    return proof << SHIFT | disproof


@kernel
def recall(table: Table, one: int, two: int) -> tuple[int, int]:
    """The numbers of a position and the work behind them, or UNKNOWN."""
    bucket = table[one % len(table)]
    for slot in range(BUCKET):
        if bucket[slot, ONE] == one and bucket[slot, TWO] == two and bucket[slot, WORK] != 0:
            return bucket[slot, NUMBERS], bucket[slot, WORK]
    return UNKNOWN, 0


@kernel
def store(table: Table, one: int, two: int, numbers: int, work: int) -> None:
    """Remember a position in the place of itself, or of the one in its bucket that took least work."""
    bucket = table[one % len(table)]
    place = 0
    for slot in range(BUCKET):
        if bucket[slot, ONE] == one and bucket[slot, TWO] == two:
            place = slot
            work += bucket[slot, WORK]
            break
        if bucket[slot, WORK] < bucket[place, WORK]:
            place = slot
    bucket[place, ONE] = one
    bucket[place, TWO] = two
    bucket[place, NUMBERS] = numbers
    bucket[place, WORK] = work
