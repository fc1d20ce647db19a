"""What the carrier solver has found out: a table of positions, decided or with an estimate of the work left.

A position is kept in whichever of its mirror images has the smallest hash, and compared stone by stone. A decided one
has its winner, the winner's carrier and move; another one has its two proof numbers.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import bit, clear_lowest_bit, highest_bit, lowest_bit
from ..kernels import kernel, to_int64
from .carrier_field import Field, Masks

BLACK, WHITE = 0, 1  # colours, as movers and winners
BUCKET = 4  # places where a position may be kept
ENTRY = 4 * 8  # bytes
MISSING = -1
MOVER, WINNER, USED, DECIDED = 1, 2, 4, 8  # bits of a note; then the move, part of the hash, and the work
MOVE_SHIFT, HASH_SHIFT, WORK_SHIFT = 4, 10, 36
HASH_BITS = ((1 << (WORK_SHIFT - HASH_SHIFT)) - 1) << HASH_SHIFT
MOST_WORK = (1 << 26) - 1
NO_MOVE = 0

Hashes: TypeAlias = NDArray[np.int64]  # [symmetries]


class Table(NamedTuple):
    """Columns of a hash table; a place whose `notes` is 0 is free."""

    black: Masks
    white: Masks
    values: NDArray[np.int64]  # the carrier, or the proof numbers
    notes: NDArray[np.int64]


def table_of(memory: int) -> Table:
    """As large a table as fits, a power of two."""
    places = 1 << max(10, highest_bit(memory // ENTRY))
    return Table(*(np.zeros(places, np.int64) for _ in range(4)))


@kernel
def smallest(hashes: Hashes) -> int:
    """The symmetry whose image has the smallest hash."""
    best = 0
    for symmetry in range(1, len(hashes)):
        if hashes[symmetry] < hashes[best]:
            best = symmetry
    return best


@kernel
def image(field: Field, symmetry: int, cells: int) -> int:
    """A set of cells under a symmetry."""
    found = 0
    while cells != 0:
        found |= bit(field.images[symmetry, lowest_bit(cells)])
        cells = clear_lowest_bit(cells)
    return found


@kernel
def source(field: Field, symmetry: int, cells: int) -> int:
    """The set of cells whose image is this one."""
    found = 0
    for cell in range(field.cells):
        if cells & bit(field.images[symmetry, cell]) != 0:
            found |= bit(cell)
    return found


@kernel
def hash_note(hashed: int) -> int:
    """The part of a hash that a note keeps."""
    return (hashed >> 20) & HASH_BITS


@kernel
def place_of(field: Field, table: Table, black: int, white: int, mover: int, hashes: Hashes) -> int:
    """Where a position is kept, MISSING when it is not."""
    symmetry = smallest(hashes)
    wanted = hash_note(hashes[symmetry]) | USED | mover
    first = hashes[symmetry] & (len(table.notes) - BUCKET)
    for place in range(first, first + BUCKET):
        if table.notes[place] & (HASH_BITS | USED | MOVER) == wanted:
            same_black = table.black[place] == image(field, symmetry, black)
            if same_black and table.white[place] == image(field, symmetry, white):
                return place
    return MISSING


@kernel
def keep(
    field: Field, table: Table, black: int, white: int, mover: int, hashes: Hashes, value: int, verdict: int, work: int
) -> None:
    """Write what is known of a position in place of itself, or of what was least work in its bucket.

    `verdict` is DECIDED with the WINNER bit and the move, or 0.
    """
    place = place_of(field, table, black, white, mover, hashes)
    symmetry = smallest(hashes)
    if place == MISSING:
        place = hashes[symmetry] & (len(table.notes) - BUCKET)
        for other in range(place + 1, place + BUCKET):
            if table.notes[other] >> WORK_SHIFT < table.notes[place] >> WORK_SHIFT:
                place = other
        table.black[place], table.white[place] = image(field, symmetry, black), image(field, symmetry, white)
    else:
        work += table.notes[place] >> WORK_SHIFT
    if verdict & DECIDED:
        value = image(field, symmetry, value)
        move = to_int64(field.images[symmetry, (verdict >> MOVE_SHIFT) & 63])
        verdict = verdict & (DECIDED | WINNER) | move << MOVE_SHIFT
    table.values[place] = value
    table.notes[place] = min(work, MOST_WORK) << WORK_SHIFT | hash_note(hashes[symmetry]) | verdict | USED | mover


@kernel
def recalled(field: Field, table: Table, place: int, hashes: Hashes) -> int:
    """The carrier of a decided position."""
    return source(field, smallest(hashes), table.values[place])


@kernel
def move_recalled(field: Field, table: Table, place: int, hashes: Hashes) -> int:
    """The winner's move in a position that its mover wins."""
    symmetry, move = smallest(hashes), (table.notes[place] >> MOVE_SHIFT) & 63
    for cell in range(field.cells):
        if field.images[symmetry, cell] == move:
            return cell
    return NO_MOVE
