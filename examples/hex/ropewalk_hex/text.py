"""Hex in words: syntax of moves, drawn board, refusals, explanations and outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk import IllegalMove, Outcome, Position
from ropewalk.games.notation import append_outcome
from ropewalk.games.text import GameText
from ropewalk.jit.interpreted import interpreted

from . import SPEC, rules
from .rules import BOTH_SIDES, TO_PLAY, WINNER

COLOURS = ("", *SPEC.colours)


class HexText(GameText):
    """The texts of Hex."""

    def move_syntax(self) -> str:
        return f"a move is the name of a cell, {self.board.names[0]} to {self.board.names[-1]}, or swap"

    def line_labels(self) -> Sequence[str]:
        return [str(row + 1) for row in range(self.game.options["size"])]

    def header(self, column_width: int) -> str:
        return " ".join(name[0] for name in self.board.names[: self.game.options["size"]])

    def header_note(self) -> str:
        return "red connects the first and last row, blue the first and last column"

    def refusal(self, position: Position, move: int) -> IllegalMove:
        if move == len(self.board):
            message = "swap is the reply to the first stone, and to no other"
            return self.illegal_move(move, message, reason="cannot-swap", clause="Swap")
        message = f"{self.board.names[move]} already has a {COLOURS[position.state.stones[move]]} stone"
        return self.illegal_move(move, message, reason="taken", clause="Placing stones", witness=[move])

    def explanation(self, position: Position, move: int) -> str:
        if move == len(self.board):
            return "seat 1 takes red with its stone; seat 0 now plays blue and moves next"
        text = f"{COLOURS[position.row[TO_PLAY]]} places on {self.board.names[move]}"
        return append_outcome(text, position.play_id(move))

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        state, find_root = position.state, interpreted(rules.find_root)
        colour = int(position.row[WINNER])
        roots = {cell: find_root(state.parent, cell) for cell in np.flatnonzero(state.stones[:-1] == colour).tolist()}
        group = {cell for cell, root in roots.items() if state.touched[root] == BOTH_SIDES}
        message = f"{COLOURS[colour]} connects its sides with a group of {len(group)} stones"
        return Outcome(winner, "connected", self.cell_names(group), "The object of the game", message)
