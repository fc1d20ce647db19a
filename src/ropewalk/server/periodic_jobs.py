"""Periodic jobs: timeouts, ratings, tournaments, notices, stalled bots, conditional moves, detection of restored backups."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress

from .db.rating_repository import RatingRepository, is_rating_due
from .db.session_repository import SessionRepository
from .db.tables import SELECT_EPOCH
from .db.user_repository import UserRepository
from .domain.events import MatchEvent
from .engine_pool.bot_player import BotPlayer
from .errors import ApiError
from .matches.conditional_moves import ConditionalMovePlayer
from .matches.hub import Origin, UserEventStreams
from .matches.live_match import LiveMatch
from .matches.lobby import Lobby
from .matches.service import MatchService
from .moderation import ModerationWatcher
from .notifications.service import NotificationService
from .study.explorer_service import ExplorerService
from .tournaments.service import TournamentService

INTERVAL_SECONDS = 0.25
BOT_CHECK_INTERVAL = 60  # iterations
HOUR_MS = 3_600_000
TOURNAMENT_INTERVAL = 4  # iterations; the end of a match is noticed at once by the server that stores it
log = logging.getLogger("ropewalk.periodic_jobs")


class PeriodicJobs:
    """Runs all jobs every INTERVAL_SECONDS as long as the server runs."""

    def __init__(
        self,
        service: MatchService,
        bot_player: BotPlayer,
        users: UserRepository,
        sessions: SessionRepository,
        ratings: RatingRepository,
        lobby: Lobby,
        streams: UserEventStreams,
        conditional_move_player: ConditionalMovePlayer,
        tournaments: TournamentService,
        moderation: ModerationWatcher,
        notifications: NotificationService,
        explorer: ExplorerService,
        bot_match_expiry_hours: float,
    ) -> None:
        self.service = service
        self.lobby = lobby
        self.streams = streams
        self.bot_player = bot_player
        self.conditional_move_player = conditional_move_player
        self.tournaments = tournaments
        self.moderation = moderation
        self.notifications = notifications
        self.explorer = explorer
        self.bot_match_expiry_ms = round(bot_match_expiry_hours * HOUR_MS)
        self.users = users
        self.sessions = sessions
        self.ratings = ratings
        self.has_pending_ratings = True  # a server may have stopped before it rated all matches
        self.task: asyncio.Task[None] | None = None
        self.completed_at = time.monotonic()  # when all jobs had run last
        self.stop_requested = asyncio.Event()
        service.hub.subscribe(self.on_events)

    def on_events(self, match: LiveMatch, events: Sequence[MatchEvent], origin: Origin) -> None:
        """Schedule the update of ratings after a rated match that has ended here."""
        is_due = origin is Origin.LOCAL and is_rating_due(match.state)
        self.has_pending_ratings = self.has_pending_ratings or is_due

    def start(self) -> None:
        """Start the task that runs the jobs."""
        self.task = asyncio.create_task(self.run())

    async def stop(self) -> None:
        """Stop after the current iteration, which is not cancelled: that could leave a connection in an unknown state."""
        self.stop_requested.set()
        if self.task is not None:
            await self.task

    async def run(self) -> None:
        """Run the jobs until the server stops; a job that fails is tried again in the next iteration."""
        iteration = 0
        while not self.stop_requested.is_set():
            await self.run_job(self.detect_restore)
            await self.run_job(self.claim_timeouts)
            await self.run_job(self.update_ratings)
            if iteration % BOT_CHECK_INTERVAL == 0:
                await self.run_job(self.bot_player.resume_stalled)
                await self.run_job(self.conditional_move_player.resume_stalled)
                await self.run_job(self.expire_bot_matches)
            if iteration % TOURNAMENT_INTERVAL == 0:
                await self.run_job(self.tournaments.advance_due)
                await self.run_job(self.moderation.apply_actions)
                await self.run_job(self.notifications.send_due)
                await self.run_job(self.explorer.schedule)
            iteration += 1
            self.completed_at = time.monotonic()
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop_requested.wait(), INTERVAL_SECONDS)

    async def run_job(self, job: Callable[[], Awaitable[None]]) -> None:
        """Run a job; if it fails, the others run all the same."""
        try:
            await job()
        except ApiError as error:
            log.warning("%s", error)
        except Exception:
            log.exception("a periodic job failed")

    async def claim_timeouts(self) -> None:
        """End all matches in which the seat to move has run out of time; one that fails does not stop the others."""
        registry = self.service.registry
        for row in await registry.repository.list_overdue(self.service.clock.now_ms(), excluded=list(registry.unreadable)):
            try:
                await self.service.claim_timeout(row.id)
            except ApiError as error:
                log.warning("match %s: %s", row.id, error)
            except Exception as error:
                log.exception("match %s: its timeout cannot be claimed", row.id)
                registry.mark_unreadable(row.id, error)

    async def expire_bot_matches(self) -> None:
        """End matches without a clock against bots in which the person has not moved for a long time."""
        if self.bot_match_expiry_ms:
            oldest = self.service.clock.now_ms() - self.bot_match_expiry_ms
            for match_id in await self.service.registry.repository.list_abandoned_ids(oldest):
                if match_id not in self.service.registry.unreadable:
                    await self.service.expire(match_id, oldest)

    async def update_ratings(self) -> None:
        """Rate all matches that have ended, if there are any."""
        if self.has_pending_ratings:
            self.has_pending_ratings = False
            await self.ratings.rate_pending()

    async def detect_restore(self) -> None:
        """Discard all loaded data if the epoch of the database has changed, because a backup was restored."""
        event_store = self.service.event_store
        async with self.service.registry.repository.database.read_connection() as connection:
            epoch = await connection.scalar(SELECT_EPOCH)
        if event_store.epoch is None:
            event_store.epoch = epoch
        elif epoch != event_store.epoch:
            log.warning("a backup was restored; reloading all matches")
            event_store.epoch = epoch  # first: what is queued for matches of the old epoch must not be stored
            self.users.invalidate_all()
            self.sessions.cache.clear()
            self.service.registry.reset()
            await self.lobby.reset()
            await self.streams.resynchronise()
            self.moderation.last_seq = 0
            self.has_pending_ratings = True
