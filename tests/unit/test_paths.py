"""The directories of the user's files follow environment variables, then the platform's conventions."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ropewalk.paths import cache_dir, data_dir, state_dir

DIRECTORIES = [
    (cache_dir, "ROPEWALK_CACHE_DIR", "XDG_CACHE_HOME", ".cache"),
    (data_dir, "ROPEWALK_DATA_DIR", "XDG_DATA_HOME", ".local/share"),
    (state_dir, "ROPEWALK_STATE_DIR", "XDG_STATE_HOME", ".local/state"),
]
each_directory = pytest.mark.parametrize(("directory", "variable", "xdg_variable", "default"), DIRECTORIES)


@each_directory
def test_a_variable_of_its_own_names_the_directory_itself(
    directory: Callable[[], Path], variable: str, xdg_variable: str, default: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "/somewhere/else")
    monkeypatch.setenv(xdg_variable, "/not/here")
    assert directory() == Path("/somewhere/else")


@each_directory
@pytest.mark.skipif(sys.platform != "linux", reason="other platforms have other conventions")
def test_linux_has_the_xdg_base_directories(
    directory: Callable[[], Path], variable: str, xdg_variable: str, default: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(variable, "")
    monkeypatch.setenv(xdg_variable, "/xdg")
    assert directory() == Path("/xdg/ropewalk")
    monkeypatch.delenv(xdg_variable)
    monkeypatch.setenv("HOME", "/home/somebody")
    assert directory() == Path("/home/somebody") / default / "ropewalk"


@each_directory
def test_nothing_is_created(
    directory: Callable[[], Path],
    variable: str,
    xdg_variable: str,
    default: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv(variable, str(tmp_path / "new"))
    assert not directory().exists()
