"""Positions that are edited by hand."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.errors import PositionError
from ropewalk.games.editing import edit_position, list_piece_symbols


def test_stones_replace_each_other_and_the_colour_to_move_changes() -> None:
    position = edit_position(ropewalk.game("tether-3").start(), {"a1": "r", "b2": "b"}, "blue")
    assert str(position) == "r2/1b1/3 blue"
    assert str(edit_position(position, {"a1": "b", "b2": ""})) == "b2/3/3 blue"
    assert not edit_position(position, {}, is_cleared=True).contents
    assert position.steps() == []


def test_checkers_are_put_on_top_and_taken_from_the_top() -> None:
    game = ropewalk.game("liger-4")
    position = edit_position(game.start(), {"b2": "b", "c1": "r"}, is_cleared=True)
    stacked = edit_position(edit_position(position, {"b2": "r"}), {"b2": "b"}, "blue")
    assert stacked.contents == {"b2": "brb", "c1": "r"}
    assert edit_position(stacked, {"b2": ""}).contents["b2"] == "br"


def test_rings_lie_on_discs() -> None:
    game = ropewalk.game("laocoon-weave")
    assert list_piece_symbols(game) == ["b", "p", "o", "y", "()", "[]"]
    position = game.start().play("a1")
    moved = edit_position(position, {"a1": "", "c3": "()"})
    assert {cell for cell, token in moved.contents.items() if token.startswith("(")} == {"c3"}


@pytest.mark.parametrize(
    ("spec", "pieces", "message"),
    [
        ("tether-3", {"z9": "r"}, "not a cell"),
        ("tether-3", {"a1": "w"}, "allowed are r, b"),
        ("tether-3", {"a1": "r", "b1": "r", "c1": "r", "a2": "r", "b2": "b", "c2": "r", "a3": "r", "b3": "r"}, "surrounded"),
        ("laocoon-weave", {"a1": "b", "a2": "b", "a3": "b"}, "disc"),
    ],
)
def test_what_cannot_be_says_why(spec: str, pieces: dict[str, str], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        edit_position(ropewalk.game(spec).start(), pieces)


def test_a_stack_of_two_discs_takes_no_third() -> None:
    game = ropewalk.game("laocoon-weave")
    token = game.start().contents["a1"]
    other = next(letter for letter in "bpoy" if letter != token)
    with pytest.raises(PositionError):
        edit_position(edit_position(game.start(), {"a1": other, "b1": ""}), {"a1": other})
