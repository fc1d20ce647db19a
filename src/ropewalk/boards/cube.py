"""The cube of Cube Lariat: octagons on its faces, squares where four of them meet, triangles at its eight corners.

The centre of every cell of a cube with n x n octagons per face is a point of the lattice [0, 2n]^3, in units of half an
octagon's width. Both coordinates of an octagon along its face are odd. All coordinates of the other cells, the *lattice
cells*, are even; squares on an edge of the cube are folded over it.

The flat map is the unfolded net, a cross as seen from outside: U above F, then L F R B in a row, D below F.
"""

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
NamedPoint = tuple[str, LatticePoint]
Vector = tuple[int, int, int]
CubeVertex = tuple[int, int, int]  # the cells that meet at a vertex: a lattice cell and two octagons
FlatPoint = tuple[float, float]  # on the net, y down
FlatPolygon = list[FlatPoint]

CUBE_SIZES = range(2, 9, 2)
NUCLEAR_EDGES = ("UF", "DR", "BL")  # the cell in the middle of each is nuclear
EDGES = [pair for pairs in (("UD", "FB"), ("UD", "LR"), ("FB", "LR")) for pair in product(*pairs)]
CORNERS = list(product("UD", "FB", "LR"))
CORNER_OFFSET = 1 - 1 / sqrt(2)  # from the centre of a lattice cell to its vertices: this makes the octagons regular


@dataclass(frozen=True)
class CubeFace:
    """A face of the cube, perpendicular to an axis; files run along the first of the other two axes, ranks the second."""

    letter: str
    axis: int
    side: int  # 0 at lattice coordinate 0, 1 at lattice coordinate 2n
    net_centre: tuple[int, int]  # of the face on the net, from the net's centre, in half side lengths of the cube, y down
    right: Vector  # the direction in space that points to the right on the net
    up: Vector  # the direction in space that points up on the net

    @property
    def outward(self) -> Vector:
        """The unit vector that points away from the cube."""
        x, y, z = (2 * self.side - 1 if axis == self.axis else 0 for axis in range(3))
        return x, y, z

    def face_coordinate(self, n: int) -> int:
        """Return the lattice coordinate of the face on its axis."""
        return 2 * n * self.side

    def lattice_point(self, n: int, file: int, rank: int) -> LatticePoint:
        """Return the lattice point with these lattice coordinates along the face."""
        coordinates = [file, rank]
        coordinates.insert(self.axis, self.face_coordinate(n))
        x, y, z = coordinates
        return x, y, z

    def unfold(self, side_length: int, point: Sequence[float]) -> tuple[float, float]:
        """Return a point of this face, on a cube of `side_length` about the origin, unfolded onto the net."""
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
    """Return the faces on which a lattice point lies, in the order U D F B L R."""
    return [face for face in FACES.values() if point[face.axis] == face.face_coordinate(n)]


def is_octagon(point: LatticePoint) -> bool:
    """Return whether the cell at a lattice point is an octagon, not a square or a corner triangle."""
    return any(coordinate % 2 for coordinate in point)


