"""Notifications between servers that share a PostgreSQL database: stored events, changed users and presence.

Presence is kept for all matches, loaded or not, so that every server shows the same numbers. A server announces every second
that it is up, and is forgotten SERVER_TIMEOUT_SECONDS after its last notification. One that starts, or was not connected,
asks the others to announce their presence again.

A notification of an event contains only the match id and the seq, one of a user only the user id. The receiver loads the
rest from the database. A lost notification therefore delays an update, but loses no data.
"""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, cast

from ..background import TaskSupervisor
from ..db.append_request import CHANNEL, LOBBY
from ..db.database import Database
from ..db.event_store import EventStore
from ..db.session_repository import SESSIONS_CHANNEL, SessionRepository
from ..db.user_repository import USERS_CHANNEL, UserChange, UserRepository
from ..errors import ApiError
from .hub import UserEventStreams
from .live_match import PRESENCE_INTERVAL_SECONDS, LiveMatch
from .lobby import Lobby
from .registry import MatchRegistry
from .session_watchers import SessionWatchers

if TYPE_CHECKING:
    from asyncpg import Connection

PRESENCE_CHANNEL = "ropewalk_presence"
RECONNECT_SECONDS = 0.5  # between two attempts
HEARTBEAT_SECONDS = 1.0
SERVER_TIMEOUT_SECONDS = 5.0  # without a notification, after which a server is considered stopped
MAX_USERS_ANNOUNCED = 100
NETWORK_ERRORS = (OSError, TimeoutError)
log = logging.getLogger("ropewalk.cluster")


