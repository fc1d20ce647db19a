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

from ...jit.intrinsics import bit, bit_count, clear_lowest_bit, lowest_bit
from ...jit.kernel import kernel
from ...jit.prng import Rng, next_u32
from .bitboard import BitBoard, Masks, is_won
from .static_wins import (
    NO_CARRIER,
    PairingScratch,
    allocate_pairing_scratch,
    missing_for_reflection,
    pairing_win,
    reflection_carrier,
)
from .table import (
    BLACK,
    MOVE_SHIFT,
    NOT_FOUND,
    SOLVED_BIT,
    WINNER_BIT,
    CarrierTable,
    Hashes,
    find_slot,
    store_entry,
    stored_carrier,
    stored_move,
)

ENTER, NEXT, RETURN, DONE = range(4)  # what to do at the current level
LEVEL, PHASE, RESULT, CARRIER, NODES, SOURCE = range(6)  # of `numbers`
SOURCE_BASE = 1 << 7  # a source is SOURCES * (BY_SEARCH, BY_PAIRS or BY_MIRROR + number) + the winner's cell or NO_STONE
BY_SEARCH, BY_PAIRING, BY_MIRROR = range(3)
NO_STONE = 64
UNSOLVED = -1
MONTE_CARLO_SAMPLES = 32
INFINITY = 1 << 40


class CarrierStack(NamedTuple):
    """The path from the root to the current node, a line a level; searching goes on where it stopped."""

    black: Masks
    white: Masks
    mover: NDArray[np.int64]
    must_play: Masks  # moves still to be tried
    move: NDArray[np.int64]  # the cell being tried
    num_threats: NDArray[np.int64]  # how many threats
    nodes_on_entry: NDArray[np.int64]  # nodes before this one
    win_threshold: NDArray[np.int64]  # the search goes back when a number reaches its limit
    loss_threshold: NDArray[np.int64]
    threats: NDArray[np.int64]  # [levels, threats]: carriers of the opponent
    sources: NDArray[np.int64]  # [levels, threats]: where each threat comes from, BY_PAIRS and so on, and a cell
    win_numbers: NDArray[np.int64]  # [levels, cells]: numbers of the position after each move
    loss_numbers: NDArray[np.int64]
    hashes: NDArray[np.int64]  # [levels, symmetries]
    registers: NDArray[np.int64]  # LEVEL, PHASE, RESULT, CARRIER, NODES, SOURCE
    pairing: PairingScratch


def allocate_stack(bitboard: BitBoard) -> CarrierStack:
    """Room for a path down to the full board."""
    num_levels, num_symmetries = bitboard.num_cells + 2, len(bitboard.images)
    max_threats = 3 * bitboard.num_cells + len(bitboard.fixed_cells)

    def zeros(*shape: int) -> NDArray[np.int64]:
        return np.zeros(shape, np.int64)

    return CarrierStack(
        black=zeros(num_levels),
        white=zeros(num_levels),
        mover=zeros(num_levels),
        must_play=zeros(num_levels),
        move=zeros(num_levels),
        num_threats=zeros(num_levels),
        nodes_on_entry=zeros(num_levels),
        win_threshold=zeros(num_levels),
        loss_threshold=zeros(num_levels),
        threats=zeros(num_levels, max_threats),
        sources=zeros(num_levels, max_threats),
        win_numbers=zeros(num_levels, bitboard.num_cells),
        loss_numbers=zeros(num_levels, bitboard.num_cells),
        hashes=zeros(num_levels, num_symmetries),
        registers=zeros(6),
        pairing=allocate_pairing_scratch(),
    )


@kernel
def set_root(bitboard: BitBoard, stack: CarrierStack, black: int, white: int, mover: int) -> None:
    """Put a root on the stack."""
    stack.black[0], stack.white[0], stack.mover[0] = black, white, mover
    stack.win_threshold[0], stack.loss_threshold[0] = INFINITY, INFINITY
    hash_position(bitboard, black, white, mover, stack.hashes[0])
    stack.registers[LEVEL] = 0
    stack.registers[PHASE] = ENTER


@kernel
def hash_position(bitboard: BitBoard, black: int, white: int, mover: int, hashes: Hashes) -> None:
    """The hashes of a position and its images."""
    for symmetry in range(len(bitboard.images)):
        key = bitboard.keys[2, symmetry, 0] if mover == BLACK else 0
        for cell in range(bitboard.num_cells):
            if black & bit(cell) != 0:
                key ^= bitboard.keys[0, symmetry, cell]
            elif white & bit(cell) != 0:
                key ^= bitboard.keys[1, symmetry, cell]
        hashes[symmetry] = key


