"""The repository of matches: finds and lists them, and loads their events and those of the lobby."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, or_, select

from ..domain.clocks import CLOCK_ADAPTER
from ..domain.events import LobbyEvent, MatchEvent, MatchOrigin
from ..domain.match import MatchConfig
from ..domain.usernames import BUILTIN_BOT_PREFIX, is_builtin_bot_id
from .append_request import CreateMatch
from .batch_loader import BatchLoader, pad_keys
from .database import Database
from .event_reader import PostgresEventReader, StoredLog
from .identifiers import hash_token
from .tables import database_metadata, lobby_events, match_events, matches

MAX_LISTED = 100
MAX_LOADED = 128  # matches that one query loads
SEAT_COLUMNS = (
    (matches.c.seat0_user_id, matches.c.seat1_user_id),  # of a seat, and of the other one
    (matches.c.seat1_user_id, matches.c.seat0_user_id),
)


@dataclass(frozen=True)
class MatchRecordRow:
    """A match as it is stored in a row of `matches`."""

    id: str
    config: MatchConfig
    created_by: str
    created_at: int
    seats: tuple[str | None, str | None]
    origin: MatchOrigin
    is_open: bool = False
    status: str = "waiting"
    to_move_user_id: str | None = None
    move_deadline_ms: int | None = None
    winner_seat: int | None = None
    end_reason: str | None = None
    ended_at: int | None = None
    rematch_of: str | None = None
    reserved_for: str | None = None  # the user for whom the free seat is reserved
    spectator_key: str | None = None  # the secret of the link for spectators
    tournament_id: str | None = None
    opening: str | None = None  # the first moves of a match that is over

    def seats_of(self, user_id: str) -> tuple[int, ...]:
        """Return the seats of a user."""
        return tuple(seat for seat, owner in enumerate(self.seats) if owner == user_id)

    @property
    def is_listed(self) -> bool:
        """Whether the lobby shows the match: it is public, or a challenge that anybody may accept.

        Matches between built-in bots are shown by their tournament only.
        """
        is_public = self.config.is_public and not all(map(is_builtin_bot_id, self.seats))
        return is_public or (self.is_open and self.status == "waiting")

    def is_readable_by(self, user_id: str | None, key: str | None) -> bool:
        """Return whether a user may read the match: it is public, they play in it or are to play, or have the key."""
        if self.config.is_public or (user_id is not None and user_id in (*self.seats, self.reserved_for)):
            return True
        return None not in (key, self.spectator_key) and secrets.compare_digest(
            str(key).encode(), str(self.spectator_key).encode()
        )


class MatchRepository:
    """Finds and lists matches, and loads events."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.event_reader = PostgresEventReader(database)
        self.rows: BatchLoader[str, Any] = BatchLoader(self.load_rows, MAX_LOADED)
        self.logs: BatchLoader[tuple[str, int], StoredLog] = BatchLoader(self.load_logs, MAX_LOADED)

    async def find(self, match_id: str) -> MatchRecordRow | None:
        """Return a match by its id, None if there is none."""
        row = await self.rows.load(match_id)
        return None if row is None else match_from_row(row)

    async def load_rows(self, match_ids: Sequence[str]) -> dict[str, Any]:
        """Return the rows of matches by their ids, not decoded: a damaged one must not affect the others."""
        async with self.database.read_connection() as connection:
            rows = await connection.execute(select(matches).where(matches.c.id.in_(pad_keys(match_ids))))
            return {row.id: row for row in rows}

    async def find_all(self, match_ids: Sequence[str]) -> dict[str, MatchRecordRow]:
        """Return the matches that exist, by their ids."""
        rows = await self.list_rows(select(matches).where(matches.c.id.in_(match_ids))) if match_ids else []
        return {row.id: row for row in rows}

    async def find_by_invitation(self, token: str) -> MatchRecordRow | None:
        """Return the match that an invitation token is for, None if there is none."""
        return await self.find_first(select(matches).where(matches.c.invitation_hash == hash_token(token)))

    async def find_first(self, query: Select[Any]) -> MatchRecordRow | None:
        """Return the first match of a query, None if there is none."""
        return next(iter(await self.list_rows(query.limit(1))), None)

    async def list_rows(self, query: Select[Any]) -> list[MatchRecordRow]:
        """Return the matches of a query."""
        async with self.database.read_connection() as connection:
            return [match_from_row(row) for row in await connection.execute(query)]

    async def load_events(self, match_id: str, after: int = 0) -> list[MatchEvent]:
        """Return the events of a match after a seq."""
        return (await self.load_log(match_id, after))[1]

    async def load_log(self, match_id: str, after: int = 0) -> tuple[str, list[MatchEvent]]:
        """Return the epoch of the database, and the events of a match after a seq.

        Both are read by one statement, so that a backup that is restored meanwhile changes both or neither.
        """
        stored = await self.logs.load((match_id, after))
        assert stored is not None  # also without events
        return stored.epoch, stored.decode(after)

    async def load_logs(self, keys: Sequence[tuple[str, int]]) -> dict[tuple[str, int], StoredLog]:
        """Return the rows of the events of matches after a seq, not decoded: a damaged one must not affect other matches."""
        if self.database.is_sqlite:
            return {key: await self.load_sqlite_log(*key) for key in keys}
        last_seqs: dict[str, int] = {}
        for match_id, after in keys:
            last_seqs[match_id] = min(after, last_seqs.get(match_id, after))
        found = await self.event_reader.read(last_seqs)
        return {key: found[key[0]] for key in keys}

    async def load_sqlite_log(self, match_id: str, after: int) -> StoredLog:
        """Return the rows of the events of one match after a seq."""
        is_wanted = and_(match_events.c.match_id == match_id, match_events.c.seq > after)
        log = database_metadata.outerjoin(match_events, is_wanted)
        query = select(match_events, database_metadata.c.value.label("epoch")).select_from(log)
        query = query.where(database_metadata.c.name == "epoch").order_by(match_events.c.seq)
        async with self.database.read_connection() as connection:
            rows = (await connection.execute(query)).all()
        return StoredLog(str(rows[0].epoch), [row[1:-1] for row in rows if row.seq is not None])

    async def load_lobby_events(self, after: int, limit: int) -> list[LobbyEvent]:
        """Return the events of the lobby after a seq; the last ones if there are more than `limit`."""
        query = select(lobby_events).where(lobby_events.c.seq > after).order_by(lobby_events.c.seq.desc()).limit(limit)
        async with self.database.read_connection() as connection:
            return [LobbyEvent(*row) for row in await connection.execute(query)][::-1]

    async def last_lobby_seq(self) -> int:
        """Return the seq of the last event of the lobby, 0 if there is none."""
        async with self.database.read_connection() as connection:
            return await connection.scalar(select(func.max(lobby_events.c.seq))) or 0

    # Lists

    async def list_challenges(self) -> list[MatchRecordRow]:
        """Return open challenges, the oldest first."""
        query = select(matches).where(matches.c.status == "waiting", matches.c.is_open)
        return await self.list_rows(query.order_by(matches.c.created_at).limit(MAX_LISTED))

    async def list_in_progress(self) -> list[MatchRecordRow]:
        """Return public matches in progress, the newest first, without those between built-in bots."""
        seats = (matches.c.seat0_user_id, matches.c.seat1_user_id)
        has_person = or_(*(~seat.startswith(BUILTIN_BOT_PREFIX) for seat in seats))
        query = select(matches).where(matches.c.status == "playing", matches.c.is_public, has_person)
        return await self.list_rows(query.order_by(matches.c.created_at.desc()).limit(MAX_LISTED))

    async def list_visible(self, user_id: str, viewer_id: str | None, limit: int) -> list[MatchRecordRow]:
        """Return the matches of a user against others that a viewer may read, the newest first."""
        is_visible = matches.c.is_public if viewer_id is None else or_(matches.c.is_public, has_seat(viewer_id))
        query = select(matches).where(has_seat(user_id), is_visible, matches.c.origin != "self")
        return await self.list_rows(query.order_by(matches.c.created_at.desc()).limit(limit))

    async def find_visible_ids(self, match_ids: Sequence[str], viewer_id: str | None) -> set[str]:
        """Return those of the matches that are public or have the viewer as a player."""
        is_visible = matches.c.is_public if viewer_id is None else or_(matches.c.is_public, has_seat(viewer_id))
        async with self.database.read_connection() as connection:
            return set(await connection.scalars(select(matches.c.id).where(matches.c.id.in_(match_ids), is_visible)))

    async def list_by_user(self, user_id: str, limit: int, before: int | None = None) -> list[MatchRecordRow]:
        """Return the matches of a user, the newest first."""
        query = select(matches).where(has_seat(user_id))
        if before is not None:
            query = query.where(matches.c.created_at < before)
        return await self.list_rows(query.order_by(matches.c.created_at.desc()).limit(limit))

    async def list_reserved_for(self, user_id: str) -> list[MatchRecordRow]:
        """Return the matches that wait for a user who was challenged by name, the newest first."""
        query = select(matches).where(matches.c.status == "waiting", matches.c.reserved_for == user_id)
        return await self.list_rows(query.order_by(matches.c.created_at.desc()).limit(MAX_LISTED))

    async def count_results(self, user_id: str, other_id: str) -> tuple[int, int, int]:
        """Return the wins, draws and losses of a user against another one; aborted matches do not count."""
        results = [0, 0, 0]
        async with self.database.read_connection() as connection:
            for seat, (own, other) in enumerate(SEAT_COLUMNS):
                is_counted = (matches.c.status == "over") & (matches.c.end_reason != "abandoned")
                query = select(matches.c.winner_seat, func.count()).where(own == user_id, other == other_id, is_counted)
                for winner, count in await connection.execute(query.group_by(matches.c.winner_seat)):
                    results[1 if winner is None else 0 if winner == seat else 2] += count
        return results[0], results[1], results[2]

    async def list_overdue(self, now: int, excluded: Sequence[str] = ()) -> list[MatchRecordRow]:
        """Return matches in which the seat to move has run out of time, without the excluded ones."""
        query = select(matches).where(matches.c.status == "playing", matches.c.move_deadline_ms <= now)
        query = query.where(matches.c.id.not_in(excluded)) if excluded else query
        return await self.list_rows(query.order_by(matches.c.move_deadline_ms).limit(MAX_LISTED))

    async def list_abandoned_ids(self, oldest: int) -> list[str]:
        """Return matches against built-in bots, without a clock, in which nothing has happened since a time."""
        has_bot = or_(*(seat.startswith(BUILTIN_BOT_PREFIX) for seat in (matches.c.seat0_user_id, matches.c.seat1_user_id)))
        last_at = select(func.max(match_events.c.timestamp_ms)).where(match_events.c.match_id == matches.c.id)
        query = select(matches.c.id).where(
            matches.c.status == "playing",
            matches.c.move_deadline_ms.is_(None),
            matches.c.created_at < oldest,
            has_bot,
            ~matches.c.to_move_user_id.startswith(BUILTIN_BOT_PREFIX),
            last_at.scalar_subquery() < oldest,
        )
        async with self.database.read_connection() as connection:
            return list(await connection.scalars(query.order_by(matches.c.created_at).limit(MAX_LISTED)))

    async def list_waiting_for(self, user_ids: Sequence[str]) -> list[MatchRecordRow]:
        """Return matches in which one of these users is to move."""
        has_seat = or_(matches.c.seat0_user_id.in_(user_ids), matches.c.seat1_user_id.in_(user_ids))
        playing = matches.c.status == "playing"
        return await self.list_rows(select(matches).where(playing, has_seat, matches.c.to_move_user_id.in_(user_ids)))


