"""Routes of puzzles: lists, the puzzle of the day, the next one, and attempts with moves and hints."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ....puzzles.export import make_record
from ....puzzles.puzzle import Puzzle
from ...animations import format_picture_request
from ...domain.actions import WITHOUT_NUL, Integer
from ...study.puzzle_catalogue import PuzzleFilter
from ..dependencies import OptionalUser, ServicesDep, UserOrGuest, find_engine_owner
from ..link_previews import PICTURE_SIZE
from ..match_requests import SGF_TYPE, name_attachment, render_picture
from ..puzzle_requests import PuzzleWork, choose_next_puzzle, load_puzzle_list, load_puzzle_overview
from ..schemas.puzzles import (
    PuzzleAttemptView,
    PuzzleHintView,
    PuzzleList,
    PuzzleMoveResponse,
    PuzzleOverview,
    PuzzleSummary,
    PuzzleView,
)
from ..work import RequesterDep, estimate_cost

MAX_LISTED = 200
MAX_PUZZLE_MOVES = 1000
MAX_WORD_LENGTH = 40
router = APIRouter(prefix="/api", tags=["puzzles"])
PuzzleId = Annotated[str, Path(min_length=1, max_length=60, pattern=r"^[0-9a-z-]+$", examples=["tether-63b5ad36"])]
Word = Annotated[str | None, Query(max_length=MAX_WORD_LENGTH, pattern=WITHOUT_NUL)]


class PuzzleStep(BaseModel):
    """An action in the position of an attempt after `move_count` moves of both seats."""

    model_config = ConfigDict(extra="forbid")
    move_count: Integer = Field(ge=0, le=MAX_PUZZLE_MOVES)


class PuzzleMoveRequest(PuzzleStep):
    """A move of an attempt."""

    move: str = Field(min_length=1, max_length=MAX_WORD_LENGTH, pattern=WITHOUT_NUL)


def read_filter(
    game: Word = None,
    theme: Word = None,
    turns: Annotated[int | None, Query(ge=1, le=100)] = None,
    spec: Word = None,
) -> PuzzleFilter:
    """Return which puzzles a request asks for."""
    return PuzzleFilter(game, theme, turns, spec)


FilterDep = Annotated[PuzzleFilter, Depends(read_filter)]


async def get_puzzle_work(puzzle_id: PuzzleId, request: Request, requester: RequesterDep, user: OptionalUser) -> PuzzleWork:
    """Return the work on the puzzle of a request. Raises ApiError `not-found`."""
    return PuzzleWork(requester, requester.services.puzzle_catalogue.get(puzzle_id), find_engine_owner(request, user))


WorkDep = Annotated[PuzzleWork, Depends(get_puzzle_work)]


@router.get("/puzzles")
async def list_puzzles(
    services: ServicesDep,
    user: OptionalUser,
    wanted: FilterDep,
    offset: Annotated[int, Query(ge=0, le=1_000_000)] = 0,
    limit: Annotated[int, Query(ge=1, le=MAX_LISTED)] = 50,
) -> PuzzleList:
    """Return puzzles by game, board, theme and turns: game after game, easy ones first."""
    return await load_puzzle_list(services, None if user is None else user.id, wanted, offset, limit)


@router.get("/puzzles/overview")
async def show_puzzle_overview(services: ServicesDep, user: OptionalUser) -> PuzzleOverview:
    """Return the puzzle of the day, the games with their themes, your ratings and your streak."""
    return await load_puzzle_overview(services, None if user is None else user.id)


@router.get("/puzzles/next")
async def show_next_puzzle(services: ServicesDep, user: OptionalUser, wanted: FilterDep) -> PuzzleSummary:
    """Return a puzzle near your rating that you have not tried, of any game or of one."""
    return await choose_next_puzzle(services, None if user is None else user.id, wanted)


@router.get("/puzzles/{puzzle_id}")
async def show_puzzle(work: WorkDep, user: OptionalUser) -> PuzzleView:
    """Return a puzzle with your attempt."""
    return await work.load(user)


@router.post("/puzzles/{puzzle_id}/moves")
async def play_puzzle_move(request: PuzzleMoveRequest, work: WorkDep, user: UserOrGuest) -> PuzzleMoveResponse:
    """Play a move: every winning one is accepted and answered by the strongest defence; others are refuted."""
    work.requester.limiter.consume("puzzle moves", user.id)
    return await work.play(user, request.move, request.move_count)


@router.post("/puzzles/{puzzle_id}/hints")
async def show_puzzle_hint(request: PuzzleStep, work: WorkDep, user: UserOrGuest) -> PuzzleHintView:
    """Return a hint: first the region, then the move."""
    work.requester.limiter.consume("puzzle moves", user.id)
    return await work.show_hint(user, request.move_count)


@router.post("/puzzles/{puzzle_id}/restart")
async def restart_puzzle(work: WorkDep, user: UserOrGuest) -> PuzzleAttemptView:
    """Begin a puzzle again; only the first attempt is rated."""
    work.requester.limiter.consume("puzzle moves", user.id)
    return await work.restart(user)


@router.post("/puzzles/{puzzle_id}/solution")
async def show_puzzle_solution(work: WorkDep, user: UserOrGuest) -> PuzzleAttemptView:
    """Give up and return the solution; a first attempt counts as failed."""
    work.requester.limiter.consume("puzzle moves", user.id)
    return await work.show_solution(user)


@router.get(
    "/puzzles/{puzzle_id}/record.sgf",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {SGF_TYPE: {"schema": {"type": "string"}}}}},
    tags=["records"],
)
async def export_puzzle(work: WorkDep) -> Response:
    """Return the puzzle with its solution as SGF."""
    game = await work.requester.load_game(work.puzzle.spec)
    cost = estimate_cost(game, len(work.puzzle.main_line))
    text = await work.requester.run(cost, format_puzzle, work.puzzle)
    return Response(text, media_type=SGF_TYPE, headers=name_attachment(f"{work.puzzle.id}.sgf"))


@router.get(
    "/puzzles/{puzzle_id}/picture.png",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
    tags=["records"],
)
async def export_puzzle_picture(work: WorkDep, request: Request) -> Response:
    """Return the position of a puzzle as a picture, for links to it."""
    drawing = format_picture_request(work.puzzle.spec, work.puzzle.position_text, [], PICTURE_SIZE)
    return await render_picture(request, work.requester, drawing)


def format_puzzle(puzzle: Puzzle) -> str:
    """Return a puzzle as SGF."""
    return make_record(puzzle).to_sgf()
