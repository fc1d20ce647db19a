"""Dependencies of routes: the services, the rate limiter, and the user by a session cookie or a bearer token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection

from ..db.user_repository import SESSION_MS, User
from ..errors import ApiError
from ..services import AppServices
from .client_address import client_address
from .quotas import SharedQuotas
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


def get_quotas(connection: HTTPConnection) -> SharedQuotas:
    """Return the quotas of the application."""
    quotas: SharedQuotas = connection.app.state.quotas
    return quotas


ServicesDep = Annotated[AppServices, Depends(get_services)]
LimiterDep = Annotated[TokenBucketLimiter, Depends(get_limiter)]
QuotasDep = Annotated[SharedQuotas, Depends(get_quotas)]


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


# Only for the OpenAPI document: `optional_user` reads the token, from the header or the cookie.
COOKIE_SCHEME = APIKeyCookie(
    name=SESSION_COOKIE,
    scheme_name="session",
    description="by POST /api/guests or POST /api/sessions",
    auto_error=False,
)
BEARER_SCHEME = HTTPBearer(scheme_name="token", description="the token of a session or of an external bot", auto_error=False)


async def require_user(
    user: OptionalUser,
    cookie: Annotated[object, Security(COOKIE_SCHEME)],
    bearer: Annotated[object, Security(BEARER_SCHEME)],
) -> User:
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
    secure = connection.scope["scheme"] == "https"  # not by the URL, which contains the Host header as it was sent
    response.set_cookie(SESSION_COOKIE, token, max_age=SESSION_MS // 1000, httponly=True, samesite="lax", secure=secure)
