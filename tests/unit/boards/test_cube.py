"""The cube of Cube Lariat: cells, names, adjacency, symmetries, outlines and net, as the board ruling defines them."""

from collections import Counter
from math import dist

import numpy as np
import pytest

from ropewalk.boards import Board, make_cube_board

sizes = pytest.mark.parametrize("n", [2, 4, 6, 8])

PLANES = {"L": (0, 0), "R": (0, 1), "F": (1, 0), "B": (1, 1), "D": (2, 0), "U": (2, 1)}  # axis, side (0 or 1)


def spot(n: int, name: str) -> tuple[float, ...]:
    """Return the centre of the cell with this name on the cube [0, n]^3, computed from the name as the ruling says."""
    letters = [letter for letter in name if letter.isupper()]
    fixed = {PLANES[letter][0]: n * PLANES[letter][1] for letter in letters}
    if len(letters) == 1:
        shift = 1.0 if name.endswith("'") else 0.5
        along = iter([ord(name[1]) - ord("a") + shift, int(name[2]) - 1 + shift])
    else:
        along = iter([float(name.strip("UDFBLR") or 0)])
    return tuple(fixed[axis] if axis in fixed else next(along) for axis in range(3))


def is_octagon(name: str) -> bool:
    return name[1].islower() and not name.endswith("'")


def names_beside(board: Board, name: str) -> set[str]:
    return {board.names[cell] for cell in board.neighbours[board.cell(name)] if cell >= 0}


@pytest.mark.parametrize(("n", "cells"), [(2, 50), (4, 194), (6, 434)])
def test_the_three_sizes_have_50_194_and_434_cells(n: int, cells: int) -> None:
    assert len(make_cube_board(n)) == cells


@sizes
def test_the_forms_of_cells_are_counted_as_in_the_ruling(n: int) -> None:
    assert Counter(make_cube_board(n).degrees.tolist()) == {8: 6 * n**2, 4: 6 * (n - 1) ** 2 + 12 * (n - 1), 3: 8}


@sizes
def test_cells_lie_where_the_rulings_put_their_names(n: int) -> None:
    board = make_cube_board(n)
    assert board.centres + n / 2 == pytest.approx(np.array([spot(n, name) for name in board.names]))


@sizes
def test_octagons_touch_octagons_beside_them_and_the_squares_at_their_corners(n: int) -> None:
    """Neighbours are exactly the pairs with at least one octagon whose centres are at most one width apart."""
    board = make_cube_board(n)
    spots = [spot(n, name) for name in board.names]
    octagons = [is_octagon(name) for name in board.names]
    for a in range(len(board)):
        near = {b for b in range(len(board)) if b != a and (octagons[a] or octagons[b]) and dist(spots[a], spots[b]) < 1.001}
        assert set(board.neighbours[a, : board.degrees[a]].tolist()) == near


def test_some_neighbours_by_name() -> None:
    board = make_cube_board(4)
    assert names_beside(board, "Ua1'") == {"Ua1", "Ub1", "Ua2", "Ub2"}
    assert names_beside(board, "UF2") == {"Ub1", "Uc1", "Fb4", "Fc4"}
    assert names_beside(board, "UFR") == {"Ud1", "Fd4", "Ra4"}
    assert names_beside(board, "Ua1") == {"Ub1", "Ua2", "Fa4", "La4", "Ua1'", "UF1", "UL1", "UFL"}


@sizes
def test_the_slots_of_an_octagon_alternate_between_octagons_and_corners(n: int) -> None:
    board = make_cube_board(n)
    for name, slots in zip(board.names, board.neighbours.tolist(), strict=True):
        if is_octagon(name):
            assert [is_octagon(board.names[other]) for other in slots] == [True, False] * 4


@sizes
def test_the_nuclear_cells_are_the_middles_of_the_three_edges_of_the_ruling(n: int) -> None:
    board = make_cube_board(n)
    nuclear = board.marked_cells["nuclear"]
    assert [board.names[cell] for cell in nuclear] == [f"UF{n // 2}", f"DR{n // 2}", f"BL{n // 2}"]
    middles = [(n / 2, 0, n), (n, n / 2, 0), (0, n, n / 2)]  # y=0,z=n; x=n,z=0; x=0,y=n
    assert board.centres[list(nuclear)] + n / 2 == pytest.approx(np.array(middles))


