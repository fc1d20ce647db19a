"""Plugins are found by the metadata of installed packages."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk import plugins


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which packages are looked for."""
    monkeypatch.setattr("sys.path", [str(tmp_path), str(tmp_path / "missing")])
    return tmp_path


def add_package(folder: Path, name: str, entry_points: str) -> None:
    """Write the metadata of an installed package."""
    metadata = folder / f"{name}-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(entry_points)


def test_without_packages_of_games_there_are_no_plugins(folder: Path) -> None:
    (folder / "plain-1.0.dist-info").mkdir()
    add_package(folder, "other", "[console_scripts]\nother = other:main\n")
    assert not plugins.may_have_plugins()
    assert plugins.plugin_dirs.__wrapped__() == ()


def test_a_package_with_a_game_is_found(folder: Path) -> None:
    (folder / "plugin").mkdir()
    (folder / "plugin" / "__init__.py").write_text("")
    add_package(folder, "plugin", "[ropewalk.games]\nsample = plugin:SAMPLE\n")
    assert plugins.plugin_dirs.__wrapped__() == (folder / "plugin",)


def test_a_path_that_is_no_folder_is_left_to_the_library(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "packages.zip").write_bytes(b"")
    monkeypatch.setattr("sys.path", [str(folder / "packages.zip")])
    assert plugins.may_have_plugins()
