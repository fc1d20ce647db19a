"""Style: what a picture shows of a position, and how; wrong wishes are refused with what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis
from .looks import BoardLook, find_look
from .stroke_font import require_letters
from .themes import THEMES

if TYPE_CHECKING:
    from ..boards import Board
    from ..games.game import Game

VIEWS = ("flat", "solid", "table")
COORDINATES = ("none", "edge", "all")
SHAPES = ("triangle", "square", "circle", "cross")
MIN_SIZE, MAX_SIZE = 64, 8000
MAX_LABEL_LENGTH = 3
YAW_LIMITS, PITCH_LIMITS, TABLE_PITCH_LIMITS = (-360, 360), (-90, 90), (10, 90)


class DiagramError(RopewalkError):
    """A picture that cannot be drawn as asked."""


@dataclass(frozen=True)
class DiagramOptions:
    """How to draw a position. `size` is the longer side in pixels; cells are given by name."""

    view: str = "flat"
    theme: str = "light"
    yaw: float | None = None  # degrees; each board has its own standard
    pitch: float | None = None
    coordinates: str = "edge"
    size: int = 800
    last_move: bool = False  # show the last move
    numbers_from: int | None = None  # number the moves from this one on, the first being 1
    marks: Mapping[str, str] = field(default_factory=dict)  # cell: triangle, square, circle, cross or a short label
    witness: bool = False  # show the cells that decide a finished game
    explain_illegal: str = ""  # show the cells for which this move is refused
    territory: bool = False
    heat: Mapping[str, float] = field(default_factory=dict)  # cell: 0 to 1
    caption: bool = True


def check_options(options: DiagramOptions, game: Game) -> BoardLook:
    """Refuse a style that does not fit the board of a game; returns the board's look."""
    board, look = game.board, find_look(game)
    require_one_of(options.theme, THEMES, "theme")
    require_one_of(options.coordinates, COORDINATES, "kind of coordinates")
    require_one_of(options.view, VIEWS, "view")
    if options.view not in look.views:
        raise DiagramError(f"{game.name} has no {options.view} view; its views are {' and '.join(look.views)}")
    if not MIN_SIZE <= options.size <= MAX_SIZE:
        raise DiagramError(f"a picture is {MIN_SIZE} to {MAX_SIZE} pixels large, not {options.size}")
    require_angle(options.view, "turn", options.yaw, YAW_LIMITS)
    require_angle(options.view, "tilt", options.pitch, TABLE_PITCH_LIMITS if options.view == "table" else PITCH_LIMITS)
    for cell, mark in options.marks.items():
        require_cell(board, cell)
        require_mark(mark)
    for cell, value in options.heat.items():
        require_cell(board, cell)
        if not 0 <= value <= 1:
            raise DiagramError(f"heat is a number from 0 to 1, not {value} on {cell}")
    return look


def require_one_of(word: str, words: Mapping[str, object] | tuple[str, ...], what: str) -> None:
    """Refuse a word that is not among those known."""
    if word not in words:
        raise DiagramError(f"{ellipsis(word)} is no {what}; there are {', '.join(words)}{did_you_mean(word, words)}")


def require_angle(view: str, what: str, angle: float | None, limits: tuple[int, int]) -> None:
    """Refuse an angle outside its limits, or where nothing can be turned."""
    if angle is None:
        return
    if view == "flat":
        raise DiagramError(f"a flat map has no {what}; the views solid and table do")
    least, most = limits
    if not least <= angle <= most:
        raise DiagramError(f"the {what} of the {view} view is {least} to {most} degrees, not {angle:g}")


def require_cell(board: Board, name: str) -> None:
    """Refuse a name that no cell has."""
    if name not in board.index:
        limits = f"cells are named {board.names[0]} to {board.names[-1]}"
        raise DiagramError(f"{ellipsis(name)} is no cell of this board, whose {limits}{did_you_mean(name, board.names)}")


def require_mark(mark: str) -> None:
    """Refuse what is neither a shape nor a short label."""
    if mark in SHAPES:
        return
    if not 1 <= len(mark) <= MAX_LABEL_LENGTH:
        shapes = ", ".join(SHAPES)
        raise DiagramError(
            f"a mark is {shapes}, or a label of 1 to {MAX_LABEL_LENGTH} letters, "
            f"not {ellipsis(mark)}{did_you_mean(mark, SHAPES)}"
        )
    require_letters(mark)
