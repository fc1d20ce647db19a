"""Liger, by Mark Steere (2009): walk your checkers across the board and off it, but leave the other side a move.

A stack is one number in binary: a leading 1, then a digit a checker from bottom to top, 0 for red and 1 for blue.
So 1 is an empty square, 0b101 a red checker under a blue one; the last digit is the checker that shows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import chance
from ..bits import bit, bit_count, highest_bit, lowest_bit, without_lowest
from ..boards import NO_CELL, Board
from ..chance import Rng, below, random_bit
from ..kernels import answers, kernel
from . import history, questions
from .questions import DRAW, ONGOING
from .stepping import TRIES, Moves, pick_listed

RED, BLUE = 0, 1
NO_CHECKER = 1  # the stack of an empty square
NE, SE, SW, NW = range(4)
SINGLE, DOUBLE, OFF = 0, 4, 8  # kinds of moves; the first two take a direction
KINDS, BACKWARD = 7, 5  # kinds of moves that one colour has, and how many of them do not lead backward
NUMBERS = 6
LEVELS_SEEN = 4  # checkers from the top of a stack that a net sees one by one
CHECKER, STEP = 76, 13  # of the evaluation: what a checker on the board costs, and each step it has to go
Squares: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = int  # a set of squares


class LigerRules(NamedTuple):
    """What the kernels know of a board of dark squares."""

    neighbours: NDArray[np.int16]  # [squares, 4]: NE SE SW NW
    open_ways: Squares  # [4]: the squares that have a neighbour in each direction, a mask
    farthest: Squares  # [2]: each colour's farthest row, a mask
    to_go: NDArray[np.int16]  # [2, squares]: a colour's moves from a square until it is off the board
    kinds: NDArray[np.int16]  # [moves]: the kind of each move id; a table is faster than a division
    origins: NDArray[np.int16]  # [moves]: the square it starts from
    keys: NDArray[np.int64]  # [squares, levels, 2]: a checker at a height in a stack
    blue_to_play: int  # hash key
    squares: int
    repetition: int  # 1 when the third occurrence of a position is a draw


class LigerState(NamedTuple):
    """A position."""

    stacks: Squares
    showing: Squares  # [2]: the squares where each colour shows, a mask
    left: Squares  # [2]: each colour's checkers not yet borne off
    past: history.Hashes  # all positions since the last checker was borne off
    alone: Mask  # squares with one checker
    mixed: Mask  # squares where the top two checkers differ
    to_play: int  # RED or BLUE
    result: int  # ONGOING, a seat, or DRAW
    hashed: int  # of stacks and colour to play
    remembered: int  # positions in `past`


@answers(questions.load, LigerRules)
@kernel
def load_liger(rules: LigerRules, row: Squares) -> LigerState:
    """The state in a row: stacks, showing, left, six numbers, past positions."""
    squares = rules.squares
    numbers = row[squares + 4 : squares + 4 + NUMBERS]
    return LigerState(
        stacks=row[:squares],
        showing=row[squares : squares + 2],
        left=row[squares + 2 : squares + 4],
        past=row[squares + 4 + NUMBERS :],
        alone=numbers[0],
        mixed=numbers[1],
        to_play=numbers[2],
        result=numbers[3],
        hashed=numbers[4],
        remembered=numbers[5],
    )


@answers(questions.save, LigerRules)
@kernel
def save_liger(rules: LigerRules, state: LigerState, row: Squares) -> None:
    """Store the numbers behind the arrays."""
    numbers = row[rules.squares + 4 : rules.squares + 4 + NUMBERS]
    numbers[0] = state.alone
    numbers[1] = state.mixed
    numbers[2] = state.to_play
    numbers[3] = state.result
    numbers[4] = state.hashed
    numbers[5] = state.remembered


@answers(questions.legal_moves, LigerRules)
@kernel
def turns(rules: LigerRules, state: LigerState, moves: Moves) -> int:
    """Every forward move, bearing off and backward move of a showing checker, kind by kind."""
    kinds, origins = kinds_of(state.to_play), origins_of(rules, state)
    count = 0
    for index in range(BACKWARD):
        count = list_moves(rules, origins[index], kinds[index], moves, count)
    for index in range(BACKWARD, KINDS):
        count = list_backward(rules, state, origins[index], kinds[index], moves, count)
    return count


@kernel
def kinds_of(colour: int) -> tuple[int, int, int, int, int, int, int]:
    """The kinds of moves that a colour has, the two backward ones last."""
    left, right = forward(colour, 0), forward(colour, 1)
    back_left, back_right = forward(1 - colour, 0), forward(1 - colour, 1)
    return SINGLE + left, DOUBLE + left, SINGLE + right, DOUBLE + right, OFF, SINGLE + back_left, SINGLE + back_right


@kernel
def origins_of(rules: LigerRules, state: LigerState) -> tuple[Mask, Mask, Mask, Mask, Mask, Mask, Mask]:
    """The squares from where the mover's checkers may go, kind by kind; backward, if they find an opposing one there."""
    colour = state.to_play
    mine = state.showing[colour]
    left, right = mine & rules.open_ways[forward(colour, 0)], mine & rules.open_ways[forward(colour, 1)]
    alone = mine & state.alone if shows_fewer(state) else 0
    back_left = alone & rules.open_ways[forward(1 - colour, 0)]
    back_right = alone & rules.open_ways[forward(1 - colour, 1)]
    return left, left & state.mixed, right, right & state.mixed, mine & rules.farthest[colour], back_left, back_right


