"""Guests, accounts, sessions, ratings, and what is kept of people."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

import ropewalk
from ropewalk.nets.config import file_sha256
from ropewalk.nets.onnx_evaluator import resolve_net_path
from ropewalk.records import PlayerIdentity, read
from ropewalk.server.domain.usernames import DELETED_NAME
from tests.support.server_process import Client, Server, pair, register, serving, top_colours


def test_a_guest_gets_a_name_and_a_cookie_that_no_script_can_read(server: Server) -> None:
    answer = httpx.post(f"{server.url}/api/guests")
    assert answer.json()["user"]["kind"] == "guest"
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert len(answer.cookies["ropewalk_session"]) >= 43, "256 bits"


def test_an_account_keeps_a_guests_games_and_opens_them_on_another_device(server: Server) -> None:
    guest = Client(server)
    match = guest.create("tether-5", "self")["match"]["id"]
    guest.ask("POST", "/api/accounts", 201, name="Keeper", password="a long password")
    phone = Client(server)
    assert phone.ask("POST", "/api/sessions", 401, name="Keeper", password="a wrong one")["code"] == "wrong-password"
    assert phone.ask("POST", "/api/sessions", 401, name="Nobody at all", password="x")["code"] == "wrong-password"
    phone.ask("POST", "/api/sessions", 201, name="keeper", password="a long password")
    assert [mine["id"] for mine in phone.ask("GET", "/api/me/matches")] == [match]
    old = dict(phone.http.cookies)
    phone.ask("DELETE", "/api/sessions/current")
    assert httpx.get(f"{server.url}/api/me", cookies=old).json()["user"] is None, (
        "a cookie is worth nothing after logging out"
    )


def test_names_and_passwords_have_limits_that_answer_with_their_numbers(server: Server) -> None:
    client = Client(server)
    assert client.ask("POST", "/api/accounts", 422, name="x" * 21, password="a long password")["details"]["limit"] == 20
    assert client.ask("POST", "/api/accounts", 422, name="Somebody", password="short")["details"]["limit"] == 8
    assert client.ask("POST", "/api/accounts", 422, name="<script>", password="a long password")["code"] == "bad-name"
    register(server, "Taken Name")
    assert client.ask("POST", "/api/accounts", 409, name="taken-name", password="a long password")["code"] == "name-taken"


def test_a_swapped_match_of_cube_lariat_is_told_the_same_everywhere(server: Server) -> None:
    first, second = register(server, "First Seat"), register(server, "Second Seat")
    made = first.create("cube-lariat-2", "invitation", seat=0, rated=True)
    match = made["match"]["id"]
    second.ask("POST", f"/api/invitations/{made['invitation']}/accept")
    first.move(match, "UF1")
    state = second.move(match, "swap")["state"]
    assert (state["colours"], state["seat"]) == (["white", "black"], 0)
    first.move(match, "Ua1")
    second.do(match, "resign")
    view = first.match(match)
    seats = [(seat["seat"], seat["user"]["name"], seat["colour"]) for seat in view["seats"]]
    assert seats == [(0, "First Seat", "white"), (1, "Second Seat", "black")]
    assert view["state"]["result"] == {"winner": 0, "colour": "white", "reason": "resign", "is_void": False}
    assert top_colours(view["state"]["position"]) == {"UF1": "black", "Ua1": "white"}, "the first stone stays black"
    record = read(first.http.get(f"/api/matches/{match}/record.sgf").text)
    assert [player.name for player in record.players] == ["First Seat", "Second Seat"]
    assert record.result is not None
    assert (record.result.winner, record.result.reason) == (0, "resign")
    assert [node.turn for node in record.main_line()[1:]] == ["UF1", "swap", "Ua1"]
    assert str(record.end.position) == view["state"]["position"]["text"]
    assert record.end.position.colours == ("white", "black")
    replayed = first.ask("POST", "/api/positions", spec="cube-lariat-2", moves=["UF1", "swap", "Ua1"])
    assert replayed == view["state"]["position"]
    winner, loser = (rated_player(first, name) for name in ("First Seat", "Second Seat"))
    assert winner["ratings"][0]["rating"] > 1500 > loser["ratings"][0]["rating"]
    assert [(change["match_id"], change["seat"], change["score"]) for change in winner["curve"]] == [(match, 0, 1.0)]
    assert winner["ratings"][0]["pool"] == "people"


def rated_player(client: Client, name: str) -> Any:
    """A player's page, once the clerk has been round."""
    until = time.monotonic() + 30
    while time.monotonic() < until:
        page = client.ask("GET", f"/api/players/{name}")
        if page["ratings"]:
            return page
        time.sleep(0.1)
    raise TimeoutError(f"{name} is not rated")


