"""Words of a picture: its title and description for those who cannot see it, the caption for those who can."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..games.position import Position
from .stroke_font import CAPITAL, GLYPHS, WEIGHT, width_of
from .svg import Paper
from .numbered_moves import NumberedMove, notes
from .scene import Sheet, flat_spot
from .options import Style
from .themes import Theme

LETTERING = 0.0165  # the height of capitals, of the picture's size
LEADING = 2.1  # from line to line, in such heights
LONGEST_NOTE = 64

DISCS = {"b": "blue", "p": "purple", "o": "orange", "y": "yellow"}


@dataclass(frozen=True)
class Caption:
    """Lines below the board, each with a left and a right part."""

    lines: Sequence[tuple[str, str]]

    def height(self, size: int) -> float:
        """How much room all lines take in a picture of that size."""
        return len(self.lines) * LEADING * LETTERING * size

    def draw(self, paper: Paper, theme: Theme, sheet: Sheet, size: int) -> None:
        """Write the lines; those that are too long for the picture are written smaller."""
        width, margin = sheet.width, sheet.margin
        for number, (left, right) in enumerate(self.lines):
            letters = LETTERING * size
            needed = (width_of(left) + width_of(right) + (4 * CAPITAL if left and right else 0)) / CAPITAL * letters
            letters *= min(1.0, (width - 2 * margin) / needed) if needed else 1.0
            base = sheet.foot + (number + 0.75) * LEADING * LETTERING * size
            for text, side in ((left, -1), (right, 1)):
                if text:
                    half = width_of(text) * letters / CAPITAL / 2
                    middle = margin + half if side < 0 else width - margin - half
                    role = "ink" if side < 0 and number == 0 else "faint"
                    paper.text(text, flat_spot(np.array([middle, base])), letters, theme.colours[role], WEIGHT)


def title_of(position: Position) -> str:
    """The game and its designer."""
    game = position.game
    return f"{game.name}, by {game.designer} ({game.year})"


def description_of(position: Position) -> str:
    """The position in words and as its text."""
    contents = position.contents
    shown = ", ".join(f"{cell} {token}" for cell, token in contents.items()) if contents else "an empty board"
    return f"{position.game.spec}: {status_of(position)}. {shown}. As text: {position}"


def status_of(position: Position) -> str:
    """Who is to move or has won."""
    over = position.outcome
    if over is None:
        assert position.seat is not None
        return f"{position.colours[position.seat]} to move"
    return "drawn" if over.winner is None else f"{position.colours[over.winner]} wins"


def named(colour: str, style: Style) -> str:
    """A colour as the picture shows it: a book has no red and no blue."""
    shades = {"red": "red (dark)", "blue": "blue (light)"} if style.theme == "print" else {}
    return shades.get(colour, colour)


def caption_of(position: Position, numbered: Sequence[NumberedMove], style: Style) -> Caption:
    """The game and its designer, whose move it is, and what numbers cannot say."""
    game = position.game
    colour, _, rest = status_of(position).partition(" ")
    said = "; ".join([f"{named(colour, style)} {rest}".strip(), *beside_the_board(position)])
    lines = [(f"{game.name}, by {game.designer}", said)]
    if style.why and (refusal := position.refusal(style.why)) is not None:
        lines += [(line, "") for line in wrapped(f"{style.why} is refused: {refusal}")]
    if noted := notes(numbered):
        lines += [(line, "") for line in wrapped("; ".join(noted))]
    return Caption(lines)


def wrapped(words: str) -> list[str]:
    """Lines of a note; letters that cannot be drawn are left out."""
    return textwrap.wrap("".join(letter for letter in words if letter in GLYPHS), LONGEST_NOTE)


def beside_the_board(position: Position) -> list[str]:
    """Discs in hand, and checkers borne off."""
    game = position.game
    fields = str(position).split()[1:]
    hands = re.findall(r"(\w+):([bpoy])\b", " ".join(fields))
    said = [f"{DISCS[disc]} in {'hand' if colour == fields[0] else colour + chr(39) + 's hand'}" for colour, disc in hands]
    checkers = getattr(game, "checkers", None)
    if checkers is not None:
        left = "".join(position.contents.values())
        off = [f"{colour} {checkers - left.count(colour[0])}" for colour in game.colours if checkers > left.count(colour[0])]
        said += [f"borne off: {', '.join(off)}"] if off else []
    return said
