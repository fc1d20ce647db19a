"""`Batch`: many positions of one game, stepped and encoded together on all cores."""

from __future__ import annotations

import os
from collections.abc import Hashable
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import MoveError, PositionError, RopewalkError
from ..jit.interpreted import interpreted_impl
from ..jit.kernel import compile_for
from ..jit.prng import make_rngs
from ..rules.batch import (
    BatchShare,
    FullOutput,
    Mask,
    MasksOutput,
    NoOutput,
    PlanesOutput,
    PositionBatch,
    find_illegal,
    legal_moves_batch,
    make_share,
    random_moves_batch,
    random_step_batch,
    reset_finished,
    step_batch,
    write_output_batch,
)
from ..rules.generic import I64, Row
from ..rules.interface import DRAW, ONGOING, has_history_capacity
from .game import Game
from .helper_threads import HelperThreads, ShareWork
from .position import Position

MIN_THREAD_POSITIONS = 256  # positions for which another thread is worth its start
PAUSED = 3  # in place of an outcome, while a step leaves an ongoing position out
Observations: TypeAlias = NDArray[np.int8]
BatchOutput: TypeAlias = NoOutput | PlanesOutput | MasksOutput | FullOutput


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
        self._step_moves = np.zeros(size, np.int16)  # the same array in every step
        self._num_threads = max(1, min(self.threads or os.cpu_count() or 1, size // MIN_THREAD_POSITIONS))
        self._helpers = HelperThreads(self._num_threads - 1) if self._num_threads > 1 else None
        self._share = make_share(size)  # of a single thread
        self._machine_code: dict[tuple[Any, type], Any] = {}
        positions, moves, scratch = self._positions(), self._step_moves, self._make_scratch()
        self._compile(find_illegal, game.rules, positions, moves, self._share)
        output = NoOutput()
        for kernel in (step_batch, random_step_batch):
            self._compile(kernel, game.rules, positions, moves, output, scratch, self._share, True, output=output)

    def _compile(self, kernel: Any, *arguments: Any, output: BatchOutput | None = None) -> Any:
        """Return the machine code of a kernel, which depends on the type of its output only; it is found once."""
        key = kernel, type(output)
        if key not in self._machine_code:
            self._machine_code[key] = compile_for(kernel, *arguments)
        return self._machine_code[key]

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
        list_moves = self._compile(legal_moves_batch, *arguments, self._share)
        self._run(lambda share: list_moves(*arguments, share))
        self._moves_current = True

    def action_masks(self, out: Mask | None = None) -> Mask:
        """Return which moves are legal: bool [size, num_actions]; all are False after the end of a game.

        Args:
            out: A C-contiguous array of this shape and type to write to; None for a new one.

        Raises:
            BatchError: `out` has another shape or type.
        """
        masks = self._require_masks(out)
        self._write_output(MasksOutput(masks))
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
        planes = self._require_planes(out)
        self._write_output(PlanesOutput(planes))
        return planes

    def _write_output(self, output: BatchOutput) -> None:
        """Write observations or masks."""
        arguments = (self.game.rules, self._positions(), output)
        write = self._compile(write_output_batch, *arguments, self._make_scratch(), self._share, output=output)
        self._run(lambda share: write(*arguments, self._make_scratch(), share))

    def _make_output(self, observations: Observations | None, masks: Mask | None) -> BatchOutput:
        """Return what a step writes. Raises BatchError."""
        if observations is None:
            return NoOutput() if masks is None else MasksOutput(self._require_masks(masks))
        planes = self._require_planes(observations)
        return PlanesOutput(planes) if masks is None else FullOutput(planes, self._require_masks(masks))

    def _require_planes(self, out: Any) -> Observations:
        return self._require_array(out, (len(self), *self.game.observation_shape), np.int8)

    def _require_masks(self, out: Any) -> Mask:
        return self._require_array(out, (len(self), self.game.num_actions), np.bool_)

    # Steps

    def play(
        self,
        moves: ArrayLike,
        *,
        where: Mask | None = None,
        restart: bool = False,
        observations: Observations | None = None,
        masks: Mask | None = None,
    ) -> None:
        """Play one move in every ongoing position; updates `outcomes`, `seats`, `rewards` and `finished`.

        Args:
            moves: An array of move ids, one per position; entries of finished positions are ignored.
            where: A bool array [size]: only positions where it is True are stepped; None for all. Not together with
                `observations` or `masks`.
            restart: Whether a position whose game ends is replaced by the start position at once.
            observations: An array to write the observations after the step to, as by `observations`, in the same pass.
            masks: An array to write the action masks after the step to, as by `action_masks`, in the same pass.

        Raises:
            BatchError: `observations` or `masks` has another shape or type, or is given together with `where`.
            MoveError: The array has a wrong shape, or an entry is not a move id.
            IllegalMove: A move is illegal; then no position is changed.
        """
        move_ids, output = self._validate_moves(moves), self._make_output(observations, masks)
        if where is not None and not isinstance(output, NoOutput):
            raise BatchError("a step of some positions cannot write observations or masks; call `observations` after it")
        self._grow_history()
        paused = np.zeros(0, np.int64) if where is None else np.flatnonzero(~where & (self.outcomes == ONGOING))
        self.outcomes[paused] = PAUSED
        try:
            self._check_and_step(move_ids, output, restart)
        finally:
            self.outcomes[paused] = ONGOING

    def _check_and_step(self, move_ids: NDArray[np.int16], output: BatchOutput, restart: bool) -> None:
        """Step all positions that are not finished or paused; raise IllegalMove before anything is changed."""
        arguments = (self.game.rules, self._positions(), move_ids)
        find = self._compile(find_illegal, *arguments, self._share)
        illegal = [found - 1 for found in self._run(lambda share: find(*arguments, share)) if found]
        if illegal:
            self[min(illegal)].play_id(int(move_ids[min(illegal)]))
            raise AssertionError("the position itself refuses the move")
        self._step_moves[:] = move_ids
        self._run_step(step_batch, self._step_moves, output, restart)

    def _run_step(self, kernel: Any, move_ids: NDArray[np.int16], output: BatchOutput, restart: bool) -> None:
        """Run a kernel that steps all positions; helper threads wait for the next step with the same arrays."""
        positions, max_moves = self._positions(), self.game.max_legal_moves
        arguments = (self.game.rules, positions, move_ids, output)
        step = self._compile(kernel, *arguments, self._make_scratch(), self._share, True, output=output)

        def run_step(share: BatchShare) -> None:  # does not refer to the batch, which keeps the last job
            step(*arguments, np.empty(max_moves, np.int16), share, restart)

        full = self._run(run_step, (step, restart, *map(id, (*positions, move_ids, *output))))
        self._history_full, self._moves_current = any(full), False

    def play_random(
        self, *, restart: bool = False, observations: Observations | None = None, masks: Mask | None = None
    ) -> NDArray[np.int16]:
        """Choose and play a random legal move in every ongoing position, in one pass.

        Does the same as `play(choose(), restart=restart)`, faster.

        Args:
            restart: Whether a position whose game ends is replaced by the start position at once.
            observations: An array to write the observations after the step to, as by `observations`, in the same pass.
            masks: An array to write the action masks after the step to, as by `action_masks`, in the same pass.

        Returns:
            The ids of the moves that were made [size]; 0 where the game was over already.

        Raises:
            BatchError: `observations` or `masks` has another shape or type.
        """
        output = self._make_output(observations, masks)
        self._grow_history()
        self._run_step(random_step_batch, self._step_moves, output, restart)
        return self._step_moves.copy()

    def choose(self) -> NDArray[np.int16]:
        """Return a random legal move for each position, from its stream; 0 where the game is over."""
        move_ids = np.empty(len(self), np.int16)
        arguments = (self.game.rules, self._positions(), move_ids)
        choose = self._compile(random_moves_batch, *arguments, self._make_scratch(), self._share)
        self._run(lambda share: choose(*arguments, self._make_scratch(), share))
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
        positions = self._positions()
        reset = self._compile(reset_finished, positions, self._share)
        count = sum(self._run(lambda share: reset(positions, share)))
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

    def _run(self, work: ShareWork, key: Hashable = None) -> list[int]:
        """Call a kernel with a share of the batch in every thread, this one included; return the results of the threads.

        With the key of the last call, which stands for the kernel and its arguments, the helpers need not be told.
        """
        if self._helpers is not None:
            return self._helpers.run(work, len(self), key)
        share = self._share
        share.counters[0] = share.results[0] = 0
        work(share)
        return [int(share.results[0])]
