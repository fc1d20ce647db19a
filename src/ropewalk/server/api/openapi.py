"""The OpenAPI document, with the messages of the sockets among its schemas."""

from __future__ import annotations

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode

from ..domain.actions import AnyAction
from .analysis_stream import AnalysisMessage, QueuedMessage, StreamAnalysisRequest
from .schemas.messages import ErrorMessage, LobbyMessage, MatchMessage

REF_TEMPLATE = "#/components/schemas/{model}"
SOCKET_MESSAGES: dict[str, tuple[Any, JsonSchemaMode]] = {
    "ClientMessage": (AnyAction, "validation"),
    "MatchMessage": (MatchMessage, "serialization"),
    "LobbyMessage": (LobbyMessage, "serialization"),
    "AnalysisStreamRequest": (StreamAnalysisRequest, "validation"),
    "AnalysisStreamMessage": (AnalysisMessage | QueuedMessage | ErrorMessage, "serialization"),
}


def install_openapi(app: FastAPI) -> None:
    """Make an application include the messages of its sockets in its OpenAPI document."""

    def build() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(title=app.title, version=app.version, description=app.description, routes=app.routes)
            document["components"]["schemas"] |= build_message_schemas(document["components"]["schemas"])
            app.openapi_schema = document
        return app.openapi_schema

    app.openapi = build  # type: ignore[method-assign]


def build_message_schemas(known: dict[str, Any]) -> dict[str, Any]:
    """Return the schemas of all socket messages that are not `known` by the routes."""
    inputs = [(name, mode, TypeAdapter(message)) for name, (message, mode) in SOCKET_MESSAGES.items()]
    references, definitions = TypeAdapter.json_schemas(inputs, ref_template=REF_TEMPLATE)
    schemas = {name: definition for name, definition in definitions.get("$defs", {}).items() if name not in known}
    return schemas | {name: references[name, mode] for name, mode, _ in inputs}
