"""Editing positions by hand: pieces put on a cell or taken from it, and another colour to move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..errors import PositionError
from ..text import ellipsis
from .position import Position

if TYPE_CHECKING:
    from .definition import TokenSyntax
    from .game import Game


def list_piece_symbols(game: Game) -> list[str]:
    """Return what `edit_position` can put on a cell: letters of pieces, then brackets of pieces on top, such as rings."""
    tokens = game.definition.tokens
    return [*tokens.pieces, *tokens.brackets]


def edit_position(
    position: Position, pieces_by_cell: dict[str, str], colour_to_move: str | None = None, *, is_cleared: bool = False
) -> Position:
    """Return a position with other pieces, without the moves that led to it.

    Args:
        position: The position to change.
        pieces_by_cell: By name of a cell a symbol of `list_piece_symbols`, which is put there: on top of a stack in games
            with stacks, in place of the piece in others. The empty text takes the topmost piece away.
        colour_to_move: The colour that is to move; None keeps it.
        is_cleared: Whether all pieces are removed first.

    Raises:
        PositionError: A cell or a symbol is unknown, or the rules do not allow the position.
    """
    game = position.game
    tokens = game.tokens(position.row)
    if is_cleared:
        tokens = [""] * len(tokens)
    for name, symbol in pieces_by_cell.items():
        if name not in game.board.names:
            raise PositionError(f"{ellipsis(name)} is not a cell of {game.spec}")
        cell = game.board.names.index(name)
        tokens[cell] = put_piece(game.definition.tokens, tokens[cell], symbol)
    fields = game.fields(position.row)
    if colour_to_move is not None:
        fields = [colour_to_move, *fields[1:]]
    return Position.from_row(game, game.row_from_tokens(tokens, fields))


def put_piece(syntax: TokenSyntax, token: str, symbol: str) -> str:
    """Return a token after a piece is put on it, or the topmost is taken away for the empty symbol. Raises PositionError."""
    has_brackets = token != "" and token[0] not in syntax.pieces
    stack = token[1:-1] if has_brackets else token
    if symbol == "":
        return stack if has_brackets else stack[:-1]
    if symbol not in syntax.pieces and symbol not in syntax.brackets:
        allowed = ", ".join([*syntax.pieces, *syntax.brackets])
        raise PositionError(f"{ellipsis(symbol)} is not a piece of this game; allowed are {allowed}")
    if symbol in syntax.brackets:
        changed = f"{symbol[0]}{stack}{symbol[1]}"
    elif syntax.max_height == 1:
        changed = symbol
    else:
        changed = f"{token[0]}{stack}{symbol}{token[-1]}" if has_brackets else stack + symbol
    if not syntax.is_token(changed):
        reason = "it needs a piece beneath it" if not stack else f"a stack has at most {syntax.max_height} pieces"
        raise PositionError(f"{ellipsis(symbol)} cannot be put there: {reason}")
    return changed
