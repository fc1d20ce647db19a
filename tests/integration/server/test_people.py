"""Users on a server process: cookies, ratings, timeouts, deleted users, and the nets of bots."""

from __future__ import annotations

import time
from typing import Any

import httpx

import ropewalk
from ropewalk.nets.config import file_sha256
from ropewalk.nets.onnx_evaluator import resolve_net_path
from ropewalk.records import PlayerIdentity, read
from ropewalk.server.domain.usernames import DELETED_NAME
from tests.support.server_process import Client, Server, create_account, find_top_colours, run_server, start_match


def test_a_guest_gets_a_name_and_a_cookie_that_no_script_can_read(server: Server) -> None:
    response = httpx.post(f"{server.url}/api/guests")
    assert response.json()["user"]["kind"] == "guest"
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert len(response.cookies["ropewalk_session"]) >= 43, "256 bits"


def test_a_swapped_match_of_cube_lariat_is_the_same_in_all_views(server: Server) -> None:
    first, second = create_account(server, "First Seat"), create_account(server, "Second Seat")
    created = first.create_match("cube-lariat-2", "invitation", seat=0, rated=True)
    match = created["match"]["id"]
    second.request("POST", f"/api/invitations/{created['invitation']}/accept")
    first.play(match, "UF1")
    state = second.play(match, "swap")["state"]
    assert (state["colours"], state["seat"]) == (["white", "black"], 0)
    first.play(match, "Ua1")
    second.act(match, "resign")
    view = first.get_match(match)
    seats = [(seat["seat"], seat["user"]["name"], seat["colour"]) for seat in view["seats"]]
    assert seats == [(0, "First Seat", "white"), (1, "Second Seat", "black")]
    result = view["state"]["result"]
    assert (result["winner"], result["colour"], result["reason"], result["is_void"]) == (0, "white", "resign", False)
    assert find_top_colours(view["state"]["position"]) == {"UF1": "black", "Ua1": "white"}, "the first stone stays black"
    record = read(first.http.get(f"/api/matches/{match}/record.sgf").text)
    assert [player.name for player in record.players] == ["First Seat", "Second Seat"]
    assert record.result is not None
    assert (record.result.winner, record.result.reason) == (0, "resign")
    assert [node.turn for node in record.main_line()[1:]] == ["UF1", "swap", "Ua1"]
    assert str(record.end.position) == view["state"]["position"]["text"]
    assert record.end.position.colours == ("white", "black")
    replayed = first.request("POST", "/api/positions", spec="cube-lariat-2", moves=["UF1", "swap", "Ua1"])
    assert replayed == view["state"]["position"]
    winner, loser = (wait_for_rating(first, name) for name in ("First Seat", "Second Seat"))
    assert winner["ratings"][0]["rating"] > 1500 > loser["ratings"][0]["rating"]
    assert [(change["match_id"], change["seat"], change["score"]) for change in winner["curve"]] == [(match, 0, 1.0)]
    assert winner["ratings"][0]["pool"] == "people"


def wait_for_rating(client: Client, name: str) -> Any:
    """Return a player as soon as their ratings are updated."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        page = client.request("GET", f"/api/players/{name}")
        if page["ratings"]:
            return page
        time.sleep(0.1)
    raise TimeoutError(f"{name} is not rated")


def test_the_first_seats_advantage_is_shown(server: Server) -> None:
    games = {one["game"]: one for one in Client(server).request("GET", "/api/statistics/first-move")}
    assert set(games) == {"lariat", "cube-lariat", "tether", "laocoon", "liger"}
    assert 0 < games["tether"]["score"] < 1
    assert games["tether"]["error"] > 0


def test_a_record_names_the_net_of_a_bot(server: Server) -> None:
    client = Client(server)
    match = client.create_match("tether-3", "bot", level=8, seat=1)["match"]["id"]
    with client.follow(match) as socket:
        if not socket.receive("snapshot")["match"]["moves"]:
            while not socket.receive("events", "snapshot").get("events"):
                pass
    record = read(client.http.get(f"/api/matches/{match}/record.sgf").text)
    net = file_sha256(resolve_net_path(ropewalk.game("tether-3")))
    assert record.players[0].identity == PlayerIdentity("bot", ropewalk.__version__, "8", net)
    assert record.players[1].identity == PlayerIdentity("user")


def test_the_opponent_of_a_deleted_user_gets_a_snapshot_at_once(database: str) -> None:
    with run_server(database) as server:
        leaving, other, match = start_match(server, "tether-5")
        leaving.play(match, "c3")
        leaving.act(match, "chat", text="my address is")
        with other.follow(match) as socket:
            assert socket.receive("snapshot")["match"]["chat"][0]["data"] == {"text": "my address is"}
            leaving.request("DELETE", "/api/me")
            seen = socket.receive("snapshot", "events")["match"]
            assert seen["seats"][0]["user"] | {"id": ""} == {
                "id": "",
                "name": DELETED_NAME,
                "kind": "deleted",
                "level": None,
            }
            assert seen["chat"][0]["data"] == {"text": "", "deleted": True}
            assert [step["move"] for step in seen["moves"]] == ["c3"]
            other.play(match, "b2")
            assert socket.receive("snapshot", "events")["events"][0]["data"] == {"move": "b2"}


def test_the_server_ends_a_match_when_the_time_is_up(server: Server) -> None:
    first, second, match = start_match(
        server, "tether-5", clock={"kind": "fischer", "initial_seconds": 10, "increment_seconds": 0}
    )
    with second.follow(match) as socket:
        message = socket.receive("events")
    assert message["events"][0]["type"] == "timed-out"
    assert message["state"]["result"]["reason"] == "time"
    assert message["state"]["clocks"][0]["main_ms"] == 0
    assert first.act(match, "move", 409, move="c3", position_version=1)["code"] == "not-playing"
