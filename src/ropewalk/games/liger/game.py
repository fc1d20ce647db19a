"""Liger on the dark squares of a board: board, rules and texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...boards import NO_CELL, make_dark_square_board
from ...errors import IllegalMove, PositionError
from ...jit.interpreted import interpreted
from ...jit.intrinsics import bit_indices, highest_bit
from ...rules import repetition
from ...rules.generic import Row
from ...rules.interface import DRAW, ONGOING
from ...rules.liger import (
    BEAR_OFF,
    DOUBLE_MOVE,
    EMPTY_STACK,
    NE,
    NW,
    PLANE_STACK_DEPTH,
    RED,
    SE,
    SW,
    LigerRules,
    LigerState,
    compute_liger_hash,
    has_fewer_showing,
    has_two_stack,
    make_liger_rules,
    result_after_move,
    store_liger_state,
    update_square_masks,
)
from ...text import plural
from ..game import Game
from ..grid import adjacent_square_name, list_direction_moves, symmetry_move_ids
from ..notation import append_outcome, require_one_of
from ..position import Outcome, Position, Symmetry
from ..spec_parser import format_spec
from . import SPEC

FORWARD_DIRECTIONS = ((NE, NW), (SE, SW))  # by colour
COLOURS = SPEC.colours
CYCLE = "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3"  # from a3 b, c3 rbr, red to move: back to the same position
STACKS_CLAUSE = "Stacks"
FORWARD_MOVES_CLAUSE = "Forward moves"
BACKWARD_MOVES_CLAUSE = "Backward moves"
BEARING_OFF_CLAUSE = "Bearing off"
OBJECT_CLAUSE = "The object of the game"
LAST_CHECKER_CLAUSE = "Leave your opponent a checker"
REPETITION_CLAUSE = "Repetition (ruling)"


class Liger(Game):
    """Liger on the dark squares of an n x n board, with `rows` rows of checkers for each player."""

    definition = SPEC
    separator = ","
    column_width = 0
    planes = (
        "board",
        *(f"{whose} checker {level} from the top" for level in range(PLANE_STACK_DEPTH) for whose in ("own", "other")),
        *("own below", "other below", "own farthest row", "other farthest row", "steps to go"),
        *("shows fewer", "own left", "other left", "repetitions"),
    )
    rules: LigerRules

    def __init__(self, size: int, rows: int, *, repetition: bool = True) -> None:
        self.board = make_dark_square_board(size)
        self.options = {"size": size, "rows": rows, "repetition": repetition}
        self.spec = format_spec(SPEC, self.options)
        self.checkers = rows * size // 2
        self.rules = make_liger_rules(self.board, self.checkers, repetition)
        self.max_legal_moves = 6 * len(self.board)

    def start_row(self) -> Row:
        """Return the start row: red on the lowest rows, blue on the highest, red to move."""
        tokens = ["r"] * self.checkers + [""] * (len(self.board) - 2 * self.checkers) + ["b"] * self.checkers
        return self.row_from_tokens(tokens, ["red"])

    def list_move_texts(self) -> Sequence[str]:
        """Return the moves of one checker (`-`) and of a two-stack (`=`) by direction, then bearing off (`-off`)."""
        singles = list_direction_moves(self.board, "-")
        doubles = list_direction_moves(self.board, "=")
        return [*singles, *doubles, *(f"{name}-off" for name in self.board.names)]

    def move_syntax(self) -> str:
        """Return the syntax of the three kinds of moves."""
        return "a move is c3-d4 for one checker, c3=d4 for a two-stack, or d8-off"

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Return the identity and the half turn, which exchanges the colours."""
        identity = np.arange(len(self.board), dtype=np.int16)
        half_turn = identity[::-1].copy()
        return [
            Symmetry(
                cells=cells, moves=symmetry_move_ids(self.board, cells, [True] * 2 + [False], 0), swaps_colours=swaps_colours
            )
            for cells, swaps_colours in ((identity, False), (half_turn, True))
        ]

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Return each stack from bottom to top."""
        return [format(stack, "b")[1:].replace("0", "r").replace("1", "b") for stack in self.state(row).stacks.tolist()]

    def fields(self, row: Row) -> list[str]:
        """Return the colour to move, and `drawn` at the third occurrence of a position."""
        state = self.state(row)
        return [COLOURS[state.to_play], *(["drawn"] if state.result == DRAW else [])]

    def line_labels(self) -> Sequence[str]:
        """Return the ranks from the top."""
        return [str(rank) for rank in range(self.options["size"], 0, -1)]

    def legend(self) -> str:
        """Return how to read stacks."""
        return "r red, b blue; a stack is written from bottom to top, so its last letter shows. Red moves up, blue down."

    def score_summary(self, position: Position, start: Position) -> str:
        """Return the numbers of showing checkers and of checkers borne off."""
        state = position.state
        showing = ", ".join(f"{colour} {len(bit_indices(state.showing[seat]))}" for seat, colour in enumerate(COLOURS))
        borne_off = ", ".join(
            f"{colour} {self.checkers - int(state.remaining[seat])}" for seat, colour in enumerate(COLOURS)
        )
        return f"showing: {showing}; borne off: {borne_off} of {self.checkers}"

    def header(self, column_width: int) -> str:
        """Return the file letters."""
        return "".join("abcdefghij"[file].ljust(column_width) for file in range(self.options["size"])).rstrip()

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row with counts and masks computed from the stacks, or raise a PositionError."""
        colour, *rest = fields or ["red"]
        to_play = COLOURS.index(require_one_of(colour, COLOURS, "a colour to move"))
        for field in rest:
            require_one_of(field, ["drawn"], "a field of Liger")
        if rest and not self.rules.draw_by_repetition:
            raise PositionError(f"{self.spec} has no draws")
        remaining = [sum(token.count(letter) for token in tokens) for letter in "rb"]
        for name, count in zip(COLOURS, remaining, strict=True):
            if count > self.checkers:
                raise PositionError(f"{self.spec} has {self.checkers} {name} checkers, not {count}")
        stacks = [int("1" + token.replace("r", "0").replace("b", "1"), 2) for token in tokens]
        position_hash = compute_liger_hash(self.rules, tokens, to_play)
        row = np.array(
            [*stacks, 0, 0, *remaining, 0, 0, to_play, ONGOING, position_hash, 0, *[0] * repetition.INITIAL_CAPACITY],
            np.int64,
        )
        self.complete_row(row, drawn=bool(rest))
        return row

    def complete_row(self, row: Row, drawn: bool) -> None:
        """Compute masks, result and the first history entry. Writes into `row`."""
        state = self.state(row)
        single_mask = two_stack_mask = 0
        for square in range(len(self.board)):
            single_mask, two_stack_mask = interpreted(update_square_masks)(state, square, single_mask, two_stack_mask)
        last_mover = 1 - state.to_play
        if state.remaining[state.to_play] == 0 and state.remaining[last_mover] > 0:
            raise PositionError(f"{COLOURS[state.to_play]} has borne off all checkers before, so the game had ended then")
        result = interpreted(result_after_move)(state.remaining[last_mover], state.showing[state.to_play], last_mover)
        if drawn and result == ONGOING:
            result = DRAW
        history_length = interpreted(repetition.push_hash)(state.history, 0, state.position_hash)
        interpreted(store_liger_state)(
            self.rules,
            state._replace(
                single_mask=single_mask, two_stack_mask=two_stack_mask, result=result, history_length=history_length
            ),
            row,
        )

    def grow_history(self, row: Row) -> Row:
        """Return a copy of the row with twice the history capacity."""
        return repetition.with_doubled_capacity(row, len(self.state(row).history))

    @property
    def can_repeat(self) -> bool:
        """Positions can repeat, although the rule sheet denies it."""
        return True

    def has_repetition(self, row: Row) -> bool:
        """Return whether the next occurrence of some position is its third."""
        return repetition.has_repetition(self.state(row))

    def without_history(self, row: Row) -> tuple[LigerRules, Row]:
        """Return rules without draws and hashes, and the row without past positions."""
        short_row = row[: len(row) - len(self.state(row).history)].copy()
        rules = self.rules._replace(
            draw_by_repetition=0, checker_keys=np.zeros_like(self.rules.checker_keys), blue_to_play_key=0
        )
        interpreted(store_liger_state)(rules, self.state(short_row)._replace(position_hash=0), short_row)
        return rules, short_row

    @property
    def compact_dtype(self) -> type[np.signedinteger]:
        """int32 where sets of squares and stacks have fewer than 32 bits, else int64."""
        return np.int32 if max(len(self.board), 2 * self.checkers + 1) < 32 else np.int64

    # Explanations

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
            message = f"{name} shows a {other} checker, and {colour} is to move"
            return self.illegal_move(move, message, reason="not-yours", clause=STACKS_CLAUSE, witness=[square])
        if kind == BEAR_OFF:
            message = f"{name} is not on {colour}'s farthest row, rank {self.options['size'] if mover == RED else 1}"
            return self.illegal_move(move, message, reason="not-farthest-row", clause=BEARING_OFF_CLAUSE, witness=[square])
        if target == NO_CELL:
            message = f"{adjacent_square_name(self.board, square, kind % 4)} is not on the board"
            return self.illegal_move(move, message, reason="off-board", clause=FORWARD_MOVES_CLAUSE, witness=[square])
        if kind >= DOUBLE_MOVE and not interpreted(has_two_stack)(state.stacks[square]):
            message = f"only a {colour} checker on top of a {other} one moves as a two-stack, and {name} has none"
            return self.illegal_move(move, message, reason="no-two-stack", clause=STACKS_CLAUSE, witness=[square])
        return self.backward_refusal(position, move)

    def backward_refusal(self, position: Position, move: int) -> IllegalMove:
        """Return the first condition of a backward move that fails."""
        kind, square, target = self.decode_move(move)
        state = position.state
        mover, name = state.to_play, self.board.names[square]
        colour, other = COLOURS[mover], COLOURS[1 - mover]
        if kind >= DOUBLE_MOVE:
            message = f"a two-stack never moves backward, and {self.board.names[target]} is behind {name} for {colour}"
            return self.illegal_move(
                move, message, reason="two-stack-backward", clause=BACKWARD_MOVES_CLAUSE, witness=[square]
            )
        num_showing = [len(bit_indices(mask)) for mask in state.showing]
        if not interpreted(has_fewer_showing)(state):
            message = (
                f"{colour} shows {plural(num_showing[mover], 'checker')} and {other} {num_showing[1 - mover]}: "
                "only the player who shows fewer may move backward"
            )
            return self.illegal_move(
                move, message, reason="not-fewer", clause=BACKWARD_MOVES_CLAUSE, witness=bit_indices(state.showing[mover])
            )
        if not state.single_mask >> square & 1:
            message = (
                f"{name} holds {highest_bit(state.stacks[square])} checkers: only a checker that is alone moves backward"
            )
            return self.illegal_move(move, message, reason="not-alone", clause=BACKWARD_MOVES_CLAUSE, witness=[square])
        message = f"a backward move ends on a showing {other} checker, and {self.board.names[target]} shows none"
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

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """Return the outcome: all checkers borne off, none left showing, or the third occurrence."""
        if winner is None:
            return Outcome(None, "repetition", (), REPETITION_CLAUSE, "drawn: the same position for the third time")
        state = position.state
        colour, other = COLOURS[winner], COLOURS[1 - winner]
        if state.remaining[winner] == 0:
            checkers = "both checkers" if self.checkers == 2 else f"all {self.checkers} checkers"
            return Outcome(winner, "borne-off", (), OBJECT_CLAUSE, f"{colour} has borne off {checkers}")
        witness_squares = bit_indices(state.showing[1 - winner])
        message = f"{other} left {colour} no showing checker, so {colour} wins"
        return Outcome(winner, "no-checker-left", self.cell_names(witness_squares), LAST_CHECKER_CLAUSE, message)


def top_colour(state: LigerState, square: int) -> str:
    """Return the colour of the topmost checker of a square, "" if there is none."""
    if square == NO_CELL or state.stacks[square] == EMPTY_STACK:
        return ""
    return COLOURS[state.stacks[square] & 1]
