"""Matches as they are kept: rows to find them by, and their events."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, or_, select

from ..domain.clocks import CLOCK_ADAPTER
from ..domain.events import MatchEvent
from ..domain.match import MatchConfig
from .append_request import LOBBY, CreateMatch, event_from_row
from .database import Database
from .identifiers import hash_token
from .tables import events, matches

MAX_LISTED = 100


@dataclass(frozen=True)
class MatchRecordRow:
    """A match as lists show it."""

    id: str
    config: MatchConfig
    created_by: str
    created_at: int
    seats: tuple[str | None, str | None]
    origin: str  # how it came about: bot, self, invitation, open, user, import
    is_open: bool = False
    status: str = "waiting"
    to_move_user_id: str | None = None
    move_deadline_ms: int | None = None
    winner_seat: int | None = None
    end_reason: str | None = None
    ended_at: int | None = None
    rematch_of: str | None = None
    reserved_for: str | None = None  # the free seat is for this user

    def seats_of(self, user: str) -> tuple[int, ...]:
        """The seats that a user has taken."""
        return tuple(seat for seat, owner in enumerate(self.seats) if owner == user)

    @property
    def is_listed(self) -> bool:
        """Whether strangers find it in the lobby; anybody who has its address may watch."""
        return self.origin in ("bot", "open", "user")


class MatchRepository:
    """Finds matches."""

    def __init__(self, database: Database) -> None:
        self.database = database

    async def find(self, match_id: str) -> MatchRecordRow | None:
        """A match by its id."""
        return await self.find_first(select(matches).where(matches.c.id == match_id))

    async def find_by_invitation(self, secret: str) -> MatchRecordRow | None:
        """The match that an invitation is for."""
        return await self.find_first(select(matches).where(matches.c.invitation == hash_token(secret)))

    async def find_first(self, wanted: Select[Any]) -> MatchRecordRow | None:
        """One match, if there is any."""
        return next(iter(await self.list_rows(wanted.limit(1))), None)

    async def list_rows(self, wanted: Select[Any]) -> list[MatchRecordRow]:
        """Matches that a query finds."""
        async with self.database.read_connection() as connection:
            return [match_from_row(row) for row in await connection.execute(wanted)]

    async def load_events(self, match_id: str, after: int = 0, most: int | None = None) -> list[MatchEvent]:
        """The events of a match, or of the lobby, after a number; the last ones if there are too many."""
        wanted = select(events).where(events.c.match_id == match_id, events.c.number > after)
        wanted = wanted.order_by(events.c.number.desc()).limit(most) if most else wanted.order_by(events.c.number)
        async with self.database.read_connection() as connection:
            found = [event_from_row(row) for row in await connection.execute(wanted)]
        return sorted(found, key=lambda event: event.seq)

    async def last_lobby_seq(self) -> int:
        """The number of the last event of the lobby."""
        last = await self.load_events(LOBBY, most=1)
        return last[0].seq if last else 0

    # Lists

    async def list_challenges(self) -> list[MatchRecordRow]:
        """Matches that wait for anybody, the oldest first."""
        wanted = select(matches).where(matches.c.status == "waiting", matches.c.is_open)
        return await self.list_rows(wanted.order_by(matches.c.created_at).limit(MAX_LISTED))

    async def list_in_progress(self) -> list[MatchRecordRow]:
        """Matches that go on, the newest first."""
        wanted = select(matches).where(matches.c.status == "playing").order_by(matches.c.created_at.desc())
        return [row for row in await self.list_rows(wanted.limit(MAX_LISTED)) if row.is_listed]

    async def list_by_user(self, user: str, most: int, before: int | None = None) -> list[MatchRecordRow]:
        """A user's matches, the newest first."""
        wanted = select(matches).where(or_(matches.c.seat0 == user, matches.c.seat1 == user))
        if before is not None:
            wanted = wanted.where(matches.c.created_at < before)
        return await self.list_rows(wanted.order_by(matches.c.created_at.desc()).limit(most))

    async def list_overdue(self, now: int) -> list[MatchRecordRow]:
        """Matches in which a flag has fallen."""
        wanted = select(matches).where(matches.c.status == "playing", matches.c.deadline <= now)
        return await self.list_rows(wanted.order_by(matches.c.deadline).limit(MAX_LISTED))

    async def list_waiting_for(self, users: Sequence[str]) -> list[MatchRecordRow]:
        """Matches in which one of these users is to move."""
        seated = or_(matches.c.seat0.in_(users), matches.c.seat1.in_(users))
        playing = matches.c.status == "playing"
        return await self.list_rows(select(matches).where(playing, seated, matches.c.to_move.in_(users)))


def build_create_request(
    row: MatchRecordRow,
    first: Sequence[MatchEvent],
    found_by: Mapping[str, Any],
    lobby: MatchEvent | None,
    secret: str | None,
) -> CreateMatch:
    """A new match as the ledger writes it; `found_by` are the columns that follow from its first events."""
    settings = row.config
    said: dict[str, Any] = {
        "clock": settings.clock.model_dump(),
        "rated": settings.is_rated,
        "position": settings.initial_position,
    }
    said |= {"kind": row.origin, "for": row.reserved_for}
    values: dict[str, Any] = {"id": row.id, "spec": settings.spec, "settings": json.dumps(said)}
    values |= {"creator": row.created_by, "created_at": row.created_at, "rematch_of": row.rematch_of}
    values |= {"invitation": None if secret is None else hash_token(secret)} | dict(found_by)
    return CreateMatch(values, first, lobby)


def match_from_row(row: Any) -> MatchRecordRow:
    """A match from the table."""
    said = json.loads(row.settings)
    clock = CLOCK_ADAPTER.validate_python(said["clock"])
    settings = MatchConfig(row.spec, clock, said["rated"], said["position"])
    return MatchRecordRow(
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
