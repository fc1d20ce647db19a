"""Routes of users: guests, registration, login, mutes, event streams, players and their ratings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response, status
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ...db.identifiers import generate_id
from ...db.session_repository import UserSession
from ...db.user_data import export_user_data
from ...db.user_repository import User
from ...domain.usernames import normalise_name, validate_name
from ...errors import ApiError
from ...services import AppServices
from ..client_address import client_address
from ..dependencies import (
    DEVICE_COOKIE,
    SESSION_COOKIE,
    CurrentSession,
    CurrentUser,
    LimiterDep,
    LoginBackoffDep,
    OptionalUser,
    QuotasDep,
    ServicesDep,
    UserOrGuest,
    charge_password_attempt,
    read_token,
    rotate_session,
)
from ..erasure import erase_user
from ..login_backoff import find_attempt_key
from ..match_requests import load_summaries
from ..passwords import hash_password, verify_password
from ..rate_limit import ConnectionLimiter
from ..schemas.matches import BotStreamMessage, MatchSummary, PlayerView, RelationView, build_event, build_match_state
from ..schemas.users import (
    Credentials,
    CurrentUserResponse,
    FirstSeatView,
    RatingView,
    build_rating_change,
    build_user,
)

MAX_MATCHES = 50  # in a list
STREAM_TYPE = "application/x-ndjson"
UserId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
Timestamp = Annotated[int, Query(ge=0, le=2**53, description="milliseconds since 1970")]
router = APIRouter(prefix="/api", tags=["people"])


@router.get("/me")
async def show_me(user: OptionalUser) -> CurrentUserResponse:
    """Return the current user."""
    return CurrentUserResponse(user=None if user is None else build_user(user))


@router.post("/guests", status_code=status.HTTP_201_CREATED)
async def create_guest(user: UserOrGuest) -> CurrentUserResponse:
    """Create a guest with a generated name and a session cookie; a user with a session keeps it."""
    return CurrentUserResponse(user=build_user(user))


@router.post("/accounts", status_code=status.HTTP_201_CREATED)
async def register(
    credentials: Credentials,
    request: Request,
    response: Response,
    user: OptionalUser,
    services: ServicesDep,
    limiter: LimiterDep,
    quotas: QuotasDep,
) -> CurrentUserResponse:
    """Create an account with a new session; a guest keeps their matches."""
    address = await charge_password_attempt(request, limiter, quotas)
    name = validate_name(credentials.name)
    password_hash = await services.executors.passwords.run(address, hash_password, credentials.password, name)
    if user is not None and user.kind == "guest":
        account = await services.users.upgrade_guest(user, name, password_hash)
        services.registry.on_user_change("renamed", user.id)
        await services.sessions.end_all([user.id])  # whoever knew the guest's token does not get the account
    else:
        account = await services.users.add(User(generate_id(), name, "account"), password_hash)
    await rotate_session(request, response, services, account)
    return CurrentUserResponse(user=build_user(account))


@router.post("/sessions", status_code=status.HTTP_201_CREATED)
async def log_in(
    credentials: Credentials,
    request: Request,
    response: Response,
    services: ServicesDep,
    limiter: LimiterDep,
    quotas: QuotasDep,
    backoff: LoginBackoffDep,
) -> CurrentUserResponse:
    """Log in to an account; the session before ends."""
    address = await charge_password_attempt(request, limiter, quotas)
    try:
        user, password_hash = await services.users.find_by_name(credentials.name)
    except ApiError as error:
        if error.code != "not-found":
            raise
        user, password_hash = None, None
    secret, device = await services.sessions.load_device_secret(), request.cookies.get(DEVICE_COOKIE)
    key = find_attempt_key(secret, normalise_name(credentials.name), None if user is None else user.id, device)
    backoff.begin(key)
    passwords = services.executors.passwords
    if not await passwords.run(address, verify_password, password_hash, credentials.password) or user is None:
        raise ApiError("wrong-password", "wrong user name or password")
    backoff.succeed(key)
    if user.is_closed:
        raise ApiError("account-closed", "an operator of this server has closed this account")
    await rotate_session(request, response, services, user)
    return CurrentUserResponse(user=build_user(user))


@router.delete("/sessions/current")
async def log_out(request: Request, response: Response, services: ServicesDep) -> CurrentUserResponse:
    """End the current session; its cookie is invalid afterwards."""
    token = read_token(request)
    if token is not None:
        await services.sessions.end(token)
    response.delete_cookie(SESSION_COOKIE)
    return CurrentUserResponse(user=None)


@router.get("/me/matches")
async def list_my_matches(user: CurrentUser, services: ServicesDep, before: Timestamp | None = None) -> list[MatchSummary]:
    """Return your matches, the newest first; `before` is the `created_at` of the last one that you have."""
    return await load_summaries(services, await services.match_repository.list_by_user(user.id, MAX_MATCHES, before))


@router.put("/me/mutes/{user_id}")
async def mute(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """Hide the chat messages of a user."""
    if await services.users.find(user_id) is None:
        raise ApiError("not-found", "user not found")
    await services.users.set_mute(user.id, user_id, muted=True)
    services.registry.on_user_change("muted", user.id)
    return CurrentUserResponse(user=build_user(user))


@router.delete("/me/mutes/{user_id}")
async def unmute(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """Show the chat messages of a user again."""
    await services.users.set_mute(user.id, user_id, muted=False)
    services.registry.on_user_change("muted", user.id)
    return CurrentUserResponse(user=build_user(user))


@router.get("/me/export")
async def export_me(user: CurrentUser, services: ServicesDep) -> dict[str, Any]:
    """Return everything that is stored about you."""
    return await export_user_data(services.database, user)


@router.delete("/me")
async def delete_me(user: CurrentUser, services: ServicesDep, response: Response) -> CurrentUserResponse:
    """Delete your name, password, sessions, ratings, chat messages and bots. Moves stay: they are the opponents' too."""
    await erase_user(services, user)
    response.delete_cookie(SESSION_COOKIE)
    return CurrentUserResponse(user=None)


