"""What others feel while one visitor tries to use up the server: the time of a login and of a move on a socket.

    python -m benchmarks.exhaustion [--seconds 10] [--attack lines ...] [--output FILE]

Starts a server of its own with the usual limits and interpreted rules, which is its slowest state. All attacks come from
one address (127.0.0.2) and are bounded in number and time; the player is at another address (127.0.0.1). The slowest
response that the attacker caused is listed too, and how many of its requests were accepted and refused.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import asdict, dataclass, field

import httpx
from websockets.asyncio.client import ClientConnection, connect

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk.records import Record
from ropewalk.server.api.dependencies import DEVICE_COOKIE
from tests.support.server_process import Client, Server, create_account, run_server

ATTACKER_ADDRESS = "127.0.0.2"
SPEC, NUM_MOVES = "tether-19", 298
HEADERS = {"X-Ropewalk": "1"}  # of a request with a cookie that has no Origin
MAX_REQUESTS = 40  # of an attack
NAME = "Patient Player"
PASSWORD = "a long password"


@dataclass
class Attack:
    """What an attack has caused."""

    durations: list[float] = field(default_factory=list)
    accepted: int = 0
    refused: int = 0

    async def measure(self, request: Awaitable[httpx.Response]) -> None:
        """Await a response, and count it."""
        started = time.perf_counter()
        with suppress(httpx.HTTPError):
            response = await request
            self.accepted += response.is_success
            self.refused += not response.is_success
        self.durations.append(time.perf_counter() - started)


@dataclass(frozen=True)
class Row:
    """The figures of an attack, times in milliseconds."""

    attack: str
    accepted: int
    refused: int
    slowest_response_ms: float | None
    login_p50_ms: float
    login_max_ms: float
    move_p50_ms: float
    move_p99_ms: float

    def __str__(self) -> str:
        slowest = "-" if self.slowest_response_ms is None else f"{self.slowest_response_ms / 1000:.1f} s"
        return (
            f"{self.attack:<14} {self.accepted:>5} / {self.refused:<5} {slowest:>8} {self.login_p50_ms:>9.0f} ms "
            f"{self.login_max_ms:>9.0f} ms {self.move_p50_ms:>8.0f} ms {self.move_p99_ms:>8.0f} ms"
        )


HEADER = "attack         accepted/refused slowest   login p50    login max    move p50    move p99"


def make_moves() -> list[str]:
    """Return a long random game."""
    generator = random.Random(1)
    while True:
        position, moves = ropewalk.game(SPEC).start(), list[str]()
        while position.seat is not None and len(moves) < NUM_MOVES:
            moves.append(generator.choice([move for move in position.moves() if move != "swap"]))
            position = position.play(moves[-1])
        if len(moves) == NUM_MOVES:
            return moves


def format_record(moves: list[str]) -> str:
    """Return a game as a record."""
    record = Record.create(SPEC)
    record.play(moves)
    return record.to_sgf()


MOVES = make_moves()
RECORD = format_record(MOVES)  # here, because the client measures with the same event loop that attacks


async def repeat(attack: Attack, send: Callable[[], Awaitable[httpx.Response]]) -> None:
    """Send MAX_REQUESTS requests at once."""
    await asyncio.gather(*(attack.measure(send()) for _ in range(MAX_REQUESTS)))


async def send_lines(http: httpx.AsyncClient, attack: Attack) -> None:
    body = {"spec": SPEC, "moves": MOVES}
    await repeat(attack, lambda: http.post("/api/positions/line", json=body))


async def send_imports(http: httpx.AsyncClient, attack: Attack) -> None:
    await repeat(attack, lambda: http.post("/api/matches/import", json={"record": RECORD}))


async def send_animations(http: httpx.AsyncClient, attack: Attack) -> None:
    match = (await http.post("/api/matches/import", json={"record": RECORD})).json()["id"]
    await repeat(attack, lambda: http.get(f"/api/matches/{match}/animation.gif"))


async def send_logins(http: httpx.AsyncClient, attack: Attack) -> None:
    body = {"name": NAME, "password": "a wrong password"}
    await repeat(attack, lambda: http.post("/api/sessions", json=body))


async def send_streams(http: httpx.AsyncClient, attack: Attack) -> None:
    async def open_stream() -> httpx.Response:
        async with http.stream("GET", "/api/me/events") as response:
            if response.is_success:
                await asyncio.sleep(3.0)
            return response

    await repeat(attack, open_stream)


async def hold_half_requests(http: httpx.AsyncClient, attack: Attack) -> None:
    async def hold() -> None:
        host, port = http.base_url.host, http.base_url.port
        reader, writer = await asyncio.open_connection(host, port, local_addr=(ATTACKER_ADDRESS, 0))
        writer.write(b"POST /api/guests HTTP/1.1\r\nHost: x\r\n")
        started = time.perf_counter()
        answer = await reader.read(100)
        attack.refused += b" 429 " in answer
        attack.accepted += b" 408 " in answer
        attack.durations.append(time.perf_counter() - started)
        writer.close()

    await asyncio.gather(*(hold() for _ in range(300)), return_exceptions=True)


ATTACKS = {
    "lines": send_lines,
    "imports": send_imports,
    "animations": send_animations,
    "logins": send_logins,
    "streams": send_streams,
    "half requests": hold_half_requests,
}


async def measure_logins(server: Server, device: str, times: list[float]) -> None:
    """Log in every six seconds, which the limit allows, until cancelled; the first one at once.

    The browser has logged in before: failures of strangers at the same account do not make its owner wait.
    """
    async with httpx.AsyncClient(base_url=server.url, timeout=120, headers=HEADERS) as http:
        while True:
            http.cookies.clear()
            http.cookies.set(DEVICE_COOKIE, device)
            started = time.perf_counter()
            response = await http.post("/api/sessions", json={"name": NAME, "password": PASSWORD})
            assert response.status_code == 201, response.text
            times.append(time.perf_counter() - started)
            await asyncio.sleep(6.0)


async def measure_moves(socket: ClientConnection, times: list[float]) -> None:
    """Play a move on a socket every 100 ms until cancelled."""
    state = json.loads(await socket.recv())["match"]["state"]
    while True:
        started = time.perf_counter()
        action = {"type": "move", "move": state["position"]["moves"][0], "position_version": state["position_version"]}
        await socket.send(json.dumps(action))
        while (message := json.loads(await socket.recv()))["type"] != "ack":
            pass
        times.append(time.perf_counter() - started)
        state = message["state"]
        await asyncio.sleep(0.1)


async def measure(server: Server, player: Client, name: str, seconds: float) -> Row:
    """Return the figures of an attack; the name "nothing" attacks nothing."""
    match = player.create_match(SPEC, "self")["match"]["id"]
    url = f"{server.url.replace('http', 'ws')}/api/matches/{match}/stream"
    cookie = f"ropewalk_session={player.http.cookies['ropewalk_session']}"
    attack, logins, moves = Attack(), list[float](), list[float]()
    transport = httpx.AsyncHTTPTransport(local_address=ATTACKER_ADDRESS, limits=httpx.Limits(max_connections=90))
    async with (
        connect(url, additional_headers={"Cookie": cookie}) as socket,
        httpx.AsyncClient(transport=transport, base_url=server.url, timeout=120, headers=HEADERS) as http,
    ):
        if name != "nothing":
            (await http.post("/api/guests")).raise_for_status()
        tasks = [asyncio.create_task(measure_moves(socket, moves))]
        if name in ATTACKS:
            tasks.append(asyncio.create_task(ATTACKS[name](http, attack)))
            await asyncio.sleep(0.3)
        tasks.append(asyncio.create_task(measure_logins(server, player.http.cookies[DEVICE_COOKIE], logins)))
        await asyncio.sleep(seconds)
        while not logins and not tasks[-1].done():
            await asyncio.sleep(0.1)
        for task in tasks:
            task.cancel()
        for ended in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(ended, Exception):
                raise ended
    return Row(
        name,
        attack.accepted,
        attack.refused,
        1000 * max(attack.durations) if attack.durations else None,
        1000 * statistics.median(logins),
        1000 * max(logins),
        1000 * statistics.median(moves),
        1000 * sorted(moves)[int(0.99 * len(moves))],
    )


def main() -> None:
    """Print a table of all attacks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--attack", nargs="*", choices=ATTACKS, default=list(ATTACKS))
    add_output_option(parser)
    arguments = parser.parse_args()
    measured, rows = describe_machine(), list[Row]()
    print(HEADER, flush=True)
    for name in ("nothing", *arguments.attack):
        with (
            tempfile.TemporaryDirectory() as folder,
            run_server(f"{folder}/matches.db", "--engine-workers", "1", "--no-warm-up") as server,
        ):
            player = create_account(server, NAME)
            rows.append(asyncio.run(measure(server, player, name, arguments.seconds)))
            print(rows[-1], flush=True)
    write_results(arguments.output, measured, {"attacks": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
