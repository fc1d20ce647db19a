"""How hard a position is to prove and to disprove, and a bounded table that remembers it.

A proof number estimates how many positions are still to be proven before a seat is known to win, a disproof
number how many before it is known not to. Of many children, the hardest counts and one for each other that is open:
their sum would count what they have in common many times over.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel

ProofNumberTable: TypeAlias = NDArray[np.int64]  # [buckets, BUCKET, 4]: two hashes, numbers, positions searched for them

INFINITY = 1 << 30  # a number that cannot be brought down to 0
PROOF_SHIFT = 32
UNKNOWN = 0  # in place of numbers: none of the two is 0 unless the other is NEVER
PROVEN = INFINITY  # numbers 0 and NEVER
DISPROVEN = INFINITY << PROOF_SHIFT
BUCKET_SIZE = 4
ENTRY_BYTES = 32
HASH_LO, HASH_HI, NUMBERS, EFFORT = range(4)


def allocate_table(memory_bytes: int) -> ProofNumberTable:
    """An empty table of at most so many bytes."""
    return np.zeros((max(1, memory_bytes // (BUCKET_SIZE * ENTRY_BYTES)), BUCKET_SIZE, 4), np.int64)


@kernel
def pack(proof: int, disproof: int) -> int:
    """Both numbers in one."""
    return proof << PROOF_SHIFT | disproof


@kernel
def probe(table: ProofNumberTable, hash_lo: int, hash_hi: int) -> tuple[int, int]:
    """The numbers of a position and the work behind them, or UNKNOWN."""
    bucket = table[hash_lo % len(table)]
    for slot in range(BUCKET_SIZE):
        if bucket[slot, HASH_LO] == hash_lo and bucket[slot, HASH_HI] == hash_hi and bucket[slot, EFFORT] != 0:
            return bucket[slot, NUMBERS], bucket[slot, EFFORT]
    return UNKNOWN, 0


@kernel
def store(table: ProofNumberTable, hash_lo: int, hash_hi: int, numbers: int, effort: int) -> None:
    """Remember a position in the place of itself, or of the one in its bucket that took least work."""
    bucket = table[hash_lo % len(table)]
    target = 0
    for slot in range(BUCKET_SIZE):
        if bucket[slot, HASH_LO] == hash_lo and bucket[slot, HASH_HI] == hash_hi:
            target = slot
            effort += bucket[slot, EFFORT]
            break
        if bucket[slot, EFFORT] < bucket[target, EFFORT]:
            target = slot
    bucket[target, HASH_LO] = hash_lo
    bucket[target, HASH_HI] = hash_hi
    bucket[target, NUMBERS] = numbers
    bucket[target, EFFORT] = effort
