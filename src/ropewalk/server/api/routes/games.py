"""Routes of games and positions: description, moves, explanation and analysis, without a match."""

from __future__ import annotations

import hashlib
from typing import Annotated, Literal
from weakref import WeakKeyDictionary

from fastapi import APIRouter, Header, Path, Request, Response, status
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from ....engine.protocol import MIN_SECONDS
from ....games.editing import edit_position
from ....games.game import Game
from ....games.position import Position
from ....games.registry import MAX_SPEC_LENGTH, games
from ....games.sequence import MoveSequence
from ...domain.actions import MAX_POSITION_LENGTH, Integer
from ...engine_pool.worker_client import Request as EngineRequest
from ...engine_pool.worker_client import Response as EngineResponse
from ...errors import ApiError
from ..dependencies import LimiterDep, UserOrGuest, find_engine_owner
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
from ..work import RequesterDep, WorkRequester, estimate_cost, estimate_description_cost

MAX_MOVES = 1000
MAX_LINE_POSITIONS = 400  # in one response
MAX_ANALYSIS_SECONDS = 10.0
DEFAULT_LEVEL = 6
ANALYSIS_SEED = 1
DESCRIPTIONS: WeakKeyDictionary[Game, tuple[bytes, str]] = WeakKeyDictionary()  # JSON and entity tag
LINE_ADAPTER = TypeAdapter(list[PositionView])
router = APIRouter(prefix="/api", tags=["games"])
Spec = Annotated[str, Path(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["cube-lariat-4"])]


class PositionRequest(BaseModel):
    """A position: moves from the start of a game, or from a position's text."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["tether-5"])
    position: str | None = Field(default=None, min_length=1, max_length=MAX_POSITION_LENGTH)
    moves: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=MAX_MOVES)


class ExplainRequest(PositionRequest):
    """A move in a position."""

    move: str = Field(min_length=1, max_length=40)


class EditRequest(PositionRequest):
    """Changes of a position: pieces on cells, and who is to move."""

    pieces: dict[Annotated[str, Field(max_length=20)], Annotated[str, Field(max_length=4)]] = Field(
        default={},
        max_length=500,
        description="by cell: a symbol of `setup_pieces`, put on top of a stack; an empty text removes the topmost piece",
    )
    colour: str | None = Field(default=None, max_length=20, description="to move; null: as it is")
    cleared: bool = Field(default=False, description="whether all pieces are removed first")


class AnalyseRequest(PositionRequest):
    """A position to analyse, with the strength and duration of the search."""

    level: Integer = Field(default=DEFAULT_LEVEL, ge=1, le=8)
    seconds: float = Field(default=2.0, gt=0, le=MAX_ANALYSIS_SECONDS)
    lines: Integer = Field(default=3, ge=1, le=5)


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
    spec: Spec, requester: RequesterDep, if_none_match: Annotated[str, Header(max_length=200)] = ""
) -> Response:
    """Return a game with its board (cells in space, layout of the flat map, neighbours, marks) and all possible moves."""
    game = await requester.load_game(spec)
    description = DESCRIPTIONS.get(game)
    if description is None:
        description = await requester.run(estimate_description_cost(game), serialise_game, game)
    body, etag = description
    headers = {"ETag": etag, "Cache-Control": "public, no-cache"}  # cached, but validated: it changes with an upgrade
    if if_none_match.removeprefix("W/") == etag:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def serialise_game(game: Game) -> tuple[bytes, str]:
    """Return the description of a game as JSON and its entity tag, and keep both as long as the game is in memory."""
    body = build_game(game).model_dump_json().encode()
    description = DESCRIPTIONS[game] = body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'
    return description


@router.post("/positions")
async def show_position(line: PositionRequest, requester: RequesterDep) -> PositionView:
    """Return a position with its pieces and legal moves."""
    game = await requester.load_game(line.spec)
    return await requester.run(estimate_cost(game, len(line.moves)), build_position_view, game, line)


def build_position_view(game: Game, line: PositionRequest) -> PositionView:
    """Return the view of the position at the end of a line."""
    return build_position(replay_line(game, line))


@router.post("/positions/line", response_model=list[PositionView])
async def show_line(line: PositionRequest, requester: RequesterDep) -> Response:
    """Return all positions of a line in order; only the last one lists its legal moves."""
    if len(line.moves) >= MAX_LINE_POSITIONS:
        raise ApiError("too-large", f"a line may have at most {MAX_LINE_POSITIONS} positions", limit=MAX_LINE_POSITIONS)
    game = await requester.load_game(line.spec)
    cost = estimate_cost(game, len(line.moves), views=len(line.moves) + 1)
    return Response(await requester.run(cost, serialise_line, game, line), media_type="application/json")


def serialise_line(game: Game, line: PositionRequest) -> bytes:
    """Return the views of all positions of a line as JSON."""
    *earlier, last = MoveSequence.parse(game, line.position, line.moves).positions
    views = [*(build_position(position, moves=False) for position in earlier), build_position(last)]
    return LINE_ADAPTER.dump_json(views)


@router.post("/positions/explain")
async def explain_move(request: ExplainRequest, requester: RequesterDep) -> Explanation:
    """Return the effect of a move, or the reason why it is illegal, with the cells involved."""
    game = await requester.load_game(request.spec)
    return await requester.run(estimate_cost(game, len(request.moves), views=2), build_line_explanation, game, request)


def build_line_explanation(game: Game, request: ExplainRequest) -> Explanation:
    """Return the effect of a move at the end of a line."""
    return build_explanation(replay_line(game, request), request.move)


@router.post("/positions/edit")
async def edit_position_by_hand(request: EditRequest, requester: RequesterDep) -> PositionView:
    """Return a position with other pieces or another player to move; its `text` is a start position for requests."""
    game = await requester.load_game(request.spec)
    return await requester.run(estimate_cost(game, len(request.moves), views=3), build_edited_position, game, request)


def build_edited_position(game: Game, request: EditRequest) -> PositionView:
    """Return the view of an edited position. Raises PositionError if the rules do not allow it."""
    before = replay_line(game, request)
    return build_position(edit_position(before, request.pieces, request.colour, is_cleared=request.cleared))


@router.post("/positions/analyse")
async def analyse_position(
    analysis: AnalyseRequest, request: Request, requester: RequesterDep, limiter: LimiterDep, user: UserOrGuest
) -> AnalysisView:
    """Return an engine's evaluation of a position and its best lines. The search ends if the client disconnects."""
    limiter.consume("analyses", user.id)
    engine_request = build_analysis_request(await load_position(requester, analysis), analysis)
    search = requester.services.engine_pool.ask(find_engine_owner(request, user), engine_request)
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


async def load_position(requester: WorkRequester, line: PositionRequest) -> Position:
    """Return the position at the end of a line."""
    game = await requester.load_game(line.spec)
    return await requester.run(estimate_cost(game, len(line.moves)), replay_line, game, line)


def replay_line(game: Game, line: PositionRequest) -> Position:
    """Return the position at the end of a line."""
    return MoveSequence.parse(game, line.position, line.moves).position
