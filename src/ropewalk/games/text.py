"""`GameText`: what people read about a game: the syntax of moves, refusals, explanations and the drawn board.

Every game has a subclass, `game.text`. Refusals and outcomes name the clause of the rules that decides them, a stable
reason code, and the cells that show it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ..boards import Board
from ..errors import IllegalMove, MoveError
from ..rules.generic import Row
from ..rules.interface import ONGOING
from ..text import did_you_mean, ellipsis
from . import notation
from .position import Outcome, Position, Symmetry

if TYPE_CHECKING:
    from .game import Game


class Score(NamedTuple):
    """A count of both players that the rules speak of, and the count that wins, None if none does."""

    kind: str  # a stable word
    by_colour: Mapping[str, int]
    target: int | None = None


class GameText(ABC):
    """The texts of one game on one board."""

    separator: ClassVar[str] = ""  # between the tokens of a row
    column_width: ClassVar[int] = 1  # characters of a column of the drawn board; 0: by the longest symbol

    def __init__(self, game: Game) -> None:
        self.game = game

    @property
    def board(self) -> Board:
        """The board of the game."""
        return self.game.board

    @property
    def letters(self) -> Mapping[str, str]:
        """The colour of each letter of a token."""
        return self.game.definition.tokens.letters

    def move_error(self, text: str) -> MoveError:
        """Return an error for a text that is not a move, with the syntax of moves and similar moves."""
        hint = did_you_mean(text, self.game.move_ids) or did_you_mean(text.lower(), self.game.move_ids)
        return MoveError(f"{ellipsis(text)} is not a move of {self.game.name}; {self.move_syntax()}{hint}")

    def illegal_move(self, move: int, message: str, *, reason: str, clause: str, witness: Sequence[int] = ()) -> IllegalMove:
        """Return the refusal of a move; `witness` lists the cells that show the reason."""
        return IllegalMove(
            self.game.move_texts[move], message, reason=reason, witness=self.cell_names(witness), clause=clause
        )

    def cell_names(self, cells: Sequence[int] | set[int]) -> tuple[str, ...]:
        """Return the names of cells in the order of the board."""
        return tuple(self.board.names[cell] for cell in sorted(cells))

    @abstractmethod
    def move_syntax(self) -> str:
        """Return a sentence that describes the texts of moves."""

    @abstractmethod
    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return why a move is illegal; the game must be ongoing."""

    @abstractmethod
    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the outcome of a finished game with its explanation."""

    def winning_theme(self, line: Sequence[Position]) -> str:
        """Return a word or two for how a line of play wins: by default the reason of its outcome.

        Args:
            line: The positions from the one in which the winner was to move to the end of the game.

        """
        outcome = line[-1].outcome
        assert outcome is not None
        return outcome.reason.replace("-", " ")

    @abstractmethod
    def explanation(self, position: Position, move: int) -> str:
        """Return the effect of a legal move as text."""

    def is_token(self, token: str) -> bool:
        """Return whether a text is a token of a cell that is not empty."""
        return self.game.definition.tokens.is_token(token)

    def is_empty(self, symbol: str) -> bool:
        """Return whether a symbol of the drawn board is an empty cell."""
        return symbol in (".", "*", "'", ":", "#")

    def build_text_diagram(self, position: Position) -> notation.TextDiagram:
        """Return the drawn board of a position with the location of each cell."""
        symbols, labels, lines = self.symbols(position.row), self.line_labels(), notation.group_layout_lines(self.board)
        column_width = self.column_width or max(map(len, symbols)) + 1
        rendered_lines = notation.render_lines(lines, symbols, labels, column_width)
        cells = notation.place_cells(lines, symbols, labels, column_width)
        indent = " " * (max(map(len, labels)) + len(notation.LABEL_SEPARATOR))
        header = [indent + self.header(column_width)] if self.header(column_width) else []
        placed_cells = tuple(cell._replace(line=cell.line + len(header)) for cell in cells)
        label = notation.TO_MOVE if position.result == ONGOING else notation.GAME_OVER
        status_line = f"{label} {' '.join(self.game.fields(position.row))}"
        return notation.TextDiagram((*header, *rendered_lines), placed_cells, self.header_note(), status_line)

    def symbols(self, row: Row) -> list[str]:
        """Return the symbol of each cell in the drawn board."""
        return [token or self.empty_symbol(cell) for cell, token in enumerate(self.game.tokens(row))]

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
        return self.game.definition.tokens.swap_colours(token, self.game.colours)

    def transform_fields(self, fields: list[str], symmetry: Symmetry) -> list[str]:
        """Return the fields of a position transformed by a symmetry."""
        if not symmetry.swaps_colours:
            return fields
        opposite_colour = dict(zip(self.game.colours, self.game.colours[::-1], strict=True))
        return [opposite_colour.get(field, field) for field in fields]

    def visible_colours(self, token: str) -> tuple[str, ...]:
        """Return the colour of the topmost piece of a token, then that of a ring on it."""
        return self.game.definition.tokens.visible_colours(token)

    def describe_token(self, token: str) -> str:
        """Return a token in words, such as "a red stone"."""
        return self.game.definition.tokens.describe(token)

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """Return the description of an empty cell."""
        return "empty"

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the score of a game that began at `start`, in a few numbers."""
        top_colours = [self.visible_colours(token)[0] for token in position.contents.values()]
        return "stones: " + ", ".join(f"{colour} {top_colours.count(colour)}" for colour in self.game.colours)

    def scores(self, position: Position) -> Sequence[Score]:
        """Return the counts by which a game is decided, the most important first; none in a game without them."""
        return ()

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
