"""Matches through the API: who may do what, and what becomes of it."""

from __future__ import annotations

import threading
from typing import Any

from .running import Client, Server, pair, serving


def test_two_people_play_by_invitation_and_see_each_others_moves(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    with first.following(match) as mine, second.following(match) as theirs:
        assert mine.hear("state")["match"]["yours"] == [0]
        assert theirs.hear("state")["match"]["yours"] == [1]
        mine.say(do="move", move="c3", after=1, id="a")
        done, heard = mine.hear("done"), theirs.hear("events")
        assert (done["id"], done["event"]["number"]) == ("a", 2)
        assert (done["events"], done["now"]["number"]) == (heard["events"], 2), "what is done is told once"
        assert [event["data"] for event in heard["events"]] == [{"move": "c3"}]
        assert heard["now"]["seat"] == 1
        assert heard["now"]["position"]["contents"] == {"c3": "r"}


def test_a_repeated_move_is_acknowledged_again_and_played_once(server: Server) -> None:
    first, _, match = pair(server, "tether-5")
    once, again = (first.do(match, "move", move="c3", after=1, id="mine") for _ in range(2))
    assert once["event"] == again["event"]
    assert first.match(match)["now"]["number"] == 2
    assert first.do(match, "move", 409, move="b2", after=1, id="mine")["code"] == "id-reused"


def test_a_stale_move_is_answered_with_the_current_state(server: Server) -> None:
    first, _, match = pair(server, "tether-5")
    first.move(match, "c3")
    refused = first.do(match, "move", 409, move="b2", after=1)
    assert refused["code"] == "stale"
    assert refused["state"]["now"]["standing"] == 2


def test_only_the_owner_of_a_seat_moves_it(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    stranger = Client(server)
    assert stranger.do(match, "move", 403, move="c3", after=1)["code"] == "not-your-match"
    assert second.do(match, "move", 403, move="c3", after=1)["code"] == "not-your-turn"
    assert stranger.do(match, "resign", 403)["code"] == "not-your-match"
    assert stranger.do(match, "chat", 403, text="hello")["code"] == "not-your-match"
    assert stranger.match(match)["yours"] == []
    assert first.match(match)["now"]["number"] == 1


def test_an_illegal_move_says_why_and_changes_nothing(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.move(match, "c3")
    refused = second.do(match, "move", 422, move="c3", after=2)
    assert (refused["code"], refused["reason"], refused["witness"]) == ("illegal-move", "taken", ["c3"])
    assert second.match(match)["now"]["number"] == 2


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
    assert first.do(match, "ask-takeback", 403, of=3)["code"] == "not-yours"
    first.do(match, "ask-takeback", of=2)
    assert first.do(match, "answer-takeback", 403, of=2, accept=True)["code"] == "not-yours"
    now = second.do(match, "answer-takeback", of=2, accept=True)["now"]
    assert (now["seat"], now["position"]["contents"], now["steps"]) == (0, {}, 0)
    first.move(match, "d4")


def test_draws_are_offered_only_where_a_game_has_them(server: Server) -> None:
    first, second, match = pair(server, "liger-4")
    first.do(match, "offer-draw")
    assert first.do(match, "answer-draw", 403, accept=True)["code"] == "not-yours"
    result = second.do(match, "answer-draw", accept=True)["now"]["result"]
    assert (result["winner"], result["reason"]) == (None, "agreement")
    first, _, match = pair(server, "tether-5")
    assert first.do(match, "offer-draw", 409)["code"] == "no-draws"


def test_after_a_resignation_players_meet_again_with_seats_exchanged(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.do(match, "resign")
    assert second.match(match)["now"]["result"] == {"winner": 1, "colour": "blue", "reason": "resign", "counts": True}
    asked = first.ask("POST", f"/api/matches/{match}/rematch")
    assert asked["now"]["status"] == "waiting"
    joined = second.ask("POST", f"/api/matches/{match}/rematch")
    assert joined["id"] == asked["id"] == first.match(match)["now"]["rematch"]
    assert [seat["user"]["id"] for seat in joined["seats"]] == [second.user["id"], first.user["id"]]


def test_a_match_that_has_hardly_begun_can_be_aborted(server: Server) -> None:
    first, second, match = pair(server, "tether-5")
    first.move(match, "c3")
    assert second.do(match, "abort")["now"]["result"]["counts"] is False
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
    assert after["number"] == lobby["number"] + 1


def test_a_bot_answers_and_lets_people_take_moves_back(server: Server) -> None:
    client = Client(server)
    match = client.create("tether-3", "bot", level=1, seat=0)["match"]["id"]
    with client.following(match) as socket:
        socket.hear("state")
        socket.say(do="move", move="b2", after=1, id="1")
        moves: list[Any] = []
        while len(moves) < 2:
            moves += [event for event in socket.hear("done", "events")["events"] if event["kind"] == "step"]
        assert moves[1]["user"] == "level-1"
        socket.say(do="ask-takeback", of=moves[0]["number"], id="2")
        while socket.hear("done", "events")["now"]["steps"]:
            pass


def test_a_server_that_is_asked_to_end_does_so_and_goes_on_where_it_was(database: str) -> None:
    with serving(database) as server:
        first, second, match = pair(server, "tether-5")
        first.move(match, "c3")
        assert server.stop() == 0
        server.restart()
        second.move(match, "b2")
        assert [step["move"] for step in first.match(match)["steps"]] == ["c3", "b2"]
