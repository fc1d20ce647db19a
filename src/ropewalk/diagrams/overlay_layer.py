"""Overlay layer: tinted cells, the last move, numbers, arrows, marks and names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ..boards import Board
from .geometry import Vector, project_ball
from .looks import BoardLook
from .numbered_moves import NumberedMove
from .piece_layer import STONE_FILL, project_circle
from .scene import Page, Placement, Scene
from .stroke_font import BOLD_STROKE_WIDTH, CAPITAL_HEIGHT, STROKE_WIDTH, measure_width
from .svg import SvgWriter, format_number
from .themes import Theme

CORNER_NAME_HEIGHT = 0.11  # a name in the corner of a square, in units
MAX_NAME_SHARE, MAX_NUMBER_SHARE = 0.024, 0.045  # letters on cells, of the page's longer side
NAME_HEIGHT, LABEL_HEIGHT = 0.68, 0.92  # letters on cells, of the radius of the largest piece that fits
CORNERS = ((1, -1), (-1, -1), (-1, 1), (1, 1))
BADGE_RADIUS = 0.19  # the disc of a number
ARROWHEAD_LENGTH = 0.16
WALL_LIGHT = 0.8  # the light on a round wall, where it need not be exact


@dataclass(frozen=True)
class OverlayLayer:
    """Draws over the board and its pieces.

    `top_placements` are the places on top of the pieces, by cell; `inks` the colours of text on the pieces.
    """

    writer: SvgWriter
    theme: Theme
    board: Board
    look: BoardLook
    page: Page
    top_placements: Mapping[int, list[Placement]]
    inks: Mapping[int, str]

    @property
    def scene(self) -> Scene:
        """The scene on the page, in pixels."""
        return self.page.scene

    @property
    def line_width(self) -> float:
        """The width of a fine line, in pixels."""
        return self.page.line_width

    def list_placements(self, cell: int) -> list[Placement]:
        """List the places for text on a visible cell: on top of its pieces, and in each part of a cut cell."""
        placements = self.top_placements.get(cell) or list(self.scene.placements.get(cell, ()))
        return [centre_in_sector(placement) for placement in placements if not placement.is_turned_away]

    def find_ink(self, cell: int) -> str:
        """Return the colour of text on a cell with its pieces."""
        return self.inks.get(cell, self.theme.colours["ink"])

    def convert_page_share(self, share: float) -> float:
        """Return a share of the page's longer side in units of the scene."""
        return share * max(self.page.width, self.page.height) / self.scene.unit

    # Tinted cells

    def draw_tint(self, cell: int, colour: str, opacity: float) -> None:
        """Fill a cell with a translucent colour."""
        for patch in self.scene.patches.get(cell, ()):
            self.writer.draw_path(patch.points, fill=colour, fill_opacity=opacity)

    def draw_region(self, cells: Sequence[int], colour: str, opacity: float) -> None:
        """Tint cells and draw a strong line round all of them.

        The line is drawn round each cell and then covered inside the region.
        """
        shown = [(cell, patch) for cell in cells for patch in self.scene.patches.get(cell, ())]
        for _, patch in shown:
            self.writer.draw_path(patch.points, fill="none", stroke=colour, stroke_width=4.2 * self.line_width)
        for cell, patch in shown:
            light = WALL_LIGHT if patch.light is None else patch.light
            self.writer.draw_path(patch.points, fill=self.theme.surface_colour(self.look.cell_role(self.board, cell), light))
        for _, patch in shown:
            self.writer.draw_path(
                patch.points,
                fill=colour,
                fill_opacity=opacity,
                stroke=self.theme.colours["line"],
                stroke_opacity=self.theme.line_opacity,
                stroke_width=self.line_width,
            )

    def draw_outline(self, cell: int, colour: str, dashed: bool = False) -> None:
        """Draw a strong line inside the outline of a cell."""
        dashes = f"{format_number(4 * self.line_width)} {format_number(4 * self.line_width)}" if dashed else None
        for patch in self.scene.patches.get(cell, ()):
            middle = patch.points.mean(axis=0)
            inner = middle + (patch.points - middle) * 0.93
            self.writer.draw_path(
                inner, fill="none", stroke=colour, stroke_width=2.2 * self.line_width, stroke_dasharray=dashes
            )

    # Text

    def draw_name(self, cell: int) -> None:
        """Draw the name of a cell in its middle, or in its corner on boards with stacks."""
        name = self.board.names[cell]
        if self.look.has_stacks:
            for placement in self.scene.placements.get(cell, ()):
                self.writer.draw_text(name, placement.shift(-0.38, -0.41), CORNER_NAME_HEIGHT, self.theme.colours["name"])
            return
        colour = self.inks.get(cell, self.theme.colours["name"])
        for placement in self.list_placements(cell):
            height = fit_text_height(name, placement, NAME_HEIGHT, self.convert_page_share(MAX_NAME_SHARE))
            self.writer.draw_text(name, placement, height, colour, STROKE_WIDTH)

    def draw_label(self, cell: int, text: str, avoiding: Sequence[Vector] = ()) -> None:
        """Draw a number or label on a cell.

        On boards with stacks it is in a corner to which none of the directions `avoiding` leads.
        """
        if self.look.has_stacks:
            for placement in self.scene.placements.get(cell, ()):
                self.draw_badge(placement.shift(*find_free_corner(avoiding)), text)
            return
        for placement in self.list_placements(cell):
            height = fit_text_height(text, placement, LABEL_HEIGHT, self.convert_page_share(MAX_NUMBER_SHARE))
            self.writer.draw_text(text, placement, height, self.find_ink(cell), BOLD_STROKE_WIDTH)

    def draw_badge(self, placement: Placement, text: str) -> None:
        """Draw a number on a small disc."""
        wide = BADGE_RADIUS * max(1.0, measure_width(text) / 9.5)
        ink, outline = self.theme.colours["ink"], project_ball([wide * placement.across, BADGE_RADIUS * placement.down])
        self.writer.draw_ellipse(
            placement.origin, outline, fill=self.theme.colours["paper"], stroke=ink, stroke_width=self.line_width
        )
        self.writer.draw_text(text, placement, 0.2, ink, BOLD_STROKE_WIDTH)

    # Moves

    def draw_last_move(self, steps: Iterable[NumberedMove]) -> None:
        """Mark the target and the source of the last move."""
        for step in steps:
            for name in step.cells[:-1]:
                self.draw_outline(self.board.index[name], self.theme.colours["accent"], dashed=True)
            for name in step.cells[-1:]:
                self.draw_dot(self.board.index[name])

    def draw_dot(self, cell: int) -> None:
        """Draw a dot on the stone played last, or a line inside the cell on boards with stacks."""
        accent = self.theme.colours["accent"]
        if self.look.has_stacks or cell not in self.top_placements:
            self.draw_outline(cell, accent)
            return
        fill = accent if self.theme.has_relief else self.inks[cell]
        for placement in self.list_placements(cell):
            size = project_circle(placement, 0.24 * placement.max_radius)
            self.writer.draw_ellipse(
                placement.origin, size, fill=fill, stroke=self.inks[cell], stroke_width=0.8 * self.line_width
            )

    def draw_arrow(self, start: int, end: int, text: str) -> None:
        """Draw an arrow from cell to cell, with a number in its middle."""
        here, there = self.scene.placements[start][0], (self.top_placements.get(end) or self.scene.placements[end])[0]
        way = there.origin - here.origin
        ahead = way / np.hypot(*way) * ARROWHEAD_LENGTH * self.scene.unit
        aside = np.array([-ahead[1], ahead[0]])
        beside = 0.6 * aside  # so that the arrows of a move there and back do not coincide
        begin, tip = here.origin + 0.4 * ahead + beside, there.origin - 1.2 * ahead + beside
        head = np.array([tip + 0.9 * ahead, tip - 0.4 * ahead + 0.62 * aside, tip - 0.4 * ahead - 0.62 * aside])
        for role, extra in (("paper", 2.6), ("ink", 0.0)):
            colour = self.theme.colours[role]
            self.writer.draw_path(
                np.array([begin, tip]), False, fill="none", stroke=colour, stroke_width=(2.4 + extra) * self.line_width
            )
            self.writer.draw_path(head, fill=colour, stroke=colour, stroke_width=extra * self.line_width)
        self.draw_badge(replace(here, origin=begin + 0.45 * (tip - begin)), text)

    # Marks

    def draw_mark(self, cell: int, mark: str) -> None:
        """Draw a shape or a label on a cell."""
        if mark not in MARK_SHAPES:
            self.draw_label(cell, mark)
            return
        for placement in self.list_placements(cell):
            size = placement.max_radius * (0.46 if placement.sector is None else 0.25)
            for points, closed in MARK_SHAPES[mark]:
                outline = np.array([placement.locate(0, size * x, size * y) for x, y in points])
                self.writer.draw_path(
                    outline, closed, fill="none", stroke=self.find_ink(cell), stroke_width=2.4 * self.line_width
                )


