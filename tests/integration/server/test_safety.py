"""Hostile clients: invalid and forged requests, messages that are too large, and paths outside the page."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from ropewalk.server.api.middleware import MAX_BODY_BYTES
from ropewalk.server.errors import HTTP_STATUS
from ropewalk.server.run import MAX_MESSAGE_BYTES
from tests.support.server_process import Client, Server, Socket, start_match

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
                    max_leaves=8)  # fmt: skip
TYPES = ["move", "request-takeback", "answer-takeback", "offer-draw", "answer-draw", "chat", "abort"]
ACTIONS = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | JSON},
    optional={
        "move": st.sampled_from(["c3", "b2", "swap"]) | JSON,
        "position_version": st.integers(0, 9) | JSON,
        "event_seq": JSON,
        "accept": JSON,
        "text": JSON,
        "request_id": st.sampled_from(["a", "b"]) | JSON,
    },
)


@pytest.fixture(scope="module")
def followed_match(server: Server) -> Iterator[tuple[Client, str, Socket]]:
    first, _, match = start_match(server, "tether-5")
    with first.follow(match) as socket:
        yield first, match, socket


@given(said=st.text(max_size=200) | JSON.map(json.dumps) | ACTIONS.map(json.dumps) | st.binary(max_size=50))
@settings(max_examples=150)
def test_every_message_on_a_socket_gets_a_response(followed_match: tuple[Client, str, Socket], said: str | bytes) -> None:
    _, _, socket = followed_match
    socket.socket.send(said)
    response = socket.receive("ack", "error")
    assert response["type"] == "ack" or response["code"] in HTTP_STATUS
    assert response.get("code") != "internal"


def test_the_match_of_a_fuzzed_socket_is_sound(followed_match: tuple[Client, str, Socket]) -> None:
    client, match, _ = followed_match
    log = client.request("GET", f"/api/matches/{match}/events")
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))


def test_a_message_that_is_too_large_closes_only_its_socket(server: Server) -> None:
    first, _, match = start_match(server, "tether-5")
    with first.follow(match) as socket:
        socket.socket.send("x" * (MAX_MESSAGE_BYTES + 1))
        with pytest.raises(ConnectionClosedError, match="1009"):
            socket.receive("error")
    first.play(match, "c3")


@pytest.mark.parametrize("text", [b"\xff", b"\xed\xa0\x80"])
def test_a_message_with_invalid_utf_8_closes_only_its_socket(server: Server, text: bytes) -> None:
    first, _, match = start_match(server, "tether-5")
    with first.follow(match) as socket:
        socket.socket.send(text, text=True)
        with pytest.raises(ConnectionClosedError, match="1007"):
            socket.receive("error")
    first.play(match, "c3")


def test_a_body_that_is_too_large_is_rejected_with_the_limit(server: Server) -> None:
    response = httpx.post(f"{server.url}/api/matches/import", content=b"x" * (MAX_BODY_BYTES + 1))
    assert (response.status_code, response.json()["details"]["limit"]) == (413, MAX_BODY_BYTES)
    parts = (b"x" * 65536 for _ in range(MAX_BODY_BYTES // 65536 + 2))
    response = httpx.post(f"{server.url}/api/matches/import", content=parts)
    assert response.status_code == 413


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_another_site_can_do_nothing_in_a_users_name(server: Server, origin: str) -> None:
    first, _, match = start_match(server, "tether-5")
    cookies = {"ropewalk_session": first.http.cookies["ropewalk_session"]}
    where = f"{server.url}/api/matches/{match}/actions"
    error = httpx.post(where, json={"type": "resign"}, cookies=cookies, headers={"Origin": origin})
    assert (error.status_code, error.json()["code"]) == (403, "forbidden-origin")
    without = httpx.post(where, json={"type": "resign"}, cookies=cookies)
    assert without.json()["code"] == "forbidden-origin"
    socket = f"{server.url.replace('http', 'ws')}/api/matches/{match}/stream"
    with pytest.raises(InvalidStatus, match="403"):
        connect(socket, additional_headers={"Origin": origin, "Cookie": f"ropewalk_session={cookies['ropewalk_session']}"})
    assert first.get_match(match)["state"]["status"] == "playing"
    allowed = httpx.post(where, json={"type": "resign"}, cookies=cookies, headers={"Origin": server.url})
    assert allowed.status_code == 200


def test_every_response_has_strict_headers(server: Server) -> None:
    for path in ("/", "/api/me", "/api/nothing", "/play/abc"):
        headers = httpx.get(server.url + path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fservices.py", "/%00"])
def test_no_file_outside_the_page_is_served(server: Server, path: str) -> None:
    response = httpx.get(server.url + path)
    assert "root:" not in response.text
    assert "import" not in response.text


def test_health_and_metrics_are_for_operators(server: Server) -> None:
    deadline = time.monotonic() + 30
    while httpx.get(f"{server.url}/api/health").json()["status"] != "ok":
        assert time.monotonic() < deadline
    metrics = httpx.get(f"{server.url}/metrics")
    assert metrics.headers["cache-control"] == "no-store"
    names = {metric.name for metric in text_string_to_metric_families(metrics.text)}
    assert names >= {
        "ropewalk_http_requests",
        "ropewalk_events_appended",
        "ropewalk_engine_queue_length",
        "process_cpu_seconds",
    }
    manual = (Path(__file__).parents[3] / "docs" / "server.md").read_text(encoding="utf-8")
    assert all(name.removesuffix("_created") in manual for name in names if name.startswith("ropewalk"))
