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

from sqlalchemy import Executable, bindparam, func, select, text, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, IntegrityError

from ..domain.events import Event
from ..errors import Refusal
from .append_request import CHANNEL, FOUND_BY, LOBBY, AnyEntry, Creation, Entry, Key, key_of, last_event_key, row_of
from .bulk_append import PostgresTurns, SqliteTurns
from .database import Database
from .tables import events, facts, matches, pending_ratings, result_counts

MOST_TOGETHER = 200  # so that their keys fit into one notification
MOST_TRIES = 8
LOBBY_LOCK = 0x726F7066  # PostgreSQL's name of the lock under which the lobby's numbers are given
log = logging.getLogger("ropewalk.ledger")
PG_TROUBLE_TO_RETRY = ("40001", "40P01", "23505")  # serialization, deadlock, a number that another took
PG_INVALID_VALUES = ("22", "23")  # classes: data exceptions, violated constraints


@dataclass(slots=True)
class Waiting:
    """An entry that is to be written: `note` is called as soon as it is, `settled` tells whoever still waits."""

    entry: AnyEntry
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
        self.insert_pending_rating = kind.insert(pending_ratings).on_conflict_do_nothing()
        self.add_results = adding_results(kind)
        self.insert_match = kind.insert(matches).on_conflict_do_nothing().returning(matches.c.id)

    def append(self, entry: AnyEntry, note: Callable[[], None] = lambda: None) -> asyncio.Future[bool]:
        """Whether this entry is now written; not if its number, or the id of a new match, is taken.

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
            await self.write_batch(batch)
            for one in late:
                one.settle(False)

    async def write_batch(self, batch: Sequence[Waiting]) -> None:
        """Write entries together; one by one if the database rejects the values of one of them, so that the others pass."""
        try:
            won = await self.write([one.entry for one in batch])
        except Exception as error:
            if len(batch) > 1 and has_invalid_values(error):
                for one in batch:
                    await self.write_batch([one])
            else:
                for one in batch:
                    one.fail(error)
        else:
            for one in batch:
                one.settle(key_of(one.entry) in won)

    def next_batch(self) -> tuple[list[Waiting], list[Waiting]]:
        """What has waited longest, in an order in which two servers never wait for each other; of one key only the first."""
        batch: dict[Key, Waiting] = {}
        late = []
        for _ in range(min(len(self.waiting), MOST_TOGETHER)):
            one = self.waiting.popleft()
            if batch.setdefault(key_of(one.entry), one) is not one:
                late.append(one)
        return [batch[key] for key in sorted(batch)], late

    async def write(self, entries: Sequence[AnyEntry]) -> set[Key]:
        """Those entries, by their keys, that this transaction wrote."""
        for attempt in range(MOST_TRIES):
            try:
                won = await self.write_once(entries)
            except Refusal as refusal:
                if not is_worth_another_try(refusal) or attempt == MOST_TRIES - 1:
                    raise
            else:
                self.written += sum(len(entry.events) for entry in entries if key_of(entry) in won)
                self.commits += 1
                return won
        raise AssertionError("the last attempt returns or raises")

    async def write_once(self, entries: Sequence[AnyEntry]) -> set[Key]:
        """One transaction: in one go if all entries are turns and their keys are free, else with more care."""
        turns = [entry for entry in entries if isinstance(entry, Entry) and entry.is_turn]
        if self.epoch is not None and len(turns) == len(entries):
            won = await self.turns.write(turns, self.epoch)
            if won:
                return won
        return await self.database.transact(partial(self.insert_all, entries))

    def insert_all(self, entries: Sequence[AnyEntry], connection: Connection) -> set[Key]:
        """Write those entries whose keys are free, and what follows from them; the lobby last, for servers wait there."""
        self.require_epoch(connection)
        created = self.insert_matches(connection, [entry for entry in entries if isinstance(entry, Creation)])
        appended = self.insert_events(connection, [entry for entry in entries if isinstance(entry, Entry)])
        won: list[AnyEntry] = [*created, *appended]
        lobby = tell_lobby(connection, [entry.lobby for entry in won if entry.lobby is not None])
        if not self.database.is_sqlite:
            notify(connection, [*filter(None, map(last_event_key, won)), *lobby])
        return {key_of(entry) for entry in won}

    def insert_matches(self, connection: Connection, creations: Sequence[Creation]) -> list[Creation]:
        """Insert new matches with their first events; those whose ids were free."""
        if not creations:
            return []
        ids = set(connection.scalars(self.insert_match, [creation.row for creation in creations]))
        won = [creation for creation in creations if creation.match in ids]
        first = [row_of(creation.match, event) for creation in won for event in creation.events]
        if first:
            connection.execute(events.insert(), first)
        return won

    def insert_events(self, connection: Connection, entries: Sequence[Entry]) -> list[Entry]:
        """Insert events and what follows from them for their matches; those whose keys were free."""
        if not entries:
            return []
        rows = [row_of(entry.match, entry.event) for entry in entries]
        keys = {(match, number) for match, number in connection.execute(self.insert, rows)}
        won = [entry for entry in entries if key_of(entry) in keys]
        changes = [changes_of(entry) for entry in won if entry.row]
        if changes:
            connection.execute(self.update, changes)
        self.note_results(connection, won)
        return won

    def note_results(self, connection: Connection, entries: Sequence[Entry]) -> None:
        """Note which matches are to be rated, and count the results, spec by spec in an order that all servers share."""
        due = [{"match_id": entry.match, "ended_at": entry.event.at} for entry in entries if entry.is_rating_due]
        if due:
            connection.execute(self.insert_pending_rating, due)
        results = Counter((entry.counted_spec, entry.row["winner"]) for entry in entries if entry.counted_spec is not None)
        for spec in sorted({spec for spec, _ in results}):
            first_wins, draws, second_wins = (results[spec, winner] for winner in (0, None, 1))
            counts = {"spec": spec, "first_wins": first_wins, "draws": draws, "second_wins": second_wins}
            connection.execute(self.add_results, counts)

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


def tell_lobby(connection: Connection, news: Sequence[Event]) -> list[Key]:
    """Append events to the lobby's log under the next numbers; their keys.

    On PostgreSQL, writers wait for each other here until they commit: each reads a last number that stays the last one.
    """
    if not news:
        return []
    if connection.dialect.name == "postgresql":
        connection.execute(text(f"SELECT pg_advisory_xact_lock({LOBBY_LOCK})"))
    last = connection.scalar(select(func.max(events.c.number)).where(events.c.match_id == LOBBY)) or 0
    rows = [row_of(LOBBY, event) | {"number": last + 1 + index} for index, event in enumerate(news)]
    connection.execute(events.insert(), rows)
    return [(LOBBY, row["number"]) for row in rows]


def notify(connection: Connection, keys: Sequence[Key]) -> None:
    """Tell the other servers, when the transaction is done."""
    said = text(f"SELECT pg_notify('{CHANNEL}', :keys)")
    for first in range(0, len(keys), MOST_TOGETHER):
        some = keys[first : first + MOST_TOGETHER]
        connection.execute(said, {"keys": " ".join(f"{match} {number}" for match, number in some)})


def adding_results(kind: Any) -> Executable:
    """The statement of a dialect that adds to the counts of a spec."""
    new = kind.insert(result_counts)
    sums = {name: result_counts.c[name] + new.excluded[name] for name in ("first_wins", "draws", "second_wins")}
    statement: Executable = new.on_conflict_do_update(index_elements=["spec"], set_=sums)
    return statement


def changes_of(entry: Entry) -> dict[str, Any]:
    """What an entry changes in its match's row, under the names of the update's parameters."""
    return {"match": entry.match} | {f"new_{name}": entry.row[name] for name in FOUND_BY}


def is_worth_another_try(refusal: Refusal) -> bool:
    """Whether two servers were in each other's way."""
    return sqlstate_of(refusal) in PG_TROUBLE_TO_RETRY


def has_invalid_values(error: Exception) -> bool:
    """Whether the database rejected a value: too long, missing, or not representable."""
    return sqlstate_of(error).startswith(PG_INVALID_VALUES) or isinstance(error.__cause__, IntegrityError)


def sqlstate_of(error: Exception) -> str:
    """PostgreSQL's code for the cause of an error, empty if there is none."""
    cause = error.__cause__
    orig = cause.orig if isinstance(cause, DBAPIError) else cause
    return getattr(orig, "sqlstate", None) or ""
