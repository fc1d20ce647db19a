"""What the package says of itself, and what its source archive contains."""

from __future__ import annotations

import importlib.util
import sys
import tomllib
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def test_the_metadata_is_complete() -> None:
    project = PROJECT["project"]
    assert all(project[name] for name in ("authors", "keywords", "classifiers", "urls", "license", "readme"))
    versions = {f"Programming Language :: Python :: 3.{minor}" for minor in (11, 12, 13)}
    assert versions <= set(project["classifiers"])


def test_every_extra_of_an_adapter_is_pinned_for_the_tests() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    pinned = {line.partition("==")[0].lower() for line in (ROOT / "constraints.txt").read_text().splitlines()}
    for name in ("pettingzoo", "openspiel", "gymnasium"):
        assert {requirement.partition(">")[0] for requirement in extras[name]} <= pinned


def test_the_source_archive_has_what_the_build_and_the_tests_need() -> None:
    archive = PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]
    assert {"src", "web", "tests", "Makefile", "constraints.txt", "LICENSE"} <= set(archive["include"])
    assert archive["artifacts"] == ["src/ropewalk/server/page"]
    assert all((ROOT / name).exists() for name in archive["include"])


def load_hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Import web/hatch_build.py without hatchling, which only builds have."""
    interface: Any = SimpleNamespace(BuildHookInterface={Any: object})
    monkeypatch.setitem(sys.modules, "hatchling.builders.hooks.plugin.interface", interface)
    spec = importlib.util.spec_from_file_location("hatch_build", ROOT / "web" / "hatch_build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_wheel_of_an_unpacked_archive_takes_the_page_that_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hook = load_hook(monkeypatch)
    page = tmp_path / "src" / "ropewalk" / "server" / "page" / "index.html"
    page.parent.mkdir(parents=True)
    page.write_text("page")
    assert not hook.has_archived_page(tmp_path), "a checkout has no PKG-INFO, and its page may be out of date"
    (tmp_path / "PKG-INFO").write_text("Name: ropewalk")
    assert hook.has_archived_page(tmp_path)
    page.unlink()
    assert not hook.has_archived_page(tmp_path)
