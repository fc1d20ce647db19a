"""The walk of a proof by strategy, compiled: through all that one seat can do against the other's answers.

It knows the rules and nothing of any solver. Positions are told apart by 126 bits, the same for turned and mirrored ones;
the keys behind them are drawn anew for every walk, so that no file can be made to confuse two positions.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..rules.generic import copy_row
from ..rules.interface import (
    DRAW,
    ONGOING,
    apply_move,
    is_legal,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from .identity import CanonicalHash, Codes, canonical_hash

RUNNING, DONE, NEEDS_REPLY, ILLEGAL_REPLY, NOT_WON, CYCLE, STACK_FULL, TABLE_FULL = range(
    8
)  # what a call to `traverse` ends with
ENTERED, AWAITING_REPLY, EXPANDED = range(3)  # stages of a level
UNVISITED, ON_STACK, VERIFIED = range(3)  # of a position
LEVEL, NUM_VISITED, REPLIES_USED, SEAT, MAY_DRAW = range(5)  # places of `counters`


class TraversalStack(NamedTuple):
    """The way from the first position to the one that the walk stands at."""

    rows: NDArray[Any]  # [levels, words]
    moves: NDArray[np.int64]  # [levels, moves]: those to walk on by
    num_moves: NDArray[np.int64]  # [levels]: how many they are
    next_move: NDArray[np.int64]  # [levels]: the next of them
    stages: NDArray[np.int64]  # [levels]
    hash_lo: NDArray[np.int64]  # [levels]: hashes
    hash_hi: NDArray[np.int64]
    codes: Codes
    counters: NDArray[np.int64]  # level, positions walked through, answers taken, the seat that answers, whether it may draw


class VisitedTable(NamedTuple):
    """Positions that the walk has come to, by hash."""

    hash_lo: NDArray[np.int64]
    hash_hi: NDArray[np.int64]
    states: NDArray[np.int8]


@kernel
def traverse(
    rules: Any,
    hasher: CanonicalHash,
    stack: TraversalStack,
    visited: VisitedTable,
    replies: NDArray[np.int64],
    max_steps: int,
) -> int:
    """Walk on for so many steps, or until something is needed or wrong."""
    counters = stack.counters
    for _ in range(max_steps):
        level = counters[LEVEL]
        stage = stack.stages[level]
        if stage == ENTERED:
            status = enter_position(rules, hasher, stack, visited, level)
            if status != RUNNING:
                return status
        elif stage == AWAITING_REPLY:
            if counters[REPLIES_USED] == len(replies):
                return NEEDS_REPLY
            if not set_reply(rules, stack, replies[counters[REPLIES_USED]], level):
                return ILLEGAL_REPLY
            counters[REPLIES_USED] += 1
        elif stack.next_move[level] == stack.num_moves[level]:
            visited.states[find_slot(visited, stack.hash_lo[level], stack.hash_hi[level])] = VERIFIED
            counters[LEVEL] = level - 1
        elif level + 1 == len(stack.num_moves):
            return STACK_FULL
        else:
            make_move(rules, stack, level)
        if counters[LEVEL] < 0:
            return DONE
    return RUNNING


@kernel
def enter_position(rules: Any, hasher: CanonicalHash, stack: TraversalStack, visited: VisitedTable, level: int) -> int:
    """Judge a position, go back from one that was seen before, and list where a new one leads."""
    counters = stack.counters
    state = load_state(rules, stack.rows[level])
    result = outcome(rules, state)
    if result != ONGOING:
        counters[LEVEL] = level - 1
        is_accepted = result == counters[SEAT] or (counters[MAY_DRAW] == 1 and result == DRAW)
        return RUNNING if is_accepted else NOT_WON
    position_codes(rules, state, stack.codes)
    hash_lo, hash_hi = canonical_hash(hasher, stack.codes)
    slot = find_slot(visited, hash_lo, hash_hi)
    if visited.states[slot] != UNVISITED:
        counters[LEVEL] = level - 1
        return CYCLE if visited.states[slot] == ON_STACK and counters[MAY_DRAW] == 0 else RUNNING
    if 2 * counters[NUM_VISITED] >= len(visited.states):
        return TABLE_FULL
    visited.hash_lo[slot], visited.hash_hi[slot], visited.states[slot] = hash_lo, hash_hi, ON_STACK
    stack.hash_lo[level], stack.hash_hi[level] = hash_lo, hash_hi
    stack.next_move[level] = 0
    counters[NUM_VISITED] += 1
    if seat_to_move(rules, state) == counters[SEAT]:
        stack.stages[level] = AWAITING_REPLY
    else:
        stack.num_moves[level] = legal_moves(rules, state, stack.moves[level])
        stack.stages[level] = EXPANDED
    return RUNNING


@kernel
def set_reply(rules: Any, stack: TraversalStack, reply: int, level: int) -> bool:
    """Make an answer the only way on, if it is a legal move."""
    if not is_legal(rules, load_state(rules, stack.rows[level]), reply):
        return False
    stack.moves[level, 0], stack.num_moves[level] = reply, 1
    stack.stages[level] = EXPANDED
    return True


@kernel
def make_move(rules: Any, stack: TraversalStack, level: int) -> None:
    """Go to the position after the next move."""
    copy_row(stack.rows[level], stack.rows[level + 1])
    state = apply_move(rules, load_state(rules, stack.rows[level + 1]), stack.moves[level, stack.next_move[level]])
    store_state(rules, state, stack.rows[level + 1])
    stack.next_move[level] += 1
    stack.stages[level + 1] = ENTERED
    stack.counters[LEVEL] = level + 1


@kernel
def find_slot(visited: VisitedTable, hash_lo: int, hash_hi: int) -> int:
    """Where a position stands, or an empty place for it."""
    slot = hash_lo % len(visited.states)
    while visited.states[slot] != UNVISITED and (visited.hash_lo[slot] != hash_lo or visited.hash_hi[slot] != hash_hi):
        slot = slot + 1 if slot + 1 < len(visited.states) else 0
    return slot


@kernel
def rehash(old_table: VisitedTable, new_table: VisitedTable) -> None:
    """Put all positions into a larger table."""
    for index in range(len(old_table.states)):
        if old_table.states[index] != UNVISITED:
            slot = find_slot(new_table, old_table.hash_lo[index], old_table.hash_hi[index])
            new_table.hash_lo[slot], new_table.hash_hi[slot], new_table.states[slot] = (
                old_table.hash_lo[index],
                old_table.hash_hi[index],
                old_table.states[index],
            )
