"""Who sends a request: by a cookie, or by a bot's token."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Response
from starlette.requests import HTTPConnection

from ..db.user_repository import SESSION_MS, User
from ..errors import ApiError
from ..services import House
from .middleware import address
from .rate_limit import Rates

COOKIE = "ropewalk"
LONGEST_SECRET = 100


def the_house(connection: HTTPConnection) -> House:
    """The house that this application serves."""
    house: House = connection.app.state.house
    return house


def the_rates(connection: HTTPConnection) -> Rates:
    """How much is taken from one visitor."""
    rates: Rates = connection.app.state.rates
    return rates


TheHouse = Annotated[House, Depends(the_house)]
TheRates = Annotated[Rates, Depends(the_rates)]


def secret_of(connection: HTTPConnection) -> str | None:
    """The secret that a visitor shows: a token, or the cookie."""
    kind, _, token = connection.headers.get("authorization", "").partition(" ")
    secret = token.strip() if kind.lower() == "bearer" else connection.cookies.get(COOKIE)
    return secret if secret and len(secret) <= LONGEST_SECRET else None


async def visitor(connection: HTTPConnection, house: TheHouse) -> User | None:
    """The user, None for somebody whom we do not know."""
    secret = secret_of(connection)
    return None if secret is None else await house.people.find_by_session(secret)


Visitor = Annotated[User | None, Depends(visitor)]


async def known(user: Visitor) -> User:
    """The user; who has none is refused."""
    if user is None:
        raise ApiError("no-session", "nobody knows you here yet: POST /api/guests gives you a name")
    return user


Known = Annotated[User, Depends(known)]


async def welcome(connection: HTTPConnection, response: Response, user: Visitor, house: TheHouse, rates: TheRates) -> User:
    """The user; who has none gets a guest's name and a cookie."""
    if user is not None:
        return user
    rates.take("guests", address(connection.scope))
    guest = await house.people.add_guest()
    set_cookie(connection, response, await house.people.open_session(guest))
    return guest


Welcome = Annotated[User, Depends(welcome)]


def set_cookie(connection: HTTPConnection, response: Response, secret: str) -> None:
    """A cookie that no script can read and no other site can send."""
    secure = connection.url.scheme == "https"
    response.set_cookie(COOKIE, secret, max_age=SESSION_MS // 1000, httponly=True, samesite="lax", secure=secure)
