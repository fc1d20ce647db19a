"""Tournaments over HTTP: who may do what, how they are played, and what clients are sent."""

from __future__ import annotations

import asyncio
import json
import time
from itertools import count
from typing import Any

import pytest
from fastapi import FastAPI

from ropewalk.records import read_all
from ropewalk.server.domain.tournament_actions import MAX_BOTS
from ropewalk.server.tournaments.service import MAX_UNFINISHED
from tests.support.app_client import AppClient, create_account, create_guest

pytestmark = pytest.mark.anyio
FAST = {"kind": "fischer", "initial_seconds": 60, "increment_seconds": 1}
NAMES = (f"Organiser {number}" for number in count(1))
LIMIT_SECONDS = 30.0


async def create_tournament(app: FastAPI, format_: str, **more: Any) -> tuple[AppClient, str]:
    """Return an organiser with an account of their own, and the path of their tournament."""
    organiser = await create_account(app, next(NAMES))
    fields = {"name": "Club night", "format": format_, "spec": "tether-3", "clock": FAST} | more
    view = await organiser.request("POST", "/api/tournaments", 201, **fields)
    return organiser, f"/api/tournaments/{view['id']}"


async def add_bots(organiser: AppClient, path: str, number: int, level: int = 1) -> None:
    for _ in range(number):
        await organiser.request("POST", f"{path}/players", level=level)


async def wait_until_over(client: AppClient, path: str) -> Any:
    until = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < until:
        view = await client.request("GET", path)
        if view["status"] == "over":
            return view
        await asyncio.sleep(0.02)
    raise TimeoutError(view)


async def test_a_swiss_of_bots_is_played_to_its_end(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "swiss")
    await add_bots(organiser, path, 5)
    await organiser.request("POST", f"{path}/start")
    view = await wait_until_over(organiser, path)
    assert len(view["rounds"]) == view["rounds_planned"] == 3
    assert len({each["bye"] for each in view["rounds"]}) == 3
    assert sum(row["points"] for row in view["standings"]) == 3 * 3
    assert view["standings"][0]["rank"] == 1
    response = await organiser.http.get(f"{path}/records.sgf")
    records = read_all(response.text)
    assert len(records) == 6
    assert {record.root.get("EV") for record in records} == {"Club night"}
    assert [record.root.get("RO") for record in records] == ["1", "1", "2", "2", "3", "3"]


async def test_people_play_a_round_robin_against_a_bot(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "round-robin", rated=True)
    friend = await create_account(app, next(NAMES))
    for player in (organiser, friend):
        await player.request("POST", f"{path}/players", key=None)
    await friend.request_error("POST", f"{path}/players", "already-joined", key=None)
    await friend.request_error("POST", f"{path}/players", "not-organiser", level=1)
    await friend.request_error("POST", f"{path}/start", "not-organiser")
    await add_bots(organiser, path, 1)
    view = await organiser.request("POST", f"{path}/start")
    assert view["rounds_planned"] == 3
    while view["status"] == "playing":
        for game in [game for each in view["rounds"] for game in each["games"] if game["result"] is None]:
            response = await organiser.http.get(f"/api/matches/{game['match_id']}")
            if response.status_code == 404:  # it is named before it is created
                continue
            match = response.json()
            assert match["rated"]
            assert match["origin"] == "tournament"
            assert f"/api/tournaments/{match['tournament_id']}" == path
            if match["state"]["status"] == "playing":
                for player in (organiser, friend):
                    if match["seats"][match["state"]["seat"]]["user"]["id"] == player.user["id"]:
                        await player.request_error("POST", f"/api/matches/{match['id']}/actions", "no-aborts", type="abort")
                        await player.play(match["id"])
        view = await organiser.request("GET", path)
    assert view["status"] == "over"
    assert sum(row["points"] for row in view["standings"]) == 3
    await organiser.request_error("POST", f"{path}/cancel", "tournament-over")


async def test_an_arena_goes_on_until_its_players_leave(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "arena", duration_minutes=5)
    await add_bots(organiser, path, 3)
    await organiser.request("POST", f"{path}/start")
    while len((await organiser.request("GET", path))["rounds"]) < 5:
        await asyncio.sleep(0.02)
    for number in (1, 2):
        await organiser.request("DELETE", f"{path}/players/{number}")
    view = await wait_until_over(organiser, path)
    assert sum(row["points"] for row in view["standings"]) == sum(len(each["games"]) for each in view["rounds"])
    assert [row["withdrawn"] for row in sorted(view["standings"], key=lambda row: row["number"])] == [True, True, False]


async def test_who_withdraws_from_a_round_robin_loses_without_playing(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "round-robin")
    await organiser.request("POST", f"{path}/players", key=None)
    await add_bots(organiser, path, 2)
    await organiser.request("POST", f"{path}/start")
    view = await organiser.request("DELETE", f"{path}/players/1")
    for game in (game for each in view["rounds"] for game in each["games"] if game["match_id"] is not None):
        match = await organiser.get_match(game["match_id"])
        if organiser.user["id"] in [seat["user"]["id"] for seat in match["seats"]]:
            await organiser.act(match["id"], "resign")
    view = await wait_until_over(organiser, path)
    assert {row["number"]: row["points"] for row in view["standings"]}[1] == 0
    walkovers = [game for each in view["rounds"] for game in each["games"] if game["match_id"] is None]
    assert all(1 in (game["first"], game["second"]) for game in walkovers)


