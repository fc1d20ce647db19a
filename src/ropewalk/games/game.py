"""Games and positions as callers see them: immutable, in texts, with every refusal and ending explained."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..boards import Board
from ..errors import IllegalMove, MoveError, PositionError
from ..jit.interpreted import interpreted_impl
from ..rules.generic import Moves, Row
from ..rules.interface import DRAW, HISTORY_FULL, ONGOING, load_state
from ..text import did_you_mean, ellipsis
from . import notation
from .stepping import AdaptiveStepper

if TYPE_CHECKING:
    from .claims import RuleClaim


class MoveHistory:
    """The steps that led to a position, as a chain; one without `before` is where it begins."""

    __slots__ = ("move", "parent")

    def __init__(self, parent: MoveHistory | None = None, move: int = -1) -> None:
        self.parent = parent
        self.move = move


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winning seat (None: drawn), a stable reason code, and what shows it."""

    winner: int | None
    reason: str
    witness: tuple[str, ...]  # names of the cells that show it
    clause: str  # the heading of the rules page that decides it
    words: str


@dataclass(frozen=True)
class Symmetry:
    """One way to turn or mirror a game onto itself."""

    cells: NDArray[np.int16]  # where each cell goes
    moves: NDArray[np.int16]  # where each move id goes
    swaps_colours: bool  # whether the two colours change places too