def test_the_first_seats_advantage_is_shown(server: Server) -> None:
    games = {one["game"]: one for one in Client(server).ask("GET", "/api/statistics/first-move")}
    assert set(games) == {"lariat", "cube-lariat", "tether", "laocoon", "liger"}
    assert 0 < games["tether"]["score"] < 1
    assert games["tether"]["error"] > 0


def test_the_first_seats_advantage_counts_each_match_of_two_players_once(server: Server) -> None:
    def counted() -> tuple[int, float]:
        liger = next(one for one in first.ask("GET", "/api/statistics/first-move") if one["game"] == "liger")
        return liger["games"], liger["score"] * (liger["games"] + 2) - 1  # two draws are imagined

    first, second, match = pair(server, "liger-4")
    games, points = counted()
    for player in (first, second):
        player.move(match)
    second.do(match, "resign")
    second.do(match, "chat", text="well played")
    alone = first.create("liger-4", "self")["match"]["id"]
    first.do(alone, "resign")
    aborted = pair(server, "liger-4")
    aborted[0].do(aborted[2], "abort")
    games_after, points_after = counted()
    assert games_after == games + 1
    assert points_after == pytest.approx(points + 1)


def test_guests_play_no_rated_matches(server: Server) -> None:
    wish = {"spec": "tether-5", "opponent": {"kind": "open"}, "rated": True}
    assert Client(server).ask("POST", "/api/matches", 422, **wish)["code"] == "bad-request"


def test_a_record_names_the_net_that_a_bot_asked(server: Server) -> None:
    client = Client(server)
    match = client.create("tether-3", "bot", level=8, seat=1)["match"]["id"]
    with client.following(match) as socket:
        if not socket.hear("snapshot")["match"]["moves"]:
            while not socket.hear("events", "snapshot").get("events"):
                pass
    record = read(client.http.get(f"/api/matches/{match}/record.sgf").text)
    net = file_sha256(resolve_net_path(ropewalk.game("tether-3")))
    assert record.players[0].identity == PlayerIdentity("bot", ropewalk.__version__, "8", net)
    assert record.players[1].identity == PlayerIdentity("user")


def test_a_record_is_imported_and_exported_without_loss(server: Server) -> None:
    first, _, match = pair(server, "tether-5", clock={"kind": "fischer", "initial_seconds": 60, "increment_seconds": 1})
    first.move(match, "c3")
    first.do(match, "resign")
    text = first.http.get(f"/api/matches/{match}/record.sgf").text
    copy = first.ask("POST", "/api/matches/import", 201, record=text)
    assert [step["move"] for step in copy["moves"]] == ["c3"]
    assert (copy["state"]["result"]["winner"], copy["state"]["result"]["reason"]) == (1, "resign")
    again = read(first.http.get(f"/api/matches/{copy['id']}/record.sgf").text)
    assert [node.turn for node in again.main_line()] == [node.turn for node in read(text).main_line()]
    assert first.ask("POST", "/api/matches/import", 422, record="(;GM[1]")["code"] == "bad-record"
    assert first.ask("POST", "/api/matches/import", 422, record="/etc/passwd")["code"] == "bad-record"


