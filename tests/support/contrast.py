"""Contrast of two colours by the Web Content Accessibility Guidelines."""

from __future__ import annotations


def luminance(colour: str) -> float:
    """How bright a colour looks, 0 to 1, by the web's guidelines."""
    parts = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(first: str, second: str) -> float:
    """The guidelines ask for 3 between shapes and 4.5 for small letters."""
    low, high = sorted([luminance(first), luminance(second)])
    return (high + 0.05) / (low + 0.05)
