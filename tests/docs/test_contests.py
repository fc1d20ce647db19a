"""Contests of the documentation: played once, kept, and played again only when a bot or the number of games has changed."""

import json
from pathlib import Path
from types import ModuleType

import pytest

import ropewalk
from tests.support.docs_script import load_docs_script

GAME = ropewalk.game("tether-3")
NAME, BOTS = "tether-3 greedy random", ("greedy", "random")


@pytest.fixture(scope="module")
def contests() -> ModuleType:
    return load_docs_script("contests")


def test_a_contest_is_played_once_and_again_when_something_has_changed(
    contests: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    results = tmp_path / "results.json"
    first = contests.Contests(results, tmp_path / "games").played(NAME, GAME, BOTS, 2)
    assert sum(first["pairs"]) == 1
    assert json.loads(results.read_text()) == {NAME: first}

    again = contests.Contests(results, tmp_path / "games")
    with monkeypatch.context() as patch:
        patch.setattr(contests.subprocess, "run", lambda *words, **more: pytest.fail("played again"))
        assert again.played(NAME, GAME, BOTS, 2) == first
    assert sum(again.played(NAME, GAME, BOTS, 4)["pairs"]) == 2

    monkeypatch.setattr(contests, "described", lambda game, bot: f"another {bot}")
    other = again.played(NAME, GAME, BOTS, 2)
    assert other["bots"] == ["another greedy", "another random"]
    assert len(list((tmp_path / "games").iterdir())) == 2  # the first bots' games lie beside the others'
