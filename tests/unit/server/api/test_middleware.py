"""Middleware: origins, body sizes, headers, errors, rate limits, and what is served outside the API."""

from __future__ import annotations

import json
import logging
import math
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from prometheus_client.parser import text_string_to_metric_families

from ropewalk.server.api.middleware import MAX_BODY_BYTES
from ropewalk.server.api.rate_limit import RATE_LIMITS
from ropewalk.server.api.static_files import ROUTES_FILE, add_static_files, find_file
from ropewalk.server.logs import TEXT_FORMAT, JsonFormatter, TextFormatter
from ropewalk.server.services import AppServices
from tests.support.app_client import AppClient, check_response, create_guest, start_match

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://testserver:81", "http://testserver.evil.example"])
async def test_another_site_can_do_nothing_in_a_users_name(app: FastAPI, origin: str) -> None:
    first, _, match = await start_match(app, "tether-5")
    del first.http.headers["X-Ropewalk"]
    path = f"/api/matches/{match}/actions"
    await first.request_error("POST", path, "forbidden-origin", type="resign")
    first.http.headers["X-Ropewalk"] = "1"
    first.http.headers["Origin"] = origin
    await first.request_error("POST", path, "forbidden-origin", type="resign")
    assert (await first.get_match(match))["state"]["status"] == "playing", "reading is allowed"
    del first.http.headers["X-Ropewalk"]
    first.http.headers["Origin"] = "http://testserver"
    assert (await first.request("POST", path, type="resign"))["event"]["type"] == "resigned"


async def test_a_request_without_cookies_needs_no_header(app: FastAPI) -> None:
    client = AppClient(app)
    del client.http.headers["X-Ropewalk"]
    assert (await client.request("POST", "/api/guests", 201))["user"]["kind"] == "guest"


