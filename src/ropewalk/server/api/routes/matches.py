"""Routes of matches: create, join, act, conditional moves, records, the lobby."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ...animations import FrameRange, format_picture_request
from ...db.match_repository import MatchRecordRow
from ...db.match_search import MAX_OPENING_MOVES, MatchFilter, MatchOutcome, MatchPhase, build_search, format_opening
from ...db.user_repository import User
from ...domain.actions import WITHOUT_NUL, Action, AnyAction, Integer
from ...errors import ApiError
from ...matches.conditional_moves import MAX_LINE_LENGTH, MAX_LINES, allows_conditional_moves, validate_lines
from ...matches.live_match import LiveMatch
from ...matches.matchmaking import CreateMatchRequest
from ...matches.record_io import format_sgf
from ...services import AppServices
from ..dependencies import CurrentUser, LimiterDep, OptionalUser, ServicesDep, UserOrGuest
from ..disconnect import run_while_connected
from ..link_previews import PICTURE_SIZE
from ..match_requests import (
    SGF_TYPE,
    hide_unreadable,
    import_record,
    load_lobby_view,
    load_match_view,
    load_readable_match,
    load_summaries,
    name_attachment,
    perform_action,
    render_picture,
    require_readable,
)
from ..quotas import MATCH_BYTES
from ..schemas.matches import (
    ActionResponse,
    CreateMatchResponse,
    EventView,
    LobbyView,
    MatchSummary,
    MatchView,
    build_event,
    build_match_state,
)
from ..work import RequesterDep, WorkRequester, estimate_cost

MAX_FOUND = 50  # matches in a list
MAX_RECORD_LENGTH = 200_000
router = APIRouter(prefix="/api", tags=["matches"])
Seq = Annotated[int, Query(ge=0, le=2**31 - 1)]
MoveNumber = Annotated[int, Query(ge=0, le=2**31 - 1, description="0: the position before the first move")]
FrameStep = Annotated[int, Query(ge=1, le=1000)]
MatchId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
InvitationToken = Annotated[str, Path(min_length=1, max_length=100)]
SPEC_CHARACTERS = r"^[0-9A-Za-z_-]*$"
PlayerName = Annotated[str, Query(min_length=1, max_length=40)]
SpectatorKey = Annotated[str | None, Query(max_length=100, description="the secret of the link for spectators")]
MoveText = Annotated[str, Field(min_length=1, max_length=40)]
LineText = Annotated[list[MoveText], Field(min_length=2, max_length=MAX_LINE_LENGTH)]


class ConditionalMovesView(BaseModel):
    """Lines of moves from the position of version `position_version` on: the opponent's move, yours, the opponent's ..."""

    model_config = ConfigDict(extra="forbid")
    position_version: Integer = Field(ge=0, le=2**31 - 1)
    lines: list[LineText] = Field(max_length=MAX_LINES)


class ImportRequest(BaseModel):
    """A game record as SGF or JSON."""

    model_config = ConfigDict(extra="forbid")
    record: str = Field(min_length=1, max_length=MAX_RECORD_LENGTH, pattern=WITHOUT_NUL)


@router.post("/matches", status_code=status.HTTP_201_CREATED)
async def create_match(
    request: CreateMatchRequest, user: UserOrGuest, requester: RequesterDep, limiter: LimiterDep
) -> CreateMatchResponse:
    """Create a match: against a bot, at one screen, by invitation, or as a challenge in the lobby."""
    services = requester.services
    limiter.consume("matches", user.id)
    game = await requester.load_game(request.spec)
    if request.position is not None:
        await requester.run(estimate_cost(game, 0, views=3), game.position, request.position)
    await requester.quotas.charge_storage(user, requester.address, MATCH_BYTES + len(request.position or ""))
    match, token = await services.matchmaker.create_match(user, request)
    view = await load_match_view(services, match, user)
    return CreateMatchResponse.model_construct(match=view, invitation=token)


@router.get("/matches")
async def search_matches(
    user: OptionalUser,
    services: ServicesDep,
    player: PlayerName | None = None,
    opponent: PlayerName | None = None,
    game: Annotated[str | None, Query(max_length=40, pattern=SPEC_CHARACTERS)] = None,
    spec: Annotated[str | None, Query(max_length=200, pattern=SPEC_CHARACTERS)] = None,
    result: Annotated[MatchOutcome | None, Query(description="for the player")] = None,
    status: MatchPhase | None = None,
    before: Annotated[int | None, Query(ge=0, le=2**53, description="created earlier, milliseconds since 1970")] = None,
    opening: Annotated[str | None, Query(max_length=200, pattern=WITHOUT_NUL, description="first moves, over only")] = None,
) -> list[MatchSummary]:
    """Return matches that you may read, the newest first; opponent and result need a player."""
    if player is None and (opponent is not None or result is not None):
        raise ApiError("bad-request", "opponent and result are those of a player: name the player too")
    ids = [None if name is None else (await services.users.find_by_name(name))[0].id for name in (player, opponent)]
    moves = None if opening is None else opening.replace(",", " ").split()
    if moves is not None and len(moves) > MAX_OPENING_MOVES:
        message = f"matches are found by at most {MAX_OPENING_MOVES} first moves, not {len(moves)}; name fewer"
        raise ApiError("too-many", message, limit=MAX_OPENING_MOVES)
    first_moves = None if moves is None else format_opening(moves)
    wanted = MatchFilter(ids[0], ids[1], game, spec, result, status, before, first_moves)
    query = build_search(wanted, None if user is None else user.id, MAX_FOUND)
    return await load_summaries(services, await services.match_repository.list_rows(query))


@router.get("/matches/{match_id}")
async def show_match(match_id: MatchId, user: OptionalUser, services: ServicesDep, key: SpectatorKey = None) -> MatchView:
    """Return a match: a public one to everybody, a private one to its players and to spectators with its key."""
    return await load_match_view(services, await load_readable_match(services, match_id, user, key), user)


@router.get("/matches/{match_id}/events")
async def list_events(
    match_id: MatchId, user: OptionalUser, services: ServicesDep, after: Seq = 0, key: SpectatorKey = None
) -> list[EventView]:
    """Return the events of a match with a greater seq than `after`."""
    match = await load_readable_match(services, match_id, user, key)
    muted = await services.users.load_mutes(None if user is None else user.id)
    return [build_event(event, muted) for event in match.events_after(max(0, after))]


@router.post("/matches/{match_id}/join")
async def join_match(match_id: MatchId, user: UserOrGuest, services: ServicesDep) -> MatchView:
    """Take the free seat of a challenge, or one that is reserved for you."""
    async with hide_unreadable(services, match_id, user):
        match = await services.registry.load_current(match_id)
    was_offered = match.row.origin == "open" and match.row.rematch_of is None  # in the lobby, so that its id is no secret
    if not was_offered:
        require_readable(match, user)
    if not was_offered and match.row.reserved_for != user.id:
        raise ApiError("not-your-match", "this match can be joined only with its invitation link")
    await services.matchmaker.join(match, user)
    return await load_match_view(services, match, user)


@router.post("/matches/{match_id}/decline")
async def decline_match(match_id: MatchId, user: CurrentUser, services: ServicesDep) -> MatchView:
    """Decline a challenge to you by name, or the offer of a rematch."""
    match = await load_readable_match(services, match_id, user)
    await services.matches.decline(match, user)
    return await load_match_view(services, match, user)


@router.get("/invitations/{token}")
async def show_invitation(token: InvitationToken, user: OptionalUser, services: ServicesDep) -> MatchSummary:
    """Return the match that an invitation is for; once both seats are taken, only to those who may read the match."""
    row = await find_invitation(services, token)
    if row.status != "waiting" and not row.is_readable_by(None if user is None else user.id, None):
        raise ApiError("not-found", "invitation not found")
    return (await load_summaries(services, [row]))[0]


@router.post("/invitations/{token}/accept")
async def accept_invitation(token: InvitationToken, user: UserOrGuest, services: ServicesDep) -> MatchView:
    """Take the free seat by an invitation; a player of the match just gets the match."""
    row = await find_invitation(services, token)
    match = await services.registry.load_current(row.id)
    if not match.seats_of(user.id):
        await services.matchmaker.join(match, user)
    return await load_match_view(services, match, user)


@router.post("/matches/{match_id}/actions")
async def post_action(match_id: MatchId, action: AnyAction, user: CurrentUser, requester: RequesterDep) -> ActionResponse:
    """Perform an action: move, request or answer a takeback or draw, resign, abort, chat, publish."""
    return await perform_and_respond(requester, match_id, user, action)


@router.post("/matches/{match_id}/rematch")
async def request_rematch(match_id: MatchId, user: CurrentUser, requester: RequesterDep, limiter: LimiterDep) -> MatchView:
    """Create a match with exchanged seats, or join the one that the opponent has created."""
    services = requester.services
    limiter.consume("matches", user.id)
    await requester.quotas.charge_storage(user, requester.address, MATCH_BYTES)
    match = await load_readable_match(services, match_id, user)
    return await load_match_view(services, await services.matchmaker.request_rematch(match, user), user)


@router.get("/lobby", tags=["lobby"])
async def show_lobby(services: ServicesDep) -> LobbyView:
    """Return the open challenges, and matches that can be watched."""
    return await load_lobby_view(services)


# Conditional moves


@router.get("/matches/{match_id}/conditional-moves")
async def show_conditional_moves(match_id: MatchId, user: CurrentUser, services: ServicesDep) -> ConditionalMovesView:
    """Return your conditional moves in a match; other users cannot see them."""
    await require_own_match(services, match_id, user)
    stored = await services.conditional_moves.find(match_id, user.id)
    if stored is None:
        return ConditionalMovesView(position_version=0, lines=[])
    return ConditionalMovesView(position_version=stored.position_version, lines=[list(line) for line in stored.lines])


@router.put("/matches/{match_id}/conditional-moves")
async def put_conditional_moves(
    match_id: MatchId, moves: ConditionalMovesView, user: CurrentUser, requester: RequesterDep
) -> ConditionalMovesView:
    """Set answers to the opponent's next moves; an empty list removes them."""
    services = requester.services
    state = (await require_own_match(services, match_id, user)).state
    if state.status != "playing":
        raise ApiError("not-playing", "the match is not in progress")
    if not allows_conditional_moves(state):
        raise ApiError("bad-request", "conditional moves are allowed only in correspondence matches (days per turn)")
    if moves.position_version != state.position_version:
        message = f"position_version {moves.position_version} is outdated; the current version is {state.position_version}"
        raise ApiError("stale", message)
    cost = estimate_cost(state.position.game, sum(map(len, moves.lines)), views=0)
    await requester.run(cost, validate_lines, state, moves.lines)
    num_bytes = sum(len(move) + 4 for line in moves.lines for move in line)
    await requester.quotas.charge_storage(user, requester.address, num_bytes)
    await services.conditional_moves.save(match_id, user.id, moves.position_version, moves.lines)
    return moves


