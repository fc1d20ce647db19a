"""Self-play without the cost of a net: how many leaves per second the threads bring to it.

    python -m benchmarks.selfplay [SPEC ...] [--threads N] [--parallel-games N] [--seconds S]

The logits and values of all leaves are random and fixed. Where the threads bring fewer leaves per second than the net
evaluates alone on ready batches ("the net alone" in docs/training.md), the threads bound the training. Needs torch.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any, cast

import numpy as np

from ropewalk.training.config import TrainingConfig
from ropewalk.training.inference import TorchEvaluator
from ropewalk.training.selfplay.actors import LocalActors, PhaseTimer
from ropewalk.training.selfplay.batch import TreeBatch

DEFAULT_SPECS = ("liger-8", "liger-10", "liger-6")
NUM_MEASUREMENTS = 3


class FreeEvaluator:
    """Gives every leaf the same random answers, at no cost."""

    def queue_for(self, batch: TreeBatch) -> FreeEvaluator:
        """Write the answers of a batch."""
        rng = np.random.default_rng(1)
        for answers, scale in ((batch.evaluations.logits, 1.5), (batch.evaluations.values, 0.3)):
            answers[:] = rng.normal(0, scale, answers.shape)
        return self

    def submit(self) -> None:
        """Do nothing: the answers are written."""

    wait = submit


def measure(actors: LocalActors, seconds: float) -> float:
    """Return evaluations per second."""
    count, started_at = 0, time.perf_counter()
    while time.perf_counter() - started_at < seconds:
        count += sum(output.num_evaluations for output in actors.poll(lambda: None, PhaseTimer()))
    return count / (time.perf_counter() - started_at)


def main() -> None:
    """Measure and print the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("specs", metavar="SPEC", nargs="*", default=DEFAULT_SPECS)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--parallel-games", type=int, default=3072)
    parser.add_argument("--seconds", type=float, default=2.0)
    arguments: Any = parser.parse_args()
    config = TrainingConfig(specs=tuple(arguments.specs), parallel_games=arguments.parallel_games)
    actors = LocalActors(config, cast(TorchEvaluator, FreeEvaluator()), arguments.threads)
    measure(actors, arguments.seconds)  # warm-up
    rates = [measure(actors, arguments.seconds) for _ in range(NUM_MEASUREMENTS)]
    print(f"{' '.join(arguments.specs)}, {arguments.threads} threads: {' '.join(f'{rate:,.0f}' for rate in rates)} leaves/s")


if __name__ == "__main__":
    main()
