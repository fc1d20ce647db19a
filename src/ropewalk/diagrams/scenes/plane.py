"""Scenes of flat boards: a map from straight above, and a slab on a table seen from the side."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

import numpy as np

from ...boards import Board
from ...boards.geometry import Points
from ..geometry import UP, Camera, Vector, clip_to_polygon, convex_hull, distance_to_sides, expand_polygon
from ..scene import Area, Label, Patch, Placement, Scene, compute_label_height, place_flat, place_on_solid

FROM_ABOVE = Camera(yaw=0.0, pitch=90.0)
SLAB_THICKNESS = 0.55
SIDE_BAR_WIDTH = 0.4  # a coloured side of a rhombus
DIGIT_WIDTH = 0.8  # of a label's digit, of its height
TABLE_LABEL_SCALE = 1.15  # labels on a table are larger, because they are seen from the side


class Decoration(NamedTuple):
    """An area of a flat board that is not a cell; the points are on the board's plane, y upward."""

    role: str  # its colour in the theme
    points: Points
    has_strong_line: bool = False


class MarginLabel(NamedTuple):
    """A name in the margin with its centre on the board's plane, y upward."""

    text: str
    centre: Vector


def iter_no_decorations(board: Board) -> Iterator[Decoration]:
    """Yield nothing, for a board that consists of its cells."""
    return iter(())


@cache
def build_cell_hull(board: Board) -> Points:
    """Return the convex hull of all cells, on the board's plane."""
    return convex_hull(np.concatenate([outline[:, :2] for outline in board.outlines]))


@dataclass(frozen=True)
class FlatBoardScenes:
    """Builds the scenes of one kind of flat board."""

    margin_labels: Callable[[Board, float], Iterator[MarginLabel]]  # board and height of the letters
    decorations: Callable[[Board], Iterator[Decoration]] = iter_no_decorations
    hull: Callable[[Board], Points] = build_cell_hull  # outline of the board without its margins
    slab_margin: float = 0.35  # from the hull to the edge of the slab, without labels
    stack_offset: tuple[float, float] = (0.0, 0.0)  # shift of a piece on the map per unit of its height

    def build_map_scene(self, board: Board, coordinates: str) -> Scene:
        """Return the board from straight above; stacks are shifted by `stack_offset` to show lower pieces."""
        rise = np.array(self.stack_offset)

        def place(centre: Vector, max_radius: float) -> Placement:
            return place_flat(FROM_ABOVE.project(centre), max_radius, rise)

        return self._build_scene(board, FROM_ABOVE, coordinates, place)

    def build_table_scene(self, board: Board, coordinates: str, camera: Camera) -> Scene:
        """Return the board as a slab, seen from the side."""
        outline = lift(self.build_slab_outline(board, coordinates))
        sides = [
            Area(camera.project(side), "slab", light=camera.compute_brightness(outward), has_outline=True)
            for side, outward in iter_slab_sides(outline, camera)
        ]
        top = Area(camera.project(outline), "slab top", light=camera.compute_brightness(UP), has_outline=True)

        def place(centre: Vector, max_radius: float) -> Placement:
            return place_on_solid(camera, centre, UP, max_radius)

        scene = self._build_scene(board, camera, coordinates, place)
        return Scene(
            patches=scene.patches,
            placements=scene.placements,
            areas=[*sides, top, *scene.areas],
            labels=scene.labels,
            shadow=camera.project(outline + np.array([0.3, -0.3, -SLAB_THICKNESS])),
        )

    def _build_scene(
        self, board: Board, camera: Camera, coordinates: str, place: Callable[[Vector, float], Placement]
    ) -> Scene:
        """Return the cells, decorations and labels as a camera sees them, the far cells first."""
        is_map = camera is FROM_ABOVE
        height = compute_label_height(self.hull(board)) * (1.0 if is_map else TABLE_LABEL_SCALE)
        depths = board.centres @ camera.axes[2]
        light = 1.0 if is_map else camera.compute_brightness(UP)
        cells = sorted(range(len(board)), key=lambda cell: (round(depths[cell], 6), cell))
        max_radii = [distance_to_sides(board.centres[cell], board.outlines[cell]) for cell in range(len(board))]
        labels = [] if coordinates == "none" else list(self.margin_labels(board, height))
        return Scene(
            patches={cell: [Patch(camera.project(board.outlines[cell]), light)] for cell in range(len(board))},
            placements={cell: [place(board.centres[cell], max_radii[cell])] for cell in cells},
            areas=[
                Area(camera.project(lift(item.points)), item.role, light, has_strong_line=item.has_strong_line)
                for item in self.decorations(board)
            ],
            labels=[_build_label(camera, label, height) for label in labels],
        )

    def build_slab_outline(self, board: Board, coordinates: str) -> Points:
        """Return the edge of the slab on the board's plane, with room for decorations and labels."""
        hull = self.hull(board)
        label_margin = 0.0 if coordinates == "none" else 2.3 * compute_label_height(hull)
        return expand_polygon(hull, self.slab_margin + label_margin)


