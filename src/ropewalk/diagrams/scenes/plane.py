"""Views of flat boards: from straight above as a map, or from the side as a slab on a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np

from ...boards import Board
from ...boards.geometry import Points
from ..geometry import UP, Camera, Vector, clip_to_polygon, convex_hull, distance_to_sides, widen
from ..scene import Area, Label, Patch, Placement, Scene, compute_label_height, place_flat, place_on_solid

FROM_ABOVE = Camera(yaw=0.0, pitch=90.0)
SLAB_THICKNESS = 0.55  # a slab
SIDE_BAR_WIDTH = 0.4  # the width of a coloured side

MarginLabel = tuple[str, Vector]  # a name and its place on the board's plane, y upward


def build_map_scene(board: Board, coordinates: str, rise: Vector) -> Scene:
    """The board from straight above; `rise` is how its stacks lean to show what is beneath."""
    return _build_scene(
        board, FROM_ABOVE, coordinates, lambda centre, max_radius: place_flat(FROM_ABOVE.project(centre), max_radius, rise)
    )


def build_table_scene(board: Board, coordinates: str, camera: Camera) -> Scene:
    """The board as a slab, seen from the side."""
    outline = build_slab_outline(board, coordinates)
    lifted = np.column_stack([outline, np.zeros(len(outline))])
    sides = [
        Area(camera.project(side), "slab", light=camera.compute_brightness(out), has_outline=True)
        for side, out in iter_slab_sides(lifted, camera)
    ]
    top = Area(camera.project(lifted), "slab top", light=camera.compute_brightness(UP), has_outline=True)
    scene = _build_scene(
        board, camera, coordinates, lambda centre, max_radius: place_on_solid(camera, centre, UP, max_radius)
    )
    return Scene(
        patches=scene.patches,
        placements=scene.placements,
        areas=[*sides, top, *scene.areas],
        labels=scene.labels,
        shadow=camera.project(lifted + np.array([0.3, -0.3, -SLAB_THICKNESS])),
    )


def _build_scene(board: Board, camera: Camera, coordinates: str, placement: Callable[[Vector, float], Placement]) -> Scene:
    size = compute_label_height(build_hull(board)) * (1.0 if camera is FROM_ABOVE else 1.15)
    depths = board.centres @ camera.axes[2]
    light = camera.compute_brightness(UP) if camera is not FROM_ABOVE else 1.0
    cells = sorted(range(len(board)), key=lambda cell: (round(depths[cell], 6), cell))
    max_radii = [distance_to_sides(board.centres[cell], board.outlines[cell]) for cell in range(len(board))]
    return Scene(
        patches={cell: [Patch(camera.project(board.outlines[cell]), light)] for cell in range(len(board))},
        placements={cell: [placement(board.centres[cell], max_radii[cell])] for cell in cells},
        areas=[Area(camera.project(lift(points)), role, light) for role, points in DECORATIONS[board.kind](board)],
        labels=[
            _build_label(camera, *named, size)
            for named in (MARGIN_LABELS[board.kind](board, size) if coordinates != "none" else ())
        ],
    )


def _build_label(camera: Camera, text: str, place: Vector, size: float) -> Label:
    centre = np.append(place, 0.0)
    flat = camera is FROM_ABOVE
    return Label(text, place_flat(camera.project(centre)) if flat else place_on_solid(camera, centre, UP, 0.5), size)


def lift(points: Points) -> Points:
    """Points of the plane in space."""
    return np.column_stack([points, np.zeros(len(points))])


def build_slab_outline(board: Board, coordinates: str) -> Points:
    """The edge of the slab: room for sides, and for names where there are any."""
    margin = {"rhombus": SIDE_BAR_WIDTH + 0.3}.get(board.kind, 0.35) + (
        2.3 * compute_label_height(build_hull(board)) if coordinates != "none" else 0.0
    )
    return widen(build_hull(board), margin)


def iter_slab_sides(outline: Points, camera: Camera) -> Iterator[tuple[Points, Vector]]:
    """The sides of a slab that the viewer sees, and where they look."""
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.cross(along, UP)
        if camera.compute_facing(outward) > 1e-9:
            yield np.array([start, start - SLAB_THICKNESS * UP, end - SLAB_THICKNESS * UP, end]), outward


@cache
def build_hull(board: Board) -> Points:
    """The smallest convex polygon round the board, on its plane, with all that lies between the cells."""
    furniture = [points for role, points in DECORATIONS[board.kind](board)] if board.kind == "dark squares" else []
    return convex_hull(np.concatenate([*(outline[:, :2] for outline in board.outlines), *furniture]))


# What lies round and between the cells


def iter_light_squares(board: Board) -> Iterator[tuple[str, Points]]:
    """The squares of a checkerboard that are no cells."""
    (n,) = board.size
    for rank in range(n):
        for file in range(n):
            if (rank + file) % 2:
                x, y = file - n / 2, rank - n / 2
                yield "light square", np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])


def iter_coloured_sides(board: Board) -> Iterator[tuple[str, Points]]:
    """A bar along each side of the rhombus, from corner to corner, in the colour of its owner."""
    frame = widen(build_hull(board), SIDE_BAR_WIDTH)
    first, last = board.rows[0], board.rows[-1]
    corners = [board.centres[cell, :2] for cell in (first[0], last[0], last[-1], first[-1])]  # counter-clockwise
    for number, role in enumerate(("blue side", "red side", "blue side", "red side")):
        start, end = corners[number], corners[(number + 1) % 4]
        beyond = widen(np.array(corners), 2.0)
        yield role, clip_to_polygon(np.array([start, beyond[number], beyond[(number + 1) % 4], end]), frame)


def iter_nothing(board: Board) -> Iterator[tuple[str, Points]]:
    """Nothing but cells."""
    return iter(())


# Names in the margins


def iter_files_and_ranks(board: Board, size: float) -> Iterator[MarginLabel]:
    """Letters below, numbers at the left."""
    (n,) = board.size
    for number in range(n):
        along = number - n / 2 + 0.5
        yield chr(ord("a") + number), np.array([along, -n / 2 - 0.1 - 1.2 * size])
        yield str(number + 1), np.array([-n / 2 - 0.1 - 1.2 * size, along])


def iter_columns_and_rows(board: Board, size: float) -> Iterator[MarginLabel]:
    """Letters above the columns, which lean; numbers before the rows."""
    (n,) = board.size
    slant = np.array([-0.5, np.sqrt(3) / 2])
    beyond = (1 / np.sqrt(3) + SIDE_BAR_WIDTH + 0.08 + size) / np.cos(np.pi / 6)
    for number in range(n):
        above, before = board.centres[board.rows[0][number], :2], board.centres[board.rows[number][0], :2]
        yield chr(ord("a") + number), above + beyond * slant
        yield str(number + 1), before - np.array([beyond, 0.0])


DECORATIONS: Mapping[str, Callable[[Board], Iterator[tuple[str, Points]]]] = {
    "rhombus": iter_coloured_sides,
    "squares": iter_nothing,
    "dark squares": iter_light_squares,
}

MARGIN_LABELS: Mapping[str, Callable[[Board, float], Iterator[MarginLabel]]] = {
    "rhombus": iter_columns_and_rows,
    "squares": iter_files_and_ranks,
    "dark squares": iter_files_and_ranks,
}
