"""Latency of `terminate` and throughput of queries of `ropewalk analysis`.

    python -m benchmarks.engine [--trials N] [--workers N] [--output FILE]

The latency is the time from sending `terminate` to reading the last response. It is compared with a floor: a round trip of
an action that does nothing (`query_version`) through the same pipe. One search per worker runs at full depth on the standard
board of the game.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from types import TracebackType
from typing import Any

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results

LIMIT = 50.0  # ms
ENDLESS = 10**9  # visits
THINKING = 0.05  # seconds of search before each stop


class Engine:
    """A running `ropewalk analysis`, connected by pipes."""

    def __init__(self, spec: str, workers: int) -> None:
        command = [sys.executable, "-m", "ropewalk", "analysis", spec, "--workers", str(workers)]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, bufsize=1)

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.process.communicate()

    def ask(self, **query: Any) -> None:
        """Send a query."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(query) + "\n")
        self.process.stdin.flush()

    def answers(self, count: int) -> list[dict[str, Any]]:
        """Return the next final responses."""
        assert self.process.stdout is not None
        heard: list[dict[str, Any]] = []
        while len(heard) < count:
            answer = json.loads(self.process.stdout.readline())
            heard += [] if answer.get("isDuringSearch") else [answer]
        return heard


def milliseconds(engine: Engine, count: int, **query: Any) -> float:
    """Return the time in milliseconds from a request to the last of its responses."""
    began = time.perf_counter()
    engine.ask(**query)
    engine.answers(count)
    return 1000 * (time.perf_counter() - began)


def stopping(engine: Engine, workers: int) -> float:
    """Return how long it takes to stop one search in each worker."""
    for worker in range(workers):
        engine.ask(id=f"endless {worker}", visits=ENDLESS, reportDuringSearchEvery=THINKING, lines=0)
    time.sleep(3 * THINKING)
    return milliseconds(engine, workers + 1, id="stop", action="terminate_all")


def queued(engine: Engine, count: int) -> float:
    """Return the number of queries per second when all are sent at once."""
    began = time.perf_counter()
    for number in range(count):
        engine.ask(id=f"q{number}", visits=20, lines=1)
    engine.answers(count)
    return count / (time.perf_counter() - began)


def report(spec: str, trials: int, workers: int) -> dict[str, float]:
    """Print one line for a game and return its figures."""
    with Engine(spec, workers) as engine:
        engine.ask(id="warm", visits=1000)
        engine.answers(1)
        floor = [milliseconds(engine, 1, id="floor", action="query_version") for _ in range(trials)]
        stops = [stopping(engine, workers) for _ in range(trials)]
        rate = queued(engine, 1000)
    over = sum(stop > LIMIT for stop in stops)
    middle, worst = statistics.median(stops), max(stops)
    line = f"{spec:16}{statistics.median(floor):8.2f}{max(floor):8.2f}{middle:10.2f}{worst:8.2f}"
    print(f"{line}{over:6} of {trials}{rate:12,.0f}", flush=True)
    return {"stop_median_ms": middle, "stop_max_ms": worst, "queries_per_second": rate}


def main() -> None:
    """Measure the standard board of every game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trials", type=int, default=100, help="stops a game (100)")
    parser.add_argument("--workers", type=int, default=1, help="searches at a time (1)")
    add_output_option(parser)
    arguments = parser.parse_args()
    measured = describe_machine()
    print(f"{'':16}{'floor, ms':>16}{'stop, ms':>18}{f'over {LIMIT:g} ms':>14}{'queries/s':>9}")
    print(f"{'':16}{'median':>8}{'worst':>8}{'median':>10}{'worst':>8}")
    specs = [f"{entry.key}-{entry.standard}" for entry in ropewalk.games()]
    figures = {spec: report(spec, arguments.trials, arguments.workers) for spec in specs}
    write_results(arguments.output, measured, {"games": figures})


if __name__ == "__main__":
    main()
