"""Generic kernels over all games: one step, many steps at once, random games, counts by depth."""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..chance import Rng, below
from ..kernels import kernel
from ..memory import fetch_ahead
from .questions import (
    NO_ROOM,
    NOT_LEGAL,
    ONGOING,
    chance_of,
    contents,
    evaluate,
    has_room,
    is_legal,
    legal_moves,
    load,
    outcome,
    play,
    playout,
    random_move,
    save,
    seat_to_move,
    worth,
)

Moves: TypeAlias = NDArray[Any]  # int16 or int64
Row: TypeAlias = NDArray[Any]  # int8, int16 or int64 [words], as the game chooses
Rows: TypeAlias = NDArray[Any]  # [positions, words]
Counts: TypeAlias = NDArray[np.int64]

TRIES = 32  # random ids to look at before listing the legal moves


class Places(NamedTuple):
    """Many positions of one game."""

    rows: Rows
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
def describe(rules: Any, row: Row, codes: Counts) -> None:
    """Write what a position consists of, in numbers."""
    contents(rules, load(rules, row), codes)


@kernel
def advance(rules: Any, row: Row, move: int, moves: Moves) -> tuple[int, int, int]:
    """Play a move if it is legal, then look; else NOT_LEGAL or NO_ROOM, and nothing changes."""
    state = load(rules, row)
    if outcome(rules, state) != ONGOING or not is_legal(rules, state, move):
        return NOT_LEGAL, ONGOING, 0
    if not has_room(rules, state):
        return NO_ROOM, ONGOING, 0
    save(rules, play(rules, state, move), row)
    return look(rules, row, moves)


@kernel
def first_illegal(rules: Any, places: Places, chosen: Moves) -> int:
    """The index of the first position that is not over and whose chosen move is not legal, or -1."""
    for index in range(len(chosen)):
        if places.outcomes[index] == ONGOING and not is_legal(rules, load(rules, places.rows[index]), chosen[index]):
            return index
    return -1


@kernel
def advance_all(rules: Any, places: Places, chosen: Moves) -> bool:
    """Play a legal move in every position that is not over; whether some row is full now."""
    full = False
    for index in range(len(chosen)):
        fetch_ahead(places.rows, index)
        if places.outcomes[index] == ONGOING:
            row = places.rows[index]
            state = play(rules, load(rules, row), chosen[index])
            save(rules, state, row)
            full |= not has_room(rules, state)
            places.outcomes[index] = outcome(rules, state)
            places.seats[index] = seat_to_move(rules, state)
    return full


@kernel
def restart_all(places: Places, start: Row, seat: int) -> int:
    """Put the start position in the place of every finished one; how many there were."""
    count = 0
    for index in range(len(places.outcomes)):
        if places.outcomes[index] != ONGOING:
            copy_row(start, places.rows[index])
            places.outcomes[index], places.seats[index] = ONGOING, seat
            count += 1
    return count


@kernel
def list_all(rules: Any, places: Places, moves: Moves, counts: Counts) -> None:
    """List and count the legal moves of every position, none where the game is over; a line of `moves` each."""
    for index in range(len(counts)):
        ongoing = places.outcomes[index] == ONGOING
        counts[index] = legal_moves(rules, load(rules, places.rows[index]), moves[index]) if ongoing else 0


@kernel
def choose_all(rules: Any, places: Places, chosen: Moves, scratch: Moves, rng: Rng) -> None:
    """A random legal move for every position, 0 where the game is over."""
    for index in range(len(chosen)):
        fetch_ahead(places.rows, index)
        chosen[index] = 0
        if places.outcomes[index] == ONGOING:
            chosen[index] = random_move(rules, load(rules, places.rows[index]), scratch, rng)


@kernel
def try_ids(rules: Any, state: Any, ids: int, moves: Moves, rng: Rng) -> int:
    """A random legal move by trying ids: the quickest way while many of them are legal."""
    for _ in range(TRIES):
        move = below(rng, ids)
        if is_legal(rules, state, move):
            return move
    return pick_listed(rules, state, moves, rng)


@kernel
def pick_listed(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """A random legal move from the list of them all."""
    return moves[below(rng, legal_moves(rules, state, moves))]


@kernel
def random_game(rules: Any, state: Any, moves: Moves, rng: Rng) -> int:
    """Play uniformly at random to the end: the playout of a game that has no faster one."""
    while outcome(rules, state) == ONGOING:
        state = play(rules, state, random_move(rules, state, moves, rng))
    return outcome(rules, state)


@kernel
def noted_game(rules: Any, state: Any, moves: Moves, rng: Rng, played: Any, sensible: int) -> float:
    """A random game that notes who made which move; a sensible one is evaluated after so many steps."""
    steps = 0
    while outcome(rules, state) == ONGOING:
        if steps == sensible and sensible > 0:
            return chance_of(evaluate(rules, state))
        move = random_move(rules, state, moves, rng)
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
