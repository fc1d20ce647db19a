"""Hex as `Game` and `GameText` need it: board, rows, notation, symmetries, refusals and outcomes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk import Game, IllegalMove, Outcome, Position, PositionError, Symmetry
from ropewalk.boards import make_rhombus_board
from ropewalk.games.encoding import BOARD_PLANE, ObservationPlane
from ropewalk.games.notation import append_outcome, require_one_of
from ropewalk.games.spec_parser import format_spec
from ropewalk.games.text import GameText
from ropewalk.jit.interpreted import interpret
from ropewalk.rules import placement
from ropewalk.rules.generic import Row
from ropewalk.rules.placement import EMPTY

from . import SPEC, rules
from .rules import BOTH_SIDES, RED

COLOURS = ("", *SPEC.colours)
TOKENS = ("", *SPEC.tokens.pieces)


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
        text = f"{COLOURS[position.state.to_play]} places on {self.board.names[move]}"
        return append_outcome(text, position.play_id(move))

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        state, root = position.state, interpret(rules.find_root)
        groups = self.board.components(np.flatnonzero(state.stones == state.winner))
        group = next(group for group in groups if state.labels[root(state.parent, min(group))] == BOTH_SIDES)
        message = f"{COLOURS[state.winner]} connects its sides with a group of {len(group)} stones"
        return Outcome(winner, "connected", self.cell_names(group), "The object of the game", message)


class Hex(Game):
    """Hex on an n x n rhombus; with `swap`, seat 1 may take over the first stone."""

    definition = SPEC
    text_class = HexText
    observation_planes = (
        BOARD_PLANE,
        ObservationPlane("own stone", "1 on own stones"),
        ObservationPlane("other stone", "1 on the other's stones"),
        ObservationPlane("own sides", "on cells of the own first side 1, of the second 2, of both 3"),
        ObservationPlane("other sides", "the same for the other's sides"),
        ObservationPlane("swap is legal", "1 on every cell if the swap is legal"),
    )
    global_moves = 1
    rules: rules.HexRules

    def __init__(self, size: int, swap: bool = False) -> None:
        self.board = make_rhombus_board(size)
        self.options = {"size": size, "swap": swap}
        self.spec = format_spec(SPEC, self.options)
        self.rules = rules.make_rules(self.board, swap)
        self.max_legal_moves = len(self.board) + 1

    @property
    def max_game_length(self) -> int:
        return len(self.board) + self.rules.pie

    def start_row(self) -> Row:
        row = np.zeros(placement.NUM_ARRAYS * len(self.board) + placement.NUM_SCALARS, np.int16)
        return self.store(row, to_play=RED)

    def store(self, row: Row, **scalars: int) -> Row:
        """Write scalar fields of the state into the row."""
        interpret(placement.store_placement_state)(self.rules, self.state(row)._replace(**scalars), row)
        return row

    def list_move_texts(self) -> Sequence[str]:
        return [*self.board.names, *(["swap"] if self.rules.pie else [])]

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the identity and the half turn; without swap also the two reflections, which exchange the colours."""
        cells = np.arange(len(self.board), dtype=np.int16).reshape(2 * self.board.size)
        images = [(cells, False), (cells[::-1, ::-1], False), (cells.T, True), (cells[::-1, ::-1].T, True)]
        swap = [len(self.board)] if self.rules.pie else []
        kept = images[:2] if swap else images  # red moves first, so a swap tells the colours apart
        return [Symmetry(i.ravel().copy(), np.array([*i.ravel(), *swap], np.int16), exchanged) for i, exchanged in kept]

    def tokens(self, row: Row) -> list[str]:
        return [TOKENS[stone] for stone in self.state(row).stones]

    def fields(self, row: Row) -> list[str]:
        state = self.state(row)
        return [COLOURS[state.to_play], *(["swapped"] if state.swapped else [])]

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        colour, *rest = fields or ["red"]
        to_play = COLOURS.index(require_one_of(colour, COLOURS[1:], "a colour to move"))
        for field in rest:
            require_one_of(field, ["swapped"] if self.rules.pie else [], "a field of Hex")
        row, place = self.start_row(), interpret(rules.place_stone)
        stones = [(cell, TOKENS.index(token)) for cell, token in enumerate(tokens) if token]
        winners = {stone[1] for stone in stones if place(self.rules, self.state(row), *stone)}
        if to_play in winners:
            raise PositionError(f"{colour} has already won, so the other colour must be to move")
        winner = 3 - to_play if winners else EMPTY
        return self.store(row, to_play=to_play, winner=winner, swapped=len(rest[:1]), num_stones=len(stones))

    def seat_colours(self, row: Row) -> tuple[str, str]:
        return ("blue", "red") if self.state(row).swapped else ("red", "blue")
