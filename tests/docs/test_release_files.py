"""The files of a release agree with the package and with the Makefile."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

import ropewalk

ROOT = Path(__file__).parents[2]
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")


def load_yaml(name: str) -> Any:
    """Return the content of a YAML file."""
    return yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))


def test_the_citation_has_the_version_and_names_the_designers() -> None:
    citation = load_yaml("CITATION.cff")
    assert citation["version"] == ropewalk.__version__
    assert citation["license"] == "MIT"
    assert all(designer in citation["abstract"] for designer in ("Mark Steere", "Alain Couchot", "Bernard Klein"))


def test_the_changelog_has_the_date_of_the_release() -> None:
    citation = load_yaml("CITATION.cff")
    heading = f"\n## {citation['version']} ({citation['date-released']})\n"
    assert heading in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_version_is_set_in_one_place() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[project.optional-dependencies]")[0]
    assert 'dynamic = ["version"]' in project
    assert "\nversion" not in project


def test_the_hooks_are_local_and_are_steps_of_make_style() -> None:
    (repository,) = load_yaml(".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    style = MAKEFILE.partition("\nstyle:")[2].partition("\n\n")[0]
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert f"\t$(BIN)/{hook['entry'].removeprefix('.venv/bin/')}" in style
    ours = [hook["entry"].split()[0].removeprefix(".venv/bin/") for hook in repository["hooks"]]
    assert ours == ["ruff", "ruff", "mypy"]


def test_the_workflow_runs_what_ci_runs() -> None:
    workflow = load_yaml(".github/workflows/ci.yml")
    steps = [step["run"] for job in workflow["jobs"].values() for step in job["steps"] if "run" in step]
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert steps == [line for line in script.splitlines() if line.startswith("make ")]
    required = re.search(r'requires-python = ">=3\.(\d+),<3\.(\d+)"', (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert required is not None
    versions = [f"3.{minor}" for minor in range(int(required[1]), int(required[2]))]
    assert workflow["jobs"]["test"]["strategy"]["matrix"]["python"] == versions


@pytest.mark.parametrize("name", ["CITATION.cff", "SECURITY.md", ".github", ".pre-commit-config.yaml"])
def test_the_source_archive_has_the_file(name: str) -> None:
    archive = (ROOT / "pyproject.toml").read_text(encoding="utf-8").partition("[tool.hatch.build.targets.sdist]")[2]
    assert f'"{name}"' in archive.partition("exclude")[0]


def test_no_address_is_invented() -> None:
    assert "@" not in (ROOT / "SECURITY.md").read_text(encoding="utf-8")
