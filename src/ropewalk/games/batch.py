"""Thousands of positions of one game, stepped in one call on all cores."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..chance import seeded
from ..errors import MoveError
from ..kernels import compiled
from ..rules.questions import ONGOING
from ..rules.stepping import Looked, advance_all, choose_all, first_illegal, look_all
from .game import Game, Position

SHARE = 512  # positions that a thread takes at a time


class Batch:
    """Many positions side by side.

    `counts[i]` moves are legal in position i, `moves[i, :counts[i]]`; `outcomes[i]` is -1 while it goes on, else
    the winning seat or 2 for a draw; `seats[i]` is to move. `play` updates all four in place. The result does
    not depend on the number of threads (default: one a core, as far as each has enough to do).
    """

    def __init__(self, game: Game, size: int, *, seed: int = 0, threads: int | None = None) -> None:
        self.game = game
        self.rows = np.repeat(game.start().row[np.newaxis], size, axis=0)
        self.moves = np.zeros((size, game.most_moves), np.int16)
        self.counts, self.outcomes, self.seats = (np.zeros(size, np.int64) for _ in range(3))
        self._looked = Looked(self.moves, self.counts, self.outcomes, self.seats)
        self._full = False
        self._rng = seeded(seed)
        self._helpers = min(threads or os.cpu_count() or 1, max(1, size // SHARE)) - 1
        self._pool = ThreadPoolExecutor(self._helpers) if self._helpers else None
        self._advance = compiled(advance_all, game.rules, self.rows, np.zeros(size, np.int16), self._looked)
        look_all(game.rules, self.rows, self._looked)

    def __len__(self) -> int:
        return len(self.rows)

    def play(self, moves: ArrayLike) -> None:
        """Play one move, by id, in every position that is not over; if any is illegal, nothing changes."""
        chosen = np.ascontiguousarray(moves, np.int16)
        if chosen.shape != (len(self),):
            raise MoveError(f"a batch of {len(self)} positions takes as many moves, not an array of shape {chosen.shape}")
        refused = first_illegal(chosen, self._looked)
        if refused >= 0:
            self[refused].play_id(int(chosen[refused]))
            raise AssertionError("the position itself refuses the move")
        if self._full:
            self.rows = np.stack([self.game.grown(row) for row in self.rows])
        self._full = self._advance_all(chosen)

    def _advance_all(self, chosen: NDArray[np.int16]) -> bool:
        """Share the work between the threads, this one included; whether some row is full now."""
        if self._pool is None:
            return self._advance(self.game.rules, self.rows, chosen, self._looked)
        starts = iter(range(0, len(self), SHARE))  # each thread takes the next share when it is done with one

        def work() -> bool:
            full = False
            for start in starts:
                share = slice(start, start + SHARE)
                looked = Looked(self.moves[share], self.counts[share], self.outcomes[share], self.seats[share])
                full |= self._advance(self.game.rules, self.rows[share], chosen[share], looked)
            return full

        helpers = [self._pool.submit(work) for _ in range(self._helpers)]
        return any([work(), *(helper.result() for helper in helpers)])

    def choose(self) -> NDArray[np.int16]:
        """A random legal move for each position, by the batch's seed; 0 where the game is over."""
        chosen = np.zeros(len(self), np.int16)
        choose_all(self._looked, chosen, self._rng)
        return chosen

    def restart(self) -> int:
        """Put the start position in the place of every finished one; returns how many."""
        over = np.flatnonzero(self.outcomes != ONGOING)
        if len(over):
            start = self.game.start()
            row, moves = start.row, start.move_ids()
            while len(row) < self.rows.shape[1]:
                row = self.game.grown(row)
            self.rows[over] = row
            self.moves[over, : len(moves)] = moves
            self.counts[over], self.outcomes[over], self.seats[over] = len(moves), ONGOING, start.seat or 0
        return len(over)

    def __getitem__(self, index: int) -> Position:
        """One of the positions, as a position of its own."""
        return Position.of(self.game, self.rows[index].copy())
