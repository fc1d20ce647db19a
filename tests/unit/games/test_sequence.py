"""Sequences of moves: positions, errors with the index of the move, common prefixes."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.errors import IllegalMove, MoveError, PositionError
from ropewalk.games.sequence import MoveSequence, MoveSequenceError, common_prefix_length, explain_turn, parse_position

TETHER = ropewalk.game("tether-5")
LAOCOON_TURN = ["d4", "e6", "g2", "b8", "d4-e5", "e6-f6/a1"]


def test_a_sequence_has_one_position_more_than_moves() -> None:
    sequence = MoveSequence.play(TETHER.start(), ["c3", "b2"])
    assert [len(position.steps()) for position in sequence.positions] == [0, 1, 2]
    assert sequence.position is sequence.positions[-1]
    assert sequence.moves == ("c3", "b2")


def test_without_moves_it_is_the_start() -> None:
    assert MoveSequence.parse(TETHER, None).positions == (TETHER.start(),)


def test_it_starts_from_a_position_in_text() -> None:
    liger = ropewalk.game("liger-4")
    sequence = MoveSequence.parse(liger, "2/b,1/1,r/2 red", iter(liger.position("2/b,1/1,r/2 red").moves()[:1]))
    assert sequence.positions[0] == parse_position(liger, "2/b,1/1,r/2 red")
    assert len(sequence.positions) == 2


def test_a_wrong_position_is_a_position_error() -> None:
    with pytest.raises(PositionError):
        MoveSequence.parse(TETHER, "nonsense", ["c3"])


def test_an_illegal_move_is_named_with_its_number_cause_and_witness() -> None:
    with pytest.raises(MoveSequenceError, match=r"^move 3 \(c3\): c3 already has a red stone$") as caught:
        MoveSequence.play(TETHER.start(), ["c3", "b2", "c3", "a1"])
    error = caught.value
    assert (error.index, error.move, error.witness) == (2, "c3", ("c3",))
    assert isinstance(error.cause, IllegalMove)


def test_a_text_that_is_no_move_has_no_witness() -> None:
    with pytest.raises(MoveSequenceError, match=r"^move 1 \(zz\): 'zz' is not a move of Tether") as caught:
        MoveSequence.play(TETHER.start(), ["zz"])
    assert isinstance(caught.value.cause, MoveError)
    assert caught.value.witness == ()


def test_a_long_move_is_shortened_in_the_message() -> None:
    with pytest.raises(MoveSequenceError, match=rf"^move 1 \({'x' * 37}\.\.\.\): ") as caught:
        MoveSequence.play(TETHER.start(), ["x" * 1000])
    assert caught.value.move == "x" * 1000


def test_replaced_moves_keep_the_positions_of_the_common_prefix() -> None:
    before = MoveSequence.play(TETHER.start(), ["c3", "b2", "a1"])
    after = before.replace_moves(["c3", "b2", "d4", "e5"])
    assert all(first is second for first, second in zip(before.positions[:3], after.positions[:3], strict=True))
    assert after == MoveSequence.play(TETHER.start(), ["c3", "b2", "d4", "e5"])
    assert before.replace_moves(["c3"]) == before.truncate(1)
    with pytest.raises(MoveSequenceError, match="move 2"):
        before.replace_moves(["c3", "c3"])


def test_every_step_of_a_turn_is_explained() -> None:
    sequence = MoveSequence.play(ropewalk.game("laocoon").start(), LAOCOON_TURN)
    explanations = sequence.explain()
    assert [text.partition(":")[0] for text in explanations] == ["d4", "e6", "g2", "b8", "d4-e5", "e6-f6", "/a1"]
    assert explanations[-2:] == explain_turn(sequence.positions[-2], LAOCOON_TURN[-1])


@pytest.mark.parametrize(
    ("first", "second", "length"), [("", "", 0), ("ab", "ab", 2), ("ab", "abc", 2), ("abc", "axc", 1), ("a", "b", 0)]
)
def test_the_common_prefix_is_measured(first: str, second: str, length: int) -> None:
    assert common_prefix_length(list(first), list(second)) == length
