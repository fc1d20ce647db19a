"""Arrow keys reach every cell of every board, and go round where the board does."""

from __future__ import annotations

import pytest

import ropewalk
from ropewalk.terminal.board_widget import scale_drawing
from ropewalk.terminal.cursor import DOWN, LEFT, RIGHT, UP, Cursor
from tests.support.terminal_user import find_arrows

SPECS = [
    "lariat-1x1",
    "lariat",
    "lariat-3x12",
    "cube-lariat-2",
    "cube-lariat",
    "tether-3",
    "tether-13",
    "laocoon",
    "liger",
    "liger-4",
]


def make_cursor(spec: str, name: str | None = None) -> Cursor:
    game = ropewalk.game(spec)
    cursor = Cursor(game.board, game.start().build_text_diagram())
    if name is not None:
        cursor.go_to(game.board.index[name])
    return cursor


def step_from(spec: str, name: str, *ways: str) -> str:
    cursor = make_cursor(spec, name)
    for way in ways:
        cursor.step(way)
    return cursor.board.names[cursor.cell]


@pytest.mark.parametrize("spec", SPECS)
def test_arrows_reach_every_cell(spec: str) -> None:
    cursor = make_cursor(spec)
    for cell in range(len(cursor.board)):
        assert find_arrows(cursor, cell) is not None
        assert cursor.cell == cell


@pytest.mark.parametrize("spec", SPECS)
def test_every_cell_stands_where_the_drawing_says(spec: str) -> None:
    drawing = ropewalk.game(spec).start().build_text_diagram()
    assert {spot.cell for spot in drawing.cells} == set(range(len(ropewalk.game(spec).board)))
    for spot in drawing.cells:
        assert drawing.lines[spot.line][spot.column :].startswith(spot.symbol)


def test_a_ring_of_the_cylinder_closes() -> None:
    assert step_from("lariat", "e12", RIGHT) == "e1"
    assert step_from("lariat", "e1", LEFT) == "e12"


def test_the_net_of_the_cube_is_left_on_one_side_and_entered_on_another() -> None:
    cube = ropewalk.game("cube-lariat").board
    for name, way in [
        ("Bd2", RIGHT),
        ("Bd2", LEFT),
        ("Ua2", LEFT),
        ("Ud2", RIGHT),
        ("Ub4", UP),
        ("Db1", DOWN),
        ("La1", DOWN),
    ]:
        assert step_from("cube-lariat", name, way) != name
    assert cube.adjacent(cube.index["Ua2"], cube.index[step_from("cube-lariat", "Ua2", LEFT)])
    assert cube.adjacent(cube.index["Ud3"], cube.index[step_from("cube-lariat", "Ud3", RIGHT)])
    assert cube.adjacent(cube.index["Ub4"], cube.index[step_from("cube-lariat", "Ub4", UP)])


def test_up_and_down_keep_to_a_column_of_the_screen() -> None:
    assert step_from("tether-13", "g7", UP, UP) == "h5"
    assert step_from("tether-13", "g7", UP, UP, DOWN, DOWN) == "g7"
    assert step_from("laocoon", "d4", UP, RIGHT, DOWN, LEFT) == "d4"


def test_at_the_rim_of_a_flat_board_the_cursor_stays() -> None:
    assert step_from("laocoon", "h8", UP) == "h8"
    assert step_from("laocoon", "h8", RIGHT) == "h8"
    assert step_from("tether-5", "a1", LEFT) == "a1"


@pytest.mark.parametrize("spec", SPECS)
@pytest.mark.parametrize("across", [1, 2, 3])
def test_a_spread_board_has_the_same_cells_further_apart(spec: str, across: int) -> None:
    position = ropewalk.game(spec).start()
    drawing = position.build_text_diagram()
    larger = scale_drawing(drawing, across, 2)
    assert [spot.cell for spot in larger.cells] == [spot.cell for spot in drawing.cells]
    for spot in larger.cells:
        assert larger.lines[spot.line][spot.column :].startswith(spot.symbol)
    assert [" ".join(line.split()) for line in larger.lines[::2]] == [" ".join(line.split()) for line in drawing.lines]
