"""How long a query of the opening explorer takes with many games in the database, on SQLite and PostgreSQL.

python benchmarks/explorer.py [--games 100000] [--spec tether-13] [--plies 30] [--database sqlite|postgresql]
                              [--queries 500] [--output benchmarks/results/explorer.json]

Bots that play at random make the games, all positions of a batch at once, the same for every database. They are stored as
public matches that one player has resigned, and counted as the server counts them. The last ones are stored with their
events and counted by the background job of the server, to measure its speed. Then the positions of random lines, of 0 to
12 moves, and as often the start position, where all games are counted, are asked for over HTTP, one request after the
other, in the process of the server. The results are merged into the output file. Target: every query below 50 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ropewalk.atomic_file import atomic_write
from ropewalk.games.batch import Batch
from ropewalk.games.canonical_key import OpeningStep, load_position_keys
from ropewalk.games.registry import game as game_of
from ropewalk.rules.interface import ONGOING
from ropewalk.server.app import create_app
from ropewalk.server.db.explorer_repository import OpeningGame
from ropewalk.server.db.tables import explorer_pending, match_events, matches
from ropewalk.server.services import AppServices
from ropewalk.server.settings import ServerSettings
from ropewalk.server.study.explorer_service import MAX_OPENING_PLIES
from tests.support.postgres import Cluster

RESULTS = Path(__file__).with_name("results") / "explorer.json"
TARGET_MS = 50.0
CHUNK = 2000  # games that are made and stored together
NUM_COUNTED_BY_SERVER = 1000  # the last games, which the background job counts
MAX_LINE = 12  # moves of a queried line
SEED = 3
PLAYERS = ("level-1", "level-2")
STARTED_AT = 1_700_000_000_000


@dataclass(frozen=True)
class RandomGames:
    """The openings of random games: the arrays have a row for each game; a move after the end of a game is -1."""

    spec: str
    moves: NDArray[np.int16]  # [games, plies]
    losers: NDArray[np.int64]  # [games]
    steps: NDArray[np.int64]  # [games, plies, 3]: the fields of OpeningStep; the move of an absent step is -1

    def list_move_texts(self, index: int) -> list[str]:
        """Return the moves of a game."""
        texts = game_of(self.spec).move_texts
        return [texts[move] for move in self.moves[index] if move >= 0]

    def build_opening(self, index: int) -> OpeningGame:
        """Return a game as the explorer counts it."""
        steps = [OpeningStep(*step) for step in self.steps[index].tolist() if step[1] >= 0]
        winner, match_id = 1 - int(self.losers[index]), format_match_id(index)
        return OpeningGame(match_id, steps, winner, match_id, STARTED_AT + index)


def format_match_id(index: int) -> str:
    """Return the id of the match of a game."""
    return f"g{index:011d}"


def play_random_games(spec: str, first: int, count: int, plies: int) -> RandomGames:
    """Play a chunk of random games at once, and find the keys of their positions."""
    game = game_of(spec)
    batch = Batch(game, count, seed=SEED + first)
    is_ongoing, moves = [], []
    for _ in range(plies):
        is_ongoing.append(batch.outcomes == ONGOING)
        moves.append(batch.play_random())
    played = np.where(is_ongoing, moves, -1).T.astype(np.int16)
    losers = np.random.default_rng(SEED + first).integers(0, 2, count)
    keys, steps = load_position_keys(game), np.full((count, plies, 3), -1, np.int64)
    for index, row in enumerate(played.tolist()):
        found = keys.list_steps(game.start(), [move for move in row if move >= 0])
        steps[index, : len(found)] = found
    return RandomGames(spec, played, losers, steps)


def generate_games(spec: str, count: int, plies: int) -> RandomGames:
    """Return random games, made by a process on each processor; they do not depend on the number of processes."""
    chunks = [(spec, first, min(CHUNK, count - first), plies) for first in range(0, count, CHUNK)]
    game_of(spec).compile()  # once, into the cache of all processes
    with multiprocessing.get_context("spawn").Pool() as pool:
        made = pool.starmap(play_random_games, chunks, chunksize=1)
    columns = zip(*((chunk.moves, chunk.losers, chunk.steps) for chunk in made), strict=True)
    return RandomGames(spec, *(np.concatenate(column) for column in columns))


def build_event_rows(games: RandomGames, index: int) -> list[dict[str, Any]]:
    """Return the rows of the events of a match."""
    events: list[tuple[str, int | None, dict[str, Any]]] = [("match-started", None, {"seats": list(PLAYERS)})]
    events += [("move-played", ply % 2, {"move": move}) for ply, move in enumerate(games.list_move_texts(index))]
    events.append(("resigned", int(games.losers[index]), {}))
    common = {"match_id": format_match_id(index), "timestamp_ms": STARTED_AT + index}
    return [
        common | {"seq": seq, "type": type_, "seat": seat, "payload": json.dumps(data)}
        for seq, (type_, seat, data) in enumerate(events, 1)
    ]


def build_match_row(match_id: str, spec: str, at: int, winner: int) -> dict[str, Any]:
    """Return the row of a public match that is over."""
    return {
        "id": match_id, "spec": spec, "clock": '{"kind":"none"}', "is_rated": False, "origin": "bot",
        "created_by": PLAYERS[0], "created_at": at, "seat0_user_id": PLAYERS[0], "seat1_user_id": PLAYERS[1],
        "is_open": False, "is_public": True, "status": "over", "winner_seat": winner, "end_reason": "resign", "ended_at": at,
    }  # fmt: skip


async def store_matches(services: AppServices, games: RandomGames, indices: range) -> None:
    """Store the rows of matches."""
    rows = [
        build_match_row(format_match_id(index), games.spec, STARTED_AT + index, 1 - int(games.losers[index]))
        for index in indices
    ]
    async with services.database.write_transaction() as connection:
        await connection.execute(matches.insert(), rows)


async def count_directly(services: AppServices, games: RandomGames, count: int) -> None:
    """Store the first matches without events, and count them in large transactions."""
    for first in range(0, count, CHUNK):
        indices = range(first, min(first + CHUNK, count))
        await store_matches(services, games, indices)
        await services.explorer.repository.count_games([games.build_opening(index) for index in indices])
        print(f"\r{indices.stop} games", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


async def count_by_server(services: AppServices, games: RandomGames, indices: range) -> float:
    """Store matches with their events and let the server count them; return the seconds that the counting took."""
    await store_matches(services, games, indices)
    pending = [{"match_id": format_match_id(index), "ended_at": STARTED_AT + index} for index in indices]
    async with services.database.write_transaction() as connection:
        await connection.execute(match_events.insert(), [row for index in indices for row in build_event_rows(games, index)])
        await connection.execute(explorer_pending.insert(), pending)
    started_at = time.perf_counter()
    while await services.explorer.repository.count_pending():
        await services.explorer.schedule()
        assert services.explorer.task is not None
        await services.explorer.task
    return time.perf_counter() - started_at


def make_lines(spec: str, count: int) -> list[str]:
    """Return lines of random moves."""
    rng = random.Random(SEED)
    lines: list[str] = []
    while len(lines) < count:
        position = game_of(spec).start()
        for _ in range(rng.randrange(MAX_LINE + 1)):
            if position.seat is not None:
                position = position.play(rng.choice(position.moves()))
        lines.append(",".join(position.steps()))
    return lines


async def measure_queries(client: httpx.AsyncClient, spec: str, lines: list[str]) -> dict[str, Any]:
    """Return p50, p99 and the largest time of queries in milliseconds, of positions of lines and of the start position."""
    figures: dict[str, Any] = {"queries": len(lines)}
    await client.get("/api/explorer", params={"spec": spec})  # loads the board
    for name, asked in (("line", lines), ("start_position", [""] * len(lines))):
        times = []
        for line in asked:
            started_at = time.perf_counter()
            response = await client.get("/api/explorer", params={"spec": spec, "moves": line})
            times.append((time.perf_counter() - started_at) * 1000)
            response.raise_for_status()
        p50, p99 = np.percentile(times, [50, 99])
        figures[name] = {"p50_ms": round(p50, 2), "p99_ms": round(p99, 2), "max_ms": round(max(times), 2)}
    start = response.json()  # of the start position
    return figures | {"counted": start["games"], "first_moves": len(start["moves"])}


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


async def measure(url: str, games: RandomGames, num_queries: int) -> dict[str, Any]:
    """Fill a database and measure queries; return the figures."""
    count, spec = len(games.losers), games.spec
    settings = ServerSettings(database_url=url, engine_workers=0, warm_up=False, rate_limit_scale=0)
    app = create_app(settings)
    services: AppServices = app.state.services
    game_of(spec).compile()
    async with app.router.lifespan_context(app):
        by_server = range(max(0, count - NUM_COUNTED_BY_SERVER), count)
        await count_directly(services, games, by_server.start)
        seconds = await count_by_server(services, games, by_server)
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            figures = await measure_queries(client, spec, make_lines(spec, num_queries))
    common = {"games": count, "spec": spec, "plies": games.moves.shape[1]}
    return common | {"counted_games_per_second": round(len(by_server) / seconds)} | figures


def save_result(path: Path, kind: str, figures: dict[str, Any]) -> None:
    """Merge the figures of a database into the results file."""
    results = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    with atomic_write(path) as beside:
        beside.write_text(json.dumps(dict(sorted((results | {kind: figures}).items())), indent=2) + "\n", encoding="utf-8")


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", default="tether-13")
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--plies", type=int, default=MAX_OPENING_PLIES, help="moves of a game before a player resigns")
    parser.add_argument("--queries", type=int, default=500, help="of each kind")
    parser.add_argument("--database", choices=("sqlite", "postgresql"), action="append", help="both by default")
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file into which the results are merged")
    arguments = parser.parse_args()
    games = generate_games(arguments.spec, arguments.games, arguments.plies)
    for kind in arguments.database or ("sqlite", "postgresql"):
        with open_database(kind) as url:
            figures = asyncio.run(measure(url, games, arguments.queries))
        print(kind, json.dumps(figures), f"target {TARGET_MS:g} ms")
        save_result(arguments.output, kind, figures)


if __name__ == "__main__":
    main()
