from __future__ import annotations

import ropewalk as package
from tests.support.command_runner import call_ropewalk, run_ropewalk


def play_lines(*typed: str, spec: str = "tether-5") -> str:
    """Type lines in a game, and return what is printed after the first prompt."""
    result = call_ropewalk("play", spec, typed="".join(f"{line}\n" for line in typed))
    assert (result.code, result.err) == (0, "")
    return result.out.split("> ", 1)[1]


def test_the_board_is_drawn_before_and_after_a_move() -> None:
    game = package.game("tether-5")
    out = call_ropewalk("play", "tether-5", typed="c3\n").out
    assert game.start().draw() in out
    assert game.start().play("c3").draw() in out
    assert "c3: red places on c3\n" in out


def test_the_prompt_says_whose_move_it_is_with_an_example() -> None:
    assert "\nblue, 24 moves such as a1> " in play_lines("c3")


def test_a_line_may_hold_several_moves_or_a_whole_turn() -> None:
    assert "\nwhite, " in play_lines("d4 e6 g2 b8", "d4-e5", "e6-f6/a1", spec="laocoon")


def test_if_one_of_several_moves_fails_none_is_played() -> None:
    out = play_lines("c3 d3 c3", "text")
    assert "move 3 (c3): c3 already has a red stone" in out
    assert "\n5/5/5/5/5 red\n" in out


def test_a_refusal_shows_cells_and_clause() -> None:
    assert "c3 already has a red stone\n  shown by c3\n  rules: Placing stones\n" in play_lines("c3", "c3")


def test_why_answers_for_legal_and_illegal_moves() -> None:
    out = play_lines("c3", "why c3", "why d3", "why")
    assert "c3 already has a red stone\n  shown by c3\n" in out
    assert "legal: d3: blue places on d3" in out
    assert "missing move: why MOVE" in out


def test_explain_changes_nothing() -> None:
    out = play_lines("explain c3", "text", "explain")
    assert "c3: red places on c3\n" in out
    assert "5/5/5/5/5 red\n" in out
    assert "missing move: explain MOVE" in out


def test_undo_goes_back_to_the_start_and_no_further() -> None:
    out = play_lines("c3", "undo", "text", "undo")
    assert "5/5/5/5/5 red\n" in out
    assert "there is no move to take back" in out


def test_moves_board_and_help() -> None:
    out = play_lines("moves", "board", "HELP")
    assert "red (seat 0) has 25 moves:\n  a1 b1 " in out
    assert out.count("to move: red") == 1
    assert "explain MOVE" in out
    assert "a move is the name of a cell" in out


def test_a_mistyped_command_is_guessed() -> None:
    assert "did you mean moves?" in play_lines("mvoes")


def test_the_result_is_printed_and_can_be_taken_back() -> None:
    out = play_lines("a1 b2 b1 b3 c1", "moves", "b4", "undo", "text", spec="lariat-1x1")
    assert "black (seat 0) wins: " in out
    assert "\ngame over> " in out
    assert "none: the game is over" in out
    assert "the game is over: black connects" in out
    assert "\nb/bww3/6 black\n" in out


def test_quit_leaves_and_the_rest_is_not_read() -> None:
    assert play_lines("quit", "c3") == "quit\n"


def test_empty_lines_are_passed_over() -> None:
    assert play_lines("", "  ", "c3").count("red places") == 1


def test_a_position_to_start_from() -> None:
    result = call_ropewalk("play", "liger-4", "--position", "2/b,1/1,r/2 red", typed="")
    assert "red, only d2-c3> " in result.out
    result = call_ropewalk("play", "liger-4", "--position", "-", typed="2/b,1/1,r/2 red")
    assert (result.code, result.err.count("\n")) == (2, 1)


def test_play_from_end_to_end() -> None:
    result = run_ropewalk("play", "tether-5", typed="c3\nundo\nd4\ntext\n")
    assert (result.code, result.err) == (0, "")
    assert "\n5/5/5/3r1/5 blue\n" in result.out


def test_a_bot_answers_each_move() -> None:
    result = call_ropewalk("play", "tether-5", "--bot", "2", typed="c3\n")
    assert (result.code, result.err) == (0, "")
    assert "\nlevel 2: " in result.out
    assert "blue places on" in result.out
    assert result.out.count("to move: red") == 2


def test_a_bot_may_move_first() -> None:
    out = call_ropewalk("play", "tether-5", "--bot", "2", "--bot-first", typed="").out
    assert out.index("level 2: ") < out.index("\nblue, 24 moves")


def test_taking_back_a_move_takes_back_the_bots_answer_too() -> None:
    out = call_ropewalk("play", "tether-5", "--bot", "2", typed="c3\nundo\ntext\n").out
    assert "\n5/5/5/5/5 red\n" in out


def test_two_bots_play_to_the_end() -> None:
    result = call_ropewalk("play", "tether-3", "--bot", "1", "--bot", "2", typed="")
    assert (result.code, result.err) == (0, "")
    assert "level 1: " in result.out
    assert "level 2: " in result.out
    assert " wins" in result.out


def test_a_hint_names_moves_and_what_they_promise() -> None:
    assert "\na1: wins (proven), a1\n" in play_lines("c1 c3 b1 c4", "hint", spec="lariat-1x1")


def test_bots_that_are_not_there_are_refused() -> None:
    assert "is not an integer from 1 to 8" in call_ropewalk("play", "tether-3", "--bot", "9").err
    result = call_ropewalk("play", "tether-3", *["--bot", "1"] * 3)
    assert result.code == 2
    assert "--bot may be given at most 2 times, not 3" in result.err
