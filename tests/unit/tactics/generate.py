"""Generator of the tactical suites: one file per game, one position per line, then a tab and all moves that win it.

Positions come from the last plies of games by a Monte Carlo player. A puzzle is a position in which few moves win; every
other move is proven not to win. In laoCoon, where positions can repeat and few moves lose by force, the listed moves are
those after which a win follows within SHORT_WIN_TURNS turns; no other move has such a win.

    python tests/unit/tactics/generate.py [SPEC ...]
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Protocol

import numpy as np

import ropewalk
from ropewalk import Game, Position
from ropewalk.jit.kernel import compile_for
from ropewalk.jit.prng import Rng, make_rng
from ropewalk.proofs.dfpn_solver import DfpnSolver
from ropewalk.proofs.retrograde import RetrogradeSolver
from ropewalk.rules.generic import run_playouts
from ropewalk.rules.interface import DRAW, ONGOING

EXACT_BY_SPEC = {  # False: only wins within SHORT_WIN_TURNS turns count
    "lariat-2x10": True,
    "cube-lariat-4": True,
    "tether-13": True,
    "liger-8": True,
    "laocoon-weave": False,
}
NUM_PUZZLES, SEED = 48, 1  # of each suite

# Limits of the solvers
TABLE_BYTES = 1 << 27
RETROGRADE_BYTES = 1 << 23
MAX_NODES_PER_MOVE = 30_000
MAX_TURNS = 4  # to the end, in games with repetition whose positions do not fit into RETROGRADE_BYTES
SHORT_WIN_TURNS = 3  # after a move: the rest of the mover's turn, the reply, the mover's next turn

# Play
NUM_CANDIDATES, PLAYOUTS_PER_CANDIDATE = 8, 24
MIN_GUIDED_FRACTION = 0.2  # of a game; random moves after that leave more to decide
ENDINGS_PER_OPENING = 4  # random continuations of each guided game

# Selection of puzzles
MIN_PLIES_BEFORE_END, MAX_PLIES_BEFORE_END = 2, 60
MAX_PUZZLES_PER_GAME = 4  # candidates, of which one is selected
MAX_UNSOLVED_PER_GAME = 2
MIN_MOVES_PER_WINNING_MOVE = 3
MIN_PUZZLES_PER_IMMEDIATE_WIN = 3


@dataclass(frozen=True)
class Puzzle:
    """A position with all moves that win it."""

    position: str
    winning_moves: tuple[str, ...]
    has_immediate_win: bool  # whether one of them ends the game


class Unsolved(Exception):
    """A position was not solved within the limits."""


class WinTest(Protocol):
    """Decides whether a seat wins a position."""

    def is_won(self, position: Position, seat: int) -> bool:
        """Return whether `seat` wins an ongoing position; raise Unsolved if that is not decided."""


def generate_puzzles(game: Game, max_puzzles: int, seed: int, *, exact: bool = True) -> Iterator[Puzzle]:
    """Yield `max_puzzles` different puzzles, at most one per game; the seed determines them.

    If not `exact`, in games with repetition, only wins within SHORT_WIN_TURNS turns count.
    """
    rng, player = random.Random(seed), MonteCarloPlayer(game, seed)
    solver = DfpnSolver(game, TABLE_BYTES)
    num_immediate = num_puzzles = 0
    seen: set[str] = set()
    for positions in player.generate_games(rng):
        puzzles = find_puzzles(positions, solver, rng, exact)
        usable = [
            puzzle
            for puzzle in islice(puzzles, MAX_PUZZLES_PER_GAME)
            if not puzzle.has_immediate_win or MIN_PUZZLES_PER_IMMEDIATE_WIN * (num_immediate + 1) <= num_puzzles + 1
        ]
        usable = [puzzle for puzzle in usable if puzzle.position not in seen]
        if usable:
            puzzle = rng.choice(usable)
            seen.add(puzzle.position)
            num_immediate += puzzle.has_immediate_win
            num_puzzles += 1
            yield puzzle
        if num_puzzles == max_puzzles:
            return


def find_puzzles(positions: list[Position], solver: DfpnSolver, rng: random.Random, exact: bool) -> Iterator[Puzzle]:
    """Yield puzzles of one game from its end backwards, until MAX_UNSOLVED_PER_GAME positions are unsolved."""
    num_unsolved = 0
    for position in positions[-MIN_PLIES_BEFORE_END:-MAX_PLIES_BEFORE_END:-1]:
        try:
            without_history = positions[0].game.position(str(position))
            puzzle = make_puzzle(without_history, make_win_test(without_history, solver, exact), rng)
        except Unsolved:
            num_unsolved += 1
            if num_unsolved == MAX_UNSOLVED_PER_GAME:
                return
        else:
            if puzzle is not None:
                yield puzzle


def make_win_test(position: Position, solver: DfpnSolver, exact: bool) -> WinTest:
    """Return the strongest win test that a position's game allows."""
    if not position.game.can_repeat:
        return DfpnWinTest(solver)
    if not exact:
        return ShortWinTest(solver)
    retrograde = RetrogradeSolver(position, RETROGRADE_BYTES)
    return RetrogradeWinTest(retrograde) if retrograde.solve(lambda: True) else BoundedWinTest(solver)


def make_puzzle(position: Position, win_test: WinTest, rng: random.Random) -> Puzzle | None:
    """Return the position with all its winning moves, or None if there are none or too many; may raise Unsolved."""
    seat, moves = position.seat, position.moves()
    if seat is None or len(moves) < MIN_MOVES_PER_WINNING_MOVE:
        return None
    winning_moves: set[str] = set()
    has_immediate_win = False
    for move in rng.sample(moves, len(moves)):  # in random order, most unsuitable positions are rejected early
        after = position.play(move)
        if after.result == seat if after.result != ONGOING else win_test.is_won(after, seat):
            winning_moves.add(move)
            has_immediate_win |= after.result == seat
            if MIN_MOVES_PER_WINNING_MOVE * len(winning_moves) > len(moves):
                return None
    if not winning_moves:
        return None
    return Puzzle(str(position), tuple(move for move in moves if move in winning_moves), has_immediate_win)