async def test_only_accounts_take_part_and_only_with_the_key(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "swiss", open=False)
    guest, friend = await create_guest(app), await create_account(app, next(NAMES))
    await guest.request_error("POST", f"{path}/players", "account-needed", key=None)
    await guest.request_error(
        "POST", "/api/tournaments", "account-needed", name="Mine", format="swiss", spec="tether-3", clock=FAST
    )
    await friend.request_error("POST", f"{path}/players", "not-invited", key=None)
    await friend.request_error("POST", f"{path}/players", "not-invited", key="wrong")
    refused = await friend.http.post(f"{path}/players", content=json.dumps({"key": "\ud800"}))
    assert refused.json()["code"] == "bad-request"
    assert (await friend.request("GET", path))["join_key"] is None
    key = (await organiser.request("GET", path))["join_key"]
    view = await friend.request("POST", f"{path}/players", key=key)
    assert view["your_numbers"] == [1]
    await organiser.request_error("POST", f"{path}/start", "too-few-players")
    view = await friend.request("DELETE", f"{path}/players/1")
    assert view["standings"] == []
    await friend.request_error("DELETE", f"{path}/players/1", "not-organiser")


async def test_limits_answer_with_their_numbers(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "swiss", max_players=2)
    await add_bots(organiser, path, 2)
    assert (await organiser.request_error("POST", f"{path}/players", "too-many", level=1))["limit"] == 2
    other, path = await create_tournament(app, "swiss")
    await add_bots(other, path, MAX_BOTS)
    assert (await other.request_error("POST", f"{path}/players", "too-many", level=1))["limit"] == MAX_BOTS
    fields = {"name": "Another", "format": "swiss", "spec": "tether-3", "clock": FAST}
    for _ in range(MAX_UNFINISHED - 1):
        await other.request("POST", "/api/tournaments", 201, **fields)
    assert (await other.request_error("POST", "/api/tournaments", "too-many", **fields))["limit"] == MAX_UNFINISHED
    await other.request("POST", f"{path}/cancel")
    await other.request("POST", "/api/tournaments", 201, **fields)
    await other.request_error("POST", f"{path}/players", "registration-closed", level=1)


async def test_settings_that_do_not_fit_are_refused(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "swiss")
    fields: dict[str, Any] = {"name": "Another", "format": "arena", "spec": "tether-3", "clock": FAST}
    for change in (
        {},
        {"duration_minutes": 5, "clock": {"kind": "days", "days": 1}},
        {"format": "swiss", "clock": {"kind": "none"}},
        {"format": "swiss", "starts_at": 5},
        {"format": "swiss", "name": "\n\n\n"},
    ):
        await organiser.request_error("POST", "/api/tournaments", "bad-request", **fields | change)
    response = await organiser.http.post("/api/tournaments", content=json.dumps(fields | {"name": "\ud800" * 3}))
    assert response.json()["code"] == "bad-request"
    await organiser.request_error("POST", f"{path}/players", "bad-request", level=15)
    await organiser.request_error("GET", "/api/tournaments/none", "not-found")
    await organiser.request_error("GET", f"{path}/records.sgf", "not-found")


async def test_a_view_is_sent_once_until_it_changes(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "swiss")
    first = await organiser.http.get(path)
    headers = {"If-None-Match": first.headers["etag"]}
    assert (await organiser.http.get(path, headers=headers)).status_code == 304
    await add_bots(organiser, path, 1)
    changed = await organiser.http.get(path, headers=headers)
    assert changed.status_code == 200
    assert changed.json()["player_count"] == 1
    listed = await organiser.request("GET", "/api/tournaments")
    assert path.rpartition("/")[2] in [entry["id"] for entry in listed["registering"]]


async def test_a_tournament_starts_at_its_time(app: FastAPI) -> None:
    now = app.state.services.clock.now_ms()
    organiser, path = await create_tournament(app, "swiss", starts_at=now + 4000)
    _, empty = await create_tournament(app, "swiss", starts_at=now + 4000)
    await add_bots(organiser, path, 2)
    view = await wait_until_over(organiser, path)
    assert view["started_at"] >= now + 4000
    assert (await organiser.request("GET", empty))["status"] == "cancelled"


async def test_matches_between_bots_are_not_in_the_lobby(app: FastAPI) -> None:
    services = app.state.services
    worker = services.engine_pool.workers[0]
    worker.is_allowed.clear()
    organiser, path = await create_tournament(app, "swiss")
    await add_bots(organiser, path, 2)
    view = await organiser.request("POST", f"{path}/start")
    match_id = view["rounds"][0]["games"][0]["match_id"]
    lobby = await organiser.request("GET", "/api/lobby")
    worker.is_allowed.set()
    assert match_id not in [match["id"] for match in lobby["playing"]]
    await wait_until_over(organiser, path)


async def test_an_erased_player_is_withdrawn(app: FastAPI) -> None:
    organiser, path = await create_tournament(app, "round-robin")
    friend = await create_account(app, next(NAMES))
    await friend.request("POST", f"{path}/players", key=None)
    await add_bots(organiser, path, 2)
    await friend.request("DELETE", "/api/me")
    await organiser.request("POST", f"{path}/start")
    view = await wait_until_over(organiser, path)
    assert next(row for row in view["standings"] if row["number"] == 1)["withdrawn"]