def fit_text_height(text: str, placement: Placement, share: float, max_height: float) -> float:
    """Return the height of letters on a cell: a share of its largest piece's radius, smaller if the text would not fit."""
    widest = 1.5 * placement.max_radius * STONE_FILL * CAPITAL_HEIGHT / measure_width(text)
    part = 0.55 if placement.sector is not None else 1.0
    return part * min(share * placement.max_radius, max_height, widest)


def find_free_corner(avoiding: Sequence[Vector]) -> tuple[float, float]:
    """Return a corner of a square to which none of these directions leads, as a shift from its centre."""
    for x, y in CORNERS:
        if all(x * way[0] + y * way[1] < 0.3 * np.hypot(*way) for way in avoiding):
            return 0.29 * x, 0.29 * y
    return 0.0, 0.0


def centre_in_sector(placement: Placement) -> Placement:
    """Return the placement for text: in the middle of the sector if a map cuts the cell."""
    if placement.sector is None:
        return placement
    start, end = (way / np.hypot(*way) for way in placement.sector)
    between = start + end
    if np.hypot(*between) < 1e-6:
        between = np.array([start[1], -start[0]])  # 90 degrees counter-clockwise as seen
    if start[0] * end[1] - start[1] * end[0] > 1e-6:  # the part is more than half of the cell
        between = -between
    return replace(
        placement, origin=placement.origin + between / np.hypot(*between) * 0.5 * placement.max_radius * placement.scale
    )


def _regular_polygon(sides: int) -> list[tuple[float, float]]:
    return [(float(np.cos(angle)), float(np.sin(angle))) for angle in np.arange(sides) * 2 * np.pi / sides]


MARK_SHAPES: Mapping[str, Sequence[tuple[Sequence[tuple[float, float]], bool]]] = {
    "triangle": [([(0.0, -1.15), (1.0, 0.58), (-1.0, 0.58)], True)],
    "square": [([(-0.82, -0.82), (0.82, -0.82), (0.82, 0.82), (-0.82, 0.82)], True)],
    "circle": [(_regular_polygon(40), True)],
    "cross": [([(-0.85, -0.85), (0.85, 0.85)], False), ([(-0.85, 0.85), (0.85, -0.85)], False)],
}
