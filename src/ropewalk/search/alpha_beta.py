"""Alpha-beta search to a fixed depth with a transposition table and the history heuristic (Schaeffer 1983).

For games with a good static evaluation. The search is a loop over an explicit stack, one entry per ply. Values are minimax
values for seat 0, not negamax: seat 0 maximises and seat 1 minimises, because a turn may have several moves.
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
    evaluate,
    hash_key,
    legal_moves,
    load_state,
    outcome,
    seat_to_move,
    store_state,
)

WIN_VALUE = 30000  # less the plies to the end, so that quick wins and late losses are preferred
MATE_THRESHOLD = WIN_VALUE - 2000  # a larger absolute value is a proven win or loss
MAX_PLY = 96
EXACT, LOWER_BOUND, UPPER_BOUND = range(3)
NO_MOVE = -1
MAX_HISTORY = 1 << 20
POLL_NODES = 256  # nodes between two reads of the stop flag


class AlphaBetaStack(NamedTuple):
    """Search state, an entry per ply."""

    rows: NDArray[Any]  # [MAX_PLY, words of a row]: positions
    moves: NDArray[np.int16]  # [MAX_PLY, max legal moves]
    move_scores: NDArray[np.int64]  # [MAX_PLY, max legal moves]: moves with larger scores are searched first
    num_moves: NDArray[np.int64]
    next_move: NDArray[np.int64]  # index of the next move to search
    seat: NDArray[np.int64]  # to move
    alpha: NDArray[np.int64]  # value that seat 0 has already
    beta: NDArray[np.int64]  # value that seat 1 has already
    alpha0: NDArray[np.int64]  # the window on entry, which decides whether a value is exact or a bound
    beta0: NDArray[np.int64]
    best_value: NDArray[np.int64]
    best_move: NDArray[np.int64]
    depth: NDArray[np.int64]  # remaining
    key: NDArray[np.int64]  # position hash, 0: not stored


class AlphaBetaTables(NamedTuple):
    """Transposition table, history table, and what driver and search exchange."""

    key: NDArray[np.int64]  # [slots], a power of two
    value: NDArray[np.int16]
    move: NDArray[np.int16]
    depth: NDArray[np.int8]
    bound: NDArray[np.int8]  # EXACT, LOWER_BOUND or UPPER_BOUND for seat 0
    history: NDArray[np.int64]  # [2, moves]: history score, the sum of squared depths of cutoffs, by seat
    excluded: NDArray[np.int8]  # [moves]: 1 for moves that are not searched at the root
    best: NDArray[np.int64]  # [2]: best move at the root so far (or NO_MOVE), and its value
    node_counts: NDArray[np.int64]  # [2]: nodes searched, maximum
    stop: NDArray[np.int64]  # [1]: not 0 to stop the search


def allocate_stack(row: NDArray[Any], max_moves: int) -> AlphaBetaStack:
    """Allocate a stack for positions with rows like `row`."""
    integer_arrays = [np.zeros(MAX_PLY, np.int64) for _ in range(11)]
    moves, move_scores = np.zeros((MAX_PLY, max_moves), np.int16), np.zeros((MAX_PLY, max_moves), np.int64)
    return AlphaBetaStack(np.zeros((MAX_PLY, len(row)), row.dtype), moves, move_scores, *integer_arrays)


def allocate_tables(num_slots: int, num_actions: int) -> AlphaBetaTables:
    """Allocate tables; `num_slots` must be a power of two."""
    return AlphaBetaTables(
        key=np.zeros(num_slots, np.int64),
        value=np.zeros(num_slots, np.int16),
        move=np.zeros(num_slots, np.int16),
        depth=np.zeros(num_slots, np.int8),
        bound=np.zeros(num_slots, np.int8),
        history=np.zeros((2, num_actions), np.int64),
        excluded=np.zeros(num_actions, np.int8),
        best=np.zeros(2, np.int64),
        node_counts=np.zeros(2, np.int64),
        stop=np.zeros(1, np.int64),
    )


@kernel
def search(rules: Any, root_row: Any, depth: int, stack: AlphaBetaStack, tables: AlphaBetaTables) -> bool:
    """Search a position to `depth`; return False if the search was stopped before its end.

    Writes the best move and its value to `tables.best`; a stopped search leaves the best of the moves that it has finished.
    """
    copy_row(root_row, stack.rows[0])
    tables.best[0] = NO_MOVE
    stack.alpha[0], stack.beta[0] = -WIN_VALUE - 1, WIN_VALUE + 1
    stack.depth[0] = depth
    ply = 0
    is_new = True
    while ply >= 0:
        if should_stop(tables):
            return False
        value, has_value = 0, False
        if is_new:
            value, has_value = enter_node(rules, stack, tables, ply)
            is_new = False
        elif is_node_done(stack, ply):
            value, has_value = stack.best_value[ply], True
            store_node(stack, tables, ply)
        else:
            make_next_move(rules, stack, ply)
            ply += 1
            is_new = True
        if has_value:
            ply -= 1
            if ply >= 0:
                update_best(stack, tables, ply, value)
    return True


@kernel
def should_stop(tables: AlphaBetaTables) -> bool:
    """Return whether the stop flag is set or the node limit is reached."""
    num_nodes = tables.node_counts[0]
    return (num_nodes % POLL_NODES == 0 and tables.stop[0] != 0) or num_nodes >= tables.node_counts[1]


@kernel
def make_next_move(rules: Any, stack: AlphaBetaStack, ply: int) -> None:
    """Write the position after the next move, its window and its depth to the next ply."""
    move = pick_next_move(stack, ply)
    row = stack.rows[ply + 1]
    copy_row(stack.rows[ply], row)
    store_state(rules, apply_move(rules, load_state(rules, row), move), row)
    stack.alpha[ply + 1], stack.beta[ply + 1] = stack.alpha[ply], stack.beta[ply]
    stack.depth[ply + 1] = stack.depth[ply] - 1


@kernel
def enter_node(rules: Any, stack: AlphaBetaStack, tables: AlphaBetaTables, ply: int) -> tuple[int, bool]:
    """Enter a new node: return (value, True) if it needs no search, else (0, False) with its moves generated and scored.

    A finished position, a leaf by depth and a transposition table hit that causes a cutoff need no search.
    """
    tables.node_counts[0] += 1
    state = load_state(rules, stack.rows[ply])
    result = outcome(rules, state)
    if result != ONGOING:
        return terminal_value(result, ply), True
    if ply == MAX_PLY - 1 or stack.depth[ply] <= 0:
        return evaluate(rules, state), True
    key = hash_key(rules, state)
    slot = key & (len(tables.key) - 1)
    tt_move = NO_MOVE
    if key != 0 and tables.key[slot] == key:
        tt_move = tables.move[slot]
        value = value_from_tt(tables.value[slot], ply)
        if (
            ply > 0
            and tables.depth[slot] >= stack.depth[ply]
            and causes_cutoff(tables.bound[slot], value, stack.alpha[ply], stack.beta[ply])
        ):
            return value, True
    stack.key[ply] = key
    stack.seat[ply] = seat_to_move(rules, state)
    stack.alpha0[ply], stack.beta0[ply] = stack.alpha[ply], stack.beta[ply]
    stack.num_moves[ply] = legal_moves(rules, state, stack.moves[ply])
    if ply == 0:
        filter_excluded_root_moves(stack, tables)
    stack.next_move[ply] = 0
    stack.best_value[ply] = -WIN_VALUE - 1 if stack.seat[ply] == 0 else WIN_VALUE + 1
    stack.best_move[ply] = NO_MOVE
    history = tables.history[stack.seat[ply]]
    for index in range(stack.num_moves[ply]):
        move = stack.moves[ply, index]
        stack.move_scores[ply, index] = 2 * MAX_HISTORY if move == tt_move else history[move]
    return 0, False


@kernel
def filter_excluded_root_moves(stack: AlphaBetaStack, tables: AlphaBetaTables) -> None:
    """Remove excluded moves at the root; the value is then not that of the position, so that it is not stored."""
    count = 0
    for index in range(stack.num_moves[0]):
        move = stack.moves[0, index]
        stack.moves[0, count] = move
        count += 1 - tables.excluded[move]
    if count < stack.num_moves[0]:
        stack.key[0] = 0
    stack.num_moves[0] = count


@kernel
def terminal_value(outcome_code: int, ply: int) -> int:
    """Return the value of an outcome for seat 0 at `ply`."""
    if outcome_code == DRAW:
        return 0
    return WIN_VALUE - ply if outcome_code == 0 else ply - WIN_VALUE


@kernel
def value_from_tt(value: int, ply: int) -> int:
    """Convert a stored win value, which counts plies from its position, to one that counts from the root."""
    if value > MATE_THRESHOLD:
        return value - ply
    return value + ply if value < -MATE_THRESHOLD else value


@kernel
def causes_cutoff(bound: int, value: int, alpha: int, beta: int) -> bool:
    """Return whether a stored value is exact or lies outside of the window on the side that it bounds."""
    return bound == EXACT or (bound == LOWER_BOUND and value >= beta) or (bound == UPPER_BOUND and value <= alpha)


@kernel
def is_node_done(stack: AlphaBetaStack, ply: int) -> bool:
    """Return whether all moves are searched or the window is empty (cutoff)."""
    return stack.next_move[ply] == stack.num_moves[ply] or stack.alpha[ply] >= stack.beta[ply]


@kernel
def pick_next_move(stack: AlphaBetaStack, ply: int) -> int:
    """Return the unsearched move with the largest score and advance `next_move`; swaps it to its place."""
    first = stack.next_move[ply]
    moves, move_scores = stack.moves[ply], stack.move_scores[ply]
    best = first
    for index in range(first + 1, stack.num_moves[ply]):
        if move_scores[index] > move_scores[best]:
            best = index
    moves[first], moves[best] = moves[best], moves[first]
    move_scores[first], move_scores[best] = move_scores[best], move_scores[first]
    stack.next_move[ply] = first + 1
    return moves[first]


@kernel
def update_best(stack: AlphaBetaStack, tables: AlphaBetaTables, ply: int, value: int) -> None:
    """Update best value, best move and window with the value of the move searched last."""
    move = stack.moves[ply, stack.next_move[ply] - 1]
    maximises = stack.seat[ply] == 0
    if (value > stack.best_value[ply]) if maximises else (value < stack.best_value[ply]):
        stack.best_value[ply] = value
        stack.best_move[ply] = move
        if maximises:
            stack.alpha[ply] = max(stack.alpha[ply], value)
        else:
            stack.beta[ply] = min(stack.beta[ply], value)
        if ply == 0:
            tables.best[0], tables.best[1] = move, value


@kernel
def store_node(stack: AlphaBetaStack, tables: AlphaBetaTables, ply: int) -> None:
    """Update the history table after a cutoff, and store the node unless its slot has a deeper one of the same position."""
    depth, value, move = stack.depth[ply], stack.best_value[ply], stack.best_move[ply]
    history = tables.history[stack.seat[ply]]
    if stack.next_move[ply] < stack.num_moves[ply]:
        history[move] += depth * depth
        if history[move] > MAX_HISTORY:
            for other in range(len(history)):
                history[other] //= 2
    if stack.key[ply] == 0:
        return
    slot = stack.key[ply] & (len(tables.key) - 1)
    if tables.key[slot] != stack.key[ply] or tables.depth[slot] <= depth:
        tables.key[slot] = stack.key[ply]
        tables.move[slot] = move
        tables.depth[slot] = depth
        tables.value[slot] = value + ply if value > MATE_THRESHOLD else value - ply if value < -MATE_THRESHOLD else value
        tables.bound[slot] = bound_type(value, stack.alpha0[ply], stack.beta0[ply])


@kernel
def bound_type(value: int, alpha: int, beta: int) -> int:
    """Return whether a value searched with the window alpha, beta is EXACT or a bound."""
    if value >= beta:
        return LOWER_BOUND
    return UPPER_BOUND if value <= alpha else EXACT
