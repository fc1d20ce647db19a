"""What the tree searches share: protocols, root moves, node numbers, the policy softmax, tree reuse and the search clock."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from threading import Event
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import kernel
from ..rules.interface import ONGOING

if TYPE_CHECKING:
    from ..games.position import Position

ROOT = 0  # node number of a tree's root
NO_NODE = -1  # in the place of a node number: none
MAX_REUSE_MOVES = 8  # moves between two positions of a game for which a tree is reused


class Evaluator(Protocol):
    """A net that evaluates positions in batches."""

    def evaluate(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Evaluate positions given as planes [N, cells, planes].

        Returns policy logits [N, policy size] by move id, and values [N] from -1 to 1 for the seat to move.
        """


class Search(Protocol):
    """A tree search of one position after another that reuses its tree where it can."""

    @property
    def visits(self) -> int:
        """Simulations at the root, those of a reused tree included."""

    def set_root(self, position: Position, root_moves: Sequence[int] | None = None) -> None:
        """Search `position` from now on; the subtree of a position reached by a few moves is reused.

        With `root_moves`, only these moves are searched in the position itself, in a tree that is not reused later.
        """

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until `seconds` or `max_visits` are reached or `cancelled` is set; yields after every chunk."""


class RootMove(NamedTuple):
    """Statistics of one move at the root; values are from 0 to 1 for the seat to move at the root."""

    move: int
    visits: int = 0
    value: float = 0.5  # mean result of the visits
    rave_value: float = 0.5  # `value` blended with the AMAF mean; equal to `value` in a search without RAVE
    prior: float = 0.0  # policy prior of the net, 0 without one
    proven: int = ONGOING  # ONGOING, or the outcome after the move if it is known exactly


def moves_since(earlier: Position | None, later: Position) -> list[int] | None:
    """Return the moves that lead from `earlier` to `later`; None if it is no ancestor within MAX_REUSE_MOVES moves."""
    if earlier is None:
        return None
    moves: list[int] = []
    history = later.move_history
    while history is not earlier.move_history:
        if history[0] is None or len(moves) == MAX_REUSE_MOVES:
            return None
        history, move = history
        moves.append(move)
    return moves[::-1]


class SearchClock:
    """Deadline and cancellation of one run of a search; the time starts with the construction."""

    def __init__(self, seconds: float | None, cancelled: Event) -> None:
        self._deadline = math.inf if seconds is None else time.monotonic() + seconds
        self._cancelled = cancelled

    @property
    def seconds_left(self) -> float:
        """Seconds until the deadline, infinite without one; negative when it has passed."""
        return self._deadline - time.monotonic()

    def is_cancelled(self) -> bool:
        """Return whether the caller has cancelled the search."""
        return self._cancelled.is_set()

    def must_stop(self) -> bool:
        """Return whether the search is cancelled or its deadline has passed."""
        return self.is_cancelled() or self.seconds_left <= 0


@kernel
def masked_softmax(logits: NDArray[np.float32], moves: NDArray[np.int16], priors: NDArray[np.float32]) -> None:
    """Write the softmax of the logits of `moves` into `priors`, in float32; other moves' logits are ignored.

    `logits` has an entry per move id, `moves` and `priors` have one per legal move.
    """
    max_logit = np.float32(-1e30)
    for index in range(len(moves)):
        max_logit = max(max_logit, logits[moves[index]])
    total = np.float32(0)
    for index in range(len(moves)):
        priors[index] = math.exp(logits[moves[index]] - max_logit)
        total += priors[index]
    for index in range(len(moves)):
        priors[index] /= total
