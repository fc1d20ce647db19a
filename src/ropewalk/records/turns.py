"""Turns as nodes hold them: all steps of a seat until the other is to move, in one text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from .errors import RecordError

if TYPE_CHECKING:
    from ..games.game import Game
    from ..games.position import Position


def steps_of(game: Game, turn: str) -> list[str]:
    """The steps of a turn's text."""
    return [step for word in turn.split() or [turn] for step in game.split_turn(word)]


def turn_text(game: Game, steps: list[str]) -> str:
    """Steps written together, or with blanks where they could not be told apart again."""
    together = "".join(steps)
    return together if game.split_turn(together) == steps else " ".join(steps)


def play_turn(position: Position, turn: str) -> Position:
    """The position after a turn, or after the first steps of one; refusals say why."""
    seat = position.seat
    for step in steps_of(position.game, turn):
        if position.seat not in (seat, None):
            raise RecordError(f"{step} is no part of the turn before it: a node holds one turn")
        position = position.play(step)
    return position


def turns_of(start: Position, steps: Iterable[str]) -> Iterator[tuple[int, str, Position]]:
    """Steps gathered into turns, each with its seat and the position after it; the last may be half done."""
    position, gathered = start, list[str]()
    for step in steps:
        seat = position.seat
        position = position.play(step)
        gathered.append(step)
        if position.seat != seat:
            assert seat is not None, "play refuses steps after the end"
            yield seat, turn_text(start.game, gathered), position
            gathered = []
    if gathered:
        assert position.seat is not None
        yield position.seat, turn_text(start.game, gathered), position
