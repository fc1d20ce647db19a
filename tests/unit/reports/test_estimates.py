"""Intervals of means and shares."""

from __future__ import annotations

import pytest

from ropewalk.reports.estimates import describe_lengths, estimate_mean, estimate_share, estimate_to_json
from ropewalk.stats.elo import Estimate


def test_the_interval_of_a_mean_narrows_with_the_square_root_of_the_sample() -> None:
    narrow, wide = estimate_mean([0.0, 2.0] * 200), estimate_mean([0.0, 2.0] * 50)
    assert narrow.value == wide.value == 1.0
    assert (wide.high - wide.low) / (narrow.high - narrow.low) == pytest.approx(2, rel=0.01)
    assert narrow.high == pytest.approx(1 + 1.96 / 20, abs=0.001)


def test_the_interval_of_a_share_stays_between_0_and_1_and_is_never_empty() -> None:
    for total in (0, 10):
        estimate = estimate_share(total, 10)
        assert 0 <= estimate.low < estimate.high <= 1
    half = estimate_share(50, 100)
    assert (round(half.low, 3), round(half.high, 3)) == (0.404, 0.596)
    assert estimate_share(0, 0) == Estimate(0.0, 0.0, 1.0)


def test_an_end_without_a_bound_is_null() -> None:
    assert estimate_to_json(Estimate(1.23456, -float("inf"), 2.0), 2) == {"value": 1.23, "low": None, "high": 2.0}


def test_quantiles_of_lengths_are_lengths() -> None:
    assert describe_lengths([1, 2, 3, 4, 100])["quantiles"] == {"0.1": 1, "0.5": 3, "0.9": 100}
