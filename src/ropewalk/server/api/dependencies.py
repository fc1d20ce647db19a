"""Dependencies of routes: the services, the rate limiter, and the user by a session cookie or a bearer token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response, Security
from fastapi.security import APIKeyCookie, HTTPBearer
from starlette.requests import HTTPConnection

from ..db.session_repository import SESSION_MS, UserSession
from ..db.user_repository import User
from ..domain.user_agents import summarise_user_agent
from ..errors import ApiError
from ..services import AppServices
from .client_address import client_address
from .login_backoff import LoginBackoff, sign_device
from .quotas import SharedQuotas
from .rate_limit import TokenBucketLimiter

SESSION_COOKIE = "ropewalk_session"
DEVICE_COOKIE = "ropewalk_device"  # of a browser that has logged in: its login attempts are counted apart
MAX_TOKEN_LENGTH = 100


def get_services(connection: HTTPConnection) -> AppServices:
    """Return the services of the application."""
    services: AppServices = connection.app.state.services
    return services


def get_limiter(connection: HTTPConnection) -> TokenBucketLimiter:
    """Return the rate limiter of the application."""
    limiter: TokenBucketLimiter = connection.app.state.limiter
    return limiter


def get_login_backoff(connection: HTTPConnection) -> LoginBackoff:
    """Return the limits of login attempts of the application."""
    backoff: LoginBackoff = connection.app.state.login_backoff
    return backoff


def get_quotas(connection: HTTPConnection) -> SharedQuotas:
    """Return the quotas of the application."""
    quotas: SharedQuotas = connection.app.state.quotas
    return quotas


ServicesDep = Annotated[AppServices, Depends(get_services)]
LimiterDep = Annotated[TokenBucketLimiter, Depends(get_limiter)]
LoginBackoffDep = Annotated[LoginBackoff, Depends(get_login_backoff)]
QuotasDep = Annotated[SharedQuotas, Depends(get_quotas)]


def read_token(connection: HTTPConnection) -> str | None:
    """Return the session token of a request, from the Authorization header or the cookie; None if there is none."""
    scheme, _, credentials = connection.headers.get("authorization", "").partition(" ")
    token = credentials.strip() if scheme.lower() == "bearer" else connection.cookies.get(SESSION_COOKIE)
    return token if token and len(token) <= MAX_TOKEN_LENGTH else None


async def optional_session(connection: HTTPConnection, services: ServicesDep) -> UserSession | None:
    """Return the session of a request, None without a valid one."""
    token = read_token(connection)
    return None if token is None else await services.sessions.find(token)


OptionalSession = Annotated[UserSession | None, Depends(optional_session)]


async def optional_user(session: OptionalSession) -> User | None:
    """Return the user of the session, None without a valid session."""
    return None if session is None else session.user


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


async def require_session(session: OptionalSession, user: CurrentUser) -> UserSession:
    """Return the session. Raises ApiError `no-session` without a valid one."""
    assert session is not None  # it has this user
    return session


CurrentSession = Annotated[UserSession, Depends(require_session)]


async def user_or_guest(
    connection: HTTPConnection, response: Response, user: OptionalUser, services: ServicesDep, limiter: LimiterDep
) -> User:
    """Return the user of the session; without a valid one, create a guest and set the session cookie."""
    if user is not None:
        return user
    limiter.consume("guests", client_address(connection.scope))
    guest = await services.users.add_guest()
    set_cookie(connection, response, await services.sessions.open_session(guest, read_client(connection)))
    return guest


UserOrGuest = Annotated[User, Depends(user_or_guest)]


async def charge_password_attempt(connection: HTTPConnection, limiter: TokenBucketLimiter, quotas: SharedQuotas) -> str:
    """Count a request with a password, here and on all servers. Returns its address. Raises ApiError `too-many`."""
    address = client_address(connection.scope)
    limiter.consume("passwords", address)
    await quotas.charge_password(address)
    return address


def read_client(connection: HTTPConnection) -> str:
    """Return browser and system of a client in words."""
    return summarise_user_agent(connection.headers.get("user-agent", ""))


def set_cookie(connection: HTTPConnection, response: Response, value: str, name: str = SESSION_COOKIE) -> None:
    """Set a cookie, by default that of the session: scripts cannot read it, nor other sites send it with unsafe requests."""
    secure = connection.scope["scheme"] == "https"  # not by the URL, which contains the Host header as it was sent
    response.set_cookie(name, value, max_age=SESSION_MS // 1000, httponly=True, samesite="lax", secure=secure)


async def rotate_session(connection: HTTPConnection, response: Response, services: AppServices, user: User) -> None:
    """End the session of a request, if it has one; set the cookies of a new session and of a known device of a user."""
    token = read_token(connection)
    if token is not None:
        await services.sessions.end(token)
    set_cookie(connection, response, await services.sessions.open_session(user, read_client(connection)))
    device = sign_device(await services.sessions.load_device_secret(), user.id)
    set_cookie(connection, response, device, DEVICE_COOKIE)


def find_engine_owner(connection: HTTPConnection, user: User | None) -> str:
    """Return who shares the engines with others: an account or a bot by its id, all guests of an address by that.

    A visitor can become any number of guests, and must not get more of the engines by that.
    """
    return client_address(connection.scope) if user is None or user.kind == "guest" else user.id
