"""Hostile clients: garbage, forged requests, guesses, floods. Nobody gets in, nothing breaks."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from prometheus_client.parser import text_string_to_metric_families
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from ropewalk.server.api.middleware import MAX_BODY_BYTES
from ropewalk.server.api.rate_limit import MAX_BUCKETS, RATE_LIMITS, TokenBucketLimiter
from ropewalk.server.errors import HTTP_STATUS, ApiError
from ropewalk.server.run import MAX_MESSAGE_BYTES
from tests.support.server_process import Client, Server, Socket, pair, serving

JSON = st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
                    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
                    max_leaves=8)  # fmt: skip
CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
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


def test_no_request_that_the_api_describes_breaks_the_server(server: Server) -> None:
    schema = schemathesis.openapi.from_url(f"{server.url}/api/openapi.json")
    described = schema.exclude(path="/api/me/events").get_all_operations()  # that one never ends
    operations: list[Any] = [found.ok() for found in described if isinstance(found, Ok)]
    assert len(operations) > 30
    for operation in operations:
        try_out(operation, Client(server))


def try_out(operation: Any, guest: Client) -> None:
    """Requests that the description allows, and some that it does not."""
    headers = {"X-Ropewalk": "1", "Cookie": f"ropewalk_session={guest.http.cookies['ropewalk_session']}"}

    @given(case=operation.as_strategy())
    @settings(max_examples=8, phases=[Phase.generate], suppress_health_check=list(HealthCheck), deadline=None)
    def ask(case: Any) -> None:
        case.call_and_validate(headers=headers, checks=CHECKS)

    ask()


@pytest.fixture(scope="module")
def at_table(server: Server) -> Iterator[tuple[Client, str, Socket]]:
    first, _, match = pair(server, "tether-5")
    with first.following(match) as socket:
        yield first, match, socket


@given(said=st.text(max_size=200) | JSON.map(json.dumps) | ACTIONS.map(json.dumps) | st.binary(max_size=50))
@settings(max_examples=150)
def test_whatever_is_said_on_a_socket_gets_an_answer(at_table: tuple[Client, str, Socket], said: str | bytes) -> None:
    _, _, socket = at_table
    socket.socket.send(said)
    answer = socket.hear("ack", "error")
    assert answer["type"] == "ack" or answer["code"] in HTTP_STATUS
    assert answer.get("code") != "internal"


def test_the_match_of_a_fuzzed_socket_is_sound(at_table: tuple[Client, str, Socket]) -> None:
    client, match, _ = at_table
    log = client.ask("GET", f"/api/matches/{match}/events")
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))


def test_a_message_that_is_too_large_closes_the_socket_and_harms_nobody(server: Server) -> None:
    first, _, match = pair(server, "tether-5")
    with first.following(match) as socket:
        socket.socket.send("x" * (MAX_MESSAGE_BYTES + 1))
        with pytest.raises(ConnectionClosedError, match="1009"):
            socket.hear("error")
    first.move(match, "c3")


def test_a_body_that_is_too_large_is_refused_with_the_limit(server: Server) -> None:
    answer = httpx.post(f"{server.url}/api/matches/import", content=b"x" * (MAX_BODY_BYTES + 1))
    assert (answer.status_code, answer.json()["details"]["limit"]) == (413, MAX_BODY_BYTES)
    parts = (b"x" * 65536 for _ in range(MAX_BODY_BYTES // 65536 + 2))
    answer = httpx.post(f"{server.url}/api/matches/import", content=parts)
    assert answer.status_code == 413


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_another_site_can_do_nothing_in_a_visitors_name(server: Server, origin: str) -> None:
    first, _, match = pair(server, "tether-5")
    cookies = {"ropewalk_session": first.http.cookies["ropewalk_session"]}
    where = f"{server.url}/api/matches/{match}/actions"
    refused = httpx.post(where, json={"type": "resign"}, cookies=cookies, headers={"Origin": origin})
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden-origin")
    without = httpx.post(where, json={"type": "resign"}, cookies=cookies)
    assert without.json()["code"] == "forbidden-origin"
    socket = f"{server.url.replace('http', 'ws')}/api/matches/{match}/stream"
    with pytest.raises(InvalidStatus, match="403"):
        connect(socket, additional_headers={"Origin": origin, "Cookie": f"ropewalk_session={cookies['ropewalk_session']}"})
    assert first.match(match)["state"]["status"] == "playing"
    allowed = httpx.post(where, json={"type": "resign"}, cookies=cookies, headers={"Origin": server.url})
    assert allowed.status_code == 200


def test_an_invitation_is_the_only_way_into_a_private_match(server: Server) -> None:
    host, stranger = Client(server), Client(server)
    made = host.create("tether-5", "invitation")
    match, secret = made["match"]["id"], made["invitation"]
    assert stranger.ask("POST", f"/api/matches/{match}/join", 403)["code"] == "not-your-match"
    assert stranger.ask("POST", f"/api/invitations/{secret[:-1]}/accept", 404)["code"] == "not-found"
    assert secret not in json.dumps(stranger.match(match))
    assert match not in json.dumps(stranger.ask("GET", "/api/lobby"))
    assert stranger.do(match, "abort", 403)["code"] == "not-your-match"


def test_every_answer_has_strict_headers(server: Server) -> None:
    for path in ("/", "/api/me", "/api/nothing", "/play/abc"):
        headers = httpx.get(server.url + path).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


@pytest.mark.parametrize("path", ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fhouse.py", "/%00"])
def test_no_file_outside_the_page_is_served(server: Server, path: str) -> None:
    answer = httpx.get(server.url + path)
    assert "root:" not in answer.text
    assert "import" not in answer.text


@pytest.mark.parametrize("cookie", ["", "x", "a" * 5000, "../../x", "%00"])
def test_a_session_that_nobody_has_is_nobodys(server: Server, cookie: str) -> None:
    headers = {"Cookie": f"ropewalk_session={cookie}", "X-Ropewalk": "1"}
    assert httpx.get(f"{server.url}/api/me", headers=headers).json()["user"] is None
    assert httpx.get(f"{server.url}/api/me/export", headers=headers).status_code == 401


def test_a_rate_that_is_exceeded_is_refused_with_its_number() -> None:
    rates = TokenBucketLimiter(1.0)
    for _ in range(RATE_LIMITS["chat"].burst):
        rates.consume("chat", "somebody")
    with pytest.raises(ApiError) as refused:
        rates.consume("chat", "somebody")
    assert (refused.value.code, refused.value.details["limit"]) == ("too-many", RATE_LIMITS["chat"].per_minute)
    rates.consume("chat", "somebody else")
    TokenBucketLimiter(0).consume("chat", "somebody")


@pytest.mark.parametrize("kind", ["passwords", "records"])
def test_who_has_exhausted_a_rate_stays_refused_although_many_others_come(kind: str) -> None:
    rates = TokenBucketLimiter(1.0)
    for _ in range(RATE_LIMITS[kind].burst):
        rates.consume(kind, "somebody")
    for number in range(60_000):
        rates.consume(kind, f"other {number}")
    assert len(rates.buckets) <= MAX_BUCKETS
    assert rates.count_tokens(kind, "somebody", time.monotonic()) < 1
    with pytest.raises(ApiError):
        rates.consume(kind, "somebody")


def test_who_comes_while_many_exhaust_a_rate_is_limited_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ropewalk.server.api.rate_limit.MAX_BUCKETS", 100)
    rates = TokenBucketLimiter(1.0)
    for number in range(200):
        for _ in range(RATE_LIMITS["chat"].burst):
            rates.consume("chat", f"other {number}")
    for _ in range(RATE_LIMITS["chat"].burst):
        rates.consume("chat", "somebody")
    with pytest.raises(ApiError):
        rates.consume("chat", "somebody")
    assert len(rates.buckets) == 100


def test_the_time_to_wait_after_a_refusal_is_enough() -> None:
    rates = TokenBucketLimiter(250.0)
    time.sleep(first_refusal(rates, "pictures").details["retry_after"])
    rates.consume("pictures", "somebody")


def first_refusal(rates: TokenBucketLimiter, kind: str) -> ApiError:
    """Take tokens until one is refused."""
    while True:
        try:
            rates.consume(kind, "somebody")
        except ApiError as refusal:
            return refusal


def test_an_answer_to_too_many_requests_says_when_to_ask_again(tmp_path: Path) -> None:
    with serving(
        str(tmp_path / "matches.db"), "--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0.1"
    ) as server:
        wrong = {"name": "Nobody at all", "password": "a wrong one"}
        answers = [httpx.post(f"{server.url}/api/sessions", json=wrong) for _ in range(2)]
        assert "retry-after" not in answers[0].headers
        assert_says_when_to_ask_again(answers[-1])  # refused by a route
        with httpx.Client(base_url=server.url) as client:
            answers = [client.get("/api/me") for _ in range(60)]
        assert_says_when_to_ask_again(next(answer for answer in answers if answer.status_code == 429))  # before any route


def assert_says_when_to_ask_again(answer: httpx.Response) -> None:
    """The header has the seconds of the body, rounded up."""
    assert (answer.status_code, answer.json()["code"]) == (429, "too-many")
    wait = answer.json()["details"]["retry_after"]
    assert answer.headers["retry-after"] == str(max(1, math.ceil(wait)))


def test_a_limit_that_no_waiting_lifts_says_nothing_of_when_to_ask_again() -> None:
    assert ApiError("too-many", "an account may have at most 5 bots", limit=5).headers() == {}
    assert ApiError("too-many", "wait", retry_after=0.0).headers() == {"Retry-After": "1"}
    assert ApiError("too-many", "wait", retry_after=6.1).headers() == {"Retry-After": "7"}


def test_every_code_has_a_status_that_fits() -> None:
    assert all(400 <= status < 600 for status in HTTP_STATUS.values())


def test_the_api_is_described_and_no_debug_page_is_served(server: Server) -> None:
    described = httpx.get(f"{server.url}/api/openapi.json").json()
    assert len(described["paths"]) > 30
    assert all(operation.get("description") for path in described["paths"].values() for operation in path.values())
    for path in ("/docs", "/redoc", "/api/docs"):
        assert "swagger" not in httpx.get(server.url + path).text.lower()


def test_health_and_metrics_are_for_operators(server: Server) -> None:
    assert httpx.get(f"{server.url}/api/health").json()["status"] == "ok"
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
