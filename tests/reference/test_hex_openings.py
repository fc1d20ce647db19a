"""The opening tables of the example plugin, by a solver that knows nothing of the plugin."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.reference.hex_solver import HexSolver

OPENINGS = json.loads((Path(__file__).parents[2] / "examples/hex/tests/openings.json").read_text())["winning"]


@pytest.mark.parametrize("size", [2, 3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_the_solver_finds_the_winning_openings(size: int) -> None:
    assert HexSolver(size).winning_openings() == OPENINGS[str(size)].split()
