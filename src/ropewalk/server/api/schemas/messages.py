"""Messages of the sockets. Every message that is sent is one of these models, serialised by `model_dump_json`."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field

from ...domain.events import EngineStatus
from .matches import EventView, LobbyEventView, LobbyView, MatchStateView, MatchView, PresenceView


class SnapshotMessage(BaseModel):
    """The whole match: sent first, and again if too many events were missed to send them one by one."""

    type: Literal["snapshot"] = "snapshot"
    match: MatchView


class EventsMessage(BaseModel):
    """New events, and the state after them."""

    type: Literal["events"] = "events"
    events: list[EventView]
    state: MatchStateView


class AckMessage(BaseModel):
    """The acknowledgement of an action: its stored event; with all new events and the state, unless a snapshot follows."""

    type: Literal["ack"] = "ack"
    request_id: str | None
    event: EventView
    events: list[EventView] | None = None
    state: MatchStateView | None = None


class PresenceMessage(BaseModel):
    """The new presence, after a client connected or left."""

    type: Literal["presence"] = "presence"
    presence: PresenceView


class EngineStatusMessage(BaseModel):
    """The status of the built-in bot; null if it is idle."""

    type: Literal["engine-status"] = "engine-status"
    engine_status: EngineStatus | None


class ErrorMessage(BaseModel):
    """An error: a message could not be understood, or an action is not allowed."""

    type: Literal["error"] = "error"
    request_id: str | None
    code: str
    message: str
    details: dict[str, Any]


class LobbySnapshotMessage(BaseModel):
    """The whole lobby: sent first, and again if too many events were missed."""

    type: Literal["snapshot"] = "snapshot"
    lobby: LobbyView


class LobbyEventsMessage(BaseModel):
    """New events of the lobby."""

    type: Literal["events"] = "events"
    events: list[LobbyEventView]


MatchMessage = Annotated[
    SnapshotMessage | EventsMessage | AckMessage | PresenceMessage | EngineStatusMessage | ErrorMessage,
    Field(discriminator="type"),
]
LobbyMessage = Annotated[LobbySnapshotMessage | LobbyEventsMessage | ErrorMessage, Field(discriminator="type")]
