"""Lariat, by Mark Steere."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk import IllegalMove, PositionError

SMALL = ropewalk.game("lariat-1x2")


def test_a_group_from_the_centre_to_the_edge_wins() -> None:
    position = SMALL.position(
        """a |  *
           b | b . . . . .
           c |  b . . . . .
           d |   b . . . . .
           to move: black"""
    ).play("a1")
    assert position.outcome is not None
    assert (position.outcome.winner, position.outcome.reason) == (0, "holds-centre")
    assert position.outcome.witness == ("a1", "b1", "c1", "d1")


def test_a_loop_around_the_centre_that_reaches_the_edge_wins() -> None:
    position = SMALL.position(
        """a |  w
           b | b b b b b .
           c |  b . . . . .
           d |   b . . . . .
           to move: black"""
    ).play("b6")
    assert position.outcome is not None
    assert position.outcome.reason == "ropes-off-centre"
    assert "ropes off the centre a1 with a group of 8 stones" in position.outcome.words


def test_a_loop_that_misses_the_edge_does_not_win_until_it_is_tied_to_it() -> None:
    ring = SMALL.position(
        """a |  w
           b | b b b b b .
           c |  b . . . . .
           d |   . . . . . .
           to move: black"""
    ).play("b6")
    assert ring.outcome is None
    tied = ring.play("d4").play("d1")
    assert tied.outcome is not None
    assert tied.outcome.reason == "ropes-off-centre"


def test_a_loop_beside_the_centre_does_not_win() -> None:
    position = ropewalk.game("lariat-2x3").position(
        """a | *
           b | . . . . . .
           c | . . . . . . . . . . . .
           d | . b b . . . . . . . . .
           e | . b . b . . . . . . . .
           f | . . b b . . . . . . . .
           to move: white"""
    )
    assert position.outcome is None


def test_stones_on_the_edge_all_round_rope_off_the_centre() -> None:
    position = SMALL.position(
        """a | *
           b | . . . . . .
           c | . . . . . .
           d | b b b b b .
           to move: black"""
    )
    outcome = position.play("d6").outcome
    assert outcome is not None
    assert outcome.reason == "ropes-off-centre"


def test_a_taken_cell_is_refused_with_the_stone_on_it() -> None:
    with pytest.raises(IllegalMove, match="b1 already has a black stone") as error:
        SMALL.start().play("b1").play("b1")
    assert (error.value.reason, error.value.witness, error.value.clause) == ("taken", ("b1",), "Placing stones")


def test_after_the_end_every_move_is_refused_with_the_ending() -> None:
    over = SMALL.start()
    for move in ["a1", "d6", "b1", "d5", "c1", "d4", "d1"]:
        over = over.play(move)
    assert over.seat is None
    assert over.moves() == []
    with pytest.raises(IllegalMove, match="the game is over: black connects the centre"):
        over.play("d2")


def test_the_pie_rule_exchanges_colours_and_never_seats() -> None:
    first = ropewalk.game("lariat-1x2-pie").start().play("a1")
    assert (first.seat, first.colours) == (1, ("black", "white"))
    swapped = first.play("swap")
    assert (swapped.seat, swapped.colours) == (0, ("white", "black"))
    assert swapped.contents == {"a1": "b"}
    assert swapped.play("b1").contents == {"a1": "b", "b1": "w"}


@pytest.mark.parametrize(
    ("moves", "reason"), [("", "nothing-to-swap"), ("a1 b1", "too-late-to-swap"), ("a1 swap", "swapped")]
)
def test_swap_answers_the_first_stone_only(moves: str, reason: str) -> None:
    position = ropewalk.game("lariat-1x2-pie").start()
    for move in moves.split():
        position = position.play(move)
    with pytest.raises(IllegalMove) as error:
        position.play("swap")
    assert error.value.reason == reason


def test_without_the_pie_rule_there_is_no_swap() -> None:
    with pytest.raises(ropewalk.MoveError, match="'swap' is not a move of Lariat"):
        SMALL.start().play("a1").play("swap")


def test_who_has_won_is_not_to_move() -> None:
    with pytest.raises(PositionError, match="black has already won"):
        SMALL.position("b/b5/b5/b5 black")


def test_the_full_board_of_every_size_has_twelve_symmetries() -> None:
    assert len(ropewalk.game("lariat-2x10").symmetries) == 12


def test_explanations_say_what_a_stone_ties_together() -> None:
    position = SMALL.position("1/b1b3/6/6 black")
    assert position.explain("b2") == "black claims b2, connecting 2 groups into one of 3 stones"
    assert position.explain("b4") == "black claims b4, joining a group of 1 stone"
    assert SMALL.position("b/b5/b5/6 black").explain("d1") == (
        "black claims d1, joining a group of 3 stones; "
        "black connects the centre a1 to the edge at d1 with a group of 4 stones"
    )


def test_a_stone_on_the_centre_is_drawn_as_a_capital_and_reads_back() -> None:
    drawn = SMALL.start().play("a1").draw()
    assert drawn.splitlines()[0].split() == ["a", "|", "B"]
    assert SMALL.position(drawn).contents == {"a1": "b"}
