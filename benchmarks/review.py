"""How long the review of a match takes: the first values, all values, and the second request, which computes nothing.

python benchmarks/review.py [--moves 100] [--spec tether-13] [--workers 2] [--output benchmarks/results/review.json]

A server of its own plays a match of random legal moves at one screen, is asked for its review at the default setting, and is
polled as by the page. The kernels are compiled before the clock starts. Then the server is restarted, and the review is
opened again: its values must be equal, and the engines must have had nothing to do. Targets on two cores: first values
within 2 s, all within 60 s.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ropewalk.atomic_file import atomic_write
from tests.support.server_process import Client, Server, run_server

RESULTS = Path(__file__).with_name("results") / "review.json"
POLL_SECONDS = 0.1
FIRST_TARGET_SECONDS, ALL_TARGET_SECONDS = 2.0, 60.0
SEED = 7
ENGINE_JOBS = re.compile(r"^ropewalk_engine_jobs_total (\d+)", re.MULTILINE)


def play_match(client: Client, spec: str, num_moves: int) -> str:
    """Play random moves of a match at one screen, fewer if the game ends; return its id."""
    rng = random.Random(SEED)
    match = client.create_match(spec, "self")["match"]
    state = match["state"]
    for _ in range(num_moves):
        if state["position"]["seat"] is None:
            break
        move, version = rng.choice(state["position"]["moves"]), state["position_version"]
        state = client.act(match["id"], "move", move=move, position_version=version)["state"]
    return str(match["id"])


def warm_up(client: Client, spec: str, num_workers: int) -> None:
    """Let every engine analyse once, so that its kernels are compiled."""
    for _ in range(2 * num_workers):
        client.request("POST", "/api/positions/analyse", spec=spec, level=6, seconds=0.2)


def count_engine_jobs(client: Client) -> int:
    """Return how many jobs the engines of the server have ended."""
    found = ENGINE_JOBS.search(client.http.get("/metrics").text)
    assert found is not None
    return int(found[1])


def measure_review(client: Client, match: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the seconds until the first values and until all, and the review."""
    path, started_at = f"/api/matches/{match}/review", time.perf_counter()
    first_seconds = 0.0
    review = client.request("POST", path)
    while review["status"] != "complete":
        if review["status"] == "failed":
            raise SystemExit(f"the review has failed: {review['error']}")
        time.sleep(POLL_SECONDS)
        review = client.request("GET", path)
        if review["done"] > 1 and not first_seconds:
            first_seconds = time.perf_counter() - started_at
    all_seconds = time.perf_counter() - started_at
    return {"first_seconds": round(first_seconds, 2), "all_seconds": round(all_seconds, 2)}, review


def measure_second_request(server: Server, client: Client, match: str, review: dict[str, Any]) -> dict[str, Any]:
    """Restart the server and open the review again; return the seconds, and how many jobs the engines had."""
    server.stop()
    server.restart()
    started_at = time.perf_counter()
    again = client.request("POST", f"/api/matches/{match}/review")
    seconds = time.perf_counter() - started_at
    if again != review:
        raise SystemExit("the stored review differs from the one that was shown")
    return {"again_seconds": round(seconds, 3), "again_engine_jobs": count_engine_jobs(client)}


def measure(spec: str, num_moves: int, num_workers: int) -> dict[str, Any]:
    """Return the figures of a review."""
    options = ("--engine-workers", str(num_workers), "--rate-limit-scale", "0", "--no-warm-up")
    with tempfile.TemporaryDirectory() as folder, run_server(str(Path(folder) / "matches.db"), *options) as server:
        client = Client(server)
        match = play_match(client, spec, num_moves)
        warm_up(client, spec, num_workers)
        before = count_engine_jobs(client)
        figures, review = measure_review(client, match)
        jobs = count_engine_jobs(client) - before
        figures |= {"engine_jobs": jobs} | measure_second_request(server, client, match, review)
    return {"spec": spec, "positions": review["total"], "engine_workers": num_workers} | figures


def main() -> None:
    """Measure, print and store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", default="tether-13")
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--output", type=Path, default=RESULTS, help="the file for the figures")
    arguments = parser.parse_args()
    figures = measure(arguments.spec, arguments.moves, arguments.workers)
    print(f"{figures['spec']}, {figures['positions']} positions, {figures['engine_workers']} engines")
    print(f"first values {figures['first_seconds']:6.2f} s   target {FIRST_TARGET_SECONDS:g} s")
    print(f"all values   {figures['all_seconds']:6.2f} s   target {ALL_TARGET_SECONDS:g} s")
    print(f"second time  {figures['again_seconds']:6.3f} s, {figures['again_engine_jobs']} jobs of engines")
    with atomic_write(arguments.output) as beside:
        beside.write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
