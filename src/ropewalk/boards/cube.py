"""The six faces of a cube: how they lie in space, and where the unfolded net puts them.

Every cell of a cube with n x n octagons a face has a place on the lattice [0, 2n]^3, in half widths of an
octagon: octagons where both coordinates along their face are odd, other cells where all coordinates are even.
"""
# MERGED DOCSTRING: """The cube of Cube Lariat: octagons on its faces, squares where four of them meet, triangles at corners."""
# MERGED DOCSTRING: """The shape of the cube: regular octagons, squares folded over its edges, and the unfolded net."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, partial
from itertools import chain, product
from math import sqrt

from .board import Board, TextCell
from .geometry import BoardShape, check_size, column_letters, merge_vertices, pad_neighbours, readonly_array

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


CUBE_SIZES = range(2, 9, 2)

NUCLEAR_EDGES = ("UF", "DR", "BL")

EDGES = [pair for pairs in (("UD", "FB"), ("UD", "LR"), ("FB", "LR")) for pair in product(*pairs)]

CORNERS = list(product("UD", "FB", "LR"))

NamedPoint = tuple[str, LatticePoint]


def make_cube_board(n: int) -> Board:
    """A cube with n x n octagons a face.

    Cells and rows go face by face (U D F B L R), each with its octagons and then its face squares, rank by
    rank; then come the edge squares, an edge a row, then the corners in one row.

    A cell's slots run counter-clockwise seen from outside. An octagon's begin at its right as the net shows
    it and alternate side, corner; the other cells' begin at the first of their octagons. In the drawing,
    which is the net, a cell on an edge that the net cuts appears at each border.
    """
    check_size("the side of the cube", n, CUBE_SIZES)
    return _build_cube_board(n)


@cache
def _build_cube_board(n: int) -> Board:
    named_rows = list(_iter_named_rows(n))
    names = tuple(name for name, _ in chain(*named_rows))
    lattice_points = [point for _, point in chain(*named_rows)]
    cells = {point: cell for cell, point in enumerate(lattice_points)}
    return Board(
        kind="cube",
        size=(n,),
        names=names,
        neighbours=pad_neighbours(_list_neighbours(n, lattice_points)),
        adjacency="edge",
        directions=(),
        marked_cells={
            "nuclear": tuple(names.index(f"{edge}{n // 2}") for edge in NUCLEAR_EDGES),
            "corners": tuple(range(len(names) - len(CORNERS), len(names))),
        },
        rows=tuple(tuple(cells[point] for _, point in row) for row in named_rows),
        text_layout=tuple(_iter_text_layout(n, lattice_points)),
        build_shape=partial(build_cube_shape, lattice_points=lattice_points),
    )


def _iter_named_rows(n: int) -> Iterator[list[NamedPoint]]:
    for face in FACES.values():
        yield from _iter_face_ranks(face, n, count=n, first=1, suffix="")
        yield from _iter_face_ranks(face, n, count=n - 1, first=2, suffix="'")
    for edge in EDGES:
        yield [("".join(edge) + str(number), _edge_point(n, edge, along=2 * number)) for number in range(1, n)]
    yield [("".join(corner), _edge_point(n, corner, along=0)) for corner in CORNERS]


def _iter_face_ranks(face: CubeFace, n: int, count: int, first: int, suffix: str) -> Iterator[list[NamedPoint]]:
    """Cells at every second place of a face from `first`, named by the octagon there or to the lower left."""
    for rank in range(count):
        yield [
            (
                f"{face.letter}{column_letters(file)}{rank + 1}{suffix}",
                face.lattice_point(n, first + 2 * file, first + 2 * rank),
            )
            for file in range(count)
        ]


def _edge_point(n: int, face_letters: tuple[str, ...], along: int) -> LatticePoint:
    """The place where faces meet: fixed by each of them, and `along` the edge that they share."""
    fixed = {FACES[letter].axis: FACES[letter].face_coordinate(n) for letter in face_letters}
    x, y, z = (fixed.get(axis, along) for axis in range(3))
    return x, y, z


def _list_neighbours(n: int, lattice_points: list[LatticePoint]) -> list[list[int]]:
    """The cycles of the octagons follow from the lattice, those of the other cells from the octagons'."""
    octagons = {point: _octagon_cycle(n, point) for point in lattice_points if is_octagon(point)}
    cycles = octagons | _lattice_cell_cycles(octagons)
    cells = {point: cell for cell, point in enumerate(lattice_points)}
    return [[cells[other] for other in cycles[point]] for point in lattice_points]


def _octagon_cycle(n: int, octagon: LatticePoint) -> list[LatticePoint]:
    """What touches an octagon, counter-clockwise: at its right, its upper right corner, above and so on."""
    (face,) = faces_at(n, octagon)
    left, below = _scale(-1, face.right), _scale(-1, face.up)
    directions = [(face.right, face.up), (face.up, left), (left, below), (below, face.right)]
    return [
        point
        for ahead, aside in directions
        for point in (_next_octagon(n, face, octagon, ahead), _add(_add(octagon, ahead), aside))
    ]


def _next_octagon(n: int, face: CubeFace, octagon: LatticePoint, step: Vector) -> LatticePoint:
    """The next octagon, round the cube's edge if need be."""
    border = _add(octagon, step)
    at_edge = len(faces_at(n, border)) == 2
    return _add(border, _scale(-1, face.outward) if at_edge else step)


def _lattice_cell_cycles(octagons: dict[LatticePoint, list[LatticePoint]]) -> dict[LatticePoint, list[LatticePoint]]:
    """The octagons round the other cells: after an octagon comes what precedes the cell in its own cycle."""
    successors: dict[LatticePoint, dict[LatticePoint, LatticePoint]] = defaultdict(dict)
    for octagon, cycle in octagons.items():
        for slot in range(1, len(cycle), 2):
            successors[cycle[slot]][octagon] = cycle[slot - 1]
    return {point: _order_cycle(successor) for point, successor in successors.items()}


def _order_cycle(successor: dict[LatticePoint, LatticePoint]) -> list[LatticePoint]:
    ordered = [next(iter(successor))]
    while len(ordered) < len(successor):
        ordered.append(successor[ordered[-1]])
    return ordered


def _add(point: LatticePoint, step: Vector) -> LatticePoint:
    return point[0] + step[0], point[1] + step[1], point[2] + step[2]


def _scale(factor: int, step: Vector) -> Vector:
    return factor * step[0], factor * step[1], factor * step[2]


def _iter_text_layout(n: int, lattice_points: list[LatticePoint]) -> Iterator[TextCell]:
    """The net: a line and two columns for each half width."""
    for cell, point in enumerate(lattice_points):
        from_centre = tuple(coordinate - n for coordinate in point)
        net_points = [face.unfold(2 * n, from_centre) for face in faces_at(n, point)]
        for across, down in dict.fromkeys(net_points):
            yield round(down) + 3 * n, 2 * (round(across) + 4 * n), cell


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
