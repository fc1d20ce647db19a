"""Alpha-beta with iterative deepening, for games whose evaluation is worth more than random playouts.

Values are seat 0's, so that seat 0 takes the largest and seat 1 the smallest: turns may have several steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import kernel
from ..rules.questions import (
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
from ..rules.stepping import copy_row

WIN = 30000  # less a step for each that it takes, so that quick wins are preferred and losses put off
SURE = WIN - 2000  # a value beyond this is a win, not an estimate
DEEPEST = 96
EXACT, AT_LEAST, AT_MOST = range(3)
NO_MOVE = -1
HISTORY_LIMIT = 1 << 20
POLL = 256  # positions between two looks at the stop sign


class Stack(NamedTuple):
    """One entry a ply: the position and how far the search of its moves has come."""

    rows: NDArray[Any]  # [DEEPEST, words]
    moves: NDArray[np.int16]  # [DEEPEST, most moves]
    order: NDArray[np.int64]  # [DEEPEST, most moves]: how early each is tried
    listed: NDArray[np.int64]  # how many moves there are
    tried: NDArray[np.int64]
    seat: NDArray[np.int64]
    low: NDArray[np.int64]  # alpha: seat 0 has this elsewhere
    high: NDArray[np.int64]  # beta: seat 1 has this elsewhere
    first_low: NDArray[np.int64]  # the window on entry, by which a value is exact or a bound
    first_high: NDArray[np.int64]
    best: NDArray[np.int64]
    best_move: NDArray[np.int64]
    depth: NDArray[np.int64]  # left
    key: NDArray[np.int64]


class Memory(NamedTuple):
    """What outlives a search: a table of positions, and which moves were good."""

    key: NDArray[np.int64]  # [places], a power of two
    value: NDArray[np.int16]
    move: NDArray[np.int16]
    depth: NDArray[np.int8]
    bound: NDArray[np.int8]
    good: NDArray[np.int64]  # [2, moves]: how often a move cut a search short, by seat
    barred: NDArray[np.int8]  # [moves]: 1 for moves that are not tried at the root
    answer: NDArray[np.int64]  # [2]: best move at the root so far, and its value
    counts: NDArray[np.int64]  # [2]: positions searched, positions allowed
    stop: NDArray[np.int64]  # [1]: not 0 when the answer is wanted now


def empty_stack(row: NDArray[Any], most_moves: int) -> Stack:
    """Room for a search of positions like this one."""
    numbers = [np.zeros(DEEPEST, np.int64) for _ in range(11)]
    moves, order = np.zeros((DEEPEST, most_moves), np.int16), np.zeros((DEEPEST, most_moves), np.int64)
    return Stack(np.zeros((DEEPEST, len(row)), row.dtype), moves, order, *numbers)


def empty_memory(places: int, move_count: int) -> Memory:
    """A table with so many places, a power of two."""
    return Memory(
        key=np.zeros(places, np.int64),
        value=np.zeros(places, np.int16),
        move=np.zeros(places, np.int16),
        depth=np.zeros(places, np.int8),
        bound=np.zeros(places, np.int8),
        good=np.zeros((2, move_count), np.int64),
        barred=np.zeros(move_count, np.int8),
        answer=np.zeros(2, np.int64),
        counts=np.zeros(2, np.int64),
        stop=np.zeros(1, np.int64),
    )


@kernel
def search(rules: Any, start: Any, depth: int, stack: Stack, memory: Memory) -> bool:
    """Search a position so many steps deep; false when stopped before the end.

    The best move and its value are in memory.answer, also of a search that was stopped after its first move.
    """
    copy_row(start, stack.rows[0])
    memory.answer[0] = NO_MOVE
    stack.low[0], stack.high[0] = -WIN - 1, WIN + 1
    stack.depth[0] = depth
    ply = 0
    is_new = True
    while ply >= 0:
        if is_stopped(memory):
            return False
        value, is_known = 0, False
        if is_new:
            value, is_known = enter(rules, stack, memory, ply)
            is_new = False
        elif is_done(stack, ply):
            value, is_known = stack.best[ply], True
            leave(stack, memory, ply)
        else:
            descend(rules, stack, ply)
            ply += 1
            is_new = True
        if is_known:
            ply -= 1
            if ply >= 0:
                take(stack, memory, ply, value)
    return True


@kernel
def is_stopped(memory: Memory) -> bool:
    """Whether the answer is wanted now, or all positions allowed have been searched."""
    searched = memory.counts[0]
    return (searched % POLL == 0 and memory.stop[0] != 0) or searched >= memory.counts[1]


@kernel
def descend(rules: Any, stack: Stack, ply: int) -> None:
    """Make the most promising move that was not tried yet."""
    move = next_move(stack, ply)
    row = stack.rows[ply + 1]
    copy_row(stack.rows[ply], row)
    store_state(rules, apply_move(rules, load_state(rules, row), move), row)
    stack.low[ply + 1], stack.high[ply + 1] = stack.low[ply], stack.high[ply]
    stack.depth[ply + 1] = stack.depth[ply] - 1


@kernel
def enter(rules: Any, stack: Stack, memory: Memory, ply: int) -> tuple[int, bool]:
    """Look at a new position: its value when that is known or estimated at once, else its moves in a promising order."""
    memory.counts[0] += 1
    state = load_state(rules, stack.rows[ply])
    result = outcome(rules, state)
    if result != ONGOING:
        return value_of(result, ply), True
    if ply == DEEPEST - 1 or stack.depth[ply] <= 0:
        return evaluate(rules, state), True
    key = hash_key(rules, state)
    place = key & (len(memory.key) - 1)
    known = NO_MOVE
    if key != 0 and memory.key[place] == key:
        known = memory.move[place]
        value = from_table(memory.value[place], ply)
        if (
            ply > 0
            and memory.depth[place] >= stack.depth[ply]
            and settles(memory.bound[place], value, stack.low[ply], stack.high[ply])
        ):
            return value, True
    stack.key[ply] = key
    stack.seat[ply] = seat_to_move(rules, state)
    stack.first_low[ply], stack.first_high[ply] = stack.low[ply], stack.high[ply]
    stack.listed[ply] = legal_moves(rules, state, stack.moves[ply])
    if ply == 0:
        leave_out_barred(stack, memory)
    stack.tried[ply] = 0
    stack.best[ply] = -WIN - 1 if stack.seat[ply] == 0 else WIN + 1
    stack.best_move[ply] = NO_MOVE
    good = memory.good[stack.seat[ply]]
    for index in range(stack.listed[ply]):
        move = stack.moves[ply, index]
        stack.order[ply, index] = 2 * HISTORY_LIMIT if move == known else good[move]
    return 0, False


@kernel
def leave_out_barred(stack: Stack, memory: Memory) -> None:
    """Try only the moves at the root that are not barred; what is found then is not the position's value."""
    count = 0
    for index in range(stack.listed[0]):
        move = stack.moves[0, index]
        stack.moves[0, count] = move
        count += 1 - memory.barred[move]
    if count < stack.listed[0]:
        stack.key[0] = 0
    stack.listed[0] = count


