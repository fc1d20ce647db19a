"""Positions as text: one line for records and links, and a drawn board; both can be parsed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..boards import Board
from ..errors import PositionError
from ..text import did_you_mean, ellipsis

if TYPE_CHECKING:
    from .position import Position

TO_MOVE = "to move:"
GAME_OVER = "game over, next:"
STATUS_LABELS = (TO_MOVE, GAME_OVER)
MAX_TEXT_LENGTH = 20_000


def format_cells(board: Board, tokens: Sequence[str], separator: str = "") -> str:
    """Return the rows of a board, separated by slashes; a number is a run of empty cells."""
    return "/".join(format_row([tokens[cell] for cell in row], separator) for row in board.rows)


def format_row(tokens: Sequence[str], separator: str) -> str:
    """Return one row: tokens as they are, runs of empty cells as their length."""
    items: list[str] = []
    num_empty = 0
    for token in [*tokens, None]:
        if token == "":
            num_empty += 1
            continue
        if num_empty:
            items.append(str(num_empty))
            num_empty = 0
        if token is not None:
            items.append(token)
    return separator.join(items)


def parse_cells(board: Board, text: str, separator: str, is_token: Callable[[str], bool]) -> list[str]:
    """Return the tokens of all cells from rows separated by slashes, or raise a PositionError."""
    rows = text.split("/")
    if len(rows) != len(board.rows):
        raise PositionError(f"the position has {len(rows)} rows, but the board has {len(board.rows)}: {ellipsis(text)}")
    tokens = [""] * len(board)
    for number, (row, cells) in enumerate(zip(rows, board.rows, strict=True), start=1):
        row_tokens = parse_row(row, separator, is_token, f"row {number}", len(cells))
        for cell, token in zip(cells, row_tokens, strict=True):
            tokens[cell] = token
    return tokens


def parse_row(row: str, separator: str, is_token: Callable[[str], bool], location: str, num_cells: int) -> list[str]:
    """Return the tokens of one row of `num_cells` cells, or raise a PositionError."""
    items = row.split(separator) if separator else re.findall(r"\d+|.", row)
    tokens: list[str] = []
    for item in items:
        if item.isascii() and item.isdigit():
            if len(item) > 4:
                raise PositionError(f"{location}: {ellipsis(item)} empty cells are too many; the row has {num_cells} cells")
            tokens += [""] * int(item)
        elif is_token(item):
            tokens.append(item)
        else:
            raise PositionError(
                f"{location}: expected a piece of this game or a number of empty cells, not {ellipsis(item)}"
            )
    if len(tokens) != num_cells:
        raise PositionError(f"{location} must describe {num_cells} cells, but {ellipsis(row)} describes {len(tokens)}")
    return tokens


def group_layout_lines(board: Board) -> list[list[tuple[int, int]]]:
    """Return the (column, cell) pairs of each line of the drawn board, from left to right."""
    lines: dict[int, list[tuple[int, int]]] = {}
    for line, column, cell in board.text_layout:
        lines.setdefault(line, []).append((column, cell))
    return [sorted(lines[line]) for line in sorted(lines)]


class DrawnCell(NamedTuple):
    """The location of a cell in a drawn board; a cell on a cut edge has several."""

    line: int
    column: int  # counted in characters, the label included
    cell: int
    symbol: str


@dataclass(frozen=True)
class TextDiagram:
    """A drawn board: its lines, perhaps with a header as the first, and the location of each cell."""

    lines: tuple[str, ...]
    cells: tuple[DrawnCell, ...]  # line by line, from left to right
    header_note: str  # text beside the header
    status_line: str  # the fields, after a status label

    def __str__(self) -> str:
        first, *rest = self.lines
        return "\n".join([first + (f"    {self.header_note}" if self.header_note else ""), *rest, self.status_line])


LABEL_SEPARATOR = " | "  # between the label of a line and its cells


def place_cells(
    lines: list[list[tuple[int, int]]], symbols: Sequence[str], labels: Sequence[str], column_width: int
) -> list[DrawnCell]:
    """Return the location of each cell, line by line; labels and a bar come first in a line."""
    margin = max(map(len, labels), default=0) + len(LABEL_SEPARATOR)
    return [
        DrawnCell(number, margin + column * column_width, cell, symbols[cell])
        for number, line in enumerate(lines)
        for column, cell in line
    ]


def render_lines(
    lines: list[list[tuple[int, int]]], symbols: Sequence[str], labels: Sequence[str], column_width: int
) -> list[str]:
    """Return the lines of the drawn board: label, bar, and the symbols at their columns."""
    margin = max(map(len, labels), default=0)
    rendered = [f"{label:>{margin}}{LABEL_SEPARATOR}" for label in labels]
    for drawn_cell in place_cells(lines, symbols, labels, column_width):
        rendered[drawn_cell.line] = rendered[drawn_cell.line].ljust(drawn_cell.column) + drawn_cell.symbol
    return rendered


def list_cell_names(board: Board, move: str) -> tuple[str, ...]:
    """Return the names of cells in the text of a step, in order."""
    return tuple(word for word in split_move_text(move) if word in board.index)


def split_move_text(move: str) -> list[str]:
    """Split the text of a step into cells and words such as off or swap."""
    return [word for word in re.split(r"[-=/~]", move) if word]


def parse_drawing(board: Board, text: str, is_token: Callable[[str], bool], is_empty: Callable[[str], bool]) -> list[str]:
    """Return the tokens of all cells of a drawn board, or raise a PositionError.

    Labels before a bar and, where any line has a bar, lines without one are skipped.
    """
    board_lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith(STATUS_LABELS)]
    if any("|" in line for line in board_lines):
        board_lines = [line.split("|", 1)[1] for line in board_lines if "|" in line]
    lines = group_layout_lines(board)
    if len(board_lines) != len(lines):
        raise PositionError(f"the drawing has {len(board_lines)} lines, but this board has {len(lines)}")
    tokens: list[str | None] = [None] * len(board)
    for number, (line, board_line) in enumerate(zip(lines, board_lines, strict=True), start=1):
        symbols = board_line.split()
        if len(symbols) != len(line):
            raise PositionError(f"line {number} of the drawing has {len(symbols)} cells, expected {len(line)}")
        for (_, cell), symbol in zip(line, map(str.lower, symbols), strict=True):
            if not is_empty(symbol) and not is_token(symbol):
                raise PositionError(f"line {number} of the drawing: {ellipsis(symbol)} is not a piece of this game")
            token = "" if is_empty(symbol) else symbol
            if tokens[cell] not in (None, token):
                raise PositionError(
                    f"{board.names[cell]} is drawn twice with different contents, {tokens[cell] or 'empty'} and {symbol}"
                )
            tokens[cell] = token
    return [token or "" for token in tokens]


def parse_drawn_fields(text: str) -> list[str]:
    """Return the words after "to move:" or "game over, next:", on any line."""
    for line in map(str.strip, text.splitlines()):
        for label in STATUS_LABELS:
            if line.startswith(label):
                return line[len(label) :].split()
    return []


def require_one_of(field: str, allowed: Sequence[str], description: str) -> str:
    """Return the field if it is allowed, or raise a PositionError."""
    if field not in allowed:
        raise PositionError(f"{ellipsis(field)} is not {description} ({' or '.join(allowed)}){did_you_mean(field, allowed)}")
    return field


def append_outcome(text: str, after: Position) -> str:
    """Append the outcome to the description of a move that ends the game."""
    return text if after.outcome is None else f"{text}; {after.outcome.words}"
