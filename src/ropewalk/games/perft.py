"""Perft: numbers of step sequences by depth, for comparing two implementations of the rules."""

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
from .game import Game
from .position import Position

MAX_POSITIONS_PER_CALL = 200_000  # on average: a kernel call cannot be interrupted


def perft(position: Position, depth: int, *, progress: Progress | None = None) -> dict[int, int]:
    """Return the numbers of sequences of 1 to `depth` steps from a position; finished positions have no successors.

    >>> import ropewalk
    >>> perft(ropewalk.game("tether-3").start(), 2)
    {1: 9, 2: 72}
    """
    return dict(islice(iterate_counts(position, progress=progress), depth))


def iterate_counts(position: Position, *, progress: Progress | None = None) -> Iterator[tuple[int, int]]:
    """Yield (depth, count) from depth 1 on; `progress` is called with the parts done and their number."""
    counts = [1]
    while True:
        counts.append(count_next_depth(position, counts, progress))
        yield len(counts) - 1, counts[-1]


def count_next_depth(position: Position, counts: list[int], progress: Progress | None) -> int:
    """Return the count at the next depth, given those before it; the first plies run in Python, subtrees in a kernel."""
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
    """Return how many plies to play in Python so that no kernel call takes long."""
    return next(ply for ply, num_parts in enumerate(counts) if counts[-1] <= MAX_POSITIONS_PER_CALL * num_parts)


def iterate_positions(position: Position, plies: int) -> Iterator[Position]:
    """Yield the position after every sequence of `plies` steps."""
    if plies == 0:
        yield position
        return
    for move in position.move_ids().tolist():
        yield from iterate_positions(position.play_id(move), plies - 1)


def count_sequences_from(position: Position, depth: int) -> int:
    """Return the number of sequences of exactly `depth` steps, in one kernel call."""
    game = position.game
    row = with_history_capacity(game, position.row, depth)
    rows, *scratch = allocate_arrays(game, row, depth)
    rows[0] = row
    return int(compile_counter(game)(game.rules, rows, *scratch))


def allocate_arrays(game: Game, row: Row, depth: int) -> tuple[Any, ...]:
    """Return the stacks of `count_sequences`: rows, moves, move counts and next moves, one entry for each ply."""
    counters = np.zeros((2, depth), np.int64)
    return (
        np.empty((depth, len(row)), row.dtype),
        np.empty((depth, game.max_legal_moves), np.int64),
        counters[0],
        counters[1],
    )


@lru_cache(maxsize=8)
def compile_counter(game: Game) -> Callable[..., int]:
    """Return `count_sequences` compiled for this game."""
    return compile_for(count_sequences, game.rules, *allocate_arrays(game, game.start().row, 1))


def with_history_capacity(game: Game, row: Row, num_steps: int) -> Row:
    """Return the row, or a copy with history capacity for `num_steps` steps; kernels cannot grow it."""
    while not has_history_capacity_for(game, row, num_steps):
        row = game.grow_history(row)
    return row


def has_history_capacity_for(game: Game, row: Row, num_steps: int) -> bool:
    """Return whether a row has history capacity for `num_steps` steps."""
    state = game.state(row)
    if "history_length" in state._fields:
        state = state._replace(history_length=state.history_length + num_steps - 1)
    return bool(interpreted_impl(has_history_capacity, game.rules)(game.rules, state))
