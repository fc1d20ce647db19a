"""The clerk: calls flags, moves ratings, looks after bots that should have moved, and notices when a backup is restored."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

from sqlalchemy import select

from .db.rating_repository import RatingRepository, is_rating_due
from .db.tables import facts
from .db.user_repository import UserRepository, now_ms
from .domain.events import MatchEvent
from .engine_pool.bot_player import Players
from .errors import ApiError
from .matches.live_match import Table
from .matches.registry import Tables

ROUND_SECONDS = 0.25
BOTS_EVERY = 60  # rounds
log = logging.getLogger("ropewalk.clerk")


class Clerk:
    """Goes round as long as the server runs."""

    def __init__(self, tables: Tables, players: Players, people: UserRepository, rating_book: RatingRepository) -> None:
        self.tables = tables
        self.players = players
        self.people = people
        self.rating_book = rating_book
        self.rating_due = True  # after a start there may be matches that nobody has rated
        self.task: asyncio.Task[None] | None = None
        self.leaving = asyncio.Event()
        tables.listeners.append(self.hear)

    def hear(self, table: Table, events: Sequence[MatchEvent], here: bool) -> None:
        """Ratings move in the next round."""
        self.rating_due = self.rating_due or (here and is_rating_due(table.state))

    def start(self) -> None:
        """Begin the rounds."""
        self.task = asyncio.create_task(self.go_round())

    async def stop(self) -> None:
        """End them, after the one that is under way: a query that is cut short leaves a mess."""
        self.leaving.set()
        if self.task is not None:
            await self.task

    async def go_round(self) -> None:
        """Whatever fails is tried again in the next round."""
        rounds = 0
        while not self.leaving.is_set():
            try:
                await self.call_flags()
                await self.notice_restored()
                await self.rate()
                if rounds % BOTS_EVERY == 0:
                    await self.players.look_after()
            except ApiError as refusal:
                log.warning("%s", refusal)
            except Exception:
                log.exception("a round failed")
            rounds += 1
            with suppress(TimeoutError):
                await asyncio.wait_for(self.leaving.wait(), ROUND_SECONDS)

    async def call_flags(self) -> None:
        """Call every flag that has fallen."""
        for row in await self.tables.archive.list_overdue(now_ms()):
            await self.tables.judge(row.id)

    async def rate(self) -> None:
        """Rate all matches that have ended."""
        if self.rating_due:
            self.rating_due = False
            await self.rating_book.rate_pending()

    async def notice_restored(self) -> None:
        """Begin anew when the database has another past than the one that we know."""
        ledger = self.tables.ledger
        async with self.tables.archive.database.read_connection() as connection:
            epoch = await connection.scalar(select(facts.c.value).where(facts.c.name == "epoch"))
        if ledger.epoch is None:
            ledger.epoch = epoch
        elif epoch != ledger.epoch:
            log.warning("a backup was restored: everything is read anew")
            self.people.invalidate_all()
            self.tables.forget_all()
            ledger.epoch = epoch
