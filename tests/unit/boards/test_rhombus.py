"""The rhombus of Tether: names, neighbour columns, sides, symmetries and geometry, as the board ruling defines them."""

import numpy as np
import pytest

from ropewalk.boards import NO_CELL, make_rhombus_board

sizes = pytest.mark.parametrize("n", [3, 9, 13, 19])


def test_names_are_column_letter_and_row_number() -> None:
    board = make_rhombus_board(13)
    assert board.names[0] == "a1"
    assert board.names[1] == "b1"
    assert board.names[13] == "a2"
    assert board.names[-1] == "m13"


@sizes
def test_neighbours_stand_in_the_six_slots_of_the_contract(n: int) -> None:
    board = make_rhombus_board(n)
    for row in range(n):
        for column in range(n):
            steps = [(0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1), (1, 0)]
            around = [(row + down, column + right) for down, right in steps]
            expected = [r * n + c if 0 <= r < n and 0 <= c < n else NO_CELL for r, c in around]
            assert board.neighbours[row * n + column].tolist() == expected


@sizes
def test_first_and_last_rows_are_red_sides_and_first_and_last_columns_blue(n: int) -> None:
    board = make_rhombus_board(n)
    assert set(board.marked_cells["red"]) == {row * n + column for row in (0, n - 1) for column in range(n)}
    assert set(board.marked_cells["blue"]) == {row * n + column for row in range(n) for column in (0, n - 1)}


@sizes
def test_corner_cells_lie_on_sides_of_both_colours(n: int) -> None:
    board = make_rhombus_board(n)
    assert set(board.marked_cells["red"]) & set(board.marked_cells["blue"]) == {0, n - 1, n * (n - 1), n * n - 1}


@sizes
def test_half_the_symmetries_keep_the_colours_of_the_sides(n: int) -> None:
    assert len(make_rhombus_board(n).symmetries_preserving("red", "blue")) == 2


def test_directions_point_where_they_say() -> None:
    board = make_rhombus_board(5)
    middle = board.cell("c3")
    towards = {
        name: board.centres[cell] - board.centres[middle]
        for name, cell in zip(board.directions, board.neighbours[middle], strict=True)
    }
    assert towards["E"] == pytest.approx(np.array([1, 0, 0]))
    assert towards["NE"] == pytest.approx(np.array([0.5, np.sqrt(3) / 2, 0]))
    assert towards["SW"] == pytest.approx(-towards["NE"])


def test_row_one_is_at_the_top_of_the_map_and_the_rows_lean_to_the_right() -> None:
    board = make_rhombus_board(5)
    first, second = board.flat_centres[board.cell("a1")], board.flat_centres[board.cell("a2")]
    assert second - first == pytest.approx(np.array([0.5, np.sqrt(3) / 2]))
    assert board.flat_centres.mean(axis=0) == pytest.approx(np.zeros(2))


def test_each_drawn_row_is_one_column_further_right() -> None:
    board = make_rhombus_board(3)
    assert board.text_layout[:4] == ((0, 0, 0), (0, 2, 1), (0, 4, 2), (1, 1, 3))