@kernel
def forward(colour: int, way: int) -> int:
    """One of a colour's two directions forward."""
    if colour == RED:
        return NE if way == 0 else NW
    return SE if way == 0 else SW


@kernel
def list_moves(rules: LigerRules, movable: Mask, kind: int, moves: Moves, count: int) -> int:
    """Add a move of one kind from each of these squares."""
    while movable != 0:
        moves[count] = kind * rules.squares + lowest_bit(movable)
        count += 1
        movable = without_lowest(movable)
    return count


@kernel
def list_backward(rules: LigerRules, state: LigerState, movable: Mask, kind: int, moves: Moves, count: int) -> int:
    """Add a move backward from each of these squares where it leads onto a showing checker of the opponent."""
    while movable != 0:
        square = lowest_bit(movable)
        moves[count] = kind * rules.squares + square
        count += 1 if meets_opponent(rules, state, square, kind & 3) else 0
        movable = without_lowest(movable)
    return count


@kernel
def may_go_back(rules: LigerRules, state: LigerState, square: int, direction: int) -> bool:
    """Whether a showing checker may go one square backward: the mover shows fewer, it is alone, and it lands on another."""
    return shows_fewer(state) and state.alone >> square & 1 == 1 and meets_opponent(rules, state, square, direction)


@kernel
def meets_opponent(rules: LigerRules, state: LigerState, square: int, direction: int) -> bool:
    """Whether the opponent shows on the next square in a direction."""
    return state.showing[1 - state.to_play] >> rules.neighbours[square, direction] & 1 == 1


@kernel
def shows_fewer(state: LigerState) -> bool:
    """Whether the mover shows fewer checkers than the opponent."""
    return bit_count(state.showing[state.to_play]) < bit_count(state.showing[1 - state.to_play])


@answers(questions.is_legal, LigerRules)
@kernel
def may_take(rules: LigerRules, state: LigerState, move: int) -> bool:
    """A showing checker of the mover that goes forward, backward or off as the rules allow."""
    if not 0 <= move < len(rules.kinds):
        return False
    kind, square = rules.kinds[move], rules.origins[move]
    if not state.showing[state.to_play] >> square & 1:
        return False
    if kind == OFF:
        return rules.farthest[state.to_play] >> square & 1 == 1
    direction = kind & 3
    if not rules.open_ways[direction] >> square & 1:
        return False
    if is_forward(state.to_play, direction):
        return kind < DOUBLE or state.mixed >> square & 1 == 1
    return kind < DOUBLE and may_go_back(rules, state, square, direction)


