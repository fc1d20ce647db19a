"""How hard a position is to prove and to disprove, and a bounded table that remembers it.

A proof number estimates how many positions are still to be proven before a seat is known to win, a disproof
number how many before it is known not to. Of many children, the hardest counts and one for each other that is open:
their sum would count what they have in common many times over.
"""
# MERGED DOCSTRING: """Whether a seat can force a win: depth-first proof-number search over the questions that every game answers.
#
# The search goes where a proof or a disproof seems nearest, and keeps only the path to there and a table; where the ends
# of games are far and nothing seems nearer than the rest, a *stubborn* one follows each line to its end, best moves first.
# A call works for a while and returns; the next one goes on from the same place. In games where play can go round, a win is
# asked for within a number of turns: then nothing comes again on the way, and what is found holds in any case.
# """

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..rules.generic import copy_row
from ..rules.interface import (
    ONGOING,
    apply_move,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from .canonical_hash import CanonicalHash, Codes, canonical_hash

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


RUNNING, SOLVED, STACK_FULL = range(3)  # what a call to `search` ends with

NO_TURN_LIMIT = -1  # of turns

LEVEL, NODES, SEAT, DEPTH_FIRST = range(4)  # places of `counters`

UNEXPANDED = -1  # in place of a count of moves


class DfpnStack(NamedTuple):
    """The line that is being looked at: level 0 is the position asked about, level 1 all that follow it, and so on.

    A level knows its own position, the one chosen, and something of all others that the one above leads to.
    """

    rows: NDArray[Any]  # [levels + 1, words]
    moves: NDArray[np.int64]  # [levels + 1, moves]: those that lead to this level
    hash_lo: NDArray[np.int64]  # [levels + 1, moves]: hashes of the positions after them
    hash_hi: NDArray[np.int64]
    proof_numbers: NDArray[np.int64]  # [levels + 1, moves]: of the positions after them, packed
    selected: NDArray[np.int64]  # [levels + 1]: which of them is being looked at
    num_moves: NDArray[np.int64]  # [levels]: how many moves lead on, or UNSEEN
    movers: NDArray[np.int64]  # [levels]: the seat to move
    turns: NDArray[np.int64]  # [levels]: turns left, or NO_LIMIT
    thresholds: NDArray[np.int64]  # [levels]: numbers at which to go back, packed
    nodes_on_entry: NDArray[np.int64]  # [levels]: positions searched before
    codes: Codes
    scratch_moves: NDArray[np.int64]  # [moves]
    history: NDArray[np.int64]  # [levels, move ids]: how often each has reached its aim there
    counters: NDArray[np.int64]  # level, positions searched, the seat that shall win, whether to end each line


@kernel
def search(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, max_nodes: int) -> int:
    """Look at so many positions more, or fewer when the first one is settled or the path too short."""
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
    """Turn to the position after a move, with limits at which to come back."""
    stack.selected[level + 1] = best
    stack.thresholds[level + 1] = thresholds
    stack.num_moves[level + 1] = UNEXPANDED
    stack.counters[LEVEL] = level + 1


@kernel
def reached_threshold(numbers: int, thresholds: int) -> bool:
    """Whether one of two numbers has reached its limit."""
    return numbers >> PROOF_SHIFT >= thresholds >> PROOF_SHIFT or numbers & (2 * INFINITY - 1) >= thresholds & (
        2 * INFINITY - 1
    )


@kernel
def select_by_proof_numbers(stack: DfpnStack, level: int) -> tuple[int, int, int]:
    """The numbers of a position by those after its moves; which move is closest to success, and limits for it.

    The mover's *aim* is to prove or to disprove, their *fear* the other of the two.
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
    """Depth-first counterpart of `select_by_proof_numbers`: the move with the best history, without thresholds."""
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
    """What the mover aims at and what they fear."""
    proof, disproof = numbers >> PROOF_SHIFT, numbers & (2 * INFINITY - 1)
    return (proof, disproof) if is_prover else (disproof, proof)


@kernel
def pack_for_mover(phi: int, delta: int, is_prover: bool) -> int:
    """The opposite of `unpack_for_mover`."""
    return pack(phi, delta) if is_prover else pack(delta, phi)


@kernel
def store_and_return(stack: DfpnStack, table: ProofNumberTable, level: int, numbers: int) -> None:
    """Leave a position and remember its numbers, in the table and on the path."""
    selected = stack.selected[level]
    effort = stack.counters[NODES] - stack.nodes_on_entry[level]
    store(table, stack.hash_lo[level, selected], stack.hash_hi[level, selected], numbers, max(1, effort))
    stack.proof_numbers[level, selected] = numbers
    stack.counters[LEVEL] = level - 1


@kernel
def make_move(rules: Any, stack: DfpnStack, level: int) -> None:
    """Play the move that leads to a level; the first level has its position already."""
    stack.nodes_on_entry[level] = stack.counters[NODES]
    if level > 0:
        copy_row(stack.rows[level - 1], stack.rows[level])
        state = apply_move(rules, load_state(rules, stack.rows[level]), stack.moves[level, stack.selected[level]])
        store_state(rules, state, stack.rows[level])
        stack.turns[level] = turns_left(stack.turns[level - 1], stack.movers[level - 1], seat_to_move(rules, state))


@kernel
def turns_left(turns: int, mover: int, next_mover: int) -> int:
    """One fewer when the other seat is to move, if they are counted at all."""
    return turns if turns == NO_TURN_LIMIT or mover == next_mover else turns - 1


@kernel
def expand(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, level: int) -> None:
    """List the moves of a position with what is known of each; a move that settles it is enough."""
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
    """The numbers of the position after one move: final, remembered, or a first guess."""
    child_level = level + 1
    copy_row(stack.rows[level], stack.rows[child_level])
    state = apply_move(rules, load_state(rules, stack.rows[child_level]), stack.moves[child_level, index])
    next_mover = seat_to_move(rules, state)
    turns = turns_left(stack.turns[level], stack.movers[level], next_mover)
    position_codes(rules, state, stack.codes)
    stack.hash_lo[child_level, index], stack.hash_hi[child_level, index] = hash_position(hasher, stack, turns)
    result = outcome(rules, state)
    if result != ONGOING:
        return PROVEN if result == stack.counters[SEAT] else DISPROVEN
    if turns == 0:
        return DISPROVEN
    cached, _ = probe(table, stack.hash_lo[child_level, index], stack.hash_hi[child_level, index])
    if cached != UNKNOWN:
        return cached
    num_moves = legal_moves(rules, state, stack.scratch_moves)
    return pack(1, num_moves) if next_mover == stack.counters[SEAT] else pack(num_moves, 1)  # one to find, or all to answer


@kernel
def hash_position(hasher: CanonicalHash, stack: DfpnStack, turns: int) -> tuple[int, int]:
    """What stands for the position in `codes`, the seat that shall win it and the turns left."""
    stack.codes[len(stack.codes) - 1] = 2 * (turns + 1) + stack.counters[SEAT]
    return canonical_hash(hasher, stack.codes)


@kernel
def set_root(rules: Any, hasher: CanonicalHash, stack: DfpnStack, table: ProofNumberTable, turns: int) -> int:
    """Set out from the position in rows[0]; its numbers as far as the table knows them."""
    position_codes(rules, load_state(rules, stack.rows[0]), stack.codes)
    stack.hash_lo[0, 0], stack.hash_hi[0, 0] = hash_position(hasher, stack, turns)
    stack.counters[LEVEL] = 0
    stack.selected[0] = 0
    stack.num_moves[0] = UNEXPANDED
    stack.turns[0] = turns
    stack.thresholds[0] = pack(INFINITY, INFINITY)
    stack.proof_numbers[0, 0], _ = probe(table, stack.hash_lo[0, 0], stack.hash_hi[0, 0])
    return stack.proof_numbers[0, 0]
