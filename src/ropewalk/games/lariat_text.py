"""Texts that Lariat and Cube Lariat share: refusals and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..errors import IllegalMove
from ..jit.interpreted import interpret
from ..rules import lariat_common, placement
from ..rules.generic import Row
from ..rules.lariat_common import BLOCKED
from ..text import plural
from .notation import append_outcome
from .position import Outcome, Position
from .text import GameText

if TYPE_CHECKING:
    from .lariat_common import LariatFamilyGame


COLOURS = ("", "black", "white")
PLACEMENT_CLAUSE = "Placing stones"
PIE_CLAUSE = "The pie rule"


class LariatFamilyText(GameText):
    """Texts of Lariat and Cube Lariat."""

    game: LariatFamilyGame

    def move_syntax(self) -> str:
        """Return the syntax of moves: names of cells, and swap."""
        first, last = self.board.names[0], self.board.names[-1]
        return f"a move is the name of a cell, {first} to {last}{', or swap' if self.game.rules.pie else ''}"

    def symbols(self, row: Row) -> list[str]:
        """Return the symbols; stones on marked cells are capitals, so that the marks stay visible."""
        uppercase = self.uppercase_cells()
        return [symbol.upper() if cell in uppercase else symbol for cell, symbol in enumerate(super().symbols(row))]

    def uppercase_cells(self) -> Sequence[int]:
        """Return the marked cells, on which stones are drawn as capitals."""
        raise NotImplementedError

    def phase(self, row: Row) -> str:
        """Return "pie" when the colours may be swapped."""
        return "pie" if interpret(placement.can_swap)(self.game.rules, self.game.state(row)) else ""

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return why a cell cannot be claimed, or the colours not swapped."""
        if move == len(self.board):
            return self.swap_refusal(position, move)
        name, stone = self.board.names[move], position.state.stones[move]
        if stone == BLOCKED:
            return self.illegal_move(move, f"{name} is a corner cell; corner cells must not be claimed in {self.game.spec}",
                               reason="corner", clause="The corner cells", witness=[move])  # fmt: skip
        message = f"{name} already has a {COLOURS[stone]} stone"
        return self.illegal_move(move, message, reason="taken", clause=PLACEMENT_CLAUSE, witness=[move])

    def swap_refusal(self, position: Position, move: int) -> IllegalMove:
        """Return why the colours cannot be swapped now."""
        state = position.state
        if state.swapped:
            return self.illegal_move(move, "the colours have already been swapped", reason="swapped", clause=PIE_CLAUSE)
        if state.num_stones == 0:
            message = "there is no stone yet; swap is allowed only as the answer to black's first stone"
            return self.illegal_move(move, message, reason="nothing-to-swap", clause=PIE_CLAUSE)
        message = f"swap is allowed only as the answer to black's first stone; {state.num_stones} stones are on the board"
        return self.illegal_move(move, message, reason="too-late-to-swap", clause=PIE_CLAUSE)

    def explanation(self, position: Position, move: int) -> str:
        """Return which groups the stone joins, and whether that wins."""
        if move == len(self.board):
            return "seat 1 takes black with its stone; seat 0 now plays white and moves next"
        after = position.play_id(move)
        colour = position.state.to_play
        parts = [f"{COLOURS[colour]} claims {self.board.names[move]}"]
        joined_groups = [group for group in self.game.groups(position, colour) if group & self.board.neighbour_sets[move]]
        if len(joined_groups) == 1:
            parts.append(f"joining a group of {plural(len(joined_groups[0]), 'stone')}")
        elif joined_groups:
            parts.append(f"connecting {len(joined_groups)} groups into one of {1 + sum(map(len, joined_groups))} stones")
        return append_outcome(", ".join(parts), after)

    def find_winning_group(self, position: Position) -> tuple[str, set[int]]:
        """Return the winner's colour and group."""
        state = position.state
        for group in self.game.groups(position, state.winner):
            root = interpret(lariat_common.find_with_parity)(state, min(group))[0]
            if interpret(lariat_common.group_wins)(self.game.rules, state, root):
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
