"""What the page is told beside positions: options, whole lines, phases and hands, moving pictures."""

from __future__ import annotations

import asyncio
import io

import httpx
import pytest
from PIL import Image

from ropewalk.server.animations import MAX_MOVES, AnimationRenderer
from ropewalk.server.api.routes.games import MAX_LINE_POSITIONS
from ropewalk.server.errors import ApiError
from tests.support.server_process import Client, Server


def test_the_list_of_games_describes_what_can_be_chosen(server: Server) -> None:
    listed = httpx.get(f"{server.url}/api/games", timeout=60).json()
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


def test_a_description_that_the_browser_has_is_not_sent_again(server: Server) -> None:
    address = f"{server.url}/api/games/tether-3"
    first = httpx.get(address, timeout=60)
    assert first.json()["board"]["cells"][0]["name"] == "a1"
    again = httpx.get(address, headers={"If-None-Match": first.headers["ETag"]}, timeout=60)
    assert (again.status_code, again.content) == (304, b"")
    assert httpx.get(address, headers={"If-None-Match": '"another"'}, timeout=60).content == first.content
    assert httpx.get(f"{server.url}/api/games/tether-5", timeout=60).headers["ETag"] != first.headers["ETag"]


def test_a_line_is_shown_whole_and_only_its_end_lists_moves(server: Server) -> None:
    client = Client(server)
    moves = ["c3", "b2", "d4"]
    shown = client.ask("POST", "/api/positions/line", spec="tether-5", moves=moves)
    assert [len(position["pieces"]) for position in shown] == [0, 1, 2, 3]
    assert [bool(position["moves"]) for position in shown] == [False, False, False, True]
    assert shown[-1] == client.ask("POST", "/api/positions", spec="tether-5", moves=moves)


def test_a_line_that_is_too_long_is_refused_with_the_limit(server: Server) -> None:
    refused = Client(server).ask("POST", "/api/positions/line", 413, spec="tether-5", moves=["a1"] * MAX_LINE_POSITIONS)
    assert (refused["code"], refused["details"]["limit"]) == ("too-large", MAX_LINE_POSITIONS)


def test_a_position_says_its_phase_what_is_in_hand_and_what_is_held(server: Server) -> None:
    client = Client(server)
    moves = ["g8", "a4", "d3", "f7", "g8-f8", "f7-e7"]
    shown = client.ask("POST", "/api/positions", spec="laocoon-weave", moves=moves)
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


def test_the_pie_rule_asks_its_question_once(server: Server) -> None:
    client = Client(server)
    phases = [
        client.ask("POST", "/api/positions", spec="cube-lariat-2", moves=moves)["phase"]
        for moves in ([], ["UF1"], ["UF1", "swap"], ["UF1", "Ua1"])
    ]
    assert phases == ["", "pie", "", ""]


def test_a_match_can_be_had_as_a_moving_picture(server: Server) -> None:
    client = Client(server)
    match = client.create("tether-3", "self")["match"]["id"]
    for move in ("a1", "b2", "c3"):
        client.move(match, move)
    answer = client.http.get(f"/api/matches/{match}/animation.gif")
    assert answer.headers["Content-Type"] == "image/gif"
    picture = Image.open(io.BytesIO(answer.content))
    assert (getattr(picture, "n_frames", 1), max(picture.size)) == (4, 480)


def test_a_moving_picture_of_a_game_that_is_too_long_is_refused_with_the_limit() -> None:
    with pytest.raises(ApiError, match=f"at most {MAX_MOVES} moves; this game has {MAX_MOVES + 1}") as refused:
        asyncio.run(AnimationRenderer().render_gif("tether-19", None, ["a1"] * (MAX_MOVES + 1)))
    assert (refused.value.code, refused.value.details["limit"]) == ("too-large", MAX_MOVES)
