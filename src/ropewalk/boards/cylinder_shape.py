"""The shape of the cylinder, and its polar map. Points of the plane are complex numbers here."""

from __future__ import annotations

from cmath import phase, rect
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import ceil, pi, radians, sqrt
from typing import TYPE_CHECKING

from ropewalk.boards.shape import Points, Shape, frozen, weld

if TYPE_CHECKING:
    from ropewalk.boards.board import Board

Corner = tuple[int, ...]  # the cells that meet at a corner point: three inside, two or one at the open bottom

ARC = radians(4)  # the longest arc that the map draws as a straight line


def cylinder_shape(board: Board) -> Shape:
    """A flat round cap at z = 0 and a wall below it; no cell bends over the rim.

    On the cap, ring k has radius k. On the flat map every ring j has radius j.
    """
    mould = _Mould.of(board)
    outlines = [mould.outline(board, cell) for cell in range(len(board))]
    points, corners = weld(outlines, mould.point)
    return Shape(
        centres=frozen(mould.centre(cell) for cell in range(len(board))),
        points=points,
        corners=corners,
        flat_centres=frozen(_on_map(mould.rings[cell] * mould.headings[cell]) for cell in range(len(board))),
        flat_outlines=tuple((mould.flat_outline(outline),) for outline in outlines),
    )


@dataclass(frozen=True)
class _Mould:
    """Ring and heading (a direction from the axis) of every cell."""

    cap: int
    bottom: int
    rings: list[int]
    headings: list[complex]

    @classmethod
    def of(cls, board: Board) -> _Mould:
        cap, wall = board.size
        rings = [ring for ring, row in enumerate(board.rows) for _ in row]
        headings = [_heading(cap, ring, index) for ring, row in enumerate(board.rows) for index in range(len(row))]
        return cls(cap, cap + wall, rings, headings)

    @property
    def radius(self) -> float:
        """Of the wall: half a cell beyond the last ring of the cap."""
        return self.cap + 0.5

    @property
    def row_height(self) -> float:
        """Between that of regular hexagons and that of the cap, whose cells are narrower."""
        width = 2 * pi * self.radius / (6 * self.cap)
        return sqrt(3) / 2 * sqrt(width)

    def outline(self, board: Board, cell: int) -> list[Corner]:
        """Counter-clockwise, like the slots: a corner lies between each slot and the next."""
        slots = board.neighbours[cell, : board.degrees[cell]].tolist()
        inner = [_corner(cell, *pair) for pair in pairwise(slots)]
        if self.rings[cell] < self.bottom:
            return [*inner, _corner(cell, slots[-1], slots[0])]
        return [*inner, _corner(cell, slots[-1]), (cell,), _corner(cell, slots[0])]

    def centre(self, cell: int) -> tuple[float, float, float]:
        ring, heading = self.rings[cell], self.headings[cell]
        return _on_top(ring * heading) if ring <= self.cap else self._on_wall(ring, heading)

    def point(self, corner: Corner) -> tuple[float, float, float]:
        """Where a corner lies in space: on the cap, on the rim or on the wall."""
        if self._on_cap(corner):
            return _on_top(self._middle(corner))
        touches_cap = min(self.rings[cell] for cell in corner) <= self.cap
        level = self.radius if touches_cap else self._level(corner)
        return self._on_wall(level, self._heading(corner))

    def flat_point(self, corner: Corner) -> complex:
        """Where a corner lies on the polar map."""
        if self._on_cap(corner):
            return self._middle(corner)
        return self._level(corner) * self._heading(corner)

    def flat_outline(self, outline: list[Corner]) -> Points:
        following = outline[1:] + outline[:1]
        return frozen(_on_map(point) for pair in zip(outline, following, strict=True) for point in self._side(*pair))

    def _side(self, start: Corner, end: Corner) -> Iterator[complex]:
        """One side of a cell on the map, without its end; off the cap it bends with the ring."""
        first, last = self.flat_point(start), self.flat_point(end)
        yield first
        if not (self._on_cap(start) or self._on_cap(end)):
            turn = phase(last / first)
            parts = max(1, ceil(abs(turn) / ARC))
            for part in range(1, parts):
                share = part / parts
                yield rect((1 - share) * abs(first) + share * abs(last), phase(first) + share * turn)

    def _on_cap(self, corner: Corner) -> bool:
        return max(self.rings[cell] for cell in corner) <= self.cap

    def _middle(self, corner: Corner) -> complex:
        return sum(self.rings[cell] * self.headings[cell] for cell in corner) / len(corner)

    def _level(self, corner: Corner) -> float:
        """The ring number, with fractions, at which a corner lies."""
        return sum(self.rings[cell] for cell in corner) / 3 if len(corner) == 3 else self.bottom + 0.5

    def _heading(self, corner: Corner) -> complex:
        heading = sum(self.headings[cell] for cell in corner)
        return heading / abs(heading)

    def _on_wall(self, level: float, heading: complex) -> tuple[float, float, float]:
        place = self.radius * heading
        return place.real, place.imag, (self.radius - level) * self.row_height


def _heading(cap: int, ring: int, index: int) -> complex:
    """The cap's rings begin at the x axis; on the wall each begins half a cell after the one above."""
    turns = index / (6 * max(ring, 1)) if ring <= cap else (index + (ring - cap) / 2) / (6 * cap)
    return rect(1, 2 * pi * turns)


def _on_top(place: complex) -> tuple[float, float, float]:
    return place.real, place.imag, 0.0


def _corner(*cells: int) -> Corner:
    return tuple(sorted(cells))


def _on_map(place: complex) -> tuple[float, float]:
    """Screen coordinates, y down, so that the map looks like the board seen from above."""
    return place.real, -place.imag
