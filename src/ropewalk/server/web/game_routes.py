"""Games and positions, for anybody, without a match."""

from __future__ import annotations

import asyncio
import hashlib
from functools import lru_cache
from typing import Annotated

from fastapi import APIRouter, Header, Path, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ...games.game import Game
from ...games.position import Position
from ...games.registry import games
from ...games.sequence import MoveSequence
from ..house import House
from ..matchmaking import LONGEST_POSITION, LONGEST_SPEC
from ..refusals import Refusal
from ..views import Explanation, GameEntry, GameView, PositionView, entry_view, explanation, game_view, position_view
from .visitors import TheHouse, TheRates, Welcome

MOST_MOVES = 1000
MOST_SHOWN = 400  # positions of one line
MOST_SECONDS = 10.0
USUAL_LEVEL = 6
router = APIRouter(prefix="/api", tags=["games"])
Spec = Annotated[str, Path(min_length=1, max_length=LONGEST_SPEC, examples=["cube-lariat-4"])]


class PositionRequest(BaseModel):
    """A position: moves from the start of a game, or from a position's text."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=LONGEST_SPEC, examples=["tether-5"])
    position: str | None = Field(default=None, max_length=LONGEST_POSITION)
    moves: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=MOST_MOVES)


class MoveRequest(PositionRequest):
    """A move in a position."""

    move: str = Field(min_length=1, max_length=40)


class AnalysisRequest(PositionRequest):
    """A position to think about."""

    level: int = Field(default=USUAL_LEVEL, ge=1, le=8)
    seconds: float = Field(default=2.0, gt=0, le=MOST_SECONDS)
    lines: int = Field(default=3, ge=1, le=5)


class Thought(BaseModel):
    """A line of play; its value is that of the seat to move, from 0 (lost) to 1 (won)."""

    moves: list[str]
    value: float
    kind: str = Field(description="proven, table or estimate")
    visits: int


class Analysis(BaseModel):
    """What an engine thinks of a position."""

    seat: int
    value: float = Field(description="what the seat to move can expect: 0 loses, 1 wins")
    kind: str = Field(description="proven, table or estimate")
    visits: int
    lines: list[Thought]


@router.get("/games")
async def list_games() -> list[GameEntry]:
    """All games, with their designers, boards and options."""
    return [entry_view(entry) for entry in games()]


@router.get("/games/{spec}", response_model=GameView, responses={status.HTTP_304_NOT_MODIFIED: {"description": "as before"}})
async def describe_game(spec: Spec, house: TheHouse, if_none_match: Annotated[str, Header(max_length=200)] = "") -> Response:
    """A game with its board: cells in space and on the flat map, neighbours, marks, and every move that there is."""
    body, mark = described(await house.rules.of(spec))
    headers = {"ETag": mark, "Cache-Control": "public, no-cache"}  # kept, but asked for anew: an upgrade is seen at once
    if if_none_match.removeprefix("W/") == mark:
        return Response(status_code=status.HTTP_304_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


@lru_cache(maxsize=64)
def described(game: Game) -> tuple[bytes, str]:
    """A game's description as it is sent, and the mark by which a browser knows whether it has it already."""
    body = game_view(game).model_dump_json().encode()
    return body, f'"{hashlib.sha256(body).hexdigest()[:32]}"'


@router.post("/positions")
async def show_position(line: PositionRequest, house: TheHouse) -> PositionView:
    """A position, ready to be drawn and played from."""
    return position_view(await position_of(house, line))


@router.post("/positions/line")
async def show_line(line: PositionRequest, house: TheHouse) -> list[PositionView]:
    """Every position of a line, the first one first; only the last one lists its moves."""
    if len(line.moves) >= MOST_SHOWN:
        raise Refusal("too-large", f"a line shows at most {MOST_SHOWN} positions", limit=MOST_SHOWN)
    game = await house.rules.of(line.spec)
    return await asyncio.to_thread(all_views, game, line)


def all_views(game: Game, line: PositionRequest) -> list[PositionView]:
    """The views of a line's positions."""
    *passed, last = MoveSequence.parse(game, line.position, line.moves).positions
    return [*(position_view(position, moves=False) for position in passed), position_view(last)]


@router.post("/positions/explain")
async def explain_move(question: MoveRequest, house: TheHouse) -> Explanation:
    """What a move would do, or why it is refused, with the cells that show it."""
    return explanation(await position_of(house, question), question.move)


@router.post("/positions/analyse")
async def analyse_position(enquiry: AnalysisRequest, house: TheHouse, rates: TheRates, user: Welcome) -> Analysis:
    """What an engine thinks of a position: its value and the best lines."""
    rates.take("analyses", user.id)
    position = await position_of(house, enquiry)
    if position.outcome is not None:
        raise Refusal("not-playing", f"the game is over: {position.outcome.words}")
    asked = {"do": "analyse", "spec": position.game.spec} | enquiry.model_dump(exclude={"spec"})
    return Analysis(**await house.pool.ask(f"analysis of {user.id}", asked))


async def position_of(house: House, line: PositionRequest) -> Position:
    """The position that a line leads to."""
    game = await house.rules.of(line.spec)
    return MoveSequence.parse(game, line.position, line.moves).position
