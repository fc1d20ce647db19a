"""Common base of Lariat and Cube Lariat: rows, texts, refusals and explanations around `rules.lariat_common`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..errors import IllegalMove, PositionError
from ..jit.interpreted import interpreted
from ..rules import lariat_common
from ..rules.generic import Row
from ..rules.lariat_common import BLACK, BLOCKED, EMPTY
from ..text import plural
from .game import Game
from .notation import append_outcome, require_one_of
from .position import Outcome, Position, Symmetry

SWAPPED_INDEX = 2  # among the scalars behind the arrays of a row

TOKENS = ("", "b", "w", "")
COLOURS = ("", "black", "white")
SWAP_MOVE = "swap"
PLACEMENT_CLAUSE = "Placing stones"
PIE_CLAUSE = "The pie rule"


class LariatFamilyGame(Game):
    """Lariat or Cube Lariat: black and white claim cells in turn until one group wins."""

    planes = (
        *("board", "own stone", "other stone", "open", "centre or nuclear", "edge"),
        *("group holds marks", "group holds edge", "group parts", "may swap"),
    )
    global_moves = 1
    preserved_marks: ClassVar[tuple[str, ...]]  # marks of the board that a symmetry must preserve
    rules: Any

    @cached_property
    def max_legal_moves(self) -> int:  # type: ignore[override]
        """Every cell and the swap."""
        return len(self.board) + 1

    def start_row(self) -> Row:
        """Return the row of the empty board, black to move."""
        row = np.zeros(lariat_common.NUM_ARRAYS * len(self.board) + lariat_common.NUM_SCALARS, np.int16)
        row[lariat_common.NUM_ARRAYS * len(self.board)] = BLACK
        self.state(row).stones[list(self.blocked_cells())] = BLOCKED
        return row

    def blocked_cells(self) -> Sequence[int]:
        """Return the cells that may not be claimed."""
        return ()

    def list_move_texts(self) -> Sequence[str]:
        """Return the cells' names, which claim them, then `swap` where the pie rule is on."""
        return [*self.board.names, SWAP_MOVE] if self.rules.pie else self.board.names

    def move_syntax(self) -> str:
        """Return the syntax of moves: names of cells, and swap."""
        first, last = self.board.names[0], self.board.names[-1]
        return f"a move is the name of a cell, {first} to {last}{', or swap' if self.rules.pie else ''}"

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries of the board that preserve the marked cells."""
        swap_ids = [len(self.board)] if self.rules.pie else []
        return [
            Symmetry(cells=cells, moves=np.array([*cells, *swap_ids], np.int16), swaps_colours=False)
            for cells in self.board.symmetries_preserving(*self.preserved_marks)
        ]

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Return "b", "w" or "" for each cell."""
        return [TOKENS[stone] for stone in self.state(row).stones]

    def symbols(self, row: Row) -> list[str]:
        """Return the symbols; stones on marked cells are capitals, so that the marks stay visible."""
        uppercase = self.uppercase_cells()
        return [symbol.upper() if cell in uppercase else symbol for cell, symbol in enumerate(super().symbols(row))]

    def uppercase_cells(self) -> Sequence[int]:
        """Return the marked cells, on which stones are drawn as capitals."""
        raise NotImplementedError

    def fields(self, row: Row) -> list[str]:
        """Return the colour to move, and `swapped` once seat 0 plays white."""
        state = self.state(row)
        return [COLOURS[state.to_play], *(["swapped"] if state.swapped else [])]

    def phase(self, row: Row) -> str:
        """Return "pie" when the colours may be swapped."""
        return "pie" if interpreted(lariat_common.can_swap)(self.rules, self.state(row)) else ""

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row; raise a PositionError for two winners, a winner to move, or a swap without the pie rule."""
        colour, *rest = fields or ["black"]
        to_play = COLOURS.index(require_one_of(colour, COLOURS[1:], "a colour to move"))
        for field in rest:
            require_one_of(field, ["swapped"], "a field of this game")
        if rest and not self.rules.pie:
            raise PositionError(f"{self.spec} has no pie rule, so its seats are never swapped")
        row = self.start_row()
        state = self.state(row)
        for cell in self.blocked_cells():
            if tokens[cell]:
                raise PositionError(f"{self.board.names[cell]} is a corner cell, which nobody may claim in {self.spec}")
        colours, win_counts = np.array([TOKENS.index(token) for token in tokens], np.int16), np.zeros(3, np.int64)
        lariat_common.place_all(self.rules, state, colours, win_counts)
        if win_counts[to_play]:
            raise PositionError(f"{COLOURS[to_play]} has won already, so the other colour would be next to move")
        winner = 3 - to_play if win_counts[3 - to_play] else EMPTY
        swapped, claimed = len(rest[:1]), int(np.count_nonzero(colours))
        interpreted(lariat_common.store_lariat_state)(
            self.rules, state._replace(to_play=to_play, winner=winner, swapped=swapped, num_stones=claimed), row
        )
        return row

    def seat_colours(self, row: Row) -> tuple[str, str]:
        """Return black and white, exchanged after a swap."""
        # read from the row and not from a state, because this is called after every move
        is_swapped = row[lariat_common.NUM_ARRAYS * len(self.board) + SWAPPED_INDEX]
        return ("white", "black") if is_swapped else ("black", "white")

    # Explanations

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return why a cell cannot be claimed, or the colours not swapped."""
        if move == len(self.board):
            return self.swap_refusal(position, move)
        name, stone = self.board.names[move], position.state.stones[move]
        if stone == BLOCKED:
            return self.illegal_move(move, f"{name} is a corner cell, and corners are not claimed in {self.spec}",
                               reason="corner", clause="The corner cells", witness=[move])  # fmt: skip
        message = f"{name} already has a {COLOURS[stone]} stone"
        return self.illegal_move(move, message, reason="taken", clause=PLACEMENT_CLAUSE, witness=[move])

    def swap_refusal(self, position: Position, move: int) -> IllegalMove:
        """Return why the colours cannot be swapped now."""
        state = position.state
        if state.swapped:
            return self.illegal_move(move, "the colours have been swapped already", reason="swapped", clause=PIE_CLAUSE)
        if state.num_stones == 0:
            message = "there is no stone yet: swap answers black's first stone"
            return self.illegal_move(move, message, reason="nothing-to-swap", clause=PIE_CLAUSE)
        message = f"swap answers black's first stone only; {state.num_stones} stones are on the board"
        return self.illegal_move(move, message, reason="too-late-to-swap", clause=PIE_CLAUSE)

    def explanation(self, position: Position, move: int) -> str:
        """Return which groups the stone joins, and whether that wins."""
        if move == len(self.board):
            return "seat 1 takes black with its stone; seat 0 now plays white and moves next"
        after = position.play_id(move)
        colour = position.state.to_play
        parts = [f"{COLOURS[colour]} claims {self.board.names[move]}"]
        joined_groups = [group for group in self.groups(position, colour) if group & self.board.neighbour_sets[move]]
        if len(joined_groups) == 1:
            parts.append(f"joining a group of {plural(len(joined_groups[0]), 'stone')}")
        elif joined_groups:
            parts.append(f"tying {len(joined_groups)} groups into one of {1 + sum(map(len, joined_groups))} stones")
        return append_outcome(", ".join(parts), after)

    def groups(self, position: Position, colour: int) -> list[set[int]]:
        """Return the groups of a colour."""
        return self.board.components(np.flatnonzero(position.state.stones == colour))

    def find_winning_group(self, position: Position) -> tuple[str, set[int]]:
        """Return the winner's colour and group."""
        state = position.state
        for group in self.groups(position, state.winner):
            root = interpreted(lariat_common.find_with_parity)(state, min(group))[0]
            if interpreted(lariat_common.group_wins)(self.rules, state, root):
                return COLOURS[state.winner], group
        raise AssertionError("a finished game has a winning group")

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the outcome with the winning group and how it wins."""
        colour, group = self.find_winning_group(position)
        reason, clause, description = self.describe_victory(group)
        return Outcome(winner, reason, self.cell_names(group), clause, f"{colour} {description}")

    def describe_victory(self, group: set[int]) -> tuple[str, str, str]:
        """Return reason code, clause and description of a winning group."""
        raise NotImplementedError
