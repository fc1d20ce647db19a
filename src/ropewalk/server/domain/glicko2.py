"""Glicko-2 ratings, updated after every match, and an estimate of the first-move advantage.

The formulas follow Mark Glickman, "Example of the Glicko-2 system". Every match is a rating period of its own; between
matches the deviation grows with time.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

SCALE = 173.7178
TAU = 0.5  # system constant: limits the change of volatility
TOLERANCE = 1e-6
DAY_MS = 24 * 3600 * 1000
PERIOD_DAYS = 5.0  # without a match, after which the volatility is added to the deviation once
MIN_DEVIATION, MAX_DEVIATION = 45.0, 350.0


@dataclass(frozen=True)
class Rating:
    """The rating of a player in one game and pool."""

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06
    games: int = 0
    updated_at: int = 0


def update_rating(player: Rating, opponent: Rating, score: float, now: int) -> Rating:
    """Return the player's rating after one match; `score` is 1 for a win, 0.5 for a draw, 0 for a loss."""
    player, opponent = increase_deviation(player, now), increase_deviation(opponent, now)
    mu, phi = (player.rating - 1500) / SCALE, player.deviation / SCALE
    weight = 1 / math.sqrt(1 + 3 * (opponent.deviation / SCALE) ** 2 / math.pi**2)
    expected = 1 / (1 + math.exp(-weight * (mu - (opponent.rating - 1500) / SCALE)))
    variance = 1 / (weight**2 * expected * (1 - expected))
    improvement = weight * (score - expected)
    sigma = compute_volatility(phi, player.volatility, variance, variance * improvement)
    new_phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / variance)
    new_mu = mu + new_phi**2 * improvement
    deviation = min(MAX_DEVIATION, max(MIN_DEVIATION, SCALE * new_phi))
    return Rating(1500 + SCALE * new_mu, deviation, sigma, player.games + 1, now)


def increase_deviation(rating: Rating, now: int) -> Rating:
    """Return a rating whose deviation has grown by the time without a match."""
    if not rating.updated_at:
        return rating
    periods = max(0, now - rating.updated_at) / DAY_MS / PERIOD_DAYS
    phi = math.sqrt((rating.deviation / SCALE) ** 2 + periods * rating.volatility**2)
    return Rating(rating.rating, min(MAX_DEVIATION, SCALE * phi), rating.volatility, rating.games, rating.updated_at)


def compute_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """Return the new volatility, by the Illinois algorithm as in step 5 of the paper."""
    start = math.log(sigma**2)

    def f(x: float) -> float:
        total = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - total) / (2 * total**2) - (x - start) / TAU**2

    low, high = start, find_second_bound(f, phi, variance, delta, start)
    f_low, f_high = f(low), f(high)
    while abs(high - low) > TOLERANCE:
        candidate = low + (low - high) * f_low / (f_high - f_low)
        f_candidate = f(candidate)
        if f_candidate * f_high <= 0:
            low, f_low = high, f_high
        else:
            f_low /= 2
        high, f_high = candidate, f_candidate
    return math.exp(low / 2)


def find_second_bound(f: Callable[[float], float], phi: float, variance: float, delta: float, start: float) -> float:
    """Return the second initial bound of the logarithm of the squared volatility; `start` is the first."""
    if delta**2 > phi**2 + variance:
        return math.log(delta**2 - phi**2 - variance)
    steps = 1
    while f(start - steps * TAU) < 0:
        steps += 1
    return start - steps * TAU


@dataclass(frozen=True)
class Advantage:
    """The first-move advantage: the score of the first seat, and the same in rating points with its error."""

    games: int
    score: float
    points: float
    error: float  # of the points: half the width of the 95 % confidence interval


def estimate_advantage(wins: int, draws: int, losses: int) -> Advantage:
    """Return the first-move advantage by the results of the first seat; two draws are added as a prior."""
    games = wins + draws + losses
    score = (wins + draws / 2 + 1) / (games + 2)
    spread = 1.96 * math.sqrt(score * (1 - score) / (games + 2))
    points = 400 * math.log10(score / (1 - score))
    error = 400 / math.log(10) * spread / (score * (1 - score))
    return Advantage(games, score, points, error)
