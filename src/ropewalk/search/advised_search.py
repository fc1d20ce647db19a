"""A search by playouts with a net as its advisor, in one thread."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..games.game import Game, Position
from ..jit.kernel import compile_for
from .advised import EvalRequests, GuidanceParams, apply_evaluations, must_flush, run_guided_simulations
from .net_search import Evaluator
from .tree_search import TREE_BYTES, MctsSearch, SearchThread
from .uct import MctsParams

EVAL_BATCH = 4  # questions that are answered at once: more are cheaper each, and wait longer


class GuidedMctsSearch(MctsSearch):
    """Monte Carlo tree search that asks a net about the nodes that count; the same seed and visits give the same tree."""

    def __init__(
        self,
        game: Game,
        params: MctsParams,
        guidance: GuidanceParams,
        evaluator: Evaluator,
        *,
        seed: int = 0,
        tree_bytes: int = TREE_BYTES,
    ) -> None:
        self.guidance = guidance
        self.evaluator = evaluator
        self._reused_visits = self._new_visits = 0  # visits from before this position, and simulations since
        self.requests = EvalRequests(
            nodes=np.zeros(EVAL_BATCH, np.int32),
            planes=np.zeros((EVAL_BATCH, len(game.board), len(game.planes)), np.int8),
            num_pending=np.zeros(1, np.int64),
        )
        super().__init__(game, params, seed=seed, tree_bytes=tree_bytes)

    def _compile_kernel(self) -> Any:
        tree, _, scratch = self.search_threads[0]
        guidance_args = (self.guidance, self.requests)
        return compile_for(
            run_guided_simulations, self.game.rules, tree, self.game.start_row(), scratch, self.params, *guidance_args, 1
        )

    def set_root(self, position: Position) -> None:
        """Think about this position from now on; what was asked about nodes that have moved is forgotten."""
        tree = self.search_threads[0].tree
        simulation_share = self.visits / max(super().visits, 1)  # of the tree's visits that were simulations
        super().set_root(position)
        if self.search_threads[0].tree is not tree or not tree.visits[0]:
            self.requests.num_pending[0] = 0
        self._reused_visits, self._new_visits = round(simulation_share * super().visits), 0

    @property
    def visits(self) -> int:
        """Simulations that count for the position; the tree's own visits count advice too."""
        return self._reused_visits + self._new_visits

    def run_chunk(self, count: int) -> None:
        """Run so many simulations, and have questions answered as they become urgent."""
        remaining = count
        while remaining and not self.is_proven():
            completed = self._simulate_until_flush(remaining)
            remaining -= completed
            self._new_visits += completed
            if must_flush(self.requests):
                self.flush_requests()
        self.search_threads = [self._prune_if_full(self.search_threads[0])]

    def _simulate_until_flush(self, count: int) -> int:
        assert self.root is not None
        tree, _, scratch = self.search_threads[0]
        guidance_args = (self.guidance, self.requests)
        completed: int = self._run_simulations(
            self.game.rules, tree, self.root.row, scratch, self.params, *guidance_args, count
        )
        return completed

    def flush_requests(self) -> None:
        """Have all questions answered."""
        count = int(self.requests.num_pending[0])
        logits, values = self.evaluator.evaluate(self.requests.planes[:count])
        apply_evaluations(self.search_threads[0].tree, self.requests, logits, values, self.params, self.guidance)

    def _prune_if_full(self, thread: SearchThread) -> SearchThread:
        num_nodes = thread.tree.num_nodes[0]
        pruned = super()._prune_if_full(thread)
        if pruned.tree.num_nodes[0] != num_nodes:
            self.requests.num_pending[0] = 0
        return pruned
