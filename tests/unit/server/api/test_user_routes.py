"""Users through the API: guests, accounts, sessions, ratings, records, and the data that is stored about a user."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from ropewalk.records import read
from ropewalk.server.domain.usernames import DELETED_NAME
from tests.support.app_client import PASSWORD, AppClient, create_account, create_guest, start_match
from tests.support.server_process import find_top_colours

pytestmark = pytest.mark.anyio


async def test_a_guest_gets_a_name_and_a_cookie_that_no_script_can_read(app: FastAPI) -> None:
    response = await AppClient(app).http.post("/api/guests")
    assert response.json()["user"]["kind"] == "guest"
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert len(response.cookies["ropewalk_session"]) >= 43, "256 bits"


async def test_an_account_keeps_a_guests_games_and_opens_them_on_another_device(app: FastAPI) -> None:
    guest = await create_guest(app)
    match = (await guest.create_match("tether-5", "self"))["match"]["id"]
    await guest.request("POST", "/api/accounts", 201, name="Keeper", password=PASSWORD)
    phone = await create_guest(app)
    await phone.request_error("POST", "/api/sessions", "wrong-password", name="Keeper", password="a wrong one")
    await phone.request_error("POST", "/api/sessions", "wrong-password", name="Nobody at all", password="x")
    await phone.request("POST", "/api/sessions", 201, name="keeper", password=PASSWORD)
    assert [mine["id"] for mine in await phone.request("GET", "/api/me/matches")] == [match]
    old = dict(phone.http.cookies)
    await phone.request("DELETE", "/api/sessions/current")
    phone.http.cookies.update(old)
    assert (await phone.request("GET", "/api/me"))["user"] is None, "a cookie is invalid after logging out"


async def test_names_and_passwords_have_limits_that_answer_with_their_numbers(app: FastAPI) -> None:
    client = await create_guest(app)
    assert (await client.request("POST", "/api/accounts", 422, name="x" * 21, password=PASSWORD))["details"]["limit"] == 20
    assert (await client.request("POST", "/api/accounts", 422, name="Somebody", password="short"))["details"]["limit"] == 10
    await client.request_error("POST", "/api/accounts", "bad-name", name="<script>", password=PASSWORD)
    await create_account(app, "Taken Name")
    await client.request_error("POST", "/api/accounts", "name-taken", name="taken-name", password=PASSWORD)


async def test_the_rating_at_the_table_is_that_of_the_game_and_only_of_a_rated_match(app: FastAPI) -> None:
    user = await create_account(app, "At The Table")
    for is_rated in (True, False):
        match = (await user.create_match("tether-5", "bot", level=1, seat=0, rated=is_rated))["match"]
        await user.act(match["id"], "resign") if is_rated else None
        await app.state.services.ratings.rate_pending()
        ratings = [seat["rating"] for seat in (await user.get_match(match["id"]))["seats"]]
        assert [rating is not None for rating in ratings] == [is_rated] * 2
    waiting = (await user.create_match("tether-3", "open", rated=True))["match"]
    (taken,) = [seat["rating"] for seat in waiting["seats"] if seat["user"]]
    (free,) = [seat["rating"] for seat in waiting["seats"] if not seat["user"]]
    assert (taken["rating"], free) == (1500, None), "the pool of people, not that of bots"


async def test_a_swapped_match_of_cube_lariat_is_the_same_in_all_views(app: FastAPI) -> None:
    first, second = await create_account(app, "First Seat"), await create_account(app, "Second Seat")
    created = await first.create_match("cube-lariat-2", "invitation", seat=0, rated=True)
    match = created["match"]["id"]
    await second.request("POST", f"/api/invitations/{created['invitation']}/accept")
    await first.play(match, "UF1")
    state = (await second.play(match, "swap"))["state"]
    assert (state["colours"], state["seat"]) == (["white", "black"], 0)
    await first.play(match, "Ua1")
    await second.act(match, "resign")
    view = await first.get_match(match)
    seats = [(seat["seat"], seat["user"]["name"], seat["colour"]) for seat in view["seats"]]
    assert seats == [(0, "First Seat", "white"), (1, "Second Seat", "black")]
    result = view["state"]["result"]
    assert (result["winner"], result["colour"], result["reason"], result["is_void"]) == (0, "white", "resign", False)
    assert find_top_colours(view["state"]["position"]) == {"UF1": "black", "Ua1": "white"}, "the first stone stays black"
    record = read((await first.http.get(f"/api/matches/{match}/record.sgf")).text)
    assert [player.name for player in record.players] == ["First Seat", "Second Seat"]
    assert record.result is not None
    assert (record.result.winner, record.result.reason) == (0, "resign")
    assert [node.turn for node in record.main_line()[1:]] == ["UF1", "swap", "Ua1"]
    assert str(record.end.position) == view["state"]["position"]["text"]
    assert record.end.position.colours == ("white", "black")
    replayed = await first.request("POST", "/api/positions", spec="cube-lariat-2", moves=["UF1", "swap", "Ua1"])
    assert replayed == view["state"]["position"]
    unrated = [seat["rating"] for seat in view["seats"]]
    assert [(rating["rating"], rating["change"]) for rating in unrated] == [(1500, None), (1500, None)]
    await app.state.services.ratings.rate_pending()
    ratings = [seat["rating"] for seat in (await second.get_match(match))["seats"]]
    assert ratings[0]["rating"] == 1500 + ratings[0]["change"] > 1500 > ratings[1]["rating"] == 1500 + ratings[1]["change"]
    winner, loser = [await first.request("GET", f"/api/players/{name}") for name in ("First Seat", "Second Seat")]
    assert winner["ratings"][0]["rating"] > 1500 > loser["ratings"][0]["rating"]
    assert [(change["match_id"], change["seat"], change["score"]) for change in winner["curve"]] == [(match, 0, 1.0)]
    assert winner["ratings"][0]["pool"] == "people"


async def test_the_first_seats_advantage_is_shown(app: FastAPI) -> None:
    games = {one["game"]: one for one in await (await create_guest(app)).request("GET", "/api/statistics/first-move")}
    assert set(games) == {"lariat", "cube-lariat", "tether", "laocoon", "liger"}
    assert 0 < games["tether"]["score"] < 1
    assert games["tether"]["error"] > 0


async def test_the_first_seats_advantage_counts_each_match_of_two_players_once(app: FastAPI) -> None:
    async def counted() -> tuple[int, float]:
        liger = next(one for one in await first.request("GET", "/api/statistics/first-move") if one["game"] == "liger")
        return liger["games"], liger["score"] * (liger["games"] + 2) - 1  # two draws are imagined

    first, second, match = await start_match(app, "liger-4")
    games, points = await counted()
    for player in (first, second):
        await player.play(match)
    await second.act(match, "resign")
    await second.act(match, "chat", text="well played")
    alone = (await first.create_match("liger-4", "self"))["match"]["id"]
    await first.act(alone, "resign")
    aborted = await start_match(app, "liger-4")
    await aborted[0].act(aborted[2], "abort")
    games_after, points_after = await counted()
    assert games_after == games + 1
    assert points_after == pytest.approx(points + 1)


async def test_guests_play_no_rated_matches(app: FastAPI) -> None:
    request = {"spec": "tether-5", "opponent": {"kind": "open"}, "rated": True}
    assert (await (await create_guest(app)).request("POST", "/api/matches", 422, **request))["code"] == "bad-request"


async def test_a_record_is_imported_and_exported_without_loss(app: FastAPI) -> None:
    first, _, match = await start_match(
        app, "tether-5", clock={"kind": "fischer", "initial_seconds": 60, "increment_seconds": 1}
    )
    await first.play(match, "c3")
    await first.act(match, "resign")
    text = (await first.http.get(f"/api/matches/{match}/record.sgf")).text
    copy = await first.request("POST", "/api/matches/import", 201, record=text)
    assert [step["move"] for step in copy["moves"]] == ["c3"]
    assert (copy["state"]["result"]["winner"], copy["state"]["result"]["reason"]) == (1, "resign")
    again = read((await first.http.get(f"/api/matches/{copy['id']}/record.sgf")).text)
    assert [node.turn for node in again.main_line()] == [node.turn for node in read(text).main_line()]
    await first.request_error("POST", "/api/matches/import", "bad-record", record="(;GM[1]")
    await first.request_error("POST", "/api/matches/import", "bad-record", record="/etc/passwd")


async def test_the_data_of_a_user_can_be_exported_and_deleted(app: FastAPI) -> None:
    leaving = await create_account(app, "Leaving Soon")
    other = await create_guest(app)
    created = await leaving.create_match("tether-5", "invitation", seat=0)
    match = created["match"]["id"]
    await other.request("POST", f"/api/invitations/{created['invitation']}/accept")
    await leaving.play(match, "c3")
    await leaving.act(match, "chat", text="my address is")
    kept = await leaving.request("GET", "/api/me/export")
    assert kept["user"][0]["name"] == "Leaving Soon"
    assert [event["type"] for event in kept["events"]] == ["move-played", "chat-posted"]
    assert "password" not in str(kept)
    assert "hash" not in str(kept)
    await leaving.request("DELETE", "/api/me")
    view = await other.get_match(match)
    assert view["seats"][0]["user"]["kind"] == "deleted"
    assert [step["move"] for step in view["moves"]] == ["c3"], "the moves are the other player's too"
    assert view["chat"][0]["data"] == {"text": "", "deleted": True}
    assert (await leaving.request("GET", "/api/me"))["user"] is None
    imitator = await create_guest(app)
    await imitator.request_error("POST", "/api/accounts", "name-taken", name="LEAVlNG s00n", password=PASSWORD)


async def test_an_erased_owner_takes_bots_and_challenges_along(app: FastAPI) -> None:
    owner, other = await create_account(app, "Owner Who Leaves"), await create_guest(app)
    created = await owner.request("POST", "/api/bots", 201, name="Bot Who Leaves")
    bot, token = created["bot"], created["token"]
    playing = (await other.create_match("tether-3", "user", name="Bot Who Leaves", seat=0))["match"]["id"]
    challenge = (await owner.create_match("tether-3", "open"))["match"]["id"]
    await owner.request("DELETE", "/api/me")
    response = await AppClient(app).http.get("/api/me", headers={"Authorization": f"Bearer {token}"})
    assert response.json() == {"user": None}
    seats = (await other.get_match(playing))["seats"]
    assert (seats[1]["user"]["id"], seats[1]["user"]["name"], seats[1]["user"]["kind"]) == (
        bot["id"],
        DELETED_NAME,
        "deleted",
    )
    await other.request_error("GET", "/api/players/Bot Who Leaves", "not-found")
    request = {"spec": "tether-3", "opponent": {"kind": "user", "name": "Bot Who Leaves"}}
    await other.request_error("POST", "/api/matches", "not-found", **request)
    assert challenge not in [entry["id"] for entry in (await other.request("GET", "/api/lobby"))["challenges"]]


async def test_a_spectator_of_another_match_gets_no_message_when_a_user_is_deleted(app: FastAPI) -> None:
    first, _, unrelated = await start_match(app, "tether-5")
    leaving, _, match = await start_match(app, "tether-5")
    await leaving.act(match, "chat", text="my address is")
    async with (await create_guest(app)).follow(unrelated) as spectator:
        await spectator.receive("snapshot")
        await spectator.receive("presence")
        await leaving.request("DELETE", "/api/me")
        await first.play(unrelated, "c3")
        message = await spectator.receive("snapshot", "events", "presence", "engine-status")
        assert message["type"] == "events", "the next thing that it hears is the next thing that happens there"
        assert message["events"][0]["data"] == {"move": "c3"}


async def test_a_guest_who_is_deleted_takes_no_other_match_from_memory(app: FastAPI) -> None:
    registry = app.state.services.registry
    _, _, unrelated = await start_match(app, "tether-5")
    leaving, _, match = await start_match(app, "tether-5")
    kept = {name: loaded for name, loaded in registry.loaded.items() if name != match}
    assert unrelated in kept
    await leaving.request("DELETE", "/api/me")
    assert match not in registry.loaded
    assert all(registry.loaded.get(name) is loaded for name, loaded in kept.items())


async def test_the_opponent_of_a_deleted_user_gets_a_snapshot_at_once(app: FastAPI) -> None:
    leaving, other, match = await start_match(app, "tether-5")
    await leaving.play(match, "c3")
    await leaving.act(match, "chat", text="my address is")
    async with other.follow(match) as socket:
        assert (await socket.receive("snapshot"))["match"]["chat"][0]["data"] == {"text": "my address is"}
        await leaving.request("DELETE", "/api/me")
        seen = (await socket.receive("snapshot", "events"))["match"]
        assert seen["seats"][0]["user"] | {"id": ""} == {
            "id": "",
            "name": DELETED_NAME,
            "kind": "deleted",
            "level": None,
        }
        assert seen["chat"][0]["data"] == {"text": "", "deleted": True}
        assert [step["move"] for step in seen["moves"]] == ["c3"]
        await other.play(match, "b2")
        assert (await socket.receive("snapshot", "events"))["events"][0]["data"] == {"move": "b2"}


async def test_conditional_moves_are_played_as_soon_as_the_other_moves(app: FastAPI) -> None:
    first, second, match = await start_match(app, "tether-5", clock={"kind": "days", "days": 2})
    await first.play(match, "c3")
    lines = [["b2", "d4", "d3", "e2"], ["b4", "a1"]]
    assert (await first.request("PUT", f"/api/matches/{match}/conditional-moves", position_version=2, lines=lines))[
        "lines"
    ] == lines
    assert (await second.request("GET", f"/api/matches/{match}/conditional-moves"))["lines"] == [], "nobody else sees it"
    async with first.follow(match, "after=2") as socket:
        for move, response in (("b2", "d4"), ("d3", "e2")):
            await second.play(match, move)
            played: list[str] = []
            while len(played) < 2:
                played += [event["data"]["move"] for event in (await socket.receive("events"))["events"]]
            assert played == [move, response]
    error = await first.request("PUT", f"/api/matches/{match}/conditional-moves", 409, position_version=2, lines=[])
    assert error["code"] == "stale"
