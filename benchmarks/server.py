"""Durable moves per second of the server, and the latency until the opponent sees a move, compared with floors.

    python -m benchmarks.server [--database sqlite|postgres|URL ...] [--sockets 10 100 1000] [--seconds 5]
      [--rounds 3] [--output FILE]

The floors are measured immediately before, on the same machine: sequential commits to the same database, each of one event
of one of as many matches, with the driver alone and with SQLAlchemy's async engine; and round trips of a message on a
FastAPI WebSocket that does nothing else, with as many sockets.
Clients and server share one machine, for the floors as well. Each figure is the median of several rounds. `postgres` starts
its own PostgreSQL, as the tests do.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import multiprocessing
import os
import secrets
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results

ROOT = Path(__file__).resolve().parents[1]
SPEC = "lariat-4x20"
PLAYERS, MOVE_INTERVAL = 1000, 5.0  # who move now and then, each so many seconds
AT_ONCE = 8  # matches that are arranged, before anything is timed
ECHO = """
import uvicorn
from fastapi import FastAPI, WebSocket, WebSocketDisconnect
app = FastAPI()
@app.websocket("/echo")
async def echo(socket: WebSocket):
    await socket.accept()
    try:
        while True:
            await socket.send_text(await socket.receive_text())
    except WebSocketDisconnect:
        pass
