"""How long a query of the opening explorer takes with many games in the database, on SQLite and PostgreSQL.

python benchmarks/explorer.py [--games 100000] [--spec tether-9] [--plies 30] [--database sqlite|postgresql] [--queries 500]

Bots that play at random make the games, all positions of a batch at once. They are stored as public matches that one player
has resigned, with their events, and counted by the background job of the server. Then the positions of random lines, of 0 to
12 moves, are asked for over HTTP, one request after the other, in the process of the server. The result is merged into
benchmarks/results/explorer.json. Target: every query below 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ropewalk.atomic_file import atomic_write
from ropewalk.games.batch import Batch
from ropewalk.games.registry import game as game_of
from ropewalk.rules.interface import ONGOING
from ropewalk.server.app import create_app
from ropewalk.server.db.tables import explorer_pending, match_events, matches
from ropewalk.server.services import AppServices
from ropewalk.server.settings import ServerSettings
from ropewalk.server.study.explorer_service import MAX_OPENING_PLIES
from tests.support.postgres import Cluster

RESULTS = Path(__file__).with_name("results") / "explorer.json"
TARGET_MS = 50.0
CHUNK = 2000  # games that are made and stored together
MAX_LINE = 12  # moves of a queried line
SEED = 3
PLAYERS = ("level-1", "level-2")
STARTED_AT = 1_700_000_000_000


def play_random_games(spec: str, count: int, plies: int, seed: int) -> Iterator[tuple[list[str], int]]:
    """Yield the first moves of random games, and the seat that loses."""
    game = game_of(spec)
    batch = Batch(game, count, seed=seed)
    is_ongoing, moves = [], []
    for _ in range(plies):
        is_ongoing.append(batch.outcomes == ONGOING)
        moves.append(batch.play_random())
    played = np.where(is_ongoing, moves, -1)
    losers = np.random.default_rng(seed).integers(0, 2, count)
    for index in range(count):
        yield [game.move_texts[move] for move in played[:, index] if move >= 0], int(losers[index])


def build_rows(spec: str, first: int, count: int, plies: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the rows of matches and of their events."""
    match_rows, event_rows = [], []
    for number, (moves, loser) in enumerate(play_random_games(spec, count, plies, SEED + first), first):
        match_id, at = f"g{number:011d}", STARTED_AT + number
        events: list[tuple[str, int | None, dict[str, Any]]] = [("match-started", None, {"seats": list(PLAYERS)})]
        events += [("move-played", ply % 2, {"move": move}) for ply, move in enumerate(moves)]
        events.append(("resigned", loser, {}))
        event_rows += [
            {"match_id": match_id, "seq": seq, "timestamp_ms": at, "type": type_, "seat": seat, "payload": json.dumps(data)}
            for seq, (type_, seat, data) in enumerate(events, 1)
        ]
        match_rows.append(build_match_row(match_id, spec, at, 1 - loser))
    return match_rows, event_rows


def build_match_row(match_id: str, spec: str, at: int, winner: int) -> dict[str, Any]:
    """Return the row of a public match that is over."""
    return {
        "id": match_id, "spec": spec, "clock": '{"kind":"none"}', "is_rated": False, "origin": "bot",
        "created_by": PLAYERS[0], "created_at": at, "seat0_user_id": PLAYERS[0], "seat1_user_id": PLAYERS[1],
        "is_open": False, "is_public": True, "status": "over", "winner_seat": winner, "end_reason": "resign", "ended_at": at,
    }  # fmt: skip


async def fill_database(services: AppServices, spec: str, count: int, plies: int) -> float:
    """Store random games and let the server count them; return the seconds that the counting took."""
    counting = 0.0
    for first in range(0, count, CHUNK):
        match_rows, event_rows = build_rows(spec, first, min(CHUNK, count - first), plies)
        pending = [{"match_id": row["id"], "ended_at": row["ended_at"]} for row in match_rows]
        async with services.database.write_transaction() as connection:
            await connection.execute(matches.insert(), match_rows)
            await connection.execute(match_events.insert(), event_rows)
            await connection.execute(explorer_pending.insert(), pending)
        started_at = time.perf_counter()
        await services.explorer.schedule()
        assert services.explorer.task is not None
        await services.explorer.task
        assert not await services.explorer.repository.count_pending()
        counting += time.perf_counter() - started_at
        print(f"\r{first + len(match_rows)} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    return counting


def make_lines(spec: str, count: int) -> list[str]:
    """Return lines of random moves; the first one is the start position, where all games are counted."""
    rng = random.Random(SEED)
    lines = [""]
    while len(lines) < count:
        position = game_of(spec).start()
        for _ in range(rng.randrange(MAX_LINE + 1)):
            if position.seat is not None:
                position = position.play(rng.choice(position.moves()))
        lines.append(",".join(position.steps()))
    return lines


async def measure_queries(client: httpx.AsyncClient, spec: str, lines: list[str]) -> dict[str, Any]:
    """Return the times of queries in milliseconds: p50, p99 and the largest, and that of the start position."""
    times = []
    for line in [lines[0], *lines]:  # the first one loads the board
        started_at = time.perf_counter()
        response = await client.get("/api/explorer", params={"spec": spec, "moves": line})
        times.append((time.perf_counter() - started_at) * 1000)
        response.raise_for_status()
    start = (await client.get("/api/explorer", params={"spec": spec})).json()
    p50, p99 = np.percentile(times[1:], [50, 99])
    figures = {"p50_ms": p50, "p99_ms": p99, "max_ms": max(times[1:]), "start_position_ms": times[1]}
    return {"queries": len(lines), "counted": start["games"]} | {name: round(value, 2) for name, value in figures.items()}


@contextmanager
def open_database(kind: str) -> Iterator[str]:
    """Yield the URL of a new database."""
    with tempfile.TemporaryDirectory() as folder:
        if kind == "sqlite":
            yield str(Path(folder) / "matches.db")
            return
        cluster = Cluster()
        cluster.start()
        try:
            yield cluster.new_database()
        finally:
            cluster.stop()


async def measure(url: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Fill a database and measure queries; return the figures."""
    settings = ServerSettings(database_url=url, engine_workers=0, warm_up=False, rate_limit_scale=0)
    app = create_app(settings)
    services: AppServices = app.state.services
    game_of(arguments.spec).compile()
    async with app.router.lifespan_context(app):
        seconds = await fill_database(services, arguments.spec, arguments.games, arguments.plies)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            figures = await measure_queries(client, arguments.spec, make_lines(arguments.spec, arguments.queries))
    rate = round(arguments.games / seconds) if seconds else 0
    return {
        "games": arguments.games,
        "spec": arguments.spec,
        "plies": arguments.plies,
        "counted_games_per_second": rate,
    } | figures


def save_result(kind: str, figures: dict[str, Any]) -> None:
    """Merge the figures of a database into the results file."""
    results = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.exists() else {}
    with atomic_write(RESULTS) as beside:
        beside.write_text(json.dumps(dict(sorted((results | {kind: figures}).items())), indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", default="tether-9")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--plies", type=int, default=MAX_OPENING_PLIES, help="moves of a game before a player resigns")
    parser.add_argument("--queries", type=int, default=500)
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append")
    arguments = parser.parse_args()
    for kind in arguments.database or ("sqlite", "postgresql"):
        with open_database(kind) as url:
            figures = asyncio.run(measure(url, arguments))
        print(kind, json.dumps(figures), f"target {TARGET_MS:g} ms")
        save_result(kind, figures)


if __name__ == "__main__":
    main()