# Event streams


@router.get(
    "/me/events",
    response_class=StreamingResponse,
    responses={status.HTTP_200_OK: {"content": {STREAM_TYPE: {"schema": {"type": "string"}}}}},
    tags=["bots"],
)
async def stream_events(request: Request, session: CurrentSession, services: ServicesDep) -> StreamingResponse:
    """Stream the events of all your matches, one line of JSON each, until the session ends; empty lines are heartbeats."""
    limiter: ConnectionLimiter = request.app.state.connections
    keys = limiter.enter("event streams", client_address(request.scope), session.user.id)
    return CountedStream(generate_lines(services, session), lambda: limiter.leave(keys))


class CountedStream(StreamingResponse):
    """A stream of lines that calls a function when it has ended."""

    def __init__(self, lines: AsyncIterator[str], on_end: Callable[[], None]) -> None:
        super().__init__(lines, media_type=STREAM_TYPE)
        self.on_end = on_end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream until the client disconnects."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.on_end()


async def generate_lines(services: AppServices, session: UserSession) -> AsyncIterator[str]:
    """Yield the lines of a user's event stream until the session ends or the server stops."""
    user = session.user
    async for update in services.user_streams.subscribe(user.id, session.id):
        if update is None:
            yield "\n"
            continue
        match, events = update
        message = BotStreamMessage.model_construct(
            match_id=match.id,
            spec=match.row.config.spec,
            initial_position=match.row.config.initial_position,
            seats=list(match.seats_of(user.id)),
            moves=[move.move for move in match.state.moves],
            events=[build_event(event) for event in events],
            state=build_match_state(match.state, services.clock.now_ms(), None),
        )
        yield message.model_dump_json(warnings=False) + "\n"


# Players


@router.get("/players/{name}")
async def show_player(
    name: Annotated[str, Path(min_length=1, max_length=40)], viewer: OptionalUser, services: ServicesDep
) -> PlayerView:
    """Return a player with ratings, rating curves and the last matches that you may read."""
    user, _ = await services.users.find_by_name(name)
    viewer_id = None if viewer is None else viewer.id
    rows = await services.match_repository.list_visible(user.id, viewer_id, MAX_MATCHES)
    ratings = [RatingView.model_validate(row, from_attributes=True) for row in await services.ratings.list_by_user(user.id)]
    changes = await services.ratings.list_changes(user.id)
    visible = await services.match_repository.find_visible_ids([row.match_id for row in changes], viewer_id)
    curve = [build_rating_change(row, is_match_visible=row.match_id in visible) for row in changes]
    matches = await load_summaries(services, rows)
    relation = None if viewer is None or viewer.id == user.id else await load_relation(services, viewer, user)
    return PlayerView(user=build_user(user), ratings=ratings, curve=curve, matches=matches, relation=relation)


async def load_relation(services: AppServices, viewer: User, user: User) -> RelationView:
    """Return what is between a viewer and another user: mute, block, and the results against each other."""
    won, drawn, lost = await services.match_repository.count_results(viewer.id, user.id)
    is_blocked = await services.moderation.has_block(viewer.id, user.id)
    is_muted = is_blocked or user.id in await services.users.load_mutes(viewer.id)
    return RelationView(muted=is_muted, blocked=is_blocked, won=won, drawn=drawn, lost=lost)


@router.get("/statistics/first-move")
async def show_statistics(services: ServicesDep) -> list[FirstSeatView]:
    """Return the advantage of the first seat in every game."""
    advantages = await services.ratings.compute_first_seat_advantages()
    return [
        FirstSeatView(game=game, games=entry.games, score=entry.score, points=entry.points, error=entry.error)
        for game, entry in advantages.items()
    ]
