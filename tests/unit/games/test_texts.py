"""Texts of specs, positions and moves: whatever comes in, a position or a one-line refusal comes out."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ropewalk
from ropewalk import Position, RopewalkError

SPECS = ["lariat-1x2-pie", "cube-lariat-2-nocorners", "tether-5", "laocoon-random-3", "laocoon-quick-4", "liger-4x2"]
GAMES = {spec: ropewalk.game(spec) for spec in SPECS}
specs = st.sampled_from(SPECS)
seeds = st.integers(0, 10**6)
spec_like = st.from_regex(r"(lariat|cube-lariat|tether|laocoon|liger)(-[a-z0-9]{0,6}){0,4}", fullmatch=True)
move_like = st.from_regex(r"[/~]?[a-j][0-9]{1,2}([-=/~][a-j][0-9]|-off)?", fullmatch=True)


def somewhere(spec: str, seed: int) -> Position:
    """A position of a random game, at any point of a turn."""
    rng = random.Random(seed)
    position = GAMES[spec].start()
    for _ in range(rng.randrange(60)):
        if position.seat is None:
            break
        position = position.play(rng.choice(position.moves()))
    return position


@given(spec=specs, seed=seeds)
def test_positions_read_back_from_one_line_and_from_drawn_boards(spec: str, seed: int) -> None:
    position = somewhere(spec, seed)
    for text in (str(position), position.draw(), f"  {position}  \n"):
        again = GAMES[spec].position(text)
        assert again == position
        assert (again.moves(), again.seat, again.outcome) == (position.moves(), position.seat, position.outcome)


@given(spec=specs, seed=seeds, data=st.data())
def test_a_damaged_text_is_a_position_or_a_one_line_refusal(spec: str, seed: int, data: st.DataObject) -> None:
    position = somewhere(spec, seed)
    text = list(data.draw(st.sampled_from([str(position), position.draw()])))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(text)))
        text[place : place + data.draw(st.integers(0, 3))] = data.draw(st.text("bwrpoy/1239,.*:()[]| \n~éx", max_size=3))
    read_or_refused(spec, "".join(text))


@given(spec=specs, text=st.text(max_size=80))
def test_any_text_is_a_position_or_a_one_line_refusal(spec: str, text: str) -> None:
    read_or_refused(spec, text)


def read_or_refused(spec: str, text: str) -> None:
    try:
        position = GAMES[spec].position(text)
    except RopewalkError as refusal:
        assert "\n" not in str(refusal)
        assert len(str(refusal)) < 400
    else:
        assert GAMES[spec].position(str(position)) == position
        assert (position.outcome is None) == bool(position.moves())
        for move in position.moves()[:5]:
            assert position.explain(move)
            position.play(move)


@given(text=st.text(max_size=40) | spec_like)
@settings(max_examples=300)
def test_any_text_is_a_spec_or_a_one_line_refusal(text: str) -> None:
    try:
        game = ropewalk.game(text)
    except RopewalkError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert ropewalk.game(game.spec).spec == game.spec


@given(spec=specs, seed=seeds, move=st.text(max_size=8) | move_like)
def test_any_text_is_a_move_or_a_one_line_refusal(spec: str, seed: int, move: str) -> None:
    position = somewhere(spec, seed)
    try:
        after = position.play(move)
    except RopewalkError as refusal:
        assert "\n" not in str(refusal)
    else:
        assert after != position


@given(spec=specs, seed=seeds, data=st.data())
def test_every_move_of_the_game_is_listed_or_refused_with_a_reason(spec: str, seed: int, data: st.DataObject) -> None:
    position = somewhere(spec, seed)
    move = data.draw(st.sampled_from(GAMES[spec].move_texts))
    refusal = position.refusal(move)
    assert (refusal is None) == (move in position.moves())
    if refusal is not None:
        assert refusal.reason
        assert refusal.clause
        assert set(refusal.witness) <= set(GAMES[spec].board.names)


@pytest.mark.parametrize(
    ("spec", "move", "hint"),
    [
        ("tether-5", "C3", "did you mean c3"),
        ("liger-8", "c3d4", "or c3-d4"),
        ("laocoon", "d4e5", "did you mean d4-e5"),
        ("cube-lariat-4", "ub3", "did you mean"),
        ("lariat-2x10-pie", "swop", "did you mean swap"),
    ],
)
def test_near_misses_are_suggested(spec: str, move: str, hint: str) -> None:
    with pytest.raises(ropewalk.MoveError, match=hint):
        ropewalk.game(spec).start().play(move)


def test_a_text_that_is_too_long_is_refused_with_the_limit() -> None:
    with pytest.raises(ropewalk.PositionError, match="has 20001 characters; at most 20000"):
        ropewalk.game("tether-5").position("x" * 20001)


def test_move_ids_outside_the_range_are_refused_with_the_range() -> None:
    with pytest.raises(ropewalk.MoveError, match="move id 25 is out of range; tether-5 has move ids 0 to 24"):
        ropewalk.game("tether-5").start().play_id(25)
    with pytest.raises(ropewalk.MoveError, match="move id -1 is out of range"):
        ropewalk.game("tether-5").move_text(-1)


def test_scores_count_what_decides_the_game() -> None:
    tether, liger = ropewalk.game("tether-5"), ropewalk.game("liger-4x1")
    (territory,) = tether.text.scores(tether.start().play("a1").play("e5").play("b1"))
    assert territory == ("territory", {"red": 2, "blue": 1}, 13)
    assert list(liger.text.scores(liger.start())) == [
        ("borne-off", {"red": 0, "blue": 0}, 2),
        ("showing", {"red": 2, "blue": 2}, None),
    ]
    assert ropewalk.game("lariat-1x2").text.scores(ropewalk.game("lariat-1x2").start()) == ()
