"""Views by name: which scene a board makes in each of them."""

from __future__ import annotations

import numpy as np

from ..boards import Board
from .scenes import cube, cylinder, plane
from .geometry import Camera
from .looks import Look
from .scene import Scene
from .options import Style

MAPS = {"cylinder": cylinder.map_scene, "cube": cube.map_scene}
SOLIDS = {"cylinder": cylinder.solid_scene, "cube": cube.solid_scene}


def turn_and_tilt(look: Look, style: Style) -> tuple[float, float]:
    """How the board is turned and tilted: as asked, or as suits it."""
    return (
        look.turn if style.turn is None else float(style.turn),
        look.tilt if style.tilt is None else float(style.tilt),
    )


def scene_of(board: Board, look: Look, style: Style) -> Scene:
    """The scene, one unit about as wide as a cell."""
    if style.view == "flat":
        if board.kind in MAPS:
            return MAPS[board.kind](board, style.coordinates)
        return plane.map_scene(board, style.coordinates, np.array(look.lean))
    turn, tilt = turn_and_tilt(look, style)
    camera = Camera(turn, tilt)
    if style.view == "solid":
        return SOLIDS[board.kind](board, style.coordinates, camera)
    return plane.table_scene(board, style.coordinates, camera)
