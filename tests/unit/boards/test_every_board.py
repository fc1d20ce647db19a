"""Properties of boards of every kind: names, neighbours, rows, text layouts, symmetries and size limits."""

import pickle
from itertools import pairwise

import numpy as np
import pytest

from ropewalk.boards import (
    NO_CELL,
    Board,
    make_cube_board,
    make_cylinder_board,
    make_dark_square_board,
    make_rhombus_board,
    make_square_board,
)


def neighbour_pairs(board: Board) -> set[tuple[int, int]]:
    return {(a, b) for a, slots in enumerate(board.neighbours.tolist()) for b in slots if b != NO_CELL}


def test_every_cell_has_its_own_name(board: Board) -> None:
    assert len(set(board.names)) == len(board)
    assert [board.cell(name) for name in board.names] == list(range(len(board)))
    assert board.cell("nowhere") == NO_CELL


def test_neighbours_are_mutual_and_never_the_cell_itself(board: Board) -> None:
    pairs = neighbour_pairs(board)
    assert pairs == {(b, a) for a, b in pairs}
    assert all(a != b for a, b in pairs)


def test_no_neighbour_is_listed_twice(board: Board) -> None:
    assert len(neighbour_pairs(board)) == np.count_nonzero(board.neighbours != NO_CELL) == board.degrees.sum()


def test_adjacent_says_what_the_slots_say(board: Board) -> None:
    first = {b for a, b in neighbour_pairs(board) if a == 0}
    assert {b for b in range(len(board)) if board.adjacent(0, b)} == first
    assert not board.adjacent(0, NO_CELL)


def test_slots_have_names_where_the_surface_has_directions(board: Board) -> None:
    if board.kind in ("cylinder", "cube"):
        assert board.directions == ()
    else:
        assert len(board.directions) == board.neighbours.shape[1]


def test_opposite_directions_lead_back(board: Board) -> None:
    ways = len(board.directions)
    for way in range(ways):
        for cell, neighbour in enumerate(board.neighbours[:, way]):
            assert neighbour == NO_CELL or board.neighbours[neighbour, (way + ways // 2) % ways] == cell


def test_padding_comes_after_the_neighbours_of_a_cycle(cyclic_board: Board) -> None:
    for slots, degree in zip(cyclic_board.neighbours.tolist(), cyclic_board.degrees, strict=True):
        assert NO_CELL not in slots[:degree]
        assert set(slots[degree:]) <= {NO_CELL}


def test_consecutive_neighbours_of_a_cycle_touch_each_other(cyclic_board: Board) -> None:
    edge = cyclic_board.marked_cells.get("edge", ())
    for cell, slots in enumerate(cyclic_board.neighbours.tolist()):
        cycle = slots[: cyclic_board.degrees[cell]]
        assert all(cyclic_board.adjacent(a, b) for a, b in pairwise(cycle))
        assert cyclic_board.adjacent(cycle[-1], cycle[0]) == (cell not in edge)


def test_the_rows_hold_every_cell_once(board: Board) -> None:
    assert sorted(cell for row in board.rows for cell in row) == list(range(len(board)))


def test_the_drawing_shows_every_cell_and_only_one_at_a_spot(board: Board) -> None:
    spots = {(line, column): cell for line, column, cell in board.text_layout}
    assert len(spots) == len(board.text_layout)
    assert set(spots.values()) == set(range(len(board)))
    assert all(line >= 0 and column >= 0 for line, column in spots)


def test_drawn_characters_have_room_between_them(edged_board: Board) -> None:
    spots = {(line, column) for line, column, _ in edged_board.text_layout}
    assert not any((line, column + 1) in spots for line, column in spots)


def test_marks_name_cells_of_the_board(board: Board) -> None:
    for cells in board.marked_cells.values():
        assert cells
        assert len(set(cells)) == len(set(cells) & set(range(len(board))))


def test_the_identity_is_the_first_symmetry(board: Board) -> None:
    assert board.symmetries[0].tolist() == list(range(len(board)))


def test_symmetries_keep_neighbours_together(board: Board) -> None:
    pairs = neighbour_pairs(board)
    for image in board.symmetries.tolist():
        assert {(image[a], image[b]) for a, b in pairs} == pairs


def test_symmetries_form_a_group(board: Board) -> None:
    group = {tuple(image) for image in board.symmetries.tolist()}
    assert len(group) == len(board.symmetries)
    for image in board.symmetries:
        assert {tuple(row) for row in board.symmetries[:, image].tolist()} == group


def test_each_kind_has_its_number_of_symmetries(board: Board) -> None:
    counts = {"cylinder": 12, "cube": 48, "rhombus": 4, "squares": 8, "dark squares": 4}
    assert len(board.symmetries) == counts[board.kind]


def test_symmetries_keeping_a_mark_lay_it_onto_itself(board: Board) -> None:
    for mark, cells in board.marked_cells.items():
        kept = board.symmetries_preserving(mark)
        assert kept[0].tolist() == list(range(len(board)))
        assert all(set(image[list(cells)].tolist()) == set(cells) for image in kept)


def test_arrays_cannot_be_written_to(board: Board) -> None:
    assert not any(array.flags.writeable for array in (board.neighbours, board.degrees, board.symmetries))
    pieces = [piece for pieces in board.flat_outlines for piece in pieces]
    places = [board.centres, board.flat_centres, board.shape.vertices, *board.outlines, *pieces]
    assert not any(array.flags.writeable for array in places)


def test_a_board_survives_pickling(board: Board) -> None:
    copy: Board = pickle.loads(pickle.dumps(board))
    assert copy.names == board.names
    assert (copy.neighbours == board.neighbours).all()
    assert (copy.centres == board.centres).all()


def test_a_board_is_built_once() -> None:
    assert make_cylinder_board(2, 10) is make_cylinder_board(cap=2, wall=10)
    assert make_square_board() is make_square_board(8)


def test_a_board_introduces_itself_in_few_words() -> None:
    assert repr(make_cylinder_board(2, 10)) == "<cylinder 2x10: 139 cells>"


@pytest.mark.parametrize("size", [(0, 3), (7, 3), (2, 0), (2, 25)])
def test_cylinders_outside_the_limits_are_refused(size: tuple[int, int]) -> None:
    with pytest.raises(ValueError, match=r"1 to (6|24), not"):
        make_cylinder_board(*size)


@pytest.mark.parametrize("n", [0, 3, 10])
def test_cubes_outside_the_limits_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="2 to 8 in steps of 2, not"):
        make_cube_board(n)


@pytest.mark.parametrize("n", [0, 1, 20])
def test_rhombuses_outside_the_limits_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="2 to 19, not"):
        make_rhombus_board(n)


@pytest.mark.parametrize("n", [2, 7, 12])
def test_checkerboards_outside_the_limits_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="4 to 10 in steps of 2, not"):
        make_dark_square_board(n)


@pytest.mark.parametrize("n", [3, 11])
def test_square_boards_outside_the_limits_are_refused(n: int) -> None:
    with pytest.raises(ValueError, match="4 to 10, not"):
        make_square_board(n)


def test_components_partition_a_set_of_cells_into_connected_parts(board: Board) -> None:
    cells = {cell for cell in range(len(board)) if cell * 7 % 3}
    components = board.components(cells)
    assert sorted(cell for component in components for cell in component) == sorted(cells)
    assert [min(component) for component in components] == sorted(min(component) for component in components)
    owner = {cell: number for number, component in enumerate(components) for cell in component}
    for cell in cells:
        assert all(owner[other] == owner[cell] for other in cells if board.adjacent(cell, other))
        assert board.component(cells, cell) == components[owner[cell]]
