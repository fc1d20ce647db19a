"""How strong the net is: pairs of games against bots by name, from random openings, seats exchanged."""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from ..bots.bot import Bot
from ..bots.bot_spec import make_bot
from ..games.game import Game, Position
from ..jit.kernel import compile_for
from ..rules.interface import DRAW, ONGOING
from ..search.gumbel import GumbelParams
from ..search.gumbel_mcts import best_move
from ..search.gumbel_tree import DONE, IDLE, PHASE
from .inference import TorchEvaluator
from .selfplay.batch import SelfPlayBatch

NUM_OPENING_MOVES = 4
SELFPLAY_NET = "the player"  # the weights that play, as an opponent
GATING_THRESHOLD = 0.5  # of the points against the player, to take its place
MAX_GAME_MOVES = 400  # steps; a longer game is a draw


@dataclass(frozen=True)
class MatchScore:
    """What the net got against one opponent."""

    opponent: str
    spec: str
    pairs: int
    share: float  # of the points
    error: float  # of 95 %

    @property
    def elo(self) -> float:
        """The difference in Elo points that fits, cut off where all or nothing was won."""
        return self.elo_from_score(self.share)

    @property
    def elo_bounds(self) -> tuple[float, float]:
        """The ends of the 95 % interval, cut off in the same way."""
        return self.elo_from_score(self.share - self.error), self.elo_from_score(self.share + self.error)

    def elo_from_score(self, score: float) -> float:
        """The difference that fits a share of the points."""
        min_score = 0.5 / (2 * self.pairs + 1)
        score = min(max(score, min_score), 1 - min_score)
        return 400 * math.log10(score / (1 - score))

    def __str__(self) -> str:
        return f"{self.spec} against {self.opponent}: {self.share:.1%} ± {self.error:.1%} ({self.pairs} pairs)"


class EvaluationMatch:
    """Plays the net, with so many simulations a move, against others on one board."""

    def __init__(
        self, game: Game, evaluator: TorchEvaluator, num_pairs: int, num_simulations: int, num_threads: int
    ) -> None:
        self.game = game
        self.num_pairs = num_pairs
        self.evaluator = evaluator
        gumbel_params = GumbelParams(num_simulations, 16, 0.1, 50.0, 0.0, 1, 0, 0)
        self.batch = SelfPlayBatch(game, 2 * num_pairs, gumbel_params)
        self.queue = evaluator.queue_for(self.batch, compile_net=False)
        self.num_threads = num_threads
        self._best_move = compile_for(best_move, self.batch.trees, gumbel_params, 0)

    def play_bot(self, opponent: str, seed: int) -> MatchScore:
        """Play all pairs at once."""
        positions = self.make_openings(seed)
        with ThreadPoolExecutor(self.num_threads) as thread_pool:
            bots: SimpleQueue[Bot] = SimpleQueue()
            for _ in range(self.num_threads):
                bots.put(make_bot(self.game, opponent))
            while any(is_ongoing(position) for position in positions):
                positions = self.play_net_moves(positions, thread_pool)
                positions = list(
                    thread_pool.map(
                        lambda numbered: self.play_bot_moves(numbered[0], numbered[1], bots), enumerate(positions)
                    )
                )
        return self.compute_score(opponent, positions)

    def play_net(self, other: EvaluationMatch, seed: int) -> MatchScore:
        """Play all pairs at once against another net that searches as this one does."""
        positions = self.make_openings(seed)
        with ThreadPoolExecutor(self.num_threads) as thread_pool:
            while any(is_ongoing(position) for position in positions):
                positions = self.play_net_moves(positions, thread_pool)
                positions = other.play_net_moves(positions, thread_pool, seat=1)
        return self.compute_score(SELFPLAY_NET, positions)

    def make_openings(self, seed: int) -> list[Position]:
        """Each opening twice: a net that begins one game of a pair is second in the other."""
        return [opening for pair in range(self.num_pairs) for opening in [self.make_opening(seed, pair)] * 2]

    def make_opening(self, seed: int, pair: int) -> Position:
        """A few random steps that do not end the game."""
        rng = random.Random(f"{seed} {pair}")
        while True:
            position = self.game.start()
            for _ in range(NUM_OPENING_MOVES):
                if position.seat is not None:
                    position = position.play(rng.choice(position.moves()))
            if position.seat is not None:
                return position

    def play_net_moves(self, positions: list[Position], thread_pool: ThreadPoolExecutor, seat: int = 0) -> list[Position]:
        """All steps of the net's turns, until nobody waits for it; its seat in the first game, the other in the second."""
        pending = [index for index in range(len(positions)) if is_to_move(positions[index], (seat + index) % 2)]
        while pending:
            for index, move in zip(
                pending, self.search_moves([positions[index] for index in pending], pending, thread_pool), strict=True
            ):
                positions[index] = positions[index].play_id(move)
            pending = [index for index in pending if is_to_move(positions[index], (seat + index) % 2)]
        return positions

    def search_moves(self, positions: list[Position], tree_indices: list[int], thread_pool: ThreadPoolExecutor) -> list[int]:
        """The net's moves, with one tree for each position."""
        trees = self.batch.trees
        trees.counters[:, PHASE] = DONE
        for tree, position in zip(tree_indices, positions, strict=True):
            trees.root_row[tree] = position.row
            trees.counters[tree, PHASE] = IDLE
        while sum(future.result() for future in self.batch.submit(thread_pool)):
            self.queue.submit()
            self.queue.wait()
        return [int(self._best_move(trees, self.batch.gumbel_params, tree)) for tree in tree_indices]

    def play_bot_moves(self, index: int, position: Position, bots: SimpleQueue[Bot]) -> Position:
        """The opponent's whole turn in one game."""
        bot = bots.get()
        try:
            while is_ongoing(position) and position.seat != index % 2:
                position = position.play(bot.choose(position))
        finally:
            bots.put(bot)
        return position

    def compute_score(self, opponent: str, positions: list[Position]) -> MatchScore:
        """Points, with the error estimated over pairs."""
        points = np.array([points_for_seat(position.result, index % 2) for index, position in enumerate(positions)])
        pair_scores = points.reshape(-1, 2).mean(1)
        error = 1.96 * float(pair_scores.std(ddof=1)) / math.sqrt(len(pair_scores)) if len(pair_scores) > 1 else 1.0
        return MatchScore(opponent, self.game.spec, self.num_pairs, float(pair_scores.mean()), error)


def is_ongoing(position: Position) -> bool:
    """Whether a game is neither over nor so long that it counts as drawn."""
    return (
        position.seat is not None
        and len(position.row) <= len(position.game.start().row)
        and count_moves(position) < MAX_GAME_MOVES
    )


def is_to_move(position: Position, seat: int) -> bool:
    """Whether a game goes on with this seat's move."""
    return position.seat == seat and is_ongoing(position)


def count_moves(position: Position) -> int:
    """How many steps were made."""
    count, history = 0, position.move_history
    while history.parent is not None:
        count, history = count + 1, history.parent
    return count


def points_for_seat(result: int, seat: int) -> float:
    """A seat's points."""
    return 0.5 if result in (DRAW, ONGOING) else float(result == seat)
