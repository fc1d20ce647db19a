"""The cube of Cube Lariat: octagons on its faces, squares where four of them meet, triangles at corners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, product

from ropewalk.boards.board import Board, TextCell
from ropewalk.boards.cube_faces import FACES, CubeFace, LatticePoint, Vector, faces_at, is_octagon
from ropewalk.boards.cube_shape import build_cube_shape
from ropewalk.boards.slots import check_size, column_letters, pad_neighbours

CUBE_SIZES = range(2, 9, 2)
NUCLEAR_EDGES = ("UF", "DR", "BL")
EDGES = [pair for pairs in (("UD", "FB"), ("UD", "LR"), ("FB", "LR")) for pair in product(*pairs)]
CORNERS = list(product("UD", "FB", "LR"))

NamedPoint = tuple[str, LatticePoint]


def make_cube_board(n: int) -> Board:
    """A cube with n x n octagons a face.

    Cells and rows go face by face (U D F B L R), each with its octagons and then its face squares, rank by
    rank; then come the edge squares, an edge a row, then the corners in one row.

    A cell's slots run counter-clockwise seen from outside. An octagon's begin at its right as the net shows
    it and alternate side, corner; the other cells' begin at the first of their octagons. In the drawing,
    which is the net, a cell on an edge that the net cuts appears at each border.
    """
    check_size("the side of the cube", n, CUBE_SIZES)
    return _build_cube_board(n)


@cache
def _build_cube_board(n: int) -> Board:
    named_rows = list(_iter_named_rows(n))
    names = tuple(name for name, _ in chain(*named_rows))
    lattice_points = [point for _, point in chain(*named_rows)]
    cells = {point: cell for cell, point in enumerate(lattice_points)}
    return Board(
        kind="cube",
        size=(n,),
        names=names,
        neighbours=pad_neighbours(_list_neighbours(n, lattice_points)),
        adjacency="edge",
        directions=(),
        marked_cells={
            "nuclear": tuple(names.index(f"{edge}{n // 2}") for edge in NUCLEAR_EDGES),
            "corners": tuple(range(len(names) - len(CORNERS), len(names))),
        },
        rows=tuple(tuple(cells[point] for _, point in row) for row in named_rows),
        text_layout=tuple(_iter_text_layout(n, lattice_points)),
        build_shape=partial(build_cube_shape, lattice_points=lattice_points),
    )


def _iter_named_rows(n: int) -> Iterator[list[NamedPoint]]:
    for face in FACES.values():
        yield from _iter_face_ranks(face, n, count=n, first=1, suffix="")
        yield from _iter_face_ranks(face, n, count=n - 1, first=2, suffix="'")
    for edge in EDGES:
        yield [("".join(edge) + str(number), _edge_point(n, edge, along=2 * number)) for number in range(1, n)]
    yield [("".join(corner), _edge_point(n, corner, along=0)) for corner in CORNERS]


def _iter_face_ranks(face: CubeFace, n: int, count: int, first: int, suffix: str) -> Iterator[list[NamedPoint]]:
    """Cells at every second place of a face from `first`, named by the octagon there or to the lower left."""
    for rank in range(count):
        yield [
            (
                f"{face.letter}{column_letters(file)}{rank + 1}{suffix}",
                face.lattice_point(n, first + 2 * file, first + 2 * rank),
            )
            for file in range(count)
        ]


def _edge_point(n: int, face_letters: tuple[str, ...], along: int) -> LatticePoint:
    """The place where faces meet: fixed by each of them, and `along` the edge that they share."""
    fixed = {FACES[letter].axis: FACES[letter].face_coordinate(n) for letter in face_letters}
    x, y, z = (fixed.get(axis, along) for axis in range(3))
    return x, y, z


def _list_neighbours(n: int, lattice_points: list[LatticePoint]) -> list[list[int]]:
    """The cycles of the octagons follow from the lattice, those of the other cells from the octagons'."""
    octagons = {point: _octagon_cycle(n, point) for point in lattice_points if is_octagon(point)}
    cycles = octagons | _lattice_cell_cycles(octagons)
    cells = {point: cell for cell, point in enumerate(lattice_points)}
    return [[cells[other] for other in cycles[point]] for point in lattice_points]


def _octagon_cycle(n: int, octagon: LatticePoint) -> list[LatticePoint]:
    """What touches an octagon, counter-clockwise: at its right, its upper right corner, above and so on."""
    (face,) = faces_at(n, octagon)
    left, below = _scale(-1, face.right), _scale(-1, face.up)
    directions = [(face.right, face.up), (face.up, left), (left, below), (below, face.right)]
    return [
        point
        for ahead, aside in directions
        for point in (_next_octagon(n, face, octagon, ahead), _add(_add(octagon, ahead), aside))
    ]


def _next_octagon(n: int, face: CubeFace, octagon: LatticePoint, step: Vector) -> LatticePoint:
    """The next octagon, round the cube's edge if need be."""
    border = _add(octagon, step)
    at_edge = len(faces_at(n, border)) == 2
    return _add(border, _scale(-1, face.outward) if at_edge else step)


def _lattice_cell_cycles(octagons: dict[LatticePoint, list[LatticePoint]]) -> dict[LatticePoint, list[LatticePoint]]:
    """The octagons round the other cells: after an octagon comes what precedes the cell in its own cycle."""
    successors: dict[LatticePoint, dict[LatticePoint, LatticePoint]] = defaultdict(dict)
    for octagon, cycle in octagons.items():
        for slot in range(1, len(cycle), 2):
            successors[cycle[slot]][octagon] = cycle[slot - 1]
    return {point: _order_cycle(successor) for point, successor in successors.items()}


def _order_cycle(successor: dict[LatticePoint, LatticePoint]) -> list[LatticePoint]:
    ordered = [next(iter(successor))]
    while len(ordered) < len(successor):
        ordered.append(successor[ordered[-1]])
    return ordered


def _add(point: LatticePoint, step: Vector) -> LatticePoint:
    return point[0] + step[0], point[1] + step[1], point[2] + step[2]


def _scale(factor: int, step: Vector) -> Vector:
    return factor * step[0], factor * step[1], factor * step[2]


def _iter_text_layout(n: int, lattice_points: list[LatticePoint]) -> Iterator[TextCell]:
    """The net: a line and two columns for each half width."""
    for cell, point in enumerate(lattice_points):
        from_centre = tuple(coordinate - n for coordinate in point)
        net_points = [face.unfold(2 * n, from_centre) for face in faces_at(n, point)]
        for across, down in dict.fromkeys(net_points):
            yield round(down) + 3 * n, 2 * (round(across) + 4 * n), cell
