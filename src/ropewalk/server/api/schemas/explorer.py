"""Models of the opening explorer, with their builder."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

from ...db.explorer_repository import OpeningMatch, OpeningValue
from ...study.explorer_service import Exploration, ExploredMove
from .users import UserView, build_user

DECIMALS = 4
Certainty = Literal["proven", "estimate"]


class OpeningResults(BaseModel):
    """The results of games."""

    games: int
    first_wins: int = Field(description="of seat 0")
    draws: int
    second_wins: int = Field(description="of seat 1")


class ExplorerMoveView(OpeningResults):
    """A move that was played, with the results of its games."""

    move: str
    equivalent_moves: list[str] = Field(description="other legal moves that a symmetry of the position maps onto it")
    value: float | None = Field(description="after the move, of seat 0, from 0 (lost) to 1 (won); from a review")
    certainty: Certainty | None


class ExplorerMatchView(BaseModel):
    """A match in which the position occurred."""

    match_id: str
    players: list[UserView] = Field(description="by seat")
    winner: int | None
    ended_at: int | None


class ExplorerView(OpeningResults):
    """What was played in a position and in its images under the symmetries of the game."""

    spec: str
    value: float | None = Field(description="of seat 0, from 0 (lost) to 1 (won); from a review")
    certainty: Certainty | None
    moves: list[ExplorerMoveView]
    last_matches: list[ExplorerMatchView]


def build_explorer(spec: str, found: Exploration) -> ExplorerView:
    """Return the view of what was played."""
    totals = [sum(column) for column in zip(*(each.played.results for each in found.moves), strict=True)] or [0, 0, 0]
    return ExplorerView(
        **build_results(totals),
        spec=spec,
        value=None if found.value is None else round(found.value.value, DECIMALS),
        certainty=find_certainty(found.value),
        moves=[build_explorer_move(each) for each in found.moves],
        last_matches=[build_explorer_match(match) for match in found.last_matches],
    )


def build_results(results: tuple[int, int, int] | list[int]) -> dict[str, Any]:
    """Return the fields of OpeningResults."""
    return {"games": sum(results), "first_wins": results[0], "draws": results[1], "second_wins": results[2]}


def build_explorer_move(explored: ExploredMove) -> ExplorerMoveView:
    """Return the view of a move."""
    played = explored.played
    certainty: Certainty | None = None if played.value is None else "proven" if played.is_proven else "estimate"
    return ExplorerMoveView(
        **build_results(played.results),
        move=explored.moves[0],
        equivalent_moves=list(explored.moves[1:]),
        value=None if played.value is None else round(played.value, DECIMALS),
        certainty=certainty,
    )


def find_certainty(value: OpeningValue | None) -> Certainty | None:
    """Return the certainty of a value, None for none."""
    return None if value is None else "proven" if value.is_proven else "estimate"


def build_explorer_match(match: OpeningMatch) -> ExplorerMatchView:
    """Return the view of a match."""
    players = list(map(build_user, match.players))
    return ExplorerMatchView(match_id=match.id, players=players, winner=match.winner, ended_at=match.ended_at)