class DfpnWinTest:
    """Df-pn search to the end, for games without repetition."""

    def __init__(self, solver: DfpnSolver) -> None:
        self.solver = solver

    def is_won(self, position: Position, seat: int) -> bool:
        return require_solved(self.solver.solve(position.row, seat, max_nodes=MAX_NODES_PER_MOVE))


class RetrogradeWinTest:
    """Lookup in a completed retrograde analysis."""

    def __init__(self, solver: RetrogradeSolver) -> None:
        self.solver = solver

    def is_won(self, position: Position, seat: int) -> bool:
        return self.solver.probe(position)[0] == seat


class BoundedWinTest:
    """Df-pn search for wins of either seat within MAX_TURNS turns; positions without one are unsolved."""

    def __init__(self, solver: DfpnSolver) -> None:
        self.solver = solver

    def is_won(self, position: Position, seat: int) -> bool:
        for max_turns in range(1, MAX_TURNS + 1):
            for winner in (seat, 1 - seat):
                if require_solved(self.solver.solve(position.row, winner, max_turns, max_nodes=MAX_NODES_PER_MOVE)):
                    return winner == seat
        raise Unsolved


class ShortWinTest:
    """Df-pn search for wins within SHORT_WIN_TURNS turns; longer wins do not count."""

    def __init__(self, solver: DfpnSolver) -> None:
        self.solver = solver

    def is_won(self, position: Position, seat: int) -> bool:
        results = (
            self.solver.solve(position.row, seat, max_turns, max_nodes=MAX_NODES_PER_MOVE)
            for max_turns in range(1, SHORT_WIN_TURNS + 1)
        )
        return any(map(require_solved, results))


def require_solved(result: bool | None) -> bool:
    """Return a solver's result; raise Unsolved if it is None."""
    if result is None:
        raise Unsolved
    return result


class MonteCarloPlayer:
    """Plays immediate wins, avoids immediate losses, and otherwise picks the candidate with the best playouts."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.rng: Rng = make_rng(seed)
        row = game.start().row
        self.moves, self.results = np.zeros(game.max_legal_moves, np.int64), np.zeros(3, np.int64)
        self._run_playouts = compile_for(run_playouts, game.rules, row, row, self.moves, self.rng, 0, self.results)

    def generate_games(self, rng: random.Random) -> Iterator[list[Position]]:
        """Yield games without end, each as its list of positions; ENDINGS_PER_OPENING games share an opening."""
        while True:
            positions = self.play_to_end([self.game.start()], rng, NUM_CANDIDATES)
            for _ in range(ENDINGS_PER_OPENING):
                branch_ply = int(len(positions) * rng.uniform(MIN_GUIDED_FRACTION, 1))
                yield self.play_to_end(positions[:branch_ply], rng, 1)

    def play_to_end(self, positions: list[Position], rng: random.Random, num_candidates: int) -> list[Position]:
        """Append positions until the game ends; return the list."""
        while positions[-1].seat is not None:
            positions.append(self.choose_successor(positions[-1], rng, num_candidates))
        return positions

    def choose_successor(self, position: Position, rng: random.Random, num_candidates: int) -> Position:
        """Return the position after an immediate win, else after the best of `num_candidates` safe moves."""
        assert position.seat is not None
        seat = position.seat
        children = [position.play_id(move) for move in position.move_ids().tolist()]
        for child in children:
            if child.result == seat:
                return child
        rng.shuffle(children)
        safe = list(islice((child for child in children if not loses_immediately(child, seat)), num_candidates))
        if num_candidates == 1:
            return (safe or children)[0]
        return max(safe or children[:1], key=lambda child: self.playout_score(child, seat))

    def playout_score(self, position: Position, seat: int) -> float:
        """Return the mean result of random playouts for `seat`, from 0 to 1."""
        if position.result != ONGOING:
            return {seat: 1.0, DRAW: 0.5}.get(position.result, 0.0)
        self.results[:] = 0
        self._run_playouts(
            self.game.rules, position.row, position.row.copy(), self.moves, self.rng, PLAYOUTS_PER_CANDIDATE, self.results
        )
        return float(self.results[seat] + self.results[DRAW] / 2) / PLAYOUTS_PER_CANDIDATE


def loses_immediately(position: Position, seat: int) -> bool:
    """Return whether the game is lost for `seat`, or one move of the seat to move loses it."""
    if position.result != ONGOING:
        return position.result == 1 - seat
    return any(position.play_id(move).result == 1 - seat for move in position.move_ids().tolist())


def write_suite(spec: str) -> None:
    """Write one game's file, line by line as puzzles are found."""
    started_at = time.monotonic()
    puzzles = generate_puzzles(ropewalk.game(spec), NUM_PUZZLES, SEED, exact=EXACT_BY_SPEC[spec])
    with (Path(__file__).parent / f"{spec}.txt").open("w") as file:
        for number, puzzle in enumerate(puzzles, start=1):
            file.write(f"{puzzle.position}\t{' '.join(puzzle.winning_moves)}\n")
            file.flush()
            print(f"{spec}: {number} of {NUM_PUZZLES}, {time.monotonic() - started_at:.0f} s", flush=True)


if __name__ == "__main__":
    for name in sys.argv[1:] or EXACT_BY_SPEC:
        write_suite(name)
