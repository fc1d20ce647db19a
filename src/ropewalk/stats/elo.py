"""Strength from results: scores with 95 % intervals, Elo differences, and Elo of many bots at once.

The unit is the pair, two games from one opening with seats exchanged: the games of a pair depend on each other, pairs
do not. A pair has one of five scores, so what counts is how many pairs had each.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]

PentanomialCounts: TypeAlias = NDArray[Any]  # [5] or [..., 5]: pairs by the points of their first bot, 0 to 2 in halves

PAIR_SCORES = np.array([0.0, 0.25, 0.5, 0.75, 1.0])

Z_95 = 1.959964  # standard errors on either side of a 95 % interval

NUM_RESAMPLES = 1000

ELO_PER_NAT = 400 / math.log(10)  # a difference of strength of 1 in natural logarithms

# Few pairs, or pairs that all ended alike, would seem to leave no doubt. One imagined pair, half of it won and half of
# it lost, keeps intervals honest; with a hundred pairs it hardly matters.
PRIOR_PAIR = np.array([0.5, 0.0, 0.0, 0.0, 0.5])


def elo_from_score(score: float) -> float:
    """The difference of Elo at which such a score is expected; infinite for all or nothing."""
    if not 0 < score < 1:
        return math.inf if score > 0 else -math.inf
    return ELO_PER_NAT * math.log(score / (1 - score))


@dataclass(frozen=True)
class Estimate:
    """A number and its 95 % interval."""

    value: float
    low: float
    high: float

    @property
    def is_bounded(self) -> bool:
        """Whether both ends of the interval are known."""
        return math.isfinite(self.low) and math.isfinite(self.high)


def estimate_score(counts: PentanomialCounts) -> Estimate:
    """The share of the points of the pairing's first bot; at least one pair must be there."""
    low, high = score_interval(counts)
    return Estimate(compute_mean_and_error(counts)[0], low, high)


def estimate_elo_difference(counts: PentanomialCounts) -> Estimate:
    """By how much Elo the pairing's first bot is stronger."""
    score = estimate_score(counts)
    return Estimate(elo_from_score(score.value), elo_from_score(score.low), elo_from_score(score.high))


def score_interval(counts: PentanomialCounts) -> tuple[float, float]:
    """Where the true score lies, by the variance between pairs, one of them imagined."""
    mean, error = compute_mean_and_error(counts + PRIOR_PAIR)
    return max(0.0, mean - Z_95 * error), min(1.0, mean + Z_95 * error)


def compute_mean_and_error(counts: PentanomialCounts) -> tuple[float, float]:
    """The mean score of the pairs and the standard error of that mean."""
    pairs = counts.sum()
    mean = counts @ PAIR_SCORES / pairs
    variance = counts @ (PAIR_SCORES - mean) ** 2 / pairs
    return float(mean), math.sqrt(variance / pairs)


def estimate_ratings(num_bots: int, pairings: Sequence[Pairing], counts: PentanomialCounts, seed: int = 0) -> list[Estimate]:
    """The most likely Elo of all bots (Bradley and Terry's model, a draw is half a win), where the first has 0.

    `counts` has a line a pairing. Errors come from resampling pairs. The interval of a bot that took no points from
    those above it, or lost none to those below, is open on that side, and its value a guess.
    """
    design = make_design_matrix(num_bots, pairings)
    fit = fit_bradley_terry(design, counts[np.newaxis])[0]
    low, high = np.percentile(fit_bradley_terry(design, bootstrap(counts, seed)), [2.5, 97.5], axis=0)
    reachable = beats_transitively(design, counts[np.newaxis])[0]
    low[~reachable[:, 0]] = -math.inf
    high[~reachable[0]] = math.inf
    return [Estimate(*map(float, bounds)) for bounds in zip(fit, low, high, strict=True)]


def make_design_matrix(num_bots: int, pairings: Sequence[Pairing]) -> Floats:
    """A line a pairing: 1 for its first bot, -1 for its second."""
    design = np.zeros((len(pairings), num_bots))
    for row, (first, second) in zip(design, pairings, strict=True):
        row[first], row[second] = 1, -1
    return design


def bootstrap(counts: PentanomialCounts, seed: int) -> PentanomialCounts:
    """As many pairs drawn anew, with replacement, from those there are and the imagined one: [resamples, pairings, 5]."""
    rng = np.random.default_rng(seed)
    samples = [rng.multinomial(int(row.sum()), (row + PRIOR_PAIR) / (row.sum() + 1), NUM_RESAMPLES) for row in counts]
    return np.stack(samples, axis=1)


def fit_bradley_terry(design: Floats, counts: PentanomialCounts) -> Floats:
    """The most likely Elo for each of many samples, [samples, bots], the first bot's 0.

    A pairing that leaves the difference open, because one side has won all, gets the imagined pair: a maximum that
    lies at infinity is none.
    """
    counts = counts + is_unbounded(design, counts)[:, :, np.newaxis] * PRIOR_PAIR
    pairs = counts.sum(axis=2)
    points = counts @ PAIR_SCORES
    strengths = np.zeros((len(counts), design.shape[1]))
    for _ in range(200):
        expected = 1 / (1 + np.exp(-strengths @ design.T))
        gradient = (points - pairs * expected) @ design
        information = np.einsum("pb,sp,pc->sbc", design, pairs * expected * (1 - expected), design)
        step = np.linalg.solve(information + 1, gradient[:, :, np.newaxis])[:, :, 0]  # + 1 holds the sum of strengths at 0
        strengths += np.clip(step, -1, 1)
        if np.abs(step).max() < 1e-9:
            break
    return (strengths - strengths[:, :1]) * ELO_PER_NAT


def beats_transitively(design: Floats, counts: PentanomialCounts) -> NDArray[np.bool_]:
    """Whether each bot took points from each other, directly or through a chain of others: [samples, bots, bots]."""
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
    """Whether nothing holds the two bots of a pairing together from one side or the other: [samples, pairings]."""
    reachable = beats_transitively(design, counts)
    first, second = design.argmax(axis=1), design.argmin(axis=1)
    is_bounded: NDArray[np.bool_] = reachable[:, first, second] & reachable[:, second, first]
    return ~is_bounded


Pairing: TypeAlias = tuple[int, int]  # two bots, by their places in the list of bots
