"""Writes proofs by strategy: the checker's own walk, with answers from an oracle in place of a file's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np

from ..atomic_file import atomic_write
from ..games.game import Position
from .solution import ProofError
from .strategy_checker import FORMAT_VERSION, PROOF_KIND, open_strategy_proof, traverse_claim
from .walker import ReplySource, StrategyTraversal


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
