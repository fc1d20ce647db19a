"""What 8-bit integers bring: the bundled nets on one CPU core, against the same nets with 32-bit floats.

    python -m benchmarks.int8_nets [GAME ...] [--seconds S] [--output FILE]

The convolutions of a net file multiply 8-bit weights with activations that are quantised when the net runs. *Compiled* are
the kernels by which Ropewalk evaluates it on x86, *int8* is the file in onnxruntime, *float32* the file with floats instead
(the rounded weights, activations not rounded) in onnxruntime. Rates are positions per second, single and in batches, with
their ratios to float32 in the same run. Differences from float32 are means over positions of random games: the divergence of
the policy (KL, nats), the share with the same most probable move, and the difference of the value, which is -1 to 1. Needs
onnx (`ropewalk[train]`).
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

import ropewalk
from benchmarks.nets import ONE_THREAD, rate
from benchmarks.result_file import add_output_option, describe_machine, write_results
from ropewalk.nets.onnx_evaluator import OnnxEvaluator, load_session, resolve_net_path

BATCHES = 1, 4  # live evaluation, and the leaves that level 8 evaluates together
NUM_POSITIONS = 128
NAMES = "compiled", "int8", "float32"

Evaluate = Callable[[NDArray[np.int8]], tuple[NDArray[np.float32], NDArray[np.float32]]]  # planes: logits, values


class Answer(NamedTuple):
    """A net's answer for one position."""

    probabilities: NDArray[np.float64]  # of the legal moves
    value: float  # -1 to 1


def write_float_model(path: Path, target: Path) -> None:
    """Write a net file with 32-bit floats where it has 8-bit integers; its weights remain rounded."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(path))
    graph = model.graph
    arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    products = [node for node in graph.node if node.op_type == "MatMulInteger"]
    layers = [node.name.removesuffix(".product") for node in products]
    activations = {f"{layer}.bytes": f"{layer}.padded" for layer in layers}
    outputs = {f"{layer}.scaled": f"{layer}.product" for layer in layers}
    removed = {f"{layer}.{part}" for layer in layers for part in ("bytes", "scale", "whole", "scaled")}
    nodes = []
    for node in graph.node:
        if node.name in removed:
            continue
        if node.op_type == "MatMulInteger":
            nodes.append(helper.make_node("MatMul", list(node.input[:2]), list(node.output), name=node.name))
            continue
        node.input[:] = [activations.get(name, outputs.get(name, name)) for name in node.input]
        nodes.append(node)
    floats = {f"{layer}.weight": arrays[f"{layer}.weight"] * arrays[f"{layer}.steps"] for layer in layers}
    unused = {f"{layer}.steps" for layer in layers}
    kept = {name: floats.get(name, array) for name, array in arrays.items() if name not in unused}
    tensors = [numpy_helper.from_array(array, name) for name, array in kept.items()]
    for field, items in ((graph.node, nodes), (graph.initializer, tensors)):
        del field[:]
        field.extend(items)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def evaluate_by(path: Path, around: NDArray[Any]) -> Evaluate:
    """Return a function that evaluates planes by onnxruntime."""
    session = load_session(path)

    def evaluate(planes: NDArray[np.int8]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        policy, outcome, _ = session.run(None, {"planes": planes, "around": around})
        return policy, outcome[:, 0] - outcome[:, 2]

    return evaluate


def sample_positions(game: ropewalk.Game, count: int) -> list[ropewalk.Position]:
    """Return positions from the first halves of random games, one of each game."""
    rng = random.Random(game.spec)
    found: list[ropewalk.Position] = []
    while len(found) < count:
        line = [game.start()]
        while line[-1].seat is not None:
            line.append(line[-1].play(rng.choice(line[-1].moves())))
        found.append(rng.choice(line[: max(1, len(line) // 2)]))
    return found


def list_answers(evaluate: Evaluate, planes: NDArray[np.int8], positions: list[ropewalk.Position]) -> list[Answer]:
    """Return the answers of a net for all positions."""
    answers = []
    for logits, value, position in zip(*evaluate(planes), positions, strict=True):
        legal = logits[position.move_ids()].astype(np.float64)
        weights = np.exp(legal - legal.max())
        answers.append(Answer(weights / weights.sum(), float(value)))
    return answers


def compare(answers: list[Answer], originals: list[Answer]) -> dict[str, float]:
    """Return the mean differences between the answers of two nets."""
    pairs = list(zip(answers, originals, strict=True))
    return {
        "divergence": float(
            np.mean([np.sum(b.probabilities * np.log(b.probabilities / a.probabilities)) for a, b in pairs])
        ),
        "same_move": float(np.mean([a.probabilities.argmax() == b.probabilities.argmax() for a, b in pairs])),
        "value": float(np.mean([abs(a.value - b.value) for a, b in pairs])),
    }


def measure_nets(spec: str, seconds: float) -> Iterator[dict[str, Any]]:
    """Yield the figures of one game's net in each of the ways of NAMES."""
    game = ropewalk.game(spec)
    path = resolve_net_path(game)
    compiled = OnnxEvaluator(game, path)
    positions = sample_positions(game, NUM_POSITIONS)
    planes = np.stack([position.observation() for position in positions])
    with tempfile.TemporaryDirectory() as folder:
        float_path = Path(folder) / f"{game.spec}.onnx"
        write_float_model(path, float_path)
        ways = (compiled.evaluate, *(evaluate_by(file, compiled.neighbour_index) for file in (path, float_path)))
        rates = [
            {batch: batch * rate(lambda way=way, batch=batch: way(planes[:batch]), seconds) for batch in BATCHES}  # type: ignore[misc]
            for way in ways
        ]
        sizes = [file.stat().st_size / 2**20 for file in (path, path, float_path)]
    answers = [list_answers(way, planes, positions) for way in ways]
    for name, measured, size, answer in zip(NAMES, rates, sizes, answers, strict=True):
        ratios = {batch: measured[batch] / rates[-1][batch] for batch in BATCHES}
        figures = {"board": game.spec, "net": name, "mib": size, "per_second": measured, "to_float32": ratios}
        yield figures | compare(answer, answers[-1])


def format_row(figures: dict[str, Any]) -> str:
    """Return a line of the printed table."""
    speeds = "".join(f"{figures['per_second'][batch]:9,.0f}{figures['to_float32'][batch]:6.2f}" for batch in BATCHES)
    differences = f"{figures['divergence']:9.5f}{100 * figures['same_move']:6.0f} %{figures['value']:8.3f}"
    return f"{figures['board']:15}{figures['net']:9}{figures['mib']:6.2f}{speeds}{differences}"


def main() -> None:
    """Measure the nets of the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", metavar="GAME", nargs="*", help="specs of games (all, on their standard boards)")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each rate (2)")
    add_output_option(parser)
    arguments = parser.parse_args()
    measured, rows = describe_machine(), []
    heads = "".join(f"{f'batch {batch}':>9}{'/f32':>6}" for batch in BATCHES)
    print(f"{'board':15}{'net':9}{'MiB':>6}{heads}{'KL':>9}{'same':>8}{'value':>8}")
    for spec in arguments.games or [entry.standard_spec for entry in ropewalk.games()]:
        for figures in measure_nets(spec, arguments.seconds):
            print(format_row(figures), flush=True)
            rows.append(figures)
    write_results(arguments.output, measured, {"figures": rows})


if __name__ == "__main__":
    if not ONE_THREAD.items() <= os.environ.items():  # onnxruntime and numpy read them when they are imported
        os.execve(sys.executable, sys.orig_argv, os.environ | ONE_THREAD)
    main()
