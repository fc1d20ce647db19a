"""Diagrams: positions and games as SVG, PNG and GIF, on flat maps, turned solids and tables.

>>> import ropewalk
>>> from ropewalk.diagrams import DiagramOptions, draw
>>> picture = draw(ropewalk.game("tether-5").start(), DiagramOptions(view="table"), ["c3", "b2"])
>>> picture.splitlines()[1]
'<title id="title">Tether, by Mark Steere (2009)</title>'
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagram import draw
    from .frame_renderer import render_png
    from .options import DiagramError, DiagramOptions
    from .raster import AnimationTiming, animate_gif, animate_svg

__all__ = ["AnimationTiming", "DiagramError", "DiagramOptions", "animate_gif", "animate_svg", "draw", "render_png"]

_LAZY = {
    "AnimationTiming": ".raster",
    "DiagramError": ".options",
    "DiagramOptions": ".options",
    "animate_gif": ".raster",
    "animate_svg": ".raster",
    "draw": ".diagram",
    "render_png": ".frame_renderer",
}


def __getattr__(name: str) -> Any:
    """Import a public name on first use, because most modules need numpy."""
    if name in _LAZY:
        return getattr(import_module(_LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