@kernel
def search(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, rng: Rng, max_nodes: int) -> bool:
    """Search so many nodes more; whether the root is decided. Its winner and carrier are in `numbers`."""
    registers = stack.registers
    node_limit = registers[NODES] + max_nodes
    while registers[PHASE] != DONE and registers[NODES] < node_limit:
        if registers[PHASE] == ENTER:
            enter_node(bitboard, stack, table, rng)
        elif registers[PHASE] == NEXT:
            search_best_child(bitboard, stack, table)
        else:
            return_to_parent(bitboard, stack, table)
    return registers[PHASE] == DONE


@kernel
def set_result(stack: CarrierStack, winner: int, carrier: int, source: int) -> None:
    """The current node is decided."""
    stack.registers[SOURCE] = source
    stack.registers[PHASE] = RETURN
    stack.registers[RESULT] = winner
    stack.registers[CARRIER] = carrier


@kernel
def enter_node(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, rng: Rng) -> None:
    """Look at a new node: decided at a glance, known already, or to be searched."""
    level = stack.registers[LEVEL]
    stack.registers[NODES] += 1
    stack.nodes_on_entry[level] = stack.registers[NODES]
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    stack.num_threats[level] = 0
    stack.must_play[level] = bitboard.live & ~(black | white)
    mine, theirs = (black, white) if mover == BLACK else (white, black)
    if static_wins(bitboard, stack, level, mine, theirs):
        return
    slot = find_slot(bitboard, table, black, white, mover, stack.hashes[level])
    if slot != NOT_FOUND and table.metadata[slot] & SOLVED_BIT:
        winner = 1 if table.metadata[slot] & WINNER_BIT else 0
        move = stored_move(bitboard, table, slot, stack.hashes[level])
        set_result(stack, winner, stored_carrier(bitboard, table, slot, stack.hashes[level]), move)
        return
    monte_carlo_proof_numbers(bitboard, stack, level, mine, theirs, rng)
    probe_children(bitboard, stack, table, level)
    if stack.registers[PHASE] == ENTER:
        stack.registers[PHASE] = NEXT


@kernel
def static_wins(bitboard: BitBoard, stack: CarrierStack, level: int, mine: int, theirs: int) -> bool:
    """Look for wins of the mover with one stone, and for threats against the mover; whether that decides the node."""
    mover = stack.mover[level]
    for mirror in range(len(bitboard.fixed_cells)):
        source = SOURCE_BASE * (BY_MIRROR + mirror)
        missing = missing_for_reflection(bitboard, mirror, mine, theirs)
        if missing != NO_CARRIER and bit_count(missing) < 2:
            set_result(
                stack, mover, reflection_carrier(bitboard, mirror, mine | missing) | missing, source + single_cell(missing)
            )
            return True
        missing = missing_for_reflection(bitboard, mirror, theirs, mine)
        if missing != NO_CARRIER and bit_count(missing) < 2:
            carrier = reflection_carrier(bitboard, mirror, theirs | missing) | missing
            add_threat(stack, level, carrier, source + single_cell(missing))
            if missing == 0:
                set_result(stack, 1 - mover, carrier, source + NO_STONE)
                return True
    empty = bitboard.live & ~(mine | theirs)
    for side in range(2):  # the mover with one stone; the opponent with none, then with one
        stones = mine if side == 0 else theirs
        remaining = empty
        stone = remaining & -remaining if side == 0 else 0
        while remaining != 0:
            remaining &= ~stone
            pairing_carrier = pairing_win(bitboard, stack.pairing, stones | stone, empty & ~stone)
            if pairing_carrier != NO_CARRIER:
                source = SOURCE_BASE * BY_PAIRING + single_cell(stone)
                if side == 0 or stone == 0:
                    set_result(stack, mover if side == 0 else 1 - mover, pairing_carrier | stone, source)
                    return True
                add_threat(stack, level, pairing_carrier | stone, source)
            stone = remaining & -remaining
    if stack.must_play[level] == 0:
        set_result(stack, 1 - mover, union_of_threats(stack, level), NO_STONE)
        return True
    return False


@kernel
def single_cell(stone: int) -> int:
    """The cell of a mask of at most one."""
    return NO_STONE if stone == 0 else lowest_bit(stone)


