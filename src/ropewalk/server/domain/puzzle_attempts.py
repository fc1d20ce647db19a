"""Attempts at puzzles without I/O: their course, their score, streaks, and the ratings that puzzles begin with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from ...puzzles.judgement import Attempt
from ...puzzles.puzzle import Puzzle
from .glicko2 import Rating

REGION_HINT, MOVE_HINT, SOLUTION_SHOWN = 1, 2, 3  # stages of hints
SOLVED_SCORE, REGION_HINT_SCORE, FAILED_SCORE = 1.0, 0.5, 0.0
BASE_RATING = 900.0  # of a puzzle: a step for each level of difficulty, and for each turn after the first
DIFFICULTY_STEP, TURN_STEP, MAX_COUNTED_TURNS = 150.0, 50.0, 8
PUZZLE_DEVIATION = 150.0  # at first: difficulty and length say more than nothing


@dataclass(frozen=True)
class PuzzleAttempt:
    """The last attempt of a user at a puzzle, and what the first one counted."""

    moves: tuple[str, ...] = ()  # of both seats, since the puzzle's position
    num_mistakes: int = 0
    hint_stage: int = 0  # in the current position
    max_hint_stage: int = 0
    num_attempts: int = 0  # 0: nothing was done yet
    started_at: int = 0
    solved_at: int | None = None  # for the first time
    score: float | None = None  # of the first attempt; None until it is decided
    rated_at: int | None = None
    rating_before: float | None = None
    rating_after: float | None = None

    def begin(self, now: int) -> PuzzleAttempt:
        """Return the attempt after its first action, which counts it."""
        return self if self.num_attempts else replace(self, num_attempts=1, started_at=now)

    def restart(self, now: int) -> PuzzleAttempt:
        """Return a new attempt; before the first one is decided, its mistakes and hints stay counted."""
        if self.score is None:
            return replace(self, moves=(), hint_stage=0)
        fresh = PuzzleAttempt(num_attempts=self.num_attempts + 1, started_at=now)
        return replace(
            fresh,
            solved_at=self.solved_at,
            score=self.score,
            rated_at=self.rated_at,
            rating_before=self.rating_before,
            rating_after=self.rating_after,
        )

    def play(self, attempt: Attempt, *, is_solved: bool, now: int) -> PuzzleAttempt:
        """Return the attempt after a move and what came of it."""
        begun = self.begin(now)
        if attempt.is_undecided:
            return begun
        if not attempt.is_winning:
            return replace(begun, num_mistakes=begun.num_mistakes + 1)
        moved = replace(begun, moves=(*begun.moves, attempt.move, *attempt.answers), hint_stage=0)
        return replace(moved, solved_at=moved.solved_at or now) if is_solved else moved

    def show_hint(self, now: int) -> PuzzleAttempt:
        """Return the attempt after the next stage of a hint."""
        stage = min(MOVE_HINT, self.hint_stage + 1)
        return replace(self.begin(now), hint_stage=stage, max_hint_stage=max(stage, self.max_hint_stage))

    def show_solution(self, now: int) -> PuzzleAttempt:
        """Return the attempt after the solution was shown."""
        return replace(self.begin(now), max_hint_stage=SOLUTION_SHOWN)

    def find_score(self, *, is_solved: bool) -> float | None:
        """Return what the attempt counts, None as long as it is not decided."""
        if self.num_mistakes or self.max_hint_stage >= MOVE_HINT:
            return FAILED_SCORE
        if not is_solved:
            return None
        return REGION_HINT_SCORE if self.max_hint_stage else SOLVED_SCORE


def estimate_puzzle_rating(puzzle: Puzzle) -> Rating:
    """Return the rating of a puzzle that nobody has tried, by its difficulty and its turns."""
    turns = min(puzzle.turns - 1, MAX_COUNTED_TURNS)
    rating = BASE_RATING + DIFFICULTY_STEP * puzzle.difficulty + TURN_STEP * turns
    return Rating(rating=rating, deviation=PUZZLE_DEVIATION)


@dataclass(frozen=True)
class Streak:
    """Puzzles solved in a row at the first attempt, without a mistake or hint: up to now, and the most ever."""

    current: int
    best: int


def count_streak(scores: Iterable[float]) -> Streak:
    """Return the streak of the scores of first attempts, the oldest first."""
    current = best = 0
    for score in scores:
        current = current + 1 if score == SOLVED_SCORE else 0
        best = max(best, current)
    return Streak(current, best)


def choose_nearest(ratings: Sequence[tuple[str, float]], rating: float, count: int) -> list[str]:
    """Return the ids of the puzzles whose ratings are nearest to one, at most `count`."""
    return [puzzle_id for puzzle_id, _ in sorted(ratings, key=lambda each: (abs(each[1] - rating), each[0]))[:count]]
