"""The service that changes matches: it decides by the state of a match, stores the event, then publishes it."""

from __future__ import annotations

import logging
from asyncio import Future
from collections.abc import Callable, Sequence

from ...errors import RopewalkError
from ..clock import ServerClock
from ..db.append_request import AppendEvent
from ..db.event_store import EventStore
from ..db.explorer_repository import is_explorer_due
from ..db.match_repository import MatchRecordRow, build_create_request
from ..db.rating_repository import is_counted, is_rating_due
from ..db.user_repository import User
from ..domain.actions import Abort, Action, Actor, NewEvent, RequestTakeback, decide, find_timeout, is_event_of
from ..domain.events import LobbyEvent, LobbyEventType, MatchEvent
from ..domain.match import MatchState, apply_event
from ..domain.outages import find_compensation
from ..errors import ApiError, from_domain_error
from ..heartbeat import ServerHeartbeat
from .hub import MatchHub, Origin
from .live_match import LiveMatch, index_columns
from .registry import MatchRegistry

MAX_ATTEMPTS = 20  # to append an event when other servers append at the same time
log = logging.getLogger("ropewalk.match_service")


class MatchService:
    """Creates matches and performs actions in them."""

    def __init__(
        self, registry: MatchRegistry, event_store: EventStore, hub: MatchHub, clock: ServerClock, heartbeat: ServerHeartbeat
    ) -> None:
        self.registry = registry
        self.event_store = event_store
        self.hub = hub
        self.clock = clock
        self.heartbeat = heartbeat
        registry.on_loaded = self.prepare_loaded

    async def create(
        self,
        row: MatchRecordRow,
        events: Sequence[MatchEvent],
        state: MatchState,
        lobby_event: LobbyEvent | None = None,
        token: str | None = None,
    ) -> LiveMatch:
        """Store a new match with its first events, and load it.

        Args:
            row: The match.
            events: Its first events, numbered from 1.
            state: The state after these events.
            lobby_event: The event that is added to the lobby; its `seq` is set when it is stored.
            token: The secret token of its invitation.
        """
        request = build_create_request(row, events, index_columns(state, row), lobby_event, token)
        if not await self.event_store.append(request):
            raise ApiError("busy", "the id of the new match is already in use; try again")
        return await self.registry.get(row.id)

    async def perform(self, match: LiveMatch, actor: Actor, action: Action) -> MatchEvent:
        """Perform an action. Returns its event, also when the same request was performed before.

        Raises:
            ApiError: The action is not allowed; nothing was stored.
        """
        return await self.append(match, lambda now: self.find_or_decide(match, actor, action, now))

    def find_or_decide(self, match: LiveMatch, actor: Actor, action: Action, now: int) -> NewEvent | MatchEvent:
        """Return the stored event of a repeated request, or the new event of an action."""
        return find_repeated(match, actor, action) or decide_action(match, actor, action, now)

    async def append(self, match: LiveMatch, decide_event: Callable[[int], NewEvent | MatchEvent]) -> MatchEvent:
        """Append the event that `decide_event` returns for a time; a stored event is returned as it is.

        If the match was evicted and loaded again meanwhile, the newly loaded one is refreshed.
        """
        event = await self.append_locked(match, decide_event)
        current = self.registry.loaded.get(match.id)
        if current is not None and current is not match:
            await self.registry.refresh(current)
        return event

    async def append_locked(self, match: LiveMatch, decide_event: Callable[[int], NewEvent | MatchEvent]) -> MatchEvent:
        """Decide and store under the match's write lock; after a conflict with another server, decide again."""
        async with match.write_lock:
            if match.needs_refresh:
                await self.registry.refresh(match)
            await self.compensate_outages(match)
            for _ in range(MAX_ATTEMPTS):
                now = self.clock.now_ms()
                try:
                    decided = decide_event(now)
                    if isinstance(decided, MatchEvent):
                        return decided
                    event = match.build_event(decided, now)
                    state = apply_event(match.state, event)
                except RopewalkError as error:
                    if await self.registry.refresh(match):
                        continue
                    await self.append_timeout(match, now)
                    raise from_domain_error(error) from None
                if await self.store(match, event, state):
                    return event
                await self.refresh_after_conflict(match, event)
        raise ApiError("busy", f"the match was changed concurrently {MAX_ATTEMPTS} times; try again")

    async def refresh_after_conflict(self, match: LiveMatch, event: MatchEvent) -> None:
        """Load what another server has stored in place of an event; a match that is ahead of the database is discarded."""
        if not await self.registry.refresh(match) and match.state.seq < event.seq:
            self.registry.discard([match])
            raise ApiError("busy", "the match was reloaded; try again")

    def store(self, match: LiveMatch, event: MatchEvent, state: MatchState) -> Future[bool]:
        """Store an event. The result says whether this process stored it; then it was committed and published.

        The event is committed and published even if the caller is cancelled while waiting.
        """
        match.needs_refresh = True  # until the result is known: a database that fails may have stored the event
        request = build_append_request(match, event, state)
        return self.event_store.append(request, lambda: self.commit(match, event, state))

    def commit(self, match: LiveMatch, event: MatchEvent, state: MatchState) -> None:
        """Add a stored event to the match in memory, and publish it."""
        match.needs_refresh = False
        if event.seq == match.state.seq + 1:  # unless it was loaded from the database meanwhile
            match.commit(event, state)
        self.hub.publish(match, [event], Origin.LOCAL)

    async def append_timeout(self, match: LiveMatch, now: int) -> bool:
        """Store that the seat to move has run out of time, if it has. Returns whether it was stored."""
        timeout = find_timeout(match.state, now)
        if timeout is None:
            return False
        event = match.build_event(timeout, now)
        return await self.store(match, event, apply_event(match.state, event))

    async def compensate_outages(self, match: LiveMatch) -> None:
        """Give the time of outages back to the player to move; called under the write lock, before anything is decided.

        Of several servers exactly one stores the event of an outage, because its seq is taken for the others.
        """
        await self.heartbeat.ensure_recent()
        while (new := find_compensation(match.state, match.log, self.heartbeat.outages)) is not None:
            event = match.build_event(new, self.clock.now_ms())
            if not await self.store(match, event, apply_event(match.state, event)):
                await self.refresh_after_conflict(match, event)

    async def prepare_loaded(self, match: LiveMatch) -> None:
        """Compensate the outages before a match was loaded; if the database cannot be written, it can still be read."""
        if find_compensation(match.state, match.log, self.heartbeat.outages) is None:
            return
        try:
            async with match.write_lock:
                await self.compensate_outages(match)
        except ApiError as error:
            log.warning("match %s: an outage cannot be compensated yet: %s", match.id, error)

    async def compensate_loaded(self) -> None:
        """Compensate a new outage in all loaded matches."""
        for match in list(self.registry.loaded.values()):
            await self.prepare_loaded(match)

    async def claim_timeout(self, match_id: str) -> None:
        """End a match in which the seat to move has run out of time."""
        match = await self.registry.get(match_id)
        async with match.write_lock:
            await self.registry.refresh(match)
            await self.compensate_outages(match)
            await self.append_timeout(match, self.clock.now_ms())

    async def expire(self, match_id: str, oldest: int) -> None:
        """End a match that was left before a time: it counts for nobody, but a rated one is lost."""
        match = await self.registry.get(match_id)

        def decide_expiry(now: int) -> NewEvent | MatchEvent:
            state = match.state
            if state.status != "playing" or state.timestamp_ms >= oldest:
                return match.log[-1]
            if state.config.is_rated:
                return NewEvent("timed-out", state.seat, None, {"expired": True})
            return NewEvent("aborted", None, None, {"expired": True})

        await self.append(match, decide_expiry)

    async def decline(self, match: LiveMatch, user: User) -> MatchEvent:
        """End a match that waits for a user who was challenged by name."""

        def decide_decline(now: int) -> NewEvent | MatchEvent:
            if match.row.reserved_for != user.id:
                raise ApiError("not-yours", "this challenge is not for you")
            if match.state.status != "waiting":
                raise ApiError("no-such-offer", "this challenge was accepted, declined or withdrawn already")
            return NewEvent("aborted", None, user.id, {"declined": True})

        return await self.append(match, decide_decline)

    async def join(self, match: LiveMatch, user: User) -> MatchEvent:
        """Seat a user on the free seat; the match starts."""

        def decide_join(now: int) -> NewEvent | MatchEvent:
            if match.state.status == "over" and not match.state.has_begun:
                raise ApiError("seat-taken", "this match was withdrawn; create a new one")
            if match.state.status != "waiting":
                raise ApiError("seat-taken", "this match already has both players")
            if match.row.seats_of(user.id):
                raise ApiError("seat-taken", "you already have a seat in this match; another player must join")
            if match.row.reserved_for not in (None, user.id):
                raise ApiError("seat-taken", "the other seat is reserved for another player")
            if match.row.config.is_rated and user.kind == "guest":
                raise ApiError("bad-request", "only accounts and bots play rated matches: register first")
            first, second = match.row.seats
            return NewEvent("match-started", None, user.id, {"seats": [first or user.id, second or user.id]})

        return await self.append(match, decide_join)


