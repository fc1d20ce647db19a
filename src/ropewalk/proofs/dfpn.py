"""Depth-first proof-number search (df-pn) over the rules interface, with its transposition table.

The search decides whether a seat (`counters[SEAT]`) can force a win. A node has a proof number, an estimate of the work
left to prove the win, and a disproof number, the same for the absence of a win. The mover's own goal is called phi, the
opponent's delta (Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002). Two refinements:

- Weak proof numbers: delta is the maximum over the children plus the number of other open children, not the sum, because
  transpositions would be counted many times (Ueda, Hashimoto, Hashimoto, Iida, "Weak proof-number search", 2008).
- 1 + epsilon thresholds with epsilon = 1/4: the search stays in a child until its phi exceeds the second-best one by a
  quarter (Pawlewicz, Lew, "Improving depth-first PN-search: 1 + epsilon trick", 2007).

In depth-first mode the numbers are ignored: every line is searched to its end, moves ordered by a history heuristic. This
is better where the ends of games are far away and the numbers give no direction.

The path is an explicit stack, so that `search` can return after a number of nodes and resume later. An optional limit of
turns, which is part of the hash, makes the search finite in games with repetition; without it, a line that repeats is
followed until the stack is full. Results derive only from finished games, from virtual wins (`interface.virtual_winner`,
only without a limit) and from the limit, so they never depend on the path.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..rules.generic import copy_row
from ..rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
    virtual_winner,
)
from .canonical_hash import CanonicalHash, Codes, canonical_hash

ProofNumberTable: TypeAlias = NDArray[np.int64]  # [buckets, BUCKET_SIZE, 4]: HASH_LO, HASH_HI, NUMBERS, EFFORT

BUCKET_SIZE = 4
ENTRY_BYTES = 32
HASH_LO, HASH_HI, NUMBERS, EFFORT = range(4)  # columns of a table entry; an EFFORT of 0 marks a free slot

PROOF_SHIFT = 32  # packed numbers: the proof number in the high half, the disproof number in the low half
INFINITY = 1 << 30  # the number of a goal that cannot be reached
PROVEN = INFINITY  # packed (0, INFINITY)
DISPROVEN = INFINITY << PROOF_SHIFT  # packed (INFINITY, 0)
UNKNOWN = 0  # no packed pair of numbers is 0: one of the two is 0 only if the other is INFINITY

RUNNING, SOLVED, STACK_FULL = range(3)  # statuses that `search` returns
LEVEL, NODES, SEAT, DEPTH_FIRST, SAW_DRAW = range(5)  # indices into `DfpnStack.counters`
NO_TURN_LIMIT = -1  # in `DfpnStack.turns`
UNEXPANDED = -1  # in `DfpnStack.num_moves`


def allocate_table(memory_bytes: int) -> ProofNumberTable:
    """Return an empty table of at most `memory_bytes` bytes, and at least one bucket."""
    return np.zeros((max(1, memory_bytes // (BUCKET_SIZE * ENTRY_BYTES)), BUCKET_SIZE, 4), np.int64)


@kernel
def pack(proof: int, disproof: int) -> int:
    """Return both numbers in one integer."""
    return proof << PROOF_SHIFT | disproof


@kernel
def probe(table: ProofNumberTable, hash_lo: int, hash_hi: int) -> tuple[int, int]:
    """Return the packed numbers of a position and the nodes searched for them, or (UNKNOWN, 0)."""
    bucket = table[hash_lo % len(table)]
    for slot in range(BUCKET_SIZE):
        if bucket[slot, HASH_LO] == hash_lo and bucket[slot, HASH_HI] == hash_hi and bucket[slot, EFFORT] != 0:
            return bucket[slot, NUMBERS], bucket[slot, EFFORT]
    return UNKNOWN, 0


@kernel
def store(table: ProofNumberTable, hash_lo: int, hash_hi: int, numbers: int, effort: int) -> None:
    """Write a position's entry in place of its own, or of the one in its bucket with the least effort.

    The effort of a position that is stored again is added to its earlier effort.
    """
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


class DfpnStack(NamedTuple):
    """Path of the search. Level 0 is the root; level n + 1 holds the moves from the node at level n.

    Each level has the row of its own node and, for all moves that lead to this level, the hashes and numbers after them.
    """

    rows: NDArray[Any]  # [levels + 1, words]
    moves: NDArray[np.int64]  # [levels + 1, moves]: ids of the moves that lead to this level
    hash_lo: NDArray[np.int64]  # [levels + 1, moves]: canonical hash of the position after each
    hash_hi: NDArray[np.int64]
    proof_numbers: NDArray[np.int64]  # [levels + 1, moves]: packed numbers of the position after each
    selected: NDArray[np.int64]  # [levels + 1]: index of the move on the path
    num_moves: NDArray[np.int64]  # [levels]: number of moves from this node, or UNEXPANDED
    movers: NDArray[np.int64]  # [levels]: seat to move
    turns: NDArray[np.int64]  # [levels]: remaining turns, or NO_TURN_LIMIT
    thresholds: NDArray[np.int64]  # [levels]: packed numbers at which the search returns to the parent
    nodes_on_entry: NDArray[np.int64]  # [levels]: nodes searched before this node
    codes: Codes
    scratch_moves: NDArray[np.int64]  # [moves]
    history: NDArray[np.int64]  # [levels, move ids]: how often a move proved its mover's goal at this level
    counters: NDArray[np.int64]  # [5]: LEVEL, NODES, SEAT that is to win, DEPTH_FIRST mode (0 or 1), SAW_DRAW (0 or 1)


@kernel
def search(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, max_nodes: int) -> int:
    """Search up to `max_nodes` more nodes; return RUNNING, SOLVED or STACK_FULL.

    SOLVED: the root's numbers are final. STACK_FULL: the path needs more levels. Writes into `stack` and `table`.
    """
    node_limit = stack.counters[NODES] + max_nodes
    while stack.counters[NODES] < node_limit:
        level = stack.counters[LEVEL]
        if stack.num_moves[level] == UNEXPANDED:
            make_move(rules, stack, level)
            expand(rules, hasher, stack, table, level)
        numbers, best, thresholds = (
            select_depth_first(stack, level) if stack.counters[DEPTH_FIRST] else select_by_proof_numbers(stack, level)
        )
        if reached_threshold(numbers, stack.thresholds[level]):
            store_and_return(stack, table, level, numbers)
            if level == 0:
                return SOLVED
        else:
            cached, _ = probe(table, stack.hash_lo[level + 1, best], stack.hash_hi[level + 1, best])
            if cached != UNKNOWN and cached != stack.proof_numbers[level + 1, best]:
                stack.proof_numbers[level + 1, best] = cached
            elif level + 1 == len(stack.num_moves):
                return STACK_FULL
            else:
                descend(stack, level, best, thresholds)
    return RUNNING


@kernel
def descend(stack: DfpnStack, level: int, best: int, thresholds: int) -> None:
    """Push the child `best` with its thresholds. It is expanded by the next step of `search`."""
    stack.selected[level + 1] = best
    stack.thresholds[level + 1] = thresholds
    stack.num_moves[level + 1] = UNEXPANDED
    stack.counters[LEVEL] = level + 1


@kernel
def reached_threshold(numbers: int, thresholds: int) -> bool:
    """Return whether the proof or the disproof number has reached its threshold; all are packed."""
    return numbers >> PROOF_SHIFT >= thresholds >> PROOF_SHIFT or numbers & (2 * INFINITY - 1) >= thresholds & (
        2 * INFINITY - 1
    )


@kernel
def select_by_proof_numbers(stack: DfpnStack, level: int) -> tuple[int, int, int]:
    """Return a node's packed numbers, its child with the least phi, and that child's thresholds.

    The child is an index into the moves of level + 1; numbers and thresholds are packed.
    """
    is_prover = stack.movers[level] == stack.counters[SEAT]
    phi, second_phi, delta, num_open, best = INFINITY, INFINITY, 0, 0, 0
    for index in range(stack.num_moves[level]):
        child_phi, child_delta = unpack_for_mover(stack.proof_numbers[level + 1, index], is_prover)
        if child_phi < phi:
            phi, second_phi, best = child_phi, phi, index
        elif child_phi < second_phi:
            second_phi = child_phi
        delta = max(delta, child_delta)
        num_open += 1 if child_delta > 0 else 0
    if 0 < delta < INFINITY:
        delta = min(delta + num_open - 1, INFINITY - 1)
    phi_threshold, delta_threshold = unpack_for_mover(stack.thresholds[level], is_prover)
    phi_threshold = min(phi_threshold, second_phi + second_phi // 4 + 1)
    delta_threshold = delta_threshold if delta_threshold == INFINITY else delta_threshold - num_open + 1
    return pack_for_mover(phi, delta, is_prover), best, pack_for_mover(phi_threshold, delta_threshold, is_prover)


@kernel
def select_depth_first(stack: DfpnStack, level: int) -> tuple[int, int, int]:
    """Depth-first counterpart of `select_by_proof_numbers`: the open move with the best history."""
    is_prover = stack.movers[level] == stack.counters[SEAT]
    best_score, best = -1, -1
    for index in range(stack.num_moves[level]):
        move = stack.moves[level + 1, index]
        phi, delta = unpack_for_mover(stack.proof_numbers[level + 1, index], is_prover)
        if phi == 0:
            stack.history[level, move] += 1
            return pack_for_mover(0, INFINITY, is_prover), index, 0
        if delta > 0 and stack.history[level, move] > best_score:
            best_score, best = stack.history[level, move], index
    if best < 0:
        return pack_for_mover(INFINITY, 0, is_prover), 0, 0
    return pack(1, 1), best, pack(INFINITY, INFINITY)


@kernel
def unpack_for_mover(numbers: int, is_prover: bool) -> tuple[int, int]:
    """Return (phi, delta): proof and disproof number if the mover is the prover, else the reverse."""
    proof, disproof = numbers >> PROOF_SHIFT, numbers & (2 * INFINITY - 1)
    return (proof, disproof) if is_prover else (disproof, proof)


@kernel
def pack_for_mover(phi: int, delta: int, is_prover: bool) -> int:
    """Pack (phi, delta); the inverse of `unpack_for_mover`."""
    return pack(phi, delta) if is_prover else pack(delta, phi)


@kernel
def store_and_return(stack: DfpnStack, table: ProofNumberTable, level: int, numbers: int) -> None:
    """Store a node's numbers in the table and at its parent's level, then return to the parent."""
    selected = stack.selected[level]
    effort = stack.counters[NODES] - stack.nodes_on_entry[level]
    store(table, stack.hash_lo[level, selected], stack.hash_hi[level, selected], numbers, max(1, effort))
    stack.proof_numbers[level, selected] = numbers
    stack.counters[LEVEL] = level - 1


@kernel
def make_move(rules: Any, stack: DfpnStack, level: int) -> None:
    """Play a level's selected move: write its row and remaining turns. Level 0 has its row already."""
    stack.nodes_on_entry[level] = stack.counters[NODES]
    if level > 0:
        copy_row(stack.rows[level - 1], stack.rows[level])
        state = apply_move(rules, load_state(rules, stack.rows[level]), stack.moves[level, stack.selected[level]])
        store_state(rules, state, stack.rows[level])
        stack.turns[level] = turns_left(stack.turns[level - 1], stack.movers[level - 1], seat_to_move(rules, state))


