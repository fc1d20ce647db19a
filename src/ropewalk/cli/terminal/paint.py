"""Colours of a drawn board. They never are the only sign: every letter stays where it is."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from rich.console import Console
from rich.style import Style
from rich.text import Text

from ...games.game import Game
from ...games.notation import Drawn
from .session import Session

# In line mode the board stands on the terminal's own background, so each piece brings its own.
CHIPS: Mapping[str, str] = {
    "black": "bold #ffffff on #26282c",
    "white": "bold #1c1c1c on #f2efe6",
    "red": "bold #ffffff on #b3392c",
    "blue": "bold #ffffff on #2c62a8",
    "purple": "bold #ffffff on #76459a",
    "orange": "bold #2a1400 on #ee9a45",
    "yellow": "bold #2a2400 on #f3dd6d",
}


@dataclass(frozen=True)
class Colours:
    """The colours of one background."""

    board: str  # the empty board
    faint: str  # labels and empty cells
    side: Mapping[str, str]  # backgrounds of cells that are marked with a player's colour
    mark: str  # other marked cells
    last: str  # the last move
    target: str  # where a piece can go
    cursor: str
    witness: str  # cells that show why


DARK = Colours(
    board="#c9d1d9 on #30363d",
    faint="#8b949e on #30363d",
    side={"red": "on #5a2f2c", "blue": "on #263f63"},
    mark="bold #ffd479 on #30363d",
    last="bold underline",
    target="bold #0d1117 on #7ee787",
    cursor="bold #0d1117 on #ffd33d",
    witness="bold underline #0d1117 on #f0a0f0",
)
LIGHT = Colours(
    board="#3b3428 on #efe5cf",
    faint="#857a63 on #efe5cf",
    side={"red": "on #f0c4ba", "blue": "on #c3d8ee"},
    mark="bold #9a4a00 on #efe5cf",
    last="bold underline",
    target="bold #ffffff on #1a7f37",
    cursor="bold #ffffff on #9a3412",
    witness="bold underline #ffffff on #8b2f8b",
)


def is_light() -> bool:
    """Whether the terminal says that its background is light."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground in ("7", "15")


def wants_colour(plain: bool) -> bool:
    """Whether to print in colour: to a terminal that has it, unless somebody objects."""
    objected = plain or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return not objected and sys.stdout is not None and sys.stdout.isatty()


def piece_styles(game: Game, symbol: str) -> list[str]:
    """The style of each character of a symbol, "" where it stands for no piece."""
    return [CHIPS.get(game.letters.get(letter.lower(), ""), "") for letter in symbol]


def paint_piece(text: Text, game: Game, spot: Drawn, start: int) -> None:
    """Colour the characters of what stands on a cell."""
    for offset, style in enumerate(piece_styles(game, spot.symbol)):
        if style:
            text.stylize(style, start + offset, start + offset + 1)


def coloured(session: Session) -> str:
    """The drawn board in the colours of the terminal, for printing."""
    position = session.position
    drawing = position.drawing()
    lines = [Text(line) for line in str(drawing).splitlines()]
    for spot in drawing.spots:
        paint_piece(lines[spot.line], position.game, spot, spot.column)
    console = Console(force_terminal=True, width=max(map(len, lines)) + 1, legacy_windows=False)
    with console.capture() as captured:
        for line in lines:
            console.print(line, soft_wrap=True)
    return captured.get().rstrip("\n")


def style(*parts: str) -> Style:
    """Styles laid over each other."""
    return Style.combine([Style.null(), *(Style.parse(part) for part in parts)])