def decide_action(match: LiveMatch, actor: Actor, action: Action, now: int) -> NewEvent:
    """Return the event of an action; the creator of a match that waits for an opponent may withdraw it."""
    if match.row.tournament_id is not None:
        require_tournament_action(action)
    if isinstance(action, Abort) and match.state.status == "waiting" and actor.user_id == match.row.created_by:
        return NewEvent("aborted", None, actor.user_id, {}, action.request_id)
    return decide(match.state, actor, action, now)


def require_tournament_action(action: Action) -> None:
    """Raise ApiError for actions that matches of a tournament do not have: aborts and takebacks."""
    if isinstance(action, Abort):
        raise ApiError("no-aborts", "a match of a tournament cannot be aborted; resign instead")
    if isinstance(action, RequestTakeback):
        raise ApiError("no-takebacks", "matches of a tournament have no takebacks; play on, or resign")


def find_repeated(match: LiveMatch, actor: Actor, action: Action) -> MatchEvent | None:
    """Return the event of a request that was performed before, None if it is new.

    Raises:
        ApiError: `id-reused`: the request id was used for another action.
    """
    event = None if action.request_id is None else match.by_request_id.get((actor.user_id, action.request_id))
    if event is not None and not is_event_of(event, action):
        raise ApiError(
            "id-reused", f"request_id {action.request_id!r} was already used for another action (event {event.seq})"
        )
    return event


