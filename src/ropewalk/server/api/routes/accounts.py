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
from ..dependencies import COOKIE, Known, TheHouse, TheRates, Visitor, Welcome, secret_of, set_cookie
from ..middleware import address
from ..schemas.matches import MatchSummary, UserView, user_view
from .matches import summaries

SHORTEST_PASSWORD, LONGEST_PASSWORD = 8, 200
MOST_MATCHES = 50
UserId = Annotated[str, Path(min_length=1, max_length=24, pattern=r"^[0-9a-z-]+$")]
router = APIRouter(prefix="/api", tags=["people"])


class Me(BaseModel):
    """Who you are here, null for somebody new."""

    user: UserView | None


class Credentials(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    password: str = Field(min_length=1, max_length=LONGEST_PASSWORD)


@router.get("/me")
async def show_me(user: Visitor) -> Me:
    """Who you are."""
    return Me(user=None if user is None else user_view(user))


@router.post("/guests", status_code=status.HTTP_201_CREATED)
async def become_guest(user: Welcome) -> Me:
    """Get a name and a cookie; who has one keeps it."""
    return Me(user=user_view(user))


@router.post("/accounts", status_code=status.HTTP_201_CREATED)
async def register(
    wish: Credentials, request: Request, response: Response, user: Visitor, house: TheHouse, rates: TheRates
) -> Me:
    """Get an account; a guest keeps their games."""
    rates.take("passwords", address(request.scope))
    name, password = validate_name(wish.name), await asyncio.to_thread(password_hash, wish.password)
    if user is not None and user.kind == "guest":
        member = await house.people.upgrade_guest(user, name, password)
    else:
        member = await house.people.add(User(generate_id(), name, "account"), password)
        set_cookie(request, response, await house.people.open_session(member))
    return Me(user=user_view(member))


@router.post("/sessions", status_code=status.HTTP_201_CREATED)
async def log_in(wish: Credentials, request: Request, response: Response, house: TheHouse, rates: TheRates) -> Me:
    """Come back to an account."""
    rates.take("passwords", address(request.scope))
    wrong = ApiError("wrong-password", "there is no account of this name with this password")
    try:
        user, password = await house.people.find_by_name(wish.name)
    except ApiError as refusal:
        if refusal.code != "not-found":
            raise
        user, password = None, None
    if not await asyncio.to_thread(matches_hash, password, wish.password) or user is None:
        raise wrong
    set_cookie(request, response, await house.people.open_session(user))
    return Me(user=user_view(user))


@router.delete("/sessions/mine")
async def log_out(request: Request, response: Response, house: TheHouse) -> Me:
    """Leave; the cookie is worth nothing afterwards."""
    secret = secret_of(request)
    if secret is not None:
        await house.people.close_session(secret)
    response.delete_cookie(COOKIE)
    return Me(user=None)


@router.get("/me/matches")
async def list_my_matches(user: Known, house: TheHouse, before: int | None = None) -> list[MatchSummary]:
    """Your matches, the newest first; `before` is the `created_at` of the last one that you have."""
    return await summaries(house, await house.archive.list_by_user(user.id, MOST_MATCHES, before))


@router.put("/me/mutes/{user_id}")
async def mute(user_id: UserId, user: Known, house: TheHouse) -> Me:
    """Hear no more of what somebody says."""
    if await house.people.find(user_id) is None:
        raise ApiError("not-found", "there is no such user")
    await house.people.set_mute(user.id, user_id, silent=True)
    return Me(user=user_view(user))


@router.delete("/me/mutes/{user_id}")
async def unmute(user_id: UserId, user: Known, house: TheHouse) -> Me:
    """Hear somebody again."""
    await house.people.set_mute(user.id, user_id, silent=False)
    return Me(user=user_view(user))


@router.get("/me/data")
async def export_me(user: Known, house: TheHouse) -> dict[str, Any]:
    """Everything that is kept of you."""
    return await export_user_data(house.database, user)


@router.delete("/me")
async def erase_me(user: Known, house: TheHouse, response: Response) -> Me:
    """Be forgotten: name, password, sessions, ratings and words. Moves stay, for they are the other player's too."""
    await delete_user_data(house.database, user)
    house.people.invalidate(user.id)
    house.tables.forget_matches_of(user.id)
    response.delete_cookie(COOKIE)
    return Me(user=None)


def password_hash(password: str) -> str:
    """What is stored of a password."""
    from argon2 import PasswordHasher

    if len(password) < SHORTEST_PASSWORD:
        words = f"a password has at least {SHORTEST_PASSWORD} characters, this one {len(password)}"
        raise ApiError("weak-password", words, limit=SHORTEST_PASSWORD)
    return PasswordHasher().hash(password)


NO_PASSWORD = "$argon2id$v=19$m=65536,t=3,p=4$" + "c29tZXNhbHRzb21lc2FsdA$" + "A" * 43  # nobody's: takes as long to refuse


def matches_hash(stored: str | None, password: str) -> bool:
    """Whether a password is the one that was stored; that there is none takes as long to find out."""
    from argon2 import PasswordHasher
    from argon2.exceptions import Argon2Error, InvalidHashError

    try:
        return PasswordHasher().verify(stored or NO_PASSWORD, password)
    except (Argon2Error, InvalidHashError):
        return False