def _build_label(camera: Camera, label: MarginLabel, height: float) -> Label:
    centre = np.append(label.centre, 0.0)
    is_map = camera is FROM_ABOVE
    placement = place_flat(camera.project(centre)) if is_map else place_on_solid(camera, centre, UP, 0.5)
    return Label(label.text, placement, height)


def lift(points: Points) -> Points:
    """Return points of the plane as points in space."""
    return np.column_stack([points, np.zeros(len(points))])


def iter_slab_sides(outline: Points, camera: Camera) -> Iterator[tuple[Points, Vector]]:
    """Yield the visible sides of a slab with their normals; `outline` is the edge of its top, in space."""
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.cross(along, UP)
        if camera.compute_facing(outward) > 1e-9:
            yield np.array([start, start - SLAB_THICKNESS * UP, end - SLAB_THICKNESS * UP, end]), outward


# Decorations


def iter_light_squares(board: Board) -> Iterator[Decoration]:
    """Yield the squares of a checkerboard that are not cells."""
    (n,) = board.size
    for rank in range(n):
        for file in range(n):
            if (rank + file) % 2:
                x, y = file - n / 2, rank - n / 2
                yield Decoration("light square", np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)]))


@cache
def build_checkerboard_hull(board: Board) -> Points:
    """Return the convex hull of the dark and the light squares of a checkerboard."""
    light_squares = (decoration.points for decoration in iter_light_squares(board))
    return convex_hull(np.concatenate([*(outline[:, :2] for outline in board.outlines), *light_squares]))


def iter_side_bars(board: Board) -> Iterator[Decoration]:
    """Yield a bar along each side of a rhombus, from corner to corner, in the colour of its owner."""
    frame = expand_polygon(build_cell_hull(board), SIDE_BAR_WIDTH)
    first, last = board.rows[0], board.rows[-1]
    corners = [board.centres[cell, :2] for cell in (first[0], last[0], last[-1], first[-1])]  # counter-clockwise
    beyond = expand_polygon(np.array(corners), 2.0)
    for number, role in enumerate(("blue side", "red side", "blue side", "red side")):
        following = (number + 1) % 4
        bar = np.array([corners[number], beyond[number], beyond[following], corners[following]])
        yield Decoration(role, clip_to_polygon(bar, frame), has_strong_line=True)


# Labels in the margins


def iter_files_and_ranks(board: Board, height: float) -> Iterator[MarginLabel]:
    """Yield the letters of the files below the board, and the numbers of the ranks at its left."""
    (n,) = board.size
    for number in range(n):
        along = number - n / 2 + 0.5
        yield MarginLabel(chr(ord("a") + number), np.array([along, -n / 2 - 0.1 - 1.2 * height]))
        yield MarginLabel(str(number + 1), np.array([-n / 2 - 0.1 - 1.2 * height, along]))


def iter_columns_and_rows(board: Board, height: float) -> Iterator[MarginLabel]:
    """Yield the letters of the slanted columns above a rhombus, and the numbers of the rows before it."""
    (n,) = board.size
    slant = np.array([-0.5, np.sqrt(3) / 2])
    beyond = (1 / np.sqrt(3) + SIDE_BAR_WIDTH + 0.08 + height) / np.cos(np.pi / 6)
    for number in range(n):
        above, before = board.centres[board.rows[0][number], :2], board.centres[board.rows[number][0], :2]
        text = str(number + 1)
        extra_width = DIGIT_WIDTH * height * (len(text) - 1)
        yield MarginLabel(chr(ord("a") + number), above + beyond * slant)
        yield MarginLabel(text, before - np.array([beyond + extra_width / 2, 0.0]))
