"""Evaluation matches of the net: against bots, and of candidate weights against the self-play weights (gating).

A match is a number of game pairs; the two games of a pair share a random opening and swap seats. The net has seat 0 in games
with an even index. All games of a match are played concurrently.
"""

from __future__ import annotations

import math
import random
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

import numpy as np

from ..bots.bot import Bot
from ..bots.bot_spec import make_bot
from ..games.game import Game
from ..games.helper_threads import HelperThreads
from ..games.position import Position, list_history
from ..rules.interface import DRAW, ONGOING
from ..search.gumbel import GumbelParams
from .inference import TorchEvaluator
from .selfplay.batch import RootSearchBatch

NUM_OPENING_MOVES = 4
SELFPLAY_NET = "the player"  # the self-play weights as an opponent, in strength.csv and model cards
GATING_THRESHOLD = 0.5  # score at which candidate weights are accepted
MAX_GAME_MOVES = 400  # a game that reaches this length is a draw


@dataclass(frozen=True)
class MatchScore:
    """Result of a match; the field names are keys in model cards."""

    opponent: str
    spec: str
    pairs: int
    share: float  # score of the net, 0 to 1
    error: float  # half-width of the 95 % interval of `share`

    @property
    def elo(self) -> float:
        """Elo difference for the score, clipped to a finite value at scores near 0 and 1."""
        return self.elo_from_score(self.share)

    @property
    def elo_bounds(self) -> tuple[float, float]:
        """Ends of the 95 % interval, clipped in the same way."""
        return self.elo_from_score(self.share - self.error), self.elo_from_score(self.share + self.error)

    def elo_from_score(self, score: float) -> float:
        """Return the Elo difference for a score, clipped half a point away from 0 and 1."""
        min_score = 0.5 / (2 * self.pairs + 1)
        score = min(max(score, min_score), 1 - min_score)
        return 400 * math.log10(score / (1 - score))

    def __str__(self) -> str:
        return f"{self.spec} against {self.opponent}: {self.share:.1%} ± {self.error:.1%} ({self.pairs} pairs)"


class EvaluationMatch:
    """Plays matches of one net with `num_simulations` per move on one board."""

    def __init__(
        self, game: Game, evaluator: TorchEvaluator, num_pairs: int, num_simulations: int, num_threads: int
    ) -> None:
        self.game = game
        self.num_pairs = num_pairs
        self.evaluator = evaluator
        gumbel_params = GumbelParams(
            num_simulations=num_simulations,
            max_num_considered_actions=16,
            value_scale=0.1,
            maxvisit_init=50.0,
            gumbel_scale=0.0,
            sequential_halving=1,
        )
        self.batch = RootSearchBatch(game, 2 * num_pairs, gumbel_params, threads=HelperThreads(num_threads - 1))
        self.queue = evaluator.queue_for(self.batch, compile_net=False)
        self.num_threads = num_threads

    def play_bot(self, opponent: str, seed: int) -> MatchScore:
        """Play a match against the bot named `opponent`, whose moves are searched by `num_threads` bots in threads."""
        positions = self.make_openings(seed)
        with ThreadPoolExecutor(self.num_threads) as thread_pool:
            bots: SimpleQueue[Bot] = SimpleQueue()
            for _ in range(self.num_threads):
                bots.put(make_bot(self.game, opponent))
            while any(is_ongoing(position) for position in positions):
                positions = self.play_net_moves(positions)
                positions = list(
                    thread_pool.map(lambda indexed: self.play_bot_moves(indexed[0], indexed[1], bots), enumerate(positions))
                )
        return self.compute_score(opponent, positions)

    def play_net(self, other: EvaluationMatch, seed: int) -> MatchScore:
        """Play a match against the net of `other`, which searches with the same number of simulations."""
        positions = self.make_openings(seed)
        while any(is_ongoing(position) for position in positions):
            positions = self.play_net_moves(positions)
            positions = other.play_net_moves(positions, seat=1)
        return self.compute_score(SELFPLAY_NET, positions)

    def make_openings(self, seed: int) -> list[Position]:
        """Return the start positions of all games, each opening twice in a row."""
        return [opening for pair in range(self.num_pairs) for opening in [self.make_opening(seed, pair)] * 2]

    def make_opening(self, seed: int, pair: int) -> Position:
        """Return an unfinished position after NUM_OPENING_MOVES random moves, fixed by `seed` and `pair`."""
        rng = random.Random(f"{seed} {pair}")
        while True:
            position = self.game.start()
            for _ in range(NUM_OPENING_MOVES):
                if position.seat is not None:
                    position = position.play(rng.choice(position.moves()))
            if position.seat is not None:
                return position

    def play_net_moves(self, positions: list[Position], seat: int = 0) -> list[Position]:
        """Play the net's moves until it is to move in no game; writes into `positions` and returns it.

        The net has seat `seat` in games with an even index, the other seat in the rest.
        """
        pending = [index for index in range(len(positions)) if is_to_move(positions[index], (seat + index) % 2)]
        while pending:
            for index, move in zip(
                pending, self.search_moves([positions[index] for index in pending], pending), strict=True
            ):
                positions[index] = positions[index].play_id(move)
            pending = [index for index in pending if is_to_move(positions[index], (seat + index) % 2)]
        return positions

    def search_moves(self, positions: list[Position], tree_indices: list[int]) -> list[int]:
        """Search all positions, each in the tree with its index, and return the best moves."""
        self.batch.set_roots(positions, tree_indices)
        while self.batch.advance():
            self.queue.submit()
            self.queue.wait()
        return [self.batch.best_move(tree) for tree in tree_indices]

    def play_bot_moves(self, index: int, position: Position, bots: SimpleQueue[Bot]) -> Position:
        """Play the bot's moves in game `index` until the net is to move or the game ends."""
        bot = bots.get()
        try:
            while is_ongoing(position) and position.seat != index % 2:
                position = position.play(bot.choose(position))
        finally:
            bots.put(bot)
        return position

    def compute_score(self, opponent: str, positions: list[Position]) -> MatchScore:
        """Return the score; its error is estimated from the variance over pairs."""
        points = np.array([points_for_seat(position.result, index % 2) for index, position in enumerate(positions)])
        pair_scores = points.reshape(-1, 2).mean(1)
        error = 1.96 * float(pair_scores.std(ddof=1)) / math.sqrt(len(pair_scores)) if len(pair_scores) > 1 else 1.0
        return MatchScore(opponent, self.game.spec, self.num_pairs, float(pair_scores.mean()), error)


def is_ongoing(position: Position) -> bool:
    """Return whether a game is neither over, nor at MAX_GAME_MOVES, nor past the history capacity of the start row."""
    return (
        position.seat is not None
        and len(position.row) <= len(position.game.start().row)
        and count_moves(position) < MAX_GAME_MOVES
    )


def is_to_move(position: Position, seat: int) -> bool:
    """Return whether a game is ongoing with `seat` to move."""
    return position.seat == seat and is_ongoing(position)


def count_moves(position: Position) -> int:
    """Return the number of moves played."""
    return len(list_history(position.move_history))


def points_for_seat(result: int, seat: int) -> float:
    """Return 1 for a win of `seat`, 0.5 for a draw or an unfinished game, 0 for a loss."""
    return 0.5 if result in (DRAW, ONGOING) else float(result == seat)
