"""`Batch`: many positions of one game, stepped and encoded together on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MoveError, PositionError, RopewalkError
from ..jit.interpreted import interpreted_impl
from ..jit.kernel import compile_for
from ..jit.prng import make_rngs
from ..rules.batch import (
    Mask,
    PositionBatch,
    find_first_illegal,
    legal_moves_batch,
    random_moves_batch,
    random_step_batch,
    reset_finished,
    step_batch,
    write_masks_batch,
    write_planes_batch,
)
from ..rules.generic import I64, Row
from ..rules.interface import DRAW, ONGOING, has_history_capacity
from .game import Game
from .helper_threads import HelperThreads
from .position import Position

MIN_THREAD_POSITIONS = 256  # positions for which another thread is worth its start
PAUSED = 3  # in place of an outcome, while a step leaves an ongoing position out
CHUNKS_PER_THREAD = 4  # a thread that is interrupted leaves the remaining chunks to the others
RangeResult = TypeVar("RangeResult")
Observations: TypeAlias = NDArray[np.int8]


class BatchError(RopewalkError):
    """An array that a batch cannot write to, or a number of seeds that does not fit."""


class Batch:
    """Many positions of one game, all at the same start position at first.

    Args:
        game: The game.
        size: Number of positions.
        start: The position at which all begin and restart; None for the start position of the game.
        seed: Seed of the random moves; see `seed`.
        threads: Number of threads; None for one per core, but at least 256 positions for each. Results do not depend on
            the number of threads.

    `outcomes[i]` is -1 while game i is ongoing, else the winning seat or 2 for a draw; `seats[i]` is to move (int64).
    `rewards[i]` (float32, one for each seat) and `finished[i]` (bool) describe the last step: a step that ends game i gives
    1 to the winner, -1 to the loser, and 0 to both for a draw. All four are views: the batch writes into them in every
    step; do not write into them. `batch[i]` reads a position, `batch[i] = position` replaces it.

    Batches can be copied and pickled, with their random streams.
    """

    def __init__(
        self, game: Game, size: int, *, start: Position | None = None, seed: int = 0, threads: int | None = None
    ) -> None:
        self.game = game
        self.threads = threads
        position = self._require_position(game.start() if start is None else start)
        if position.seat is None:
            raise PositionError("a batch cannot start from a position in which the game is over")
        row = position.row if self._has_capacity(position.row) else game.grow_history(position.row)
        self.rows = np.repeat(row[np.newaxis], size, axis=0)
        self.outcomes, self.seats = np.full(size, ONGOING, np.int64), np.full(size, position.seat, np.int64)
        self.rewards, self.finished = np.zeros((size, 2), np.float32), np.zeros(size, np.bool_)
        self._start_row, self._start_seat = row, position.seat
        self._rngs = np.zeros((size, 2), np.int64)
        self._history_full = False
        self.seed(seed)
        self._prepare()

    def _prepare(self) -> None:
        """Set up what is derived from the positions: kernels, threads, lists of moves."""
        game, size = self.game, len(self)
        self._moves, self._counts = np.zeros((size, game.max_legal_moves), np.int16), np.zeros(size, np.int64)
        self._moves_current = False
        self._num_threads = max(1, min(self.threads or os.cpu_count() or 1, size // MIN_THREAD_POSITIONS))
        self._helpers = HelperThreads(self._num_threads - 1) if self._num_threads > 1 else None
        positions, moves, scratch = self._positions(), np.zeros(size, np.int16), self._make_scratch()
        self._find_illegal = compile_for(find_first_illegal, game.rules, positions, moves, 0, 0)
        self._step = compile_for(step_batch, game.rules, positions, moves, 0, 0, True)
        self._random_step = compile_for(random_step_batch, game.rules, positions, moves, scratch, 0, 0, True)

    def __len__(self) -> int:
        return len(self.rows)

    # Random streams

    def seed(self, seed: ArrayLike) -> None:
        """Seed the random moves. Every position has its own stream.

        Args:
            seed: An integer: position i has stream i of this seed. Or an array of integers, one per position: position i
                then plays like the first position of a batch with that seed.

        Raises:
            BatchError: The array does not have one integer per position.
        """
        given = np.asarray(seed)
        if given.dtype.kind not in "iu" or given.shape not in ((), (len(self),)):
            raise BatchError(f"expected an integer, or an array of {len(self)} integers, one per position, as seeds")
        streams = np.arange(len(self)) if given.shape == () else np.zeros(len(self))
        seeds = np.broadcast_to(given, len(self)).astype(np.uint64)
        self._rngs[:] = make_rngs(seeds, streams.astype(np.uint64))

    # Legal moves

    @property
    def moves(self) -> NDArray[np.int16]:
        """Ids of the legal moves [size, max_legal_moves]; the first `counts[i]` of row i are valid and ascend.

        Computed on access; the next step overwrites the array.
        """
        self._refresh_moves()
        return self._moves

    @property
    def counts(self) -> I64:
        """Number of legal moves of each position, 0 after the end; computed on access, overwritten by the next step."""
        self._refresh_moves()
        return self._counts

    def _refresh_moves(self) -> None:
        """Generate the moves if a step was made since they were generated."""
        if self._moves_current:
            return
        arguments = (self.game.rules, self._positions(), self._moves, self._counts)
        list_moves = compile_for(legal_moves_batch, *arguments, 0, 0)
        self._map_ranges(lambda begin, end: list_moves(*arguments, begin, end))
        self._moves_current = True

    def action_masks(self, out: Mask | None = None) -> Mask:
        """Return which moves are legal: bool [size, num_actions]; all are False after the end of a game.

        Args:
            out: A C-contiguous array of this shape and type to write to; None for a new one.

        Raises:
            BatchError: `out` has another shape or type.
        """
        masks = self._require_array(out, (len(self), self.game.num_actions), np.bool_)
        arguments = (self.game.rules, self._positions(), masks)
        write = compile_for(write_masks_batch, *arguments, self._make_scratch(), 0, 0)
        self._map_ranges(lambda begin, end: write(*arguments, self._make_scratch(), begin, end))
        return masks

    def observations(self, out: Observations | None = None) -> Observations:
        """Return the observations of all positions, each from the point of view of its seat to move.

        Args:
            out: A C-contiguous int8 array of shape `(size, *game.observation_shape)` to write to; None for a new one.

        Returns:
            The array. `observations()[i]` equals `batch[i].observation()`.

        Raises:
            BatchError: `out` has another shape or type.
        """
        planes = self._require_array(out, (len(self), *self.game.observation_shape), np.int8)
        arguments = (self.game.rules, self._positions(), planes)
        write = compile_for(write_planes_batch, *arguments, 0, 0)
        self._map_ranges(lambda begin, end: write(*arguments, begin, end))
        return planes

    # Steps

    def play(self, moves: ArrayLike, *, where: Mask | None = None, restart: bool = False) -> None:
        """Play one move in every ongoing position; updates `outcomes`, `seats`, `rewards` and `finished`.

        Args:
            moves: An array of move ids, one per position; entries of finished positions are ignored.
            where: A bool array [size]: only positions where it is True are stepped; None for all.
            restart: Whether a position whose game ends is replaced by the start position at once.

        Raises:
            MoveError: The array has a wrong shape, or an entry is not a move id.
            IllegalMove: A move is illegal; then no position is changed.
        """
        move_ids = self._validate_moves(moves)
        self._grow_history()
        paused = np.zeros(0, np.int64) if where is None else np.flatnonzero(~where & (self.outcomes == ONGOING))
        self.outcomes[paused] = PAUSED
        try:
            self._check_and_step(move_ids, restart)
        finally:
            self.outcomes[paused] = ONGOING

    def _check_and_step(self, move_ids: NDArray[np.int16], restart: bool) -> None:
        """Step all positions that are not finished or paused; raise IllegalMove before anything is changed."""
        arguments = (self.game.rules, self._positions(), move_ids)
        illegal = [
            index
            for index, end in self._map_ranges(lambda begin, end: (self._find_illegal(*arguments, begin, end), end))
            if index < end
        ]
        if illegal:
            self[min(illegal)].play_id(int(move_ids[min(illegal)]))
            raise AssertionError("the position itself refuses the move")
        full = self._map_ranges(lambda begin, end: self._step(*arguments, begin, end, restart))
        self._history_full, self._moves_current = any(full), False

    def play_random(self, *, restart: bool = False) -> NDArray[np.int16]:
        """Choose and play a random legal move in every ongoing position, in one pass.

        Does the same as `play(choose(), restart=restart)`, faster.

        Args:
            restart: Whether a position whose game ends is replaced by the start position at once.

        Returns:
            The ids of the moves that were made [size]; 0 where the game was over already.
        """
        self._grow_history()
        move_ids = np.empty(len(self), np.int16)
        arguments = (self.game.rules, self._positions(), move_ids)
        full = self._map_ranges(lambda begin, end: self._random_step(*arguments, self._make_scratch(), begin, end, restart))
        self._history_full, self._moves_current = any(full), False
        return move_ids

    def choose(self) -> NDArray[np.int16]:
        """Return a random legal move for each position, from its stream; 0 where the game is over."""
        move_ids = np.empty(len(self), np.int16)
        arguments = (self.game.rules, self._positions(), move_ids)
        choose = compile_for(random_moves_batch, *arguments, self._make_scratch(), 0, 0)
        self._map_ranges(lambda begin, end: choose(*arguments, self._make_scratch(), begin, end))
        return move_ids

    def restart(self, where: Mask | None = None) -> int:
        """Replace positions by the start position; return their number. Random streams go on.

        Args:
            where: A bool array [size], the positions to replace; None for those whose game is over.
        """
        if where is None:
            return self._restart_finished()
        kept = np.flatnonzero(~where & (self.outcomes != ONGOING))
        kept_outcomes = self.outcomes[kept]
        self.outcomes[kept], self.outcomes[where] = ONGOING, DRAW
        count = self._restart_finished()
        self.outcomes[kept] = kept_outcomes
        return count

    def _restart_finished(self) -> int:
        count = sum(self._map_ranges(lambda begin, end: reset_finished(self._positions(), begin, end)))
        self._moves_current &= count == 0
        return count

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
                f"{self.game.spec} has move ids 0 to {self.game.num_actions - 1}"
            )
        return move_ids

    # Single positions

    def __getitem__(self, index: int) -> Position:
        """Return a copy of one position, without the moves that led to it."""
        return Position.from_row(self.game, self.rows[index].copy())

    def __setitem__(self, index: int, position: Position) -> None:
        """Replace one position; the game may be over in it. Clears its rewards and flag of the last step."""
        row = self._require_position(position).row
        self._history_full |= not self._has_capacity(row)
        while len(row) < self.rows.shape[1]:
            row = self.game.grow_history(row)
        while len(row) > self.rows.shape[1]:
            self._double_history()
        self.rows[index], self.outcomes[index] = row, position.result
        self.seats[index] = position._seat
        self.rewards[index], self.finished[index] = 0, False
        self._moves_current = False

    def _require_position(self, position: Position) -> Position:
        """Return the position; raise a PositionError if it is one of another game."""
        if position.game != self.game:
            raise PositionError(f"expected a position of {self.game.spec}, not of {position.game.spec}")
        return position

    # Copies

    def copy(self) -> Batch:
        """Return an independent batch with the same positions and random streams."""
        twin: Batch = Batch.__new__(Batch)
        twin.__setstate__(
            {name: np.copy(value) if isinstance(value, np.ndarray) else value for name, value in self._state()}
        )
        return twin

    def __copy__(self) -> Batch:
        return self.copy()

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.copy()

    def _state(self) -> list[tuple[str, Any]]:
        """Return the attributes that make up the batch; `_prepare` computes the others."""
        names = ("game", "threads", "rows", "outcomes", "seats", "rewards", "finished")
        private = ("_start_row", "_start_seat", "_rngs", "_history_full")
        return [(name, getattr(self, name)) for name in (*names, *private)]

    def __getstate__(self) -> dict[str, Any]:
        return dict(self._state())

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._prepare()

    # Memory and threads

    def _grow_history(self) -> None:
        """Make room for more past positions if the history of a row is full."""
        if self._history_full:
            self._double_history()
            self._history_full = False

    def _double_history(self) -> None:
        """Double the capacity of all histories."""
        self.rows = np.stack([self.game.grow_history(row) for row in self.rows])
        self._start_row = self.game.grow_history(self._start_row)

    def _has_capacity(self, row: Row) -> bool:
        """Return whether a row can record one more position."""
        return bool(interpreted_impl(has_history_capacity, self.game.rules)(self.game.rules, self.game.state(row)))

    def _positions(self) -> PositionBatch:
        """Return the positions as the kernels read them."""
        return PositionBatch(
            rows=self.rows,
            outcomes=self.outcomes,
            seats=self.seats,
            rewards=self.rewards,
            finished=self.finished,
            rngs=self._rngs,
            start_row=self._start_row,
            start_seat=self._start_seat,
        )

    def _make_scratch(self) -> NDArray[np.int16]:
        """Return scratch memory of one thread for a list of moves."""
        return np.empty(self.game.max_legal_moves, np.int16)

    @staticmethod
    def _require_array(out: Any, shape: tuple[int, ...], dtype: Any) -> Any:
        """Return `out`, or a new array for None; raise a BatchError if it has another shape, type or layout."""
        if out is None:
            return np.empty(shape, dtype)
        if not isinstance(out, np.ndarray) or (out.shape, out.dtype) != (shape, dtype) or not out.flags.carray:
            raise BatchError(f"`out` must be a writable C-contiguous {np.dtype(dtype)} array of shape {shape}")
        return out

    def _map_ranges(self, work: Callable[[int, int], RangeResult]) -> list[RangeResult]:
        """Apply `work` to ranges of positions; every thread, this one included, takes the next range when it is free."""
        size = len(self)
        if self._helpers is None:
            return [work(0, size)]
        length = -(-size // (CHUNKS_PER_THREAD * self._num_threads))
        return self._helpers.map_ranges(work, size, length)
