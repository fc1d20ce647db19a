"""Liger, by Mark Steere (2009): move your checkers across the board and off it, but leave the opponent a move.

A stack is one integer: a leading 1 bit, then one bit per checker from bottom to top, 0 for red and 1 for blue. So 1 is an
empty square and 0b101 a red checker under a blue one; the lowest bit is the checker that shows.

A row of int64 is `stacks`, `showing`, `remaining`, six scalars and the history. Move ids are kind * num_squares + origin;
a kind is SINGLE_MOVE or DOUBLE_MOVE plus a direction, or BEAR_OFF. Red is seat 0 and moves north.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board
from ..jit import prng
from ..jit.intrinsics import bit, bit_count, clear_lowest_bit, highest_bit, lowest_bit
from ..jit.kernel import implements, kernel
from ..jit.prng import Rng, rand_below, random_set_bit
from . import interface, repetition
from .generic import MAX_REJECTIONS, Moves, random_listed_move, uniform_rollout
from .interface import DRAW, ONGOING

RED, BLUE = 0, 1
EMPTY_STACK = 1  # the stack of an empty square
NE, SE, SW, NW = range(4)
SINGLE_MOVE, DOUBLE_MOVE, BEAR_OFF = 0, 4, 8  # kinds of moves; a direction is added to the first two
NUM_MOVE_KINDS, FIRST_BACKWARD_KIND = 7, 5  # of the kinds that one colour has; backward ones are last
NUM_SCALARS = 6
PLANE_STACK_DEPTH = 4  # topmost checkers of a stack with planes of their own
CHECKER_WEIGHT, STEP_WEIGHT = 76, 13  # of the evaluation: per checker left, and per move that it still needs
I64: TypeAlias = NDArray[np.int64]
Bitboard: TypeAlias = int  # a set of squares, one bit each


class LigerRules(NamedTuple):
    """Board, hash keys and options of a game of Liger."""

    neighbours: NDArray[np.int16]  # [squares, 4]: NE SE SW NW
    has_neighbour: I64  # [4]: bitboards of the squares that have a neighbour in each direction
    farthest_row: I64  # [2]: bitboards of each colour's farthest row, from which it bears off
    moves_to_bear_off: NDArray[np.int16]  # [2, squares]: the single moves that a colour's checker needs to leave the board
    move_kinds: NDArray[np.int16]  # [moves]: the kind of each move id, because a table is faster than a division
    move_origins: NDArray[np.int16]  # [moves]: the origin of each move id
    checker_keys: NDArray[np.int64]  # [squares, levels, 2]: hash keys of a checker of a colour at a height in a stack
    blue_to_play_key: int  # hash key
    num_squares: int
    draw_by_repetition: int  # 1 if the third occurrence of a position is a draw


class LigerState(NamedTuple):
    """A position; `apply_move` writes into its arrays."""

    stacks: I64  # [squares]
    showing: I64  # [2]: bitboards of the squares where each colour shows
    remaining: I64  # [2]: number of each colour's checkers not yet borne off
    history: repetition.Hashes  # hashes of all positions since the last checker was borne off
    single_mask: Bitboard  # squares with exactly one checker
    two_stack_mask: Bitboard  # squares whose top two checkers differ in colour
    to_play: int  # RED or BLUE
    result: int  # ONGOING, a seat, or DRAW
    position_hash: int  # Zobrist hash of stacks and colour to play
    history_length: int  # hashes in `history`


@implements(interface.load_state, LigerRules)
@kernel
def load_liger_state(rules: LigerRules, row: I64) -> LigerState:
    """Implement `interface.load_state`."""
    num_squares = rules.num_squares
    scalars = row[num_squares + 4 : num_squares + 4 + NUM_SCALARS]
    return LigerState(
        stacks=row[:num_squares],
        showing=row[num_squares : num_squares + 2],
        remaining=row[num_squares + 2 : num_squares + 4],
        history=row[num_squares + 4 + NUM_SCALARS :],
        single_mask=scalars[0],
        two_stack_mask=scalars[1],
        to_play=scalars[2],
        result=scalars[3],
        position_hash=scalars[4],
        history_length=scalars[5],
    )


@implements(interface.store_state, LigerRules)
@kernel
def store_liger_state(rules: LigerRules, state: LigerState, row: I64) -> None:
    """Implement `interface.store_state`."""
    scalars = row[rules.num_squares + 4 : rules.num_squares + 4 + NUM_SCALARS]
    scalars[0] = state.single_mask
    scalars[1] = state.two_stack_mask
    scalars[2] = state.to_play
    scalars[3] = state.result
    scalars[4] = state.position_hash
    scalars[5] = state.history_length


@implements(interface.legal_moves, LigerRules)
@kernel
def list_legal_moves(rules: LigerRules, state: LigerState, moves: Moves) -> int:
    """Write all legal moves, kind by kind in the order of `colour_move_kinds`; return their number."""
    kinds, origins = colour_move_kinds(state.to_play), origin_masks(rules, state)
    count = 0
    for index in range(FIRST_BACKWARD_KIND):
        count = append_moves(rules, origins[index], kinds[index], moves, count)
    for index in range(FIRST_BACKWARD_KIND, NUM_MOVE_KINDS):
        count = append_backward_moves(rules, state, origins[index], kinds[index], moves, count)
    return count


@implements(interface.sorted_legal_moves, LigerRules)
@kernel
def list_sorted_moves(rules: LigerRules, state: LigerState, moves: Moves) -> int:
    """Write all legal moves, kind by kind in ascending order; return their number."""
    left, double_left, right, double_right, farthest, back_left, back_right = origin_masks(rules, state)
    if state.to_play == RED:
        count = append_moves(rules, left, SINGLE_MOVE + NE, moves, 0)
        count = append_backward_moves(rules, state, back_left, SINGLE_MOVE + SE, moves, count)
        count = append_backward_moves(rules, state, back_right, SINGLE_MOVE + SW, moves, count)
        count = append_moves(rules, right, SINGLE_MOVE + NW, moves, count)
        count = append_moves(rules, double_left, DOUBLE_MOVE + NE, moves, count)
        count = append_moves(rules, double_right, DOUBLE_MOVE + NW, moves, count)
    else:
        count = append_backward_moves(rules, state, back_left, SINGLE_MOVE + NE, moves, 0)
        count = append_moves(rules, left, SINGLE_MOVE + SE, moves, count)
        count = append_moves(rules, right, SINGLE_MOVE + SW, moves, count)
        count = append_backward_moves(rules, state, back_right, SINGLE_MOVE + NW, moves, count)
        count = append_moves(rules, double_left, DOUBLE_MOVE + SE, moves, count)
        count = append_moves(rules, double_right, DOUBLE_MOVE + SW, moves, count)
    return append_moves(rules, farthest, BEAR_OFF, moves, count)


@kernel
def colour_move_kinds(colour: int) -> tuple[int, int, int, int, int, int, int]:
    """Return the NUM_MOVE_KINDS kinds of moves that a colour has, the two backward ones last."""
    left, right = forward_direction(colour, 0), forward_direction(colour, 1)
    back_left, back_right = forward_direction(1 - colour, 0), forward_direction(1 - colour, 1)
    return (
        SINGLE_MOVE + left,
        DOUBLE_MOVE + left,
        SINGLE_MOVE + right,
        DOUBLE_MOVE + right,
        BEAR_OFF,
        SINGLE_MOVE + back_left,
        SINGLE_MOVE + back_right,
    )


@kernel
def origin_masks(
    rules: LigerRules, state: LigerState
) -> tuple[Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard, Bitboard]:
    """Return the origins of the mover's moves per kind; backward moves also need an opposing checker on the target."""
    colour = state.to_play
    own_showing = state.showing[colour]
    left, right = (
        own_showing & rules.has_neighbour[forward_direction(colour, 0)],
        own_showing & rules.has_neighbour[forward_direction(colour, 1)],
    )
    single_mask = own_showing & state.single_mask if has_fewer_showing(state) else 0
    back_left = single_mask & rules.has_neighbour[forward_direction(1 - colour, 0)]
    back_right = single_mask & rules.has_neighbour[forward_direction(1 - colour, 1)]
    return (
        left,
        left & state.two_stack_mask,
        right,
        right & state.two_stack_mask,
        own_showing & rules.farthest_row[colour],
        back_left,
        back_right,
    )


