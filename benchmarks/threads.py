"""Steps per second of a batch on two threads, compared with one thread and with two processes in the same round.

    python -m benchmarks.threads [--rounds N] [--seconds S] [--output FILE] [SPEC ...]

Two processes with a batch each share nothing, so they show how much of two cores the machine gives at that moment: on a
shared machine that varies from second to second. So a ratio is printed over all rounds, and over the
rounds in which the machine gave two cores (two processes at least 1.8 times as fast as one).
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from multiprocessing.connection import Connection
from typing import NamedTuple

import ropewalk
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk import Batch

SPECS = [f"{entry.key}-{entry.standard}" for entry in ropewalk.games() if entry.key != "hex"]
NUM_POSITIONS = 4096
TWO_CORES = 1.8  # times one process


class Round(NamedTuple):
    """Steps per second, as multiples of those of one thread."""

    threads: float
    processes: float


def make_batch(spec: str, threads: int) -> Batch:
    """Return a batch whose kernels are compiled."""
    batch = Batch(ropewalk.game(spec), NUM_POSITIONS, seed=1, threads=threads)
    batch.play_random(restart=True)
    return batch


def measure(batch: Batch, seconds: float) -> float:
    """Return steps per second."""
    started_at, steps = time.perf_counter(), 0
    while (elapsed := time.perf_counter() - started_at) < seconds:
        batch.play_random(restart=True)
        steps += NUM_POSITIONS
    return steps / elapsed


def run_neighbour(connection: Connection, spec: str, seconds: float) -> None:
    """Measure a batch of another process whenever True arrives, until False arrives."""
    batch = make_batch(spec, 1)
    connection.send(0.0)
    while connection.recv():
        connection.send(measure(batch, seconds))


def compare_threads(spec: str, num_rounds: int, seconds: float) -> list[Round]:
    """Measure one thread, two threads and two processes in turn."""
    single, double = make_batch(spec, 1), make_batch(spec, 2)
    connection, other_end = multiprocessing.Pipe()
    neighbour = multiprocessing.Process(target=run_neighbour, args=(other_end, spec, seconds), daemon=True)
    neighbour.start()
    connection.recv()
    rounds = []
    for _ in range(num_rounds):
        before, threads = measure(single, seconds), measure(double, seconds)
        connection.send(True)
        processes = measure(single, seconds) + connection.recv()
        one = (before + measure(single, seconds)) / 2
        rounds.append(Round(threads / one, processes / one))
    connection.send(False)
    neighbour.join()
    return rounds


def summarise(rounds: list[Round]) -> dict[str, float | int | None]:
    """Return the medians over all rounds, and over those with two cores."""
    full = [each.threads for each in rounds if each.processes >= TWO_CORES]
    return {
        "rounds": len(rounds),
        "threads": statistics.median(each.threads for each in rounds),
        "processes": statistics.median(each.processes for each in rounds),
        "full_rounds": len(full),
        "threads_in_full_rounds": statistics.median(full) if full else None,
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", nargs="*", metavar="SPEC")
    parser.add_argument("--rounds", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.12, help="for each measurement of a round (0.12)")
    add_output_option(parser)
    arguments = parser.parse_args()
    multiprocessing.set_start_method("spawn")
    measured, figures = describe_machine(), {}
    for spec in arguments.specs or SPECS:
        found = figures[spec] = summarise(compare_threads(spec, arguments.rounds, arguments.seconds))
        in_full = "none" if found["threads_in_full_rounds"] is None else f"{found['threads_in_full_rounds']:.2f}"
        print(
            f"{spec:16} two threads {found['threads']:.2f}, two processes {found['processes']:.2f} times one; "
            f"two threads in {found['full_rounds']} rounds with two cores: {in_full}",
            flush=True,
        )
    write_results(arguments.output, measured, figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())
