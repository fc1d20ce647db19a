"""Nets as compiled kernels: the outputs of onnxruntime but for rounding, and exact convolutions on all processors."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
import numpy as np
import pytest
from numpy.typing import NDArray

import ropewalk
from ropewalk.nets import int8_convolution
from ropewalk.nets.compiled_net import CompiledNet, load_compiled_net
from ropewalk.nets.int8_convolution import (
    CHANNELS,
    INSTRUCTION_SETS,
    INSTRUCTIONS,
    InstructionSet,
    convolve,
    pack_weights,
)
from ropewalk.nets.onnx_evaluator import OnnxEvaluator, load_session, resolve_net_path
from ropewalk.nets.onnx_initializers import read_initializers
from tests.support.optional import import_optional

SPECS = ["lariat-3x4", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"]
MAX_WEIGHT = 63  # INT8_LIMIT of the export
needs_instructions = pytest.mark.skipif(INSTRUCTIONS is None, reason="this processor has none of the instruction sets")


def play_randomly(game: ropewalk.Game, plies: int) -> NDArray[np.int8]:
    """Return the observations of the positions of a random game."""
    rng, position, observations = np.random.default_rng(1), game.start(), []
    for _ in range(plies):
        observations.append(position.observation())
        position = position.play(game.move_texts[int(rng.choice(position.move_ids()))])
        if position.outcome is not None:
            break
    return np.stack(observations)


def load_net(game: ropewalk.Game) -> CompiledNet:
    net = load_compiled_net(game, resolve_net_path(game))
    assert net is not None
    return net


def is_supported(instructions: InstructionSet) -> bool:
    """Return whether this processor runs the code; 256-bit VNNI comes with AVX-512, too."""
    has = llvmlite.binding.get_host_cpu_features()
    names = [name if name != "avxvnni" or has.get(name) else "avx512vl" for name in instructions.features]
    return all(has.get(name) for name in names)


@pytest.mark.parametrize("instructions", INSTRUCTION_SETS, ids=lambda one: one.features[0])
def test_the_convolution_is_exact_with_every_instruction_set(
    instructions: InstructionSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not is_supported(instructions):
        pytest.skip("this processor does not have it")
    monkeypatch.setattr(int8_convolution, "TILE", instructions.tile)
    monkeypatch.setattr(int8_convolution, "convolve_tile", int8_convolution.make_tile_intrinsic(instructions))
    compiled: Any = numba.njit(convolve.py_func)  # type: ignore[attr-defined]
    rng, cells = np.random.default_rng(1), 2 * instructions.tile
    inputs = rng.integers(0, 256, (cells + 1, CHANNELS)).astype(np.uint8)
    weights = rng.integers(-MAX_WEIGHT, MAX_WEIGHT + 1, (7 * CHANNELS, CHANNELS)).astype(np.int8)
    inputs[:2], weights[:, :2] = 255, [MAX_WEIGHT, -MAX_WEIGHT]  # the largest sums
    index = rng.integers(0, cells + 1, (cells, 7))
    index[0] = 0
    sums = np.empty((cells, CHANNELS), np.int32)
    compiled(inputs, index, pack_weights(weights), sums)
    gathered = inputs[index].reshape(cells, -1).astype(np.int64)
    assert (sums == gathered @ weights.astype(np.int64)).all()


@needs_instructions
@pytest.mark.parametrize("spec", SPECS)
def test_the_outputs_are_those_of_onnxruntime_but_for_rounding(spec: str) -> None:
    game = ropewalk.game(spec)
    planes, session = play_randomly(game, 30), load_session(resolve_net_path(game))
    net = load_net(game)
    for observation in planes:
        expected = session.run(None, {"planes": observation[np.newaxis], "around": game.encoding.neighbour_index})
        for output, other, tolerance in zip(
            net.evaluate(observation[np.newaxis]), expected, (0.05, 0.01, 0.02), strict=True
        ):
            assert output.dtype == other.dtype == np.float32
            assert output.shape == other.shape
            np.testing.assert_allclose(output, other, rtol=0, atol=tolerance)


@needs_instructions
def test_an_evaluation_depends_neither_on_the_batch_nor_on_other_threads() -> None:
    game = ropewalk.game("tether-5")
    net, planes = load_net(game), play_randomly(game, 12)
    alone = [net.evaluate(observation[np.newaxis]) for observation in planes]
    with ThreadPoolExecutor(4) as pool:
        batches = list(pool.map(net.evaluate, [planes] * 20))
    for outputs in batches:
        for number, expected in enumerate(alone):
            assert all((output[number] == other[0]).all() for output, other in zip(outputs, expected, strict=True))


@needs_instructions
def test_the_evaluator_uses_the_compiled_net() -> None:
    game = ropewalk.game("tether-5")
    planes = play_randomly(game, 3)
    logits, values = OnnxEvaluator(game, resolve_net_path(game)).evaluate(planes)
    policy, value, _ = load_net(game).evaluate(planes)
    assert (logits == policy).all()
    assert (values == value[:, 0] - value[:, 2]).all()


def test_without_compilation_or_instructions_onnxruntime_evaluates(monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import ropewalk; from ropewalk.nets.onnx_evaluator import *; game = ropewalk.game('tether-3'); "
        "found = OnnxEvaluator(game, resolve_net_path(game)); "
        "print(found._compiled_net, found.evaluate_position(game.start())[1].size)"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["None", "9"]
    monkeypatch.setattr("ropewalk.nets.compiled_net.INSTRUCTIONS", None)
    game = ropewalk.game("tether-3")
    evaluator = OnnxEvaluator(game, resolve_net_path(game))
    assert evaluator._compiled_net is None
    assert evaluator.evaluate(play_randomly(game, 2))[0].shape == (2, 9)


def test_other_files_are_left_to_onnxruntime(tmp_path: Path) -> None:
    game = ropewalk.game("tether-5")
    bundled = resolve_net_path(game).read_bytes()
    for number, damaged in enumerate((b"", b"\xff" * 40, bundled[: len(bundled) // 2], bundled[:2000])):
        path = tmp_path / f"{number}.onnx"
        path.write_bytes(damaged)
        assert load_compiled_net(game, path) is None
    assert load_compiled_net(game, resolve_net_path(ropewalk.game("liger-4"))) is None


def test_initializers_are_read_as_onnx_reads_them() -> None:
    onnx = import_optional("onnx")
    path = resolve_net_path(ropewalk.game("liger-4"))
    expected = {tensor.name: onnx.numpy_helper.to_array(tensor) for tensor in onnx.load(str(path)).graph.initializer}
    found = read_initializers(path)
    assert found.keys() == expected.keys()
    assert all((found[name] == array).all() and found[name].dtype == array.dtype for name, array in expected.items())
