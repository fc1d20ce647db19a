"""Sockets in this process: exactly the missed events or a snapshot, acknowledgements, presence, errors and limits."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.server.api import websocket
from ropewalk.server.api.rate_limit import OPEN_LIMITS, VISITOR_FACTOR
from ropewalk.server.api.websocket import CLOSE_REFUSED, CLOSE_TOO_MANY, CLOSE_TRY_AGAIN
from ropewalk.server.db.user_repository import now_ms
from ropewalk.server.engine_pool.job_queue import scale_limit
from ropewalk.server.errors import ApiError
from ropewalk.server.matches.live_match import PRESENCE_INTERVAL_SECONDS
from tests.support.app_client import AppClient, AppSocket, SocketClosedError, create_guest, start_match
from tests.support.services import set_clock

pytestmark = pytest.mark.anyio
ANALYSIS_STREAM = "/api/positions/analyse/stream"
CLOCK = {"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5}


async def test_players_see_each_others_moves(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5", clock=CLOCK)
    async with first.follow(match) as mine, second.follow(match) as theirs:
        assert (await mine.receive("snapshot"))["match"]["your_seats"] == [0]
        assert (await theirs.receive("snapshot"))["match"]["your_seats"] == [1]
        ack = await mine.act(type="move", move="c3", position_version=1, request_id="a")
        events = await theirs.receive("events")
        assert (ack["request_id"], ack["event"]["seq"], ack["state"]["seat"]) == ("a", 2, 1)
        assert ack["events"] == events["events"] == [ack["event"]]
        assert (await mine.act(type="chat", text="hello"))["events"][0]["seq"] == 3, "the own move is not sent twice"


async def test_a_client_gets_exactly_the_events_that_it_missed(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    await second.play(match, "b2")
    async with first.follow(match, "after=2") as socket:
        message = await socket.receive("events", "snapshot")
        assert [event["seq"] for event in message["events"]] == [3]
    async with first.follow(match, "after=3") as socket:
        assert (await socket.receive())["type"] == "presence", "nothing was missed"


async def test_events_are_counted_within_an_epoch(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    await second.play(match, "b2")
    epoch = (await first.get_match(match))["epoch"]
    for query, expected in ((f"after=2&epoch={epoch}", "events"), ("after=2&epoch=before-the-restore", "snapshot")):
        async with first.follow(match, query) as socket:
            assert (await socket.receive("events", "snapshot"))["type"] == expected


@pytest.mark.parametrize("after", ["0", "-5", "99", "1"], ids=["all", "negative", "future", "too-many"])
async def test_a_client_that_cannot_be_served_by_events_gets_a_snapshot(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch, after: str
) -> None:
    monkeypatch.setattr(websocket, "MAX_MISSED_EVENTS", 2)
    first, second, match = await start_match(app, "tether-5")
    for number in range(3):
        await (first, second)[number % 2].play(match)
    async with first.follow(match, f"after={after}") as socket:
        assert (await socket.receive("events", "snapshot"))["type"] == "snapshot"
    async with first.follow(match, "after=2") as socket:
        assert (await socket.receive("events", "snapshot"))["type"] == "events"


async def test_a_socket_that_cannot_be_served_is_closed_and_says_why(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    _, second, match = await start_match(app, "tether-5")

    async def fail(user_ids: Any) -> None:
        raise ApiError("storage-timeout", "the database hangs")

    monkeypatch.setattr(app.state.services.users, "find_all", fail)
    async with second.follow(match) as socket:
        assert (await socket.receive("error"))["code"] == "storage-timeout"
        with pytest.raises(SocketClosedError) as closed:
            await socket.receive()
    assert (closed.value.code, closed.value.reason) == (CLOSE_TRY_AGAIN, "storage-timeout")


async def test_positions_can_be_left_out(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    async with second.follow(match, "after=1&positions=false") as socket:
        await first.play(match, "c3")
        assert (await socket.receive("events"))["state"]["position"] is None


async def test_the_time_and_the_clocks_of_a_message_are_those_of_its_delivery(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second, match = await start_match(app, "tether-5", clock=CLOCK)
    async with second.follow(match, "after=1") as socket:
        await first.play(match, "c3")
        early = (await socket.receive("events"))["state"]
    set_clock(monkeypatch, app.state.services, lambda: now_ms() + 60_000)
    async with second.follow(match, "after=1") as socket:
        late = (await socket.receive("events"))["state"]
    assert late["server_time"] - early["server_time"] >= 60_000
    assert early["clocks"][1]["main_ms"] - late["clocks"][1]["main_ms"] >= 60_000


async def test_the_status_of_an_engine_is_that_of_the_delivery(app: FastAPI) -> None:
    services = app.state.services
    first, second, match_id = await start_match(app, "tether-5")
    match = await services.registry.get(match_id)
    await first.play(match_id, "c3")
    async with second.follow(match_id, "after=1") as socket:
        assert (await socket.receive("events"))["state"]["engine_status"] is None
    match.engine_status = "thinking"
    try:
        async with second.follow(match_id, "after=1") as socket:
            assert (await socket.receive("events"))["state"]["engine_status"] == "thinking"
    finally:
        match.engine_status = None


async def test_presence_follows_the_connections(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    async with first.follow(match) as mine:
        assert (await mine.receive("presence"))["presence"] == {"seats": [True, False], "watchers": 0}
        async with second.follow(match):
            assert (await mine.receive("presence"))["presence"] == {"seats": [True, True], "watchers": 0}
            async with AppClient(app).follow(match):
                assert (await mine.receive("presence"))["presence"]["watchers"] == 1
            assert (await mine.receive("presence"))["presence"]["watchers"] == 0
        assert (await mine.receive("presence"))["presence"] == {"seats": [True, False], "watchers": 0}
    await asyncio.sleep(PRESENCE_INTERVAL_SECONDS)
    assert (await first.get_match(match))["presence"] == {"seats": [False, False], "watchers": 0}


async def test_a_bot_answers_and_its_status_is_sent(app: FastAPI) -> None:
    client = await create_guest(app)
    worker = app.state.services.engine_pool.workers[0]
    match = (await client.create_match("tether-3", "bot", level=1, seat=0))["match"]["id"]
    worker.is_allowed.clear()
    async with client.follow(match) as socket:
        await socket.receive("snapshot")
        ack = await socket.act(type="move", move="b2", position_version=1)
        assert ack["type"] == "ack"
        assert (await socket.receive("engine-status"))["engine_status"] == "thinking"
        worker.is_allowed.set()
        events = await socket.receive("events")
        assert events["events"][0]["user_id"] == "level-1"
        assert set(events["events"][0]["data"]) == {"move", "engine"}
        assert (await socket.receive("engine-status"))["engine_status"] is None


async def test_a_spectator_cannot_act(app: FastAPI) -> None:
    _, _, match = await start_match(app, "tether-5")
    move = {"type": "move", "move": "c3", "position_version": 1, "request_id": "x"}
    async with (await create_guest(app)).follow(match) as socket:
        error = await socket.act(**move)
        assert (error["code"], error["request_id"]) == ("not-your-match", "x")
    async with AppClient(app).follow(match) as socket:
        assert (await socket.act(**move))["code"] == "no-session"


@pytest.mark.parametrize(
    ("text", "request_id"),
    [
        ("", None),
        ("garbage", None),
        ("[" * 5000, None),
        ("[1]", None),
        ("null", None),
        ('{"type": "dance", "request_id": "a"}', "a"),
        ('{"type": "move", "request_id": 5}', None),
        ('{"type": "chat", "text": "", "request_id": "b"}', "b"),
    ],
    ids=lambda value: str(value)[:20],
)
async def test_an_invalid_message_gets_an_error_with_its_request_id(app: FastAPI, text: str, request_id: str | None) -> None:
    first, _, match = await start_match(app, "tether-5")
    async with first.follow(match) as socket:
        await socket.send_text(text)
        error = await socket.receive("error")
        assert (error["code"], error["request_id"]) == ("bad-request", request_id)
        assert (await socket.act(type="chat", text="still here"))["type"] == "ack"


async def test_a_muted_player_is_not_read(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.request("PUT", f"/api/me/mutes/{second.user['id']}")
    async with first.follow(match, "after=1") as mine, AppClient(app).follow(match, "after=1") as spectator:
        await second.act(match, "chat", text="hello")
        assert (await mine.receive("events"))["events"][0]["data"] == {"text": "", "muted": True}
        assert (await spectator.receive("events"))["events"][0]["data"] == {"text": "hello"}
    await first.request("DELETE", f"/api/me/mutes/{second.user['id']}")
    assert (await first.get_match(match))["chat"][0]["data"] == {"text": "hello"}


async def test_moves_are_delivered_without_a_query_for_mutes(app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, match = await start_match(app, "tether-5")
    users, queries = app.state.services.users, []
    load_mutes = users.load_mutes

    async def count(user_id: str | None) -> frozenset[str]:
        queries.append(user_id)
        return await load_mutes(user_id)

    async with first.follow(match, "after=1") as mine, second.follow(match, "after=1") as theirs:
        monkeypatch.setattr(users, "load_mutes", count)
        await mine.act(type="move", move="c3", position_version=1, request_id="a")
        await theirs.receive("events")
        assert queries == []
        await mine.act(type="chat", text="hello")
        await theirs.receive("events")
        assert set(queries) == {first.user["id"], second.user["id"]}


async def test_a_discarded_match_is_followed_again_with_a_snapshot(app: FastAPI) -> None:
    leaving, other, match = await start_match(app, "tether-5")
    _, _, unrelated = await start_match(app, "tether-5")
    await leaving.act(match, "chat", text="my address")
    async with other.follow(match) as socket, AppClient(app).follow(unrelated) as spectator:
        await socket.receive("presence")
        await spectator.receive("presence")
        await leaving.request("DELETE", "/api/me")
        seen = (await socket.receive("snapshot", "events"))["match"]
        assert (seen["seats"][0]["user"]["kind"], seen["chat"][0]["data"]) == ("deleted", {"text": "", "deleted": True})
        await other.act(match, "chat", text="gone?")
        assert (await socket.receive("snapshot", "events"))["events"][0]["data"] == {"text": "gone?"}
        assert spectator.from_app.empty(), "other matches are not disturbed"


# Opening a socket


async def expect_closed(socket: AppSocket, code: str) -> int:
    """Require an error message, and return the code with which the socket is closed after it."""
    assert (await socket.receive("error"))["code"] == code
    with pytest.raises(SocketClosedError) as closed:
        await socket.receive()
    assert closed.value.reason == code
    return closed.value.code


async def test_an_unknown_match_closes_the_socket(app: FastAPI) -> None:
    async with AppClient(app).follow("unknown") as socket:
        assert await expect_closed(socket, "not-found") == CLOSE_REFUSED


async def test_a_client_that_is_gone_before_its_acknowledgement_causes_no_error(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    async with first.follow(match) as socket:
        await socket.receive("snapshot")
        socket.is_lost = True
        await socket.send(type="move", move="c3", position_version=1)
        assert socket.task is not None
        await socket.task
    assert [step["move"] for step in (await second.get_match(match))["moves"]] == ["c3"]


async def test_users_and_visitors_of_one_address_have_a_limited_number_of_sockets_each(limited_app: FastAPI) -> None:
    by_user = int(OPEN_LIMITS["WebSockets"].by_user * 0.1)
    visitor, neighbour = AppClient(limited_app, "10.0.0.1"), AppClient(limited_app, "10.0.0.2")
    user = await create_guest(limited_app, "10.0.0.1")
    for client, limit in ((visitor, by_user * VISITOR_FACTOR), (user, by_user)):
        async with AsyncExitStack() as sockets:
            for _ in range(limit):
                await (await sockets.enter_async_context(client.follow_lobby())).receive("snapshot")
            async with client.follow_lobby() as socket:
                assert await expect_closed(socket, "too-many") == CLOSE_TOO_MANY
            for other in {visitor, user, neighbour} - {client}:
                async with other.follow_lobby() as socket:
                    await socket.receive("snapshot")
        async with client.follow_lobby() as socket:
            await socket.receive("snapshot")
    assert limited_app.state.connections.counts == {}


async def test_the_event_streams_of_one_user_are_limited(limited_app: FastAPI) -> None:
    limits = limited_app.state.connections
    limits.scale = 1.0
    user, other = await create_guest(limited_app, "10.0.0.1"), await create_guest(limited_app, "10.0.0.1")
    limit = OPEN_LIMITS["event streams"].by_user
    held = [limits.enter("event streams", "10.0.0.1", user.user["id"]) for _ in range(limit)]
    details = await user.request_error("GET", "/api/me/events", "too-many")
    assert details == {"limit": limit}
    for keys in held:
        limits.leave(keys)
    stream = asyncio.create_task(other.http.get("/api/me/events"))  # it ends when the server or the client ends it
    while not limits.counts:
        await asyncio.sleep(0.01)
    stream.cancel()
    await asyncio.gather(stream, return_exceptions=True)
    assert limits.counts == {}


@pytest.mark.parametrize("path", ["/api/matches/{}/stream", "/api/lobby/stream", "/api/positions/analyse/stream"])
@pytest.mark.parametrize("origin", ["http://evil.example", "null"])
async def test_another_site_cannot_open_a_socket(app: FastAPI, path: str, origin: str) -> None:
    first, _, match = await start_match(app, "tether-5")
    with pytest.raises(SocketClosedError) as error:
        async with first.open_socket(path.format(match), headers={"origin": origin}):
            pass
    assert error.value.code == 403
    async with first.open_socket(path.format(match), headers={"origin": "http://testserver"}):
        pass


# The lobby


async def test_the_lobby_sends_a_snapshot_and_then_events(app: FastAPI) -> None:
    host, guest = await create_guest(app), await create_guest(app)
    async with host.follow_lobby() as socket:
        before = (await socket.receive("snapshot"))["lobby"]["seq"]
        match = (await host.create_match("liger-4", "open"))["match"]["id"]
        await guest.request("POST", f"/api/matches/{match}/join")
        await guest.act(match, "resign")
        events: list[Any] = []
        while len(events) < 3:
            events += (await socket.receive("events"))["events"]
    assert [event["seq"] for event in events] == [before + 1, before + 2, before + 3]
    assert [event["type"] for event in events] == ["challenge-opened", "match-started", "match-finished"]
    async with host.follow_lobby(f"after={before + 1}") as socket:
        missed = (await socket.receive("events", "snapshot"))["events"]
        assert [event["seq"] for event in missed] == [before + 2, before + 3]
        assert missed[0]["match"]["status"] == "over", "each event has the match as it is now"


async def test_the_lobby_sends_a_snapshot_to_a_client_that_missed_too_much(
    app: FastAPI, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(websocket, "MAX_MISSED_EVENTS", 1)
    host = await create_guest(app)
    before = (await host.request("GET", "/api/lobby"))["seq"]
    for _ in range(2):
        await host.create_match("tether-3", "open")
    for after in (before, before + 99):
        async with host.follow_lobby(f"after={after}") as socket:
            assert (await socket.receive())["type"] == "snapshot"
    async with host.follow_lobby(f"after={before + 1}") as socket:
        assert (await socket.receive())["type"] == "events"


# Analysis


async def test_an_analysis_sends_reports_and_a_result(app: FastAPI) -> None:
    async with (await create_guest(app)).open_socket(ANALYSIS_STREAM) as socket:
        await socket.send(spec="tether-3", moves=["b2"], request_id="one")
        messages = [await socket.receive()]
        while not messages[-1]["is_final"]:
            messages.append(await socket.receive())
        assert {message["request_id"] for message in messages} == {"one"}
        assert (messages[-1]["seat"], messages[-1]["lines"][0]["moves"]) == (1, ["a1"])
        await socket.send(spec="chess", request_id="two")
        error = await socket.receive()
        assert (error["type"], error["code"], error["request_id"]) == ("error", "bad-spec", "two")
        await socket.send_text("garbage")
        assert (await socket.receive())["code"] == "bad-request"


async def test_a_new_request_cancels_the_analysis_before(app: FastAPI) -> None:
    worker = app.state.services.engine_pool.workers[0]
    async with (await create_guest(app)).open_socket(ANALYSIS_STREAM) as socket:
        worker.is_allowed.clear()
        count = len(worker.requests)
        await socket.send(spec="tether-3", request_id="old")
        await worker.wait_for_requests(count + 1)
        await socket.send(spec="tether-3", request_id="new")
        await worker.wait_for_requests(count + 2)
        worker.is_allowed.set()
        messages = [await socket.receive()]
        while not messages[-1]["is_final"]:
            messages.append(await socket.receive())
    assert {message["request_id"] for message in messages} == {"new"}


async def test_an_analysis_ends_when_its_socket_is_closed(app: FastAPI) -> None:
    worker = app.state.services.engine_pool.workers[0]
    worker.is_allowed.clear()
    count = len(worker.requests)
    async with (await create_guest(app)).open_socket(ANALYSIS_STREAM) as socket:
        await socket.send(spec="tether-3")
        await worker.wait_for_requests(count + 1)
    assert worker.terminated[worker.requests[-1]["id"]].is_set()
    worker.is_allowed.set()


@pytest.mark.parametrize(
    ("text", "request_id"),
    [
        ('{"type": "move", "request_id": "\\ud800"}', "\\ud800"),
        ('{"type": "move", "request_id": "' + "x" * 100 + '"}', "x" * 64),
        ('{"type": "move", "position_version": ' + "9" * 10_000 + "}", None),
        ('{"\\udfff": 1, "type": "resign"}', None),
        ("[" * 10_000, None),
        ("", None),
        ('{"type": "\\ud800"}', None),
    ],
    ids=lambda value: str(value)[:30],
)
async def test_a_message_that_cannot_be_encoded_gets_an_error(app: FastAPI, text: str, request_id: str | None) -> None:
    first, _, match = await start_match(app, "tether-5")
    async with first.follow(match) as socket:
        await socket.send_text(text)
        error = await socket.receive("error")
        assert (error["code"], error["request_id"]) == ("bad-request", request_id)
        assert (await socket.act(type="chat", text="still here"))["type"] == "ack"


async def test_guests_of_one_address_share_the_engines_and_are_told_how_long_they_wait(app: FastAPI) -> None:
    worker = app.state.services.engine_pool.workers[0]
    worker.is_allowed.clear()
    count = len(worker.requests)
    crowd = [await create_guest(app, "10.0.0.1") for _ in range(4)]
    async with AsyncExitStack() as stack:
        sockets = [await stack.enter_async_context(guest.open_socket(ANALYSIS_STREAM)) for guest in crowd]
        for number, socket in enumerate(sockets):
            await socket.send(spec="tether-3", moves=["a1"], request_id=f"crowd {number}")
            await worker.wait_for_requests(count + 1)
        alone = await stack.enter_async_context((await create_guest(app, "10.0.0.2")).open_socket(ANALYSIS_STREAM))
        await alone.send(spec="tether-3", moves=["b2"], request_id="alone")
        position = await alone.receive("queued")
        assert (position["request_id"], position["jobs_before"]) == ("alone", 0)
        assert position["expected_seconds"] > 0
        assert [(await socket.receive("queued"))["request_id"] for socket in sockets[1:]] == [
            "crowd 1",
            "crowd 2",
            "crowd 3",
        ]
        health = await crowd[0].request("GET", "/api/health")
        assert health["engine_queue_length"] == 4
        assert health["engine_wait_seconds"] > 0
        worker.is_allowed.set()
        assert (await alone.receive("analysis"))["waited_seconds"] >= 0
        assert (await sockets[3].receive("analysis"))["request_id"] == "crowd 3"
    moves = [request["moves"] for request in worker.requests[count:]]
    assert moves == [["a1"], ["b2"], ["a1"], ["a1"], ["a1"]]


async def test_an_address_has_a_limited_number_of_analyses(limited_app: FastAPI) -> None:
    worker = limited_app.state.services.engine_pool.workers[0]
    worker.is_allowed.clear()
    first, second = [await create_guest(limited_app) for _ in range(2)]
    async with first.open_socket(ANALYSIS_STREAM) as socket:
        await socket.send(spec="tether-3")
        await worker.wait_for_requests(1)
        details = await second.request_error("POST", "/api/positions/analyse", "too-many", spec="tether-3")
        assert details["limit"] == scale_limit(0.1) == 1
    worker.is_allowed.set()
    await second.request("POST", "/api/positions/analyse", spec="tether-3")
