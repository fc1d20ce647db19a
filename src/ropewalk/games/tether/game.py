"""Tether, by Mark Steere (2009): surround more than half of a rhombus with stones tied to your sides."""

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
from ..claims import RuleClaim
from ..game import Game, Outcome, Position, Symmetry
from ..notation import append_outcome, require_one_of
from ..spec_parser import SpecReader, require_in_range

COLOURS = ("", "red", "blue")
LETTER_COLOURS = {"r": "red", "b": "blue"}
TOKENS = ("", "r", "b", "")
SYMBOLS = (".", "r", "b", ":")
PLACEMENT_CLAUSE = "Placing stones"
OBJECT_CLAUSE = "Territory and the object of the game"


class Tether(Game):
    """Tether on an n x n rhombus."""

    name = "Tether"
    designer = "Mark Steere"
    year = "2009"
    colours = ("red", "blue")
    planes = (
        *("board", "own stone", "other stone", "open", "closed", "own side", "other side"),
        *("own tethered", "other tethered", "own majority in eighths", "other majority in eighths"),
    )
    letters = LETTER_COLOURS
    rules: TetherRules

    def __init__(self, size: int) -> None:
        self.board = make_rhombus_board(size)
        self.options = {"size": size}
        self.spec = f"tether-{size}"
        self.rules = make_tether_rules(self.board)
        self.max_legal_moves = len(self.board)

    def start_row(self) -> Row:
        """The empty board: no stone but the sides."""
        cells = len(self.board)
        row = np.zeros(1 + 3 * (cells + 3) + 2 * cells, np.int16)
        row[0] = RED
        state = self.state(row)
        state.parent[:] = np.arange(cells + 3)
        state.stones[cells:] = [EMPTY, RED, BLUE]
        return row

    def list_move_texts(self) -> Sequence[str]:
        """A cell's name places a stone there."""
        return self.board.names

    def move_syntax(self) -> str:
        """Names of cells."""
        return f"a move is the name of a cell, column letter and row number, {self.board.names[0]} to {self.board.names[-1]}"

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Symmetries that keep each colour's sides, and those that exchange the colours."""
        red, blue = (set(self.board.marked_cells[colour]) for colour in self.colours)
        symmetries = []
        for cells in self.board.symmetries:
            image = {int(cells[cell]) for cell in red}
            if image in (red, blue):
                symmetries.append(Symmetry(cells=cells, moves=cells.astype(np.int16), swaps_colours=image != red))
        return symmetries

    def claims(self) -> Sequence[RuleClaim]:
        """What the sheet and our rulings say of every game."""
        from . import claims

        return claims.claims(self)

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """r, b, or nothing."""
        return [TOKENS[stone] for stone in self.stones(row)]

    def stones(self, row: Row) -> Cells:
        """The stones on the board, without the sides."""
        stones: Cells = self.state(row).stones[: len(self.board)]
        return stones

    def fields(self, row: Row) -> list[str]:
        """The colour to move."""
        return [COLOURS[self.state(row).to_play]]

    def is_token(self, token: str) -> bool:
        """r or b."""
        return token in ("r", "b")

    def swap_colours(self, token: str) -> str:
        """Red for blue."""
        return {"": "", "r": "b", "b": "r"}[token]

    def line_labels(self) -> Sequence[str]:
        """Row numbers."""
        return [str(row + 1) for row in range(self.options["size"])]

    def legend(self) -> str:
        """Stones and closed cells."""
        return "r red, b blue; a cell with two dots is surrounded, and nobody may place there."

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """Whether it is closed, and by whom."""
        if self.stones(position.row)[cell] != CLOSED:
            return "empty"
        return f"empty, and closed to both players: surrounded by {self.find_surrounding_loop(position, cell)[0]}"

    def score_summary(self, position: Position, start: Position) -> str:
        """Territory, and the stones that were captured since the start."""
        red, blue = self.count_territory(position)
        summary = f"territory: red {red}, blue {blue}; {len(self.board) // 2 + 1} of {len(self.board)} cells win"
        captured = self.count_captured(position, start)
        return summary + (f"; captured: red {captured[0]}, blue {captured[1]}" if any(captured) else "")

    def count_captured(self, position: Position, start: Position) -> list[int]:
        """How many stones red and blue have lost: those there were and those placed, less those that are left."""
        placed = len(position.steps()) - len(start.steps())
        first_colour = start.state.to_play
        captured = []
        for colour in (RED, BLUE):
            initial, remaining = (int((self.stones(each.row) == colour).sum()) for each in (start, position))
            captured.append(initial + (placed + (colour == first_colour)) // 2 - remaining)
        return captured

    def header(self, column_width: int) -> str:
        """Column letters; columns lean to the right."""
        letters = [name[0] for name in self.board.names[: self.options["size"]]]
        return " ".join(letters)

    def header_note(self) -> str:
        """Whose sides are where."""
        last = self.board.names[-1]
        return f"red sides: rows 1 and {last[1:]}, blue sides: columns a and {last[0]}"

    def symbols(self, row: Row) -> list[str]:
        """Cells that nobody may place in any more have two dots."""
        return [SYMBOLS[stone] for stone in self.stones(row)]

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Work out groups, surrounded cells and territory from the stones alone."""
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
        """A winner is not to move; the game goes on only while there is a placement."""
        winner = interpreted(majority_winner)(self.rules, self.state(row))
        if winner == self.state(row).to_play - RED:
            colour = self.colours[winner]
            raise PositionError(f"{colour} has won already, so the other colour would be next to move")

    # Words

    def neighbours(self, cell: int) -> list[int]:
        """A cell's neighbours."""
        return [int(neighbour) for neighbour in self.board.neighbours[cell] if neighbour != NO_CELL]

    def connected_components(self, mask: Any) -> list[set[int]]:
        """The connected pieces of a set of cells, given as a mask."""
        unvisited = set(map(int, np.flatnonzero(mask)))
        components = []
        while unvisited:
            component, stack = set(), [min(unvisited)]
            unvisited.remove(stack[0])
            while stack:
                cell = stack.pop()
                component.add(cell)
                discovered = [neighbour for neighbour in self.neighbours(cell) if neighbour in unvisited]
                unvisited.difference_update(discovered)
                stack.extend(discovered)
            components.append(component)
        return components

    def surrounded_regions(self, stones: Any, colour: int) -> list[set[int]]:
        """The pieces of the board without these stones that touch no side of the opponent."""
        open_side = set(self.board.marked_cells[COLOURS[3 - colour]])
        return [piece for piece in self.connected_components(~np.asarray(stones)) if not piece & open_side]

    def find_surrounding_loop(self, position: Position, cell: int) -> tuple[str, set[int]]:
        """The colour that surrounds a cell, and its stones next to the surrounded piece."""
        stones = self.stones(position.row)
        for colour in (RED, BLUE):
            for region in self.surrounded_regions(stones == colour, colour):
                if cell in region:
                    loop = {near for inside in region for near in self.neighbours(inside) if stones[near] == colour}
                    return COLOURS[colour], loop
        raise AssertionError("a surrounded cell has a loop around it")

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Taken or surrounded."""
        name, stone = self.board.names[move], position.state.stones[move]
        if stone != CLOSED:
            message = f"{name} already has a {COLOURS[stone]} stone"
            return self.illegal_move(move, message, reason="taken", clause=PLACEMENT_CLAUSE, witness=[move])
        colour, loop = self.find_surrounding_loop(position, move)
        message = f"{name} is surrounded by {colour}: nobody may place there"
        return self.illegal_move(move, message, reason="surrounded", clause=PLACEMENT_CLAUSE, witness=sorted(loop))

    def explanation(self, position: Position, move: int) -> str:
        """Captures, tethering, territory."""
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
        """How many cells red and blue claim."""
        state = position.state
        return tuple(int(interpreted(territory_size)(self.rules, state, colour)) for colour in (RED, BLUE))  # type: ignore[return-value]

    def territory_cells(self, position: Position, colour: int) -> set[int]:
        """The cells that a player claims: tethered stones and what they surround together."""
        stones = self.stones(position.row)
        side = set(self.board.marked_cells[COLOURS[colour]])
        tethered = {cell for group in self.connected_components(stones == colour) if group & side for cell in group}
        mask = np.isin(np.arange(len(self.board)), list(tethered))
        return tethered.union(*self.surrounded_regions(mask, colour))

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """A majority of the cells."""
        assert winner is not None
        claimed = self.territory_cells(position, winner + RED)
        message = f"{self.colours[winner]} claims {len(claimed)} of {len(self.board)} cells, more than half"
        return Outcome(winner, "majority", self.cell_names(claimed), OBJECT_CLAUSE, message)


def from_spec(reader: SpecReader) -> Tether:
    """tether-N."""
    size = int(reader.next_word(r"\d+", "an odd size 3 to 19"))
    require_in_range(reader, size, 3, 19, "size")
    if size % 2 == 0:
        raise reader.error(f"size {size} is even; Tether is played on odd sizes 3 to 19")
    reader.require_known_flags([])
    return Tether(size)
