"""Models of puzzles and of attempts at them, with one builder each."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from ....games.position import Position
from ....puzzles.judgement import Attempt
from ....puzzles.puzzle import Puzzle
from ...db.puzzle_repository import AttemptSummary
from ...domain.glicko2 import Rating
from ...domain.puzzle_attempts import SOLUTION_SHOWN, PuzzleAttempt
from .games import PositionView, build_position

PuzzleStatus = Literal["new", "open", "failed", "solved"]
Verdict = Literal["winning", "losing", "undecided"]


class PuzzleSummary(BaseModel):
    """An entry of a list of puzzles."""

    id: str
    spec: str
    game: str = Field(description="the key of the game, such as tether")
    seat: int = Field(description="the seat to move, which wins")
    turns: int = Field(description="of the winning seat, against the defence that delays the loss longest")
    theme: str
    difficulty: int = Field(description="the weakest level of bots that solves it; 9 if none does")
    rating: int
    status: PuzzleStatus = Field(description="of your attempts: failed is a first attempt with a mistake or hint")


class PuzzleList(BaseModel):
    """A part of the puzzles that a request asks for."""

    total: int
    puzzles: list[PuzzleSummary]


class PuzzleRatingView(BaseModel):
    """Your rating in the puzzles of a game."""

    rating: int
    deviation: int
    games: int = Field(description="puzzles that were rated")


class PuzzleGameView(BaseModel):
    """The puzzles of a game: how many there are, by theme, board and turns, and what you have done."""

    game: str
    count: int
    solved: int
    themes: dict[str, int]
    boards: dict[str, int] = Field(description="by spec, small boards first")
    turns: dict[int, int] = Field(description="by number of turns")
    rating: PuzzleRatingView | None


class PuzzleOverview(BaseModel):
    """The puzzle of the day, all games, and your streak."""

    day: str = Field(description="in UTC, such as 2026-03-01")
    daily: PuzzleSummary
    games: list[PuzzleGameView]
    streak: int = Field(description="puzzles in a row that you solved at the first attempt, without mistake or hint")
    best_streak: int


class PuzzleRatingChange(BaseModel):
    """Your rating before and after your first attempt."""

    before: int
    after: int


class PuzzleSolution(BaseModel):
    """The solution: all first moves that win, and a fastest win against the strongest defence."""

    winning_moves: list[str]
    main_line: list[str]


class PuzzleAttemptView(BaseModel):
    """Your last attempt at a puzzle."""

    number: int = Field(description="0 before the first action")
    moves: list[str] = Field(description="of both seats, since the puzzle's position")
    position: PositionView
    mistakes: int
    hint_stage: int = Field(description="in this position: 0 none, 1 the region, 2 the move")
    is_solved: bool
    score: float | None = Field(description="of your first attempt: 1 solved, 0.5 with a hint for the region, 0 failed")
    rating_change: PuzzleRatingChange | None
    solution: PuzzleSolution | None = Field(description="when the puzzle is solved, or was given up")


class PuzzleView(BaseModel):
    """A puzzle with its position and your attempt."""

    puzzle: PuzzleSummary
    position: PositionView = Field(description="the position of the puzzle")
    attempt: PuzzleAttemptView


class PuzzleMoveResponse(BaseModel):
    """What came of a move."""

    move: str
    verdict: Verdict = Field(description="undecided: the solver cannot tell within its limits; it counts for nothing")
    answers: list[str] = Field(description="the defence that was played, or the moves that refute a losing move")
    refuted: PositionView | None = Field(description="the position after a losing move and its refutation")
    attempt: PuzzleAttemptView


class PuzzleHintView(BaseModel):
    """A hint: first the region, then the move."""

    stage: int
    cells: list[str] = Field(description="of the region, or of the move")
    move: str | None
    attempt: PuzzleAttemptView


def find_status(summary: AttemptSummary | None) -> PuzzleStatus:
    """Return the status of a puzzle by a user's attempts."""
    if summary is None:
        return "new"
    if summary.score is None:
        return "open"
    return "solved" if summary.score == 1 else "failed"


def build_puzzle_summary(puzzle: Puzzle, rating: Rating, summary: AttemptSummary | None) -> PuzzleSummary:
    """Return the entry of a puzzle."""
    return PuzzleSummary(
        id=puzzle.id,
        spec=puzzle.spec,
        game=puzzle.key,
        seat=puzzle.seat,
        turns=puzzle.turns,
        theme=puzzle.theme,
        difficulty=puzzle.difficulty,
        rating=round(rating.rating),
        status=find_status(summary),
    )


def build_puzzle_rating(rating: Rating | None) -> PuzzleRatingView | None:
    """Return the view of a user's rating, None without one."""
    if rating is None:
        return None
    return PuzzleRatingView(rating=round(rating.rating), deviation=round(rating.deviation), games=rating.games)


def build_puzzle_attempt(puzzle: Puzzle, attempt: PuzzleAttempt, position: Position) -> PuzzleAttemptView:
    """Return the view of an attempt, whose moves lead to `position`."""
    is_solved = position.result == puzzle.seat and position.seat is None
    is_open = not is_solved and attempt.max_hint_stage < SOLUTION_SHOWN
    solution = PuzzleSolution(winning_moves=list(puzzle.winning_moves), main_line=list(puzzle.main_line))
    return PuzzleAttemptView.model_construct(
        number=attempt.num_attempts,
        moves=list(attempt.moves),
        position=build_position(position),
        mistakes=attempt.num_mistakes,
        hint_stage=attempt.hint_stage,
        is_solved=is_solved,
        score=attempt.score,
        rating_change=build_rating_change(attempt),
        solution=None if is_open else solution,
    )


def build_rating_change(attempt: PuzzleAttempt) -> PuzzleRatingChange | None:
    """Return the change of a rating by the first attempt, None before it."""
    if attempt.rating_before is None or attempt.rating_after is None:
        return None
    return PuzzleRatingChange(before=round(attempt.rating_before), after=round(attempt.rating_after))


def find_verdict(attempt: Attempt) -> Verdict:
    """Return what came of a move as one word."""
    return "undecided" if attempt.is_undecided else "winning" if attempt.is_winning else "losing"
