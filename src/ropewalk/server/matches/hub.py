"""In-process publish/subscribe for match events, and the event streams of users."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Collection, Sequence
from enum import Enum
from typing import TYPE_CHECKING

from ..domain.events import MatchEvent
from ..errors import ApiError

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


class UserStream:
    """A connected stream: its session, and the ids of matches with news; None ends it."""

    def __init__(self, session_id: str) -> None:
        self.session_id = session_id
        self.queue: asyncio.Queue[str | None] = asyncio.Queue()
        self.sent_seqs: dict[str, int] = {}  # by match id: the last event that was sent
        self.epochs: dict[str, str | None] = {}  # by match id: in which that was; after a restored backup all are sent again

    def take_new_events(self, match: LiveMatch) -> Sequence[MatchEvent]:
        """Return the events of a match that were not sent; they count as sent from now on."""
        seq = self.sent_seqs.get(match.id, 0) if self.epochs.get(match.id) == match.epoch else 0
        self.sent_seqs[match.id], self.epochs[match.id] = match.state.seq, match.epoch
        return match.events_after(seq)


class UserEventStreams:
    """One stream of events per connected external bot: all matches of its user."""

    def __init__(self, registry: MatchRegistry, repository: MatchRepository, hub: MatchHub) -> None:
        self.registry = registry
        self.repository = repository
        self.streams: dict[str, set[UserStream]] = {}  # by user id
        self.is_stopping = False
        hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Queue a match for the streams of its players."""
        if not self.streams:
            return
        for user_id in set(match.seats):
            for stream in self.streams.get(user_id or "", ()):
                stream.queue.put_nowait(match.id)

    async def on_remote_event(self, match_id: str) -> None:
        """Queue a match that is not loaded here, after another server stored an event."""
        if self.streams:
            row = await self.repository.find(match_id)
            if row is not None and any(user_id in self.streams for user_id in row.seats):
                self.on_events(await self.registry.get(match_id), (), Origin.REMOTE)

    async def resynchronise(self) -> None:
        """Queue the matches of all streams, and those that may have started.

        To be called after notifications may have been lost, or a backup was restored.
        """
        for user_id, streams in list(self.streams.items()):
            rows = await self.repository.list_by_user(user_id, MAX_STREAM_MATCHES)
            started = {row.id for row in rows if row.status == "playing"}
            for stream in streams:
                for match_id in started | stream.sent_seqs.keys():
                    stream.queue.put_nowait(match_id)

    async def find_match(self, match_id: str) -> LiveMatch | None:
        """Return a match, None if it is not in the restored backup, or if it cannot be read."""
        try:
            return await self.registry.get(match_id)
        except ApiError as error:
            if error.code in ("not-found", "unreadable-match"):
                return None
            raise

    def session_ids(self) -> set[str]:
        """Return the ids of the sessions that have streams."""
        return {stream.session_id for stream in self.list_streams()}

    def end_sessions(self, session_ids: Collection[str]) -> None:
        """End the streams of sessions that have ended."""
        for stream in self.list_streams():
            if stream.session_id in session_ids:
                stream.queue.put_nowait(None)

    def end_all(self) -> None:
        """End all streams, because the server stops; a stream that begins later ends at once."""
        self.is_stopping = True
        for stream in self.list_streams():
            stream.queue.put_nowait(None)

    def list_streams(self) -> list[UserStream]:
        """Return all connected streams."""
        return [stream for streams in self.streams.values() for stream in streams]

    async def subscribe(self, user_id: str, session_id: str) -> AsyncIterator[tuple[LiveMatch, Sequence[MatchEvent]] | None]:
        """Yield every match of a user that is in progress, then new events of any of them; None as a heartbeat.

        It stops when the session ends, or the server stops.
        """
        if self.is_stopping:
            return
        stream = UserStream(session_id)
        queue = stream.queue
        self.streams.setdefault(user_id, set()).add(stream)
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
                if match_id is None:
                    return
                match = await self.find_match(match_id)
                if match is not None and (events := stream.take_new_events(match)):
                    yield match, events
        finally:
            self.streams[user_id].discard(stream)
            if not self.streams[user_id]:
                del self.streams[user_id]