class ClusterBus:
    """Sends notifications to other servers, and handles theirs as long as this server runs."""

    def __init__(
        self,
        database: Database,
        registry: MatchRegistry,
        event_store: EventStore,
        lobby: Lobby,
        streams: UserEventStreams,
        users: UserRepository,
        sessions: SessionRepository,
        session_watchers: SessionWatchers,
        background: TaskSupervisor,
    ) -> None:
        self.database = database
        self.users = users
        self.sessions = sessions
        self.session_watchers = session_watchers
        self.registry = registry
        self.event_store = event_store
        self.lobby = lobby
        self.streams = streams
        self.background = background
        self.server_id = secrets.token_hex(4)  # sent with presence, to recognise notifications of this server
        self.connection: Connection[Any] | None = None
        self.announced: dict[str, Any] = {}  # the presence that was announced last, by match id
        self.to_announce: dict[str, LiveMatch] = {}  # matches whose presence has changed, by match id
        self.has_changes = asyncio.Event()
        self.is_lost = asyncio.Event()  # the connection was closed
        self.send_lock = asyncio.Lock()  # a connection performs one operation at a time
        self.heard_at: dict[str, float] = {}  # by server: when its last notification was received
        self.presence: dict[str, dict[str, Any]] = {}  # by match id and server: what other servers have announced
        registry.remote_presence = self.presence

    def start(self) -> None:
        """Start the background tasks; with SQLite there are no other servers."""
        if not self.database.is_sqlite:
            for loop in (self.listen(), self.run_heartbeat(), self.run_announcer()):
                self.background.start(loop, interruptible=True)

    async def listen(self) -> None:
        """Listen for notifications; after the loss of a connection, reconnect and load what was missed."""
        import asyncpg

        from ..db.postgres_connection import DRIVER_ERRORS

        while True:
            try:
                async with self.send_lock:  # nothing is sent before all channels are listened to
                    self.is_lost.clear()
                    self.connection = await asyncpg.connect(**self.database.connection_arguments())
                    self.connection.add_termination_listener(lambda _: self.is_lost.set())
                    await self.connection.add_listener(CHANNEL, self.on_events_notification)
                    await self.connection.add_listener(PRESENCE_CHANNEL, self.on_presence_notification)
                    await self.connection.add_listener(USERS_CHANNEL, self.on_user_notification)
                    await self.connection.add_listener(SESSIONS_CHANNEL, self.on_session_notification)
                await self.catch_up()
                await self.is_lost.wait()
                continue
            except (*NETWORK_ERRORS, *DRIVER_ERRORS, ApiError) as error:
                log.warning("cannot listen to other servers: %s", error)
            finally:
                if self.connection is not None and not self.connection.is_closed():
                    self.connection.terminate()
            await asyncio.sleep(RECONNECT_SECONDS)

    async def catch_up(self) -> None:
        """Load what other servers have stored while this one did not listen, and exchange presence anew."""
        self.users.invalidate_all()
        self.sessions.cache.clear()
        await self.sessions.announce_missed([*self.session_watchers.scopes, *self.streams.session_ids()])
        await self.lobby.refresh()
        for match in list(self.registry.loaded.values()):
            if match.subscribers:
                await self.registry.refresh(match)
        self.registry.discard(list(self.registry.loaded.values()))  # users may have been erased, too
        await self.streams.resynchronise()
        self.announced.clear()
        self.heard_at = dict.fromkeys(self.heard_at, time.monotonic())
        await self.notify({"server": self.server_id, "type": "request"})

    def on_events_notification(self, connection: Any, process_id: int, channel: str, payload: object) -> None:
        """Handle a list of match ids and seqs of stored events; own notifications are ignored."""
        if process_id != self.event_store.bulk_appender.backend_pid:
            words = iter(str(payload).split())
            for match_id, seq in zip(words, words, strict=True):
                self.on_remote_event(match_id, int(seq))

    def on_remote_event(self, match_id: str, seq: int) -> None:
        """Load an event that another server has stored, if the match is loaded or a stream follows it."""
        match = self.registry.loaded.get(match_id)
        if match_id == LOBBY:
            if seq > self.lobby.seq:
                self.lobby.schedule_refresh()
        elif match is None:
            self.registry.note_remote_event(match_id)
            self.background.start(self.streams.on_remote_event(match_id))
        elif match.state.seq < seq:
            self.background.start(self.load_remote_events(match, seq), interruptible=True)

    def on_user_notification(self, connection: Any, process_id: int, channel: str, payload: object) -> None:
        """Discard cached data of a user whom another server has changed, and correct the matches that show them."""
        change, user_id, server_id = str(payload).split()
        if server_id != self.users.server_id:
            self.users.invalidate(user_id)
            self.registry.on_user_change(cast(UserChange, change), user_id)

    def on_session_notification(self, connection: Any, process_id: int, channel: str, payload: object) -> None:
        """End the connections of sessions that have ended on another server."""
        self.sessions.announce_end(str(payload).split())

    async def load_remote_events(self, match: LiveMatch, seq: int) -> None:
        """Load and publish the events of a match up to an announced one; after an error of the database, try again."""
        while match.state.seq < seq and self.registry.loaded.get(match.id) is match:
            try:
                epoch, events = await self.registry.repository.load_log(match.id, match.state.seq)
            except ApiError as error:
                log.warning("cannot load events of other servers: %s", error)
                await asyncio.sleep(RECONNECT_SECONDS)
                continue
            async with match.write_lock:
                if self.registry.loaded.get(match.id) is match:
                    with suppress(ApiError):  # a backup was restored: the match is discarded
                        self.registry.add_remote_events(match, epoch, events)
            return

    # Presence

    async def run_heartbeat(self) -> None:
        """Announce periodically that this server is up, and forget the presence of servers that have stopped.

        A connection that cannot announce it is closed, so that `listen` opens another one.
        """
        from ..db.postgres_connection import DRIVER_ERRORS

        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self.forget_stopped_servers(time.monotonic() - SERVER_TIMEOUT_SECONDS)
            try:
                await self.notify({"server": self.server_id, "type": "alive"})
            except (*NETWORK_ERRORS, *DRIVER_ERRORS) as error:
                log.info("cannot announce that this server is up: %s", error)
                if self.connection is not None:
                    self.connection.terminate()

    def forget_stopped_servers(self, oldest: float) -> None:
        """Remove the presence of servers from which nothing was received since `oldest`; not while this one is deaf."""
        if self.connection is None or self.connection.is_closed():
            return
        for server_id in [name for name, heard_at in self.heard_at.items() if heard_at < oldest]:
            del self.heard_at[server_id]
            for match_id in [match_id for match_id, servers in self.presence.items() if server_id in servers]:
                self.set_remote_presence(match_id, server_id, None)

    def queue_all_presence(self) -> None:
        """Announce the presence of all matches that clients of this server follow."""
        for match in self.registry.loaded.values():
            if match.subscribers:
                self.queue_presence(match)

    def queue_presence(self, match: LiveMatch) -> None:
        """Announce the presence of a match soon, after a client connected or left."""
        if not self.database.is_sqlite:
            self.to_announce[match.id] = match
            self.has_changes.set()

    async def run_announcer(self) -> None:
        """Announce the queued matches one after another; several changes of a match in a short time are announced once."""
        from ..db.postgres_connection import DRIVER_ERRORS

        while True:
            await self.has_changes.wait()
            self.has_changes.clear()
            while self.to_announce:
                try:
                    await self.announce_presence(self.to_announce.popitem()[1])
                except (*NETWORK_ERRORS, *DRIVER_ERRORS) as error:
                    log.info("cannot announce presence: %s", error)
            await asyncio.sleep(PRESENCE_INTERVAL_SECONDS)

    async def announce_presence(self, match: LiveMatch) -> None:
        """Notify other servers of the users who are connected to a match here, unless that was announced before."""
        user_ids, anonymous_count = match.local_presence()
        user_ids.sort(key=lambda user_id: user_id not in match.seats)  # players first: of the others the number is enough
        announcement = {
            "server": self.server_id,
            "type": "presence",
            "match": match.id,
            "users": user_ids[:MAX_USERS_ANNOUNCED],
            "strangers": anonymous_count + len(user_ids[MAX_USERS_ANNOUNCED:]),
        }
        if self.connection is None or self.connection.is_closed() or announcement == self.announced.get(match.id):
            return
        self.announced[match.id] = announcement
        if not user_ids and not anonymous_count:
            del self.announced[match.id]
        await self.notify(announcement)

    async def notify(self, message: dict[str, Any]) -> None:
        """Send a message to the other servers, unless the connection is lost."""
        async with self.send_lock:
            if self.connection is not None and not self.connection.is_closed():
                await self.connection.execute("SELECT pg_notify($1, $2)", PRESENCE_CHANNEL, json.dumps(message))

    def on_presence_notification(self, connection: Any, process_id: int, channel: str, payload: object) -> None:
        """Handle a message of another server: that it is up, its presence in a match, or a request for ours."""
        message = json.loads(str(payload))
        server_id = message["server"]
        if server_id == self.server_id:
            return
        self.heard_at[server_id] = time.monotonic()
        if message["type"] == "request":
            self.announced.clear()
            self.queue_all_presence()
        elif message["type"] == "presence":
            is_empty = not message["users"] and not message["strangers"]
            self.set_remote_presence(message["match"], server_id, None if is_empty else message)

    def set_remote_presence(self, match_id: str, server_id: str, announcement: dict[str, Any] | None) -> None:
        """Store or remove the presence of another server in a match; its followers here are told."""
        servers = self.presence.setdefault(match_id, {})
        if announcement is None:
            servers.pop(server_id, None)
        else:
            servers[server_id] = announcement
        match = self.registry.loaded.get(match_id)
        if match is not None:
            match.remote_presence = servers
            match.update_presence()
        if not servers:
            del self.presence[match_id]
