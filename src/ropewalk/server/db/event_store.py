"""The event store: appends matches and events exactly once, durably, before they are published.

The key of an event is its match and seq. If two writers, in any processes, append the same key, exactly one succeeds.
Requests that arrive during a transaction are stored together in the next one (group commit), so that the rate of events is
not limited by the rate of commits.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import Executable, bindparam, func, select, text, update
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
from .tables import (
    SELECT_EPOCH,
    counters,
    explorer_pending,
    lobby_events,
    match_events,
    matches,
    pending_ratings,
    result_counts,
)

MAX_BATCH = 200  # the keys of a batch must fit into one notification
MAX_ATTEMPTS = 8
RESTORED = "a backup has just been restored; try again"
log = logging.getLogger("ropewalk.event_store")
PG_RETRYABLE_STATES = ("40001", "40P01", "23505")  # serialization failure, deadlock, unique violation
PG_INVALID_VALUE_CLASSES = ("22", "23")  # classes: data exceptions, violated constraints


@dataclass(slots=True)
class PendingAppend:
    """A queued request: `on_appended` is called when it is stored, then the caller receives `result`."""

    request: AppendRequest
    on_appended: Callable[[], None]
    result: asyncio.Future[bool]
    queued_at: float  # of time.monotonic()

    def complete(self, stored: bool) -> None:
        """Set the result: whether the request was stored, or its key was taken.

        The result is set before `on_appended` is called, so that the caller resumes before other tasks that this wakes.
        """
        if not self.result.done():
            self.result.set_result(stored)
        if stored:
            try:
                self.on_appended()
            except Exception:  # it is stored, and the other requests of the transaction must be completed
                log.exception("event %s was stored, but a listener failed", event_key(self.request))

    def fail(self, error: Exception) -> None:
        """Set an exception; the request may have been stored if the connection was lost."""
        if not self.result.done():
            self.result.set_exception(error)


class EventStore:
    """Appends requests to the database; those that wait are stored in one transaction."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.pending: deque[PendingAppend] = deque()
        self.writer: asyncio.Task[None] | None = None
        self.epoch: str | None = None  # changes when a backup is restored
        self.appended_count = 0
        self.batch_count = 0
        self.observe_duration: Callable[[float], None] = lambda seconds: None  # set by the metrics
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
        self.insert_explorer_pending = kind.insert(explorer_pending).on_conflict_do_nothing()
        self.add_results = build_result_upsert(kind)
        self.insert_match = kind.insert(matches).on_conflict_do_nothing().returning(matches.c.id)

    def append(self, request: AppendRequest, on_appended: Callable[[], None] = lambda: None) -> asyncio.Future[bool]:
        """Queue a request. The result is whether it was stored; not if its key, or the id of a new match, is taken.

        `on_appended` is called when it is stored, also if the caller was cancelled.
        """
        result: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.pending.append(PendingAppend(request, on_appended, result, time.monotonic()))
        if self.writer is None or self.writer.done():
            self.writer = asyncio.create_task(self.run_writer())
        return result

    async def run_writer(self) -> None:
        """Store batches until the queue is empty."""
        while self.pending:
            batch, conflicting = self.take_batch()
            await self.write_batch(batch, self.epoch)
            for append in conflicting:
                append.complete(False)

    async def write_batch(self, batch: Sequence[PendingAppend], epoch: str | None) -> None:
        """Store requests together; one by one if the database rejects a value, so that the valid ones are stored."""
        if not batch:
            return
        try:
            stored = await self.write([append.request for append in batch], epoch)
        except Exception as error:
            if len(batch) > 1 and has_invalid_values(error):
                for append in batch:
                    await self.write_batch([append], epoch)
            else:
                for append in batch:
                    append.fail(error)
        else:
            now = time.monotonic()
            for append in batch:
                self.observe_duration(now - append.queued_at)
                append.complete(event_key(append.request) in stored)

    def take_batch(self) -> tuple[list[PendingAppend], list[PendingAppend]]:
        """Remove the oldest requests from the queue. Returns those to store, and those whose key is in the batch already.

        The batch is sorted by key, so that transactions of two servers lock rows in the same order. Requests for matches
        that were loaded before a backup was restored fail.
        """
        batch: dict[EventKey, PendingAppend] = {}
        conflicting = []
        for _ in range(min(len(self.pending), MAX_BATCH)):
            append = self.pending.popleft()
            if is_outdated(append.request, self.epoch):
                append.fail(ApiError("busy", RESTORED))
            elif batch.setdefault(event_key(append.request), append) is not append:
                conflicting.append(append)
        return [batch[key] for key in sorted(batch)], conflicting

    async def write(self, requests: Sequence[AppendRequest], epoch: str | None) -> set[EventKey]:
        """Store requests in a transaction, which is repeated after a conflict. Returns the keys that were stored."""
        for attempt in range(MAX_ATTEMPTS):
            try:
                stored = await self.write_once(requests, epoch)
            except ApiError as error:
                if not is_retryable(error) or attempt == MAX_ATTEMPTS - 1:
                    raise
            else:
                self.appended_count += sum(len(request.events) for request in requests if event_key(request) in stored)
                self.batch_count += 1
                return stored
        raise AssertionError("the last attempt returns or raises")

    async def write_once(self, requests: Sequence[AppendRequest], epoch: str | None) -> set[EventKey]:
        """Store requests in one transaction, plain moves by the bulk appender. Returns the keys that were stored."""
        moves = [request for request in requests if isinstance(request, AppendEvent) and request.is_plain_move]
        if epoch is not None and len(moves) == len(requests):
            stored = await self.bulk_appender.append(moves, epoch)
            if stored:
                return stored
        return await self.database.run_transaction(partial(self.insert_requests, requests, epoch))

    def insert_requests(self, requests: Sequence[AppendRequest], epoch: str | None, connection: Connection) -> set[EventKey]:
        """Insert the requests whose keys are free. The lobby comes last, because its counter is locked until the commit."""
        self.check_epoch(connection, epoch)
        created = self.insert_matches(connection, [request for request in requests if isinstance(request, CreateMatch)])
        appended = self.insert_events(connection, [request for request in requests if isinstance(request, AppendEvent)])
        stored: list[AppendRequest] = [*created, *appended]
        lobby = insert_lobby_events(
            connection, [request.lobby_event for request in stored if request.lobby_event is not None]
        )
        if not self.database.is_sqlite:
            notify(connection, [*filter(None, map(last_event_key, stored)), *lobby])
        return {event_key(request) for request in stored}

    def insert_matches(self, connection: Connection, creations: Sequence[CreateMatch]) -> list[CreateMatch]:
        """Insert new matches with their first events. Returns those whose ids were free."""
        if not creations:
            return []
        ids = set(connection.scalars(self.insert_match, [creation.row for creation in creations]))
        stored = [creation for creation in creations if creation.match_id in ids]
        first = [event_to_row(creation.match_id, event) for creation in stored for event in creation.events]
        if first:
            connection.execute(match_events.insert(), first)
        return stored

    def insert_events(self, connection: Connection, requests: Sequence[AppendEvent]) -> list[AppendEvent]:
        """Insert events, and update the rows of their matches. Returns those whose keys were free."""
        if not requests:
            return []
        following = find_following(connection, requests)
        rows = [event_to_row(request.match_id, request.event) for request in following]
        keys = {(match_id, seq) for match_id, seq in connection.execute(self.insert, rows)} if rows else set()
        stored = [request for request in requests if event_key(request) in keys]
        changes = [update_parameters(request) for request in stored if request.index_values]
        if changes:
            connection.execute(self.update, changes)
        self.insert_results(connection, stored)
        return stored

    def insert_results(self, connection: Connection, requests: Sequence[AppendEvent]) -> None:
        """Insert pending ratings and count results, sorted by spec so that all servers lock rows in the same order."""
        due = [
            {"match_id": request.match_id, "ended_at": request.event.timestamp_ms}
            for request in requests
            if request.is_rating_due
        ]
        if due:
            connection.execute(self.insert_pending_rating, due)
        explored = [
            {"match_id": request.match_id, "ended_at": request.index_values["ended_at"]}
            for request in requests
            if request.is_explorer_due
        ]
        if explored:
            connection.execute(self.insert_explorer_pending, explored)
        results = Counter(
            (request.counted_spec, request.index_values["winner_seat"])
            for request in requests
            if request.counted_spec is not None
        )
        for spec in sorted({spec for spec, _ in results}):
            first_wins, draws, second_wins = (results[spec, winner] for winner in (0, None, 1))
            counts = {"spec": spec, "first_wins": first_wins, "draws": draws, "second_wins": second_wins}
            connection.execute(self.add_results, counts)

    def check_epoch(self, connection: Connection, expected: str | None) -> None:
        """Raise ApiError `busy` if the epoch has changed: a backup was restored, and loaded matches are outdated."""
        epoch = connection.scalar(SELECT_EPOCH)
        if self.epoch is None:
            self.epoch = epoch
        if expected is not None and epoch != expected:
            raise ApiError("busy", RESTORED)

    async def close(self) -> None:
        """Wait until all requests are stored, and close the connection of the bulk appender."""
        while self.writer is not None and not self.writer.done():
            await asyncio.wait([self.writer])
        await self.bulk_appender.close()


