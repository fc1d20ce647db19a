"""Colours of the drawn board. No information is in colours alone: the characters stay the same."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rich.style import Style

from ..games.game import Game

# All of these are among the 256 colours that nearly every terminal has.
# In line mode the board stands on the terminal's own background, so each piece brings its own.
PIECE_STYLES: Mapping[str, str] = {
    "black": "bold #ffffff on #000000",
    "white": "bold #000000 on #eeeeee",
    "red": "bold #ffffff on #af0000",
    "blue": "bold #ffffff on #005faf",
    "purple": "bold #ffffff on #875faf",
    "orange": "bold #000000 on #ff8700",
    "yellow": "bold #000000 on #ffd75f",
}


@dataclass(frozen=True)
class BoardColours:
    """The colours of the board on one background."""

    board: str  # the empty board
    faint: str  # labels and empty cells
    side: Mapping[str, str]  # backgrounds of cells that are marked with a player's colour
    mark: str  # other marked cells
    last: str  # the last move
    target: str  # where a piece can go
    cursor: str
    witness: str  # cells that show why


DARK = BoardColours(
    board="#d0d0d0 on #303030",
    faint="#949494 on #303030",
    side={"red": "on #5f0000", "blue": "on #005f87"},
    mark="bold #ffd787 on #303030",
    last="bold underline",
    target="bold #000000 on #87d787",
    cursor="bold #000000 on #ffd700",
    witness="bold underline #000000 on #ffafff",
)
LIGHT = BoardColours(
    board="#303030 on #d7d7af",
    faint="#626262 on #d7d7af",
    side={"red": "on #ffafaf", "blue": "on #afd7ff"},
    mark="bold #af0000 on #d7d7af",
    last="bold underline",
    target="bold #ffffff on #008700",
    cursor="bold #ffffff on #af5f00",
    witness="bold underline #ffffff on #87005f",
)


LIGHT_THEME, DARK_THEME = "textual-light", "textual-dark"  # Textual's themes for everything but the board


def has_light_background() -> bool:
    """Return whether the terminal reports a light background (COLORFGBG)."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground in ("7", "15")


def is_colour_wanted(no_colour: bool) -> bool:
    """Return whether to print colours: standard output is a terminal that has them, and nothing turns them off."""
    is_off = no_colour or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return not is_off and sys.stdout is not None and sys.stdout.isatty()


def list_piece_styles(game: Game, symbol: str) -> list[str]:
    """Return the style of each character of a symbol, "" for characters that are not pieces."""
    return [PIECE_STYLES.get(game.text.letters.get(letter.lower(), ""), "") for letter in symbol]


@cache
def parse_style(text: str) -> Style:
    """Return the style that a text describes; "" for no style."""
    return Style.parse(text) if text else Style.null()