print("http://127.0.0.1:{port}/", flush=True)
uvicorn.run(app, port={port}, log_level="error", ws="websockets-sansio", ws_per_message_deflate=False)
"""


@dataclass(frozen=True)
class Figure:
    """A rate per second and the time of one operation."""

    rate: float
    p50: float
    p99: float
    processor: float = 0.0  # seconds of the server's, for each

    @classmethod
    def of(cls, times: list[float], seconds: float, processor: float = 0.0) -> Figure:
        """Return the figure of the times that each operation took."""
        ordered = sorted(times)
        p99 = ordered[int(0.99 * (len(ordered) - 1))]
        return cls(len(times) / seconds, statistics.median(ordered), p99, processor / len(times))

    def as_figures(self) -> dict[str, float]:
        """Return the figure for a result file."""
        times = {"p50_ms": 1000 * self.p50, "p99_ms": 1000 * self.p99, "processor_ms": 1000 * self.processor}
        return {"moves_per_second": self.rate} | times

    def __str__(self) -> str:
        shown = f"{self.rate:8.0f} a second   p50 {1000 * self.p50:7.1f} ms   p99 {1000 * self.p99:7.1f} ms"
        return f"{shown}   {1000 * self.processor:.2f} ms of processor each" if self.processor else shown


def free_port() -> int:
    import socket

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    return port


def started(command: list[str], port: int) -> subprocess.Popen[str]:
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    process.stdout.readline()
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            httpx.get(f"http://127.0.0.1:{port}/", timeout=10)
        except httpx.TransportError:
            time.sleep(0.05)
        else:
            return process
    raise TimeoutError("nothing listens")


# Floors


INSERT = "INSERT INTO match_events (match_id, seq, timestamp_ms, type, seat, user_id, payload, request_id) VALUES "
FORGET = "DELETE FROM match_events WHERE match_id LIKE 'floor%'"


def floor_events(matches: int) -> Iterator[tuple[Any, ...]]:
    """Return events of several matches in turn, of the same size as real ones."""
    names = [f"floor{secrets.token_hex(9)[:17]}" for _ in range(matches)]
    for number in itertools.count(1):
        for name in names:
            yield name, number, time.time_ns() // 1_000_000, "move-played", number % 2, name, '{"move":"c3"}', str(number)


def bare_commits(database: str, matches: int, seconds: float) -> Figure:
    """Measure sequential commits of one row each, with the driver alone."""
    if "://" in database:
        return asyncio.run(bare_postgres(database, matches, seconds))
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA synchronous=FULL")
    times, began = [], time.monotonic()
    for event in floor_events(matches):
        at = time.monotonic()
        connection.execute(f"{INSERT} (?, ?, ?, ?, ?, ?, ?, ?)", event)
        times.append(time.monotonic() - at)
        if time.monotonic() - began > seconds:
            break
    figure = Figure.of(times, time.monotonic() - began)
    connection.execute(FORGET)
    connection.close()
    return figure


async def bare_postgres(database: str, matches: int, seconds: float) -> Figure:
    import asyncpg
    from sqlalchemy.ext.asyncio import create_async_engine

    from ropewalk.server.db.database import parse_url

    url = parse_url(database)
    _, where = create_async_engine(url).dialect.create_connect_args(url)
    connection = await asyncpg.connect(**where)
    times, began = [], time.monotonic()
    for event in floor_events(matches):
        at = time.monotonic()
        await connection.execute(f"{INSERT} ($1, $2, $3, $4, $5, $6, $7, $8)", *event)
        times.append(time.monotonic() - at)
        if time.monotonic() - began > seconds:
            break
    figure = Figure.of(times, time.monotonic() - began)
    await connection.execute(FORGET)
    await connection.close()
    return figure


def layered_commits(database: str, matches: int, seconds: float) -> Figure:
    """Measure sequential commits of one row each through SQLAlchemy."""
    return asyncio.run(layered(database, matches, seconds))


async def layered(database: str, matches: int, seconds: float) -> Figure:
    from sqlalchemy import insert, text

    from ropewalk.server.db.database import Database, parse_url
    from ropewalk.server.db.tables import match_events

    layers = Database(parse_url(database))
    names = [column.strip() for column in INSERT.partition("(")[2].partition(")")[0].split(",")]
    times, began = [], time.monotonic()
    for event in floor_events(matches):
        at = time.monotonic()
        async with layers.write_transaction() as connection:
            await connection.execute(insert(match_events), dict(zip(names, event, strict=True)))
        times.append(time.monotonic() - at)
        if time.monotonic() - began > seconds:
            break
    figure = Figure.of(times, time.monotonic() - began)
    async with layers.write_transaction() as connection:
        await connection.execute(text(FORGET))
    await layers.close()
    return figure


async def echoes(pid: int, port: int, sockets: int, seconds: float) -> Figure:
    """Measure round trips of a message on every socket, repeatedly."""
    message = json.dumps({"type": "move", "move": "c3", "position_version": 100, "request_id": "123"})
    times: list[float] = []
    until = 0.0

    async def talk(socket: ClientConnection) -> None:
        while time.monotonic() < until:
            at = time.monotonic()
            await socket.send(message)
            await socket.recv()
            times.append(time.monotonic() - at)

    opened = [await connect(f"ws://127.0.0.1:{port}/echo", compression=None) for _ in range(sockets)]
    began, spent = time.monotonic(), processor_seconds(pid)
    until = began + seconds
    await asyncio.gather(*map(talk, opened))
    figure = Figure.of(times, time.monotonic() - began, processor_seconds(pid) - spent)
    await asyncio.gather(*(socket.close() for socket in opened))
    return figure


# The server


async def arranged(http: httpx.AsyncClient) -> tuple[str, list[str]]:
    """Create a match and return it with the cookies of its players."""
    cookies = []
    for _ in range(2):
        cookies.append((await http.post("/api/guests")).headers["set-cookie"].split(";")[0].split("=")[1])
    wish = {"spec": SPEC, "opponent": {"kind": "invitation"}, "seat": 0}
    made = (await http.post("/api/matches", json=wish, headers=as_user(cookies[0]))).json()
    await http.post(f"/api/invitations/{made['invitation']}/accept", headers=as_user(cookies[1]))
    return made["match"]["id"], cookies


def visitor(port: int) -> httpx.AsyncClient:
    """Return a client without a user: players share connections, not cookies."""
    http = httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60)
    http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
    return http


def as_user(cookie: str) -> dict[str, str]:
    return {"Cookie": f"ropewalk_session={cookie}", "X-Ropewalk": "1"}


async def moves(pid: int, port: int, sockets: int, seconds: float, interval: float = 0.0) -> Figure:
    """Measure matches of two sockets each: every move is sent on one and timed when it arrives on the other.

    With an interval, every player moves once per interval, at times that are spread evenly; otherwise at once.
    """
    players = await seated(port, sockets // 2)
    times: list[float] = []
    began, spent = time.monotonic(), processor_seconds(pid)

    async def play_later(index: int, pair: list[ClientConnection]) -> None:
        await asyncio.sleep(interval / 2 * index / len(players))
        await play(pair, times, began + seconds, interval / 2)

    await asyncio.gather(*(play_later(index, pair) for index, pair in enumerate(players)))
    figure = Figure.of(times, time.monotonic() - began, processor_seconds(pid) - spent)
    await asyncio.gather(*(socket.close() for pair in players for socket in pair))
    return figure


async def seated(port: int, matches: int) -> list[list[ClientConnection]]:
    """Open the sockets of both players of several matches."""
    some = asyncio.Semaphore(AT_ONCE)

    async def sit() -> list[ClientConnection]:
        async with some:
            match, cookies = await arranged(http)
            return [await follow(port, match, cookie) for cookie in cookies]

    async with visitor(port) as http:
        return await asyncio.gather(*(sit() for _ in range(matches)))


async def follow(port: int, match: str, cookie: str) -> ClientConnection:
    where = f"ws://127.0.0.1:{port}/api/matches/{match}/stream?positions=false"
    socket = await connect(where, additional_headers=as_user(cookie), compression=None)
    await heard(socket, "snapshot")
    return socket


async def heard(socket: ClientConnection, kind: str) -> Any:
    while True:
        message = json.loads(await socket.recv())
        if message["type"] == kind:
            return message


async def heard_seq(socket: ClientConnection) -> int:
    """Return the seq of the next state that arrives, with events or with the acknowledgement of an earlier move."""
    while True:
        message = json.loads(await socket.recv())
        if message["type"] in ("events", "ack") and message["state"] is not None:
            seq: int = message["state"]["seq"]
            return seq


# Every second ring of the wall: colours alternate, so that nobody wins.
CELLS = [f"{ring}{number}" for ring in "fhjlnprtvx" for number in range(1, 25)]


async def play(pair: list[ClientConnection], times: list[float], until: float, interval: float) -> None:
    version = 1
    for number, cell in enumerate(CELLS):
        if time.monotonic() > until:
            return
        mover, other = pair[number % 2], pair[1 - number % 2]
        at = time.monotonic()
        move = {"type": "move", "move": cell, "position_version": version, "request_id": f"{number}"}
        await mover.send(json.dumps(move))
        version += 1
        while await heard_seq(other) < version:
            pass
        times.append(time.monotonic() - at)
        if interval:
            await asyncio.sleep(max(0.0, at + interval - time.monotonic()))


async def idle_bytes(pid: int, port: int, sockets: int) -> float:
    """Return the memory of the server for one socket that only watches."""
    async with visitor(port) as http:
        match, cookies = await arranged(http)
        first = await follow(port, match, cookies[0])
        before = resident(pid)
        opened = [await follow(port, match, cookies[0]) for _ in range(sockets)]
        await asyncio.sleep(1)
        grown = resident(pid) - before
        await asyncio.gather(*(socket.close() for socket in (first, *opened)))
    return grown / sockets


def processor_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def resident(pid: int) -> int:
    text = Path(f"/proc/{pid}/statm").read_text()
    return int(text.split()[1]) * os.sysconf("SC_PAGE_SIZE")


def in_process(work: Any, *arguments: Any) -> Any:
    """Run clients in a separate process."""
    with multiprocessing.Pool(1) as pool:
        return pool.apply(run_async, (work, arguments))


def run_async(work: Any, arguments: Any) -> Any:
    return asyncio.run(work(*arguments))


@contextmanager
def listening(*command: str) -> Iterator[tuple[int, int]]:
    """Run a server during the context; yield its process and its port."""
    port = free_port()
    process = started([sys.executable, *(word.format(port=port) for word in command)], port)
    try:
        yield process.pid, port
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def reachable(name: str, folder: str) -> Iterator[str]:
    """Return the database that an argument names."""
    if name != "postgres":
        yield f"{folder}/matches.db" if name == "sqlite" else name
        return
    from tests.support.postgres import Cluster

    cluster = Cluster()
    cluster.start()
    try:
        yield cluster.new_database()
    finally:
        cluster.stop()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--database", nargs="+", default=["sqlite", "postgres"], help="sqlite, postgres, or a URL")
    parser.add_argument("--folder", default=str(ROOT / "build"), help="where the SQLite file is: the disk that is measured")
    parser.add_argument("--sockets", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--paced-seconds", type=float, default=20.0, help="of players who move now and then (20)")
    add_output_option(parser)
    asked = parser.parse_args()
    measured, databases = describe_machine(), {}
    ropewalk.game(SPEC)._stepper.compile()  # so that the server finds the kernels when it starts
    for name in asked.database:
        print(name)
        Path(asked.folder).mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(dir=asked.folder, prefix="server-") as folder, reachable(name, folder) as database:
            databases[name] = measure(database, asked)
    write_results(asked.output, measured, {"databases": databases})


def measure(database: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Measure floors and moves in turn, so that other load on the machine affects both; return the figures."""
    found: dict[str, Any] = {"rows": []}
    words = ("--database", database, "--quiet", "--no-warm-up", "--rate-limit-scale", "0", "--engine-workers", "1")
    with ExitStack() as both:
        echo = both.enter_context(listening("-c", ECHO))
        server = both.enter_context(listening("-m", "ropewalk", "serve", "--port", "{port}", *words))
        found["idle_socket_kb"] = in_process(idle_bytes, *server, 1000) / 1024
        print(f"an idle socket takes {found['idle_socket_kb']:.1f} kB", flush=True)
        for sockets in asked.sockets:
            rounds = [one_round(database, echo, server, sockets, asked.seconds) for _ in range(asked.rounds)]
            commits, layered, echoed, moved = (middle(figures) for figures in zip(*rounds, strict=True))
            print(f"floor: commits by the driver alone      {beside(commits, moved)}")
            print(f"floor: commits by SQLAlchemy, async     {beside(layered, moved)}")
            print(f"floor: echo on {sockets:4} sockets             {beside(echoed, moved)}")
            print(f"durable moves on {sockets:4} sockets           {moved}", flush=True)
            found["rows"].append({"sockets": sockets, "commits_per_second": layered.rate} | moved.as_figures())
        paced = in_process(moves, *server, PLAYERS, asked.paced_seconds, MOVE_INTERVAL)
        print(f"{PLAYERS} players who move every {MOVE_INTERVAL:g} s  {paced}", flush=True)
    found["paced"] = {"players": PLAYERS, "interval_seconds": MOVE_INTERVAL} | paced.as_figures()
    return found


def beside(floor: Figure, moved: Figure) -> str:
    """Return a floor, and the share of it that moves reach."""
    return f"{floor}   moves: {moved.rate / floor.rate:.0%}"


def one_round(database: str, echo: tuple[int, int], server: tuple[int, int], sockets: int, seconds: float) -> list[Figure]:
    """Measure the floors, then moves."""
    commits = [commit(database, sockets // 2, seconds / 5) for commit in (bare_commits, layered_commits)]
    return [*commits, in_process(echoes, *echo, sockets, seconds), in_process(moves, *server, sockets, seconds)]


def middle(figures: tuple[Figure, ...]) -> Figure:
    """Return the figure with the median rate."""
    return sorted(figures, key=lambda figure: figure.rate)[len(figures) // 2]


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main()
