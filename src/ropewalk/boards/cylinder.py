"""The cylinder of Lariat: a round cap and a wall of hexagons, closed at the top and open at the bottom.

Rings are counted from the centre: ring 0 is the centre cell, ring k of the cap has 6k cells as in a hexagon
of hexagons, and the rings of the wall have as many cells as the last ring of the cap. Seen from outside, the
cells of a ring run counter-clockwise round the centre, which on the wall means to the right.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

from ropewalk.boards.board import Board, Spot
from ropewalk.boards.cylinder_shape import cylinder_shape
from ropewalk.boards.slots import check_size, in_slots, letter

CAPS = range(1, 7)
WALLS = range(1, 25)


def cylinder(cap: int, wall: int) -> Board:
    """A cap of that radius with a wall of that height, ring by ring from the centre.

    A cell's slots run counter-clockwise seen from outside and begin with the next cell of its ring; those of
    the centre begin with b1. For the edge cells, the open bottom lies between the last slot and the first.
    """
    check_size("the radius of the cap", cap, CAPS)
    check_size("the height of the wall", wall, WALLS)
    return _cylinder(cap, wall)


@cache
def _cylinder(cap: int, wall: int) -> Board:
    rings = Rings(cap, wall)
    return Board(
        kind="cylinder",
        size=(cap, wall),
        names=tuple(f"{letter(ring)}{index + 1}" for ring, index in rings.places),
        neighbours=in_slots([rings.neighbours(ring, index) for ring, index in rings.places]),
        contact="edge",
        directions=(),
        marks={"centre": (0,), "edge": rings.rows[-1]},
        rows=rings.rows,
        drawing=tuple(rings.spot(ring, index) for ring, index in rings.places),
        shaped=cylinder_shape,
    )


@dataclass(frozen=True)
class Rings:
    """Which cells each ring has, and which of them touch."""

    cap: int
    wall: int

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The cells of each ring."""
        sizes = [1, *(6 * min(ring, self.cap) for ring in range(1, self.cap + self.wall + 1))]
        return tuple(tuple(range(sum(sizes[:ring]), sum(sizes[: ring + 1]))) for ring in range(len(sizes)))

    @cached_property
    def places(self) -> list[tuple[int, int]]:
        """Ring and index of each cell."""
        return [(ring, index) for ring, row in enumerate(self.rows) for index in range(len(row))]

    def neighbours(self, ring: int, index: int) -> list[int]:
        """Counter-clockwise: next in the ring, inward from the right, previous in the ring, outward."""
        if ring == 0:
            return list(self.rows[1])
        inward = self._cells(ring - 1, self._inward(ring, index))
        outward = self._cells(ring + 1, self._outward(ring, index))
        following, previous = self._cells(ring, [index + 1, index - 1])
        return [following, *reversed(inward), previous, *outward]

    def _inward(self, ring: int, index: int) -> list[int]:
        """The indices touched in the ring before, from the left."""
        if ring > self.cap:
            return [index, index + 1]
        side, offset = divmod(index, ring)
        beside = side * (ring - 1) + offset
        return [beside] if offset == 0 else [beside - 1, beside]

    def _outward(self, ring: int, index: int) -> list[int]:
        """The indices touched in the ring after, from the left."""
        if ring == self.cap + self.wall:
            return []
        if ring >= self.cap:
            return [index - 1, index]
        side, offset = divmod(index, ring)
        beside = side * (ring + 1) + offset
        return [beside - 1, beside, beside + 1] if offset == 0 else [beside, beside + 1]

    def _cells(self, ring: int, indices: list[int]) -> list[int]:
        return [self.rows[ring][index % len(self.rows[ring])] for index in indices]

    def spot(self, ring: int, index: int) -> Spot:
        """A line a ring: the wall slides to the right with its stagger, the cap is spread out above it."""
        cell = self.rows[ring][index]
        if ring == 0:
            return 0, 6 * self.cap - 1, cell
        if ring > self.cap:
            return ring, 2 * index + ring - self.cap, cell
        return ring, (4 * index * self.cap + ring) // (2 * ring), cell
