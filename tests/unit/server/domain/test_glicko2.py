"""Ratings: Glicko-2 as its author's example has it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ropewalk.server.domain.glicko2 import Rating, compute_volatility, estimate_advantage, increase_deviation, update_rating

RATINGS = st.builds(Rating, rating=st.floats(400, 3000), deviation=st.floats(45, 350), volatility=st.floats(0.03, 0.12))


def test_the_volatility_of_the_papers_example() -> None:
    assert compute_volatility(200 / 173.7178, 0.06, 1.7785, -0.4834) == pytest.approx(0.05999, abs=1e-5)


def test_one_win_between_new_players() -> None:
    won, lost = update_rating(Rating(), Rating(), 1.0, 1), update_rating(Rating(), Rating(), 0.0, 1)
    assert won.rating == pytest.approx(1662.3, abs=0.5)
    assert won.rating - 1500 == pytest.approx(1500 - lost.rating)
    assert won.deviation < 350
    assert won.games == 1


@given(mine=RATINGS, other=RATINGS)
def test_a_win_never_lowers_and_a_loss_never_raises_a_rating(mine: Rating, other: Rating) -> None:
    assert update_rating(mine, other, 1.0, 1).rating >= mine.rating
    assert update_rating(mine, other, 0.0, 1).rating <= mine.rating
    assert 45 <= update_rating(mine, other, 0.5, 1).deviation <= 350


def test_a_rating_that_rests_is_as_high_but_less_sure() -> None:
    known = Rating(1700, 60, 0.06, 20, updated_at=1)
    later = increase_deviation(known, 1 + 365 * 24 * 3600 * 1000)
    assert later.rating == 1700
    assert 60 < later.deviation < 350


def test_the_first_seats_advantage_is_measured_with_its_error() -> None:
    even = estimate_advantage(500, 0, 500)
    assert even.points == pytest.approx(0)
    assert even.error == pytest.approx(21.5, abs=1)
    assert estimate_advantage(700, 0, 300).points > 100
    assert abs(estimate_advantage(1, 0, 0).points) < estimate_advantage(1, 0, 0).error, "one game says little"
