from __future__ import annotations

import json
from typing import Any

import pytest

from ropewalk import conformance
from ropewalk.conformance import CheckResult
from tests.support.command_runner import ropewalk

FINE = CheckResult("stones stay where they are", cases=1200, violations=0, seed=3)
KNOWN = CheckResult("draws cannot occur", cases=5, violations=2, seed=3, example="a1 b2", note="a ruling", expected=True)
NEWS = CheckResult("somebody wins", cases=7, violations=1, seed=3, example="c3 d4", note="")


def found(monkeypatch: pytest.MonkeyPatch, *findings: CheckResult) -> dict[str, Any]:
    """Let the check find these; returns what it is asked."""
    asked: dict[str, Any] = {}

    def check(game: object, *, games: int, seed: int, progress: object) -> list[CheckResult]:
        asked.update(game=game, games=games, seed=seed, progress=progress)
        return list(findings)

    monkeypatch.setattr(conformance, "check", check)
    return asked


def test_a_table_of_claims_and_exit_code_0(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = found(monkeypatch, FINE)
    done = ropewalk("check", "tether-5", "--games", "9", "--seed", "3")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines() == [
        "claim                       cases  violations  seed",
        "stones stay where they are  1,200           0     3",
    ]
    assert (asked["game"].spec, asked["games"], asked["seed"]) == ("tether-5", 9, 3)
    assert callable(asked["progress"])


def test_a_known_violation_is_told_but_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, FINE, KNOWN)
    done = ropewalk("check", "tether-5")
    assert done.code == 0
    assert "draws cannot occur: violated (known, covered by a ruling)\n  example: a1 b2\n  note: a ruling\n" in done.out


def test_an_unexpected_violation_is_exit_code_1(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, KNOWN, NEWS)
    done = ropewalk("check", "tether-5")
    assert done.code == 1
    assert "somebody wins: violated (NOT EXPECTED)\n  example: c3 d4\n" in done.out


def test_findings_as_json(monkeypatch: pytest.MonkeyPatch) -> None:
    found(monkeypatch, FINE, KNOWN)
    first, second = json.loads(ropewalk("check", "tether-5", "--json").out)
    assert first["cases"] == 1200
    assert second["expected"] is True


@pytest.mark.parametrize("wrong", [["--games", "0"], ["--games", "x"], ["--seed", "-1"], ["--games", "9" * 30]])
def test_numbers_out_of_range_get_one_line(wrong: list[str]) -> None:
    done = ropewalk("check", "tether-5", *wrong)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert "an integer from " in done.err


def test_a_real_check() -> None:
    done = ropewalk("check", "tether-3", "--games", "3")
    assert (done.code, done.err) == (0, "")
    assert "a position's text reads back as the same position" in done.out
