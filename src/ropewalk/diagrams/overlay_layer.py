"""What lies over board and pieces: tinted cells, the last move, numbers, arrows, marks, names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..boards import Board
from .geometry import Vector, ellipse_of
from .stroke_font import BOLD, CAPITAL, WEIGHT, width_of
from .looks import Look
from .svg import Paper, number
from .piece_layer import FILL, circle
from .numbered_moves import NumberedMove
from .scene import Scene, Sheet, Spot
from .themes import Theme

CORNER_NAME = 0.11  # the height of a name in the corner of a square
LARGEST_NAME, LARGEST_NUMBER = 0.024, 0.045  # letters on cells, of the longer side of the picture
CORNERS = ((1, -1), (-1, -1), (-1, 1), (1, 1))
BADGE = 0.19  # the radius of a number's disc
ARROWHEAD = 0.16
ROUND_WALL = 0.8  # the light on a round wall, where it need not be exact


@dataclass(frozen=True)
class Overlays:
    """Draws over one scene; `tops` are the spots on top of what stands on the cells, `inks` what is seen on it."""

    paper: Paper
    theme: Theme
    board: Board
    look: Look
    sheet: Sheet
    tops: Mapping[int, list[Spot]]
    inks: Mapping[int, str]

    @property
    def scene(self) -> Scene:
        """Where everything is."""
        return self.sheet.scene

    @property
    def line(self) -> float:
        """The width of a fine line."""
        return self.sheet.line

    def spots(self, cell: int) -> list[Spot]:
        """Where something can be written on a cell that is in sight: where a map cuts it, inside each part."""
        spots = self.tops.get(cell) or list(self.scene.spots.get(cell, ()))
        return [middle_of(spot) for spot in spots if not spot.turned_away]

    def ink(self, cell: int) -> str:
        """What is seen on the cell as it stands."""
        return self.inks.get(cell, self.theme.colours["ink"])

    def share(self, part: float) -> float:
        """A part of the longer side of the picture, in units."""
        return part * max(self.sheet.width, self.sheet.height) / self.scene.unit

    # Cells in colour

    def tint(self, cell: int, colour: str, strength: float) -> None:
        """A breath of colour on a cell."""
        for patch in self.scene.patches.get(cell, ()):
            self.paper.shape(patch.points, fill=colour, fill_opacity=strength)

    def region(self, cells: Sequence[int], colour: str, strength: float) -> None:
        """Cells tinted in a colour, with a strong line round all of them: drawn round each, then covered inside."""
        shown = [(cell, patch) for cell in cells for patch in self.scene.patches.get(cell, ())]
        for _, patch in shown:
            self.paper.shape(patch.points, fill="none", stroke=colour, stroke_width=4.2 * self.line)
        for cell, patch in shown:
            light = ROUND_WALL if patch.light is None else patch.light
            self.paper.shape(patch.points, fill=self.theme.surface(self.look.role(self.board, cell), light))
        line, opacity = self.theme.colours["line"], self.theme.line
        for _, patch in shown:
            self.paper.shape(
                patch.points, fill=colour, fill_opacity=strength, stroke=line, stroke_opacity=opacity, stroke_width=self.line
            )

    def outlined(self, cell: int, colour: str, dashed: bool = False) -> None:
        """A strong line inside a cell's outline."""
        dashes = f"{number(4 * self.line)} {number(4 * self.line)}" if dashed else None
        for patch in self.scene.patches.get(cell, ()):
            middle = patch.points.mean(axis=0)
            inner = middle + (patch.points - middle) * 0.93
            self.paper.shape(inner, fill="none", stroke=colour, stroke_width=2.2 * self.line, stroke_dasharray=dashes)

    # Letters

    def name(self, cell: int) -> None:
        """The name of a cell, in its middle, or in its corner where stacks stand."""
        name = self.board.names[cell]
        if self.look.stacked:
            for spot in self.scene.spots.get(cell, ()):
                self.paper.text(name, spot.shifted(-0.38, -0.41), CORNER_NAME, self.theme.colours["name"])
            return
        colour = self.inks.get(cell, self.theme.colours["name"])
        for spot in self.spots(cell):
            self.fitted(name, spot, min(0.68 * spot.room, self.share(LARGEST_NAME)), colour, WEIGHT)

    def label(self, cell: int, text: str, avoiding: Sequence[Vector] = ()) -> None:
        """A number or a label on a cell; where stacks stand, in a corner to which none of these ways leads."""
        if self.look.stacked:
            for spot in self.scene.spots.get(cell, ()):
                self.badge(spot.shifted(*free_corner(avoiding)), text)
            return
        for spot in self.spots(cell):
            self.fitted(text, spot, min(0.92 * spot.room, self.share(LARGEST_NUMBER)), self.ink(cell), BOLD)

    def fitted(self, text: str, spot: Spot, height: float, colour: str, weight: float) -> None:
        """Letters of this height, or smaller where they would not fit."""
        widest = 1.5 * spot.room * FILL * CAPITAL / width_of(text)
        part = 0.55 if spot.sector is not None else 1.0
        self.paper.text(text, spot, part * min(height, widest), colour, weight)

    def badge(self, spot: Spot, text: str) -> None:
        """A number on a small disc of paper."""
        wide = BADGE * max(1.0, width_of(text) / 9.5)
        ink, outline = self.theme.colours["ink"], ellipse_of([wide * spot.across, BADGE * spot.down])
        self.paper.ellipse(spot.origin, outline, fill=self.theme.colours["paper"], stroke=ink, stroke_width=self.line)
        self.paper.text(text, spot, 0.2, ink, BOLD)

    # Moves

    def last_move(self, steps: Iterable[NumberedMove]) -> None:
        """Where the last move went, and where it came from."""
        for step in steps:
            for name in step.cells[:-1]:
                self.outlined(self.board.index[name], self.theme.colours["accent"], dashed=True)
            for name in step.cells[-1:]:
                self.dot(self.board.index[name])

    def dot(self, cell: int) -> None:
        """A dot on the stone played last; a line inside the cell where stacks stand."""
        accent = self.theme.colours["accent"]
        if self.look.stacked or cell not in self.tops:
            self.outlined(cell, accent)
            return
        fill = accent if self.theme.relief else self.inks[cell]
        for spot in self.spots(cell):
            size = circle(spot, 0.24 * spot.room)
            self.paper.ellipse(spot.origin, size, fill=fill, stroke=self.inks[cell], stroke_width=0.8 * self.line)

    def arrow(self, start: int, end: int, text: str) -> None:
        """From cell to cell, numbered halfway."""
        here, there = self.scene.spots[start][0], (self.tops.get(end) or self.scene.spots[end])[0]
        way = there.origin - here.origin
        ahead = way / np.hypot(*way) * ARROWHEAD * self.scene.unit
        aside = np.array([-ahead[1], ahead[0]])
        beside = 0.6 * aside  # so that a way and the way back are two arrows
        begin, tip = here.origin + 0.4 * ahead + beside, there.origin - 1.2 * ahead + beside
        head = np.array([tip + 0.9 * ahead, tip - 0.4 * ahead + 0.62 * aside, tip - 0.4 * ahead - 0.62 * aside])
        for role, extra in (("paper", 2.6), ("ink", 0.0)):
            colour = self.theme.colours[role]
            self.paper.shape(
                np.array([begin, tip]), False, fill="none", stroke=colour, stroke_width=(2.4 + extra) * self.line
            )
            self.paper.shape(head, fill=colour, stroke=colour, stroke_width=extra * self.line)
        self.badge(replace(here, origin=begin + 0.45 * (tip - begin)), text)

    # Marks

    def mark(self, cell: int, mark: str) -> None:
        """A shape, or a label."""
        if mark not in SHAPES_DRAWN:
            self.label(cell, mark)
            return
        for spot in self.spots(cell):
            size = spot.room * (0.46 if spot.sector is None else 0.25)
            for points, closed in SHAPES_DRAWN[mark]:
                outline = np.array([spot.at(0, size * x, size * y) for x, y in points])
                self.paper.shape(outline, closed, fill="none", stroke=self.ink(cell), stroke_width=2.4 * self.line)


