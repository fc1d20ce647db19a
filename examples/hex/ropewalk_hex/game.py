"""Hex: board, rows, move texts and symmetries."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk import Game, PositionError, Symmetry
from ropewalk.boards import make_rhombus_board
from ropewalk.games.notation import require_one_of
from ropewalk.games.spec_parser import format_spec
from ropewalk.jit.interpreted import interpreted
from ropewalk.rules.generic import Row

from . import SPEC, rules
from .rules import BOTH_SIDES, EMPTY, PLANES, RED, SWAPPED, TO_PLAY
from .text import COLOURS, HexText

TOKENS = ("", *SPEC.tokens.pieces)


class Hex(Game):
    """Hex on an n x n rhombus; with `swap`, seat 1 may take over the first stone."""

    definition = SPEC
    text_class = HexText
    planes = PLANES
    global_moves = 1
    rules: rules.HexRules

    def __init__(self, size: int, swap: bool = False) -> None:
        self.board = make_rhombus_board(size)
        self.options = {"size": size, "swap": swap}
        self.spec = format_spec(SPEC, self.options)
        self.rules = rules.make_rules(self.board, swap)
        self.max_legal_moves = len(self.board) + 1

    def start_row(self) -> Row:
        row = np.zeros(4 + 3 * len(self.board) + 1, np.int16)
        row[TO_PLAY] = RED
        return row

    def list_move_texts(self) -> Sequence[str]:
        return [*self.board.names, *(["swap"] if self.rules.swap else [])]

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the identity and the half turn; without swap also the two reflections, which exchange the colours."""
        cells = np.arange(len(self.board), dtype=np.int16).reshape(2 * self.board.size)
        images = [(cells, False), (cells[::-1, ::-1], False), (cells.T, True), (cells[::-1, ::-1].T, True)]
        swap = [len(self.board)] if self.rules.swap else []
        kept = images[:2] if swap else images  # red moves first, so a swap tells the colours apart
        return [Symmetry(i.ravel().copy(), np.array([*i.ravel(), *swap], np.int16), exchanged) for i, exchanged in kept]

    def tokens(self, row: Row) -> list[str]:
        return [TOKENS[stone] for stone in self.state(row).stones[:-1]]

    def fields(self, row: Row) -> list[str]:
        return [COLOURS[row[TO_PLAY]], *(["swapped"] if row[SWAPPED] else [])]

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        colour, *rest = fields or ["red"]
        to_play = COLOURS.index(require_one_of(colour, COLOURS[1:], "a colour to move"))
        for field in rest:
            require_one_of(field, ["swapped"] if self.rules.swap else [], "a field of Hex")
        row = self.start_row()
        stones = [(cell, TOKENS.index(token)) for cell, token in enumerate(tokens) if token]
        touched = [(interpreted(rules.place_stone)(self.rules, self.state(row), *stone), stone[1]) for stone in stones]
        winners = {stone for sides, stone in touched if sides == BOTH_SIDES}
        if to_play in winners:
            raise PositionError(f"{colour} has won already, so the other colour would be next to move")
        row[:4] = to_play, 3 - to_play if winners else EMPTY, len(stones), len(rest[:1])
        return row

    def seat_colours(self, row: Row) -> tuple[str, str]:
        return ("blue", "red") if row[SWAPPED] else ("red", "blue")
