"""Scenes of Lariat's cylinder: the polar map, and the solid with its visible side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from math import atan2, ceil, cos, degrees, pi, radians, sin

import numpy as np

from ...boards import Board
from ...boards.geometry import Points
from ..geometry import UP, Camera, Vector, clip, distance_to_sides
from ..scene import Area, Label, Patch, Placement, Scene, compute_label_height, place_flat, place_on_solid
from ..stroke_font import CAPITAL_HEIGHT, measure_width

MAX_ARC_STEP = radians(4)  # the longest arc that is drawn as a straight line
FULL_CIRCLE = np.radians(np.arange(0, 360, 4))
OVERHEAD_PITCH = 75  # degrees from which the wall is hardly visible
CAP_MAGNIFICATION = 1.4  # of the cap on the map
MAX_STONE_RATIO = 1.25  # of the largest to the smallest stone on the map
EDGE_NAME_SCALE = 0.75  # names round the map are smaller than labels beside other boards, because there are many


# The map


def build_map_scene(board: Board, coordinates: str) -> Scene:
    """Return the map: the cap in the middle, the wall spread out round it; stones have nearly one size."""
    outlines = [magnify_cap(board, outline) for (outline,) in board.flat_outlines]
    centres = magnify_cap(board, board.flat_centres)
    for cell in board.marked_cells["edge"]:  # their outer half is missing, so their middle is not their centre
        away = np.linalg.norm(outlines[cell], axis=1)
        centres[cell] *= (away.min() + away.max()) / 2 / np.linalg.norm(centres[cell])
    radii = np.array([distance_to_sides(centre, outline) for centre, outline in zip(centres, outlines, strict=True)])
    radii = np.minimum(radii, MAX_STONE_RATIO * radii.min())
    placements = {cell: [place_flat(centre, float(radii[cell]))] for cell, centre in enumerate(centres)}
    return Scene(
        patches={cell: [Patch(outline)] for cell, outline in enumerate(outlines)},
        placements=placements,
        labels=[] if coordinates == "none" else list(_iter_edge_names(board, outlines)),
        named_cells=[] if coordinates == "none" else [ring[0] for ring in board.rows[:-1]],
    )


def magnify_cap(board: Board, points: Points) -> Points:
    """Return points of the board's own map, with the cap magnified."""
    away = np.maximum(np.linalg.norm(points, axis=1), 1e-9)
    rim = board.size[0] + 0.5
    return points * ((away + (CAP_MAGNIFICATION - 1) * np.minimum(away, rim)) / away)[:, None]


def _iter_edge_names(board: Board, outlines: list[Points]) -> Iterator[Label]:
    """Yield the names of the edge cells, outside the map."""
    beyond = max(np.linalg.norm(outlines[cell], axis=1).max() for cell in board.marked_cells["edge"])
    size = EDGE_NAME_SCALE * compute_label_height(np.array([[-beyond, 0.0], [beyond, 0.0]]))
    for cell in board.marked_cells["edge"]:
        heading = board.flat_centres[cell] / np.linalg.norm(board.flat_centres[cell])
        yield Label(
            board.names[cell],
            place_flat(heading * (beyond + 1.2 * size + 0.5 * size * len(board.names[cell]) * abs(heading[0]))),
            size,
        )


# The solid


def build_solid_scene(board: Board, coordinates: str, camera: Camera) -> Scene:
    """Return the cap if it is visible, and the half of the wall that faces the viewer."""
    radius, bottom = board.size[0] + 0.5, float(min(outline[:, 2].min() for outline in board.outlines))
    patches = {cell: patch for cell in range(len(board)) if (patch := _build_patch(board, cell, camera)) is not None}
    order = sorted(patches, key=lambda cell: _compute_nearness(board, cell, camera))
    sides = camera.project(np.array([-radius, radius])[:, None] * camera.right)
    return Scene(
        patches={cell: [patch] for cell, patch in patches.items()},
        placements={cell: [_place_on_cylinder(board, cell, camera)] for cell in order},
        edges=[camera.project(ring) for ring in _iter_rims(radius, bottom, camera)],
        labels=[]
        if coordinates == "none"
        else [*_iter_ring_letters(board, radius, bottom, camera), *_iter_foot_names(board, radius, bottom, camera)],
        named_cells=[] if coordinates == "none" else [ring[0] for ring in board.rows[: board.size[0] + 1]],
        areas=[]
        if camera.pitch >= 0
        else [Area(camera.project(_build_ring(radius, bottom, FULL_CIRCLE)), "shade", has_outline=True)],
        shadow=None
        if camera.pitch <= 0
        else camera.project(_build_ring(1.1 * radius, bottom, FULL_CIRCLE)) + np.array([0.1 * radius, 0]),
        wall=(float(sides[0, 0]), float(sides[1, 0]), camera),
    )


def _is_on_cap(board: Board, cell: int) -> bool:
    return bool(board.centres[cell, 2] > -1e-9)


def _compute_normal(board: Board, cell: int) -> Vector:
    if _is_on_cap(board, cell):
        return UP
    x, y, _ = board.centres[cell]
    return np.array([x, y, 0.0]) / np.hypot(x, y)


def _compute_nearness(board: Board, cell: int, camera: Camera) -> float:
    return round(float(board.centres[cell] @ camera.axes[2]), 6)


def _place_on_cylinder(board: Board, cell: int, camera: Camera) -> Placement:
    return place_on_solid(
        camera, board.centres[cell], _compute_normal(board, cell), compute_max_radii(board)[cell], gridded=False
    )