@kernel
def value_of(result: int, ply: int) -> int:
    """What an outcome is worth to seat 0, so many steps from the root."""
    if result == DRAW:
        return 0
    return WIN - ply if result == 0 else ply - WIN


@kernel
def from_table(value: int, ply: int) -> int:
    """A value as seen from the root; tables count the steps to the end from the position itself."""
    if value > SURE:
        return value - ply
    return value + ply if value < -SURE else value


@kernel
def settles(bound: int, value: int, low: int, high: int) -> bool:
    """Whether a known value makes a search of the position needless."""
    return bound == EXACT or (bound == AT_LEAST and value >= high) or (bound == AT_MOST and value <= low)


@kernel
def is_done(stack: Stack, ply: int) -> bool:
    """Whether all moves were tried, or one so good that the other side would not let it come to this."""
    return stack.tried[ply] == stack.listed[ply] or stack.low[ply] >= stack.high[ply]


@kernel
def next_move(stack: Stack, ply: int) -> int:
    """The most promising move not tried yet."""
    first = stack.tried[ply]
    moves, order = stack.moves[ply], stack.order[ply]
    best = first
    for index in range(first + 1, stack.listed[ply]):
        if order[index] > order[best]:
            best = index
    moves[first], moves[best] = moves[best], moves[first]
    order[first], order[best] = order[best], order[first]
    stack.tried[ply] = first + 1
    return moves[first]


@kernel
def take(stack: Stack, memory: Memory, ply: int, value: int) -> None:
    """Count the value of the move that was tried last."""
    move = stack.moves[ply, stack.tried[ply] - 1]
    maximises = stack.seat[ply] == 0
    if (value > stack.best[ply]) if maximises else (value < stack.best[ply]):
        stack.best[ply] = value
        stack.best_move[ply] = move
        if maximises:
            stack.low[ply] = max(stack.low[ply], value)
        else:
            stack.high[ply] = min(stack.high[ply], value)
        if ply == 0:
            memory.answer[0], memory.answer[1] = move, value


@kernel
def leave(stack: Stack, memory: Memory, ply: int) -> None:
    """Remember a position whose search is done, and the move that was best."""
    depth, value, move = stack.depth[ply], stack.best[ply], stack.best_move[ply]
    good = memory.good[stack.seat[ply]]
    if stack.tried[ply] < stack.listed[ply]:
        good[move] += depth * depth
        if good[move] > HISTORY_LIMIT:
            for other in range(len(good)):
                good[other] //= 2
    if stack.key[ply] == 0:
        return
    place = stack.key[ply] & (len(memory.key) - 1)
    if memory.key[place] != stack.key[ply] or memory.depth[place] <= depth:
        memory.key[place] = stack.key[ply]
        memory.move[place] = move
        memory.depth[place] = depth
        memory.value[place] = value + ply if value > SURE else value - ply if value < -SURE else value
        memory.bound[place] = bound_of(value, stack.first_low[ply], stack.first_high[ply])


@kernel
def bound_of(value: int, low: int, high: int) -> int:
    """What a search within a window says of the true value."""
    if value >= high:
        return AT_LEAST
    return AT_MOST if value <= low else EXACT
