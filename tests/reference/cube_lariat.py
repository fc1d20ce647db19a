"""Cube Lariat, by Mark Steere (2024): part three nuclear cells on the skin of a cube with a single group."""

from collections.abc import Iterator
from itertools import combinations
from string import ascii_lowercase
from typing import NamedTuple, TypeAlias

from tests.reference.claiming import ClaimingGame
from tests.reference.common import Cells, both_ways, pieces

Point: TypeAlias = tuple[int, int, int]  # a lattice point of the cube [0, n]^3
AXES = X, Y, Z = range(3)


class Face(NamedTuple):
    """A face: the axis it is square to, which end of it, and the axes of its files and ranks."""

    letter: str
    axis: int
    far: bool
    files: int
    ranks: int


FACES = (  # in the order in which edges and corners name them
    Face("U", axis=Z, far=True, files=X, ranks=Y),
    Face("D", axis=Z, far=False, files=X, ranks=Y),
    Face("F", axis=Y, far=False, files=X, ranks=Z),
    Face("B", axis=Y, far=True, files=X, ranks=Z),
    Face("L", axis=X, far=False, files=Y, ranks=Z),
    Face("R", axis=X, far=True, files=Y, ranks=Z),
)


class CubeLariat(ClaimingGame):
    """The game on a cube whose faces have `size` x `size` octagons."""

    def __init__(self, spec: str, size: int, corners: bool, pie: bool) -> None:
        neighbours = both_ways(touching(size))
        claimable = [cell for cell in neighbours if corners or not is_corner(cell)]
        super().__init__(spec, neighbours, claimable, pie)
        self.nuclear = frozenset(f"{edge}{size // 2}" for edge in ("UF", "DR", "BL"))

    def reason_to_win(self, group: Cells) -> str | None:
        """A group wins when no piece of the rest of the board contains two or more nuclear cells."""
        rest = frozenset(self.neighbours.keys() - group)
        if any(len(piece & self.nuclear) >= 2 for piece in pieces(self.neighbours, rest)):
            return None
        return "isolates-nuclear-cells"


def touching(size: int) -> Iterator[tuple[str, str]]:
    """All pairs of cells that touch: octagons that share a side, and an octagon with what is at its corners."""
    octagons = dict(octagons_and_corners(size))
    for octagon, corners in octagons.items():
        for point in corners:
            yield octagon, point_name(point, size)
    for one, other in combinations(octagons, 2):
        if len(octagons[one] & octagons[other]) == 2:
            yield one, other


def octagons_and_corners(size: int) -> Iterator[tuple[str, frozenset[Point]]]:
    """Every octagon, with the four lattice points at its corners."""
    for face in FACES:
        for file in range(size):
            for rank in range(size):
                corners = {point_on(face, file + i, rank + j, size) for i in (0, 1) for j in (0, 1)}
                yield octagon_name(face, file, rank), frozenset(corners)


def point_on(face: Face, file: int, rank: int, size: int) -> Point:
    """The lattice point at (file, rank) of a face."""
    along = {face.axis: size if face.far else 0, face.files: file, face.ranks: rank}
    return along[X], along[Y], along[Z]


def octagon_name(face: Face, file: int, rank: int) -> str:
    return f"{face.letter}{ascii_lowercase[file]}{rank + 1}"


def point_name(point: Point, size: int) -> str:
    """The name of the cell at a lattice point: a square of a face, a square on an edge, or a corner."""
    faces = [face for face in FACES if point[face.axis] == (size if face.far else 0)]
    letters = "".join(face.letter for face in faces)
    if len(faces) == 3:
        return letters
    if len(faces) == 2:
        (along,) = set(AXES) - {face.axis for face in faces}
        return f"{letters}{point[along]}"
    (face,) = faces
    return octagon_name(face, point[face.files] - 1, point[face.ranks] - 1) + "'"


def is_corner(cell: str) -> bool:
    """Whether a cell sits on a corner of the cube: only those are named by three letters of faces."""
    return len(cell) == 3 and cell.isupper() and cell.isalpha()
