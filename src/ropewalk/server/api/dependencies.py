"""Dependencies of routes: the services, the rate limiter, and the user by a session cookie or a bearer token."""

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
    """Return the services of the application."""
    services: AppServices = connection.app.state.services
    return services


def get_limiter(connection: HTTPConnection) -> TokenBucketLimiter:
    """Return the rate limiter of the application."""
    limiter: TokenBucketLimiter = connection.app.state.limiter
    return limiter


ServicesDep = Annotated[AppServices, Depends(get_services)]
LimiterDep = Annotated[TokenBucketLimiter, Depends(get_limiter)]


def read_token(connection: HTTPConnection) -> str | None:
    """Return the session token of a request, from the Authorization header or the cookie; None if there is none."""
    scheme, _, credentials = connection.headers.get("authorization", "").partition(" ")
    token = credentials.strip() if scheme.lower() == "bearer" else connection.cookies.get(SESSION_COOKIE)
    return token if token and len(token) <= MAX_TOKEN_LENGTH else None


async def optional_user(connection: HTTPConnection, services: ServicesDep) -> User | None:
    """Return the user of the session, None without a valid session."""
    token = read_token(connection)
    return None if token is None else await services.users.find_by_session(token)


OptionalUser = Annotated[User | None, Depends(optional_user)]


async def require_user(user: OptionalUser) -> User:
    """Return the user of the session. Raises ApiError `no-session` without a valid one."""
    if user is None:
        raise ApiError("no-session", "this request needs a session; create one with POST /api/guests, or log in")
    return user


CurrentUser = Annotated[User, Depends(require_user)]


async def user_or_guest(
    connection: HTTPConnection, response: Response, user: OptionalUser, services: ServicesDep, limiter: LimiterDep
) -> User:
    """Return the user of the session; without a valid one, create a guest and set the session cookie."""
    if user is not None:
        return user
    limiter.consume("guests", client_address(connection.scope))
    guest = await services.users.add_guest()
    set_cookie(connection, response, await services.users.open_session(guest))
    return guest


UserOrGuest = Annotated[User, Depends(user_or_guest)]


def set_cookie(connection: HTTPConnection, response: Response, token: str) -> None:
    """Set the session cookie, which scripts cannot read and other sites cannot send with unsafe requests."""
    secure = connection.url.scheme == "https"
    response.set_cookie(SESSION_COOKIE, token, max_age=SESSION_MS // 1000, httponly=True, samesite="lax", secure=secure)


def find_requester(connection: HTTPConnection, user: User | None) -> str:
    """Return who shares the engines with others: an account or a bot by its id, all guests of an address by that.

    A visitor can become any number of guests, and must not get more of the engines by that.
    """
    return client_address(connection.scope) if user is None or user.kind == "guest" else user.id
