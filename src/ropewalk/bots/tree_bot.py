"""Bots that grow a search tree by playouts."""

from __future__ import annotations

import math
import random

from ..games.game import Game, Position
from ..rules.questions import ONGOING
from ..search.tree_search import MctsSearch, RootMove
from ..search.uct import MctsParams
from .bot import Limit, Line, Report, refuse_finished
from .growing_bot import LINES, GrowingBot


class TreeBot(GrowingBot):
    """Monte Carlo tree search. A `slip` above 0 lets it take moves whose value is about so much worse than the best."""

    def __init__(
        self, game: Game, name: str, tuning: MctsParams, visits: int, *, slip: float = 0.0, threads: int = 1, seed: int = 0
    ) -> None:
        self.game = game
        self.name = name
        self.visits = visits
        self.slip = slip
        self.budget = f"{visits:,} playouts a move"
        self.search: MctsSearch = self._search(tuning, threads, seed)
        self.chance = random.Random(seed)

    def _search(self, tuning: MctsParams, threads: int, seed: int) -> MctsSearch:
        return MctsSearch(self.game, tuning, threads=threads, seed=seed)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The best move, or one of those that look nearly as good."""
        refuse_finished(position)
        for _ in self._grow(position, limit):
            pass
        return self._picked(position)

    def decide(self, position: Position, last: Report) -> str:
        """As it would choose, from all moves and not only those that it reports."""
        return self._picked(position)

    def branches(self, position: Position) -> list[RootMove]:
        """The moves from the root, the best first; before the first visits, in the game's order."""
        unknown = [RootMove(int(move), 0, 0.5, 0.5, ONGOING) for move in position.move_ids()]
        return self.search.root_moves() or unknown

    def _picked(self, position: Position) -> str:
        return self.game.move_texts[self._pick(self.branches(position)).move]

    def _pick(self, branches: list[RootMove]) -> RootMove:
        """Without a slip the best; with one, moves are the likelier the better they look."""
        if self.slip == 0 or branches[0].proven != ONGOING:
            return branches[0]
        known = [branch for branch in branches if branch.visits > 0 or self.search.params.rave_equivalence > 0]
        best = max(branch.rave_value for branch in known or branches)
        weights = [math.exp((branch.rave_value - best) / self.slip) for branch in known or branches]
        return self.chance.choices(known or branches, weights)[0]

    def _lines(self, position: Position) -> list[Line]:
        return [self._line(branch) for branch in self.branches(position)[:LINES]]

    def _line(self, branch: RootMove) -> Line:
        moves = tuple(self.game.move_texts[move] for move in self.search.principal_variation(branch.move))
        return Line(moves, branch.visits, branch.value, "estimate" if branch.proven == ONGOING else "proven")

    def new_game(self, seed: int) -> None:
        """Forget the tree and begin the chances anew."""
        self.search.reset(seed)
        self.chance.seed(seed)
