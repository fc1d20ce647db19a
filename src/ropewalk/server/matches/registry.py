"""The registry of matches in this process: loads them from the database, refreshes and evicts them."""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any
from weakref import WeakValueDictionary

from ...errors import RopewalkError
from ..db.event_store import RESTORED
from ..db.match_repository import MatchRecordRow, MatchRepository
from ..db.user_repository import UserChange
from ..domain.events import MatchEvent
from ..errors import ApiError
from ..executors import BoundedExecutor
from .game_cache import GameCache
from .hub import MatchHub, Origin
from .live_match import LiveMatch, Subscriber

MAX_IDLE = 500  # loaded matches without subscribers
MAX_INLINE_EVENTS = 20  # replayed in the event loop: a few milliseconds
DAMAGE = (RopewalkError, ValueError, LookupError, TypeError, AssertionError)  # what replaying a damaged log can raise
log = logging.getLogger("ropewalk.registry")


class MatchRegistry:
    """Loads matches when they are needed, and evicts those that have no subscribers."""

    def __init__(self, repository: MatchRepository, games: GameCache, hub: MatchHub, executor: BoundedExecutor) -> None:
        self.repository = repository
        self.games = games
        self.hub = hub
        self.executor = executor
        self.loaded: OrderedDict[str, LiveMatch] = OrderedDict()  # the least recently used comes first
        self.load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # each as long as a task uses it
        self.loading: set[str] = set()  # matches whose log is being read
        self.changed_while_loading: set[str] = set()  # those of them to which another server has added an event since
        self.unreadable: dict[str, str] = {}  # matches whose log cannot be replayed, and why
        self.remote_presence: dict[str, dict[str, Any]] = {}  # by match id and server: of clients of other servers
        self.on_loaded: Callable[[LiveMatch], Awaitable[None]] | None = None  # awaited before a loaded match is returned

    async def get(self, match_id: str) -> LiveMatch:
        """Return a match, up to date as far as this process knows.

        Raises:
            ApiError: `not-found`, or `unreadable-match` if its log is damaged.
        """
        if match_id in self.unreadable:
            raise unreadable_error(match_id)
        match = self.loaded.get(match_id)
        if match is None:
            async with self.load_locks.setdefault(match_id, asyncio.Lock()):
                match = self.loaded.get(match_id) or await self.load(match_id)
                if self.loaded.get(match_id) is not match:  # discarded meanwhile, as when a user was erased
                    match = self.loaded.get(match_id) or await self.load(match_id)
        if match_id in self.loaded:
            self.loaded.move_to_end(match_id)
        if match.needs_refresh and not match.write_lock.locked():
            await self.refresh(match)
        return match

    async def load_current(self, match_id: str) -> LiveMatch:
        """Return a match with everything that other servers have stored; with SQLite there are none."""
        is_loaded = match_id in self.loaded
        match = await self.get(match_id)
        if is_loaded and not self.repository.database.is_sqlite:  # one that was loaded just now is up to date
            await self.refresh(match)
        return match

    async def load(self, match_id: str) -> LiveMatch:
        """Load a match from the database."""
        row = await self.repository.find(match_id)
        if row is None:
            raise missing_match_error()
        try:
            await self.games.get(row.config.spec)
            match = await self.load_and_replay(row)
        except ApiError:
            raise
        except DAMAGE as error:
            self.mark_unreadable(match_id, error)
            raise unreadable_error(match_id) from error
        match.remote_presence = self.remote_presence.get(match_id, match.remote_presence)
        self.loaded[match_id] = match
        self.evict_idle()
        if self.on_loaded is not None:
            await self.on_loaded(match)
        return match

    async def load_and_replay(self, row: MatchRecordRow) -> LiveMatch:
        """Return a match after all its events; it needs a refresh if an event was added while they were loaded."""
        self.loading.add(row.id)
        try:
            epoch, events = await self.repository.load_log(row.id)
            match = await self.replay(row, events, epoch)
            match.needs_refresh |= row.id in self.changed_while_loading
            return match
        finally:
            self.loading.discard(row.id)
            self.changed_while_loading.discard(row.id)

    def note_remote_event(self, match_id: str) -> None:
        """Note that another server has added an event to a match that is not loaded."""
        if match_id in self.loading:
            self.changed_while_loading.add(match_id)

    async def replay(self, row: MatchRecordRow, events: Sequence[MatchEvent], epoch: str) -> LiveMatch:
        """Return a match after its events; many of them are replayed in a thread, so that nobody else waits."""
        if len(events) <= MAX_INLINE_EVENTS:
            return replay_match(row, events, epoch)
        match = await self.executor.run(row.created_by, replay_match, row, events, epoch)
        match.needs_refresh = not self.repository.database.is_sqlite  # another server may have added events meanwhile
        return match

    def mark_unreadable(self, match_id: str, error: Exception) -> None:
        """Exclude a match from all work until a backup is restored or the server restarts; others are not affected."""
        log.error("match %s is unreadable and excluded: %s", match_id, error)
        self.unreadable[match_id] = str(error) or type(error).__name__
        self.loaded.pop(match_id, None)

    def evict_idle(self) -> None:
        """Evict the least recently used matches without subscribers; everything of them is stored."""
        idle = [name for name, match in self.loaded.items() if not match.subscribers and not match.write_lock.locked()]
        for name in idle[: max(0, len(idle) - MAX_IDLE)]:
            del self.loaded[name]

    async def refresh(self, match: LiveMatch) -> bool:
        """Load the events that other servers have stored and publish them. Returns whether there were any.

        Raises:
            ApiError: `busy` if a backup was restored since the match was loaded; it is discarded.
        """
        epoch, events = await self.repository.load_log(match.id, after=match.state.seq)
        return self.add_remote_events(match, epoch, events)

    def add_remote_events(self, match: LiveMatch, epoch: str, events: Sequence[MatchEvent]) -> bool:
        """Add and publish events that were loaded from the database. Returns whether any of them were new.

        Raises:
            ApiError: `busy` if a backup was restored since the match was loaded; it is discarded.
        """
        if match.epoch not in (None, epoch):
            self.discard([match])
            raise ApiError("busy", RESTORED)
        before, match.needs_refresh = len(match.log), False
        if not match.append_stored(events):
            return False
        self.hub.publish(match, match.events_after(before), Origin.REMOTE)
        return True

    def reset(self) -> None:
        """Discard all matches, after a backup was restored."""
        self.unreadable.clear()
        self.discard(list(self.loaded.values()))

    def on_user_change(self, change: UserChange, user_id: str) -> None:
        """Correct the matches that show a user's name or chat, and send snapshots to those who follow them.

        After an erasure the matches of the user are loaded again. Those who follow a match get a snapshot after a user of
        a seat was renamed, and users who have muted others. All other matches are not touched.
        """
        matches = list(self.loaded.values())
        if change == "erased":
            self.discard([match for match in matches if match.involves(user_id)])
        elif change == "renamed":
            mark_stale(subscriber for match in matches if user_id in match.seats for subscriber in match.subscribers)
        else:
            everybody = (subscriber for match in matches for subscriber in match.subscribers)
            mark_stale(each for each in everybody if each.user is not None and each.user.id == user_id)

    def discard(self, matches: Sequence[LiveMatch]) -> None:
        """Discard loaded matches: they are loaded again when needed, and their subscribers get a snapshot."""
        for match in matches:
            if self.loaded.get(match.id) is match:
                del self.loaded[match.id]
            mark_stale(match.subscribers)


def mark_stale(subscribers: Iterable[Subscriber]) -> None:
    """Make subscribers get a snapshot."""
    for subscriber in subscribers:
        subscriber.is_stale = True
        subscriber.has_news.set()


def replay_match(row: MatchRecordRow, events: Sequence[MatchEvent], epoch: str) -> LiveMatch:
    """Return a match after its events. Raises one of DAMAGE if they are not numbered from 1 or cannot be replayed."""
    numbers = [event.seq for event in events]
    if numbers != list(range(1, len(events) + 1)):
        missing = next(seq for seq in range(1, len(events) + 2) if seq not in numbers)
        raise LookupError(f"event {missing} is missing, the last one is {numbers[-1]}")
    return LiveMatch(row, events, epoch)


def missing_match_error() -> ApiError:
    """Return the error for requests of a match that does not exist; a private one looks the same to strangers."""
    return ApiError("not-found", "match not found")


def unreadable_error(match_id: str) -> ApiError:
    """Return the error for requests of a match whose log is damaged."""
    return ApiError("unreadable-match", f"the log of match {match_id} is damaged; the operator can restore a backup")
