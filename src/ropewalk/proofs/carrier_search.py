"""The search for carriers: depth-first proof-number search with must-play regions.

A node is a position and a mover. When a move is refuted, the refutation's carrier is a threat of the opponent's at this
node too: every other move outside of it loses as well. So the *region* of moves still to be tried is the intersection of
the carriers found so far. When it is empty the opponent wins, and the union of the carriers is the opponent's carrier.

A node that is not decided has two numbers: how hard it seems for the mover to win, and how hard to lose. The mover's
`win` is the least `loss` of a move; `loss` is the largest `win` of a move of the region (one refutation mostly takes
care of many moves, so they are not added up). The search follows the easiest move until it is no longer that.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bits import bit, bit_count, clear_lowest_bit, lowest_bit
from ..chance import Rng, next_u32
from ..kernels import kernel
from .carrier_field import Field, Masks, is_won
from .carrier_pairs import FAILS, Pairs, lacking, mirror_carrier, pairs_room, wins_by_pairs
from .carrier_table import (
    BLACK,
    DECIDED,
    MISSING,
    MOVE_SHIFT,
    WINNER,
    Hashes,
    Table,
    keep,
    move_recalled,
    place_of,
    recalled,
)

ENTER, NEXT, RETURN, DONE = range(4)  # what to do at the current level
LEVEL, PHASE, RESULT, CARRIER, NODES, SOURCE = range(6)  # of `numbers`
SOURCES = 1 << 7  # a source is SOURCES * (BY_SEARCH, BY_PAIRS or BY_MIRROR + number) + the winner's cell or NO_STONE
BY_SEARCH, BY_PAIRS, BY_MIRROR = range(3)
NO_STONE = 64
UNDECIDED = -1
SAMPLES = 32
HARDEST = 1 << 40


class Stack(NamedTuple):
    """The path from the root to the current node, a line a level; searching goes on where it stopped."""

    black: Masks
    white: Masks
    mover: NDArray[np.int64]
    region: Masks  # moves still to be tried
    move: NDArray[np.int64]  # the cell being tried
    known: NDArray[np.int64]  # how many threats
    begun: NDArray[np.int64]  # nodes before this one
    most_win: NDArray[np.int64]  # the search goes back when a number reaches its limit
    most_loss: NDArray[np.int64]
    threats: NDArray[np.int64]  # [levels, threats]: carriers of the opponent
    sources: NDArray[np.int64]  # [levels, threats]: where each threat comes from, BY_PAIRS and so on, and a cell
    wins: NDArray[np.int64]  # [levels, cells]: numbers of the position after each move
    losses: NDArray[np.int64]
    hashes: NDArray[np.int64]  # [levels, symmetries]
    numbers: NDArray[np.int64]  # LEVEL, PHASE, RESULT, CARRIER, NODES, SOURCE
    pairs: Pairs


def stack_for(field: Field) -> Stack:
    """Room for a path down to the full board."""
    levels, symmetries = field.cells + 2, len(field.images)
    threats = 3 * field.cells + len(field.fixed)

    def room(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return Stack(
        black=room(levels),
        white=room(levels),
        mover=room(levels),
        region=room(levels),
        move=room(levels),
        known=room(levels),
        begun=room(levels),
        most_win=room(levels),
        most_loss=room(levels),
        threats=room(levels, threats),
        sources=room(levels, threats),
        wins=room(levels, field.cells),
        losses=room(levels, field.cells),
        hashes=room(levels, symmetries),
        numbers=room(6),
        pairs=pairs_room(),
    )


@kernel
def begin(field: Field, stack: Stack, black: int, white: int, mover: int) -> None:
    """Put a root on the stack."""
    stack.black[0], stack.white[0], stack.mover[0] = black, white, mover
    stack.most_win[0], stack.most_loss[0] = HARDEST, HARDEST
    hash_position(field, black, white, mover, stack.hashes[0])
    stack.numbers[LEVEL] = 0
    stack.numbers[PHASE] = ENTER


@kernel
def hash_position(field: Field, black: int, white: int, mover: int, hashes: Hashes) -> None:
    """The hashes of a position and its images."""
    for symmetry in range(len(field.images)):
        found = field.keys[2, symmetry, 0] if mover == BLACK else 0
        for cell in range(field.cells):
            if black & bit(cell) != 0:
                found ^= field.keys[0, symmetry, cell]
            elif white & bit(cell) != 0:
                found ^= field.keys[1, symmetry, cell]
        hashes[symmetry] = found


@kernel
def search(field: Field, stack: Stack, table: Table, rng: Rng, nodes: int) -> bool:
    """Search so many nodes more; whether the root is decided. Its winner and carrier are in `numbers`."""
    numbers = stack.numbers
    last = numbers[NODES] + nodes
    while numbers[PHASE] != DONE and numbers[NODES] < last:
        if numbers[PHASE] == ENTER:
            enter(field, stack, table, rng)
        elif numbers[PHASE] == NEXT:
            try_next(field, stack, table)
        else:
            go_back(field, stack, table)
    return numbers[PHASE] == DONE


@kernel
def decide(stack: Stack, winner: int, carrier: int, origin: int) -> None:
    """The current node is decided."""
    stack.numbers[SOURCE] = origin
    stack.numbers[PHASE] = RETURN
    stack.numbers[RESULT] = winner
    stack.numbers[CARRIER] = carrier


@kernel
def enter(field: Field, stack: Stack, table: Table, rng: Rng) -> None:
    """Look at a new node: decided at a glance, known already, or to be searched."""
    level = stack.numbers[LEVEL]
    stack.numbers[NODES] += 1
    stack.begun[level] = stack.numbers[NODES]
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    stack.known[level] = 0
    stack.region[level] = field.live & ~(black | white)
    mine, theirs = (black, white) if mover == BLACK else (white, black)
    if glance(field, stack, level, mine, theirs):
        return
    place = place_of(field, table, black, white, mover, stack.hashes[level])
    if place != MISSING and table.notes[place] & DECIDED:
        winner = 1 if table.notes[place] & WINNER else 0
        move = move_recalled(field, table, place, stack.hashes[level])
        decide(stack, winner, recalled(field, table, place, stack.hashes[level]), move)
        return
    weigh(field, stack, level, mine, theirs, rng)
    recall_moves(field, stack, table, level)
    if stack.numbers[PHASE] == ENTER:
        stack.numbers[PHASE] = NEXT


@kernel
def glance(field: Field, stack: Stack, level: int, mine: int, theirs: int) -> bool:
    """Look for wins of the mover with one stone, and for threats against the mover; whether that decides the node."""
    mover = stack.mover[level]
    for mirror in range(len(field.fixed)):
        origin = SOURCES * (BY_MIRROR + mirror)
        lack = lacking(field, mirror, mine, theirs)
        if lack != FAILS and bit_count(lack) < 2:
            decide(stack, mover, mirror_carrier(field, mirror, mine | lack) | lack, origin + cell_of(lack))
            return True
        lack = lacking(field, mirror, theirs, mine)
        if lack != FAILS and bit_count(lack) < 2:
            carrier = mirror_carrier(field, mirror, theirs | lack) | lack
            add_threat(stack, level, carrier, origin + cell_of(lack))
            if lack == 0:
                decide(stack, 1 - mover, carrier, origin + NO_STONE)
                return True
    empty = field.live & ~(mine | theirs)
    for side in range(2):  # the mover with one stone; the opponent with none, then with one
        stones = mine if side == 0 else theirs
        left = empty
        stone = left & -left if side == 0 else 0
        while left != 0:
            left &= ~stone
            needed = wins_by_pairs(field, stack.pairs, stones | stone, empty & ~stone)
            if needed != FAILS:
                origin = SOURCES * BY_PAIRS + cell_of(stone)
                if side == 0 or stone == 0:
                    decide(stack, mover if side == 0 else 1 - mover, needed | stone, origin)
                    return True
                add_threat(stack, level, needed | stone, origin)
            stone = left & -left
    if stack.region[level] == 0:
        decide(stack, 1 - mover, union_of_threats(stack, level), NO_STONE)
        return True
    return False


@kernel
def cell_of(stone: int) -> int:
    """The cell of a mask of at most one."""
    return NO_STONE if stone == 0 else lowest_bit(stone)


@kernel
def add_threat(stack: Stack, level: int, carrier: int, origin: int) -> None:
    """The opponent wins unless the mover plays inside this carrier; one that says nothing new is passed over."""
    if stack.region[level] & carrier == stack.region[level]:
        return
    stack.threats[level, stack.known[level]] = carrier
    stack.sources[level, stack.known[level]] = origin
    stack.known[level] += 1
    stack.region[level] &= carrier


@kernel
def weigh(field: Field, stack: Stack, level: int, mine: int, theirs: int, rng: Rng) -> None:
    """Guess the numbers after each move from how often its owner wins when the empty cells are filled at random."""
    empty = field.board & ~(mine | theirs)
    agreed = stack.wins[level]  # boards where the cell's owner wins, for now
    agreed[:] = 0
    won = 0
    for _ in range(SAMPLES):
        filled = mine | (empty & (((next_u32(rng) & 0x7FFFFFFF) << 32) | next_u32(rng)))
        is_mine = is_won(field, filled)
        won += 1 if is_mine else 0
        left = empty & (filled if is_mine else ~filled)
        while left != 0:
            agreed[lowest_bit(left)] += 1
            left = clear_lowest_bit(left)
    left = stack.region[level]
    while left != 0:
        cell = lowest_bit(left)
        left = clear_lowest_bit(left)
        chance = min(max((won + agreed[cell]) / SAMPLES - 0.5, 0.01), 0.99)  # that the mover wins with this cell
        stack.wins[level, cell] = max(1, int(4 * chance / (1 - chance)))
        stack.losses[level, cell] = max(1, int(4 * (1 - chance) / chance))


@kernel
def set_child(field: Field, stack: Stack, level: int, cell: int) -> None:
    """Put the position after a move on the next level."""
    mover = stack.mover[level]
    stack.black[level + 1] = stack.black[level] | (bit(cell) if mover == BLACK else 0)
    stack.white[level + 1] = stack.white[level] | (0 if mover == BLACK else bit(cell))
    stack.mover[level + 1] = 1 - mover
    for symmetry in range(len(field.images)):
        change = field.keys[2, symmetry, 0] ^ field.keys[mover, symmetry, cell]
        stack.hashes[level + 1, symmetry] = stack.hashes[level, symmetry] ^ change


@kernel
def recall_moves(field: Field, stack: Stack, table: Table, level: int) -> None:
    """Look up the position after each move; one of them may decide the node."""
    mover = stack.mover[level]
    left = stack.region[level]
    while left != 0:
        cell = lowest_bit(left)
        left = clear_lowest_bit(left)
        set_child(field, stack, level, cell)
        hashes = stack.hashes[level + 1]
        place = place_of(field, table, stack.black[level + 1], stack.white[level + 1], 1 - mover, hashes)
        if place == MISSING:
            continue
        note, value = table.notes[place], table.values[place]
        if note & DECIDED == 0:
            stack.wins[level, cell], stack.losses[level, cell] = value >> 31, value & (2**31 - 1)
        elif (1 if note & WINNER else 0) == mover:
            stack.move[level] = cell
            settle(field, stack, table, level, mover, recalled(field, table, place, hashes) | bit(cell))
            return
        else:
            add_threat(stack, level, recalled(field, table, place, hashes), cell)
            left &= stack.region[level]


@kernel
def try_next(field: Field, stack: Stack, table: Table) -> None:
    """Follow the easiest move of the region; go back when the node is decided, or harder than was thought."""
    level = stack.numbers[LEVEL]
    if stack.region[level] == 0:
        settle(field, stack, table, level, 1 - stack.mover[level], union_of_threats(stack, level))
        return
    best, least, second, largest = best_move(stack, level)
    others = bit_count(stack.region[level]) - 1
    if least >= stack.most_win[level] or largest + others >= stack.most_loss[level]:
        give_up(field, stack, table, level, least, largest + others)
        return
    stack.move[level] = best
    set_child(field, stack, level, best)
    stack.most_win[level + 1] = stack.most_loss[level] - others
    stack.most_loss[level + 1] = min(stack.most_win[level], second + (second >> 2) + 1)
    stack.numbers[LEVEL] = level + 1
    stack.numbers[PHASE] = ENTER


@kernel
def best_move(stack: Stack, level: int) -> tuple[int, int, int, int]:
    """The easiest move, its number and the next one's, and the number of the move that is hardest to refute."""
    best, least, second, largest = 0, HARDEST, HARDEST, 0
    left = stack.region[level]
    while left != 0:
        cell = lowest_bit(left)
        left = clear_lowest_bit(left)
        largest = max(largest, stack.wins[level, cell])
        loss = stack.losses[level, cell]
        if loss < least:
            best, least, second = cell, loss, least
        elif loss < second:
            second = loss
    return best, least, second, largest


