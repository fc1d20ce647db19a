"""Matches through the API: who may do what, and with which result."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from fastapi import FastAPI

from tests.support.app_client import create_account, create_guest, start_match
from tests.support.server_process import find_top_colours

pytestmark = pytest.mark.anyio


async def test_two_people_play_by_invitation_and_see_each_others_moves(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    async with first.follow(match) as mine, second.follow(match) as theirs:
        assert (await mine.receive("snapshot"))["match"]["your_seats"] == [0]
        assert (await theirs.receive("snapshot"))["match"]["your_seats"] == [1]
        await mine.send(type="move", move="c3", position_version=1, request_id="a")
        ack, message = await mine.receive("ack"), await theirs.receive("events")
        assert (ack["request_id"], ack["event"]["seq"]) == ("a", 2)
        assert (ack["events"], ack["state"]["seq"]) == (message["events"], 2), "what is done is told once"
        assert [event["data"] for event in message["events"]] == [{"move": "c3"}]
        assert message["state"]["seat"] == 1
        assert find_top_colours(message["state"]["position"]) == {"c3": "red"}


async def test_a_repeated_move_is_acknowledged_again_and_played_once(app: FastAPI) -> None:
    first, _, match = await start_match(app, "tether-5")
    once, again = [await first.act(match, "move", move="c3", position_version=1, request_id="mine") for _ in range(2)]
    assert once["event"] == again["event"]
    assert (await first.get_match(match))["state"]["seq"] == 2
    assert (await first.act(match, "move", 409, move="b2", position_version=1, request_id="mine"))["code"] == "id-reused"


async def test_a_stale_move_is_answered_with_the_current_state(app: FastAPI) -> None:
    first, _, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    error = await first.act(match, "move", 409, move="b2", position_version=1)
    assert error["code"] == "stale"
    assert error["details"]["match"]["state"]["position_version"] == 2


async def test_only_the_owner_of_a_seat_moves_it(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    stranger = await create_guest(app)
    assert (await stranger.act(match, "move", 403, move="c3", position_version=1))["code"] == "not-your-match"
    assert (await second.act(match, "move", 403, move="c3", position_version=1))["code"] == "not-your-turn"
    assert (await stranger.act(match, "resign", 403))["code"] == "not-your-match"
    assert (await stranger.act(match, "chat", 403, text="hello"))["code"] == "not-your-match"
    assert (await stranger.get_match(match))["your_seats"] == []
    assert (await first.get_match(match))["state"]["seq"] == 1


async def test_an_illegal_move_says_why_and_changes_nothing(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    error = await second.act(match, "move", 422, move="c3", position_version=2)
    assert error["code"] == "illegal-move"
    assert (error["details"]["reason"], error["details"]["witness"]) == ("taken", ["c3"])
    assert (await second.get_match(match))["state"]["seq"] == 2


async def test_of_two_who_take_one_seat_at_once_exactly_one_gets_it(app: FastAPI) -> None:
    host = await create_guest(app)
    match = (await host.create_match("tether-5", "open"))["match"]["id"]
    guests = [await create_guest(app) for _ in range(4)]
    joins = await asyncio.gather(*(guest.http.post(f"/api/matches/{match}/join") for guest in guests))
    assert sorted(response.status_code for response in joins) == [200, 409, 409, 409]


async def test_a_takeback_names_its_move_and_needs_the_other(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    await second.play(match, "b2")
    assert (await first.act(match, "request-takeback", 403, event_seq=3))["code"] == "not-yours"
    await first.act(match, "request-takeback", event_seq=2)
    assert (await first.act(match, "answer-takeback", 403, event_seq=2, accept=True))["code"] == "not-yours"
    state = (await second.act(match, "answer-takeback", event_seq=2, accept=True))["state"]
    assert (state["seat"], state["position"]["pieces"], state["move_count"]) == (0, {}, 0)
    await first.play(match, "d4")


async def test_a_rated_match_with_a_bot_has_no_takebacks(app: FastAPI) -> None:
    user = await create_account(app, "Taker back")
    for is_rated in (True, False):
        match = (await user.create_match("tether-5", "bot", level=1, seat=0, rated=is_rated))["match"]["id"]
        seq = (await user.play(match, "c3"))["event"]["seq"]
        response = await user.act(match, "request-takeback", 409 if is_rated else 200, event_seq=seq)
        assert response["code"] == "no-takebacks" if is_rated else response["event"]["type"] == "takeback-accepted"


async def test_draws_are_offered_only_where_a_game_has_them(app: FastAPI) -> None:
    first, second, match = await start_match(app, "liger-4")
    await first.act(match, "offer-draw")
    assert (await first.act(match, "answer-draw", 403, accept=True))["code"] == "not-yours"
    result = (await second.act(match, "answer-draw", accept=True))["state"]["result"]
    assert (result["winner"], result["reason"]) == (None, "agreement")
    first, _, match = await start_match(app, "tether-5")
    assert (await first.act(match, "offer-draw", 409))["code"] == "no-draws"


async def test_a_rematch_after_a_resignation_has_exchanged_seats(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.act(match, "resign")
    assert (await second.get_match(match))["state"]["result"] == {
        "winner": 1,
        "colour": "blue",
        "reason": "resign",
        "is_void": False,
        "is_declined": False,
    }
    requested = await first.request("POST", f"/api/matches/{match}/rematch")
    assert requested["state"]["status"] == "waiting"
    joined = await second.request("POST", f"/api/matches/{match}/rematch")
    assert joined["id"] == requested["id"] == (await first.get_match(match))["state"]["rematch_id"]
    assert [seat["user"]["id"] for seat in joined["seats"]] == [second.user["id"], first.user["id"]]


async def test_a_match_that_has_hardly_begun_can_be_aborted(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    assert (await second.act(match, "abort"))["state"]["result"]["is_void"] is True
    first, second, match = await start_match(app, "tether-5")
    await first.play(match, "c3")
    await second.play(match, "b2")
    assert (await first.act(match, "abort", 409))["code"] == "too-late"


async def test_the_lobby_lists_challenges_and_matches(app: FastAPI) -> None:
    host, guest = await create_guest(app), await create_guest(app)
    match = (await host.create_match("liger-4", "open"))["match"]["id"]
    lobby = await host.request("GET", "/api/lobby")
    assert match in [challenge["id"] for challenge in lobby["challenges"]]
    await guest.request("POST", f"/api/matches/{match}/join")
    after = await host.request("GET", "/api/lobby")
    assert match not in [challenge["id"] for challenge in after["challenges"]]
    assert match in [playing["id"] for playing in after["playing"]]
    assert after["seq"] == lobby["seq"] + 1


async def test_a_bot_answers_and_lets_people_take_moves_back(app: FastAPI) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "bot", level=1, seat=0))["match"]["id"]
    async with client.follow(match) as socket:
        await socket.receive("snapshot")
        await socket.send(type="move", move="b2", position_version=1, request_id="1")
        moves: list[Any] = []
        while len(moves) < 2:
            moves += [event for event in (await socket.receive("ack", "events"))["events"] if event["type"] == "move-played"]
        assert moves[1]["user_id"] == "level-1"
        await socket.send(type="request-takeback", event_seq=moves[0]["seq"], request_id="2")
        while (await socket.receive("ack", "events"))["state"]["move_count"]:
            pass
