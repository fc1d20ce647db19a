"""Cells in words: what is on one, what is around it, and where everything of a kind is."""

from __future__ import annotations

from collections.abc import Sequence

from ..boards import NO_CELL, Board
from ..errors import RopewalkError
from ..games.position import Position
from ..text import did_you_mean, ellipsis, plural

EMPTY, MARKS = "empty", "marks"


class NoCell(RopewalkError):
    """A name that no cell of the board has, or a content that no cell can have."""


def cell_named(board: Board, name: str) -> int:
    """The cell of a name, in capitals or not."""
    spelt = next((known for known in (name, name.lower(), name.capitalize(), name.upper()) if known in board.index), None)
    if spelt is None:
        first, last = board.names[0], board.names[-1]
        raise NoCell(f"{ellipsis(name)} is no cell of this board, {first} to {last}{did_you_mean(name, board.names)}")
    return board.index[spelt]


def on_cell(position: Position, cell: int) -> str:
    """What is on a cell, and how it is marked."""
    board, game = position.game.board, position.game
    token = position.contents.get(board.names[cell])
    words = game.text.describe_empty_cell(position, cell) if token is None else game.text.describe_token(token)
    return ", ".join([f"{board.names[cell]}: {words}", *marks_of(position, cell)])


def marks_of(position: Position, cell: int) -> list[str]:
    """The marks of a cell, in words."""
    return [mark_words(position, mark) for mark, cells in position.game.board.marked_cells.items() if cell in cells]


def mark_words(position: Position, mark: str) -> str:
    """A mark that has the name of a colour is that colour's side."""
    return f"{mark} side" if mark in position.game.colours else mark


def around(position: Position, cell: int) -> str:
    """The neighbours of a cell, with their directions where there are such, and what is on each."""
    board = position.game.board
    slots = [(slot, int(other)) for slot, other in enumerate(board.neighbours[cell]) if other != NO_CELL]
    lines = [f"{board.names[cell]} has {plural(len(slots), 'neighbour')}:"]
    for slot, other in slots:
        way = f"{board.directions[slot]} " if board.directions else ""
        lines.append(f"  {way}{on_cell(position, other)}")
    return "\n".join(lines)


def contents_by_word(position: Position) -> dict[str, list[str]]:
    """The names of cells by what can be asked for: colours that show, empty, and marks."""
    board, contents = position.game.board, position.contents
    found: dict[str, list[str]] = {colour: [] for colour in position.game.text.letters.values()}
    found[EMPTY] = [name for name in board.names if name not in contents]
    for name, token in contents.items():
        for colour in position.game.text.visible_colours(token):
            found[colour].append(name)
    for mark, cells in board.marked_cells.items():
        found[mark_words(position, mark)] = [board.names[cell] for cell in cells]
    return found


def listed(position: Position, words: Sequence[str]) -> str:
    """All cells of a kind, such as red, empty, edge, or marks for all that are marked."""
    found = contents_by_word(position)
    wanted = " ".join(words).lower()
    wanted = position.game.text.letters.get(wanted, wanted)
    if wanted == MARKS:
        marks = [mark_words(position, mark) for mark in position.game.board.marked_cells]
        return "\n".join(one_list(mark, found[mark]) for mark in marks) or "no cell of this board is marked"
    if wanted not in found:
        raise NoCell(f"{ellipsis(wanted)} is nothing to list: {', '.join(found)} or {MARKS}{did_you_mean(wanted, found)}")
    return one_list(wanted, found[wanted])


def one_list(word: str, names: Sequence[str]) -> str:
    """A kind, how many, and where."""
    return f"{word}, {plural(len(names), 'cell')}" + (f": {' '.join(names)}" if names else "")
