"""Output that `solve` and `verify-proof` share: values of a position and of its moves."""

from __future__ import annotations

from typing import Any

from ..games.position import Position
from ..proofs.solver import DRAW_VALUE, Solution
from ..text import plural
from .formatting import json_object, wrapped


def format_solution(position: Position, solution: Solution) -> str:
    """Return lines with the position, its value, and its moves grouped by their values."""
    seat = position.seat
    assert seat is not None
    lines = [f"{position.game.spec}  {position}", f"value: {describe_value(position, solution.value)}"]
    groups = [("winning moves", seat), ("drawing moves", DRAW_VALUE), ("losing moves", 1 - seat), ("not known", None)]
    for label, value in groups:
        moves = [move for move, move_value in solution.moves.items() if move_value == value]
        if moves:
            lines.append(wrapped(" ".join(moves), f"{label} ({len(moves)}): ", "  "))
    return "\n".join(lines)


def describe_value(position: Position, value: int | None) -> str:
    """Return a value in words, with the colour of the seat that wins."""
    if value is None:
        return "not known"
    if value == DRAW_VALUE:
        return "a draw: neither seat can force a win"
    return f"{position.colours[value]} (seat {value}) wins"


def format_effort(solution: Solution, verb: str) -> str:
    """Return the number of positions and the time; `verb` says what was done with the positions."""
    return f"{plural(solution.nodes, 'position')} {verb} in {solution.seconds:.1f} s"


def solution_to_json(solution: Solution, extra: dict[str, Any]) -> str:
    """Return a solution as a JSON text; `extra` adds keys."""
    return json_object(vars(solution) | {"moves": dict(solution.moves)} | extra)
