"""Judging moves of puzzles on a server: by the stored proof where it suffices, otherwise by the solver of an engine."""

from __future__ import annotations

from collections.abc import Sequence

from ...engine.protocol import SOLVE
from ...games.position import Position
from ...puzzles.judgement import Attempt, judge_by_proof
from ...puzzles.puzzle import Puzzle
from ..engine_pool.pool import EnginePool
from ..engine_pool.worker_client import Response
from ..errors import ApiError

SOLVE_SECONDS = 60.0  # with kernels compiled meanwhile; the search itself takes at most a few seconds


class PuzzleJudge:
    """Accepts every winning move and answers it with the strongest defence."""

    def __init__(self, engine_pool: EnginePool) -> None:
        self.engine_pool = engine_pool

    async def judge(self, owner: str, puzzle: Puzzle, moves: Sequence[str], move: str, after: Position) -> Attempt:
        """Return what came of a legal move after other moves; `after` is the position after it. Raises ApiError."""
        return judge_by_proof(puzzle, moves, move, after) or await self.judge_by_search(owner, puzzle, moves, move, after)

    async def judge_by_search(self, owner: str, puzzle: Puzzle, moves: Sequence[str], move: str, after: Position) -> Attempt:
        """Return what the solver says of a move that does not end the game."""
        solution = await self.solve(owner, puzzle, [*moves, move])
        is_known_win = not moves and move in puzzle.winning_moves
        winner = puzzle.seat if is_known_win else solution["winner"]
        if winner is None:
            return Attempt(move, is_winning=False, is_undecided=True)
        answers = tuple(solution["moves"]) if after.seat != puzzle.seat else ()
        return Attempt(move, is_winning=winner == puzzle.seat, answers=answers)

    async def find_best_move(self, owner: str, puzzle: Puzzle, moves: Sequence[str]) -> str:
        """Return a fastest winning move after other moves; on the main line, its next move. Raises ApiError."""
        if tuple(moves) == puzzle.main_line[: len(moves)]:
            return puzzle.main_line[len(moves)]
        solution = await self.solve(owner, puzzle, moves)
        if not solution["moves"]:
            raise ApiError("engine-failed", "the solver has found no winning move within its limits; restart the puzzle")
        best: str = solution["moves"][0]
        return best

    async def solve(self, owner: str, puzzle: Puzzle, moves: Sequence[str]) -> Response:
        """Return the response of an engine to the position after moves. Raises ApiError."""
        request = {"action": SOLVE, "spec": puzzle.spec, "position": puzzle.position_text, "moves": list(moves)}
        return await self.engine_pool.ask(owner, request, SOLVE_SECONDS)
