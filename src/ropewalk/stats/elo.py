"""Elo and 95 % intervals from match results, for one pairing (pentanomial) and for many bots at once (Bradley-Terry).

The sampling unit is the pair: two games from one opening with the seats swapped. The games of a pair are correlated,
pairs are independent. A pair has one of five scores, so results are stored as pentanomial counts: the numbers of pairs
in which the first bot of the pairing took 0, 0.5, 1, 1.5 and 2 points.

Ratings maximise the likelihood of the model of Bradley and Terry (1952), a draw counting as half a win; their intervals
are percentiles of a bootstrap over pairs (Efron 1979).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Pairing: TypeAlias = tuple[int, int]  # two bots, by their indices in the list of bots
PentanomialCounts: TypeAlias = NDArray[Any]  # [..., 5]: pairs by the points of their first bot: 0, 0.5, 1, 1.5, 2

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
Z_95 = 1.959964  # standard errors on either side of a 95 % interval
NUM_RESAMPLES = 1000
ELO_PER_NAT = 400 / math.log(10)  # Elo of a strength difference of 1 in natural logarithms

# Prior: one pair, half of it won 2-0 and half lost 0-2. Without it, few pairs or pairs of equal scores would have a
# variance near 0 and an interval that is too narrow. Its effect is negligible from about a hundred pairs on.
PRIOR_PAIR = np.array([0.5, 0.0, 0.0, 0.0, 0.5])


def elo_from_score(score: float) -> float:
    """Return the Elo difference at which `score`, in [0, 1], is expected: -inf for 0, inf for 1."""
    if not 0 < score < 1:
        return math.inf if score > 0 else -math.inf
    return ELO_PER_NAT * math.log(score / (1 - score))


@dataclass(frozen=True)
class Estimate:
    """A value with the ends of its 95 % interval; both ends may be infinite."""

    value: float
    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        """Whether both ends of the interval are finite."""
        return math.isfinite(self.low) and math.isfinite(self.high)


def estimate_score(counts: PentanomialCounts) -> Estimate:
    """Return the score of the pairing's first bot, in [0, 1]. `counts` ([5]) must contain at least one pair."""
    low, high = score_interval(counts)
    return Estimate(compute_mean_and_error(counts)[0], low, high)


def estimate_elo_difference(counts: PentanomialCounts) -> Estimate:
    """Return the Elo of the pairing's first bot minus that of its second. `counts`: see `estimate_score`."""
    score = estimate_score(counts)
    return Estimate(elo_from_score(score.value), elo_from_score(score.low), elo_from_score(score.high))


def score_interval(counts: PentanomialCounts) -> tuple[float, float]:
    """Return the 95 % interval of the score, from the variance between pairs with PRIOR_PAIR added."""
    mean, error = compute_mean_and_error(counts + PRIOR_PAIR)
    return max(0.0, mean - Z_95 * error), min(1.0, mean + Z_95 * error)


def compute_mean_and_error(counts: PentanomialCounts) -> tuple[float, float]:
    """Return the mean score of the pairs and its standard error. `counts` ([5]) must not be all zero."""
    pairs = counts.sum()
    mean = counts @ PAIR_SCORES / pairs
    variance = counts @ (PAIR_SCORES - mean) ** 2 / pairs
    return float(mean), math.sqrt(variance / pairs)


def estimate_ratings(num_bots: int, pairings: Sequence[Pairing], counts: PentanomialCounts, seed: int = 0) -> list[Estimate]:
    """Return the maximum-likelihood Elo of all bots, relative to the first bot, which has 0.

    `counts` ([pairings, 5]) has a row per pairing. The intervals come from a bootstrap with `seed`. The lower end is
    -inf for a bot that took no points, directly or through a chain of others, from the first bot; the upper end is inf
    for a bot from which the first bot took none. The value of such a bot depends on PRIOR_PAIR.
    """
    design = make_design_matrix(num_bots, pairings)
    fit = fit_bradley_terry(design, counts[np.newaxis])[0]
    low, high = np.percentile(fit_bradley_terry(design, bootstrap(counts, seed)), [2.5, 97.5], axis=0)
    reachable = beats_transitively(design, counts[np.newaxis])[0]
    low[~reachable[:, 0]] = -math.inf
    high[~reachable[0]] = math.inf
    return [Estimate(*map(float, bounds)) for bounds in zip(fit, low, high, strict=True)]


def make_design_matrix(num_bots: int, pairings: Sequence[Pairing]) -> Floats:
    """Return [pairings, bots]: 1 for the first bot of a pairing, -1 for its second, 0 elsewhere."""
    design = np.zeros((len(pairings), num_bots))
    for row, (first, second) in zip(design, pairings, strict=True):
        row[first], row[second] = 1, -1
    return design


def bootstrap(counts: PentanomialCounts, seed: int) -> PentanomialCounts:
    """Resample each pairing from its pairs and PRIOR_PAIR, with replacement: [resamples, pairings, 5]."""
    rng = np.random.default_rng(seed)
    samples = [rng.multinomial(int(row.sum()), (row + PRIOR_PAIR) / (row.sum() + 1), NUM_RESAMPLES) for row in counts]
    return np.stack(samples, axis=1)


def fit_bradley_terry(design: Floats, counts: PentanomialCounts) -> Floats:
    """Return the maximum-likelihood Elo for each sample: [samples, bots], relative to the first bot.

    `counts` is [samples, pairings, 5]. A pairing whose difference the results leave unbounded gets PRIOR_PAIR in
    addition, so that the maximum is finite. Newton's method, with steps of at most 1 nat.
    """
    counts = counts + is_unbounded(design, counts)[:, :, np.newaxis] * PRIOR_PAIR
    pairs = counts.sum(axis=2)
    points = counts @ PAIR_SCORES
    strengths = np.zeros((len(counts), design.shape[1]))
    for _ in range(200):
        expected = 1 / (1 + np.exp(-strengths @ design.T))
        gradient = (points - pairs * expected) @ design
        information = np.einsum("pb,sp,pc->sbc", design, pairs * expected * (1 - expected), design)
        step = np.linalg.solve(information + 1, gradient[:, :, np.newaxis])[:, :, 0]  # + 1: sum of strengths stays 0
        strengths += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return (strengths - strengths[:, :1]) * ELO_PER_NAT


def beats_transitively(design: Floats, counts: PentanomialCounts) -> NDArray[np.bool_]:
    """Return whether bot b took points from bot c, directly or through a chain of bots: [samples, b, c]."""
    points = counts @ PAIR_SCORES
    points_lost = counts.sum(axis=2) - points
    num_bots = design.shape[1]
    reachable = np.einsum("pb,sp,pc->sbc", design > 0, points > 0, design < 0)
    reachable |= np.einsum("pb,sp,pc->sbc", design < 0, points_lost > 0, design > 0)
    reachable |= np.eye(num_bots, dtype=bool)
    for _ in range(num_bots.bit_length()):
        reachable = reachable @ reachable
    return reachable


def is_unbounded(design: Floats, counts: PentanomialCounts) -> NDArray[np.bool_]:
    """Return whether one bot of a pairing took no points, even transitively, from the other: [samples, pairings]."""
    reachable = beats_transitively(design, counts)
    first, second = design.argmax(axis=1), design.argmin(axis=1)
    is_bounded: NDArray[np.bool_] = reachable[:, first, second] & reachable[:, second, first]
    return ~is_bounded
