"""All tables of this process: opened when somebody comes, changed by deeds, closed when everybody has left."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol

from ...errors import RopewalkError
from ..db.append_request import Entry
from ..db.event_store import Ledger
from ..db.match_repository import Archive, MatchRow, creation_of
from ..db.rating_repository import is_counted, is_to_be_rated
from ..db.user_repository import User, now_ms
from ..domain.actions import Abort, Deed, Doer, Draft, drafted, flag
from ..domain.events import Event
from ..domain.match import State, after
from ..errors import Refusal, refusal_of
from .game_cache import Rules
from .live_match import Table, found_by

MOST_IDLE = 500  # tables that nobody follows
MOST_TRIES = 20  # against other servers


class Hearer(Protocol):
    """Who has begun something, and waits for what becomes of it."""

    def hear_that(self, event: Event) -> None:
        """It was written."""

    def hear_nothing(self) -> None:
        """It was not, as far as we know: ask again."""


class Tables:
    """The only way to change a match: decide, write, and only then tell."""

    def __init__(self, archive: Archive, ledger: Ledger, rules: Rules) -> None:
        self.archive = archive
        self.ledger = ledger
        self.rules = rules
        self.open: OrderedDict[str, Table] = OrderedDict()
        self.opening: dict[str, asyncio.Lock] = {}
        self.listeners: list[Callable[[Table, Sequence[Event], bool], None]] = []  # told of events; True: written here

    # Finding tables

    async def at(self, match: str) -> Table:
        """The table of a match, up to date as far as this process knows."""
        table = self.open.get(match)
        if table is None:
            async with self.opening.setdefault(match, asyncio.Lock()):
                table = self.open.get(match) or await self.load(match)
            self.opening.pop(match, None)
        self.open.move_to_end(match)
        if table.is_doubtful and not table.turn.locked():
            await self.refresh(table)
        return table

    async def load(self, match: str) -> Table:
        """A table from the archive."""
        row = await self.archive.find(match)
        if row is None:
            raise Refusal("not-found", "there is no such match")
        await self.rules.of(row.settings.spec)
        table = Table(row, await self.archive.events(match))
        self.open[match] = table
        self.close_idle()
        return table

    def close_idle(self) -> None:
        """Let tables go that nobody has followed for longest; all that matters of them is written."""
        idle = [name for name, table in self.open.items() if not table.cursors and not table.turn.locked()]
        for name in idle[: max(0, len(idle) - MOST_IDLE)]:
            del self.open[name]

    async def refresh(self, table: Table) -> bool:
        """Take in what other servers have written; whether there was anything."""
        events = await self.archive.events(table.id, after=table.state.number)
        before, table.is_doubtful = len(table.log), False
        if not table.take(events):
            return False
        self.tell(table, table.since(before), here=False)
        return True

    # Changing them

    async def create(
        self, row: MatchRow, first: Sequence[Event], state: State, lobby: Event | None = None, secret: str | None = None
    ) -> Table:
        """Write a new match with its first events, which lead to `state`, and open its table.

        `lobby` is the event that the lobby gets, `secret` that of the invitation.
        """
        if not await self.ledger.append(creation_of(row, first, found_by(state, row), lobby, secret)):
            raise Refusal("busy", "the id of the new match is taken: ask again")
        return await self.at(row.id)

    async def act(self, table: Table, doer: Doer, deed: Deed) -> Event:
        """Do something at a table; the event that it became, also when it was done before under the same id."""
        return await self.write(table, lambda now: self.repeated(table, doer, deed) or self.drafted(table, doer, deed, now))

    def begin(self, table: Table, doer: Doer, deed: Deed, hearer: Hearer) -> Future[bool] | None:
        """Do something without waiting for a turn; the hearer is told what became of it as soon as it is known.

        None if somebody else has the turn, or if the deed does not become an event: `act` knows what to say then.
        """
        if self.open.get(table.id) is not table or not table.turn.take_at_once():
            return None
        writing = None
        try:
            if not table.is_doubtful and not self.repeated(table, doer, deed):
                now = now_ms()
                event = table.event(self.drafted(table, doer, deed, now), now)
                writing = self.write_at_once(table, event, after(table.state, event), hearer)
        except RopewalkError:
            return None
        finally:
            if writing is None:
                table.turn.release()
        return writing

    def write_at_once(self, table: Table, event: Event, state: State, hearer: Hearer) -> Future[bool]:
        """Write in a turn that ends as soon as it is known whether it was written."""

        def note() -> None:
            table.turn.release()
            try:
                self.note(table, event, state)
            finally:
                hearer.hear_that(event)  # it is written, whoever else could not be told

        def settle(writing: Future[bool]) -> None:
            if writing.exception() is not None or not writing.result():
                table.turn.release()
                hearer.hear_nothing()

        writing = self.write_down(table, event, state, note)
        writing.add_done_callback(settle)
        return writing

    def drafted(self, table: Table, doer: Doer, deed: Deed, now: int) -> Draft:
        """The event that a deed becomes; who waits for an opponent may withdraw."""
        if isinstance(deed, Abort) and table.state.status == "waiting" and doer.user == table.row.creator:
            return Draft("aborted", None, doer.user, {}, deed.id)
        return drafted(table.state, doer, deed, now)

    def repeated(self, table: Table, doer: Doer, deed: Deed) -> Event | None:
        """What a deed became when it was sent before."""
        event = None if deed.id is None else table.done.get((doer.user, deed.id))
        if event is not None and event.data.get("move") != getattr(deed, "move", None):
            raise Refusal("id-reused", f"the id {deed.id!r} was used for event {event.number}, which is another one")
        return event

    async def write(self, table: Table, decide: Callable[[int], Draft | Event]) -> Event:
        """Write what is decided; a table that was closed and opened again meanwhile hears of it too."""
        event = await self.write_in_turn(table, decide)
        current = self.open.get(table.id)
        if current is not None and current is not table:
            await self.refresh(current)
        return event

    async def write_in_turn(self, table: Table, decide: Callable[[int], Draft | Event]) -> Event:
        """Decide by the state as it stands, and write; when another was faster, decide again."""
        async with table.turn:
            if table.is_doubtful:
                await self.refresh(table)
            for _ in range(MOST_TRIES):
                now = now_ms()
                try:
                    decided = decide(now)
                    if isinstance(decided, Event):
                        return decided
                    event = table.event(decided, now)
                    state = after(table.state, event)
                except RopewalkError as error:
                    if await self.refresh(table):
                        continue
                    await self.call_flag(table, now)
                    raise refusal_of(error) from None
                if await self.write_down(table, event, state):
                    return event
                await self.refresh(table)
        raise Refusal("busy", f"{MOST_TRIES} others were faster: ask again")

    def write_down(self, table: Table, event: Event, state: State, note: Callable[[], None] | None = None) -> Future[bool]:
        """Whether this process wrote the event; then all who follow are told, also when whoever asked hangs up meanwhile."""
        table.is_doubtful = True  # until we know: a database that fails may have written all the same
        return self.ledger.append(entry_of(table, event, state), note or (lambda: self.note(table, event, state)))

    def note(self, table: Table, event: Event, state: State) -> None:
        """An event is written, and has led to a state: say so."""
        table.is_doubtful = False
        if event.number == table.state.number + 1:  # unless it was read from the database meanwhile
            table.add(event, state)
        self.tell(table, [event], here=True)

    async def call_flag(self, table: Table, now: int) -> bool:
        """Write down that the flag has fallen, if it has."""
        fallen = flag(table.state, now)
        if fallen is None:
            return False
        event = table.event(fallen, now)
        return await self.write_down(table, event, after(table.state, event))

    async def judge(self, match: str) -> None:
        """Call the flag of a match whose time is up."""
        table = await self.at(match)
        async with table.turn:
            await self.refresh(table)
            await self.call_flag(table, now_ms())

    def tell(self, table: Table, events: Sequence[Event], *, here: bool) -> None:
        """Wake all who follow, after something was written."""
        table.ring()
        for listener in self.listeners:
            listener(table, events, here)

    async def sit(self, table: Table, user: User) -> Event:
        """Take the free seat; the match begins."""

        def decide(now: int) -> Draft | Event:
            if table.state.status != "waiting":
                raise Refusal("seat-taken", "this match has found its players")
            if table.row.seats_of(user.id):
                raise Refusal("seat-taken", "you sit here already: somebody else has to join")
            if table.row.reserved not in (None, user.id):
                raise Refusal("seat-taken", "the other seat is kept for somebody else")
            first, second = table.row.seats
            return Draft("begin", None, user.id, {"seats": [first or user.id, second or user.id]})

        return await self.write(table, decide)

    def forget_all(self) -> None:
        """Everything may be different, after a backup was restored: all who follow get the whole state."""
        self.forget(list(self.open.values()))

    def forget_matches_of(self, user: str) -> None:
        """Discard the open matches that show a user's name or words, after these have changed in the database."""
        self.forget([table for table in self.open.values() if table.involves(user)])

    def forget(self, tables: Sequence[Table]) -> None:
        """Discard open tables: they are loaded again when needed, and all who follow them get the whole state."""
        for table in tables:
            del self.open[table.id]
            for cursor in table.cursors:
                cursor.is_stale = True
                cursor.bell.set()


def entry_of(table: Table, event: Event, state: State) -> Entry:
    """What is to be written of an event that leads to a state."""
    lobby = lobby_event(table.row, table.state, state, event)
    row = found_by(state, table.row)
    if state.status == table.state.status:
        return Entry(table.id, event, row, lobby, is_turn=True)
    spec = state.settings.spec if is_counted(state) else None
    return Entry(table.id, event, row, lobby, is_rating_due=is_to_be_rated(state), counted_spec=spec)


def lobby_event(row: MatchRow, before: State, state: State, event: Event) -> Event | None:
    """What the lobby hears of an event."""
    if before.status == state.status or not row.is_listed:
        return None
    kind = {"playing": "match-began", "over": "match-over" if before.status == "playing" else "challenge-gone"}
    return Event(0, event.at, kind[state.status], data={"match": row.id})  # type: ignore[arg-type]