def make_cube_board(n: int) -> Board:
    """Return the cube with n x n octagons per face, n even from 2 to 8. ValueError for other n.

    Cells and rows are ordered by face (U D F B L R), in each face first octagons, then face squares, rank by rank; then
    the edge squares, one row per edge, then the corners in one row. Marked cells: 'nuclear' (three) and 'corners' (eight).

    Neighbours run counter-clockwise seen from outside. Those of an octagon begin at its right as drawn on the net and
    alternate between octagons and lattice cells; those of a lattice cell begin with its lowest-numbered octagon.
    In the text layout, which is the net, a cell on an edge that the net cuts appears on both sides of the cut.
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
        neighbours=pad_neighbours(_list_neighbour_cycles(n, lattice_points)),
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
    """Yield rows of `count` cells at every second lattice point of a face from `first`.

    A cell is named after the octagon at its point or, for a square, at the lower left of it.
    """
    for rank in range(count):
        yield [
            (
                f"{face.letter}{column_letters(file)}{rank + 1}{suffix}",
                face.lattice_point(n, first + 2 * file, first + 2 * rank),
            )
            for file in range(count)
        ]


def _edge_point(n: int, face_letters: tuple[str, ...], along: int) -> LatticePoint:
    """Return the lattice point at coordinate `along` of the edge that two faces share, or the corner of three faces."""
    fixed = {FACES[letter].axis: FACES[letter].face_coordinate(n) for letter in face_letters}
    x, y, z = (fixed.get(axis, along) for axis in range(3))
    return x, y, z


def _list_neighbour_cycles(n: int, lattice_points: list[LatticePoint]) -> list[list[int]]:
    """Return the neighbours of each cell, counter-clockwise.

    The cycles of octagons follow from the lattice, those of lattice cells from the cycles of the octagons.
    """
    octagons = {point: _octagon_cycle(n, point) for point in lattice_points if is_octagon(point)}
    cycles = octagons | _lattice_cell_cycles(octagons)
    cells = {point: cell for cell, point in enumerate(lattice_points)}
    return [[cells[other] for other in cycles[point]] for point in lattice_points]


def _octagon_cycle(n: int, octagon: LatticePoint) -> list[LatticePoint]:
    """Return the neighbours of an octagon, counter-clockwise: right, upper right, above and so on, as drawn on the net."""
    (face,) = faces_at(n, octagon)
    left, below = _scale(-1, face.right), _scale(-1, face.up)
    directions = [(face.right, face.up), (face.up, left), (left, below), (below, face.right)]
    return [
        point
        for ahead, aside in directions
        for point in (_next_octagon(n, face, octagon, ahead), _add(_add(octagon, ahead), aside))
    ]


def _next_octagon(n: int, face: CubeFace, octagon: LatticePoint, step: Vector) -> LatticePoint:
    """Return the octagon next to one in direction `step`, which may lie on the adjacent face of the cube."""
    midpoint = _add(octagon, step)
    at_edge = len(faces_at(n, midpoint)) == 2
    return _add(midpoint, _scale(-1, face.outward) if at_edge else step)


def _lattice_cell_cycles(octagons: dict[LatticePoint, list[LatticePoint]]) -> dict[LatticePoint, list[LatticePoint]]:
    """Return the octagons round each lattice cell: an octagon is followed by the one before the cell in its own cycle."""
    successors: dict[LatticePoint, dict[LatticePoint, LatticePoint]] = defaultdict(dict)
    for octagon, cycle in octagons.items():
        for index in range(1, len(cycle), 2):
            successors[cycle[index]][octagon] = cycle[index - 1]
    return {point: _order_cycle(successor) for point, successor in successors.items()}


def _order_cycle(successor: dict[LatticePoint, LatticePoint]) -> list[LatticePoint]:
    """Return the cycle of a successor map, from its first key."""
    ordered = [next(iter(successor))]
    while len(ordered) < len(successor):
        ordered.append(successor[ordered[-1]])
    return ordered


def _add(point: LatticePoint, step: Vector) -> LatticePoint:
    return point[0] + step[0], point[1] + step[1], point[2] + step[2]


def _scale(factor: int, step: Vector) -> Vector:
    return factor * step[0], factor * step[1], factor * step[2]


def _iter_text_layout(n: int, lattice_points: list[LatticePoint]) -> Iterator[TextCell]:
    """Yield the characters of the net: one line and two columns per half width of an octagon."""
    for cell, point in enumerate(lattice_points):
        from_centre = tuple(coordinate - n for coordinate in point)
        net_points = [face.unfold(2 * n, from_centre) for face in faces_at(n, point)]
        for across, down in dict.fromkeys(net_points):
            yield round(down) + 3 * n, 2 * (round(across) + 4 * n), cell


def build_cube_shape(board: Board, lattice_points: list[LatticePoint]) -> BoardShape:
    """Return a cube about the origin with octagons of width 1; octagons of two faces share a side on the cube's edge.

    A cell on an edge or a corner has its centre there, so that the fan to its outline folds with the cube. The flat
    centre of a cell is the centroid of its largest polygon on the net.
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
    """Outlines and positions of the cells of one cube board."""

    board: Board
    lattice_points: list[LatticePoint]

    @property
    def n(self) -> int:
        return self.board.size[0]

    @cached_property
    def neighbour_lists(self) -> list[list[int]]:
        """Neighbours of each cell without padding."""
        rows = zip(self.board.neighbours.tolist(), self.board.degrees.tolist(), strict=True)
        return [neighbours[:degree] for neighbours, degree in rows]

    def outline(self, cell: int) -> list[CubeVertex]:
        """Return the vertices counter-clockwise: vertex k is between neighbours k - 1 and k, side k touches neighbour k."""
        neighbours = self.neighbour_lists[cell]
        return [self._cube_vertex(cell, neighbours[index - 1], neighbours[index]) for index in range(len(neighbours))]

    def _cube_vertex(self, *cells: int) -> CubeVertex:
        lattice_cell, first, second = sorted(cells, key=lambda cell: (is_octagon(self.lattice_points[cell]), cell))
        return lattice_cell, first, second

    def centre(self, cell: int) -> list[float]:
        return [(coordinate - self.n) / 2 for coordinate in self.lattice_points[cell]]

    def vertex_position(self, vertex: CubeVertex) -> list[float]:
        """Return the position of a vertex: from the lattice cell along the one axis that leads towards both octagons."""
        lattice_point, first, second = (self.lattice_points[cell] for cell in vertex)
        centre = self.centre(vertex[0])
        return [
            centre[axis] + CORNER_OFFSET * (first[axis] - lattice_point[axis]) * (first[axis] == second[axis])
            for axis in range(3)
        ]

    def flat_polygons(self, cell: int, outline: list[list[float]]) -> list[FlatPolygon]:
        """Return the polygons of a cell on the net: its fan of triangles, merged where the net keeps them together."""
        centre = self.centre(cell)
        triangles = []
        for side, face in enumerate(self._side_faces(cell)):
            start, end = outline[side], outline[(side + 1) % len(outline)]
            triangles.append([_net_point(face, self.n, point) for point in (centre, start, end)])
        return list(_merge_triangles(triangles))

    def _side_faces(self, cell: int) -> list[CubeFace]:
        """Return the face of each side of a cell: the face of the octagon that has this side."""
        neighbours = self.neighbour_lists[cell]
        octagons = [cell] * len(neighbours) if is_octagon(self.lattice_points[cell]) else neighbours
        return [faces_at(self.n, self.lattice_points[octagon])[0] for octagon in octagons]


