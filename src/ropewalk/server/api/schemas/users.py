"""Models of users, sessions, bots and ratings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ...domain.usernames import DELETED_NAME
from ..passwords import MAX_PASSWORD_LENGTH

if TYPE_CHECKING:
    from ...db.session_repository import SessionDetails
    from ...db.user_repository import User


class UserView(BaseModel):
    """A user: a person, an external bot or a built-in bot."""

    id: str
    name: str
    kind: Literal["guest", "account", "external-bot", "builtin-bot", "deleted"]
    level: int | None = None


class CurrentUserResponse(BaseModel):
    """The current user, null without a session."""

    user: UserView | None


class Credentials(BaseModel):
    """A name and a password."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)
    password: str = Field(min_length=1, max_length=MAX_PASSWORD_LENGTH)


class CreateBotRequest(BaseModel):
    """The name of a new bot."""

    model_config = ConfigDict(extra="forbid")
    name: str = Field(min_length=1, max_length=100)


class CreateBotResponse(BaseModel):
    """A bot and its token, which is shown only once: send it as `Authorization: Bearer TOKEN`."""

    bot: UserView
    token: str


class ChangePasswordRequest(BaseModel):
    """The current password and a new one."""

    model_config = ConfigDict(extra="forbid")
    current_password: str = Field(min_length=1, max_length=MAX_PASSWORD_LENGTH)
    new_password: str = Field(min_length=1, max_length=MAX_PASSWORD_LENGTH)


class SessionView(BaseModel):
    """A session of yours, or a token of your bot."""

    id: str
    created_at: int
    last_used_at: int
    expires_at: int
    client: str | None = Field(description="browser and system in words; null if unknown")
    is_current: bool


class BotView(BaseModel):
    """A bot of yours with its tokens."""

    bot: UserView
    tokens: list[SessionView]


class RatingView(BaseModel):
    """A Glicko-2 rating: the strength lies within two deviations with 95 % probability."""

    game: str
    pool: str = Field(description="people, or bots: matches with at least one bot")
    rating: float
    deviation: float
    games: int


class RatingChangeView(BaseModel):
    """A point of a rating curve."""

    game: str
    pool: str
    match_id: str | None = Field(description="null for a private match of others")
    seat: int
    timestamp_ms: int
    rating_before: float
    rating_after: float
    deviation: float
    score: float


class FirstSeatView(BaseModel):
    """The advantage of the first seat in a game."""

    game: str
    games: int
    score: float = Field(description="of the first seat, from 0 to 1")
    points: float = Field(description="the score as a difference of ratings")
    error: float = Field(description="of the points: half the width of the 95 % confidence interval")


def build_rating_change(row: Any, *, is_match_visible: bool) -> RatingChangeView:
    """Return the view of a row of `rating_changes`."""
    return RatingChangeView(
        game=row.game,
        pool=row.pool,
        match_id=row.match_id if is_match_visible else None,
        seat=row.seat,
        timestamp_ms=row.timestamp_ms,
        rating_before=row.rating_before,
        rating_after=row.rating_after,
        deviation=row.deviation,
        score=row.score,
    )


def build_user(user: User) -> UserView:
    """Return the view of a user."""
    return UserView.model_construct(id=user.id, name=user.name, kind=user.kind, level=user.level)


def build_session(session: SessionDetails, current_id: str | None) -> SessionView:
    """Return the view of a session; `current_id` is the one of the request."""
    return SessionView(
        id=session.id,
        created_at=session.created_at,
        last_used_at=session.last_used_at,
        expires_at=session.expires_at,
        client=session.client,
        is_current=session.id == current_id,
    )


def build_known_user(users: Mapping[str, User], user_id: str | None) -> UserView | None:
    """Return the view of a user by their id, None for a free seat."""
    if user_id is None:
        return None
    return build_user(users[user_id]) if user_id in users else UserView(id=user_id, name=DELETED_NAME, kind="deleted")
