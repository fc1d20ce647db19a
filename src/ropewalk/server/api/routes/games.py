"""Routes of games and positions: description, moves, explanation and analysis, without a match."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache
from typing import Annotated, Literal

from fastapi import APIRouter, Header, Path, Request, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ....engine.protocol import MIN_SECONDS
from ....games.game import Game
from ....games.position import Position
from ....games.registry import games
from ....games.sequence import MoveSequence
from ...engine_pool.worker_client import Request as EngineRequest
from ...engine_pool.worker_client import Response as EngineResponse
from ...errors import ApiError
from ...matches.matchmaking import MAX_POSITION_LENGTH, MAX_SPEC_LENGTH
from ...services import AppServices
from ..dependencies import LimiterDep, ServicesDep, UserOrGuest, find_requester
from ..disconnect import run_while_connected
from ..schemas.games import (
    Explanation,
    GameEntry,
    GameView,
    PositionView,
    build_explanation,
    build_game,
    build_game_entry,
    build_position,
)

MAX_MOVES = 1000
MAX_LINE_POSITIONS = 400  # in one response
MAX_ANALYSIS_SECONDS = 10.0
DEFAULT_LEVEL = 6
ANALYSIS_SEED = 1
router = APIRouter(prefix="/api", tags=["games"])
Spec = Annotated[str, Path(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["cube-lariat-4"])]


class PositionRequest(BaseModel):
    """A position: moves from the start of a game, or from a position's text."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["tether-5"])
    position: str | None = Field(default=None, max_length=MAX_POSITION_LENGTH)
    moves: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=MAX_MOVES)


class ExplainRequest(PositionRequest):
    """A move in a position."""

    move: str = Field(min_length=1, max_length=40)


class AnalyseRequest(PositionRequest):
    """A position to analyse, with the strength and duration of the search."""

    level: int = Field(default=DEFAULT_LEVEL, ge=1, le=8)
    seconds: float = Field(default=2.0, gt=0, le=MAX_ANALYSIS_SECONDS)
    lines: int = Field(default=3, ge=1, le=5)


class AnalysisLineView(BaseModel):
    """A line of play; its value is that of the seat to move, from 0 (lost) to 1 (won)."""

    moves: list[str]
    value: float
    certainty: Literal["proven", "estimate"]
    visits: int


class AnalysisView(BaseModel):
    """The evaluation of a position by an engine."""

    seat: int
    value: float = Field(description="of the seat to move, from 0 (lost) to 1 (won)")
    certainty: Literal["proven", "estimate"]
    visits: int
    lines: list[AnalysisLineView]
    waited_seconds: float = Field(description="the time in the queue before the search; 0 during the search")


@router.get("/games")
async def list_games() -> list[GameEntry]:
    """Return all games, with their designers, boards and options."""
    return [build_game_entry(entry) for entry in games()]


@router.get(
    "/games/{spec}", response_model=GameView, responses={status.HTTP_304_NOT_MODIFIED: {"description": "not modified"}}
)
async def describe_game(
    spec: Spec, services: ServicesDep, if_none_match: Annotated[str, Header(max_length=200)] = ""
) -> Response:
    """Return a game with its board (cells in space, layout of the flat map, neighbours, marks) and all possible moves."""
    body, etag = serialise_game(await services.games.get(spec))
    headers = {"ETag": etag, "Cache-Control": "public, no-cache"}  # cached, but validated: it changes with an upgrade
    if if_none_match.removeprefix("W/") == etag:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def serialise_game(game: Game) -> tuple[bytes, str]:
    """Return the description of a game as JSON, and its entity tag."""
    body = build_game(game).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


@router.post("/positions")
async def show_position(line: PositionRequest, services: ServicesDep) -> PositionView:
    """Return a position with its pieces and legal moves."""
    return build_position(await load_position(services, line))


@router.post("/positions/line")
async def show_line(line: PositionRequest, services: ServicesDep) -> list[PositionView]:
    """Return all positions of a line in order; only the last one lists its legal moves."""
    if len(line.moves) >= MAX_LINE_POSITIONS:
        raise ApiError("too-large", f"a line may have at most {MAX_LINE_POSITIONS} positions", limit=MAX_LINE_POSITIONS)
    game = await services.games.get(line.spec)
    return await asyncio.to_thread(build_line_views, game, line)


def build_line_views(game: Game, line: PositionRequest) -> list[PositionView]:
    """Return the views of all positions of a line."""
    *earlier, last = MoveSequence.parse(game, line.position, line.moves).positions
    return [*(build_position(position, moves=False) for position in earlier), build_position(last)]


@router.post("/positions/explain")
async def explain_move(request: ExplainRequest, services: ServicesDep) -> Explanation:
    """Return the effect of a move, or the reason why it is illegal, with the cells involved."""
    return build_explanation(await load_position(services, request), request.move)


@router.post("/positions/analyse")
async def analyse_position(
    analysis: AnalyseRequest, request: Request, services: ServicesDep, limiter: LimiterDep, user: UserOrGuest
) -> AnalysisView:
    """Return an engine's evaluation of a position and its best lines. The search ends if the client disconnects."""
    limiter.consume("analyses", user.id)
    engine_request = build_analysis_request(await load_position(services, analysis), analysis)
    search = services.engine_pool.ask(find_requester(request, user), engine_request)
    return build_analysis(await run_while_connected(request, search))


def build_analysis_request(position: Position, analysis: AnalyseRequest) -> EngineRequest:
    """Return the engine's request for an analysis. Raises ApiError if the game is over."""
    if position.outcome is not None:
        raise ApiError("game-over", f"the game is over: {position.outcome.words}")
    return {
        "spec": position.game.spec,
        "position": analysis.position,
        "moves": analysis.moves,
        "level": analysis.level,
        "seed": ANALYSIS_SEED,
        "seconds": max(analysis.seconds, MIN_SECONDS),
        "lines": analysis.lines,
    }


def build_analysis(response: EngineResponse) -> AnalysisView:
    """Return the view of an engine's response."""
    lines = [
        AnalysisLineView(moves=line["moves"], value=line["value"], certainty=line["certainty"], visits=line["visits"])
        for line in response["lines"]
    ]
    return AnalysisView(
        seat=response["seat"],
        value=response["value"],
        certainty=response["certainty"],
        visits=response["visits"],
        lines=lines,
        waited_seconds=round(response.get("waitedSeconds", 0.0), 3),
    )


async def load_position(services: AppServices, line: PositionRequest) -> Position:
    """Return the position at the end of a line."""
    game = await services.games.get(line.spec)
    return MoveSequence.parse(game, line.position, line.moves).position
