"""Analysis for clients: reports on a socket, and engines that stop when a client leaves."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from socket import create_connection
from typing import Any

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ropewalk.server.api.analysis_stream import (
    MAX_REQUEST_ID_LENGTH,
    MAX_STREAM_SECONDS,
    AnalysisMessage,
    QueuedMessage,
)
from ropewalk.server.api.rate_limit import OPEN_LIMITS, RATE_LIMITS
from ropewalk.server.api.routes.games import MAX_ANALYSIS_SECONDS
from ropewalk.server.api.schemas.messages import ErrorMessage
from ropewalk.server.api.websocket import CLOSE_TOO_MANY
from ropewalk.server.engine_pool.pool import MAX_UNSHARED_SECONDS, REPORT_SECONDS
from ropewalk.server.engine_pool.worker_client import TERMINATE_SECONDS
from ropewalk.server.errors import HTTP_STATUS
from ropewalk.server.http_protocol import MAX_PIPELINED_BYTES
from ropewalk.server.run import MAX_MESSAGE_BYTES
from tests.support.server_process import Client, Server, run_server

SOON_SECONDS = 20.0  # a third of the search; on an idle machine it is a few hundredths of a second
TIMEOUT_SECONDS = 240.0  # kernels may have to be compiled
ANALYSIS_REQUEST: dict[str, Any] = {"spec": "tether-5", "moves": ["c3"], "level": 6, "lines": 2}
DOCS = Path(__file__).resolve().parents[3] / "docs"
WON = "rb1rb/rbb1b/b1rrb/rr1r1/r1rrb blue"


MODELS: dict[str, type[BaseModel]] = {"analysis": AnalysisMessage, "queued": QueuedMessage, "error": ErrorMessage}


class AnalysisSocket:
    """A socket for live analysis; every message is checked against its model."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def send_request(self, **request: Any) -> None:
        self.socket.send(json.dumps(ANALYSIS_REQUEST | request))

    def read(self) -> Any:
        message = json.loads(self.socket.recv(timeout=TIMEOUT_SECONDS))
        model = MODELS[message["type"]]
        assert json.loads(model.model_validate(message).model_dump_json()) == message
        return message

    def read_to_end(self) -> list[Any]:
        """All messages up to the final report or an error."""
        messages = [self.read()]
        while messages[-1]["type"] == "queued" or not messages[-1].get("is_final", True):
            messages.append(self.read())
        return [message for message in messages if message["type"] != "queued"]


@contextmanager
def open_analysis_socket(server: Server, cookies: dict[str, str] | None = None, **headers: str) -> Iterator[AnalysisSocket]:
    where = f"{server.url.replace('http', 'ws')}/api/positions/analyse/stream"
    if cookies:
        headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with connect(where, additional_headers=headers) as socket:
        yield AnalysisSocket(socket)


@pytest.fixture(scope="module")
def client(server: Server) -> Client:
    client = Client(server)
    client.request("POST", "/api/positions/analyse", **ANALYSIS_REQUEST, seconds=0.1)  # the engine loads its kernels
    return client


def measure_analysis_seconds(client: Client) -> float:
    started_at = time.monotonic()
    client.request("POST", "/api/positions/analyse", **ANALYSIS_REQUEST, seconds=0.1)
    return time.monotonic() - started_at


def test_reports_come_while_the_engine_searches_then_the_result(server: Server, client: Client) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request(seconds=2, request_id="one")
        *reports, final = socket.read_to_end()
    assert len(reports) >= 2
    assert [report["is_final"] for report in (*reports, final)] == [False] * len(reports) + [True]
    assert {report["request_id"] for report in (*reports, final)} == {"one"}
    assert {(report["seat"], len(report["lines"])) for report in (*reports, final)} == {(1, 2)}
    visits = [report["visits"] for report in (*reports, final)]
    assert visits == sorted(visits)
    assert 0 <= final["value"] <= 1


def test_the_result_has_the_fields_of_the_request_without_socket(server: Server, client: Client) -> None:
    plain = client.request("POST", "/api/positions/analyse", **ANALYSIS_REQUEST, seconds=0.1)
    with open_analysis_socket(server) as socket:
        socket.send_request(seconds=0.1)
        (final,) = socket.read_to_end()
    assert final.keys() == plain.keys() | {"type", "is_final", "request_id"}


