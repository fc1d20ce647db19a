"""Sockets: one a match and one for the lobby. A socket is a cursor over a log: whatever it missed, it gets, in order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from ...errors import RopewalkError
from ..db.user_repository import User, now_ms
from ..domain.actions import ACTION_ADAPTER, Action, Actor, Move
from ..domain.events import LobbyEvent, MatchEvent
from ..errors import ApiError, from_domain_error
from ..matches.live_match import LiveMatch, Subscriber
from ..services import AppServices
from .dependencies import get_limiter, get_services, optional_user
from .match_requests import load_lobby_view, load_match_view, load_summaries, perform_action
from .middleware import check_origin, client_address
from .schemas.matches import serialise, serialise_event, serialise_match_state
from .wires import wire_of

MAX_MISSED_EVENTS = 100  # events; who lost more gets the whole state
CLOSE_REFUSED, CLOSE_TOO_MANY = 4403, 4429
router = APIRouter()


class Connection:
    """One socket: sends what is new, and takes in what is said."""

    def __init__(self, socket: WebSocket, subscriber: Subscriber) -> None:
        self.transport = wire_of(socket.scope)
        self.limiter = get_limiter(socket)
        self.services: AppServices = get_services(socket)
        self.subscriber = subscriber

    async def run(self) -> None:
        """Send and hear until one side leaves."""
        sending = asyncio.create_task(self.run_sender())
        try:
            while True:
                message = await self.transport.receive()
                if message["type"] != "websocket.receive":
                    return
                await self.handle_message(message.get("text") or "")
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def run_sender(self) -> None:
        """Send what is new whenever the bell rings."""
        while True:
            await self.send_pending()
            await self.subscriber.has_news.wait()
            self.subscriber.has_news.clear()

    async def send_pending(self) -> None:
        """Send what is new."""
        raise NotImplementedError

    async def handle_message(self, text: str) -> None:
        """Nothing, unless there is something to be said here."""


class MatchConnection(Connection):
    """Follows one match, and plays in it."""

    def __init__(self, socket: WebSocket, match: LiveMatch, user: User | None, after: int | None, positions: bool) -> None:
        super().__init__(socket, Subscriber(user, -1 if after is None else after, self.wake))
        self.match = match
        self.user = user
        self.user_id = None if user is None else user.id
        self.with_positions = positions
        self.sent_engine_status: str | None = None
        self.busy_count = 0  # whoever is about to send something, for whom nobody has to be woken
        self.pending_append: asyncio.Future[bool] | None = None  # whether a move that was heard at once is written
        self.transport.listener = self.try_handle_move

    def wake(self) -> None:
        """Send what is new at once if nothing stands in the way; else it is sent in its turn."""
        if self.busy_count:
            return
        muted = self.services.users.cached_mutes(self.user_id)
        if muted is None or self.needs_snapshot() or not self.transport.is_writable:
            self.subscriber.has_news.set()
        else:
            for text in self.pending_messages(muted):
                self.transport.put(text)

    async def send_pending(self) -> None:
        """Exactly the events that were missed, or the whole state; then who is here."""
        self.busy_count += 1
        try:
            if self.subscriber.is_stale:
                await self.resubscribe()
            if self.needs_snapshot():
                await self.send_snapshot()
            for text in self.pending_messages(await self.services.users.load_mutes(self.user_id)):
                await self.transport.say(text)
        finally:
            self.release()

    def release(self) -> None:
        """Somebody has done their work: what nobody was woken for meanwhile is sent now."""
        self.busy_count -= 1
        if not self.busy_count and self.is_behind():
            self.subscriber.has_news.set()

    def is_behind(self) -> bool:
        """Whether anything was not yet sent."""
        is_behind = self.needs_snapshot() or self.subscriber.last_seq < self.match.state.seq
        return (
            is_behind
            or self.match.presence() != self.subscriber.sent_presence
            or self.match.engine_status != self.sent_engine_status
        )

    async def resubscribe(self) -> None:
        """Follow the table that has taken the place of one that is no longer so."""
        self.match.subscribers.discard(self.subscriber)
        self.match = await self.services.registry.get(self.match.id)
        self.match.subscribers.add(self.subscriber)
        self.match.update_presence()
        self.subscriber.last_seq, self.subscriber.is_stale = -1, False

    def pending_messages(self, muted: frozenset[str]) -> Iterator[str]:
        """The events that were missed; then what has no number, because only its last value matters."""
        if self.subscriber.last_seq < self.match.state.seq:
            yield f'{{"type":"events",{self.consume_events(muted)}}}'
        present = self.match.presence()
        if present != self.subscriber.sent_presence:
            self.subscriber.sent_presence = present
            yield serialise({"type": "presence", "present": present})
        if self.match.engine_status != self.sent_engine_status:
            self.sent_engine_status = self.match.engine_status
            yield serialise({"type": "bot", "bot": self.sent_engine_status})

    def consume_events(self, muted: frozenset[str]) -> str:
        """What was not yet sent, and how the match stands."""
        text = build_events(self.match, self.subscriber.last_seq, self.with_positions, muted)
        self.subscriber.last_seq, self.sent_engine_status = self.match.state.seq, self.match.engine_status
        return text

    async def send_snapshot(self) -> None:
        """The whole match."""
        view = await load_match_view(self.services, self.match, self.user)
        self.subscriber.last_seq, self.sent_engine_status = view.now.number, view.now.bot
        await self.transport.say('{"type":"state","match":' + view.model_dump_json() + "}")

    async def handle_message(self, text: str) -> None:
        """Do what is said, and acknowledge what is written; whatever else is new goes with it."""
        if self.pending_append is not None:
            await asyncio.wait([self.pending_append])  # answers come in the order of what was said
        self.busy_count += 1
        try:
            await self.transport.say(await self.respond(text))
        finally:
            self.release()

    def try_handle_move(self, text: str) -> bool:
        """Write a move down at once if nothing stands in its way; else it waits to be heard."""
        action, muted = parse_move(text), self.services.users.cached_mutes(self.user_id)
        if action is None or muted is None or not self.is_ready():
            return False
        assert self.user is not None
        attempt = PendingMove(self, text, action, muted)
        self.pending_append = self.services.matches.try_perform(self.match, Actor(self.user.id), action, attempt)
        if self.pending_append is None:
            return False
        self.limiter.consume("deeds", self.user.id)
        self.busy_count += 1
        return True

    def is_ready(self) -> bool:
        """Whether something can be done and answered without waiting."""
        has_time = not self.busy_count and self.transport.is_writable
        return has_time and self.user is not None and self.limiter.has_token("deeds", self.user.id)

    async def respond(self, text: str) -> str:
        """What became of a message."""
        try:
            action = ACTION_ADAPTER.validate_json(text)
            if self.user is None:
                raise ApiError("no-session", "you watch as a stranger: POST /api/guests gives you a name")
            event = await perform_action(self.services, self.limiter, self.match, self.user, action)
        except ValidationError as error:
            return build_error(parse_request_id(text), translate_validation_error(error))
        except RopewalkError as error:
            return build_error(action.id, from_domain_error(error))
        return self.build_ack(action, event, await self.services.users.load_mutes(self.user_id))

    def build_ack(self, action: Action, event: MatchEvent, muted: frozenset[str]) -> str:
        """Acknowledges a deed, with the event that it became and whatever else is new."""
        done = f'{{"type":"done","id":{serialise(action.id)},"event":{serialise_event(event)}'
        return done + ("}" if self.needs_snapshot() else f",{self.consume_events(muted)}}}")

    def needs_snapshot(self) -> bool:
        """Whether so much was missed, or is no longer so, that the whole state has to be sent."""
        read, last = self.subscriber.last_seq, self.match.state.seq
        return self.subscriber.is_stale or not 0 <= read <= last or last - read > MAX_MISSED_EVENTS


@dataclass(frozen=True)
class PendingMove:
    """A move that is being written."""

    connection: MatchConnection
    text: str
    action: Move
    muted: frozenset[str]

    def on_appended(self, event: MatchEvent) -> None:
        """Acknowledge it, with whatever else is new."""
        self.connection.transport.put(self.connection.build_ack(self.action, event, self.muted))
        self.finish()

    def on_failed(self) -> None:
        """Let it be heard again, with all that may have happened."""
        self.connection.transport.queue_up(self.text)
        self.finish()

    def finish(self) -> None:
        """Let the follower go on."""
        self.connection.pending_append = None
        self.connection.release()


class LobbyConnection(Connection):
    """Follows the lobby; nothing can be said there."""

    def __init__(self, socket: WebSocket, after: int | None) -> None:
        super().__init__(socket, Subscriber(None, -1 if after is None else after))

    async def send_pending(self) -> None:
        """Exactly the events that were missed, each with its match as it is now, or the whole lobby."""
        lobby, read = self.services.lobby, self.subscriber.last_seq
        missed = lobby.events_after(read) if read >= 0 else None
        if missed is None or len(missed) > MAX_MISSED_EVENTS:
            view = await load_lobby_view(self.services)
            self.subscriber.last_seq = view.number
            await self.transport.say('{"type":"state","lobby":' + view.model_dump_json() + "}")
        elif missed:
            self.subscriber.last_seq = missed[-1].seq
            events = [await self.build_event_message(event) for event in missed]
            await self.transport.say(serialise({"type": "events", "events": events}))

    async def build_event_message(self, event: LobbyEvent) -> dict[str, Any]:
        """Return an event of the lobby with its match."""
        row = await self.services.match_repository.find(event.match_id)
        match = None if row is None else (await load_summaries(self.services, [row]))[0].model_dump(mode="json")
        view = {"number": event.seq, "at": event.timestamp_ms, "kind": event.type, "seat": None, "user": None}
        return view | {"data": {"match": event.match_id}, "match": match}


@router.websocket("/api/matches/{match_id}/events")
async def stream_match(socket: WebSocket, match_id: str, after: int | None = None, positions: bool = True) -> None:
    """Follow a match from an event on, or from its whole state; who has a seat may play here too."""
    services: AppServices = get_services(socket)

    async def follow() -> None:
        user = await optional_user(socket, services)
        match = await services.registry.load_current(match_id)
        follower = MatchConnection(socket, match, user, after, positions)
        match.subscribers.add(follower.subscriber)
        match.update_presence()
        services.cluster.queue_presence(match)
        try:
            await follower.run()
        finally:
            follower.match.subscribers.discard(follower.subscriber)
            follower.match.update_presence()
            services.cluster.queue_presence(follower.match)

    await accept_connection(socket, follow)


@router.websocket("/api/lobby/events")
async def stream_lobby(socket: WebSocket, after: int | None = None) -> None:
    """Follow the lobby from an event on, or from its whole state."""
    lobby = get_services(socket).lobby

    async def follow() -> None:
        await lobby.refresh()
        follower = LobbyConnection(socket, after)
        lobby.subscribers.add(follower.subscriber)
        try:
            await follower.run()
        finally:
            lobby.subscribers.discard(follower.subscriber)

    await accept_connection(socket, follow)


async def accept_connection(socket: WebSocket, follow: Callable[[], Awaitable[None]]) -> None:
    """Let a socket in, and say why it has to leave if it has to."""
    connections, metrics, where = socket.app.state.connections, socket.app.state.metrics, client_address(socket.scope)
    check_origin(socket.scope)
    await socket.accept()
    try:
        connections.enter(where)
    except ApiError as refusal:
        await close_with_error(socket, refusal)
        return
    metrics.sockets += 1
    try:
        await follow()
    except RopewalkError as error:
        await close_with_error(socket, from_domain_error(error))
    finally:
        metrics.sockets -= 1
        connections.leave(where)


async def close_with_error(socket: WebSocket, error: ApiError) -> None:
    """Say why, and close."""
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(build_error(None, error))
        await socket.close(CLOSE_TOO_MANY if error.code == "too-many" else CLOSE_REFUSED, error.code)


def build_events(match: LiveMatch, after: int, positions: bool, muted: frozenset[str] = frozenset()) -> str:
    """The events after a number and how the match stands; made once for all who want to hear the same."""
    key = (after, match.state.seq, positions, muted & {*match.seats})
    if key not in match.message_cache:
        match.message_cache = {} if len(match.message_cache) > 4 else match.message_cache
        now = serialise_match_state(match.state, now_ms(), match.engine_status, with_position=positions)
        events = ",".join(serialise_event(event, muted) for event in match.events_after(after))
        match.message_cache[key] = f'"events":[{events}],"now":{now}'
    return match.message_cache[key]


def build_error(name: str | None, error: ApiError) -> str:
    """Says why not, under the message's id if it has one."""
    return serialise({"type": "refused"} | error.to_json() | {"id": name})


def parse_move(text: str) -> Move | None:
    """A move, if a message is one."""
    try:
        action = ACTION_ADAPTER.validate_json(text)
    except ValidationError:
        return None
    return action if isinstance(action, Move) else None


def parse_request_id(text: str) -> str | None:
    """The id of a message that is wrong otherwise."""
    try:
        said = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    name = said.get("id") if isinstance(said, dict) else None
    return name if isinstance(name, str) else None


def translate_validation_error(error: ValidationError) -> ApiError:
    """Says what is wrong with a message."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] in ("json_invalid", "dict_type"):
        return ApiError("bad-request", 'a message is a JSON object such as {"do": "move", "move": "c3", "after": 1}')
    return ApiError("bad-request", f"{'.'.join(map(str, first['loc'])) or 'the message'}: {first['msg']}")
