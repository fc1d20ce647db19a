"""Liger on the dark squares of a board: board, rows and move texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...boards import make_dark_square_board
from ...errors import PositionError
from ...jit.interpreted import interpret
from ...rules import repetition
from ...rules.generic import Row
from ...rules.interface import DRAW, ONGOING
from ...rules.liger import (
    PLANE_STACK_DEPTH,
    LigerRules,
    compute_liger_hash,
    make_liger_rules,
    result_after_move,
    store_liger_state,
    update_square_masks,
)
from ..encoding import BOARD_PLANE, ObservationPlane
from ..game import Game
from ..grid import list_direction_moves, symmetry_move_ids
from ..notation import require_one_of
from ..position import Symmetry
from ..spec_parser import format_spec
from . import SPEC
from .text import LigerText

COLOURS = SPEC.colours


class Liger(Game):
    """Liger on the dark squares of an n x n board, with `rows` rows of checkers for each player."""

    definition = SPEC
    text_class = LigerText
    observation_planes = (
        BOARD_PLANE,
        *(
            ObservationPlane(f"{whose} checker {level} from the top", f"1 where checker {level} from the top is {whose}")
            for level in range(PLANE_STACK_DEPTH)
            for whose in ("own", "other")
        ),
        ObservationPlane("own below", "number of own checkers below those"),
        ObservationPlane("other below", "number of the other's checkers below those"),
        ObservationPlane("own farthest row", "1 on the row from which own checkers are borne off"),
        ObservationPlane("other farthest row", "1 on the row from which the other's checkers are borne off"),
        ObservationPlane("steps to go", "moves that an own checker needs from here to leave the board"),
        ObservationPlane("shows fewer", "1 on every square if fewer own checkers than others show"),
        ObservationPlane("own left", "number of own checkers not yet borne off, on every square"),
        ObservationPlane("other left", "number of the other's checkers not yet borne off, on every square"),
        ObservationPlane("repetitions", "how often the position has occurred, 0 to 2, on every square"),
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

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Return the row with counts and masks computed from the stacks, or raise a PositionError."""
        colour, *rest = fields or ["red"]
        to_play = COLOURS.index(require_one_of(colour, COLOURS, "a colour to move"))
        for field in rest:
            require_one_of(field, ["drawn"], "a field of Liger")
        if rest and not self.rules.draw_by_repetition:
            raise PositionError(f"invalid field 'drawn': {self.spec} has no draws")
        remaining = [sum(token.count(letter) for token in tokens) for letter in "rb"]
        for name, count in zip(COLOURS, remaining, strict=True):
            if count > self.checkers:
                raise PositionError(f"the position has {count} {name} checkers; {self.spec} has at most {self.checkers}")
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
            single_mask, two_stack_mask = interpret(update_square_masks)(state, square, single_mask, two_stack_mask)
        last_mover = 1 - state.to_play
        if state.remaining[state.to_play] == 0 and state.remaining[last_mover] > 0:
            raise PositionError(
                f"{COLOURS[state.to_play]} has no checkers left, "
                f"so the game ended earlier and {COLOURS[state.to_play]} cannot be to move"
            )
        result = interpret(result_after_move)(state.remaining[last_mover], state.showing[state.to_play], last_mover)
        if drawn and result == ONGOING:
            result = DRAW
        history_length = interpret(repetition.push_hash)(state.history, 0, state.position_hash)
        interpret(store_liger_state)(
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
        interpret(store_liger_state)(rules, self.state(short_row)._replace(position_hash=0), short_row)
        return rules, short_row

    @property
    def compact_dtype(self) -> type[np.signedinteger]:
        """int32 where sets of squares and stacks have fewer than 32 bits, else int64."""
        return np.int32 if max(len(self.board), 2 * self.checkers + 1) < 32 else np.int64

    # Explanations
