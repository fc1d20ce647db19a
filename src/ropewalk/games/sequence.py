"""Sequences of moves: a start position, the texts of moves, and the positions that they lead to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import IllegalMove, MoveError, RopewalkError

if TYPE_CHECKING:
    from .game import Game
    from .position import Position

MAX_SHOWN_LENGTH = 40  # characters of a move in an error message


class MoveSequenceError(RopewalkError):
    """A move of a sequence that cannot be played.

    Attributes:
        index: index of the move in the sequence, from 0; the message counts from 1.
        move: text of the move.
        cause: the error of the move.

    """

    def __init__(self, index: int, move: str, cause: MoveError | IllegalMove) -> None:
        shown = move if len(move) <= MAX_SHOWN_LENGTH else move[: MAX_SHOWN_LENGTH - 3] + "..."
        super().__init__(f"move {index + 1} ({shown}): {cause}")
        self.index = index
        self.move = move
        self.cause = cause

    def __reduce__(self) -> tuple[Any, ...]:
        return MoveSequenceError, (self.index, self.move, self.cause)

    @property
    def witness(self) -> tuple[str, ...]:
        """The names of the cells that show why the move is illegal; none for a text that is not a move."""
        return self.cause.witness if isinstance(self.cause, IllegalMove) else ()


@dataclass(frozen=True)
class MoveSequence:
    """Moves, each a step or a whole turn, and the positions before and after each of them."""

    positions: tuple[Position, ...]  # one more than moves
    moves: tuple[str, ...]

    @classmethod
    def play(cls, start: Position, moves: Iterable[str] = ()) -> MoveSequence:
        """Return the sequence of these moves from a position. Raises MoveSequenceError."""
        return cls((start,), ()).replace_moves(tuple(moves))

    @classmethod
    def parse(cls, game: Game, text: str | None, moves: Iterable[str] = ()) -> MoveSequence:
        """Return the sequence of these moves from the position `text`, the start position for None.

        Raises PositionError or MoveSequenceError.
        """
        return cls.play(parse_position(game, text), moves)

    @property
    def position(self) -> Position:
        """The position after the last move."""
        return self.positions[-1]

    def replace_moves(self, moves: Sequence[str]) -> MoveSequence:
        """Return the sequence of other moves from the same start; positions of the common prefix are kept.

        Raises MoveSequenceError.
        """
        first_new = common_prefix_length(self.moves, moves)
        positions = list(self.positions[: first_new + 1])
        for index, move in enumerate(moves[first_new:], start=first_new):
            try:
                positions.append(positions[-1].play(move))
            except (MoveError, IllegalMove) as error:
                raise MoveSequenceError(index, move, error) from None
        return MoveSequence(tuple(positions), tuple(moves))

    def truncate(self, count: int) -> MoveSequence:
        """Return the sequence of the first `count` moves."""
        return MoveSequence(self.positions[: count + 1], self.moves[:count])

    def explain(self) -> list[str]:
        """Return what each step of the moves does, as in "c3: red places on c3"."""
        turns = zip(self.positions[:-1], self.moves, strict=True)
        return [explanation for position, move in turns for explanation in explain_turn(position, move)]


def parse_position(game: Game, text: str | None) -> Position:
    """Return the position described by `text`, the start position for None. Raises PositionError."""
    return game.start() if text is None else game.position(text)


def explain_turn(position: Position, turn: str) -> list[str]:
    """Return what each step of a legal turn does, preceded by the step. Raises IllegalMove."""
    explanations = []
    for step in position.game.split_turn(turn):
        explanations.append(f"{step}: {position.explain(step)}")
        position = position.play(step)
    return explanations


def common_prefix_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the length of the common prefix of two sequences."""
    for length, (first_item, second_item) in enumerate(zip(first, second, strict=False)):
        if first_item != second_item:
            return length
    return min(len(first), len(second))
