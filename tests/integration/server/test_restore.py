"""Backups that are restored while players move: no log is broken, and nothing is lost that was acknowledged afterwards."""

from __future__ import annotations

import asyncio
import json
import random
import time
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.asyncio.client import ClientConnection, connect

from tests.integration.server.test_storage import run_command
from tests.support.chaos import PlayedMatch, build_headers, event_from_json, start_match
from tests.support.server_process import Server

pytestmark = pytest.mark.anyio
DETECTION_SECONDS = 1.0  # after a restore, within which a server may still respond with `busy`


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@dataclass
class SocketMatch:
    """A match whose players move on sockets, with every acknowledged event and when it was acknowledged."""

    played: PlayedMatch
    acknowledged: list[tuple[float, dict[str, Any]]] = field(default_factory=list)
    errors: set[str] = field(default_factory=set)


async def move_until(http: httpx.AsyncClient, match: SocketMatch, stop: asyncio.Event, rng: random.Random) -> None:
    """Play moves on both players' sockets until `stop`; after an error, continue from the current state."""
    url = f"{http.base_url}".replace("http", "ws").rstrip("/") + f"/api/matches/{match.played.match}/stream?positions=false"
    sockets = [await connect(url, additional_headers=build_headers(token)) for token in match.played.cookies]
    count = 0
    while not stop.is_set():
        response = await http.get(f"/api/matches/{match.played.match}", timeout=30)
        if response.status_code != 200:
            match.errors.add(response.json()["code"])
            continue
        state = response.json()["state"]
        if state["status"] == "over":
            break
        count += 1
        move = {"type": "move", "move": rng.choice(state["position"]["moves"]), "request_id": f"{rng.random()}"}
        socket = sockets[state["seat"]]
        await socket.send(json.dumps(move | {"position_version": state["position_version"]}))
        answer = await receive_answer(socket, move["request_id"])
        if answer["type"] == "ack":
            match.acknowledged.append((time.monotonic(), answer["event"]))
        else:
            match.errors.add(answer["code"])
    for socket in sockets:
        await socket.close()


async def receive_answer(socket: ClientConnection, request_id: str) -> Any:
    """Return the answer to a request; other messages are ignored."""
    while True:
        message = json.loads(await asyncio.wait_for(socket.recv(), 60))
        if message["type"] in ("ack", "error") and message["request_id"] in (request_id, None):
            return message


async def restore_under_load(server: Server, database: str, folder: Path, matches: int, restores: int) -> list[SocketMatch]:
    """Let players move while backups are made and restored; require whole logs with all that was acknowledged since."""
    stop, playing = asyncio.Event(), []
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as http:
        http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # players share connections, not cookies
        found = [SocketMatch(await start_match(http)) for _ in range(matches)]
        for seed, match in enumerate(found):
            playing.append(asyncio.create_task(move_until(http, match, stop, random.Random(seed))))
        try:
            for number in range(restores):
                copy = str(folder / f"copy-{number}")
                assert (await asyncio.to_thread(run_command, "backup", "--database", database, copy)).returncode == 0
                await asyncio.sleep(0.3)
                done = await asyncio.to_thread(run_command, "restore", "--database", database, copy)
                assert (done.returncode, done.stderr) == (0, "")
                restored_at = time.monotonic()
                await asyncio.sleep(DETECTION_SECONDS)
            await asyncio.sleep(1.0)
        finally:
            stop.set()
            await asyncio.gather(*playing)
        for match in found:
            await require_whole_log(http, match, restored_at + DETECTION_SECONDS)
        health = (await http.get("/api/health")).json()
        assert (health["status"], health["unreadable_matches"]) == ("ok", 0)
    return found


async def require_whole_log(http: httpx.AsyncClient, match: SocketMatch, since: float) -> None:
    """Require a log without gaps, with every event that was acknowledged after a time."""
    log = [event_from_json(event) for event in (await http.get(f"/api/matches/{match.played.match}/events")).json()]
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    for _, event in [entry for entry in match.acknowledged if entry[0] > since]:
        assert log[event["seq"] - 1] == event_from_json(event)
    assert match.errors <= {"busy", "stale", "not-your-turn", "id-reused", "storage"}


async def test_a_restore_under_load_breaks_no_log(backup_server: tuple[Server, str], tmp_path: Path) -> None:
    found = await restore_under_load(*backup_server, tmp_path, matches=6, restores=3)
    assert sum(len(match.acknowledged) for match in found) > 50


@pytest.mark.slow
async def test_many_restores_under_load_break_no_log(backup_server: tuple[Server, str], tmp_path: Path) -> None:
    found = await restore_under_load(*backup_server, tmp_path, matches=20, restores=25)
    print(sum(len(match.acknowledged) for match in found), "moves acknowledged")
