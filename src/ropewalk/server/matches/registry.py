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
from .game_cache import GameCache
from .live_match import LiveMatch, index_columns

MAX_IDLE = 500  # tables that nobody follows
MAX_ATTEMPTS = 20  # against other servers


class AppendListener(Protocol):
    """Who has begun something, and waits for what becomes of it."""

    def on_appended(self, event: MatchEvent) -> None:
        """It was written."""

    def on_failed(self) -> None:
        """It was not, as far as we know: ask again."""


class MatchRegistry:
    """The only way to change a match: decide, write, and only then tell."""

    def __init__(self, repository: MatchRepository, event_store: EventStore, rules: GameCache) -> None:
        self.repository = repository
        self.event_store = event_store
        self.games = rules
        self.loaded: OrderedDict[str, LiveMatch] = OrderedDict()
        self.load_locks: dict[str, asyncio.Lock] = {}
        self.subscribers: list[
            Callable[[LiveMatch, Sequence[MatchEvent], bool], None]
        ] = []  # told of events; True: written here

    # Finding tables

    async def get(self, match_id: str) -> LiveMatch:
        """The table of a match, up to date as far as this process knows."""
        match = self.loaded.get(match_id)
        if match is None:
            async with self.load_locks.setdefault(match_id, asyncio.Lock()):
                match = self.loaded.get(match_id) or await self.load(match_id)
            self.load_locks.pop(match_id, None)
        self.loaded.move_to_end(match_id)
        if match.needs_refresh and not match.write_lock.locked():
            await self.refresh(match)
        return match

    async def load(self, match_id: str) -> LiveMatch:
        """A table from the archive."""
        row = await self.repository.find(match_id)
        if row is None:
            raise ApiError("not-found", "there is no such match")
        await self.games.get(row.config.spec)
        match = LiveMatch(row, await self.repository.load_events(match_id))
        self.loaded[match_id] = match
        self.evict_idle()
        return match

    def evict_idle(self) -> None:
        """Let tables go that nobody has followed for longest; all that matters of them is written."""
        idle = [name for name, match in self.loaded.items() if not match.subscribers and not match.write_lock.locked()]
        for name in idle[: max(0, len(idle) - MAX_IDLE)]:
            del self.loaded[name]

    async def refresh(self, match: LiveMatch) -> bool:
        """Take in what other servers have written; whether there was anything."""
        events = await self.repository.load_events(match.id, after=match.state.seq)
        before, match.needs_refresh = len(match.log), False
        if not match.append_stored(events):
            return False
        self.publish(match, match.events_after(before), here=False)
        return True

    # Changing them

    async def create(
        self,
        row: MatchRecordRow,
        first: Sequence[MatchEvent],
        state: MatchState,
        lobby: MatchEvent | None = None,
        secret: str | None = None,
    ) -> LiveMatch:
        """Write a new match with its first events, which lead to `state`, and open its table.

        `lobby` is the event that the lobby gets, `secret` that of the invitation.
        """
        if not await self.event_store.append(build_create_request(row, first, index_columns(state, row), lobby, secret)):
            raise ApiError("busy", "the id of the new match is taken: ask again")
        return await self.get(row.id)

    async def perform(self, match: LiveMatch, actor: Actor, action: Action) -> MatchEvent:
        """Do something at a table; the event that it became, also when it was done before under the same id."""
        return await self.append(
            match, lambda now: self.find_repeated(match, actor, action) or self.decide(match, actor, action, now)
        )

    def try_perform(self, match: LiveMatch, actor: Actor, action: Action, hearer: AppendListener) -> Future[bool] | None:
        """Do something without waiting for a turn; the hearer is told what became of it as soon as it is known.

        None if somebody else has the turn, or if the deed does not become an event: `act` knows what to say then.
        """
        if self.loaded.get(match.id) is not match or not match.write_lock.try_acquire():
            return None
        writing = None
        try:
            if not match.needs_refresh and not self.find_repeated(match, actor, action):
                now = now_ms()
                event = match.build_event(self.decide(match, actor, action, now), now)
                writing = self.append_now(match, event, apply_event(match.state, event), hearer)
        except RopewalkError:
            return None
        finally:
            if writing is None:
                match.write_lock.release()
        return writing

    def append_now(self, match: LiveMatch, event: MatchEvent, state: MatchState, hearer: AppendListener) -> Future[bool]:
        """Write in a turn that ends as soon as it is known whether it was written."""

        def note() -> None:
            match.write_lock.release()
            try:
                self.commit(match, event, state)
            finally:
                hearer.on_appended(event)  # it is written, whoever else could not be told

        def settle(writing: Future[bool]) -> None:
            if writing.exception() is not None or not writing.result():
                match.write_lock.release()
                hearer.on_failed()

        writing = self.store(match, event, state, note)
        writing.add_done_callback(settle)
        return writing

    def decide(self, match: LiveMatch, actor: Actor, action: Action, now: int) -> NewEvent:
        """The event that a deed becomes; who waits for an opponent may withdraw."""
        if isinstance(action, Abort) and match.state.status == "waiting" and actor.user_id == match.row.created_by:
            return NewEvent("aborted", None, actor.user_id, {}, action.id)
        return decide(match.state, actor, action, now)

    def find_repeated(self, match: LiveMatch, actor: Actor, action: Action) -> MatchEvent | None:
        """What a deed became when it was sent before."""
        event = None if action.id is None else match.by_request_id.get((actor.user_id, action.id))
        if event is not None and event.data.get("move") != getattr(action, "move", None):
            raise ApiError("id-reused", f"the id {action.id!r} was used for event {event.seq}, which is another one")
        return event

    async def append(self, match: LiveMatch, decide: Callable[[int], NewEvent | MatchEvent]) -> MatchEvent:
        """Write what is decided; a table that was closed and opened again meanwhile hears of it too."""
        event = await self.append_locked(match, decide)
        current = self.loaded.get(match.id)
        if current is not None and current is not match:
            await self.refresh(current)
        return event

    async def append_locked(self, match: LiveMatch, decide: Callable[[int], NewEvent | MatchEvent]) -> MatchEvent:
        """Decide by the state as it stands, and write; when another was faster, decide again."""
        async with match.write_lock:
            if match.needs_refresh:
                await self.refresh(match)
            for _ in range(MAX_ATTEMPTS):
                now = now_ms()
                try:
                    decided = decide(now)
                    if isinstance(decided, MatchEvent):
                        return decided
                    event = match.build_event(decided, now)
                    state = apply_event(match.state, event)
                except RopewalkError as error:
                    if await self.refresh(match):
                        continue
                    await self.append_timeout(match, now)
                    raise from_domain_error(error) from None
                if await self.store(match, event, state):
                    return event
                await self.refresh(match)
        raise ApiError("busy", f"{MAX_ATTEMPTS} others were faster: ask again")

    def store(
        self, match: LiveMatch, event: MatchEvent, state: MatchState, note: Callable[[], None] | None = None
    ) -> Future[bool]:
        """Whether this process wrote the event; then all who follow are told, also when whoever asked hangs up meanwhile."""
        match.needs_refresh = True  # until we know: a database that fails may have written all the same
        return self.event_store.append(
            build_append_request(match, event, state), note or (lambda: self.commit(match, event, state))
        )

    def commit(self, match: LiveMatch, event: MatchEvent, state: MatchState) -> None:
        """An event is written, and has led to a state: say so."""
        match.needs_refresh = False
        if event.seq == match.state.seq + 1:  # unless it was read from the database meanwhile
            match.commit(event, state)
        self.publish(match, [event], here=True)

    async def append_timeout(self, match: LiveMatch, now: int) -> bool:
        """Write down that the flag has fallen, if it has."""
        fallen = find_timeout(match.state, now)
        if fallen is None:
            return False
        event = match.build_event(fallen, now)
        return await self.store(match, event, apply_event(match.state, event))

    async def claim_timeout(self, match_id: str) -> None:
        """Call the flag of a match whose time is up."""
        match = await self.get(match_id)
        async with match.write_lock:
            await self.refresh(match)
            await self.append_timeout(match, now_ms())

    def publish(self, match: LiveMatch, events: Sequence[MatchEvent], *, here: bool) -> None:
        """Wake all who follow, after something was written."""
        match.wake_subscribers()
        for listener in self.subscribers:
            listener(match, events, here)

    async def join(self, match: LiveMatch, user: User) -> MatchEvent:
        """Take the free seat; the match begins."""

        def decide(now: int) -> NewEvent | MatchEvent:
            if match.state.status != "waiting":
                raise ApiError("seat-taken", "this match has found its players")
            if match.row.seats_of(user.id):
                raise ApiError("seat-taken", "you sit here already: somebody else has to join")
            if match.row.reserved_for not in (None, user.id):
                raise ApiError("seat-taken", "the other seat is kept for somebody else")
            first, second = match.row.seats
            return NewEvent("begin", None, user.id, {"seats": [first or user.id, second or user.id]})

        return await self.append(match, decide)

    def reset(self) -> None:
        """Everything may be different, after a backup was restored: all who follow get the whole state."""
        self.discard(list(self.loaded.values()))

    def discard_matches_of(self, user: str) -> None:
        """Discard the open matches that show a user's name or words, after these have changed in the database."""
        self.discard([match for match in self.loaded.values() if match.involves(user)])

    def discard(self, tables: Sequence[LiveMatch]) -> None:
        """Discard open tables: they are loaded again when needed, and all who follow them get the whole state."""
        for match in tables:
            del self.loaded[match.id]
            for subscriber in match.subscribers:
                subscriber.is_stale = True
                subscriber.has_news.set()


def build_append_request(match: LiveMatch, event: MatchEvent, state: MatchState) -> AppendEvent:
    """What is to be written of an event that leads to a state."""
    lobby = build_lobby_event(match.row, match.state, state, event)
    row = index_columns(state, match.row)
    if state.status == match.state.status:
        return AppendEvent(match.id, event, row, lobby, is_plain_move=True)
    spec = state.config.spec if is_counted(state) else None
    return AppendEvent(match.id, event, row, lobby, is_rating_due=is_rating_due(state), counted_spec=spec)


def build_lobby_event(row: MatchRecordRow, before: MatchState, state: MatchState, event: MatchEvent) -> MatchEvent | None:
    """What the lobby hears of an event."""
    if before.status == state.status or not row.is_listed:
        return None
    kind = {"playing": "match-began", "over": "match-over" if before.status == "playing" else "challenge-gone"}
    return MatchEvent(0, event.timestamp_ms, kind[state.status], data={"match": row.id})  # type: ignore[arg-type]
