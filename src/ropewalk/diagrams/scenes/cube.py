"""Scenes of Cube Lariat's cube: the unfolded net, and the solid with its visible faces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np

from ...boards import Board
from ...boards.cube import FACES, CubeFace
from ...boards.geometry import Points
from ..geometry import Camera, Vector, distance_to_sides
from ..scene import Label, Patch, Placement, Scene, compute_label_height, place_flat, place_on_solid

FACE_LETTER_SHARE = 0.42  # height of a face's letter, of the face
MIN_FACING = 0.12  # of a face that gets labels
NET_MARGINS = {
    "U": (1, -1),
    "D": (-1, 1),
    "L": (-1, -1),
    "R": (1, 0),
    "B": (1, 1),
}  # files above or below, ranks right or left

Triangle = Points  # [3, 3]: the centre of a cell and one side of its outline


# The net


def build_map_scene(board: Board, coordinates: str) -> Scene:
    """Return the net; a cell that the net cuts shows a part of its stone on each side of the cut."""
    return Scene(
        patches={
            cell: [Patch(piece, starts_at_centre=_is_cut(board, cell)) for piece in pieces]
            for cell, pieces in enumerate(board.flat_outlines)
        },
        placements={cell: _place_on_net(board, cell) for cell in range(len(board))},
        edges=[line for line, joined in _iter_net_borders(board) if not joined],
        folds=[line for line, joined in _iter_net_borders(board) if joined],
        labels=[] if coordinates == "none" else [*_iter_face_letters(board), *_iter_net_labels(board)],
    )


def _place_on_net(board: Board, cell: int) -> list[Placement]:
    pieces = board.flat_outlines[cell]
    if not _is_cut(board, cell):
        return [place_flat(board.flat_centres[cell], distance_to_sides(board.flat_centres[cell], pieces[0]))]
    return [_place_part(piece) for piece in pieces]


def _is_cut(board: Board, cell: int) -> bool:
    """Return whether the net cuts a cell, so that its parts begin at its centre; a single part may have a gap."""
    pieces = board.flat_outlines[cell]
    return len(pieces) > 1 or len(pieces[0]) > board.degrees[cell]


def _place_part(piece: Points) -> Placement:
    """Return the placement in a part of a cut cell; the outline of the part begins at the centre of the cell."""
    centre, rim = piece[0], piece[1:]
    max_radius = min(distance_to_sides(centre, np.array([start, end])) for start, end in pairwise(rim))
    whole = place_flat(centre, max_radius)
    return Placement(
        whole.origin, whole.across, whole.down, whole.rise, max_radius=max_radius, sector=(rim[0] - centre, rim[-1] - centre)
    )


def _iter_net_borders(board: Board) -> Iterator[tuple[Points, bool]]:
    """Yield the borders of the faces, each with whether another face joins there."""
    (n,) = board.size
    middles = {face.net_centre for face in FACES.values()}
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    for x, y in sorted(middles):
        for (left, above), (right, below) in zip(corners, corners[1:] + corners[:1], strict=True):
            line = np.array([(x + left, y + above), (x + right, y + below)]) * n / 2
            yield line, (x + left + right, y + above + below) in middles


def _iter_face_letters(board: Board) -> Iterator[Label]:
    (n,) = board.size
    for face in FACES.values():
        yield Label(face.letter, place_flat(np.array(face.net_centre) * n / 2), FACE_LETTER_SHARE * n, "watermark")


def _iter_net_labels(board: Board) -> Iterator[Label]:
    """Yield files above or below and ranks beside the faces, where no face joins; F shares those of U and L."""
    (n,) = board.size
    size = compute_label_height(np.array([[0.0, 0.0], [4.0 * n, 0.0]]))
    for letter, (above, right) in NET_MARGINS.items():
        face = FACES[letter]
        for way in (above * np.array(face.up, float), right * np.array(face.right, float)):
            for text, place in _iter_border_names(board, face, way) if way.any() else ():
                yield Label(text, place_flat(np.array(face.unfold(n, (place + (0.12 + 1.2 * size) * way).tolist()))), size)


def _iter_border_names(board: Board, face: CubeFace, way: Vector) -> Iterator[tuple[str, Vector]]:
    """Yield the file letters or rank numbers along one border of a face, each with its place on the border."""
    octagons = [cell for cell, name in enumerate(board.names) if name[0] == face.letter and board.degrees[cell] == 8]
    farthest = max(board.centres[octagons] @ way)
    border = [cell for cell in octagons if board.centres[cell] @ way > farthest - 0.25]
    files = len({board.names[cell][1] for cell in border}) > 1
    for cell in border:
        name = board.names[cell]
        yield name[1] if files else name[2:], board.centres[cell] + way / 2


# The solid


def build_solid_scene(board: Board, coordinates: str, camera: Camera) -> Scene:
    """Return the one to three visible faces."""
    patches = {cell: _build_patches(board, cell, camera) for cell in range(len(board))}
    order = sorted(
        (cell for cell, found in patches.items() if found),
        key=lambda cell: round(float(board.centres[cell] @ camera.axes[2]), 6),
    )
    return Scene(
        patches={cell: found for cell, found in patches.items() if found},
        placements={cell: [_place_on_cube(board, cell, camera)] for cell in order},
        edges=list(_iter_edges(board, camera)),
        labels=[] if coordinates == "none" else list(_iter_solid_labels(board, camera)),
        shadow=camera.project(_build_shadow(board)) if camera.pitch > 0 else None,
    )


@cache
def _split_surface(board: Board, cell: int) -> list[tuple[Points, Vector]]:
    """Return the flat parts of a cell's surface with their normals: two or three for a folded cell."""
    outline, centre = board.outlines[cell], board.centres[cell]
    following = np.roll(outline, -1, axis=0)
    parts: dict[tuple[float, ...], list[Triangle]] = {}
    for start, end in zip(outline, following, strict=True):
        across = np.cross(start - centre, end - centre)
        key = tuple((np.round(across / np.linalg.norm(across), 6) + 0.0).tolist())
        parts.setdefault(key, []).append(np.array([centre, start, end]))
    if len(parts) == 1:
        return [(outline, np.array(key)) for key in parts]
    return [(_join_triangles(triangles), np.array(key)) for key, triangles in parts.items()]


