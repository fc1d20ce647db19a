"""Routes of users: guests, accounts, sessions, mutes, external bots, players and their ratings."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request, Response, status
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from ...db.identifiers import generate_id
from ...db.user_data import delete_user_data, export_user_data
from ...db.user_repository import TOKEN_MS, User, now_ms
from ...domain.usernames import validate_name
from ...errors import ApiError
from ...services import AppServices
from ..client_address import client_address
from ..dependencies import (
    SESSION_COOKIE,
    CurrentUser,
    LimiterDep,
    OptionalUser,
    QuotasDep,
    ServicesDep,
    UserOrGuest,
    read_token,
    set_cookie,
)
from ..match_requests import load_summaries
from ..passwords import hash_password, verify_password
from ..rate_limit import ConnectionLimiter
from ..schemas.matches import BotStreamMessage, MatchSummary, PlayerView, build_event, build_match_state
from ..schemas.users import (
    CreateBotRequest,
    CreateBotResponse,
    Credentials,
    CurrentUserResponse,
    FirstSeatView,
    RatingView,
    build_rating_change,
    build_user,
)

MAX_MATCHES = 50  # in a list
MAX_BOTS = 5  # of an account
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
    """Create an account; a guest keeps their matches."""
    address = client_address(request.scope)
    limiter.consume("passwords", address)
    await quotas.charge_password(address)
    name = validate_name(credentials.name)
    password_hash = await services.executors.passwords.run(address, hash_password, credentials.password)
    if user is not None and user.kind == "guest":
        account = await services.users.upgrade_guest(user, name, password_hash)
    else:
        account = await services.users.add(User(generate_id(), name, "account"), password_hash)
        set_cookie(request, response, await services.users.open_session(account))
    return CurrentUserResponse(user=build_user(account))


@router.post("/sessions", status_code=status.HTTP_201_CREATED)
async def log_in(
    credentials: Credentials,
    request: Request,
    response: Response,
    services: ServicesDep,
    limiter: LimiterDep,
    quotas: QuotasDep,
) -> CurrentUserResponse:
    """Log in to an account."""
    address = client_address(request.scope)
    limiter.consume("passwords", address)
    await quotas.charge_password(address)
    try:
        user, password_hash = await services.users.find_by_name(credentials.name)
    except ApiError as error:
        if error.code != "not-found":
            raise
        user, password_hash = None, None
    passwords = services.executors.passwords
    if not await passwords.run(address, verify_password, password_hash, credentials.password) or user is None:
        raise ApiError("wrong-password", "wrong user name or password")
    set_cookie(request, response, await services.users.open_session(user))
    return CurrentUserResponse(user=build_user(user))


@router.delete("/sessions/current")
async def log_out(request: Request, response: Response, services: ServicesDep) -> CurrentUserResponse:
    """End the current session; its cookie is invalid afterwards."""
    token = read_token(request)
    if token is not None:
        await services.users.close_session(token)
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
    return CurrentUserResponse(user=build_user(user))


@router.delete("/me/mutes/{user_id}")
async def unmute(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """Show the chat messages of a user again."""
    await services.users.set_mute(user.id, user_id, muted=False)
    return CurrentUserResponse(user=build_user(user))


@router.get("/me/export")
async def export_me(user: CurrentUser, services: ServicesDep) -> dict[str, Any]:
    """Return everything that is stored about you."""
    return await export_user_data(services.database, user)


@router.delete("/me")
async def delete_me(user: CurrentUser, services: ServicesDep, response: Response) -> CurrentUserResponse:
    """Delete your name, password, sessions, ratings and chat messages. Moves stay, because they are the opponent's too."""
    await delete_user_data(services.database, user)
    services.users.invalidate(user.id)
    services.registry.discard_matches_of(user.id)
    response.delete_cookie(SESSION_COOKIE)
    return CurrentUserResponse(user=None)


# External bots


@router.post("/bots", status_code=status.HTTP_201_CREATED, tags=["bots"])
async def add_bot(
    request: CreateBotRequest, user: CurrentUser, services: ServicesDep, limiter: LimiterDep
) -> CreateBotResponse:
    """Create an external bot of your account, which every user may challenge by its name."""
    limiter.consume("passwords", user.id)
    if user.kind != "account":
        raise ApiError("not-yours", "only registered accounts can have bots; register first")
    if len(await services.users.list_bots(user.id)) >= MAX_BOTS:
        raise ApiError("too-many", f"an account may have at most {MAX_BOTS} bots", limit=MAX_BOTS)
    bot = await services.users.add(User(generate_id(), validate_name(request.name), "external-bot", owner_id=user.id))
    return CreateBotResponse(bot=build_user(bot), token=await services.users.open_session(bot, TOKEN_MS))


@router.get(
    "/me/events",
    response_class=StreamingResponse,
    responses={status.HTTP_200_OK: {"content": {STREAM_TYPE: {"schema": {"type": "string"}}}}},
    tags=["bots"],
)
async def stream_events(request: Request, user: CurrentUser, services: ServicesDep) -> StreamingResponse:
    """Stream the events of all your matches, one line of JSON each; empty lines are heartbeats."""
    limiter: ConnectionLimiter = request.app.state.connections
    keys = limiter.enter("event streams", client_address(request.scope), user.id)
    return CountedStream(generate_lines(services, user), lambda: limiter.leave(keys))


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


async def generate_lines(services: AppServices, user: User) -> AsyncIterator[str]:
    """Yield the lines of a user's event stream until the server stops."""
    async for update in services.user_streams.subscribe(user.id):
        if services.is_stopping:
            return
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
            state=build_match_state(match.state, now_ms(), None),
        )
        yield message.model_dump_json(warnings=False) + "\n"


# Players


@router.get("/players/{name}")
async def show_player(name: Annotated[str, Path(min_length=1, max_length=40)], services: ServicesDep) -> PlayerView:
    """Return a player with ratings, rating curves and the last matches."""
    user, _ = await services.users.find_by_name(name)
    rows = await services.match_repository.list_by_user(user.id, MAX_MATCHES)
    ratings = [RatingView.model_validate(row, from_attributes=True) for row in await services.ratings.list_by_user(user.id)]
    curve = [build_rating_change(row) for row in await services.ratings.list_changes(user.id)]
    matches = await load_summaries(services, [row for row in rows if row.origin != "self"])
    return PlayerView(user=build_user(user), ratings=ratings, curve=curve, matches=matches)


@router.get("/statistics/first-move")
async def show_statistics(services: ServicesDep) -> list[FirstSeatView]:
    """Return the advantage of the first seat in every game."""
    advantages = await services.ratings.compute_first_seat_advantages()
    return [
        FirstSeatView(game=game, games=entry.games, score=entry.score, points=entry.points, error=entry.error)
        for game, entry in advantages.items()
    ]
