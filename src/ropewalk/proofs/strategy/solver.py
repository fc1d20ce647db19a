"""Strategy solver: values of any game's position and of all its moves, each with a strategy proof.

The proof writer runs the checker's own traversal with replies from an oracle and records them: the replies of the file are
in the order in which the checker reads them. The format is described in `checker`.
"""

from __future__ import annotations

import gzip
import json
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ...atomic_file import atomic_write
from ...errors import RopewalkError
from ...games.position import Position
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

SAVE_INTERVAL_SECONDS = 30.0  # between two writes of the proof file, which is also written at the end


class RecordingReplies(ReplySource):
    """Reply source that hands on the blocks of another source and records the replies that are used."""

    def __init__(self, source: ReplySource) -> None:
        super().__init__()
        self.source = source
        self.recorded: list[NDArray[np.int16]] = []
        self._num_recorded = 0  # of the current block
        self._take_block()

    def refill(self, position: Position, seat: int, may_draw: bool) -> None:
        """Take a block from the source."""
        self.record()
        self.source.refill(position, seat, may_draw)
        self._take_block()

    def advance(self, traversal: StrategyTraversal, goal: tuple[int, bool]) -> int:
        """Let the source run the traversal."""
        status = self.source.advance(traversal, goal)
        self.move_ids, self.num_used = self.source.move_ids, self.source.num_used
        return status

    def record(self) -> None:
        """Record what has been used of the current block."""
        self.recorded.append(self.move_ids[self._num_recorded : self.num_used].astype(np.int16))
        self._num_recorded = self.num_used

    def _take_block(self) -> None:
        self.move_ids = self.source.move_ids
        self.num_used = self._num_recorded = self.source.num_used


class StrategyProofWriter:
    """Claims proven so far, with the replies that prove them in the order of the file."""

    def __init__(self, position: Position, path: Path | None) -> None:
        self.position = position
        self.path = path
        self.claims: dict[str, int] = {}
        self.replies: list[NDArray[np.int16]] = []  # move ids, in blocks
        self.traversal = StrategyTraversal(position.game)
        if path is not None and path.exists():
            self.resume(path)

    def resume(self, path: Path) -> None:
        """Take over the claims of an existing file after checking them.

        Raises ProofError if the file does not prove its claims or belongs to another position.
        """
        with open_strategy_proof(path) as (position, claims, replies):
            if position.game.spec != self.position.game.spec or str(position) != str(self.position):
                raise ProofError(
                    f"the file is a proof of another position, {position.game.spec} {position}; use another file"
                )
            for move, value in claims.items():
                self.add_claim(move, value, replies)

    def add_claim(self, move: str, value: int, replies: ReplySource) -> None:
        """Add a claim with all replies that it needs; nothing is added if the traversal fails."""
        recording = RecordingReplies(replies)
        traverse_claim(self.traversal, self.position, move, value, recording)
        recording.record()
        self.claims[move] = int(value)  # a numpy integer where kernels are not compiled
        self.replies += recording.recorded

    @property
    def num_replies(self) -> int:
        """The number of replies of all claims."""
        return sum(map(len, self.replies))

    def save(self) -> None:
        """Write the file atomically; without a path, do nothing."""
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
        with (
            atomic_write(self.path) as temp_path,
            temp_path.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file,
        ):
            file.write(f"{json.dumps(header)}\n".encode("ascii"))
            for block in self.replies:
                file.write("".join(f"{game.move_texts[move]}\n" for move in block.tolist()).encode("ascii"))


class SolverError(RopewalkError):
    """The position is over, so there is nothing to solve."""


def solve_by_strategy(
    position: Position, path: Path | None, limits: SolverLimits, on_progress: ProgressCallback | None = None
) -> Solution:
    """Return the values of a position and of all its moves, as far as the limits allow.

    `path` is the proof file to write or to resume; None writes no proof. Earlier positions of the game do not count: the
    values are those of the position as its text describes it. Raises SolverError if the position is over, and ProofError
    if the existing file is not a valid proof of this position.
    """
    position = position.game.position(str(position))
    outcome = position.outcome
    if outcome is not None:
        raise SolverError(f"the game is over, so there is nothing to solve: {outcome.words}")
    return StrategySolver(position, path, SolverClock(limits, on_progress)).solve()


class StrategySolver:
    """Solver of one position."""

    def __init__(self, position: Position, path: Path | None, clock: SolverClock) -> None:
        self.position = position
        self.clock = clock
        self.children = {move: position.play(move) for move in position.moves()}
        self.proof = StrategyProofWriter(position, path)
        clock.restart()  # checking an existing file does not count against the time limit
        self.values = {move: self.known_value(move) for move in self.children}
        self.oracle: StrategyOracle | None = None
        self.last_saved = time.monotonic()

    def known_value(self, move: str) -> int | None:
        """Return the value after a move that ends the game or that the proof covers, else None."""
        outcome = self.children[move].outcome
        if outcome is not None:
            return DRAW_VALUE if outcome.winner is None else outcome.winner
        return self.proof.claims.get(move)

    def solve(self) -> Solution:
        """Find and prove all values within the limits, and save the proof."""
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
        """Solve all moves without a value and prove each result."""
        pending = {move: after for move, after in self.children.items() if self.values[move] is None}
        if pending:
            self.oracle = make_oracle(self.position, self.clock)
            for move, value in self.oracle.solve_moves(pending):
                self.values[move] = value
                self.add_claim(move, value)

    def add_claim(self, move: str, value: int) -> None:
        """Add the proof of one value if there is a proof file, which is saved at intervals."""
        if self.proof.path is None:
            return
        self.clock.status = f"writing the proof of {move}"
        replies: ReplySource = OracleReplies(self.select_reply)  # a move that ends the game needs none
        if self.oracle is not None:
            replies = self.oracle.make_reply_source(self.select_reply, self.check_limits)
        self.proof.add_claim(move, value, replies)
        if time.monotonic() - self.last_saved > SAVE_INTERVAL_SECONDS:
            self.proof.save()
            self.last_saved = time.monotonic()

    def select_reply(self, position: Position, seat: int, may_draw: bool) -> int:
        """Return the oracle's reply; raise SolverStopped at a limit."""
        assert self.oracle is not None
        self.check_limits()
        return self.oracle.select_reply(position, seat, may_draw)

    def check_limits(self) -> None:
        """Report progress; raise SolverStopped at a limit."""
        assert self.oracle is not None
        self.clock.check(self.oracle.nodes, self.oracle.memory_bytes)

    def make_solution(self) -> Solution:
        """Return the values found so far."""
        assert self.position.seat is not None
        return Solution(
            spec=self.position.game.spec,
            position=str(self.position),
            value=minimax_value(self.position.seat, self.values.values()),
            moves=self.values,
            nodes=self.oracle.nodes if self.oracle else 0,
            proof_size=self.proof.num_replies,
            seconds=self.clock.elapsed_seconds,
        )
