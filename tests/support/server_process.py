"""A server in a separate process, and clients for it."""

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
from typing import Any

import httpx
from websockets.sync.client import ClientConnection, connect

START_SECONDS = 120.0


class Server:
    """`ropewalk serve` on a free port."""

    def __init__(self, database: str, *words: str, port: int = 0) -> None:
        self.largest_file: int | None = None  # what a full disk would not let grow
        self.database = database
        self.clients: list[Client] = []
        self.words = words or ("--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0")
        self.start(port)

    def start(self, port: int = 0) -> None:
        """Start the process and wait until the server answers."""
        command = [sys.executable, "-m", "ropewalk", "serve", "--port", str(port), "--quiet", *self.words]
        self.process = subprocess.Popen([*command, "--database", self.database], stdout=subprocess.PIPE, text=True,
                                        preexec_fn=self.limit_files)  # noqa: PLW1509  # fmt: skip
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        assert found is not None, f"the server said {line!r}"
        self.port = int(found[1])
        self.wait()

    def limit_files(self) -> None:
        """Limit the size of files of the process before it starts, like a full disk."""
        if self.largest_file is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (self.largest_file, self.largest_file))

    def wait(self) -> None:
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
        """The URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    def kill(self) -> None:
        """Kill the process at once, like a power failure."""
        self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()

    def stop(self) -> int:
        """Stop the server and return its exit code."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(timeout=60)
        assert self.process.stdout is not None
        self.process.stdout.close()
        return code

    def restart(self) -> None:
        """Start the server again with the same database and port."""
        self.start(self.port)


class ForkedServer(Server):
    """A server that the fork server starts; it can be killed and restarts quickly."""

    def __init__(self, database: str) -> None:
        self.zygote = subprocess.Popen([sys.executable, "-m", "tests.support.fork_server"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, text=True)  # fmt: skip
        assert self.heard() == "ready"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.clients = []
        self.database = database
        self.start(self.port)

    def heard(self) -> str:
        """Return the next answer of the fork server."""
        assert self.zygote.stdout is not None
        return self.zygote.stdout.readline().strip()

    def start(self, port: int = 0) -> None:
        """Start the process and wait until the server answers."""
        assert self.zygote.stdin is not None
        self.zygote.stdin.write(json.dumps({"database": self.database, "port": port}) + "\n")
        self.zygote.stdin.flush()
        self.pid = int(self.heard())
        self.wait()

    def kill(self) -> None:
        """Kill the process at once, like a power failure."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
            while True:  # it is not our child, so all we can do is look whether it is gone
                os.kill(self.pid, 0)
                time.sleep(0.001)

    def stop(self) -> int:
        """Stop the server and return its exit code."""
        self.kill()
        self.zygote.communicate()
        return 0


@contextmanager
def forked(database: str) -> Iterator[ForkedServer]:
    """Run a server that can be killed often, during the context."""
    server = ForkedServer(database)
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def serving(database: str, *words: str) -> Iterator[Server]:
    """Run a server during the context."""
    server = Server(database, *words)
    try:
        yield server
    finally:
        server.stop()
        for client in server.clients:
            client.http.close()


class Client:
    """A user with a cookie of their own."""

    def __init__(self, server: Server) -> None:
        self.server = server
        limits = httpx.Limits(max_keepalive_connections=0)  # a connection outlives no server
        self.http = httpx.Client(base_url=server.url, headers={"X-Ropewalk": "1"}, timeout=120, limits=limits)
        server.clients.append(self)
        self.user = self.ask("POST", "/api/guests", 201)["user"]

    def ask(self, method: str, path: str, status: int = 200, **body: Any) -> Any:
        """Send a request and return the response, which must have the given status."""
        answer = self.http.request(method, path, json=body or None)
        assert answer.status_code == status, (answer.status_code, answer.text)
        return answer.json()

    def create(self, spec: str, kind: str, **more: Any) -> Any:
        """Create a match."""
        opponent = {"kind": kind} | ({"level": more.pop("level")} if "level" in more else {})
        return self.ask("POST", "/api/matches", 201, spec=spec, opponent=opponent, **more)

    def match(self, match: str) -> Any:
        """Return the current state of a match."""
        return self.ask("GET", f"/api/matches/{match}")

    def do(self, match: str, action: str, status: int = 200, **more: Any) -> Any:
        """Perform an action of a type in a match."""
        return self.ask("POST", f"/api/matches/{match}/actions", status, type=action, **more)

    def move(self, match: str, move: str | None = None) -> Any:
        """Play a move, by default the first legal one."""
        state = self.match(match)["state"]
        move = move or state["position"]["moves"][0]
        return self.do(match, "move", move=move, position_version=state["position_version"])

    @contextmanager
    def following(self, match: str, after: int | None = None, server: Server | None = None) -> Iterator[Socket]:
        """Open a socket that watches a match."""
        with self.socket(server or self.server, f"matches/{match}", after) as socket:
            yield socket

    @contextmanager
    def following_lobby(self, after: int | None = None) -> Iterator[Socket]:
        """Open a socket that watches the lobby."""
        with self.socket(self.server, "lobby", after) as socket:
            yield socket

    @contextmanager
    def socket(self, server: Server, what: str, after: int | None) -> Iterator[Socket]:
        """Open a socket with the cookie of this client."""
        query = "" if after is None else f"?after={after}"
        cookie = "; ".join(f"{name}={value}" for name, value in self.http.cookies.items())
        where = f"{server.url.replace('http', 'ws')}/api/{what}/stream{query}"
        with connect(where, additional_headers={"Cookie": cookie}) as socket:
            yield Socket(socket)


class Socket:
    """The messages of a WebSocket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, **message: Any) -> None:
        """Send a message."""
        self.socket.send(json.dumps(message))

    def hear(self, *kinds: str, timeout_seconds: float = 60) -> Any:
        """Return the next message of a type; raise a TimeoutError if none arrives in time."""
        while True:
            message = json.loads(self.socket.recv(timeout=timeout_seconds))
            if message["type"] in kinds:
                return message


def top_colours(position: Any) -> dict[str, str]:
    """Return the colour of the topmost piece of each cell of a position."""
    return {cell: pieces[-1]["colour"] for cell, pieces in position["pieces"].items()}


def register(server: Server, name: str) -> Client:
    """Register an account and return its client."""
    client = Client(server)
    client.user = client.ask("POST", "/api/accounts", 201, name=name, password="a long password")["user"]
    return client


def pair(server: Server, spec: str, **more: Any) -> tuple[Client, Client, str]:
    """Create two users and their match; the first has seat 0."""
    first, second = Client(server), Client(server)
    made = first.create(spec, "invitation", seat=0, **more)
    second.ask("POST", f"/api/invitations/{made['invitation']}/accept")
    return first, second, made["match"]["id"]
