"""The cube of Cube Lariat: octagons on its faces, squares where four of them meet, triangles at corners."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, partial
from itertools import chain, product

from ropewalk.boards.board import Board, Spot
from ropewalk.boards.cube_faces import FACES, Face, Place, Vector, faces_of, is_octagon
from ropewalk.boards.cube_shape import cube_shape
from ropewalk.boards.slots import check_size, in_slots, letter

SIZES = range(2, 9, 2)
NUCLEAR_EDGES = ("UF", "DR", "BL")
EDGES = [pair for pairs in (("UD", "FB"), ("UD", "LR"), ("FB", "LR")) for pair in product(*pairs)]
CORNERS = list(product("UD", "FB", "LR"))

NamedPlace = tuple[str, Place]


def cube(n: int) -> Board:
    """A cube with n x n octagons a face.

    Cells and rows go face by face (U D F B L R), each with its octagons and then its face squares, rank by
    rank; then come the edge squares, an edge a row, then the corners in one row.

    A cell's slots run counter-clockwise seen from outside. An octagon's begin at its right as the net shows
    it and alternate side, corner; the other cells' begin at the first of their octagons. In the drawing,
    which is the net, a cell on an edge that the net cuts appears at each border.
    """
    check_size("the side of the cube", n, SIZES)
    return _cube(n)


@cache
def _cube(n: int) -> Board:
    named_rows = list(_named_rows(n))
    names = tuple(name for name, _ in chain(*named_rows))
    places = [place for _, place in chain(*named_rows)]
    cells = {place: cell for cell, place in enumerate(places)}
    return Board(
        kind="cube",
        size=(n,),
        names=names,
        neighbours=in_slots(_neighbours(n, places)),
        contact="edge",
        directions=(),
        marks={
            "nuclear": tuple(names.index(f"{edge}{n // 2}") for edge in NUCLEAR_EDGES),
            "corners": tuple(range(len(names) - len(CORNERS), len(names))),
        },
        rows=tuple(tuple(cells[place] for _, place in row) for row in named_rows),
        drawing=tuple(_drawing(n, places)),
        shaped=partial(cube_shape, places=places),
    )


def _named_rows(n: int) -> Iterator[list[NamedPlace]]:
    for face in FACES.values():
        yield from _ranks(face, n, count=n, first=1, mark="")
        yield from _ranks(face, n, count=n - 1, first=2, mark="'")
    for edge in EDGES:
        yield [("".join(edge) + str(number), _fold(n, edge, along=2 * number)) for number in range(1, n)]
    yield [("".join(corner), _fold(n, corner, along=0)) for corner in CORNERS]


def _ranks(face: Face, n: int, count: int, first: int, mark: str) -> Iterator[list[NamedPlace]]:
    """Cells at every second place of a face from `first`, named by the octagon there or to the lower left."""
    for rank in range(count):
        yield [
            (
                f"{face.letter}{letter(file)}{rank + 1}{mark}",
                face.place(n, first + 2 * file, first + 2 * rank),
            )
            for file in range(count)
        ]


def _fold(n: int, letters: tuple[str, ...], along: int) -> Place:
    """The place where faces meet: fixed by each of them, and `along` the edge that they share."""
    fixed = {FACES[letter].axis: FACES[letter].level(n) for letter in letters}
    x, y, z = (fixed.get(axis, along) for axis in range(3))
    return x, y, z


def _neighbours(n: int, places: list[Place]) -> list[list[int]]:
    """The cycles of the octagons follow from the lattice, those of the other cells from the octagons'."""
    octagons = {place: _round_octagon(n, place) for place in places if is_octagon(place)}
    cycles = octagons | _round_others(octagons)
    cells = {place: cell for cell, place in enumerate(places)}
    return [[cells[other] for other in cycles[place]] for place in places]


def _round_octagon(n: int, octagon: Place) -> list[Place]:
    """What touches an octagon, counter-clockwise: at its right, its upper right corner, above and so on."""
    (face,) = faces_of(n, octagon)
    left, below = _times(-1, face.right), _times(-1, face.up)
    turns = [(face.right, face.up), (face.up, left), (left, below), (below, face.right)]
    return [
        place for ahead, aside in turns for place in (_beside(n, face, octagon, ahead), _plus(_plus(octagon, ahead), aside))
    ]


def _beside(n: int, face: Face, octagon: Place, step: Vector) -> Place:
    """The next octagon, round the cube's edge if need be."""
    border = _plus(octagon, step)
    at_edge = len(faces_of(n, border)) == 2
    return _plus(border, _times(-1, face.outward) if at_edge else step)


def _round_others(octagons: dict[Place, list[Place]]) -> dict[Place, list[Place]]:
    """The octagons round the other cells: after an octagon comes what precedes the cell in its own cycle."""
    following: dict[Place, dict[Place, Place]] = defaultdict(dict)
    for octagon, cycle in octagons.items():
        for slot in range(1, len(cycle), 2):
            following[cycle[slot]][octagon] = cycle[slot - 1]
    return {place: _chained(after) for place, after in following.items()}


def _chained(after: dict[Place, Place]) -> list[Place]:
    chained = [next(iter(after))]
    while len(chained) < len(after):
        chained.append(after[chained[-1]])
    return chained


def _plus(place: Place, step: Vector) -> Place:
    return place[0] + step[0], place[1] + step[1], place[2] + step[2]


def _times(factor: int, step: Vector) -> Vector:
    return factor * step[0], factor * step[1], factor * step[2]


def _drawing(n: int, places: list[Place]) -> Iterator[Spot]:
    """The net: a line and two columns for each half width."""
    for cell, place in enumerate(places):
        from_middle = tuple(coordinate - n for coordinate in place)
        borders = [face.on_net(2 * n, from_middle) for face in faces_of(n, place)]
        for across, down in dict.fromkeys(borders):
            yield round(down) + 3 * n, 2 * (round(across) + 4 * n), cell
