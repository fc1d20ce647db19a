"""Routes of the analysis board: trees that users keep, records as trees and back, animations of a line."""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import APIRouter, Path, Request, Response, status

from ....errors import SpecError
from ....games.game import Game
from ...animations import FrameRange
from ...domain.analysis_tree import AnalysisTree
from ...errors import ApiError
from ...matches.record_io import find_spec, parse_record
from ...study.tree_records import build_record, build_tree
from ..dependencies import CurrentUser, OptionalUser, ServicesDep, UserOrGuest
from ..disconnect import run_while_connected
from ..match_requests import CHARACTERS_PER_UNIT, SGF_TYPE, name_attachment
from ..schemas.analyses import (
    AnalysisSummaryView,
    ReadRecordRequest,
    SaveAnalysisRequest,
    SavedAnalysisView,
    UpdateAnalysisRequest,
    WriteRecordRequest,
    build_analysis_summary,
    build_saved_analysis,
)
from ..work import RequesterDep, WorkRequester, estimate_cost
from .games import PositionRequest

router = APIRouter(prefix="/api", tags=["analyses"])
RECORD_START = re.compile(r"[\ufeff\s]*(\(\s*;|\{)")  # the text of a position may begin with a parenthesis too
AnalysisId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z]+$")]


@router.get("/analyses")
async def list_analyses(user: OptionalUser, services: ServicesDep) -> list[AnalysisSummaryView]:
    """Return your saved analyses, the last changed first."""
    found = [] if user is None else await services.analyses.list_summaries(user.id)
    return [build_analysis_summary(each) for each in found]


@router.post("/analyses", status_code=status.HTTP_201_CREATED)
async def save_analysis(request: SaveAnalysisRequest, user: UserOrGuest, requester: RequesterDep) -> SavedAnalysisView:
    """Keep a tree; only you can read it. A guest is created where there is no session."""
    await charge_tree(requester, user, request)
    now = requester.services.clock.now_ms()
    return build_saved_analysis(await requester.services.analyses.add(user.id, request.name, request.tree, now))


@router.get("/analyses/{analysis_id}")
async def show_analysis(analysis_id: AnalysisId, user: CurrentUser, services: ServicesDep) -> SavedAnalysisView:
    """Return one of your analyses."""
    return build_saved_analysis(await services.analyses.find(user.id, analysis_id))


@router.put("/analyses/{analysis_id}")
async def update_analysis(
    analysis_id: AnalysisId, request: UpdateAnalysisRequest, user: CurrentUser, requester: RequesterDep
) -> SavedAnalysisView:
    """Replace one of your analyses, unless it was changed elsewhere since you read it."""
    await charge_tree(requester, user, request)
    now = requester.services.clock.now_ms()
    saved = await requester.services.analyses.save(
        user.id, analysis_id, request.version, request.name, request.tree, now
    )  # fmt: skip
    return build_saved_analysis(saved)


@router.delete("/analyses/{analysis_id}")
async def delete_analysis(analysis_id: AnalysisId, user: CurrentUser, services: ServicesDep) -> list[AnalysisSummaryView]:
    """Delete one of your analyses. Returns those that are left."""
    await services.analyses.delete(user.id, analysis_id)
    return await list_analyses(user, services)


async def charge_tree(requester: WorkRequester, user: UserOrGuest, request: SaveAnalysisRequest) -> None:
    """Check the spec of a tree, and count what it takes in the database. Raises SpecError, or ApiError `too-many`."""
    requester.limiter.consume("saved analyses", user.id)
    await requester.load_game(request.tree.spec)
    num_bytes = len(request.tree.model_dump_json(exclude_defaults=True))
    await requester.quotas.charge_storage(user, requester.address, num_bytes)


# Records


@router.post("/records/read", tags=["records"])
async def read_record(request: ReadRecordRequest, requester: RequesterDep) -> AnalysisTree:
    """Return the tree of a game record in SGF or JSON, or of a position's text."""
    if not RECORD_START.match(request.text):
        return await read_position_text(requester, request)
    requester.limiter.consume("records", requester.client)
    record = await requester.run(len(request.text) / CHARACTERS_PER_UNIT, parse_record, request.text)
    try:
        game = await requester.load_game(find_spec(record))
    except SpecError as error:
        raise ApiError("bad-record", str(error)) from None
    return await requester.run(estimate_cost(game, sum(1 for _ in record.nodes())), build_tree, record, game)


async def read_position_text(requester: WorkRequester, request: ReadRecordRequest) -> AnalysisTree:
    """Return the tree that consists of a position. Raises ApiError `bad-record` without a spec, or PositionError."""
    if request.spec is None:
        raise ApiError("bad-record", "unknown record format; expected SGF, JSON, or the text of a position with its spec")
    game = await requester.load_game(request.spec)
    return await requester.run(estimate_cost(game, 0, views=3), build_position_tree, game, request.text.strip("\ufeff\r\n"))


def build_position_tree(game: Game, text: str) -> AnalysisTree:
    """Return the tree that consists of a position. Raises PositionError."""
    position = game.position(text)
    is_start = position == game.start()
    return AnalysisTree(spec=game.spec, position=None if is_start else str(position), nodes=[{}])  # type: ignore[list-item]


@router.post(
    "/records/tree.sgf",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {SGF_TYPE: {"schema": {"type": "string"}}}}},
    tags=["records"],
)
async def write_record(request: WriteRecordRequest, requester: RequesterDep) -> Response:
    """Return a tree as SGF, with its variations, comments and marks."""
    game = await requester.load_game(request.tree.spec)
    cost = estimate_cost(game, len(request.tree.nodes))
    text = await requester.run(cost, format_tree_sgf, request.tree, game, request.name)
    return Response(text, media_type=SGF_TYPE, headers=name_attachment("ropewalk-analysis.sgf"))


def format_tree_sgf(tree: AnalysisTree, game: Game, name: str) -> str:
    """Return a tree as SGF. Raises RopewalkError if a move is illegal."""
    return build_record(tree, game, name).to_sgf()


@router.post(
    "/positions/animation.gif",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {"image/gif": {"schema": {"type": "string", "format": "binary"}}}}},
    tags=["games"],
)
async def animate_line(line: PositionRequest, request: Request, requester: RequesterDep) -> Response:
    """Return a line as an animated GIF of its positions."""
    requester.limiter.consume("pictures", requester.address)
    game = await requester.load_game(line.spec)
    await requester.run(estimate_cost(game, len(line.moves)), check_line, game, line)
    rendering = requester.services.animations.render_gif(
        requester.client, game.spec, line.position, line.moves, FrameRange()
    )  # fmt: skip
    picture = await run_while_connected(request, rendering)
    return Response(picture, media_type="image/gif", headers=name_attachment("ropewalk-analysis.gif"))


def check_line(game: Game, line: PositionRequest) -> None:
    """Raise RopewalkError unless a line can be played, which is cheaper than to find out in a process of its own."""
    from .games import replay_line

    replay_line(game, line)
