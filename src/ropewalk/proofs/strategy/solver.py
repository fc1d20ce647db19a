"""Writes proofs by strategy: the checker's own walk, with answers from an oracle in place of a file's."""
# MERGED DOCSTRING: """Solves any game: the value after every move of a position, and a proof by strategy of each."""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import numpy as np

from ...atomic_file import atomic_write
from ...errors import RopewalkError
from ...games.game import Position
from ..solver import (
    DRAW_VALUE,
    ProgressCallback,
    ProofError,
    Solution,
    SolverClock,
    SolverLimits,
    SolverStopped,
    minimax_value,
)
from .checker import FORMAT_VERSION, PROOF_KIND, open_strategy_proof, traverse_claim
from .oracle import StrategyOracle, make_oracle
from .traversal import OracleReplies, ReplySource, StrategyTraversal


class RecordingReplies:
    """Answers one by one, from elsewhere, each of them kept."""

    def __init__(self, source: ReplySource) -> None:
        self.source = source
        self.recorded: list[int] = []
        self.move_ids = np.zeros(0, np.int64)
        self.num_used = 0

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """One more."""
        if self.source.num_used == len(self.source.move_ids):
            self.source.refill(position, seat, may_draw)
        self.move_ids, self.num_used = self.source.move_ids[self.source.num_used : self.source.num_used + 1], 0
        self.source.num_used += 1
        self.recorded.append(int(self.move_ids[0]))


class StrategyProofWriter:
    """The claims proven so far and the answers that prove them."""

    def __init__(self, position: Position, path: Path | None) -> None:
        self.position = position
        self.path = path
        self.claims: dict[str, int] = {}
        self.replies: list[int] = []
        self.traversal = StrategyTraversal(position.game)
        if path is not None and path.exists():
            self.resume(path)

    def resume(self, path: Path) -> None:
        """Take over what a file of the same position proves; checking it is the way to find what it covers."""
        with open_strategy_proof(path) as (position, claims, replies):
            if position.game.spec != self.position.game.spec or str(position) != str(self.position):
                raise ProofError(f"this is a proof of another position, {position.game.spec} {position}; name another file")
            for move, value in claims.items():
                self.add_claim(move, value, replies)

    def add_claim(self, move: str, value: int, replies: ReplySource) -> None:
        """Add a claim with all answers that it needs; if that fails half way, nothing is added."""
        recording = RecordingReplies(replies)
        traverse_claim(self.traversal, self.position, move, value, recording)
        self.claims[move] = int(value)  # a numpy number where kernels are not compiled
        self.replies += recording.recorded

    def save(self) -> None:
        """Write the file anew, whole or not at all."""
        if self.path is None:
            return
        game = self.position.game
        claims = [{"move": move, "value": value} for move, value in self.claims.items()]
        header = {
            "ropewalk-proof": FORMAT_VERSION,
            "kind": PROOF_KIND,
            "spec": game.spec,
            "position": str(self.position),
            "claims": claims,
        }
        lines = [json.dumps(header), *(game.move_texts[move] for move in self.replies), ""]
        with (
            atomic_write(self.path) as temp_path,
            temp_path.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file,
        ):
            file.write("\n".join(lines).encode("ascii"))


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
