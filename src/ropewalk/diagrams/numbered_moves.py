"""Moves as diagrams number them: their cells, and notes on what numbers cannot show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..games.notation import list_cell_names, split_move_text
from ..games.sequence import MoveSequence


@dataclass(frozen=True)
class NumberedMove:
    """One step of a numbered move; it has one cell, or two for a move from one to the other."""

    number: int
    text: str
    cells: tuple[str, ...]
    token: str  # what stands on the last cell right after the move


def list_numbered_moves(sequence: MoveSequence, number: int) -> list[NumberedMove]:
    """List the steps of a move of a sequence, the first move being number 1."""
    after, game = sequence.positions[number], sequence.position.game
    numbered = []
    for text in game.split_turn(sequence.moves[number - 1]):
        cells = list_cell_names(game.board, text)
        numbered.append(NumberedMove(number, text, cells, after.contents.get(cells[-1], "") if cells else ""))
    return numbered


def list_notes(steps: Sequence[NumberedMove]) -> list[str]:
    """List what numbers on the board cannot show: a second move on a cell, a swap, a checker borne off."""
    first: dict[str, int] = {}
    notes = []
    for step in steps:
        if len(split_move_text(step.text)) > len(step.cells):
            notes.append(f"{step.number}: {step.text}")
        elif len(step.cells) == 1:
            earlier = first.setdefault(step.cells[0], step.number)
            if earlier != step.number:
                notes.append(f"{step.number} at {earlier}")
    return notes