def _join_triangles(triangles: list[Triangle]) -> Points:
    """Return the triangles of a fan as one polygon that begins at the centre."""
    starts = {tuple(np.round(start, 6)) for _, start, _ in triangles}
    ends = {tuple(np.round(end, 6)) for _, _, end in triangles}
    following = {tuple(np.round(start, 6)): (start, end) for _, start, end in triangles}
    corner = next(iter(starts - ends))
    polygon = [triangles[0][0], following[corner][0]]
    while corner in following:
        polygon.append(following[corner][1])
        corner = tuple(np.round(polygon[-1], 6))
    return np.array(polygon)


def _compute_normal(board: Board, cell: int) -> Vector:
    """Return the normal of a cell: between its faces if it is folded."""
    total = np.sum([normal for _, normal in _split_surface(board, cell)], axis=0)
    return np.asarray(total / np.linalg.norm(total))


def _build_patches(board: Board, cell: int, camera: Camera) -> list[Patch]:
    return [
        Patch(
            camera.project(points), camera.compute_brightness(normal), starts_at_centre=len(_split_surface(board, cell)) > 1
        )
        for points, normal in _split_surface(board, cell)
        if camera.compute_facing(normal) > 1e-9
    ]


def _place_on_cube(board: Board, cell: int, camera: Camera) -> Placement:
    """Return the placement on a cell; on an edge or a corner the stone is a bead, round from everywhere."""
    centre, normal = board.centres[cell], _compute_normal(board, cell)
    max_radius = distance_to_sides(centre, board.outlines[cell])
    placement = place_on_solid(camera, centre, normal, max_radius)
    if len(_split_surface(board, cell)) == 1:
        return placement
    bead = place_flat(placement.origin, max_radius)
    return Placement(
        bead.origin, bead.across, bead.down, bead.rise, max_radius=max_radius, is_turned_away=placement.is_turned_away
    )


def _is_in_view(camera: Camera, face: CubeFace) -> bool:
    return camera.compute_facing(np.array(face.outward, float)) > 1e-9


def _iter_edges(board: Board, camera: Camera) -> Iterator[Points]:
    """Yield the edges of the cube that bound a visible face."""
    half = board.size[0] / 2
    faces = list(FACES.values())
    for number, first in enumerate(faces):
        for second in faces[number + 1 :]:
            if first.axis != second.axis and (_is_in_view(camera, first) or _is_in_view(camera, second)):
                middle = np.array(first.outward) + np.array(second.outward)
                along = np.cross(first.outward, second.outward)
                yield camera.project(half * np.array([middle - along, middle + along]))


def _iter_solid_labels(board: Board, camera: Camera) -> Iterator[Label]:
    """Yield files and ranks of each visible face along a border with nothing behind it, the lower one first."""
    for face in FACES.values():
        if camera.compute_facing(np.array(face.outward, float)) > MIN_FACING:
            for number, axis in enumerate((np.array(face.up, float), np.array(face.right, float))):
                hidden = [way for way in (-axis, axis) if camera.compute_facing(way) <= 1e-9]
                if hidden:
                    way = max(hidden, key=lambda way: camera.project(way)[1])
                    yield from _iter_border_labels(board, face, way, camera, named=number == 0)


def _iter_border_labels(board: Board, face: CubeFace, way: Vector, camera: Camera, named: bool) -> Iterator[Label]:
    """Yield the labels along one border, then the letter of the face if it is `named`."""
    outward = camera.project(way)
    outward = outward / max(float(np.linalg.norm(outward)), 1e-9)
    size = compute_label_height(1.5 * board.centres)
    step = np.linalg.norm(camera.project(np.cross(way, np.array(face.outward, float))))
    for text, place in (
        _iter_border_names(board, face, way) if step > 1.2 * size else ()
    ):  # on narrow faces, the letter alone
        yield Label(text, place_flat(camera.project(place) + (0.22 + 1.1 * size) * outward), size)
    if named:
        middle = camera.project((np.array(face.outward) + way) * board.size[0] / 2)
        yield Label(face.letter, place_flat(middle + (0.3 + 3 * size) * outward), 1.2 * size, "ink")


def _build_shadow(board: Board) -> Points:
    """Return the shadow of the cube on the ground."""
    half = board.size[0] / 2
    return half * np.array([(-1.08, -1.08, -1), (1.12, -1.08, -1), (1.12, 1.12, -1), (-1.08, 1.12, -1)])
