"""What the arena refuses."""

from __future__ import annotations

from ..errors import RopewalkError


class ArenaError(RopewalkError):
    """A contest that cannot be held, or results that cannot be read or written."""
