"""`Game`: one game on one board with its options, the base class of all games.

Its kernels work on rows, the flat arrays in which positions are stored. Moves have texts and ids. What people read about
positions and moves is in `game.text`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..errors import MoveError, PositionError
from ..jit.interpreted import interpreted_impl
from ..rules.generic import Row
from ..rules.interface import load_state
from . import notation, registry
from .definition import GameSpec
from .encoding import GameEncoding, ObservationPlane
from .position import Position, Symmetry
from .stepping import AdaptiveStepper
from .text import GameText


class Game(ABC):
    """One game on one board with its options; created by `ropewalk.game(spec)`."""

    definition: ClassVar[GameSpec]
    text_class: ClassVar[type[GameText]]
    observation_planes: ClassVar[tuple[ObservationPlane, ...]]  # names and meaning, in the order of `encode_planes`
    global_moves: ClassVar[int] = 0  # number of moves that belong to no cell, over all options; see `encoding`

    spec: str
    board: Board
    options: Mapping[str, Any]
    rules: Any  # constants of the kernels: a NamedTuple of the game's own type
    interpreter_budget_seconds: float = 1.0  # time that single steps may take interpreted before they are compiled

    def __repr__(self) -> str:
        return f"<game {self.spec}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.spec == self.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the spec; loading it returns the cached game of the process."""
        return registry.game, (self.spec,)

    def __copy__(self) -> Self:
        """Return the game itself, which is immutable."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        return self

    # Declared properties

    @property
    def name(self) -> str:
        """The name of the game."""
        return self.definition.name

    @property
    def designer(self) -> str:
        """The designer of the game."""
        return self.definition.designer

    @property
    def year(self) -> str:
        """The year of publication."""
        return self.definition.year

    @property
    def colours(self) -> tuple[str, str]:
        """The colours of seats 0 and 1, before any swap."""
        return self.definition.colours

    @cached_property
    def text(self) -> GameText:
        """What people read: syntax of moves, refusals, explanations, drawn board."""
        return self.text_class(self)

    @cached_property
    def encoding(self) -> GameEncoding:
        """What nets see: input planes, policy indices, neighbour index, symmetry tables."""
        return GameEncoding(self)

    # Positions

    def start(self) -> Position:
        """Return the position before the first move."""
        return self._start

    @cached_property
    def _start(self) -> Position:
        return Position.from_row(self, self.start_row())

    def position(self, text: str) -> Position:
        """Return the position that a text describes.

        Args:
            text: A position text, as `str(position)` returns it, or a drawn board, as `position.draw()` returns it.

        Raises:
            PositionError: The text is invalid, or the rules do not allow the position.
        """
        if not isinstance(text, str) or not text.strip():
            raise PositionError(f"a position of {self.name} must be a non-empty text such as {str(self.start())!r}")
        if len(text) > notation.MAX_TEXT_LENGTH:
            raise PositionError(
                f"the position text has {len(text)} characters; at most {notation.MAX_TEXT_LENGTH} are allowed"
            )
        if "\n" in text.strip():
            tokens = notation.parse_drawing(self.board, text, self.text.is_token, self.text.is_empty)
            fields = notation.parse_drawn_fields(text)
        else:
            cells, *fields = text.split()
            tokens = notation.parse_cells(self.board, cells, self.text.separator, self.text.is_token)
        return Position.from_row(self, self.row_from_tokens(tokens, fields))

    # Moves

    @cached_property
    def move_texts(self) -> tuple[str, ...]:
        """The text of every move id."""
        return tuple(self.list_move_texts())

    @cached_property
    def move_ids(self) -> dict[str, int]:
        """The id of every move text."""
        return {text: move for move, text in enumerate(self.move_texts)}

    @property
    def num_actions(self) -> int:
        """The number of move ids, over all positions; ids run from 0. The length of an action mask."""
        return len(self.move_texts)

    @property
    def observation_shape(self) -> tuple[int, int]:
        """The shape of an observation: cells in the order of `board.names`, planes in that of `observation_planes`."""
        return len(self.board), len(self.observation_planes)

    @property
    def max_game_length(self) -> int | None:
        """An upper bound of the number of moves of a game; None if a game can go on for as long as no position repeats."""
        return None

    def move_text(self, move: int) -> str:
        """Return the text of a move id, or raise a MoveError."""
        if not 0 <= move < self.num_actions:
            raise MoveError(f"move id {move} is out of range; {self.spec} has move ids 0 to {self.num_actions - 1}")
        return self.move_texts[move]

    def move_id(self, text: str) -> int:
        """Return the id of a move text, or raise a MoveError."""
        move = self.move_ids.get(text)
        if move is None:
            raise self.text.move_error(text)
        return move

    def split_turn(self, turn: str) -> list[str]:
        """Split the text of a turn into its steps; by default a turn is one step."""
        return [turn]

    @cached_property
    def _stepper(self) -> AdaptiveStepper:
        """The functions that inspect and step single rows."""
        return AdaptiveStepper(self)

    def compile(self) -> None:
        """Compile the kernels of single steps now, or load their machine code from the cache; return when it is done.

        Without this call, kernels that are not in the cache are interpreted for `interpreter_budget_seconds` first.
        """
        if not self._stepper.is_compiled:
            self._stepper.compile()

    @cached_property
    def _texts(self) -> NDArray[np.object_]:
        return np.array(self.move_texts, dtype=object)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All symmetries of this game, the identity first."""
        return tuple(self.list_symmetries())

    def state(self, row: Row) -> Any:
        """Return the state that kernels read from a row; its arrays are views of the row."""
        return interpreted_impl(load_state, self.rules)(self.rules, row)

    # Implemented by each game

    max_legal_moves: int  # upper bound over all positions

    @abstractmethod
    def start_row(self) -> Row:
        """Return the row of the start position."""

    @abstractmethod
    def list_move_texts(self) -> Sequence[str]:
        """Return the texts of all moves in the order of their ids."""

    @abstractmethod
    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the symmetries, the identity first."""

    @abstractmethod
    def tokens(self, row: Row) -> list[str]:
        """Return the token of each cell, "" for an empty one."""

    @abstractmethod
    def fields(self, row: Row) -> list[str]:
        """Return the words of a position's text after the cells, the colour to move first."""

    @abstractmethod
    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row of a position from its tokens and fields, or raise a PositionError."""

    def seat_colours(self, row: Row) -> tuple[str, str]:
        """Return the colours that seats 0 and 1 play in a position."""
        return self.colours

    def grow_history(self, row: Row) -> Row:
        """Return a copy of a row with a larger capacity for past positions."""
        raise NotImplementedError

    @property
    def can_repeat(self) -> bool:
        """Whether a position can repeat, so that play may be cyclic."""
        return False

    @property
    def compact_dtype(self) -> type[np.signedinteger]:
        """The smallest integer type that holds all words of a row without history."""
        return self.start().row.dtype.type

    def has_repetition(self, row: Row) -> bool:
        """Return whether a position has occurred twice and would be drawn at its next occurrence."""
        return False

    def without_history(self, row: Row) -> tuple[Any, Row]:
        """Return rules and row in which past positions do not count, so that a value depends on the position alone."""
        return self.rules, row
