"""Scores, errors and Elo, compared with hand computations and with simulated bots of known strength."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ropewalk.stats.elo import (
    compute_mean_and_error,
    elo_from_score,
    estimate_elo_difference,
    estimate_ratings,
    estimate_score,
)


def test_elo_of_known_scores() -> None:
    assert elo_from_score(0.5) == 0
    assert elo_from_score(0.75) == pytest.approx(190.85, abs=0.01)
    assert elo_from_score(10 / 11) == pytest.approx(400)
    assert elo_from_score(0.25) == -elo_from_score(0.75)
    assert (elo_from_score(1), elo_from_score(0)) == (math.inf, -math.inf)


def test_mean_and_error_by_hand() -> None:
    mean, error = compute_mean_and_error(np.array([1, 0, 2, 0, 1]))
    assert mean == 0.5
    assert error == pytest.approx(math.sqrt((0.25 + 0.25) / 4 / 4))
    mean, error = compute_mean_and_error(np.array([0, 1, 0, 2, 1]))
    assert mean == pytest.approx((0.25 + 2 * 0.75 + 1) / 4)
    variance = ((0.25 - mean) ** 2 + 2 * (0.75 - mean) ** 2 + (1 - mean) ** 2) / 4
    assert error == pytest.approx(math.sqrt(variance / 4))


def test_the_interval_counts_one_imagined_pair() -> None:
    estimate = estimate_score(np.array([1, 0, 2, 0, 1]))
    assert estimate.value == 0.5
    assert estimate.high - 0.5 == 0.5 - estimate.low == pytest.approx(1.959964 * math.sqrt(0.15 / 5))


def test_pairs_that_exchange_wins_tell_more_than_games_of_chance() -> None:
    exchanged, luck = estimate_score(np.array([0, 0, 100, 0, 0])), estimate_score(np.array([25, 0, 50, 0, 25]))
    assert exchanged.value == luck.value == 0.5
    assert 0 < exchanged.high - exchanged.low < (luck.high - luck.low) / 5


def test_who_wins_all_is_bounded_from_below() -> None:
    estimate = estimate_elo_difference(np.array([0, 0, 0, 0, 10]))
    assert estimate.value == estimate.high == math.inf
    assert estimate.low == pytest.approx(elo_from_score(0.8313), abs=1)
    assert not estimate.is_bounded


def test_two_bots_are_rated_as_their_score_says() -> None:
    counts = np.array([[5, 3, 20, 8, 14]])
    first, second = estimate_ratings(2, [(0, 1)], counts)
    assert (first.value, first.low, first.high) == (0, 0, 0)
    assert second.value == pytest.approx(-estimate_elo_difference(counts[0]).value)
    assert second.low < second.value < second.high


def test_a_ladder_adds_up() -> None:
    three_quarters = [0, 0, 50, 0, 50]
    ratings = estimate_ratings(3, [(0, 1), (1, 2)], np.array([three_quarters, three_quarters]))
    assert [rating.value for rating in ratings] == pytest.approx([0, -190.85, -381.70], abs=0.01)


def test_a_round_robin_that_agrees_with_the_model_is_fitted_exactly() -> None:
    counts = np.array([[0, 0, 50, 0, 50], [0, 0, 20, 0, 80], [0, 0, 50, 0, 50]])  # odds 3, 9 and 3
    ratings = estimate_ratings(3, [(0, 1), (0, 2), (1, 2)], counts)
    assert [rating.value for rating in ratings] == pytest.approx([0, -190.85, -381.70], abs=0.01)


def test_draws_count_as_halves() -> None:
    drawn = estimate_ratings(2, [(0, 1)], np.array([[0, 40, 0, 60, 0]]))
    won = estimate_ratings(2, [(0, 1)], np.array([[20, 0, 50, 0, 30]]))
    assert drawn[1].value == pytest.approx(won[1].value)


def test_nothing_bounds_a_bot_that_loses_all_from_below_and_others_are_not_disturbed() -> None:
    even = [10, 0, 30, 0, 10]
    with_loser = estimate_ratings(3, [(0, 1), (1, 2)], np.array([even, [0, 0, 0, 0, 50]]))
    assert with_loser[2].low == -math.inf
    assert -math.inf < with_loser[2].high < with_loser[1].value - 400
    assert with_loser[1].value == pytest.approx(estimate_ratings(2, [(0, 1)], np.array([even]))[1].value)


def test_what_was_not_played_is_unknown() -> None:
    ratings = estimate_ratings(2, [(0, 1)], np.zeros((1, 5), int))
    assert (ratings[1].low, ratings[1].high) == (-math.inf, math.inf)


def test_the_same_seed_gives_the_same_errors() -> None:
    counts = np.array([[5, 3, 20, 8, 14]])
    assert estimate_ratings(2, [(0, 1)], counts, seed=3) == estimate_ratings(2, [(0, 1)], counts, seed=3)
    assert estimate_ratings(2, [(0, 1)], counts, seed=3) != estimate_ratings(2, [(0, 1)], counts, seed=4)


def simulate_pairs(rng: np.random.Generator, difference: float, pairs: int, advantage: float = 0) -> list[int]:
    """Return pentanomial counts of simulated pairs; seat 0 has an advantage of `advantage` Elo."""
    counts = [0] * 5
    for _ in range(pairs):
        wins = [rng.random() < 1 / (1 + 10 ** (-(difference + side) / 400)) for side in (advantage, -advantage)]
        counts[2 * sum(wins)] += 1
    return counts


@pytest.mark.parametrize(("difference", "advantage", "pairs"), [(0, 0, 50), (100, 200, 50), (300, 0, 30), (50, 400, 60)])
def test_95_of_100_intervals_hold_the_true_score(difference: float, advantage: float, pairs: int) -> None:
    rng = np.random.default_rng(1)
    true = sum(1 / (1 + 10 ** (-(difference + side) / 400)) for side in (advantage, -advantage)) / 2
    trials = [estimate_score(np.array(simulate_pairs(rng, difference, pairs, advantage))) for _ in range(1000)]
    covered = sum(estimate.low <= true <= estimate.high for estimate in trials) / len(trials)
    assert 0.92 <= covered <= 0.99


def test_intervals_of_ratings_hold_the_true_strengths() -> None:
    rng = np.random.default_rng(2)
    true, pairings = [0, 150, 250, -100], [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    covered = []
    for _ in range(60):
        counts = np.array([simulate_pairs(rng, true[first] - true[second], 40) for first, second in pairings])
        rated = zip(estimate_ratings(4, pairings, counts)[1:], true[1:], strict=True)
        covered += [estimate.low <= strength <= estimate.high for estimate, strength in rated]
    assert 0.90 <= sum(covered) / len(covered) <= 0.99
