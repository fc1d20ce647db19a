"""Two plain players: one moves at random, one tries every move in random games. A floor for others to stand on."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import cycle

import numpy as np

from ..chance import make_rng
from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.questions import DRAW
from ..rules.stepping import I64, Row, run_playouts
from .bot import Bot, Limit, Line, Report, refuse_finished

GAMES_A_MOVE = 20


class RandomBot(Bot):
    """Plays any legal step, each as likely as the others."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = "random"
        self.budget = "no thought at all"
        self.new_game(0)

    def new_game(self, seed: int) -> None:
        """Chance begins here."""
        self.chance = random.Random(seed)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report, at once, that knows nothing."""
        refuse_finished(position)
        assert position.seat is not None
        line = Line((self.chance.choice(position.moves()),), visits=0, value=0.5, kind="estimate")
        yield Report(position.seat, value=0.5, kind="estimate", visits=0, seconds=0.0, lines=(line,))


class GreedyBot(Bot):
    """Plays the step after which its seat does best in random games; it looks no further."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.name = "greedy"
        self.budget = f"{GAMES_A_MOVE} random games for every step"
        start = game.start().row
        self.listed = np.empty(game.max_legal_moves, np.int16)
        self.new_game(0)
        self.playouts = compile_for(run_playouts, game.rules, start, start, self.listed, self.rng, 1, np.zeros(3, np.int64))

    def new_game(self, seed: int) -> None:
        """Chance begins here."""
        self.rng = make_rng(seed)
        self.chance = random.Random(seed)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report, when all random games are played."""
        refuse_finished(position)
        assert position.seat is not None
        began = time.monotonic()
        tries = [Try(position, move) for move in position.moves()]
        self.chance.shuffle(tries)  # so that equals are chosen by chance, and so are those that few visits allow
        visits = 0
        for tried in cycle(tries):
            if visits and is_spent(limit, visits, began, GAMES_A_MOVE * len(tries)):
                break
            self.playouts(self.game.rules, tried.row, tried.scratch, self.listed, self.rng, 1, tried.results)
            visits += 1
        lines = tuple(sorted((tried.line() for tried in tries), key=lambda line: -line.value))
        spent = time.monotonic() - began
        yield Report(position.seat, lines[0].value, kind="estimate", visits=visits, seconds=spent, lines=lines)


class Try:
    """A step and how random games after it ended."""

    def __init__(self, position: Position, move: str) -> None:
        self.move = move
        self.seat = position.seat
        self.row: Row = position.play(move).row
        self.scratch: Row = self.row.copy()
        self.results: I64 = np.zeros(3, np.int64)

    def line(self) -> Line:
        """The step with its share of the points; 0 where no game was played."""
        visits = int(self.results.sum())
        points = float(self.results[self.seat] + self.results[DRAW] / 2)
        return Line((self.move,), visits, points / visits if visits else 0.0, kind="estimate")


def is_spent(limit: Limit | None, visits: int, began: float, usual: int) -> bool:
    """Whether a limit is reached, or the usual number of visits where it names none."""
    if limit is None or (limit.seconds is None and limit.visits is None):
        return visits >= usual or (limit is not None and limit.cancelled.is_set())
    if limit.visits is not None and visits >= limit.visits:
        return True
    return limit.cancelled.is_set() or (limit.seconds is not None and time.monotonic() - began >= limit.seconds)
