"""The cylinder of Lariat: a round cap and a wall of hexagons, closed at the top and open at the bottom.

Rings are counted from the centre: ring 0 is the centre cell, ring k of the cap has 6k cells as in a hexagon of hexagons,
and the rings of the wall have as many cells as the last ring of the cap. Seen from outside, the cells of a ring run
counter-clockwise round the centre, which on the wall means to the right.

The flat map is polar: ring k has radius k. Points of a plane, and azimuths as unit vectors, are complex numbers here.
"""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from math import ceil, pi, radians, sqrt

from .board import Board, TextCell
from .geometry import BoardShape, Points, check_size, column_letters, merge_vertices, pad_neighbours, readonly_array

CylinderVertex = tuple[int, ...]  # the cells that meet at a vertex: three, or two or one at the open bottom

CAP_RADII = range(1, 7)
WALL_HEIGHTS = range(1, 25)
MAX_CHORD_ANGLE = radians(4)  # the longest arc that the flat map draws as a straight line


def make_cylinder_board(cap: int, wall: int) -> Board:
    """Return the cylinder with a cap of radius 1 to 6 and a wall of 1 to 24 rings. ValueError for other sizes.

    Cells are ordered ring by ring from the centre. Marked cells: 'centre' is cell 0, 'edge' the last ring.

    Neighbours run counter-clockwise seen from outside and begin with the next cell of the ring; those of the centre
    begin with b1. The open bottom lies between the last neighbour of an edge cell and the first.
    """
    check_size("the radius of the cap", cap, CAP_RADII)
    check_size("the height of the wall", wall, WALL_HEIGHTS)
    return _build_cylinder_board(cap, wall)


@cache
def _build_cylinder_board(cap: int, wall: int) -> Board:
    rings = CylinderRings(cap, wall)
    return Board(
        kind="cylinder",
        size=(cap, wall),
        names=tuple(f"{column_letters(ring)}{index + 1}" for ring, index in rings.coordinates),
        neighbours=pad_neighbours([rings.neighbours(ring, index) for ring, index in rings.coordinates]),
        adjacency="edge",
        directions=(),
        marked_cells={"centre": (0,), "edge": rings.rows[-1]},
        rows=rings.rows,
        text_layout=tuple(rings.text_cell(ring, index) for ring, index in rings.coordinates),
        build_shape=build_cylinder_shape,
    )


@dataclass(frozen=True)
class CylinderRings:
    """Cells and adjacency of the rings. Indices within a ring are taken modulo its length."""

    cap: int
    wall: int

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """Cells of each ring."""
        sizes = [1, *(6 * min(ring, self.cap) for ring in range(1, self.cap + self.wall + 1))]
        return tuple(tuple(range(sum(sizes[:ring]), sum(sizes[: ring + 1]))) for ring in range(len(sizes)))

    @cached_property
    def coordinates(self) -> list[tuple[int, int]]:
        """Ring and index of each cell."""
        return [(ring, index) for ring, row in enumerate(self.rows) for index in range(len(row))]

    def neighbours(self, ring: int, index: int) -> list[int]:
        """Return the neighbours counter-clockwise: next in the ring, inner from the right, previous in the ring, outer."""
        if ring == 0:
            return list(self.rows[1])
        inner = self._cells_at(ring - 1, self._inner_indices(ring, index))
        outer = self._cells_at(ring + 1, self._outer_indices(ring, index))
        following, previous = self._cells_at(ring, [index + 1, index - 1])
        return [following, *reversed(inner), previous, *outer]

    def _inner_indices(self, ring: int, index: int) -> list[int]:
        """Return the indices of the neighbours in the previous ring, from the left."""
        if ring > self.cap:
            return [index, index + 1]
        side, offset = divmod(index, ring)
        aligned = side * (ring - 1) + offset
        return [aligned] if offset == 0 else [aligned - 1, aligned]

    def _outer_indices(self, ring: int, index: int) -> list[int]:
        """Return the indices of the neighbours in the next ring, from the left."""
        if ring == self.cap + self.wall:
            return []
        if ring >= self.cap:
            return [index - 1, index]
        side, offset = divmod(index, ring)
        aligned = side * (ring + 1) + offset
        return [aligned - 1, aligned, aligned + 1] if offset == 0 else [aligned, aligned + 1]

    def _cells_at(self, ring: int, indices: list[int]) -> list[int]:
        return [self.rows[ring][index % len(self.rows[ring])] for index in indices]

    def text_cell(self, ring: int, index: int) -> TextCell:
        """Return the character of a cell: one line per ring, wall rings shifted right one by one, cap rings spread out."""
        cell = self.rows[ring][index]
        if ring == 0:
            return 0, 6 * self.cap - 1, cell
        if ring > self.cap:
            return ring, 2 * index + ring - self.cap, cell
        return ring, (4 * index * self.cap + ring) // (2 * ring), cell


def build_cylinder_shape(board: Board) -> BoardShape:
    """Return a flat round cap at z = 0 and a wall below it; no cell bends over the rim.

    Ring k has radius k on the cap, and on the flat map everywhere.
    """
    geometry = _CylinderGeometry.from_board(board)
    outlines = [geometry.outline(board, cell) for cell in range(len(board))]
    vertices, cell_vertices = merge_vertices(outlines, geometry.vertex_position)
    return BoardShape(
        centres=readonly_array(geometry.centre(cell) for cell in range(len(board))),
        vertices=vertices,
        cell_vertices=cell_vertices,
        flat_centres=readonly_array(
            _map_point(geometry.rings[cell] * geometry.azimuths[cell]) for cell in range(len(board))
        ),
        flat_outlines=tuple((geometry.flat_outline(outline),) for outline in outlines),
    )


