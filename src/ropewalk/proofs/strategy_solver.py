"""Solves any game: the value after every move of a position, and a proof by strategy of each."""

from __future__ import annotations

import time
from pathlib import Path

from ..errors import RopewalkError
from ..games.game import Position
from .oracles import StrategyOracle, make_oracle
from .solution import DRAW_VALUE, ProgressCallback, Solution, SolverLimits, minimax_value
from .strategy_writer import StrategyProofWriter
from .walker import OracleReplies
from .work import SolverClock, SolverStopped

SAVE_INTERVAL_SECONDS = 30.0  # seconds; also at the end


class SolverError(RopewalkError):
    """A position that there is nothing to solve in."""


def solve_by_strategy(
    position: Position, path: Path | None, limits: SolverLimits, on_progress: ProgressCallback | None = None
) -> Solution:
    """The values of a position and of all its moves, as far as the effort goes; `path` keeps or goes on with the proof.

    Past positions do not count: the values are those of the position as its text tells it.
    """
    position = position.game.position(str(position))
    outcome = position.outcome
    if outcome is not None:
        raise SolverError(f"the position is over: {outcome.words}; there is nothing to solve")
    return StrategySolver(position, path, SolverClock(limits, on_progress)).solve()


class StrategySolver:
    """The work on one position."""

    def __init__(self, position: Position, path: Path | None, clock: SolverClock) -> None:
        self.position = position
        self.clock = clock
        self.children = {move: position.play(move) for move in position.moves()}
        self.proof = StrategyProofWriter(position, path)
        clock.restart()  # checking what a file proves already takes nothing from the time for more
        self.values = {move: self.known_value(move) for move in self.children}
        self.oracle: StrategyOracle | None = None
        self.last_saved = time.monotonic()

    def known_value(self, move: str) -> int | None:
        """What a move is worth before any search: the game is over, or a proof has it."""
        outcome = self.children[move].outcome
        if outcome is not None:
            return DRAW_VALUE if outcome.winner is None else outcome.winner
        return self.proof.claims.get(move)

    def solve(self) -> Solution:
        """Find all values, or those that the effort allows."""
        for move, value in self.values.items():
            if value is not None and move not in self.proof.claims:
                self.add_claim(move, value)
        try:
            self.find_values()
        except SolverStopped:
            pass
        finally:
            if self.proof.claims:
                self.proof.save()
        return self.make_solution()

    def find_values(self) -> None:
        """Ask the oracle for what is not known yet and prove each answer."""
        pending = {move: after for move, after in self.children.items() if self.values[move] is None}
        if pending:
            self.oracle = make_oracle(self.position, self.clock)
            for move, value in self.oracle.solve_moves(pending):
                self.values[move] = value
                self.add_claim(move, value)

    def add_claim(self, move: str, value: int) -> None:
        """Write the proof of one value, if a proof is wanted."""
        if self.proof.path is None:
            return
        self.clock.status = f"writing the proof of {move}"
        self.proof.add_claim(move, value, OracleReplies(self.select_reply))
        if time.monotonic() - self.last_saved > SAVE_INTERVAL_SECONDS:
            self.proof.save()
            self.last_saved = time.monotonic()

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """The oracle's answer."""
        assert self.oracle is not None
        self.clock.check(self.oracle.nodes, self.oracle.memory_bytes)
        return self.oracle.select_reply(position, seat, may_draw)

    def make_solution(self) -> Solution:
        """What has been found."""
        assert self.position.seat is not None
        return Solution(
            spec=self.position.game.spec,
            position=str(self.position),
            value=minimax_value(self.position.seat, self.values.values()),
            moves=self.values,
            nodes=self.oracle.nodes if self.oracle else 0,
            proof_size=len(self.proof.replies),
            seconds=self.clock.elapsed_seconds,
        )