class Game(ABC):
    """One game on one board with its options; make it with `ropewalk.game(spec)`."""

    name: ClassVar[str]
    designer: ClassVar[str]
    year: ClassVar[str]
    colours: ClassVar[tuple[str, str]]  # of seats 0 and 1, before any swap
    separator: ClassVar[str] = ""  # between the tokens of a row
    column_width: ClassVar[int] = 1  # characters a column of the drawn board
    letters: ClassVar[Mapping[str, str]]  # the colour that each letter of a token stands for

    planes: ClassVar[tuple[str, ...]]  # what a net sees of each cell, as `features` writes it
    global_moves: ClassVar[int] = 0  # moves that belong to no cell, over all options
    has_ownership_target: ClassVar[bool] = (
        True  # whether what is won on the board mostly stays there, so that a net may guess it
    )

    spec: str
    board: Board
    options: Mapping[str, Any]
    rules: Any  # what the kernels know of this game: a NamedTuple of the game's own type
    interpreter_budget_seconds: float = 1.0  # seconds that single steps may cost in plain Python before they are compiled

    def __repr__(self) -> str:
        return f"<game {self.spec}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Game) and other.spec == self.spec

    def __hash__(self) -> int:
        return hash(self.spec)

    # Positions

    def start(self) -> Position:
        """The position before the first move."""
        return self._start

    @cached_property
    def _start(self) -> Position:
        return Position.from_row(self, self.start_row())

    def position(self, text: str) -> Position:
        """Read a position from one line of text or from a drawn board."""
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
        """How many moves there are over all positions; ids run from 0."""
        return len(self.move_texts)

    @cached_property
    def move_kinds(self) -> int:
        """How many kinds of moves there are to each cell; ids are kind * cells + cell, then the global moves."""
        return self.move_count // len(self.board)

    def move_text(self, move: int) -> str:
        """The text of a move id."""
        if not 0 <= move < self.move_count:
            raise MoveError(f"{self.spec} has move ids 0 to {self.move_count - 1}, not {move}")
        return self.move_texts[move]

    def move_id(self, text: str) -> int:
        """The id of a move text."""
        move = self.move_ids.get(text)
        if move is None:
            raise self.move_error(text)
        return move

    def move_error(self, text: str) -> MoveError:
        """Says what a move looks like, with near misses."""
        hint = did_you_mean(text, self.move_ids) or did_you_mean(text.lower(), self.move_ids)
        return MoveError(f"{ellipsis(text)} is not a move of {self.name}: {self.move_syntax()}{hint}")

    def split_turn(self, turn: str) -> list[str]:
        """The steps of a turn's text; most games have turns of one step."""
        return [turn]

    @cached_property
    def _stepper(self) -> AdaptiveStepper:
        """How single steps are made."""
        return AdaptiveStepper(self)

    @cached_property
    def _texts(self) -> NDArray[np.object_]:
        return np.array(self.move_texts, dtype=object)

    @cached_property
    def symmetries(self) -> tuple[Symmetry, ...]:
        """All ways to turn or mirror this game onto itself, the identity first."""
        return tuple(self.list_symmetries())

    def state(self, row: Row) -> Any:
        """The kernels' view of a row."""
        return interpreted_impl(load_state, self.rules)(self.rules, row)

    def illegal_move(self, move: int, message: str, *, reason: str, clause: str, witness: Sequence[int] = ()) -> IllegalMove:
        """A refusal of a move, its witness cells given by number."""
        return IllegalMove(self.move_texts[move], message, reason=reason, witness=self.cell_names(witness), clause=clause)

    def cell_names(self, cells: Sequence[int] | set[int]) -> tuple[str, ...]:
        """The names of cells, in the order of the board."""
        return tuple(self.board.names[cell] for cell in sorted(cells))

    # What each game says of itself

    max_legal_moves: int  # at least as many as any position has

    def claims(self) -> Sequence[RuleClaim]:
        """What the sheet or a ruling says is always so, as checks that can be run."""
        return ()

    @abstractmethod
    def start_row(self) -> Row:
        """The row of the start position."""

    @abstractmethod
    def list_move_texts(self) -> Sequence[str]:
        """The texts of all moves in the order of their ids."""

    @abstractmethod
    def move_syntax(self) -> str:
        """What a move looks like, with an example."""

    @abstractmethod
    def list_symmetries(self) -> Sequence[Symmetry]:
        """The symmetries, the identity first."""

    @abstractmethod
    def tokens(self, row: Row) -> list[str]:
        """What stands on each cell, "" for nothing."""

    @abstractmethod
    def fields(self, row: Row) -> list[str]:
        """What a position's text says after the cells, the colour to move first."""

    @abstractmethod
    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """The row of a position from its text, or a PositionError."""

    @abstractmethod
    def is_token(self, token: str) -> bool:
        """Whether a text can stand for what is on a cell."""

    @abstractmethod
    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Why a move is not legal in a position that is not over."""

    @abstractmethod
    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Why a finished game ended as it did."""

    @abstractmethod
    def explanation(self, position: Position, move: int) -> str:
        """What a legal move does, in words."""

    def is_empty(self, symbol: str) -> bool:
        """Whether a symbol of the drawn board is an empty cell."""
        return symbol in (".", "*", "'", ":", "#")

    def symbols(self, row: Row) -> list[str]:
        """How each cell is drawn."""
        return [token or self.empty_symbol(cell) for cell, token in enumerate(self.tokens(row))]

    def empty_symbol(self, cell: int) -> str:
        """How an empty cell is drawn."""
        return "."

    def line_labels(self) -> Sequence[str]:
        """The label before each line of the drawn board."""
        return [""] * len(notation.group_layout_lines(self.board))

    def header(self, column_width: int) -> str:
        """A line above the drawn board, such as the letters of its files."""
        return ""

    def header_note(self) -> str:
        """What is said beside the header, such as whose the sides are."""
        return ""

    def swap_colours(self, token: str) -> str:
        """A token with the two colours exchanged; only asked of games with such a symmetry."""
        raise NotImplementedError

    def transform_fields(self, fields: list[str], symmetry: Symmetry) -> list[str]:
        """The fields of a position under a symmetry."""
        if not symmetry.swaps_colours:
            return fields
        opposite_colour = dict(zip(self.colours, self.colours[::-1], strict=True))
        return [opposite_colour.get(field, field) for field in fields]

    def visible_colours(self, token: str) -> tuple[str, ...]:
        """The colours that a token shows: that of its topmost letter, where there is no more to it."""
        return (self.letters[token[-1]],)

    def describe_token(self, token: str) -> str:
        """What stands on a cell, in words."""
        return f"a {self.letters[token]} stone"

    def describe_empty_cell(self, position: Position, cell: int) -> str:
        """What there is to say of an empty cell."""
        return "empty"

    def score_summary(self, position: Position, start: Position) -> str:
        """How a game that began with `start` stands, in a few numbers."""
        top_colours = [self.visible_colours(token)[0] for token in position.contents.values()]
        return "stones: " + ", ".join(f"{colour} {top_colours.count(colour)}" for colour in self.colours)

    def phase(self, row: Row) -> str:
        """A stable word for what is to be chosen, where that is not always the same."""
        return ""

    def hands(self, row: Row) -> Mapping[str, str]:
        """By colour, what a player holds beside the board, as a token."""
        return {}

    def colour_control(self, row: Row) -> Mapping[str, Sequence[str]]:
        """By token, the colours of those who control what it shows, in a game in which players do."""
        return {}

    def legend(self) -> str:
        """How to read the drawn board, in a sentence or two."""
        return ""

    def seat_colours(self, row: Row) -> tuple[str, str]:
        """The colours that seats 0 and 1 play in a position."""
        return self.colours

    def grow_history(self, row: Row) -> Row:
        """A copy of a row with more room for what it remembers."""
        raise NotImplementedError

    @property
    def can_repeat(self) -> bool:
        """Whether a position can come again, so that play may go round for ever."""
        return False

    @property
    def compact_dtype(self) -> type[np.signedinteger]:
        """The smallest numbers that hold all words of a row without a past."""
        return self.start().row.dtype.type

    @property
    def proof_method(self) -> str:
        """How values of this game are proven."""
        return "strategy"

    def has_repetition(self, row: Row) -> bool:
        """Whether a position has occurred twice that would be drawn if it occurred again."""
        return False

    def without_history(self, row: Row) -> tuple[Any, Row]:
        """Rules and row by which no past position counts: for solvers, a position's value is its own."""
        return self.rules, row


