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
from ..db.event_store import EventStore
from ..db.user_repository import USERS_CHANNEL, UserRepository
from ..errors import ApiError
from .hub import UserEventStreams
from .live_match import LiveMatch
from .lobby import Lobby
from .registry import MatchRegistry

if TYPE_CHECKING:
    from asyncpg import Connection

PRESENCE_CHANNEL = "ropewalk_presence"
RECONNECT_SECONDS = 1.0
HEARTBEAT_SECONDS = 10.0
SERVER_TIMEOUT_SECONDS = 25.0  # after which a server that says nothing is taken to be gone
MAX_USERS_ANNOUNCED = 100
NETWORK_ERRORS = (OSError, TimeoutError)
log = logging.getLogger("ropewalk.bells")


class ClusterBus:
    """Listens as long as the server runs."""

    def __init__(
        self,
        database: Database,
        registry: MatchRegistry,
        event_store: EventStore,
        lobby: Lobby,
        streams: UserEventStreams,
        users: UserRepository,
        background: TaskSupervisor,
    ) -> None:
        self.database = database
        self.people = users
        self.registry = registry
        self.event_store = event_store
        self.lobby = lobby
        self.streams = streams
        self.background = background
        self.server_id = secrets.token_hex(4)  # of this server
        self.connection: Connection[Any] | None = None
        self.announced: dict[str, Any] = {}  # who is here, as the others know it
        self.to_announce: dict[str, LiveMatch] = {}  # tables of which they do not know it
        self.has_changes = asyncio.Event()

    def start(self) -> None:
        """Listen, where there can be others."""
        if not self.database.is_sqlite:
            for loop in (self.listen(), self.run_heartbeat(), self.run_announcer()):
                self.background.start(loop, interruptible=True)

    async def listen(self) -> None:
        """Keep a connection open; after a loss, read what was missed."""
        import asyncpg

        while True:
            try:
                self.connection = await asyncpg.connect(**self.database.connection_arguments())
                await self.connection.add_listener(CHANNEL, self.on_events_notification)
                await self.connection.add_listener(PRESENCE_CHANNEL, self.on_presence_notification)
                await self.connection.add_listener(USERS_CHANNEL, self.on_user_notification)
                await self.catch_up()
                while not self.connection.is_closed():
                    await asyncio.sleep(RECONNECT_SECONDS)
            except (*NETWORK_ERRORS, asyncpg.PostgresError, asyncpg.InterfaceError, ApiError) as error:
                log.warning("cannot hear other servers: %s", error)
            finally:
                if self.connection is not None and not self.connection.is_closed():
                    self.connection.terminate()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def catch_up(self) -> None:
        """Read what others wrote while nobody listened."""
        self.people.invalidate_all()
        await self.lobby.refresh()
        for match in list(self.registry.loaded.values()):
            if match.subscribers:
                await self.registry.refresh(match)

    def on_events_notification(self, connection: Any, process: int, channel: str, said: object) -> None:
        """Matches and numbers: something was written, by another unless it was our ledger."""
        if process != self.event_store.bulk_appender.backend_pid:
            words = iter(str(said).split())
            for match_id, number in zip(words, words, strict=True):
                self.on_remote_event(match_id, int(number))

    def on_remote_event(self, match_id: str, number: int) -> None:
        """An event was written: take it in where somebody may wait for it."""
        match = self.registry.loaded.get(match_id)
        if match_id == LOBBY:
            if number > self.lobby.seq:
                self.lobby.schedule_refresh()
        elif match is None:
            self.background.start(self.streams.on_remote_event(match_id))
        elif match.state.seq < number:
            self.background.start(self.load_remote_events(match, number))

    def on_user_notification(self, connection: Any, process: int, channel: str, user: object) -> None:
        """A user, or whom they mute, was changed."""
        self.people.invalidate(str(user))

    async def load_remote_events(self, match: LiveMatch, number: int) -> None:
        """Read what another wrote, unless it was ourselves."""
        async with match.write_lock:
            if match.state.seq < number:
                await self.registry.refresh(match)

    # Who is here

    async def run_heartbeat(self) -> None:
        """Tell the others now and then who is here."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            for match in list(self.registry.loaded.values()):
                match.expire_remote_presence(time.monotonic() - SERVER_TIMEOUT_SECONDS)
                if match.subscribers:
                    self.announced.pop(match.id, None)
                    self.queue_presence(match)

    def queue_presence(self, match: LiveMatch) -> None:
        """Somebody came or left."""
        if not self.database.is_sqlite:
            self.to_announce[match.id] = match
            self.has_changes.set()

    async def run_announcer(self) -> None:
        """Tell the others who is at our tables, one after the other; what changes meanwhile is told once."""
        import asyncpg

        while True:
            await self.has_changes.wait()
            self.has_changes.clear()
            while self.to_announce:
                try:
                    await self.announce_presence(self.to_announce.popitem()[1])
                except (*NETWORK_ERRORS, asyncpg.PostgresError, asyncpg.InterfaceError) as error:
                    log.info("others do not hear who is here: %s", error)

    async def announce_presence(self, match: LiveMatch) -> None:
        """Tell the others who is at a table through this server, unless they know."""
        users, strangers = match.local_presence()
        here = {"server": self.server_id, "match": match.id, "users": users[:MAX_USERS_ANNOUNCED], "strangers": strangers}
        if self.connection is None or self.connection.is_closed() or here == self.announced.get(match.id):
            return
        self.announced[match.id] = here
        if not users and not strangers:
            del self.announced[match.id]
        await self.connection.execute("SELECT pg_notify($1, $2)", PRESENCE_CHANNEL, json.dumps(here))

    def on_presence_notification(self, connection: Any, process: int, channel: str, said: object) -> None:
        """Another server says who is there."""
        there = json.loads(str(said))
        match = self.registry.loaded.get(there["match"])
        if match is None or there["server"] == self.server_id:
            return
        is_new = there["server"] not in match.remote_presence
        match.remote_presence[there["server"]] = (time.monotonic(), there)
        match.update_presence()
        if is_new and match.subscribers:
            self.announced.pop(match.id, None)  # they do not know who is here
            self.queue_presence(match)