@cache
def compute_max_radii(board: Board) -> list[float]:
    """Return the radius of the largest piece that fits on each cell."""
    return [distance_to_sides(board.centres[cell], curve_outline(board, cell)) for cell in range(len(board))]


def _build_patch(board: Board, cell: int, camera: Camera) -> Patch | None:
    """Return the visible part of a cell, None if it is hidden."""
    if _is_on_cap(board, cell):
        if camera.compute_facing(UP) <= 1e-9:
            return None
        return Patch(camera.project(curve_outline(board, cell)), camera.compute_brightness(UP))
    if abs(camera.pitch) > 89.9:
        return None
    seen = _clip_to_horizon(board, cell, camera)
    return Patch(camera.project(seen), None) if len(seen) else None


@cache
def curve_outline(board: Board, cell: int) -> Points:
    """Return the outline of a cell, with arcs where it follows the round wall."""
    return np.array(list(_iter_curved_outline(board, cell)))


def _iter_curved_outline(board: Board, cell: int) -> Iterator[Vector]:
    """Yield the points of the outline of a cell, with arcs where it follows the round wall."""
    outline = board.outlines[cell]
    radius = board.size[0] + 0.5
    for start, end in pairwise([*outline, outline[0]]):
        yield start
        if np.hypot(*start[:2]) > radius - 1e-6 and np.hypot(*end[:2]) > radius - 1e-6:
            yield from _iter_arc(radius, start, end)


def _iter_arc(radius: float, start: Vector, end: Vector) -> Iterator[Vector]:
    """Yield points between two others on the wall."""
    first = atan2(start[1], start[0])
    turn = (atan2(end[1], end[0]) - first + pi) % (2 * pi) - pi
    parts = max(1, ceil(abs(turn) / MAX_ARC_STEP))
    for part in range(1, parts):
        share = part / parts
        angle, height = first + share * turn, start[2] + share * (end[2] - start[2])
        yield np.array([radius * cos(angle), radius * sin(angle), height])


def _clip_to_horizon(board: Board, cell: int, camera: Camera) -> Points:
    """Return a cell of the wall without the part beyond the horizon: unrolled, clipped, and rolled up again."""
    radius = board.size[0] + 0.5
    towards = atan2(camera.axes[2, 1], camera.axes[2, 0])
    middle = atan2(board.centres[cell, 1], board.centres[cell, 0])
    offset = (middle - towards + pi) % (2 * pi) - pi
    outline = curve_outline(board, cell)
    angles = (np.arctan2(outline[:, 1], outline[:, 0]) - middle + pi) % (2 * pi) - pi + offset
    unrolled = np.column_stack([angles, outline[:, 2]])
    for horizon in (-pi / 2, pi / 2):
        if len(unrolled):
            unrolled = clip(unrolled, np.array([horizon, 0.0]), np.array([-np.sign(horizon), 0.0]))
    angles = unrolled[:, 0] + towards
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), unrolled[:, 1]])


def _iter_rims(radius: float, bottom: float, camera: Camera) -> Iterator[Points]:
    """Yield the rim of the cap, the visible edge of the wall, and its two sides."""
    towards = degrees(atan2(camera.axes[2, 1], camera.axes[2, 0]))
    whole, half = np.radians(np.arange(0, 361, 4)), np.radians(towards + np.arange(-90, 91, 4))
    above = camera.compute_facing(UP) > 0
    yield _build_ring(radius, 0.0, whole if above else half)
    yield _build_ring(radius, bottom, half if above else whole)
    if abs(camera.pitch) < 90:
        for side in (half[0], half[-1]):
            yield np.array([_build_ring(radius, height, np.array([side]))[0] for height in (0.0, bottom)])


def _build_ring(radius: float, height: float, angles: Points) -> Points:
    return np.column_stack([radius * np.cos(angles), radius * np.sin(angles), np.full(len(angles), height)])


def _iter_ring_letters(board: Board, radius: float, bottom: float, camera: Camera) -> Iterator[Label]:
    """Yield the letters of the wall's rings beside it, as many as there is room for."""
    size = compute_label_height(np.array([(-radius, 0.0), (radius, bottom)]))
    left = camera.project(-radius * camera.right)
    lowest = -np.inf
    for ring in board.rows[board.size[0] + 1 :] if camera.pitch < OVERHEAD_PITCH else ():
        place = left + camera.project(UP * board.centres[ring[0], 2]) - np.array([0.42 + 1.2 * size, 0.0])
        if place[1] > lowest + 1.25 * size:
            lowest = place[1]
            yield Label(board.names[ring[0]].rstrip("0123456789"), place_flat(place), size)


def _iter_foot_names(board: Board, radius: float, bottom: float, camera: Camera) -> Iterator[Label]:
    """Yield names of the edge cells below the wall, as many as there is room for; none if seen from below."""
    size = compute_label_height(np.array([(-radius, 0.0), (radius, bottom)]))
    feet = {cell: camera.project(radius * _compute_normal(board, cell) + UP * bottom) for cell in board.marked_cells["edge"]}
    seen = [cell for cell in feet if camera.compute_facing(_compute_normal(board, cell)) > 0.3 * cos(radians(camera.pitch))]
    farthest = -np.inf
    for cell in sorted(seen, key=lambda cell: float(feet[cell][0])) if 0 <= camera.pitch < OVERHEAD_PITCH else ():
        half = size * (0.5 * measure_width(board.names[cell]) / CAPITAL_HEIGHT + 0.25)
        if feet[cell][0] - half > farthest:
            farthest = feet[cell][0] + half
            yield Label(board.names[cell], place_flat(feet[cell] + np.array([0.0, 0.15 + 1.2 * size])), size)