@sizes
def test_six_symmetries_keep_the_nuclear_cells(n: int) -> None:
    board = make_cube_board(n)
    assert len(board.symmetries_preserving("nuclear")) == 6
    assert len(board.symmetries_preserving("corners")) == 48


@sizes
def test_the_corners_are_the_eight_cells_with_three_neighbours(n: int) -> None:
    board = make_cube_board(n)
    assert set(board.marked_cells["corners"]) == set(np.flatnonzero(board.degrees == 3).tolist())
    assert {len(board.names[cell]) for cell in board.marked_cells["corners"]} == {3}


def test_rows_go_face_by_face_then_along_the_edges_then_to_the_corners() -> None:
    board = make_cube_board(2)
    rows = [" ".join(board.names[cell] for cell in row) for row in board.rows]
    assert rows[:4] == ["Ua1 Ub1", "Ua2 Ub2", "Ua1'", "Da1 Db1"]
    assert rows[18:] == [
        *("UF1", "UB1", "DF1", "DB1", "UL1", "UR1", "DL1", "DR1", "FL1", "FR1", "BL1", "BR1"),
        "UFL UFR UBL UBR DFL DFR DBL DBR",
    ]
    assert [cell for row in board.rows for cell in row] == list(range(len(board)))


@sizes
def test_octagons_of_two_faces_touch_along_the_edge_of_the_cube(n: int) -> None:
    board = make_cube_board(n)
    upper, front = board.shape.cell_vertices[board.cell("Ua1")], board.shape.cell_vertices[board.cell(f"Fa{n}")]
    shared = board.shape.vertices[list(set(upper) & set(front))] + n / 2
    assert len(shared) == 2
    assert shared[:, 1:] == pytest.approx(np.array([[0, n], [0, n]]))


@sizes
def test_octagons_are_regular(n: int) -> None:
    board = make_cube_board(n)
    for name, outline in zip(board.names, board.outlines, strict=True):
        if is_octagon(name):
            lengths = np.linalg.norm(outline - np.roll(outline, -1, axis=0), axis=1)
            assert lengths == pytest.approx(np.sqrt(2) - 1)


@sizes
def test_the_net_shows_octagons_and_face_squares_whole_and_cut_cells_in_pieces(n: int) -> None:
    board = make_cube_board(n)
    pieces = {name: len(parts) for name, parts in zip(board.names, board.flat_outlines, strict=True)}
    kept = ("UF", "DF", "FL", "FR", "BR")
    for name, count in pieces.items():
        if name[1].islower() or (name[:2] in kept and name[2:].isdigit()):
            assert count == 1
        elif name[2:].isdigit():
            assert count == 2
    corners = ("UFL", "UFR", "DFL", "DFR", "UBR", "DBR", "UBL", "DBL")
    assert [pieces[name] for name in corners] == [1, 1, 1, 1, 2, 2, 3, 3]


def test_the_drawing_is_the_net_with_cut_edges_at_both_borders() -> None:
    board = make_cube_board(2)
    lines = [[" "] * 33 for _ in range(13)]
    for line, column, cell in board.text_layout:
        name = board.names[cell]
        lines[line][column] = name[0] if name[1].islower() and name[-1] != "'" else "+" if cell < 48 - 6 else "*"
    assert ["".join(line).rstrip() for line in lines] == [
        "        *   +   *",
        "          U   U",
        "        +   +   +",
        "          U   U",
        "*   +   *   +   *   +   *   +   *",
        "  L   L   F   F   R   R   B   B",
        "+   +   +   +   +   +   +   +   +",
        "  L   L   F   F   R   R   B   B",
        "*   +   *   +   *   +   *   +   *",
        "          D   D",
        "        +   +   +",
        "          D   D",
        "        *   +   *",
    ]
