"""Texts of Liger: drawn board, refusals and explanations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ...boards import NO_CELL
from ...errors import IllegalMove
from ...jit.interpreted import interpret
from ...jit.intrinsics import bit_indices, highest_bit
from ...rules.liger import (
    BEAR_OFF,
    DOUBLE_MOVE,
    EMPTY_STACK,
    NE,
    NW,
    RED,
    SE,
    SW,
    LigerState,
    has_fewer_showing,
    has_two_stack,
)
from ...text import plural
from ..grid import adjacent_square_name
from ..notation import append_outcome
from ..position import Outcome, Position
from ..text import GameText, Score
from . import SPEC

if TYPE_CHECKING:
    from .game import Liger

FORWARD_DIRECTIONS = ((NE, NW), (SE, SW))  # by colour
COLOURS = SPEC.colours
STACKS_CLAUSE = "Stacks"
FORWARD_MOVES_CLAUSE = "Forward moves"
BACKWARD_MOVES_CLAUSE = "Backward moves"
BEARING_OFF_CLAUSE = "Bearing off"
OBJECT_CLAUSE = "The object of the game"
LAST_CHECKER_CLAUSE = "Leave your opponent a checker"
REPETITION_CLAUSE = "Repetition (ruling)"


class LigerText(GameText):
    """Moves, refusals and outcomes of Liger in words."""

    game: Liger

    separator = ","

    column_width = 0

    def move_syntax(self) -> str:
        """Return the syntax of the three kinds of moves."""
        return "a move is c3-d4 for one checker, c3=d4 for a two-stack, or d8-off"

    def line_labels(self) -> Sequence[str]:
        """Return the ranks from the top."""
        return [str(rank) for rank in range(self.game.options["size"], 0, -1)]

    def legend(self) -> str:
        """Return how to read stacks."""
        return "r red, b blue; a stack is written from bottom to top, so its last letter shows. Red moves up, blue down."

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the numbers of showing checkers and of checkers borne off."""
        state = position.state
        showing = ", ".join(f"{colour} {len(bit_indices(state.showing[seat]))}" for seat, colour in enumerate(COLOURS))
        borne_off = ", ".join(
            f"{colour} {self.game.checkers - int(state.remaining[seat])}" for seat, colour in enumerate(COLOURS)
        )
        return f"showing: {showing}; borne off: {borne_off} of {self.game.checkers}"

    def scores(self, position: Position) -> Sequence[Score]:
        """Return the numbers of checkers borne off, all of which win, and of showing checkers."""
        state, checkers = position.state, self.game.checkers
        borne_off = {colour: checkers - int(state.remaining[seat]) for seat, colour in enumerate(COLOURS)}
        showing = {colour: len(bit_indices(state.showing[seat])) for seat, colour in enumerate(COLOURS)}
        return [Score("borne-off", borne_off, checkers), Score("showing", showing)]

    def header(self, column_width: int) -> str:
        """Return the file letters."""
        return "".join("abcdefghij"[file].ljust(column_width) for file in range(self.game.options["size"])).rstrip()

    def decode_move(self, move: int) -> tuple[int, int, int]:
        """Return kind, square and target (NO_CELL off the board) of a move id."""
        kind, square = divmod(move, len(self.board))
        return kind, square, NO_CELL if kind == BEAR_OFF else int(self.board.neighbours[square, kind % 4])

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Return the first condition of a move that fails, those of backward moves last."""
        kind, square, target = self.decode_move(move)
        state = position.state
        mover, name = state.to_play, self.board.names[square]
        colour, other = COLOURS[mover], COLOURS[1 - mover]
        if state.stacks[square] == EMPTY_STACK:
            return self.illegal_move(move, f"{name} is empty", reason="empty", clause=STACKS_CLAUSE, witness=[square])
        if state.stacks[square] & 1 != mover:
            message = f"{name} shows a {other} checker, but {colour} is to move"
            return self.illegal_move(move, message, reason="not-yours", clause=STACKS_CLAUSE, witness=[square])
        if kind == BEAR_OFF:
            message = f"{name} is not on {colour}'s farthest row, rank {self.game.options['size'] if mover == RED else 1}"
            return self.illegal_move(move, message, reason="not-farthest-row", clause=BEARING_OFF_CLAUSE, witness=[square])
        if target == NO_CELL:
            message = f"{adjacent_square_name(self.board, square, kind % 4)} is not on the board"
            return self.illegal_move(move, message, reason="off-board", clause=FORWARD_MOVES_CLAUSE, witness=[square])
        if kind >= DOUBLE_MOVE and not interpret(has_two_stack)(state.stacks[square]):
            message = f"only a {colour} checker on top of a {other} checker can move as a two-stack, and {name} has none"
            return self.illegal_move(move, message, reason="no-two-stack", clause=STACKS_CLAUSE, witness=[square])
        return self.backward_refusal(position, move)

    def backward_refusal(self, position: Position, move: int) -> IllegalMove:
        """Return the first condition of a backward move that fails."""
        kind, square, target = self.decode_move(move)
        state = position.state
        mover, name = state.to_play, self.board.names[square]
        colour, other = COLOURS[mover], COLOURS[1 - mover]
        if kind >= DOUBLE_MOVE:
            message = f"a two-stack must not move backward; {self.board.names[target]} is behind {name} for {colour}"
            return self.illegal_move(
                move, message, reason="two-stack-backward", clause=BACKWARD_MOVES_CLAUSE, witness=[square]
            )
        num_showing = [len(bit_indices(mask)) for mask in state.showing]
        if not interpret(has_fewer_showing)(state):
            message = (
                f"{colour} shows {plural(num_showing[mover], 'checker')} and {other} {num_showing[1 - mover]}: "
                "only the player who shows fewer may move backward"
            )
            return self.illegal_move(
                move, message, reason="not-fewer", clause=BACKWARD_MOVES_CLAUSE, witness=bit_indices(state.showing[mover])
            )
        if not state.single_mask >> square & 1:
            message = f"{name} has {highest_bit(state.stacks[square])} checkers; only a single checker may move backward"
            return self.illegal_move(move, message, reason="not-alone", clause=BACKWARD_MOVES_CLAUSE, witness=[square])
        message = f"a backward move must end on a showing {other} checker; {self.board.names[target]} shows none"
        return self.illegal_move(move, message, reason="no-checker-to-cover", clause=BACKWARD_MOVES_CLAUSE, witness=[target])

    def explanation(self, position: Position, move: int) -> str:
        """Return what moves, what it covers and uncovers, and how many checkers show."""
        kind, square, target = self.decode_move(move)
        state, after = position.state, position.play_id(move)
        mover, name = state.to_play, self.board.names[square]
        parts = [f"{COLOURS[mover]} {self.describe_step(state, kind, square, target)}"]
        uncovered, covered = top_colour(after.state, square), top_colour(state, target)
        if uncovered:
            parts.append(f"uncovers a {uncovered} checker on {name}")
        if covered:
            parts.append(f"covers a {covered} checker on {self.board.names[target]}")
        red, blue = (len(bit_indices(mask)) for mask in after.state.showing)
        parts.append(f"red then shows {red}, blue {blue}")
        return append_outcome(", ".join(parts), after)

    def describe_step(self, state: LigerState, kind: int, square: int, target: int) -> str:
        """Return a description of the move itself."""
        name = self.board.names[square]
        if kind == BEAR_OFF:
            remaining = state.remaining[state.to_play] - 1
            return f"bears off the checker on {name} ({remaining} left)"
        direction = "forward" if kind % 4 in FORWARD_DIRECTIONS[state.to_play] else "backward"
        moved_piece = "the two-stack" if kind >= DOUBLE_MOVE else "one checker"
        return f"moves {moved_piece} {direction} from {name} to {self.board.names[target]}"

    def winning_theme(self, line: Sequence[Position]) -> str:
        """Return last checker if the loser had to cover or leave the winner none, else bearing off."""
        return "bearing off" if line[-1].state.remaining[line[-1].result] == 0 else "last checker"

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the outcome: all checkers borne off, none left showing, or the third occurrence."""
        if winner is None:
            return Outcome(None, "repetition", (), REPETITION_CLAUSE, "drawn: the same position for the third time")
        state = position.state
        colour, other = COLOURS[winner], COLOURS[1 - winner]
        if state.remaining[winner] == 0:
            checkers = "both checkers" if self.game.checkers == 2 else f"all {self.game.checkers} checkers"
            return Outcome(winner, "borne-off", (), OBJECT_CLAUSE, f"{colour} has borne off {checkers}")
        witness_squares = bit_indices(state.showing[1 - winner])
        message = f"{other} left {colour} no showing checker, so {colour} wins"
        return Outcome(winner, "no-checker-left", self.cell_names(witness_squares), LAST_CHECKER_CLAUSE, message)


def top_colour(state: LigerState, square: int) -> str:
    """Return the colour of the topmost checker of a square, "" if there is none."""
    if square == NO_CELL or state.stacks[square] == EMPTY_STACK:
        return ""
    return COLOURS[state.stacks[square] & 1]