@kernel
def turns_left(turns: int, mover: int, next_mover: int) -> int:
    """Return the remaining turns: one fewer if the seat to move changes, unless there is no limit."""
    return turns if turns == NO_TURN_LIMIT or mover == next_mover else turns - 1


@kernel
def expand(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, level: int) -> None:
    """List a node's moves with the numbers after each, up to the first one that proves the mover's goal.

    Such a move becomes the only one. Writes the node's mover and moves, and counts each evaluated child as a node.
    """
    child_level = level + 1
    state = load_state(rules, stack.rows[level])
    mover = seat_to_move(rules, state)
    cutoff = PROVEN if mover == stack.counters[SEAT] else DISPROVEN
    stack.movers[level] = mover
    stack.num_moves[level] = legal_moves(rules, state, stack.moves[child_level])
    for index in range(stack.num_moves[level]):
        stack.counters[NODES] += 1
        numbers = evaluate_child(rules, hasher, stack, table, level, index)
        stack.proof_numbers[child_level, index] = numbers
        if numbers == cutoff:
            stack.num_moves[level] = 1
            stack.moves[child_level, 0], stack.proof_numbers[child_level, 0] = stack.moves[child_level, index], numbers
            stack.hash_lo[child_level, 0], stack.hash_hi[child_level, 0] = (
                stack.hash_lo[child_level, index],
                stack.hash_hi[child_level, index],
            )
            break


