"""Live analysis on a socket: the client names a position, the server sends reports while an engine searches.

Every message of the client cancels the analysis before it, and so does the end of the connection.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import aclosing, suppress
from typing import Any, Literal

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, Field, ValidationError

from ...errors import RopewalkError
from ..db.user_repository import User
from ..engine_pool.job_queue import QueuePosition
from ..errors import ApiError, from_domain_error
from .dependencies import find_engine_owner, get_limiter, get_services
from .routes.games import AnalyseRequest, AnalysisView, build_analysis, build_analysis_request, load_position
from .websocket import accept_connection, build_error
from .work import WorkRequester, get_requester

MAX_STREAM_SECONDS = 60.0
MAX_REQUEST_ID_LENGTH = 64
log = logging.getLogger("ropewalk.analysis")
router = APIRouter()


class StreamAnalysisRequest(AnalyseRequest):
    """A position to analyse on a socket; every message for it repeats `request_id`."""

    seconds: float = Field(default=MAX_STREAM_SECONDS, gt=0, le=MAX_STREAM_SECONDS)
    request_id: str | None = Field(default=None, max_length=MAX_REQUEST_ID_LENGTH)


class AnalysisMessage(AnalysisView):
    """A report on a socket; the final one is the result."""

    type: Literal["analysis"] = "analysis"
    is_final: bool
    request_id: str | None


class QueuedMessage(BaseModel):
    """The position of an analysis in the queue of the engines; sent while it waits, when it has changed."""

    type: Literal["queued"] = "queued"
    request_id: str | None
    jobs_before: int = Field(description="the number of analyses and moves that are searched first")
    expected_seconds: float = Field(description="an estimate of the time to wait")


class AnalysisConnection:
    """A socket for analyses, with at most one analysis at a time."""

    def __init__(self, socket: WebSocket, requester: WorkRequester, engine_owner: str) -> None:
        self.socket = socket
        self.requester = requester
        self.services = requester.services
        self.limiter = requester.limiter
        self.client = requester.client  # for the rate limit
        self.engine_owner = engine_owner
        self.task: asyncio.Task[None] | None = None

    async def run(self) -> None:
        """Start an analysis for every message until the client leaves."""
        try:
            while (message := await self.socket.receive())["type"] == "websocket.receive":
                await self.cancel()
                self.task = asyncio.create_task(self.respond(message.get("text") or ""))
        finally:
            await self.cancel()

    async def cancel(self) -> None:
        """Cancel the analysis in progress, if there is one."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    async def respond(self, text: str) -> None:
        """Send the reports that a message requests, or an error."""
        request_id: str | None = None
        try:
            self.limiter.consume("analyses", self.client)
            request = parse_request(text)
            request_id = request.request_id
            await self.send_reports(request)
        except RopewalkError as error:
            await self.send(build_error(request_id, from_domain_error(error)))
        except Exception:
            log.exception("an analysis failed")
            message = "something went wrong here, and was written to the server's log"
            await self.send(build_error(request_id, ApiError("internal", message)))

    async def send_reports(self, request: StreamAnalysisRequest) -> None:
        """Send the reports of an analysis; the last one is final."""
        engine_request = build_analysis_request(await load_position(self.requester, request), request)
        async with aclosing(self.services.engine_pool.analyse(self.engine_owner, engine_request)) as responses:
            async for response in responses:
                await self.send(build_message(response, request.request_id))

    async def send(self, message: BaseModel) -> None:
        """Send a message, waiting for a client that reads slowly; one that has left gets nothing."""
        with suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.send_text(message.model_dump_json())


@router.websocket("/api/positions/analyse/stream")
async def stream_analysis(socket: WebSocket) -> None:
    """Analyse the positions that the client names, one at a time, with reports during the search."""
    services = get_services(socket)

    async def follow(user: User | None) -> None:
        requester = get_requester(socket, services, get_limiter(socket), user)
        await AnalysisConnection(socket, requester, find_engine_owner(socket, user)).run()

    await accept_connection(socket, follow)


def parse_request(text: str) -> StreamAnalysisRequest:
    """Return the request in a message. Raises ApiError "bad-request"."""
    try:
        return StreamAnalysisRequest.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        field = ".".join(map(str, first["loc"])) or "the message"
        raise ApiError("bad-request", f"{field}: {first['msg']}") from None


def build_message(response: dict[str, Any] | QueuePosition, request_id: str | None) -> AnalysisMessage | QueuedMessage:
    """Return the message for a response of an engine, or for a position in the queue."""
    if isinstance(response, QueuePosition):
        return QueuedMessage(request_id=request_id, **response._asdict())
    view = build_analysis(response)
    return AnalysisMessage(**dict(view), is_final=not response["isDuringSearch"], request_id=request_id)
