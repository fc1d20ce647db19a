"""A bot for beginners: it plays plausible moves, drawn from the policy of a net, and sees what happens in one turn.

Moves are sampled from the policy at a temperature, and only from its nucleus, the most probable moves that together have
most of the probability (Holtzman et al., "The curious case of neural text degeneration", 2020). So its errors are moves that
a player could consider, unlike those of a search with few visits.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from functools import partial
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..games.game import Game
from ..games.position import Position
from ..nets.config import file_sha256
from ..nets.onnx_evaluator import OnnxEvaluator
from ..proofs.dfpn_solver import DfpnSolver
from ..text import plural
from .bot import Bot, Limit, Line, Report, find_searched_moves, require_ongoing

NUCLEUS = 0.9  # the share of the probability that the moves of the nucleus reach
TABLE_BYTES = 1 << 16  # of the solver
MAX_NODES = 100_000  # of the solver; a turn needs far fewer
MAX_REPORT_LINES = 20


class PolicyBot(Bot):
    """Samples moves from a net's policy.

    With one turn of lookahead it plays a win in this turn, if there is one. With two, it also avoids moves after which the
    opponent has one, as far as other plausible moves do.
    """

    def __init__(
        self, game: Game, net_path: Path, name: str, temperature: float, lookahead_turns: int = 0, *, seed: int = 0
    ) -> None:
        self.game = game
        self.name = name
        self.net_path, self.temperature, self.lookahead_turns = net_path, temperature, lookahead_turns
        ahead = f", {plural(lookahead_turns, 'turn')} ahead" if lookahead_turns else ""
        self.budget = f"policy at temperature {temperature:g}{ahead}"
        self.net = file_sha256(net_path)
        self.evaluator = OnnxEvaluator(game, net_path)
        self.solver = DfpnSolver(game, TABLE_BYTES)
        self._candidates = Candidates([], [], 0.5)
        self.new_game(seed)

    def __reduce__(self) -> tuple[Any, ...]:
        arguments = (self.game, self.net_path, self.name, self.temperature, self.lookahead_turns)
        return partial(PolicyBot, seed=self.seed), arguments

    def new_game(self, seed: int) -> None:
        """Seed the random number generator."""
        self.seed = seed
        self.rng = random.Random(seed)

    def analyse(self, position: Position, limit: Limit | None = None) -> Iterator[Report]:
        """Yield one report with the plausible moves, the most probable first; their values are that of the position."""
        require_ongoing(position)
        started_at = time.monotonic()
        self._candidates = self._list_candidates(position, limit)
        moves, weights, value = self._candidates
        plausible = [
            move for weight, move in sorted(zip(weights, moves, strict=True), key=itemgetter(0), reverse=True) if weight
        ]
        lines = tuple(Line((self.game.move_texts[move],), 0, value, "estimate") for move in plausible[:MAX_REPORT_LINES])
        yield Report(position.seat or 0, value, "estimate", 1, time.monotonic() - started_at, lines)

    def decide(self, position: Position, last: Report) -> str:
        """Return a sample of the moves of the last analysis, or a win that the lookahead sees."""
        moves, weights, _ = self._candidates
        winning_move = self._find_win(position) if self.lookahead_turns > 0 else None
        if winning_move in moves:
            return self.game.move_texts[winning_move]
        return self.game.move_texts[self._sample_move(position, moves, list(weights))]

    def _list_candidates(self, position: Position, limit: Limit | None) -> Candidates:
        moves = find_searched_moves(position, limit)
        logits, values = self.evaluator.evaluate(position.observation()[np.newaxis])
        return Candidates(moves, nucleus_weights(logits[0, moves], self.temperature), 0.5 + 0.5 * float(values[0]))

    def _find_win(self, position: Position) -> int | None:
        """Return the first move of a win within the turn of the seat to move, or None."""
        return self.solver.proving_move(True) if self._wins_at_once(position) else None

    def _sample_move(self, position: Position, moves: list[int], weights: list[float]) -> int:
        """Return a move by weight, one that does not lose at once if the lookahead is long enough; changes `weights`."""
        indices = range(len(moves))
        first = chosen = self.rng.choices(indices, weights)[0]
        while self.lookahead_turns > 1 and self._loses_at_once(position, moves[chosen]):
            weights[chosen] = 0.0
            if not any(weights):
                return moves[first]
            chosen = self.rng.choices(indices, weights)[0]
        return moves[chosen]

    def _loses_at_once(self, position: Position, move: int) -> bool:
        """Return whether a move loses the game, or lets the opponent win in the next turn."""
        after = position.play_id(move)
        if after.seat is None:
            return after.result != position.seat
        return after.seat != position.seat and self._wins_at_once(after)

    def _wins_at_once(self, position: Position) -> bool:
        """Return whether the seat to move can win within its turn."""
        assert position.seat is not None
        self.solver.clear()
        return self.solver.solve(position.row, position.seat, 1, max_nodes=MAX_NODES) is True


class Candidates(NamedTuple):
    """The moves of a position, the probability of each to be sampled, and the net's value, 0 to 1, for the seat to move."""

    moves: list[int]
    weights: list[float]
    value: float


def nucleus_weights(logits: NDArray[np.float32], temperature: float) -> list[float]:
    """Return the softmax of logits at a temperature, 0 for the moves outside its nucleus; the sum is 1."""
    weights = np.exp((logits - logits.max()).astype(np.float64) / temperature)
    weights /= weights.sum()
    order = np.argsort(-weights, kind="stable")
    before = np.cumsum(weights[order]) - weights[order]
    weights[order[before >= NUCLEUS]] = 0.0
    normalised: list[float] = (weights / weights.sum()).tolist()
    return normalised
