"""Generic kernels over all games: one step, many steps at once, random games, counts by depth."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..chance import Rng, below
from ..kernels import kernel
from .questions import (
    NO_ROOM,
    NOT_LEGAL,
    ONGOING,
    chance_of,
    evaluate,
    has_room,
    legal_moves,
    load,
    outcome,
    play,
    playout,
    save,
    seat_to_move,
    worth,
)

Moves: TypeAlias = NDArray[Any]  # int16 or int64
Row: TypeAlias = NDArray[Any]  # int8, int16 or int64 [words], as the game chooses
Rows: TypeAlias = NDArray[Any]  # [positions, words]
Counts: TypeAlias = NDArray[np.int64]


class Looked(NamedTuple):
    """What `look` says of many positions."""

    moves: NDArray[np.int16]  # [positions, most_moves]
    counts: Counts  # [positions]: how many moves are legal
    outcomes: Counts
    seats: Counts


@kernel
def copy_row(source: Row, target: Row) -> None:
    """Copy a position's row onto another of the same length."""
    for index in range(len(source)):
        target[index] = source[index]


@kernel
def list_empty(stones: Any, cells: int, moves: Moves) -> int:
    """List the cells where nothing (0) stands and return how many; without branches, which cost more here."""
    count = 0
    for cell in range(cells):
        moves[count] = cell
        count += 1 if stones[cell] == 0 else 0
    return count


@kernel
def look(rules: Any, row: Row, moves: Moves) -> tuple[int, int, int]:
    """Count and list the legal moves; also the outcome and the seat to move."""
    state = load(rules, row)
    result = outcome(rules, state)
    count = 0 if result != ONGOING else legal_moves(rules, state, moves)
    return count, result, seat_to_move(rules, state)


@kernel
def is_listed(moves: Moves, count: int, move: int) -> bool:
    """Whether a move is among the legal ones; looks at all of them, which the processor does many at a time."""
    listed = False
    for index in range(count):
        listed |= moves[index] == move
    return listed


@kernel
def advance(rules: Any, row: Row, move: int, before: Moves, count: int, after: Moves) -> tuple[int, int, int]:
    """Play a move that must be among `before[:count]`, then look; else NOT_LEGAL or NO_ROOM, and nothing changes."""
    if not is_listed(before, count, move):
        return NOT_LEGAL, ONGOING, 0
    state = load(rules, row)
    if not has_room(rules, state):
        return NO_ROOM, ONGOING, 0
    save(rules, play(rules, state, move), row)
    return look(rules, row, after)


@kernel
def first_illegal(chosen: Moves, looked: Looked) -> int:
    """The index of the first position that is not over and does not list its move, or -1."""
    for index in range(len(chosen)):
        if looked.outcomes[index] == ONGOING and not is_listed(looked.moves[index], looked.counts[index], chosen[index]):
            return index
    return -1


@kernel
def advance_all(rules: Any, rows: Rows, chosen: Moves, looked: Looked) -> bool:
    """Play a listed move in every position that is not over; whether some row is full now."""
    full = False
    for index in range(len(rows)):
        if looked.outcomes[index] == ONGOING:
            row = rows[index]
            state = play(rules, load(rules, row), chosen[index])
            save(rules, state, row)
            full |= not has_room(rules, state)
            look_at(rules, row, looked, index)
    return full


@kernel
def look_at(rules: Any, row: Row, looked: Looked, index: int) -> None:
    """Look at one position of many."""
    looked.counts[index], looked.outcomes[index], looked.seats[index] = look(rules, row, looked.moves[index])


@kernel
def look_all(rules: Any, rows: Rows, looked: Looked) -> None:
    """Look at every position."""
    for index in range(len(rows)):
        look_at(rules, rows[index], looked, index)


@kernel
def choose_all(looked: Looked, chosen: Moves, rng: Rng) -> None:
    """A random legal move for every position (0 where there is none)."""
    for index in range(len(chosen)):
        count = looked.counts[index]
        chosen[index] = looked.moves[index, below(rng, count)] if count > 0 else 0


@kernel
def random_game(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """Play uniformly at random to the end: the playout of a game that has no faster one."""
    while outcome(rules, state) == ONGOING:
        count = legal_moves(rules, state, moves)
        state = play(rules, state, moves[below(rng, count)])
    return outcome(rules, state)


@kernel
def noted_game(rules: Any, state: Any, moves: Moves, rng: Rng, played: Any, sensible: int) -> float:
    """A random game that notes who made which move; a sensible one is evaluated after so many steps."""
    steps = 0
    while outcome(rules, state) == ONGOING:
        if steps == sensible and sensible > 0:
            return chance_of(evaluate(rules, state))
        count = legal_moves(rules, state, moves)
        move = moves[below(rng, count)]
        played[seat_to_move(rules, state), move] = 1
        state = play(rules, state, move)
        steps += 1
    return worth(outcome(rules, state))


@kernel
def playouts(rules: Any, start: Row, row: Row, moves: Moves, rng: Rng, games: int, results: Counts) -> None:
    """Play many random games from one position; add up how many seat 0 won, seat 1 won, were drawn."""
    for _ in range(games):
        copy_row(start, row)
        results[playout(rules, load(rules, row), moves, rng)] += 1


@kernel
def count_steps(rules: Any, rows: Rows, moves: Any, counts: Counts, tried: Counts) -> int:
    """How many sequences of as many steps as there are rows lead on from rows[0]; finished positions stop.

    All arrays have a line a step and are scratch, but for rows[0].
    """
    depth = len(rows)
    total = 0
    tried[0] = 0
    level = 0
    counts[0] = look(rules, rows[0], moves[0])[0]
    while level >= 0:
        if level == depth - 1:
            total += counts[level]
            level -= 1
        elif tried[level] == counts[level]:
            level -= 1
        else:
            row = rows[level + 1]
            copy_row(rows[level], row)
            save(rules, play(rules, load(rules, row), moves[level, tried[level]]), row)
            tried[level] += 1
            level += 1
            tried[level] = 0
            counts[level] = look(rules, row, moves[level])[0]
    return total
