"""A bot that plays by alpha-beta search with a static evaluation."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from ..games.game import Game
from ..games.position import Position
from ..rules.interface import win_probability
from ..search.alpha_beta import MATE_THRESHOLD
from ..search.alpha_beta_search import AlphaBetaSearch, ScoredMove
from .bot import Bot, Certainty, Limit, Line, Report, find_searched_moves, require_ongoing

MAX_REPORT_LINES = 3


class AlphaBetaBot(Bot):
    """Alpha-beta search with iterative deepening; `nodes` is its default budget for a move."""

    def __init__(self, game: Game, name: str, nodes: int) -> None:
        self.game = game
        self.name = name
        self.default_nodes = nodes
        self.budget = f"{nodes:,} positions a move"
        self.search = AlphaBetaSearch(game)

    def __reduce__(self) -> tuple[Any, ...]:
        return AlphaBetaBot, (self.game, self.name, self.default_nodes)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield a report after each depth; at least one, even if the limit ends the first depth early."""
        require_ongoing(position)
        started_at = time.monotonic()
        report = None
        for scored_moves in self._run_search(position, limit, MAX_REPORT_LINES):
            report = self._make_report(position, scored_moves, time.monotonic() - started_at)
            yield report
        if report is None:
            yield self._make_report(position, [self._fallback_move(position, limit)], time.monotonic() - started_at)

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Return the best move of the deepest complete search, without multiple principal variations."""
        require_ongoing(position)
        best = self._fallback_move(position, limit)
        for scored_moves in self._run_search(position, limit, 1):
            best = scored_moves[0]
        return self.game.move_texts[best.move]

    def _run_search(self, position: Position, limit: Limit | None, multipv: int) -> Iterator[list[ScoredMove]]:
        limit = limit or Limit(visits=self.default_nodes)
        max_nodes = self.default_nodes if limit.seconds is limit.visits is None else limit.visits
        moves = find_searched_moves(position, limit)
        return self.search.run(position, limit.seconds, max_nodes, limit.cancelled, multipv, moves)

    def _fallback_move(self, position: Position, limit: Limit | None) -> ScoredMove:
        """Return the first move that may be searched with value 0, for a search that completed no depth."""
        return ScoredMove(find_searched_moves(position, limit)[0], 0)

    def _make_report(self, position: Position, scored_moves: list[ScoredMove], seconds: float) -> Report:
        seat = position.seat or 0
        lines = tuple(self._make_line(position, scored_move, seat) for scored_move in scored_moves)
        nodes = self.search.num_nodes
        return Report(seat, lines[0].value, lines[0].certainty, nodes, seconds, lines)

    def _make_line(self, position: Position, scored_move: ScoredMove, seat: int) -> Line:
        moves = tuple(self.game.move_texts[move] for move in self.search.principal_variation(position, scored_move.move))
        value, certainty = self._convert_value(scored_move.value, seat, is_certain=not position.has_repetition)
        return Line(moves, self.search.num_nodes, value, certainty)

    def _convert_value(self, value: int, seat: int, *, is_certain: bool) -> tuple[float, Certainty]:
        """Return a value of the search (for seat 0) as an expected score of `seat`, with its certainty.

        A mate score is proven unless a position of the game may occur a third time (`is_certain`): the shortest win
        repeats no position, but values in the transposition table do not depend on the history.
        """
        seat_value = value if seat == 0 else -value
        if abs(seat_value) > MATE_THRESHOLD:
            return float(seat_value > 0), "proven" if is_certain else "estimate"
        return win_probability(seat_value), "estimate"

    def new_game(self, seed: int) -> None:
        """Clear the transposition table and the history; the search has no randomness."""
        self.search.reset()

    def close(self) -> None:
        """End the search thread."""
        self.search.close()
