"""In-process publish/subscribe for match events, and the event streams of users."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from ..domain.events import MatchEvent

if TYPE_CHECKING:
    from ..db.match_repository import MatchRepository
    from .live_match import LiveMatch
    from .registry import MatchRegistry

MAX_STREAM_MATCHES = 100  # matches in progress that a new stream starts with
HEARTBEAT_SECONDS = 10.0


class Origin(Enum):
    """Which server stored the events that are published."""

    LOCAL = "local"
    REMOTE = "remote"


EventListener = Callable[["LiveMatch", Sequence[MatchEvent], Origin], None]


class MatchHub:
    """Publishes stored events to listeners of this process, in the order in which they subscribed."""

    def __init__(self) -> None:
        self.listeners: list[EventListener] = []

    def subscribe(self, listener: EventListener) -> None:
        """Call `listener` for all events from now on."""
        self.listeners.append(listener)

    def publish(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Wake the subscribers of the match, then call all listeners."""
        match.wake_subscribers()
        for listener in self.listeners:
            listener(match, events, origin)


class UserEventStreams:
    """One stream of events per connected external bot: all matches of its user."""

    def __init__(self, registry: MatchRegistry, repository: MatchRepository, hub: MatchHub) -> None:
        self.registry = registry
        self.repository = repository
        self.queues: dict[str, set[asyncio.Queue[str]]] = {}  # of match ids, by user id
        self.sent_seqs: dict[asyncio.Queue[str], dict[str, int]] = {}  # by match id: the last event that a stream has sent
        hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Queue a match for the streams of its players."""
        if not self.queues:
            return
        for user_id in set(match.seats):
            for queue in self.queues.get(user_id or "", ()):
                queue.put_nowait(match.id)

    async def on_remote_event(self, match_id: str) -> None:
        """Queue a match that is not loaded here, after another server stored an event."""
        if self.queues:
            row = await self.repository.find(match_id)
            if row is not None and any(user_id in self.queues for user_id in row.seats):
                self.on_events(await self.registry.get(match_id), (), Origin.REMOTE)

    async def resynchronise(self) -> None:
        """Queue the matches of all streams, and those that may have started, after notifications may have been lost."""
        for user_id, queues in list(self.queues.items()):
            rows = await self.repository.list_by_user(user_id, MAX_STREAM_MATCHES)
            started = {row.id for row in rows if row.status == "playing"}
            for queue in queues:
                for match_id in started | self.sent_seqs[queue].keys():
                    queue.put_nowait(match_id)

    async def subscribe(self, user_id: str) -> AsyncIterator[tuple[LiveMatch, Sequence[MatchEvent]] | None]:
        """Yield every match of a user that is in progress, then new events of any of them; None as a heartbeat."""
        queue: asyncio.Queue[str] = asyncio.Queue()
        last_seqs = self.sent_seqs[queue] = dict[str, int]()
        self.queues.setdefault(user_id, set()).add(queue)
        try:
            for row in await self.repository.list_by_user(user_id, MAX_STREAM_MATCHES):
                if row.status == "playing":
                    queue.put_nowait(row.id)
            yield None
            while True:
                try:
                    match_id = await asyncio.wait_for(queue.get(), HEARTBEAT_SECONDS)
                except TimeoutError:
                    yield None
                    continue
                match = await self.registry.get(match_id)
                events = match.events_after(last_seqs.get(match_id, 0))
                last_seqs[match_id] = match.state.seq
                if events:
                    yield match, events
        finally:
            del self.sent_seqs[queue]
            self.queues[user_id].discard(queue)
            if not self.queues[user_id]:
                del self.queues[user_id]
