"""Every message and response has exactly the fields of its model: `model_construct` does not check names."""

from __future__ import annotations

import json
from typing import Any, get_args

import httpx
import pytest
from pydantic import TypeAdapter

from ropewalk.server.api.routes.games import AnalysisView
from ropewalk.server.api.routes.matches import ConditionalMovesView
from ropewalk.server.api.schemas.games import Explanation, GameEntry, GameView, PositionView
from ropewalk.server.api.schemas.matches import (
    ActionResponse,
    BotStreamMessage,
    CreateMatchResponse,
    EventView,
    LobbyView,
    MatchSummary,
    MatchView,
    PlayerView,
)
from ropewalk.server.api.schemas.messages import LobbyMessage, MatchMessage
from ropewalk.server.domain.events import EventType, LobbyEventType
from tests.support.server_process import Client, Server, Socket, pair, register

EVENT_DATA: dict[str, set[str]] = {
    "match-started": {"seats"},
    "move-played": {"move"},
    "takeback-requested": {"event_seq"},
    "takeback-accepted": {"event_seq"},
    "takeback-declined": {"event_seq"},
    "draw-offered": set(),
    "draw-accepted": set(),
    "draw-declined": set(),
    "resigned": set(),
    "timed-out": set(),
    "aborted": set(),
    "imported": {"winner", "reason"},
    "rematch-created": {"match_id"},
    "chat-posted": {"text"},
}
CLOCK = {"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5}
TAKEBACK = {"type": "request-takeback", "event_seq": 3}


def require_exact(model: Any, text: str | bytes) -> Any:
    """Return the JSON of a text, which must have all fields of the model and no others, at every depth."""
    adapter, value = TypeAdapter(model), json.loads(text)
    assert adapter.dump_python(adapter.validate_json(text), mode="json") == value
    return value


def get_exact(client: Client, model: Any, method: str, path: str, **body: Any) -> Any:
    """Send a request and return its response, which must be exactly of the model."""
    response = client.http.request(method, f"/api/{path}", json=body or None)
    assert response.is_success, response.text
    return require_exact(model, response.content)


def read_until(socket: Socket, model: Any, *types: str) -> Any:
    """Return the next message of one of these types; every message until then must be exactly of the model."""
    while True:
        message = require_exact(model, socket.socket.recv(timeout=60))
        if message["type"] in types:
            return message


@pytest.mark.parametrize("model", [MatchMessage, LobbyMessage])
def test_a_field_that_is_unknown_or_missing_is_found(model: Any) -> None:
    error: dict[str, Any] = {"type": "error", "request_id": None, "code": "stale", "message": "", "details": {}}
    require_exact(model, json.dumps(error))
    with pytest.raises(AssertionError):
        require_exact(model, json.dumps(error | {"limit": 1}))
    with pytest.raises(ValueError, match="details"):
        require_exact(model, json.dumps({key: value for key, value in error.items() if key != "details"}))


def test_every_message_of_a_match_has_the_fields_of_its_model(server: Server) -> None:
    first, second, match = pair(server, "liger-4", clock=CLOCK)
    with first.following(match) as mine, second.following(match) as theirs:
        read_until(mine, MatchMessage, "snapshot")
        assert len(read_until(mine, MatchMessage, "presence")["presence"]["seats"]) == 2
        read_until(theirs, MatchMessage, "snapshot")
        moves = first.match(match)["state"]["position"]["moves"]
        move = {"type": "move", "move": moves[0], "position_version": 1, "request_id": "a"}
        ack = act(mine, **move)
        assert (ack["type"], ack["request_id"], ack["event"]["seq"]) == ("ack", "a", 2)
        assert read_until(theirs, MatchMessage, "events")["events"] == ack["events"]
        stale = act(mine, **move | {"request_id": "b"})
        assert (stale["type"], stale["code"], stale["request_id"]) == ("error", "stale", "b")
        require_exact(MatchView, json.dumps(stale["details"]["match"]))
        illegal = act(theirs, type="move", move=moves[0], position_version=2)
        assert (illegal["code"], set(illegal["details"])) == ("illegal-move", {"move", "reason", "witness", "rule"})
        assert act(mine, type="dance")["code"] == "bad-request"
        other_moves = first.match(match)["state"]["position"]["moves"]
        act(theirs, type="move", move=other_moves[0], position_version=2)
        assert act(theirs, **TAKEBACK)["state"]["takeback"] == {"seat": 1, "event_seq": 3}
        act(mine, type="answer-takeback", event_seq=3, accept=False)
        act(theirs, **TAKEBACK)
        act(mine, type="answer-takeback", event_seq=3, accept=True)
        assert act(mine, type="offer-draw")["state"]["draw_offered_by"] == 0
        act(theirs, type="answer-draw", accept=False)
        act(mine, type="chat", text="hello")
        assert act(mine, type="resign")["state"]["result"]["reason"] == "resign"
        get_exact(second, MatchView, "POST", f"matches/{match}/rematch")
        read_until(theirs, MatchMessage, "events")
    log = get_exact(first, list[EventView], "GET", f"matches/{match}/events")
    assert all(set(event["data"]) == EVENT_DATA[event["type"]] for event in log)
    assert len({event["type"] for event in log}) == 10


def act(socket: Socket, **action: Any) -> Any:
    """Send an action and return its acknowledgement or error."""
    socket.say(**action)
    return read_until(socket, MatchMessage, "ack", "error")


def test_every_type_of_event_has_its_data() -> None:
    assert set(EVENT_DATA) == set(get_args(EventType))


def test_the_status_of_an_engine_is_a_message_and_its_move_names_it(server: Server) -> None:
    client = Client(server)
    match = client.create("tether-3", "bot", level=1, seat=0)["match"]["id"]
    with client.following(match) as socket:
        assert act(socket, type="move", move="b2", position_version=1)["type"] == "ack"
        while read_until(socket, MatchMessage, "engine-status")["engine_status"] is not None:
            pass
    event = get_exact(client, list[EventView], "GET", f"matches/{match}/events?after=2")[0]
    assert (event["type"], event["user_id"], set(event["data"])) == ("move-played", "level-1", {"move", "engine"})
    view = get_exact(client, MatchView, "GET", f"matches/{match}")
    assert view["seats"][1]["user"]["kind"] == "builtin-bot"


def test_every_message_of_the_lobby_has_the_fields_of_its_model(server: Server) -> None:
    host, guest = Client(server), Client(server)
    with host.following_lobby() as socket:
        before = read_until(socket, LobbyMessage, "snapshot")["lobby"]["seq"]
        match = get_exact(host, CreateMatchResponse, "POST", "matches", spec="liger-4", opponent={"kind": "open"})["match"][
            "id"
        ]
        withdrawn = host.create("liger-4", "open")["match"]["id"]
        assert match in [challenge["id"] for challenge in get_exact(guest, LobbyView, "GET", "lobby")["challenges"]]
        get_exact(guest, MatchView, "POST", f"matches/{match}/join")
        guest.do(match, "resign")
        host.do(withdrawn, "abort")
        events: list[Any] = []
        while len(events) < 5:
            events += read_until(socket, LobbyMessage, "events")["events"]
    assert [event["seq"] for event in events] == list(range(before + 1, before + 6))
    assert {event["type"] for event in events} == set(get_args(LobbyEventType))
    assert {event["match_id"] for event in events} == {match, withdrawn}


def test_every_response_of_a_match_has_the_fields_of_its_model(server: Server) -> None:
    first, second = register(server, "Exact One"), register(server, "Exact Two")
    made = get_exact(first, CreateMatchResponse, "POST", "matches", spec="tether-3", seat=0, rated=True,
                     opponent={"kind": "invitation"}, clock={"kind": "days", "days": 2})  # fmt: skip
    match, invitation = made["match"]["id"], f"invitations/{made['invitation']}"
    get_exact(second, MatchSummary, "GET", invitation)
    get_exact(second, MatchView, "POST", f"{invitation}/accept")
    done = get_exact(first, ActionResponse, "POST", f"matches/{match}/actions", type="move", move="b2", position_version=1)
    assert done["event"]["seq"] == done["state"]["position_version"] == 2
    moves = f"matches/{match}/conditional-moves"
    get_exact(first, ConditionalMovesView, "PUT", moves, position_version=2, lines=[["a1", "c3"]])
    get_exact(first, ConditionalMovesView, "GET", moves)
    second.do(match, "resign")
    get_exact(first, list[MatchSummary], "GET", "me/matches")
    get_exact(first, PlayerView, "GET", "players/Exact One")
    record = first.http.get(f"/api/matches/{match}/record.sgf").text
    copy = get_exact(first, MatchView, "POST", "matches/import", record=record)
    imported = get_exact(first, list[EventView], "GET", f"matches/{copy['id']}/events")[-1]
    assert (imported["type"], set(imported["data"])) == ("imported", EVENT_DATA["imported"])


def test_every_response_of_games_and_positions_has_the_fields_of_its_model(server: Server) -> None:
    client = Client(server)
    get_exact(client, list[GameEntry], "GET", "games")
    get_exact(client, GameView, "GET", "games/laocoon-weave")
    moves = ["g8", "a4", "d3", "f7", "g8-f8", "f7-e7"]
    assert get_exact(client, PositionView, "POST", "positions", spec="laocoon-weave", moves=moves)["controlled"]
    get_exact(client, list[PositionView], "POST", "positions/line", spec="tether-3", moves=["b2", "a1"])
    legal = get_exact(client, Explanation, "POST", "positions/explain", spec="tether-3", moves=["b2"], move="a1")
    assert legal["resulting_position"]["pieces"]
    illegal = get_exact(client, Explanation, "POST", "positions/explain", spec="tether-3", moves=["b2"], move="b2")
    assert illegal["illegal"]["reason"] == "taken"
    analysis = get_exact(client, AnalysisView, "POST", "positions/analyse", spec="tether-3", level=1, seconds=0.1)
    assert analysis["certainty"] in ("proven", "table", "estimate")


def test_every_line_of_a_bots_stream_has_the_fields_of_its_model(server: Server) -> None:
    owner, guest = register(server, "Exact Owner"), Client(server)
    token = owner.ask("POST", "/api/bots", 201, name="Exact Bot")["token"]
    made = guest.ask("POST", "/api/matches", 201, spec="tether-3", seat=0, opponent={"kind": "user", "name": "Exact Bot"})
    bearer = {"Authorization": f"Bearer {token}"}
    with httpx.stream("GET", f"{server.url}/api/me/events", headers=bearer, timeout=60) as stream:
        line = next(line for line in stream.iter_lines() if line)
    assert require_exact(BotStreamMessage, line)["match_id"] == made["match"]["id"]
