"""Faults of all kinds while matches are played: the invariants of the logs hold all the time."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import pytest

from tests.chaos.plan import choose_weights, make_plan
from tests.chaos.run import ChaosSettings, run_chaos
from tests.support.stored_log import RestoreTimes, classify

RESTORE = RestoreTimes(backup_began=10, backup_ended=11, restore_began=20, restore_ended=21)


def test_players_and_faults_of_twenty_seconds_break_no_invariant(tmp_path: Path) -> None:
    settings = ChaosSettings("postgresql", seconds=20, seed=3, servers=2, matches=8, evidence=tmp_path)
    result = run_chaos(settings)
    assert result.problems == [], result.summary
    assert sum(result.faults.values()) >= 2
    assert not result.failed_faults


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_players_and_faults_of_ten_minutes_break_no_invariant(database: str, tmp_path: Path) -> None:
    result = run_chaos(ChaosSettings(database, seconds=600, seed=4, evidence=tmp_path))
    print(f"\n{result.summary}")
    assert result.problems == []


def test_a_plan_depends_on_its_seed_only_and_has_every_kind_of_fault_first() -> None:
    weights = choose_weights(is_postgres=True, has_small_disk=True)
    plan = list(islice(make_plan(7, weights), 100))
    assert plan == list(islice(make_plan(7, weights), 100))
    assert plan != list(islice(make_plan(8, weights), 100))
    assert {fault.kind for fault in plan[: len(weights)]} == set(weights)


def test_a_restore_in_a_plan_follows_a_backup_that_was_made_since_the_last_one() -> None:
    plan = islice(make_plan(7, choose_weights(is_postgres=True, has_small_disk=True)), 1000)
    kinds = [fault.kind for fault in plan if fault.kind in ("backup", "restore")]
    assert all(before == "backup" for before, kind in pairwise(kinds) if kind == "restore")


@pytest.mark.parametrize(
    ("sent_at", "acknowledged_at", "expected"),
    [
        (8, 9, "required"),
        (9, 10.5, "uncertain"),
        (12, 13, "removed"),
        (19, 20.5, "uncertain"),
        (21.5, 21.6, "uncertain"),
        (22.5, 22.6, "required"),
    ],
)
def test_a_restore_removes_exactly_what_was_acknowledged_after_its_backup(
    sent_at: float, acknowledged_at: float, expected: str
) -> None:
    assert classify(sent_at, acknowledged_at, [RESTORE]) == expected
