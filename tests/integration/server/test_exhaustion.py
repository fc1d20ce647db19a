"""One visitor cannot use up the server: others log in and play while lines of moves, half-sent requests and streams wait."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from ropewalk.server.api.rate_limit import OPEN_LIMITS
from ropewalk.server.connection_limits import MAX_ADDRESS_CONNECTIONS
from ropewalk.server.protocols import HEADER_SECONDS
from tests.support.server_process import Client, Server, create_account, run_server

MAX_DELAY_SECONDS = 3.0  # of a login during an attack
MAX_DELAY_FACTOR = 4.0  # because other tests run on the same machine
LIMITED = ("--engine-workers", "1", "--no-warm-up")  # with the usual rate limits
COLUMNS = "abcdefghijklmnopqrs"
LONG_LINE = {"spec": "tether-19", "moves": [f"{column}{row}" for row in range(1, 20) for column in COLUMNS][:350]}


@pytest.fixture
def limited_server(tmp_path: Path) -> Iterator[Server]:
    """A server with the usual limits."""
    with run_server(str(tmp_path / "matches.db"), *LIMITED) as server:
        yield server


def test_a_login_does_not_wait_for_the_lines_of_moves_of_visitors(limited_server: Server) -> None:
    create_account(limited_server, "Patient Player")
    url = limited_server.url

    def send_line(_: int) -> httpx.Response:
        return httpx.post(f"{url}/api/positions/line", json=LONG_LINE, timeout=120)

    def log_in() -> float:
        started = time.monotonic()
        login = httpx.post(f"{url}/api/sessions", json={"name": "Patient Player", "password": "a long password"}, timeout=60)
        assert login.status_code == 201
        return time.monotonic() - started

    usual = log_in()
    with ThreadPoolExecutor(12) as attackers:
        responses = attackers.map(send_line, range(12))
        time.sleep(0.3)
        assert log_in() < MAX_DELAY_SECONDS + MAX_DELAY_FACTOR * usual
        refused = [response.json() for response in responses if response.status_code == 429]
    assert refused
    assert all(error["details"]["limit"] > 0 for error in refused)


@contextmanager
def hold_half_requests(server: Server, count: int) -> Iterator[list[socket.socket]]:
    """Yield connections that have sent a part of a request."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.create_connection(("127.0.0.1", server.port), 30)) for _ in range(count)]
        for connection in sockets:
            connection.sendall(b"POST /api/guests HTTP/1.1\r\nHost: x\r\n")
        yield sockets


def test_half_sent_requests_are_limited_and_end_in_time(tmp_path: Path) -> None:
    log_file = tmp_path / "server.log"
    with run_server(str(tmp_path / "matches.db"), *LIMITED, log_file=log_file) as server:
        check_half_requests(server)
    log = log_file.read_text(encoding="utf-8")
    assert "connections ended: 1 (more than 100 of one address)" in log
    assert "the request was not complete in time" in log
    assert "127.0.0" not in log
    assert "Traceback" not in log


def check_half_requests(server: Server) -> None:
    """Hold more connections than one address may have; others are served, and all of them end in time."""
    neighbour = httpx.Client(transport=httpx.HTTPTransport(local_address="127.0.0.2"), base_url=server.url, timeout=30)
    with hold_half_requests(server, MAX_ADDRESS_CONNECTIONS) as held, neighbour:
        started = time.monotonic()
        refused = httpx.get(f"{server.url}/api/me")
        assert (refused.status_code, refused.json()["details"]) == (429, {"limit": MAX_ADDRESS_CONNECTIONS})
        assert refused.headers["retry-after"] == "10"
        assert neighbour.get("/api/me").status_code == 200, "another address is served"
        answers = [connection.recv(4096) for connection in held]
        assert time.monotonic() - started < HEADER_SECONDS + 10
        assert all(answer.startswith(b"HTTP/1.1 408 ") for answer in answers)
        error = json.loads(answers[0].partition(b"\r\n\r\n")[2])
        assert (error["code"], error["details"]) == ("too-slow", {"limit": HEADER_SECONDS})
        metrics = neighbour.get("/metrics").text
        assert 'ropewalk_connections_ended_total{reason="address"} 1.0' in metrics
        assert f'ropewalk_connections_ended_total{{reason="slow-request"}} {float(len(held))}' in metrics
    assert httpx.get(f"{server.url}/api/me").status_code == 200


def test_one_byte_after_another_does_not_keep_a_connection(limited_server: Server) -> None:
    with socket.create_connection(("127.0.0.1", limited_server.port), 30) as connection:
        connection.sendall(b"GET /api/me HTTP/1.1\r\nHost: x\r\n\r\n")
        answer = b""
        while not answer.endswith(b'{"user":null}'):
            answer += connection.recv(4096)
        started = time.monotonic()
        connection.settimeout(0.5)
        received = b""
        while not received:
            try:
                connection.sendall(b"G" if time.monotonic() - started < 0.2 else b"E")
                received = connection.recv(4096)
            except TimeoutError:
                assert time.monotonic() - started < HEADER_SECONDS + 10
        assert received.startswith((b"HTTP/1.1 408 ", b"HTTP/1.1 400 "))


def test_event_streams_are_limited(limited_server: Server) -> None:
    guest = Client(limited_server)
    limit = OPEN_LIMITS["event streams"].by_user
    with ExitStack() as stack:
        responses: list[Any] = [stack.enter_context(guest.http.stream("GET", "/api/me/events")) for _ in range(limit + 3)]
        assert [response.status_code for response in responses] == [200] * limit + [429] * 3
        assert json.loads(responses[-1].read())["details"] == {"limit": limit}
    until = time.monotonic() + 30
    while time.monotonic() < until:
        with guest.http.stream("GET", "/api/me/events") as response:
            if response.status_code == 200:
                return
    raise AssertionError("closed streams still count")
