"""All tables of this process: opened when somebody comes, changed by deeds, closed when everybody has left."""

from __future__ import annotations

import asyncio
from asyncio import Future
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Protocol

from ...errors import RopewalkError
from ..db.append_request import AppendEvent
from ..db.event_store import EventStore
from ..db.match_repository import MatchRecordRow, MatchRepository, build_create_request
from ..db.rating_repository import is_counted, is_rating_due
from ..db.user_repository import User, now_ms
from ..domain.actions import Abort, Action, Actor, NewEvent, decide, find_timeout
from ..domain.events import MatchEvent
from ..domain.match import MatchState, apply_event
from ..errors import ApiError, from_domain_error
from .game_cache import Rules
from .live_match import Table, found_by

MOST_IDLE = 500  # tables that nobody follows
MOST_TRIES = 20  # against other servers


class Hearer(Protocol):
    """Who has begun something, and waits for what becomes of it."""

    def hear_that(self, event: MatchEvent) -> None:
        """It was written."""

    def hear_nothing(self) -> None:
        """It was not, as far as we know: ask again."""


class Tables:
    """The only way to change a match: decide, write, and only then tell."""

    def __init__(self, archive: MatchRepository, ledger: EventStore, rules: Rules) -> None:
        self.archive = archive
        self.ledger = ledger
        self.rules = rules
        self.open: OrderedDict[str, Table] = OrderedDict()
        self.opening: dict[str, asyncio.Lock] = {}
        self.listeners: list[Callable[[Table, Sequence[MatchEvent], bool], None]] = []  # told of events; True: written here

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
            raise ApiError("not-found", "there is no such match")
        await self.rules.of(row.config.spec)
        table = Table(row, await self.archive.load_events(match))
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
        events = await self.archive.load_events(table.id, after=table.state.seq)
        before, table.is_doubtful = len(table.log), False
        if not table.take(events):
            return False
        self.tell(table, table.since(before), here=False)
        return True

    # Changing them

    async def create(
        self,
        row: MatchRecordRow,
        first: Sequence[MatchEvent],
        state: MatchState,
        lobby: MatchEvent | None = None,
        secret: str | None = None,
    ) -> Table:
        """Write a new match with its first events, which lead to `state`, and open its table.

        `lobby` is the event that the lobby gets, `secret` that of the invitation.
        """
        if not await self.ledger.append(build_create_request(row, first, found_by(state, row), lobby, secret)):
            raise ApiError("busy", "the id of the new match is taken: ask again")
        return await self.at(row.id)

    async def act(self, table: Table, doer: Actor, deed: Action) -> MatchEvent:
        """Do something at a table; the event that it became, also when it was done before under the same id."""
        return await self.write(table, lambda now: self.repeated(table, doer, deed) or self.drafted(table, doer, deed, now))

    def begin(self, table: Table, doer: Actor, deed: Action, hearer: Hearer) -> Future[bool] | None:
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
                writing = self.write_at_once(table, event, apply_event(table.state, event), hearer)
        except RopewalkError:
            return None
        finally:
            if writing is None:
                table.turn.release()
        return writing

    def write_at_once(self, table: Table, event: MatchEvent, state: MatchState, hearer: Hearer) -> Future[bool]:
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

    def drafted(self, table: Table, doer: Actor, deed: Action, now: int) -> NewEvent:
        """The event that a deed becomes; who waits for an opponent may withdraw."""
        if isinstance(deed, Abort) and table.state.status == "waiting" and doer.user_id == table.row.created_by:
            return NewEvent("aborted", None, doer.user_id, {}, deed.id)
        return decide(table.state, doer, deed, now)

    def repeated(self, table: Table, doer: Actor, deed: Action) -> MatchEvent | None:
        """What a deed became when it was sent before."""
        event = None if deed.id is None else table.done.get((doer.user_id, deed.id))
        if event is not None and event.data.get("move") != getattr(deed, "move", None):
            raise ApiError("id-reused", f"the id {deed.id!r} was used for event {event.seq}, which is another one")
        return event

    async def write(self, table: Table, decide: Callable[[int], NewEvent | MatchEvent]) -> MatchEvent:
        """Write what is decided; a table that was closed and opened again meanwhile hears of it too."""
        event = await self.write_in_turn(table, decide)
        current = self.open.get(table.id)
        if current is not None and current is not table:
            await self.refresh(current)
        return event

    async def write_in_turn(self, table: Table, decide: Callable[[int], NewEvent | MatchEvent]) -> MatchEvent:
        """Decide by the state as it stands, and write; when another was faster, decide again."""
        async with table.turn:
            if table.is_doubtful:
                await self.refresh(table)
            for _ in range(MOST_TRIES):
                now = now_ms()
                try:
                    decided = decide(now)
                    if isinstance(decided, MatchEvent):
                        return decided
                    event = table.event(decided, now)
                    state = apply_event(table.state, event)
                except RopewalkError as error:
                    if await self.refresh(table):
                        continue
                    await self.call_flag(table, now)
                    raise from_domain_error(error) from None
                if await self.write_down(table, event, state):
                    return event
                await self.refresh(table)
        raise ApiError("busy", f"{MOST_TRIES} others were faster: ask again")

    def write_down(
        self, table: Table, event: MatchEvent, state: MatchState, note: Callable[[], None] | None = None
    ) -> Future[bool]:
        """Whether this process wrote the event; then all who follow are told, also when whoever asked hangs up meanwhile."""
        table.is_doubtful = True  # until we know: a database that fails may have written all the same
        return self.ledger.append(entry_of(table, event, state), note or (lambda: self.note(table, event, state)))

    def note(self, table: Table, event: MatchEvent, state: MatchState) -> None:
        """An event is written, and has led to a state: say so."""
        table.is_doubtful = False
        if event.seq == table.state.seq + 1:  # unless it was read from the database meanwhile
            table.add(event, state)
        self.tell(table, [event], here=True)

    async def call_flag(self, table: Table, now: int) -> bool:
        """Write down that the flag has fallen, if it has."""
        fallen = find_timeout(table.state, now)
        if fallen is None:
            return False
        event = table.event(fallen, now)
        return await self.write_down(table, event, apply_event(table.state, event))

    async def judge(self, match: str) -> None:
        """Call the flag of a match whose time is up."""
        table = await self.at(match)
        async with table.turn:
            await self.refresh(table)
            await self.call_flag(table, now_ms())

    def tell(self, table: Table, events: Sequence[MatchEvent], *, here: bool) -> None:
        """Wake all who follow, after something was written."""
        table.ring()
        for listener in self.listeners:
            listener(table, events, here)

    async def sit(self, table: Table, user: User) -> MatchEvent:
        """Take the free seat; the match begins."""

        def decide(now: int) -> NewEvent | MatchEvent:
            if table.state.status != "waiting":
                raise ApiError("seat-taken", "this match has found its players")
            if table.row.seats_of(user.id):
                raise ApiError("seat-taken", "you sit here already: somebody else has to join")
            if table.row.reserved_for not in (None, user.id):
                raise ApiError("seat-taken", "the other seat is kept for somebody else")
            first, second = table.row.seats
            return NewEvent("begin", None, user.id, {"seats": [first or user.id, second or user.id]})

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


def entry_of(table: Table, event: MatchEvent, state: MatchState) -> AppendEvent:
    """What is to be written of an event that leads to a state."""
    lobby = lobby_event(table.row, table.state, state, event)
    row = found_by(state, table.row)
    if state.status == table.state.status:
        return AppendEvent(table.id, event, row, lobby, is_plain_move=True)
    spec = state.config.spec if is_counted(state) else None
    return AppendEvent(table.id, event, row, lobby, is_rating_due=is_rating_due(state), counted_spec=spec)


def lobby_event(row: MatchRecordRow, before: MatchState, state: MatchState, event: MatchEvent) -> MatchEvent | None:
    """What the lobby hears of an event."""
    if before.status == state.status or not row.is_listed:
        return None
    kind = {"playing": "match-began", "over": "match-over" if before.status == "playing" else "challenge-gone"}
    return MatchEvent(0, event.timestamp_ms, kind[state.status], data={"match": row.id})  # type: ignore[arg-type]
