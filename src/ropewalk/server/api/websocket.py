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
from ..domain.events import MatchEvent
from ..errors import ApiError, from_domain_error
from ..matches.live_match import Subscriber, Table
from ..services import House
from .dependencies import the_house, the_rates, visitor
from .middleware import address, refuse_foreign
from .routes.matches import act, fresh, lobby_view, seen, summaries
from .schemas.matches import as_json, event_text, event_view, now_text
from .wires import wire_of

MOST_MISSED = 100  # events; who lost more gets the whole state
MOST_SOCKETS = 20  # for one address, times the rates' scale; 0 lifts it
REFUSED, TOO_MANY = 4403, 4429
router = APIRouter()


class Followers:
    """How many sockets each address has."""

    def __init__(self, scale: float) -> None:
        self.most = int(MOST_SOCKETS * scale)
        self.count: dict[str, int] = {}

    def enter(self, where: str) -> None:
        """One more, or a refusal."""
        if self.most and self.count.get(where, 0) >= self.most:
            raise ApiError("too-many", f"one address may have {self.most} sockets", limit=self.most)
        self.count[where] = self.count.get(where, 0) + 1

    def leave(self, where: str) -> None:
        """One less."""
        self.count[where] -= 1
        if not self.count[where]:
            del self.count[where]


class Follower:
    """One socket: sends what is new, and takes in what is said."""

    def __init__(self, socket: WebSocket, cursor: Subscriber) -> None:
        self.wire = wire_of(socket.scope)
        self.rates = the_rates(socket)
        self.house: House = the_house(socket)
        self.cursor = cursor

    async def run(self) -> None:
        """Send and hear until one side leaves."""
        sending = asyncio.create_task(self.keep_sending())
        try:
            while True:
                message = await self.wire.receive()
                if message["type"] != "websocket.receive":
                    return
                await self.hear(message.get("text") or "")
        finally:
            sending.cancel()
            await asyncio.gather(sending, return_exceptions=True)

    async def keep_sending(self) -> None:
        """Send what is new whenever the bell rings."""
        while True:
            await self.send_new()
            await self.cursor.bell.wait()
            self.cursor.bell.clear()

    async def send_new(self) -> None:
        """Send what is new."""
        raise NotImplementedError

    async def hear(self, text: str) -> None:
        """Nothing, unless there is something to be said here."""