@answers(questions.random_move, LigerRules)
@kernel
def random_turn(rules: LigerRules, state: LigerState, moves: Moves, rng: Rng) -> int:
    """A move by trying: a kind as likely as it has origins, then one of them; again if it leads backward onto nobody."""
    kinds, origins = kinds_of(state.to_play), origins_of(rules, state)
    total = 0
    for origin in origins:
        total += bit_count(origin)
    for _ in range(TRIES):
        pick = below(rng, total)
        index, before = 0, 0
        for origin in origins:
            before += bit_count(origin)
            index += 1 if pick >= before else 0
        square = random_bit(rng, origins[index])
        if index < BACKWARD or meets_opponent(rules, state, square, kinds[index] & 3):
            return kinds[index] * rules.squares + square
    return pick_listed(rules, state, moves, rng)


@kernel
def is_forward(colour: int, direction: int) -> bool:
    """Whether a direction leads towards a colour's farthest row."""
    return direction == forward(colour, 0) or direction == forward(colour, 1)


@answers(questions.play, LigerRules)
@kernel
def take_turn(rules: LigerRules, state: LigerState, move: int) -> LigerState:
    """Move one or two checkers or bear one off, then see who shows what."""
    kind, square = rules.kinds[move], rules.origins[move]
    mover = state.to_play
    hashed = state.hashed ^ rules.blue_to_play ^ lift(rules, state, square)
    alone, mixed = state.alone, state.mixed
    if kind == OFF:
        state.left[mover] -= 1
    else:
        target = rules.neighbours[square, kind & 3]
        if kind >= DOUBLE:
            hashed ^= lift(rules, state, square) ^ drop(rules, state, target, 1 - mover)
        hashed ^= drop(rules, state, target, mover)
        alone, mixed = look_at(state, target, alone, mixed)
    alone, mixed = look_at(state, square, alone, mixed)
    result = who_won(state.left[mover], state.showing[1 - mover], mover)
    remembered = state.remembered
    if rules.repetition == 1:
        if kind == OFF:
            remembered = 0
        elif result == ONGOING and history.occurrences(state.past, remembered, hashed) >= 2:
            result = DRAW
        remembered = history.remember(state.past, remembered, hashed)
    return LigerState(
        stacks=state.stacks,
        showing=state.showing,
        left=state.left,
        past=state.past,
        alone=alone,
        mixed=mixed,
        to_play=1 - mover,
        result=result,
        hashed=hashed,
        remembered=remembered,
    )


@kernel
def lift(rules: LigerRules, state: LigerState, square: int) -> int:
    """Take the top checker off a square; returns the change of the hash."""
    colour = state.stacks[square] & 1
    state.stacks[square] >>= 1
    return rules.keys[square, highest_bit(state.stacks[square]), colour]


@kernel
def drop(rules: LigerRules, state: LigerState, square: int, colour: int) -> int:
    """Put a checker on top of a square; returns the change of the hash."""
    height = highest_bit(state.stacks[square])
    state.stacks[square] = state.stacks[square] << 1 | colour
    return rules.keys[square, height, colour]


@kernel
def look_at(state: LigerState, square: int, alone: Mask, mixed: Mask) -> tuple[Mask, Mask]:
    """Bring the sets of squares up to date for one: who shows there (in place), and the returned `alone` and `mixed`."""
    stack = state.stacks[square]
    occupied = stack != NO_CHECKER
    state.showing[RED] = with_bit(state.showing[RED], square, occupied and stack & 1 == RED)
    state.showing[BLUE] = with_bit(state.showing[BLUE], square, occupied and stack & 1 == BLUE)
    return with_bit(alone, square, stack >> 1 == NO_CHECKER), with_bit(mixed, square, has_two_stack(stack))


@kernel
def with_bit(mask: Mask, square: int, inside: bool) -> Mask:
    """A set of squares with or without one of them."""
    return mask | bit(square) if inside else mask & ~bit(square)


@kernel
def has_two_stack(stack: int) -> bool:
    """Whether the top two checkers are of different colours."""
    return stack >> 1 > NO_CHECKER and (stack ^ stack >> 1) & 1 == 1