@kernel
def evaluate_child(
    rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, level: int, index: int
) -> int:
    """Return the packed numbers after one move: final, from the table, or initial. Writes its hashes."""
    child_level = level + 1
    copy_row(stack.rows[level], stack.rows[child_level])
    state = apply_move(rules, load_state(rules, stack.rows[child_level]), stack.moves[child_level, index])
    next_mover = seat_to_move(rules, state)
    turns = turns_left(stack.turns[level], stack.movers[level], next_mover)
    position_codes(rules, state, stack.codes)
    stack.hash_lo[child_level, index], stack.hash_hi[child_level, index] = hash_position(hasher, stack, turns)
    result = outcome(rules, state)
    if result != ONGOING:
        stack.counters[SAW_DRAW] |= 1 if result == DRAW else 0
        return PROVEN if result == stack.counters[SEAT] else DISPROVEN
    if turns == 0:
        return DISPROVEN
    cached, _ = probe(table, stack.hash_lo[child_level, index], stack.hash_hi[child_level, index])
    if cached != UNKNOWN:
        return cached
    num_moves = legal_moves(rules, state, stack.scratch_moves)
    if turns == NO_TURN_LIMIT:
        winner = virtual_winner(rules, state)
        if winner != ONGOING:
            return PROVEN if winner == stack.counters[SEAT] else DISPROVEN
    return pack(1, num_moves) if next_mover == stack.counters[SEAT] else pack(num_moves, 1)  # one move, or all of them


@kernel
def hash_position(hasher: CanonicalHash, stack: DfpnStack, turns: int) -> tuple[int, int]:
    """Return the canonical hashes of `stack.codes` with the seat that is to win and the turns left."""
    stack.codes[len(stack.codes) - 1] = 2 * (turns + 1) + stack.counters[SEAT]
    return canonical_hash(hasher, stack.codes)


@kernel
def set_root(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, turns: int) -> int:
    """Start a search from the position in rows[0]; return its packed numbers in the table, or UNKNOWN."""
    position_codes(rules, load_state(rules, stack.rows[0]), stack.codes)
    stack.hash_lo[0, 0], stack.hash_hi[0, 0] = hash_position(hasher, stack, turns)
    stack.counters[LEVEL] = 0
    stack.selected[0] = 0
    stack.num_moves[0] = UNEXPANDED
    stack.turns[0] = turns
    stack.thresholds[0] = pack(INFINITY, INFINITY)
    stack.proof_numbers[0, 0], _ = probe(table, stack.hash_lo[0, 0], stack.hash_hi[0, 0])
    return stack.proof_numbers[0, 0]
