"""Bots that look for a proof that they win, and know nothing else."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from ..games.game import Game, Position
from ..proofs.searcher import DfpnSolver
from .bot import Bot, Certainty, Limit, Line, Report, require_ongoing

TABLE_BYTES = 1 << 24  # bytes
NODES_PER_CLOCK_CHECK = 200  # positions between two looks at the clock


class ProofBot(Bot):
    """Proof-number search for a win of the seat to move; without one it says nothing of value."""

    def __init__(self, game: Game, name: str, nodes: int) -> None:
        self.game = game
        self.name = name
        self.default_nodes = nodes
        self.budget = f"{nodes:,} positions a move"
        self.solver = DfpnSolver(game, TABLE_BYTES)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report: a move that was proven to win, or any move."""
        require_ongoing(position)
        started_at, nodes_before = time.monotonic(), self.solver.nodes
        is_won = self._proves_win(position, limit or Limit())
        move = self.solver.proving_move(True) if is_won else int(position.move_ids()[0])
        value, certainty = self._evaluate(position, is_won)
        visits = self.solver.nodes - nodes_before
        line = Line((self.game.move_texts[move],), visits, value, certainty)
        yield Report(position.seat or 0, value, certainty, visits, time.monotonic() - started_at, (line,))

    def _proves_win(self, position: Position, limit: Limit) -> bool:
        """Whether the seat to move was found to win before the limit was reached."""
        deadline = time.monotonic() + (math.inf if limit.seconds is None else limit.seconds)
        max_total_nodes = self.solver.nodes + (limit.visits or self.default_nodes)
        self.solver.set_root(position.row, position.seat or 0)
        self.solver.research_root()  # its value may be known from before, its winning move may not
        proven = None
        while (
            proven is None
            and self.solver.nodes < max_total_nodes
            and time.monotonic() < deadline
            and not limit.cancelled.is_set()
        ):
            proven = self.solver.search(min(NODES_PER_CLOCK_CHECK, max_total_nodes - self.solver.nodes))
        return bool(proven)

    def _evaluate(self, position: Position, is_won: bool) -> tuple[float, Certainty]:
        """A win is certain unless a past position may occur a third time: the proof knows no past."""
        if not is_won:
            return 0.5, "estimate"
        return 1.0, "estimate" if self.game.has_repetition(position.row) else "proven"

    def new_game(self, seed: int) -> None:
        """Forget all proofs."""
        self.solver.clear()
