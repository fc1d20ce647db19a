"""The ledger: events are written here, each exactly once, durably, before anybody is told.

An event's key is its match and number: of two writers exactly one wins, in whatever process they are. Events that wait
while a transaction is under way are written together in the next one: a disk that takes a hundred commits a second then
takes more than a hundred moves.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from sqlalchemy import bindparam, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from ..events import Event
from ..refusals import Refusal
from .database import Database
from .entries import CHANNEL, FOUND_BY, LOBBY, Entry, Key, key_of, row_of
from .schema import events, facts, matches
from .turns import PostgresTurns, SqliteTurns

MOST_TOGETHER = 200  # so that their keys fit into one notification
MOST_TRIES = 8
log = logging.getLogger("ropewalk.ledger")
PG_TROUBLE_TO_RETRY = ("40001", "40P01", "23505")  # serialization, deadlock, a lobby number that another server took


@dataclass(slots=True)
class Waiting:
    """An entry that is to be written: `note` is called as soon as it is, `settled` tells whoever still waits."""

    entry: Entry
    note: Callable[[], None]
    settled: asyncio.Future[bool]

    def settle(self, won: bool) -> None:
        """It was written, or another was faster. Whoever asked goes first, and finds everything noted."""
        if not self.settled.done():
            self.settled.set_result(won)
        if won:
            try:
                self.note()
            except Exception:  # it is written; the others of the same transaction have to hear so
                log.exception("event %s was written, but not everybody was told", key_of(self.entry))

    def fail(self, error: Exception) -> None:
        """It was not written, as far as we know."""
        if not self.settled.done():
            self.settled.set_exception(error)


class Ledger:
    """Writes entries, many at a time when many wait."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.waiting: deque[Waiting] = deque()
        self.writer: asyncio.Task[None] | None = None
        self.epoch: str | None = None  # changes when a backup is restored
        self.written = 0
        self.commits = 0
        kind = sqlite if database.is_sqlite else postgresql
        self.turns = SqliteTurns(database) if database.is_sqlite else PostgresTurns(database)
        self.update = (
            update(matches).where(matches.c.id == bindparam("match")).values({c: bindparam(f"new_{c}") for c in FOUND_BY})
        )
        self.insert = kind.insert(events).on_conflict_do_nothing().returning(events.c.match_id, events.c.number)

    def append(self, entry: Entry, note: Callable[[], None] = lambda: None) -> asyncio.Future[bool]:
        """Whether this entry is now written; not if its number is taken.

        `note` is called when it is, also if whoever asked has given up waiting.
        """
        settled: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.waiting.append(Waiting(entry, note, settled))
        if self.writer is None or self.writer.done():
            self.writer = asyncio.create_task(self.write_all())
        return settled

    async def write_all(self) -> None:
        """Write until nothing waits."""
        while self.waiting:
            batch, late = self.next_batch()
            try:
                won = await self.write([one.entry for one in batch])
            except Exception as error:
                for one in batch:
                    one.fail(error)
            else:
                for one in batch:
                    one.settle(key_of(one.entry) in won)
            for one in late:
                one.settle(False)

    def next_batch(self) -> tuple[list[Waiting], list[Waiting]]:
        """What has waited longest, in an order in which two servers never wait for each other; of one key only the first."""
        batch: dict[Key, Waiting] = {}
        late = []
        for _ in range(min(len(self.waiting), MOST_TOGETHER)):
            one = self.waiting.popleft()
            if batch.setdefault(key_of(one.entry), one) is not one:
                late.append(one)
        return [batch[key] for key in sorted(batch)], late

    async def write(self, entries: Sequence[Entry]) -> set[Key]:
        """Those entries, by their keys, that this transaction wrote."""
        for attempt in range(MOST_TRIES):
            try:
                won = await self.write_once(entries)
            except Refusal as refusal:
                if not is_worth_another_try(refusal) or attempt == MOST_TRIES - 1:
                    raise
            else:
                self.written += len(won)
                self.commits += 1
                return won
        raise AssertionError("the last attempt returns or raises")

    async def write_once(self, entries: Sequence[Entry]) -> set[Key]:
        """One transaction: in one go if all entries are turns and their keys are free, else with more care."""
        if self.epoch is not None and all(entry.is_turn for entry in entries):
            won = await self.turns.write(entries, self.epoch)
            if won:
                return won
        return await self.database.transact(partial(self.insert_all, entries))

    def insert_all(self, entries: Sequence[Entry], connection: Connection) -> set[Key]:
        """Write those entries whose keys are free, and what follows from them."""
        self.require_epoch(connection)
        rows = [row_of(entry.match, entry.event) for entry in entries]
        won = {(match, number) for match, number in connection.execute(self.insert, rows)}
        news = [*sorted(won), *self.follow(connection, [entry for entry in entries if key_of(entry) in won])]
        if not self.database.is_sqlite:
            notify(connection, news)
        return won

    def follow(self, connection: Connection, entries: Sequence[Entry]) -> list[Key]:
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
        await self.turns.close()


def tell_lobby(connection: Connection, event: Event) -> Key:
    """Write an event of the lobby; its key."""
    last = connection.scalar(select(func.max(events.c.number)).where(events.c.match_id == LOBBY))
    number = (last or 0) + 1
    connection.execute(events.insert().values(row_of(LOBBY, event) | {"number": number}))
    return LOBBY, number


def notify(connection: Connection, keys: Sequence[Key]) -> None:
    """Tell the other servers, when the transaction is done."""
    said = text(f"SELECT pg_notify('{CHANNEL}', :keys)")
    for first in range(0, len(keys), MOST_TOGETHER):
        some = keys[first : first + MOST_TOGETHER]
        connection.execute(said, {"keys": " ".join(f"{match} {number}" for match, number in some)})


def changes_of(entry: Entry) -> dict[str, Any]:
    """What an entry changes in its match's row, under the names of the update's parameters."""
    return {"match": entry.match} | {f"new_{name}": entry.row[name] for name in FOUND_BY}


def is_worth_another_try(refusal: Refusal) -> bool:
    """Whether two servers were in each other's way."""
    cause = refusal.__cause__
    orig = cause.orig if isinstance(cause, DBAPIError) else cause
    return getattr(orig, "sqlstate", None) in PG_TROUBLE_TO_RETRY
