"""Board layer: ground, cells, edges of a solid, marked cells, labels in the margins."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..boards import Board
from .looks import BoardLook
from .scene import Page, Scene
from .stroke_font import STROKE_WIDTH
from .svg import SvgWriter, format_number
from .themes import Theme

THIN_STROKE_WIDTH = 0.55  # of large letters
EDGE_WIDTH, MARKED_WIDTH = 1.7, 2.6  # strong lines, in widths of fine ones


@dataclass(frozen=True)
class BoardLayer:
    """Draws a board without its pieces."""

    writer: SvgWriter
    theme: Theme
    board: Board
    look: BoardLook
    page: Page

    @property
    def scene(self) -> Scene:
        """The scene on the page, in pixels."""
        return self.page.scene

    def draw_ground(self) -> None:
        """Draw the background, the shadow of the board, and the areas below the cells."""
        self.writer.use_layer("paper")
        self.writer.add_element("rect", width=self.page.width, height=self.page.height, fill=self.theme.colours["paper"])
        if self.scene.shadow is not None and self.theme.shadow_opacity:
            soft = f'<feGaussianBlur stdDeviation="{format_number(0.2 * self.scene.unit)}"/>'
            whole = {"x": 0, "y": 0, "width": self.page.width, "height": self.page.height}
            blur = self.writer.define("filter", soft, filterUnits="userSpaceOnUse", **whole)
            self.writer.draw_path(self.scene.shadow, fill="#000", opacity=1.3 * self.theme.shadow_opacity, filter=blur)
        self.writer.use_layer("board")
        for area in self.scene.areas:
            strong = area.has_outline or area.has_strong_line
            self.writer.draw_path(
                area.points,
                fill=self.theme.surface_colour(area.role, area.light),
                stroke=self.theme.colours["strong" if strong else "line"],
                stroke_width=self.page.line_width,
                stroke_opacity=None if area.has_outline else self.theme.line_opacity,
            )

    def draw_cells(self) -> None:
        """Draw all visible cells, each titled with its name."""
        self.writer.use_layer("cells")
        for cell, patches in self.scene.patches.items():
            role, name = self.look.cell_role(self.board, cell), self.board.names[cell]
            for patch in patches:
                fill = (
                    self.define_wall_gradient(role) if patch.light is None else self.theme.surface_colour(role, patch.light)
                )
                line = {"stroke_opacity": self.theme.line_opacity, "stroke_width": self.page.line_width}
                colour = self.theme.colours["line"]
                self.writer.draw_path(patch.points, True, name, data_cell=name, fill=fill, stroke=colour, **line)

    def define_wall_gradient(self, role: str) -> str:
        """Define the gradient of the cylinder's wall by the light that falls on it; return the reference to it."""
        assert self.scene.wall is not None
        left, right, camera = self.scene.wall
        forward = camera.axes[2] * np.array([1, 1, 0])
        forward = forward / max(float(np.linalg.norm(forward)), 1e-9)
        stops = []
        for angle in np.radians(np.arange(-90, 91, 15)):
            light = camera.compute_brightness(np.sin(angle) * camera.right + np.cos(angle) * forward)
            stops.append(((1 + float(np.sin(angle))) / 2, self.theme.surface_colour(role, light), 1.0))
        return self.writer.define_gradient(stops, gradientUnits="userSpaceOnUse", x1=left, y1=0, x2=right, y2=0)

    def draw_edges(self) -> None:
        """Draw the edges of a solid and the folds of a net."""
        strong, line = self.theme.colours["strong"], self.page.line_width
        dashes = f"{format_number(3 * line)} {format_number(4 * line)}"
        for fold in self.scene.folds:
            self.writer.draw_path(fold, False, fill="none", stroke=strong, stroke_width=line, stroke_dasharray=dashes)
        for edge in self.scene.edges:
            self.writer.draw_path(edge, False, fill="none", stroke=strong, stroke_width=EDGE_WIDTH * line)

    def draw_marked_cells(self) -> None:
        """Draw a strong line round the cells of the look's outlined marks."""
        self.writer.use_layer("marked")
        accent = self.theme.colours["accent"]
        for cell in (cell for mark in self.look.outlined_marks for cell in self.board.marked_cells[mark]):
            for points, closed in (patch.cell_outline() for patch in self.scene.patches.get(cell, ())):
                self.writer.draw_path(
                    points, closed, fill="none", stroke=accent, stroke_width=MARKED_WIDTH * self.page.line_width
                )

    def draw_labels(self) -> None:
        """Draw the labels in the margins and the letters of faces."""
        self.writer.use_layer("margins")
        for label in self.scene.labels:
            weight = THIN_STROKE_WIDTH if label.role == "watermark" else STROKE_WIDTH
            self.writer.draw_text(label.text, label.placement, label.height, self.theme.colours[label.role], weight)
