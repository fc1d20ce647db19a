"""The shape of the cube: regular octagons, squares folded over its edges, and the unfolded net."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

from ropewalk.boards.cube_faces import Face, Place, faces_of, is_octagon
from ropewalk.boards.shape import Shape, frozen, weld

if TYPE_CHECKING:
    from ropewalk.boards.board import Board

Corner = tuple[int, int, int]  # the lattice cell and the two octagons that meet at a corner point
Flat = tuple[float, float]
Piece = list[Flat]

REACH = 1 - 1 / sqrt(2)  # from the middle of a lattice cell to its corners: this makes the octagons regular


def cube_shape(board: Board, places: list[Place]) -> Shape:
    """A cube about the origin with octagons of width 1; across its edges they touch exactly along the edge.

    A cell on an edge or a corner has its centre there, so that the fan to its outline folds with the cube. On
    the net, the centre of a cell is the middle of its largest piece.
    """
    mould = _Mould(board, places)
    cells = range(len(board))
    outlines = [mould.outline(cell) for cell in cells]
    points, corners = weld(outlines, mould.point)
    pieces = [mould.flat_pieces(cell, points[list(corners[cell])].tolist()) for cell in cells]
    return Shape(
        centres=frozen(mould.centre(cell) for cell in cells),
        points=points,
        corners=corners,
        flat_centres=frozen(_centroid(max(parts, key=_area)) for parts in pieces),
        flat_outlines=tuple(tuple(map(frozen, parts)) for parts in pieces),
    )


@dataclass(frozen=True)
class _Mould:
    board: Board
    places: list[Place]

    @property
    def n(self) -> int:
        return self.board.size[0]

    @cached_property
    def slots(self) -> list[list[int]]:
        """The neighbours of each cell, without padding."""
        rows = zip(self.board.neighbours.tolist(), self.board.degrees.tolist(), strict=True)
        return [slots[:degree] for slots, degree in rows]

    def outline(self, cell: int) -> list[Corner]:
        """Counter-clockwise, like the slots: corner k lies between slots k-1 and k, side k faces slot k."""
        slots = self.slots[cell]
        return [self._corner(cell, slots[slot - 1], slots[slot]) for slot in range(len(slots))]

    def _corner(self, *cells: int) -> Corner:
        lattice_cell, first, second = sorted(cells, key=lambda cell: (is_octagon(self.places[cell]), cell))
        return lattice_cell, first, second

    def centre(self, cell: int) -> list[float]:
        return [(coordinate - self.n) / 2 for coordinate in self.places[cell]]

    def point(self, corner: Corner) -> list[float]:
        """On the border of the two octagons: along the one axis that leads from the lattice cell to both."""
        lattice_place, first, second = (self.places[cell] for cell in corner)
        centre = self.centre(corner[0])
        return [
            centre[axis] + REACH * (first[axis] - lattice_place[axis]) * (first[axis] == second[axis]) for axis in range(3)
        ]

    def flat_pieces(self, cell: int, outline: list[list[float]]) -> list[Piece]:
        """The parts of a cell on the net: its fan of triangles, joined where the net keeps them together."""
        centre = self.centre(cell)
        triangles = []
        for side, face in enumerate(self._faces_of_sides(cell)):
            start, end = outline[side], outline[(side + 1) % len(outline)]
            triangles.append([_on_net(face, self.n, point) for point in (centre, start, end)])
        return list(_joined(triangles))

    def _faces_of_sides(self, cell: int) -> list[Face]:
        """The face on which each side lies: that of the octagon it belongs to."""
        octagons = [cell] * len(self.slots[cell]) if is_octagon(self.places[cell]) else self.slots[cell]
        return [faces_of(self.n, self.places[octagon])[0] for octagon in octagons]


def _on_net(face: Face, n: int, point: list[float]) -> Flat:
    """Rounded, so that points which coincide are equal."""
    across, down = face.on_net(n, point)
    return round(across, 9), round(down, 9)


def _joined(triangles: list[list[Flat]]) -> Iterator[Piece]:
    """Fan triangles (centre, start, end) as polygons: the whole outline, or pieces begun at the centre."""
    cuts = [side for side in range(len(triangles)) if not _touch(triangles[side - 1], triangles[side])]
    if not cuts:
        yield [start for _, start, _ in triangles]
    for cut, following in zip(cuts, cuts[1:] + cuts[:1], strict=True):
        count = (following - cut) % len(triangles) or len(triangles)
        run = [triangles[(cut + step) % len(triangles)] for step in range(count)]
        yield [run[0][0], run[0][1], *(end for _, _, end in run)]


def _touch(triangle: list[Flat], following: list[Flat]) -> bool:
    """Whether the net keeps two triangles of a fan together."""
    return triangle[0] == following[0] and triangle[2] == following[1]


def _area(piece: Piece) -> float:
    return round(abs(sum(_crosses(piece))), 9)


def _centroid(piece: Piece) -> Flat:
    """The middle of a polygon, by area: it lies inside every piece of a cell."""
    crosses, following = _crosses(piece), piece[1:] + piece[:1]
    weighted = [(cross * (x + u), cross * (y + v)) for cross, (x, y), (u, v) in zip(crosses, piece, following, strict=True)]
    across, down = (sum(column) / (3 * sum(crosses)) for column in zip(*weighted, strict=True))
    return across, down


def _crosses(piece: Piece) -> list[float]:
    return [x * v - u * y for (x, y), (u, v) in zip(piece, piece[1:] + piece[:1], strict=True)]
