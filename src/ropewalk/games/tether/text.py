"""Texts of Tether: drawn board, refusals and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ...errors import IllegalMove
from ...rules.generic import Row
from ...rules.tether import (
    BLUE,
    CLOSED,
    RED,
)
from ...text import plural
from ..notation import append_outcome
from ..position import Outcome, Position
from ..text import GameText, Score
from . import SPEC

if TYPE_CHECKING:
    from .game import Tether

COLOURS = ("", *SPEC.colours)
SYMBOLS = (".", "r", "b", ":")
PLACEMENT_CLAUSE = "Placing stones"
OBJECT_CLAUSE = "Territory and the object of the game"


class TetherText(GameText):
    """Moves, refusals and outcomes of Tether in words."""

    game: Tether

    def move_syntax(self) -> str:
        """Return the syntax of moves: names of cells."""
        return f"a move is the name of a cell, column letter and row number, {self.board.names[0]} to {self.board.names[-1]}"

    def line_labels(self) -> Sequence[str]:
        """Return the row numbers."""
        return [str(row + 1) for row in range(self.game.options["size"])]

    def legend(self) -> str:
        """Return how to read stones and closed cells."""
        return "r red, b blue; a cell with two dots is surrounded, and no stone may be placed there."

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """Return whether a cell is closed, and by which colour."""
        if self.game.stones(position.row)[cell] != CLOSED:
            return "empty"
        return f"empty, and closed to both players: surrounded by {self.find_surrounding_loop(position, cell)[0]}"

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the territories, and the stones captured since the start."""
        red, blue = self.game.count_territory(position)
        summary = f"territory: red {red}, blue {blue}; {len(self.board) // 2 + 1} of {len(self.board)} cells win"
        captured = self.count_captured(position, start)
        return summary + (f"; captured: red {captured[0]}, blue {captured[1]}" if any(captured) else "")

    def scores(self, position: Position) -> Sequence[Score]:
        """Return the sizes of the territories; more than half of the board wins."""
        by_colour = dict(zip(self.game.colours, map(int, self.game.count_territory(position)), strict=True))
        return [Score("territory", by_colour, len(self.board) // 2 + 1)]

    def count_captured(self, position: Position, start: Position) -> list[int]:
        """Return the numbers of stones that red and blue have lost: initial plus placed minus remaining ones."""
        placed = len(position.steps()) - len(start.steps())
        first_colour = start.state.to_play
        captured = []
        for colour in (RED, BLUE):
            initial, remaining = (int((self.game.stones(each.row) == colour).sum()) for each in (start, position))
            captured.append(initial + (placed + (colour == first_colour)) // 2 - remaining)
        return captured

    def header(self, column_width: int) -> str:
        """Return the column letters; columns lean to the right."""
        letters = [name[0] for name in self.board.names[: self.game.options["size"]]]
        return " ".join(letters)

    def header_note(self) -> str:
        """Return the sides of both colours."""
        last = self.board.names[-1]
        return f"red sides: rows 1 and {last[1:]}, blue sides: columns a and {last[0]}"

    def symbols(self, row: Row) -> list[str]:
        """Return the symbols; closed cells have two dots."""
        return [SYMBOLS[stone] for stone in self.game.stones(row)]

    def find_surrounding_loop(self, position: Position, cell: int) -> tuple[str, set[int]]:
        """Return the colour that surrounds a cell, and its stones adjacent to the surrounded region."""
        stones = self.game.stones(position.row)
        for colour in (RED, BLUE):
            for region in self.game.surrounded_regions(stones == colour, colour):
                if cell in region:
                    loop = {
                        near for inside in region for near in self.board.neighbour_sets[inside] if stones[near] == colour
                    }
                    return COLOURS[colour], loop
        raise AssertionError("a surrounded cell has a loop around it")

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return whether the cell is taken or surrounded."""
        name, stone = self.board.names[move], position.state.stones[move]
        if stone != CLOSED:
            message = f"{name} already has a {COLOURS[stone]} stone"
            return self.illegal_move(move, message, reason="taken", clause=PLACEMENT_CLAUSE, witness=[move])
        colour, loop = self.find_surrounding_loop(position, move)
        message = f"{name} is surrounded by {colour}: no stone may be placed there"
        return self.illegal_move(move, message, reason="surrounded", clause=PLACEMENT_CLAUSE, witness=sorted(loop))

    def explanation(self, position: Position, move: int) -> str:
        """Return the captures, closed cells and territory of a placement."""
        after = position.play_id(move)
        mover = position.state.to_play
        parts = [f"{COLOURS[mover]} places on {self.board.names[move]}"]
        captured = np.flatnonzero((self.game.stones(position.row) == 3 - mover) & (self.game.stones(after.row) == CLOSED))
        if len(captured):
            stones = plural(len(captured), f"{COLOURS[3 - mover]} stone")
            parts.append(f"captures {stones} ({', '.join(self.cell_names(captured.tolist()))})")
        num_closed = int((self.game.stones(after.row) == CLOSED).sum() - (self.game.stones(position.row) == CLOSED).sum())
        if num_closed:
            parts.append(f"closes {plural(num_closed, 'cell')} to both players")
        gained = self.game.count_territory(after)[mover - 1] - self.game.count_territory(position)[mover - 1]
        if gained:
            share = f"{self.game.count_territory(after)[mover - 1]} of {len(self.board)}"
            parts.append(f"gains {plural(gained, 'cell')} of territory ({share})")
        return append_outcome(", ".join(parts), after)

    def winning_theme(self, line: Sequence[Position]) -> str:
        """Return capture if the winner captures a stone on the way, enclosure if it closes cells, else tether."""
        winner_stone = line[-1].result + RED
        num_closed = 0
        for before, after in pairwise(line):
            if before.state.to_play == winner_stone:
                old, new = self.game.stones(before.row), self.game.stones(after.row)
                if ((old == 3 - winner_stone) & (new == CLOSED)).any():
                    return "capture"
                num_closed += int((new == CLOSED).sum() - (old == CLOSED).sum())
        return "enclosure" if num_closed else "tether"

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the winner's territory, a majority of the cells."""
        assert winner is not None
        claimed = self.game.territory_cells(position, winner + RED)
        message = f"{self.game.colours[winner]} claims {len(claimed)} of {len(self.board)} cells, more than half"
        return Outcome(winner, "majority", self.cell_names(claimed), OBJECT_CLAUSE, message)
