"""An application in this process: HTTP clients, WebSocket connections, and an engine that needs no process.

The methods of `AppClient` and `AppSocket` have the names of those in `server_process`, and are coroutines.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from http.cookies import SimpleCookie
from typing import Any

import httpx
from fastapi import FastAPI
from fastapi.routing import APIRoute
from pydantic import TypeAdapter
from starlette.routing import Match

from ropewalk.games.registry import game as game_of
from ropewalk.games.sequence import MoveSequence
from ropewalk.server.api.schemas.messages import LobbyMessage, MatchMessage
from ropewalk.server.app import ROUTERS, ErrorView
from ropewalk.server.engine_pool.worker_client import EngineWorkerClient, Request, Response
from ropewalk.server.errors import HTTP_STATUS

TIMEOUT_SECONDS = 30.0  # for a message; on an idle machine it comes within milliseconds
PASSWORD = "a long password"
HOST = "testserver"


def require_exact(model: Any, text: str | bytes) -> Any:
    """Return the JSON of a text, which must have all fields of the model and no others, at every depth."""
    adapter, value = TypeAdapter(model), json.loads(text)
    assert adapter.dump_python(adapter.validate_json(text), mode="json") == value
    return value


def check_response(response: httpx.Response) -> None:
    """Require that a JSON response is exactly of the model that the OpenAPI document names for its route and status."""
    if response.is_error:
        error = require_exact(ErrorView, response.content)
        assert HTTP_STATUS[error["code"]] == response.status_code
        return
    require_exact(find_route(response.request.method, response.request.url.path).response_model, response.content)


def find_route(method: str, path: str) -> APIRoute:
    """Return the route of a request."""
    scope = {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}
    routes = [route for router in ROUTERS for route in router.routes if isinstance(route, APIRoute)]
    return next(route for route in routes if route.matches(scope)[0] is Match.FULL)


class AppClient:
    """A user of an application in this process, with cookies of their own. Every JSON response is checked."""

    def __init__(self, app: FastAPI, address: str = "127.0.0.1") -> None:
        self.app = app
        self.address = address
        self.user: Any = None
        transport = httpx.ASGITransport(app, client=(address, 50_000))
        self.http = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", headers={"X-Ropewalk": "1"})

    async def request(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        """Send a request, whose response must have a status; return its JSON."""
        response = await self.http.request(method, path, json=body or None)
        assert response.status_code == status, (response.status_code, response.text)
        check_response(response)
        return response.json()

    async def request_error(self, method: str, path: str, code: str, **body: Any) -> Any:
        """Send a request that must fail with a code; return the details of the error."""
        error = await self.request(method, path, HTTP_STATUS[code], **body)
        assert error["code"] == code, error
        return error["details"]

    async def create_match(self, spec: str, kind: str, **more: Any) -> Any:
        """Create a match and return the response; `level` and `name` belong to the opponent."""
        opponent = {"kind": kind} | {key: more.pop(key) for key in ("level", "name") if key in more}
        return await self.request("POST", "/api/matches", 201, spec=spec, opponent=opponent, **more)

    async def get_match(self, match_id: str) -> Any:
        """Return a match."""
        return await self.request("GET", f"/api/matches/{match_id}")

    async def act(self, match_id: str, action: str, status: int = 200, **more: Any) -> Any:
        """Perform an action of a type in a match."""
        return await self.request("POST", f"/api/matches/{match_id}/actions", status, type=action, **more)

    async def play(self, match_id: str, move: str | None = None) -> Any:
        """Play a move, by default the first legal one, in the current position."""
        state = (await self.get_match(match_id))["state"]
        move = move or state["position"]["moves"][0]
        return await self.act(match_id, "move", move=move, position_version=state["position_version"])

    @asynccontextmanager
    async def follow(self, match_id: str, query: str = "") -> AsyncIterator[AppSocket]:
        """Yield a socket that follows a match."""
        async with self.open_socket(f"/api/matches/{match_id}/stream", query, MatchMessage) as socket:
            yield socket

    @asynccontextmanager
    async def follow_lobby(self, query: str = "") -> AsyncIterator[AppSocket]:
        """Yield a socket that follows the lobby."""
        async with self.open_socket("/api/lobby/stream", query, LobbyMessage) as socket:
            yield socket

    @asynccontextmanager
    async def open_socket(
        self, path: str, query: str = "", model: Any = None, headers: dict[str, str] | None = None
    ) -> AsyncIterator[AppSocket]:
        """Yield a socket with the cookies of this client."""
        cookies = SimpleCookie(dict(self.http.cookies.items()))
        fields = {"host": HOST, "cookie": cookies.output(header="", sep=";").strip()} | (headers or {})
        scope = {
            "type": "websocket",
            "asgi": {"version": "3.0"},
            "scheme": "ws",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in fields.items()],
            "client": (self.address, 50_000),
            "server": (HOST, 80),
            "subprotocols": [],
            "extensions": {"websocket.http.response": {}},
        }
        socket = AppSocket(self.app, scope, model)
        try:
            await socket.connect()
            yield socket
        finally:
            await socket.close()


class SocketClosedError(Exception):
    """The application has refused or closed a socket."""

    def __init__(self, code: int, reason: str = "") -> None:
        super().__init__(f"{code} {reason}")
        self.code = code  # of the WebSocket protocol, or an HTTP status if the socket was never accepted
        self.reason = reason


class AppSocket:
    """A WebSocket connection to an application in this process; every message is checked against a model."""

    def __init__(self, app: FastAPI, scope: dict[str, Any], model: Any) -> None:
        self.app = app
        self.scope = scope
        self.model = model
        self.to_app: asyncio.Queue[Any] = asyncio.Queue()
        self.from_app: asyncio.Queue[Any] = asyncio.Queue()
        self.task: asyncio.Task[None] | None = None
        self.is_lost = False  # the client is gone, which the application notices when it sends

    async def put_event(self, event: Any) -> None:
        """Take an ASGI event of the application. Raises OSError, as uvicorn does, if the client is gone."""
        if self.is_lost:
            raise OSError("the client is gone")
        await self.from_app.put(event)

    async def connect(self) -> None:
        """Open the connection. Raises SocketClosedError if the application refuses it."""
        self.to_app.put_nowait({"type": "websocket.connect"})
        self.task = asyncio.create_task(self.app(self.scope, self.to_app.get, self.put_event))
        await self.receive_event("websocket.accept")

    async def receive_event(self, type_: str) -> Any:
        """Return the next ASGI event, which must have a type. Raises SocketClosedError if the socket was closed."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            event = await self.from_app.get()
        if event["type"] == "websocket.close":
            raise SocketClosedError(event.get("code", 1000), event.get("reason") or "")
        if event["type"] == "websocket.http.response.start":
            raise SocketClosedError(event["status"])
        assert event["type"] == type_, event
        return event

    async def send(self, **message: Any) -> None:
        """Send a message as JSON."""
        await self.send_text(json.dumps(message))

    async def send_text(self, text: str) -> None:
        """Send a message that may be no JSON."""
        self.to_app.put_nowait({"type": "websocket.receive", "text": text})

    async def receive(self, *types: str) -> Any:
        """Return the next message of one of these types, by default of any type."""
        while True:
            text = (await self.receive_event("websocket.send"))["text"]
            message = require_exact(self.model, text) if self.model is not None else json.loads(text)
            if not types or message["type"] in types:
                return message

    async def act(self, **action: Any) -> Any:
        """Send an action and return its acknowledgement or error."""
        await self.send(**action)
        return await self.receive("ack", "error")

    async def close(self) -> None:
        """Close the connection, and wait until the application has noticed."""
        if self.task is not None:
            self.to_app.put_nowait({"type": "websocket.disconnect", "code": 1000})
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await asyncio.gather(self.task, return_exceptions=True)


