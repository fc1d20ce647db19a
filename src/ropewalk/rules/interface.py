"""The interface that every game's rules module implements with kernels; search, playouts and `Game` use nothing else.

To add a game, define a NamedTuple class for its rules (constants: board arrays, options, hash keys) and one for its state,
and register a kernel for each function below with `@implements(interface.FUNCTION, RULES_CLASS)`. `evaluate` and
`hash_key` are needed only for alpha-beta search (and `evaluate` for truncated rollouts); `store_state`,
`sorted_legal_moves`, `write_action_mask`, `has_history_capacity` and `virtual_winner` have defaults; all others are
required.

Terms and shapes:

- `rules`: the NamedTuple of rules. Its type selects the implementation; kernels never write to it.
- `row`: a position in memory, one contiguous integer array [words] of a dtype that the game chooses. A copy of the row
  is a copy of the position.
- `state`: the NamedTuple that `load_state` makes of a row. Its array fields are views into the row; its scalar fields are
  copies. Kernels return a changed state as a new NamedTuple over the same arrays.
- `move`: an id from 0 to `game.num_actions - 1`. Ids are `kind * num_cells + cell`, then moves that belong to no cell.
- `moves`: an integer array [game.max_legal_moves] that the caller supplies for output or as scratch. Entries after the
  returned count are undefined.
- `rng`: the generator state of `jit.prng`. The functions that take it update it and use no other randomness.
- Seats are 0 (makes the first move of the game) and 1. An outcome is ONGOING, the winning seat 0 or 1, or DRAW.
- Values are from the point of view of seat 0; only `encode_planes` takes the view of the seat to move.

Kernels allocate nothing and check nothing: arguments are valid unless the function says otherwise. The same functions run
uncompiled (`jit.interpreted`).
"""

from __future__ import annotations

import math
from typing import Any

from ..jit.kernel import dispatch_by_rules, implements, kernel

# Outcomes besides the winning seat, 0 or 1.
ONGOING = -1
DRAW = 2

# Returned by `generic.step` in place of the number of legal moves.
HISTORY_FULL = -2
ILLEGAL_MOVE = -1


@dispatch_by_rules
def load_state(rules: Any, row: Any) -> Any:
    """Return the state that a row holds. Its arrays are views into the row, so that `apply_move` writes there."""


@dispatch_by_rules
def store_state(rules: Any, state: Any, row: Any) -> Any:
    """Write the scalar fields of a state into `row`, the row that it was loaded from; its arrays are there already.

    By default does nothing, for states without scalar fields.
    """


@implements(store_state, object)
@kernel
def store_nothing(rules: Any, state: Any, row: Any) -> None:
    """Implement `store_state` for states that consist of arrays only."""


@dispatch_by_rules
def legal_moves(rules: Any, state: Any, moves: Any) -> Any:
    """Write the ids of all legal moves to `moves` and return their number, at least 1; the game must be ongoing.

    The order is a function of the position alone. Seeded games and searches depend on it.
    """


@dispatch_by_rules
def sorted_legal_moves(rules: Any, state: Any, moves: Any) -> Any:
    """Do the same as `legal_moves`, but in ascending order. By default sorts the list (`generic.sort_legal_moves`)."""


@dispatch_by_rules
def write_action_mask(rules: Any, state: Any, mask: Any, moves: Any) -> Any:
    """Write mask[move], whether a move is legal, for all moves; the game must be ongoing. `moves` is scratch.

    By default lists the legal moves (`generic.mask_listed_moves`).
    """


@dispatch_by_rules
def is_legal(rules: Any, state: Any, move: Any) -> Any:
    """Return whether `move` (any integer) is legal; the game must be ongoing. Does not list the moves."""


@dispatch_by_rules
def random_move(rules: Any, state: Any, moves: Any, rng: Any) -> Any:
    """Return a uniformly random legal move; the game must be ongoing. `moves` is scratch."""


@dispatch_by_rules
def apply_move(rules: Any, state: Any, move: Any) -> Any:
    """Return the state after a legal move of an ongoing game. Writes into the arrays of `state`, and so into its row.

    Scalar fields reach the row only through `store_state`. When the history is full, the position is not recorded.
    """


