"""Thousands of positions of one game, stepped in one call on all cores."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..chance import make_rng
from ..errors import MoveError
from ..kernels import compile_for
from ..rules.questions import ONGOING
from ..rules.stepping import (
    I64,
    PositionBatch,
    find_first_illegal,
    legal_moves_batch,
    random_moves_batch,
    reset_finished,
    step_batch,
)
from .game import Game, Position

SHARE = 512  # positions that a thread takes at a time
Answer = TypeVar("Answer")


class Batch:
    """Many positions side by side.

    `counts[i]` moves are legal in position i, `moves[i, :counts[i]]`; `outcomes[i]` is -1 while it goes on, else
    the winning seat or 2 for a draw; `seats[i]` is to move. `play` and `restart` update `outcomes` and `seats` in
    place; the moves are listed when they are asked for, so ask again after each step. Results do not depend on
    the number of threads (default: one a core, as far as each has enough to do).
    """

    def __init__(self, game: Game, size: int, *, seed: int = 0, threads: int | None = None) -> None:
        start = game.start()
        self.game = game
        self.rows = np.repeat(start.row[np.newaxis], size, axis=0)
        self.outcomes, self.seats = np.full(size, ONGOING, np.int64), np.full(size, start.seat or 0, np.int64)
        self._start = start.row
        self._full = False
        self._moves, self._counts = np.zeros((size, game.most_moves), np.int16), np.zeros(size, np.int64)
        self._listed = False
        self._scratch, self._rng = np.zeros(game.most_moves, np.int16), make_rng(seed)
        self._helpers = min(threads or os.cpu_count() or 1, max(1, size // SHARE)) - 1
        self._pool = ThreadPoolExecutor(self._helpers) if self._helpers else None
        places, chosen = self._places(slice(None)), np.zeros(size, np.int16)
        self._refuse = compile_for(find_first_illegal, game.rules, places, chosen)
        self._advance = compile_for(step_batch, game.rules, places, chosen)
        self._choose = compile_for(random_moves_batch, game.rules, places, chosen, self._scratch, self._rng)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def moves(self) -> NDArray[np.int16]:
        """The ids of the legal moves of each position, as many as `counts` says, in a fixed order."""
        self._list()
        return self._moves

    @property
    def counts(self) -> I64:
        """How many moves are legal in each position."""
        self._list()
        return self._counts

    def _list(self) -> None:
        """List the moves anew if a step was made since."""
        if self._listed:
            return
        entry = compile_for(legal_moves_batch, self.game.rules, self._places(slice(None)), self._moves, self._counts)
        self._share_out(lambda share: entry(self.game.rules, self._places(share), self._moves[share], self._counts[share]))
        self._listed = True

    def play(self, moves: ArrayLike) -> None:
        """Play one move, by id, in every position that is not over; if any is illegal, nothing changes."""
        chosen = self._ids(moves)
        rules = self.game.rules
        refused = self._refuse(rules, self._places(slice(None)), chosen)
        if refused >= 0:
            self[refused].play_id(int(chosen[refused]))
            raise AssertionError("the position itself refuses the move")
        if self._full:
            self.rows = np.stack([self.game.grown(row) for row in self.rows])
            self._start = self.game.grown(self._start)
        self._full = any(self._share_out(lambda share: self._advance(rules, self._places(share), chosen[share])))
        self._listed = False

    def _ids(self, moves: ArrayLike) -> NDArray[np.int16]:
        """The moves as the kernels take them; other numbers than ids are refused here."""
        given = np.asarray(moves)
        if given.shape != (len(self),):
            raise MoveError(f"a batch of {len(self)} positions takes as many moves, not an array of shape {given.shape}")
        chosen = np.ascontiguousarray(given, np.int16)
        if given.dtype != np.int16 and (wrong := np.flatnonzero(chosen != given)).size:
            raise MoveError(f"{self.game.spec} has move ids 0 to {self.game.move_count - 1}, not {given[wrong[0]]}")
        return chosen

    def choose(self) -> NDArray[np.int16]:
        """A random legal move for each position, by the batch's seed; 0 where the game is over."""
        chosen = np.empty(len(self), np.int16)
        self._choose(self.game.rules, self._places(slice(None)), chosen, self._scratch, self._rng)
        return chosen

    def restart(self) -> int:
        """Put the start position in the place of every finished one; returns how many."""
        count = reset_finished(self._places(slice(None)), self._start, self.game.start().seat or 0)
        self._listed &= count == 0
        return count

    def _places(self, share: slice) -> PositionBatch:
        """Some of the positions as the kernels take them."""
        return PositionBatch(self.rows[share], self.outcomes[share], self.seats[share])

    def _share_out(self, work: Callable[[slice], Answer]) -> list[Answer]:
        """Do work on all positions, each thread, this one included, taking another share when it is done with one."""
        if self._pool is None:
            return [work(slice(None))]
        firsts = iter(range(0, len(self), SHARE))

        def work_on() -> list[Answer]:
            return [work(slice(first, first + SHARE)) for first in firsts]

        helpers = [self._pool.submit(work_on) for _ in range(self._helpers)]
        answers = work_on()
        for helper in helpers:
            if not helper.cancel():  # one that has not begun by now, on a busy machine, is not waited for
                answers += helper.result()
        return answers

    def __getitem__(self, index: int) -> Position:
        """One of the positions, as a position of its own."""
        return Position.of(self.game, self.rows[index].copy())
