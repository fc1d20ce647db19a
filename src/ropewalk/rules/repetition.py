"""History of position hashes, for games in which the third occurrence of a position is a draw.

The history is the tail of the row: an array of hashes of which the first `history_length` are used. An irreversible move
empties it, so it stays short, and a linear scan with SIMD is faster than a hash table, which would have to be cleared.

The states of these games have the fields `history`, `history_length`, `position_hash`, `result` (an outcome) and
`to_play` (the seat to move).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import implements, kernel
from . import generic, interface

Hashes: TypeAlias = NDArray[np.int64]  # [capacity]
INITIAL_CAPACITY = 128  # hashes in a new row; a full history is doubled


@kernel
def count_occurrences(history: Hashes, history_length: int, position_hash: int) -> int:
    """Return how often a hash occurs in the history."""
    count = 0
    for index in range(history_length):
        count += 1 if history[index] == position_hash else 0
    return count


@kernel
def has_capacity(history: Hashes, history_length: int) -> bool:
    """Return whether one more hash can be pushed."""
    return history_length < len(history)


@kernel
def push_hash(history: Hashes, history_length: int, position_hash: int) -> int:
    """Append a hash and return the new length. Does nothing if the history is full, which happens only in playouts."""
    if not has_capacity(history, history_length):
        return history_length
    history[history_length] = position_hash
    return history_length + 1


@kernel
def get_result(rules: Any, state: Any) -> int:
    """Implement `interface.outcome`."""
    return state.result


@kernel
def get_seat_to_move(rules: Any, state: Any) -> int:
    """Implement `interface.seat_to_move`: the colour that moves first is seat 0."""
    return state.to_play


@kernel
def has_history_capacity(rules: Any, state: Any) -> bool:
    """Implement `interface.has_history_capacity`."""
    return has_capacity(state.history, state.history_length)


@kernel
def get_hash_key(rules: Any, state: Any) -> int:
    """Implement `interface.hash_key`."""
    return state.position_hash


def has_repetition(state: Any) -> bool:
    """Return whether any position of the history has occurred twice, so that its next occurrence is a draw."""
    hashes = state.history[: state.history_length]
    return len(np.unique(hashes)) < len(hashes)


def register(rules_type: type, *, rollout: Callable[..., float]) -> None:
    """Register the functions that games with a history share, and the game's rollout; the playout is uniformly random."""
    implements(interface.outcome, rules_type)(get_result)
    implements(interface.seat_to_move, rules_type)(get_seat_to_move)
    implements(interface.has_history_capacity, rules_type)(has_history_capacity)
    implements(interface.hash_key, rules_type)(get_hash_key)
    implements(interface.playout, rules_type)(generic.uniform_playout)
    implements(interface.rollout, rules_type)(rollout)


def with_doubled_capacity(row: NDArray[Any], capacity: int) -> NDArray[Any]:
    """Return a copy of a row that ends with a history of `capacity` words, extended to twice the capacity."""
    return np.concatenate([row, np.zeros(capacity, row.dtype)])
