"""Transposition table of the carrier search.

A position is stored as the image with the smallest hash and compared stone by stone. A solved entry has the winner, the
winner's carrier and, if the mover wins, a winning move; an unsolved entry has its two proof numbers. The four columns are
64-bit words; `metadata` packs flags, the move, a hash tag and the effort.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ...jit.intrinsics import bit, clear_lowest_bit, highest_bit, lowest_bit
from ...jit.kernel import kernel, to_int64
from .bitboard import BitBoard, Masks

BLACK, WHITE = 0, 1  # colours, as movers and winners
BUCKET_SIZE = 4  # slots in which a position may be stored
ENTRY_BYTES = 4 * 8
NOT_FOUND = -1
MOVER_BIT, WINNER_BIT, USED_BIT, SOLVED_BIT = 1, 2, 4, 8  # flags of the metadata
MOVE_SHIFT, HASH_SHIFT, EFFORT_SHIFT = 4, 10, 36  # the other fields of the metadata
HASH_MASK = ((1 << (EFFORT_SHIFT - HASH_SHIFT)) - 1) << HASH_SHIFT
MAX_EFFORT = (1 << 26) - 1
NO_MOVE = 0

Hashes: TypeAlias = NDArray[np.int64]  # [symmetries]


class CarrierTable(NamedTuple):
    """Columns of the table, a power of two of slots; a slot with metadata 0 is free."""

    black: Masks
    white: Masks
    values: NDArray[np.int64]  # the carrier, or the packed proof numbers
    metadata: NDArray[np.int64]


def allocate_table(memory_bytes: int) -> CarrierTable:
    """Return the largest empty table that fits into `memory_bytes`, and at least 1024 slots."""
    num_slots = 1 << max(10, highest_bit(memory_bytes // ENTRY_BYTES))
    return CarrierTable(*(np.zeros(num_slots, np.int64) for _ in range(4)))


@kernel
def canonical_symmetry(hashes: Hashes) -> int:
    """Return the symmetry whose image has the smallest hash."""
    best = 0
    for symmetry in range(1, len(hashes)):
        if hashes[symmetry] < hashes[best]:
            best = symmetry
    return best


@kernel
def apply_symmetry(bitboard: BitBoard, symmetry: int, cells: int) -> int:
    """Return the image of a mask."""
    image = 0
    while cells != 0:
        image |= bit(bitboard.images[symmetry, lowest_bit(cells)])
        cells = clear_lowest_bit(cells)
    return image


@kernel
def invert_symmetry(bitboard: BitBoard, symmetry: int, cells: int) -> int:
    """Return the mask whose image is `cells`."""
    preimage = 0
    for cell in range(bitboard.num_cells):
        if cells & bit(bitboard.images[symmetry, cell]) != 0:
            preimage |= bit(cell)
    return preimage


@kernel
def hash_tag(hash_value: int) -> int:
    """Return the bits of a hash that are stored in the metadata, in their place."""
    return (hash_value >> 20) & HASH_MASK


@kernel
def find_slot(bitboard: BitBoard, table: CarrierTable, black: int, white: int, mover: int, hashes: Hashes) -> int:
    """Return the slot of a position, or NOT_FOUND."""
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
    """Write a position's entry in place of its own, or of the one in its bucket with the least effort.

    `value` is a carrier or packed proof numbers. `result_bits` is SOLVED_BIT with the winner and the move, or 0.
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
    """Return the carrier of a solved entry, in the orientation of the position with these hashes."""
    return invert_symmetry(bitboard, canonical_symmetry(hashes), table.values[slot])


@kernel
def stored_move(bitboard: BitBoard, table: CarrierTable, slot: int, hashes: Hashes) -> int:
    """Return the winning move of an entry that its mover wins; NO_MOVE if it has none."""
    symmetry, move = canonical_symmetry(hashes), (table.metadata[slot] >> MOVE_SHIFT) & 63
    for cell in range(bitboard.num_cells):
        if bitboard.images[symmetry, cell] == move:
            return cell
    return NO_MOVE
