"""The clerk: calls flags, moves ratings, looks after bots that should have moved, and notices when a backup is restored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import select

from .db.rating_repository import RatingRepository, is_rating_due
from .db.tables import database_metadata
from .db.user_repository import UserRepository, now_ms
from .domain.events import MatchEvent
from .engine_pool.bot_player import BotPlayer
from .errors import ApiError
from .matches.hub import Origin
from .matches.live_match import LiveMatch
from .matches.service import MatchService

INTERVAL_SECONDS = 0.25
BOT_CHECK_INTERVAL = 60  # rounds
log = logging.getLogger("ropewalk.clerk")


class PeriodicJobs:
    """Goes round as long as the server runs."""

    def __init__(
        self, service: MatchService, bot_player: BotPlayer, users: UserRepository, ratings: RatingRepository
    ) -> None:
        self.service = service
        self.bot_player = bot_player
        self.people = users
        self.ratings = ratings
        self.rating_due = True  # after a start there may be matches that nobody has rated
        self.task: asyncio.Task[None] | None = None
        self.stop_requested = asyncio.Event()
        service.hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Ratings move in the next round."""
        self.rating_due = self.rating_due or (origin is Origin.LOCAL and is_rating_due(match.state))

    def start(self) -> None:
        """Begin the rounds."""
        self.task = asyncio.create_task(self.run())

    async def stop(self) -> None:
        """End them, after the one that is under way: a query that is cut short leaves a mess."""
        self.stop_requested.set()
        if self.task is not None:
            await self.task

    async def run(self) -> None:
        """Whatever fails is tried again in the next round."""
        rounds = 0
        while not self.stop_requested.is_set():
            try:
                await self.claim_timeouts()
                await self.detect_restore()
                await self.update_ratings()
                if rounds % BOT_CHECK_INTERVAL == 0:
                    await self.bot_player.resume_stalled()
            except ApiError as refusal:
                log.warning("%s", refusal)
            except Exception:
                log.exception("a round failed")
            rounds += 1
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop_requested.wait(), INTERVAL_SECONDS)

    async def claim_timeouts(self) -> None:
        """Call every flag that has fallen."""
        for row in await self.service.registry.repository.list_overdue(now_ms()):
            await self.service.claim_timeout(row.id)

    async def update_ratings(self) -> None:
        """Rate all matches that have ended."""
        if self.rating_due:
            self.rating_due = False
            await self.ratings.rate_pending()

    async def detect_restore(self) -> None:
        """Begin anew when the database has another past than the one that we know."""
        event_store = self.service.event_store
        async with self.service.registry.repository.database.read_connection() as connection:
            epoch = await connection.scalar(select(database_metadata.c.value).where(database_metadata.c.name == "epoch"))
        if event_store.epoch is None:
            event_store.epoch = epoch
        elif epoch != event_store.epoch:
            log.warning("a backup was restored: everything is read anew")
            self.people.invalidate_all()
            self.service.registry.reset()
            event_store.epoch = epoch
