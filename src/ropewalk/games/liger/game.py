"""Liger, by Mark Steere (2009): walk your checkers across the board and off it, but leave the other side a move."""

from __future__ import annotations

import re
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
from ..claims import RuleClaim
from ..game import Game, Outcome, Position, Symmetry
from ..grid import adjacent_square_name, list_direction_moves, symmetry_move_ids
from ..notation import append_outcome, require_one_of
from ..spec_parser import SpecReader, require_in_range

FORWARD_DIRECTIONS = ((NE, NW), (SE, SW))  # by colour
DEFAULT_ROWS = {4: 1, 6: 2, 8: 3, 10: 4}
COLOURS = ("red", "blue")
LETTER_COLOURS = {"r": "red", "b": "blue"}
CYCLE = "c3=b4 a3-b4 c3-d4 b4=c3 d4-c3 b4-a3"  # from a3 b, c3 rbr, red to move: back to the same position
STACKS_CLAUSE = "Stacks"
FORWARD_MOVES_CLAUSE = "Forward moves"
BACKWARD_MOVES_CLAUSE = "Backward moves"
BEARING_OFF_CLAUSE = "Bearing off"
OBJECT_CLAUSE = "The object of the game"
LAST_CHECKER_CLAUSE = "Leave your opponent a checker"
REPETITION_CLAUSE = "Repetition (ruling)"


