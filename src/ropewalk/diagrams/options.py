"""Style: what a picture shows of a position, and how; wrong wishes are refused with what would be right."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..errors import RopewalkError
from ..text import did_you_mean, ellipsis
from .stroke_font import require_letters
from .looks import Look, look_of
from .themes import THEMES

if TYPE_CHECKING:
    from ..boards import Board
    from ..games.game import Game

VIEWS = ("flat", "solid", "table")
COORDINATES = ("none", "edge", "all")
SHAPES = ("triangle", "square", "circle", "cross")
SMALLEST, LARGEST = 64, 8000
LONGEST_LABEL = 3
TURNS, TILTS, TABLE_TILTS = (-360, 360), (-90, 90), (10, 90)


class DiagramError(RopewalkError):
    """A picture that cannot be drawn as asked."""


@dataclass(frozen=True)
class Style:
    """How to draw a position. `size` is the longer side in pixels; cells are given by name."""

    view: str = "flat"
    theme: str = "light"
    turn: float | None = None  # degrees; each board has its own standard
    tilt: float | None = None
    coordinates: str = "edge"
    size: int = 800
    last: bool = False  # show the last move
    numbers_from: int | None = None  # number the moves from this one on, the first being 1
    marks: Mapping[str, str] = field(default_factory=dict)  # cell: triangle, square, circle, cross or a short label
    witness: bool = False  # show the cells that decide a finished game
    why: str = ""  # show the cells for which this move is refused
    territory: bool = False
    heat: Mapping[str, float] = field(default_factory=dict)  # cell: 0 to 1
    caption: bool = True


def check(style: Style, game: Game) -> Look:
    """Refuse a style that does not fit the board of a game; returns the board's look."""
    board, look = game.board, look_of(game)
    require_one_of(style.theme, THEMES, "theme")
    require_one_of(style.coordinates, COORDINATES, "kind of coordinates")
    require_one_of(style.view, VIEWS, "view")
    if style.view not in look.views:
        raise DiagramError(f"{game.name} has no {style.view} view; its views are {' and '.join(look.views)}")
    if not SMALLEST <= style.size <= LARGEST:
        raise DiagramError(f"a picture is {SMALLEST} to {LARGEST} pixels large, not {style.size}")
    require_angle(style.view, "turn", style.turn, TURNS)
    require_angle(style.view, "tilt", style.tilt, TABLE_TILTS if style.view == "table" else TILTS)
    for cell, mark in style.marks.items():
        require_cell(board, cell)
        require_mark(mark)
    for cell, value in style.heat.items():
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
    if not 1 <= len(mark) <= LONGEST_LABEL:
        shapes = ", ".join(SHAPES)
        raise DiagramError(
            f"a mark is {shapes}, or a label of 1 to {LONGEST_LABEL} letters, "
            f"not {ellipsis(mark)}{did_you_mean(mark, SHAPES)}"
        )
    require_letters(mark)