# Records


@router.get(
    "/matches/{match_id}/record.sgf",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {SGF_TYPE: {"schema": {"type": "string"}}}}},
    tags=["records"],
)
async def export_sgf(match_id: MatchId, user: OptionalUser, requester: RequesterDep, key: SpectatorKey = None) -> Response:
    """Return the match as SGF."""
    services = requester.services
    match = await load_readable_match(services, match_id, user, key)
    users = await services.users.find_all(match.seats)
    cost = estimate_cost(match.state.position.game, len(match.state.moves))
    text = await requester.run(cost, format_sgf, match, users)
    headers = name_attachment(f"ropewalk-{match_id}.sgf")
    return Response(text, media_type=SGF_TYPE, headers=headers)


@router.get(
    "/matches/{match_id}/animation.gif",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {"image/gif": {"schema": {"type": "string", "format": "binary"}}}}},
    tags=["records"],
)
async def export_gif(
    match_id: MatchId,
    request: Request,
    user: OptionalUser,
    requester: RequesterDep,
    first: MoveNumber = 0,
    last: MoveNumber | None = None,
    step: FrameStep = 1,
    key: SpectatorKey = None,
) -> Response:
    """Return the match as an animated GIF of its positions: every `step`-th one after move `first` to `last`."""
    requester.limiter.consume("pictures", requester.address)
    state = (await load_readable_match(requester.services, match_id, user, key)).state
    moves = [move.move for move in state.moves]
    spec, position, frames = state.config.spec, state.config.initial_position, FrameRange(first, last, step)
    rendering = requester.services.animations.render_gif(requester.client, spec, position, moves, frames)
    picture = await run_while_connected(request, rendering)
    return Response(picture, media_type="image/gif", headers=name_attachment(f"ropewalk-{match_id}.gif"))


