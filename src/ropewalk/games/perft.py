"""Counts of step sequences by depth: the numbers by which two programs find out whether they play the same rules."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np

from ..jit.interpreted import interpreted_impl
from ..jit.kernel import compile_for
from ..progress import Progress
from ..rules.generic import Row, count_sequences
from ..rules.interface import has_history_capacity
from .game import Game, Position

MAX_POSITIONS_PER_CALL = 200_000  # positions that one call into a kernel visits on average: it cannot be interrupted


def perft(position: Position, depth: int, *, progress: Progress | None = None) -> dict[int, int]:
    """How many sequences of 1 to `depth` steps lead on from a position; finished positions stop.

    >>> import ropewalk
    >>> perft(ropewalk.game("tether-3").start(), 2)
    {1: 9, 2: 72}
    """
    return dict(islice(iterate_counts(position, progress=progress), depth))


def iterate_counts(position: Position, *, progress: Progress | None = None) -> Iterator[tuple[int, int]]:
    """Each depth from 1 on with its count, as soon as it is known; `progress` is told of parts done and all parts."""
    counts = [1]
    while True:
        counts.append(count_next_depth(position, counts, progress))
        yield len(counts) - 1, counts[-1]


def count_next_depth(position: Position, counts: list[int], progress: Progress | None) -> int:
    """The count at the next depth, given those before it: the first plies in Python, each part in a kernel."""
    depth = len(counts)
    if counts[-1] == 0:
        return 0
    split_ply = choose_split_ply(counts)
    total = 0
    for done, subtree_root in enumerate(iterate_positions(position, split_ply), start=1):
        total += count_sequences_from(subtree_root, depth - split_ply)
        if progress:
            progress(done, counts[split_ply])
    return total


def choose_split_ply(counts: list[int]) -> int:
    """How many plies to play in Python, so that the parts are short; the last step is only counted, never played."""
    return next(ply for ply, num_parts in enumerate(counts) if counts[-1] <= MAX_POSITIONS_PER_CALL * num_parts)


def iterate_positions(position: Position, plies: int) -> Iterator[Position]:
    """The positions after every sequence of so many steps."""
    if plies == 0:
        yield position
        return
    for move in position.move_ids().tolist():
        yield from iterate_positions(position.play_id(move), plies - 1)


def count_sequences_from(position: Position, depth: int) -> int:
    """How many sequences of exactly so many steps lead on from a position, in one call."""
    game = position.game
    row = with_history_capacity(game, position.row, depth)
    rows, *scratch = allocate_arrays(game, row, depth)
    rows[0] = row
    return int(compile_counter(game)(game.rules, rows, *scratch))


def allocate_arrays(game: Game, row: Row, depth: int) -> tuple[Any, ...]:
    """A line a step of rows, moves, counts and moves tried, as `count_sequences` wants them."""
    counters = np.zeros((2, depth), np.int64)
    return (
        np.empty((depth, len(row)), row.dtype),
        np.empty((depth, game.max_legal_moves), np.int64),
        counters[0],
        counters[1],
    )


@lru_cache(maxsize=8)
def compile_counter(game: Game) -> Callable[..., int]:
    """The machine code that counts steps of this game."""
    return compile_for(count_sequences, game.rules, *allocate_arrays(game, game.start().row, 1))


def with_history_capacity(game: Game, row: Row, num_steps: int) -> Row:
    """The row, or a longer copy that can remember so many steps: kernels cannot make it grow on the way."""
    while not has_history_capacity_for(game, row, num_steps):
        row = game.grow_history(row)
    return row


def has_history_capacity_for(game: Game, row: Row, num_steps: int) -> bool:
    """Whether a row can take so many steps, each of which may remember one more position."""
    state = game.state(row)
    if "history_length" in state._fields:
        state = state._replace(history_length=state.history_length + num_steps - 1)
    return bool(interpreted_impl(has_history_capacity, game.rules)(game.rules, state))
