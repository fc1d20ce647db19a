"""Games and positions, for anybody, without a match."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Header, Path, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ....games.game import Game
from ....games.position import Position
from ....games.registry import games
from ....games.sequence import MoveSequence
from ...errors import ApiError
from ...matches.matchmaking import MAX_POSITION_LENGTH, MAX_SPEC_LENGTH
from ...services import AppServices
from ..dependencies import LimiterDep, ServicesDep, UserOrGuest
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
MAX_LINE_POSITIONS = 400  # positions of one line
MAX_ANALYSIS_SECONDS = 10.0
DEFAULT_LEVEL = 6
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
    """A position to think about."""

    level: int = Field(default=DEFAULT_LEVEL, ge=1, le=8)
    seconds: float = Field(default=2.0, gt=0, le=MAX_ANALYSIS_SECONDS)
    lines: int = Field(default=3, ge=1, le=5)


class AnalysisLineView(BaseModel):
    """A line of play; its value is that of the seat to move, from 0 (lost) to 1 (won)."""

    moves: list[str]
    value: float
    certainty: str = Field(description="proven, table or estimate")
    visits: int


class AnalysisView(BaseModel):
    """What an engine thinks of a position."""

    seat: int
    value: float = Field(description="what the seat to move can expect: 0 loses, 1 wins")
    certainty: str = Field(description="proven, table or estimate")
    visits: int
    lines: list[AnalysisLineView]


@router.get("/games")
async def list_games() -> list[GameEntry]:
    """All games, with their designers, boards and options."""
    return [build_game_entry(entry) for entry in games()]


@router.get("/games/{spec}", response_model=GameView, responses={status.HTTP_304_NOT_MODIFIED: {"description": "as before"}})
async def describe_game(
    spec: Spec, services: ServicesDep, if_none_match: Annotated[str, Header(max_length=200)] = ""
) -> Response:
    """A game with its board: cells in space and on the flat map, neighbours, marks, and every move that there is."""
    body, mark = serialise_game(await services.games.get(spec))
    headers = {"ETag": mark, "Cache-Control": "public, no-cache"}  # kept, but asked for anew: an upgrade is seen at once
    if if_none_match.removeprefix("W/") == mark:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def serialise_game(game: Game) -> tuple[bytes, str]:
    """A game's description as it is sent, and the mark by which a browser knows whether it has it already."""
    body = build_game(game).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


@router.post("/positions")
async def show_position(line: PositionRequest, services: ServicesDep) -> PositionView:
    """A position, ready to be drawn and played from."""
    return build_position(await load_position(services, line))


@router.post("/positions/line")
async def show_line(line: PositionRequest, services: ServicesDep) -> list[PositionView]:
    """Every position of a line, the first one first; only the last one lists its moves."""
    if len(line.moves) >= MAX_LINE_POSITIONS:
        raise ApiError("too-large", f"a line shows at most {MAX_LINE_POSITIONS} positions", limit=MAX_LINE_POSITIONS)
    game = await services.games.get(line.spec)
    return await asyncio.to_thread(build_line_views, game, line)


def build_line_views(game: Game, line: PositionRequest) -> list[PositionView]:
    """The views of a line's positions."""
    *passed, last = MoveSequence.parse(game, line.position, line.moves).positions
    return [*(build_position(position, moves=False) for position in passed), build_position(last)]


@router.post("/positions/explain")
async def explain_move(question: ExplainRequest, services: ServicesDep) -> Explanation:
    """What a move would do, or why it is refused, with the cells that show it."""
    return build_explanation(await load_position(services, question), question.move)


@router.post("/positions/analyse")
async def analyse_position(
    enquiry: AnalyseRequest, services: ServicesDep, limiter: LimiterDep, user: UserOrGuest
) -> AnalysisView:
    """What an engine thinks of a position: its value and the best lines."""
    limiter.consume("analyses", user.id)
    position = await load_position(services, enquiry)
    if position.outcome is not None:
        raise ApiError("game-over", f"the game is over: {position.outcome.words}")
    asked = {"do": "analyse", "spec": position.game.spec} | enquiry.model_dump(exclude={"spec"})
    return AnalysisView(**await services.engine_pool.ask(f"analysis of {user.id}", asked))


async def load_position(services: AppServices, line: PositionRequest) -> Position:
    """The position that a line leads to."""
    game = await services.games.get(line.spec)
    return MoveSequence.parse(game, line.position, line.moves).position
