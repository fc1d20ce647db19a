"""Every message and response has exactly the fields of its model, which the client checks, and events have their data."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest
from fastapi import FastAPI

from ropewalk.server.api.schemas.matches import MatchView
from ropewalk.server.api.schemas.messages import LobbyMessage, MatchMessage
from ropewalk.server.domain.events import EventType, LobbyEventType
from tests.support.app_client import create_account, create_guest, require_exact, start_match

pytestmark = pytest.mark.anyio

EVENT_DATA: dict[str, set[str]] = {
    "match-started": {"seats"},
    "move-played": {"move"},
    "takeback-requested": {"event_seq"},
    "takeback-accepted": {"event_seq"},
    "takeback-declined": {"event_seq"},
    "draw-offered": set(),
    "draw-accepted": set(),
    "draw-declined": set(),
    "resigned": set(),
    "timed-out": set(),
    "outage-compensated": {"started_ms", "ended_ms", "milliseconds"},
    "aborted": set(),
    "imported": {"winner", "reason"},
    "rematch-created": {"match_id"},
    "chat-posted": {"text"},
    "match-published": set(),
}
CLOCK = {"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5}
TAKEBACK = {"type": "request-takeback", "event_seq": 3}


@pytest.mark.parametrize("model", [MatchMessage, LobbyMessage])
def test_a_field_that_is_unknown_or_missing_is_found(model: Any) -> None:
    error: dict[str, Any] = {"type": "error", "request_id": None, "code": "stale", "message": "", "details": {}}
    require_exact(model, json.dumps(error))
    with pytest.raises(AssertionError):
        require_exact(model, json.dumps(error | {"limit": 1}))
    with pytest.raises(ValueError, match="details"):
        require_exact(model, json.dumps({key: value for key, value in error.items() if key != "details"}))


async def test_every_message_of_a_match_has_the_fields_of_its_model(app: FastAPI) -> None:
    first, second, match = await start_match(app, "liger-4", clock=CLOCK)
    async with first.follow(match) as mine, second.follow(match) as theirs:
        await mine.receive("snapshot")
        assert len((await mine.receive("presence"))["presence"]["seats"]) == 2
        await theirs.receive("snapshot")
        moves = (await first.get_match(match))["state"]["position"]["moves"]
        move = {"type": "move", "move": moves[0], "position_version": 1, "request_id": "a"}
        ack = await mine.act(**move)
        assert (ack["type"], ack["request_id"], ack["event"]["seq"]) == ("ack", "a", 2)
        assert (await theirs.receive("events"))["events"] == ack["events"]
        stale = await mine.act(**move | {"request_id": "b"})
        assert (stale["type"], stale["code"], stale["request_id"]) == ("error", "stale", "b")
        require_exact(MatchView, json.dumps(stale["details"]["match"]))
        illegal = await theirs.act(type="move", move=moves[0], position_version=2)
        assert (illegal["code"], set(illegal["details"])) == ("illegal-move", {"move", "reason", "witness", "rule"})
        assert (await mine.act(type="dance"))["code"] == "bad-request"
        other_moves = (await first.get_match(match))["state"]["position"]["moves"]
        await theirs.act(type="move", move=other_moves[0], position_version=2)
        assert (await theirs.act(**TAKEBACK))["state"]["takeback"] == {"seat": 1, "event_seq": 3}
        await mine.act(type="answer-takeback", event_seq=3, accept=False)
        await theirs.act(**TAKEBACK)
        await mine.act(type="answer-takeback", event_seq=3, accept=True)
        assert (await mine.act(type="offer-draw"))["state"]["draw_offered_by"] == 0
        await theirs.act(type="answer-draw", accept=False)
        await mine.act(type="chat", text="hello")
        assert (await mine.act(type="resign"))["state"]["result"]["reason"] == "resign"
        await second.request("POST", f"/api/matches/{match}/rematch")
        await theirs.receive("events")
    log = await first.request("GET", f"/api/matches/{match}/events")
    assert all(set(event["data"]) == EVENT_DATA[event["type"]] for event in log)
    assert len({event["type"] for event in log}) == 10


def test_every_type_of_event_has_its_data() -> None:
    assert set(EVENT_DATA) == set(get_args(EventType))


async def test_the_status_of_an_engine_is_a_message_and_its_move_names_it(app: FastAPI) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "bot", level=1, seat=0))["match"]["id"]
    async with client.follow(match) as socket:
        assert (await socket.act(type="move", move="b2", position_version=1))["type"] == "ack"
        while (await socket.receive("engine-status"))["engine_status"] is not None:
            pass
    event = (await client.request("GET", f"/api/matches/{match}/events?after=2"))[0]
    assert (event["type"], event["user_id"], set(event["data"])) == ("move-played", "level-1", {"move", "engine"})
    view = await client.request("GET", f"/api/matches/{match}")
    assert view["seats"][1]["user"]["kind"] == "builtin-bot"


async def test_every_message_of_the_lobby_has_the_fields_of_its_model(app: FastAPI) -> None:
    host, guest = await create_guest(app), await create_guest(app)
    async with host.follow_lobby() as socket:
        before = (await socket.receive("snapshot"))["lobby"]["seq"]
        match = (await host.create_match("liger-4", "open"))["match"]["id"]
        withdrawn = (await host.create_match("liger-4", "open"))["match"]["id"]
        assert match in [challenge["id"] for challenge in (await guest.request("GET", "/api/lobby"))["challenges"]]
        await guest.request("POST", f"/api/matches/{match}/join")
        await guest.act(match, "resign")
        await host.act(withdrawn, "abort")
        events: list[Any] = []
        while len(events) < 5:
            events += (await socket.receive("events"))["events"]
    assert [event["seq"] for event in events] == list(range(before + 1, before + 6))
    assert {event["type"] for event in events} == set(get_args(LobbyEventType))
    assert {event["match_id"] for event in events} == {match, withdrawn}


async def test_every_response_of_a_match_has_the_fields_of_its_model(app: FastAPI) -> None:
    first, second = await create_account(app, "Exact One"), await create_account(app, "Exact Two")
    created = await first.request("POST", "/api/matches", 201, spec="tether-3", seat=0, rated=True,
                     opponent={"kind": "invitation"}, clock={"kind": "days", "days": 2})  # fmt: skip
    match, invitation = created["match"]["id"], f"/api/invitations/{created['invitation']}"
    await second.request("GET", invitation)
    await second.request("POST", f"{invitation}/accept")
    result = await first.request("POST", f"/api/matches/{match}/actions", type="move", move="b2", position_version=1)
    assert result["event"]["seq"] == result["state"]["position_version"] == 2
    moves = f"/api/matches/{match}/conditional-moves"
    await first.request("PUT", moves, position_version=2, lines=[["a1", "c3"]])
    await first.request("GET", moves)
    await second.act(match, "resign")
    await first.request("GET", "/api/me/matches")
    await first.request("GET", "/api/players/Exact One")
    record = (await first.http.get(f"/api/matches/{match}/record.sgf")).text
    copy = await first.request("POST", "/api/matches/import", 201, record=record)
    imported = (await first.request("GET", f"/api/matches/{copy['id']}/events"))[-1]
    assert (imported["type"], set(imported["data"])) == ("imported", EVENT_DATA["imported"])


async def test_every_response_of_games_and_positions_has_the_fields_of_its_model(app: FastAPI) -> None:
    client = await create_guest(app)
    await client.request("GET", "/api/games")
    await client.request("GET", "/api/games/laocoon-weave")
    moves = ["g8", "a4", "d3", "f7", "g8-f8", "f7-e7"]
    assert (await client.request("POST", "/api/positions", spec="laocoon-weave", moves=moves))["controlled"]
    await client.request("POST", "/api/positions/line", spec="tether-3", moves=["b2", "a1"])
    legal = await client.request("POST", "/api/positions/explain", spec="tether-3", moves=["b2"], move="a1")
    assert legal["resulting_position"]["pieces"]
    illegal = await client.request("POST", "/api/positions/explain", spec="tether-3", moves=["b2"], move="b2")
    assert illegal["illegal"]["reason"] == "taken"
    analysis = await client.request("POST", "/api/positions/analyse", spec="tether-3", level=1, seconds=0.1)
    assert analysis["certainty"] in ("proven", "estimate")
