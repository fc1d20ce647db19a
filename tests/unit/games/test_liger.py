"""Liger, by Mark Steere."""

from __future__ import annotations

import random

import pytest

import ropewalk
from ropewalk import IllegalMove, Position, PositionError
from ropewalk.games.liger.claims import CYCLE

FOUR = ropewalk.game("liger-4x2")


def refused(position: Position, move: str) -> IllegalMove:
    """The refusal of a move."""
    refusal = position.refusal(move)
    assert refusal is not None
    return refusal


def test_a_checker_moves_one_square_diagonally_forward_onto_whatever_is_there() -> None:
    position = FOUR.position(
        """4 |   b   .
           3 | .   b
           2 |   r   .
           1 | r   .
           to move: red"""
    )
    assert position.moves() == ["a1-b2", "b2-c3", "b2-a3"]
    assert position.play("b2-c3").contents["c3"] == "br"
    assert position.play("a1-b2").contents["b2"] == "rr"


def test_a_mixed_two_stack_moves_in_its_order() -> None:
    position = FOUR.position("b,1/1,b/rbr,1/2 red")
    assert "b2=c3" in position.moves()
    assert position.play("b2=c3").contents == {"b4": "b", "b2": "r", "c3": "bbr"}


@pytest.mark.parametrize("stack", ["rr", "brr", "r"])
def test_only_ones_own_checker_on_the_others_moves_as_a_two_stack(stack: str) -> None:
    assert refused(FOUR.position(f"b,1/2/{stack},1/2 red"), "b2=c3").reason == "no-two-stack"


def test_a_backward_move_needs_fewer_showing_checkers() -> None:
    even = FOUR.position("2/r,1/b,1/2 red")
    refusal = refused(even, "a3-b2")
    assert str(refusal) == "red shows 1 checker and blue 1: only the player who shows fewer may move backward"
    assert refusal.reason == "not-fewer"
    assert refusal.witness == ("a3",)
    fewer = FOUR.position("1,b/r,1/b,1/2 red")
    assert fewer.play("a3-b2").contents == {"d4": "b", "b2": "br"}


@pytest.mark.parametrize(
    ("text", "move", "reason"),
    [
        ("1,b/br,1/b,1/2 red", "a3-b2", "not-alone"),
        ("1,b/r,b/2/2 red", "a3-b2", "no-checker-to-cover"),
        ("1,b/br,1/b,1/2 red", "a3=b2", "two-stack-backward"),
        ("1,b/r,1/b,1/2 red", "b2-a1", "not-yours"),
        ("1,b/r,1/b,1/2 red", "a1-b2", "empty"),
        ("1,b/r,1/b,1/2 red", "a3-z4", "off-board"),
        ("1,b/r,1/b,1/2 red", "a3-off", "not-farthest-row"),
    ],
)
def test_a_refusal_names_the_condition_that_fails(text: str, move: str, reason: str) -> None:
    assert refused(FOUR.position(text), move).reason == reason


def test_only_the_farthest_row_bears_off_and_only_the_top_checker() -> None:
    position = FOUR.position("br,1/2/2/b,1 red")
    after = position.play("b4-off")
    assert after.contents == {"b4": "b", "a1": "b"}
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (0, "borne-off")


def test_leaving_the_opponent_no_showing_checker_loses() -> None:
    position = FOUR.position("2/b,1/r,1/r,1 red")
    after = position.play("b2-a3")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (1, "no-checker-left")
    assert after.outcome.words == "red left blue no showing checker, so blue wins"
    assert position.explain("b2-a3").endswith("red then shows 2, blue 0; red left blue no showing checker, so blue wins")


def test_covering_the_last_checker_is_fine_when_the_move_uncovers_another() -> None:
    position = FOUR.position("2/b,1/br,1/2 red")
    assert position.play("b2-a3").outcome is None
    assert "uncovers a blue checker on b2, covers a blue checker on a3" in position.explain("b2-a3")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    position = FOUR.position("2/b,rbr/2/2 red")
    for _ in range(2):
        assert position.outcome is None
        for move in CYCLE.split():
            position = position.play(move)
    assert position.outcome is not None
    assert (position.outcome.winner, position.outcome.reason) == (None, "repetition")
    assert str(position).endswith("red drawn")
    assert FOUR.position(str(position)).outcome == position.outcome


def test_a_row_that_fills_with_past_positions_grows() -> None:
    rng = random.Random(4)
    position = ropewalk.game("liger-8").start()
    rooms = set()
    while position.seat is not None:
        moves = [move for move in position.moves() if not move.endswith("off")] or position.moves()
        position = position.play(rng.choice(moves))
        rooms.add(len(position.state.history))
    assert rooms >= {128, 256}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("2/rrrrr,1/2/2 red", "the position has 5 red checkers; liger-4x2 has at most 4"),
        ("b,1/2/2/2 red", "red has no checkers left"),
        ("2/2/2 red", "the position has 3 rows, but the board has 4"),
        ("3/2/2/2 red", "row 1 must describe 2 cells"),
        ("x,1/2/2/2 red", "row 1: expected a piece"),
        ("2/2/2/2 green", "'green' is not a colour to move"),
    ],
)
def test_a_position_that_cannot_be_says_what_is_wrong(text: str, wrong: str) -> None:
    with pytest.raises(PositionError, match=wrong):
        FOUR.position(text)


@pytest.mark.parametrize(
    ("spec", "canonical"),
    [
        ("liger", "liger-8"),
        ("liger-8x3", "liger-8"),
        ("liger-small", "liger-6"),
        ("liger-4x2-norepetition", "liger-4x2-norepetition"),
    ],
)
def test_specs_have_one_canonical_spelling(spec: str, canonical: str) -> None:
    assert ropewalk.game(spec).spec == canonical


@pytest.mark.parametrize("spec", ["liger-5", "liger-8x5", "liger-8x0", "liger-8-pie", "liger-8-norepetition-norepetition"])
def test_a_wrong_spec_is_refused(spec: str) -> None:
    with pytest.raises(ropewalk.SpecError):
        ropewalk.game(spec)
