"""A sheet: the size of a picture in pixels, and the scene that fills it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .scene import Bounds, Scene

MARGIN = 0.035  # of the picture's size, on all four sides
FINE, FINEST, BROADEST = 0.021, 0.4, 0.003  # a fine line: of a cell, at least in pixels, at most of the picture's size


@dataclass(frozen=True)
class Sheet:
    """One picture's size and scene, and the width of its fine lines."""

    width: int
    height: int
    scene: Scene
    line: float
    margin: float
    foot: float  # where the caption begins


def fitted(scene: Scene, frame: Bounds, size: int, foot: float) -> Sheet:
    """What lies in the frame, as large as a picture with this longer side allows, with a foot below."""
    low, high = frame
    wide, tall = high - low
    margin = MARGIN * size
    zoom = float(min((size - 2 * margin) / wide, (size - 2 * margin - foot) / tall))
    width, height = round(wide * zoom + 2 * margin), round(tall * zoom + 2 * margin + foot)
    width, height = (size, height) if width >= height else (width, size)
    corner = low - np.array([(width / zoom - wide) / 2, margin / zoom])
    line = min(max(FINE * zoom, FINEST), BROADEST * size)
    return Sheet(width, height, scene.zoomed(zoom, corner), line, margin, height - foot - margin * 0.55)
