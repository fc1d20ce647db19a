"""Pieces on the board: stones are lenses, checkers and discs short cylinders, rings hollow ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..games.definition import Piece
from .geometry import Ellipse, Vector, ellipse_of
from .stroke_font import BOLD
from .looks import CHECKER, DISC, RING, STONE
from .svg import Paper, number, point, sector
from .scene import Spot
from .themes import Paint, Theme, shaded

FILL = 0.86  # how much of its room a stone takes
HEIGHTS = {STONE: 0.3, CHECKER: 0.22, DISC: 0.13, RING: 0.13}
RADII = {STONE: 0.43, CHECKER: 0.38, DISC: 0.33, RING: 0.41}
HOLE = 0.28  # the inner radius of a ring
THICKNESS = 0.36  # of a stone, as a share of its radius, to either side
TALLEST_LEAN = 0.62  # how far the stacks of a map lean at most


@dataclass(frozen=True)
class Pieces:
    """Draws pieces in one theme with one width of line."""

    paper: Paper
    theme: Theme
    line: float

    def stack(self, spot: Spot, pieces: Sequence[Piece], *, plain: bool = False) -> Spot:
        """All pieces of a cell from bottom to top; returns the spot on top of them. Nothing is engraved on plain stones."""
        if pieces[0].kind == STONE:
            return self.stone(spot, self.theme.paints[pieces[0].paint], pieces[0].colour == "blue" and not plain)
        standing = centred(spot, pieces) if spot.lies_flat else spot
        top = standing
        for place, piece in enumerate(pieces):
            covered = place + 1 < len(pieces) and pieces[place + 1].kind != RING
            self.piece(standing, piece, covered, ringed=pieces[-1].kind == RING)
            if piece.kind != RING:
                top = standing if spot.lies_flat else standing.raised(HEIGHTS[piece.kind])
                standing = standing.raised(HEIGHTS[piece.kind])
        return top

    # Stones

    def stone(self, spot: Spot, paint: Paint, engraved: bool) -> Spot:
        """A lens that lies on its cell."""
        radius = FILL * spot.room
        high = THICKNESS * radius
        top = spot.raised(high)
        if spot.sector is not None:
            start, end = spot.sector
            size = radius * spot.scale
            self.paper.draw("path", d=sector(spot.origin, size, start, end), fill=paint.body, stroke=paint.outline,
                            stroke_width=self.line)  # fmt: skip
            return spot
        self.cast(spot, radius)
        outline = ellipse_of([radius * spot.across, radius * spot.down, high * spot.rise])
        self.body(spot.at(high), outline, paint, round_=True)
        if self.theme.relief:
            self.gleam(spot, radius, high, paint)
        if engraved:
            self.engrave(spot.raised(high * 1.6), radius * 0.6, paint)
        return top

    def cast(self, spot: Spot, radius: float) -> None:
        """The shadow beside a piece."""
        if self.theme.shadow and not spot.turned_away:
            centre = spot.at(0.0, -0.3 * spot.shine[0] * radius, -0.3 * spot.shine[1] * radius)
            wide = 1.03 * radius
            self.paper.ellipse(
                centre, ellipse_of([wide * spot.across, wide * spot.down]), fill="#000", opacity=self.theme.shadow
            )

    def body(self, centre: Vector, outline: Ellipse, paint: Paint, round_: bool) -> None:
        """The outline of a piece in its colour, darker towards the rim where it is round."""
        fill = paint.body
        if round_ and self.theme.relief:
            fill = self.paper.gradient(
                [(0, shaded(paint.body, 1.06), 1), (0.62, paint.body, 1), (1, shaded(paint.body, 0.78), 1)]
            )
        self.paper.ellipse(centre, outline, fill=fill, stroke=paint.outline, stroke_width=self.line)

    def gleam(self, spot: Spot, radius: float, high: float, paint: Paint) -> None:
        """A soft light where the lens looks halfway to the lamp."""
        reach = np.array([radius, radius, high])
        across, down, up = reach * reach * spot.shine / np.linalg.norm(reach * spot.shine)
        if spot.shine[2] <= 0.05:
            return
        strength = 0.75 if sum(int(paint.body[start : start + 2], 16) for start in (1, 3, 5)) > 500 else 0.34
        fill = self.paper.gradient([(0, "#fff", strength), (0.45, "#fff", strength * 0.35), (1, "#fff", 0)])
        size = 0.55 * radius
        place = spot.at(high + up * 0.9, across * 0.62, down * 0.62)
        self.paper.ellipse(place, ellipse_of([size * spot.across, size * spot.down, 0.5 * high * spot.rise]), fill=fill)

    def engrave(self, spot: Spot, radius: float, paint: Paint) -> None:
        """A fine ring on a piece."""
        self.paper.ellipse(
            spot.origin, circle(spot, radius), fill="none", stroke=paint.outline, stroke_width=self.line * 0.9
        )

    # Pieces of a stack

    def piece(self, spot: Spot, piece: Piece, covered: bool, ringed: bool) -> None:
        """One checker, disc or ring, standing on a spot."""
        paint = self.theme.paints[piece.paint]
        if piece.kind == RING:
            self.ring(spot, paint)
            return
        radius, high = RADII[piece.kind], HEIGHTS[piece.kind]
        if spot.lies_flat:
            self.cast(spot, radius)
            self.paper.ellipse(
                spot.origin, circle(spot, radius), fill=self.top_fill(paint), stroke=paint.outline, stroke_width=self.line
            )
            top = spot
        else:
            self.cylinder(spot, radius, high, paint)
            top = spot.raised(high)
        if piece.kind == CHECKER:
            self.ridges(top, radius, piece, paint)
        elif covered and spot.lies_flat:
            aside, height = (0.182, 0.1) if ringed else (0.157, 0.13)
            self.paper.text(piece.letter, top.shifted(aside, aside), height, paint.ink, BOLD)
        elif not covered:
            self.paper.text(piece.letter, top, 0.25, paint.ink, BOLD)

    def top_fill(self, paint: Paint) -> str:
        """The top of a piece: a touch lighter towards the lamp."""
        if not self.theme.relief:
            return paint.body
        stops = [(0, shaded(paint.body, 1.12), 1.0), (1, shaded(paint.body, 0.94), 1.0)]
        return self.paper.gradient(stops, x1=0.2, y1=0, x2=0.8, y2=1)

    def ridges(self, spot: Spot, radius: float, piece: Piece, paint: Paint) -> None:
        """The rings turned into a checker's top: one for red, two for blue."""
        self.engrave(spot, radius * 0.72, paint)
        if piece.paint == "blue":
            self.engrave(spot, radius * 0.42, paint)

    def cylinder(self, spot: Spot, radius: float, high: float, paint: Paint) -> None:
        """A side as wide as the top, and the top."""
        wide = ellipse_of([radius * spot.across, radius * spot.down])
        low, top = spot.origin, spot.at(high)
        self.cast(spot, radius)
        side = f"M{number(low[0] - wide[0])} {number(low[1])}{arc(wide)}0 {number(low[0] + wide[0])} {number(low[1])}"
        side += f"L{number(top[0] + wide[0])} {number(top[1])}{arc(wide)}1 {number(top[0] - wide[0])} {number(top[1])}Z"
        self.paper.draw("path", d=side, fill=self.side_fill(paint), stroke=paint.outline, stroke_width=self.line)
        self.paper.ellipse(top, wide, fill=self.top_fill(paint), stroke=paint.outline, stroke_width=self.line)

    def side_fill(self, paint: Paint) -> str:
        """Round to the eye: the light comes from the left."""
        if not self.theme.relief:
            return shaded(paint.body, 0.86)
        stops = [(0, shaded(paint.body, 0.8), 1.0), (0.3, shaded(paint.body, 0.92), 1.0), (1, shaded(paint.body, 0.58), 1.0)]
        return self.paper.gradient(stops, x1=0, y1=0, x2=1, y2=0)

    def ring(self, spot: Spot, paint: Paint) -> None:
        """A flat ring round the top disc."""
        high = 0.0 if spot.lies_flat else HEIGHTS[RING] * 0.7
        sunk = spot.raised(-HEIGHTS[DISC] * 0.5) if not spot.lies_flat else spot.raised(-HEIGHTS[DISC])
        if not spot.lies_flat:
            self.annulus(sunk, shaded(paint.body, 0.7), paint.outline)
        self.annulus(sunk.raised(high), paint.body, paint.outline)

    def annulus(self, spot: Spot, fill: str, outline: str) -> None:
        """The surface between two circles."""
        outer, inner = (round_path(spot, radius) for radius in (RADII[RING], HOLE))
        self.paper.draw("path", d=outer + inner, fill=fill, fill_rule="evenodd", stroke=outline, stroke_width=self.line)


