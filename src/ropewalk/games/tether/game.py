"""Tether on a rhombus of hexagons: board, rules and texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...boards import NO_CELL, make_rhombus_board
from ...errors import IllegalMove, PositionError
from ...jit.interpreted import interpreted
from ...rules.generic import Row
from ...rules.tether import (
    BLUE,
    CLOSED,
    EMPTY,
    RED,
    Cells,
    TetherRules,
    majority_winner,
    make_tether_rules,
    recompute_groups,
    territory_size,
)
from ...text import plural
from ..game import Game
from ..notation import append_outcome, require_one_of
from ..position import Outcome, Position, Symmetry
from ..spec_parser import format_spec
from . import SPEC

COLOURS = ("", *SPEC.colours)
TOKENS = ("", *SPEC.tokens.pieces, "")  # by stone: EMPTY, RED, BLUE, CLOSED
SYMBOLS = (".", "r", "b", ":")
PLACEMENT_CLAUSE = "Placing stones"
OBJECT_CLAUSE = "Territory and the object of the game"


class Tether(Game):
    """Tether on an n x n rhombus."""

    definition = SPEC
    planes = (
        *("board", "own stone", "other stone", "open", "closed", "own side", "other side"),
        *("own tethered", "other tethered", "own majority in eighths", "other majority in eighths"),
    )
    rules: TetherRules

    def __init__(self, size: int) -> None:
        self.board = make_rhombus_board(size)
        self.options = {"size": size}
        self.spec = format_spec(SPEC, self.options)
        self.rules = make_tether_rules(self.board)
        self.max_legal_moves = len(self.board)

    def start_row(self) -> Row:
        """Return the row of the empty board, in which only the sides count as stones."""
        cells = len(self.board)
        row = np.zeros(1 + 3 * (cells + 3) + 2 * cells, np.int16)
        row[0] = RED
        state = self.state(row)
        state.parent[:] = np.arange(cells + 3)
        state.stones[cells:] = [EMPTY, RED, BLUE]
        return row

    def list_move_texts(self) -> Sequence[str]:
        """Return the cells' names, which place a stone."""
        return self.board.names

    def move_syntax(self) -> str:
        """Return the syntax of moves: names of cells."""
        return f"a move is the name of a cell, column letter and row number, {self.board.names[0]} to {self.board.names[-1]}"

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries that preserve or exchange the sides of the colours."""
        red, blue = (set(self.board.marked_cells[colour]) for colour in self.colours)
        symmetries = []
        for cells in self.board.symmetries:
            image = {int(cells[cell]) for cell in red}
            if image in (red, blue):
                symmetries.append(Symmetry(cells=cells, moves=cells.astype(np.int16), swaps_colours=image != red))
        return symmetries

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Return "r", "b" or "" for each cell."""
        return [TOKENS[stone] for stone in self.stones(row)]

    def stones(self, row: Row) -> Cells:
        """Return a view of the cells of a row [cells]: EMPTY, RED, BLUE or CLOSED, without the sides."""
        stones: Cells = self.state(row).stones[: len(self.board)]
        return stones

    def fields(self, row: Row) -> list[str]:
        """Return the colour to move."""
        return [COLOURS[self.state(row).to_play]]

    def line_labels(self) -> Sequence[str]:
        """Return the row numbers."""
        return [str(row + 1) for row in range(self.options["size"])]

    def legend(self) -> str:
        """Return how to read stones and closed cells."""
        return "r red, b blue; a cell with two dots is surrounded, and nobody may place there."

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """Return whether a cell is closed, and by which colour."""
        if self.stones(position.row)[cell] != CLOSED:
            return "empty"
        return f"empty, and closed to both players: surrounded by {self.find_surrounding_loop(position, cell)[0]}"

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the territories, and the stones captured since the start."""
        red, blue = self.count_territory(position)
        summary = f"territory: red {red}, blue {blue}; {len(self.board) // 2 + 1} of {len(self.board)} cells win"
        captured = self.count_captured(position, start)
        return summary + (f"; captured: red {captured[0]}, blue {captured[1]}" if any(captured) else "")

    def count_captured(self, position: Position, start: Position) -> list[int]:
        """Return the numbers of stones that red and blue have lost: initial plus placed minus remaining ones."""
        placed = len(position.steps()) - len(start.steps())
        first_colour = start.state.to_play
        captured = []
        for colour in (RED, BLUE):
            initial, remaining = (int((self.stones(each.row) == colour).sum()) for each in (start, position))
            captured.append(initial + (placed + (colour == first_colour)) // 2 - remaining)
        return captured

    def header(self, column_width: int) -> str:
        """Return the column letters; columns lean to the right."""
        letters = [name[0] for name in self.board.names[: self.options["size"]]]
        return " ".join(letters)

    def header_note(self) -> str:
        """Return the sides of both colours."""
        last = self.board.names[-1]
        return f"red sides: rows 1 and {last[1:]}, blue sides: columns a and {last[0]}"

    def symbols(self, row: Row) -> list[str]:
        """Return the symbols; closed cells have two dots."""
        return [SYMBOLS[stone] for stone in self.stones(row)]

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row with groups, closed cells and territory computed from the stones, or raise a PositionError."""
        colour, *rest = fields or ["red"]
        to_play = COLOURS.index(require_one_of(colour, self.colours, "a colour to move"))
        if rest:
            raise PositionError(f"{' '.join(rest)!r} is one field too many: only the colour to move follows the cells")
        row = self.start_row()
        self.stones(row)[:] = [TOKENS.index(token) for token in tokens]
        trapped = recompute_groups(self.rules, self.state(row))
        if trapped != NO_CELL:
            stone = self.stones(row)[trapped]
            raise PositionError(
                f"the {COLOURS[stone]} stone on {self.board.names[trapped]} is surrounded by {COLOURS[3 - stone]} "
                "and should have been captured"
            )
        row[0] = to_play
        self.require_no_winner_to_move(row)
        return row

    def require_no_winner_to_move(self, row: Row) -> None:
        """Raise a PositionError if the player to move has won already."""
        winner = interpreted(majority_winner)(self.rules, self.state(row))
        if winner == self.state(row).to_play - RED:
            colour = self.colours[winner]
            raise PositionError(f"{colour} has won already, so the other colour would be next to move")

    # Explanations

    def surrounded_regions(self, stones: Any, colour: int) -> list[set[int]]:
        """Return the components of the board without `stones` (a mask) that touch no side of the opponent."""
        open_side = set(self.board.marked_cells[COLOURS[3 - colour]])
        return [piece for piece in self.board.components(np.flatnonzero(~np.asarray(stones))) if not piece & open_side]

    def find_surrounding_loop(self, position: Position, cell: int) -> tuple[str, set[int]]:
        """Return the colour that surrounds a cell, and its stones adjacent to the surrounded region."""
        stones = self.stones(position.row)
        for colour in (RED, BLUE):
            for region in self.surrounded_regions(stones == colour, colour):
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
        message = f"{name} is surrounded by {colour}: nobody may place there"
        return self.illegal_move(move, message, reason="surrounded", clause=PLACEMENT_CLAUSE, witness=sorted(loop))

    def explanation(self, position: Position, move: int) -> str:
        """Return the captures, closed cells and territory of a placement."""
        after = position.play_id(move)
        mover = position.state.to_play
        parts = [f"{COLOURS[mover]} places on {self.board.names[move]}"]
        captured = np.flatnonzero((self.stones(position.row) == 3 - mover) & (self.stones(after.row) == CLOSED))
        if len(captured):
            stones = plural(len(captured), f"{COLOURS[3 - mover]} stone")
            parts.append(f"captures {stones} ({', '.join(self.cell_names(captured.tolist()))})")
        num_closed = int((self.stones(after.row) == CLOSED).sum() - (self.stones(position.row) == CLOSED).sum())
        if num_closed:
            parts.append(f"closes {plural(num_closed, 'cell')} to both players")
        gained = self.count_territory(after)[mover - 1] - self.count_territory(position)[mover - 1]
        if gained:
            share = f"{self.count_territory(after)[mover - 1]} of {len(self.board)}"
            parts.append(f"gains {plural(gained, 'cell')} of territory ({share})")
        return append_outcome(", ".join(parts), after)

    def count_territory(self, position: Position) -> tuple[int, int]:
        """Return the sizes of the territories of red and blue."""
        state = position.state
        return tuple(int(interpreted(territory_size)(self.rules, state, colour)) for colour in (RED, BLUE))  # type: ignore[return-value]

    def territory_cells(self, position: Position, colour: int) -> set[int]:
        """Return the territory of a colour: tethered stones and the cells that they surround together."""
        stones = self.stones(position.row)
        side = set(self.board.marked_cells[COLOURS[colour]])
        tethered = {
            cell for group in self.board.components(np.flatnonzero(stones == colour)) if group & side for cell in group
        }
        mask = np.isin(np.arange(len(self.board)), list(tethered))
        return tethered.union(*self.surrounded_regions(mask, colour))

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the winner's territory, a majority of the cells."""
        assert winner is not None
        claimed = self.territory_cells(position, winner + RED)
        message = f"{self.colours[winner]} claims {len(claimed)} of {len(self.board)} cells, more than half"
        return Outcome(winner, "majority", self.cell_names(claimed), OBJECT_CLAUSE, message)
