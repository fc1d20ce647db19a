"""The route of the opening explorer: what was played in a position."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query

from ....games.game import Game
from ....games.registry import MAX_SPEC_LENGTH
from ....games.sequence import MoveSequence
from ...domain.actions import MAX_POSITION_LENGTH
from ...errors import ApiError
from ...study.explorer_service import MoveGroup, find_move_groups
from ..schemas.explorer import ExplorerView, build_explorer
from ..work import RequesterDep, estimate_cost
from .games import MAX_MOVES

MAX_MOVES_LENGTH = 8000  # characters; servers and proxies limit a URL
VIEWS_COST = 4  # of finding the key and the equivalent moves, in described positions
router = APIRouter(prefix="/api", tags=["explorer"])
ExplorerSpec = Annotated[str, Query(min_length=1, max_length=MAX_SPEC_LENGTH, examples=["tether-13"])]
ExplorerMoves = Annotated[str, Query(max_length=MAX_MOVES_LENGTH, description="separated by commas", examples=["g7,f8"])]
ExplorerPosition = Annotated[
    str | None, Query(max_length=MAX_POSITION_LENGTH, description="a position's text; the start of the game by default")
]


@router.get("/explorer")
async def explore_position(
    spec: ExplorerSpec, requester: RequesterDep, moves: ExplorerMoves = "", position: ExplorerPosition = None
) -> ExplorerView:
    """Return the moves that were played in a position, with results, known values and the last public matches."""
    services, line = requester.services, [move for move in moves.split(",") if move]
    if len(line) > MAX_MOVES:
        raise ApiError("too-large", f"a line may have at most {MAX_MOVES} moves", limit=MAX_MOVES)
    game = await requester.load_game(spec)
    cost = estimate_cost(game, len(line), views=VIEWS_COST)
    found = await services.explorer.explore(*await requester.run(cost, find_line_groups, game, position, line))
    return build_explorer(game.spec, found)


def find_line_groups(game: Game, position: str | None, moves: list[str]) -> tuple[int, list[MoveGroup]]:
    """Return the key of the position at the end of a line, and its legal moves in equivalent groups."""
    return find_move_groups(MoveSequence.parse(game, position, moves).position)
