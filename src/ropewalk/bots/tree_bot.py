"""Bots that grow a search tree by playouts."""

from __future__ import annotations

import math
import random

from ..games.game import Game, Position
from ..rules.interface import ONGOING
from ..search.mcts import MctsParams
from ..search.mcts_search import MctsSearch, RootMove
from .bot import Limit, Line, Report, require_ongoing
from .growing_bot import MAX_REPORT_LINES, TreeSearchBot


class MctsBot(TreeSearchBot):
    """Monte Carlo tree search. A `slip` above 0 lets it take moves whose value is about so much worse than the best."""

    def __init__(
        self,
        game: Game,
        name: str,
        params: MctsParams,
        visits: int,
        *,
        softmax_temperature: float = 0.0,
        threads: int = 1,
        seed: int = 0,
    ) -> None:
        self.game = game
        self.name = name
        self.default_visits = visits
        self.softmax_temperature = softmax_temperature
        self.budget = f"{visits:,} playouts a move"
        self.search: MctsSearch = self._make_search(params, threads, seed)
        self.rng = random.Random(seed)

    def _make_search(self, params: MctsParams, threads: int, seed: int) -> MctsSearch:
        return MctsSearch(self.game, params, threads=threads, seed=seed)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The best move, or one of those that look nearly as good."""
        require_ongoing(position)
        for _ in self._run_search(position, limit):
            pass
        return self._select_move(position)

    def decide(self, position: Position, last: Report) -> str:
        """As it would choose, from all moves and not only those that it reports."""
        return self._select_move(position)

    def root_moves(self, position: Position) -> list[RootMove]:
        """The moves from the root, the best first; before the first visits, in the game's order."""
        unvisited = [RootMove(int(move), 0, 0.5, 0.5, ONGOING) for move in position.move_ids()]
        return self.search.root_moves() or unvisited

    def _select_move(self, position: Position) -> str:
        return self.game.move_texts[self._sample_root_move(self.root_moves(position)).move]

    def _sample_root_move(self, root_moves: list[RootMove]) -> RootMove:
        """Without a slip the best; with one, moves are the likelier the better they look."""
        if self.softmax_temperature == 0 or root_moves[0].proven != ONGOING:
            return root_moves[0]
        candidates = [
            root_move for root_move in root_moves if root_move.visits > 0 or self.search.params.rave_equivalence > 0
        ]
        best_value = max(root_move.rave_value for root_move in candidates or root_moves)
        weights = [
            math.exp((root_move.rave_value - best_value) / self.softmax_temperature)
            for root_move in candidates or root_moves
        ]
        return self.rng.choices(candidates or root_moves, weights)[0]

    def _make_lines(self, position: Position) -> list[Line]:
        return [self._make_line(root_move) for root_move in self.root_moves(position)[:MAX_REPORT_LINES]]

    def _make_line(self, root_move: RootMove) -> Line:
        moves = tuple(self.game.move_texts[move] for move in self.search.principal_variation(root_move.move))
        return Line(moves, root_move.visits, root_move.value, "estimate" if root_move.proven == ONGOING else "proven")

    def new_game(self, seed: int) -> None:
        """Forget the tree and begin the chances anew."""
        self.search.reset(seed)
        self.rng.seed(seed)