@kernel
def settle(field: Field, stack: Stack, table: Table, level: int, winner: int, carrier: int) -> None:
    """Keep what was found out about a searched node."""
    work = stack.numbers[NODES] - stack.begun[level] + 1
    verdict = DECIDED | winner * WINNER | (stack.move[level] << MOVE_SHIFT if winner == stack.mover[level] else 0)
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    keep(field, table, black, white, mover, stack.hashes[level], carrier, verdict, work)
    decide(stack, winner, carrier, stack.move[level])


@kernel
def give_up(field: Field, stack: Stack, table: Table, level: int, win: int, loss: int) -> None:
    """Go back with the numbers of a node that is not decided."""
    limit = 2**31 - 1
    work = stack.numbers[NODES] - stack.begun[level] + 1
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    value = (min(win, limit) << 31) | min(loss, limit)
    keep(field, table, black, white, mover, stack.hashes[level], value, 0, work)
    decide(stack, UNDECIDED, value, NO_STONE)


@kernel
def union_of_threats(stack: Stack, level: int) -> int:
    """The opponent's carrier: threats that have no cell in common, without those that are not needed for that."""
    threats, count = stack.threats[level], stack.known[level]
    kept = count
    for candidate in range(count - 1, -1, -1):
        common = -1
        for other in range(kept):
            if other != candidate:
                common &= threats[other]
        if common == 0:  # the others do without it
            kept -= 1
            threats[candidate] = threats[kept]
            stack.sources[level, candidate] = stack.sources[level, kept]
    stack.known[level] = kept
    union = 0
    for threat in range(kept):
        union |= threats[threat]
    return union


