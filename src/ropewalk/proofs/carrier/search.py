"""Carrier search: df-pn with must-play regions.

A carrier is the set of cells that a win depends on: the winner keeps winning if the opponent has any cells outside it. As in
Hex solvers (Hayward et al., "Solving 7x7 Hex: virtual connections and game-state reduction", 2004), a refuted move's carrier
is a threat of the opponent at the parent too: every move outside it loses. So the must-play region, the moves still to be
tried, is the intersection of the threats' carriers found so far. When it is empty the opponent wins, and the opponent's
carrier is the union of the threats' carriers.

An unsolved node has two numbers from the mover's point of view, the estimated effort to prove a win and to prove a loss.
`win` is the minimum of the children's `loss`; `loss` is the maximum of the children's `win` over the must-play region plus
the number of other moves there, not the sum: one refutation usually excludes many moves. Weak numbers and 1 + epsilon
thresholds are those of `proofs.dfpn`. Initial numbers come from random fillings of the board.

The stack is explicit: `search` returns after a number of nodes and resumes where it stopped.
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

ENTER, NEXT, RETURN, DONE = range(4)  # phases: the next step at the current level
LEVEL, PHASE, RESULT, CARRIER, NODES, SOURCE = range(6)  # indices into `registers`
SOURCE_BASE = 1 << 7  # a source is SOURCE_BASE * kind + the winner's first cell or NO_STONE
BY_SEARCH, BY_PAIRING, BY_MIRROR = range(3)  # kinds; a reflection has BY_MIRROR + the mirror's index
NO_STONE = 64
UNSOLVED = -1  # as a winner
MONTE_CARLO_SAMPLES = 32
INFINITY = 1 << 40


class CarrierStack(NamedTuple):
    """Path from the root to the current node, one entry per level, and the search's registers."""

    black: Masks
    white: Masks
    mover: NDArray[np.int64]  # BLACK or WHITE
    must_play: Masks  # must-play region: moves still to be tried
    move: NDArray[np.int64]  # the cell being searched
    num_threats: NDArray[np.int64]
    nodes_on_entry: NDArray[np.int64]  # nodes searched up to this one
    win_threshold: NDArray[np.int64]  # the search returns when a number reaches its threshold
    loss_threshold: NDArray[np.int64]
    threats: NDArray[np.int64]  # [levels, threats]: carriers of the opponent's threats
    sources: NDArray[np.int64]  # [levels, threats]: source of each threat
    win_numbers: NDArray[np.int64]  # [levels, cells]: of the position after each move, for its mover
    loss_numbers: NDArray[np.int64]
    hashes: NDArray[np.int64]  # [levels, symmetries]
    registers: NDArray[np.int64]  # LEVEL, PHASE, RESULT, CARRIER, NODES, SOURCE
    pairing: PairingScratch


def allocate_stack(bitboard: BitBoard) -> CarrierStack:
    """Return a stack with enough levels for a path to the full board."""
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
    """Write a root position to level 0 and start a search."""
    stack.black[0], stack.white[0], stack.mover[0] = black, white, mover
    stack.win_threshold[0], stack.loss_threshold[0] = INFINITY, INFINITY
    hash_position(bitboard, black, white, mover, stack.hashes[0])
    stack.registers[LEVEL] = 0
    stack.registers[PHASE] = ENTER


@kernel
def hash_position(bitboard: BitBoard, black: int, white: int, mover: int, hashes: Hashes) -> None:
    """Write the hashes of a position under all symmetries into `hashes`."""
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
    """Search up to `max_nodes` more nodes; return whether the root is solved. Its result is in `registers`."""
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
    """Set the current node's result and make the next step return to its parent."""
    stack.registers[SOURCE] = source
    stack.registers[PHASE] = RETURN
    stack.registers[RESULT] = winner
    stack.registers[CARRIER] = carrier


@kernel
def enter_node(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, rng: Rng) -> None:
    """Try to solve a new node statically or from the table; otherwise initialise it for search."""
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
    """Find pairing and reflection wins of the mover with one stone, and threats against the mover.

    Returns True if they solve the node, and sets its result. Otherwise writes the threats and the must-play region.
    """
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
    for side in range(2):  # the mover with one more stone; the opponent with none, then with one
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
    """Return the cell of a mask of at most one cell, or NO_STONE."""
    return NO_STONE if stone == 0 else lowest_bit(stone)


@kernel
def add_threat(stack: CarrierStack, level: int, carrier: int, source: int) -> None:
    """Add a threat of the opponent and shrink the must-play region; ignore one that does not shrink it."""
    if stack.must_play[level] & carrier == stack.must_play[level]:
        return
    stack.threats[level, stack.num_threats[level]] = carrier
    stack.sources[level, stack.num_threats[level]] = source
    stack.num_threats[level] += 1
    stack.must_play[level] &= carrier


