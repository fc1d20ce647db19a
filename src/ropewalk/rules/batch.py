"""Kernels that step, list and encode many positions of one game, for several threads that share the work.

Every thread calls the same kernel. It takes ranges of positions until none is left, of its own share of the batch first
and then of the shares of the others. Every position has a random stream of its own: what a kernel computes does not depend
on how the batch is divided.

A helper thread then stays in the kernel for a while. If the calling thread calls the kernel again with the same
arguments, `renew_share` gives the helper new ranges, without Python between: waking a thread takes as long as a hundred
steps.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.intrinsics import atomic_add, atomic_exchange, atomic_load, prefetch_row
from ..jit.kernel import dispatch_by_rules, implements, kernel
from .generic import I64, Moves, Row, Rows, clear_mask, copy_row
from .interface import (
    DRAW,
    ONGOING,
    apply_move,
    encode_planes,
    has_history_capacity,
    is_legal,
    load_state,
    outcome,
    random_move,
    seat_to_move,
    sorted_legal_moves,
    store_state,
    write_action_mask,
)

Mask: TypeAlias = NDArray[np.bool_]
RANGE_LENGTH = 64  # positions that a thread takes at a time, by default
COUNTERS_PER_LINE = 8  # so that counters of different threads lie in different cache lines


class PositionBatch(NamedTuple):
    """Positions of one game, the results of their last step, and the position that finished ones are replaced by."""

    rows: Rows  # [positions, words]
    outcomes: I64  # [positions]
    seats: I64  # [positions]
    rewards: NDArray[np.float32]  # [positions, 2]: of both seats in the last step, 1, -1 or 0
    finished: Mask  # [positions]: whether the last step ended the game
    rngs: I64  # [positions, 2]: generators of `jit.prng`
    start_row: Row
    start_seat: int


@kernel
def play_in_batch(rules: Any, batch: PositionBatch, index: int, state: Any, move: int, restart: bool) -> bool:
    """Apply a legal move to the ongoing position `index`, whose state is given; return whether its history is full now."""
    state = apply_move(rules, state, move)
    result = outcome(rules, state)
    if result == ONGOING:
        store_state(rules, state, batch.rows[index])
        batch.seats[index] = seat_to_move(rules, state)
        return not has_history_capacity(rules, state)
    batch.finished[index] = True
    if result != DRAW:
        batch.rewards[index, result] = 1
        batch.rewards[index, 1 - result] = -1
    if restart:
        reset_position(batch, index)
        return False
    store_state(rules, state, batch.rows[index])
    batch.outcomes[index], batch.seats[index] = result, seat_to_move(rules, state)
    return False


@kernel
def reset_position(batch: PositionBatch, index: int) -> None:
    """Replace position `index` by the start position."""
    copy_row(batch.start_row, batch.rows[index])
    batch.outcomes[index], batch.seats[index] = ONGOING, batch.start_seat


@kernel
def clear_step_results(batch: PositionBatch, index: int) -> None:
    """Clear the rewards and the flag of the last step of position `index`."""
    batch.rewards[index, 0] = batch.rewards[index, 1] = 0
    batch.finished[index] = False


# Sharing the work


class BatchShare(NamedTuple):
    """What the threads of one call share, and the number of the thread that works with it."""

    counters: I64  # [lines, 8], flat: positions taken of each share; positions finished in all, end of waiting; presence
    results: I64  # [num_threads]: the result of each thread
    num_positions: int
    num_threads: int
    thread: int
    max_checks: int  # of whether there are new ranges, before a helper thread leaves the kernel
    range_length: int  # positions that a thread takes at a time


def make_share(
    num_positions: int, num_threads: int = 1, max_checks: int = 0, *, range_length: int = RANGE_LENGTH
) -> BatchShare:
    """Return what threads share for one call, as the first of them uses it."""
    counters = np.zeros((2 * num_threads + 1) * COUNTERS_PER_LINE, np.int64)
    results = np.zeros(num_threads, np.int64)
    return BatchShare(counters, results, num_positions, num_threads, 0, max_checks, range_length)


@kernel
def renew_share(share: BatchShare) -> None:
    """Give all positions to the threads once more; all of them must be finished."""
    for thread in range(share.num_threads):
        share.results[thread] = 0
    atomic_exchange(share.counters, share.num_threads * COUNTERS_PER_LINE, 0)
    for thread in range(share.num_threads):
        atomic_exchange(share.counters, thread * COUNTERS_PER_LINE, 0)


def end_waiting(share: BatchShare) -> None:
    """Let helper threads leave the kernel at once when there is no range."""
    share.counters[share.num_threads * COUNTERS_PER_LINE + 1] = 1


@kernel
def call_helper(share: BatchShare, thread: int) -> bool:
    """Return whether a helper thread is absent and must be told to call the kernel; it counts as present from now on."""
    return atomic_exchange(share.counters, presence_index(share, thread), 1) == 0


@kernel
def presence_index(share: BatchShare, thread: int) -> int:
    """Return the index of the counter that is 1 while a helper thread is in the kernel or on its way."""
    return (share.num_threads + 1 + thread) * COUNTERS_PER_LINE


@kernel
def take_range(share: BatchShare) -> tuple[int, int]:
    """Take a range of positions that no thread has taken, and return its begin and end; both are 0 if there is none.

    A helper thread waits for new ranges. It says that it leaves before it looks for the last time, and the calling thread
    renews the share before it asks who is present: so one of them notices the other.
    """
    if share.num_threads == 1:
        begin = atomic_add(share.counters, 0, share.num_positions)
        return (0, share.num_positions) if begin == 0 else (0, 0)
    begin, end = find_range(share)
    if begin < end or share.thread == 0:
        return begin, end
    own_share = share_begin(share, share.thread + 1) - share_begin(share, share.thread)
    for _ in range(share.max_checks):
        if atomic_load(share.counters, share.thread * COUNTERS_PER_LINE) < own_share:
            begin, end = find_range(share)
            if begin < end:
                return begin, end
        if atomic_load(share.counters, share.num_threads * COUNTERS_PER_LINE + 1):
            break
    atomic_exchange(share.counters, presence_index(share, share.thread), 0)
    begin, end = find_range(share)
    if begin < end:
        atomic_exchange(share.counters, presence_index(share, share.thread), 1)
    return begin, end


@kernel
def find_range(share: BatchShare) -> tuple[int, int]:
    """Take a range of the thread's own share, or of another one; both are 0 if there is none at this moment."""
    for offset in range(share.num_threads):
        owner = (share.thread + offset) % share.num_threads
        first, last = share_begin(share, owner), share_begin(share, owner + 1)
        begin = first + atomic_add(share.counters, owner * COUNTERS_PER_LINE, share.range_length)
        if begin < last:
            return begin, min(begin + share.range_length, last)
    return 0, 0


