"""The board itself: its ground, its cells, the lines of a solid, the names in its margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..boards import Board
from .stroke_font import WEIGHT
from .looks import Look
from .svg import Paper, number
from .scene import Scene, Sheet
from .themes import Theme

SLENDER = 0.55  # the weight of large letters
EDGE, MARKED = 1.7, 2.6  # strong lines, in fine ones


@dataclass(frozen=True)
class Surface:
    """Draws a board without what stands on it."""

    paper: Paper
    theme: Theme
    board: Board
    look: Look
    sheet: Sheet

    @property
    def scene(self) -> Scene:
        """Where everything is."""
        return self.sheet.scene

    def ground(self) -> None:
        """The paper, the shadow on it, and what the cells lie on."""
        self.paper.turn_to("paper")
        self.paper.draw("rect", width=self.sheet.width, height=self.sheet.height, fill=self.theme.colours["paper"])
        if self.scene.shadow is not None and self.theme.shadow:
            soft = f'<feGaussianBlur stdDeviation="{number(0.2 * self.scene.unit)}"/>'
            whole = {"x": 0, "y": 0, "width": self.sheet.width, "height": self.sheet.height}
            blur = self.paper.define("filter", soft, filterUnits="userSpaceOnUse", **whole)
            self.paper.shape(self.scene.shadow, fill="#000", opacity=1.3 * self.theme.shadow, filter=blur)
        self.paper.turn_to("board")
        for area in self.scene.under:
            strong = area.outlined or "side" in area.role
            self.paper.shape(
                area.points,
                fill=self.theme.surface(area.role, area.light),
                stroke=self.theme.colours["strong" if strong else "line"],
                stroke_width=self.sheet.line,
                stroke_opacity=None if area.outlined else self.theme.line,
            )

    def cells(self) -> None:
        """All cells in sight, each under its name."""
        self.paper.turn_to("cells")
        for cell, patches in self.scene.patches.items():
            role, name = self.look.role(self.board, cell), self.board.names[cell]
            for patch in patches:
                fill = self.round_wall(role) if patch.light is None else self.theme.surface(role, patch.light)
                line = {"stroke_opacity": self.theme.line, "stroke_width": self.sheet.line}
                colour = self.theme.colours["line"]
                self.paper.shape(patch.points, True, name, data_cell=name, fill=fill, stroke=colour, **line)

    def round_wall(self, role: str) -> str:
        """A wall that is as bright at each place as the light that falls there."""
        assert self.scene.wall is not None
        left, right, camera = self.scene.wall
        forward = camera.axes[2] * np.array([1, 1, 0])
        forward = forward / max(float(np.linalg.norm(forward)), 1e-9)
        stops = []
        for angle in np.radians(np.arange(-90, 91, 15)):
            light = camera.brightness(np.sin(angle) * camera.right + np.cos(angle) * forward)
            stops.append(((1 + float(np.sin(angle))) / 2, self.theme.surface(role, light), 1.0))
        return self.paper.gradient(stops, gradientUnits="userSpaceOnUse", x1=left, y1=0, x2=right, y2=0)

    def edges(self) -> None:
        """The edges of a solid, and the folds of a net."""
        strong, line = self.theme.colours["strong"], self.sheet.line
        dashes = f"{number(3 * line)} {number(4 * line)}"
        for fold in self.scene.folds:
            self.paper.shape(fold, False, fill="none", stroke=strong, stroke_width=line, stroke_dasharray=dashes)
        for edge in self.scene.edges:
            self.paper.shape(edge, False, fill="none", stroke=strong, stroke_width=EDGE * line)

    def marked_cells(self) -> None:
        """A strong line round the centre, or round the nuclear cells."""
        self.paper.turn_to("marked")
        accent = self.theme.colours["accent"]
        for cell in (cell for mark in self.look.marks for cell in self.board.marked_cells[mark]):
            for points, closed in (patch.rim() for patch in self.scene.patches.get(cell, ())):
                self.paper.shape(points, closed, fill="none", stroke=accent, stroke_width=MARKED * self.sheet.line)

    def margins(self) -> None:
        """Names in the margins, and letters of faces."""
        self.paper.turn_to("margins")
        for label in self.scene.labels:
            weight = SLENDER if label.role == "watermark" else WEIGHT
            self.paper.text(label.text, label.spot, label.height, self.theme.colours[label.role], weight)
