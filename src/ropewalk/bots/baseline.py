"""Baseline bots: uniformly random moves, and flat Monte Carlo (random playouts after every move, no tree)."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import cycle
from typing import Any

import numpy as np

from ..games.game import Game
from ..games.position import Position
from ..jit.kernel import compile_for
from ..jit.prng import make_rng
from ..rules.generic import I64, Row, run_playouts
from ..rules.interface import DRAW
from .bot import Bot, Limit, Line, Report, find_searched_moves, require_ongoing

PLAYOUTS_PER_MOVE = 20  # without a limit


class RandomBot(Bot):
    """Plays uniformly random legal moves."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.name = "random"
        self.budget = "no thought at all"
        self.new_game(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        return RandomBot, (self.game, self.seed)

    def new_game(self, seed: int) -> None:
        """Seed the random generator."""
        self.seed = seed
        self.rng = random.Random(seed)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield one report with a random move and value 0.5; the bounds of the limit are ignored."""
        require_ongoing(position)
        assert position.seat is not None
        move = self.rng.choice(find_searched_moves(position, limit))
        line = Line((self.game.move_texts[move],), visits=0, value=0.5, certainty="estimate")
        yield Report(position.seat, value=0.5, certainty="estimate", visits=0, seconds=0.0, lines=(line,))


class FlatMonteCarloBot(Bot):
    """Plays the move with the best score in random playouts, which are shared evenly among all moves."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game = game
        self.name = "greedy"
        self.budget = f"{PLAYOUTS_PER_MOVE} random games for every step"
        start = game.start().row
        self.move_buffer = np.empty(game.max_legal_moves, np.int16)
        self.new_game(seed)
        self.run_playouts = compile_for(
            run_playouts, game.rules, start, start, self.move_buffer, self.rng, 1, np.zeros(3, np.int64)
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return FlatMonteCarloBot, (self.game, self.seed)

    def new_game(self, seed: int) -> None:
        """Seed the generators of playouts and of the order of moves."""
        self.seed = seed
        self.rng = make_rng(seed)
        self.shuffle_rng = random.Random(seed)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield one report when the playouts are finished; its visits are playouts."""
        require_ongoing(position)
        assert position.seat is not None
        started_at = time.monotonic()
        trials = [MoveTrial(position, self.game.move_texts[move]) for move in find_searched_moves(position, limit)]
        self.shuffle_rng.shuffle(trials)  # random tie-breaks, and a random subset under a small limit
        visits = 0
        for trial in cycle(trials):
            if visits and is_limit_reached(limit, visits, started_at, PLAYOUTS_PER_MOVE * len(trials)):
                break
            self.run_playouts(self.game.rules, trial.row, trial.scratch, self.move_buffer, self.rng, 1, trial.outcome_counts)
            visits += 1
        lines = tuple(sorted((trial.make_line() for trial in trials), key=lambda line: -line.value))
        elapsed_seconds = time.monotonic() - started_at
        yield Report(
            position.seat, lines[0].value, certainty="estimate", visits=visits, seconds=elapsed_seconds, lines=lines
        )


class MoveTrial:
    """A move, and the outcomes of playouts after it for the seat to move before it."""

    def __init__(self, position: Position, move: str) -> None:
        self.move = move
        self.seat = position.seat
        self.row: Row = position.play(move).row
        self.scratch: Row = self.row.copy()
        self.outcome_counts: I64 = np.zeros(3, np.int64)

    def make_line(self) -> Line:
        """Return the move with its mean score, 0 if it had no playout."""
        visits = int(self.outcome_counts.sum())
        points = float(self.outcome_counts[self.seat] + self.outcome_counts[DRAW] / 2)
        return Line((self.move,), visits, points / visits if visits else 0.0, certainty="estimate")


def is_limit_reached(limit: Limit | None, visits: int, started_at: float, default_visits: int) -> bool:
    """Return whether the limit is reached; `default_visits` applies if it bounds neither time nor visits."""
    if limit is None or (limit.seconds is None and limit.visits is None):
        return visits >= default_visits or (limit is not None and limit.cancelled.is_set())
    if limit.visits is not None and visits >= limit.visits:
        return True
    return limit.cancelled.is_set() or (limit.seconds is not None and time.monotonic() - started_at >= limit.seconds)
