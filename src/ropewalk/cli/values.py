"""What `solve` and `verify-proof` both say: the value of a position and of its moves."""

from __future__ import annotations

from typing import Any

from ..games.game import Position
from ..proofs.solver import DRAW_VALUE, Solution
from ..text import plural
from .printing import json_object, wrapped


def told(position: Position, solution: Solution) -> str:
    """The value, the moves by their values, and how much was looked at."""
    seat = position.seat
    assert seat is not None
    lines = [f"{position.game.spec}  {position}", f"value: {verdict(position, solution.value)}"]
    groups = [("winning moves", seat), ("drawing moves", DRAW_VALUE), ("losing moves", 1 - seat), ("not known", None)]
    for label, value in groups:
        moves = [move for move, found in solution.moves.items() if found == value]
        if moves:
            lines.append(wrapped(" ".join(moves), f"{label} ({len(moves)}): ", "  "))
    return "\n".join(lines)


def verdict(position: Position, value: int | None) -> str:
    """Who wins, in words."""
    if value is None:
        return "not known"
    if value == DRAW_VALUE:
        return "a draw: neither seat can force a win"
    return f"{position.colours[value]} (seat {value}) wins"


def looked_at(solution: Solution, verb: str) -> str:
    """How many positions in how much time."""
    return f"{plural(solution.nodes, 'position')} {verb} in {solution.seconds:.1f} s"


def as_json(solution: Solution, more: dict[str, Any]) -> str:
    """All of it for programs."""
    return json_object(vars(solution) | {"moves": dict(solution.moves)} | more)