@kernel
def share_begin(share: BatchShare, thread: int) -> int:
    """Return the first position of a thread's share of the batch; that of num_threads is the number of positions."""
    return share.num_positions * thread // share.num_threads


@kernel
def finish_range(share: BatchShare, begin: int, end: int) -> tuple[int, int]:
    """Count the positions of a range as finished, and take the next range."""
    if share.num_threads == 1:
        return 0, 0
    atomic_add(share.counters, share.num_threads * COUNTERS_PER_LINE, end - begin)
    return take_range(share)


@kernel
def wait_until_finished(share: BatchShare, max_checks: int) -> bool:
    """Return whether all positions are finished within a number of checks; a check takes some 10 nanoseconds."""
    for _ in range(max_checks):
        if atomic_add(share.counters, share.num_threads * COUNTERS_PER_LINE, 0) >= share.num_positions:
            return True
    return False


# Observations and masks


class NoOutput(NamedTuple):
    """Nothing is written after a step."""

    unused: int = 0


class PlanesOutput(NamedTuple):
    """Arrays for observations."""

    planes: NDArray[np.int8]  # [positions, num_cells, num_planes]


class MasksOutput(NamedTuple):
    """Arrays for action masks."""

    masks: Mask  # [positions, num_actions]


class FullOutput(NamedTuple):
    """Arrays for observations and action masks."""

    planes: NDArray[np.int8]
    masks: Mask


@dispatch_by_rules
def write_output(output: Any, rules: Any, batch: Any, index: Any, scratch: Any) -> Any:
    """Write what an output has arrays for, for the position `index`. `scratch` is for a list of moves."""


@implements(write_output, NoOutput)
@kernel
def write_nothing(output: NoOutput, rules: Any, batch: PositionBatch, index: int, scratch: Moves) -> None:
    """Do nothing."""


@implements(write_output, PlanesOutput)
@kernel
def write_planes(output: PlanesOutput, rules: Any, batch: PositionBatch, index: int, scratch: Moves) -> None:
    """Write planes[index]."""
    encode_planes(rules, load_state(rules, batch.rows[index]), output.planes[index])


