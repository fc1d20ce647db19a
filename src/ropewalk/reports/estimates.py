"""Means and shares with 95 % intervals, and their JSON."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..stats.elo import Z_95, Estimate

DECIMALS = 4
QUANTILES = (0.1, 0.5, 0.9)


def estimate_mean(values: Sequence[float]) -> Estimate:
    """Return the mean of a sample, with an interval from its variance; without values, 0."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    mean = math.fsum(values) / len(values)
    variance = math.fsum((value - mean) ** 2 for value in values) / max(1, len(values) - 1)
    error = Z_95 * math.sqrt(variance / len(values))
    return Estimate(mean, mean - error, mean + error)


def estimate_share(total: float, count: int) -> Estimate:
    """Return a share, or a mean score, of `total` in `count` games, with the interval of Wilson (1927)."""
    if not count:
        return Estimate(0.0, 0.0, 1.0)
    share, z_squared = total / count, Z_95 * Z_95
    centre = (share + z_squared / (2 * count)) / (1 + z_squared / count)
    spread = Z_95 * math.sqrt(share * (1 - share) / count + z_squared / (4 * count * count)) / (1 + z_squared / count)
    return Estimate(share, max(0.0, centre - spread), min(1.0, centre + spread))


def estimate_to_json(estimate: Estimate, decimals: int = DECIMALS) -> dict[str, float | None]:
    """Return an estimate as JSON; an end that is infinite is null."""
    ends = (estimate.value, estimate.low, estimate.high)
    value, low, high = (round(end, decimals) if math.isfinite(end) else None for end in ends)
    return {"value": value, "low": low, "high": high}


def describe_lengths(lengths: Sequence[int]) -> dict[str, Any]:
    """Return mean and quantiles of the lengths of games as JSON."""
    quantiles = [int(value) for value in np.quantile(lengths, QUANTILES, method="inverted_cdf")]
    return {
        "mean": estimate_to_json(estimate_mean(lengths), 2),
        "quantiles": dict(zip(map(str, QUANTILES), quantiles, strict=True)),
    }
