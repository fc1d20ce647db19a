"""The six faces of a cube: how they lie in space, and where the unfolded net puts them.

Every cell of a cube with n x n octagons a face has a place on the lattice [0, 2n]^3, in half widths of an
octagon: octagons where both coordinates along their face are odd, other cells where all coordinates are even.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

LatticePoint = tuple[int, int, int]
Vector = tuple[int, int, int]


@dataclass(frozen=True)
class CubeFace:
    """A face at coordinate 0 or n of an axis; files run along the first of the other axes, ranks the second.

    The net is a cross, drawn as seen from outside: U above F, then L F R B in a row, D below F.
    """

    letter: str
    axis: int
    side: int  # 0 at coordinate 0, 1 at coordinate n
    net_centre: tuple[int, int]  # of the face on the net, from the net's middle, in half sides, y down
    right: Vector  # the direction in space that points to the right on the net
    up: Vector

    @property
    def outward(self) -> Vector:
        """The direction in space that points away from the cube."""
        x, y, z = (2 * self.side - 1 if axis == self.axis else 0 for axis in range(3))
        return x, y, z

    def face_coordinate(self, n: int) -> int:
        """The coordinate on the face's axis that all its places have."""
        return 2 * n * self.side

    def lattice_point(self, n: int, file: int, rank: int) -> LatticePoint:
        """The place at these coordinates of the face."""
        coordinates = [file, rank]
        coordinates.insert(self.axis, self.face_coordinate(n))
        x, y, z = coordinates
        return x, y, z

    def unfold(self, side_length: int, point: Sequence[float]) -> tuple[float, float]:
        """A point of this face, on a cube about the origin with such sides, unfolded onto the net, y down."""
        across, below = (half * side_length / 2 for half in self.net_centre)
        return across + _dot(self.right, point), below - _dot(self.up, point)


def _dot(direction: Vector, point: Sequence[float]) -> float:
    return direction[0] * point[0] + direction[1] * point[1] + direction[2] * point[2]


FACES = {
    face.letter: face
    for face in (
        CubeFace("U", axis=2, side=1, net_centre=(-1, -2), right=(1, 0, 0), up=(0, 1, 0)),
        CubeFace("D", axis=2, side=0, net_centre=(-1, 2), right=(1, 0, 0), up=(0, -1, 0)),
        CubeFace("F", axis=1, side=0, net_centre=(-1, 0), right=(1, 0, 0), up=(0, 0, 1)),
        CubeFace("B", axis=1, side=1, net_centre=(3, 0), right=(-1, 0, 0), up=(0, 0, 1)),
        CubeFace("L", axis=0, side=0, net_centre=(-3, 0), right=(0, -1, 0), up=(0, 0, 1)),
        CubeFace("R", axis=0, side=1, net_centre=(1, 0), right=(0, 1, 0), up=(0, 0, 1)),
    )
}


def faces_at(n: int, point: LatticePoint) -> list[CubeFace]:
    """The faces on which a place lies, in the order U D F B L R."""
    return [face for face in FACES.values() if point[face.axis] == face.face_coordinate(n)]


def is_octagon(point: LatticePoint) -> bool:
    """Whether an octagon sits here; a square or a corner triangle sits at all other places."""
    return any(coordinate % 2 for coordinate in point)
