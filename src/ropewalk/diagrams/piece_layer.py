"""Piece layer: stones are lenses, checkers and discs short cylinders, rings hollow ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..games.definition import Piece
from .geometry import Ellipse, Vector, project_ball
from .scene import Placement
from .stroke_font import BOLD_STROKE_WIDTH
from .svg import SvgWriter, format_number, format_point, format_sector
from .themes import Paint, Theme, shade

STONE, CHECKER, DISC, RING = "stone", "checker", "disc", "ring"  # kinds of pieces
STONE_FILL = 0.86  # radius of a stone, of the largest that fits
HEIGHTS = {STONE: 0.3, CHECKER: 0.22, DISC: 0.13, RING: 0.13}
RADII = {STONE: 0.43, CHECKER: 0.38, DISC: 0.33, RING: 0.41}
RING_INNER_RADIUS = 0.28
STONE_THICKNESS = 0.36  # to either side of its middle, of the radius
MAX_STACK_OFFSET = 0.62  # of the top piece of a stack on a map from its lowest, in units


@dataclass(frozen=True)
class PieceLayer:
    """Draws pieces in one theme and with one line width."""

    writer: SvgWriter
    theme: Theme
    line_width: float

    def draw_stack(self, placement: Placement, pieces: Sequence[Piece], *, plain: bool = False) -> Placement:
        """Draw the pieces of a cell from bottom to top; return the place on top of them.

        Nothing is engraved on a `plain` stone.
        """
        if pieces[0].kind == STONE:
            return self.draw_stone(placement, self.theme.paints[pieces[0].paint], pieces[0].colour == "blue" and not plain)
        standing = centre_stack(placement, pieces) if placement.is_flat else placement
        top = standing
        for place, piece in enumerate(pieces):
            covered = place + 1 < len(pieces) and pieces[place + 1].kind != RING
            self.draw_piece(standing, piece, covered, ringed=pieces[-1].kind == RING)
            if piece.kind != RING:
                top = standing if placement.is_flat else standing.raise_by(HEIGHTS[piece.kind])
                standing = standing.raise_by(HEIGHTS[piece.kind])
        return top

    # Stones

    def draw_stone(self, placement: Placement, paint: Paint, engraved: bool) -> Placement:
        """Draw a stone, a lens that lies on its cell; return the place on top of it."""
        radius = STONE_FILL * placement.max_radius
        high = STONE_THICKNESS * radius
        top = placement.raise_by(high)
        if placement.sector is not None:
            start, end = placement.sector
            size = radius * placement.scale
            shape = format_sector(placement.origin, size, start, end)
            self.writer.add_element("path", d=shape, fill=paint.body, stroke=paint.outline, stroke_width=self.line_width)
            return placement
        self.draw_shadow(placement, radius)
        outline = project_ball([radius * placement.across, radius * placement.down, high * placement.rise])
        self.draw_body(placement.locate(high), outline, paint, round_=True)
        if self.theme.has_relief:
            self.draw_highlight(placement, radius, high, paint)
        if engraved:
            self.draw_engraving(placement.raise_by(high * 1.6), radius * 0.6, paint)
        return top

    def draw_shadow(self, placement: Placement, radius: float) -> None:
        """Draw the shadow beside a piece."""
        if self.theme.shadow_opacity and not placement.is_turned_away:
            centre = placement.locate(0.0, -0.3 * placement.highlight[0] * radius, -0.3 * placement.highlight[1] * radius)
            wide = 1.03 * radius
            self.writer.draw_ellipse(
                centre,
                project_ball([wide * placement.across, wide * placement.down]),
                fill="#000",
                opacity=self.theme.shadow_opacity,
            )

    def draw_body(self, centre: Vector, outline: Ellipse, paint: Paint, round_: bool) -> None:
        """Draw the outline of a piece in its colour, darker towards the rim if it is round."""
        fill = paint.body
        if round_ and self.theme.has_relief:
            fill = self.writer.define_gradient(
                [(0, shade(paint.body, 1.06), 1), (0.62, paint.body, 1), (1, shade(paint.body, 0.78), 1)]
            )
        self.writer.draw_ellipse(centre, outline, fill=fill, stroke=paint.outline, stroke_width=self.line_width)

    def draw_highlight(self, placement: Placement, radius: float, high: float, paint: Paint) -> None:
        """Draw the highlight of a stone, where its surface faces halfway between viewer and light."""
        reach = np.array([radius, radius, high])
        across, down, up = reach * reach * placement.highlight / np.linalg.norm(reach * placement.highlight)
        if placement.highlight[2] <= 0.05:
            return
        strength = 0.75 if sum(int(paint.body[start : start + 2], 16) for start in (1, 3, 5)) > 500 else 0.34
        fill = self.writer.define_gradient([(0, "#fff", strength), (0.45, "#fff", strength * 0.35), (1, "#fff", 0)])
        size = 0.55 * radius
        place = placement.locate(high + up * 0.9, across * 0.62, down * 0.62)
        self.writer.draw_ellipse(
            place, project_ball([size * placement.across, size * placement.down, 0.5 * high * placement.rise]), fill=fill
        )

    def draw_engraving(self, placement: Placement, radius: float, paint: Paint) -> None:
        """Draw a fine ring on a piece."""
        self.writer.draw_ellipse(
            placement.origin,
            project_circle(placement, radius),
            fill="none",
            stroke=paint.outline,
            stroke_width=self.line_width * 0.9,
        )

    # Pieces of a stack

    def draw_piece(self, placement: Placement, piece: Piece, covered: bool, ringed: bool) -> None:
        """Draw one checker, disc or ring."""
        paint = self.theme.paints[piece.paint]
        if piece.kind == RING:
            self.draw_ring(placement, paint)
            return
        radius, high = RADII[piece.kind], HEIGHTS[piece.kind]
        if placement.is_flat:
            self.draw_shadow(placement, radius)
            self.writer.draw_ellipse(
                placement.origin,
                project_circle(placement, radius),
                fill=self.define_top_fill(paint),
                stroke=paint.outline,
                stroke_width=self.line_width,
            )
            top = placement
        else:
            self.draw_cylinder(placement, radius, high, paint)
            top = placement.raise_by(high)
        if piece.kind == CHECKER:
            self.draw_ridges(top, radius, piece, paint)
        elif covered and placement.is_flat:
            aside, height = (0.182, 0.1) if ringed else (0.157, 0.13)
            self.writer.draw_text(piece.letter, top.shift(aside, aside), height, paint.ink, BOLD_STROKE_WIDTH)
        elif not covered:
            self.writer.draw_text(piece.letter, top, 0.25, paint.ink, BOLD_STROKE_WIDTH)

    def define_top_fill(self, paint: Paint) -> str:
        """Return the fill of a piece's top: lighter towards the light."""
        if not self.theme.has_relief:
            return paint.body
        stops = [(0, shade(paint.body, 1.12), 1.0), (1, shade(paint.body, 0.94), 1.0)]
        return self.writer.define_gradient(stops, x1=0.2, y1=0, x2=0.8, y2=1)

    def draw_ridges(self, placement: Placement, radius: float, piece: Piece, paint: Paint) -> None:
        """Draw the rings on the top of a checker: one for red, two for blue."""
        self.draw_engraving(placement, radius * 0.72, paint)
        if piece.paint == "blue":
            self.draw_engraving(placement, radius * 0.42, paint)

    def draw_cylinder(self, placement: Placement, radius: float, high: float, paint: Paint) -> None:
        """Draw a side as wide as the top, and the top."""
        wide = project_ball([radius * placement.across, radius * placement.down])
        low, top = placement.origin, placement.locate(high)
        self.draw_shadow(placement, radius)
        half = np.array([wide[0], 0.0])
        side = f"M{format_point(low - half)}{format_arc(wide)}0 {format_point(low + half)}"
        side += f"L{format_point(top + half)}{format_arc(wide)}1 {format_point(top - half)}Z"
        self.writer.add_element(
            "path", d=side, fill=self.define_side_fill(paint), stroke=paint.outline, stroke_width=self.line_width
        )
        self.writer.draw_ellipse(
            top, wide, fill=self.define_top_fill(paint), stroke=paint.outline, stroke_width=self.line_width
        )

    def define_side_fill(self, paint: Paint) -> str:
        """Return the fill of a round side that is lit from the left."""
        if not self.theme.has_relief:
            return shade(paint.body, 0.86)
        stops = [(0, shade(paint.body, 0.8), 1.0), (0.3, shade(paint.body, 0.92), 1.0), (1, shade(paint.body, 0.58), 1.0)]
        return self.writer.define_gradient(stops, x1=0, y1=0, x2=1, y2=0)

    def draw_ring(self, placement: Placement, paint: Paint) -> None:
        """Draw a flat ring round the top disc."""
        high = 0.0 if placement.is_flat else HEIGHTS[RING] * 0.7
        sunk = placement.raise_by(-HEIGHTS[DISC] * 0.5) if not placement.is_flat else placement.raise_by(-HEIGHTS[DISC])
        if not placement.is_flat:
            self.draw_annulus(sunk, shade(paint.body, 0.7), paint.outline)
        self.draw_annulus(sunk.raise_by(high), paint.body, paint.outline)

    def draw_annulus(self, placement: Placement, fill: str, outline: str) -> None:
        """Draw the surface between two circles."""
        outer, inner = (format_circle(placement, radius) for radius in (RADII[RING], RING_INNER_RADIUS))
        self.writer.add_element(
            "path", d=outer + inner, fill=fill, fill_rule="evenodd", stroke=outline, stroke_width=self.line_width
        )


