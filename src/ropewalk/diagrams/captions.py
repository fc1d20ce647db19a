"""Texts of a diagram: title and description for screen readers, and the caption below the board."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..games.position import Position
from .numbered_moves import NumberedMove, list_notes
from .options import DiagramOptions
from .scene import Page, place_flat
from .stroke_font import CAPITAL_HEIGHT, GLYPHS, STROKE_WIDTH, measure_width
from .svg import SvgWriter
from .themes import Theme

CAPTION_LETTER_HEIGHT = 0.0165  # of capitals, as a share of the page's longer side
LINE_SPACING = 2.1  # from line to line, in letter heights
MAX_NOTE_LENGTH = 64


@dataclass(frozen=True)
class Caption:
    """The lines of a caption, each with a left and a right part."""

    lines: Sequence[tuple[str, str]]

    def compute_height(self, size: int) -> float:
        """Return the height of all lines in a diagram of that size, in pixels."""
        return len(self.lines) * LINE_SPACING * CAPTION_LETTER_HEIGHT * size

    def draw(self, writer: SvgWriter, theme: Theme, page: Page, size: int) -> None:
        """Draw the lines; lines that are too long for the page get smaller letters."""
        width, margin = page.width, page.margin
        for number, (left, right) in enumerate(self.lines):
            letters = CAPTION_LETTER_HEIGHT * size
            needed = (
                (measure_width(left) + measure_width(right) + (4 * CAPITAL_HEIGHT if left and right else 0))
                / CAPITAL_HEIGHT
                * letters
            )
            letters *= min(1.0, (width - 2 * margin) / needed) if needed else 1.0
            base = page.caption_top + (number + 0.75) * LINE_SPACING * CAPTION_LETTER_HEIGHT * size
            for text, side in ((left, -1), (right, 1)):
                if text:
                    half = measure_width(text) * letters / CAPITAL_HEIGHT / 2
                    middle = margin + half if side < 0 else width - margin - half
                    role = "ink" if side < 0 and number == 0 else "faint"
                    writer.draw_text(text, place_flat(np.array([middle, base])), letters, theme.colours[role], STROKE_WIDTH)


def format_title(position: Position) -> str:
    """Return the game, its designer and the year."""
    game = position.game
    return f"{game.name}, by {game.designer} ({game.year})"


def format_description(position: Position) -> str:
    """Return the position in words and as its text."""
    contents = position.contents
    pieces = ", ".join(f"{cell} {token}" for cell, token in contents.items()) if contents else "an empty board"
    return f"{position.game.spec}: {format_status(position)}. {pieces}. As text: {position}"


def format_status(position: Position) -> str:
    """Return which colour is to move or has won."""
    over = position.outcome
    if over is None:
        assert position.seat is not None
        return f"{position.colours[position.seat]} to move"
    return "drawn" if over.winner is None else f"{position.colours[over.winner]} wins"


def format_colour(colour: str, options: DiagramOptions) -> str:
    """Return a colour as the theme shows it: the print theme has shades of grey instead of red and blue."""
    shades = {"red": "red (dark)", "blue": "blue (light)"} if options.theme == "print" else {}
    return shades.get(colour, colour)


def build_caption(position: Position, numbered: Sequence[NumberedMove], options: DiagramOptions) -> Caption:
    """Return the caption: game and designer, status, why a move is illegal, and notes on numbered moves."""
    game = position.game
    colour, _, rest = format_status(position).partition(" ")
    status = "; ".join([f"{format_colour(colour, options)} {rest}".strip(), *list_off_board_pieces(position)])
    lines = [(f"{game.name}, by {game.designer}", status)]
    if options.explain_illegal and (refusal := position.refusal(options.explain_illegal)) is not None:
        lines += [(line, "") for line in wrap_note(f"{options.explain_illegal} is illegal: {refusal}")]
    if notes := list_notes(numbered):
        lines += [(line, "") for line in wrap_note("; ".join(notes))]
    return Caption(lines)


def wrap_note(note: str) -> list[str]:
    """Return the lines of a note; letters that the stroke font does not have are left out."""
    return textwrap.wrap("".join(letter for letter in note if letter in GLYPHS), MAX_NOTE_LENGTH)


def list_off_board_pieces(position: Position) -> list[str]:
    """List the pieces in hand and the checkers borne off, in words."""
    game = position.game
    to_move = game.fields(position.row)[0]
    texts = []
    for holder, token in game.text.hands(position.row).items():
        piece = game.definition.tokens.pieces_of(token)[-1]
        texts.append(f"{piece.colour} in hand" if holder == to_move else f"{piece.colour} in {holder}'s hand")
    checkers = getattr(game, "checkers", None)
    if checkers is not None:
        left = "".join(position.contents.values())
        off = [f"{colour} {checkers - left.count(colour[0])}" for colour in game.colours if checkers > left.count(colour[0])]
        texts += [f"borne off: {', '.join(off)}"] if off else []
    return texts
