"""Bots that look for a proof that they win, and know nothing else."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from ..games.game import Game, Position
from ..proofs.searcher import Searcher
from .bot import Bot, Kind, Limit, Line, Report, refuse_finished

MEMORY = 1 << 24  # bytes
AT_ONCE = 200  # positions between two looks at the clock


class ProverBot(Bot):
    """Proof-number search for a win of the seat to move; without one it says nothing of value."""

    def __init__(self, game: Game, name: str, positions: int) -> None:
        self.game = game
        self.name = name
        self.positions = positions
        self.budget = f"{positions:,} positions a move"
        self.search = Searcher(game, MEMORY)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """One report: a move that was proven to win, or any move."""
        refuse_finished(position)
        began, before = time.monotonic(), self.search.nodes
        is_won = self._wins(position, limit or Limit())
        move = self.search.settling_move(True) if is_won else int(position.move_ids()[0])
        value, kind = self._said(position, is_won)
        visits = self.search.nodes - before
        line = Line((self.game.move_texts[move],), visits, value, kind)
        yield Report(position.seat or 0, value, kind, visits, time.monotonic() - began, (line,))

    def _wins(self, position: Position, limit: Limit) -> bool:
        """Whether the seat to move was found to win before the limit was reached."""
        deadline = time.monotonic() + (math.inf if limit.seconds is None else limit.seconds)
        last = self.search.nodes + (limit.visits or self.positions)
        self.search.begin(position.row, position.seat or 0)
        self.search.forget_first()  # its value may be known from before, its winning move may not
        found = None
        while found is None and self.search.nodes < last and time.monotonic() < deadline and not limit.cancelled.is_set():
            found = self.search.go_on(min(AT_ONCE, last - self.search.nodes))
        return bool(found)

    def _said(self, position: Position, is_won: bool) -> tuple[float, Kind]:
        """A win is certain unless a past position may occur a third time: the proof knows no past."""
        if not is_won:
            return 0.5, "estimate"
        return 1.0, "estimate" if self.game.has_repetition(position.row) else "proven"

    def new_game(self, seed: int) -> None:
        """Forget all proofs."""
        self.search.forget()
