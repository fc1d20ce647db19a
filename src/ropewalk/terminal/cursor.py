"""A cursor on a drawn board: arrows follow the lines of the drawing, and the real neighbours where it is cut."""

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
    """Stands on one spot of the drawing; a cell on a cut edge has several."""

    def __init__(self, board: Board, drawing: TextDiagram) -> None:
        self.board = board
        self.set_drawing(drawing)
        self.index = find_middle(self.spots)
        self.target_column = self.spot.column  # the column that going up and down tries to keep

    def set_drawing(self, drawing: TextDiagram) -> None:
        """Follow the board as it is drawn now; only columns and symbols change."""
        self.spots = drawing.cells
        if hasattr(self, "index"):
            self.target_column = self.spot.column

    @property
    def spot(self) -> DrawnCell:
        """Where it stands."""
        return self.spots[self.index]

    @property
    def cell(self) -> int:
        """The cell that it is on."""
        return self.spot.cell

    def go_to(self, cell: int) -> None:
        """Jump to a cell."""
        self.index = next(index for index, spot in enumerate(self.spots) if spot.cell == cell)
        self.target_column = self.spot.column

    def step(self, way: str) -> None:
        """An arrow key: to the next spot of the drawing that way, else round the board, else nowhere."""
        found = self.find_beside(way) if way in (LEFT, RIGHT) else self.find_in_next_line(way)
        if found is None:
            found = self.find_beyond_edge(way)
        if found is not None:
            self.index = found
            if way in (LEFT, RIGHT) or abs(self.spot.column - self.target_column) > self.cell_pitch():
                self.target_column = self.spot.column

    def go_to_line_start(self) -> None:
        """The first spot of the line."""
        self.index = self.list_line(self.spot.line)[0]
        self.target_column = self.spot.column

    def go_to_line_end(self) -> None:
        """The last spot of the line."""
        self.index = self.list_line(self.spot.line)[-1]
        self.target_column = self.spot.column

    def list_line(self, line: int) -> list[int]:
        """The spots of a line."""
        return [index for index, spot in enumerate(self.spots) if spot.line == line]

    def find_beside(self, way: str) -> int | None:
        """The next spot in the line, unless the drawing has a gap there."""
        index = self.index + (1 if way == RIGHT else -1)
        is_there = 0 <= index < len(self.spots) and self.spots[index].line == self.spot.line
        return index if is_there else None

    def find_in_next_line(self, way: str) -> int | None:
        """The spot of the next line nearest to the column aimed at: close by, or a neighbour."""
        line = self.spot.line + (1 if way == DOWN else -1)
        around = set(self.board.neighbours[self.cell].tolist())
        near = [
            index
            for index in self.list_line(line)
            if self.spots[index].cell in around or abs(self.spots[index].column - self.spot.column) <= self.cell_pitch()
        ]
        return min(near, key=lambda index: abs(self.spots[index].column - self.target_column), default=None)

    def cell_pitch(self) -> int:
        """How far aside the next line may be: about one cell."""
        line = self.list_line(self.spot.line)
        columns = [self.spots[index].column for index in line]
        gaps = [after - before for before, after in pairwise(columns)]
        return max(2, min(gaps, default=2))

    # Where the drawing ends but the board goes on

    def find_beyond_edge(self, way: str) -> int | None:
        """The other place of a cell on a cut edge, or the neighbour that lies that way on the board itself."""
        twins = [index for index, spot in enumerate(self.spots) if spot.cell == self.cell and index != self.index]
        if twins:
            return twins[0]
        hidden = [
            (angle_between(angle, ANGLES[way]), cell)
            for cell, angle in self.neighbour_angles().items()
            if not self.is_drawn_near(cell)
        ]
        close = [(off, cell) for off, cell in hidden if off < math.pi / 3]
        return next(index for index, spot in enumerate(self.spots) if spot.cell == min(close)[1]) if close else None

    def is_drawn_near(self, cell: int) -> bool:
        """Whether a neighbour is drawn next to the cursor."""
        here = self.spot
        reach = 1.5 * self.cell_pitch()
        return any(
            spot.cell == cell and abs(spot.line - here.line) <= 1 and abs(spot.column - here.column) <= reach
            for spot in self.spots
        )

    def neighbour_angles(self) -> dict[int, float]:
        """The direction of each neighbour: as it is drawn, or between those that are, since slots go round the cell."""
        around = [int(cell) for cell in self.board.neighbours[self.cell] if cell != NO_CELL]
        drawn = {slot: self.angle_to(cell) for slot, cell in enumerate(around) if self.is_drawn_near(cell)}
        if len(drawn) < 2:
            return {}
        sense = rotation_sense(drawn, len(around))
        first = min(drawn)
        return {cell: drawn.get(slot, drawn[first] + sense * (slot - first) * 2 * math.pi / len(around))
                for slot, cell in enumerate(around)}  # fmt: skip

    def angle_to(self, cell: int) -> float:
        """The direction from the cursor to a cell that is drawn next to it."""
        here = self.spot
        there = min((spot for spot in self.spots if spot.cell == cell), key=lambda spot: distance(spot, here))
        return math.atan2(ASPECT * (here.line - there.line), there.column - here.column)


def rotation_sense(drawn: dict[int, float], slots: int) -> int:
    """1 when slots go round counter-clockwise in the drawing, -1 when clockwise."""
    known = sorted(drawn)
    turns = [math.sin(drawn[after] - drawn[before]) for before, after in pairwise(known) if after - before < slots / 2]
    return 1 if sum(turns) >= 0 else -1


def angle_between(angle: float, other: float) -> float:
    """The angle between two directions."""
    return abs(math.remainder(angle - other, 2 * math.pi))


def distance(spot: DrawnCell, other: DrawnCell) -> float:
    """How far two spots are from each other."""
    return math.hypot(ASPECT * (spot.line - other.line), spot.column - other.column)


def find_middle(spots: Sequence[DrawnCell]) -> int:
    """The spot nearest to the middle of the drawing."""
    line = sum(spot.line for spot in spots) / len(spots)
    column = sum(spot.column for spot in spots) / len(spots)
    return min(
        range(len(spots)), key=lambda index: math.hypot(ASPECT * (spots[index].line - line), spots[index].column - column)
    )
