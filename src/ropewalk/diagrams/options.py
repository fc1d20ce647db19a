"""Options of a diagram and their validation. This module needs no numpy, so that the command line starts quickly."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis
from .stroke_font import require_letters
from .themes import THEMES

if TYPE_CHECKING:
    from ..boards import Board
    from ..games.game import Game
    from .looks import BoardLook

FLAT_VIEW, SOLID_VIEW, TABLE_VIEW = VIEWS = ("flat", "solid", "table")
COORDINATES = ("none", "edge", "all")
SHAPES = ("triangle", "square", "circle", "cross")
MIN_SIZE, MAX_SIZE = 64, 8000
MAX_LABEL_LENGTH = 3
YAW_LIMITS, PITCH_LIMITS, TABLE_PITCH_LIMITS = (-360, 360), (-90, 90), (10, 90)


class DiagramError(RopewalkError):
    """A diagram that cannot be drawn with these options."""


@dataclass(frozen=True)
class DiagramOptions:
    """How to draw a position. `size` is the longer side in pixels; cells are given by name."""

    view: str = "flat"
    theme: str = "light"
    yaw: float | None = None  # degrees; None: the default of the board's look
    pitch: float | None = None  # degrees above the board's plane
    coordinates: str = "edge"
    size: int = 800
    last_move: bool = False  # mark the last move
    numbers_from: int | None = None  # number the moves from this one on, the first being 1
    marks: Mapping[str, str] = field(default_factory=dict)  # cell: triangle, square, circle, cross or a short label
    witness: bool = False  # show the cells that decide a finished game
    explain_illegal: str = ""  # show the cells that make this move illegal
    territory: bool = False  # show the territories of a game that has them
    heat: Mapping[str, float] = field(default_factory=dict)  # cell: 0 to 1
    caption: bool = True  # the game, its designer, the player to move, and notes below the board


def check_options(options: DiagramOptions, game: Game, look: BoardLook) -> None:
    """Raise DiagramError if the options do not fit a game and the look of its board."""
    board = game.board
    require_one_of(options.theme, THEMES, "theme")
    require_one_of(options.coordinates, COORDINATES, "kind of coordinates")
    require_one_of(options.view, VIEWS, "view")
    if options.view not in look.views:
        raise DiagramError(f"{game.name} has no {options.view} view; its views are {' and '.join(look.views)}")
    if not MIN_SIZE <= options.size <= MAX_SIZE:
        raise DiagramError(f"the size must be from {MIN_SIZE} to {MAX_SIZE} pixels, not {options.size}")
    require_angle(options.view, "yaw", options.yaw, YAW_LIMITS)
    require_angle(options.view, "pitch", options.pitch, TABLE_PITCH_LIMITS if options.view == TABLE_VIEW else PITCH_LIMITS)
    for cell, mark in options.marks.items():
        require_cell(board, cell)
        require_mark(mark)
    for cell, value in options.heat.items():
        require_cell(board, cell)
        if not 0 <= value <= 1:
            raise DiagramError(f"heat must be from 0 to 1, not {value} on {cell}")


def require_one_of(value: str, choices: Mapping[str, object] | tuple[str, ...], what: str) -> None:
    """Raise DiagramError if a value is not one of the choices."""
    if value not in choices:
        raise DiagramError(
            f"unknown {what} {ellipsis(value)}; allowed are {', '.join(choices)}{did_you_mean(value, choices)}"
        )


def require_angle(view: str, what: str, angle: float | None, limits: tuple[int, int]) -> None:
    """Raise DiagramError for an angle outside its limits, or of a flat map."""
    if angle is None:
        return
    if view == FLAT_VIEW:
        raise DiagramError(f"{what} is not allowed with the flat view; use the view solid or table")
    minimum, maximum = limits
    if not minimum <= angle <= maximum:
        raise DiagramError(f"{what} of the {view} view must be from {minimum} to {maximum} degrees, not {angle:g}")


def require_cell(board: Board, name: str) -> None:
    """Raise DiagramError if no cell has this name."""
    if name not in board.index:
        limits = f"the cells of this board are {board.names[0]} to {board.names[-1]}"
        raise DiagramError(f"unknown cell {ellipsis(name)}; {limits}{did_you_mean(name, board.names)}")


def require_mark(mark: str) -> None:
    """Raise DiagramError if a mark is neither a shape nor a short label."""
    if mark in SHAPES:
        return
    if not 1 <= len(mark) <= MAX_LABEL_LENGTH:
        shapes = ", ".join(SHAPES)
        raise DiagramError(
            f"invalid mark {ellipsis(mark)}; allowed are {shapes} and labels of 1 to {MAX_LABEL_LENGTH} characters"
            f"{did_you_mean(mark, SHAPES)}"
        )
    require_letters(mark)
