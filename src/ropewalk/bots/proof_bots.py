"""Bots that search for a proof of a win or a loss: alone, or before another bot's search.

Proofs ignore earlier positions. In games that draw by repetition a proven result is therefore reported as an estimate while
a further repetition could still end the game.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from ..games.game import Game
from ..games.position import Position
from ..proofs.dfpn_solver import DfpnSolver
from .bot import Bot, Certainty, Limit, Line, Report, find_searched_moves, require_ongoing

TABLE_BYTES = 1 << 24
NODES_PER_CLOCK_CHECK = 200  # between two checks of the time limit
PROOF_TIME_FRACTION, MAX_PROOF_SECONDS = 0.1, 1.0  # of the prover, if there is a time limit


class ProofBot(Bot):
    """Df-pn search for a win of the seat to move; where it finds that there is none and no draw, the position is lost.

    Without a proof, the value is 0.5; then, and in a lost position, the move is the first one that may be searched. A
    search that is restricted to some moves proves only a win by the move that wins the unrestricted position, or a loss of
    that position.
    """

    def __init__(self, game: Game, name: str, nodes: int) -> None:
        self.game = game
        self.name = name
        self.default_nodes = nodes
        self.budget = f"{nodes:,} positions a move"
        self.solver = DfpnSolver(game, TABLE_BYTES)

    def __reduce__(self) -> tuple[Any, ...]:
        return ProofBot, (self.game, self.name, self.default_nodes)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield one report: a move that is proven to win, or the first move that may be searched."""
        require_ongoing(position)
        started_at, nodes_before = time.monotonic(), self.solver.nodes
        searched_moves = find_searched_moves(position, limit)
        can_win = self._can_win(position, limit or Limit())
        move, value = searched_moves[0], 0.5
        if can_win and (proving_move := self.solver.proving_move(True)) in searched_moves:
            move, value = proving_move, 1.0
        elif can_win is False and not self.solver.has_seen_draw:
            value = 0.0
        certainty: Certainty = "estimate" if value == 0.5 or position.has_repetition else "proven"
        visits = self.solver.nodes - nodes_before
        line = Line((self.game.move_texts[move],), visits, value, certainty)
        yield Report(position.seat or 0, value, certainty, visits, time.monotonic() - started_at, (line,))

    def _can_win(self, position: Position, limit: Limit) -> bool | None:
        """Return whether the seat to move can force a win, None if the limit is reached before that is known."""
        deadline = time.monotonic() + (math.inf if limit.seconds is None else limit.seconds)
        max_total_nodes = self.solver.nodes + (limit.visits or self.default_nodes)
        self.solver.set_root(position.row, position.seat or 0)
        self.solver.research_root()  # the table may have its value but not its winning move
        can_win = None
        while (
            can_win is None
            and self.solver.nodes < max_total_nodes
            and time.monotonic() < deadline
            and not limit.cancelled.is_set()
        ):
            can_win = self.solver.search(min(NODES_PER_CLOCK_CHECK, max_total_nodes - self.solver.nodes))
        return can_win

    def new_game(self, seed: int) -> None:
        """Clear the transposition table."""
        self.solver.clear()


class ProofThenSearchBot(Bot):
    """Runs a prover first; unless it proves a win, runs a searcher with the remaining time.

    The prover may search `proof_nodes` nodes when the searcher has `search_visits` visits, and proportionally fewer for a
    smaller limit of visits. Reports of the prover are converted to visits of the searcher. In a lost position the searcher
    chooses the move, and its reports say that all moves are proven to lose.
    """

    def __init__(self, prover: Bot, proof_nodes: int, searcher: Bot, search_visits: int) -> None:
        self.game = searcher.game
        self.name = searcher.name
        self.prover, self.searcher = prover, searcher
        self.proof_nodes, self.search_visits = proof_nodes, search_visits
        self.net = searcher.net
        self.budget = f"{prover.budget.removesuffix(' a move')}, then {searcher.budget}"

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield the prover's report if it proves a win, else the searcher's reports."""
        proof, remaining = self._search_proof(position, limit or Limit())
        if is_proven(proof, 1.0):
            yield self._convert_nodes_to_visits(proof)
            return
        for report in self.searcher.analyse(position, remaining):
            yield mark_lost(report) if is_proven(proof, 0.0) else report

    def choose(self, position: Position, limit: Limit | None = None) -> str:
        """Return a move that is proven to win, or else the searcher's choice."""
        proof, remaining = self._search_proof(position, limit or Limit())
        return proof.lines[0].moves[0] if is_proven(proof, 1.0) else self.searcher.choose(position, remaining)

    def decide(self, position: Position, last: Report) -> str:
        """Return the move of a proven win, or else the searcher's decision."""
        return super().decide(position, last) if is_proven(last, 1.0) else self.searcher.decide(position, last)

    def _search_proof(self, position: Position, limit: Limit) -> tuple[Report, Limit]:
        """Return the prover's report, and the limit that is left for the searcher."""
        started_at = time.monotonic()
        *_, proof = self.prover.analyse(position, self._make_prover_limit(limit))
        if limit.seconds is None:
            return proof, limit
        return proof, replace(limit, seconds=max(limit.seconds - (time.monotonic() - started_at), 0.001))

    def _make_prover_limit(self, limit: Limit) -> Limit:
        """Return the prover's share of a limit."""
        max_nodes = (
            self.proof_nodes
            if limit.visits is None
            else min(self.proof_nodes, -(-self.proof_nodes * limit.visits // self.search_visits))
        )
        seconds = None if limit.seconds is None else min(MAX_PROOF_SECONDS, PROOF_TIME_FRACTION * limit.seconds)
        return replace(limit, seconds=seconds, visits=max_nodes)

    def _convert_nodes_to_visits(self, report: Report) -> Report:
        """Return a prover's report with its nodes converted to visits of the searcher."""
        visits = -(-report.visits * self.search_visits // self.proof_nodes)
        return replace(report, visits=visits, lines=tuple(replace(line, visits=visits) for line in report.lines))

    def new_game(self, seed: int) -> None:
        """Start a new game in both bots."""
        self.prover.new_game(seed)
        self.searcher.new_game(seed)

    def close(self) -> None:
        """Close the search and the proof bot."""
        self.prover.close()
        self.searcher.close()


def is_proven(report: Report, value: float) -> bool:
    """Return whether a report proves this value of the position."""
    return report.certainty == "proven" and report.value == value


def mark_lost(report: Report) -> Report:
    """Return a report with the values of a position that is proven to be lost."""
    lines = tuple(replace(line, value=0.0, certainty="proven") for line in report.lines)
    return replace(report, value=0.0, certainty="proven", lines=lines)
