"""Clocks of real servers: wrong wall clocks and times without a server cost no player anything."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.postgres import Cluster
from tests.support.server_process import Client, Server, run_server, start_match

OUTAGE_SECONDS = 4.5
CLOCK = {"kind": "fischer", "initial_seconds": 60}


def list_outages(client: Client, match: str) -> list[Any]:
    """Return the events of a match that compensate outages."""
    events = client.request("GET", f"/api/matches/{match}/events")
    return [event for event in events if event["type"] == "outage-compensated"]


def test_a_wall_clock_that_jumps_forward_flags_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROPEWALK_CLOCK_OFFSET_FILE", str(tmp_path / "offset"))
    with run_server(str(tmp_path / "matches.db")) as server:
        first, _, match = start_match(server, "tether-5", clock=CLOCK)
        (tmp_path / "offset").write_text("90000")
        time.sleep(2.5)
        state = first.get_match(match)["state"]
        assert state["status"] == "playing"
        assert state["clocks"][0]["main_ms"] > 10_000  # on a busy machine; after the jump nothing would be left
        health = httpx.get(f"{server.url}/api/health").json()
        assert health["status"] == "degraded"
        assert health["clock_difference_seconds"] == pytest.approx(90, abs=0.5)
        metrics = httpx.get(f"{server.url}/metrics").text
        assert "ropewalk_clock_difference_seconds 90." in metrics or "ropewalk_clock_difference_seconds 89.9" in metrics
        server.stop()
        server.restart()
        assert first.get_match(match)["state"]["clocks"][0]["main_ms"] > 10_000, "nor does the jump count after a restart"
        (tmp_path / "offset").write_text("0")
        server.stop()
        server.restart()
        state = first.get_match(match)["state"]
        assert 0 < state["clocks"][0]["main_ms"] < 60_000, "nor a jump back"


def test_servers_whose_clocks_differ_flag_nobody(cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = cluster.new_database()
    with run_server(database) as right:
        monkeypatch.setenv("ROPEWALK_CLOCK_OFFSET_FILE", str(tmp_path / "offset"))
        (tmp_path / "offset").write_text("20000")
        with run_server(database) as wrong:
            first, second, match = start_match(right, "tether-5", clock={"kind": "fischer", "initial_seconds": 18})
            time.sleep(2)
            first.play(match, "c3")
            path = f"/api/matches/{match}"
            here = first.get_match(match)["state"]
            there = httpx.get(wrong.url + path).json()["state"]
            later = first.get_match(match)["state"]
            assert here["status"] == there["status"] == later["status"] == "playing"
            assert here["server_time"] - 1_000 < there["server_time"] < later["server_time"] + 1_000
            second.http.base_url = wrong.url
            played = second.play(match, "b2")
            assert played["state"]["clocks"][1]["main_ms"] > 5_000
            assert httpx.get(f"{wrong.url}/api/health").json()["clock_difference_seconds"] == pytest.approx(20, abs=1)
            assert abs(httpx.get(f"{right.url}/api/health").json()["clock_difference_seconds"]) < 1


def test_time_without_a_server_is_given_back(database: str) -> None:
    with run_server(database) as server:
        clocks = (CLOCK, {"kind": "days", "days": 1})
        matches = [(first, match) for first, _, match in (start_match(server, "tether-5", clock=clock) for clock in clocks)]
        before = [first.get_match(match)["state"] for first, match in matches]
        server.kill()
        time.sleep(OUTAGE_SECONDS)
        server.restart()
        for (first, match), state in zip(matches, before, strict=True):
            require_outage_given_back(first, match, state)
            first.play(match, "c3")
        server.stop()
        stopped_ms = time.time() * 1000
        time.sleep(OUTAGE_SECONDS)
        server.restart()
        for first, match in matches:
            last = [event for event in list_outages(first, match) if event["data"]["ended_ms"] > stopped_ms]
            assert last[0]["seat"] == 1, "the second player gets the time of the second outage"
            assert last[0]["data"]["milliseconds"] >= OUTAGE_SECONDS * 1000 - 500


def require_outage_given_back(client: Client, match: str, before: dict[str, Any]) -> None:
    """Require that the player to move was charged for all the time since a state, except the outage."""
    after = client.get_match(match)["state"]
    outages = [event for event in list_outages(client, match) if event["seq"] <= after["seq"]]  # later: a busy machine
    given = sum(event["data"]["milliseconds"] for event in outages)
    assert outages[0]["data"]["milliseconds"] >= OUTAGE_SECONDS * 1000 - 500
    assert (outages[0]["seat"], outages[0]["user_id"]) == (0, None)
    elapsed = after["server_time"] - before["server_time"]
    assert before["clocks"][0]["main_ms"] - after["clocks"][0]["main_ms"] == elapsed - given


def test_servers_that_start_at_once_compensate_an_outage_once(cluster: Cluster) -> None:
    database = cluster.new_database()
    with run_server(database) as one, run_server(database) as other:
        first, _, match = start_match(one, "tether-5", clock=CLOCK)
        one.kill()
        other.kill()
        time.sleep(OUTAGE_SECONDS)
        with ThreadPoolExecutor(2) as together:
            list(together.map(Server.restart, (one, other)))
            urls = [f"{server.url}/api/matches/{match}" for server in (one, other)] * 4
            list(together.map(httpx.get, urls))
        ends = [event["data"]["ended_ms"] for event in list_outages(first, match)]
        assert ends
        assert len(set(ends)) == len(ends)