@router.get(
    "/matches/{match_id}/picture.png",
    response_class=Response,
    responses={status.HTTP_200_OK: {"content": {"image/png": {"schema": {"type": "string", "format": "binary"}}}}},
    tags=["records"],
)
async def export_picture(match_id: MatchId, request: Request, requester: RequesterDep) -> Response:
    """Return the position of a public match as a picture, for links to it; private matches have none."""
    state = (await load_readable_match(requester.services, match_id, None)).state
    moves = [move.move for move in state.moves]
    drawing = format_picture_request(state.config.spec, state.config.initial_position, moves, PICTURE_SIZE)
    return await render_picture(request, requester, drawing)


@router.post("/matches/import", status_code=status.HTTP_201_CREATED, tags=["records"])
async def import_match(request: ImportRequest, user: UserOrGuest, requester: RequesterDep, limiter: LimiterDep) -> MatchView:
    """Create a private match from a record: both seats are yours, to study it or to play on."""
    limiter.consume("records", user.id)
    return await load_match_view(requester.services, await import_record(requester, user, request.record), user)


# Shared by several routes


async def find_invitation(services: AppServices, token: str) -> MatchRecordRow:
    """Return the match of an invitation token. Raises ApiError `not-found`."""
    row = await services.match_repository.find_by_invitation(token)
    if row is None:
        raise ApiError("not-found", "invitation not found")
    return row


async def perform_and_respond(requester: WorkRequester, match_id: str, user: User, action: Action) -> ActionResponse:
    """Perform an action. Returns its event and the state after it."""
    services = requester.services
    async with hide_unreadable(services, match_id, user):
        match = await services.registry.get(match_id)
    require_readable(match, user)
    event = await perform_action(requester, match, user, action)
    state = build_match_state(match.state, services.clock.now_ms(), match.engine_status)
    return ActionResponse.model_construct(event=build_event(event), state=state)


async def require_own_match(services: AppServices, match_id: str, user: User) -> LiveMatch:
    """Return a match in which a user has a seat. Raises ApiError `not-your-match`."""
    match = await load_readable_match(services, match_id, user)
    if not match.seats_of(user.id):
        raise ApiError("not-your-match", "you are not a player of this match")
    return match