def free_corner(avoiding: Sequence[Vector]) -> tuple[float, float]:
    """A corner of a square to which none of these ways leads."""
    for x, y in CORNERS:
        if all(x * way[0] + y * way[1] < 0.3 * np.hypot(*way) for way in avoiding):
            return 0.29 * x, 0.29 * y
    return 0.0, 0.0


def middle_of(spot: Spot) -> Spot:
    """Where to write on a cell: where a map cuts it, inside the part."""
    if spot.sector is None:
        return spot
    start, end = (way / np.hypot(*way) for way in spot.sector)
    between = start + end
    if np.hypot(*between) < 1e-6:
        between = np.array([start[1], -start[0]])  # a quarter counter-clockwise for the eye
    if start[0] * end[1] - start[1] * end[0] > 1e-6:  # the part is more than half of the cell
        between = -between
    return replace(spot, origin=spot.origin + between / np.hypot(*between) * 0.5 * spot.room * spot.scale)


def _round(sides: int) -> list[tuple[float, float]]:
    return [(float(np.cos(angle)), float(np.sin(angle))) for angle in np.arange(sides) * 2 * np.pi / sides]


SHAPES_DRAWN: Mapping[str, Sequence[tuple[Sequence[tuple[float, float]], bool]]] = {
    "triangle": [([(0.0, -1.15), (1.0, 0.58), (-1.0, 0.58)], True)],
    "square": [([(-0.82, -0.82), (0.82, -0.82), (0.82, 0.82), (-0.82, 0.82)], True)],
    "circle": [(_round(40), True)],
    "cross": [([(-0.85, -0.85), (0.85, 0.85)], False), ([(-0.85, 0.85), (0.85, -0.85)], False)],
}