def build_append_request(match: LiveMatch, event: MatchEvent, state: MatchState) -> AppendEvent:
    """Return the request to store an event that leads to `state`."""
    lobby_event = build_lobby_event(match.row, match.state, state, event)
    columns = index_columns(state, match.row)
    if state.status == match.state.status and state.is_public == match.state.is_public:
        return AppendEvent(match.id, event, columns, match.epoch, lobby_event, is_plain_move=True)
    has_ended = match.state.result is None  # otherwise it ended before, and is published now
    spec = state.config.spec if has_ended and is_counted(state) else None
    return AppendEvent(
        match.id,
        event,
        columns,
        match.epoch,
        lobby_event,
        is_rating_due=has_ended and is_rating_due(state),
        counted_spec=spec,
        is_explorer_due=is_explorer_due(state),
    )


def build_lobby_event(row: MatchRecordRow, before: MatchState, state: MatchState, event: MatchEvent) -> LobbyEvent | None:
    """Return the lobby event of a match's event, None if the lobby does not change."""
    type_ = find_lobby_event_type(row, before, state)
    return None if type_ is None else LobbyEvent(0, event.timestamp_ms, type_, row.id)


def find_lobby_event_type(row: MatchRecordRow, before: MatchState, state: MatchState) -> LobbyEventType | None:
    """Return the type of the lobby event when a match changes from `before` to `state`; private matches leave the lobby."""
    if before.status == "waiting" and state.status != "waiting":
        if state.is_public and state.status == "playing":
            return "match-started"
        return "challenge-closed" if row.is_open or state.is_public else None
    if state.status == "playing" and state.is_public and not before.is_public:
        return "match-started"
    return "match-finished" if state.is_public and state.status == "over" and before.status == "playing" else None