def test_a_new_request_cancels_the_one_before(server: Server, client: Client) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request(request_id="old")
        assert socket.read()["request_id"] == "old"
        started_at = time.monotonic()
        socket.send_request(request_id="new", moves=["c3", "d3"], seconds=0.5)
        messages = socket.read_to_end()
        while messages[-1]["request_id"] == "old":
            messages += socket.read_to_end()
        assert time.monotonic() - started_at < SOON_SECONDS
    names = [message["request_id"] for message in messages]
    assert names == sorted(names, reverse=True), "nothing of the old one after the new one"
    assert messages[-1]["seat"] == 0


def test_an_engine_stops_when_the_socket_closes(server: Server, client: Client) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request()
        socket.read()
    assert measure_analysis_seconds(client) < SOON_SECONDS


def test_an_engine_stops_when_the_client_of_a_request_disconnects(server: Server, client: Client) -> None:
    with pytest.raises(httpx.ReadTimeout):
        client.http.post("/api/positions/analyse", json=ANALYSIS_REQUEST | {"seconds": MAX_ANALYSIS_SECONDS}, timeout=0.5)
    assert measure_analysis_seconds(client) < 0.6 * MAX_ANALYSIS_SECONDS


def encode_analysis_request() -> bytes:
    """An HTTP request for an analysis of the longest time."""
    body = json.dumps(ANALYSIS_REQUEST | {"seconds": MAX_ANALYSIS_SECONDS}).encode()
    head = b"POST /api/positions/analyse HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    return head + b"Content-Length: %d\r\n\r\n" % len(body) + body


def test_engines_stop_when_clients_with_further_requests_disconnect(server: Server, client: Client) -> None:
    request = encode_analysis_request()
    with ExitStack() as stack:
        sockets = [stack.enter_context(create_connection(("127.0.0.1", server.port))) for _ in range(15)]
        for socket in sockets:
            socket.sendall(request)
        while read_metric(server, "ropewalk_engine_queue_length") < 14:
            time.sleep(0.05)
        for socket in sockets:
            socket.sendall(request)
        time.sleep(0.2)  # the server has read them
    started_at = time.monotonic()
    while read_metric(server, "ropewalk_engine_queue_length") > 0:
        assert time.monotonic() - started_at < 0.6 * MAX_ANALYSIS_SECONDS
        time.sleep(0.05)
    assert measure_analysis_seconds(client) < 0.6 * MAX_ANALYSIS_SECONDS


def test_a_client_that_sends_requests_without_end_is_cut_off(server: Server, client: Client) -> None:
    requests = encode_analysis_request() * 1000
    assert len(requests) > 2 * MAX_PIPELINED_BYTES
    with create_connection(("127.0.0.1", server.port), timeout=TIMEOUT_SECONDS) as socket:
        socket.sendall(requests[:1000])
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            socket.sendall(100 * requests)
    assert measure_analysis_seconds(client) < 0.6 * MAX_ANALYSIS_SECONDS


def read_metric(server: Server, name: str) -> float:
    """The value of a metric without labels."""
    text = httpx.get(f"{server.url}/metrics").text
    return next(float(line.split()[1]) for line in text.splitlines() if line.split()[0] == name)


@pytest.mark.parametrize(
    ("request_text", "code", "message"),
    [
        ("", "bad-request", "the message: Invalid JSON"),
        ("garbage", "bad-request", "the message: Invalid JSON"),
        ("[" * 1000, "bad-request", "the message: Invalid JSON"),
        ("[]", "bad-request", "the message: "),
        ("{}", "bad-request", "spec: Field required"),
        (b"\xff\x00", "bad-request", "the message: Invalid JSON"),
        ({"visits": 5}, "bad-request", "visits: Extra inputs"),
        ({"seconds": MAX_STREAM_SECONDS + 1}, "bad-request", "seconds: "),
        ({"seconds": 0}, "bad-request", "seconds: "),
        ({"level": 9}, "bad-request", "level: "),
        ({"lines": 0}, "bad-request", "lines: "),
        ({"moves": "c3"}, "bad-request", "moves: "),
        ({"request_id": "x" * 65}, "bad-request", "request_id: "),
        ({"spec": "chess"}, "bad-spec", "unknown game 'chess'"),
        ({"position": "5/5 red"}, "bad-position", "rows"),
        ({"moves": [], "position": WON}, "game-over", "the game is over"),
    ],
)
def test_a_wrong_request_gets_an_error_and_the_next_is_answered(
    server: Server, client: Client, request_text: str | bytes | dict[str, Any], code: str, message: str
) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request()
        while socket.read()["type"] != "analysis":
            pass
        socket.socket.send(json.dumps(ANALYSIS_REQUEST | request_text) if isinstance(request_text, dict) else request_text)
        while (error := socket.read())["type"] != "error":
            pass
        assert (error["code"], error["request_id"]) == (code, None)
        assert message in error["message"]
        socket.send_request(seconds=0.1)
        assert socket.read_to_end()[-1]["is_final"]


