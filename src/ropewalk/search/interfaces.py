"""Protocols and helpers that all tree searches share: evaluator, search driver, clock, moves since a position."""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ..games.game import Position


class Search(Protocol):
    """What thinks about one position after another."""

    @property
    def visits(self) -> int:
        """Simulations that count for the position."""

    def set_root(self, position: Position) -> None:
        """Think about this position from now on."""

    def run(self, seconds: float | None, max_visits: int | None, cancelled: Event) -> Iterator[None]:
        """Simulate until a limit is reached or somebody cancels."""


MAX_REUSE_MOVES = 8  # steps between two positions of a game for which a tree is kept


def moves_since(earlier: Position | None, later: Position) -> list[int] | None:
    """The steps from an earlier position of the same game to a later one; None when it is not known to be earlier."""
    if earlier is None:
        return None
    moves: list[int] = []
    history = later.move_history
    while history is not earlier.move_history:
        if history.parent is None or len(moves) == MAX_REUSE_MOVES:
            return None
        moves.append(history.move)
        history = history.parent
    return moves[::-1]


class Evaluator(Protocol):
    """A net."""

    def evaluate(self, planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Logits by move id, and what the seat to move can expect."""


def has_expired(deadline: float | None) -> bool:
    """Whether time is up."""
    return deadline is not None and time.monotonic() >= deadline
