"""The review of a match by values: qualities of moves, the turning point, the order of analyses."""

from __future__ import annotations

import pytest

from ropewalk.server.domain.review import (
    PositionEvaluation,
    Quality,
    find_turning_point,
    order_plies,
    review_move,
    review_moves,
)


def estimate(value: float, *best: str) -> PositionEvaluation:
    """Return the estimate of a value for seat 0."""
    return PositionEvaluation(value, is_proven=False, best_moves=best)


@pytest.mark.parametrize(
    ("after", "quality"),
    [(0.61, "good"), (0.56, "good"), (0.55, "inaccuracy"), (0.5, "mistake"), (0.4, "blunder"), (0.7, "good")],
)
def test_a_move_is_judged_by_what_its_mover_loses(after: float, quality: Quality) -> None:
    assert review_move(1, "b2", 0, estimate(0.6, "a1"), estimate(after)).quality == quality
    assert review_move(1, "b2", 1, estimate(0.4, "a1"), estimate(1 - after)).quality == quality


def test_the_move_of_the_engine_is_the_best_whatever_comes_of_it() -> None:
    reviewed = review_move(1, "a1", 0, estimate(0.6, "a1", "b2"), estimate(0.3))
    assert (reviewed.quality, reviewed.loss) == ("best", 0.0)


def test_a_move_that_keeps_a_proven_value_is_as_good_as_the_best() -> None:
    won = PositionEvaluation(1.0, is_proven=True, best_moves=("a1",))
    assert review_move(1, "b2", 0, won, PositionEvaluation(1.0, is_proven=True)).quality == "best"
    lost = PositionEvaluation(0.0, is_proven=True, best_moves=("a1",))
    assert review_move(1, "b2", 0, lost, PositionEvaluation(0.0, is_proven=True)).quality == "best"


def test_a_proven_loss_is_one_that_was_not_lost_before() -> None:
    lost = PositionEvaluation(0.0, is_proven=True)
    assert review_move(1, "b2", 0, estimate(0.6, "a1"), lost).quality == "proven-loss"
    assert review_move(1, "b2", 0, estimate(0.03, "a1"), lost).quality == "good"
    assert review_move(1, "b2", 1, estimate(0.6, "a1"), lost).quality == "good", "seat 1 has won"


def test_moves_without_values_are_left_out() -> None:
    values = {0: estimate(0.5), 1: estimate(0.5), 3: estimate(0.5)}
    assert [each.ply for each in review_moves(["a", "b", "c"], [0, 1, 0], values)] == [1]


def test_the_turning_point_is_the_move_after_which_the_winner_stays_ahead() -> None:
    values = dict(enumerate(map(estimate, [0.5, 0.6, 0.3, 0.4, 0.7, 0.9])))
    assert find_turning_point(5, 0, values) == 4
    assert find_turning_point(5, 1, values) is None, "the winner was behind at the end"
    assert find_turning_point(5, None, values) is None
    assert find_turning_point(6, 0, values) is None, "not all values are known"
    assert find_turning_point(1, 0, dict(enumerate(map(estimate, [0.6, 0.7])))) is None, "ahead from the start"


@pytest.mark.parametrize("count", [0, 1, 2, 7, 8, 100])
def test_every_position_is_analysed_once_and_the_ends_first(count: int) -> None:
    plies = order_plies(count)
    assert sorted(plies) == list(range(count + 1))
    assert plies[:2] == [0, count][: len(plies)]
    if count == 8:
        assert plies == [0, 8, 4, 2, 6, 1, 3, 5, 7]
