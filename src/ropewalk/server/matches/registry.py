"""The registry of matches in this process: loads them from the database, refreshes and evicts them."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from weakref import WeakValueDictionary

from ..db.match_repository import MatchRepository
from ..errors import ApiError
from .game_cache import GameCache
from .hub import MatchHub, Origin
from .live_match import LiveMatch

MAX_IDLE = 500  # loaded matches without subscribers


class MatchRegistry:
    """Loads matches when they are needed, and evicts those that have no subscribers."""

    def __init__(self, repository: MatchRepository, games: GameCache, hub: MatchHub) -> None:
        self.repository = repository
        self.games = games
        self.hub = hub
        self.loaded: OrderedDict[str, LiveMatch] = OrderedDict()  # the least recently used comes first
        self.load_locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()  # each as long as a task uses it

    async def get(self, match_id: str) -> LiveMatch:
        """Return a match, up to date as far as this process knows.

        Raises:
            ApiError: `not-found`.
        """
        match = self.loaded.get(match_id)
        if match is None:
            async with self.load_locks.setdefault(match_id, asyncio.Lock()):
                match = self.loaded.get(match_id) or await self.load(match_id)
        self.loaded.move_to_end(match_id)
        if match.needs_refresh and not match.write_lock.locked():
            await self.refresh(match)
        return match

    async def load_current(self, match_id: str) -> LiveMatch:
        """Return a match with everything that other servers have stored; with SQLite there are none."""
        match = await self.get(match_id)
        if not self.repository.database.is_sqlite:
            await self.refresh(match)
        return match

    async def load(self, match_id: str) -> LiveMatch:
        """Load a match from the database."""
        row = await self.repository.find(match_id)
        if row is None:
            raise ApiError("not-found", "match not found")
        await self.games.get(row.config.spec)
        match = LiveMatch(row, await self.repository.load_events(match_id))
        self.loaded[match_id] = match
        self.evict_idle()
        return match

    def evict_idle(self) -> None:
        """Evict the least recently used matches without subscribers; everything of them is stored."""
        idle = [name for name, match in self.loaded.items() if not match.subscribers and not match.write_lock.locked()]
        for name in idle[: max(0, len(idle) - MAX_IDLE)]:
            del self.loaded[name]

    async def refresh(self, match: LiveMatch) -> bool:
        """Load the events that other servers have stored and publish them. Returns whether there were any."""
        events = await self.repository.load_events(match.id, after=match.state.seq)
        before, match.needs_refresh = len(match.log), False
        if not match.append_stored(events):
            return False
        self.hub.publish(match, match.events_after(before), Origin.REMOTE)
        return True

    def reset(self) -> None:
        """Discard all matches, after a backup was restored."""
        self.discard(list(self.loaded.values()))

    def discard_matches_of(self, user_id: str) -> None:
        """Discard the matches that show a user's name or chat, after these have changed in the database."""
        self.discard([match for match in self.loaded.values() if match.involves(user_id)])

    def discard(self, matches: Sequence[LiveMatch]) -> None:
        """Discard loaded matches: they are loaded again when needed, and their subscribers get a snapshot."""
        for match in matches:
            del self.loaded[match.id]
            for subscriber in match.subscribers:
                subscriber.is_stale = True
                subscriber.has_news.set()
