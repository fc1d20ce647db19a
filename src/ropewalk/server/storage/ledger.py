"""The ledger: events are written here, each exactly once, durably, before anybody is told.

An event's key is its match and number: of two writers exactly one wins, in whatever process they are. Events that wait
while a transaction is under way are written together in the next one: a disk that takes a hundred commits a second then
takes more than a hundred moves.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import bindparam, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from ..events import Event
from ..refusals import Refusal
from .database import Database
from .schema import events, facts, matches

MOST_TOGETHER = 256
MOST_TRIES = 8
LOBBY = "lobby"  # its log has numbers of its own
CHANNEL = "ropewalk"
FOUND_BY = ("seat0", "seat1", "is_open", "status", "to_move", "deadline", "winner", "reason", "ended_at")
PG_TROUBLE_TO_RETRY = ("40001", "40P01", "23505")  # serialization, deadlock, a lobby number that another server took


@dataclass(frozen=True)
class Entry:
    """An event of a match, with what changes in the row that matches are found by, and what the lobby hears of it."""

    match: str
    event: Event
    row: Mapping[str, Any] = field(default_factory=dict)  # all of FOUND_BY, or nothing
    lobby: Event | None = None  # its number is given when it is written


def key_of(entry: Entry) -> tuple[str, int]:
    """What an entry is known by."""
    return entry.match, entry.event.number


class Ledger:
    """Writes entries, many at a time when many wait."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.waiting: deque[tuple[Entry, asyncio.Future[bool]]] = deque()
        self.writer: asyncio.Task[None] | None = None
        self.epoch: str | None = None  # changes when a backup is restored
        self.written = 0
        self.commits = 0
        kind = sqlite if database.is_sqlite else postgresql
        self.update = (
            update(matches).where(matches.c.id == bindparam("match")).values({c: bindparam(f"new_{c}") for c in FOUND_BY})
        )
        self.insert = kind.insert(events).on_conflict_do_nothing().returning(events.c.match_id, events.c.number)

    async def append(self, entry: Entry) -> bool:
        """Whether this entry is now written; not if its number, or its client's id, is taken."""
        settled: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.append((entry, settled))
        if self.writer is None or self.writer.done():
            self.writer = asyncio.create_task(self.write_all())
        return await asyncio.shield(settled)

    async def write_all(self) -> None:
        """Write until nothing waits."""
        while self.waiting:
            batch = [self.waiting.popleft() for _ in range(min(len(self.waiting), MOST_TOGETHER))]
            batch.sort(key=lambda pair: (pair[0].match, pair[0].event.number))  # two servers never wait for each other
            try:
                won = await self.write([entry for entry, _ in batch])
            except Exception as error:
                settle_all(batch, error)
            else:
                for entry, settled in batch:  # of several with one key the first was written
                    settle(settled, key_of(entry) in won)
                    won.discard(key_of(entry))

    async def write(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        """Those entries, by their keys, that this transaction wrote."""
        for attempt in range(MOST_TRIES):
            try:
                return await self.write_once(entries)
            except Refusal as refusal:
                cause = refusal.__cause__
                code = getattr(cause.orig, "sqlstate", None) if isinstance(cause, DBAPIError) else None
                if code not in PG_TROUBLE_TO_RETRY or attempt == MOST_TRIES - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def write_once(self, entries: Sequence[Entry]) -> set[tuple[str, int]]:
        """One transaction."""
        won = await self.database.transact(partial(self.insert_all, entries))
        self.written += len(won)
        self.commits += 1
        return won

    def insert_all(self, entries: Sequence[Entry], connection: Connection) -> set[tuple[str, int]]:
        """Write those entries whose keys are free, and what follows from them."""
        self.require_epoch(connection)
        rows = [row_of(entry.match, entry.event) for entry in entries]
        won = {(match, number) for match, number in connection.execute(self.insert, rows)}
        news = [*sorted(won), *self.follow(connection, [entry for entry in entries if key_of(entry) in won])]
        if not self.database.is_sqlite:
            notify(connection, news)
        return won

    def follow(self, connection: Connection, entries: Sequence[Entry]) -> list[tuple[str, int]]:
        """Bring the rows of matches up to date, and tell the lobby; the keys of what it was told."""
        rows = [changes_of(entry) for entry in entries if entry.row]
        if rows:
            connection.execute(self.update, rows)
        return [tell_lobby(connection, entry.lobby) for entry in entries if entry.lobby is not None]

    def require_epoch(self, connection: Connection) -> None:
        """Refuse to go on from what is no longer there, after a backup was restored under us."""
        found = connection.scalar(select(facts.c.value).where(facts.c.name == "epoch"))
        if self.epoch is None:
            self.epoch = found
        if found != self.epoch:
            raise Refusal("busy", "a backup was restored: ask again in a moment")

    async def close(self) -> None:
        """Wait until nothing waits."""
        while self.writer is not None and not self.writer.done():
            await asyncio.wait([self.writer])


def tell_lobby(connection: Connection, event: Event) -> tuple[str, int]:
    """Write an event of the lobby; its key."""
    last = connection.scalar(select(func.max(events.c.number)).where(events.c.match_id == LOBBY))
    number = (last or 0) + 1
    connection.execute(events.insert().values(row_of(LOBBY, event) | {"number": number}))
    return LOBBY, number


def notify(connection: Connection, keys: Sequence[tuple[str, int]]) -> None:
    """Tell the other servers, when the transaction is done."""
    names = [f"{match} {number}" for match, number in keys]
    said = text(f"SELECT pg_notify('{CHANNEL}', name) FROM unnest(CAST(:names AS text[])) AS name")
    connection.execute(said, {"names": names})


def changes_of(entry: Entry) -> dict[str, Any]:
    """What an entry changes in its match's row, under the names of the update's parameters."""
    return {"match": entry.match} | {f"new_{name}": entry.row[name] for name in FOUND_BY}


def row_of(match: str, event: Event) -> dict[str, Any]:
    """An event as the table has it."""
    return {
        "match_id": match,
        "number": event.number,
        "at": event.at,
        "kind": event.kind,
        "seat": event.seat,
        "user_id": event.user,
        "data": json.dumps(event.data),
        "client_id": event.client,
    }


def event_of(row: Any) -> Event:
    """An event from the table."""
    return Event(row.number, row.at, row.kind, row.seat, row.user_id, json.loads(row.data), row.client_id)


def settle(settled: asyncio.Future[bool], won: bool) -> None:
    """Tell whoever waits, if they still do."""
    if not settled.done():
        settled.set_result(won)


def settle_all(batch: Sequence[tuple[Entry, asyncio.Future[bool]]], error: Exception) -> None:
    """Nothing of this was written."""
    for _, settled in batch:
        if not settled.done():
            settled.set_exception(error)
