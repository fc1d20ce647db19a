"""Themes: the colours of a diagram on paper, on a dark screen, and in a book printed in black.

The two sides differ in brightness as well as in hue, and one of them is engraved with a ring; discs carry letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Paint:
    """The colours of a piece: body, outline, and text on it."""

    body: str
    outline: str
    ink: str


@dataclass(frozen=True)
class Theme:
    """All colours of a diagram, by role."""

    name: str
    colours: Mapping[str, str]
    paints: Mapping[str, Paint]
    max_shade: float  # share of the shade colour on a surface without light
    has_relief: bool  # whether pieces have gradients, highlights and shadows
    shadow_opacity: float  # of shadows
    line_opacity: float  # of the lines between cells
    tint_opacity: float  # of the tint of occupied cells

    def surface_colour(self, role: str, light: float = 1.0) -> str:
        """Return the colour of a role under an amount of light."""
        return mix(self.colours[role], self.colours["shade"], self.max_shade * (1 - min(1.0, 1.1 * light)))


def mix(colour: str, other: str, share: float) -> str:
    """Return a colour mixed with a share of another."""
    pairs = [(int(colour[start : start + 2], 16), int(other[start : start + 2], 16)) for start in (1, 3, 5)]
    return "#" + "".join(f"{round(ours + share * (theirs - ours)):02x}" for ours, theirs in pairs)


def shade(colour: str, share: float) -> str:
    """Return a darker colour, or a lighter one if the share is above 1."""
    parts = [int(colour[start : start + 2], 16) for start in (1, 3, 5)]
    if share <= 1:
        return "#" + "".join(f"{round(part * share):02x}" for part in parts)
    return "#" + "".join(f"{round(part + (255 - part) * (share - 1)):02x}" for part in parts)


LIGHT = Theme(
    name="light",
    colours={
        "paper": "#fdfbf7",
        "ink": "#2b2822",
        "faint": "#746b59",
        "name": "#61563d",
        "shade": "#8f7448",
        "watermark": "#cfbf9d",
        "line": "#6b5836",
        "strong": "#5f5542",
        "cell": "#f0e6d1",
        "small cell": "#e5d7ba",
        "edge cell": "#e3d2ab",
        "marked": "#edbf94",
        "accent": "#b4491f",
        "dark square": "#cdb78f",
        "light square": "#f4ecda",
        "slab": "#c2a475",
        "slab top": "#e6d5b2",
        "red side": "#a5382b",
        "blue side": "#8dbbe0",
        "witness": "#e0a100",
        "heat": "#c9541f",
    },
    paints={
        "black": Paint("#2d2e33", "#131417", "#f6f2e8"),
        "white": Paint("#fcfbf7", "#6b6456", "#2b2822"),
        "red": Paint("#a83a2d", "#651d14", "#fdf3ee"),
        "blue": Paint("#a3cbec", "#35648c", "#17324a"),
        "blue disc": Paint("#4f86b8", "#2d557b", "#ffffff"),
        "purple disc": Paint("#6f4685", "#452855", "#ffffff"),
        "orange disc": Paint("#e2924a", "#965a22", "#3a1d06"),
        "yellow disc": Paint("#f3dc83", "#a58d35", "#463b0b"),
    },
    max_shade=0.5,
    has_relief=True,
    shadow_opacity=0.2,
    line_opacity=0.5,
    tint_opacity=0.3,
)

DARK = Theme(
    name="dark",
    colours={
        "paper": "#15171b",
        "ink": "#ece7dc",
        "faint": "#9aa0aa",
        "name": "#d5dae1",
        "shade": "#0b0c0f",
        "watermark": "#75808d",
        "line": "#10131a",
        "strong": "#a9b2be",
        "cell": "#5d6874",
        "small cell": "#4a535e",
        "edge cell": "#6b7b8f",
        "marked": "#8f6434",
        "accent": "#f0a048",
        "dark square": "#626d7a",
        "light square": "#3d444d",
        "slab": "#434b56",
        "slab top": "#30363e",
        "red side": "#b7483a",
        "blue side": "#8fc3ee",
        "witness": "#f2c14e",
        "heat": "#e8793a",
    },
    paints={
        "black": Paint("#121316", "#7b838e", "#f6f2e8"),
        "white": Paint("#eeeae0", "#0d0e10", "#22201b"),
        "red": Paint("#b23f2d", "#4f120a", "#fff4ef"),
        "blue": Paint("#a6d0f2", "#16324a", "#14293c"),
        "blue disc": Paint("#4a83b8", "#12283c", "#ffffff"),
        "purple disc": Paint("#724a8b", "#23112e", "#ffffff"),
        "orange disc": Paint("#dd8b44", "#3c2208", "#3a1d06"),
        "yellow disc": Paint("#eed67c", "#3c330c", "#463b0b"),
    },
    max_shade=0.5,
    has_relief=True,
    shadow_opacity=0.5,
    line_opacity=0.7,
    tint_opacity=0.3,
)

PRINT = Theme(
    name="print",
    colours={
        "paper": "#ffffff",
        "ink": "#000000",
        "faint": "#4a4a4a",
        "name": "#333333",
        "shade": "#9c9c9c",
        "watermark": "#bdbdbd",
        "line": "#000000",
        "strong": "#1e1e1e",
        "cell": "#ffffff",
        "small cell": "#efefef",
        "edge cell": "#e6e6e6",
        "marked": "#c4c4c4",
        "accent": "#000000",
        "dark square": "#cfcfcf",
        "light square": "#ffffff",
        "slab": "#dddddd",
        "slab top": "#f7f7f7",
        "red side": "#262626",
        "blue side": "#c9c9c9",
        "witness": "#000000",
        "heat": "#555555",
    },
    paints={
        "black": Paint("#161616", "#000000", "#ffffff"),
        "white": Paint("#ffffff", "#000000", "#000000"),
        "red": Paint("#262626", "#ffffff", "#ffffff"),
        "blue": Paint("#ffffff", "#000000", "#000000"),
        "blue disc": Paint("#8f8f8f", "#1c1c1c", "#000000"),
        "purple disc": Paint("#4a4a4a", "#000000", "#ffffff"),
        "orange disc": Paint("#c6c6c6", "#1c1c1c", "#000000"),
        "yellow disc": Paint("#f6f6f6", "#1c1c1c", "#000000"),
    },
    max_shade=0.5,
    has_relief=False,
    shadow_opacity=0.0,
    line_opacity=0.5,
    tint_opacity=0.22,
)

THEMES = {theme.name: theme for theme in (LIGHT, DARK, PRINT)}
