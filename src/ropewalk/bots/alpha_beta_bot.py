"""Bots that look a fixed way ahead and judge by an evaluation."""

from __future__ import annotations

import time
from collections.abc import Iterator

from ..games.game import Game, Position
from ..rules.questions import win_probability
from ..search.alpha_beta import MATE_THRESHOLD
from ..search.alpha_beta_search import AlphaBetaSearch, ScoredMove
from .bot import Bot, Kind, Limit, Line, Report, refuse_finished

LINES = 3  # in a report


class AlphaBetaBot(Bot):
    """Alpha-beta search with iterative deepening."""

    def __init__(self, game: Game, name: str, positions: int) -> None:
        self.game = game
        self.name = name
        self.positions = positions
        self.budget = f"{positions:,} positions a move"
        self.search = AlphaBetaSearch(game)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """A report for each depth."""
        refuse_finished(position)
        began = time.monotonic()
        report = None
        for found in self._deepen(position, limit, LINES):
            report = self._report(position, found, time.monotonic() - began)
            yield report
        if report is None:
            yield self._report(position, [self._first(position)], time.monotonic() - began)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """The best move of the deepest search."""
        refuse_finished(position)
        best = self._first(position)
        for found in self._deepen(position, limit, 1):
            best = found[0]
        return self.game.move_texts[best.move]

    def _deepen(self, position: Position, limit: Limit | None, lines: int) -> Iterator[list[ScoredMove]]:
        limit = limit or Limit(visits=self.positions)
        positions = self.positions if limit.seconds is limit.visits is None else limit.visits
        return self.search.run(position, limit.seconds, positions, limit.cancelled, lines)

    def _first(self, position: Position) -> ScoredMove:
        """What to say when there was no time to think."""
        return ScoredMove(int(position.move_ids()[0]), 0)

    def _report(self, position: Position, found: list[ScoredMove], seconds: float) -> Report:
        seat = position.seat or 0
        lines = tuple(self._line(position, one, seat) for one in found)
        searched = self.search.num_nodes
        return Report(seat, lines[0].value, lines[0].kind, searched, seconds, lines)

    def _line(self, position: Position, found: ScoredMove, seat: int) -> Line:
        moves = tuple(self.game.move_texts[move] for move in self.search.principal_variation(position, found.move))
        value, kind = self._chance(found.value, seat, is_certain=not self.game.has_repetition(position.row))
        return Line(moves, self.search.num_nodes, value, kind)

    def _chance(self, value: int, seat: int, *, is_certain: bool) -> tuple[float, Kind]:
        """What a seat can expect.

        A win in sight is certain unless a past position may occur a third time: the quickest way to a win repeats
        none, but the table knows values, not pasts.
        """
        mine = value if seat == 0 else -value
        if abs(mine) > MATE_THRESHOLD:
            return float(mine > 0), "proven" if is_certain else "estimate"
        return win_probability(mine), "estimate"

    def new_game(self, seed: int) -> None:
        """Forget all positions."""
        self.search.reset()

    def close(self) -> None:
        """End the thread that thinks."""
        self.search.close()