def test_an_illegal_move_has_the_reason_of_the_rules(server: Server, client: Client) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request(moves=["c3", "c3"], request_id="illegal")
        error = socket.read()
    assert (error["type"], error["request_id"]) == ("error", "illegal")
    assert "c3 already has a red stone" in error["message"]


@given(said=st.text(max_size=200) | st.binary(max_size=50) | st.dictionaries(st.text(), st.integers()).map(json.dumps))
@settings(max_examples=60, deadline=None)
def test_whatever_is_said_gets_an_error(analysis_socket: AnalysisSocket, said: str | bytes) -> None:
    analysis_socket.socket.send(said)
    message = analysis_socket.read()
    assert message["code"] in HTTP_STATUS
    assert message["code"] != "internal"


@pytest.fixture(scope="module")
def analysis_socket(server: Server) -> Iterator[AnalysisSocket]:
    with open_analysis_socket(server) as socket:
        yield socket


def test_a_long_line_of_moves_fits_into_a_message_and_more_closes_the_socket(server: Server, client: Client) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request(moves=["d4-e5/b2"] * 1000)
        assert socket.read()["type"] == "error", "read, and illegal"
        socket.socket.send("x" * (MAX_MESSAGE_BYTES + 1))
        with pytest.raises(ConnectionClosedError, match="1009"):
            socket.read()
    assert measure_analysis_seconds(client) < SOON_SECONDS


def test_another_site_gets_no_socket(server: Server) -> None:
    with pytest.raises(InvalidStatus, match="403"), open_analysis_socket(server, Origin="http://evil.example"):
        pass


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="finds processes by /proc")
def test_an_analysis_survives_the_death_of_its_engine(server: Server, client: Client) -> None:
    with open_analysis_socket(server) as socket:
        socket.send_request(seconds=3)
        socket.read()
        for pid in list_engine_pids(server):
            os.kill(pid, signal.SIGKILL)
        messages = socket.read_to_end()
    assert messages[-1]["type"] == "analysis"
    assert messages[-1]["is_final"]


def list_engine_pids(server: Server) -> list[int]:
    """The engine processes that a server has started."""
    children = Path(f"/proc/{server.pid}/task").glob("*/children")
    pids = [int(pid) for path in children for pid in path.read_text().split()]
    return [pid for pid in pids if b"ropewalk.engine.worker" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def test_rates_and_connections_are_limited(tmp_path: Path) -> None:
    with run_server(str(tmp_path / "matches.db"), "--engine-workers", "1", "--no-warm-up") as server, ExitStack() as sockets:
        client = Client(server)
        socket, *_ = [
            sockets.enter_context(open_analysis_socket(server, dict(client.http.cookies)))
            for _ in range(OPEN_LIMITS["WebSockets"].by_user)
        ]
        with open_analysis_socket(server, dict(client.http.cookies)) as refused:
            assert json.loads(refused.socket.recv(timeout=TIMEOUT_SECONDS))["code"] == "too-many"
            with pytest.raises(ConnectionClosedError, match=str(CLOSE_TOO_MANY)):
                refused.socket.recv(timeout=TIMEOUT_SECONDS)
        for _ in range(RATE_LIMITS["analyses"].burst):
            socket.socket.send("garbage")
            assert socket.read()["code"] == "bad-request"
        socket.socket.send("garbage")
        error = socket.read()
        assert (error["code"], error["details"]["limit"]) == ("too-many", RATE_LIMITS["analyses"].per_minute)
        assert error["details"]["retry_after"] > 0
        refused_request = client.http.post("/api/positions/analyse", json=ANALYSIS_REQUEST)
        assert refused_request.json()["code"] == "too-many", "one limit for sockets and requests"


def test_the_manuals_have_the_numbers_that_hold() -> None:
    api, engine = ((DOCS / name).read_text(encoding="utf-8") for name in ("api.md", "engine.md"))
    assert f"`seconds` up to {MAX_STREAM_SECONDS:g} (default: {MAX_STREAM_SECONDS:g})" in api
    assert f"about every {REPORT_SECONDS:g} seconds" in api
    assert f"After {MAX_UNSHARED_SECONDS:g} seconds an analysis may end early" in api
    assert f"`request_id` of at most {MAX_REQUEST_ID_LENGTH} characters" in api
    assert f"does not answer within {TERMINATE_SECONDS:g} seconds is killed" in engine