def measure_height(pieces: Sequence[Piece]) -> float:
    """Return the height of a stack, in units."""
    return sum(HEIGHTS[piece.kind] for piece in pieces)


def project_circle(placement: Placement, radius: float) -> Ellipse:
    """Return the outline of a circle that lies on the cell."""
    return project_ball([radius * placement.across, radius * placement.down])


def format_circle(placement: Placement, radius: float) -> str:
    """Return a circle that lies on the cell as path commands."""
    wide, high, turned = project_circle(placement, radius)
    angle = np.radians(turned)
    half = wide * np.array([np.cos(angle), np.sin(angle)])
    bend = f"A{format_number(wide)} {format_number(high)} {format_number(turned)} 0 0 "
    start, opposite = format_point(placement.origin - half), format_point(placement.origin + half)
    return f"M{start}{bend}{opposite}{bend}{start}Z"


def format_arc(ellipse: Ellipse) -> str:
    """Return the command of half an ellipse, up to its sweep flag."""
    return f"A{format_number(ellipse[0])} {format_number(ellipse[1])} 0 0 "


def centre_stack(placement: Placement, pieces: Sequence[Piece]) -> Placement:
    """Return the placement of the lowest piece of a stack on a map, so that the stack is centred on its cell.

    The offset between the pieces of a tall stack is reduced.
    """
    discs = [piece for piece in pieces if piece.kind != RING]
    height = sum(HEIGHTS[piece.kind] for piece in discs[:-1])
    lean = float(np.abs(height * placement.rise).max()) / placement.scale
    squeezed = placement.rise * min(1.0, MAX_STACK_OFFSET / lean) if lean else placement.rise
    begun = Placement(placement.origin, placement.across, placement.down, squeezed, max_radius=placement.max_radius)
    return begun.raise_by(-height / 2)