class Liger(Game):
    """Liger on the dark squares of an n x n board with some rows of checkers each."""

    name = "Liger"
    designer = "Mark Steere"
    year = "2009"
    colours = ("red", "blue")
    letters = LETTER_COLOURS
    separator = ","
    column_width = 0
    planes = (
        "board",
        *(f"{whose} checker {level} from the top" for level in range(PLANE_STACK_DEPTH) for whose in ("own", "other")),
        *("own below", "other below", "own farthest row", "other farthest row", "steps to go"),
        *("shows fewer", "own left", "other left", "repetitions"),
    )
    has_ownership_target = False
    rules: LigerRules

    def __init__(self, size: int, rows: int, *, repetition: bool = True) -> None:
        self.board = make_dark_square_board(size)
        self.options = {"size": size, "rows": rows, "repetition": repetition}
        board_text = f"{size}" if rows == DEFAULT_ROWS[size] else f"{size}x{rows}"
        self.spec = f"liger-{board_text}{'' if repetition else '-norepetition'}"
        self.checkers = rows * size // 2
        self.rules = make_liger_rules(self.board, self.checkers, repetition)
        self.max_legal_moves = 6 * len(self.board)

    def start_row(self) -> Row:
        """Red on the lowest rows, blue on the highest."""
        tokens = ["r"] * self.checkers + [""] * (len(self.board) - 2 * self.checkers) + ["b"] * self.checkers
        return self.row_from_tokens(tokens, ["red"])

    def list_move_texts(self) -> Sequence[str]:
        """One checker `-`, a two-stack `=`, in each direction; bearing `-off`."""
        singles = list_direction_moves(self.board, "-")
        doubles = list_direction_moves(self.board, "=")
        return [*singles, *doubles, *(f"{name}-off" for name in self.board.names)]

    def move_syntax(self) -> str:
        """The three kinds."""
        return "a move is c3-d4 for one checker, c3=d4 for a two-stack, or d8-off"

    def list_symmetries(self) -> Sequence[Symmetry]:
        """Turning the board half round exchanges the players."""
        identity = np.arange(len(self.board), dtype=np.int16)
        half_turn = identity[::-1].copy()
        return [
            Symmetry(
                cells=cells, moves=symmetry_move_ids(self.board, cells, [True] * 2 + [False], 0), swaps_colours=swaps_colours
            )
            for cells, swaps_colours in ((identity, False), (half_turn, True))
        ]

    def claims(self) -> Sequence[RuleClaim]:
        """A move for whoever shows a checker; and no draws, which is not so."""
        from .. import claims

        ranks = [f"{self.options['size'] // 2}"] * (self.options["size"] - 3)
        text = "/".join([*ranks, f"b,rbr,{self.options['size'] // 2 - 2}".replace(",0", ""), *ranks[:1] * 2]) + " red"
        cycle_claim = claims.make_cycle_claim(
            "draws cannot occur (the sheet says so; as written, play can go round for ever)",
            self,
            text,
            CYCLE,
            "answered by the ruling on repetition: the third occurrence is a draw",
        )
        return [*claims.termination_claims(self, "a player with a showing checker always has a move"), cycle_claim]

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Each stack from bottom to top."""
        return [format(stack, "b")[1:].replace("0", "r").replace("1", "b") for stack in self.state(row).stacks.tolist()]

    def fields(self, row: Row) -> list[str]:
        """The colour to move, and `drawn` when a position has come for the third time."""
        state = self.state(row)
        return [COLOURS[state.to_play], *(["drawn"] if state.result == DRAW else [])]

    def is_token(self, token: str) -> bool:
        """Letters r and b."""
        return re.fullmatch("[rb]{1,40}", token) is not None

    def swap_colours(self, token: str) -> str:
        """Red for blue."""
        return token.translate(str.maketrans("rb", "br"))

    def line_labels(self) -> Sequence[str]:
        """Ranks from the top."""
        return [str(rank) for rank in range(self.options["size"], 0, -1)]

    def legend(self) -> str:
        """Stacks."""
        return "r red, b blue; a stack is written from bottom to top, so its last letter shows. Red moves up, blue down."

    def describe_token(self, token: str) -> str:
        """A checker, or a stack from bottom to top."""
        if len(token) == 1:
            return f"a {self.letters[token]} checker"
        return f"a stack of {len(token)} checkers from bottom to top: {', '.join(self.letters[one] for one in token)}"

    def score_summary(self, position: Position, start: Position) -> str:
        """What shows, and what has been borne off."""
        state = position.state
        showing = ", ".join(f"{colour} {len(bit_indices(state.showing[seat]))}" for seat, colour in enumerate(COLOURS))
        borne_off = ", ".join(
            f"{colour} {self.checkers - int(state.remaining[seat])}" for seat, colour in enumerate(COLOURS)
        )
        return f"showing: {showing}; borne off: {borne_off} of {self.checkers}"

    def header(self, column_width: int) -> str:
        """File letters."""
        return "".join("abcdefghij"[file].ljust(column_width) for file in range(self.options["size"])).rstrip()

    def row_from_tokens(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Count what is left and what shows; refuse too many checkers."""
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
        """Work out what shows, who has won, and remember the position."""
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
        """More room for past positions."""
        return repetition.with_doubled_capacity(row, len(self.state(row).history))

    @property
    def can_repeat(self) -> bool:
        """The sheet says no; as written, it can."""
        return True

    def has_repetition(self, row: Row) -> bool:
        """Whether the next occurrence of some position is its third."""
        return repetition.has_repetition(self.state(row))

    def without_history(self, row: Row) -> tuple[LigerRules, Row]:
        """No draws, no hashes, and no past positions in the row."""
        short_row = row[: len(row) - len(self.state(row).history)].copy()
        rules = self.rules._replace(
            draw_by_repetition=0, checker_keys=np.zeros_like(self.rules.checker_keys), blue_to_play_key=0
        )
        interpreted(store_liger_state)(rules, self.state(short_row)._replace(position_hash=0), short_row)
        return rules, short_row

    @property
    def compact_dtype(self) -> type[np.signedinteger]:
        """Sets of few squares and stacks of few checkers fit into half a word."""
        return np.int32 if max(len(self.board), 2 * self.checkers + 1) < 32 else np.int64

    # Words

    def decode_move(self, move: int) -> tuple[int, int, int]:
        """Kind, square, and target (NO_CELL off the board)."""
        kind, square = divmod(move, len(self.board))
        return kind, square, NO_CELL if kind == BEAR_OFF else int(self.board.neighbours[square, kind % 4])

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """Whose checker, which direction, how many show."""
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
        """Which of the conditions of a backward move fails."""
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
        """What moves, what it covers and uncovers, how many show."""
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
        """The move itself."""
        name = self.board.names[square]
        if kind == BEAR_OFF:
            remaining = state.remaining[state.to_play] - 1
            return f"bears off the checker on {name} ({remaining} left)"
        direction = "forward" if kind % 4 in FORWARD_DIRECTIONS[state.to_play] else "backward"
        moved_piece = "the two-stack" if kind >= DOUBLE_MOVE else "one checker"
        return f"moves {moved_piece} {direction} from {name} to {self.board.names[target]}"

    def describe_outcome(self, position: Position, winner: int | None) -> Outcome:
        """All borne off, none left showing, or the third occurrence."""
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
    """The colour that shows on a square, or nothing."""
    if square == NO_CELL or state.stacks[square] == EMPTY_STACK:
        return ""
    return COLOURS[state.stacks[square] & 1]


def from_spec(reader: SpecReader) -> Liger:
    """liger-N or liger-NxROWS, with -norepetition."""
    size_text = reader.next_word(r"\d+(x\d+)?", "a size 4, 6, 8 or 10, or a size and rows of checkers such as 4x2")
    size, _, rows = size_text.partition("x")
    if int(size) not in DEFAULT_ROWS:
        raise reader.error(f"size {int(size)} is not 4, 6, 8 or 10")
    require_in_range(reader, int(rows or 1), 1, int(size) // 2, "rows of checkers")
    reader.require_known_flags(["norepetition"])
    return Liger(int(size), int(rows or DEFAULT_ROWS[int(size)]), repetition=not reader.has_flag("norepetition"))
