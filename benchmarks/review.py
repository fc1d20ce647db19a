"""How long the review of a match takes: the first values, all values, and the second request, which computes nothing.

python benchmarks/review.py [--moves 100] [--spec tether-9] [--workers 2]

A server of its own plays a match of random legal moves at one screen, is asked for its review, and is polled as by the page.
The kernels are compiled before the clock starts. Targets on two cores: first values within 2 s, all within 60 s.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.support.server_process import Client, run_server

POLL_SECONDS = 0.1
FIRST_TARGET_SECONDS, ALL_TARGET_SECONDS = 2.0, 60.0
SEED = 7


def play_match(client: Client, spec: str, num_moves: int) -> str:
    """Play random moves of a match at one screen, fewer if the game ends; return its id."""
    rng = random.Random(SEED)
    match = client.create_match(spec, "self")["match"]
    for _ in range(num_moves):
        state = client.get_match(match["id"])["state"]
        if state["position"]["seat"] is None:
            break
        client.play(match["id"], rng.choice(state["position"]["moves"]))
    return str(match["id"])


def warm_up(client: Client, spec: str, num_workers: int) -> None:
    """Let every engine analyse once, so that its kernels are compiled."""
    for _ in range(2 * num_workers):
        client.request("POST", "/api/positions/analyse", spec=spec, level=6, seconds=0.2)


def measure_review(client: Client, match: str) -> tuple[float, float, int]:
    """Return the seconds until the first values and until all, and the number of positions."""
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
    return first_seconds, time.perf_counter() - started_at, review["total"]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--spec", default="tether-13")
    parser.add_argument("--moves", type=int, default=100)
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        options = ("--engine-workers", str(arguments.workers), "--rate-limit-scale", "0", "--no-warm-up")
        with run_server(str(Path(folder) / "matches.db"), *options) as server:
            client = Client(server)
            match = play_match(client, arguments.spec, arguments.moves)
            warm_up(client, arguments.spec, arguments.workers)
            first, complete, total = measure_review(client, match)
            started_at = time.perf_counter()
            client.request("POST", f"/api/matches/{match}/review")
            again = time.perf_counter() - started_at
    print(f"{arguments.spec}, {total} positions, {arguments.workers} engines")
    print(f"first values {first:6.2f} s   target {FIRST_TARGET_SECONDS:g} s")
    print(f"all values   {complete:6.2f} s   target {ALL_TARGET_SECONDS:g} s")
    print(f"second time  {again:6.3f} s")


if __name__ == "__main__":
    main()