class MatchFollower(Follower):
    """Follows one match, and plays in it."""

    def __init__(self, socket: WebSocket, table: Table, user: User | None, after: int | None, positions: bool) -> None:
        super().__init__(socket, Subscriber(user, -1 if after is None else after, self.wake))
        self.table = table
        self.user = user
        self.user_id = None if user is None else user.id
        self.positions = positions
        self.bot: str | None = None
        self.at_work = 0  # whoever is about to send something, for whom nobody has to be woken
        self.writing: asyncio.Future[bool] | None = None  # whether a move that was heard at once is written
        self.wire.listener = self.hear_at_once

    def wake(self) -> None:
        """Send what is new at once if nothing stands in the way; else it is sent in its turn."""
        if self.at_work:
            return
        muted = self.house.people.cached_mutes(self.user_id)
        if muted is None or self.needs_state() or not self.wire.is_writable:
            self.cursor.bell.set()
        else:
            for text in self.news(muted):
                self.wire.put(text)

    async def send_new(self) -> None:
        """Exactly the events that were missed, or the whole state; then who is here."""
        self.at_work += 1
        try:
            if self.cursor.is_stale:
                await self.sit_down_again()
            if self.needs_state():
                await self.send_state()
            for text in self.news(await self.house.people.load_mutes(self.user_id)):
                await self.wire.say(text)
        finally:
            self.rest()

    def rest(self) -> None:
        """Somebody has done their work: what nobody was woken for meanwhile is sent now."""
        self.at_work -= 1
        if not self.at_work and self.has_news():
            self.cursor.bell.set()

    def has_news(self) -> bool:
        """Whether anything was not yet sent."""
        is_behind = self.needs_state() or self.cursor.read < self.table.state.seq
        return is_behind or self.table.present() != self.cursor.presence or self.table.thinking != self.bot

    async def sit_down_again(self) -> None:
        """Follow the table that has taken the place of one that is no longer so."""
        self.table.cursors.discard(self.cursor)
        self.table = await self.house.tables.at(self.table.id)
        self.table.cursors.add(self.cursor)
        self.table.presence_changed()
        self.cursor.read, self.cursor.is_stale = -1, False

    def news(self, muted: frozenset[str]) -> Iterator[str]:
        """The events that were missed; then what has no number, because only its last value matters."""
        if self.cursor.read < self.table.state.seq:
            yield f'{{"type":"events",{self.take_events(muted)}}}'
        present = self.table.present()
        if present != self.cursor.presence:
            self.cursor.presence = present
            yield as_json({"type": "presence", "present": present})
        if self.table.thinking != self.bot:
            self.bot = self.table.thinking
            yield as_json({"type": "bot", "bot": self.bot})

    def take_events(self, muted: frozenset[str]) -> str:
        """What was not yet sent, and how the match stands."""
        text = news(self.table, self.cursor.read, self.positions, muted)
        self.cursor.read, self.bot = self.table.state.seq, self.table.thinking
        return text

    async def send_state(self) -> None:
        """The whole match."""
        view = await seen(self.house, self.table, self.user)
        self.cursor.read, self.bot = view.now.number, view.now.bot
        await self.wire.say('{"type":"state","match":' + view.model_dump_json() + "}")

    async def hear(self, text: str) -> None:
        """Do what is said, and acknowledge what is written; whatever else is new goes with it."""
        if self.writing is not None:
            await asyncio.wait([self.writing])  # answers come in the order of what was said
        self.at_work += 1
        try:
            await self.wire.say(await self.answer(text))
        finally:
            self.rest()

    def hear_at_once(self, text: str) -> bool:
        """Write a move down at once if nothing stands in its way; else it waits to be heard."""
        deed, muted = move_in(text), self.house.people.cached_mutes(self.user_id)
        if deed is None or muted is None or not self.is_ready():
            return False
        assert self.user is not None
        attempt = Attempt(self, text, deed, muted)
        self.writing = self.house.tables.begin(self.table, Actor(self.user.id), deed, attempt)
        if self.writing is None:
            return False
        self.rates.take("deeds", self.user.id)
        self.at_work += 1
        return True

    def is_ready(self) -> bool:
        """Whether something can be done and answered without waiting."""
        has_time = not self.at_work and self.wire.is_writable
        return has_time and self.user is not None and self.rates.has("deeds", self.user.id)

    async def answer(self, text: str) -> str:
        """What became of a message."""
        try:
            deed = ACTION_ADAPTER.validate_json(text)
            if self.user is None:
                raise ApiError("no-session", "you watch as a stranger: POST /api/guests gives you a name")
            event = await act(self.house, self.rates, self.table, self.user, deed)
        except ValidationError as error:
            return refused(id_in(text), bad_message(error))
        except RopewalkError as error:
            return refused(deed.id, from_domain_error(error))
        return self.done(deed, event, await self.house.people.load_mutes(self.user_id))

    def done(self, deed: Action, event: MatchEvent, muted: frozenset[str]) -> str:
        """Acknowledges a deed, with the event that it became and whatever else is new."""
        done = f'{{"type":"done","id":{as_json(deed.id)},"event":{event_text(event)}'
        return done + ("}" if self.needs_state() else f",{self.take_events(muted)}}}")

    def needs_state(self) -> bool:
        """Whether so much was missed, or is no longer so, that the whole state has to be sent."""
        read, last = self.cursor.read, self.table.state.seq
        return self.cursor.is_stale or not 0 <= read <= last or last - read > MOST_MISSED


@dataclass(frozen=True)
class Attempt:
    """A move that is being written."""

    follower: MatchFollower
    text: str
    deed: Move
    muted: frozenset[str]

    def hear_that(self, event: MatchEvent) -> None:
        """Acknowledge it, with whatever else is new."""
        self.follower.wire.put(self.follower.done(self.deed, event, self.muted))
        self.end()

    def hear_nothing(self) -> None:
        """Let it be heard again, with all that may have happened."""
        self.follower.wire.queue_up(self.text)
        self.end()

    def end(self) -> None:
        """Let the follower go on."""
        self.follower.writing = None
        self.follower.rest()


