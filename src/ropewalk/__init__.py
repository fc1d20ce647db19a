"""Ropewalk: Lariat, Cube Lariat, Tether and Liger by Mark Steere, laoCoon by Alain Couchot and Bernard Klein.

>>> import ropewalk
>>> position = ropewalk.game("tether-5").start()
>>> position.play("c3").seat
1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from .errors import IllegalMove, MoveError, PositionError, RopewalkError, SpecError
from .games.registry import game, games

if TYPE_CHECKING:
    from .bots.bot import Bot, BotError, Limit, Line, Report
    from .bots.levels import bot
    from .games.batch import Batch
    from .games.game import Game
    from .games.position import Outcome, Position, Symmetry

__version__ = "0.2.0"

__all__ = [
    "Batch",
    "Bot",
    "BotError",
    "Game",
    "IllegalMove",
    "Limit",
    "Line",
    "MoveError",
    "Outcome",
    "Position",
    "PositionError",
    "Report",
    "RopewalkError",
    "SpecError",
    "Symmetry",
    "bot",
    "game",
    "games",
]

_LAZY = {
    "Batch": ".games.batch",
    "bot": ".bots.levels",
    **dict.fromkeys(("Bot", "BotError", "Limit", "Line", "Report"), ".bots.bot"),
    "Game": ".games.game",
    **dict.fromkeys(("Outcome", "Position", "Symmetry"), ".games.position"),
}


def __getattr__(name: str) -> Any:
    """Import names that need numba on first access (PEP 562)."""
    if name in _LAZY:
        return getattr(import_module(_LAZY[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