@dataclass(frozen=True)
class _CylinderGeometry:
    """Ring and azimuth (unit vector from the axis) of every cell, and the positions of cells and vertices."""

    cap: int
    last_ring: int
    rings: list[int]
    azimuths: list[complex]

    @classmethod
    def from_board(cls, board: Board) -> _CylinderGeometry:
        cap, wall = board.size
        rings = [ring for ring, row in enumerate(board.rows) for _ in row]
        azimuths = [_cell_azimuth(cap, ring, index) for ring, row in enumerate(board.rows) for index in range(len(row))]
        return cls(cap, cap + wall, rings, azimuths)

    @property
    def radius(self) -> float:
        """Radius of the wall: half a cell beyond the last ring of the cap."""
        return self.cap + 0.5

    @property
    def row_height(self) -> float:
        """Distance of wall rings: the geometric mean of that of regular hexagons as wide as wall cells and of width 1."""
        width = 2 * pi * self.radius / (6 * self.cap)
        return sqrt(3) / 2 * sqrt(width)

    def outline(self, board: Board, cell: int) -> list[CylinderVertex]:
        """Return the vertices counter-clockwise: one between each neighbour and the next; at the bottom three more."""
        neighbours = board.neighbours[cell, : board.degrees[cell]].tolist()
        inner = [_cylinder_vertex(cell, *pair) for pair in pairwise(neighbours)]
        if self.rings[cell] < self.last_ring:
            return [*inner, _cylinder_vertex(cell, neighbours[-1], neighbours[0])]
        return [*inner, _cylinder_vertex(cell, neighbours[-1]), (cell,), _cylinder_vertex(cell, neighbours[0])]

    def centre(self, cell: int) -> tuple[float, float, float]:
        ring, azimuth = self.rings[cell], self.azimuths[cell]
        return _cap_point(ring * azimuth) if ring <= self.cap else self._wall_point(ring, azimuth)

    def vertex_position(self, vertex: CylinderVertex) -> tuple[float, float, float]:
        """Return the position of a vertex in space: on the cap, on the rim or on the wall."""
        if self._is_on_cap(vertex):
            return _cap_point(self._cap_centroid(vertex))
        touches_cap = min(self.rings[cell] for cell in vertex) <= self.cap
        level = self.radius if touches_cap else self._ring_level(vertex)
        return self._wall_point(level, self._vertex_azimuth(vertex))

    def flat_vertex_position(self, vertex: CylinderVertex) -> complex:
        """Return the position of a vertex on the flat map, y up."""
        if self._is_on_cap(vertex):
            return self._cap_centroid(vertex)
        return self._ring_level(vertex) * self._vertex_azimuth(vertex)

    def flat_outline(self, outline: list[CylinderVertex]) -> Points:
        following = outline[1:] + outline[:1]
        return readonly_array(
            _map_point(point) for pair in zip(outline, following, strict=True) for point in self._flat_side(*pair)
        )

    def _flat_side(self, start: CylinderVertex, end: CylinderVertex) -> Iterator[complex]:
        """Yield the points of one side of a cell on the flat map, without its end; off the cap it is an arc."""
        first, last = self.flat_vertex_position(start), self.flat_vertex_position(end)
        yield first
        if not (self._is_on_cap(start) or self._is_on_cap(end)):
            angle = phase(last / first)
            num_segments = max(1, ceil(abs(angle) / MAX_CHORD_ANGLE))
            for segment in range(1, num_segments):
                fraction = segment / num_segments
                yield rect((1 - fraction) * abs(first) + fraction * abs(last), phase(first) + fraction * angle)

    def _is_on_cap(self, vertex: CylinderVertex) -> bool:
        return max(self.rings[cell] for cell in vertex) <= self.cap

    def _cap_centroid(self, vertex: CylinderVertex) -> complex:
        return sum(self.rings[cell] * self.azimuths[cell] for cell in vertex) / len(vertex)

    def _ring_level(self, vertex: CylinderVertex) -> float:
        """Return the ring coordinate of a vertex, a fraction between those of its cells."""
        return sum(self.rings[cell] for cell in vertex) / 3 if len(vertex) == 3 else self.last_ring + 0.5

    def _vertex_azimuth(self, vertex: CylinderVertex) -> complex:
        azimuth = sum(self.azimuths[cell] for cell in vertex)
        return azimuth / abs(azimuth)

    def _wall_point(self, level: float, azimuth: complex) -> tuple[float, float, float]:
        point = self.radius * azimuth
        return point.real, point.imag, (self.radius - level) * self.row_height


def _cell_azimuth(cap: int, ring: int, index: int) -> complex:
    """Return the azimuth of a cell: rings of the cap begin at the x axis, each wall ring half a cell after the one above."""
    turns = index / (6 * max(ring, 1)) if ring <= cap else (index + (ring - cap) / 2) / (6 * cap)
    return rect(1, 2 * pi * turns)


def _cap_point(point: complex) -> tuple[float, float, float]:
    return point.real, point.imag, 0.0


def _cylinder_vertex(*cells: int) -> CylinderVertex:
    return tuple(sorted(cells))


def _map_point(point: complex) -> tuple[float, float]:
    """Return flat map coordinates, y down, so that the map looks like the board seen from above."""
    return point.real, -point.imag
