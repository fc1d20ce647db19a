"""Solves any game: the value after every move of a position, and a proof by strategy of each."""

from __future__ import annotations

import time
from pathlib import Path

from ..errors import RopewalkError
from ..games.game import Position
from .oracles import Oracle, oracle_for
from .solution import DRAWN, Effort, Solution, Watcher, value_of
from .strategy_writer import StrategyProof
from .walker import Chosen
from .work import Stopped, Work

SAVE_EVERY = 30.0  # seconds; also at the end


class SolverError(RopewalkError):
    """A position that there is nothing to solve in."""


def solve_by_strategy(position: Position, path: Path | None, effort: Effort, watch: Watcher | None = None) -> Solution:
    """The values of a position and of all its moves, as far as the effort goes; `path` keeps or goes on with the proof.

    Past positions do not count: the values are those of the position as its text tells it.
    """
    position = position.game.position(str(position))
    over = position.outcome
    if over is not None:
        raise SolverError(f"the position is over: {over.words}; there is nothing to solve")
    return Solving(position, path, Work(effort, watch)).solution()


class Solving:
    """The work on one position."""

    def __init__(self, position: Position, path: Path | None, work: Work) -> None:
        self.position = position
        self.work = work
        self.after = {move: position.play(move) for move in position.moves()}
        self.proof = StrategyProof(position, path)
        work.begin()  # checking what a file proves already takes nothing from the time for more
        self.values = {move: self.known(move) for move in self.after}
        self.oracle: Oracle | None = None
        self.saved = time.monotonic()

    def known(self, move: str) -> int | None:
        """What a move is worth before any search: the game is over, or a proof has it."""
        over = self.after[move].outcome
        if over is not None:
            return DRAWN if over.winner is None else over.winner
        return self.proof.claims.get(move)

    def solution(self) -> Solution:
        """Find all values, or those that the effort allows."""
        for move, value in self.values.items():
            if value is not None and move not in self.proof.claims:
                self.claim(move, value)
        try:
            self.find_values()
        except Stopped:
            pass
        finally:
            if self.proof.claims:
                self.proof.save()
        return self.told()

    def find_values(self) -> None:
        """Ask the oracle for what is not known yet and prove each answer."""
        waiting = {move: after for move, after in self.after.items() if self.values[move] is None}
        if waiting:
            self.oracle = oracle_for(self.position, self.work)
            for move, value in self.oracle.values(waiting):
                self.values[move] = value
                self.claim(move, value)

    def claim(self, move: str, value: int) -> None:
        """Write the proof of one value, if a proof is wanted."""
        if self.proof.path is None:
            return
        self.work.words = f"writing the proof of {move}"
        self.proof.follow(move, value, Chosen(self.answer))
        if time.monotonic() - self.saved > SAVE_EVERY:
            self.proof.save()
            self.saved = time.monotonic()

    def answer(self, position: Position, seat: int, draw: bool) -> int:
        """The oracle's answer."""
        assert self.oracle is not None
        self.work.require(self.oracle.nodes, self.oracle.memory)
        return self.oracle.answer(position, seat, draw)

    def told(self) -> Solution:
        """What has been found."""
        assert self.position.seat is not None
        return Solution(
            spec=self.position.game.spec,
            position=str(self.position),
            value=value_of(self.position.seat, self.values.values()),
            moves=self.values,
            nodes=self.oracle.nodes if self.oracle else 0,
            proof_size=len(self.proof.answers),
            seconds=self.work.seconds,
        )