async def test_a_body_that_is_too_large_is_rejected_with_the_limit(app: FastAPI) -> None:
    async def generate_parts(size: int) -> AsyncIterator[bytes]:
        for _ in range(size // 1024):
            yield b"x" * 1024

    http = (await create_guest(app)).http
    contents: list[Any] = [b"x" * (MAX_BODY_BYTES + 1), generate_parts(MAX_BODY_BYTES + 1024)]
    for content in contents:
        response = await http.post("/api/matches/import", content=content)
        assert (response.status_code, response.json()["details"]) == (413, {"limit": MAX_BODY_BYTES})
        check_response(response)
    assert (await http.post("/api/matches/import", content=b"x" * MAX_BODY_BYTES)).status_code == 422


@pytest.mark.parametrize("path", ["/", "/api/me", "/api/nothing", "/play/abc"])
async def test_every_response_has_strict_headers(app: FastAPI, path: str) -> None:
    headers = (await AppClient(app).http.get(path)).headers
    assert "default-src 'self'" in headers["content-security-policy"]
    assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert "strict-transport-security" not in headers
    assert (headers.get("cache-control") == "no-store") == path.startswith("/api")


async def test_over_https_the_cookie_is_secure_and_browsers_must_not_use_http(app: FastAPI) -> None:
    client = AppClient(app)
    client.http.base_url = httpx.URL("https://testserver")
    response = await client.http.post("/api/guests")
    assert "secure" in response.headers["set-cookie"].lower()
    assert response.headers["strict-transport-security"]


@pytest.mark.parametrize("cookie", ["", "x", "a" * 5000, "../../x", "%00"], ids=lambda cookie: str(cookie)[:10])
async def test_an_invalid_session_is_no_session(app: FastAPI, cookie: str) -> None:
    client = AppClient(app)
    client.http.headers["Cookie"] = f"ropewalk_session={cookie}"
    assert (await client.request("GET", "/api/me"))["user"] is None
    await client.request_error("GET", "/api/me/export", "no-session")


async def test_an_unexpected_exception_is_an_internal_error_without_details(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail() -> None:
        raise ZeroDivisionError("secret")

    services: AppServices = app.state.services
    monkeypatch.setattr(services.match_repository, "list_challenges", fail)
    await AppClient(app).request_error("GET", "/api/lobby", "internal")
    assert "secret" in caplog.text


# Request ids


@pytest.mark.parametrize("given", ["abc-123_x.Y", "x" * 64])
async def test_a_well_formed_request_id_is_kept(app: FastAPI, given: str) -> None:
    response = await AppClient(app).http.get("/api/matches/none", headers={"X-Request-ID": given})
    assert response.headers["x-request-id"] == response.json()["request_id"] == given


@pytest.mark.parametrize("given", ["", "x" * 65, "two words", "line\x0bfeed", 'quote"'])
async def test_any_other_request_gets_an_id_of_its_own(app: FastAPI, given: str) -> None:
    headers = {"X-Request-ID": given} if given else {}
    responses = [await AppClient(app).http.get("/api/matches/none", headers=headers) for _ in range(2)]
    ids = {response.json()["request_id"] for response in responses}
    assert ids == {response.headers["x-request-id"] for response in responses}
    assert len(ids) == 2
    assert all(re.fullmatch("[0-9a-f]{16}", request_id) for request_id in ids)


async def test_the_log_has_the_id_of_the_request(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []

    class Collector(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(self.format(record))

    def fail() -> None:
        raise ZeroDivisionError("damaged")

    monkeypatch.setattr(app.state.services.match_repository, "list_challenges", fail)
    collector = Collector()
    collector.setFormatter(JsonFormatter())
    logging.getLogger("ropewalk.http").addHandler(collector)
    try:
        await AppClient(app).http.get("/api/lobby", headers={"X-Request-ID": "mine"})
        collector.setFormatter(TextFormatter(TEXT_FORMAT))
        await AppClient(app).http.get("/api/lobby", headers={"X-Request-ID": "mine"})
    finally:
        logging.getLogger("ropewalk.http").removeHandler(collector)
    entry = json.loads(lines[0])
    assert (entry["request_id"], entry["level"], entry["message"]) == ("mine", "ERROR", "GET /api/lobby failed")
    assert "ZeroDivisionError: damaged" in entry["exception"]
    assert json.loads(lines[1])["message"] == "GET /api/lobby was answered with status 500"
    assert "ropewalk.http [mine]: GET /api/lobby failed" in lines[2]


async def test_durations_and_waits_are_histograms(app: FastAPI) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "bot", level=1, seat=0))["match"]["id"]
    await client.play(match, "b2")
    async with client.follow(match) as socket:
        while (await client.get_match(match))["state"]["seq"] < 3:
            await socket.receive()
    text = (await client.http.get("/metrics")).text
    for name in ("append_duration_seconds", "engine_wait_seconds"):
        count = re.search(rf"^ropewalk_{name}_count (\S+)$", text, re.MULTILINE)
        assert count is not None
        assert float(count[1]) >= 1
    assert 'ropewalk_http_request_duration_seconds_count{route="/api/matches"}' in text


# Rate limits


async def read_rejection(client: AppClient, method: str, path: str, **body: Any) -> httpx.Response:
    """Return the first response with status 429 to a repeated request."""
    for _ in range(100):
        response = await client.http.request(method, path, json=body or None)
        if response.status_code == 429:
            check_response(response)
            return response
    raise AssertionError("a hundred requests are allowed")


async def test_a_rejected_request_says_when_to_try_again(limited_app: FastAPI) -> None:
    credentials = {"name": "Nobody at all", "password": "a wrong one"}
    for response in (
        await read_rejection(AppClient(limited_app, "10.0.0.1"), "POST", "/api/sessions", **credentials),  # by the route
        await read_rejection(AppClient(limited_app, "10.0.0.2"), "GET", "/api/me"),  # by the middleware
    ):
        error = response.json()
        assert error["code"] == "too-many"
        assert response.headers["retry-after"] == str(max(1, math.ceil(error["details"]["retry_after"])))
    assert (await AppClient(limited_app, "10.0.0.3").http.get("/api/me")).status_code == 200, "others are not limited"


@pytest.mark.parametrize(
    ("kind", "method", "path", "body"),
    [
        ("guests", "POST", "/api/guests", {}),
        ("passwords", "POST", "/api/accounts", {"name": "<", "password": "x"}),
        ("matches", "POST", "/api/matches", {"spec": "tether-3", "opponent": {"kind": "self"}}),
        ("records", "POST", "/api/matches/import", {"record": "nonsense"}),
        ("analyses", "POST", "/api/positions/analyse", {"spec": "tether-3"}),
        ("pictures", "GET", "/api/matches/unknown/animation.gif", {}),
    ],
)
async def test_every_costly_route_has_a_limit_of_its_own(
    limited_app: FastAPI, kind: str, method: str, path: str, body: dict[str, Any]
) -> None:
    client = AppClient(limited_app, "10.0.0.1") if kind == "guests" else await create_guest(limited_app, "10.0.0.1")
    if kind == "guests":
        client.http.cookies.jar.set_cookie = lambda cookie: None  # type: ignore[method-assign]  # always a new guest
    response = await read_rejection(client, method, path, **body)
    assert response.json()["details"]["limit"] == round(RATE_LIMITS[kind].per_minute * 0.1)


@pytest.mark.parametrize(("kind", "action"), [("chat", {"type": "chat", "text": "hello"}), ("actions", {"type": "resign"})])
async def test_actions_and_chat_have_limits_on_a_socket_too(limited_app: FastAPI, kind: str, action: dict[str, Any]) -> None:
    first, _, match = await start_match(limited_app, "tether-5")
    async with first.follow(match) as socket:
        for _ in range(100):
            message = await socket.act(**action)
            if message.get("code") == "too-many":
                assert message["details"]["limit"] == round(RATE_LIMITS[kind].per_minute * 0.1)
                return
    raise AssertionError("a hundred actions are allowed")


# Outside the API


async def test_without_a_page_every_path_outside_the_api_names_the_api(app: FastAPI) -> None:
    for path in ("/", "/play/abc", "/assets/x.js", "/%2e%2e/%2e%2e/etc/passwd", "/%00"):
        response = await AppClient(app).http.get(path)
        assert (response.status_code, response.headers["content-type"].split(";")[0]) == (200, "text/plain")
        assert "/api/openapi.json" in response.text


async def test_the_api_is_described_and_no_debug_page_is_served(app: FastAPI) -> None:
    described = (await AppClient(app).http.get("/api/openapi.json")).json()
    assert len(described["paths"]) > 30
    assert all(operation.get("description") for path in described["paths"].values() for operation in path.values())
    for path in ("/docs", "/redoc", "/api/docs"):
        assert "swagger" not in (await AppClient(app).http.get(path)).text.lower()


async def test_metrics_count_responses_by_route(app: FastAPI) -> None:
    http = AppClient(app).http

    async def count(status: str) -> float:
        families = text_string_to_metric_families((await http.get("/metrics")).text)
        samples = [
            sample for family in families for sample in family.samples if sample.name == "ropewalk_http_requests_total"
        ]
        labels = {"method": "GET", "route": "/api/matches/{match_id}", "status": status}
        return sum(sample.value for sample in samples if sample.labels == labels)

    before = await count("404")
    for match in ("unknown-1", "unknown-2"):
        await http.get(f"/api/matches/{match}")
    assert await count("404") == before + 2


async def test_an_invitation_is_the_only_way_into_a_private_match(app: FastAPI) -> None:
    host, stranger = await create_guest(app), await create_guest(app)
    created = await host.create_match("tether-5", "invitation")
    match, token = created["match"]["id"], created["invitation"]
    await stranger.request_error("POST", f"/api/matches/{match}/join", "not-found")
    await stranger.request_error("POST", f"/api/invitations/{token[:-1]}/accept", "not-found")
    assert token not in json.dumps(await host.get_match(match))
    await stranger.request_error("GET", f"/api/matches/{match}", "not-found")
    assert match not in json.dumps(await stranger.request("GET", "/api/lobby"))
    await stranger.request_error("POST", f"/api/matches/{match}/actions", "not-found", type="abort")


@pytest.mark.parametrize("path", ["/api/games", "/api/health", "/metrics"])
async def test_head_is_answered_like_get_without_a_body(app: FastAPI, path: str) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") as http:
        head, get = await http.head(path), await http.get(path)
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-type"] == get.headers["content-type"]


async def test_an_invalid_origin_is_rejected(app: FastAPI) -> None:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://testserver") as http:
        response = await http.post("/api/guests", headers={"Origin": "http://["})
    assert (response.status_code, response.json()["code"]) == (403, "forbidden-origin")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('{"type": "chat", "text": "x", "request_id": "a\\u0000b"}', "bad-request"),
        ('{"type": "chat", "text": "x\\ud800"}', "bad-request"),
        ('{"type": "move", "move": "c3\\u0000", "position_version": 1}', "bad-request"),
        ("[" * 100_000, "bad-request"),
    ],
)
async def test_text_that_databases_cannot_store_is_rejected(app: FastAPI, text: str, code: str) -> None:
    first, _, match = await start_match(app, "tether-5")
    headers = {"X-Ropewalk": "1", "Content-Type": "application/json"}
    response = await first.http.post(f"/api/matches/{match}/actions", content=text, headers=headers)
    assert (response.status_code, response.json()["code"]) == (422, code)


