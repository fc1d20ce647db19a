"""The cylinder of Lariat: a round cap and a wall of hexagons, closed at the top and open at the bottom.

Rings are counted from the centre: ring 0 is the centre cell, ring k of the cap has 6k cells as in a hexagon
of hexagons, and the rings of the wall have as many cells as the last ring of the cap. Seen from outside, the
cells of a ring run counter-clockwise round the centre, which on the wall means to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from ropewalk.boards.board import Board, TextCell
from ropewalk.boards.cylinder_shape import build_cylinder_shape
from ropewalk.boards.slots import check_size, column_letters, pad_neighbours

CAP_RADII = range(1, 7)
WALL_HEIGHTS = range(1, 25)


def make_cylinder_board(cap: int, wall: int) -> Board:
    """A cap of that radius with a wall of that height, ring by ring from the centre.

    A cell's slots run counter-clockwise seen from outside and begin with the next cell of its ring; those of
    the centre begin with b1. For the edge cells, the open bottom lies between the last slot and the first.
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
    """Which cells each ring has, and which of them touch."""

    cap: int
    wall: int

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each ring."""
        sizes = [1, *(6 * min(ring, self.cap) for ring in range(1, self.cap + self.wall + 1))]
        return tuple(tuple(range(sum(sizes[:ring]), sum(sizes[: ring + 1]))) for ring in range(len(sizes)))

    @cached_property
    def coordinates(self) -> list[tuple[int, int]]:
        """Ring and index of each cell."""
        return [(ring, index) for ring, row in enumerate(self.rows) for index in range(len(row))]

    def neighbours(self, ring: int, index: int) -> list[int]:
        """Counter-clockwise: next in the ring, inward from the right, previous in the ring, outward."""
        if ring == 0:
            return list(self.rows[1])
        inner = self._cells_at(ring - 1, self._inner_indices(ring, index))
        outer = self._cells_at(ring + 1, self._outer_indices(ring, index))
        following, previous = self._cells_at(ring, [index + 1, index - 1])
        return [following, *reversed(inner), previous, *outer]

    def _inner_indices(self, ring: int, index: int) -> list[int]:
        """The indices touched in the ring before, from the left."""
        if ring > self.cap:
            return [index, index + 1]
        side, offset = divmod(index, ring)
        aligned = side * (ring - 1) + offset
        return [aligned] if offset == 0 else [aligned - 1, aligned]

    def _outer_indices(self, ring: int, index: int) -> list[int]:
        """The indices touched in the ring after, from the left."""
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
        """A line a ring: the wall slides to the right with its stagger, the cap is spread out above it."""
        cell = self.rows[ring][index]
        if ring == 0:
            return 0, 6 * self.cap - 1, cell
        if ring > self.cap:
            return ring, 2 * index + ring - self.cap, cell
        return ring, (4 * index * self.cap + ring) // (2 * ring), cell
