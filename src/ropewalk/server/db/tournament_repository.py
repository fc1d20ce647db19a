"""The repository of tournaments: the key of an event is its tournament and seq, so that of several servers one stores it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from pydantic_core import to_json
from sqlalchemy import Select, func, insert, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from ..domain.clocks import CLOCK_ADAPTER
from ..domain.tournament import TournamentEvent, TournamentSettings, TournamentState, replay_tournament
from ..domain.tournament_actions import MAX_REGISTRATION_MS
from .database import Database
from .tables import SELECT_EPOCH, matches, tournament_events, tournaments

MAX_LISTED = 50


@dataclass(frozen=True)
class TournamentRow:
    """A tournament as it is stored in a row of `tournaments`."""

    id: str
    config: TournamentSettings
    created_by: str
    created_at: int
    is_open: bool  # anybody may join; otherwise who has the key
    join_key: str
    seq: int = 0  # of the last event
    status: str = "registering"
    num_players: int = 0


@dataclass(frozen=True)
class StoredTournament:
    """A tournament with its state after all events that are stored."""

    row: TournamentRow
    state: TournamentState
    epoch: str  # of the database

    @property
    def version(self) -> str:
        """A text that changes with every event."""
        return f"{self.epoch}-{self.state.seq}"


@dataclass(frozen=True)
class DueTournament:
    """A tournament that may have to be advanced; it has to only if this has changed, or if it depends on the time."""

    id: str
    seq: int  # of its last event
    num_over: int  # its matches that have ended
    depends_on_time: bool


class TournamentRepository:
    """Finds and lists tournaments, and appends events."""

    def __init__(self, database: Database) -> None:
        self.database = database
        kind = sqlite if database.is_sqlite else postgresql
        new_event = kind.insert(tournament_events).on_conflict_do_nothing()
        self.insert_event = new_event.returning(tournament_events.c.seq)

    async def add(self, row: TournamentRow) -> None:
        """Store a new tournament."""
        values = {
            "id": row.id,
            "config": format_config(row.config),
            "created_by": row.created_by,
            "created_at": row.created_at,
            "is_open": row.is_open,
            "join_key": row.join_key,
            "seq": row.seq,
            "status": row.status,
            "num_players": row.num_players,
            "starts_at": row.config.starts_at,
        }
        async with self.database.write_transaction() as connection:
            await connection.execute(insert(tournaments).values(values))

    async def append(self, tournament: StoredTournament, event: TournamentEvent, state: TournamentState) -> bool:
        """Store the next event of a tournament. Returns False, and stores nothing, if its seq is taken.

        Args:
            tournament: The tournament before the event.
            event: The event.
            state: The state after it.
        """
        return await self.database.run_transaction(partial(self.insert, tournament, event, state))

    def insert(
        self, tournament: StoredTournament, event: TournamentEvent, state: TournamentState, connection: Connection
    ) -> bool:
        """Insert an event in a transaction, unless its seq is taken or a backup was restored since it was decided."""
        if connection.scalar(SELECT_EPOCH) != tournament.epoch:
            return False
        row = {
            "tournament_id": tournament.row.id,
            "seq": event.seq,
            "timestamp_ms": event.timestamp_ms,
            "type": event.type,
            "user_id": event.user_id,
            "payload": to_json(event.data).decode(),
        }
        if connection.execute(self.insert_event, row).first() is None:
            return False
        values = {"seq": event.seq, "status": state.status, "num_players": len(state.players)}
        connection.execute(update(tournaments).where(tournaments.c.id == tournament.row.id).values(values))
        return True

    async def find(self, tournament_id: str) -> StoredTournament | None:
        """Return a tournament with its state, None if there is none."""
        query = select(tournament_events).where(tournament_events.c.tournament_id == tournament_id)
        async with self.database.read_connection() as connection:
            epoch = str(await connection.scalar(SELECT_EPOCH))
            found = (await connection.execute(select(tournaments).where(tournaments.c.id == tournament_id))).first()
            if found is None:
                return None
            rows = (await connection.execute(query.order_by(tournament_events.c.seq))).all()
        row = tournament_from_row(found)
        return StoredTournament(row, replay_tournament(row.config, map(tournament_event_from_row, rows)), epoch)

    async def find_version(self, tournament_id: str) -> str | None:
        """Return the version of a tournament without loading it, None if there is none."""
        async with self.database.read_connection() as connection:
            seq = await connection.scalar(select(tournaments.c.seq).where(tournaments.c.id == tournament_id))
            return None if seq is None else f"{await connection.scalar(SELECT_EPOCH)}-{seq}"

    async def list_rows(self, query: Select[Any]) -> list[TournamentRow]:
        """Return the tournaments of a query."""
        async with self.database.read_connection() as connection:
            return [tournament_from_row(row) for row in await connection.execute(query)]

    async def list_by_status(self, statuses: Sequence[str]) -> list[TournamentRow]:
        """Return tournaments with one of some statuses, the newest first."""
        query = select(tournaments).where(tournaments.c.status.in_(statuses))
        return await self.list_rows(query.order_by(tournaments.c.created_at.desc()).limit(MAX_LISTED))

    async def list_due(self, now: int) -> list[DueTournament]:
        """Return the tournaments in progress, those that start now, and those that nobody has started."""
        is_due = or_(tournaments.c.starts_at <= now, tournaments.c.created_at <= now - MAX_REGISTRATION_MS)
        is_over = (matches.c.tournament_id == tournaments.c.id) & (matches.c.status == "over")
        num_over = select(func.count()).select_from(matches).where(is_over).scalar_subquery()
        query = select(tournaments.c.id, tournaments.c.seq, num_over, tournaments.c.config).where(
            or_(tournaments.c.status == "playing", (tournaments.c.status == "registering") & is_due)
        )
        async with self.database.read_connection() as connection:
            rows = (await connection.execute(query)).all()
        return [DueTournament(row[0], row[1], row[2], parse_config(row[3]).format == "arena") for row in rows]

    async def count_unfinished(self, user_id: str) -> int:
        """Return how many tournaments of an organiser are not over."""
        is_unfinished = tournaments.c.status.in_(("registering", "playing"))
        query = select(func.count()).select_from(tournaments).where(tournaments.c.created_by == user_id, is_unfinished)
        async with self.database.read_connection() as connection:
            return int(await connection.scalar(query) or 0)


def format_config(config: TournamentSettings) -> str:
    """Return the settings of a tournament as JSON."""
    return json.dumps(vars(config) | {"clock": config.clock.model_dump()})


def parse_config(text: str) -> TournamentSettings:
    """Return the settings that a row stores."""
    values = json.loads(text)
    return TournamentSettings(**(values | {"clock": CLOCK_ADAPTER.validate_python(values["clock"])}))


def tournament_from_row(row: Any) -> TournamentRow:
    """Return the tournament that a row stores."""
    return TournamentRow(
        id=row.id,
        config=parse_config(row.config),
        created_by=row.created_by,
        created_at=row.created_at,
        is_open=row.is_open,
        join_key=row.join_key,
        seq=row.seq,
        status=row.status,
        num_players=row.num_players,
    )


def tournament_event_from_row(row: Any) -> TournamentEvent:
    """Return the event that a row stores."""
    return TournamentEvent(row.seq, row.timestamp_ms, row.type, row.user_id, json.loads(row.payload))
