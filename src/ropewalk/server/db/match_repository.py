"""Matches as they are kept: rows to find them by, and their events."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, or_, select

from ..domain.clocks import CLOCK_SETTINGS
from ..domain.events import Event
from ..domain.match import MatchSettings
from .append_request import LOBBY, Creation, event_of
from .database import Database
from .secrets import hashed
from .tables import events, matches

MOST_LISTED = 100


@dataclass(frozen=True)
class MatchRow:
    """A match as lists show it."""

    id: str
    settings: MatchSettings
    creator: str
    created_at: int
    seats: tuple[str | None, str | None]
    kind: str  # how it came about: bot, self, invitation, open, user, import
    is_open: bool = False
    status: str = "waiting"
    to_move: str | None = None
    deadline: int | None = None
    winner: int | None = None
    reason: str | None = None
    ended_at: int | None = None
    rematch_of: str | None = None
    reserved: str | None = None  # the free seat is for this user

    def seats_of(self, user: str) -> tuple[int, ...]:
        """The seats that a user has taken."""
        return tuple(seat for seat, owner in enumerate(self.seats) if owner == user)

    @property
    def is_listed(self) -> bool:
        """Whether strangers find it in the lobby; anybody who has its address may watch."""
        return self.kind in ("bot", "open", "user")


class Archive:
    """Finds matches."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, match: str) -> MatchRow | None:
        """A match by its id."""
        return await self.first(select(matches).where(matches.c.id == match))

    async def invited(self, secret: str) -> MatchRow | None:
        """The match that an invitation is for."""
        return await self.first(select(matches).where(matches.c.invitation == hashed(secret)))

    async def first(self, wanted: Select[Any]) -> MatchRow | None:
        """One match, if there is any."""
        return next(iter(await self.select(wanted.limit(1))), None)

    async def select(self, wanted: Select[Any]) -> list[MatchRow]:
        """Matches that a query finds."""
        async with self.database.reading() as connection:
            return [match_row(row) for row in await connection.execute(wanted)]

    async def events(self, match: str, after: int = 0, most: int | None = None) -> list[Event]:
        """The events of a match, or of the lobby, after a number; the last ones if there are too many."""
        wanted = select(events).where(events.c.match_id == match, events.c.number > after)
        wanted = wanted.order_by(events.c.number.desc()).limit(most) if most else wanted.order_by(events.c.number)
        async with self.database.reading() as connection:
            found = [event_of(row) for row in await connection.execute(wanted)]
        return sorted(found, key=lambda event: event.number)

    async def last_lobby_event(self) -> int:
        """The number of the last event of the lobby."""
        last = await self.events(LOBBY, most=1)
        return last[0].number if last else 0

    # Lists

    async def challenges(self) -> list[MatchRow]:
        """Matches that wait for anybody, the oldest first."""
        wanted = select(matches).where(matches.c.status == "waiting", matches.c.is_open)
        return await self.select(wanted.order_by(matches.c.created_at).limit(MOST_LISTED))

    async def playing(self) -> list[MatchRow]:
        """Matches that go on, the newest first."""
        wanted = select(matches).where(matches.c.status == "playing").order_by(matches.c.created_at.desc())
        return [row for row in await self.select(wanted.limit(MOST_LISTED)) if row.is_listed]

    async def of_user(self, user: str, most: int, before: int | None = None) -> list[MatchRow]:
        """A user's matches, the newest first."""
        wanted = select(matches).where(or_(matches.c.seat0 == user, matches.c.seat1 == user))
        if before is not None:
            wanted = wanted.where(matches.c.created_at < before)
        return await self.select(wanted.order_by(matches.c.created_at.desc()).limit(most))

    async def overdue(self, now: int) -> list[MatchRow]:
        """Matches in which a flag has fallen."""
        wanted = select(matches).where(matches.c.status == "playing", matches.c.deadline <= now)
        return await self.select(wanted.order_by(matches.c.deadline).limit(MOST_LISTED))

    async def waiting_for(self, users: Sequence[str]) -> list[MatchRow]:
        """Matches in which one of these users is to move."""
        seated = or_(matches.c.seat0.in_(users), matches.c.seat1.in_(users))
        playing = matches.c.status == "playing"
        return await self.select(select(matches).where(playing, seated, matches.c.to_move.in_(users)))


def creation_of(
    row: MatchRow, first: Sequence[Event], found_by: Mapping[str, Any], lobby: Event | None, secret: str | None
) -> Creation:
    """A new match as the ledger writes it; `found_by` are the columns that follow from its first events."""
    settings = row.settings
    said: dict[str, Any] = {"clock": settings.clock.model_dump(), "rated": settings.rated, "position": settings.position}
    said |= {"kind": row.kind, "for": row.reserved}
    values: dict[str, Any] = {"id": row.id, "spec": settings.spec, "settings": json.dumps(said)}
    values |= {"creator": row.creator, "created_at": row.created_at, "rematch_of": row.rematch_of}
    values |= {"invitation": None if secret is None else hashed(secret)} | dict(found_by)
    return Creation(values, first, lobby)


def match_row(row: Any) -> MatchRow:
    """A match from the table."""
    said = json.loads(row.settings)
    clock = CLOCK_SETTINGS.validate_python(said["clock"])
    settings = MatchSettings(row.spec, clock, said["rated"], said["position"])
    return MatchRow(
        row.id,
        settings,
        row.creator,
        row.created_at,
        (row.seat0, row.seat1),
        said["kind"],
        row.is_open,
        row.status,
        row.to_move,
        row.deadline,
        row.winner,
        row.reason,
        row.ended_at,
        row.rematch_of,
        said["for"],
    )
