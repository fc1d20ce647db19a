"""A database that hangs: health answers, players get errors in time, and afterwards everything goes on."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from ropewalk.server.heartbeat import INTERVAL_SECONDS
from tests.support.postgres import Cluster
from tests.support.server_process import Client, Server, Socket, run_server, start_match

TIMEOUT_SECONDS = 2.0
ANSWER_SECONDS = 6 * TIMEOUT_SECONDS  # on a busy machine; a request makes one or two attempts
CLOCK = {"kind": "fischer", "initial_seconds": 300}


@pytest.fixture
def own_cluster() -> Iterator[Cluster]:
    created = Cluster()
    created.start()
    try:
        yield created
    finally:
        created.stop()


def require_health(server: Server, path: str, status: int) -> None:
    """Require the status of a health check, and that the fastest of three answers within a second."""
    durations = []
    with httpx.Client(timeout=ANSWER_SECONDS) as client:
        for _ in range(3):
            started = time.monotonic()
            response = client.get(f"{server.url}/api/health{path}")
            durations.append(time.monotonic() - started)
    assert response.status_code == status
    assert min(durations) < 1


def repeat_until_stored(socket: Socket, **action: Any) -> Any:
    """Send an action with its request id again and again until it is acknowledged, and return its event."""
    until = time.monotonic() + 60
    while time.monotonic() < until:
        socket.send(**action)
        answer = socket.receive("ack", "error")
        if answer["type"] == "ack":
            return answer["event"]
        assert answer["code"] in ("storage", "storage-timeout", "busy"), answer
        time.sleep(0.1)
    raise AssertionError("the action was never acknowledged")


def wait_until_ready(server: Server) -> None:
    """Wait until the server says that it is ready."""
    until = time.monotonic() + 60
    while httpx.get(f"{server.url}/api/health/ready", timeout=60).status_code != 200:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_a_paused_database_hangs_nobody_and_loses_nothing(own_cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_DATABASE_TIMEOUT_SECONDS", str(TIMEOUT_SECONDS))
    with run_server(own_cluster.new_database()) as server:
        first, second, match = start_match(server, "tether-5", clock=CLOCK)
        stored = [first.play(match, "c3")["event"]]
        wait_until_ready(server)
        with second.follow(match) as socket:
            socket.receive("snapshot")
            own_cluster.pause()
            try:
                time.sleep(INTERVAL_SECONDS)
                require_health(server, "/live", 200)
                require_health(server, "/ready", 503)
                require_health(server, "", 200)
                move = {"type": "move", "move": "b2", "position_version": 2, "request_id": "during the pause"}
                started = time.monotonic()
                socket.send(**move)
                answer = socket.receive("ack", "error")
                assert time.monotonic() - started < ANSWER_SECONDS
                assert (answer["code"], answer["details"]["limit"]) == ("storage-timeout", TIMEOUT_SECONDS)
                started = time.monotonic()
                assert first.http.get(f"/api/matches/{match}").json()["code"] == "storage-timeout"
                assert time.monotonic() - started < ANSWER_SECONDS
            finally:
                own_cluster.resume()
            stored.append(repeat_until_stored(socket, **move))
        wait_until_ready(server)
        stored.append(first.play(match, "d4")["event"])
        require_log(first, match, stored)


def require_log(client: Client, match: str, stored: list[Any]) -> None:
    """Require that the log has each acknowledged move once, and an event for the time in which nothing could be stored."""
    events = client.request("GET", f"/api/matches/{match}/events")
    assert [event for event in events if event["type"] == "move-played"] == stored
    outages = [event for event in events if event["type"] == "outage-compensated"]
    assert sum(event["data"]["milliseconds"] for event in outages) >= TIMEOUT_SECONDS * 1000


def test_a_locked_file_hangs_nobody_and_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_DATABASE_TIMEOUT_SECONDS", str(TIMEOUT_SECONDS))
    file = tmp_path / "matches.db"
    with run_server(str(file)) as server:
        first, second, match = start_match(server, "tether-5", clock=CLOCK)
        stored = [first.play(match, "c3")["event"]]
        with second.follow(match) as socket, closing(sqlite3.connect(file, isolation_level=None)) as other:
            socket.receive("snapshot")
            other.execute("BEGIN IMMEDIATE")
            time.sleep(INTERVAL_SECONDS)
            require_health(server, "/ready", 503)
            require_health(server, "/live", 200)
            move = {"type": "move", "move": "b2", "position_version": 2, "request_id": "during the lock"}
            started = time.monotonic()
            socket.send(**move)
            assert socket.receive("ack", "error")["code"] == "storage"
            assert time.monotonic() - started < ANSWER_SECONDS
            other.execute("ROLLBACK")
            stored.append(repeat_until_stored(socket, **move))
        wait_until_ready(server)
        require_log(first, match, stored)