@kernel
def monte_carlo_proof_numbers(bitboard: BitBoard, stack: CarrierStack, level: int, mine: int, theirs: int, rng: Rng) -> None:
    """Initialise the children's numbers from MONTE_CARLO_SAMPLES random fillings of the empty cells.

    A cell's number depends on how often the winner of a filling owns it. Writes `win_numbers` and `loss_numbers`.
    """
    empty = bitboard.claimable & ~(mine | theirs)
    agreement = stack.win_numbers[level]  # fillings that the cell's owner wins; overwritten below
    agreement[:] = 0
    num_won = 0
    for _ in range(MONTE_CARLO_SAMPLES):
        filled = mine | (empty & (((next_u32(rng) & 0x7FFFFFFF) << 32) | next_u32(rng)))
        is_mine = is_won(bitboard.goal, bitboard, filled)
        num_won += 1 if is_mine else 0
        remaining = empty & (filled if is_mine else ~filled)
        while remaining != 0:
            agreement[lowest_bit(remaining)] += 1
            remaining = clear_lowest_bit(remaining)
    remaining = stack.must_play[level]
    while remaining != 0:
        cell = lowest_bit(remaining)
        remaining = clear_lowest_bit(remaining)
        # Estimated probability that the mover wins with this cell.
        win_rate = min(max((num_won + agreement[cell]) / MONTE_CARLO_SAMPLES - 0.5, 0.01), 0.99)
        stack.win_numbers[level, cell] = max(1, int(4 * win_rate / (1 - win_rate)))
        stack.loss_numbers[level, cell] = max(1, int(4 * (1 - win_rate) / win_rate))


@kernel
def set_child(bitboard: BitBoard, stack: CarrierStack, level: int, cell: int) -> None:
    """Write the position after a move to the next level, with its hashes."""
    mover = stack.mover[level]
    stack.black[level + 1] = stack.black[level] | (bit(cell) if mover == BLACK else 0)
    stack.white[level + 1] = stack.white[level] | (0 if mover == BLACK else bit(cell))
    stack.mover[level + 1] = 1 - mover
    for symmetry in range(len(bitboard.images)):
        key_change = bitboard.keys[2, symmetry, 0] ^ bitboard.keys[mover, symmetry, cell]
        stack.hashes[level + 1, symmetry] = stack.hashes[level, symmetry] ^ key_change


@kernel
def probe_children(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, level: int) -> None:
    """Read the children's entries from the table: their numbers, threats, or a win that solves the node."""
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
    """Descend to the child with the least `loss`, or return if the node is solved or a threshold is reached."""
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
    """Return the move with the least `loss`, that `loss`, the second least, and the greatest `win`."""
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
    """Store a searched node's winner, carrier and move, and set its result."""
    effort = stack.registers[NODES] - stack.nodes_on_entry[level] + 1
    result_bits = SOLVED_BIT | winner * WINNER_BIT | (stack.move[level] << MOVE_SHIFT if winner == stack.mover[level] else 0)
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    store_entry(bitboard, table, black, white, mover, stack.hashes[level], carrier, result_bits, effort)
    set_result(stack, winner, carrier, stack.move[level])


@kernel
def return_unsolved(bitboard: BitBoard, stack: CarrierStack, table: CarrierTable, level: int, win: int, loss: int) -> None:
    """Store an unsolved node's numbers and return them to the parent."""
    limit = 2**31 - 1
    effort = stack.registers[NODES] - stack.nodes_on_entry[level] + 1
    black, white, mover = stack.black[level], stack.white[level], stack.mover[level]
    value = (min(win, limit) << 31) | min(loss, limit)
    store_entry(bitboard, table, black, white, mover, stack.hashes[level], value, 0, effort)
    set_result(stack, UNSOLVED, value, NO_STONE)


@kernel
def union_of_threats(stack: CarrierStack, level: int) -> int:
    """Return the opponent's carrier: the union of threats whose intersection is empty.

    Threats that are not needed for the empty intersection are removed first. Writes `threats` and `sources`.
    """
    threats, count = stack.threats[level], stack.num_threats[level]
    num_kept = count
    for candidate in range(count - 1, -1, -1):
        common = -1
        for other in range(num_kept):
            if other != candidate:
                common &= threats[other]
        if common == 0:  # the others suffice
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
    """Take the current node's result to its parent: its numbers, a win, or a threat."""
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
    """Write for each root move the carrier with which the table refutes it, or NO_CARRIER."""
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
