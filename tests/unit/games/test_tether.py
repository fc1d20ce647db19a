"""Tether, by Mark Steere."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk import IllegalMove, PositionError

FIVE = ropewalk.game("tether-5")


def test_a_ring_captures_what_it_encloses() -> None:
    position = FIVE.position(
        """. . . . .
            . . r r .
             . r b r .
              . . r . .
               . . . . .
           to move: red"""
    )
    after = position.play("b4")
    assert "c3" not in after.contents
    assert position.explain("b4").startswith("red places on b4, captures 1 blue stone (c3), closes 1 cell")


def test_a_loop_may_lean_on_a_side_of_its_own_colour() -> None:
    position = FIVE.position(
        """. r b r .
            . r . . .
             . . . . .
              . . . . .
               . . . . .
           to move: red"""
    )
    assert "c1" not in position.play("c2").contents


def test_a_loop_may_not_lean_on_a_side_of_the_other_colour() -> None:
    position = FIVE.position(
        """. . . . .
            r . . . .
             b r . . .
              . . . . .
               . . . . .
           to move: red"""
    )
    assert position.play("a4").contents["a3"] == "b"


def test_surrounded_cells_are_drawn_with_two_dots() -> None:
    drawn = FIVE.position("5/2rr1/1r1r1/1rr2/5 blue").draw()
    assert drawn.splitlines()[3].split() == ["3", "|", ".", "r", ":", "r", "."]
    assert FIVE.position(drawn).contents.keys() == {"c2", "d2", "b3", "d3", "b4", "c4"}


def test_nobody_may_place_in_a_surrounded_cell() -> None:
    position = FIVE.position(
        """. . . . .
            . . r r .
             . r . r .
              . r r . .
               . . . . .
           to move: blue"""
    )
    assert "c3" not in position.moves()
    with pytest.raises(IllegalMove, match="c3 is surrounded by red: no stone may be placed there") as error:
        position.play("c3")
    assert error.value.witness == ("c2", "d2", "b3", "d3", "b4", "c4")
    assert error.value.reason == "surrounded"


def test_a_corner_cell_lies_on_both_sides_so_it_is_never_surrounded() -> None:
    position = FIVE.position(
        """. r . . .
            r . . . .
             . . . . .
              . . . . .
               . . . . .
           to move: blue"""
    )
    assert "a1" in position.moves()


def test_a_loop_without_a_tether_claims_nothing_until_it_is_tied_to_a_side() -> None:
    game = ropewalk.game("tether-7")
    floating = game.position(
        """. . . . . . .
            . . . . . . .
             . . . r r . .
              . . r . r . .
               . . r r . . .
                . . . . . . .
                 . . . . . . .
           to move: red"""
    )
    assert game.count_territory(floating) == (0, 0)  # type: ignore[attr-defined]
    tied = floating.play("d2").play("a7").play("d1")
    assert game.count_territory(tied) == (9, 1)  # type: ignore[attr-defined]
    assert "gains 9 cells of territory (9 of 49)" in floating.play("d2").play("a7").explain("d1")


def test_two_chains_across_the_board_claim_what_lies_between_them() -> None:
    position = FIVE.position(
        """. r . r .
            . r . r .
             . r . r .
              . r . r .
               . r . . .
           to move: red"""
    ).play("d5")
    assert position.outcome is not None
    assert position.outcome.winner == 0
    assert len(position.outcome.witness) == 15
    assert position.outcome.words == "red claims 15 of 25 cells, more than half"


def test_a_stone_that_should_have_been_captured_is_no_position() -> None:
    with pytest.raises(PositionError, match="the blue stone on c3 is surrounded by red and must have been captured"):
        FIVE.position("5/2rr1/1rbr1/1rr2/5 blue")


def test_who_has_won_is_not_to_move() -> None:
    with pytest.raises(PositionError, match="red has already won"):
        FIVE.position("rrrrr/rrrrr/rrrrr/5/5 red")


def test_exchanging_the_colours_mirrors_the_board_across_its_diagonals() -> None:
    kinds = sorted(symmetry.swaps_colours for symmetry in FIVE.symmetries)
    assert kinds == [False, False, True, True]


@pytest.mark.parametrize("spec", ["tether-4", "tether-1", "tether-21", "tether", "tether-x"])
def test_sizes_are_odd_from_3_to_19(spec: str) -> None:
    if spec == "tether":
        assert ropewalk.game(spec).spec == "tether-13"
    else:
        with pytest.raises(ropewalk.SpecError, match="3 to 19"):
            ropewalk.game(spec)