@kernel
def go_back(field: Field, stack: Stack, table: Table) -> None:
    """Take a node's result to its parent."""
    level = stack.numbers[LEVEL] - 1
    winner, value = stack.numbers[RESULT], stack.numbers[CARRIER]
    if level < 0:
        stack.numbers[PHASE] = DONE
        return
    stack.numbers[LEVEL] = level
    stack.numbers[PHASE] = NEXT
    move = stack.move[level]
    if winner == UNDECIDED:
        stack.wins[level, move], stack.losses[level, move] = value >> 31, value & (2**31 - 1)
    elif winner == stack.mover[level]:
        settle(field, stack, table, level, winner, value | bit(move))
    else:
        add_threat(stack, level, value, move)


@kernel
def recall_refutations(field: Field, stack: Stack, table: Table, carriers: Masks) -> None:
    """For the root, the carriers with which the table refutes moves, FAILS for those that it does not know."""
    for cell in range(field.cells):
        carriers[cell] = FAILS
        if field.board & ~(stack.black[0] | stack.white[0]) & bit(cell) == 0:
            continue
        set_child(field, stack, 0, cell)
        hashes = stack.hashes[1]
        place = place_of(field, table, stack.black[1], stack.white[1], stack.mover[1], hashes)
        if place != MISSING and table.notes[place] & DECIDED:
            winner = 1 if table.notes[place] & WINNER else 0
            if winner != stack.mover[0]:
                carriers[cell] = recalled(field, table, place, hashes)
