"""Bells between servers that share a PostgreSQL: each tells the others what it has written, and who is at its tables.

A bell carries only a match and a number, or the id of a user; who hears it reads the rest from the database, so nothing
depends on it but how soon people see each other's moves and names.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from typing import TYPE_CHECKING, Any

from ..background import TaskSupervisor
from ..db.append_request import CHANNEL, LOBBY
from ..db.database import Database
from ..db.user_repository import USERS_CHANNEL, UserRepository
from ..errors import ApiError
from .live_match import Table
from .lobby import Lobby
from .registry import Tables
from .user_streams import Streams

if TYPE_CHECKING:
    from asyncpg import Connection

PRESENCE = "ropewalk_presence"
AGAIN_SECONDS = 1.0
HEARTBEAT_SECONDS = 10.0
GONE_SECONDS = 25.0  # after which a server that says nothing is taken to be gone
MOST_NAMED = 100
TROUBLE = (OSError, TimeoutError)
log = logging.getLogger("ropewalk.bells")


class Bells:
    """Listens as long as the server runs."""

    def __init__(
        self,
        database: Database,
        tables: Tables,
        lobby: Lobby,
        streams: Streams,
        people: UserRepository,
        background: TaskSupervisor,
    ) -> None:
        self.database = database
        self.people = people
        self.tables = tables
        self.lobby = lobby
        self.streams = streams
        self.background = background
        self.name = secrets.token_hex(4)  # of this server
        self.connection: Connection[Any] | None = None
        self.told: dict[str, Any] = {}  # who is here, as the others know it
        self.changed: dict[str, Table] = {}  # tables of which they do not know it
        self.has_changed = asyncio.Event()

    def start(self) -> None:
        """Listen, where there can be others."""
        if not self.database.is_sqlite:
            for loop in (self.listen(), self.beat(), self.announce_all()):
                self.background.start(loop, interruptible=True)

    async def listen(self) -> None:
        """Keep a connection open; after a loss, read what was missed."""
        import asyncpg

        while True:
            try:
                self.connection = await asyncpg.connect(**self.database.connection_arguments())
                await self.connection.add_listener(CHANNEL, self.hear)
                await self.connection.add_listener(PRESENCE, self.hear_presence)
                await self.connection.add_listener(USERS_CHANNEL, self.hear_of_user)
                await self.catch_up()
                while not self.connection.is_closed():
                    await asyncio.sleep(AGAIN_SECONDS)
            except (*TROUBLE, asyncpg.PostgresError, asyncpg.InterfaceError, ApiError) as error:
                log.warning("cannot hear other servers: %s", error)
            finally:
                if self.connection is not None and not self.connection.is_closed():
                    self.connection.terminate()
            await asyncio.sleep(AGAIN_SECONDS)

    async def catch_up(self) -> None:
        """Read what others wrote while nobody listened."""
        self.people.invalidate_all()
        await self.lobby.refresh()
        for table in list(self.tables.open.values()):
            if table.cursors:
                await self.tables.refresh(table)

    def hear(self, connection: Any, process: int, channel: str, said: object) -> None:
        """Matches and numbers: something was written, by another unless it was our ledger."""
        if process != self.tables.ledger.bulk_appender.backend_pid:
            words = iter(str(said).split())
            for match, number in zip(words, words, strict=True):
                self.hear_of(match, int(number))

    def hear_of(self, match: str, number: int) -> None:
        """An event was written: take it in where somebody may wait for it."""
        table = self.tables.open.get(match)
        if match == LOBBY:
            if number > self.lobby.number:
                self.lobby.refresh_soon()
        elif table is None:
            self.background.start(self.streams.hear_of(match))
        elif table.state.seq < number:
            self.background.start(self.take_in(table, number))

    def hear_of_user(self, connection: Any, process: int, channel: str, user: object) -> None:
        """A user, or whom they mute, was changed."""
        self.people.invalidate(str(user))

    async def take_in(self, table: Table, number: int) -> None:
        """Read what another wrote, unless it was ourselves."""
        async with table.turn:
            if table.state.seq < number:
                await self.tables.refresh(table)

    # Who is here

    async def beat(self) -> None:
        """Tell the others now and then who is here."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for table in list(self.tables.open.values()):
                table.forget_gone(time.monotonic() - GONE_SECONDS)
                if table.cursors:
                    self.told.pop(table.id, None)
                    self.presence_changed(table)

    def presence_changed(self, table: Table) -> None:
        """Somebody came or left."""
        if not self.database.is_sqlite:
            self.changed[table.id] = table
            self.has_changed.set()

    async def announce_all(self) -> None:
        """Tell the others who is at our tables, one after the other; what changes meanwhile is told once."""
        import asyncpg

        while True:
            await self.has_changed.wait()
            self.has_changed.clear()
            while self.changed:
                try:
                    await self.announce(self.changed.popitem()[1])
                except (*TROUBLE, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                    log.info("others do not hear who is here: %s", error)

    async def announce(self, table: Table) -> None:
        """Tell the others who is at a table through this server, unless they know."""
        users, strangers = table.present_here()
        here = {"server": self.name, "match": table.id, "users": users[:MOST_NAMED], "strangers": strangers}
        if self.connection is None or self.connection.is_closed() or here == self.told.get(table.id):
            return
        self.told[table.id] = here
        if not users and not strangers:
            del self.told[table.id]
        await self.connection.execute("SELECT pg_notify($1, $2)", PRESENCE, json.dumps(here))

    def hear_presence(self, connection: Any, process: int, channel: str, said: object) -> None:
        """Another server says who is there."""
        there = json.loads(str(said))
        table = self.tables.open.get(there["match"])
        if table is None or there["server"] == self.name:
            return
        is_new = there["server"] not in table.elsewhere
        table.elsewhere[there["server"]] = (time.monotonic(), there)
        table.presence_changed()
        if is_new and table.cursors:
            self.told.pop(table.id, None)  # they do not know who is here
            self.presence_changed(table)
