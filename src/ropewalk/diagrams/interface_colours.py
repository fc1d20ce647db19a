"""Colours of user interfaces: those of the light and the dark theme, and those that only an interface needs.

The style sheet of the page is written from them (`make palette`), and the terminal takes its colours from here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from .themes import DARK, LIGHT, Theme

INTERFACE_COLOURS: Mapping[str, Mapping[str, str]] = {  # by the name of the theme
    "light": {
        "raised": "#ffffff",
        "sunk": "#f5efe3",
        "soft": "#5f5542",
        "hair": "#e6dcc8",
        "on accent": "#ffffff",
        "good": "#3a6b35",
        "backdrop": "#ffffff",
        "backdrop edge": "#f5efe3",
        "choice": "#2f7d4f",
        "cursor": "#1d5fa8",
    },
    "dark": {
        "raised": "#1e2126",
        "sunk": "#101216",
        "soft": "#b4b9c2",
        "hair": "#30353d",
        "on accent": "#1c1206",
        "good": "#8fc98a",
        "backdrop": "#434c58",
        "backdrop edge": "#20242b",
        "choice": "#7fd6a0",
        "cursor": "#9fd0ff",
    },
}


def list_colours(theme: Theme) -> dict[str, str]:
    """Return the colours of an interface in the light or the dark theme, by role."""
    return {**theme.colours, **INTERFACE_COLOURS[theme.name]}


def format_style_sheet() -> str:
    """Return a style sheet with a variable for each role, and a class with three variables for each paint of pieces."""
    return "\n".join(
        [
            "/* Written by `make palette` from src/ropewalk/diagrams: change the colours there. */",
            ":root {",
            *_iter_role_variables(),
            "}",
            *(line for name in LIGHT.paints for line in _iter_paint_lines(name)),
            "",
        ]
    )


def _iter_role_variables() -> Iterator[str]:
    dark = list_colours(DARK)
    yield from (_format_variable(role, colour, dark[role]) for role, colour in list_colours(LIGHT).items())
    lines = (format_translucent(theme.colours["line"], theme.line_opacity) for theme in (LIGHT, DARK))
    yield _format_variable("cell line", *lines)
    yield _format_variable("shadow", *(format_translucent("#000000", theme.shadow_opacity) for theme in (LIGHT, DARK)))


def _iter_paint_lines(name: str) -> Iterator[str]:
    light, dark = LIGHT.paints[name], DARK.paints[name]
    yield from ("", f".{_hyphenate(name)} {{")
    yield _format_variable("body", light.body, dark.body)
    yield _format_variable("outline", light.outline, dark.outline)
    yield _format_variable("ink on", light.ink, dark.ink)
    yield "}"


def _format_variable(role: str, light: str, dark: str) -> str:
    value = light if light == dark else f"light-dark({light}, {dark})"
    return f"  --{_hyphenate(role)}: {value};"


def _hyphenate(role: str) -> str:
    return role.replace(" ", "-")


def format_translucent(colour: str, opacity: float) -> str:
    """Return a colour with an opacity as CSS writes it."""
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgb({red} {green} {blue} / {opacity:g})"
