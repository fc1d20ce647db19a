"""The nearest of the 256 colours that nearly every terminal has.

Distances are those of Oklab (Björn Ottosson, 2020), in which hue counts more than brightness: else dark colours become grey.
"""

from __future__ import annotations

from functools import cache

LEVELS = (0, 95, 135, 175, 215, 255)  # of red, green and blue in the colour cube
GREYS = range(8, 239, 10)
HUE_WEIGHT = 4.0  # of the squared distances of hue and saturation

# From linear light to the responses of the eye's cones, and from their cube roots to Oklab.
CONES = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
OKLAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)


def to_oklab(colour: str) -> tuple[float, ...]:
    """Return the lightness of a colour and its two coordinates of hue and saturation."""
    light = [to_linear(int(colour[start : start + 2], 16) / 255) for start in (1, 3, 5)]
    cones = [multiply(row, light) ** (1 / 3) for row in CONES]
    return tuple(multiply(row, cones) for row in OKLAB)


def to_linear(part: float) -> float:
    """Return the amount of light of a part of an sRGB colour, 0 to 1."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4


def multiply(row: tuple[float, ...], column: list[float]) -> float:
    """Return the inner product of two vectors."""
    return sum(weight * value for weight, value in zip(row, column, strict=True))


@cache
def list_xterm_colours() -> dict[str, tuple[float, ...]]:
    """Return the 240 fixed colours of a terminal with 256, each with its place in Oklab."""
    cube = [(red, green, blue) for red in LEVELS for green in LEVELS for blue in LEVELS]
    colours = (f"#{red:02x}{green:02x}{blue:02x}" for red, green, blue in [*cube, *((grey,) * 3 for grey in GREYS)])
    return {colour: to_oklab(colour) for colour in colours}


@cache
def find_nearest(colour: str) -> str:
    """Return the colour of the terminal that looks most like a colour."""
    lightness, green_red, blue_yellow = to_oklab(colour)

    def distance(place: tuple[float, ...]) -> float:
        hue = (place[1] - green_red) ** 2 + (place[2] - blue_yellow) ** 2
        return (place[0] - lightness) ** 2 + HUE_WEIGHT * hue

    return min(list_xterm_colours().items(), key=lambda item: distance(item[1]))[0]
