"""Views of flat boards: from straight above as a map, or from the side as a slab on a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache

import numpy as np

from ...boards import Board
from ...boards.geometry import Points
from ..geometry import UP, Camera, Vector, distance_to_sides, hull, inside, widened
from ..scene import Area, Label, Patch, Scene, Spot, flat_spot, lettering, turned_spot

FROM_ABOVE = Camera(turn=0.0, tilt=90.0)
THICK = 0.55  # a slab
BAR = 0.4  # the width of a coloured side

Margin = tuple[str, Vector]  # a name and its place on the board's plane, y upward


def map_scene(board: Board, coordinates: str, rise: Vector) -> Scene:
    """The board from straight above; `rise` is how its stacks lean to show what is beneath."""
    return _scene(board, FROM_ABOVE, coordinates, lambda centre, room: flat_spot(FROM_ABOVE.on_paper(centre), room, rise))


def table_scene(board: Board, coordinates: str, camera: Camera) -> Scene:
    """The board as a slab, seen from the side."""
    outline = slab_outline(board, coordinates)
    lifted = np.column_stack([outline, np.zeros(len(outline))])
    sides = [
        Area(camera.on_paper(side), "slab", light=camera.brightness(out), outlined=True)
        for side, out in sides_of(lifted, camera)
    ]
    top = Area(camera.on_paper(lifted), "slab top", light=camera.brightness(UP), outlined=True)
    scene = _scene(board, camera, coordinates, lambda centre, room: turned_spot(camera, centre, UP, room))
    return Scene(
        patches=scene.patches,
        spots=scene.spots,
        under=[*sides, top, *scene.under],
        labels=scene.labels,
        shadow=camera.on_paper(lifted + np.array([0.3, -0.3, -THICK])),
    )


def _scene(board: Board, camera: Camera, coordinates: str, spot: Callable[[Vector, float], Spot]) -> Scene:
    size = lettering(board_hull(board)) * (1.0 if camera is FROM_ABOVE else 1.15)
    depths = board.centres @ camera.axes[2]
    light = camera.brightness(UP) if camera is not FROM_ABOVE else 1.0
    cells = sorted(range(len(board)), key=lambda cell: (round(depths[cell], 6), cell))
    rooms = [distance_to_sides(board.centres[cell], board.outlines[cell]) for cell in range(len(board))]
    return Scene(
        patches={cell: [Patch(camera.on_paper(board.outlines[cell]), light)] for cell in range(len(board))},
        spots={cell: [spot(board.centres[cell], rooms[cell])] for cell in cells},
        under=[Area(camera.on_paper(lifted(points)), role, light) for role, points in FURNITURE[board.kind](board)],
        labels=[
            _label(camera, *named, size) for named in (MARGINS[board.kind](board, size) if coordinates != "none" else ())
        ],
    )


def _label(camera: Camera, text: str, place: Vector, size: float) -> Label:
    centre = np.append(place, 0.0)
    flat = camera is FROM_ABOVE
    return Label(text, flat_spot(camera.on_paper(centre)) if flat else turned_spot(camera, centre, UP, 0.5), size)


def lifted(points: Points) -> Points:
    """Points of the plane in space."""
    return np.column_stack([points, np.zeros(len(points))])


def slab_outline(board: Board, coordinates: str) -> Points:
    """The edge of the slab: room for sides, and for names where there are any."""
    margin = {"rhombus": BAR + 0.3}.get(board.kind, 0.35) + (
        2.3 * lettering(board_hull(board)) if coordinates != "none" else 0.0
    )
    return widened(board_hull(board), margin)


def sides_of(outline: Points, camera: Camera) -> Iterator[tuple[Points, Vector]]:
    """The sides of a slab that the viewer sees, and where they look."""
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        outward = np.cross(along, UP)
        if camera.facing(outward) > 1e-9:
            yield np.array([start, start - THICK * UP, end - THICK * UP, end]), outward


@cache
def board_hull(board: Board) -> Points:
    """The smallest convex polygon round the board, on its plane, with all that lies between the cells."""
    furniture = [points for role, points in FURNITURE[board.kind](board)] if board.kind == "dark squares" else []
    return hull(np.concatenate([*(outline[:, :2] for outline in board.outlines), *furniture]))


# What lies round and between the cells


def light_squares(board: Board) -> Iterator[tuple[str, Points]]:
    """The squares of a checkerboard that are no cells."""
    (n,) = board.size
    for rank in range(n):
        for file in range(n):
            if (rank + file) % 2:
                x, y = file - n / 2, rank - n / 2
                yield "light square", np.array([(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)])


def coloured_sides(board: Board) -> Iterator[tuple[str, Points]]:
    """A bar along each side of the rhombus, from corner to corner, in the colour of its owner."""
    frame = widened(board_hull(board), BAR)
    first, last = board.rows[0], board.rows[-1]
    corners = [board.centres[cell, :2] for cell in (first[0], last[0], last[-1], first[-1])]  # counter-clockwise
    for number, role in enumerate(("blue side", "red side", "blue side", "red side")):
        start, end = corners[number], corners[(number + 1) % 4]
        beyond = widened(np.array(corners), 2.0)
        yield role, inside(np.array([start, beyond[number], beyond[(number + 1) % 4], end]), frame)


def nothing(board: Board) -> Iterator[tuple[str, Points]]:
    """Nothing but cells."""
    return iter(())


# Names in the margins


def files_and_ranks(board: Board, size: float) -> Iterator[Margin]:
    """Letters below, numbers at the left."""
    (n,) = board.size
    for number in range(n):
        along = number - n / 2 + 0.5
        yield chr(ord("a") + number), np.array([along, -n / 2 - 0.1 - 1.2 * size])
        yield str(number + 1), np.array([-n / 2 - 0.1 - 1.2 * size, along])


def columns_and_rows(board: Board, size: float) -> Iterator[Margin]:
    """Letters above the columns, which lean; numbers before the rows."""
    (n,) = board.size
    slant = np.array([-0.5, np.sqrt(3) / 2])
    beyond = (1 / np.sqrt(3) + BAR + 0.08 + size) / np.cos(np.pi / 6)
    for number in range(n):
        above, before = board.centres[board.rows[0][number], :2], board.centres[board.rows[number][0], :2]
        yield chr(ord("a") + number), above + beyond * slant
        yield str(number + 1), before - np.array([beyond, 0.0])


FURNITURE: Mapping[str, Callable[[Board], Iterator[tuple[str, Points]]]] = {
    "rhombus": coloured_sides,
    "squares": nothing,
    "dark squares": light_squares,
}

MARGINS: Mapping[str, Callable[[Board, float], Iterator[Margin]]] = {
    "rhombus": columns_and_rows,
    "squares": files_and_ranks,
    "dark squares": files_and_ranks,
}
