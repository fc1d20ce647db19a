"""Sockets of matches and of the lobby. A socket gets exactly the events that it missed, in order, or a snapshot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError
from starlette.websockets import WebSocketDisconnected

from ...errors import RopewalkError
from ..db.user_repository import User
from ..domain.actions import ACTION_ADAPTER, MAX_REQUEST_ID_LENGTH, Action
from ..domain.events import EngineStatus, LobbyEvent, MatchEvent
from ..errors import HTTP_STATUS, ApiError, escape_surrogates, from_domain_error
from ..matches.live_match import LiveMatch, Subscriber
from ..services import AppServices
from .client_address import client_address
from .dependencies import get_limiter, get_services, optional_session
from .match_requests import load_lobby_view, load_match_view, load_readable_match, load_summaries, perform_action
from .middleware import check_origin
from .routes.matches import MatchId
from .schemas.matches import LobbyEventView, build_event, build_match_state, build_presence
from .schemas.messages import (
    AckMessage,
    EngineStatusMessage,
    ErrorMessage,
    EventsMessage,
    LobbyEventsMessage,
    LobbySnapshotMessage,
    PresenceMessage,
    SnapshotMessage,
)
from .work import get_requester

MAX_MISSED_EVENTS = 100  # sent one by one; a client that missed more gets a snapshot
MAX_CACHED_MESSAGES = 4  # of a match
MAX_MESSAGE_AGE_MS = 1000  # a cached message has the clocks of the time at which it was built
CLOSE_SESSION_ENDED, CLOSE_REFUSED, CLOSE_TOO_MANY = 4401, 4403, 4429
CLOSE_TRY_AGAIN = 1013  # of the WebSocket protocol: a temporary condition of the server
CLOSE_CODES = {"no-session": CLOSE_SESSION_ENDED, "too-many": CLOSE_TOO_MANY}
router = APIRouter()


class Connection:
    """A socket: sends pending events to the client, and handles its messages."""

    def __init__(self, socket: WebSocket, subscriber: Subscriber) -> None:
        self.socket = socket
        self.services: AppServices = get_services(socket)
        self.subscriber = subscriber

    async def run(self) -> None:
        """Send and receive until the client disconnects."""
        sender = asyncio.create_task(self.run_sender())
        try:
            while True:
                message = await self.socket.receive()
                if message["type"] != "websocket.receive":
                    return
                await self.handle_message(message.get("text") or "")
        finally:
            sender.cancel()
            await asyncio.gather(sender, return_exceptions=True)

    async def run_sender(self) -> None:
        """Send pending messages whenever the subscriber is woken; close the socket if they cannot be loaded.

        The client then connects again, whereas it would wait for ever on a socket that is open and sends nothing.
        """
        try:
            while True:
                await self.send_pending()
                await self.subscriber.has_news.wait()
                self.subscriber.has_news.clear()
        except RopewalkError as error:
            await close_with_error(self.socket, from_domain_error(error))

    async def send_pending(self) -> None:
        """Send everything that is pending; subclasses implement this."""
        raise NotImplementedError

    async def handle_message(self, text: str) -> None:
        """Handle a message of the client; by default messages are ignored."""


class MatchConnection(Connection):
    """A socket of a match: follows its events, and performs actions of its user."""

    def __init__(self, socket: WebSocket, match: LiveMatch, user: User | None, after: int | None, positions: bool) -> None:
        super().__init__(socket, Subscriber(user, -1 if after is None else after))
        self.match = match
        self.user = user
        self.user_id = None if user is None else user.id
        self.requester = get_requester(socket, self.services, get_limiter(socket), user)
        self.with_positions = positions
        self.sent_engine_status: EngineStatus | None = None
        self.send_lock = asyncio.Lock()  # the order in which messages are built is that in which they are sent

    async def send_pending(self) -> None:
        """Send exactly the events that were missed, or a snapshot; then presence and engine status."""
        async with self.send_lock:
            if self.subscriber.is_stale:
                await self.resubscribe()
            if self.needs_snapshot():
                await self.send_snapshot()
            for text in self.pending_messages(await self.load_mutes()):
                await self.socket.send_text(text)

    async def resubscribe(self) -> None:
        """Follow the match that was loaded in place of a discarded one."""
        self.match.subscribers.discard(self.subscriber)
        async with self.services.loading_slots:
            self.match = await self.services.registry.get(self.match.id)
        self.match.subscribers.add(self.subscriber)
        self.match.update_presence()
        self.services.cluster.queue_presence(self.match)
        self.subscriber.last_seq, self.subscriber.is_stale = -1, False

    async def load_mutes(self) -> frozenset[str]:
        """Return the users whose chat messages are hidden from this user; none if no chat message was missed."""
        missed = () if self.needs_snapshot() else self.match.events_after(self.subscriber.last_seq)
        if all(event.type != "chat-posted" for event in missed):
            return frozenset()  # without a query: nearly all events are moves
        return await self.services.users.load_mutes(self.user_id)

    def pending_messages(self, muted: frozenset[str]) -> Iterator[str]:
        """Yield the missed events; then presence and engine status, of which only the last value is sent."""
        if self.subscriber.last_seq < self.match.state.seq:
            yield self.consume_events(muted)[1]
        presence = self.match.presence()
        if presence != self.subscriber.sent_presence:
            self.subscriber.sent_presence = presence
            yield PresenceMessage(presence=build_presence(self.match)).model_dump_json()
        if self.match.engine_status != self.sent_engine_status:
            self.sent_engine_status = self.match.engine_status
            yield EngineStatusMessage(engine_status=self.sent_engine_status).model_dump_json()

    def consume_events(self, muted: frozenset[str]) -> tuple[EventsMessage, str]:
        """Return the missed events with the state after them, as model and as JSON, and mark them as sent."""
        now = self.services.clock.now_ms()
        message = build_events_message(self.match, self.subscriber.last_seq, self.with_positions, muted, now)
        self.subscriber.last_seq, self.sent_engine_status = self.match.state.seq, self.match.engine_status
        return message

    async def send_snapshot(self) -> None:
        """Send the whole match."""
        async with self.services.loading_slots:
            view = await load_match_view(self.services, self.match, self.user)
        self.subscriber.last_seq, self.sent_engine_status = view.state.seq, view.state.engine_status
        await self.socket.send_text(SnapshotMessage.model_construct(match=view).model_dump_json())

    async def handle_message(self, text: str) -> None:
        """Perform an action and acknowledge it, with everything else that is new."""
        async with self.send_lock:
            await self.socket.send_text((await self.respond(text)).model_dump_json())

    async def respond(self, text: str) -> AckMessage | ErrorMessage:
        """Perform the action of a message. Returns the response."""
        try:
            action = ACTION_ADAPTER.validate_json(text)
            if self.user is None:
                raise ApiError("no-session", "this action needs a session; create one with POST /api/guests, or log in")
            if self.subscriber.is_stale:
                await self.resubscribe()
            event = await perform_action(self.requester, self.match, self.user, action)
        except ValidationError as error:
            return build_error(parse_request_id(text), translate_validation_error(error))
        except RopewalkError as error:
            return build_error(action.request_id, from_domain_error(error))
        return self.build_ack(action, event, await self.load_mutes())

    def build_ack(self, action: Action, event: MatchEvent, muted: frozenset[str]) -> AckMessage:
        """Return the acknowledgement of an action, with everything that is new unless a snapshot is needed."""
        ack = AckMessage.model_construct(request_id=action.request_id, event=build_event(event))
        if not self.needs_snapshot():
            new, _ = self.consume_events(muted)
            ack.events, ack.state = new.events, new.state
        return ack

    def needs_snapshot(self) -> bool:
        """Return whether too many events were missed, or what was sent is outdated."""
        sent, last = self.subscriber.last_seq, self.match.state.seq
        return self.subscriber.is_stale or not 0 <= sent <= last or last - sent > MAX_MISSED_EVENTS


class LobbyConnection(Connection):
    """A socket of the lobby, which only sends."""

    def __init__(self, socket: WebSocket, after: int | None) -> None:
        super().__init__(socket, Subscriber(None, -1 if after is None else after))

    async def send_pending(self) -> None:
        """Send exactly the events that were missed, each with its match as it is now, or a snapshot."""
        lobby, sent = self.services.lobby, self.subscriber.last_seq
        missed = lobby.events_after(sent) if sent >= 0 else None
        if missed is None or len(missed) > MAX_MISSED_EVENTS:
            view = await load_lobby_view(self.services)
            self.subscriber.last_seq = view.seq
            await self.socket.send_text(LobbySnapshotMessage(lobby=view).model_dump_json())
        elif missed:
            self.subscriber.last_seq = missed[-1].seq
            events = [await self.build_event(event) for event in missed]
            await self.socket.send_text(LobbyEventsMessage(events=events).model_dump_json())

    async def build_event(self, event: LobbyEvent) -> LobbyEventView:
        """Return the view of an event, with its match unless that is private."""
        row = await self.services.match_repository.find(event.match_id)
        match = (await load_summaries(self.services, [row]))[0] if row is not None and row.is_listed else None
        return LobbyEventView(
            seq=event.seq, timestamp_ms=event.timestamp_ms, type=event.type, match_id=event.match_id, match=match
        )


@router.websocket("/api/matches/{match_id}/stream")
async def stream_match(
    socket: WebSocket,
    match_id: MatchId,
    after: int | None = None,
    positions: bool = True,
    key: str | None = None,
    epoch: str | None = None,
) -> None:
    """Follow a match from an event on, or from its whole state; its players can also send actions.

    `after` counts the events of one epoch: a client that names another one gets the whole state.
    """
    services: AppServices = get_services(socket)

    async def follow(user: User | None) -> None:
        async with services.loading_slots:
            match = await load_readable_match(services, match_id, user, key)
        first_after = after if epoch in (None, match.epoch) else None
        connection = MatchConnection(socket, match, user, first_after, positions)
        match.subscribers.add(connection.subscriber)
        match.update_presence()
        services.cluster.queue_presence(match)
        try:
            await connection.run()
        finally:
            connection.match.subscribers.discard(connection.subscriber)
            connection.match.update_presence()
            services.cluster.queue_presence(connection.match)

    await accept_connection(socket, follow)


@router.websocket("/api/lobby/stream")
async def stream_lobby(socket: WebSocket, after: int | None = None) -> None:
    """Follow the lobby from an event on, or from its whole state."""
    lobby = get_services(socket).lobby

    async def follow(user: User | None) -> None:
        await lobby.refresh()
        connection = LobbyConnection(socket, after)
        lobby.subscribers.add(connection.subscriber)
        try:
            await connection.run()
        finally:
            lobby.subscribers.discard(connection.subscriber)

    await accept_connection(socket, follow)


FollowUser = Callable[[User | None], Awaitable[None]]


async def accept_connection(socket: WebSocket, follow: FollowUser) -> None:
    """Accept a socket within the limits and run `follow` with its user; an error is sent before the socket is closed.

    A client may be gone when something is sent to it, which is no error.
    """
    check_origin(socket.scope)
    await socket.accept()
    socket.app.state.metrics.websocket_connections.inc()
    try:
        await run_in_session(socket, follow)
    except RopewalkError as error:
        await close_with_error(socket, from_domain_error(error))
    except (WebSocketDisconnect, WebSocketDisconnected):  # while a message was sent
        pass
    finally:
        socket.app.state.metrics.websocket_connections.dec()


async def run_in_session(socket: WebSocket, follow: FollowUser) -> None:
    """Run `follow` for the user of the session. Raises ApiError `no-session` as soon as the session ends."""
    services = get_services(socket)
    async with services.loading_slots:
        session = await optional_session(socket, services)
    if session is None:
        await run_within_limits(socket, None, follow)
        return
    async with services.session_watchers.watch(session.id):
        if await optional_session(socket, services) is None:  # it has ended before it was watched
            raise ApiError("no-session", "the session has ended; log in again")
        await run_within_limits(socket, session.user, follow)


async def run_within_limits(socket: WebSocket, user: User | None, follow: FollowUser) -> None:
    """Run `follow` while the socket is counted. Raises ApiError `too-many` if the user or the address has too many."""
    user_id, address = None if user is None else user.id, client_address(socket.scope)
    with socket.app.state.connections.hold("WebSockets", address, user_id):
        await follow(user)


async def close_with_error(socket: WebSocket, error: ApiError) -> None:
    """Send an error, and close the socket."""
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(build_error(None, error).model_dump_json())
        await socket.close(find_close_code(error), error.code)


def find_close_code(error: ApiError) -> int:
    """Return the code with which a socket is closed after an error."""
    if error.http_status == HTTP_STATUS["storage"]:
        return CLOSE_TRY_AGAIN
    return CLOSE_CODES.get(error.code, CLOSE_REFUSED)


def build_events_message(
    match: LiveMatch, after: int, with_positions: bool, muted: frozenset[str], now: int
) -> tuple[EventsMessage, str]:
    """Return the events after a seq with the state, and the same as JSON; cached for all sockets that get the same."""
    key = (after, match.state.seq, with_positions, muted & {*match.seats}, match.engine_status)
    cached: tuple[EventsMessage, str] | None = match.message_cache.get(key)
    if cached is not None and now - cached[0].state.server_time <= MAX_MESSAGE_AGE_MS:
        return cached
    if len(match.message_cache) > MAX_CACHED_MESSAGES:
        match.message_cache.clear()
    state = build_match_state(match.state, now, match.engine_status, with_position=with_positions)
    events = [build_event(event, muted) for event in match.events_after(after)]
    message = EventsMessage.model_construct(events=events, state=state)
    built = match.message_cache[key] = message, message.model_dump_json()
    return built


def build_error(request_id: str | None, error: ApiError) -> ErrorMessage:
    """Return the message of an error."""
    return ErrorMessage(**error.to_json() | {"request_id": request_id})  # of the message, not of the HTTP request


def parse_request_id(text: str) -> str | None:
    """Return the request id of an invalid message, None if it has none."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # ValueError: no JSON, or a number with too many digits
        return None
    request_id = data.get("request_id") if isinstance(data, dict) else None
    return escape_surrogates(request_id)[:MAX_REQUEST_ID_LENGTH] if isinstance(request_id, str) else None


def translate_validation_error(error: ValidationError) -> ApiError:
    """Return the error of an invalid message."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] in ("json_invalid", "dict_type"):
        return ApiError(
            "bad-request", 'a message must be a JSON object such as {"type": "move", "move": "c3", "position_version": 1}'
        )
    return ApiError("bad-request", f"{'.'.join(map(str, first['loc'])) or 'the message'}: {first['msg']}")