def has_seat(user_id: str) -> ColumnElement[bool]:
    """Return the condition that a user has a seat in a match."""
    return or_(matches.c.seat0_user_id == user_id, matches.c.seat1_user_id == user_id)


def build_create_request(
    row: MatchRecordRow,
    events: Sequence[MatchEvent],
    index_values: Mapping[str, Any],
    lobby_event: LobbyEvent | None,
    token: str | None,
) -> CreateMatch:
    """Return the request to store a new match; `index_values` are the columns that follow from its first events."""
    values: dict[str, Any] = {
        "id": row.id,
        "spec": row.config.spec,
        "clock": row.config.clock.model_dump_json(),
        "is_rated": row.config.is_rated,
        "initial_position": row.config.initial_position,
        "origin": row.origin,
        "created_by": row.created_by,
        "created_at": row.created_at,
        "reserved_for": row.reserved_for,
        "invitation_hash": None if token is None else hash_token(token),
        "rematch_of": row.rematch_of,
        "spectator_key": row.spectator_key,
        "tournament_id": row.tournament_id,
    }
    return CreateMatch(values | dict(index_values), events, lobby_event)


def match_from_row(row: Any) -> MatchRecordRow:
    """Return the match that a row stores."""
    clock = CLOCK_ADAPTER.validate_json(row.clock)
    return MatchRecordRow(
        id=row.id,
        config=MatchConfig(row.spec, clock, row.is_rated, row.initial_position, row.is_public),
        created_by=row.created_by,
        created_at=row.created_at,
        seats=(row.seat0_user_id, row.seat1_user_id),
        origin=row.origin,
        is_open=row.is_open,
        status=row.status,
        to_move_user_id=row.to_move_user_id,
        move_deadline_ms=row.move_deadline_ms,
        winner_seat=row.winner_seat,
        end_reason=row.end_reason,
        ended_at=row.ended_at,
        rematch_of=row.rematch_of,
        reserved_for=row.reserved_for,
        spectator_key=row.spectator_key,
        tournament_id=row.tournament_id,
        opening=row.opening,
    )
