"""Bots that look for the end of the game first, and only then think as they usually do."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

from ..games.game import Position
from .bot import Bot, Limit, Report

PROOF_TIME_FRACTION, MAX_PROOF_SECONDS = (
    0.1,
    1.0,
)  # of the time, and seconds at most, for the scout; without a limit of time it goes by visits alone


class ProofThenSearchBot(Bot):
    """A scout searches a little; unless it proves how the game ends, another bot thinks about the position."""

    def __init__(self, prover: Bot, proof_nodes: int, searcher: Bot, search_visits: int) -> None:
        self.game = searcher.game
        self.name = searcher.name
        self.prover, self.searcher = prover, searcher
        self.proof_nodes, self.search_visits = (
            proof_nodes,
            search_visits,
        )  # visits of the scout at most, and those of the other one that go with them
        self.net = searcher.net
        self.budget = f"{prover.budget.removesuffix(' a move')}, then {searcher.budget}"

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """The scout's last word, if it is a final one; or else what the other one thinks."""
        limit = limit or Limit()
        started_at = time.monotonic()
        *_, report = self.prover.analyse(position, self._make_prover_limit(limit))
        if report.certainty == "proven":
            yield self._convert_nodes_to_visits(report)
            return
        remaining_seconds = None if limit.seconds is None else max(limit.seconds - (time.monotonic() - started_at), 0.001)
        yield from self.searcher.analyse(position, replace(limit, seconds=remaining_seconds))

    def _make_prover_limit(self, limit: Limit) -> Limit:
        max_nodes = (
            self.proof_nodes
            if limit.visits is None
            else min(self.proof_nodes, -(-self.proof_nodes * limit.visits // self.search_visits))
        )
        seconds = None if limit.seconds is None else min(MAX_PROOF_SECONDS, PROOF_TIME_FRACTION * limit.seconds)
        return replace(limit, seconds=seconds, visits=max_nodes)

    def _convert_nodes_to_visits(self, report: Report) -> Report:
        """A scout's report, in visits of the thinker."""
        visits = -(-report.visits * self.search_visits // self.proof_nodes)
        return replace(report, visits=visits, lines=tuple(replace(line, visits=visits) for line in report.lines))

    def new_game(self, seed: int) -> None:
        """Both forget."""
        self.prover.new_game(seed)
        self.searcher.new_game(seed)

    def close(self) -> None:
        """Give back what both hold."""
        self.prover.close()
        self.searcher.close()
