"""Writes proofs by strategy: the checker's own walk, with answers from an oracle in place of a file's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np

from ..files import atomic_write
from ..games.game import Position
from .solution import ProofError
from .strategy_checker import KIND, VERSION, follow_claim, proof_lines
from .walker import Supply, Walker


class Kept:
    """Answers one by one, from elsewhere, each of them kept."""

    def __init__(self, source: Supply) -> None:
        self.source = source
        self.found: list[int] = []
        self.ids = np.zeros(0, np.int64)
        self.used = 0

    def refill(self, position: Position, seat: int, draw: bool) -> None:
        """One more."""
        if self.source.used == len(self.source.ids):
            self.source.refill(position, seat, draw)
        self.ids, self.used = self.source.ids[self.source.used : self.source.used + 1], 0
        self.source.used += 1
        self.found.append(int(self.ids[0]))


class StrategyProof:
    """The claims proven so far and the answers that prove them."""

    def __init__(self, position: Position, path: Path | None) -> None:
        self.position = position
        self.path = path
        self.claims: dict[str, int] = {}
        self.answers: list[int] = []
        self.walker = Walker(position.game)
        if path is not None and path.exists():
            self.resume(path)

    def resume(self, path: Path) -> None:
        """Take over what a file of the same position proves; checking it is the way to find what it covers."""
        with proof_lines(path) as (position, claims, answers):
            if position.game.spec != self.position.game.spec or str(position) != str(self.position):
                raise ProofError(f"this is a proof of another position, {position.game.spec} {position}; name another file")
            for move, value in claims.items():
                self.follow(move, value, answers)

    def follow(self, move: str, value: int, answers: Supply) -> None:
        """Add a claim with all answers that it needs; if that fails half way, nothing is added."""
        kept = Kept(answers)
        follow_claim(self.walker, self.position, move, value, kept)
        self.claims[move] = int(value)  # a numpy number where kernels are not compiled
        self.answers += kept.found

    def save(self) -> None:
        """Write the file anew, whole or not at all."""
        if self.path is None:
            return
        game = self.position.game
        claims = [{"move": move, "value": value} for move, value in self.claims.items()]
        header = {
            "ropewalk-proof": VERSION,
            "kind": KIND,
            "spec": game.spec,
            "position": str(self.position),
            "claims": claims,
        }
        lines = [json.dumps(header), *(game.move_texts[move] for move in self.answers), ""]
        with (
            atomic_write(self.path) as fresh,
            fresh.open("wb") as raw,
            gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as file,
        ):
            file.write("\n".join(lines).encode("ascii"))
