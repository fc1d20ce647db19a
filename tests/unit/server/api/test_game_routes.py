"""Games and positions through the API: options, lines, phases and pieces in hand."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from ropewalk.server.api.routes.games import MAX_LINE_POSITIONS
from tests.support.app_client import AppClient, create_guest

pytestmark = pytest.mark.anyio


async def test_the_list_of_games_describes_what_can_be_chosen(app: FastAPI) -> None:
    listed = await AppClient(app).request("GET", "/api/games")
    for game in listed:
        variant = game["options"]["variant"]
        assert variant["default"] in [choice["name"] for choice in variant["choices"]]
    rings = next(game for game in listed if game["key"] == "laocoon")["options"]
    assert [choice["spec_part"] for choice in rings["variant"]["choices"]] == [
        "weave",
        "blocks",
        "random-{seed}",
        "quick-{seed}",
    ]
    assert [(flag["spec_part"], flag["default"]) for flag in rings["flags"]] == [("norepetition", True)]


async def test_a_description_that_the_browser_has_is_not_sent_again(app: FastAPI) -> None:
    http, path = AppClient(app).http, "/api/games/tether-3"
    first = await http.get(path)
    assert first.json()["board"]["cells"][0]["name"] == "a1"
    again = await http.get(path, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    weak = await http.get(path, headers={"If-None-Match": f"W/{first.headers['ETag']}"})
    assert weak.status_code == 304
    assert (await http.get(path, headers={"If-None-Match": '"another"'})).content == first.content
    assert (await http.get("/api/games/tether-5")).headers["ETag"] != first.headers["ETag"]


async def test_a_line_is_shown_whole_and_only_its_end_lists_moves(app: FastAPI) -> None:
    client = await create_guest(app)
    moves = ["c3", "b2", "d4"]
    shown = await client.request("POST", "/api/positions/line", spec="tether-5", moves=moves)
    assert [len(position["pieces"]) for position in shown] == [0, 1, 2, 3]
    assert [bool(position["moves"]) for position in shown] == [False, False, False, True]
    assert shown[-1] == await client.request("POST", "/api/positions", spec="tether-5", moves=moves)


async def test_a_line_that_is_too_long_is_refused_with_the_limit(app: FastAPI) -> None:
    moves = ["a1"] * MAX_LINE_POSITIONS
    details = await AppClient(app).request_error("POST", "/api/positions/line", "too-large", spec="tether-5", moves=moves)
    assert details == {"limit": MAX_LINE_POSITIONS}


async def test_a_position_says_its_phase_what_is_in_hand_and_what_is_held(app: FastAPI) -> None:
    client = await create_guest(app)
    moves = ["g8", "a4", "d3", "f7", "g8-f8", "f7-e7"]
    shown = await client.request("POST", "/api/positions", spec="laocoon-weave", moves=moves)
    assert shown["phase"] == "disc"
    assert [piece["kind"] for piece in shown["pieces_in_hand"]["black"]] == ["disc"]
    by_ring = {
        colour: {held["piece"]["colour"] for held in shown["controlled"] if colour in held["by"]}
        for colour in shown["colours"]
    }
    rings: dict[str, set[str]] = {
        stack[-1]["colour"]: set() for stack in shown["pieces"].values() if stack[-1]["kind"] == "ring"
    }
    for *_, disc, ring in (stack for stack in shown["pieces"].values() if stack[-1]["kind"] == "ring"):
        rings[ring["colour"]].add(disc["colour"])
    assert by_ring == rings


async def test_the_pie_rule_asks_its_question_once(app: FastAPI) -> None:
    client = await create_guest(app)
    phases = [
        (await client.request("POST", "/api/positions", spec="cube-lariat-2", moves=moves))["phase"]
        for moves in ([], ["UF1"], ["UF1", "swap"], ["UF1", "Ua1"])
    ]
    assert phases == ["", "pie", "", ""]


@pytest.mark.parametrize("field", ["match", "match_id", "id"])
async def test_a_match_cannot_be_analysed_by_its_id(app: FastAPI, field: str) -> None:
    client = await create_guest(app)
    match = (await client.create_match("tether-3", "open"))["match"]["id"]
    response = await client.http.post("/api/positions/analyse", json={"spec": "tether-3", field: match})
    assert response.status_code == 422, "the request has no such field"
    for path in (f"/api/matches/{match}/analyse", f"/api/matches/{match}/analysis"):
        assert (await client.http.get(path)).status_code == 404