async def create_guest(app: FastAPI, address: str = "127.0.0.1") -> AppClient:
    """Return a client with a new guest."""
    client = AppClient(app, address)
    client.user = (await client.request("POST", "/api/guests", 201))["user"]
    return client


async def create_account(app: FastAPI, name: str) -> AppClient:
    """Return a client with a new account."""
    client = await create_guest(app)
    client.user = (await client.request("POST", "/api/accounts", 201, name=name, password=PASSWORD))["user"]
    return client


async def start_match(app: FastAPI, spec: str, **more: Any) -> tuple[AppClient, AppClient, str]:
    """Return two guests and the id of their match, public by default; the first has seat 0."""
    first, second = await create_guest(app), await create_guest(app)
    created = await first.create_match(spec, "invitation", **{"seat": 0, "public": True} | more)
    await second.request("POST", f"/api/invitations/{created['invitation']}/accept")
    return first, second, created["match"]["id"]


class FirstMoveWorker(EngineWorkerClient):
    """An engine that needs no process: it plays the first legal move as soon as `is_allowed` is set."""

    def __init__(self) -> None:
        super().__init__()
        self.requests: list[Request] = []
        self.is_allowed = asyncio.Event()
        self.is_allowed.set()
        self.terminated: dict[str, asyncio.Event] = {}  # by query id

    async def ask(self, request: Request, seconds: float, on_report: Callable[[Response], None] | None = None) -> Response:
        """Return the response to a request."""
        self.requests.append(request)
        terminated = self.terminated[request["id"]] = asyncio.Event()
        waits = [asyncio.create_task(event.wait()) for event in (self.is_allowed, terminated)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        if terminated.is_set():
            return {"id": request["id"], "isDuringSearch": False, "noResults": True, "terminated": True}
        position = MoveSequence.parse(game_of(request["spec"]), request.get("position"), request["moves"]).position
        move = position.moves()[0]
        line = {"moves": [move], "value": 0.5, "certainty": "estimate", "visits": 1}
        final = {"id": request["id"], "isDuringSearch": False, "move": move, "engine": {"version": "first-move"}}
        final |= {"seat": position.seat, "value": 0.5, "certainty": "estimate", "visits": 1, "lines": [line], "seconds": 0.0}
        if on_report is not None and "reportDuringSearchEvery" in request:
            on_report(final | {"isDuringSearch": True})
        return final

    def terminate(self, query_id: str, seconds: float | None = None) -> None:
        """End a query at once, without a result."""
        self.terminated[query_id].set()

    async def wait_for_requests(self, count: int) -> None:
        """Wait until the engine has received a number of requests since its creation."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            while len(self.requests) < count:
                await asyncio.sleep(0)
