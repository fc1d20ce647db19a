"""Routes of an account: password, sessions, external bots and their tokens."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Request, Response, status

from ...db.identifiers import generate_id
from ...db.session_repository import SESSION_ID_LENGTH
from ...db.user_repository import User
from ...domain.usernames import validate_name
from ...errors import ApiError
from ...services import AppServices
from ..dependencies import (
    CurrentSession,
    CurrentUser,
    LimiterDep,
    LoginBackoffDep,
    QuotasDep,
    ServicesDep,
    charge_password_attempt,
    rotate_session,
)
from ..erasure import erase_user
from ..passwords import hash_password, verify_password
from ..schemas.users import (
    BotView,
    ChangePasswordRequest,
    CreateBotRequest,
    CreateBotResponse,
    CurrentUserResponse,
    SessionView,
    build_session,
    build_user,
)

MAX_BOTS = 5  # of an account
MAX_TOKENS = 5  # of a bot
SessionId = Annotated[str, Path(min_length=SESSION_ID_LENGTH, max_length=SESSION_ID_LENGTH, pattern="^[0-9a-f]+$")]
BotId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
router = APIRouter(prefix="/api", tags=["people"])


@router.put("/me/password")
async def change_password(
    passwords: ChangePasswordRequest,
    request: Request,
    response: Response,
    user: CurrentUser,
    services: ServicesDep,
    limiter: LimiterDep,
    quotas: QuotasDep,
    backoff: LoginBackoffDep,
) -> CurrentUserResponse:
    """Change your password; all other sessions end, and this one gets a new cookie."""
    address = await charge_password_attempt(request, limiter, quotas)
    require_account(user)
    _, password_hash = await services.users.find_by_name(user.name)
    backoff.begin(f"change {user.id}")
    executor = services.executors.passwords
    if not await executor.run(address, verify_password, password_hash, passwords.current_password):
        raise ApiError("wrong-password", "the current password is wrong")
    backoff.succeed(f"change {user.id}")
    new_hash = await executor.run(address, hash_password, passwords.new_password, user.name)
    await services.users.set_password(user.id, new_hash)
    await services.sessions.end_all([user.id])
    await rotate_session(request, response, services, user)
    return CurrentUserResponse(user=build_user(user))


@router.get("/me/sessions")
async def list_sessions(session: CurrentSession, services: ServicesDep) -> list[SessionView]:
    """Return your sessions, the last used first."""
    return [build_session(each, session.id) for each in await services.sessions.list_by_user(session.user.id)]


@router.delete("/me/sessions/{session_id}")
async def end_session(session_id: SessionId, session: CurrentSession, services: ServicesDep) -> list[SessionView]:
    """End one of your sessions. Returns those that are left."""
    await services.sessions.end_one(session.user.id, session_id)
    return await list_sessions(session, services)


@router.delete("/me/sessions")
async def end_other_sessions(session: CurrentSession, services: ServicesDep) -> list[SessionView]:
    """End all your sessions but this one."""
    await services.sessions.end_others(session)
    return await list_sessions(session, services)


# External bots


@router.post("/bots", status_code=status.HTTP_201_CREATED, tags=["bots"])
async def add_bot(
    request: CreateBotRequest, user: CurrentUser, services: ServicesDep, limiter: LimiterDep
) -> CreateBotResponse:
    """Create an external bot of your account, which every user may challenge by its name."""
    limiter.consume("passwords", user.id)
    require_account(user)
    if len(await services.users.list_bots(user.id)) >= MAX_BOTS:
        raise ApiError("too-many", f"an account may have at most {MAX_BOTS} bots", limit=MAX_BOTS)
    bot = await services.users.add(User(generate_id(), validate_name(request.name), "external-bot", owner_id=user.id))
    return CreateBotResponse(bot=build_user(bot), token=await services.sessions.open_session(bot))


@router.get("/me/bots", tags=["bots"])
async def list_bots(user: CurrentUser, services: ServicesDep) -> list[BotView]:
    """Return your bots with their tokens."""
    return [await load_bot_view(services, bot) for bot in await services.users.list_bots(user.id)]


@router.delete("/me/bots/{bot_id}", tags=["bots"])
async def delete_bot(bot_id: BotId, user: CurrentUser, services: ServicesDep) -> list[BotView]:
    """Delete a bot of yours; its moves stay. Returns the bots that are left."""
    await erase_user(services, await require_own_bot(services, bot_id, user))
    return await list_bots(user, services)


@router.post("/me/bots/{bot_id}/tokens", status_code=status.HTTP_201_CREATED, tags=["bots"])
async def create_token(bot_id: BotId, user: CurrentUser, services: ServicesDep, limiter: LimiterDep) -> CreateBotResponse:
    """Create a further token of a bot of yours; it is shown only once."""
    limiter.consume("passwords", user.id)
    bot = await require_own_bot(services, bot_id, user)
    if len(await services.sessions.list_by_user(bot.id)) >= MAX_TOKENS:
        raise ApiError("too-many", f"a bot may have at most {MAX_TOKENS} tokens; revoke one first", limit=MAX_TOKENS)
    return CreateBotResponse(bot=build_user(bot), token=await services.sessions.open_session(bot))


@router.delete("/me/bots/{bot_id}/tokens/{token_id}", tags=["bots"])
async def revoke_token(bot_id: BotId, token_id: SessionId, user: CurrentUser, services: ServicesDep) -> BotView:
    """Revoke a token of a bot of yours; its streams and sockets are closed."""
    bot = await require_own_bot(services, bot_id, user)
    await services.sessions.end_one(bot.id, token_id)
    return await load_bot_view(services, bot)


def require_account(user: User) -> None:
    """Raise ApiError `not-yours` unless the user is a registered account."""
    if user.kind != "account":
        raise ApiError("not-yours", "only registered accounts can do this; register first")


async def require_own_bot(services: AppServices, bot_id: str, user: User) -> User:
    """Return a bot of a user. Raises ApiError `not-found`."""
    bot = next((bot for bot in await services.users.list_bots(user.id) if bot.id == bot_id), None)
    if bot is None:
        raise ApiError("not-found", "bot not found")
    return bot


async def load_bot_view(services: AppServices, bot: User) -> BotView:
    """Return a bot with its tokens."""
    tokens = [build_session(each, None) for each in await services.sessions.list_by_user(bot.id)]
    return BotView(bot=build_user(bot), tokens=tokens)
