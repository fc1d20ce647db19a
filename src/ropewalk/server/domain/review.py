"""The review of a match without I/O: the quality of every move, and the turning point, from values of all positions.

Values are those of seat 0, from 0 (lost) to 1 (won). The rules are described for readers in docs/reviews.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Quality = Literal["best", "good", "inaccuracy", "mistake", "blunder", "proven-loss"]
INACCURACY_LOSS, MISTAKE_LOSS, BLUNDER_LOSS = 0.05, 0.10, 0.20  # of the mover's value, from which a move is called so
LOSS_DECIMALS = 4
LEVEL_VALUE = 0.5  # above which seat 0 is ahead


@dataclass(frozen=True)
class PositionEvaluation:
    """The value of a position for seat 0, whether it is proven, and the best moves from there."""

    value: float
    is_proven: bool
    best_moves: tuple[str, ...] = ()

    def of(self, seat: int) -> float:
        """Return the value for a seat."""
        return self.value if seat == 0 else 1 - self.value


@dataclass(frozen=True)
class ReviewedMove:
    """A move, what it lost of its mover's value, and its quality."""

    ply: int  # 1 for the first move
    loss: float
    quality: Quality


def review_moves(
    moves: Sequence[str], seats: Sequence[int], evaluations: Mapping[int, PositionEvaluation]
) -> list[ReviewedMove]:
    """Return the review of all moves whose positions before and after are evaluated.

    Args:
        moves: the moves of the match.
        seats: the seat that played each of them.
        evaluations: the evaluations of positions by the number of moves before them.

    """
    reviewed = []
    for ply, (move, seat) in enumerate(zip(moves, seats, strict=True), start=1):
        if ply - 1 in evaluations and ply in evaluations:
            reviewed.append(review_move(ply, move, seat, evaluations[ply - 1], evaluations[ply]))
    return reviewed


def review_move(ply: int, move: str, seat: int, before: PositionEvaluation, after: PositionEvaluation) -> ReviewedMove:
    """Return the review of one move."""
    loss = max(0.0, round(before.of(seat) - after.of(seat), LOSS_DECIMALS))
    if before.best_moves[:1] == (move,) or (before.is_proven and after.is_proven and not loss):
        return ReviewedMove(ply, 0.0, "best")
    if after.is_proven and after.of(seat) == 0 and loss >= INACCURACY_LOSS:
        return ReviewedMove(ply, loss, "proven-loss")
    return ReviewedMove(ply, loss, classify_loss(loss))


def classify_loss(loss: float) -> Quality:
    """Return the quality of a move by what it loses."""
    if loss >= BLUNDER_LOSS:
        return "blunder"
    if loss >= MISTAKE_LOSS:
        return "mistake"
    return "inaccuracy" if loss >= INACCURACY_LOSS else "good"


def find_turning_point(num_moves: int, winner: int | None, evaluations: Mapping[int, PositionEvaluation]) -> int | None:
    """Return the ply of the move after which the winner was ahead to the end; None if there was none, or no winner."""
    if winner is None or len(evaluations) <= num_moves:
        return None
    for ply in range(num_moves, -1, -1):
        if evaluations[ply].of(winner) <= LEVEL_VALUE:
            return ply + 1 if ply < num_moves else None
    return None


def order_plies(num_moves: int) -> list[int]:
    """Return all plies from 0 to `num_moves`, so that the first of them are spread over the whole match."""
    plies, step = [0, num_moves], 1
    while step < num_moves:
        step *= 2
    while step > 1:
        plies += range(step // 2, num_moves, step)
        step //= 2
    return list(dict.fromkeys(plies))
