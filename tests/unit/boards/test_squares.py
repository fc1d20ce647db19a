"""The square boards: all squares for laoCoon, dark squares for Liger."""

import pytest

from ropewalk.boards import Board, make_dark_square_board, make_square_board


def names_by_direction(board: Board, name: str) -> dict[str, str]:
    slots = board.neighbours[board.cell(name)]
    return {way: board.names[cell] for way, cell in zip(board.directions, slots, strict=True) if cell >= 0}


def test_squares_are_named_as_in_chess() -> None:
    board = make_square_board()
    assert len(board) == 64
    assert board.names[:2] == ("a1", "b1")
    assert board.names[8] == "a2"
    assert board.names[-1] == "h8"


def test_the_eight_directions_run_clockwise_from_north() -> None:
    assert names_by_direction(make_square_board(), "d4") == {
        "N": "d5",
        "NE": "e5",
        "E": "e4",
        "SE": "e3",
        "S": "d3",
        "SW": "c3",
        "W": "c4",
        "NW": "c5",
    }
    assert names_by_direction(make_square_board(), "a1") == {"N": "a2", "NE": "b2", "E": "b1"}


def test_rows_and_drawing_begin_with_the_highest_rank() -> None:
    board = make_square_board()
    assert [board.names[cell] for cell in board.rows[0][:3]] == ["a8", "b8", "c8"]
    assert (0, 0, board.cell("a8")) in board.text_layout
    assert (7, 7, board.cell("h1")) in board.text_layout


def test_the_highest_rank_is_at_the_top_of_the_map() -> None:
    board = make_square_board()
    assert board.flat_centres[board.cell("a8")].tolist() == [-3.5, -3.5]
    assert board.centres[board.cell("a8")].tolist() == [-3.5, 3.5, 0]


@pytest.mark.parametrize(("n", "cells"), [(4, 8), (6, 18), (8, 32), (10, 50)])
def test_half_of_the_squares_are_dark(n: int, cells: int) -> None:
    assert len(make_dark_square_board(n)) == cells


def test_a1_is_dark_and_diagonal_steps_stay_on_dark_squares() -> None:
    board = make_dark_square_board(8)
    assert board.names[:5] == ("a1", "c1", "e1", "g1", "b2")
    assert names_by_direction(board, "a1") == {"NE": "b2"}
    assert names_by_direction(board, "c3") == {"NE": "d4", "SE": "d2", "SW": "b2", "NW": "b4"}


def test_the_first_and_last_ranks_of_the_checkerboard_are_marked() -> None:
    board = make_dark_square_board(8)
    assert [board.names[cell] for cell in board.marked_cells["bottom"]] == ["a1", "c1", "e1", "g1"]
    assert [board.names[cell] for cell in board.marked_cells["top"]] == ["b8", "d8", "f8", "h8"]


def test_dark_squares_are_drawn_where_they_lie_on_the_whole_board() -> None:
    board = make_dark_square_board(4)
    assert board.text_layout[0] == (3, 0, board.cell("a1"))
    assert (0, 1, board.cell("b4")) in board.text_layout