async def test_numbers_outside_of_their_range_are_rejected(app: FastAPI) -> None:
    first, _, match = await start_match(app, "tether-5")
    await first.request_error("GET", f"/api/me/matches?before={10**30}", "bad-request")
    await first.request_error("GET", f"/api/matches/{match}/events?after={10**12}", "bad-request")


# Input that is no text


@pytest.mark.parametrize(
    "body",
    [
        b'{"name": "\\ud800", "password": "a long password"}',
        b'{"\\ud800": 1}',
        b'{"name": "\xff\xfe", "password": "a long password"}',
        b"\xff",
        b'{"name": ' + b"[" * 100_000,
        b'{"name": ' + b"9" * 10_000 + b"}",
        b'{"name": NaN, "password": Infinity}',
        b'"\\udfff"',
    ],
    ids=lambda body: repr(body[:30]),
)
@pytest.mark.parametrize("path", ["/api/sessions", "/api/matches", "/api/positions", "/api/matches/import"])
async def test_a_body_that_cannot_be_decoded_is_a_bad_request(app: FastAPI, path: str, body: bytes) -> None:
    client = await create_guest(app)
    response = await client.http.post(path, content=body, headers={"Content-Type": "application/json"})
    check_response(response)
    assert (response.status_code, response.json()["code"]) == (422, "bad-request")