@kernel
def add_threat(stack: CarrierStack, level: int, carrier: int, source: int) -> None:
    """The opponent wins unless the mover plays inside this carrier; one that says nothing new is passed over."""
    if stack.must_play[level] & carrier == stack.must_play[level]:
        return
    stack.threats[level, stack.num_threats[level]] = carrier
    stack.sources[level, stack.num_threats[level]] = source
    stack.num_threats[level] += 1
    stack.must_play[level] &= carrier


@kernel
def monte_carlo_proof_numbers(bitboard: BitBoard, stack: CarrierStack, level: int, mine: int, theirs: int, rng: Rng) -> None:
    """Guess the numbers after each move from how often its owner wins when the empty cells are filled at random."""
    empty = bitboard.claimable & ~(mine | theirs)
    agreement = stack.win_numbers[level]  # boards where the cell's owner wins, for now
    agreement[:] = 0
    num_won = 0
    for _ in range(MONTE_CARLO_SAMPLES):
        filled = mine | (empty & (((next_u32(rng) & 0x7FFFFFFF) << 32) | next_u32(rng)))
        is_mine = is_won(bitboard, filled)
        num_won += 1 if is_mine else 0
        remaining = empty & (filled if is_mine else ~filled)
        while remaining != 0:
            agreement[lowest_bit(remaining)] += 1
            remaining = clear_lowest_bit(remaining)
    remaining = stack.must_play[level]
    while remaining != 0:
        cell = lowest_bit(remaining)
        remaining = clear_lowest_bit(remaining)
        win_rate = min(
            max((num_won + agreement[cell]) / MONTE_CARLO_SAMPLES - 0.5, 0.01), 0.99
        )  # that the mover wins with this cell
        stack.win_numbers[level, cell] = max(1, int(4 * win_rate / (1 - win_rate)))
        stack.loss_numbers[level, cell] = max(1, int(4 * (1 - win_rate) / win_rate))


@kernel
def set_child(bitboard: BitBoard, stack: CarrierStack, level: int, cell: int) -> None:
    """Put the position after a move on the next level."""
    mover = stack.mover[level]
    stack.black[level + 1] = stack.black[level] | (bit(cell) if mover == BLACK else 0)
    stack.white[level + 1] = stack.white[level] | (0 if mover == BLACK else bit(cell))
    stack.mover[level + 1] = 1 - mover
    for symmetry in range(len(bitboard.images)):
        key_change = bitboard.keys[2, symmetry, 0] ^ bitboard.keys[mover, symmetry, cell]
        stack.hashes[level + 1, symmetry] = stack.hashes[level, symmetry] ^ key_change


@kernel
def probe_children(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, level: int) -> None:
    """Look up the position after each move; one of them may decide the node."""
    mover = stack.mover[level]
    remaining = stack.must_play[level]
    while remaining != 0:
        cell = lowest_bit(remaining)
        remaining = clear_lowest_bit(remaining)
        set_child(bitboard, stack, level, cell)
        hashes = stack.hashes[level + 1]
        slot = find_slot(bitboard, table, stack.black[level + 1], stack.white[level + 1], 1 - mover, hashes)
        if slot == NOT_FOUND:
            continue
        metadata, value = table.metadata[slot], table.values[slot]
        if metadata & SOLVED_BIT == 0:
            stack.win_numbers[level, cell], stack.loss_numbers[level, cell] = value >> 31, value & (2**31 - 1)
        elif (1 if metadata & WINNER_BIT else 0) == mover:
            stack.move[level] = cell
            store_solved(bitboard, stack, table, level, mover, stored_carrier(bitboard, table, slot, hashes) | bit(cell))
            return
        else:
            add_threat(stack, level, stored_carrier(bitboard, table, slot, hashes), cell)
            remaining &= stack.must_play[level]


@kernel
def search_best_child(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable) -> None:
    """Follow the easiest move of the region; go back when the node is decided, or harder than was thought."""
    level = stack.registers[LEVEL]
    if stack.must_play[level] == 0:
        store_solved(bitboard, stack, table, level, 1 - stack.mover[level], union_of_threats(stack, level))
        return
    best, min_loss, second_loss, max_win = select_move(stack, level)
    num_others = bit_count(stack.must_play[level]) - 1
    if min_loss >= stack.win_threshold[level] or max_win + num_others >= stack.loss_threshold[level]:
        return_unsolved(bitboard, stack, table, level, min_loss, max_win + num_others)
        return
    stack.move[level] = best
    set_child(bitboard, stack, level, best)
    stack.win_threshold[level + 1] = stack.loss_threshold[level] - num_others
    stack.loss_threshold[level + 1] = min(stack.win_threshold[level], second_loss + (second_loss >> 2) + 1)
    stack.registers[LEVEL] = level + 1
    stack.registers[PHASE] = ENTER


