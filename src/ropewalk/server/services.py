"""The services of a server process: their creation, start and stop."""

from __future__ import annotations

import asyncio

from .animations import AnimationRenderer
from .background import TaskSupervisor
from .clock import ClockSource, ServerClock
from .db.analysis_repository import AnalysisRepository
from .db.conditional_moves_repository import ConditionalMovesRepository
from .db.database import Database
from .db.event_store import EventStore
from .db.explorer_repository import ExplorerRepository
from .db.heartbeat_repository import HeartbeatRepository
from .db.match_repository import MatchRepository
from .db.migrate import migrate
from .db.moderation_repository import ModerationRepository
from .db.notification_repository import NotificationRepository
from .db.puzzle_repository import PuzzleRepository
from .db.rating_repository import RatingRepository
from .db.review_repository import ReviewRepository
from .db.session_repository import SessionRepository
from .db.tournament_repository import TournamentRepository
from .db.user_repository import UserRepository
from .engine_pool.bot_player import BotPlayer
from .engine_pool.engine_tokens import EngineTokenFile
from .engine_pool.leases import RemoteEngines
from .engine_pool.pool import EnginePool
from .executors import WorkExecutors
from .heartbeat import ServerHeartbeat
from .matches.cluster import ClusterBus
from .matches.conditional_moves import ConditionalMovePlayer
from .matches.game_cache import GameCache
from .matches.hub import MatchHub, UserEventStreams
from .matches.lobby import Lobby
from .matches.matchmaking import Matchmaker
from .matches.registry import MatchRegistry
from .matches.service import MatchService
from .matches.session_watchers import SessionWatchers
from .moderation import ModerationWatcher
from .notifications.mailer import Mailer
from .notifications.service import NotificationService
from .periodic_jobs import PeriodicJobs
from .settings import ServerSettings
from .study.explorer_service import ExplorerService
from .study.puzzle_catalogue import PuzzleCatalogue
from .study.puzzle_judge import PuzzleJudge
from .study.review_service import ReviewService
from .tournaments.service import TournamentService

MAX_LOADING = 64  # sockets that load something at the same time; others wait, outside of the time limit of statements