class Position:
    """One position of a game; nothing changes it, `play` makes a new one."""

    __slots__ = ("_count", "_moves", "_result", "_row", "_seat", "game", "move_history")

    game: Game
    move_history: MoveHistory

    def __init__(
        self, game: Game, row: Row, moves: Moves, inspection: tuple[int, int, int], move_history: MoveHistory
    ) -> None:
        self.game = game
        self.move_history = move_history
        self._row = row
        self._moves = moves
        self._count, self._result, self._seat = inspection

    @classmethod
    def from_row(cls, game: Game, row: Row) -> Position:
        """The position that a row holds."""
        moves = np.empty(game.max_legal_moves, np.int64)
        return cls(game, row, moves, game._stepper.inspect_row(game.rules, row, moves), MoveHistory())

    @property
    def seat(self) -> int | None:
        """The seat to move, None when the game is over."""
        return self._seat if self._result == ONGOING else None

    @property
    def colours(self) -> tuple[str, str]:
        """The colours of seats 0 and 1; a swap exchanges them."""
        return self.game.seat_colours(self._row)

    def moves(self) -> list[str]:
        """The texts of all legal steps, in a fixed order."""
        texts: list[str] = self.game._texts.take(self._moves[: self._count]).tolist()
        return texts

    def move_ids(self) -> NDArray[np.int64]:
        """The ids of all legal steps, in a fixed order."""
        return self._moves[: self._count].copy()

    def play(self, move: str) -> Position:
        """The position after a step, or after a whole turn of several steps written together."""
        move_id = self.game.move_ids.get(move)
        if move_id is not None:
            return self.play_id(move_id)
        steps = self.game.split_turn(move)
        if len(steps) == 1:
            raise self.game.move_error(move)
        position = self
        for text in steps:
            position = position.play(text)
        return position

    def play_id(self, move: int) -> Position:
        """The position after the step with this id."""
        game = self.game
        row = self._row.copy()
        moves = np.empty(game.max_legal_moves, np.int64)
        inspection = game._stepper.step(game.rules, row, move, moves)
        if inspection[0] >= 0:
            return Position(game, row, moves, inspection, MoveHistory(self.move_history, move))
        if inspection[0] == HISTORY_FULL:
            grown_row, inspection_before = game.grow_history(self._row), (self._count, self._result, self._seat)
            return Position(game, grown_row, self._moves, inspection_before, self.move_history).play_id(move)
        raise self._make_refusal(move)

    def refusal(self, move: str) -> IllegalMove | None:
        """Why a move is not legal here; None for a legal one."""
        move_id = self.game.move_id(move)
        return None if move_id in self._moves[: self._count] else self._make_refusal(move_id)

    def _make_refusal(self, move: int) -> IllegalMove:
        text = self.game.move_text(move)
        outcome = self.outcome
        if outcome is not None:
            return IllegalMove(
                text, f"the game is over: {outcome.words}", reason="over", witness=outcome.witness, clause=outcome.clause
            )
        return self.game.refusal(self, move)

    def explain(self, move: str) -> str:
        """What a legal move does, in words; an IllegalMove says why another is refused."""
        refusal = self.refusal(move)
        if refusal is not None:
            raise refusal
        return self.game.explanation(self, self.game.move_id(move))

    @property
    def result(self) -> int:
        """The outcome as the kernels tell it, without reasons: ONGOING (-1), the winning seat, or DRAW (2)."""
        return self._result

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it goes on."""
        if self._result == ONGOING:
            return None
        return self.game.describe_outcome(self, None if self._result == DRAW else self._result)

    @property
    def contents(self) -> dict[str, str]:
        """What stands on the cells that are not empty, by name."""
        tokens = self.game.tokens(self._row)
        return {name: token for name, token in zip(self.game.board.names, tokens, strict=True) if token}

    def draw(self) -> str:
        """The drawn board, which `game.position` reads back."""
        return str(self.drawing())

    def drawing(self) -> notation.TextDiagram:
        """The drawn board with the places of its cells."""
        game = self.game
        symbols, labels, lines = game.symbols(self._row), game.line_labels(), notation.group_layout_lines(game.board)
        column_width = max(map(len, symbols)) + 1 if game.column_width == 0 else game.column_width
        rendered_lines = notation.render_lines(lines, symbols, labels, column_width)
        cells = notation.place_cells(lines, symbols, labels, column_width)
        header = (
            [" " * (max(map(len, labels)) + len(notation.LABEL_SEPARATOR)) + game.header(column_width)]
            if game.header(column_width)
            else []
        )
        placed_cells = tuple(spot._replace(line=spot.line + len(header)) for spot in cells)
        label = notation.TO_MOVE if self._result == ONGOING else notation.GAME_OVER
        status_line = f"{label} {' '.join(game.fields(self._row))}"
        return notation.TextDiagram((*header, *rendered_lines), placed_cells, game.header_note(), status_line)

    def transformed(self, symmetry: Symmetry) -> Position:
        """This position under a symmetry of the game. Past positions are forgotten."""
        game = self.game
        tokens = [""] * len(game.board)
        for cell, token in enumerate(game.tokens(self._row)):
            tokens[symmetry.cells[cell]] = game.swap_colours(token) if symmetry.swaps_colours else token
        fields = game.transform_fields(game.fields(self._row), symmetry)
        return Position.from_row(game, game.row_from_tokens(tokens, fields))

    def steps(self) -> list[str]:
        """The steps that led here from the start, or from a position that was read from a text."""
        steps = []
        node = self.move_history
        while node.parent is not None:
            steps.append(self.game.move_texts[node.move])
            node = node.parent
        return steps[::-1]

    @property
    def row(self) -> Row:
        """This position as the kernels store it; do not write into it."""
        return self._row

    @property
    def state(self) -> Any:
        """This position as the kernels read it; do not write into it."""
        return self.game.state(self._row)

    def __str__(self) -> str:
        game = self.game
        cells = notation.format_cells(game.board, game.tokens(self._row), game.separator)
        return " ".join([cells, *game.fields(self._row)])

    def __repr__(self) -> str:
        return f"<{self.game.spec} {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Position) and other.game == self.game and str(other) == str(self)

    def __hash__(self) -> int:
        return hash((self.game.spec, str(self)))
