"""A search by playouts with a net as its advisor, in one thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..games.game import Game, Position
from ..kernels import compile_for
from .advised import Guidance, Questions, is_urgent, simulate_advised, take_answers
from .net_search import Judge
from .tree_search import MEMORY, Grove, TreeSearch
from .uct import Tuning

TOGETHER = 4  # questions that are answered at once: more are cheaper each, and wait longer


class AdvisedSearch(TreeSearch):
    """Monte Carlo tree search that asks a net about the nodes that count; the same seed and visits give the same tree."""

    def __init__(
        self, game: Game, tuning: Tuning, guidance: Guidance, judge: Judge, *, seed: int = 0, memory: int = MEMORY
    ) -> None:
        self.guidance = guidance
        self.judge = judge
        self._kept = self._done = 0  # visits from before this position, and simulations since
        self.questions = Questions(
            nodes=np.zeros(TOGETHER, np.int32),
            planes=np.zeros((TOGETHER, len(game.board), len(game.planes)), np.int8),
            waiting=np.zeros(1, np.int64),
        )
        super().__init__(game, tuning, seed=seed, memory=memory)

    def _compiled(self) -> Any:
        tree, _, scratch = self.groves[0]
        advice = (self.guidance, self.questions)
        return compile_for(simulate_advised, self.game.rules, tree, self.game.start_row(), scratch, self.tuning, *advice, 1)

    def look_at(self, position: Position) -> None:
        """Think about this position from now on; what was asked about nodes that have moved is forgotten."""
        tree = self.groves[0].tree
        share = self.visits / max(super().visits, 1)  # of the tree's visits that were simulations
        super().look_at(position)
        if self.groves[0].tree is not tree or not tree.visits[0]:
            self.questions.waiting[0] = 0
        self._kept, self._done = round(share * super().visits), 0

    @property
    def visits(self) -> int:
        """Simulations that count for the position; the tree's own visits count advice too."""
        return self._kept + self._done

    def breathe(self, count: int) -> None:
        """Run so many simulations, and have questions answered as they become urgent."""
        left = count
        while left and not self.is_proven():
            done = self._advance(left)
            left -= done
            self._done += done
            if is_urgent(self.questions):
                self.consult()
        self.groves = [self._with_room(self.groves[0])]

    def _advance(self, count: int) -> int:
        assert self.root is not None
        tree, _, scratch = self.groves[0]
        advice = (self.guidance, self.questions)
        done: int = self._simulate(self.game.rules, tree, self.root.row, scratch, self.tuning, *advice, count)
        return done

    def consult(self) -> None:
        """Have all questions answered."""
        count = int(self.questions.waiting[0])
        logits, values = self.judge.answer(self.questions.planes[:count])
        take_answers(self.groves[0].tree, self.questions, logits, values, self.tuning, self.guidance)

    def _with_room(self, grove: Grove) -> Grove:
        used = grove.tree.used[0]
        kept = super()._with_room(grove)
        if kept.tree.used[0] != used:
            self.questions.waiting[0] = 0
        return kept
