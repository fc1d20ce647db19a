"""Single steps of a game: interpreted at first, compiled once that has taken longer than a time budget."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from ..jit.interpreted import interpret
from ..jit.kernel import compile_for
from ..rules.generic import inspect_row, step

if TYPE_CHECKING:
    from .game import Game

RowInspection: TypeAlias = tuple[int, int, int]  # number of legal moves, outcome code, seat to move


class AdaptiveStepper:
    """`inspect_row` and `step` for one game; a few games are played without any compilation."""

    inspect_row: Callable[..., RowInspection]
    step: Callable[..., RowInspection]

    def __init__(self, game: Game) -> None:
        self.game = game
        self.interpreted_seconds = 0.0
        self.is_compiled = False
        self.inspect_row, self.step = self.with_timer(interpret(inspect_row)), self.with_timer(interpret(step))
        if game.interpreter_budget_seconds <= 0:
            self.compile()

    def with_timer(self, function: Callable[..., RowInspection]) -> Callable[..., RowInspection]:
        """Wrap an interpreted function: add up its time, and compile when the game's budget is spent."""

        def wrapper(*arguments: object) -> RowInspection:
            started_at = perf_counter()
            count, result, seat = map(int, function(*arguments))
            self.interpreted_seconds += perf_counter() - started_at
            if self.interpreted_seconds > self.game.interpreter_budget_seconds and not self.is_compiled:
                self.compile()
            return count, result, seat

        return wrapper

    def compile(self) -> None:
        """Switch to compiled functions, from the cache if they are there."""
        rules, row, moves = self.game.rules, self.game.start_row(), np.empty(self.game.max_legal_moves, np.int64)
        self.inspect_row = compile_for(inspect_row, rules, row, moves)
        self.step = compile_for(step, rules, row, 0, moves)
        self.is_compiled = True