@kernel
def select_move(stack: CarrierStack, level: int) -> tuple[int, int, int, int]:
    """The easiest move, its number and the next one's, and the number of the move that is hardest to refute."""
    best, min_loss, second_loss, max_win = 0, INFINITY, INFINITY, 0
    remaining = stack.must_play[level]
    while remaining != 0:
        cell = lowest_bit(remaining)
        remaining = clear_lowest_bit(remaining)
        max_win = max(max_win, stack.win_numbers[level, cell])
        loss = stack.loss_numbers[level, cell]
        if loss < min_loss:
            best, min_loss, second_loss = cell, loss, min_loss
        elif loss < second_loss:
            second_loss = loss
    return best, min_loss, second_loss, max_win


@kernel
def store_solved(
    bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, level: int, winner: int, carrier: int
) -> None:
    """Keep what was found out about a searched node."""
    effort = stack.registers[NODES] - stack.nodes_on_entry[level] + 1
    result_bits = SOLVED_BIT | winner * WINNER_BIT | (stack.move[level] << MOVE_SHIFT if winner == stack.mover[level] else 0)
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    store_entry(bitboard, table, black, white, mover, stack.hashes[level], carrier, result_bits, effort)
    set_result(stack, winner, carrier, stack.move[level])


@kernel
def return_unsolved(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, level: int, win: int, loss: int) -> None:
    """Go back with the numbers of a node that is not decided."""
    limit = 2**31 - 1
    effort = stack.registers[NODES] - stack.nodes_on_entry[level] + 1
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    value = (min(win, limit) << 31) | min(loss, limit)
    store_entry(bitboard, table, black, white, mover, stack.hashes[level], value, 0, effort)
    set_result(stack, UNSOLVED, value, NO_STONE)


@kernel
def union_of_threats(stack: CarrierStack, level: int) -> int:
    """The opponent's carrier: threats that have no cell in common, without those that are not needed for that."""
    threats, count = stack.threats[level], stack.num_threats[level]
    num_kept = count
    for candidate in range(count - 1, -1, -1):
        common = -1
        for other in range(num_kept):
            if other != candidate:
                common &= threats[other]
        if common == 0:  # the others do without it
            num_kept -= 1
            threats[candidate] = threats[num_kept]
            stack.sources[level, candidate] = stack.sources[level, num_kept]
    stack.num_threats[level] = num_kept
    union = 0
    for threat in range(num_kept):
        union |= threats[threat]
    return union


@kernel
def return_to_parent(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable) -> None:
    """Take a node's result to its parent."""
    level = stack.registers[LEVEL] - 1
    winner, value = stack.registers[RESULT], stack.registers[CARRIER]
    if level < 0:
        stack.registers[PHASE] = DONE
        return
    stack.registers[LEVEL] = level
    stack.registers[PHASE] = NEXT
    move = stack.move[level]
    if winner == UNSOLVED:
        stack.win_numbers[level, move], stack.loss_numbers[level, move] = value >> 31, value & (2**31 - 1)
    elif winner == stack.mover[level]:
        store_solved(bitboard, stack, table, level, winner, value | bit(move))
    else:
        add_threat(stack, level, value, move)


@kernel
def probe_refutations(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, carriers: Masks) -> None:
    """For the root, the carriers with which the table refutes moves, FAILS for those that it does not know."""
    for cell in range(bitboard.num_cells):
        carriers[cell] = NO_CARRIER
        if bitboard.claimable & ~(stack.black[0] | stack.white[0]) & bit(cell) == 0:
            continue
        set_child(bitboard, stack, 0, cell)
        hashes = stack.hashes[1]
        slot = find_slot(bitboard, table, stack.black[1], stack.white[1], stack.mover[1], hashes)
        if slot != NOT_FOUND and table.metadata[slot] & SOLVED_BIT:
            winner = 1 if table.metadata[slot] & WINNER_BIT else 0
            if winner != stack.mover[0]:
                carriers[cell] = stored_carrier(bitboard, table, slot, hashes)
