"""What the carrier solver has found out: a table of positions, decided or with an estimate of the work left.

A position is kept in whichever of its mirror images has the smallest hash, and compared stone by stone. A decided one
has its winner, the winner's carrier and move; another one has its two proof numbers.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...jit.intrinsics import bit, clear_lowest_bit, highest_bit, lowest_bit
from ...jit.kernel import kernel, to_int64
from .bitboard import BitBoard, Masks

BLACK, WHITE = 0, 1  # colours, as movers and winners
BUCKET_SIZE = 4  # places where a position may be kept
ENTRY_BYTES = 4 * 8  # bytes
NOT_FOUND = -1
MOVER_BIT, WINNER_BIT, USED_BIT, SOLVED_BIT = 1, 2, 4, 8  # bits of a note; then the move, part of the hash, and the work
MOVE_SHIFT, HASH_SHIFT, EFFORT_SHIFT = 4, 10, 36
HASH_MASK = ((1 << (EFFORT_SHIFT - HASH_SHIFT)) - 1) << HASH_SHIFT
MAX_EFFORT = (1 << 26) - 1
NO_MOVE = 0

Hashes: TypeAlias = NDArray[np.int64]  # [symmetries]


class CarrierTable(NamedTuple):
    """Columns of a hash table; a place whose `notes` is 0 is free."""

    black: Masks
    white: Masks
    values: NDArray[np.int64]  # the carrier, or the proof numbers
    metadata: NDArray[np.int64]


def allocate_table(memory_bytes: int) -> CarrierTable:
    """As large a table as fits, a power of two."""
    num_slots = 1 << max(10, highest_bit(memory_bytes // ENTRY_BYTES))
    return CarrierTable(*(np.zeros(num_slots, np.int64) for _ in range(4)))


@kernel
def canonical_symmetry(hashes: Hashes) -> int:
    """The symmetry whose image has the smallest hash."""
    best = 0
    for symmetry in range(1, len(hashes)):
        if hashes[symmetry] < hashes[best]:
            best = symmetry
    return best


@kernel
def apply_symmetry(bitboard: BitBoard, symmetry: int, cells: int) -> int:
    """A set of cells under a symmetry."""
    image = 0
    while cells != 0:
        image |= bit(bitboard.images[symmetry, lowest_bit(cells)])
        cells = clear_lowest_bit(cells)
    return image


@kernel
def invert_symmetry(bitboard: BitBoard, symmetry: int, cells: int) -> int:
    """The set of cells whose image is this one."""
    preimage = 0
    for cell in range(bitboard.num_cells):
        if cells & bit(bitboard.images[symmetry, cell]) != 0:
            preimage |= bit(cell)
    return preimage


@kernel
def hash_tag(hash_value: int) -> int:
    """The part of a hash that a note keeps."""
    return (hash_value >> 20) & HASH_MASK


@kernel
def find_slot(bitboard: BitBoard, table: CarrierTable, black: int, white: int, mover: int, hashes: Hashes) -> int:
    """Where a position is kept, MISSING when it is not."""
    symmetry = canonical_symmetry(hashes)
    expected = hash_tag(hashes[symmetry]) | USED_BIT | mover
    bucket_begin = hashes[symmetry] & (len(table.metadata) - BUCKET_SIZE)
    for slot in range(bucket_begin, bucket_begin + BUCKET_SIZE):
        if table.metadata[slot] & (HASH_MASK | USED_BIT | MOVER_BIT) == expected:
            same_black = table.black[slot] == apply_symmetry(bitboard, symmetry, black)
            if same_black and table.white[slot] == apply_symmetry(bitboard, symmetry, white):
                return slot
    return NOT_FOUND


@kernel
def store_entry(
    bitboard: BitBoard,
    table: CarrierTable,
    black: int,
    white: int,
    mover: int,
    hashes: Hashes,
    value: int,
    result_bits: int,
    effort: int,
) -> None:
    """Write what is known of a position in place of itself, or of what was least work in its bucket.

    `verdict` is DECIDED with the WINNER bit and the move, or 0.
    """
    slot = find_slot(bitboard, table, black, white, mover, hashes)
    symmetry = canonical_symmetry(hashes)
    if slot == NOT_FOUND:
        slot = hashes[symmetry] & (len(table.metadata) - BUCKET_SIZE)
        for other in range(slot + 1, slot + BUCKET_SIZE):
            if table.metadata[other] >> EFFORT_SHIFT < table.metadata[slot] >> EFFORT_SHIFT:
                slot = other
        table.black[slot], table.white[slot] = (
            apply_symmetry(bitboard, symmetry, black),
            apply_symmetry(bitboard, symmetry, white),
        )
    else:
        effort += table.metadata[slot] >> EFFORT_SHIFT
    if result_bits & SOLVED_BIT:
        value = apply_symmetry(bitboard, symmetry, value)
        move = to_int64(bitboard.images[symmetry, (result_bits >> MOVE_SHIFT) & 63])
        result_bits = result_bits & (SOLVED_BIT | WINNER_BIT) | move << MOVE_SHIFT
    table.values[slot] = value
    table.metadata[slot] = (
        min(effort, MAX_EFFORT) << EFFORT_SHIFT | hash_tag(hashes[symmetry]) | result_bits | USED_BIT | mover
    )


@kernel
def stored_carrier(bitboard: BitBoard, table: CarrierTable, slot: int, hashes: Hashes) -> int:
    """The carrier of a decided position."""
    return invert_symmetry(bitboard, canonical_symmetry(hashes), table.values[slot])


@kernel
def stored_move(bitboard: BitBoard, table: CarrierTable, slot: int, hashes: Hashes) -> int:
    """The winner's move in a position that its mover wins."""
    symmetry, move = canonical_symmetry(hashes), (table.metadata[slot] >> MOVE_SHIFT) & 63
    for cell in range(bitboard.num_cells):
        if bitboard.images[symmetry, cell] == move:
            return cell
    return NO_MOVE
