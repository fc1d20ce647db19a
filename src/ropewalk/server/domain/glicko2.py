"""Glicko-2, by Mark Glickman: a rating with how sure it is, moved after every match; and what the first seat is worth.

The formulas follow his paper "Example of the Glicko-2 system"; a match is a rating period of its own, and deviations grow
with the days between.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

SCALE = 173.7178
TAU = 0.5  # how much volatilities may change
TOLERANCE = 1e-6
DAY_MS = 24 * 3600 * 1000
PERIOD_DAYS = 5.0  # in which a deviation grows by the volatility once
MIN_DEVIATION, MAX_DEVIATION = 45.0, 350.0


@dataclass(frozen=True)
class Rating:
    """What is known of a player's strength in one game and pool."""

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06
    games: int = 0
    updated_at: int = 0


def update_rating(mine: Rating, other: Rating, score: float, now: int) -> Rating:
    """A rating after one match: the score is 1 for a win, 0.5 for a draw, 0 for a loss."""
    mine, other = increase_deviation(mine, now), increase_deviation(other, now)
    mu, phi = (mine.rating - 1500) / SCALE, mine.deviation / SCALE
    weight = 1 / math.sqrt(1 + 3 * (other.deviation / SCALE) ** 2 / math.pi**2)
    expected = 1 / (1 + math.exp(-weight * (mu - (other.rating - 1500) / SCALE)))
    variance = 1 / (weight**2 * expected * (1 - expected))
    surprise = weight * (score - expected)
    sigma = new_volatility(phi, mine.volatility, variance, variance * surprise)
    new_phi = 1 / math.sqrt(1 / (phi**2 + sigma**2) + 1 / variance)
    new_mu = mu + new_phi**2 * surprise
    deviation = min(MAX_DEVIATION, max(MIN_DEVIATION, SCALE * new_phi))
    return Rating(1500 + SCALE * new_mu, deviation, sigma, mine.games + 1, now)


def increase_deviation(known: Rating, now: int) -> Rating:
    """A rating after some days without a match: as high, but less sure."""
    if not known.updated_at:
        return known
    periods = max(0, now - known.updated_at) / DAY_MS / PERIOD_DAYS
    phi = math.sqrt((known.deviation / SCALE) ** 2 + periods * known.volatility**2)
    return Rating(known.rating, min(MAX_DEVIATION, SCALE * phi), known.volatility, known.games, known.updated_at)


def new_volatility(phi: float, sigma: float, variance: float, delta: float) -> float:
    """The new volatility, found between two bounds as the paper has it."""
    start = math.log(sigma**2)

    def slope(x: float) -> float:
        grown = phi**2 + variance + math.exp(x)
        return math.exp(x) * (delta**2 - grown) / (2 * grown**2) - (x - start) / TAU**2

    low, high = start, lower_bound(slope, phi, variance, delta, start)
    at_low, at_high = slope(low), slope(high)
    while abs(high - low) > TOLERANCE:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = slope(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return math.exp(low / 2)


def lower_bound(slope: Callable[[float], float], phi: float, variance: float, delta: float, start: float) -> float:
    """A place on the other side of the new volatility."""
    if delta**2 > phi**2 + variance:
        return math.log(delta**2 - phi**2 - variance)
    steps = 1
    while slope(start - steps * TAU) < 0:
        steps += 1
    return start - steps * TAU


@dataclass(frozen=True)
class Advantage:
    """What it is worth to move first: the first seat's score, the same in rating points, and how sure that is."""

    games: int
    score: float
    points: float
    error: float  # of the points, 95 %


def estimate_advantage(wins: int, draws: int, losses: int) -> Advantage:
    """Measured from the first seat's results; two imagined draws keep few games from saying much."""
    games = wins + draws + losses
    score = (wins + draws / 2 + 1) / (games + 2)
    spread = 1.96 * math.sqrt(score * (1 - score) / (games + 2))
    points = 400 * math.log10(score / (1 - score))
    error = 400 / math.log(10) * spread / (score * (1 - score))
    return Advantage(games, score, points, error)