@kernel
def forward_direction(colour: int, side: int) -> int:
    """Return one of a colour's two forward directions, for side 0 or 1."""
    if colour == RED:
        return NE if side == 0 else NW
    return SE if side == 0 else SW


@kernel
def append_moves(rules: LigerRules, origins: Bitboard, kind: int, moves: Moves, count: int) -> int:
    """Append a move of one kind from each origin to moves[count:]; return the new count."""
    while origins != 0:
        moves[count] = kind * rules.num_squares + lowest_bit(origins)
        count += 1
        origins = clear_lowest_bit(origins)
    return count


@kernel
def append_backward_moves(
    rules: LigerRules, state: LigerState, origins: Bitboard, kind: int, moves: Moves, count: int
) -> int:
    """Append a backward move from each origin whose target shows an opposing checker; return the new count."""
    while origins != 0:
        square = lowest_bit(origins)
        moves[count] = kind * rules.num_squares + square
        count += 1 if is_opponent_adjacent(rules, state, square, kind & 3) else 0
        origins = clear_lowest_bit(origins)
    return count


@kernel
def can_move_backward(rules: LigerRules, state: LigerState, square: int, direction: int) -> bool:
    """Return whether a showing checker of the mover may move backward.

    The mover must show fewer checkers than the opponent, the checker must be alone, and the target must show an
    opposing checker.
    """
    return (
        has_fewer_showing(state)
        and state.single_mask >> square & 1 == 1
        and is_opponent_adjacent(rules, state, square, direction)
    )


