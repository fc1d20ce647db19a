"""The programs of docs/tutorials.md run and do what the page says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.optional import import_optional

ROOT = Path(__file__).resolve().parents[2]
TUTORIALS = ROOT / "examples" / "tutorials"
PAGE = ROOT / "docs" / "tutorials.md"


def run(*command: str, folder: Path = TUTORIALS) -> str:
    """Run a command in a folder, by default that of the tutorials, and return its output."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, capture_output=True, text=True, timeout=600, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_program_is_on_the_page_and_every_link_leads_somewhere() -> None:
    page = PAGE.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)", page)
    assert all((ROOT / "docs" / link).exists() for link in links)
    assert {path.name for path in TUTORIALS.glob("*.py")} == {Path(link).name for link in links if link.endswith(".py")}


def test_the_first_script_runs() -> None:
    output = run("first_script.py")
    assert "level 2 opens with " in output
    assert 700 < int(output.split()[-1]) < 900


@pytest.mark.parametrize("spec", ["py:own_agent:make_agent", f"ugi:{sys.executable} own_agent.py {{spec}}"])
def test_the_own_agent_beats_random_moves_in_the_arena(spec: str) -> None:
    output = run("-m", "ropewalk", "arena", "tether-5", spec, "random", "--games", "8", "--json")
    score = re.search(r'"score": \{[^}]*"value": ([\d.]+)', output)
    assert score is not None, output
    assert float(score[1]) > 0.7


def test_the_smallest_bot_on_the_page_plays_in_the_arena(tmp_path: Path) -> None:
    code = re.search(r"```python\n(from ropewalk import Bot\n.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert code is not None
    (tmp_path / "first_move.py").write_text(code[1], encoding="utf-8")
    output = run(
        "-m", "ropewalk", "arena", "tether-5", "py:first_move:make_agent", "random", "--games", "2", folder=tmp_path
    )
    assert "py:first_move" in output


def test_the_adapters_run() -> None:
    output = run("use_adapters.py")
    assert [line.partition(":")[0] for line in output.splitlines()] == ["pettingzoo", "pyspiel", "gymnasium"]


def test_processes_and_ray_find_the_same_values() -> None:
    output = run("parallel_games.py")
    assert output.startswith("best first move d4: ")
    import_optional("ray")
    assert run("parallel_games.py", "--ray") == output


def test_the_trained_policy_beats_random_moves() -> None:
    import_optional("torch")
    shares = re.findall(r"trained: (\d+)%", run("train_policy.py"))
    assert int(shares[0]) < 60
    assert int(shares[1]) >= 70
