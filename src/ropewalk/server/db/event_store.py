"""The ledger: new matches and events are written here, each exactly once, durably, before anybody is told.

An event's key is its match and number: of two writers exactly one wins, in whatever process they are. Events that wait
while a transaction is under way are written together in the next one: a disk that takes a hundred commits a second then
takes more than a hundred moves.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Executable, bindparam, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ..domain.events import LobbyEvent
from ..errors import ApiError
from .append_request import (
    CHANNEL,
    INDEX_COLUMNS,
    LOBBY,
    AppendEvent,
    AppendRequest,
    CreateMatch,
    EventKey,
    event_key,
    event_to_row,
    last_event_key,
)
from .bulk_append import PostgresBulkAppender, SqliteBulkAppender
from .database import Database
from .tables import counters, database_metadata, lobby_events, match_events, matches, pending_ratings, result_counts

MAX_BATCH = 200  # so that their keys fit into one notification
MAX_ATTEMPTS = 8
log = logging.getLogger("ropewalk.ledger")
PG_RETRYABLE_STATES = ("40001", "40P01", "23505")  # serialization, deadlock, a number that another took
PG_INVALID_VALUE_CLASSES = ("22", "23")  # classes: data exceptions, violated constraints


@dataclass(slots=True)
class PendingAppend:
    """An entry that is to be written: `note` is called as soon as it is, `settled` tells whoever still waits."""

    request: AppendRequest
    on_appended: Callable[[], None]
    result: asyncio.Future[bool]

    def complete(self, won: bool) -> None:
        """It was written, or another was faster. Whoever asked goes first, and finds everything noted."""
        if not self.result.done():
            self.result.set_result(won)
        if won:
            try:
                self.on_appended()
            except Exception:  # it is written; the others of the same transaction have to hear so
                log.exception("event %s was written, but not everybody was told", event_key(self.request))

    def fail(self, error: Exception) -> None:
        """It was not written, as far as we know."""
        if not self.result.done():
            self.result.set_exception(error)


class EventStore:
    """Writes entries, many at a time when many wait."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.pending: deque[PendingAppend] = deque()
        self.writer: asyncio.Task[None] | None = None
        self.epoch: str | None = None  # changes when a backup is restored
        self.appended_count = 0
        self.batch_count = 0
        kind = sqlite if database.is_sqlite else postgresql
        self.bulk_appender = SqliteBulkAppender(database) if database.is_sqlite else PostgresBulkAppender(database)
        self.update = (
            update(matches)
            .where(matches.c.id == bindparam("match"))
            .values({c: bindparam(f"new_{c}") for c in INDEX_COLUMNS})
        )
        insert = kind.insert(match_events).on_conflict_do_nothing()
        self.insert = insert.returning(match_events.c.match_id, match_events.c.seq)
        self.insert_pending_rating = kind.insert(pending_ratings).on_conflict_do_nothing()
        self.add_results = build_result_upsert(kind)
        self.insert_match = kind.insert(matches).on_conflict_do_nothing().returning(matches.c.id)

    def append(self, request: AppendRequest, on_appended: Callable[[], None] = lambda: None) -> asyncio.Future[bool]:
        """Whether this entry is now written; not if its number, or the id of a new match, is taken.

        `note` is called when it is, also if whoever asked has given up waiting.
        """
        settled: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.pending.append(PendingAppend(request, on_appended, settled))
        if self.writer is None or self.writer.done():
            self.writer = asyncio.create_task(self.run_writer())
        return settled

    async def run_writer(self) -> None:
        """Write until nothing waits."""
        while self.pending:
            batch, late = self.next_batch()
            await self.write_batch(batch)
            for one in late:
                one.complete(False)

    async def write_batch(self, batch: Sequence[PendingAppend]) -> None:
        """Write entries together; one by one if the database rejects the values of one of them, so that the others pass."""
        try:
            won = await self.write([one.request for one in batch])
        except Exception as error:
            if len(batch) > 1 and has_invalid_values(error):
                for one in batch:
                    await self.write_batch([one])
            else:
                for one in batch:
                    one.fail(error)
        else:
            for one in batch:
                one.complete(event_key(one.request) in won)

    def next_batch(self) -> tuple[list[PendingAppend], list[PendingAppend]]:
        """What has waited longest, in an order in which two servers never wait for each other; of one key only the first."""
        batch: dict[EventKey, PendingAppend] = {}
        late = []
        for _ in range(min(len(self.pending), MAX_BATCH)):
            one = self.pending.popleft()
            if batch.setdefault(event_key(one.request), one) is not one:
                late.append(one)
        return [batch[key] for key in sorted(batch)], late

    async def write(self, requests: Sequence[AppendRequest]) -> set[EventKey]:
        """Those entries, by their keys, that this transaction wrote."""
        for attempt in range(MAX_ATTEMPTS):
            try:
                won = await self.write_once(requests)
            except ApiError as refusal:
                if not is_retryable(refusal) or attempt == MAX_ATTEMPTS - 1:
                    raise
            else:
                self.appended_count += sum(len(request.events) for request in requests if event_key(request) in won)
                self.batch_count += 1
                return won
        raise AssertionError("the last attempt returns or raises")

    async def write_once(self, requests: Sequence[AppendRequest]) -> set[EventKey]:
        """One transaction: in one go if all entries are turns and their keys are free, else with more care."""
        turns = [request for request in requests if isinstance(request, AppendEvent) and request.is_plain_move]
        if self.epoch is not None and len(turns) == len(requests):
            won = await self.bulk_appender.append(turns, self.epoch)
            if won:
                return won
        return await self.database.run_transaction(partial(self.insert_requests, requests))

    def insert_requests(self, requests: Sequence[AppendRequest], connection: Connection) -> set[EventKey]:
        """Write those entries whose keys are free, and what follows from them; the lobby last, for servers wait there."""
        self.check_epoch(connection)
        created = self.insert_matches(connection, [request for request in requests if isinstance(request, CreateMatch)])
        appended = self.insert_events(connection, [request for request in requests if isinstance(request, AppendEvent)])
        won: list[AppendRequest] = [*created, *appended]
        lobby = insert_lobby_events(connection, [request.lobby_event for request in won if request.lobby_event is not None])
        if not self.database.is_sqlite:
            notify(connection, [*filter(None, map(last_event_key, won)), *lobby])
        return {event_key(request) for request in won}

    def insert_matches(self, connection: Connection, creations: Sequence[CreateMatch]) -> list[CreateMatch]:
        """Insert new matches with their first events; those whose ids were free."""
        if not creations:
            return []
        ids = set(connection.scalars(self.insert_match, [creation.row for creation in creations]))
        won = [creation for creation in creations if creation.match_id in ids]
        first = [event_to_row(creation.match_id, event) for creation in won for event in creation.events]
        if first:
            connection.execute(match_events.insert(), first)
        return won

    def insert_events(self, connection: Connection, requests: Sequence[AppendEvent]) -> list[AppendEvent]:
        """Insert events and what follows from them for their matches; those whose keys were free."""
        if not requests:
            return []
        rows = [event_to_row(request.match_id, request.event) for request in requests]
        keys = {(match_id, number) for match_id, number in connection.execute(self.insert, rows)}
        won = [request for request in requests if event_key(request) in keys]
        changes = [update_parameters(request) for request in won if request.index_values]
        if changes:
            connection.execute(self.update, changes)
        self.insert_results(connection, won)
        return won

    def insert_results(self, connection: Connection, requests: Sequence[AppendEvent]) -> None:
        """Note which matches are to be rated, and count the results, spec by spec in an order that all servers share."""
        due = [
            {"match_id": request.match_id, "ended_at": request.event.timestamp_ms}
            for request in requests
            if request.is_rating_due
        ]
        if due:
            connection.execute(self.insert_pending_rating, due)
        results = Counter(
            (request.counted_spec, request.index_values["winner_seat"])
            for request in requests
            if request.counted_spec is not None
        )
        for spec in sorted({spec for spec, _ in results}):
            first_wins, draws, second_wins = (results[spec, winner] for winner in (0, None, 1))
            counts = {"spec": spec, "first_wins": first_wins, "draws": draws, "second_wins": second_wins}
            connection.execute(self.add_results, counts)

    def check_epoch(self, connection: Connection) -> None:
        """Refuse to go on from what is no longer there, after a backup was restored under us."""
        found = connection.scalar(select(database_metadata.c.value).where(database_metadata.c.name == "epoch"))
        if self.epoch is None:
            self.epoch = found
        if found != self.epoch:
            raise ApiError("busy", "a backup was restored: ask again in a moment")

    async def close(self) -> None:
        """Wait until nothing waits."""
        while self.writer is not None and not self.writer.done():
            await asyncio.wait([self.writer])
        await self.bulk_appender.close()