@dispatch_by_rules
def outcome(rules: Any, state: Any) -> Any:
    """Return ONGOING, the winning seat (0 or 1), or DRAW."""


@dispatch_by_rules
def virtual_winner(rules: Any, state: Any) -> Any:
    """Return the seat not to move if it is known to win whatever the seat to move does, else ONGOING.

    The game must be ongoing. A static test that may overlook wins; by default it finds none. The state and its row hold no
    valid position afterwards.
    """


@implements(virtual_winner, object)
@kernel
def find_no_virtual_winner(rules: Any, state: Any) -> int:
    """Implement `virtual_winner` for games without such a test."""
    return ONGOING


@dispatch_by_rules
def seat_to_move(rules: Any, state: Any) -> Any:
    """Return the seat (0 or 1) that makes the next move; a turn may have several moves.

    After the end it still is the seat whose view `encode_planes` takes.
    """


@dispatch_by_rules
def position_codes(rules: Any, state: Any, codes: Any) -> Any:
    """Write codes[:num_cells + 1] (int64): the contents of each cell, then everything else, such as who is to move.

    Equal positions, and only those, have equal codes; the history of past positions is not part of them. Codes are from
    0 to 2**48 - 1. A symmetry that keeps the colours permutes the codes of the cells and keeps the last one. Solvers
    identify positions by them.
    """


@dispatch_by_rules
def has_history_capacity(rules: Any, state: Any) -> Any:
    """Return whether the row can record one more position; always True in a game without a history."""


@implements(has_history_capacity, object)
@kernel
def has_unlimited_capacity(rules: Any, state: Any) -> bool:
    """Implement `has_history_capacity` for games that store no past positions."""
    return True


@dispatch_by_rules
def playout(rules: Any, state: Any, moves: Any, rng: Any) -> Any:
    """Play uniformly random legal moves to the end and return the outcome, never ONGOING. `moves` is scratch.

    The state and its row hold no valid position afterwards. The state may be finished already.
    """


@dispatch_by_rules
def rollout(rules: Any, state: Any, moves: Any, rng: Any, amaf_moves: Any, heavy: Any) -> Any:
    """Play on for a search and return the value for seat 0, from 0 (loss) to 1 (win). `moves` is scratch.

    `amaf_moves` is float32 [2, num_actions]: sets amaf_moves[seat, move] to 1 for every move made, and may set it to 0 for
    moves that the seat has not made since the start of the game. With `heavy` 0 moves are random as in `playout`.
    Otherwise `heavy` is the parameter of the game's heavy rollout: the number of moves after which the position is
    evaluated in laoCoon and Liger, any non-zero value elsewhere. State and row hold no valid position afterwards.
    """


@dispatch_by_rules
def evaluate(rules: Any, state: Any) -> Any:
    """Return a static evaluation for seat 0: the log-odds of winning times 100, an integer. Optional."""


@dispatch_by_rules
def encode_planes(rules: Any, state: Any, planes: Any) -> Any:
    """Write the net's input `planes`, int8 [num_cells, num_planes], from the point of view of the seat to move.

    Writes every element; all values are from 0 to 127. `GameEncoding.planes` names the planes in order. The first three are
    always 1 on every cell, the mover's pieces, and the opponent's pieces. A symmetry of the game permutes the cells of
    the planes and changes nothing else, apart from a count of repetitions. The state may be finished: training reads
    the owners of cells from planes 1 and 2 of the final position.
    """


@dispatch_by_rules
def hash_key(rules: Any, state: Any) -> Any:
    """Return the Zobrist hash of the position, 63 bits; 0 means that it is not to be stored in a table. Optional."""


@kernel
def win_probability(evaluation: int) -> float:
    """Convert an evaluation (log-odds times 100) to a probability of winning, 0 to 1."""
    return 1 / (1 + math.exp(-0.01 * evaluation))


@kernel
def outcome_value(result: int) -> float:
    """Convert an outcome other than ONGOING to the value for seat 0: 1 won, 0.5 drawn, 0 lost."""
    return 0.5 if result == DRAW else 1.0 - result