@kernel
def is_opponent_adjacent(rules: LigerRules, state: LigerState, square: int, direction: int) -> bool:
    """Return whether the neighbour in a direction, which must exist, shows an opposing checker."""
    return state.showing[1 - state.to_play] >> rules.neighbours[square, direction] & 1 == 1


@kernel
def has_fewer_showing(state: LigerState) -> bool:
    """Return whether the mover shows fewer checkers than the opponent."""
    return bit_count(state.showing[state.to_play]) < bit_count(state.showing[1 - state.to_play])


@implements(interface.is_legal, LigerRules)
@kernel
def is_legal_move(rules: LigerRules, state: LigerState, move: int) -> bool:
    """Return whether `move` (any integer) is a legal move of a showing checker of the mover."""
    if not 0 <= move < len(rules.move_kinds):
        return False
    kind, square = rules.move_kinds[move], rules.move_origins[move]
    if not state.showing[state.to_play] >> square & 1:
        return False
    if kind == BEAR_OFF:
        return rules.farthest_row[state.to_play] >> square & 1 == 1
    direction = kind & 3
    if not rules.has_neighbour[direction] >> square & 1:
        return False
    if is_forward(state.to_play, direction):
        return kind < DOUBLE_MOVE or state.two_stack_mask >> square & 1 == 1
    return kind < DOUBLE_MOVE and can_move_backward(rules, state, square, direction)


@implements(interface.random_move, LigerRules)
@kernel
def random_checker_move(rules: LigerRules, state: LigerState, moves: Moves, rng: Rng) -> int:
    """Return a uniformly random legal move by rejection sampling.

    Draws a kind with probability proportional to its origins, then an origin; rejects illegal backward moves.
    """
    kinds, origins = colour_move_kinds(state.to_play), origin_masks(rules, state)
    total = 0
    for origin in origins:
        total += bit_count(origin)
    for _ in range(MAX_REJECTIONS):
        target = rand_below(rng, total)
        index, cumulative = 0, 0
        for origin in origins:
            cumulative += bit_count(origin)
            index += 1 if target >= cumulative else 0
        square = random_set_bit(rng, origins[index])
        if index < FIRST_BACKWARD_KIND or is_opponent_adjacent(rules, state, square, kinds[index] & 3):
            return kinds[index] * rules.num_squares + square
    return random_listed_move(rules, state, moves, rng)


@kernel
def is_forward(colour: int, direction: int) -> bool:
    """Return whether a direction leads towards a colour's farthest row."""
    return direction == forward_direction(colour, 0) or direction == forward_direction(colour, 1)