def test_what_is_kept_of_a_user_can_be_taken_and_erased(server: Server) -> None:
    leaving = register(server, "Leaving Soon")
    other = Client(server)
    made = leaving.create("tether-5", "invitation", seat=0)
    match = made["match"]["id"]
    other.ask("POST", f"/api/invitations/{made['invitation']}/accept")
    leaving.move(match, "c3")
    leaving.do(match, "chat", text="my address is")
    kept = leaving.ask("GET", "/api/me/export")
    assert kept["user"][0]["name"] == "Leaving Soon"
    assert [event["type"] for event in kept["events"]] == ["move-played", "chat-posted"]
    assert "password" not in str(kept)
    assert "hash" not in str(kept)
    leaving.ask("DELETE", "/api/me")
    view = other.match(match)
    assert view["seats"][0]["user"]["kind"] == "deleted"
    assert [step["move"] for step in view["moves"]] == ["c3"], "the moves are the other player's too"
    assert view["chat"][0]["data"] == {"text": "", "deleted": True}
    assert leaving.ask("GET", "/api/me")["user"] is None
    register(server, "Leaving Soon")


def test_who_watches_another_match_hears_nothing_when_a_user_is_erased(database: str) -> None:
    with serving(database) as server:
        first, _, unrelated = pair(server, "tether-5")
        leaving, _, match = pair(server, "tether-5")
        leaving.do(match, "chat", text="my address is")
        with Client(server).following(unrelated) as spectator:
            spectator.hear("snapshot")
            spectator.hear("presence")
            leaving.ask("DELETE", "/api/me")
            first.move(unrelated, "c3")
            heard = spectator.hear("snapshot", "events", "presence", "engine-status")
            assert heard["type"] == "events", "the next thing that it hears is the next thing that happens there"
            assert heard["events"][0]["data"] == {"move": "c3"}


def test_who_plays_with_an_erased_user_sees_them_gone_at_once(database: str) -> None:
    with serving(database) as server:
        leaving, other, match = pair(server, "tether-5")
        leaving.move(match, "c3")
        leaving.do(match, "chat", text="my address is")
        with other.following(match) as socket:
            assert socket.hear("snapshot")["match"]["chat"][0]["data"] == {"text": "my address is"}
            leaving.ask("DELETE", "/api/me")
            seen = socket.hear("snapshot", "events")["match"]
            assert seen["seats"][0]["user"] | {"id": ""} == {
                "id": "",
                "name": DELETED_NAME,
                "kind": "deleted",
                "level": None,
            }
            assert seen["chat"][0]["data"] == {"text": "", "deleted": True}
            assert [step["move"] for step in seen["moves"]] == ["c3"]
            other.move(match, "b2")
            assert socket.hear("snapshot", "events")["events"][0]["data"] == {"move": "b2"}


def test_conditional_moves_are_played_as_soon_as_the_other_moves(server: Server) -> None:
    first, second, match = pair(server, "tether-5", clock={"kind": "days", "days": 2})
    first.move(match, "c3")
    lines = [["b2", "d4", "d3", "e2"], ["b4", "a1"]]
    assert first.ask("PUT", f"/api/matches/{match}/conditional-moves", position_version=2, lines=lines)["lines"] == lines
    assert second.ask("GET", f"/api/matches/{match}/conditional-moves")["lines"] == [], "nobody else sees it"
    with first.following(match, after=2) as socket:
        for move, answer in (("b2", "d4"), ("d3", "e2")):
            second.move(match, move)
            played: list[str] = []
            while len(played) < 2:
                played += [event["data"]["move"] for event in socket.hear("events")["events"]]
            assert played == [move, answer]
    refused = first.ask("PUT", f"/api/matches/{match}/conditional-moves", 409, position_version=2, lines=[])
    assert refused["code"] == "stale"


def test_the_server_calls_the_flag_of_a_player_who_does_nothing(server: Server) -> None:
    first, second, match = pair(server, "tether-5", clock={"kind": "fischer", "initial_seconds": 10, "increment_seconds": 0})
    with second.following(match) as socket:
        heard = socket.hear("events")
    assert heard["events"][0]["type"] == "timed-out"
    assert heard["state"]["result"]["reason"] == "time"
    assert heard["state"]["clocks"][0]["main_ms"] == 0
    assert first.do(match, "move", 409, move="c3", position_version=1)["code"] == "not-playing"
