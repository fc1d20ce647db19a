"""A server in a separate process, and its clients."""

from __future__ import annotations

import atexit
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
from dataclasses import asdict
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.support.fork_server import ForkRequest

START_SECONDS = 120.0
DEFAULT_ARGUMENTS = ("--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0")


class Server:
    """`ropewalk serve` on a free port."""

    def __init__(self, database: str, *arguments: str, port: int = 0, log_file: Path | None = None) -> None:
        self.log_file = log_file  # where the log goes; None: to the standard error of the tests
        self.max_file_bytes: int | None = None  # the limit of RLIMIT_FSIZE, which simulates a full disk
        self.database = database
        self.clients: list[Client] = []
        self.arguments = arguments or DEFAULT_ARGUMENTS
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
        self.lock = Lock()
        self.process = subprocess.Popen([sys.executable, "-m", "tests.support.fork_server"], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, start_new_session=True)  # fmt: skip
        assert self.read_line() == "ready"

    def read_line(self) -> str:
        """Return the next line of the fork server."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def fork(self, request: ForkRequest) -> int:
        """Fork a server, and return its process id."""
        pid = self.ask(asdict(request))
        assert pid is not None
        return pid

    def wait(self, pid: int) -> int:
        """Wait until a server has ended, and return its exit code."""
        while (code := self.ask(pid)) is None:
            time.sleep(0.002)
        return code

    def ask(self, request: object) -> int | None:
        """Send a request, and return the answer."""
        assert self.process.stdin is not None
        with self.lock:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            answer: int | None = json.loads(self.read_line())
            return answer

    def stop(self) -> None:
        """Stop the fork server and all servers that still run."""
        self.process.communicate()


@cache
def start_shared_fork_server() -> ForkServer:
    """Return the fork server of this process, which ends with it."""
    fork_server = ForkServer()
    atexit.register(fork_server.stop)
    return fork_server


class ForkedServer(Server):
    """A server that a fork server starts: it can be killed and is ready again within a tenth of a second."""

    def __init__(self, fork_server: ForkServer, database: str, log_file: Path | None = None, **settings: Any) -> None:
        self.fork_server = fork_server
        self.clients = []
        self.database = database
        self.log_file = log_file
        self.max_file_bytes = None
        self.settings = settings
        self.start()

    def start(self, port: int = 0) -> None:
        """Fork a server, and wait until it answers."""
        self.fork(port or find_free_port())
        self.wait_until_ready()

    def fork(self, port: int) -> None:
        """Fork a server without waiting for it."""
        self.port = port
        self.pid = self.fork_server.fork(self.make_request())

    def make_request(self) -> ForkRequest:
        """Return what the fork server needs to know."""
        log_file = None if self.log_file is None else str(self.log_file)
        return ForkRequest({"database_url": self.database, "port": self.port, **self.settings}, log_file=log_file)

    def kill(self) -> None:
        """Kill the server, as a power cut would."""
        self.send_signal(signal.SIGKILL)
        self.wait_until_gone()

    def wait_until_gone(self) -> int:
        """Wait until the process has ended, and return its exit code."""
        return self.fork_server.wait(self.pid)

    def stop(self) -> int:
        """Kill the server."""
        self.kill()
        return 0


class ForkedCommand(ForkedServer):
    """`ropewalk serve` in a forked process, with the arguments and the environment of a command."""

    def __init__(self, database: str, *arguments: str, log_file: Path | None = None) -> None:
        self.arguments = arguments or DEFAULT_ARGUMENTS
        super().__init__(start_shared_fork_server(), database, log_file)

    def make_request(self) -> ForkRequest:
        """Return what the fork server needs to know."""
        arguments = ["serve", "--port", str(self.port), "--quiet", *self.arguments, "--database", self.database]
        log_file = None if self.log_file is None else str(self.log_file)
        return ForkRequest(
            arguments=arguments, environment=dict(os.environ), log_file=log_file, max_file_bytes=self.max_file_bytes
        )

    def stop(self) -> int:
        """Stop the server by SIGTERM, and return its exit code."""
        self.send_signal(signal.SIGTERM)
        return self.wait_until_gone()


def find_free_port() -> int:
    """Return a port that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


@contextmanager
def run_forked_server(database: str) -> Iterator[ForkedServer]:
    """Yield a server that can be killed often; it is stopped after the block."""
    server = ForkedServer(start_shared_fork_server(), database)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def run_server(database: str, *arguments: str, log_file: Path | None = None) -> Iterator[Server]:
    """Yield a server with the arguments of `ropewalk serve`; it is stopped after the block."""
    server = ForkedCommand(database, *arguments, log_file=log_file)
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
