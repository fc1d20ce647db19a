"""Games and positions, for anybody, without a match."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Response
from pydantic import BaseModel, ConfigDict, Field

from ...bots.levels import LEVELS
from ...engine.following import opened, play_on
from ...games.game import Position
from ...games.registry import games
from ..house import House
from ..matchmaking import LONGEST_POSITION, LONGEST_SPEC
from ..refusals import Refusal
from ..views import Explanation, GameEntry, GameView, PositionView, entry_view, explanation, game_view, position_view
from .visitors import TheHouse, TheRates, Welcome

MOST_MOVES = 1000
MOST_SECONDS = 10.0
USUAL_LEVEL = 6
router = APIRouter(prefix="/api", tags=["games"])
Spec = Annotated[str, Path(min_length=1, max_length=LONGEST_SPEC, examples=["cube-lariat-4"])]


class Line(BaseModel):
    """A position: moves from the start of a game, or from a position's text."""

    model_config = ConfigDict(extra="forbid")
    spec: str = Field(min_length=1, max_length=LONGEST_SPEC, examples=["tether-5"])
    position: str | None = Field(default=None, max_length=LONGEST_POSITION)
    moves: list[Annotated[str, Field(max_length=100)]] = Field(default=[], max_length=MOST_MOVES)


class Question(Line):
    """A move in a position."""

    move: str = Field(min_length=1, max_length=40)


class Enquiry(Line):
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
    return [entry_view(entry, len(LEVELS[entry.key])) for entry in games()]


@router.get("/games/{spec}")
async def describe_game(spec: Spec, house: TheHouse, response: Response) -> GameView:
    """A game with its board: cells in space and on the flat map, neighbours, marks, and every move that there is."""
    response.headers["Cache-Control"] = "public, max-age=3600"
    return game_view(await house.rules.of(spec))


@router.post("/positions")
async def show_position(line: Line, house: TheHouse) -> PositionView:
    """A position, ready to be drawn and played from."""
    return position_view(await position_of(house, line))


@router.post("/positions/explain")
async def explain_move(question: Question, house: TheHouse) -> Explanation:
    """What a move would do, or why it is refused, with the cells that show it."""
    return explanation(await position_of(house, question), question.move)


@router.post("/positions/analyse")
async def analyse_position(enquiry: Enquiry, house: TheHouse, rates: TheRates, user: Welcome) -> Analysis:
    """What an engine thinks of a position: its value and the best lines."""
    rates.take("analyses", user.id)
    position = await position_of(house, enquiry)
    if position.outcome is not None:
        raise Refusal("not-playing", f"the game is over: {position.outcome.words}")
    asked = {"do": "analyse", "spec": position.game.spec} | enquiry.model_dump(exclude={"spec"})
    return Analysis(**await house.pool.ask(f"analysis of {user.id}", asked))


async def position_of(house: House, line: Line) -> Position:
    """The position that a line leads to."""
    game = await house.rules.of(line.spec)
    return play_on([opened(game, line.position)], line.moves)[-1]
