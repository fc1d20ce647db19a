from __future__ import annotations

import json

import pytest

import ropewalk as package
from tests.support.command_runner import call_ropewalk, run_ropewalk

SPECS = ["lariat-1x2-pie", "cube-lariat-2", "tether-5", "laocoon-weave", "liger-4"]
OPENINGS = {"lariat-1x2-pie": "b1 swap c3", "cube-lariat-2": "Ua1 swap Ua1'", "tether-5": "c3 d3", "liger-4": "c1-d2 d4-c3",
            "laocoon-weave": "d4 e6 g2 b8 d4-e5 e6-f6/a1"}  # fmt: skip


@pytest.mark.parametrize("spec", SPECS)
def test_a_position_is_drawn_with_text_mover_and_moves(spec: str) -> None:
    result = call_ropewalk("show", spec, *OPENINGS[spec].split())
    position = package.game(spec).start()
    for move in OPENINGS[spec].split():
        position = position.play(move)
    assert (result.code, result.err) == (0, "")
    assert position.seat is not None
    assert f"{position.game.name}, by {position.game.designer} ({position.game.year}): {spec}" in result.out
    assert f"\n\n{position.draw()}\n\n" in result.out
    assert f"\n\n{position}\n\n" in result.out
    assert position.game.text.legend().split()[-1] in result.out
    assert f"{position.colours[position.seat]} (seat {position.seat}) has {len(position.moves())} moves:" in result.out
    assert result.out.split("moves:\n")[1].split() == position.moves()


@pytest.mark.parametrize("spec", SPECS)
def test_what_is_printed_can_be_piped_back(spec: str) -> None:
    shown = call_ropewalk("show", spec, *OPENINGS[spec].split())
    assert call_ropewalk("show", spec, "--position", "-", typed=shown.out).out == shown.out


def test_a_finished_game_can_be_piped_back_too() -> None:
    shown = call_ropewalk("show", "lariat-1x1", "a1", "b2", "b1", "b3", "c1")
    assert call_ropewalk("show", "lariat-1x1", "--position", "-", typed=shown.out).out == shown.out


@pytest.mark.parametrize("spec", SPECS)
def test_json_says_all_of_a_position(spec: str) -> None:
    found = json.loads(call_ropewalk("show", spec, *OPENINGS[spec].split(), "--json").out)
    position = package.game(spec).position(found["position"])
    assert found["moves"] == position.moves()
    assert found["contents"] == position.contents
    assert (found["seat"], found["to_move"]) == (position.seat, position.colours[found["seat"]])
    assert found["colours"] == list(position.colours)
    assert (found["spec"], found["name"], found["designer"]) == (spec, position.game.name, position.game.designer)
    assert found["board"]["cells"] == len(position.game.board)
    assert found["outcome"] is None


def test_a_finished_game_says_how_it_ended() -> None:
    result = call_ropewalk("show", "lariat-1x1", "a1", "b2", "b1", "b3", "c1")
    assert "black (seat 0) wins: black connects the centre a1 to the edge at c1" in result.out.replace("\n", " ")
    assert "holds-centre" in result.out
    assert "shown by a1 b1 c1" in result.out
    found = json.loads(call_ropewalk("show", "lariat-1x1", "a1", "b2", "b1", "b3", "c1", "--json").out)
    assert (found["seat"], found["to_move"], found["moves"]) == (None, None, [])
    assert found["outcome"] == {
        "winner": 0,
        "reason": "holds-centre",
        "witness": ["a1", "b1", "c1"],
        "clause": "The object of the game",
        "words": "black connects the centre a1 to the edge at c1 with a group of 3 stones",
    }


def test_a_draw_is_reported_as_a_draw() -> None:
    dance = ["c3=b4", "a3-b4", "c3-d4", "b4=c3", "d4-c3", "b4-a3"]
    result = call_ropewalk("show", "liger-4x2", "--position", "2/b,rbr/2/2 red", *dance, *dance)
    assert "\ndrawn: the same position for the third time\n" in result.out


def test_the_winner_after_a_swap_is_the_seat_that_plays_the_colour() -> None:
    result = call_ropewalk("show", "lariat-1x1-pie", "a1", "swap", "b2", "b1", "b3", "c1")
    assert "black (seat 1) wins" in result.out


def test_moves_are_explained_step_by_step() -> None:
    result = call_ropewalk("show", "laocoon", *OPENINGS["laocoon-weave"].split(), "--explain")
    assert "\n1. d4: white places a ring on d4 and controls purple\n" in result.out
    assert "\n7. /a1: black places the " in result.out
    found = json.loads(call_ropewalk("show", "tether-5", "c3", "--explain", "--json").out)
    assert found["explanations"] == ["c3: red places on c3"]


def test_options_may_stand_anywhere() -> None:
    plain = call_ropewalk("show", "tether-5", "c3", "d3", "--json").out
    assert call_ropewalk("show", "--json", "tether-5", "c3", "d3").out == plain
    assert call_ropewalk("show", "tether-5", "c3", "--json", "d3").out == plain


def test_an_illegal_move_says_which_and_why() -> None:
    result = call_ropewalk("show", "tether-5", "c3", "d3", "c3")
    assert (result.code, result.out) == (2, "")
    assert result.err == "ropewalk: move 3 (c3): c3 already has a red stone\n  shown by c3\n"


def test_a_surrounded_cell_is_shown_by_its_loop() -> None:
    result = call_ropewalk("show", "tether-5", "e5", "--position", "5/1r1b1/1r1b1/5/5 red")
    assert result.code == 0
    loop = call_ropewalk("show", "tether-5", "--position", "1rr2/r1r2/rr3/2b1b/2b1b blue", "b2")
    assert (
        loop.err == "ropewalk: move 1 (b2): b2 is surrounded by red: no stone may be placed there\n"
        "  shown by b1 c1 a2 c2 a3 b3\n"
    )


def test_what_is_no_move_says_what_moves_look_like() -> None:
    result = call_ropewalk("show", "liger-4", "c1-d2", "z9")
    assert result.err.startswith("ropewalk: move 2 (z9): 'z9' is not a move of Liger; a move is ")
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("text", ["", " ", "5/5/5", "5/5/5/5/5 green", "\n\n", "x" * 30_000, "-"])
def test_bad_positions_get_one_line(text: str) -> None:
    result = call_ropewalk("show", "tether-5", "--position", text)
    assert (result.code, result.out, result.err.count("\n")) == (2, "", 1)
    assert result.err.startswith("ropewalk: ")


def test_the_list_of_moves_fits_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "50")
    moves = call_ropewalk("show", "laocoon").out.split("moves:\n")[1]
    assert max(map(len, moves.splitlines())) <= 50


def test_show_from_end_to_end() -> None:
    result = run_ropewalk("show", "tether-5", "c3", "--position", "-", typed="5/5/5/5/5 red\n")
    assert (result.code, result.err) == (0, "")
    assert "5/5/2r2/5/5 blue" in result.out
    result = run_ropewalk("show", "tether-5", "c3", "c3")
    assert (result.code, result.out) == (2, "")
    assert result.err == "ropewalk: move 2 (c3): c3 already has a red stone\n  shown by c3\n"