class AppServices:
    """All services of a server process, each created with those that it uses."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.background = TaskSupervisor()
        self.clock = ServerClock(ClockSource(settings.clock_offset_file))
        self.database = Database(settings.database, settings.database_timeout_seconds)
        self.heartbeat = ServerHeartbeat(HeartbeatRepository(self.database), self.clock)
        self.create_engines()
        self.create_matches()
        self.create_club()
        self.create_study()
        self.create_connections()
        self.periodic_jobs = self.build_periodic_jobs()
        self.stopping = asyncio.Event()

    def create_engines(self) -> None:
        """Create what searches for bots and analyses, and the pools of threads."""
        settings = self.settings
        self.engine_pool = EnginePool(
            settings.engine_workers, warming=settings.warm_up, limit_scale=settings.rate_limit_scale
        )
        self.remote_engines = RemoteEngines(self.engine_pool)
        self.engine_tokens = None if settings.engine_tokens is None else EngineTokenFile(settings.engine_tokens)
        self.executors = WorkExecutors()

    def create_matches(self) -> None:
        """Create users, matches, lobby and matchmaking."""
        self.users = UserRepository(self.database)
        self.sessions = SessionRepository(self.database, self.users)
        self.match_repository = MatchRepository(self.database)
        self.ratings = RatingRepository(self.database, self.users, self.match_repository)
        self.event_store = EventStore(self.database)
        self.games = GameCache(self.engine_pool.is_warm, self.background, self.executors.loading)
        self.hub = MatchHub()
        self.registry = MatchRegistry(self.match_repository, self.games, self.hub, self.executors.loading)
        self.matches = MatchService(self.registry, self.event_store, self.hub, self.clock, self.heartbeat)
        self.heartbeat.listeners.append(lambda: self.background.start(self.matches.compensate_loaded()))
        self.lobby = Lobby(self.match_repository, self.background)
        self.moderation = ModerationRepository(self.database)
        self.matchmaker = Matchmaker(
            self.matches, self.match_repository, self.users, self.lobby, self.engine_pool, self.moderation
        )
        self.bot_player = BotPlayer(self.matches, self.engine_pool, self.background)
        self.conditional_moves = ConditionalMovesRepository(self.database)
        self.conditional_move_player = ConditionalMovePlayer(self.matches, self.conditional_moves, self.background)

    def create_club(self) -> None:
        """Create moderation, tournaments and notifications."""
        settings = self.settings
        self.moderation_watcher = ModerationWatcher(self.moderation, self.users, self.sessions, self.matchmaker)
        self.tournaments = TournamentService(
            TournamentRepository(self.database),
            self.matchmaker,
            self.users,
            self.clock,
            self.executors.loading,
            self.background,
        )
        self.notifications = NotificationService(
            NotificationRepository(self.database),
            self.match_repository,
            self.users,
            self.hub,
            self.background,
            self.clock,
        )
        self.notifications.configure(
            delay_ms=round(1000 * settings.notice_delay_seconds),
            push_contact=settings.push_contact,
            allows_private_endpoints=settings.allow_private_push_endpoints,
            mailer=None if settings.smtp is None else Mailer(settings.smtp),
        )

    def create_study(self) -> None:
        """Create puzzles, reviews, analyses, the opening explorer and pictures."""
        self.explorer = ExplorerService(
            ExplorerRepository(self.database),
            self.match_repository,
            self.games,
            self.executors.loading,
            self.background,
            self.clock,
        )
        self.animations = AnimationRenderer()
        self.puzzle_catalogue = PuzzleCatalogue()
        self.puzzles = PuzzleRepository(self.database)
        self.puzzle_judge = PuzzleJudge(self.engine_pool)
        self.reviews = ReviewService(ReviewRepository(self.database), self.engine_pool, self.background, self.clock)
        self.reviews.on_saved = self.explorer.add_review
        self.analyses = AnalysisRepository(self.database)

    def create_connections(self) -> None:
        """Create what connects users and other servers with the matches."""
        self.user_streams = UserEventStreams(self.registry, self.match_repository, self.hub)
        self.session_watchers = SessionWatchers()
        self.loading_slots = asyncio.Semaphore(MAX_LOADING)
        self.sessions.subscribe(self.session_watchers.end_sessions)
        self.sessions.subscribe(self.user_streams.end_sessions)
        self.hub.subscribe(self.lobby.on_events)
        self.cluster = ClusterBus(
            self.database,
            self.registry,
            self.event_store,
            self.lobby,
            self.user_streams,
            self.users,
            self.sessions,
            self.session_watchers,
            self.background,
        )

    def build_periodic_jobs(self) -> PeriodicJobs:
        """Return the jobs that run all the time."""
        return PeriodicJobs(
            self.matches,
            self.bot_player,
            self.users,
            self.sessions,
            self.ratings,
            self.lobby,
            self.user_streams,
            self.conditional_move_player,
            self.tournaments,
            self.moderation_watcher,
            self.notifications,
            self.explorer,
            self.settings.bot_match_expiry_hours,
        )

    async def start(self) -> None:
        """Migrate the database and start background work."""
        await migrate(self.database)
        await self.heartbeat.start()
        await self.users.ensure_builtin_bots()
        await self.lobby.refresh()
        self.engine_pool.start()
        self.remote_engines.start()
        self.periodic_jobs.start()
        self.cluster.start()

    @property
    def is_stopping(self) -> bool:
        """Whether the server stops and begins nothing new."""
        return self.stopping.is_set()

    def begin_stop(self) -> None:
        """End requests that take long: event streams and those that wait for an engine."""
        self.stopping.set()
        self.user_streams.end_all()

    async def stop(self) -> None:
        """Stop background work, store pending events, then close the database."""
        self.begin_stop()
        await self.periodic_jobs.stop()  # first, because it starts tasks
        await self.background.stop()
        await self.remote_engines.stop()
        await self.engine_pool.stop()
        await self.event_store.close()
        await self.heartbeat.stop()
        self.executors.shut_down()
        self.notifications.shut_down()
        await self.database.close()