class LobbyFollower(Follower):
    """Follows the lobby; nothing can be said there."""

    def __init__(self, socket: WebSocket, after: int | None) -> None:
        super().__init__(socket, Subscriber(None, -1 if after is None else after))

    async def send_new(self) -> None:
        """Exactly the events that were missed, each with its match as it is now, or the whole lobby."""
        lobby, read = self.house.lobby, self.cursor.read
        missed = lobby.since(read) if read >= 0 else None
        if missed is None or len(missed) > MOST_MISSED:
            view = await lobby_view(self.house)
            self.cursor.read = view.number
            await self.wire.say('{"type":"state","lobby":' + view.model_dump_json() + "}")
        elif missed:
            self.cursor.read = missed[-1].seq
            events = [await self.shown(event) for event in missed]
            await self.wire.say(as_json({"type": "events", "events": events}))

    async def shown(self, event: MatchEvent) -> dict[str, Any]:
        """An event with the match that it is about."""
        row = await self.house.archive.find(event.data["match"])
        match = None if row is None else (await summaries(self.house, [row]))[0].model_dump(mode="json")
        return event_view(event).model_dump() | {"match": match}


@router.websocket("/api/matches/{match_id}/events")
async def follow_match(socket: WebSocket, match_id: str, after: int | None = None, positions: bool = True) -> None:
    """Follow a match from an event on, or from its whole state; who has a seat may play here too."""
    house: House = the_house(socket)

    async def follow() -> None:
        user = await visitor(socket, house)
        table = await fresh(house, match_id)
        follower = MatchFollower(socket, table, user, after, positions)
        table.cursors.add(follower.cursor)
        table.presence_changed()
        house.bells.presence_changed(table)
        try:
            await follower.run()
        finally:
            follower.table.cursors.discard(follower.cursor)
            follower.table.presence_changed()
            house.bells.presence_changed(follower.table)

    await admitted(socket, follow)


@router.websocket("/api/lobby/events")
async def follow_lobby(socket: WebSocket, after: int | None = None) -> None:
    """Follow the lobby from an event on, or from its whole state."""
    lobby = the_house(socket).lobby

    async def follow() -> None:
        await lobby.refresh()
        follower = LobbyFollower(socket, after)
        lobby.cursors.add(follower.cursor)
        try:
            await follower.run()
        finally:
            lobby.cursors.discard(follower.cursor)

    await admitted(socket, follow)


async def admitted(socket: WebSocket, follow: Callable[[], Awaitable[None]]) -> None:
    """Let a socket in, and say why it has to leave if it has to."""
    followers, metrics, where = socket.app.state.followers, socket.app.state.metrics, address(socket.scope)
    refuse_foreign(socket.scope)
    await socket.accept()
    try:
        followers.enter(where)
    except ApiError as refusal:
        await dismiss(socket, refusal)
        return
    metrics.sockets += 1
    try:
        await follow()
    except RopewalkError as error:
        await dismiss(socket, from_domain_error(error))
    finally:
        metrics.sockets -= 1
        followers.leave(where)


async def dismiss(socket: WebSocket, refusal: ApiError) -> None:
    """Say why, and close."""
    with suppress(WebSocketDisconnect, RuntimeError):
        await socket.send_text(refused(None, refusal))
        await socket.close(TOO_MANY if refusal.code == "too-many" else REFUSED, refusal.code)


def news(table: Table, after: int, positions: bool, muted: frozenset[str] = frozenset()) -> str:
    """The events after a number and how the match stands; made once for all who want to hear the same."""
    key = (after, table.state.seq, positions, muted & {*table.seats})
    if key not in table.news:
        table.news = {} if len(table.news) > 4 else table.news
        now = now_text(table.state, now_ms(), table.thinking, with_position=positions)
        events = ",".join(event_text(event, muted) for event in table.since(after))
        table.news[key] = f'"events":[{events}],"now":{now}'
    return table.news[key]


def refused(name: str | None, refusal: ApiError) -> str:
    """Says why not, under the message's id if it has one."""
    return as_json({"type": "refused"} | refusal.to_json() | {"id": name})


def move_in(text: str) -> Move | None:
    """A move, if a message is one."""
    try:
        deed = ACTION_ADAPTER.validate_json(text)
    except ValidationError:
        return None
    return deed if isinstance(deed, Move) else None


def id_in(text: str) -> str | None:
    """The id of a message that is wrong otherwise."""
    try:
        said = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        return None
    name = said.get("id") if isinstance(said, dict) else None
    return name if isinstance(name, str) else None


def bad_message(error: ValidationError) -> ApiError:
    """Says what is wrong with a message."""
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] in ("json_invalid", "dict_type"):
        return ApiError("bad-request", 'a message is a JSON object such as {"do": "move", "move": "c3", "after": 1}')
    return ApiError("bad-request", f"{'.'.join(map(str, first['loc'])) or 'the message'}: {first['msg']}")