def height_of(pieces: Sequence[Piece]) -> float:
    """How high a stack is."""
    return sum(HEIGHTS[piece.kind] for piece in pieces)


def circle(spot: Spot, radius: float) -> Ellipse:
    """A circle that lies on the cell."""
    return ellipse_of([radius * spot.across, radius * spot.down])


def round_path(spot: Spot, radius: float) -> str:
    """A circle that lies on the cell, as a path."""
    wide, high, turned = circle(spot, radius)
    angle = np.radians(turned)
    half = wide * np.array([np.cos(angle), np.sin(angle)])
    bend = f"A{number(wide)} {number(high)} {number(turned)} 0 0 "
    return f"M{point(spot.origin - half)}{bend}{point(spot.origin + half)}{bend}{point(spot.origin - half)}Z"


def arc(ellipse: Ellipse) -> str:
    """Half an ellipse, up to its sweep."""
    return f"A{number(ellipse[0])} {number(ellipse[1])} 0 0 "


def centred(spot: Spot, pieces: Sequence[Piece]) -> Spot:
    """Where a leaning stack on a map begins, so that its middle is on the cell; tall ones are pressed together."""
    discs = [piece for piece in pieces if piece.kind != RING]
    height = sum(HEIGHTS[piece.kind] for piece in discs[:-1])
    lean = float(np.abs(height * spot.rise).max()) / spot.scale
    squeezed = spot.rise * min(1.0, TALLEST_LEAN / lean) if lean else spot.rise
    begun = Spot(spot.origin, spot.across, spot.down, squeezed, room=spot.room)
    return begun.raised(-height / 2)
