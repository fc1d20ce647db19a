"""The few questions that every game answers: search, playouts and the facade ask nothing else.

A position in memory is a *row*: one array of numbers. `load_state` reads a state from it (its arrays are
windows into the row, so `apply_move` writes there), `store_state` stores back what the state keeps outside of them.
"""

from __future__ import annotations

import math
from typing import Any

from ..jit.kernel import dispatched, kernel

ONGOING = -1  # outcomes: the winning seat 0 or 1, or one of these two
DRAW = 2

HISTORY_FULL = -2  # answers of `advance` instead of a count of moves
ILLEGAL_MOVE = -1


@dispatched
def load_state(rules: Any, row: Any) -> Any:
    """The state that a row holds."""


@dispatched
def store_state(rules: Any, state: Any, row: Any) -> Any:
    """Write a state's own numbers into the row that it was loaded from."""


@dispatched
def legal_moves(rules: Any, state: Any, moves: Any) -> Any:
    """List the ids of all legal moves in a fixed order and return how many there are."""


@dispatched
def is_legal(rules: Any, state: Any, move: Any) -> Any:
    """Whether any number at all is the id of a legal move, without listing the others; for a game that goes on."""


@dispatched
def random_move(rules: Any, state: Any, moves: Any, rng: Any) -> Any:
    """A legal move, each as likely as any other; for a game that goes on. `moves` is scratch."""


@dispatched
def apply_move(rules: Any, state: Any, move: Any) -> Any:
    """The state after a legal move. Arrays are changed in place: copy a row that you mean to keep."""


@dispatched
def outcome(rules: Any, state: Any) -> Any:
    """ONGOING, the seat that has won, or DRAW."""


@dispatched
def seat_to_move(rules: Any, state: Any) -> Any:
    """The seat that makes the next step."""


@dispatched
def position_codes(rules: Any, state: Any, codes: Any) -> Any:
    """Write a number for what is on each cell and, after them, one for all else: the same for the same position only."""


@dispatched
def has_history_capacity(rules: Any, state: Any) -> Any:
    """Whether the row can take another step; only a list of past positions can fill one up."""


@dispatched
def playout(rules: Any, state: Any, moves: Any, rng: Any) -> Any:
    """Play at random to the end and return the outcome. The row is spent afterwards."""


@dispatched
def rollout(rules: Any, state: Any, moves: Any, rng: Any, amaf_moves: Any, heavy: Any) -> Any:
    """Play on and return what seat 0 gets, 0 to 1; set played[seat, move] for each move made.

    With `sensible` 0 like `playout`; else threats are answered, or so many steps are made and then evaluated.
    """


@dispatched
def evaluate(rules: Any, state: Any) -> Any:
    """How well seat 0 stands: the logarithm of its odds to win, in hundredths. Not every game has an answer."""


@dispatched
def encode_planes(rules: Any, state: Any, planes: Any) -> Any:
    """Write what a net sees, [cells, planes] small whole numbers, from the view of the seat to move.

    The game names its planes; the first three are always the board itself, the mover's cells and the opponent's.
    """


@dispatched
def hash_key(rules: Any, state: Any) -> Any:
    """A number that tells positions apart (with a chance of error of one in 2**60), or 0."""


@kernel
def win_probability(evaluation: int) -> float:
    """The chance to win that an evaluation stands for."""
    return 1 / (1 + math.exp(-0.01 * evaluation))


@kernel
def outcome_value(result: int) -> float:
    """What seat 0 gets for an outcome."""
    return 0.5 if result == DRAW else 1.0 - result
