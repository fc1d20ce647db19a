"""Challenges by name, reports, blocks, the announcement, and the search for matches."""

from __future__ import annotations

import json
from itertools import count

import pytest
from fastapi import FastAPI

from ropewalk.server.db.moderation_repository import MAX_OPEN_REPORTS
from ropewalk.server.services import AppServices
from tests.support.app_client import PASSWORD, AppClient, create_account, create_guest, start_match

pytestmark = pytest.mark.anyio
NUMBERS = count(1)


async def create_pair(app: FastAPI) -> tuple[AppClient, AppClient]:
    """Return two new accounts."""
    number = next(NUMBERS)
    return await create_account(app, f"Anna {number}"), await create_account(app, f"Bert {number}")


async def challenge(challenger: AppClient, name: str) -> str:
    """Challenge a user by name, and return the id of the match."""
    created = await challenger.create_match("tether-3", "user", name=name, seat=0, rated=True)
    return str(created["match"]["id"])


async def test_a_challenge_by_name_is_told_and_accepted(app: FastAPI) -> None:
    anna, bert = await create_pair(app)
    match = await challenge(anna, bert.user["name"])
    (told,) = (await bert.request("GET", "/api/notices"))["challenges"]
    assert (told["id"], told["seats"][0]["name"], told["seats"][1]) == (match, anna.user["name"], None)
    assert told["reserved_for"]["id"] == bert.user["id"]
    assert (await anna.request("GET", "/api/notices"))["challenges"] == []
    await bert.request("POST", f"/api/matches/{match}/join")
    assert (await bert.request("GET", "/api/notices"))["challenges"] == []
    await bert.request_error("POST", f"/api/matches/{match}/decline", "no-such-offer")


async def test_a_challenge_by_name_is_declined(app: FastAPI) -> None:
    anna, bert = await create_pair(app)
    match = await challenge(anna, bert.user["name"])
    await anna.request_error("POST", f"/api/matches/{match}/decline", "not-yours")
    view = await bert.request("POST", f"/api/matches/{match}/decline")
    assert (view["state"]["result"]["is_void"], view["state"]["result"]["is_declined"]) == (True, True)
    events = await anna.request("GET", f"/api/matches/{match}/events")
    assert [(event["type"], event["data"]) for event in events] == [("aborted", {"declined": True})]
    assert (await bert.request("GET", "/api/notices"))["challenges"] == []
    await bert.request_error("POST", f"/api/matches/{match}/join", "seat-taken")


async def test_a_challenge_shows_the_rating_of_who_waits(app: FastAPI) -> None:
    anna, bert = await create_pair(app)
    match = await challenge(anna, bert.user["name"])
    await bert.request("POST", f"/api/matches/{match}/join")
    await anna.act(match, "resign")
    services: AppServices = app.state.services
    await services.ratings.rate_pending()
    created = await anna.create_match("tether-5", "open", seat=1)
    lobby = await bert.request("GET", "/api/lobby")
    (found,) = [entry for entry in lobby["challenges"] if entry["id"] == created["match"]["id"]]
    assert found["ratings"][0] is None
    assert 1000 < found["ratings"][1] < 1500
    await anna.act(created["match"]["id"], "abort")


async def test_blocked_users_do_not_play_with_each_other(app: FastAPI) -> None:
    anna, bert = await create_pair(app)
    open_match = (await anna.create_match("tether-3", "open", seat=0))["match"]["id"]
    await anna.request("PUT", f"/api/me/blocks/{bert.user['id']}")
    opponent = {"kind": "user", "name": anna.user["name"]}
    await bert.request_error("POST", "/api/matches", "blocked", spec="tether-3", opponent=opponent)
    opponent = {"kind": "user", "name": bert.user["name"]}
    await anna.request_error("POST", "/api/matches", "blocked", spec="tether-3", opponent=opponent)
    await bert.request_error("POST", f"/api/matches/{open_match}/join", "blocked")
    relation = (await anna.request("GET", f"/api/players/{bert.user['name']}"))["relation"]
    assert (relation["muted"], relation["blocked"]) == (True, True)
    await anna.request("DELETE", f"/api/me/blocks/{bert.user['id']}")
    await bert.request("POST", f"/api/matches/{open_match}/join")
    await anna.request_error("PUT", "/api/me/blocks/nobody", "not-found")


