"""Colours of the drawn board, those of the diagrams. No information is in colours alone: the characters stay the same.

Of each, the nearest one among the 256 colours that nearly every terminal has is used.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from rich.style import Style

from ..diagrams import themes
from ..diagrams.interface_colours import list_colours
from ..diagrams.themes import Theme, mix
from ..games.game import Game
from .xterm_colours import find_nearest

SIDE_SHARE = 0.5  # of paper in the background of a cell at a player's side


@dataclass(frozen=True)
class BoardColours:
    """The colours of the board in one theme, as styles of Rich."""

    pieces: Mapping[str, str]  # by colour; each piece brings its own background
    board: str  # the empty board
    faint: str  # labels and empty cells
    side: Mapping[str, str]  # backgrounds of cells that are marked with a player's colour
    mark: str  # other marked cells
    last: str  # the last move
    target: str  # where a piece can go
    cursor: str
    witness: str  # cells that show why


def make_board_colours(theme: Theme) -> BoardColours:
    """Return the colours of the board in the light or the dark theme of the diagrams, as a terminal has them."""
    colours = list_colours(theme)
    darkest = "ink" if theme is themes.LIGHT else "paper"

    def combine(text: str, ground: str) -> str:
        return f"{find_nearest(colours[text])} on {find_nearest(colours[ground])}"

    return BoardColours(
        pieces={
            name.removesuffix(" disc"): f"bold {find_nearest(paint.ink)} on {find_nearest(paint.body)}"
            for name, paint in reversed(list(theme.paints.items()))  # discs first: a player's paint replaces that of a disc
        },
        board=combine("ink", "slab top"),
        faint=combine("strong", "slab top"),
        side={
            name: f"on {find_nearest(mix(colours[f'{name} side'], colours['paper'], SIDE_SHARE))}"
            for name in ("red", "blue")
        },
        mark=f"bold {combine('accent', 'paper')}",
        last="bold underline",
        target=f"bold {combine('paper', 'choice')}",
        cursor=f"bold {combine('paper', 'accent')}",  # the page's colour of the cursor looks like a blue stone here
        witness=f"bold underline {combine(darkest, 'witness')}",
    )


LIGHT, DARK = make_board_colours(themes.LIGHT), make_board_colours(themes.DARK)
LIGHT_THEME, DARK_THEME = "textual-light", "textual-dark"  # Textual's themes for everything but the board


def has_light_background() -> bool:
    """Return whether the terminal reports a light background (COLORFGBG)."""
    ground = os.environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground in ("7", "15")


def is_colour_wanted(no_colour: bool) -> bool:
    """Return whether to print colours: standard output is a terminal that has them, and nothing turns them off."""
    is_off = no_colour or bool(os.environ.get("NO_COLOR")) or os.environ.get("TERM") == "dumb"
    return not is_off and sys.stdout is not None and sys.stdout.isatty()


def list_piece_styles(game: Game, symbol: str, colours: BoardColours) -> list[str]:
    """Return the style of each character of a symbol, "" for characters that are not pieces."""
    return [colours.pieces.get(game.text.letters.get(letter.lower(), ""), "") for letter in symbol]


@cache
def parse_style(text: str) -> Style:
    """Return the style that a text describes; "" for no style."""
    return Style.parse(text) if text else Style.null()