def _net_point(face: CubeFace, n: int, point: list[float]) -> FlatPoint:
    """Return the point on the net, rounded so that coinciding points compare equal."""
    across, down = face.unfold(n, point)
    return round(across, 9), round(down, 9)


def _merge_triangles(triangles: list[list[FlatPoint]]) -> Iterator[FlatPolygon]:
    """Merge a fan of triangles (centre, start, end): yield the whole outline, or one polygon per piece, from the centre."""
    cuts = [side for side in range(len(triangles)) if not _share_net_edge(triangles[side - 1], triangles[side])]
    if not cuts:
        yield [start for _, start, _ in triangles]
    for cut, following in zip(cuts, cuts[1:] + cuts[:1], strict=True):
        count = (following - cut) % len(triangles) or len(triangles)
        group = [triangles[(cut + step) % len(triangles)] for step in range(count)]
        yield [group[0][0], group[0][1], *(end for _, _, end in group)]


def _share_net_edge(triangle: list[FlatPoint], following: list[FlatPoint]) -> bool:
    """Return whether two consecutive triangles of a fan share an edge on the net."""
    return triangle[0] == following[0] and triangle[2] == following[1]


def _polygon_area(polygon: FlatPolygon) -> float:
    """Return twice the area, rounded so that equal pieces compare equal."""
    return round(abs(sum(_cross_products(polygon))), 9)


def _polygon_centroid(polygon: FlatPolygon) -> FlatPoint:
    """Return the centroid of a polygon by area, which lies inside every piece of a cell."""
    cross_products, following = _cross_products(polygon), polygon[1:] + polygon[:1]
    weighted = [
        (cross * (x + u), cross * (y + v)) for cross, (x, y), (u, v) in zip(cross_products, polygon, following, strict=True)
    ]
    across, down = (sum(column) / (3 * sum(cross_products)) for column in zip(*weighted, strict=True))
    return across, down


def _cross_products(polygon: FlatPolygon) -> list[float]:
    """Return the cross product of each vertex and the next; their sum is twice the signed area."""
    return [x * v - u * y for (x, y), (u, v) in zip(polygon, polygon[1:] + polygon[:1], strict=True)]
