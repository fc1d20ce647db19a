"""The bundled nets on one CPU core: loading time, and evaluations per second, single and in batches.

    python benchmarks/nets.py [--seconds S]

Each rate is printed with its ratio to that of onnxruntime, and to a floor measured in the same run: the matrix products of
the net's layers alone, for the same number of positions, by numpy in one thread.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import ropewalk
from ropewalk.nets.config import model_card_path
from ropewalk.nets.onnx_evaluator import BUNDLED_NETS_DIR, OnnxEvaluator

ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
LOADING = 0.3  # seconds, the most that we allow
RUNS = 5
BATCHES = 1, 4, 32  # live evaluation, the leaves that level 8 evaluates together, reviews
LOAD = """
import time, sys, onnxruntime
from pathlib import Path
from ropewalk.nets.onnx_evaluator import load_session
began = time.perf_counter()
load_session(Path(sys.argv[1]))
print(time.perf_counter() - began)
"""


def loading(path: Path) -> float:
    """Return the median time in which a new process loads a net."""
    command = [sys.executable, "-c", LOAD, str(path)]
    return statistics.median(float(subprocess.run(command, capture_output=True, check=True).stdout) for _ in range(RUNS))


def rate(work: Callable[[], object], seconds: float) -> float:
    """Return the number of calls per second."""
    work()
    began, done = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        work()
        done += 1
    return done / (time.perf_counter() - began)


def products(cells: int, slots: int, design: dict[str, int]) -> Callable[[], object]:
    """Return the matrix products of a net's layers for one position."""
    chance = np.random.default_rng(0)
    channels = design["channels"]

    def filled(rows: int, columns: int) -> NDArray[np.float32]:
        return chance.random((rows, columns), np.float32)

    layers = [(filled(cells, slots * design["planes"]), filled(slots * design["planes"], channels))]
    layers += [(filled(cells, slots * channels), filled(slots * channels, channels))] * (2 * design["blocks"])
    return lambda: [left @ right for left, right in layers]


def report(spec: str, seconds: float) -> None:
    """Print the figures of one game's net."""
    game = ropewalk.game(spec)
    path = BUNDLED_NETS_DIR / f"{spec.rpartition('-')[0]}.onnx"
    took = loading(path)
    player = OnnxEvaluator(game, path)
    floor = rate(
        products(len(game.board), player.neighbour_index.shape[1], json.loads(model_card_path(path).read_text())["design"]),
        seconds,
    )
    line = f"{spec:16}{path.stat().st_size / 2**20:8.2f}{took:9.3f} {'ok' if took <= LOADING else 'over':5}{floor:9,.0f}"
    for batch in BATCHES:
        planes = np.zeros((batch, len(game.board), game.encoding.num_planes), np.int8)
        planes[:, :, 0] = 1
        judged = batch * rate(lambda planes=planes: player.evaluate(planes), seconds)  # type: ignore[misc]
        inputs = {"planes": planes, "around": player.neighbour_index}
        peer = batch * rate(lambda inputs=inputs: player.session.run(None, inputs), seconds)  # type: ignore[misc]
        line += f"{judged:9,.0f} {judged / peer:5.2f} {judged / floor:5.2f}"
    print(line, flush=True)


def main() -> None:
    """Measure the nets of all five games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure (2)")
    arguments = parser.parse_args()
    heads = "".join(f"{f'batch {batch}':>9}{'/ort':>6}{'/floor':>6}" for batch in BATCHES)
    print(f"{'':16}{'MiB':>8}{'loads, s':>9} {'':5}{'floor/s':>9}{heads}")
    for entry in ropewalk.games():
        report(f"{entry.key}-{entry.standard}", arguments.seconds)


if __name__ == "__main__":
    if not ONE_THREAD.items() <= os.environ.items():  # numpy reads them when it is imported
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | ONE_THREAD)
    main()