@pytest.mark.parametrize(
    "path", ["/" + "x" * 256, "/assets/" + "ä" * 200, "/%ff%fe", "/%ED%A0%80", "/play/%00", "/" + "x/" * 140]
)
async def test_every_path_outside_the_api_gets_the_page(app: FastAPI, path: str) -> None:
    assert (await AppClient(app).http.get(path)).status_code == 200


@pytest.mark.parametrize("path", ["x" * 256, "assets/" + "ä" * 200, "a\ud800b", "\0", ".", "..", "x/" * 140, "no-such-file"])
def test_a_path_that_no_file_can_have_is_no_file(tmp_path: Path, path: str) -> None:
    (tmp_path / "assets").mkdir()
    assert find_file(tmp_path, path) is None


async def test_an_address_that_the_page_does_not_have_is_not_found_and_shows_the_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the page", "utf-8")
    routes = [
        {"name": name, "requires_argument": requires_argument, "preload": []}
        for name, requires_argument in (("", False), ("lobby", False), ("match", True))
    ]
    statuses = {"/": 200, "/lobby": 200, "/match/abc/3": 200, "/match": 404, "/nowhere": 404, "/lobbies": 404}
    for has_routes in (False, True):
        if has_routes:
            (tmp_path / ROUTES_FILE).write_text(json.dumps(routes), "utf-8")
        app = FastAPI()
        add_static_files(app, tmp_path, [])
        for path, status in statuses.items():
            response = await AppClient(app).http.get(path)
            assert (response.status_code, response.text) == (status if has_routes else 200, "the page"), path


async def test_a_page_names_the_files_that_its_address_needs_besides_those_of_every_page(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("the page", "utf-8")
    routes = [
        {"name": "", "requires_argument": False, "preload": []},
        {"name": "puzzles", "requires_argument": True, "preload": ["/assets/Puzzle.js", "/assets/Puzzle.css"]},
        {"name": "puzzles", "requires_argument": False, "preload": ["/assets/Puzzles.js"]},
    ]
    (tmp_path / ROUTES_FILE).write_text(json.dumps(routes), "utf-8")
    app = FastAPI()
    add_static_files(app, tmp_path, [])
    links = {path: (await AppClient(app).http.get(path)).headers.get("link") for path in ("/", "/puzzles", "/puzzles/7")}
    assert links == {
        "/": None,
        "/puzzles": "</assets/Puzzles.js>; rel=modulepreload",
        "/puzzles/7": "</assets/Puzzle.js>; rel=modulepreload, </assets/Puzzle.css>; rel=preload; as=style; crossorigin",
    }


@pytest.mark.parametrize("path", ["/api/players/%ff", "/api/players/%00", "/api/invitations/%ED%A0%80", "/api/games/%ff"])
async def test_a_path_that_cannot_be_decoded_names_nothing(app: FastAPI, path: str) -> None:
    assert (await AppClient(app).http.get(path)).status_code in (404, 422)


@pytest.mark.parametrize("host", ["[", "[::1", "a b", "\xff", ""])
async def test_a_host_header_can_be_anything(app: FastAPI, host: str) -> None:
    headers = {b"Host": host.encode("latin-1")}
    response = await AppClient(app).http.post("/api/guests", headers=headers)
    assert response.status_code == 201
