"""Players: their ratings and matches; and what the first seat is worth."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel, Field

from ..dependencies import ServicesDep
from ..schemas.matches import MatchSummary, UserView, build_user
from .matches import build_summaries

MAX_MATCHES = 50
router = APIRouter(prefix="/api", tags=["people"])


class RatingView(BaseModel):
    """A Glicko-2 rating; it is surely within two deviations."""

    game: str
    pool: str = Field(description="people, or bots: matches with a bot in them")
    rating: float
    deviation: float
    games: int


class RatingChange(BaseModel):
    """A point of a rating curve."""

    game: str
    pool: str
    match: str
    seat: int
    at: int
    before: float
    rating: float
    deviation: float
    score: float


class PlayerView(BaseModel):
    """A player's page."""

    user: UserView
    ratings: list[RatingView]
    curve: list[RatingChange]
    matches: list[MatchSummary]


class FirstSeat(BaseModel):
    """What it is worth to move first."""

    game: str
    games: int
    score: float = Field(description="of the first seat, from 0 to 1")
    points: float = Field(description="the same as a difference of ratings")
    error: float = Field(description="of the points, 95 %")


@router.get("/players/{name}")
async def show_player(name: Annotated[str, Path(min_length=1, max_length=40)], services: ServicesDep) -> PlayerView:
    """A player with ratings, rating curves and the last matches."""
    user, _ = await services.users.find_by_name(name)
    rows = await services.match_repository.list_by_user(user.id, MAX_MATCHES)
    ratings = [
        RatingView(game=row.game, pool=row.pool, rating=row.rating, deviation=row.deviation, games=row.games)
        for row in await services.ratings.list_by_user(user.id)
    ]
    curve = [
        RatingChange(
            game=row.game,
            pool=row.pool,
            match=row.match_id,
            seat=row.seat,
            at=row.at,
            before=row.before,
            rating=row.rating,
            deviation=row.deviation,
            score=row.score,
        )
        for row in await services.ratings.list_changes(user.id)
    ]
    listed = [row for row in rows if row.origin != "self"]
    return PlayerView(user=build_user(user), ratings=ratings, curve=curve, matches=await build_summaries(services, listed))


@router.get("/statistics")
async def show_statistics(services: ServicesDep) -> list[FirstSeat]:
    """What it has been worth to move first, game by game."""
    found = await services.ratings.compute_first_seat_advantages()
    return [
        FirstSeat(game=game, games=one.games, score=one.score, points=one.points, error=one.error)
        for game, one in found.items()
    ]
