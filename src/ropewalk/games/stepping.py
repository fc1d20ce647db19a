"""Single steps of a game: compiled if the machine code is in the cache, else interpreted for a time and then compiled."""

from __future__ import annotations

import math
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from .. import bootstrap
from ..jit.interpreted import interpret
from ..jit.kernel import compile_for, is_cached
from ..rules.generic import inspect_row, step, write_row_planes

if TYPE_CHECKING:
    from .game import Game

RowInspection: TypeAlias = tuple[int, int, int]  # number of legal moves, outcome code, seat to move


class AdaptiveStepper:
    """The kernels of single steps of one game.

    They are compiled from the first call if their machine code is in the cache. Otherwise they are interpreted until that
    has taken `Game.interpreter_budget_seconds`, so that a few games are played without any compilation. With an infinite
    budget they are interpreted until `compile` is called.
    """

    __slots__ = (
        "game",
        "inspect_row",
        "interpreted_seconds",
        "is_compiled",
        "max_legal_moves",
        "rules",
        "step",
        "write_planes",
    )

    inspect_row: Callable[..., RowInspection]
    step: Callable[..., RowInspection]
    write_planes: Callable[..., None]

    def __init__(self, game: Game) -> None:
        self.game, self.rules, self.max_legal_moves = game, game.rules, game.max_legal_moves
        self.interpreted_seconds = 0.0
        self.is_compiled = False
        self.inspect_row, self.step = self.with_timer(interpret(inspect_row)), self.with_timer(interpret(step))
        self.write_planes = interpret(write_row_planes)
        budget_seconds = game.interpreter_budget_seconds
        if budget_seconds <= 0 or (bootstrap.loads_cached_kernels and budget_seconds < math.inf and self.is_cached()):
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

    def is_cached(self) -> bool:
        """Return whether the machine code of all kernels of single steps is in the cache on disk."""
        return all(is_cached(kernel, *arguments) for kernel, arguments in self.list_calls())

    def compile(self) -> None:
        """Switch to compiled functions, from the cache if they are there."""
        self.inspect_row, self.step, self.write_planes = (
            compile_for(kernel, *arguments) for kernel, arguments in self.list_calls()
        )
        self.is_compiled = True

    def list_calls(self) -> list[tuple[Callable[..., Any], tuple[Any, ...]]]:
        """Return the kernels of single steps with example arguments."""
        game = self.game
        rules, row, moves = game.rules, game.start_row(), np.empty(game.max_legal_moves, np.int64)
        planes = np.empty(game.observation_shape, np.int8)
        return [(inspect_row, (rules, row, moves)), (step, (rules, row, 0, moves)), (write_row_planes, (rules, row, planes))]
