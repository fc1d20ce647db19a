"""Sockets of server processes: a client that reconnects misses nothing, on one server and on two."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosedError

from ropewalk.server.api.websocket import CLOSE_SESSION_ENDED
from ropewalk.server.db.user_repository import USER_CACHE_SECONDS
from tests.support.postgres import Cluster
from tests.support.server_process import Client, Server, Socket, create_account, run_server, start_match

FEW_SECONDS = 5.0  # in which one server must learn of what another has written
ONE_SECOND = 1.0  # the same for names, words and sessions; a socket may wait for each message so long


class Reader:
    """A client that builds the match from messages only, and knows the seq of the last event."""

    def __init__(self, client: Client, match: str) -> None:
        self.client, self.match = client, match
        self.seq: int | None = None
        self.events: list[Any] = []
        self.state: Any = None

    def read(self, socket: Socket) -> None:
        """Read the next snapshot or events."""
        message = socket.receive("snapshot", "events")
        if message["type"] == "snapshot":
            self.state = message["match"]["state"]
            assert self.seq is None, "a client that names its last event gets events, no snapshot"
        else:
            assert message["events"][0]["seq"] == (self.seq or 0) + 1, "no event is lost or sent twice"
            self.events += message["events"]
            self.state = message["state"]
        self.seq = self.state["seq"]


def test_a_connection_cut_after_every_message_loses_nothing(server: Server) -> None:
    first, second, match = start_match(
        server, "tether-5", clock={"kind": "fischer", "initial_seconds": 600, "increment_seconds": 5}
    )
    readers = [Reader(first, match), Reader(second, match)]
    rng = random.Random(5)
    for reader in readers:
        with reader.client.follow(match) as socket:
            reader.read(socket)
    while readers[0].state["status"] == "playing":
        mover = readers[readers[0].state["seat"]]
        move = rng.choice(mover.state["position"]["moves"])
        mover.client.act(match, "move", move=move, position_version=mover.state["position_version"])
        for reader in readers:
            with reader.client.follow(match, after=reader.seq) as socket:  # cut after a single message
                reader.read(socket)
        truth = first.get_match(match)
        assert all(reader.seq == truth["state"]["seq"] for reader in readers)
        assert all(reader.state["position"] == truth["state"]["position"] for reader in readers)
    assert readers[0].events == readers[1].events == first.request("GET", f"/api/matches/{match}/events")[1:]


def test_presence_follows_the_connections(server: Server) -> None:
    first, second, match = start_match(server, "tether-5")
    stranger = Client(server)
    with first.follow(match) as mine:
        assert mine.receive("presence")["presence"] == {"seats": [True, False], "watchers": 0}
        with second.follow(match), stranger.follow(match):
            while mine.receive("presence")["presence"] != {"seats": [True, True], "watchers": 1}:
                pass
        while mine.receive("presence")["presence"] != {"seats": [True, False], "watchers": 0}:
            pass


@pytest.fixture(scope="module")  # the last test that uses them kills one
def two_servers(cluster: Cluster) -> Any:
    database = cluster.new_database()
    with run_server(database) as one, run_server(database) as other:
        yield one, other


def test_servers_exchange_presence_also_when_many_users_connect_at_once(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")
    strangers = [Client(one) for _ in range(8)]
    with second.follow(match, server=other) as there, ExitStack() as crowd:
        with ThreadPoolExecutor(8) as together:
            list(together.map(lambda who: crowd.enter_context(who.follow(match)), (first, *strangers)))
        while there.receive("presence")["presence"] != {"seats": [True, True], "watchers": 8}:
            pass


def test_a_challenge_appears_in_the_lobby_of_another_server(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    host, watcher = Client(one), Client(other)
    with watcher.follow_lobby() as lobby:
        lobby.receive("snapshot")
        match = host.create_match("liger-4", "open")["match"]["id"]
        events = lobby.receive("events", timeout_seconds=FEW_SECONDS)["events"]
    assert [(event["type"], event["match"]["id"]) for event in events] == [("challenge-opened", match)]


def test_a_bots_stream_reports_a_match_that_was_created_on_another_server(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    owner, guest = create_account(one, "Owner of a far bot"), Client(one)
    bearer = {"Authorization": f"Bearer {owner.request('POST', '/api/bots', 201, name='Far Bot')['token']}"}
    with httpx.stream("GET", f"{other.url}/api/me/events", headers=bearer, timeout=FEW_SECONDS) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "", "the stream has begun"
        opponent = {"kind": "user", "name": "far bot"}
        created = guest.request("POST", "/api/matches", 201, spec="tether-3", seat=0, opponent=opponent)["match"]
        line = json.loads(next(lines))
    assert (line["match_id"], line["seats"], line["moves"]) == (created["id"], [1], [])
    assert [event["type"] for event in line["events"]] == ["match-started"]


def test_presence_is_the_same_on_a_server_that_nobody_follows_the_match_on(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")

    def presence_there() -> Any:
        return get_match_from(other, second, match)["presence"]

    with first.follow(match), Client(one).follow(match):
        wait_until(lambda: presence_there() == {"seats": [True, False], "watchers": 1}, FEW_SECONDS)
    wait_until(lambda: presence_there() == {"seats": [False, False], "watchers": 0}, FEW_SECONDS)


def test_servers_agree_again_after_the_loss_of_their_connections(
    two_servers: tuple[Server, Server], cluster: Cluster
) -> None:
    one, other = two_servers
    owner = create_account(one, "Owner of a lost bot")
    bearer = {"Authorization": f"Bearer {owner.request('POST', '/api/bots', 201, name='Lost Bot')['token']}"}
    first, second, match = start_match(one, "tether-5")
    watcher = Client(other)
    with (
        watcher.follow_lobby() as lobby,
        first.follow(match),
        second.follow(match, server=other) as there,
        httpx.stream("GET", f"{other.url}/api/me/events", headers=bearer, timeout=4 * FEW_SECONDS) as stream,
    ):
        lines = stream.iter_lines()
        assert next(lines) == ""
        lobby.receive("snapshot")
        while there.receive("presence")["presence"]["seats"] != [True, True]:
            pass
        cluster.end_connections()
        first.http.post(f"/api/matches/{match}/actions", json={"type": "chat", "text": "lost?"})
        opponent = {"kind": "user", "name": "lost bot"}
        request = {"spec": "tether-3", "seat": 0, "opponent": opponent, "public": True}
        while (created := Client(one).http.post("/api/matches", json=request)).status_code != 201:
            assert created.status_code == 503
        assert lobby.receive("events", timeout_seconds=2 * FEW_SECONDS)["events"][-1]["type"] == "match-started"
        line = next(line for line in lines if line)
        assert json.loads(line)["match_id"] == created.json()["match"]["id"]
        wait_until(lambda: get_match_from(other, second, match)["presence"]["seats"] == [True, True], 2 * FEW_SECONDS)


def test_a_guest_who_gets_an_account_has_the_new_name_on_another_server(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, _, match = start_match(one, "tether-5")
    assert get_match_from(other, first, match)["seats"][0]["user"]["kind"] == "guest"
    first.request("POST", "/api/accounts", 201, name="Known Everywhere", password="a long password")
    wait_until(lambda: get_match_from(other, first, match)["seats"][0]["user"]["name"] == "Known Everywhere")
    assert first.http.get(f"{other.url}/api/me").json()["user"]["kind"] == "account"


def test_a_deleted_user_has_no_name_on_another_server(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")
    assert get_match_from(other, first, match)["seats"][0]["user"] == first.user
    first.request("DELETE", "/api/me")
    wait_until(lambda: get_match_from(other, second, match)["seats"][0]["user"]["kind"] == "deleted")


def test_a_mute_is_effective_on_another_server(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")
    second.act(match, "chat", text="hello")

    def is_muted() -> bool:
        return bool(get_match_from(other, first, match)["chat"][0]["data"].get("muted"))

    assert not is_muted()
    first.request("PUT", f"/api/me/mutes/{second.user['id']}")
    wait_until(is_muted)
    first.request("DELETE", f"/api/me/mutes/{second.user['id']}")
    wait_until(lambda: not is_muted())


def test_a_socket_on_another_server_learns_of_new_names_mutes_and_erasures(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")
    first.act(match, "chat", text="my address is")
    with second.follow(match, server=other) as there:
        seen = there.receive("snapshot")["match"]
        assert (seen["seats"][0]["user"], seen["chat"][0]["data"]) == (first.user, {"text": "my address is"})
        first.request("POST", "/api/accounts", 201, name="Renamed Afar", password="a long password")
        seen = there.receive("snapshot", timeout_seconds=ONE_SECOND)["match"]
        assert seen["seats"][0]["user"]["name"] == "Renamed Afar"
        second.request("PUT", f"/api/me/mutes/{first.user['id']}")
        seen = there.receive("snapshot", timeout_seconds=ONE_SECOND)["match"]
        assert seen["chat"][0]["data"] == {"text": "", "muted": True}
        second.request("DELETE", f"/api/me/mutes/{first.user['id']}")
        assert there.receive("snapshot", timeout_seconds=ONE_SECOND)["match"]["chat"][0]["data"]["text"] == "my address is"
        first.request("DELETE", "/api/me")
        seen = there.receive("snapshot", timeout_seconds=ONE_SECOND)["match"]
        assert (seen["seats"][0]["user"]["kind"], seen["chat"][0]["data"]) == ("deleted", {"text": "", "deleted": True})
        second.act(match, "chat", text="gone?")
        assert there.receive("events", "snapshot")["type"] == "events", "one snapshot for one change"


def test_a_session_that_ends_closes_its_sockets_and_streams_on_another_server(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")
    owner = create_account(one, "Owner of far tokens")
    created = owner.request("POST", "/api/bots", 201, name="Bot of far tokens")
    bearer = {"Authorization": f"Bearer {created['token']}"}
    with first.follow(match, server=other) as leaving, second.follow(match, server=other) as staying:
        leaving.receive("snapshot")
        staying.receive("snapshot")
        first.request("DELETE", "/api/sessions/current")
        with pytest.raises(ConnectionClosedError, match=str(CLOSE_SESSION_ENDED)):
            leaving.receive("never", timeout_seconds=ONE_SECOND)
        second.act(match, "chat", text="still here")
        assert staying.receive("events")["events"][0]["data"] == {"text": "still here"}
    with httpx.stream("GET", f"{other.url}/api/me/events", headers=bearer, timeout=FEW_SECONDS) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "", "the stream has begun"
        bots = owner.request("GET", "/api/me/bots")
        owner.request("DELETE", f"/api/me/bots/{bots[0]['bot']['id']}/tokens/{bots[0]['tokens'][0]['id']}")
        assert list(lines) == [], "the stream ends"
    assert httpx.get(f"{other.url}/api/me", headers=bearer).json() == {"user": None}


def get_match_from(server: Server, client: Client, match: str) -> Any:
    """Return a match as a server sends it to a client of another one."""
    return client.http.get(f"{server.url}/api/matches/{match}").json()


def wait_until(is_so: Callable[[], bool], seconds: float = USER_CACHE_SECONDS / 2) -> None:
    """Wait until a condition holds; by default not for so long that cached data expire."""
    until = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < until, f"not within {seconds} s"
        time.sleep(0.05)


def test_two_servers_with_one_database_serve_the_same_matches(two_servers: tuple[Server, Server]) -> None:
    one, other = two_servers
    first, second, match = start_match(one, "tether-5")
    with first.follow(match) as here, second.follow(match, server=other) as there:
        here.receive("snapshot")
        there.receive("snapshot")
        while there.receive("presence")["presence"]["seats"] != [True, True]:
            pass
        here.send(type="move", move="c3", position_version=1)
        assert there.receive("events")["events"][0]["data"] == {"move": "c3"}
        there.send(type="move", move="b2", position_version=2)
        assert here.receive("ack")["events"][-1]["data"] == {"move": "c3"}
        assert here.receive("events")["events"][0]["data"] == {"move": "b2"}
        # The same player moves on both servers at once: exactly one of the moves is taken.
        with first.follow(match, server=other) as double:
            for socket, move in ((here, "d4"), (double, "d5")):
                socket.send(type="move", move=move, position_version=3)
            responses = [here.receive("ack", "error"), double.receive("ack", "error")]
        assert sorted(response["type"] for response in responses) == ["ack", "error"]
        error = next(response for response in responses if response["type"] == "error")
        assert error["code"] == "stale"
        assert error["details"]["match"]["state"]["seq"] == 4
        there.receive("ack")
        # The same message reaches both at once: it becomes one event, and both say which.
        with second.follow(match, server=one) as double:
            for socket in (double, there):
                socket.send(type="move", move="b3", position_version=4, request_id="once")
            assert [socket.receive("ack")["event"]["seq"] for socket in (double, there)] == [5, 5]
    with first.follow(match, server=one), second.follow(match, server=other) as there:
        while there.receive("presence")["presence"]["seats"] != [True, True]:
            pass
        one.kill()
        while there.receive("presence", timeout_seconds=3 * FEW_SECONDS)["presence"]["seats"] != [False, True]:
            pass
    second.http.base_url = other.url
    first.http.base_url = other.url
    first.play(match)
    with first.follow(match, after=5, server=other) as socket:
        assert socket.receive("events")["events"][0]["seq"] == 6
