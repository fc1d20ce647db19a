"""Models of reviews of matches, with their builder."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, Field

from ...db.review_repository import StoredReview
from ...domain.match import MatchState
from ...domain.review import PositionEvaluation, Quality, find_turning_point, review_moves
from ...study.review_service import REVIEW_LEVEL, REVIEW_SECONDS, ReviewJob, ReviewStatus

DECIMALS = 4


class EvaluationView(BaseModel):
    """The value of a position of a match."""

    ply: int = Field(description="moves before the position")
    value: float = Field(description="of seat 0, from 0 (lost) to 1 (won)")
    certainty: Literal["proven", "estimate"]
    best_moves: list[str] = Field(description="the best moves from here, of both seats")


class MoveReviewView(BaseModel):
    """The quality of a move."""

    ply: int = Field(description="1 for the first move")
    loss: float = Field(description="of the value for its mover, at least 0")
    quality: Quality


class ReviewView(BaseModel):
    """The review of a match, or how far it is computed."""

    status: ReviewStatus
    done: int = Field(description="positions that are evaluated")
    total: int
    level: int
    seconds: float = Field(description="of analysis for each position")
    evaluations: list[EvaluationView]
    moves: list[MoveReviewView]
    turning_point: int | None = Field(description="the ply of the move after which the winner was ahead to the end")
    error: str | None = Field(description="the code of the error with which the review failed")


def build_review(state: MatchState, found: StoredReview | ReviewJob | None) -> ReviewView:
    """Return the view of a review that is stored or computed, or of none."""
    evaluations = {} if found is None else dict(sorted(found.evaluations.items()))
    moves, seats = [move.move for move in state.moves], [move.seat for move in state.moves]
    error = found.error if isinstance(found, ReviewJob) else None
    return ReviewView(
        status=find_review_status(found),
        done=len(evaluations),
        total=len(moves) + 1,
        level=found.level if isinstance(found, StoredReview) else REVIEW_LEVEL,
        seconds=found.seconds if isinstance(found, StoredReview) else REVIEW_SECONDS,
        evaluations=[build_evaluation(ply, each) for ply, each in evaluations.items()],
        moves=[
            MoveReviewView(ply=each.ply, loss=round(each.loss, DECIMALS), quality=each.quality)
            for each in review_moves(moves, seats, evaluations)
        ],
        turning_point=find_turning_point(len(moves), None if state.result is None else state.result.winner, evaluations),
        error=None if error is None else error.code,
    )


def find_review_status(found: StoredReview | ReviewJob | None) -> ReviewStatus:
    """Return the status of a review."""
    if found is None:
        return "none"
    return found.status if isinstance(found, ReviewJob) else "complete"


def build_evaluation(ply: int, evaluation: PositionEvaluation) -> EvaluationView:
    """Return the view of an evaluation."""
    return EvaluationView(
        ply=ply,
        value=round(evaluation.value, DECIMALS),
        certainty="proven" if evaluation.is_proven else "estimate",
        best_moves=list(evaluation.best_moves),
    )
