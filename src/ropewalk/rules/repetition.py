"""Past positions by their hash, for games in which the third occurrence of a position is a draw.

A history is a list of hashes with room for more. Few positions are ever remembered, for a move that cannot be
undone ends the list, and a processor compares many at a time: a table would have to be cleared.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import implements, kernel
from . import generic, interface

Hashes: TypeAlias = NDArray[np.int64]
INITIAL_CAPACITY = 128  # places in a new row; a full list grows


@kernel
def count_occurrences(history: Hashes, history_length: int, position_hash: int) -> int:
    """How often a position has occurred."""
    count = 0
    for index in range(history_length):
        count += 1 if history[index] == position_hash else 0
    return count


@kernel
def has_capacity(history: Hashes, history_length: int) -> bool:
    """Whether another position can be remembered."""
    return history_length < len(history)


@kernel
def push_hash(history: Hashes, history_length: int, position_hash: int) -> int:
    """Add a position; how many there are then. A playout that runs out of space remembers no more."""
    if not has_capacity(history, history_length):
        return history_length
    history[history_length] = position_hash
    return history_length + 1


@kernel
def get_result(rules: Any, state: Any) -> int:
    """What the last move decided."""
    return state.result


@kernel
def get_seat_to_move(rules: Any, state: Any) -> int:
    """The first colour is seat 0, the other seat 1."""
    return state.to_play


@kernel
def has_history_capacity(rules: Any, state: Any) -> bool:
    """Whether another position can be remembered."""
    return has_capacity(state.history, state.history_length)


@kernel
def get_hash_key(rules: Any, state: Any) -> int:
    """The hash that the history is kept by."""
    return state.position_hash


def has_repetition(state: Any) -> bool:
    """Whether a position that still counts has occurred twice, so that once more is a draw."""
    hashes = state.history[: state.history_length]
    return len(np.unique(hashes)) < len(hashes)


def register(rules_type: type) -> None:
    """Answer what states with a `past` have in common; their playouts are plain random games."""
    implements(interface.outcome, rules_type)(get_result)
    implements(interface.seat_to_move, rules_type)(get_seat_to_move)
    implements(interface.has_history_capacity, rules_type)(has_history_capacity)
    implements(interface.hash_key, rules_type)(get_hash_key)
    implements(interface.playout, rules_type)(generic.uniform_playout)
    implements(interface.rollout, rules_type)(generic.uniform_rollout)


def with_doubled_capacity(row: NDArray[Any], capacity: int) -> NDArray[Any]:
    """A copy of a row that ends with so many places, twice as many of them."""
    return np.concatenate([row, np.zeros(capacity, row.dtype)])
