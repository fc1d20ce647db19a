"""Solving a puzzle without input or output: moves are judged by the solver, and the strongest defence is played.

Every winning move is accepted, not only the fastest. A move that does not win is refused with the answer that refutes it,
and the position stays as it was.
"""

from __future__ import annotations

from contextlib import suppress

from ..games.position import Position
from ..games.sequence import MoveSequence
from .judgement import Attempt, list_refutation, list_region
from .puzzle import Puzzle
from .solver import PuzzleSolver, UndecidedError


class PuzzleSession:
    """A puzzle that somebody solves."""

    def __init__(self, puzzle: Puzzle, solver: PuzzleSolver | None = None) -> None:
        self.puzzle = puzzle
        self.position: Position = puzzle.position
        self.solver = solver or PuzzleSolver(puzzle.game)
        self.num_mistakes = 0
        self.num_hints = 0  # in the current position

    @property
    def is_solved(self) -> bool:
        """Whether the game is won."""
        return self.position.seat is None and self.position.result == self.puzzle.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended, by a win or by a repetition."""
        return self.position.seat is None

    def play(self, turn: str) -> list[Attempt]:
        """Try the moves of a turn one by one, until one does not win; return what came of each.

        Raises:
            MoveError: A text is not a move of the game.
            IllegalMove: A move is illegal.
            MoveSequenceError: As these, for a turn of several moves.
        """
        steps = self.puzzle.game.split_turn(turn)
        if len(steps) > 1:
            MoveSequence.play(self.position, steps)  # the whole turn must be legal before a part of it is played
        attempts: list[Attempt] = []
        for step in steps:
            attempts.append(self.try_move(step))
            if not attempts[-1].is_winning:
                break
        return attempts

    def try_move(self, move: str) -> Attempt:
        """Play a move if it wins, and the defence; refuse it otherwise. Raises MoveError or IllegalMove."""
        after = self.position.play(move)
        try:
            is_winning = self.is_winning_move(move)
        except UndecidedError:
            return Attempt(move, is_winning=False, is_undecided=True)
        if not is_winning:
            self.num_mistakes += 1
            return Attempt(move, is_winning=False, answers=self.find_refutation(after, move))
        self.position, self.num_hints = after, 0
        return Attempt(move, is_winning=True, answers=tuple(self.play_defence()))

    def is_winning_move(self, move: str) -> bool:
        """Return whether a legal move wins. Raises UndecidedError if the solver cannot tell."""
        if self.is_at_start:
            return move in self.puzzle.winning_moves
        return self.solver.is_winning_move(self.position, move)

    @property
    def is_at_start(self) -> bool:
        """Whether no move has been played."""
        return self.position is self.puzzle.position

    def play_defence(self) -> list[str]:
        """Play the strongest defence until the solver's seat is to move again or the game is over; return its moves."""
        moves = []
        while self.position.seat == 1 - self.puzzle.seat:
            moves.append(self.solver.find_strongest_defence(self.position))
            self.position = self.position.play(moves[-1])
        return moves

    def find_refutation(self, after: Position, move: str) -> tuple[str, ...]:
        """Return the moves of one turn by which the other seat answers a move that does not win."""
        if self.is_at_start:
            return list_refutation(self.puzzle, move)
        moves: list[str] = []
        with suppress(UndecidedError):
            while after.seat == 1 - self.puzzle.seat:
                moves.append(self.solver.find_fastest_move(after))
                after = after.play(moves[-1])
        return tuple(moves)

    def find_best_move(self) -> str:
        """Return the fastest winning move; that of the main line in the first position. Raises UndecidedError."""
        return self.puzzle.main_line[0] if self.is_at_start else self.solver.find_fastest_move(self.position)

    def give_hint(self) -> str:
        """Return a hint: first the region in which to move, then the move."""
        move = self.find_best_move()
        self.num_hints += 1
        return f"near {' '.join(list_region(self.puzzle.game, move))}" if self.num_hints == 1 else f"play {move}"