def insert_lobby_events(connection: Connection, new: Sequence[LobbyEvent]) -> list[EventKey]:
    """Append events to the lobby under the next numbers. Returns their keys.

    Updating the counter locks its row until the transaction ends: on PostgreSQL writers wait here, so that the numbers
    have no gaps and are committed in their order.
    """
    if not new:
        return []
    increment = update(counters).where(counters.c.name == LOBBY).values(value=counters.c.value + len(new))
    last: int = connection.scalar(increment.returning(counters.c.value)) or 0
    first = last - len(new) + 1
    rows = [
        {"seq": seq, "timestamp_ms": event.timestamp_ms, "type": event.type, "match_id": event.match_id}
        for seq, event in enumerate(new, first)
    ]
    connection.execute(lobby_events.insert(), rows)
    return [(LOBBY, seq) for seq in range(first, last + 1)]


def notify(connection: Connection, keys: Sequence[EventKey]) -> None:
    """Tell the other servers, when the transaction is done."""
    said = text(f"SELECT pg_notify('{CHANNEL}', :keys)")
    for first in range(0, len(keys), MAX_BATCH):
        some = keys[first : first + MAX_BATCH]
        connection.execute(said, {"keys": " ".join(f"{match_id} {number}" for match_id, number in some)})


def build_result_upsert(kind: Any) -> Executable:
    """The statement of a dialect that adds to the counts of a spec."""
    new = kind.insert(result_counts)
    sums = {name: result_counts.c[name] + new.excluded[name] for name in ("first_wins", "draws", "second_wins")}
    statement: Executable = new.on_conflict_do_update(index_elements=["spec"], set_=sums)
    return statement


def update_parameters(request: AppendEvent) -> dict[str, Any]:
    """What an entry changes in its match's row, under the names of the update's parameters."""
    return {"match": request.match_id} | {f"new_{name}": request.index_values[name] for name in INDEX_COLUMNS}


def is_retryable(error: ApiError) -> bool:
    """Whether two servers were in each other's way."""
    return find_sqlstate(error) in PG_RETRYABLE_STATES


def has_invalid_values(error: Exception) -> bool:
    """Whether the database rejected a value: too long, missing, or not representable."""
    return find_sqlstate(error).startswith(PG_INVALID_VALUE_CLASSES) or isinstance(error.__cause__, IntegrityError)


def find_sqlstate(error: Exception) -> str:
    """PostgreSQL's code for the cause of an error, empty if there is none."""
    cause = error.__cause__
    orig = cause.orig if isinstance(cause, DBAPIError) else cause
    return getattr(orig, "sqlstate", None) or ""
