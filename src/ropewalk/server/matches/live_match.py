"""A table: one match in memory, its log, and the cursors of all who follow it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..db.match_repository import MatchRecordRow
from ..db.user_repository import User
from ..domain.actions import NewEvent
from ..domain.events import MatchEvent
from ..domain.match import MatchState, apply_event, initial_state


class Subscriber:
    """Somebody who follows a table: how far they have read, and a bell that rings when there is more."""

    def __init__(self, user: User | None, read: int, wake: Callable[[], None] | None = None) -> None:
        self.user = user
        self.last_seq = read  # the number of the last event that was sent
        self.has_news = asyncio.Event()
        self.wake = wake or self.has_news.set  # what happens when there is more
        self.sent_presence: Any = None  # what was last sent of who is here
        self.is_stale = False  # what was sent is no longer so: send the whole state


class WriteLock(asyncio.Lock):
    """Who has it may change a table."""

    def try_acquire(self) -> bool:
        """Take it, unless somebody has it or waits for it."""
        trying = self.acquire()
        try:
            trying.send(None)
        except StopIteration:
            return True
        trying.close()
        return False


class LiveMatch:
    """A match with its log and state; change it only under `turn`."""

    def __init__(self, row: MatchRecordRow, log: Iterable[MatchEvent] = ()) -> None:
        self.row = row
        self.log: list[MatchEvent] = []
        self.state: MatchState = initial_state(row.config)
        self.by_request_id: dict[tuple[str | None, str], MatchEvent] = {}  # by user and client's id
        self.subscribers: set[Subscriber] = set()
        self.write_lock = WriteLock()
        self.needs_refresh = False  # the database may know more than we do
        self.engine_status: str | None = None  # what our bot is doing, for people to see
        self.message_cache: dict[Any, str] = {}  # the last messages, made once for all who follow
        self.remote_presence: dict[str, tuple[float, Any]] = {}  # who is here through other servers
        self.cached_presence: dict[str, Any] | None = None  # who is here, until somebody comes or leaves
        self.append_stored(log)

    @property
    def id(self) -> str:
        """The match's id."""
        return self.row.id

    @property
    def seats(self) -> tuple[str | None, str | None]:
        """The users of both seats; before the match begins, of those that are taken."""
        return self.state.seats if self.state.has_begun else self.row.seats

    def seats_of(self, user: str | None) -> tuple[int, ...]:
        """The seats of a user."""
        return tuple(seat for seat, owner in enumerate(self.seats) if user is not None and owner == user)

    def involves(self, user: str) -> bool:
        """Return whether a user has a seat here or has written in the chat."""
        return user in self.seats or any(event.type == "chat" and event.user_id == user for event in self.log)

    def append_stored(self, events: Iterable[MatchEvent]) -> bool:
        """Take events in that are written; whether any was new."""
        before = len(self.log)
        for event in events:
            if event.seq == len(self.log) + 1:
                self.commit(event, apply_event(self.state, event))
        return len(self.log) > before

    def commit(self, event: MatchEvent, state: MatchState) -> None:
        """Take in the next event, and the state that it leads to."""
        self.state = state
        self.log.append(event)
        self.cached_presence = None if event.type == "begin" else self.cached_presence
        if event.request_id is not None:
            self.by_request_id[event.user_id, event.request_id] = event

    def events_after(self, number: int) -> Sequence[MatchEvent]:
        """The events after a number."""
        return self.log[number:]

    def build_event(self, draft: NewEvent, now: int) -> MatchEvent:
        """The next event, if a draft becomes one now; time never runs backwards in a log."""
        at = max(now, self.state.timestamp_ms)
        return MatchEvent(self.state.seq + 1, at, draft.type, draft.seat, draft.user_id, draft.data, draft.request_id)

    def wake_subscribers(self) -> None:
        """Wake all who follow."""
        for subscriber in self.subscribers:
            subscriber.wake()

    # Who is here

    def local_presence(self) -> tuple[list[str], int]:
        """The users who follow through this server, and how many strangers."""
        users = sorted({subscriber.user.id for subscriber in self.subscribers if subscriber.user is not None})
        return users, sum(subscriber.user is None for subscriber in self.subscribers)

    def presence(self) -> dict[str, Any]:
        """Which seats' owners are here, and how many others; counted once for all who are told."""
        if self.cached_presence is None:
            self.cached_presence = self.compute_presence()
        return self.cached_presence

    def update_presence(self) -> None:
        """Somebody came or left: count again, and tell if that makes a difference."""
        before, self.cached_presence = self.cached_presence, self.compute_presence()
        if self.cached_presence != before:
            self.wake_subscribers()

    def compute_presence(self) -> dict[str, Any]:
        """Look who is here."""
        users, strangers = self.local_presence()
        for _, there in self.remote_presence.values():
            users += there["users"]
            strangers += there["strangers"]
        watchers = len({user for user in users if user not in self.seats}) + strangers
        return {"seats": [owner in users for owner in self.seats], "watchers": watchers}

    def expire_remote_presence(self, oldest: float) -> None:
        """Forget who was here through servers that have said nothing since then."""
        gone = [server for server, (heard, _) in self.remote_presence.items() if heard < oldest]
        for server in gone:
            del self.remote_presence[server]
        if gone:
            self.update_presence()


def index_columns(state: MatchState, row: MatchRecordRow) -> dict[str, Any]:
    """What the match's row says of a state."""
    result, seats = state.result, state.seats if state.has_begun else row.seats
    return {
        "seat0": seats[0],
        "seat1": seats[1],
        "is_open": row.is_open and state.status == "waiting",
        "status": state.status,
        "to_move": None if state.seat is None else state.seats[state.seat],
        "deadline": state.timeout_at(),
        "winner": None if result is None else result.winner,
        "reason": None if result is None else result.reason,
        "ended_at": None if result is None else state.clocks.since_ms,
    }
