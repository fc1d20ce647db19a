"""Attempts at puzzles and their ratings in both databases."""

from __future__ import annotations

import asyncio

import pytest

from ropewalk.puzzles.judgement import Attempt
from ropewalk.server.db.database import Database
from ropewalk.server.db.puzzle_repository import PuzzleRepository, RatedPuzzle
from ropewalk.server.domain.glicko2 import Rating
from ropewalk.server.domain.puzzle_attempts import PuzzleAttempt
from ropewalk.server.errors import ApiError

pytestmark = pytest.mark.anyio
PUZZLE = RatedPuzzle("tether-63b5ad36", "tether", Rating(rating=1450.0, deviation=150.0))
WINNING = Attempt("g5", is_winning=True, answers=("b1",))


async def test_an_attempt_is_stored_and_found_again(migrated: Database) -> None:
    puzzles = PuzzleRepository(migrated)
    empty = await puzzles.find_attempt("ann", PUZZLE.id)
    assert empty == PuzzleAttempt()
    moved = empty.play(WINNING, is_solved=False, now=5)
    assert await puzzles.save("ann", PUZZLE, empty, moved, None, 5) == moved
    assert await puzzles.find_attempt("ann", PUZZLE.id) == moved
    assert await puzzles.find_attempt("ben", PUZZLE.id) == empty
    assert await puzzles.list_scores("ann") == []
    assert (await puzzles.list_summaries("ann"))[PUZZLE.id].score is None


async def test_a_first_score_changes_both_ratings_and_a_second_none(migrated: Database) -> None:
    puzzles = PuzzleRepository(migrated)
    solved = PuzzleAttempt().play(WINNING, is_solved=True, now=5)
    stored = await puzzles.save("ann", PUZZLE, PuzzleAttempt(), solved, 1.0, 5)
    assert stored.score == 1.0
    assert stored.rating_before == 1500.0
    assert stored.rating_after is not None
    assert stored.rating_after > 1500.0
    user, puzzle = (await puzzles.list_user_ratings("ann"))["tether"], (await puzzles.list_puzzle_ratings())[PUZZLE.id]
    assert (user.rating, user.games, puzzle.games) == (stored.rating_after, 1, 1)
    assert puzzle.rating < 1450.0
    again = stored.restart(9)
    await puzzles.save("ann", PUZZLE, stored, again, 0.0, 9)
    assert (await puzzles.list_user_ratings("ann"))["tether"] == user
    assert await puzzles.list_scores("ann") == [1.0]
    assert (await puzzles.list_summaries("ann"))[PUZZLE.id].is_solved


async def test_of_two_moves_at_the_same_time_one_is_stale(migrated: Database) -> None:
    puzzles = PuzzleRepository(migrated)
    failed = PuzzleAttempt().play(Attempt("b1", is_winning=False), is_solved=False, now=5)
    saves = (puzzles.save("ann", PUZZLE, PuzzleAttempt(), failed, 0.0, 5) for _ in range(2))
    results = await asyncio.gather(*saves, return_exceptions=True)
    errors = [result for result in results if isinstance(result, ApiError)]
    assert [error.code for error in errors] == ["stale"]
    assert (await puzzles.list_user_ratings("ann"))["tether"].games == 1
