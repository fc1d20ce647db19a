"""Strategy trees: their text, and the checker that follows them."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.puzzles.strategy_tree import (
    PositionRules,
    StrategyTreeError,
    TreeChecker,
    TreeTooLargeError,
    parse_strategy_tree,
)
from tests.unit.puzzles.samples import SAMPLE

TEXTS = ["c3", "c3(*:d4)", "(a1,b2:d4;*:e5)", "d4-e5+/b2(~a1:c3=d4;e5-d4:a8-off)", "()", "c3()", *SAMPLE.proofs]


@pytest.mark.parametrize("text", TEXTS)
def test_a_tree_is_written_as_it_was_read(text: str) -> None:
    assert str(parse_strategy_tree(text)) == text


@pytest.mark.parametrize(
    "text", ["", "(", ")", "c3(", "c3)", "c3(a1)", "c3(a1:)", "(*:)", "(a1:b1,c1:d1)", "c3+", "+c3", "c3 d4"]
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(StrategyTreeError):
        parse_strategy_tree(text)


def test_a_text_that_is_too_deep_is_refused() -> None:
    with pytest.raises(StrategyTreeError, match="deeper than 200"):
        parse_strategy_tree("(*:" * 5000)


def require_win(tree: str, winner: int = 0, limit: int | None = None) -> int:
    """Check a tree after the winning move of the sample; return the positions visited."""
    checker = TreeChecker(PositionRules(), limit)
    checker.require_win(SAMPLE.position.play("g5"), winner, parse_strategy_tree(tree))
    return checker.num_positions


def test_a_tree_that_answers_every_defence_wins() -> None:
    assert require_win(SAMPLE.proofs[0]) > 20


@pytest.mark.parametrize(
    ("tree", "words"),
    [
        ("c4", "where the other seat is to move"),
        ("(*:b1)", "after b1: the strategy's move b1 is illegal"),
        ("(*:zz)", "the strategy's move zz is illegal"),
        ("(c4:b1)", "after b1: the strategy ends before the game"),
        (SAMPLE.proofs[0].replace("*:a6", "*:d4"), "illegal"),
        ("(*:c4(*:a6))", "after a6: the strategy's move a6 is illegal"),
        ("(*:(*:a6))", "answers where its own seat is to move"),
    ],
)
def test_a_tree_with_a_gap_does_not_win(tree: str, words: str) -> None:
    with pytest.raises(StrategyTreeError, match=words):
        require_win(tree)


def test_a_tree_does_not_win_for_the_other_seat() -> None:
    with pytest.raises(StrategyTreeError):
        require_win(SAMPLE.proofs[0], winner=1)


def test_a_finished_game_is_won_by_its_winner_only() -> None:
    over = ropewalk.game("tether-7").position(SAMPLE.position_text)
    for move in SAMPLE.main_line:
        over = over.play(move)
    TreeChecker(PositionRules()).require_win(over, 0, None)
    with pytest.raises(StrategyTreeError, match="without a win of seat 1"):
        TreeChecker(PositionRules()).require_win(over, 1, None)


def test_the_limit_of_positions_is_kept() -> None:
    with pytest.raises(TreeTooLargeError, match="more than 5 positions"):
        require_win(SAMPLE.proofs[0], limit=5)
