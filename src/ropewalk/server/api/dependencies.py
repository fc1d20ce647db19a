"""Who sends a request: by a cookie, or by a bot's token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response
from starlette.requests import HTTPConnection

from ..db.user_repository import SESSION_MS, User
from ..errors import ApiError
from ..services import AppServices
from .middleware import client_address
from .rate_limit import TokenBucketLimiter

SESSION_COOKIE = "ropewalk_session"
MAX_TOKEN_LENGTH = 100


def get_services(connection: HTTPConnection) -> AppServices:
    """The house that this application serves."""
    services: AppServices = connection.app.state.services
    return services


def get_limiter(connection: HTTPConnection) -> TokenBucketLimiter:
    """How much is taken from one visitor."""
    limiter: TokenBucketLimiter = connection.app.state.limiter
    return limiter


ServicesDep = Annotated[AppServices, Depends(get_services)]
LimiterDep = Annotated[TokenBucketLimiter, Depends(get_limiter)]


def read_token(connection: HTTPConnection) -> str | None:
    """The secret that a visitor shows: a token, or the cookie."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    secret = token.strip() if kind.lower() == "bearer" else connection.cookies.get(SESSION_COOKIE)
    return secret if secret and len(secret) <= MAX_TOKEN_LENGTH else None


async def optional_user(connection: HTTPConnection, services: ServicesDep) -> User | None:
    """The user, None for somebody whom we do not know."""
    secret = read_token(connection)
    return None if secret is None else await services.users.find_by_session(secret)


OptionalUser = Annotated[User | None, Depends(optional_user)]


async def require_user(user: OptionalUser) -> User:
    """The user; who has none is refused."""
    if user is None:
        raise ApiError("no-session", "nobody knows you here yet: POST /api/guests gives you a name")
    return user


CurrentUser = Annotated[User, Depends(require_user)]


async def user_or_guest(
    connection: HTTPConnection, response: Response, user: OptionalUser, services: ServicesDep, limiter: LimiterDep
) -> User:
    """The user; who has none gets a guest's name and a cookie."""
    if user is not None:
        return user
    limiter.consume("guests", client_address(connection.scope))
    guest = await services.users.add_guest()
    set_cookie(connection, response, await services.users.open_session(guest))
    return guest


UserOrGuest = Annotated[User, Depends(user_or_guest)]


def set_cookie(connection: HTTPConnection, response: Response, secret: str) -> None:
    """A cookie that no script can read and no other site can send."""
    secure = connection.url.scheme == "https"
    response.set_cookie(SESSION_COOKIE, secret, max_age=SESSION_MS // 1000, httponly=True, samesite="lax", secure=secure)
