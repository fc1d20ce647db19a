"""A match in memory: its events, its state, and its subscribers."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from typing import Any

from ..db.match_repository import MatchRecordRow
from ..db.match_search import format_opening
from ..db.user_repository import User
from ..domain.actions import NewEvent
from ..domain.events import EngineStatus, MatchEvent
from ..domain.match import MatchState, apply_event, initial_state

PRESENCE_INTERVAL_SECONDS = 0.4  # between two messages of presence to one client


class Subscriber:
    """A connection that follows a match or the lobby, with the seq of the last event that it was sent."""

    def __init__(self, user: User | None, last_seq: int) -> None:
        self.user = user
        self.last_seq = last_seq  # of the last event that was sent
        self.has_news = asyncio.Event()
        self.sent_presence: Any = None  # the presence that was sent last
        self.is_stale = False  # what was sent is outdated: send a snapshot


class LiveMatch:
    """A match with its events and state; changed only under `write_lock`."""

    def __init__(self, row: MatchRecordRow, log: Iterable[MatchEvent] = (), epoch: str | None = None) -> None:
        self.row = row
        self.epoch = epoch  # of the database when it was loaded
        self.log: list[MatchEvent] = []
        self.state: MatchState = initial_state(row.config)
        self.by_request_id: dict[tuple[str | None, str], MatchEvent] = {}  # by user id and request id
        self.subscribers: set[Subscriber] = set()
        self.write_lock = asyncio.Lock()
        self.needs_refresh = False  # the database may have events that are not in `log`
        self.engine_status: EngineStatus | None = None  # of a built-in bot: see `bot_player`
        self.message_cache: dict[Any, Any] = {}  # the last messages, built once for all subscribers
        self.remote_presence: dict[str, Any] = {}  # by server: what it has announced
        self.cached_presence: dict[str, Any] | None = None  # None when it has to be computed
        self.next_presence_at = 0.0  # time of the loop before which changes of presence wait
        self.presence_timer: asyncio.TimerHandle | None = None  # publishes changes that wait
        self.append_stored(log)

    @property
    def id(self) -> str:
        """The id of the match."""
        return self.row.id

    @property
    def seats(self) -> tuple[str | None, str | None]:
        """The user ids of both seats; None for a free seat."""
        return self.state.seats if self.state.has_begun else self.row.seats

    def seats_of(self, user_id: str | None) -> tuple[int, ...]:
        """Return the seats of a user."""
        return tuple(seat for seat, owner in enumerate(self.seats) if user_id is not None and owner == user_id)

    def is_readable_by(self, user_id: str | None, key: str | None = None) -> bool:
        """Return whether a user, or anybody with the key for spectators, may read the match and its chat."""
        return self.state.is_public or bool(self.seats_of(user_id)) or self.row.is_readable_by(user_id, key)

    def involves(self, user_id: str) -> bool:
        """Return whether a user has a seat in the match or has written in its chat."""
        return user_id in self.seats or any(event.type == "chat-posted" and event.user_id == user_id for event in self.log)

    def append_stored(self, events: Iterable[MatchEvent]) -> bool:
        """Add stored events that follow the last one. Returns whether there were any."""
        before = len(self.log)
        for event in events:
            if event.seq == len(self.log) + 1:
                self.commit(event, apply_event(self.state, event))
        return len(self.log) > before

    def commit(self, event: MatchEvent, state: MatchState) -> None:
        """Add the next event, and set the state after it."""
        self.state = state
        self.log.append(event)
        self.cached_presence = None if event.type == "match-started" else self.cached_presence
        if event.request_id is not None:
            self.by_request_id[event.user_id, event.request_id] = event

    def events_after(self, seq: int) -> Sequence[MatchEvent]:
        """Return the events after `seq`."""
        return self.log[seq:]

    def build_event(self, new: NewEvent, now: int) -> MatchEvent:
        """Return the next event of the match; its time is never before that of the last one."""
        at = max(now, self.state.timestamp_ms)
        return MatchEvent(self.state.seq + 1, at, new.type, new.seat, new.user_id, new.data, new.request_id)

    def wake_subscribers(self) -> None:
        """Wake all subscribers of the match."""
        for subscriber in self.subscribers:
            subscriber.has_news.set()

    # Presence

    def local_presence(self) -> tuple[list[str], int]:
        """Return the ids of the users who are connected to this server, and the number of anonymous spectators."""
        user_ids = sorted({subscriber.user.id for subscriber in self.subscribers if subscriber.user is not None})
        return user_ids, sum(subscriber.user is None for subscriber in self.subscribers)

    def presence(self) -> dict[str, Any]:
        """Return which seats' users are connected, and the number of spectators; cached until it changes."""
        if self.cached_presence is None:
            self.cached_presence = self.compute_presence()
        return self.cached_presence

    def current_presence(self) -> dict[str, Any]:
        """Return the presence with changes that wait to be published."""
        return self.presence() if self.presence_timer is None else self.compute_presence()

    def update_presence(self) -> None:
        """Compute the presence again, after a client connected or left; several changes in a short time are one."""
        if self.presence_timer is not None:
            return
        loop = asyncio.get_running_loop()
        if loop.time() >= self.next_presence_at:
            self.publish_presence()
        else:
            self.presence_timer = loop.call_at(self.next_presence_at, self.publish_presence)

    def publish_presence(self) -> None:
        """Compute the presence, and wake subscribers if it has changed."""
        self.presence_timer = None
        self.next_presence_at = asyncio.get_running_loop().time() + PRESENCE_INTERVAL_SECONDS
        before, self.cached_presence = self.cached_presence, self.compute_presence()
        if self.cached_presence != before:
            self.wake_subscribers()

    def compute_presence(self) -> dict[str, Any]:
        """Compute the presence over all servers."""
        user_ids, anonymous_count = self.local_presence()
        for announcement in self.remote_presence.values():
            user_ids += announcement["users"]
            anonymous_count += announcement["strangers"]
        watchers = len({user_id for user_id in user_ids if user_id not in self.seats}) + anonymous_count
        return {"seats": [owner in user_ids for owner in self.seats], "watchers": watchers}


def index_columns(state: MatchState, row: MatchRecordRow) -> dict[str, Any]:
    """Return the columns of the match's row that follow from its state."""
    result, seats = state.result, state.seats if state.has_begun else row.seats
    return {
        "seat0_user_id": seats[0],
        "seat1_user_id": seats[1],
        "is_open": row.is_open and state.status == "waiting",
        "is_public": state.is_public,
        "status": state.status,
        "to_move_user_id": None if state.seat is None else state.seats[state.seat],
        "move_deadline_ms": state.timeout_at(),
        "winner_seat": None if result is None else result.winner,
        "end_reason": None if result is None else result.reason,
        "ended_at": None if result is None else state.clocks.since_ms,
        "opening": None if result is None else format_opening(move.move for move in state.moves),
    }
