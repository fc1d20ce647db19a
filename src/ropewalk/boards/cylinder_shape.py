"""The shape of the cylinder, and its polar map. Points of the plane are complex numbers here."""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, pi, radians, sqrt
from typing import TYPE_CHECKING

from ropewalk.boards.shape import BoardShape, Points, merge_vertices, readonly_array

if TYPE_CHECKING:
    from ropewalk.boards.board import Board

CylinderVertex = tuple[int, ...]  # the cells that meet at a corner point: three inside, two or one at the open bottom

MAX_CHORD_ANGLE = radians(4)  # the longest arc that the map draws as a straight line


def build_cylinder_shape(board: Board) -> BoardShape:
    """A flat round cap at z = 0 and a wall below it; no cell bends over the rim.

    On the cap, ring k has radius k. On the flat map every ring j has radius j.
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
    """Ring and heading (a direction from the axis) of every cell."""

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
        """Of the wall: half a cell beyond the last ring of the cap."""
        return self.cap + 0.5

    @property
    def row_height(self) -> float:
        """Between that of regular hexagons and that of the cap, whose cells are narrower."""
        width = 2 * pi * self.radius / (6 * self.cap)
        return sqrt(3) / 2 * sqrt(width)

    def outline(self, board: Board, cell: int) -> list[CylinderVertex]:
        """Counter-clockwise, like the slots: a corner lies between each slot and the next."""
        neighbours = board.neighbours[cell, : board.degrees[cell]].tolist()
        inner = [_make_vertex(cell, *pair) for pair in pairwise(neighbours)]
        if self.rings[cell] < self.last_ring:
            return [*inner, _make_vertex(cell, neighbours[-1], neighbours[0])]
        return [*inner, _make_vertex(cell, neighbours[-1]), (cell,), _make_vertex(cell, neighbours[0])]

    def centre(self, cell: int) -> tuple[float, float, float]:
        ring, azimuth = self.rings[cell], self.azimuths[cell]
        return _cap_point(ring * azimuth) if ring <= self.cap else self._wall_point(ring, azimuth)

    def vertex_position(self, vertex: CylinderVertex) -> tuple[float, float, float]:
        """Where a corner lies in space: on the cap, on the rim or on the wall."""
        if self._is_on_cap(vertex):
            return _cap_point(self._cap_centroid(vertex))
        touches_cap = min(self.rings[cell] for cell in vertex) <= self.cap
        level = self.radius if touches_cap else self._ring_level(vertex)
        return self._wall_point(level, self._vertex_azimuth(vertex))

    def flat_vertex_position(self, vertex: CylinderVertex) -> complex:
        """Where a corner lies on the polar map."""
        if self._is_on_cap(vertex):
            return self._cap_centroid(vertex)
        return self._ring_level(vertex) * self._vertex_azimuth(vertex)

    def flat_outline(self, outline: list[CylinderVertex]) -> Points:
        following = outline[1:] + outline[:1]
        return readonly_array(
            _map_point(point) for pair in zip(outline, following, strict=True) for point in self._flat_side(*pair)
        )

    def _flat_side(self, start: CylinderVertex, end: CylinderVertex) -> Iterator[complex]:
        """One side of a cell on the map, without its end; off the cap it bends with the ring."""
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
        """The ring number, with fractions, at which a corner lies."""
        return sum(self.rings[cell] for cell in vertex) / 3 if len(vertex) == 3 else self.last_ring + 0.5

    def _vertex_azimuth(self, vertex: CylinderVertex) -> complex:
        azimuth = sum(self.azimuths[cell] for cell in vertex)
        return azimuth / abs(azimuth)

    def _wall_point(self, level: float, azimuth: complex) -> tuple[float, float, float]:
        point = self.radius * azimuth
        return point.real, point.imag, (self.radius - level) * self.row_height


def _cell_azimuth(cap: int, ring: int, index: int) -> complex:
    """The cap's rings begin at the x axis; on the wall each begins half a cell after the one above."""
    turns = index / (6 * max(ring, 1)) if ring <= cap else (index + (ring - cap) / 2) / (6 * cap)
    return rect(1, 2 * pi * turns)


def _cap_point(point: complex) -> tuple[float, float, float]:
    return point.real, point.imag, 0.0


def _make_vertex(*cells: int) -> CylinderVertex:
    return tuple(sorted(cells))


def _map_point(point: complex) -> tuple[float, float]:
    """Screen coordinates, y down, so that the map looks like the board seen from above."""
    return point.real, -point.imag