@implements(interface.apply_move, LigerRules)
@kernel
def apply_checker_move(rules: LigerRules, state: LigerState, move: int) -> LigerState:
    """Move one or two checkers or bear one off, then determine the result. Writes into the arrays of `state`."""
    kind, square = rules.move_kinds[move], rules.move_origins[move]
    mover = state.to_play
    position_hash = state.position_hash ^ rules.blue_to_play_key ^ pop_checker(rules, state, square)
    single_mask, two_stack_mask = state.single_mask, state.two_stack_mask
    if kind == BEAR_OFF:
        state.remaining[mover] -= 1
    else:
        target = rules.neighbours[square, kind & 3]
        if kind >= DOUBLE_MOVE:
            position_hash ^= pop_checker(rules, state, square) ^ push_checker(rules, state, target, 1 - mover)
        position_hash ^= push_checker(rules, state, target, mover)
        single_mask, two_stack_mask = update_square_masks(state, target, single_mask, two_stack_mask)
    single_mask, two_stack_mask = update_square_masks(state, square, single_mask, two_stack_mask)
    result = result_after_move(state.remaining[mover], state.showing[1 - mover], mover)
    history_length = state.history_length
    if rules.draw_by_repetition == 1:
        if kind == BEAR_OFF:
            history_length = 0
        elif result == ONGOING and repetition.count_occurrences(state.history, history_length, position_hash) >= 2:
            result = DRAW
        history_length = repetition.push_hash(state.history, history_length, position_hash)
    return LigerState(
        stacks=state.stacks,
        showing=state.showing,
        remaining=state.remaining,
        history=state.history,
        single_mask=single_mask,
        two_stack_mask=two_stack_mask,
        to_play=1 - mover,
        result=result,
        position_hash=position_hash,
        history_length=history_length,
    )


@kernel
def pop_checker(rules: LigerRules, state: LigerState, square: int) -> int:
    """Remove the top checker of a square; return the change of the hash, to be XORed."""
    colour = state.stacks[square] & 1
    state.stacks[square] >>= 1
    return rules.checker_keys[square, highest_bit(state.stacks[square]), colour]


@kernel
def push_checker(rules: LigerRules, state: LigerState, square: int, colour: int) -> int:
    """Put a checker on top of a square; return the change of the hash, to be XORed."""
    height = highest_bit(state.stacks[square])
    state.stacks[square] = state.stacks[square] << 1 | colour
    return rules.checker_keys[square, height, colour]


@kernel
def update_square_masks(
    state: LigerState, square: int, single_mask: Bitboard, two_stack_mask: Bitboard
) -> tuple[Bitboard, Bitboard]:
    """Update state.showing for one square in place; return `single_mask` and `two_stack_mask` updated for it."""
    stack = state.stacks[square]
    occupied = stack != EMPTY_STACK
    state.showing[RED] = with_bit(state.showing[RED], square, occupied and stack & 1 == RED)
    state.showing[BLUE] = with_bit(state.showing[BLUE], square, occupied and stack & 1 == BLUE)
    return with_bit(single_mask, square, stack >> 1 == EMPTY_STACK), with_bit(two_stack_mask, square, has_two_stack(stack))


@kernel
def with_bit(mask: Bitboard, square: int, inside: bool) -> Bitboard:
    """Return the bitboard with bit `square` set if `inside`, else cleared."""
    return mask | bit(square) if inside else mask & ~bit(square)


@kernel
def has_two_stack(stack: int) -> bool:
    """Return whether a stack has at least two checkers and the top two differ in colour."""
    return stack >> 1 > EMPTY_STACK and (stack ^ stack >> 1) & 1 == 1


@kernel
def result_after_move(remaining: int, opponent_showing: Bitboard, mover: int) -> int:
    """Return the result, apart from repetition: a mover with no checkers left wins.

    Otherwise a mover who leaves the opponent no showing checker loses.
    """
    if remaining == 0:
        return mover
    if opponent_showing == 0:
        return 1 - mover
    return ONGOING


@implements(interface.evaluate, LigerRules)
@kernel
def evaluate_race(rules: LigerRules, state: LigerState) -> int:
    """Evaluate the race for red (seat 0) in hundredths of log-odds: checkers left, and moves that they still need.

    Covered checkers count like others: a penalty had no measurable effect.
    """
    value = CHECKER_WEIGHT * (state.remaining[BLUE] - state.remaining[RED])
    for square in range(rules.num_squares):
        stack = state.stacks[square]
        while stack != EMPTY_STACK:
            value += STEP_WEIGHT * (
                rules.moves_to_bear_off[BLUE, square] if stack & 1 else -rules.moves_to_bear_off[RED, square]
            )
            stack >>= 1
    return value


