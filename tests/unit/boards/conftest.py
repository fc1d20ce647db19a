"""Fixtures: boards of every kind and many sizes, for tests of properties that all of them share."""

import pytest

from ropewalk.boards import (
    Board,
    make_cube_board,
    make_cylinder_board,
    make_dark_square_board,
    make_rhombus_board,
    make_square_board,
)

CYLINDERS = [
    make_cylinder_board(*size) for size in [(1, 1), (1, 2), (1, 6), (2, 1), (2, 10), (3, 12), (4, 3), (5, 2), (6, 24)]
]
CUBES = [make_cube_board(n) for n in (2, 4, 6, 8)]
RHOMBUSES = [make_rhombus_board(n) for n in (3, 5, 9, 13, 19)]
SQUARES = [make_square_board(n) for n in (4, 7, 8, 10)]
DARK_SQUARES = [make_dark_square_board(n) for n in (4, 6, 8, 10)]

WITH_CYCLES = [*CYLINDERS, *CUBES]
TOUCHING_AT_EDGES = [*WITH_CYCLES, *RHOMBUSES]
TOUCHING_AT_CORNERS = [*SQUARES, *DARK_SQUARES]
ALL = [*TOUCHING_AT_EDGES, *TOUCHING_AT_CORNERS]


@pytest.fixture(params=ALL, ids=repr)
def board(request: pytest.FixtureRequest) -> Board:
    """A board of any kind."""
    chosen: Board = request.param
    return chosen


@pytest.fixture(params=TOUCHING_AT_EDGES, ids=repr)
def edged_board(request: pytest.FixtureRequest) -> Board:
    """A board on which neighbours share an edge."""
    chosen: Board = request.param
    return chosen


@pytest.fixture(params=TOUCHING_AT_CORNERS, ids=repr)
def square_board(request: pytest.FixtureRequest) -> Board:
    """A board on which neighbours share an edge or a corner."""
    chosen: Board = request.param
    return chosen


@pytest.fixture(params=WITH_CYCLES, ids=repr)
def cyclic_board(request: pytest.FixtureRequest) -> Board:
    """A board whose neighbour columns are cycles without directions."""
    chosen: Board = request.param
    return chosen
