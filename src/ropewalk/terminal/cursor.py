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
        self.show(drawing)
        self.index = middle_of(self.spots)
        self.goal = self.spot.column  # the column that going up and down tries to keep

    def show(self, drawing: TextDiagram) -> None:
        """Follow the board as it is drawn now; only columns and symbols change."""
        self.spots = drawing.cells
        if hasattr(self, "index"):
            self.goal = self.spot.column

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
        self.goal = self.spot.column

    def step(self, way: str) -> None:
        """An arrow key: to the next spot of the drawing that way, else round the board, else nowhere."""
        found = self.beside(way) if way in (LEFT, RIGHT) else self.above_or_below(way)
        if found is None:
            found = self.beyond(way)
        if found is not None:
            self.index = found
            if way in (LEFT, RIGHT) or abs(self.spot.column - self.goal) > self.reach():
                self.goal = self.spot.column

    def home(self) -> None:
        """The first spot of the line."""
        self.index = self.line_of(self.spot.line)[0]
        self.goal = self.spot.column

    def end(self) -> None:
        """The last spot of the line."""
        self.index = self.line_of(self.spot.line)[-1]
        self.goal = self.spot.column

    def line_of(self, line: int) -> list[int]:
        """The spots of a line."""
        return [index for index, spot in enumerate(self.spots) if spot.line == line]

    def beside(self, way: str) -> int | None:
        """The next spot in the line, unless the drawing has a gap there."""
        index = self.index + (1 if way == RIGHT else -1)
        is_there = 0 <= index < len(self.spots) and self.spots[index].line == self.spot.line
        return index if is_there else None

    def above_or_below(self, way: str) -> int | None:
        """The spot of the next line nearest to the column aimed at: close by, or a neighbour."""
        line = self.spot.line + (1 if way == DOWN else -1)
        around = set(self.board.neighbours[self.cell].tolist())
        near = [
            index
            for index in self.line_of(line)
            if self.spots[index].cell in around or abs(self.spots[index].column - self.spot.column) <= self.reach()
        ]
        return min(near, key=lambda index: abs(self.spots[index].column - self.goal), default=None)

    def reach(self) -> int:
        """How far aside the next line may be: about one cell."""
        line = self.line_of(self.spot.line)
        columns = [self.spots[index].column for index in line]
        gaps = [after - before for before, after in pairwise(columns)]
        return max(2, min(gaps, default=2))

    # Where the drawing ends but the board goes on

    def beyond(self, way: str) -> int | None:
        """The other place of a cell on a cut edge, or the neighbour that lies that way on the board itself."""
        twins = [index for index, spot in enumerate(self.spots) if spot.cell == self.cell and index != self.index]
        if twins:
            return twins[0]
        hidden = [
            (turned(angle, ANGLES[way]), cell) for cell, angle in self.angles().items() if not self.is_drawn_near(cell)
        ]
        close = [(off, cell) for off, cell in hidden if off < math.pi / 3]
        return next(index for index, spot in enumerate(self.spots) if spot.cell == min(close)[1]) if close else None

    def is_drawn_near(self, cell: int) -> bool:
        """Whether a neighbour is drawn next to the cursor."""
        here = self.spot
        reach = 1.5 * self.reach()
        return any(
            spot.cell == cell and abs(spot.line - here.line) <= 1 and abs(spot.column - here.column) <= reach
            for spot in self.spots
        )

    def angles(self) -> dict[int, float]:
        """The direction of each neighbour: as it is drawn, or between those that are, since slots go round the cell."""
        around = [int(cell) for cell in self.board.neighbours[self.cell] if cell != NO_CELL]
        drawn = {slot: self.drawn_angle(cell) for slot, cell in enumerate(around) if self.is_drawn_near(cell)}
        if len(drawn) < 2:
            return {}
        sense = sense_of(drawn, len(around))
        first = min(drawn)
        return {cell: drawn.get(slot, drawn[first] + sense * (slot - first) * 2 * math.pi / len(around))
                for slot, cell in enumerate(around)}  # fmt: skip

    def drawn_angle(self, cell: int) -> float:
        """The direction from the cursor to a cell that is drawn next to it."""
        here = self.spot
        there = min((spot for spot in self.spots if spot.cell == cell), key=lambda spot: apart(spot, here))
        return math.atan2(ASPECT * (here.line - there.line), there.column - here.column)


def sense_of(drawn: dict[int, float], slots: int) -> int:
    """1 when slots go round counter-clockwise in the drawing, -1 when clockwise."""
    known = sorted(drawn)
    turns = [math.sin(drawn[after] - drawn[before]) for before, after in pairwise(known) if after - before < slots / 2]
    return 1 if sum(turns) >= 0 else -1


def turned(angle: float, other: float) -> float:
    """The angle between two directions."""
    return abs(math.remainder(angle - other, 2 * math.pi))


def apart(spot: DrawnCell, other: DrawnCell) -> float:
    """How far two spots are from each other."""
    return math.hypot(ASPECT * (spot.line - other.line), spot.column - other.column)


def middle_of(spots: Sequence[DrawnCell]) -> int:
    """The spot nearest to the middle of the drawing."""
    line = sum(spot.line for spot in spots) / len(spots)
    column = sum(spot.column for spot in spots) / len(spots)
    return min(
        range(len(spots)), key=lambda index: math.hypot(ASPECT * (spots[index].line - line), spots[index].column - column)
    )
