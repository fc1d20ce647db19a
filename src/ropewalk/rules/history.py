"""Past positions by their hash, for games in which the third occurrence of a position is a draw.

A history is a list of hashes with room for more. Few positions are ever remembered, for a move that cannot be
undone ends the list, and a processor compares many at a time: a table would have to be cleared.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..kernels import answers, kernel
from . import questions, stepping

Hashes: TypeAlias = NDArray[np.int64]
ROOM = 128  # places in a new row; a full list grows


@kernel
def occurrences(past: Hashes, remembered: int, hashed: int) -> int:
    """How often a position has occurred."""
    times = 0
    for index in range(remembered):
        times += 1 if past[index] == hashed else 0
    return times


@kernel
def has_space(past: Hashes, remembered: int) -> bool:
    """Whether another position can be remembered."""
    return remembered < len(past)


@kernel
def remember(past: Hashes, remembered: int, hashed: int) -> int:
    """Add a position; how many there are then. A playout that runs out of space remembers no more."""
    if not has_space(past, remembered):
        return remembered
    past[remembered] = hashed
    return remembered + 1


@kernel
def result_of(rules: Any, state: Any) -> int:
    """What the last move decided."""
    return state.result


@kernel
def seat_of_mover(rules: Any, state: Any) -> int:
    """The first colour is seat 0, the other seat 1."""
    return state.to_play


@kernel
def has_room(rules: Any, state: Any) -> bool:
    """Whether another position can be remembered."""
    return has_space(state.past, state.remembered)


@kernel
def key_of(rules: Any, state: Any) -> int:
    """The hash that the history is kept by."""
    return state.hashed


def has_repeated(state: Any) -> bool:
    """Whether a position that still counts has occurred twice, so that once more is a draw."""
    counted = state.past[: state.remembered]
    return len(np.unique(counted)) < len(counted)


def register(rules: type) -> None:
    """Answer what states with a `past` have in common; their playouts are plain random games."""
    answers(questions.outcome, rules)(result_of)
    answers(questions.seat_to_move, rules)(seat_of_mover)
    answers(questions.has_room, rules)(has_room)
    answers(questions.table_key, rules)(key_of)
    answers(questions.playout, rules)(stepping.random_game)
    answers(questions.rollout, rules)(stepping.noted_game)


def grown(row: NDArray[Any], room: int) -> NDArray[Any]:
    """A copy of a row that ends with so many places, twice as many of them."""
    return np.concatenate([row, np.zeros(room, row.dtype)])
