"""The cylinder of Lariat: rings, names, adjacency, symmetries, geometry, text layout, as the board ruling defines them."""

import numpy as np
import pytest

from ropewalk.boards import Board, make_cylinder_board
from ropewalk.boards.geometry import Points, column_letters

SIZES = [(1, 1), (1, 6), (2, 10), (3, 12), (4, 3), (6, 24)]

sizes = pytest.mark.parametrize(("cap", "wall"), SIZES)


def cell(board: Board, ring: int, index: int) -> int:
    return board.rows[ring][index % len(board.rows[ring])]


def touched(board: Board, of: int, ring: int) -> set[int]:
    """Return the neighbours of a cell in a ring."""
    return {other for other in board.rows[ring] if board.adjacent(of, other)}


def turned(places: Points, origin: Points) -> Points:
    """Return the angle from `origin` to each point, about the axis, positive to the right on the wall."""
    headings = places[..., 0] + 1j * places[..., 1]
    angles: Points = np.angle(headings / complex(origin[0], origin[1]))
    return angles


@pytest.mark.parametrize(("cap", "wall", "cells"), [(1, 6, 43), (2, 10, 139), (3, 12, 253)])
def test_the_three_sizes_have_43_139_and_253_cells(cap: int, wall: int, cells: int) -> None:
    assert len(make_cylinder_board(cap, wall)) == cells


@sizes
def test_the_number_of_cells_is_as_in_the_ruling(cap: int, wall: int) -> None:
    assert len(make_cylinder_board(cap, wall)) == 1 + 3 * cap * (cap + 1) + 6 * cap * wall


def test_names_are_ring_letter_and_index_from_one() -> None:
    names = make_cylinder_board(2, 10).names
    assert names[:8] == ("a1", "b1", "b2", "b3", "b4", "b5", "b6", "c1")
    assert names[-1] == "m12"


def test_rings_beyond_z_have_two_letters() -> None:
    board = make_cylinder_board(6, 24)
    assert [column_letters(ring) for ring in (0, 25, 26, 30)] == ["a", "z", "aa", "ae"]
    assert board.names[-1] == "ae36"


@sizes
def test_the_centre_touches_the_whole_first_ring(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    assert board.marked_cells["centre"] == (0,)
    assert board.neighbours[0].tolist() == list(board.rows[1])


@sizes
def test_inward_neighbours_on_the_cap_follow_the_formula(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    for ring in range(2, cap + 1):
        for index in range(6 * ring):
            side, offset = divmod(index, ring)
            start = side * (ring - 1)
            inward = {start} if offset == 0 else {start + offset - 1, start + offset}
            assert touched(board, cell(board, ring, index), ring - 1) == {cell(board, ring - 1, i) for i in inward}


@sizes
def test_a_wall_cell_touches_two_cells_above_and_two_in_its_ring(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    for ring in range(cap, cap + wall):
        for index in range(6 * cap):
            here = cell(board, ring + 1, index)
            assert touched(board, here, ring) == {cell(board, ring, index), cell(board, ring, index + 1)}
            beside = {cell(board, ring + 1, index - 1), cell(board, ring + 1, index + 1)}
            assert touched(board, here, ring + 1) == beside


@sizes
def test_cells_touch_only_their_own_ring_and_the_next_ones(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    ring_of = {cell: ring for ring, row in enumerate(board.rows) for cell in row}
    for a, slots in enumerate(board.neighbours.tolist()):
        assert all(abs(ring_of[a] - ring_of[b]) <= 1 for b in slots if b in ring_of)


@sizes
def test_cap_corners_have_five_neighbours_edge_cells_four_and_all_others_six(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    corners = {cell(board, cap, side * cap) for side in range(6)}
    edge = set(board.marked_cells["edge"])
    assert edge == set(board.rows[-1])
    for here, degree in enumerate(board.degrees):
        assert degree == (4 if here in edge else 5 if here in corners else 6)


def test_slots_begin_with_the_next_cell_of_the_ring() -> None:
    board = make_cylinder_board(2, 10)
    assert [board.names[c] for c in board.neighbours[board.cell("e1")]] == [
        "e2",
        "d2",
        "d1",
        "e12",
        "f12",
        "f1",
    ]
    assert [board.names[c] for c in board.neighbours[board.cell("m1")][:4]] == ["m2", "l2", "l1", "m12"]


@sizes
def test_symmetries_keep_the_centre_and_the_edge(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    assert len(board.symmetries_preserving("centre", "edge")) == len(board.symmetries)


@sizes
def test_the_cap_is_flat_and_the_wall_upright(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    wall_start = board.rows[cap + 1][0]
    for outline in board.outlines[:wall_start]:
        assert (outline[:, 2] == 0).all()
    for outline in board.outlines[wall_start:]:
        assert np.hypot(outline[:, 0], outline[:, 1]) == pytest.approx(cap + 0.5)
        assert (outline[:, 2] <= 0).all()


@sizes
def test_wall_cells_are_upright_and_stand_half_a_cell_after_those_above(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    cell_width = 2 * np.pi / (6 * cap)
    for ring in range(cap + 1, cap + wall + 1):
        for index in range(6 * cap):
            here = cell(board, ring, index)
            turns = turned(board.outlines[here], board.centres[here]) / cell_width
            assert sorted(turns.round(6)) == [-0.5, -0.5, 0, 0, 0.5, 0.5]
            above = board.centres[cell(board, ring - 1, index)]
            assert turned(board.centres[here], above) == pytest.approx(cell_width / 2)


@sizes
def test_ring_numbers_are_radii_on_the_map_and_on_the_cap(cap: int, wall: int) -> None:
    board = make_cylinder_board(cap, wall)
    for ring, row in enumerate(board.rows):
        assert np.hypot(*board.flat_centres[list(row)].T) == pytest.approx(ring)
        if ring <= cap:
            assert np.hypot(*board.centres[list(row), :2].T) == pytest.approx(ring)


def test_the_drawing_slides_to_the_right_down_the_wall() -> None:
    board = make_cylinder_board(1, 2)
    lines = [[" "] * 13 for _ in board.rows]
    for line, column, here in board.text_layout:
        lines[line][column] = board.names[here][0]
    assert ["".join(line).rstrip() for line in lines] == [
        "     a",
        "b b b b b b",
        " c c c c c c",
        "  d d d d d d",
    ]
