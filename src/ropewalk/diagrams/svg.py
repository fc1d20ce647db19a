"""SVG writer: elements in layers, written so that the same diagram is always the same bytes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from math import atan2, hypot
from zlib import crc32

import numpy as np

from ..boards.geometry import Points
from .geometry import Ellipse, Vector
from .scene import Placement
from .stroke_font import CAPITAL_HEIGHT, STROKE_WIDTH, build_strokes


def format_number(value: float) -> str:
    """Return a number with at most two decimals."""
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


def format_point(place: Vector) -> str:
    """Return a point as path commands have it."""
    return f"{format_number(place[0])} {format_number(place[1])}"


def format_path(points: Iterable[Vector], closed: bool = True) -> str:
    """Return points as the commands of a path."""
    return "M" + "L".join(map(format_point, points)) + ("Z" if closed else "")


def format_sector(centre: Vector, radius: float, start: Vector, end: Vector) -> str:
    """Return the path of a sector of a disc between two directions, counter-clockwise as seen."""
    first, last = (centre + radius * way / hypot(*way) for way in (start, end))
    turn = (atan2(-end[1], end[0]) - atan2(-start[1], start[0])) % (2 * np.pi)
    arc = f"A{format_number(radius)} {format_number(radius)} 0 {int(turn > np.pi + 1e-6)} 0 {format_point(last)}"
    return f"M{format_point(centre)}L{format_point(first)}{arc}Z"


def format_attributes(named: dict[str, str | float | None]) -> str:
    """Return the attributes of an element; underscores in names become dashes, None is left out."""
    texts = {
        name: format_number(value) if isinstance(value, int | float) else escape(value)
        for name, value in named.items()
        if value is not None
    }
    return "".join(f' {name.rstrip("_").replace("_", "-")}="{text}"' for name, text in texts.items())


class SvgWriter:
    """Collects definitions, and layers of elements from the bottom to the top."""

    def __init__(self) -> None:
        self.definitions: dict[str, str] = {}
        self.layers: dict[str, list[str]] = {}
        self.layer: list[str] = []

    def use_layer(self, layer: str) -> None:
        """Add elements to this layer from now on; layers are ordered by their first use."""
        self.layer = self.layers.setdefault(layer, [])

    def define(self, kind: str, content: str, **named: str | float | None) -> str:
        """Define a gradient, filter or clip once; return the reference to it."""
        body = f"{kind}{format_attributes(named)}>{content}"
        name = f"d{crc32(body.encode()):08x}"
        self.definitions[name] = f'<{kind} id="{name}"{format_attributes(named)}>{content}</{kind}>'
        return f"url(#{name})"

    def define_gradient(self, stops: Sequence[tuple[float, str, float]], **named: str | float | None) -> str:
        """Define a gradient of (offset, colour, opacity), radial unless it has x1; return the reference to it."""
        attributes = [
            {"offset": share, "stop_color": colour, "stop_opacity": opacity if opacity < 1 else None}
            for share, colour, opacity in stops
        ]
        content = "".join(f"<stop{format_attributes(stop)}/>" for stop in attributes)
        return self.define("linearGradient" if "x1" in named else "radialGradient", content, **named)

    def add_element(self, element: str, title: str = "", /, **named: str | float | None) -> None:
        """Add one element to the current layer."""
        inside = f"<title>{escape(title)}</title>" if title else ""
        self.layer.append(
            f"<{element}{format_attributes(named)}>{inside}</{element}>"
            if inside
            else f"<{element}{format_attributes(named)}/>"
        )

    def begin_group(self, **named: str | float | None) -> None:
        """Begin a group in the current layer."""
        self.layer.append(f"<g{format_attributes(named)}>")

    def end_group(self) -> None:
        """End the group of the current layer."""
        self.layer.append("</g>")

    def draw_path(self, points: Points, closed: bool = True, title: str = "", /, **named: str | float | None) -> None:
        """Add a polygon, or an open line."""
        self.add_element("path", title, d=format_path(points, closed), **named)

    def draw_ellipse(self, centre: Vector, ellipse: Ellipse, **named: str | float | None) -> None:
        """Add an ellipse, rotated if necessary; a circle if its radii are equal."""
        wide, high, turned = ellipse
        if abs(wide - high) < 0.005:
            self.add_element("circle", cx=centre[0], cy=centre[1], r=wide, **named)
            return
        level = abs(turned) < 0.05
        rotation = None if level else f"rotate({format_number(turned)} {format_point(centre)})"
        self.add_element("ellipse", cx=centre[0], cy=centre[1], rx=wide, ry=high, transform=rotation, **named)

    def draw_text(self, text: str, placement: Placement, height: float, colour: str, weight: float = STROKE_WIDTH) -> None:
        """Add text centred on a placement and in its plane; capitals are `height` units high."""
        scale = height / CAPITAL_HEIGHT
        across, down = placement.across * scale, placement.down * scale
        foot = placement.origin + down * CAPITAL_HEIGHT / 2
        matrix = " ".join(f"{part:.4f}".rstrip("0").rstrip(".") for part in (*across, *down))
        self.add_element(
            "path",
            d=build_strokes(text),
            transform=f"matrix({matrix} {format_point(foot)})",
            fill="none",
            stroke=colour,
            stroke_width=weight,
        )
