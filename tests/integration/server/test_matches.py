"""Matches through the API: who may do what, and what becomes of it."""

from __future__ import annotations

import threading
from typing import Any

from tests.support.server_process import Client, Server, pair, serving, top_colours


def test_two_people_play_by_invitation_and_see_each_others_moves(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    with first.following(match) as mine, second.following(match) as theirs:
        assert mine.hear("snapshot")["match"]["your_seats"] == [0]
        assert theirs.hear("snapshot")["match"]["your_seats"] == [1]
        mine.say(type="move", move="c3", position_version=1, request_id="a")
        ack, heard = mine.hear("ack"), theirs.hear("events")
        assert (ack["request_id"], ack["event"]["seq"]) == ("a", 2)
        assert (ack["events"], ack["state"]["seq"]) == (heard["events"], 2), "what is done is told once"
        assert [event["data"] for event in heard["events"]] == [{"move": "c3"}]
        assert heard["state"]["seat"] == 1
        assert top_colours(heard["state"]["position"]) == {"c3": "red"}


def test_a_repeated_move_is_acknowledged_again_and_played_once(server: Server) -> None:
    first, _, match = pair(server, "tether-5")
    once, again = (first.do(match, "move", move="c3", position_version=1, request_id="mine") for _ in range(2))
    assert once["event"] == again["event"]
    assert first.match(match)["state"]["seq"] == 2
    assert first.do(match, "move", 409, move="b2", position_version=1, request_id="mine")["code"] == "id-reused"


def test_a_stale_move_is_answered_with_the_current_state(server: Server) -> None:
    first, _, match = pair(server, "tether-5")
    first.move(match, "c3")
    refused = first.do(match, "move", 409, move="b2", position_version=1)
    assert refused["code"] == "stale"
    assert refused["details"]["state"]["state"]["position_version"] == 2


def test_only_the_owner_of_a_seat_moves_it(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    stranger = Client(server)
    assert stranger.do(match, "move", 403, move="c3", position_version=1)["code"] == "not-your-match"
    assert second.do(match, "move", 403, move="c3", position_version=1)["code"] == "not-your-turn"
    assert stranger.do(match, "resign", 403)["code"] == "not-your-match"
    assert stranger.do(match, "chat", 403, text="hello")["code"] == "not-your-match"
    assert stranger.match(match)["your_seats"] == []
    assert first.match(match)["state"]["seq"] == 1


def test_an_illegal_move_says_why_and_changes_nothing(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.move(match, "c3")
    refused = second.do(match, "move", 422, move="c3", position_version=2)
    assert refused["code"] == "illegal-move"
    assert (refused["details"]["reason"], refused["details"]["witness"]) == ("taken", ["c3"])
    assert second.match(match)["state"]["seq"] == 2


def test_of_two_who_take_one_seat_at_once_exactly_one_gets_it(server: Server) -> None:
    host = Client(server)
    match = host.create("tether-5", "open")["match"]["id"]
    guests = [Client(server) for _ in range(4)]
    codes: list[int] = []
    threads = [
        threading.Thread(target=lambda guest=guest: codes.append(guest.http.post(f"/api/matches/{match}/join").status_code))
        for guest in guests
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [200, 409, 409, 409]


def test_a_takeback_names_its_move_and_needs_the_other(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.move(match, "c3")
    second.move(match, "b2")
    assert first.do(match, "request-takeback", 403, event_seq=3)["code"] == "not-yours"
    first.do(match, "request-takeback", event_seq=2)
    assert first.do(match, "answer-takeback", 403, event_seq=2, accept=True)["code"] == "not-yours"
    state = second.do(match, "answer-takeback", event_seq=2, accept=True)["state"]
    assert (state["seat"], state["position"]["pieces"], state["move_count"]) == (0, {}, 0)
    first.move(match, "d4")


def test_draws_are_offered_only_where_a_game_has_them(server: Server) -> None:
    first, second, match = pair(server, "liger-4")
    first.do(match, "offer-draw")
    assert first.do(match, "answer-draw", 403, accept=True)["code"] == "not-yours"
    result = second.do(match, "answer-draw", accept=True)["state"]["result"]
    assert (result["winner"], result["reason"]) == (None, "agreement")
    first, _, match = pair(server, "tether-5")
    assert first.do(match, "offer-draw", 409)["code"] == "no-draws"


def test_after_a_resignation_players_meet_again_with_seats_exchanged(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.do(match, "resign")
    assert second.match(match)["state"]["result"] == {"winner": 1, "colour": "blue", "reason": "resign", "is_void": False}
    asked = first.ask("POST", f"/api/matches/{match}/rematch")
    assert asked["state"]["status"] == "waiting"
    joined = second.ask("POST", f"/api/matches/{match}/rematch")
    assert joined["id"] == asked["id"] == first.match(match)["state"]["rematch_id"]
    assert [seat["user"]["id"] for seat in joined["seats"]] == [second.user["id"], first.user["id"]]


def test_a_match_that_has_hardly_begun_can_be_aborted(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.move(match, "c3")
    assert second.do(match, "abort")["state"]["result"]["is_void"] is True
    first, second, match = pair(server, "tether-5")
    first.move(match, "c3")
    second.move(match, "b2")
    assert first.do(match, "abort", 409)["code"] == "too-late"


def test_the_lobby_tells_of_challenges_and_matches(server: Server) -> None:
    host, guest = Client(server), Client(server)
    match = host.create("liger-4", "open")["match"]["id"]
    lobby = host.ask("GET", "/api/lobby")
    assert match in [challenge["id"] for challenge in lobby["challenges"]]
    guest.ask("POST", f"/api/matches/{match}/join")
    after = host.ask("GET", "/api/lobby")
    assert match not in [challenge["id"] for challenge in after["challenges"]]
    assert match in [playing["id"] for playing in after["playing"]]
    assert after["seq"] == lobby["seq"] + 1


def test_a_bot_answers_and_lets_people_take_moves_back(server: Server) -> None:
    client = Client(server)
    match = client.create("tether-3", "bot", level=1, seat=0)["match"]["id"]
    with client.following(match) as socket:
        socket.hear("snapshot")
        socket.say(type="move", move="b2", position_version=1, request_id="1")
        moves: list[Any] = []
        while len(moves) < 2:
            moves += [event for event in socket.hear("ack", "events")["events"] if event["type"] == "move-played"]
        assert moves[1]["user_id"] == "level-1"
        socket.say(type="request-takeback", event_seq=moves[0]["seq"], request_id="2")
        while socket.hear("ack", "events")["state"]["move_count"]:
            pass


def test_a_server_that_is_asked_to_end_does_so_and_goes_on_where_it_was(database: str) -> None:
    with serving(database) as server:
        first, second, match = pair(server, "tether-5")
        first.move(match, "c3")
        assert server.stop() == 0
        server.restart()
        second.move(match, "b2")
        assert [step["move"] for step in first.match(match)["moves"]] == ["c3", "b2"]
