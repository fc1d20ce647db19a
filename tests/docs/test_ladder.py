"""Page, package and web page show the strengths of the stored results of the ladder."""

from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

import ropewalk
from ropewalk.bots.level_strength import LevelStrength, describe_level, load_level_strengths
from tests.support.docs_script import load_docs_script

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def ladder() -> ModuleType:
    return load_docs_script("ladder")


def test_all_texts_have_the_strengths_of_the_stored_results(ladder: ModuleType) -> None:
    results, tactics = (json.loads((DOCS / "ladder" / f"{name}.json").read_text("utf-8")) for name in ("results", "tactics"))
    strengths = ladder.compute_strengths(results, tactics)
    assert ladder.STRENGTHS_FILE.read_text("utf-8") == ladder.format_strengths(strengths)
    assert ladder.PAGE_STRENGTHS.read_text("utf-8") == ladder.format_page_strengths(strengths)
    assert (DOCS / "ladder.md").read_text("utf-8") == ladder.render_page(results, strengths)


def test_every_level_was_measured_and_stronger_ones_find_more() -> None:
    for entry in ropewalk.games():
        levels = load_level_strengths()[entry.key]
        assert len(levels) == len(entry.bots)
        assert levels[0].elo == 0
        assert sorted(level.elo for level in levels) == [level.elo for level in levels]
        assert [level.score_against_next is None for level in levels].index(True) == len(levels) - 1
        assert levels[0].wins_found["2-3"] < levels[4].wins_found["2-3"]


def test_a_level_is_described_by_what_was_measured() -> None:
    levels = (
        LevelStrength(0, 0.25, {"1": 0.5, "2-3": 0.124, "4+": 0.0}),
        LevelStrength(1480, None, {"1": 1.0, "2-3": 0.99, "4+": 0.4}),
    )
    assert describe_level(levels, 1) == (
        "finds 50 % of wins in one turn, 12 % in two or three, 0 % in more; scores 25 % against level 2"
    )
    assert describe_level(levels, 2) == (
        "finds 100 % of wins in one turn, 99 % in two or three, 40 % in more; about 1,480 Elo above level 1"
    )