@implements(write_output, MasksOutput)
@kernel
def write_mask(output: MasksOutput, rules: Any, batch: PositionBatch, index: int, scratch: Moves) -> None:
    """Write masks[index]; all moves are False after the end of the game."""
    if batch.outcomes[index] == ONGOING:
        write_action_mask(rules, load_state(rules, batch.rows[index]), output.masks[index], scratch)
    else:
        clear_mask(output.masks[index])


@implements(write_output, FullOutput)
@kernel
def write_planes_and_mask(output: FullOutput, rules: Any, batch: PositionBatch, index: int, scratch: Moves) -> None:
    """Write planes[index] and masks[index]."""
    write_planes(PlanesOutput(output.planes), rules, batch, index, scratch)
    write_mask(MasksOutput(output.masks), rules, batch, index, scratch)


@kernel
def write_output_batch(rules: Any, batch: PositionBatch, output: Any, scratch: Moves, share: BatchShare) -> None:
    """Write what an output has arrays for, for all positions."""
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            prefetch_row(batch.rows, index)
            write_output(output, rules, batch, index, scratch)
        begin, end = finish_range(share, begin, end)


# Steps


@kernel
def step_batch(
    rules: Any, batch: PositionBatch, moves: Moves, output: Any, scratch: Moves, share: BatchShare, restart: bool
) -> None:
    """Apply the legal moves[index] to every ongoing position, then write the output; the result is 1 if any history is full.

    With `restart`, a position whose game ends is replaced by the start position.
    """
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            prefetch_row(batch.rows, index)
            clear_step_results(batch, index)
            if batch.outcomes[index] == ONGOING:
                state = load_state(rules, batch.rows[index])
                if play_in_batch(rules, batch, index, state, moves[index], restart):
                    share.results[share.thread] = 1
            write_output(output, rules, batch, index, scratch)
        begin, end = finish_range(share, begin, end)


@kernel
def random_step_batch(
    rules: Any, batch: PositionBatch, moves: Moves, output: Any, scratch: Moves, share: BatchShare, restart: bool
) -> None:
    """Choose as `random_moves_batch` and play as `step_batch`, in one pass; moves[index] is the move made, 0 for none."""
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            prefetch_row(batch.rows, index)
            clear_step_results(batch, index)
            moves[index] = 0
            if batch.outcomes[index] == ONGOING:
                state = load_state(rules, batch.rows[index])
                move = random_move(rules, state, scratch, batch.rngs[index])
                moves[index] = move
                if play_in_batch(rules, batch, index, state, move, restart):
                    share.results[share.thread] = 1
            write_output(output, rules, batch, index, scratch)
        begin, end = finish_range(share, begin, end)


@kernel
def random_moves_batch(rules: Any, batch: PositionBatch, moves: Moves, scratch: Moves, share: BatchShare) -> None:
    """Write a uniformly random legal move for each position to moves[index], 0 after the end of its game."""
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            prefetch_row(batch.rows, index)
            moves[index] = 0
            if batch.outcomes[index] == ONGOING:
                moves[index] = random_move(rules, load_state(rules, batch.rows[index]), scratch, batch.rngs[index])
        begin, end = finish_range(share, begin, end)


@kernel
def find_illegal(rules: Any, batch: PositionBatch, moves: Moves, share: BatchShare) -> None:
    """Find ongoing positions in which moves[index] is not legal; the result is 1 + the first index, 0 for none."""
    begin, end = take_range(share)
    while begin < end:
        for index in range(end - 1, begin - 1, -1):
            if batch.outcomes[index] == ONGOING and not is_legal(rules, load_state(rules, batch.rows[index]), moves[index]):
                earlier = share.results[share.thread]
                share.results[share.thread] = index + 1 if earlier == 0 else min(earlier, index + 1)
        begin, end = finish_range(share, begin, end)


@kernel
def reset_finished(batch: PositionBatch, share: BatchShare) -> None:
    """Replace every finished position by the start position; the result is their number."""
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            if batch.outcomes[index] != ONGOING:
                reset_position(batch, index)
                share.results[share.thread] += 1
        begin, end = finish_range(share, begin, end)


@kernel
def legal_moves_batch(rules: Any, batch: PositionBatch, moves: Moves, counts: I64, share: BatchShare) -> None:
    """Write the legal moves of each position to moves[index], ascending, and their number to counts[index], 0 for none."""
    begin, end = take_range(share)
    while begin < end:
        for index in range(begin, end):
            counts[index] = 0
            if batch.outcomes[index] == ONGOING:
                counts[index] = sorted_legal_moves(rules, load_state(rules, batch.rows[index]), moves[index])
        begin, end = finish_range(share, begin, end)
