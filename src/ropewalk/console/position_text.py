"""Positions as text: title, legal moves, outcome, contents of cells, values found by a solver."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..boards import NO_CELL, Board
from ..errors import RopewalkError
from ..games.game import Game
from ..games.position import Outcome, Position
from ..rules.interface import DRAW
from ..text import did_you_mean, ellipsis, plural
from .formatting import format_json_object, wrap

if TYPE_CHECKING:
    from ..proofs.solver import Solution

EMPTY, MARKS = "empty", "marks"


class UnknownCellError(RopewalkError):
    """A name that no cell of the board has, or a content that no cell can have."""


def format_title(game: Game) -> str:
    """Return the name of the game, its designer and its spec."""
    return wrap(f"{game.name}, by {game.designer} ({game.year}): {game.spec}")


def format_status(position: Position) -> str:
    """Return the seat to move and the legal moves, or the outcome."""
    over = position.outcome
    return format_legal_moves(position) if over is None else format_outcome(position, over)


def format_seat_to_move(position: Position) -> str:
    """Return the colour and the number of the seat to move."""
    assert position.seat is not None
    return f"{position.colours[position.seat]} (seat {position.seat})"


def format_legal_moves(position: Position) -> str:
    """Return the seat to move, the number of its legal moves, and the moves."""
    moves = position.moves()
    return f"{format_seat_to_move(position)} has {plural(len(moves), 'move')}:\n{wrap(' '.join(moves), '  ')}"


def format_outcome(position: Position, outcome: Outcome) -> str:
    """Return the result, its reason, the section of the rules, and the cells that show it."""
    result = "drawn" if outcome.winner is None else f"{position.colours[outcome.winner]} (seat {outcome.winner}) wins"
    lines = [
        wrap(f"{result}: {outcome.words.removeprefix('drawn: ')}"),
        wrap(f"{outcome.reason}, by {outcome.clause!r}", "  "),
    ]
    if outcome.witness:
        lines.append(wrap(" ".join(outcome.witness), "  shown by "))
    return "\n".join(lines)


def position_to_json(position: Position) -> dict[str, Any]:
    """Return a position as JSON data."""
    game, over, seat = position.game, position.outcome, position.seat
    return {
        "spec": game.spec,
        "name": game.name,
        "designer": game.designer,
        "year": game.year,
        "board": {"kind": game.board.kind, "size": list(game.board.size), "cells": len(game.board)},
        "position": str(position),
        "contents": position.contents,
        "seat": seat,
        "to_move": None if seat is None else position.colours[seat],
        "colours": list(position.colours),
        "moves": position.moves(),
        "outcome": None if over is None else vars(over),
    }


# Cells


def find_cell(board: Board, name: str) -> int:
    """Return the cell of a name, ignoring case. Raises UnknownCellError."""
    spelt = next((known for known in (name, name.lower(), name.capitalize(), name.upper()) if known in board.index), None)
    if spelt is None:
        first, last = board.names[0], board.names[-1]
        raise UnknownCellError(
            f"unknown cell {ellipsis(name)}; the cells of this board are {first} to {last}{did_you_mean(name, board.names)}"
        )
    return board.index[spelt]


def describe_cell(position: Position, cell: int) -> str:
    """Return the contents of a cell, followed by its marks."""
    board, game = position.game.board, position.game
    token = position.contents.get(board.names[cell])
    description = game.text.describe_empty_cell(position, cell) if token is None else game.text.describe_token(token)
    return ", ".join([f"{board.names[cell]}: {description}", *list_marks(position, cell)])


def list_marks(position: Position, cell: int) -> list[str]:
    """Return the descriptions of the marks of a cell."""
    return [describe_mark(position, mark) for mark, cells in position.game.board.marked_cells.items() if cell in cells]


def describe_mark(position: Position, mark: str) -> str:
    """Return the description of a mark; one named by a colour marks that colour's side."""
    return f"{mark} side" if mark in position.game.colours else mark


def describe_neighbours(position: Position, cell: int) -> str:
    """Return the neighbours of a cell, with their directions if the board has directions, and their contents."""
    board = position.game.board
    slots = [(slot, int(other)) for slot, other in enumerate(board.neighbours[cell]) if other != NO_CELL]
    lines = [f"{board.names[cell]} has {plural(len(slots), 'neighbour')}:"]
    for slot, other in slots:
        way = f"{board.directions[slot]} " if board.directions else ""
        lines.append(f"  {way}{describe_cell(position, other)}")
    return "\n".join(lines)


def group_cells(position: Position) -> dict[str, list[str]]:
    """Return the names of the cells by content: the visible colours, empty, and the marks."""
    board, contents = position.game.board, position.contents
    cells_by_kind: dict[str, list[str]] = {colour: [] for colour in position.game.text.letters.values()}
    cells_by_kind[EMPTY] = [name for name in board.names if name not in contents]
    for name, token in contents.items():
        for colour in position.game.text.visible_colours(token):
            cells_by_kind[colour].append(name)
    for mark, cells in board.marked_cells.items():
        cells_by_kind[describe_mark(position, mark)] = [board.names[cell] for cell in cells]
    return cells_by_kind


def list_cells(position: Position, kind: str) -> str:
    """Return the cells of a kind such as red, empty or edge; MARKS stands for all marks. Raises UnknownCellError."""
    cells_by_kind = group_cells(position)
    kind = position.game.text.letters.get(kind, kind)
    if kind == MARKS:
        marks = [describe_mark(position, mark) for mark in position.game.board.marked_cells]
        return "\n".join(format_cell_list(mark, cells_by_kind[mark]) for mark in marks) or "this board has no marked cells"
    if kind not in cells_by_kind:
        raise UnknownCellError(
            f"cannot list {ellipsis(kind)}; allowed are {', '.join(cells_by_kind)} and "
            f"{MARKS}{did_you_mean(kind, cells_by_kind)}"
        )
    return format_cell_list(kind, cells_by_kind[kind])


def format_cell_list(word: str, names: Sequence[str]) -> str:
    """Return the name of a kind, the number of its cells, and their names."""
    return f"{word}, {plural(len(names), 'cell')}" + (f": {' '.join(names)}" if names else "")


# Values


def format_solution(position: Position, solution: Solution) -> str:
    """Return lines with the position, its value, and its moves grouped by their values."""
    seat = position.seat
    assert seat is not None
    lines = [f"{position.game.spec}  {position}", f"value: {describe_value(position, solution.value)}"]
    groups = [("winning moves", seat), ("drawing moves", DRAW), ("losing moves", 1 - seat), ("unknown", None)]
    for label, value in groups:
        moves = [move for move, move_value in solution.moves.items() if move_value == value]
        if moves:
            lines.append(wrap(" ".join(moves), f"{label} ({len(moves)}): ", "  "))
    return "\n".join(lines)


def describe_value(position: Position, value: int | None) -> str:
    """Return a value in words, with the colour of the seat that wins."""
    if value is None:
        return "unknown"
    if value == DRAW:
        return "a draw: neither seat can force a win"
    return f"{position.colours[value]} (seat {value}) wins"


def format_effort(solution: Solution, verb: str) -> str:
    """Return the number of positions and the time; `verb` says what was done with the positions."""
    return f"{plural(solution.nodes, 'position')} {verb} in {solution.seconds:.1f} s"


def solution_to_json(solution: Solution, extra: dict[str, Any]) -> str:
    """Return a solution as a JSON text; `extra` adds keys."""
    return format_json_object(vars(solution) | {"moves": dict(solution.moves)} | extra)
