"""Moves as pictures show them: the cells that each one names, its number, and what has no place on the board."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..games.notation import list_cell_names, split_move_text
from ..games.position import Position


@dataclass(frozen=True)
class NumberedMove:
    """One step of a numbered move: one cell, or two for a move from one to the other."""

    number: int
    text: str
    cells: tuple[str, ...]
    token: str  # what stands on the last cell right after the move


@dataclass(frozen=True)
class MoveSequence:
    """Moves from a position, with all positions on the way."""

    positions: tuple[Position, ...]
    moves: tuple[str, ...]

    @classmethod
    def of(cls, position: Position, moves: Iterable[str]) -> MoveSequence:
        """Play the moves."""
        positions, played = [position], tuple(moves)
        for move in played:
            positions.append(positions[-1].play(move))
        return cls(tuple(positions), played)

    @property
    def position(self) -> Position:
        """Where the moves lead."""
        return self.positions[-1]

    def steps(self, number: int) -> list[NumberedMove]:
        """The steps of a move, the first being number 1."""
        after, game = self.positions[number], self.position.game
        found = []
        for text in game.split_turn(self.moves[number - 1]):
            cells = list_cell_names(game.board, text)
            found.append(NumberedMove(number, text, cells, after.contents.get(cells[-1], "") if cells else ""))
        return found

    def until(self, count: int) -> MoveSequence:
        """The first moves only."""
        return MoveSequence(self.positions[: count + 1], self.moves[:count])


def notes(steps: Sequence[NumberedMove]) -> list[str]:
    """What numbers on the board cannot say: a second move on a cell, a swap, a checker that leaves."""
    first: dict[str, int] = {}
    said = []
    for step in steps:
        if len(split_move_text(step.text)) > len(step.cells):
            said.append(f"{step.number}: {step.text}")
        elif len(step.cells) == 1:
            earlier = first.setdefault(step.cells[0], step.number)
            if earlier != step.number:
                said.append(f"{step.number} at {earlier}")
    return said
