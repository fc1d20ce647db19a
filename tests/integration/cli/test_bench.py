from __future__ import annotations

import json

import pytest

import ropewalk as package
from ropewalk.cli.commands import checks
from tests.support.command_runner import call_ropewalk


def test_a_line_a_game() -> None:
    result = call_ropewalk("bench", "tether-3", "liger-4", "--seconds", "0.02")
    assert (result.code, result.err) == (0, "")
    header, *lines = result.out.splitlines()
    assert header.split("  ")[0] == "game"
    assert [line.split()[0] for line in lines] == ["tether-3", "liger-4"]
    assert all(len(line.split()) == 4 for line in lines)


def test_figures_as_json() -> None:
    (figures,) = json.loads(call_ropewalk("bench", "lariat-1x1", "--seconds", "0.02", "--json").out)
    assert figures.pop("spec") == "lariat-1x1"
    assert list(figures) == ["random_games_per_second", "steps_per_second", "batch_steps_per_second"]
    assert all(figure > 0 for figure in figures.values())


def test_without_specs_all_standard_boards_are_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "prepare_workloads", lambda game: {"work": abs})
    monkeypatch.setattr(checks, "measure_rate", lambda work, min_seconds: 1.0)
    figures = json.loads(call_ropewalk("bench", "--seconds", "0.01", "--json").out)
    assert [line["spec"] for line in figures] == [f"{entry.key}-{entry.standard}" for entry in package.games()]


@pytest.mark.parametrize("wrong", ["0", "-1", "nan", "inf", "1e9", "9999", "x"])
def test_a_time_out_of_range_gets_one_line(wrong: str) -> None:
    result = call_ropewalk("bench", "tether-3", "--seconds", wrong)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)


def test_the_rate_is_work_done_in_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 0.0

    def work(amount: int) -> int:
        nonlocal now
        now += amount / 1000
        return amount

    monkeypatch.setattr("time.perf_counter", lambda: now)
    assert checks.measure_rate(work, 5.0) == pytest.approx(1000)
