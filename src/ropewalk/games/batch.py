"""Thousands of positions of one game, stepped in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..chance import seeded
from ..errors import MoveError
from .game import Game, Position
from .questions import ONGOING
from .stepping import Looked, advance_all, choose_all, look_all


class Batch:
    """Many positions side by side.

    `counts[i]` moves are legal in position i, `moves[i, :counts[i]]`; `outcomes[i]` is -1 while it goes on, else
    the winning seat or 2 for a draw; `seats[i]` is to move. `play` updates all four in place.
    """

    def __init__(self, game: Game, size: int, *, seed: int = 0) -> None:
        self.game = game
        self.rows = np.repeat(game.start().row[np.newaxis], size, axis=0)
        self.moves = np.zeros((size, game.most_moves), np.int16)
        self.counts, self.outcomes, self.seats = (np.zeros(size, np.int64) for _ in range(3))
        self._looked = Looked(self.moves, self.counts, self.outcomes, self.seats)
        self._full = False
        self._rng = seeded(seed)
        look_all(game.rules, self.rows, self._looked)

    def __len__(self) -> int:
        return len(self.rows)

    def play(self, moves: ArrayLike) -> None:
        """Play one move, by id, in every position that is not over; if any is illegal, nothing changes."""
        chosen = np.ascontiguousarray(moves, np.int16)
        if chosen.shape != (len(self),):
            raise MoveError(f"a batch of {len(self)} positions takes as many moves, not an array of shape {chosen.shape}")
        if self._full:
            self.rows = np.stack([self.game.grown(row) for row in self.rows])
        refused, self._full = advance_all(self.game.rules, self.rows, chosen, self._looked)
        if refused >= 0:
            self[refused].play_id(int(chosen[refused]))
            raise AssertionError("the position itself refuses the move")

    def choose(self) -> NDArray[np.int16]:
        """A random legal move for each position, by the batch's seed; 0 where the game is over."""
        chosen = np.zeros(len(self), np.int16)
        choose_all(self._looked, chosen, self._rng)
        return chosen

    def restart(self) -> int:
        """Put the start position in the place of every finished one; returns how many."""
        over = self.outcomes != ONGOING
        if over.any():
            fresh = Batch(self.game, 1)
            row = fresh.rows[0]
            while len(row) < self.rows.shape[1]:
                row = self.game.grown(row)
            self.rows[over] = row
            self.moves[over], self.counts[over] = fresh.moves[0], fresh.counts[0]
            self.outcomes[over], self.seats[over] = fresh.outcomes[0], fresh.seats[0]
        return int(over.sum())

    def __getitem__(self, index: int) -> Position:
        """One of the positions, as a position of its own."""
        return Position.of(self.game, self.rows[index].copy())
