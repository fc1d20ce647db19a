"""Past positions by their hash, for games in which the third occurrence of a position is a draw.

A history is an open-addressed table of hashes, as long as a power of two; 0 is an empty place.
"""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..kernels import answers, kernel, plain
from . import questions, stepping

Hashes: TypeAlias = NDArray[np.int64]
NOTHING = 0
ROOM = 128  # places in a new row's table; a table three quarters full grows


@kernel
def occurrences(past: Hashes, hashed: int) -> int:
    """How often a position has occurred."""
    times = 0
    place = hashed & (len(past) - 1)
    while past[place] != NOTHING:
        if past[place] == hashed:
            times += 1
        place = (place + 1) & (len(past) - 1)
    return times


@kernel
def has_space(past: Hashes, remembered: int) -> bool:
    """Whether another position can be remembered; some places stay empty so that searches end."""
    return 4 * remembered < 3 * len(past)


@kernel
def remember(past: Hashes, remembered: int, hashed: int) -> int:
    """Add a position; how many there are then. A playout that runs out of space remembers no more."""
    if not has_space(past, remembered):
        return remembered
    place = hashed & (len(past) - 1)
    while past[place] != NOTHING:
        place = (place + 1) & (len(past) - 1)
    past[place] = hashed
    return remembered + 1


@kernel
def forget(past: Hashes, remembered: int) -> None:
    """Nothing before can come again."""
    if remembered > 0:
        for place in range(len(past)):
            past[place] = NOTHING


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


def register(rules: type) -> None:
    """Answer what states with a `past` have in common; their playouts are plain random games."""
    answers(questions.outcome, rules)(result_of)
    answers(questions.seat_to_move, rules)(seat_of_mover)
    answers(questions.has_room, rules)(has_room)
    answers(questions.table_key, rules)(key_of)
    answers(questions.playout, rules)(stepping.random_game)
    answers(questions.rollout, rules)(stepping.noted_game)


def grown(row: NDArray[Any], room: int) -> NDArray[Any]:
    """A copy of a row that ends with a table of so many places, the table twice as long."""
    longer = np.concatenate([row[: len(row) - room], np.zeros(2 * room, row.dtype)])
    count = 0
    for hashed in row[len(row) - room :]:
        if hashed != NOTHING:
            count = plain(remember)(longer[len(row) - room :], count, hashed)
    return longer