def is_outdated(request: AppendRequest, epoch: str | None) -> bool:
    """Return whether an event is for a match that was loaded in another epoch."""
    return isinstance(request, AppendEvent) and None not in (request.epoch, epoch) and request.epoch != epoch


def find_following(connection: Connection, requests: Sequence[AppendEvent]) -> list[AppendEvent]:
    """Return the requests whose event follows the last stored one or has its number; others would leave a gap.

    A match that is not stored has none: a restored backup may lack a match that a server has loaded.
    """
    ids = {request.match_id for request in requests}
    query = select(matches.c.id, func.coalesce(func.max(match_events.c.seq), 0)).where(matches.c.id.in_(ids))
    query = query.outerjoin(match_events, match_events.c.match_id == matches.c.id).group_by(matches.c.id)
    last = {row[0]: row[1] for row in connection.execute(query)}
    return [request for request in requests if request.event.seq <= last.get(request.match_id, -1) + 1]


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
    """Notify the other servers of new events when the transaction commits."""
    statement = text(f"SELECT pg_notify('{CHANNEL}', :keys)")
    for first in range(0, len(keys), MAX_BATCH):
        chunk = keys[first : first + MAX_BATCH]
        connection.execute(statement, {"keys": " ".join(f"{match_id} {seq}" for match_id, seq in chunk)})


