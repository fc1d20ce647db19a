"""Private matches: strangers cannot tell whether they exist, spectators with the key and players read them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.server.api.websocket import CLOSE_REFUSED
from tests.support.app_client import AppClient, SocketClosedError, create_account, create_guest, start_match

pytestmark = pytest.mark.anyio

READS = ["", "/events", "/record.sgf", "/animation.gif", "/conditional-moves"]
WRITES = ["/join", "/rematch", "/actions"]

SAME_ID = {"X-Request-ID": "same"}  # errors repeat it


async def start_private_match(app: FastAPI) -> tuple[AppClient, AppClient, str]:
    """Return two guests and the id of their private match, in which they have talked."""
    first, second, match = await start_match(app, "tether-3", public=None)
    await first.act(match, "chat", text="a secret")
    return first, second, match


async def test_a_stranger_gets_the_same_answer_for_a_private_match_as_for_none(app: FastAPI) -> None:
    _, _, match = await start_private_match(app)
    stranger = await create_guest(app)
    bodies: dict[str, Any] = {"/actions": {"type": "chat", "text": "hello"}}
    requests = [("GET", path) for path in READS] + [("POST", path) for path in WRITES]
    for method, path in requests:
        private, missing = [
            await stranger.http.request(method, f"/api/matches/{id_}{path}", json=bodies.get(path), headers=SAME_ID)
            for id_ in (match, "2345678abcde")
        ]
        assert (private.status_code, private.content) == (missing.status_code, missing.content) == (404, missing.content)
    anonymous = AppClient(app)
    assert (await anonymous.http.get(f"/api/matches/{match}")).status_code == 404


async def test_a_stranger_cannot_follow_a_private_match(app: FastAPI) -> None:
    first, second, match = await start_private_match(app)
    for client in (AppClient(app), await create_guest(app)):
        for query in ("", "after=1", "key=", "key=x"):
            async with client.follow(match, query) as socket:
                assert (await socket.receive())["code"] == "not-found"
                with pytest.raises(SocketClosedError) as closed:
                    await socket.receive()
                assert closed.value.code == CLOSE_REFUSED
    for player in (first, second):
        async with player.follow(match) as socket:
            assert (await socket.receive("snapshot"))["match"]["chat"][0]["data"] == {"text": "a secret"}


async def test_the_damage_of_a_private_match_is_not_shown_to_strangers(app: FastAPI) -> None:
    first, _, match = await start_private_match(app)
    app.state.services.registry.mark_unreadable(match, ValueError("damaged"))
    try:
        await first.request_error("GET", f"/api/matches/{match}", "unreadable-match")
        stranger = await create_guest(app)
        await stranger.request_error("GET", f"/api/matches/{match}", "not-found")
        await stranger.request_error("POST", f"/api/matches/{match}/join", "not-found")
        await stranger.request_error("POST", f"/api/matches/{match}/actions", "not-found", type="resign")
    finally:
        del app.state.services.registry.unreadable[match]


async def test_a_spectator_with_the_key_reads_and_cannot_act(app: FastAPI) -> None:
    first, _, match = await start_private_match(app)
    key = (await first.get_match(match))["spectator_key"]
    assert len(key) >= 43, "256 bits"
    spectator = await create_guest(app)
    view = await spectator.request("GET", f"/api/matches/{match}?key={key}")
    assert (view["chat"][0]["data"]["text"], view["spectator_key"]) == ("a secret", None)
    assert len(await spectator.request("GET", f"/api/matches/{match}/events?key={key}")) == 2
    assert (await spectator.http.get(f"/api/matches/{match}/record.sgf?key={key}")).status_code == 200
    assert (await spectator.http.get(f"/api/matches/{match}/animation.gif?key={key}")).status_code == 200
    async with spectator.follow(match, f"key={key}") as socket:
        assert (await socket.receive())["match"]["id"] == match
        assert (await socket.act(type="chat", text="hello"))["code"] == "not-your-match"
    other_key = (await first.create_match("tether-3", "self"))["match"]["spectator_key"]
    await spectator.request_error("GET", f"/api/matches/{match}?key={other_key}", "not-found")


@pytest.mark.parametrize(
    ("opponent", "is_public"),
    [
        ({"kind": "open"}, True),
        ({"kind": "invitation"}, False),
        ({"kind": "self"}, False),
        ({"kind": "bot", "level": 1}, False),
        ({"kind": "user", "name": "Level 1"}, False),
    ],
)
async def test_only_challenges_of_the_lobby_are_public_unless_the_creator_chooses_otherwise(
    app: FastAPI, opponent: dict[str, Any], is_public: bool
) -> None:
    client, stranger = await create_guest(app), await create_guest(app)
    for choice, expected in ((None, is_public), (True, True), (False, False)):
        body = {"spec": "tether-3", "opponent": opponent, "public": choice}
        created = (await client.request("POST", "/api/matches", 201, **body))["match"]
        assert created["public"] == expected
        response = await stranger.http.get(f"/api/matches/{created['id']}")
        assert response.status_code == (200 if expected else 404)


async def test_an_imported_record_is_private(app: FastAPI) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "self"))["match"]["id"]
    record = (await client.http.get(f"/api/matches/{match}/record.sgf")).text
    imported = await client.request("POST", "/api/matches/import", 201, record=record)
    assert imported["public"] is False
    await AppClient(app).request_error("GET", f"/api/matches/{imported['id']}", "not-found")


async def test_lists_show_private_matches_to_their_players_only(app: FastAPI) -> None:
    host = await create_account(app, "Private Host")
    friend, stranger = await create_guest(app), await create_guest(app)
    created = await host.create_match("tether-3", "invitation", seat=0, rated=False)
    match = created["match"]["id"]
    await friend.request("POST", f"/api/invitations/{created['invitation']}/accept")

    async def profile(viewer: AppClient) -> list[str]:
        return [entry["id"] for entry in (await viewer.request("GET", "/api/players/Private Host"))["matches"]]

    assert await profile(host) == await profile(friend) == [match]
    assert await profile(stranger) == await profile(AppClient(app)) == []
    assert [entry["id"] for entry in await friend.request("GET", "/api/me/matches")] == [match]
    assert match not in json.dumps(await stranger.request("GET", "/api/lobby"))
    await stranger.request_error("GET", f"/api/invitations/{created['invitation']}", "not-found")
    assert (await friend.request("GET", f"/api/invitations/{created['invitation']}"))["id"] == match


async def test_a_rated_private_match_counts_and_its_id_is_hidden_from_strangers(app: FastAPI) -> None:
    first, second = await create_account(app, "Rated In Private"), await create_account(app, "Rated Friend")
    created = await first.create_match("tether-3", "invitation", seat=0, rated=True)
    match = created["match"]["id"]
    await second.request("POST", f"/api/invitations/{created['invitation']}/accept")
    await second.act(match, "resign")
    await app.state.services.ratings.rate_pending()
    for viewer, shown in ((first, match), (second, match), (AppClient(app), None)):
        view = await viewer.request("GET", "/api/players/Rated In Private")
        assert view["ratings"][0]["rating"] > 1500
        assert [change["match_id"] for change in view["curve"]] == [shown]


async def test_a_player_publishes_a_private_match_once(app: FastAPI) -> None:
    first, second, match = await start_private_match(app)
    stranger = await create_guest(app)
    async with stranger.follow_lobby() as lobby:
        await lobby.receive("snapshot")
        await stranger.request_error("POST", f"/api/matches/{match}/actions", "not-found", type="publish")
        event = (await second.act(match, "publish"))["event"]
        assert (event["type"], event["seat"]) == ("match-published", 1)
        (listed,) = (await lobby.receive("events"))["events"]
        assert (listed["type"], listed["match"]["id"], listed["match"]["public"]) == ("match-started", match, True)
    assert (await stranger.get_match(match))["public"] is True
    assert match in json.dumps((await stranger.request("GET", "/api/lobby"))["playing"])
    assert (await first.act(match, "publish", 409))["code"] == "already-public"
    app.state.services.registry.reset()
    assert (await stranger.get_match(match))["public"] is True, "also after it was loaded again"


async def test_a_finished_match_can_be_published(app: FastAPI) -> None:
    first, _, match = await start_private_match(app)
    await first.act(match, "resign")
    await first.act(match, "publish")
    assert (await AppClient(app).get_match(match))["state"]["status"] == "over"


async def test_a_rematch_inherits_the_visibility(app: FastAPI) -> None:
    for is_public, is_published in ((False, False), (False, True), (True, False)):
        first, second, match = await start_match(app, "tether-3", public=is_public)
        if is_published:
            await first.act(match, "publish")
        await first.act(match, "resign")
        rematch = await first.request("POST", f"/api/matches/{match}/rematch")
        assert rematch["public"] == (is_public or is_published)
        joined = await second.request("POST", f"/api/matches/{match}/rematch")
        assert joined["spectator_key"] not in (None, (await first.get_match(match))["spectator_key"])


async def test_a_private_challenge_of_the_lobby_disappears_when_somebody_joins(app: FastAPI) -> None:
    host, guest, stranger = [await create_guest(app) for _ in range(3)]
    async with stranger.follow_lobby() as lobby:
        await lobby.receive("snapshot")
        match = (await host.create_match("tether-3", "open", public=False))["match"]["id"]
        (opened,) = (await lobby.receive("events"))["events"]
        assert (opened["type"], opened["match"]["id"]) == ("challenge-opened", match)
        await guest.request("POST", f"/api/matches/{match}/join")
        (closed,) = (await lobby.receive("events"))["events"]
        assert (closed["type"], closed["match"]) == ("challenge-closed", None)
    await stranger.request_error("POST", f"/api/matches/{match}/join", "seat-taken")
    await stranger.request_error("GET", f"/api/matches/{match}", "not-found")
    assert match not in json.dumps(await stranger.request("GET", "/api/lobby"))


async def test_who_joins_a_withdrawn_challenge_is_told_that_it_was_withdrawn(app: FastAPI) -> None:
    host, stranger = await create_guest(app), await create_guest(app)
    match = (await host.create_match("tether-3", "open", public=False))["match"]["id"]
    await host.request("POST", f"/api/matches/{match}/actions", type="abort")
    refusal = await stranger.request("POST", f"/api/matches/{match}/join", 409)
    assert "withdrawn" in refusal["message"]


async def test_a_user_who_is_challenged_reads_the_match_before_joining(app: FastAPI) -> None:
    host, rival, stranger = (
        await create_account(app, "Challenger"),
        await create_account(app, "Rival"),
        await create_guest(app),
    )
    match = (await host.create_match("tether-3", "user", name="Rival"))["match"]["id"]
    assert (await rival.get_match(match))["state"]["status"] == "waiting"
    await stranger.request_error("GET", f"/api/matches/{match}", "not-found")
    assert (await rival.request("POST", f"/api/matches/{match}/join"))["state"]["status"] == "playing"
