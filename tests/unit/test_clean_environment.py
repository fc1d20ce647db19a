"""With numpy and numba alone, rules, batches, UCT and solver work; everything else says what to install."""

from __future__ import annotations

import subprocess
import sys

import pytest

from ropewalk.adapters import MissingExtraError, require_library

BLOCK = """
import sys

ALLOWED = {"numpy", "numba", "llvmlite", "ropewalk", *sys.stdlib_module_names}

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] not in ALLOWED and not name.startswith("_"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocker())
"""

WORK = """
import ropewalk
from ropewalk.bots.bot_spec import make_bot
from ropewalk.proofs.solver import SolverLimits, choose_method, find_solver

game = ropewalk.game("tether-3")
batch = ropewalk.Batch(game, 8, seed=1)
batch.play_random(restart=True)
assert batch.observations().shape == (8, 9, 11)
assert make_bot(game, "uct@50").choose(game.start()) in game.start().moves()
solution = find_solver(choose_method(game))(game.start(), None, SolverLimits(), None)
assert solution.value == 0
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-c", BLOCK + code], capture_output=True, text=True, check=False)


def test_the_core_works() -> None:
    done = run(WORK)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("module", "extra"), [("pettingzoo", "pettingzoo"), ("openspiel", "openspiel"), ("gymnasium", "gymnasium")]
)
def test_an_adapter_names_its_extra(module: str, extra: str) -> None:
    done = run(f"import ropewalk.adapters.{module}")
    assert f"pip install 'ropewalk[{extra}]'" in done.stderr


def test_a_missing_library_is_an_error_of_the_package() -> None:
    with pytest.raises(MissingExtraError, match="no_such_library is not installed"):
        require_library("no_such_library", "some")
