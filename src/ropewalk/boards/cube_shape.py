"""The shape of the cube: regular octagons, squares folded over its edges, and the unfolded net."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import sqrt
from typing import TYPE_CHECKING

from ropewalk.boards.cube_faces import CubeFace, LatticePoint, faces_at, is_octagon
from ropewalk.boards.shape import BoardShape, merge_vertices, readonly_array

if TYPE_CHECKING:
    from ropewalk.boards.board import Board

CubeVertex = tuple[int, int, int]  # the lattice cell and the two octagons that meet at a corner point
FlatPoint = tuple[float, float]
FlatPolygon = list[FlatPoint]

CORNER_OFFSET = 1 - 1 / sqrt(2)  # from the middle of a lattice cell to its corners: this makes the octagons regular


def build_cube_shape(board: Board, lattice_points: list[LatticePoint]) -> BoardShape:
    """A cube about the origin with octagons of width 1; across its edges they touch exactly along the edge.

    A cell on an edge or a corner has its centre there, so that the fan to its outline folds with the cube. On
    the net, the centre of a cell is the middle of its largest piece.
    """
    geometry = _CubeGeometry(board, lattice_points)
    cells = range(len(board))
    outlines = [geometry.outline(cell) for cell in cells]
    vertices, cell_vertices = merge_vertices(outlines, geometry.vertex_position)
    polygons = [geometry.flat_polygons(cell, vertices[list(cell_vertices[cell])].tolist()) for cell in cells]
    return BoardShape(
        centres=readonly_array(geometry.centre(cell) for cell in cells),
        vertices=vertices,
        cell_vertices=cell_vertices,
        flat_centres=readonly_array(_polygon_centroid(max(cell_polygons, key=_polygon_area)) for cell_polygons in polygons),
        flat_outlines=tuple(tuple(map(readonly_array, cell_polygons)) for cell_polygons in polygons),
    )


@dataclass(frozen=True)
class _CubeGeometry:
    board: Board
    lattice_points: list[LatticePoint]

    @property
    def n(self) -> int:
        return self.board.size[0]

    @cached_property
    def neighbour_lists(self) -> list[list[int]]:
        """The neighbours of each cell, without padding."""
        rows = zip(self.board.neighbours.tolist(), self.board.degrees.tolist(), strict=True)
        return [neighbours[:degree] for neighbours, degree in rows]

    def outline(self, cell: int) -> list[CubeVertex]:
        """Counter-clockwise, like the slots: corner k lies between slots k-1 and k, side k faces slot k."""
        neighbours = self.neighbour_lists[cell]
        return [self._make_vertex(cell, neighbours[index - 1], neighbours[index]) for index in range(len(neighbours))]

    def _make_vertex(self, *cells: int) -> CubeVertex:
        lattice_cell, first, second = sorted(cells, key=lambda cell: (is_octagon(self.lattice_points[cell]), cell))
        return lattice_cell, first, second

    def centre(self, cell: int) -> list[float]:
        return [(coordinate - self.n) / 2 for coordinate in self.lattice_points[cell]]

    def vertex_position(self, vertex: CubeVertex) -> list[float]:
        """On the border of the two octagons: along the one axis that leads from the lattice cell to both."""
        lattice_point, first, second = (self.lattice_points[cell] for cell in vertex)
        centre = self.centre(vertex[0])
        return [
            centre[axis] + CORNER_OFFSET * (first[axis] - lattice_point[axis]) * (first[axis] == second[axis])
            for axis in range(3)
        ]

    def flat_polygons(self, cell: int, outline: list[list[float]]) -> list[FlatPolygon]:
        """The parts of a cell on the net: its fan of triangles, joined where the net keeps them together."""
        centre = self.centre(cell)
        triangles = []
        for side, face in enumerate(self._side_faces(cell)):
            start, end = outline[side], outline[(side + 1) % len(outline)]
            triangles.append([_net_point(face, self.n, point) for point in (centre, start, end)])
        return list(_merge_triangles(triangles))

    def _side_faces(self, cell: int) -> list[CubeFace]:
        """The face on which each side lies: that of the octagon it belongs to."""
        octagons = (
            [cell] * len(self.neighbour_lists[cell]) if is_octagon(self.lattice_points[cell]) else self.neighbour_lists[cell]
        )
        return [faces_at(self.n, self.lattice_points[octagon])[0] for octagon in octagons]


def _net_point(face: CubeFace, n: int, point: list[float]) -> FlatPoint:
    """Rounded, so that points which coincide are equal."""
    across, down = face.unfold(n, point)
    return round(across, 9), round(down, 9)


def _merge_triangles(triangles: list[list[FlatPoint]]) -> Iterator[FlatPolygon]:
    """Fan triangles (centre, start, end) as polygons: the whole outline, or pieces begun at the centre."""
    cuts = [side for side in range(len(triangles)) if not _share_net_edge(triangles[side - 1], triangles[side])]
    if not cuts:
        yield [start for _, start, _ in triangles]
    for cut, following in zip(cuts, cuts[1:] + cuts[:1], strict=True):
        count = (following - cut) % len(triangles) or len(triangles)
        group = [triangles[(cut + step) % len(triangles)] for step in range(count)]
        yield [group[0][0], group[0][1], *(end for _, _, end in group)]


def _share_net_edge(triangle: list[FlatPoint], following: list[FlatPoint]) -> bool:
    """Whether the net keeps two triangles of a fan together."""
    return triangle[0] == following[0] and triangle[2] == following[1]


def _polygon_area(polygon: FlatPolygon) -> float:
    return round(abs(sum(_cross_products(polygon))), 9)


def _polygon_centroid(polygon: FlatPolygon) -> FlatPoint:
    """The middle of a polygon, by area: it lies inside every piece of a cell."""
    cross_products, following = _cross_products(polygon), polygon[1:] + polygon[:1]
    weighted = [
        (cross * (x + u), cross * (y + v)) for cross, (x, y), (u, v) in zip(cross_products, polygon, following, strict=True)
    ]
    across, down = (sum(column) / (3 * sum(cross_products)) for column in zip(*weighted, strict=True))
    return across, down


def _cross_products(polygon: FlatPolygon) -> list[float]:
    return [x * v - u * y for (x, y), (u, v) in zip(polygon, polygon[1:] + polygon[:1], strict=True)]
