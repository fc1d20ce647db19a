"""The house: everything that a running server consists of, put together in one place."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from sqlalchemy.engine import URL

from .background import TaskSupervisor
from .db.database import Database
from .db.event_store import EventStore
from .db.match_repository import MatchRepository
from .db.migrate import migrate
from .db.plan_book import ConditionalMovesRepository
from .db.rating_repository import RatingRepository
from .db.user_repository import UserRepository
from .engine_pool.bot_player import Players
from .engine_pool.pool import Pool
from .matches.cluster import Bells
from .matches.conditional_moves import Planners
from .matches.game_cache import Rules
from .matches.lobby import Lobby
from .matches.registry import Tables
from .matches.user_streams import Streams
from .periodic_jobs import Clerk


@dataclass(frozen=True)
class HouseSettings:
    """What an operator decides."""

    database: URL
    engines: int = field(default_factory=lambda: os.cpu_count() or 1)
    warming: bool = True
    rate: float = 1.0  # times the usual rate limits; 0 lifts them
    page: Path = field(default_factory=lambda: Path(__file__).with_name("page"))


class House:
    """Opens and closes with the server."""

    def __init__(self, settings: HouseSettings) -> None:
        self.settings = settings
        self.background = TaskSupervisor()
        self.database = Database(settings.database)
        self.people = UserRepository(self.database)
        self.archive = MatchRepository(self.database)
        self.rating_book = RatingRepository(self.database, self.people, self.archive)
        self.ledger = EventStore(self.database)
        self.pool = Pool(settings.engines, warming=settings.warming)
        self.rules = Rules(self.pool.is_warm, self.background)
        self.tables = Tables(self.archive, self.ledger, self.rules)
        self.lobby = Lobby(self.archive, self.background)
        self.players = Players(self.tables, self.pool, self.background)
        self.plan_book = ConditionalMovesRepository(self.database)
        self.planners = Planners(self.tables, self.plan_book, self.background)
        self.clerk = Clerk(self.tables, self.players, self.people, self.rating_book)
        self.streams = Streams(self.tables, self.archive)
        self.bells = Bells(self.database, self.tables, self.lobby, self.streams, self.people, self.background)
        self.tables.listeners.append(self.lobby.hear)
        self.is_closing = False

    async def open(self) -> None:
        """Prepare the database, and start whatever goes on by itself."""
        await migrate(self.database)
        await self.people.ensure_builtin_bots()
        await self.lobby.refresh()
        self.pool.start()
        self.clerk.start()
        self.bells.start()

    async def close(self) -> None:
        """Finish what is being written, end what runs, and then close the database."""
        self.is_closing = True
        await self.clerk.stop()  # first, for it starts tasks
        await self.background.stop()
        await self.pool.stop()
        await self.ledger.close()
        await self.database.close()
