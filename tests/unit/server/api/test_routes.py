"""Every route: a success with a response of its model, and every error that it documents."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute

from ropewalk.server.api.routes.account import MAX_BOTS
from ropewalk.server.api.routes.games import MAX_LINE_POSITIONS
from ropewalk.server.api.routes.users import generate_lines
from ropewalk.server.api.schemas.matches import BotStreamMessage
from ropewalk.server.errors import HTTP_STATUS
from tests.support.app_client import (
    PASSWORD,
    AppClient,
    create_account,
    create_guest,
    find_route,
    require_exact,
    start_match,
)
from tests.support.push_service import PushService
from tests.unit.puzzles.samples import SAMPLE

pytestmark = pytest.mark.anyio
DAYS = {"kind": "days", "days": 2}
FULL_BOARD = "rb1rb/rbb1b/b1rrb/rr1r1/r1rrb blue"
# Requested in tests of their own: pictures start a process, a stream never ends, and e-mail needs a mail server.
ENGINE_JOB_PATHS = [f"{{lease_id}}/{action}" for action in ("heartbeat", "release", "result")]
NOT_REQUESTED = {
    ("GET", "/api/matches/{match_id}/animation.gif"),
    ("GET", "/api/matches/{match_id}/picture.png"),
    ("GET", "/api/puzzles/{puzzle_id}/picture.png"),
    ("POST", "/api/positions/animation.gif"),
    ("GET", "/api/me/events"),
    ("PUT", "/api/me/email"),
    ("POST", "/api/email/confirm/{token}"),
    ("POST", "/api/email/unsubscribe/{token}"),
    *(("POST", f"/api/engine-jobs/{path}") for path in ("acquire", *ENGINE_JOB_PATHS)),  # they need an engine's token
}
TREE = {"spec": "tether-3", "nodes": [{}, {"parent": 0, "seat": 0, "move": "b2"}]}
LONG_ID = "x" * 25

KEYS = PushService().subscription()["keys"]

Body = dict[str, Any]


def list_routes(app: FastAPI) -> set[tuple[str, str]]:
    """Return the method and path of every route of the OpenAPI document."""
    paths: dict[str, Body] = app.openapi()["paths"]
    return {(method.upper(), path) for path, operations in paths.items() for method in operations}


async def test_every_route_answers(app: FastAPI) -> None:
    visited: set[tuple[str, str]] = set()
    first, second = await create_account(app, "Route First"), await create_account(app, "Route Second")

    async def request(client: AppClient, method: str, path: str, status: int = 200, **body: Any) -> Any:
        visited.add((method, find_route(method, path.partition("?")[0]).path))
        if path.endswith((".sgf", ".txt", "metrics")):
            return (await client.http.request(method, path, json=body or None)).raise_for_status().text
        return await client.request(method, path, status, **body)

    for path in ("/api/health", "/api/health/live", "/api/health/ready", "/api/notices"):
        await request(first, "GET", path)
    assert "ropewalk_http_requests" in await request(first, "GET", "/metrics")
    await request(await create_guest(app), "POST", "/api/guests", 201)
    await request(AppClient(app), "POST", "/api/accounts", 201, name="Route Third", password=PASSWORD)
    await request(AppClient(app), "POST", "/api/sessions", 201, name="Route Third", password=PASSWORD)
    await request(await create_guest(app), "DELETE", "/api/sessions/current")
    for relation in ("mutes", "blocks"):
        await request(first, "PUT", f"/api/me/{relation}/{second.user['id']}")
        await request(first, "DELETE", f"/api/me/{relation}/{second.user['id']}")
    await request(first, "POST", "/api/reports", 201, user_id=second.user["id"], reason="a test")
    await request_account_routes(app, request, first)
    for request_routes in (
        request_game_routes,
        request_tournament_routes,
        request_puzzle_routes,
        request_analysis_routes,
        request_notification_routes,
    ):
        await request_routes(request, first)
    opponent = {"kind": "invitation"}
    created = await request(first, "POST", "/api/matches", 201, spec="tether-3", opponent=opponent, seat=0, clock=DAYS)
    match, invitation = f"/api/matches/{created['match']['id']}", f"/api/invitations/{created['invitation']}"
    assert (await request(second, "GET", invitation))["id"] == created["match"]["id"]
    await request(second, "POST", f"{invitation}/accept")
    await request(first, "POST", f"{match}/actions", type="move", move="b2", position_version=1)
    lines = [["a1", "c3"]]
    await request(first, "PUT", f"{match}/conditional-moves", position_version=2, lines=lines)
    assert (await request(first, "GET", f"{match}/conditional-moves"))["lines"] == lines
    await request(first, "POST", f"{match}/actions", type="resign")
    for method in ("POST", "GET"):
        assert (await request(first, method, f"{match}/review"))["total"] == 2
    assert (await request(second, "POST", f"{match}/rematch"))["state"]["status"] == "waiting"
    assert len(await request(first, "GET", f"{match}/events?after=2")) == 2
    direct = await first.create_match("tether-3", "user", name="Route Second")
    await request(second, "POST", f"/api/matches/{direct['match']['id']}/decline")
    assert len(await request(first, "GET", "/api/matches?player=Route First&status=over")) == 3
    record = await request(first, "GET", f"{match}/record.sgf")
    assert (await request(first, "POST", "/api/matches/import", 201, record=record))["origin"] == "import"
    challenge = await second.create_match("tether-3", "open")
    await request(first, "POST", f"/api/matches/{challenge['match']['id']}/join")
    assert (await request(first, "GET", match))["state"]["result"]["winner"] == 1
    assert challenge["match"]["id"] in str(await request(first, "GET", "/api/lobby"))
    assert len(await request(first, "GET", "/api/me/matches")) == 5
    assert (await request(first, "GET", "/api/players/Route First"))["user"]["id"] == first.user["id"]
    assert len(await request(first, "GET", "/api/statistics/first-move")) == 5
    assert (await request(first, "GET", "/api/me"))["user"]["name"] == "Route First"
    assert (await request(first, "GET", "/api/me/export"))["user"][0]["name"] == "Route First"
    assert (await request(first, "DELETE", "/api/me"))["user"] is None
    assert list_routes(app) - visited == NOT_REQUESTED


async def request_game_routes(request: Callable[..., Awaitable[Any]], first: AppClient) -> None:
    """Request the routes of games and positions."""
    assert len(await request(first, "GET", "/api/games")) == 5
    assert (await request(first, "GET", "/api/games/tether-3"))["spec"] == "tether-3"
    await request(first, "POST", "/api/positions", spec="tether-3")
    await request(first, "POST", "/api/positions/line", spec="tether-3", moves=["a1"])
    await request(first, "POST", "/api/positions/explain", spec="tether-3", move="a1")
    await request(first, "POST", "/api/positions/analyse", spec="tether-3")
    await request(first, "POST", "/api/positions/edit", spec="tether-3", pieces={"b2": "r"})
    assert (await request(first, "GET", "/api/explorer?spec=tether-13"))["moves"] == []  # no other test plays on this board
    assert "laocoon" in await request(first, "GET", "/api/game-reports")
    assert (await request(first, "GET", "/api/game-reports/laocoon"))["spec"] == "laocoon-weave"
    assert (await request(first, "GET", "/api/known/lariat"))["solved"]
    assert "ropewalk-proof" in await request(first, "GET", "/api/proofs/lariat-1x1.txt")


async def request_analysis_routes(request: Callable[..., Awaitable[Any]], first: AppClient) -> None:
    """Request the routes of saved analyses and of records as trees."""
    saved = await request(first, "POST", "/api/analyses", 201, name="Route", tree=TREE)
    analysis = f"/api/analyses/{saved['id']}"
    assert (await request(first, "GET", analysis))["tree"] == saved["tree"]
    assert (await request(first, "PUT", analysis, name="Route 2", tree=TREE, version=1))["version"] == 2
    assert [each["name"] for each in await request(first, "GET", "/api/analyses")] == ["Route 2"]
    assert await request(first, "DELETE", analysis) == []
    record = await request(first, "POST", "/api/records/tree.sgf", tree=TREE)
    assert (await request(first, "POST", "/api/records/read", text=record))["spec"] == "tether-3"


async def request_puzzle_routes(request: Callable[..., Awaitable[Any]], first: AppClient) -> None:
    """Request the routes of puzzles."""
    assert (await request(first, "GET", "/api/puzzles?limit=3"))["total"] > 700
    await request(first, "GET", "/api/puzzles/overview")
    await request(first, "GET", "/api/puzzles/next?game=liger")
    puzzle = f"/api/puzzles/{SAMPLE.id}"
    assert (await request(first, "GET", puzzle))["puzzle"]["turns"] == SAMPLE.turns
    await request(first, "POST", f"{puzzle}/hints", move_count=0)
    await request(first, "POST", f"{puzzle}/moves", move="g5", move_count=0)
    await request(first, "POST", f"{puzzle}/restart")
    await request(first, "POST", f"{puzzle}/solution")
    assert "SPEC[tether-7]" in await request(first, "GET", f"{puzzle}/record.sgf")


async def request_notification_routes(request: Callable[..., Awaitable[Any]], first: AppClient) -> None:
    """Request the routes of notifications that need no mail server."""
    subscription = PushService("https://push.example.org").subscription()
    assert (await request(first, "PUT", "/api/me/push", **subscription))["push"] is True
    assert (await request(first, "GET", "/api/notifications"))["push"] is True
    assert (await request(first, "DELETE", "/api/me/push"))["push"] is False
    assert (await request(first, "DELETE", "/api/me/email"))["email"] is None


async def request_account_routes(app: FastAPI, request: Callable[..., Awaitable[Any]], first: AppClient) -> None:
    """Request the routes of password, sessions and bots."""
    bot_id = (await request(first, "POST", "/api/bots", 201, name="Route Bot"))["bot"]["id"]
    await request(first, "POST", f"/api/me/bots/{bot_id}/tokens", 201)
    tokens = (await request(first, "GET", "/api/me/bots"))[0]["tokens"]
    await request(first, "DELETE", f"/api/me/bots/{bot_id}/tokens/{tokens[0]['id']}")
    assert await request(first, "DELETE", f"/api/me/bots/{bot_id}") == []
    passwords = {"current_password": PASSWORD, "new_password": f"{PASSWORD}, a better one"}
    await request(first, "PUT", "/api/me/password", **passwords)
    assert len(await request(first, "DELETE", "/api/me/sessions")) == 1
    third = await create_guest(app)
    (session,) = await request(third, "GET", "/api/me/sessions")
    assert await request(third, "DELETE", f"/api/me/sessions/{session['id']}") == []


async def request_tournament_routes(request: Callable[..., Awaitable[Any]], first: AppClient) -> None:
    """Request the routes of tournaments: one between a bot and a player who resigns, and one that is cancelled."""
    fields = {"name": "Route Cup", "format": "swiss", "spec": "tether-3", "clock": DAYS}
    tournament = f"/api/tournaments/{(await request(first, 'POST', '/api/tournaments', 201, **fields))['id']}"
    for level in (1, 1, None):
        await request(first, "POST", f"{tournament}/players", level=level)
    await request(first, "DELETE", f"{tournament}/players/2")
    match_id = (await request(first, "POST", f"{tournament}/start"))["rounds"][0]["games"][0]["match_id"]
    await first.act(match_id, "resign")
    while (await request(first, "GET", tournament))["rounds"][0]["games"][0]["result"] is None:
        await asyncio.sleep(0.01)
    assert "Route Cup" in await request(first, "GET", f"{tournament}/records.sgf")
    other = f"/api/tournaments/{(await request(first, 'POST', '/api/tournaments', 201, **fields))['id']}"
    assert (await request(first, "POST", f"{other}/cancel"))["status"] == "cancelled"
    assert "Route Cup" in str(await request(first, "GET", "/api/tournaments"))


# Errors


@pytest.fixture(scope="module")
async def clients(app: FastAPI) -> dict[str, Any]:
    """Users and matches for requests that fail: clients by name, and ids by name for the paths."""
    first, second, playing = await start_match(app, "tether-5")
    await first.play(playing, "c3")
    _, _, over = players = await start_match(app, "tether-5")
    await players[0].act(over, "resign")
    correspondent, _, days = await start_match(app, "tether-5", clock=DAYS)
    owner = await create_account(app, "Bot Owner")
    for number in range(MAX_BOTS):
        await owner.request("POST", "/api/bots", 201, name=f"Bot {number}")
    draw = await start_match(app, "liger-4")
    long = await first.create_match("tether-5", "self")
    invited = await first.create_match("tether-5", "invitation")
    return {
        "nobody": AppClient(app),
        "first": first,
        "second": second,
        "loser": players[0],
        "correspondent": correspondent,
        "owner": owner,
        "liger": draw[0],
        "names": {
            "playing": playing,
            "over": over,
            "days": days,
            "draw": draw[2],
            "self": long["match"]["id"],
            "waiting": invited["match"]["id"],
            "token": invited["invitation"],
        },
    }


def act(user: str, match: str, code: str, **action: Any) -> tuple[str, str, str, str, Body]:
    """Return the parameters of an action that fails."""
    return user, "POST", f"/api/matches/{{{match}}}/actions", code, action


ERRORS: list[tuple[str, str, str, str, Body]] = [
    # Games and positions
    ("first", "GET", "/api/games/chess", "bad-spec", {}),
    ("first", "GET", f"/api/games/{'x' * 201}", "bad-request", {}),
    ("first", "POST", "/api/positions", "bad-request", {}),
    ("first", "POST", "/api/positions", "bad-spec", {"spec": "tether-2"}),
    ("first", "POST", "/api/positions", "bad-position", {"spec": "tether-5", "position": "xyz"}),
    ("first", "POST", "/api/positions", "bad-move", {"spec": "tether-5", "moves": ["z9"]}),
    ("first", "POST", "/api/positions", "illegal-move", {"spec": "tether-5", "moves": ["c3", "c3"]}),
    ("first", "POST", "/api/positions/line", "bad-request", {"spec": "tether-5", "extra": 1}),
    ("first", "POST", "/api/positions/line", "bad-spec", {"spec": "chess"}),
    ("first", "POST", "/api/positions/line", "illegal-move", {"spec": "tether-5", "moves": ["c3", "c3"]}),
    ("first", "POST", "/api/positions/line", "too-large", {"spec": "tether-5", "moves": ["a1"] * MAX_LINE_POSITIONS}),
    ("first", "POST", "/api/positions/explain", "bad-request", {"spec": "tether-5"}),
    ("first", "POST", "/api/positions/explain", "bad-spec", {"spec": "chess", "move": "c3"}),
    ("first", "POST", "/api/positions/explain", "bad-move", {"spec": "tether-5", "move": "z9"}),
    ("first", "POST", "/api/positions/analyse", "bad-request", {"spec": "tether-5", "level": 9}),
    ("first", "POST", "/api/positions/analyse", "bad-spec", {"spec": "chess"}),
    ("first", "POST", "/api/positions/analyse", "game-over", {"spec": "tether-5", "position": FULL_BOARD}),
    ("first", "POST", "/api/positions/edit", "bad-position", {"spec": "tether-5", "pieces": {"z9": "r"}}),
    ("first", "POST", "/api/positions/edit", "bad-position", {"spec": "tether-5", "pieces": {"a1": "x"}}),
    ("first", "POST", "/api/positions/animation.gif", "illegal-move", {"spec": "tether-5", "moves": ["c3", "c3"]}),
    ("first", "GET", "/api/known/chess", "not-found", {}),
    ("first", "GET", "/api/proofs/passwd", "not-found", {}),
    ("first", "GET", "/api/explorer?spec=chess-8", "bad-spec", {}),
    ("first", "GET", "/api/game-reports/chess", "not-found", {}),
    ("first", "POST", "/api/engine-jobs/acquire", "bad-engine-token", {}),
    ("first", "POST", "/api/engine-jobs/unknown/heartbeat", "bad-engine-token", {}),
    ("first", "POST", "/api/engine-jobs/unknown/release", "bad-engine-token", {}),
    ("first", "POST", "/api/engine-jobs/unknown/result", "bad-engine-token", {}),
    # Analyses
    ("first", "GET", "/api/analyses/unknown", "not-found", {}),
    ("nobody", "GET", "/api/analyses/unknown", "no-session", {}),
    ("first", "PUT", "/api/analyses/unknown", "not-found", {"name": "A", "tree": TREE, "version": 1}),
    ("first", "DELETE", "/api/analyses/unknown", "not-found", {}),
    ("first", "POST", "/api/analyses", "bad-request", {"name": "A", "tree": {"spec": "tether-3", "nodes": []}}),
    ("first", "POST", "/api/analyses", "bad-spec", {"name": "A", "tree": {"spec": "chess", "nodes": [{}]}}),
    ("first", "POST", "/api/records/read", "bad-record", {"text": "nonsense"}),
    ("first", "POST", "/api/records/read", "bad-record", {"text": "(;SPEC[chess])"}),
    ("first", "POST", "/api/records/read", "bad-position", {"text": "nonsense", "spec": "tether-3"}),
    ("first", "POST", "/api/records/tree.sgf", "illegal-move",
     {"tree": {"spec": "tether-3", "nodes": [*TREE["nodes"], {"parent": 1, "seat": 1, "move": "b2"}]}}),
    # Matches
    ("first", "POST", "/api/matches", "bad-request", {"spec": "tether-5"}),
    ("first", "POST", "/api/matches", "bad-request", {"spec": "tether-5", "opponent": {"kind": "bot", "level": 99}}),
    ("first", "POST", "/api/matches", "bad-request", {"spec": "tether-5", "opponent": {"kind": "open"}, "rated": True}),
    ("first", "POST", "/api/matches", "bad-spec", {"spec": "chess", "opponent": {"kind": "self"}}),
    ("first", "POST", "/api/matches", "bad-position", {"spec": "tether-5", "opponent": {"kind": "self"}, "position": "x"}),
    ("first", "POST", "/api/matches", "not-found", {"spec": "tether-5", "opponent": {"kind": "user", "name": "No One"}}),
    ("first", "GET", "/api/matches/unknown", "not-found", {}),
    ("first", "GET", f"/api/matches/{LONG_ID}", "bad-request", {}),
    ("first", "GET", "/api/matches/unknown/events", "not-found", {}),
    ("first", "GET", "/api/matches/{playing}/events?after=x", "bad-request", {}),
    ("first", "POST", "/api/matches/unknown/join", "not-found", {}),
    ("second", "POST", "/api/matches/{waiting}/join", "not-found", {}),
    ("first", "GET", "/api/invitations/unknown", "not-found", {}),
    ("first", "POST", "/api/invitations/unknown/accept", "not-found", {}),
    ("first", "POST", "/api/matches/unknown/rematch", "not-found", {}),
    ("nobody", "POST", "/api/matches/{over}/rematch", "no-session", {}),
    ("first", "POST", "/api/matches/{over}/rematch", "not-your-match", {}),
    ("first", "POST", "/api/matches/{playing}/rematch", "not-playing", {}),
    ("first", "GET", "/api/matches/unknown/record.sgf", "not-found", {}),
    ("first", "GET", "/api/matches/unknown/animation.gif", "not-found", {}),
    ("first", "POST", "/api/matches/import", "bad-request", {}),
    ("first", "POST", "/api/matches/import", "bad-record", {"record": "nonsense"}),
    # Actions
    act("nobody", "playing", "no-session", type="resign"),
    ("first", "POST", "/api/matches/unknown/actions", "not-found", {"type": "resign"}),
    act("first", "playing", "bad-request", type="dance"),
    act("first", "playing", "bad-request", type="chat", text="\n"),
    act("loser", "playing", "not-your-match", type="resign"),
    act("first", "playing", "not-your-turn", type="move", move="b2", position_version=2),
    act("second", "playing", "stale", type="move", move="b2", position_version=1),
    act("second", "playing", "bad-move", type="move", move="z9", position_version=2),
    act("second", "playing", "illegal-move", type="move", move="c3", position_version=2),
    act("second", "playing", "not-yours", type="request-takeback", event_seq=2),
    act("second", "playing", "no-such-offer", type="answer-takeback", event_seq=2, accept=True),
    act("first", "playing", "no-draws", type="offer-draw"),
    act("liger", "draw", "no-such-offer", type="answer-draw", accept=True),
    act("loser", "over", "not-playing", type="abort"),
    # Conditional moves
    ("nobody", "GET", "/api/matches/{days}/conditional-moves", "no-session", {}),
    ("first", "GET", "/api/matches/{days}/conditional-moves", "not-your-match", {}),
    ("first", "GET", "/api/matches/unknown/conditional-moves", "not-found", {}),
    ("first", "PUT", "/api/matches/{days}/conditional-moves", "not-your-match", {"position_version": 1, "lines": []}),
    ("loser", "PUT", "/api/matches/{over}/conditional-moves", "not-playing", {"position_version": 1, "lines": []}),
    ("first", "PUT", "/api/matches/{playing}/conditional-moves", "bad-request", {"position_version": 2, "lines": []}),
    ("correspondent", "PUT", "/api/matches/{days}/conditional-moves", "stale", {"position_version": 0, "lines": []}),
    ("correspondent", "PUT", "/api/matches/{days}/conditional-moves", "bad-request",
     {"position_version": 1, "lines": [["c3"]]}),
    ("correspondent", "PUT", "/api/matches/{days}/conditional-moves", "illegal-move",
     {"position_version": 1, "lines": [["c3", "c3"]]}),
    # Club
    ("first", "GET", "/api/matches?player=No One", "not-found", {}),
    ("first", "GET", "/api/matches?result=won", "bad-request", {}),
    ("first", "POST", "/api/matches/unknown/decline", "not-found", {}),
    ("nobody", "POST", "/api/reports", "no-session", {"user_id": "level-1", "reason": "strong"}),
    ("first", "POST", "/api/reports", "not-found", {"user_id": "unknown", "reason": "strong"}),
    ("nobody", "PUT", "/api/me/blocks/unknown", "no-session", {}),
    ("first", "PUT", "/api/me/blocks/unknown", "not-found", {}),
    ("first", "POST", "/api/tournaments", "account-needed",
     {"name": "Cup", "format": "swiss", "spec": "tether-3", "clock": DAYS}),
    ("owner", "POST", "/api/tournaments", "bad-spec",
     {"name": "Cup", "format": "swiss", "spec": "chess", "clock": DAYS}),
    ("first", "GET", "/api/tournaments/unknown", "not-found", {}),
    ("owner", "POST", "/api/tournaments/unknown/players", "not-found", {"level": 1}),
    ("owner", "DELETE", "/api/tournaments/unknown/players/1", "not-found", {}),
    ("owner", "POST", "/api/tournaments/unknown/start", "not-found", {}),
    ("owner", "POST", "/api/tournaments/unknown/cancel", "not-found", {}),
    ("first", "GET", "/api/tournaments/unknown/records.sgf", "not-found", {}),
    # Users
    ("first", "POST", "/api/accounts", "bad-request", {"name": "Somebody"}),
    ("first", "POST", "/api/accounts", "bad-name", {"name": "<script>", "password": PASSWORD}),
    ("first", "POST", "/api/accounts", "weak-password", {"name": "Somebody", "password": "short"}),
    ("first", "POST", "/api/accounts", "name-taken", {"name": "bot-owner", "password": PASSWORD}),
    ("first", "POST", "/api/sessions", "bad-request", {}),
    ("first", "POST", "/api/sessions", "wrong-password", {"name": "Bot Owner", "password": "a wrong one"}),
    ("first", "POST", "/api/sessions", "wrong-password", {"name": "No One", "password": PASSWORD}),
    ("nobody", "GET", "/api/me/matches", "no-session", {}),
    ("first", "GET", "/api/me/matches?before=x", "bad-request", {}),
    ("nobody", "PUT", "/api/me/mutes/unknown", "no-session", {}),
    ("first", "PUT", "/api/me/mutes/unknown", "not-found", {}),
    ("first", "PUT", f"/api/me/mutes/{LONG_ID}", "bad-request", {}),
    ("nobody", "DELETE", "/api/me/mutes/unknown", "no-session", {}),
    ("nobody", "GET", "/api/me/export", "no-session", {}),
    ("nobody", "DELETE", "/api/me", "no-session", {}),
    ("nobody", "GET", "/api/me/events", "no-session", {}),
    ("nobody", "POST", "/api/bots", "no-session", {"name": "Robot"}),
    ("first", "POST", "/api/bots", "not-yours", {"name": "Robot"}),
    ("owner", "POST", "/api/bots", "too-many", {"name": "Robot"}),
    ("first", "GET", "/api/players/No One", "not-found", {}),
    ("first", "GET", f"/api/players/{'x' * 41}", "bad-request", {}),
    # Account
    ("nobody", "GET", "/api/me/sessions", "no-session", {}),
    ("nobody", "DELETE", "/api/me/sessions", "no-session", {}),
    ("first", "DELETE", f"/api/me/sessions/{'0' * 24}", "not-found", {}),
    ("first", "DELETE", "/api/me/sessions/current", "bad-request", {}),
    ("first", "PUT", "/api/me/password", "not-yours", {"current_password": "x", "new_password": "y"}),
    ("owner", "PUT", "/api/me/password", "wrong-password", {"current_password": "x", "new_password": PASSWORD}),
    ("owner", "PUT", "/api/me/password", "weak-password", {"current_password": PASSWORD, "new_password": "short"}),
    ("nobody", "GET", "/api/me/bots", "no-session", {}),
    ("owner", "DELETE", "/api/me/bots/unknown", "not-found", {}),
    ("owner", "POST", "/api/me/bots/unknown/tokens", "not-found", {}),
    ("owner", "DELETE", f"/api/me/bots/unknown/tokens/{'0' * 24}", "not-found", {}),
    # Notifications
    ("nobody", "PUT", "/api/me/push", "no-session", {"endpoint": "https://push.example.org/x", "keys": KEYS}),
    ("first", "PUT", "/api/me/push", "bad-request", {"endpoint": "https://127.0.0.1/x", "keys": KEYS}),
    ("nobody", "DELETE", "/api/me/push", "no-session", {}),
    ("owner", "PUT", "/api/me/email", "not-found", {"address": "anna@example.org"}),
    ("nobody", "DELETE", "/api/me/email", "no-session", {}),
    ("nobody", "POST", "/api/email/confirm/unknown", "not-found", {}),
    ("nobody", "POST", "/api/email/unsubscribe/unknown", "not-found", {}),
    ("first", "GET", "/api/matches/unknown/picture.png", "not-found", {}),
    ("first", "GET", "/api/puzzles/tether-0/picture.png", "not-found", {}),
    # Reviews
    ("first", "GET", "/api/matches/{playing}/review", "still-playing", {}),
    ("first", "POST", "/api/matches/{playing}/review", "still-playing", {}),
    # Puzzles
    ("first", "GET", "/api/puzzles?limit=0", "bad-request", {}),
    ("first", "GET", "/api/puzzles/next?game=chess", "not-found", {}),
    ("first", "GET", "/api/puzzles/tether-0", "not-found", {}),
    ("first", "POST", "/api/puzzles/tether-0/moves", "not-found", {"move": "a1", "move_count": 0}),
    ("first", "POST", "/api/puzzles/tether-63b5ad36/moves", "stale", {"move": "g5", "move_count": 3}),
    ("first", "POST", "/api/puzzles/tether-63b5ad36/moves", "illegal-move", {"move": "a1", "move_count": 0}),
    ("first", "POST", "/api/puzzles/tether-63b5ad36/hints", "stale", {"move_count": 3}),
    ("first", "POST", "/api/puzzles/tether-63b5ad36/hints", "bad-request", {"move_count": False}),
    ("first", "POST", "/api/puzzles/tether-0/restart", "not-found", {}),
    ("first", "POST", "/api/puzzles/tether-0/solution", "not-found", {}),
    ("first", "GET", "/api/puzzles/tether-0/record.sgf", "not-found", {}),
    # No route
    ("first", "GET", "/api/nothing", "not-found", {}),
    ("first", "DELETE", "/api/lobby", "bad-method", {}),
]  # fmt: skip
CANNOT_FAIL = {"/api/games", "/api/health", "/api/health/live", "/api/health/ready", "/metrics", "/api/guests", "/api/me",
               "/api/game-reports", "/api/lobby", "/api/notices", "/api/sessions/current", "/api/statistics/first-move",
               "/api/notifications", "/api/puzzles/overview"}  # fmt: skip


@pytest.mark.parametrize(
    ("user", "method", "path", "code", "body"), ERRORS, ids=[f"{case[1]} {case[2][:60]} {case[3]}" for case in ERRORS]
)
async def test_a_route_fails_with_its_code(
    clients: dict[str, Any], user: str, method: str, path: str, code: str, body: Body
) -> None:
    client: AppClient = clients[user]
    await client.request_error(method, path.format(**clients["names"]), code, **body)


async def test_every_route_that_can_fail_is_in_the_list(app: FastAPI, clients: dict[str, Any]) -> None:
    failing = set()
    for _, method, path, code, _ in ERRORS[:-2]:
        route = find_route(method, path.format(**clients["names"]).partition("?")[0])
        assert isinstance(route, APIRoute)
        failing.add(route.path)
        assert str(HTTP_STATUS[code]) in app.openapi()["paths"][route.path][method.lower()]["responses"]
    assert {path for _, path in list_routes(app)} == failing | CANNOT_FAIL


async def test_errors_of_the_state_have_the_current_match(clients: dict[str, Any]) -> None:
    path = f"/api/matches/{clients['names']['playing']}/actions"
    details = await clients["second"].request_error("POST", path, "stale", type="move", move="b2", position_version=1)
    assert details["match"]["state"]["position_version"] == 2
    path = f"/api/matches/{clients['names']['over']}/actions"
    details = await clients["loser"].request_error("POST", path, "not-playing", type="resign")
    assert details["match"]["state"]["result"]["reason"] == "resign"


async def test_an_illegal_move_is_explained(clients: dict[str, Any]) -> None:
    path = f"/api/matches/{clients['names']['playing']}/actions"
    move = {"type": "move", "move": "c3", "position_version": 2}
    details = await clients["second"].request_error("POST", path, "illegal-move", **move)
    assert (details["move"], details["reason"], details["witness"]) == ("c3", "taken", ["c3"])


async def test_an_illegal_move_of_a_line_is_explained_with_its_index(app: FastAPI) -> None:
    client, line = AppClient(app), {"spec": "tether-5", "moves": ["c3", "b2", "c3"]}
    for path in ("/api/positions", "/api/positions/line", "/api/positions/analyse"):
        details = await client.request_error("POST", path, "illegal-move", **line)
        assert (details["index"], details["move"], details["reason"]) == (2, "c3", "taken")


async def test_the_stream_of_a_bot_has_messages_of_its_model(app: FastAPI) -> None:
    services = app.state.services
    owner, guest = await create_account(app, "Stream Owner"), await create_guest(app)
    token = (await owner.request("POST", "/api/bots", 201, name="Stream Bot"))["token"]
    created = await guest.create_match("tether-3", "user", name="Stream Bot", seat=0)
    lines: Any = generate_lines(services, await services.sessions.find(token))
    try:
        assert await anext(lines) == "\n"
        message = require_exact(BotStreamMessage, await anext(lines))
        assert (message["match_id"], message["seats"], message["moves"]) == (created["match"]["id"], [1], [])
        await guest.play(message["match_id"], "b2")
        message = require_exact(BotStreamMessage, await anext(lines))
        assert [event["data"] for event in message["events"]] == [{"move": "b2"}]
        assert message["moves"] == ["b2"]
    finally:
        await lines.aclose()


async def test_a_token_of_a_bot_is_a_session(app: FastAPI) -> None:
    owner = await create_account(app, "Token Owner")
    token = (await owner.request("POST", "/api/bots", 201, name="Token Bot"))["token"]
    bot = AppClient(app)
    bot.http.headers["Authorization"] = f"Bearer {token}"
    assert (await bot.request("GET", "/api/me"))["user"]["kind"] == "external-bot"
    bot.http.headers["Authorization"] = f"Bearer {token[:-1]}x"
    assert (await bot.request("GET", "/api/me"))["user"] is None
