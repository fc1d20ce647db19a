"""Attempts at puzzles: what counts, what a restart forgets, streaks, and the first ratings of puzzles."""

from __future__ import annotations

from dataclasses import replace

from ropewalk.puzzles.judgement import Attempt
from ropewalk.server.domain.puzzle_attempts import PuzzleAttempt, choose_nearest, count_streak, estimate_puzzle_rating
from tests.unit.puzzles.samples import SAMPLE

WINNING = Attempt("g5", is_winning=True, answers=("b1",))
LOSING = Attempt("b1", is_winning=False, answers=("g5",))
UNDECIDED = Attempt("a6", is_winning=False, is_undecided=True)


def test_a_winning_move_and_its_answers_are_played() -> None:
    played = PuzzleAttempt(hint_stage=1).play(WINNING, is_solved=False, now=7)
    assert (played.moves, played.hint_stage, played.num_attempts, played.started_at) == (("g5", "b1"), 0, 1, 7)
    assert played.find_score(is_solved=False) is None
    assert played.find_score(is_solved=True) == 1.0
    assert played.play(WINNING, is_solved=True, now=9).solved_at == 9


def test_a_mistake_decides_the_attempt_and_an_undecided_move_does_not() -> None:
    assert PuzzleAttempt().play(UNDECIDED, is_solved=False, now=1).find_score(is_solved=False) is None
    mistaken = PuzzleAttempt().play(LOSING, is_solved=False, now=1)
    assert (mistaken.moves, mistaken.num_mistakes, mistaken.find_score(is_solved=False)) == ((), 1, 0.0)
    assert mistaken.find_score(is_solved=True) == 0.0


def test_the_region_costs_half_and_the_move_everything() -> None:
    region = PuzzleAttempt().show_hint(1)
    assert (region.hint_stage, region.find_score(is_solved=False), region.find_score(is_solved=True)) == (1, None, 0.5)
    move = region.show_hint(2)
    assert (move.hint_stage, move.show_hint(3).hint_stage, move.find_score(is_solved=False)) == (2, 2, 0.0)
    later = region.play(WINNING, is_solved=False, now=3)
    assert (later.hint_stage, later.find_score(is_solved=True)) == (0, 0.5)
    assert PuzzleAttempt().show_solution(1).find_score(is_solved=False) == 0.0


def test_a_restart_before_the_score_forgets_no_hint_and_after_it_keeps_the_score() -> None:
    hinted = PuzzleAttempt().show_hint(1).play(WINNING, is_solved=False, now=2).restart(3)
    assert (hinted.moves, hinted.max_hint_stage, hinted.num_attempts) == ((), 1, 1)
    failed = replace(PuzzleAttempt().play(LOSING, is_solved=False, now=1), score=0.0, rated_at=1)
    again = failed.restart(5)
    assert (again.num_mistakes, again.num_attempts, again.score, again.started_at) == (0, 2, 0.0, 5)


def test_a_streak_ends_with_anything_but_a_clean_solution() -> None:
    streak = count_streak([1, 1, 1, 0.5, 1, 1])
    assert (streak.current, streak.best) == (2, 3)
    assert count_streak([]).best == 0


def test_a_puzzle_is_rated_by_difficulty_and_turns_at_first() -> None:
    assert estimate_puzzle_rating(SAMPLE).rating == 900 + 4 * 150 + 2 * 50
    assert estimate_puzzle_rating(replace(SAMPLE, turns=50)).rating < 2000


def test_the_nearest_ratings_are_chosen() -> None:
    assert choose_nearest([("a", 1000.0), ("b", 1490.0), ("c", 1600.0)], 1500.0, 2) == ["b", "c"]
