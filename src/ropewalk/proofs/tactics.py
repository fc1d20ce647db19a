"""Positions from the last part of sensible games, with all their winning moves, each proven, as are all that do not win."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

import numpy as np

from ..games.game import Game, Position
from ..jit.kernel import compile_for
from ..jit.prng import Rng, make_rng
from ..rules.generic import run_playouts
from ..rules.interface import DRAW, ONGOING
from .dfpn_solver import DfpnSolver
from .retrograde import RetrogradeSolver

TABLE_BYTES = 1 << 27  # bytes
RETROGRADE_BYTES = 1 << 23  # bytes of a chart
MAX_NODES_PER_MOVE = 30_000  # positions for a move
MAX_TURNS = 4  # to the end, where play can go round and no chart is small enough
NUM_CANDIDATES, PLAYOUTS_PER_CANDIDATE = 8, 24  # of a sensible move: random moves, and random games for each
MIN_GUIDED_FRACTION = 0.2  # least share of a game that is played so; random moves leave more to decide
MIN_PLIES_BEFORE_END, MAX_PLIES_BEFORE_END = 2, 60  # steps before the end of a game
SHORT_WIN_TURNS = 3  # turns after a move: the rest of the mover's, the answer, the next
MAX_TACTICS_PER_GAME = 4  # tactics of a game, to choose one from
ENDINGS_PER_OPENING = 4  # games with the same beginning
MAX_UNSOLVED_PER_GAME = 2  # positions of a game that are too hard
MIN_MOVES_PER_WINNING_MOVE = 3  # at most one move in so many wins
MIN_POSITIONS_PER_IMMEDIATE_WIN = 3  # at most one position in so many is won by a single step


@dataclass(frozen=True)
class Tactic:
    """A position with all moves that win it."""

    position: str
    winning_moves: tuple[str, ...]
    has_immediate_win: bool  # whether one of them ends the game


class UnsolvedPositionError(Exception):
    """A position that cannot be settled with the patience there is."""


class TacticSolver(Protocol):
    """Says whether the mover of a position wins after each of its moves."""

    def is_won(self, after: Position, seat: int) -> bool:
        """Whether a seat wins a position, or TooHard."""


def generate_tactics(game: Game, max_tactics: int, seed: int, *, exact: bool = True) -> Iterator[Tactic]:
    """So many positions in which few moves win; the same for the same seed.

    Not `exact`, where play can go round: the moves after which a win comes within SOON turns, as after no other.
    """
    rng, player = random.Random(seed), OnePlyPlayoutPlayer(game, seed)
    solver = DfpnSolver(game, TABLE_BYTES)
    num_immediate = num_found = 0
    seen: set[str] = set()
    for positions in player.generate_games(rng):
        tactics = find_tactics(positions, solver, rng, exact)
        usable = [
            tactic
            for tactic in islice(tactics, MAX_TACTICS_PER_GAME)
            if not tactic.has_immediate_win or MIN_POSITIONS_PER_IMMEDIATE_WIN * (num_immediate + 1) <= num_found + 1
        ]
        usable = [tactic for tactic in usable if tactic.position not in seen]
        if usable:
            tactic = rng.choice(usable)  # one a game, so that they differ
            seen.add(tactic.position)
            num_immediate += tactic.has_immediate_win
            num_found += 1
            yield tactic
        if num_found == max_tactics:
            return


def find_tactics(positions: list[Position], solver: DfpnSolver, rng: random.Random, exact: bool) -> Iterator[Tactic]:
    """Tactics of one game, from its end back to where positions get too hard; their past is forgotten."""
    num_unsolved = 0
    for position in positions[-MIN_PLIES_BEFORE_END:-MAX_PLIES_BEFORE_END:-1]:
        try:
            without_history = positions[0].game.position(str(position))
            tactic = make_tactic(without_history, make_tactic_solver(without_history, solver, exact), rng)
        except UnsolvedPositionError:
            num_unsolved += 1
            if num_unsolved == MAX_UNSOLVED_PER_GAME:
                return
        else:
            if tactic is not None:
                yield tactic


def make_tactic_solver(position: Position, solver: DfpnSolver, exact: bool) -> TacticSolver:
    """A search to the end, or a chart, or a search within some turns."""
    if not position.game.can_repeat:
        return DfpnTacticSolver(solver)
    if not exact:
        return ShortWinTacticSolver(solver)
    retrograde = RetrogradeSolver(position, RETROGRADE_BYTES)
    return RetrogradeTacticSolver(retrograde) if retrograde.solve(lambda: True) else BoundedTacticSolver(solver)


def make_tactic(position: Position, solver: TacticSolver, rng: random.Random) -> Tactic | None:
    """All winning moves, if they are few; TooHard when it cannot be said of a move."""
    seat, moves = position.seat, position.moves()
    if seat is None or len(moves) < MIN_MOVES_PER_WINNING_MOVE:
        return None
    winning_moves: set[str] = set()
    has_immediate_win = False
    for move in rng.sample(moves, len(moves)):  # soon many win, or one is too hard, where that is so of most
        after = position.play(move)
        if after.result == seat if after.result != ONGOING else solver.is_won(after, seat):
            winning_moves.add(move)
            has_immediate_win |= after.result == seat
            if MIN_MOVES_PER_WINNING_MOVE * len(winning_moves) > len(moves):
                return None
    return (
        Tactic(str(position), tuple(move for move in moves if move in winning_moves), has_immediate_win)
        if winning_moves
        else None
    )


class DfpnTacticSolver:
    """Searches to the end."""

    def __init__(self, solver: DfpnSolver) -> None:
        self.solver = solver

    def is_won(self, after: Position, seat: int) -> bool:
        """Whether the search finds a win or its absence in time."""
        return require_solved(self.solver.solve(after.row, seat, max_nodes=MAX_NODES_PER_MOVE))


class RetrogradeTacticSolver:
    """Knows every position."""

    def __init__(self, solver: RetrogradeSolver) -> None:
        self.solver = solver

    def is_won(self, after: Position, seat: int) -> bool:
        """The chart has it."""
        return self.solver.probe(after)[0] == seat


class BoundedTacticSolver:
    """Knows wins of either side within a few turns; what neither wins so soon is too hard."""

    def __init__(self, solver: DfpnSolver) -> None:
        self.solver = solver

    def is_won(self, after: Position, seat: int) -> bool:
        """Whether one of the two wins in time, the nearest win first."""
        for max_turns in range(1, MAX_TURNS + 1):
            for winner in (seat, 1 - seat):
                if require_solved(self.solver.solve(after.row, winner, max_turns, max_nodes=MAX_NODES_PER_MOVE)):
                    return winner == seat
        raise UnsolvedPositionError


class ShortWinTacticSolver:
    """Knows whether a win comes soon; one that takes longer counts as none."""

    def __init__(self, solver: DfpnSolver) -> None:
        self.solver = solver

    def is_won(self, after: Position, seat: int) -> bool:
        """Whether the seat wins within SOON turns."""
        searches = (
            self.solver.solve(after.row, seat, turns, max_nodes=MAX_NODES_PER_MOVE)
            for turns in range(1, SHORT_WIN_TURNS + 1)
        )
        return any(map(require_solved, searches))


def require_solved(result: bool | None) -> bool:
    """What was found, if anything was."""
    if result is None:
        raise UnsolvedPositionError
    return result


class OnePlyPlayoutPlayer:
    """Sees what wins or loses at once; else takes of a few random moves the one that random games like best, or any."""

    def __init__(self, game: Game, seed: int) -> None:
        self.game = game
        self.rng: Rng = make_rng(seed)
        row = game.start().row
        self.moves, self.results = np.zeros(game.max_legal_moves, np.int64), np.zeros(3, np.int64)
        self._run_playouts = compile_for(run_playouts, game.rules, row, row, self.moves, self.rng, 0, self.results)

    def generate_games(self, rng: random.Random) -> Iterator[list[Position]]:
        """Games without end, each the positions from its start to its end; several share a sensible beginning."""
        while True:
            positions = self.play_to_end([self.game.start()], rng, NUM_CANDIDATES)
            for _ in range(ENDINGS_PER_OPENING):
                branch_ply = int(len(positions) * rng.uniform(MIN_GUIDED_FRACTION, 1))
                yield self.play_to_end(positions[:branch_ply], rng, 1)

    def play_to_end(self, positions: list[Position], rng: random.Random, num_candidates: int) -> list[Position]:
        """Play to the end, each time the best of so many moves."""
        while positions[-1].seat is not None:
            positions.append(self.choose_successor(positions[-1], rng, num_candidates))
        return positions

    def choose_successor(self, position: Position, rng: random.Random, num_candidates: int) -> Position:
        """The position after a move that wins at once, else after the best of some that do not lose at once."""
        assert position.seat is not None
        seat = position.seat
        children = [position.play_id(move) for move in position.move_ids().tolist()]
        for child in children:
            if child.result == seat:
                return child
        rng.shuffle(children)
        safe = list(islice((child for child in children if not loses_immediately(child, seat)), num_candidates))
        return (
            max(safe or children[:1], key=lambda place: self.playout_score(place, seat))
            if num_candidates > 1
            else (safe or children)[0]
        )

    def playout_score(self, position: Position, seat: int) -> float:
        """How often a seat wins random games from here."""
        if position.result != ONGOING:
            return {seat: 1.0, DRAW: 0.5}.get(position.result, 0.0)
        self.results[:] = 0
        self._run_playouts(
            self.game.rules, position.row, position.row.copy(), self.moves, self.rng, PLAYOUTS_PER_CANDIDATE, self.results
        )
        return float(self.results[seat] + self.results[DRAW] / 2) / PLAYOUTS_PER_CANDIDATE


def loses_immediately(position: Position, seat: int) -> bool:
    """Whether the other seat can end the game with its next step, or it has ended badly."""
    if position.result != ONGOING:
        return position.result == 1 - seat
    return any(position.play_id(move).result == 1 - seat for move in position.move_ids().tolist())
