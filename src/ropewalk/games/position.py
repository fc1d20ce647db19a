"""Positions: immutable, with their legal moves, outcome and the moves that led to them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import IllegalMove
from ..rules.generic import Moves, Row
from ..rules.interface import DRAW, HISTORY_FULL, ONGOING
from . import notation

if TYPE_CHECKING:
    from .game import Game

empty, new_object, INT64 = np.empty, object.__new__, np.dtype(np.int64)  # looked up once: every step uses them

# The moves that led to a position, as a linked list: the history before the last move, and the id of the last move; the
# first node is (None, -1). Plain tuples, because every step makes one. Nodes are compared by identity.
MoveHistory: TypeAlias = tuple[Any, int]


def start_history() -> MoveHistory:
    """Return a new first node: a literal would be one object for all positions."""
    return tuple([None, -1])  # type: ignore[return-value]  # noqa: C409


def link_moves(moves: Iterable[int]) -> MoveHistory:
    """Return the history of these moves, the first one first."""
    history = start_history()
    for move in moves:
        history = (history, move)
    return history


def list_history(history: MoveHistory) -> list[int]:
    """Return the ids of the moves of a history, the first one first."""
    moves = []
    while history[0] is not None:
        history, move = history
        moves.append(int(move))
    return moves[::-1]


def restore_position(game: Game, row: Row, moves: list[int]) -> Position:
    """Return a pickled position. Its moves are a list, because a linked list would exceed the recursion limit."""
    return Position.with_history(game, row, link_moves(moves))


@dataclass(frozen=True)
class Outcome:
    """The end of a game: the winning seat (None: draw), a stable reason code, and the cells that show it."""

    winner: int | None
    reason: str
    witness: tuple[str, ...]  # names of the cells that show it
    clause: str  # the heading of the rules page that decides it
    words: str


@dataclass(frozen=True)
class Symmetry:
    """One symmetry of a game: a permutation of cells and moves that preserves the rules."""

    cells: NDArray[np.int16]  # image of each cell
    moves: NDArray[np.int16]  # image of each move id
    swaps_colours: bool  # whether the two colours are exchanged too


class Position:
    """One position of a game. It is immutable: `play` returns a new position.

    Positions can be pickled, with the moves that led to them. Copies of a position are the position itself.
    """

    __slots__ = ("_count", "_moves", "_result", "_row", "_seat", "_stepper", "game", "move_history")

    game: Game
    move_history: MoveHistory

    def __init__(
        self, game: Game, row: Row, moves: Moves, inspection: tuple[int, int, int], move_history: MoveHistory
    ) -> None:
        self.game = game
        self._stepper = game._stepper
        self.move_history = move_history
        self._row = row
        self._moves = moves
        self._count, self._result, self._seat = inspection

    @classmethod
    def from_row(cls, game: Game, row: Row) -> Position:
        """Return the position that a row holds."""
        return cls.with_history(game, row, start_history())

    @classmethod
    def with_history(cls, game: Game, row: Row, move_history: MoveHistory) -> Position:
        """Return the position that a row holds, with the moves that led to it."""
        moves = np.empty(game.max_legal_moves, np.int64)
        return cls(game, row, moves, game._stepper.inspect_row(game.rules, row, moves), move_history)

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_position, (self.game, self._row, list_history(self.move_history))

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    @property
    def seat(self) -> int | None:
        """The seat to move, None when the game is over."""
        return self._seat if self._result == ONGOING else None

    @property
    def colours(self) -> tuple[str, str]:
        """The colours of seats 0 and 1; a swap exchanges them."""
        return self.game.seat_colours(self._row)

    def moves(self) -> list[str]:
        """Return the texts of all legal moves, by ascending id; empty if the game is over."""
        texts: list[str] = self.game._texts.take(self._moves[: self._count]).tolist()
        return texts

    def move_ids(self) -> NDArray[np.int64]:
        """Return the ids of all legal moves in ascending order, empty if the game is over.

        The int64 array is a view of the position's own list: do not write into it.
        """
        return self._moves[: self._count]

    def action_mask(self) -> NDArray[np.bool_]:
        """Return which moves are legal: a new bool array [num_actions], all False if the game is over."""
        mask = np.zeros(self.game.num_actions, np.bool_)
        mask[self._moves[: self._count]] = True
        return mask

    def observation(self) -> NDArray[np.int8]:
        """Return what the seat to move sees: a new int8 array [cells, planes], of shape `game.observation_shape`.

        `game.observation_planes` has the names and the meaning of the planes. All values are from 0 to 127. After the end
        it is what the seat would see that moves next if the game went on.
        """
        planes = np.empty(self.game.observation_shape, np.int8)
        self._stepper.write_planes(self.game.rules, self._row.copy(), planes)  # a kernel may shorten paths in the row
        return planes

    def play(self, move: str) -> Position:
        """Return the position after a move or a turn.

        Args:
            move: The text of a move, such as "c3", or of a turn of several moves, such as "d4-e5/b2".

        Returns:
            The new position; this one is unchanged.

        Raises:
            MoveError: The text is not a move of this game.
            IllegalMove: The move is illegal in this position.
        """
        move_id = self.game.move_ids.get(move)
        if move_id is not None:
            return self.play_id(move_id)
        steps = self.game.split_turn(move)
        if len(steps) == 1:
            raise self.game.text.move_error(move)
        position = self
        for text in steps:
            position = position.play(text)
        return position

    def play_id(self, move: int) -> Position:
        """Return the position after the move with this id.

        Raises:
            MoveError: The id is out of range.
            IllegalMove: The move is illegal in this position.
        """
        stepper = self._stepper
        row = self._row.copy()
        moves = empty(stepper.max_legal_moves, INT64)
        count, result, seat = stepper.step(stepper.rules, row, move, moves)
        if count < 0:
            return self._play_unusual(move, count)
        after: Position = new_object(Position)  # a call of the class would take as long as the step
        after.game = self.game
        after.move_history = (self.move_history, move)
        after._stepper = stepper
        after._row = row
        after._moves = moves
        after._count = count
        after._result = result
        after._seat = seat
        return after

    def _play_unusual(self, move: int, status: int) -> Position:
        """Play with a larger history if `step` has returned HISTORY_FULL; else raise the reason why the move is illegal."""
        if status != HISTORY_FULL:
            raise self._make_refusal(move)
        inspection = (self._count, self._result, self._seat)
        grown_row = self.game.grow_history(self._row)
        return Position(self.game, grown_row, self._moves, inspection, self.move_history).play_id(move)

    def refusal(self, move: str) -> IllegalMove | None:
        """Return why a move is illegal in this position, None if it is legal.

        Raises:
            MoveError: The text is not a move of this game.
        """
        move_id = self.game.move_id(move)
        return None if move_id in self._moves[: self._count] else self._make_refusal(move_id)

    def _make_refusal(self, move: int) -> IllegalMove:
        text = self.game.move_text(move)
        outcome = self.outcome
        if outcome is not None:
            return IllegalMove(
                text, f"the game is over: {outcome.words}", reason="over", witness=outcome.witness, clause=outcome.clause
            )
        return self.game.text.refusal(self, move)

    def explain(self, move: str) -> str:
        """Return the effect of a legal move as text.

        Raises:
            MoveError: The text is not a move of this game.
            IllegalMove: The move is illegal in this position.
        """
        refusal = self.refusal(move)
        if refusal is not None:
            raise refusal
        return self.game.text.explanation(self, self.game.move_id(move))

    @property
    def result(self) -> int:
        """The outcome code of the kernels: ONGOING (-1), the winning seat, or DRAW (2)."""
        return self._result

    @property
    def outcome(self) -> Outcome | None:
        """The outcome with its explanation; None while the game is ongoing."""
        if self._result == ONGOING:
            return None
        return self.game.text.describe_outcome(self, None if self._result == DRAW else self._result)

    @property
    def has_repetition(self) -> bool:
        """Whether a position has occurred twice and would be drawn at its next occurrence."""
        return self.game.has_repetition(self._row)

    @property
    def contents(self) -> dict[str, str]:
        """The tokens of the cells that are not empty, by name."""
        tokens = self.game.tokens(self._row)
        return {name: token for name, token in zip(self.game.board.names, tokens, strict=True) if token}

    def draw(self) -> str:
        """Return the drawn board, which `game.position` reads back."""
        return str(self.build_text_diagram())

    def build_text_diagram(self) -> notation.TextDiagram:
        """Return the drawn board with the location of each cell."""
        return self.game.text.build_text_diagram(self)

    def transform(self, symmetry: Symmetry) -> Position:
        """Return this position transformed by a symmetry of the game, without its history."""
        game = self.game
        tokens = [""] * len(game.board)
        for cell, token in enumerate(game.tokens(self._row)):
            tokens[symmetry.cells[cell]] = game.text.swap_colours(token) if symmetry.swaps_colours else token
        fields = game.text.transform_fields(game.fields(self._row), symmetry)
        return Position.from_row(game, game.row_from_tokens(tokens, fields))

    def symmetric_moves(self) -> list[list[str]]:
        """Return the legal moves in groups that the symmetries of this position map onto each other, by move id."""
        game = self.game
        stabilizer = [symmetry for symmetry in game.symmetries if self.transform(symmetry) == self]
        pending, groups = set(map(int, self.move_ids())), []
        for move in sorted(pending):
            if move in pending:
                group = {int(symmetry.moves[move]) for symmetry in stabilizer}
                pending -= group
                groups.append([game.move_texts[image] for image in sorted(group)])
        return groups

    def steps(self) -> list[str]:
        """Return the moves that led here from the start position, or from the position that was read from text."""
        return [self.game.move_texts[move] for move in list_history(self.move_history)]

    @property
    def row(self) -> Row:
        """The row that the kernels store; do not write into it."""
        return self._row

    @property
    def state(self) -> Any:
        """The state that the kernels read; do not write into it."""
        return self.game.state(self._row)

    def __str__(self) -> str:
        game = self.game
        cells = notation.format_cells(game.board, game.tokens(self._row), game.text.separator)
        return " ".join([cells, *game.fields(self._row)])

    def __repr__(self) -> str:
        return f"<{self.game.spec} {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and other.game == self.game and str(other) == str(self)

    def __hash__(self) -> int:
        return hash((self.game.spec, str(self)))
