"""Puzzles as game records: the position with its solution as the main line, wrong first moves as variations."""

from __future__ import annotations

from collections.abc import Iterable

from ..records import Record
from ..records.replay import group_turns
from .puzzle import Puzzle


def make_record(puzzle: Puzzle) -> Record:
    """Return a record of a puzzle: its task as a comment, the main line, and the other winning moves as variations."""
    game, position = puzzle.game, puzzle.position
    record = Record.create(game.spec, position)
    record.root.comment = f"Puzzle {puzzle.id} ({game.name}, by {game.designer}). {describe_task(puzzle)}"
    node = record.root
    for _, turn, _ in group_turns(position, puzzle.main_line):
        node = node.add(turn)
    outcome = node.position.outcome
    assert outcome is not None
    node.comment = f"{outcome.words[:1].upper()}{outcome.words[1:]}."
    node.marks = {"circle": outcome.witness}
    if len(puzzle.winning_moves) > 1:
        record.root.children[0].comment = f"All winning moves: {' '.join(puzzle.winning_moves)}."
    return record


def make_records(puzzles: Iterable[Puzzle]) -> list[Record]:
    """Return the records of puzzles, for one file."""
    return [make_record(puzzle) for puzzle in puzzles]


def describe_task(puzzle: Puzzle) -> str:
    """Return the task in one sentence."""
    colour = puzzle.position.colours[puzzle.seat]
    turns = "in one turn" if puzzle.turns == 1 else f"in {puzzle.turns} turns"
    return f"{colour.capitalize()} (seat {puzzle.seat}) is to move and wins {turns}, against any defence."
