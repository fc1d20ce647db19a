"""Fuzzed messages on the sockets of matches, the lobby and analyses: no traceback, and the sockets of others go on."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from random import Random

import pytest
from websockets.asyncio.client import connect

from tests.support.server_process import Client, Server, run_server, start_match
from tests.support.socket_fuzzer import FuzzedSocket, fuzz_sockets, make_action, make_analysis, make_noise

SHORT_COUNT, LONG_COUNT = 2_000, 100_000
UNLIMITED = ("--engine-workers", "1", "--no-warm-up", "--rate-limit-scale", "0")
MOVE_SECONDS = 60.0  # a limit for a move of others, on a machine that runs other tests


def build_sockets(server: Server) -> list[FuzzedSocket]:
    """Return sockets to fuzz: two players of a match, a spectator, the lobby, and two analyses."""
    first, second, match = start_match(server, "tether-5")
    address = server.url.replace("http", "ws")
    paths = [(f"matches/{match}/stream", user, make_action) for user in (first, second)]
    visitor = Client(server)
    paths += [(f"matches/{match}/stream?after=1", visitor, make_action), ("lobby/stream", visitor, make_noise)]
    paths += [("positions/analyse/stream", user, make_analysis) for user in (first, visitor)]
    return [
        FuzzedSocket(f"{address}/api/{path}", format_cookie(client), Random(number), make_message, "analyse" not in path)
        for number, (path, client, make_message) in enumerate(paths)
    ]


def format_cookie(client: Client) -> str:
    """Return the Cookie header of a client."""
    return f"ropewalk_session={client.http.cookies['ropewalk_session']}"


async def play_meanwhile(server: Server, client: Client, match: str, stopped: asyncio.Event) -> int:
    """Play both seats of a match on one socket while others are fuzzed, and return how many moves were made."""
    url, count = f"{server.url.replace('http', 'ws')}/api/matches/{match}/stream", 0
    async with connect(url, additional_headers={"Cookie": format_cookie(client)}) as socket:
        state = json.loads(await socket.recv())["match"]["state"]
        while not stopped.is_set():
            action = {"type": "move", "move": state["position"]["moves"][0], "position_version": state["position_version"]}
            await socket.send(json.dumps(action))
            async with asyncio.timeout(MOVE_SECONDS):
                while (message := json.loads(await socket.recv()))["type"] != "ack":
                    assert message["type"] in ("presence", "events"), message
            state, count = message["state"], count + 1
            if not state["position"]["moves"] or state["status"] != "playing":
                break
            await asyncio.sleep(0.05)
    return count


async def fuzz(server: Server, count: int) -> tuple[list[FuzzedSocket], int]:
    """Send a number of messages in all. Returns the fuzzed sockets, and the moves that others made meanwhile."""
    player = Client(server)
    match = player.create_match("tether-19", "self")["match"]["id"]
    sockets, stopped = build_sockets(server), asyncio.Event()
    playing = asyncio.create_task(play_meanwhile(server, player, match, stopped))
    await fuzz_sockets(sockets, count // len(sockets) + 1)
    stopped.set()
    return sockets, await playing


def check_fuzzing(database: str, folder: Path, count: int) -> None:
    """Fuzz the sockets of a server, and require that it is sound afterwards."""
    log_file = folder / "server.log"
    with run_server(database, *UNLIMITED, log_file=log_file) as server:
        sockets, moves = asyncio.run(fuzz(server, count))
        assert sum(socket.sent_count for socket in sockets) >= count
        assert [socket.url for socket in sockets if socket.greets and not socket.received_count] == []
        codes = {code for socket in sockets for code in socket.close_codes}
        assert codes <= {1006, 1007, 1009}, "invalid UTF-8, too large; 1006 if more was sent after that, which resets TCP"
        assert moves > 3
        match = sockets[0].url.split("/")[-2]
        log = Client(server).request("GET", f"/api/matches/{match}/events")
        assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    text = log_file.read_text(encoding="utf-8")
    assert "Traceback" not in text, text[-5000:]
    assert "ERROR" not in text, text[-5000:]


def test_fuzzed_messages_leave_no_traceback_and_disturb_nobody(tmp_path: Path) -> None:
    check_fuzzing(str(tmp_path / "matches.db"), tmp_path, SHORT_COUNT)


@pytest.mark.slow
def test_a_hundred_thousand_fuzzed_messages_leave_no_traceback_and_disturb_nobody(database: str, tmp_path: Path) -> None:
    check_fuzzing(database, tmp_path, LONG_COUNT)
