"""What there is to say of a position: whose it is, how it ended, what can be played."""

from __future__ import annotations

from typing import Any

from ..games.game import Game
from ..games.position import Outcome, Position
from ..text import plural
from .formatting import wrapped


def title(game: Game) -> str:
    """The game, its designer and its spec."""
    return wrapped(f"{game.name}, by {game.designer} ({game.year}): {game.spec}")


def status(position: Position) -> str:
    """Who is to move and what they can play, or how the game ended."""
    over = position.outcome
    return legal_moves(position) if over is None else ending(position, over)


def mover(position: Position) -> str:
    """The colour and the seat to move."""
    assert position.seat is not None
    return f"{position.colours[position.seat]} (seat {position.seat})"


def legal_moves(position: Position) -> str:
    """Who is to move, how many moves there are, and which."""
    moves = position.moves()
    return f"{mover(position)} has {plural(len(moves), 'move')}:\n{wrapped(' '.join(moves), '  ')}"


def ending(position: Position, over: Outcome) -> str:
    """The result, why, by which clause, and the cells that show it."""
    result = "drawn" if over.winner is None else f"{position.colours[over.winner]} (seat {over.winner}) wins"
    lines = [wrapped(f"{result}: {over.words.removeprefix('drawn: ')}"), wrapped(f"{over.reason}, by {over.clause!r}", "  ")]
    if over.witness:
        lines.append(wrapped(" ".join(over.witness), "  shown by "))
    return "\n".join(lines)


def as_json(position: Position) -> dict[str, Any]:
    """All of it for programs."""
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
