"""A cursor on a drawn board.

Arrow keys follow the lines of the drawing. Where the drawing ends but the board goes on, they lead to the real neighbour.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from ..boards import NO_CELL, Board
from ..games.notation import DrawnCell, TextDiagram

RIGHT, UP, LEFT, DOWN = "right", "up", "left", "down"
ANGLES = {RIGHT: 0.0, UP: math.pi / 2, LEFT: math.pi, DOWN: -math.pi / 2}
ASPECT = 2.0  # a character is about twice as high as wide


class Cursor:
    """A place of the drawing. A cell on a cut edge of the board is drawn at several places."""

    def __init__(self, board: Board, drawing: TextDiagram) -> None:
        self.board = board
        self.set_drawing(drawing)
        self.index = find_middle(self.spots)
        self.target_column = self.spot.column  # the column that going up and down tries to keep

    def set_drawing(self, drawing: TextDiagram) -> None:
        """Use a new drawing of the same board; only columns and symbols may differ."""
        self.spots = drawing.cells
        if hasattr(self, "index"):
            self.target_column = self.spot.column

    @property
    def spot(self) -> DrawnCell:
        """The place of the cursor in the drawing."""
        return self.spots[self.index]

    @property
    def cell(self) -> int:
        """The cell under the cursor."""
        return self.spot.cell

    def go_to(self, cell: int) -> None:
        """Move to the first place of a cell."""
        self.index = next(index for index, spot in enumerate(self.spots) if spot.cell == cell)
        self.target_column = self.spot.column

    def step(self, direction: str) -> None:
        """Move by an arrow key: within the drawing if possible, else round the board, else not at all."""
        index = self.find_beside(direction) if direction in (LEFT, RIGHT) else self.find_in_next_line(direction)
        if index is None:
            index = self.find_beyond_edge(direction)
        if index is not None:
            self.index = index
            if direction in (LEFT, RIGHT) or abs(self.spot.column - self.target_column) > self.cell_pitch():
                self.target_column = self.spot.column

    def go_to_line_start(self) -> None:
        """Move to the first place of the line."""
        self.index = self.list_line(self.spot.line)[0]
        self.target_column = self.spot.column

    def go_to_line_end(self) -> None:
        """Move to the last place of the line."""
        self.index = self.list_line(self.spot.line)[-1]
        self.target_column = self.spot.column

    def list_line(self, line: int) -> list[int]:
        """Return the indices of the places in a line of the drawing."""
        return [index for index, spot in enumerate(self.spots) if spot.line == line]

    def find_beside(self, direction: str) -> int | None:
        """Return the index of the place to the left or right; None at the end of the line."""
        index = self.index + (1 if direction == RIGHT else -1)
        is_there = 0 <= index < len(self.spots) and self.spots[index].line == self.spot.line
        return index if is_there else None

    def find_in_next_line(self, direction: str) -> int | None:
        """Return the index of the place in the next line that is nearest to the target column.

        Only neighbours and places at most one cell aside count; None if there is none.
        """
        line = self.spot.line + (1 if direction == DOWN else -1)
        around = set(self.board.neighbours[self.cell].tolist())
        near = [
            index
            for index in self.list_line(line)
            if self.spots[index].cell in around or abs(self.spots[index].column - self.spot.column) <= self.cell_pitch()
        ]
        return min(near, key=lambda index: abs(self.spots[index].column - self.target_column), default=None)

    def cell_pitch(self) -> int:
        """Return the distance of two cells in the line of the cursor, in columns, at least 2."""
        line = self.list_line(self.spot.line)
        columns = [self.spots[index].column for index in line]
        gaps = [after - before for before, after in pairwise(columns)]
        return max(2, min(gaps, default=2))

    # Where the drawing ends but the board goes on

    def find_beyond_edge(self, direction: str) -> int | None:
        """Return the index of the place to which an arrow leads where the drawing ends.

        It is another place of the same cell, or a neighbour in that direction that is drawn elsewhere; else None.
        """
        twins = [index for index, spot in enumerate(self.spots) if spot.cell == self.cell and index != self.index]
        if twins:
            return twins[0]
        hidden = [
            (angle_between(angle, ANGLES[direction]), cell)
            for cell, angle in self.neighbour_angles().items()
            if not self.is_drawn_near(cell)
        ]
        close = [(off, cell) for off, cell in hidden if off < math.pi / 3]
        return next(index for index, spot in enumerate(self.spots) if spot.cell == min(close)[1]) if close else None

    def is_drawn_near(self, cell: int) -> bool:
        """Return whether a neighbour is drawn next to the cursor."""
        here = self.spot
        reach = 1.5 * self.cell_pitch()
        return any(
            spot.cell == cell and abs(spot.line - here.line) <= 1 and abs(spot.column - here.column) <= reach
            for spot in self.spots
        )

    def neighbour_angles(self) -> dict[int, float]:
        """Return the direction of each neighbour in radians.

        Neighbours that are drawn near have the direction of the drawing. The others lie between them, because the slots of
        a cell are in cyclic order. The result is empty if fewer than two neighbours are drawn near.
        """
        around = [int(cell) for cell in self.board.neighbours[self.cell] if cell != NO_CELL]
        drawn = {slot: self.angle_to(cell) for slot, cell in enumerate(around) if self.is_drawn_near(cell)}
        if len(drawn) < 2:
            return {}
        sense = rotation_sense(drawn, len(around))
        first = min(drawn)
        return {cell: drawn.get(slot, drawn[first] + sense * (slot - first) * 2 * math.pi / len(around))
                for slot, cell in enumerate(around)}  # fmt: skip

    def angle_to(self, cell: int) -> float:
        """Return the direction from the cursor to a cell that is drawn next to it, in radians."""
        here = self.spot
        there = min((spot for spot in self.spots if spot.cell == cell), key=lambda spot: distance(spot, here))
        return math.atan2(ASPECT * (here.line - there.line), there.column - here.column)


def rotation_sense(drawn: dict[int, float], slots: int) -> int:
    """Return 1 if the slots of a cell run counter-clockwise in the drawing, -1 if clockwise."""
    known = sorted(drawn)
    turns = [math.sin(drawn[after] - drawn[before]) for before, after in pairwise(known) if after - before < slots / 2]
    return 1 if sum(turns) >= 0 else -1


def angle_between(angle: float, other: float) -> float:
    """Return the angle between two directions, in [0, pi]."""
    return abs(math.remainder(angle - other, 2 * math.pi))


def distance(spot: DrawnCell, other: DrawnCell) -> float:
    """Return the distance of two places, in columns."""
    return math.hypot(ASPECT * (spot.line - other.line), spot.column - other.column)


def find_middle(spots: Sequence[DrawnCell]) -> int:
    """Return the index of the place nearest to the middle of the drawing."""
    line = sum(spot.line for spot in spots) / len(spots)
    column = sum(spot.column for spot in spots) / len(spots)
    return min(
        range(len(spots)), key=lambda index: math.hypot(ASPECT * (spots[index].line - line), spots[index].column - column)
    )
