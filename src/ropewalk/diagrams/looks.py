"""Looks of boards: one `BoardLook` per kind holds everything in a diagram that depends on the kind of the board.

A game names its look in `GameSpec.look`, so a board of a new kind can be drawn by the look of a known one. The pieces
come from the game's `TokenSyntax`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..errors import RopewalkError
from .geometry import Camera
from .options import FLAT_VIEW, SOLID_VIEW, TABLE_VIEW, DiagramOptions
from .scenes import cube, cylinder
from .scenes.plane import (
    SIDE_BAR_WIDTH,
    FlatBoardScenes,
    build_checkerboard_hull,
    iter_columns_and_rows,
    iter_files_and_ranks,
    iter_light_squares,
    iter_side_bars,
)

if TYPE_CHECKING:
    from ..boards import Board
    from ..boards.geometry import Points
    from ..games.game import Game
    from .scene import Scene


def build_no_slab(board: Board) -> Points:
    """Return no points, for a solid."""
    return np.empty((0, 2))


@dataclass(frozen=True, kw_only=True)
class BoardLook:
    """How boards of one kind are drawn: as a flat map, and turned as a solid or on a table."""

    turned_view: str  # SOLID_VIEW or TABLE_VIEW
    build_map: Callable[[Board, str], Scene]  # board and kind of coordinates; margins and decorations included
    build_turned: Callable[[Board, str, Camera], Scene]
    cell_role: Callable[[Board, int], str]  # the theme's name for the colour of a cell
    outlined_marks: tuple[str, ...] = ()  # sets of marked cells that get a strong outline
    build_slab_outline: Callable[[Board], Points] = build_no_slab  # edge of the slab with labels, on the board's plane
    stack_offset: tuple[float, float] = (0.0, 0.0)  # shift on the map per unit of height, so that lower pieces are seen
    tinted_view: str = ""  # the view in which occupied cells take on the colour of their pieces
    yaw: float = 0.0  # default angles of the turned view, in degrees
    pitch: float = 50.0

    @property
    def views(self) -> tuple[str, ...]:
        """The names of the views."""
        return FLAT_VIEW, self.turned_view

    @property
    def has_stacks(self) -> bool:
        """Whether pieces are stacked, so that names and numbers are written beside them."""
        return self.stack_offset != (0.0, 0.0)

    def choose_yaw(self, options: DiagramOptions) -> float:
        """Return the yaw of the options, or the default of this look."""
        return self.yaw if options.yaw is None else float(options.yaw)

    def choose_pitch(self, options: DiagramOptions) -> float:
        """Return the pitch of the options, or the default of this look."""
        return self.pitch if options.pitch is None else float(options.pitch)

    def build_scene(self, board: Board, options: DiagramOptions) -> Scene:
        """Return the scene of a board in the view of the options; one unit is about as wide as a cell."""
        if options.view == FLAT_VIEW:
            return self.build_map(board, options.coordinates)
        camera = Camera(self.choose_yaw(options), self.choose_pitch(options))
        return self.build_turned(board, options.coordinates, camera)


def make_flat_look(scenes: FlatBoardScenes, role: str, yaw: float = 0.0) -> BoardLook:
    """Return the look of a flat board whose cells all have the same role."""
    return BoardLook(
        turned_view=TABLE_VIEW,
        build_map=scenes.build_map_scene,
        build_turned=scenes.build_table_scene,
        build_slab_outline=lambda board: scenes.build_slab_outline(board, "edge"),
        cell_role=lambda board, cell: role,
        stack_offset=scenes.stack_offset,
        yaw=yaw,
    )


def find_cylinder_role(board: Board, cell: int) -> str:
    """Return the role of a cell of the cylinder: its centre, its edge, or any other cell."""
    if cell in board.marked_cells["centre"]:
        return "marked"
    return "edge cell" if cell in board.marked_cells["edge"] else "cell"


def find_cube_role(board: Board, cell: int) -> str:
    """Return the role of a cell of the cube: nuclear, octagon, or one of the small cells between them."""
    if cell in board.marked_cells["nuclear"]:
        return "marked"
    return "cell" if board.degrees[cell] == 8 else "small cell"


LOOKS: Mapping[str, BoardLook] = {
    "cylinder": BoardLook(
        turned_view=SOLID_VIEW,
        build_map=cylinder.build_map_scene,
        build_turned=cylinder.build_solid_scene,
        cell_role=find_cylinder_role,
        outlined_marks=("centre",),
        tinted_view=FLAT_VIEW,
        yaw=0.0,
        pitch=28.0,
    ),
    "cube": BoardLook(
        turned_view=SOLID_VIEW,
        build_map=cube.build_map_scene,
        build_turned=cube.build_solid_scene,
        cell_role=find_cube_role,
        outlined_marks=("nuclear",),
        yaw=-32.0,
        pitch=27.0,
    ),
    "rhombus": make_flat_look(
        FlatBoardScenes(margin_labels=iter_columns_and_rows, decorations=iter_side_bars, slab_margin=SIDE_BAR_WIDTH + 0.3),
        role="cell",
    ),
    "squares": make_flat_look(
        FlatBoardScenes(margin_labels=iter_files_and_ranks, stack_offset=(-1.25, -1.25)), role="cell", yaw=-12.0
    ),
    "dark squares": make_flat_look(
        FlatBoardScenes(
            margin_labels=iter_files_and_ranks,
            decorations=iter_light_squares,
            hull=build_checkerboard_hull,
            stack_offset=(0.0, -0.62),
        ),
        role="dark square",
        yaw=-12.0,
    ),
}


def find_look(game: Game) -> BoardLook:
    """Return the look that a game declares. Raises RopewalkError if there is no such look."""
    look = game.definition.look
    if look not in LOOKS:
        raise RopewalkError(f"{game.name} declares the unknown look {look!r}; allowed are {', '.join(LOOKS)}")
    return LOOKS[look]
