"""`Game`: one game on one board with its options, the base class of all games.

Its kernels work on rows, the flat arrays in which positions are stored. Moves have texts and ids; refusals of moves and
outcomes are explained in words with a clause of the rules.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..errors import IllegalMove, MoveError, PositionError
from ..jit.interpreted import interpreted_impl
from ..rules.generic import Row
from ..rules.interface import load_state
from ..text import did_you_mean, ellipsis
from . import notation
from .definition import GameSpec, import_attribute
from .position import Outcome, Position, Symmetry
from .stepping import AdaptiveStepper

if TYPE_CHECKING:
    from .claims import RuleClaim


class Game(ABC):
    """One game on one board with its options; created by `ropewalk.game(spec)`."""

    definition: ClassVar[GameSpec]
    separator: ClassVar[str] = ""  # between the tokens of a row
    column_width: ClassVar[int] = 1  # characters of a column of the drawn board; 0: by the longest symbol
    planes: ClassVar[tuple[str, ...]]  # names of the input planes of a net, as `encode_planes` writes them
    global_moves: ClassVar[int] = 0  # moves without a cell, over all options

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

    @property
    def letters(self) -> Mapping[str, str]:
        """The colour of each letter of a token."""
        return self.definition.tokens.letters

    @property
    def proof_method(self) -> str:
        """The name of the first declared solver that takes this board."""
        cells = len(self.board)
        methods = self.definition.proof_methods
        return next(method.name for method in methods if method.max_cells is None or cells <= method.max_cells)

    def claims(self) -> Sequence[RuleClaim]:
        """Return what the rule sheet or a ruling claims, as checks that can be run."""
        claims: Sequence[RuleClaim] = import_attribute(self.definition.claims)(self) if self.definition.claims else ()
        return claims

    # Positions

    def start(self) -> Position:
        """Return the position before the first move."""
        return self._start

    @cached_property
    def _start(self) -> Position:
        return Position.from_row(self, self.start_row())

    def position(self, text: str) -> Position:
        """Return the position that one line of text or a drawn board describes, or raise a PositionError."""
        if not isinstance(text, str) or not text.strip():
            raise PositionError(f"a position of {self.name} is a text such as {str(self.start())!r}")
        if len(text) > notation.MAX_TEXT_LENGTH:
            raise PositionError(f"a position's text has at most {notation.MAX_TEXT_LENGTH} characters, this one {len(text)}")
        if "\n" in text.strip():
            tokens = notation.parse_drawing(self.board, text, self.is_token, self.is_empty)
            fields = notation.parse_drawn_fields(text)
        else:
            cells, *fields = text.split()
            tokens = notation.parse_cells(self.board, cells, self.separator, self.is_token)
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
    def move_count(self) -> int:
        """The number of move ids, over all positions; ids run from 0."""
        return len(self.move_texts)

    @cached_property
    def move_kinds(self) -> int:
        """The number of kinds of moves of each cell; a move id is kind * cells + cell, global moves come last."""
        return self.move_count // len(self.board)

    def move_text(self, move: int) -> str:
        """Return the text of a move id, or raise a MoveError."""
        if not 0 <= move < self.move_count:
            raise MoveError(f"{self.spec} has move ids 0 to {self.move_count - 1}, not {move}")
        return self.move_texts[move]

    def move_id(self, text: str) -> int:
        """Return the id of a move text, or raise a MoveError."""
        move = self.move_ids.get(text)
        if move is None:
            raise self.move_error(text)
        return move

    def move_error(self, text: str) -> MoveError:
        """Return an error for a text that is no move, with the syntax of moves and similar moves."""
        hint = did_you_mean(text, self.move_ids) or did_you_mean(text.lower(), self.move_ids)
        return MoveError(f"{ellipsis(text)} is not a move of {self.name}: {self.move_syntax()}{hint}")

    def split_turn(self, turn: str) -> list[str]:
        """Split the text of a turn into its steps; by default a turn is one step."""
        return [turn]

    @cached_property
    def _stepper(self) -> AdaptiveStepper:
        """The functions that inspect and step single rows."""
        return AdaptiveStepper(self)

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

    def illegal_move(self, move: int, message: str, *, reason: str, clause: str, witness: Sequence[int] = ()) -> IllegalMove:
        """Return the refusal of a move; `witness` lists the cells that show the reason."""
        return IllegalMove(self.move_texts[move], message, reason=reason, witness=self.cell_names(witness), clause=clause)

    def cell_names(self, cells: Sequence[int] | set[int]) -> tuple[str, ...]:
        """Return the names of cells in the order of the board."""
        return tuple(self.board.names[cell] for cell in sorted(cells))

    # Implemented by each game

    max_legal_moves: int  # upper bound over all positions

    @abstractmethod
    def start_row(self) -> Row:
        """Return the row of the start position."""

    @abstractmethod
    def list_move_texts(self) -> Sequence[str]:
        """Return the texts of all moves in the order of their ids."""

    @abstractmethod
    def move_syntax(self) -> str:
        """Return a sentence that describes the texts of moves."""

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

    @abstractmethod
    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return why a move is illegal; the game must be ongoing."""

    @abstractmethod
    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the outcome of a finished game with its explanation."""

    @abstractmethod
    def explanation(self, position: Position, move: int) -> str:
        """Return what a legal move does, in words."""

    def is_token(self, token: str) -> bool:
        """Return whether a text is a token of a cell that is not empty."""
        return self.definition.tokens.is_token(token)

    def is_empty(self, symbol: str) -> bool:
        """Return whether a symbol of the drawn board is an empty cell."""
        return symbol in (".", "*", "'", ":", "#")

    def symbols(self, row: Row) -> list[str]:
        """Return the symbol of each cell in the drawn board."""
        return [token or self.empty_symbol(cell) for cell, token in enumerate(self.tokens(row))]

    def empty_symbol(self, cell: int) -> str:
        """Return the symbol of an empty cell in the drawn board."""
        return "."

    def line_labels(self) -> Sequence[str]:
        """Return the label before each line of the drawn board."""
        return [""] * len(notation.group_layout_lines(self.board))

    def header(self, column_width: int) -> str:
        """Return the line above the drawn board, such as the letters of its files."""
        return ""

    def header_note(self) -> str:
        """Return a note beside the header, such as the owners of the sides."""
        return ""

    def swap_colours(self, token: str) -> str:
        """Return a token with the two players' colours exchanged."""
        return self.definition.tokens.swap_colours(token, self.colours)

    def transform_fields(self, fields: list[str], symmetry: Symmetry) -> list[str]:
        """Return the fields of a position transformed by a symmetry."""
        if not symmetry.swaps_colours:
            return fields
        opposite_colour = dict(zip(self.colours, self.colours[::-1], strict=True))
        return [opposite_colour.get(field, field) for field in fields]

    def visible_colours(self, token: str) -> tuple[str, ...]:
        """Return the colour of the topmost piece of a token, then that of a ring on it."""
        return self.definition.tokens.visible_colours(token)

    def describe_token(self, token: str) -> str:
        """Return a token in words, such as "a red stone"."""
        return self.definition.tokens.describe(token)

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """Return the description of an empty cell."""
        return "empty"

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the score of a game that began at `start`, in a few numbers."""
        top_colours = [self.visible_colours(token)[0] for token in position.contents.values()]
        return "stones: " + ", ".join(f"{colour} {top_colours.count(colour)}" for colour in self.colours)

    def phase(self, row: Row) -> str:
        """Return a stable word for the kind of decision to make, "" where there is only one kind."""
        return ""

    def hands(self, row: Row) -> Mapping[str, str]:
        """Return the token of the piece that each colour holds in hand."""
        return {}

    def colour_control(self, row: Row) -> Mapping[str, Sequence[str]]:
        """Return the colours of the players who control each token, in games with control."""
        return {}

    def legend(self) -> str:
        """Return how to read the drawn board, in a sentence or two."""
        return ""

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
