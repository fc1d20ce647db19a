"""The value of every first move by random games, in several processes: positions travel as pickles.

python examples/tutorials/parallel_games.py          with multiprocessing
python examples/tutorials/parallel_games.py --ray    with Ray, on this machine or a cluster
"""

import argparse
import multiprocessing
from collections.abc import Iterable

import ropewalk

SPEC, NUM_GAMES = "tether-5", 500


def estimate_win_rate(start: ropewalk.Position) -> float:
    """Return the share of random games from a position that the first seat wins."""
    batch = ropewalk.Batch(start.game, NUM_GAMES, start=start, seed=1, threads=1)
    while (batch.outcomes == -1).any():
        batch.play_random()
    return float((batch.outcomes == 0).mean())


def map_with_processes(positions: Iterable[ropewalk.Position]) -> list[float]:
    """Estimate positions in a pool of processes."""
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        return pool.map(estimate_win_rate, positions)


def map_with_ray(positions: Iterable[ropewalk.Position]) -> list[float]:
    """Estimate positions in tasks of Ray."""
    import ray

    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR")
    task = ray.remote(estimate_win_rate)
    rates: list[float] = ray.get([task.remote(position) for position in positions])
    ray.shutdown()
    return rates


def main() -> None:
    """Print the best and the worst first move."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--ray", action="store_true", help="use Ray instead of multiprocessing")
    map_positions = map_with_ray if parser.parse_args().ray else map_with_processes
    start = ropewalk.game(SPEC).start()
    moves = start.moves()
    rates = map_positions([start.play(move) for move in moves])
    (worst, low), *_, (best, high) = sorted(zip(moves, rates, strict=True), key=lambda pair: pair[1])
    print(f"best first move {best}: {high:.0%} of random games won; worst {worst}: {low:.0%}")


if __name__ == "__main__":
    main()
