"""What the stored proof of a puzzle says of a move, without a solver, and the region of a hint.

The proof knows all first moves. After them it knows the main line: its moves win, and its answers are the strongest defence.
Other moves are left to a solver.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..games.game import Game
from ..games.position import Position
from .puzzle import Puzzle
from .strategy_tree import StrategyTree, parse_strategy_tree

WORD_PATTERN = re.compile(r"\w+")


@dataclass(frozen=True)
class Attempt:
    """What came of a move: whether it wins, and the moves that answer it.

    After a winning move, `answers` is the defence that was played. After another move, it begins the refutation, which is
    not played; it is empty if the solver cannot tell whether the move wins.
    """

    move: str
    is_winning: bool
    answers: tuple[str, ...] = ()
    is_undecided: bool = False


def judge_by_proof(puzzle: Puzzle, moves: Sequence[str], move: str, after: Position) -> Attempt | None:
    """Return what came of a legal move after other moves, None if the proof does not say.

    Args:
        puzzle: the puzzle.
        moves: all moves so far, those of the defence included.
        move: the move of the winning seat.
        after: the position after it.

    """
    played = (*moves, move)
    if played == puzzle.main_line[: len(played)]:
        return Attempt(move, is_winning=True, answers=list_defence(puzzle, after, puzzle.main_line[len(played) :]))
    if after.seat is None:
        return Attempt(move, is_winning=after.result == puzzle.seat)
    if moves or move in puzzle.winning_moves:
        return None
    return Attempt(move, is_winning=False, answers=list_refutation(puzzle, move))


def list_defence(puzzle: Puzzle, position: Position, following: Sequence[str]) -> tuple[str, ...]:
    """Return the moves of the main line until the winning seat is to move again or the game is over."""
    moves: list[str] = []
    for move in following:
        if position.seat != 1 - puzzle.seat:
            break
        moves.append(move)
        position = position.play(move)
    return tuple(moves)


def list_refutation(puzzle: Puzzle, move: str) -> tuple[str, ...]:
    """Return the moves of one turn by which the other seat answers a first move that does not win."""
    tree, moves = find_refutation(puzzle, move), []
    while tree is not None and tree.move:
        moves.append(tree.move)
        tree = tree.following
    return tuple(moves)


def find_refutation(puzzle: Puzzle, move: str) -> StrategyTree | None:
    """Return the answer to a first move in the puzzle's refutation, None where there is none."""
    refutation = parse_strategy_tree(puzzle.refutation)
    answer = refutation.answers.get(move, refutation.default)
    return answer if answer is not None and answer.move else None


def list_region(game: Game, move: str) -> list[str]:
    """Return the names of the cells around a neighbour of the move's first cell, that cell included."""
    board = game.board
    names = [name for name in WORD_PATTERN.findall(move) if name in board.index]
    if not names:
        return [move]
    cell = board.index[names[0]]
    centre = min(board.neighbour_sets[cell])
    return [board.names[near] for near in sorted({centre, cell, *board.neighbour_sets[centre]})]