@kernel
def who_won(left: int, other_showing: Mask, mover: int) -> int:
    """The mover, when all their checkers are off; the opponent, when the mover left them none showing."""
    if left == 0:
        return mover
    if other_showing == 0:
        return 1 - mover
    return ONGOING


@answers(questions.evaluate, LigerRules)
@kernel
def race(rules: LigerRules, state: LigerState) -> int:
    """How many checkers each side has left, and how far they have to go; lying under others costs nothing measurable."""
    value = CHECKER * (state.left[BLUE] - state.left[RED])
    for square in range(rules.squares):
        stack = state.stacks[square]
        while stack != NO_CHECKER:
            value += STEP * (rules.to_go[BLUE, square] if stack & 1 else -rules.to_go[RED, square])
            stack >>= 1
    return value


@answers(questions.contents, LigerRules)
@kernel
def stacks_and_mover(rules: LigerRules, state: LigerState, codes: Moves) -> None:
    """The stacks and the colour to play."""
    for square in range(rules.squares):
        codes[square] = state.stacks[square] - NO_CHECKER
    codes[rules.squares] = state.to_play


@answers(questions.features, LigerRules)
@kernel
def liger_planes(rules: LigerRules, state: LigerState, planes: NDArray[np.int8]) -> None:
    """The four upper checkers of each stack, how many lie below, the way to go, and who has how many."""
    mover = state.to_play
    fewer = 1 if shows_fewer(state) else 0
    times = min(2, history.occurrences(state.past, state.remembered, state.hashed))
    for square in range(rules.squares):
        planes[square, 0] = 1
        stack = state.stacks[square]
        for level in range(LEVELS_SEEN):
            planes[square, 1 + 2 * level] = 1 if stack != NO_CHECKER and stack & 1 == mover else 0
            planes[square, 2 + 2 * level] = 1 if stack != NO_CHECKER and stack & 1 != mover else 0
            stack = stack >> 1 if stack != NO_CHECKER else stack
        blue = bit_count(stack) - 1
        red = highest_bit(stack) - blue
        planes[square, 9] = blue if mover == BLUE else red
        planes[square, 10] = red if mover == BLUE else blue
        planes[square, 11] = rules.farthest[mover] >> square & 1
        planes[square, 12] = rules.farthest[1 - mover] >> square & 1
        planes[square, 13] = rules.to_go[mover, square]
        planes[square, 14] = fewer
        planes[square, 15] = state.left[mover]
        planes[square, 16] = state.left[1 - mover]
        planes[square, 17] = times


history.register(LigerRules)


def hash_of(rules: LigerRules, tokens: Sequence[str], to_play: int) -> int:
    """The hash of a position, from nothing."""
    hashed = rules.blue_to_play * to_play
    for square, token in enumerate(tokens):
        for level, letter in enumerate(token):
            hashed ^= int(rules.keys[square, level, "rb".index(letter)])
    return hashed


def steps_to_go(board: Board) -> NDArray[np.int16]:
    """[2, squares]: a colour's moves from each square until it is off the board."""
    rank = np.zeros(len(board), np.int16)
    for row, squares in enumerate(board.rows):
        rank[list(squares)] = row
    return np.stack([rank + 1, len(board.rows) - rank])


def rules_for(board: Board, checkers: int, repetition: bool) -> LigerRules:
    """The board as the kernels read it."""
    farthest = [sum(1 << square for square in board.rows[end]) for end in (0, -1)]
    open_ways = [sum(1 << int(square) for square in np.flatnonzero(way != NO_CELL)) for way in board.neighbours.T]
    return LigerRules(
        neighbours=board.neighbours,
        open_ways=np.array(open_ways, np.int64),
        farthest=np.array(farthest, np.int64),
        to_go=steps_to_go(board),
        kinds=np.repeat(np.arange(OFF + 1, dtype=np.int16), len(board)),
        origins=np.tile(np.arange(len(board), dtype=np.int16), OFF + 1),
        keys=chance.keys(1, (len(board), 2 * checkers, 2)),
        blue_to_play=int(chance.keys(2, (1,))[0]),
        squares=len(board),
        repetition=int(repetition),
    )
