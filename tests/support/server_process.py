"""A server in a separate process, and its clients."""

from __future__ import annotations

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

START_SECONDS = 120.0


class Server:
    """`ropewalk serve` on a free port."""

    def __init__(self, database: str, *arguments: str, port: int = 0, log_file: Path | None = None) -> None:
        self.log_file = log_file  # where the log goes; None: to the standard error of the tests
        self.max_file_bytes: int | None = None  # the limit of RLIMIT_FSIZE, which simulates a full disk
        self.database = database
        self.clients: list[Client] = []
        self.arguments = arguments or ("--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0")
        self.start(port)

    def start(self, port: int = 0) -> None:
        """Start the process, and wait until it answers."""
        command = [sys.executable, "-m", "ropewalk", "serve", "--port", str(port), "--quiet", *self.arguments]
        log = None if self.log_file is None else self.log_file.open("a", encoding="utf-8")
        self.process = subprocess.Popen([*command, "--database", self.database], stdout=subprocess.PIPE, stderr=log,
                                        text=True, preexec_fn=self.limit_file_size)  # noqa: PLW1509  # fmt: skip
        self.pid = self.process.pid
        if log is not None:
            log.close()
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        address = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert address is not None, f"the server printed {line!r}"
        self.port = int(address[1])
        self.wait_until_ready()

    def limit_file_size(self) -> None:
        """Limit the size of files in the child process before the server starts."""
        if self.max_file_bytes is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.max_file_bytes, self.max_file_bytes))

    def wait_until_ready(self) -> None:
        """Wait until the server answers."""
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            try:
                if httpx.get(f"{self.url}/api/health", timeout=START_SECONDS).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.02)
        raise TimeoutError("the server does not answer")

    @property
    def url(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def send_signal(self, number: int) -> None:
        """Send a signal, unless the server has ended."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> int:
        """Stop the server by SIGTERM, and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def restart(self) -> None:
        """Start the server again on the same port."""
        self.start(self.port)


class ForkServer:
    """A process that forks servers: each is ready within a tenth of a second."""

    def __init__(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-m", "tests.support.fork_server"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, start_new_session=True)  # fmt: skip
        assert self.read_line() == "ready"

    def read_line(self) -> str:
        """Return the next line of the fork server."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def fork(self, settings: dict[str, Any], log_file: str | None = None) -> int:
        """Fork a server with some settings, and return its process id."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"settings": settings, "log_file": log_file}) + "\n")
        self.process.stdin.flush()
        return int(self.read_line())

    def stop(self) -> None:
        """Stop the fork server; its servers go on."""
        self.process.communicate()


class ForkedServer(Server):
    """A server that a fork server starts: it can be killed and is ready again within a tenth of a second."""

    def __init__(self, fork_server: ForkServer, database: str, log_file: Path | None = None, **settings: Any) -> None:
        self.fork_server = fork_server
        self.port = find_free_port()
        self.clients = []
        self.database = database
        self.log_file = log_file
        self.settings = settings
        self.start(self.port)

    def start(self, port: int = 0) -> None:
        """Fork a server, and wait until it answers."""
        self.fork(port)
        self.wait_until_ready()

    def fork(self, port: int) -> None:
        """Fork a server without waiting for it."""
        settings = {"database_url": self.database, "port": port, **self.settings}
        self.pid = self.fork_server.fork(settings, None if self.log_file is None else str(self.log_file))

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self.send_signal(signal.SIGKILL)
        self.wait_until_gone()

    def wait_until_gone(self) -> None:
        """Wait until the process has ended; it is no child of this process, so it cannot be waited for."""
        with suppress(ProcessLookupError):
            while True:
                os.kill(self.pid, 0)
                time.sleep(0.001)

    def stop(self) -> int:
        """Kill the server."""
        self.kill()
        return 0


def find_free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def run_forked_server(database: str) -> Iterator[ForkedServer]:
    """Yield a server that can be killed often; it is stopped after the block."""
    fork_server = ForkServer()
    try:
        server = ForkedServer(fork_server, database)
        try:
            yield server
        finally:
            server.stop()
    finally:
        fork_server.stop()


@contextmanager
def run_server(database: str, *arguments: str, log_file: Path | None = None) -> Iterator[Server]:
    """Yield a server; it is stopped after the block."""
    server = Server(database, *arguments, log_file=log_file)
    try:
        yield server
    finally:
        server.stop()
        for client in server.clients:
            client.http.close()


class Client:
    """A user with cookies of their own; a new guest by default."""

    def __init__(self, server: Server) -> None:
        self.server = server
        limits = httpx.Limits(max_keepalive_connections=0)  # a connection does not outlive its server
        self.http = httpx.Client(base_url=server.url, headers={"X-Ropewalk": "1"}, timeout=120, limits=limits)
        server.clients.append(self)
        self.user = self.request("POST", "/api/guests", 201)["user"]

    def request(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        """Send a request, whose response must have a status; return its JSON."""
        response = self.http.request(method, path, json=body or None)
        assert response.status_code == status, (response.status_code, response.text)
        return response.json()

    def create_match(self, spec: str, kind: str, **more: Any) -> Any:
        """Create a match and return the response; `level` belongs to the opponent."""
        opponent = {"kind": kind} | ({"level": more.pop("level")} if "level" in more else {})
        return self.request("POST", "/api/matches", 201, spec=spec, opponent=opponent, **more)

    def get_match(self, match: str) -> Any:
        """Return a match."""
        return self.request("GET", f"/api/matches/{match}")

    def act(self, match: str, action: str, status: int = 200, **more: Any) -> Any:
        """Perform an action of a type in a match."""
        return self.request("POST", f"/api/matches/{match}/actions", status, type=action, **more)

    def play(self, match: str, move: str | None = None) -> Any:
        """Play a move, by default the first legal one, in the current position."""
        state = self.get_match(match)["state"]
        move = move or state["position"]["moves"][0]
        return self.act(match, "move", move=move, position_version=state["position_version"])

    @contextmanager
    def follow(self, match: str, after: int | None = None, server: Server | None = None) -> Iterator[Socket]:
        """Yield a socket that follows a match."""
        with self.open_socket(server or self.server, f"matches/{match}", after) as socket:
            yield socket

    @contextmanager
    def follow_lobby(self, after: int | None = None) -> Iterator[Socket]:
        """Yield a socket that follows the lobby."""
        with self.open_socket(self.server, "lobby", after) as socket:
            yield socket

    @contextmanager
    def open_socket(self, server: Server, path: str, after: int | None) -> Iterator[Socket]:
        """Yield a socket with the cookies of this client."""
        query = "" if after is None else f"?after={after}"
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        address = f"{server.url.replace('http', 'ws')}/api/{path}/stream{query}"
        with connect(address, additional_headers={"Cookie": cookie}) as socket:
            yield Socket(socket)


class Socket:
    """A WebSocket connection with messages as JSON."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def receive(self, *types: str, timeout_seconds: float = 60) -> Any:
        """Return the next message of one of these types. Raises TimeoutError if no message comes for that long."""
        while True:
            message = json.loads(self.socket.recv(timeout=timeout_seconds))
            if message["type"] in types:
                return message


def find_top_colours(position: Any) -> dict[str, str]:
    """Return the colour of the topmost piece of each cell of a position."""
    return {cell: pieces[-1]["colour"] for cell, pieces in position["pieces"].items()}


def create_account(server: Server, name: str) -> Client:
    """Return a client with a new account."""
    client = Client(server)
    client.user = client.request("POST", "/api/accounts", 201, name=name, password="a long password")["user"]
    return client


def start_match(server: Server, spec: str, **more: Any) -> tuple[Client, Client, str]:
    """Return two guests and the id of their match, public by default; the first has seat 0."""
    first, second = Client(server), Client(server)
    created = first.create_match(spec, "invitation", **{"seat": 0, "public": True} | more)
    second.request("POST", f"/api/invitations/{created['invitation']}/accept")
    return first, second, created["match"]["id"]
