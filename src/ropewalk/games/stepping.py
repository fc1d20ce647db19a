"""Single steps of a game: in plain Python at first, compiled when that has cost more than a little."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..kernels import compile_for
from ..rules.stepping import inspect_row, step
from ..twins import interpreted

if TYPE_CHECKING:
    from .game import Game

Looked: TypeAlias = tuple[int, int, int]  # how many moves, the outcome, the seat to move


class Stepping:
    """`inspect_row` and `step` for one game; whoever plays only a few games never waits for machine code."""

    look: Callable[..., Looked]
    advance: Callable[..., Looked]

    def __init__(self, game: Game) -> None:
        self.game = game
        self.spent = 0.0  # seconds in plain Python
        self.is_compiled = False
        self.look, self.advance = self.watched(interpreted(inspect_row)), self.watched(interpreted(step))
        if game.patience <= 0:
            self.compile()

    def watched(self, function: Callable[..., Looked]) -> Callable[..., Looked]:
        """A function that adds up what it costs."""

        def watched(*arguments: object) -> Looked:
            began = perf_counter()
            count, result, seat = map(int, function(*arguments))
            self.spent += perf_counter() - began
            if self.spent > self.game.patience and not self.is_compiled:
                self.compile()
            return count, result, seat

        return watched

    def compile(self) -> None:
        """Take machine code from now on, from the cache if it is there."""
        rules, row, moves = self.game.rules, self.game.start_row(), np.empty(self.game.most_moves, np.int64)
        self.look = compile_for(inspect_row, rules, row, moves)
        self.advance = compile_for(step, rules, row, 0, moves)
        self.is_compiled = True
