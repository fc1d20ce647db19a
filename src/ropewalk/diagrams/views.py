"""Views by name: which scene a board makes in each of them."""

from __future__ import annotations

import numpy as np

from ..boards import Board
from .geometry import Camera
from .looks import BoardLook
from .options import DiagramOptions
from .scene import Scene
from .scenes import cube, cylinder, plane

MAPS = {"cylinder": cylinder.build_map_scene, "cube": cube.build_map_scene}
SOLIDS = {"cylinder": cylinder.build_solid_scene, "cube": cube.build_solid_scene}


def choose_angles(look: BoardLook, options: DiagramOptions) -> tuple[float, float]:
    """How the board is turned and tilted: as asked, or as suits it."""
    return (
        look.yaw if options.yaw is None else float(options.yaw),
        look.pitch if options.pitch is None else float(options.pitch),
    )


def build_scene(board: Board, look: BoardLook, options: DiagramOptions) -> Scene:
    """The scene, one unit about as wide as a cell."""
    if options.view == "flat":
        if board.kind in MAPS:
            return MAPS[board.kind](board, options.coordinates)
        return plane.build_map_scene(board, options.coordinates, np.array(look.stack_offset))
    turn, tilt = choose_angles(look, options)
    camera = Camera(turn, tilt)
    if options.view == "solid":
        return SOLIDS[board.kind](board, options.coordinates, camera)
    return plane.build_table_scene(board, options.coordinates, camera)
