from __future__ import annotations

import json
from typing import Any

import pytest

from ropewalk import conformance
from ropewalk.conformance import CheckResult
from tests.support.command_runner import call_ropewalk

FINE = CheckResult("stones stay where they are", cases=1200, violations=0, seed=3)
KNOWN = CheckResult("draws cannot occur", cases=5, violations=2, seed=3, example="a1 b2", note="a ruling", expected=True)
NEWS = CheckResult("somebody wins", cases=7, violations=1, seed=3, example="c3 d4", note="")


def patch_check(monkeypatch: pytest.MonkeyPatch, *findings: CheckResult) -> dict[str, Any]:
    """Make the check return these findings; return a mapping that receives its arguments."""
    requested: dict[str, Any] = {}

    def check(game: object, *, games: int, seed: int, progress: object) -> list[CheckResult]:
        requested.update(game=game, games=games, seed=seed, progress=progress)
        return list(findings)

    monkeypatch.setattr(conformance, "check", check)
    return requested


def test_a_table_of_claims_and_exit_code_0(monkeypatch: pytest.MonkeyPatch) -> None:
    requested = patch_check(monkeypatch, FINE)
    result = call_ropewalk("check", "tether-5", "--games", "9", "--seed", "3")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines() == [
        "claim                       cases  violations  seed",
        "stones stay where they are  1,200           0     3",
    ]
    assert (requested["game"].spec, requested["games"], requested["seed"]) == ("tether-5", 9, 3)
    assert callable(requested["progress"])


def test_a_known_violation_is_reported_but_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_check(monkeypatch, FINE, KNOWN)
    result = call_ropewalk("check", "tether-5")
    assert result.code == 0
    assert "draws cannot occur: violated (known, covered by a ruling)\n  example: a1 b2\n  note: a ruling\n" in result.out


def test_an_unexpected_violation_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_check(monkeypatch, KNOWN, NEWS)
    result = call_ropewalk("check", "tether-5")
    assert result.code == 1
    assert "somebody wins: violated (NOT EXPECTED)\n  example: c3 d4\n" in result.out


def test_findings_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    patch_check(monkeypatch, FINE, KNOWN)
    first, second = json.loads(call_ropewalk("check", "tether-5", "--json").out)
    assert first["cases"] == 1200
    assert second["expected"] is True


@pytest.mark.parametrize("wrong", [["--games", "0"], ["--games", "x"], ["--seed", "-1"], ["--games", "9" * 30]])
def test_numbers_out_of_range_get_one_line(wrong: list[str]) -> None:
    result = call_ropewalk("check", "tether-5", *wrong)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert "an integer from " in result.err


def test_a_real_check() -> None:
    result = call_ropewalk("check", "tether-3", "--games", "3")
    assert (result.code, result.err) == (0, "")
    assert "a position's text reads back as the same position" in result.out
