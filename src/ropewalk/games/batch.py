"""`Batch`: many positions of one game, stepped together on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MoveError
from ..jit.kernel import compile_for
from ..jit.prng import make_rng
from ..rules.generic import (
    I64,
    PositionBatch,
    find_first_illegal,
    legal_moves_batch,
    random_moves_batch,
    reset_finished,
    step_batch,
)
from ..rules.interface import ONGOING
from .game import Game
from .position import Position

CHUNK_POSITIONS = 512  # positions in a unit of work of a thread
ChunkResult = TypeVar("ChunkResult")


class Batch:
    """Many positions of one game, all at the start position at first.

    Args:
        game: The game.
        size: Number of positions.
        seed: Seed of `choose`.
        threads: Number of threads; None for one per core, but at least 512 positions for each. Results do not depend on
            the number of threads.

    `counts[i]` moves are legal in position i, `moves[i, :counts[i]]`; `outcomes[i]` is -1 while it is ongoing, else
    the winning seat or 2 for a draw; `seats[i]` is to move. `play` and `restart` write into `outcomes` and `seats`;
    `moves` and `counts` are computed on access, so read them again after each step.
    """

    def __init__(self, game: Game, size: int, *, seed: int = 0, threads: int | None = None) -> None:
        start = game.start()
        self.game = game
        self.rows = np.repeat(start.row[np.newaxis], size, axis=0)
        self.outcomes, self.seats = np.full(size, ONGOING, np.int64), np.full(size, start.seat or 0, np.int64)
        self._start = start.row
        self._history_full = False
        self._moves, self._counts = np.zeros((size, game.max_legal_moves), np.int16), np.zeros(size, np.int64)
        self._moves_current = False
        self._scratch, self._rng = np.zeros(game.max_legal_moves, np.int16), make_rng(seed)
        self._num_helpers = min(threads or os.cpu_count() or 1, max(1, size // CHUNK_POSITIONS)) - 1
        self._pool = ThreadPoolExecutor(self._num_helpers) if self._num_helpers else None
        positions, moves = self._position_batch(slice(None)), np.zeros(size, np.int16)
        self._find_illegal = compile_for(find_first_illegal, game.rules, positions, moves)
        self._step_batch = compile_for(step_batch, game.rules, positions, moves)
        self._choose_moves = compile_for(random_moves_batch, game.rules, positions, moves, self._scratch, self._rng)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def moves(self) -> NDArray[np.int16]:
        """Ids of the legal moves [size, max_legal_moves]; the first `counts[i]` of row i are valid, in a fixed order."""
        self._refresh_moves()
        return self._moves

    @property
    def counts(self) -> I64:
        """Number of legal moves of each position."""
        self._refresh_moves()
        return self._counts

    def _refresh_moves(self) -> None:
        """Generate the moves if a step was made since they were generated."""
        if self._moves_current:
            return
        list_moves = compile_for(
            legal_moves_batch, self.game.rules, self._position_batch(slice(None)), self._moves, self._counts
        )
        self._map_chunks(
            lambda share: list_moves(self.game.rules, self._position_batch(share), self._moves[share], self._counts[share])
        )
        self._moves_current = True

    def play(self, moves: ArrayLike) -> None:
        """Play one move in every ongoing position.

        Args:
            moves: An array of move ids, one per position; entries of finished positions are ignored.

        Raises:
            MoveError: The array has a wrong shape, or an entry is not a move id.
            IllegalMove: A move is illegal; then no position is changed.
        """
        move_ids = self._validate_moves(moves)
        rules = self.game.rules
        illegal_index = self._find_illegal(rules, self._position_batch(slice(None)), move_ids)
        if illegal_index >= 0:
            self[illegal_index].play_id(int(move_ids[illegal_index]))
            raise AssertionError("the position itself refuses the move")
        if self._history_full:
            self.rows = np.stack([self.game.grow_history(row) for row in self.rows])
            self._start = self.game.grow_history(self._start)
        self._history_full = any(
            self._map_chunks(lambda share: self._step_batch(rules, self._position_batch(share), move_ids[share]))
        )
        self._moves_current = False

    def _validate_moves(self, moves: ArrayLike) -> NDArray[np.int16]:
        """Return the moves as int16; raise a MoveError for a wrong shape or values that are not move ids."""
        given = np.asarray(moves)
        if given.shape != (len(self),):
            raise MoveError(
                f"expected an array of {len(self)} move ids, one per position, not an array of shape {given.shape}"
            )
        move_ids = np.ascontiguousarray(given, np.int16)
        if given.dtype != np.int16 and (mismatches := np.flatnonzero(move_ids != given)).size:
            raise MoveError(
                f"move id {given[mismatches[0]]} is out of range; "
                f"{self.game.spec} has move ids 0 to {self.game.move_count - 1}"
            )
        return move_ids

    def choose(self) -> NDArray[np.int16]:
        """Return a random legal move for each position, by the batch's seed; 0 where the game is over."""
        move_ids = np.empty(len(self), np.int16)
        self._choose_moves(self.game.rules, self._position_batch(slice(None)), move_ids, self._scratch, self._rng)
        return move_ids

    def restart(self) -> int:
        """Replace finished positions by the start position; return their number."""
        count = reset_finished(self._position_batch(slice(None)), self._start, self.game.start().seat or 0)
        self._moves_current &= count == 0
        return count

    def _position_batch(self, chunk: slice) -> PositionBatch:
        """Return some of the positions as views for the kernels."""
        return PositionBatch(self.rows[chunk], self.outcomes[chunk], self.seats[chunk])

    def _map_chunks(self, work: Callable[[slice], ChunkResult]) -> list[ChunkResult]:
        """Apply `work` to chunks of all positions; every thread, this one included, takes the next chunk when it is free."""
        if self._pool is None:
            return [work(slice(None))]
        chunk_starts = iter(range(0, len(self), CHUNK_POSITIONS))

        def process_chunks() -> list[ChunkResult]:
            return [work(slice(first, first + CHUNK_POSITIONS)) for first in chunk_starts]

        futures = [self._pool.submit(process_chunks) for _ in range(self._num_helpers)]
        results = process_chunks()
        for future in futures:
            if not future.cancel():  # on a busy machine a helper may not have started: do not wait for it
                results += future.result()
        return results

    def __getitem__(self, index: int) -> Position:
        """Return a copy of one position."""
        return Position.from_row(self.game, self.rows[index].copy())