def build_result_upsert(kind: Any) -> Executable:
    """Return the statement that adds to the result counts of a spec, in the dialect of `kind`."""
    new = kind.insert(result_counts)
    sums = {name: result_counts.c[name] + new.excluded[name] for name in ("first_wins", "draws", "second_wins")}
    statement: Executable = new.on_conflict_do_update(index_elements=["spec"], set_=sums)
    return statement


def update_parameters(request: AppendEvent) -> dict[str, Any]:
    """Return the parameters of the update of a match's row."""
    return {"match": request.match_id} | {f"new_{name}": request.index_values[name] for name in INDEX_COLUMNS}


def is_retryable(error: ApiError) -> bool:
    """Return whether the transaction failed because of a concurrent one, and may succeed if it is repeated."""
    return find_sqlstate(error) in PG_RETRYABLE_STATES


def has_invalid_values(error: Exception) -> bool:
    """Return whether the database rejected a value: too long, missing, or not representable."""
    return find_sqlstate(error).startswith(PG_INVALID_VALUE_CLASSES) or isinstance(error.__cause__, IntegrityError)


def find_sqlstate(error: Exception) -> str:
    """Return the SQLSTATE of the cause of an error, empty if there is none."""
    cause = error.__cause__
    orig = cause.orig if isinstance(cause, DBAPIError) else cause
    return getattr(orig, "sqlstate", None) or ""