@implements(interface.position_codes, LigerRules)
@kernel
def write_liger_codes(rules: LigerRules, state: LigerState, codes: Moves) -> None:
    """Write the stacks (0 if empty), then the colour to play, as position codes."""
    for square in range(rules.num_squares):
        codes[square] = state.stacks[square] - EMPTY_STACK
    codes[rules.num_squares] = state.to_play


@implements(interface.encode_planes, LigerRules)
@kernel
def encode_liger_planes(rules: LigerRules, state: LigerState, planes: NDArray[np.int8]) -> None:
    """Write planes: top checkers, number below them, farthest rows, moves to bear off, counts left, repetitions."""
    mover = state.to_play
    fewer_showing = 1 if has_fewer_showing(state) else 0
    repetitions = min(2, repetition.count_occurrences(state.history, state.history_length, state.position_hash))
    for square in range(rules.num_squares):
        planes[square, 0] = 1
        stack = state.stacks[square]
        for level in range(PLANE_STACK_DEPTH):
            planes[square, 1 + 2 * level] = 1 if stack != EMPTY_STACK and stack & 1 == mover else 0
            planes[square, 2 + 2 * level] = 1 if stack != EMPTY_STACK and stack & 1 != mover else 0
            stack = stack >> 1 if stack != EMPTY_STACK else stack
        blue = bit_count(stack) - 1
        red = highest_bit(stack) - blue
        planes[square, 9] = blue if mover == BLUE else red
        planes[square, 10] = red if mover == BLUE else blue
        planes[square, 11] = rules.farthest_row[mover] >> square & 1
        planes[square, 12] = rules.farthest_row[1 - mover] >> square & 1
        planes[square, 13] = rules.moves_to_bear_off[mover, square]
        planes[square, 14] = fewer_showing
        planes[square, 15] = state.remaining[mover]
        planes[square, 16] = state.remaining[1 - mover]
        planes[square, 17] = repetitions


repetition.register(LigerRules, rollout=uniform_rollout)


def compute_liger_hash(rules: LigerRules, tokens: Sequence[str], to_play: int) -> int:
    """Compute the hash of a position from its tokens (letters r and b, bottom first)."""
    position_hash = rules.blue_to_play_key * to_play
    for square, token in enumerate(tokens):
        for level, letter in enumerate(token):
            position_hash ^= int(rules.checker_keys[square, level, "rb".index(letter)])
    return position_hash


def count_moves_to_bear_off(board: Board) -> NDArray[np.int16]:
    """Return [2, squares]: the single moves that a colour's checker needs from each square to leave the board."""
    row_index = np.zeros(len(board), np.int16)  # from the top
    for row, squares in enumerate(board.rows):
        row_index[list(squares)] = row
    return np.stack([row_index + 1, len(board.rows) - row_index])


def make_liger_rules(board: Board, checkers: int, draw_by_repetition: bool) -> LigerRules:
    """Return the rules for a board of dark squares with `checkers` checkers per colour."""
    farthest_row = [sum(1 << square for square in board.rows[end]) for end in (0, -1)]
    has_neighbour = [sum(1 << int(square) for square in np.flatnonzero(column != NO_CELL)) for column in board.neighbours.T]
    return LigerRules(
        neighbours=board.neighbours,
        has_neighbour=np.array(has_neighbour, np.int64),
        farthest_row=np.array(farthest_row, np.int64),
        moves_to_bear_off=count_moves_to_bear_off(board),
        move_kinds=np.repeat(np.arange(BEAR_OFF + 1, dtype=np.int16), len(board)),
        move_origins=np.tile(np.arange(len(board), dtype=np.int16), BEAR_OFF + 1),
        checker_keys=prng.zobrist_keys(1, (len(board), 2 * checkers, 2)),
        blue_to_play_key=int(prng.zobrist_keys(2, (1,))[0]),
        num_squares=len(board),
        draw_by_repetition=int(draw_by_repetition),
    )
