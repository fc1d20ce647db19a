"""Diagrams: positions and games as SVG, PNG and GIF, on flat maps, turned solids and tables.

>>> import ropewalk
>>> from ropewalk.diagrams import Style, draw
>>> picture = draw(ropewalk.game("tether-5").start(), Style(view="table"), ["c3", "b2"])
>>> picture.splitlines()[1]
'<title id="title">Tether, by Mark Steere (2009)</title>'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagram import draw
    from .raster import Pace, animated_gif, animated_svg, png
    from .options import DiagramError, Style

__all__ = ["DiagramError", "Pace", "Style", "animated_gif", "animated_svg", "draw", "png"]

_LAZY = {"DiagramError": ".options", "Pace": ".raster", "Style": ".options", "animated_gif": ".raster",
         "animated_svg": ".raster", "draw": ".diagram", "png": ".raster"}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Load what needs numpy only when it is asked for."""
    if name in _LAZY:
        return getattr(import_module(_LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
