"""Who one is: guest, account, sessions."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request, Response, status
from pydantic import BaseModel, ConfigDict, Field

from ...db.own_data import delete_user_data, export_user_data
from ...db.secrets import generate_id
from ...db.user_repository import User
from ...domain.usernames import validate_name
from ...errors import ApiError
from ..dependencies import (
    SESSION_COOKIE,
    CurrentUser,
    LimiterDep,
    OptionalUser,
    ServicesDep,
    UserOrGuest,
    read_token,
    set_cookie,
)
from ..middleware import client_address
from ..schemas.matches import MatchSummary, UserView, build_user
from .matches import build_summaries

MIN_PASSWORD_LENGTH, MAX_PASSWORD_LENGTH = 8, 200
MAX_MATCHES = 50
UserId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
router = APIRouter(prefix="/api", tags=["people"])


class CurrentUserResponse(BaseModel):
    """Who you are here, null for somebody new."""

    user: UserView | None


class Credentials(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    password: str = Field(min_length=1, max_length=MAX_PASSWORD_LENGTH)


@router.get("/me")
async def show_me(user: OptionalUser) -> CurrentUserResponse:
    """Who you are."""
    return CurrentUserResponse(user=None if user is None else build_user(user))


@router.post("/guests", status_code=status.HTTP_201_CREATED)
async def create_guest(user: UserOrGuest) -> CurrentUserResponse:
    """Get a name and a cookie; who has one keeps it."""
    return CurrentUserResponse(user=build_user(user))


@router.post("/accounts", status_code=status.HTTP_201_CREATED)
async def register(
    wish: Credentials, request: Request, response: Response, user: OptionalUser, services: ServicesDep, limiter: LimiterDep
) -> CurrentUserResponse:
    """Get an account; a guest keeps their games."""
    limiter.consume("passwords", client_address(request.scope))
    name, password = validate_name(wish.name), await asyncio.to_thread(hash_password, wish.password)
    if user is not None and user.kind == "guest":
        member = await services.users.upgrade_guest(user, name, password)
    else:
        member = await services.users.add(User(generate_id(), name, "account"), password)
        set_cookie(request, response, await services.users.open_session(member))
    return CurrentUserResponse(user=build_user(member))


@router.post("/sessions", status_code=status.HTTP_201_CREATED)
async def log_in(
    wish: Credentials, request: Request, response: Response, services: ServicesDep, limiter: LimiterDep
) -> CurrentUserResponse:
    """Come back to an account."""
    limiter.consume("passwords", client_address(request.scope))
    wrong = ApiError("wrong-password", "there is no account of this name with this password")
    try:
        user, password = await services.users.find_by_name(wish.name)
    except ApiError as refusal:
        if refusal.code != "not-found":
            raise
        user, password = None, None
    if not await asyncio.to_thread(verify_password, password, wish.password) or user is None:
        raise wrong
    set_cookie(request, response, await services.users.open_session(user))
    return CurrentUserResponse(user=build_user(user))


@router.delete("/sessions/mine")
async def log_out(request: Request, response: Response, services: ServicesDep) -> CurrentUserResponse:
    """Leave; the cookie is worth nothing afterwards."""
    secret = read_token(request)
    if secret is not None:
        await services.users.close_session(secret)
    response.delete_cookie(SESSION_COOKIE)
    return CurrentUserResponse(user=None)


@router.get("/me/matches")
async def list_my_matches(user: CurrentUser, services: ServicesDep, before: int | None = None) -> list[MatchSummary]:
    """Your matches, the newest first; `before` is the `created_at` of the last one that you have."""
    return await build_summaries(services, await services.match_repository.list_by_user(user.id, MAX_MATCHES, before))


@router.put("/me/mutes/{user_id}")
async def mute(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """Hear no more of what somebody says."""
    if await services.users.find(user_id) is None:
        raise ApiError("not-found", "there is no such user")
    await services.users.set_mute(user.id, user_id, silent=True)
    return CurrentUserResponse(user=build_user(user))


@router.delete("/me/mutes/{user_id}")
async def unmute(user_id: UserId, user: CurrentUser, services: ServicesDep) -> CurrentUserResponse:
    """Hear somebody again."""
    await services.users.set_mute(user.id, user_id, silent=False)
    return CurrentUserResponse(user=build_user(user))


@router.get("/me/data")
async def export_me(user: CurrentUser, services: ServicesDep) -> dict[str, Any]:
    """Everything that is kept of you."""
    return await export_user_data(services.database, user)


@router.delete("/me")
async def delete_me(user: CurrentUser, services: ServicesDep, response: Response) -> CurrentUserResponse:
    """Be forgotten: name, password, sessions, ratings and words. Moves stay, for they are the other player's too."""
    await delete_user_data(services.database, user)
    services.users.invalidate(user.id)
    services.matches.discard_matches_of(user.id)
    response.delete_cookie(SESSION_COOKIE)
    return CurrentUserResponse(user=None)


def hash_password(password: str) -> str:
    """What is stored of a password."""
    from argon2 import PasswordHasher

    if len(password) < MIN_PASSWORD_LENGTH:
        words = f"a password has at least {MIN_PASSWORD_LENGTH} characters, this one {len(password)}"
        raise ApiError("weak-password", words, limit=MIN_PASSWORD_LENGTH)
    return PasswordHasher().hash(password)


DUMMY_HASH = "$argon2id$v=19$m=65536,t=3,p=4$" + "c29tZXNhbHRzb21lc2FsdA$" + "A" * 43  # nobody's: takes as long to refuse


def verify_password(stored: str | None, password: str) -> bool:
    """Whether a password is the one that was stored; that there is none takes as long to find out."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return PasswordHasher().verify(stored or DUMMY_HASH, password)
    except (Argon2Error, InvalidHashError):
        return False