async def test_a_block_hides_the_chat(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-3")
    await second.act(match, "chat", text="rude words")
    await first.request("PUT", f"/api/me/blocks/{second.user['id']}")
    assert [line["data"] for line in (await first.get_match(match))["chat"]] == [{"text": "", "muted": True}]


async def test_reports_are_kept_with_the_chat_message(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-3")
    event = (await second.act(match, "chat", text="rude words"))["event"]
    about = {"user_id": second.user["id"], "reason": "insult", "match_id": match, "event_seq": event["seq"]}
    number = (await first.request("POST", "/api/reports", 201, **about))["report"]
    await first.request_error("POST", "/api/reports", "not-found", **about | {"event_seq": 1})
    await first.request_error("POST", "/api/reports", "not-found", **about | {"user_id": "nobody"})
    for change in ({"reason": "\ud800"}, {"match_id": "\0"}, {"user_id": "\ud800"}):
        refused = await first.http.post("/api/reports", content=json.dumps(about | change))  # which escapes surrogates
        assert refused.json()["code"] == "bad-request"
    services: AppServices = app.state.services
    (report,) = [report for report in await services.moderation.list_reports() if report.id == number]
    assert (report.user, report.reason, report.chat_text) == (second.user["name"], "insult", "rude words")
    for _ in range(MAX_OPEN_REPORTS - 1):
        await first.request("POST", "/api/reports", 201, user_id=second.user["id"], reason="again")
    details = await first.request_error("POST", "/api/reports", "too-many", user_id=second.user["id"], reason="again")
    assert details["limit"] == MAX_OPEN_REPORTS
    assert await services.moderation.close_report(number)
    assert not await services.moderation.close_report(number)
    await first.request("DELETE", "/api/me")
    assert all(report.reporter != first.user["name"] for report in await services.moderation.list_reports())


async def test_a_muted_user_plays_but_does_not_write(app: FastAPI) -> None:
    services: AppServices = app.state.services
    first, _, match = await start_match(app, "tether-3")
    async with first.follow(match) as socket:
        await socket.receive("snapshot")
        await services.moderation.set_silenced(first.user["id"], silenced=True)
        await services.moderation_watcher.apply_actions()
        assert (await socket.act(type="chat", text="hello"))["code"] == "muted"
    assert (await first.act(match, "chat", 403, text="hello"))["code"] == "muted"
    await first.play(match)
    await services.moderation.set_silenced(first.user["id"], silenced=False)
    await services.moderation_watcher.apply_actions()
    await first.act(match, "chat", text="hello")


async def test_a_closed_account_has_no_session_and_no_challenge(app: FastAPI) -> None:
    services: AppServices = app.state.services
    anna, bert = await create_pair(app)
    match = (await anna.create_match("tether-3", "open"))["match"]["id"]
    await services.moderation.set_closed(anna.user["id"], closed=True)
    await services.moderation_watcher.apply_actions()
    assert await anna.request("GET", "/api/me") == {"user": None}
    credentials = {"name": anna.user["name"], "password": PASSWORD}
    await anna.request_error("POST", "/api/sessions", "account-closed", **credentials)
    await anna.request_error("POST", "/api/sessions", "wrong-password", **credentials | {"password": "wrong"})
    assert match not in [entry["id"] for entry in (await bert.request("GET", "/api/lobby"))["challenges"]]
    opponent = {"kind": "user", "name": anna.user["name"]}
    await bert.request_error("POST", "/api/matches", "account-closed", spec="tether-3", opponent=opponent)
    await services.moderation.set_closed(anna.user["id"], closed=False)
    await services.moderation_watcher.apply_actions()
    await anna.request("POST", "/api/sessions", 201, **credentials)


async def test_everybody_sees_the_announcement(app: FastAPI) -> None:
    services: AppServices = app.state.services
    visitor = AppClient(app)
    assert (await visitor.request("GET", "/api/notices")) == {"announcement": None, "challenges": []}
    await services.moderation.set_announcement("Maintenance tonight")
    assert (await visitor.request("GET", "/api/notices"))["announcement"] == "Maintenance tonight"
    await services.moderation.set_announcement(None)
    assert (await visitor.request("GET", "/api/notices"))["announcement"] is None


async def test_matches_are_found_by_player_opponent_game_board_and_result(app: FastAPI) -> None:
    anna, bert = await create_pair(app)
    ids = {}
    for spec, loser in (("tether-3", anna), ("tether-5", bert), ("liger-4", anna)):
        match = (await anna.create_match(spec, "user", name=bert.user["name"], public=spec != "liger-4"))["match"]["id"]
        await bert.request("POST", f"/api/matches/{match}/join")
        await loser.act(match, "resign")
        ids[spec] = match
    void = (await anna.create_match("tether-3", "user", name=bert.user["name"]))["match"]["id"]
    await bert.request("POST", f"/api/matches/{void}/decline")

    async def search(client: AppClient, **query: str) -> list[str]:
        found = (await client.http.get("/api/matches", params={"player": anna.user["name"]} | query)).json()
        return [entry["id"] for entry in found]

    assert await search(anna) == [void, ids["liger-4"], ids["tether-5"], ids["tether-3"]]
    assert await search(anna, game="tether", status="over", result="won") == [ids["tether-5"]]
    assert await search(anna, result="lost") == [ids["liger-4"], ids["tether-3"]]
    assert await search(anna, result="void") == [void]
    assert await search(anna, result="drawn") == []
    assert await search(anna, spec="tether-3", opponent=bert.user["name"]) == [ids["tether-3"]]
    assert await search(await create_guest(app)) == [ids["tether-5"], ids["tether-3"]]
    assert await search(anna, before="1") == []
    await anna.request_error("GET", "/api/matches?result=won", "bad-request")
    relation = (await anna.request("GET", f"/api/players/{bert.user['name']}"))["relation"]
    assert (relation["won"], relation["drawn"], relation["lost"]) == (1, 0, 2)
    assert (await anna.request("GET", f"/api/players/{anna.user['name']}"))["relation"] is None


async def test_finished_matches_are_found_by_their_first_moves(app: FastAPI) -> None:
    anna, bert = await create_pair(app)

    async def play(spec: str, *moves: str) -> str:
        match: str = (await anna.create_match(spec, "user", name=bert.user["name"], seat=0))["match"]["id"]
        await bert.request("POST", f"/api/matches/{match}/join")
        for number, move in enumerate(moves):
            await (anna, bert)[number % 2].play(match, move)
        return match

    async def search(opening: str) -> list[str]:
        query = {"player": anna.user["name"], "opening": opening}
        return [entry["id"] for entry in (await anna.http.get("/api/matches", params=query)).json()]

    first, second = await play("tether-5", "c3", "b2", "a1"), await play("tether-5", "c3", "b2", "d4")
    other, cube = await play("tether-5", "c2", "b3"), await play("cube-lariat-2", "Ua1")
    assert await search("c3") == [], "they are not over"
    for match in (first, second, other, cube):
        await anna.act(match, "resign")
    assert await search("c3") == await search("c3 b2") == await search("C3, B2") == [second, first]
    assert await search("c3 b2 d4") == [second]
    assert await search("ua1") == [cube]
    assert await search("c") == await search("%") == await search("c3 b2 d4 e5") == []
    assert await search("") == [cube, other, second, first]
    await anna.request_error("GET", "/api/matches?opening=" + "+".join(["a1"] * 13), "too-many")
