"""How strong the net is: pairs of games against bots by name, from random openings, seats exchanged."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from ..bots.bot import Bot
from ..bots.named import make_bot
from ..games.game import Game, Position
from ..kernels import compile_for
from ..rules.questions import DRAW, ONGOING
from ..search.forest import DONE, IDLE, PHASE
from ..search.growing import best_move
from ..search.gumbel import GumbelParams
from .evaluating import Evaluator
from .grove import Grove

OPENING_STEPS = 4
PLAYER = "the player"  # the weights that play, as an opponent
ENOUGH = 0.5  # of the points against the player, to take its place
LONGEST = 400  # steps; a longer game is a draw


@dataclass(frozen=True)
class Score:
    """What the net got against one opponent."""

    opponent: str
    spec: str
    pairs: int
    share: float  # of the points
    error: float  # of 95 %

    @property
    def elo(self) -> float:
        """The difference in Elo points that fits, cut off where all or nothing was won."""
        return self.elo_at(self.share)

    @property
    def elo_bounds(self) -> tuple[float, float]:
        """The ends of the 95 % interval, cut off in the same way."""
        return self.elo_at(self.share - self.error), self.elo_at(self.share + self.error)

    def elo_at(self, share: float) -> float:
        """The difference that fits a share of the points."""
        least = 0.5 / (2 * self.pairs + 1)
        share = min(max(share, least), 1 - least)
        return 400 * math.log10(share / (1 - share))

    def __str__(self) -> str:
        return f"{self.spec} against {self.opponent}: {self.share:.1%} ± {self.error:.1%} ({self.pairs} pairs)"


class Examiner:
    """Plays the net, with so many simulations a move, against others on one board."""

    def __init__(self, game: Game, evaluator: Evaluator, pairs: int, simulations: int, threads: int) -> None:
        self.game = game
        self.pairs = pairs
        self.evaluator = evaluator
        tuning = GumbelParams(simulations, 16, 0.1, 50.0, 0.0, 1, 0, 0)
        self.grove = Grove(game, 2 * pairs, tuning)
        self.line = evaluator.line_to(self.grove, compiles=False)
        self.threads = threads
        self._chosen = compile_for(best_move, self.grove.forest, tuning, 0)

    def examine(self, opponent: str, seed: int) -> Score:
        """Play all pairs at once."""
        positions = self.openings(seed)
        with ThreadPoolExecutor(self.threads) as pool:
            bots: SimpleQueue[Bot] = SimpleQueue()
            for _ in range(self.threads):
                bots.put(make_bot(self.game, opponent))
            while any(goes_on(position) for position in positions):
                positions = self.net_moves(positions, pool)
                positions = list(
                    pool.map(lambda numbered: self.bot_moves(numbered[0], numbered[1], bots), enumerate(positions))
                )
        return self.score(opponent, positions)

    def challenge(self, other: Examiner, seed: int) -> Score:
        """Play all pairs at once against another net that searches as this one does."""
        positions = self.openings(seed)
        with ThreadPoolExecutor(self.threads) as pool:
            while any(goes_on(position) for position in positions):
                positions = self.net_moves(positions, pool)
                positions = other.net_moves(positions, pool, seat=1)
        return self.score(PLAYER, positions)

    def openings(self, seed: int) -> list[Position]:
        """Each opening twice: a net that begins one game of a pair is second in the other."""
        return [opening for pair in range(self.pairs) for opening in [self.opening(seed, pair)] * 2]

    def opening(self, seed: int, pair: int) -> Position:
        """A few random steps that do not end the game."""
        chance = random.Random(f"{seed} {pair}")
        while True:
            position = self.game.start()
            for _ in range(OPENING_STEPS):
                if position.seat is not None:
                    position = position.play(chance.choice(position.moves()))
            if position.seat is not None:
                return position

    def net_moves(self, positions: list[Position], pool: ThreadPoolExecutor, seat: int = 0) -> list[Position]:
        """All steps of the net's turns, until nobody waits for it; its seat in the first game, the other in the second."""
        mine = [index for index in range(len(positions)) if waits_for(positions[index], (seat + index) % 2)]
        while mine:
            for index, move in zip(mine, self.search([positions[index] for index in mine], mine, pool), strict=True):
                positions[index] = positions[index].play_id(move)
            mine = [index for index in mine if waits_for(positions[index], (seat + index) % 2)]
        return positions

    def search(self, positions: list[Position], trees: list[int], pool: ThreadPoolExecutor) -> list[int]:
        """The net's moves, with one tree for each position."""
        forest = self.grove.forest
        forest.counters[:, PHASE] = DONE
        for tree, position in zip(trees, positions, strict=True):
            forest.root_row[tree] = position.row
            forest.counters[tree, PHASE] = IDLE
        while sum(future.result() for future in self.grove.grow(pool)):
            self.line.ask()
            self.line.wait()
        return [int(self._chosen(forest, self.grove.tuning, tree)) for tree in trees]

    def bot_moves(self, index: int, position: Position, bots: SimpleQueue[Bot]) -> Position:
        """The opponent's whole turn in one game."""
        bot = bots.get()
        try:
            while goes_on(position) and position.seat != index % 2:
                position = position.play(bot.choose(position))
        finally:
            bots.put(bot)
        return position

    def score(self, opponent: str, positions: list[Position]) -> Score:
        """Points, with the error estimated over pairs."""
        points = np.array([worth(position.result, index % 2) for index, position in enumerate(positions)])
        pairs = points.reshape(-1, 2).mean(1)
        error = 1.96 * float(pairs.std(ddof=1)) / math.sqrt(len(pairs)) if len(pairs) > 1 else 1.0
        return Score(opponent, self.game.spec, self.pairs, float(pairs.mean()), error)


def goes_on(position: Position) -> bool:
    """Whether a game is neither over nor so long that it counts as drawn."""
    return position.seat is not None and len(position.row) <= len(position.game.start().row) and steps(position) < LONGEST


def waits_for(position: Position, seat: int) -> bool:
    """Whether a game goes on with this seat's move."""
    return position.seat == seat and goes_on(position)


def steps(position: Position) -> int:
    """How many steps were made."""
    count, past = 0, position.move_history
    while past.parent is not None:
        count, past = count + 1, past.parent
    return count


def worth(result: int, seat: int) -> float:
    """A seat's points."""
    return 0.5 if result in (DRAW, ONGOING) else float(result == seat)
