"""laoCoon, by Alain Couchot and Bernard Klein."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk import IllegalMove, Position, PositionError
from ropewalk.games.laocoon.claims import CYCLE
from ropewalk.games.laocoon.layouts import LAYOUTS, random_layout

WEAVE = ropewalk.game("laocoon")
RINGS = "a1 h8 e1 d8"  # white on blue, black on purple


def played(spec: str, moves: str) -> Position:
    """The position after some turns."""
    position = ropewalk.game(spec).start()
    for move in moves.split():
        position = position.play(move)
    return position


def test_every_block_of_the_weave_has_all_four_colours() -> None:
    layout = LAYOUTS["weave"]
    blocks = [{layout[8 * rank + file + step] for step in (0, 1, 8, 9)} for rank in range(7) for file in range(7)]
    assert all(len(block) == 4 for block in blocks)


def test_rings_are_placed_in_turn_on_free_colours() -> None:
    position = WEAVE.start().play("a1")  # blue
    assert position.seat == 1
    with pytest.raises(IllegalMove, match="e1 is blue, and white controls blue with the ring on a1") as error:
        position.play("e1")
    assert (error.value.reason, error.value.witness) == ("not-free", ("a1",))
    assert played("laocoon", "a1 b1 e1 f1").seat == 0


def test_a_ring_that_moves_gives_its_disc_to_the_opponent() -> None:
    position = played("laocoon", f"{RINGS} a1-b2")
    assert "a1" not in position.contents
    assert position.contents["b2"] == "(y)"
    assert str(position).endswith("black move black:b")


def test_a_disc_in_hand_is_placed_on_one_disc_of_another_colour() -> None:
    position = played("laocoon", f"{RINGS} a1-b2 h8-g7")
    for move, reason in [("/h8", "no-disc"), ("/a1", "no-disc"), ("/b2", "occupied"), ("/a3", "same-colour")]:
        with pytest.raises(IllegalMove) as error:
            position.play(move)
        assert error.value.reason == reason, move
    after = position.play("/b3")
    assert after.contents["b3"] == "pb"
    assert after.seat == 0


def test_a_turn_may_be_written_with_its_steps_together() -> None:
    assert played("laocoon", f"{RINGS} a1-b2 h8-g7/b3") == played("laocoon", f"{RINGS} a1-b2 h8-g7 /b3")


def test_a_step_of_the_wrong_kind_says_what_is_due() -> None:
    position = played("laocoon", f"{RINGS} a1-b2 h8-g7")
    with pytest.raises(IllegalMove, match="black must place the blue disc in hand, such as /b2") as error:
        position.play("d8-c8")
    assert error.value.reason == "wrong-step"


def test_the_full_stack_of_two_takes_no_third_disc() -> None:
    position = played("laocoon", f"{RINGS} a1-b2 h8-g7/b3 b2-c2")
    with pytest.raises(IllegalMove, match="b3 already has two discs"):
        position.play("/b3")


def test_black_may_swap_two_discs_after_a_random_setup() -> None:
    rings = played("laocoon-random-" + LAYOUTS["weave"], RINGS)
    assert rings.seat == 1
    assert rings.moves()[-1] == "keep"
    assert rings.play("keep").seat == 0
    swapped = rings.play("~a1~b2")
    assert (swapped.contents["a1"], swapped.contents["b2"]) == ("(y)", "b")
    assert rings.play("~a1").explain("~b2") == "black swaps the blue disc on a1 with the yellow one on b2"
    with pytest.raises(IllegalMove, match="a1 is already selected"):
        rings.play("~a1").play("~a1")


def test_in_quick_the_disc_leaves_the_game() -> None:
    position = played("laocoon-quick-" + LAYOUTS["weave"], f"{RINGS} keep a1-b2")
    assert str(position).endswith("black move")
    assert "a1" not in position.contents


def test_a_disc_that_no_space_can_take_leaves_the_game() -> None:
    lonely = WEAVE.position("(b),y,6/8/8/8/8/8/8/[oo],op,4,(po),[oo] white move white:y")
    after = lonely.play("a8-b8")
    assert lonely.explain("a8-b8").endswith("and the yellow disc in hand leaves the game, because no space can take it")
    assert after.seat == 1
    assert str(after).endswith("black move black:b")


def test_who_can_move_neither_ring_loses() -> None:
    after = WEAVE.position("(o),y,6/8/8/8/8/8/8/[b],5,(p),[p] white move").play("a8-b8")
    assert after.outcome is not None
    assert (after.outcome.winner, after.outcome.reason) == (0, "cannot-move")
    assert after.outcome.words == "black can move neither ring (a1 and h1), so white wins"
    assert after.outcome.witness == ("a1", "h1")


def test_the_third_occurrence_of_a_position_is_a_draw() -> None:
    text, cycle = CYCLE
    position = WEAVE.position(text)
    for _ in range(2):
        assert position.outcome is None
        for turn in cycle.split():
            position = position.play(turn)
    assert position.outcome is not None
    assert (position.outcome.winner, position.outcome.reason) == (None, "repetition")
    assert WEAVE.position(str(position)).outcome == position.outcome


def test_without_repetition_the_cycle_goes_on_for_ever() -> None:
    text, cycle = CYCLE
    position = ropewalk.game("laocoon-weave-norepetition").position(text)
    for turn in cycle.split() * 100:
        position = position.play(turn)
    assert position.outcome is None


def test_layouts_of_seeds_never_change() -> None:
    assert random_layout(0) == PINNED[0]
    assert random_layout(7) == PINNED[7]
    assert random_layout(2**63 - 1) == PINNED[2**63 - 1]


PINNED = {
    0: "bypopybppyypbpbyppyoyyooybpbbopbyobyypyyopyopbbbybobobpopoopbooo",
    7: "oppyybpbpobbbopobpybyppboyybppooppoypoyyybyboyypbopooybbyypboobo",
    2**63 - 1: "bpoopoybybyboybpbpyobobpbppbybypyobbooybyyppoopopybboyoyyopyoppp",
}


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("(b),7/8/8/8/8/8/8/8 white move", "phase move needs two rings of each player"),
        ("8/8/8/8/8/8/8/8 black ring", "players place rings alternately"),
        ("(b),(b),(b),5/8/8/8/8/8/8/8 white ring", "white has 3 rings"),
        ("bb,bb,bb,bb,bb,bb,bb,bb/b,7/8/8/8/8/8/8 white ring", "the position has 17 blue discs, but at most 16 are allowed"),
        ("8/8/8/8/8/8/8/8 white jump", "is not a phase"),
        ("8/8/8/8/8/8/8/8 white ring white:y", "a player can have a disc in hand only"),
        ("8/8/8/8/8/8/8/8 white ring hat:y", "unknown field 'hat:y'"),
    ],
)  # fmt: skip
def test_a_position_that_cannot_be_says_what_is_wrong(text: str, wrong: str) -> None:
    with pytest.raises(PositionError, match=wrong):
        WEAVE.position(text)


@pytest.mark.parametrize(
    ("spec", "wrong"),
    [
        ("laocoon-wave", "did you mean weave"),
        ("laocoon-random", "missing a seed from 0 to"),
        ("laocoon-random-99999999999999999999", "must be from 0 to"),
        ("laocoon-" + "b" * 64, "16 letters of each colour"),
        ("laocoon-" + "bpoy" * 15, "64 letters, not 60"),
        ("laocoon-" + "bpox" * 16, "letter 4 of the layout is 'x'"),
        ("laocoon-small", "weave, blocks"),
    ],
)
def test_a_wrong_setup_says_what_is_wrong(spec: str, wrong: str) -> None:
    with pytest.raises(ropewalk.SpecError, match=wrong):
        ropewalk.game(spec)


def test_a_layout_that_has_a_name_is_called_by_it() -> None:
    assert ropewalk.game("laocoon-" + LAYOUTS["blocks"]).spec == "laocoon-blocks"
