"""Matches on a server process: two players, a built-in bot, and a restart."""

from __future__ import annotations

from typing import Any

from tests.support.server_process import Client, Server, find_top_colours, run_server, start_match


def test_two_people_play_by_invitation_and_see_each_others_moves(server: Server) -> None:
    first, second, match = start_match(server, "tether-5")
    with first.follow(match) as mine, second.follow(match) as theirs:
        assert mine.receive("snapshot")["match"]["your_seats"] == [0]
        assert theirs.receive("snapshot")["match"]["your_seats"] == [1]
        mine.send(type="move", move="c3", position_version=1, request_id="a")
        ack, message = mine.receive("ack"), theirs.receive("events")
        assert (ack["request_id"], ack["event"]["seq"]) == ("a", 2)
        assert (ack["events"], ack["state"]["seq"]) == (message["events"], 2), "what is done is told once"
        assert [event["data"] for event in message["events"]] == [{"move": "c3"}]
        assert message["state"]["seat"] == 1
        assert find_top_colours(message["state"]["position"]) == {"c3": "red"}


def test_a_bot_answers_and_lets_people_take_moves_back(server: Server) -> None:
    client = Client(server)
    match = client.create_match("tether-3", "bot", level=1, seat=0)["match"]["id"]
    with client.follow(match) as socket:
        socket.receive("snapshot")
        socket.send(type="move", move="b2", position_version=1, request_id="1")
        moves: list[Any] = []
        while len(moves) < 2:
            moves += [event for event in socket.receive("ack", "events")["events"] if event["type"] == "move-played"]
        assert moves[1]["user_id"] == "level-1"
        socket.send(type="request-takeback", event_seq=moves[0]["seq"], request_id="2")
        while socket.receive("ack", "events")["state"]["move_count"]:
            pass


def test_a_stopped_server_goes_on_after_a_restart(database: str) -> None:
    with run_server(database) as server:
        first, second, match = start_match(server, "tether-5")
        first.play(match, "c3")
        assert server.stop() == 0
        server.restart()
        second.play(match, "b2")
        assert [step["move"] for step in first.get_match(match)["moves"]] == ["c3", "b2"]
