"""All positions that can come after one, and the value of each, worked out backwards from the ends.

A seat wins a position when it can force a win however long that takes; what neither seat wins is a draw, for each of
them can go on for ever without losing. Every win has a distance that shrinks with each of the winner's steps, so a
winner never comes back to a position, and the values hold with and without a rule against repetition.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import kernel
from ..rules.questions import (
    DRAW,
    ONGOING,
    apply_move,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from ..rules.stepping import Row, copy_row
from .identity import Codes, Identity, identify

NO_END = -1  # in place of a distance
FULL = -2  # no memory left for more positions
POSITIONS, VISITED, STEPS, QUEUED, TAKEN = range(5)  # places of `counters`


class Reach(NamedTuple):
    """Positions by number, in the order in which they were found."""

    rows: NDArray[Any]  # [most positions, words]
    ones: NDArray[np.int64]  # [most positions]: hashes
    twos: NDArray[np.int64]
    places: NDArray[np.int32]  # by hash: the number of a position and 1, or 0
    seats: NDArray[np.int8]  # to move
    values: NDArray[np.int8]  # outcomes; DRAW until a winner is known
    distances: NDArray[np.int32]  # steps to the end when the winner hurries and the loser delays
    firsts: NDArray[np.int64]  # [most positions + 1]: where the steps from a position begin
    targets: NDArray[np.int32]  # [most steps]: where a step leads
    open_steps: NDArray[np.int32]  # steps whose loss for the mover is not known yet
    befores: NDArray[np.int64]  # [most positions + 1]: where the steps to a position begin
    sources: NDArray[np.int32]  # [most steps]: where they come from
    queue: NDArray[np.int32]  # positions whose value is known, by distance
    counters: NDArray[np.int64]  # positions found, positions visited, steps found, queued, taken from the queue


class Desk(NamedTuple):
    """Scratch for one position at a time."""

    row: NDArray[Any]
    moves: NDArray[np.int64]
    codes: Codes


@kernel
def note(rules: Any, identity: Identity, reach: Reach, desk: Desk, state: Any) -> int:
    """The number of a position, a new one if it was not seen before, or FULL."""
    position_codes(rules, state, desk.codes)
    one, two = identify(identity, desk.codes)
    place = place_of(reach, one, two)
    if reach.places[place] != 0:
        return reach.places[place] - 1
    number = reach.counters[POSITIONS]
    if number == len(reach.rows):
        return FULL
    reach.places[place] = number + 1
    reach.ones[number], reach.twos[number] = one, two
    reach.seats[number] = seat_to_move(rules, state)
    result = outcome(rules, state)
    reach.values[number] = DRAW if result == ONGOING else result
    reach.distances[number] = NO_END if result == ONGOING else 0
    copy_row(desk.row, reach.rows[number])
    reach.counters[POSITIONS] += 1
    return number


@kernel
def place_of(reach: Reach, one: int, two: int) -> int:
    """Where the number of the position with these hashes stands, or an empty place for it."""
    place = one % len(reach.places)
    while reach.places[place] != 0:
        number = reach.places[place] - 1
        if reach.ones[number] == one and reach.twos[number] == two:
            break
        place = place + 1 if place + 1 < len(reach.places) else 0
    return place


@kernel
def number_of(rules: Any, identity: Identity, reach: Reach, desk: Desk, row: Row) -> int:
    """The number of a position that was reached."""
    position_codes(rules, load_state(rules, row), desk.codes)
    one, two = identify(identity, desk.codes)
    return reach.places[place_of(reach, one, two)] - 1


@kernel
def explore(rules: Any, identity: Identity, reach: Reach, desk: Desk, patience: int) -> int:
    """Visit so many positions more and note where their steps lead; FULL when memory ends, else how many wait.

    The first position lies on the desk.
    """
    if reach.counters[POSITIONS] == 0:
        note(rules, identity, reach, desk, load_state(rules, desk.row))
    last = reach.counters[VISITED] + patience
    while reach.counters[VISITED] < min(last, reach.counters[POSITIONS]):
        number = reach.counters[VISITED]
        count = 0
        if reach.distances[number] == NO_END:
            copy_row(reach.rows[number], desk.row)
            count = legal_moves(rules, load_state(rules, desk.row), desk.moves)
        step = reach.firsts[number]
        if step + count > len(reach.targets):
            return FULL
        for index in range(count):
            copy_row(reach.rows[number], desk.row)
            state = apply_move(rules, load_state(rules, desk.row), desk.moves[index])
            store_state(rules, state, desk.row)
            target = note(rules, identity, reach, desk, state)
            if target == FULL:
                return FULL
            reach.targets[step + index] = target
        reach.firsts[number + 1] = step + count
        reach.counters[VISITED] += 1
        reach.counters[STEPS] += count
    return reach.counters[POSITIONS] - reach.counters[VISITED]


@kernel
def turn_round(reach: Reach) -> None:
    """Sort the steps by where they lead, and queue the positions where the game is over."""
    positions = reach.counters[POSITIONS]
    for step in range(reach.counters[STEPS]):
        reach.befores[reach.targets[step] + 1] += 1
    for number in range(positions):
        reach.befores[number + 1] += reach.befores[number]
        reach.open_steps[number] = reach.firsts[number + 1] - reach.firsts[number]
    for source in range(positions):
        for step in range(reach.firsts[source], reach.firsts[source + 1]):
            target = reach.targets[step]
            reach.sources[reach.befores[target]] = source
            reach.befores[target] += 1  # so that it ends where the next one began
        if reach.distances[source] == 0 and reach.values[source] != DRAW:
            settle(reach, source, reach.values[source], 0)


@kernel
def settle(reach: Reach, number: int, value: int, distance: int) -> None:
    """A position's value is known; what leads there can be looked at."""
    reach.values[number] = value
    reach.distances[number] = distance
    reach.queue[reach.counters[QUEUED]] = number
    reach.counters[QUEUED] += 1


@kernel
def work_back(reach: Reach, patience: int) -> int:
    """Take so many positions from the queue and settle what leads there; how many wait."""
    last = reach.counters[TAKEN] + patience
    while reach.counters[TAKEN] < min(last, reach.counters[QUEUED]):
        number = reach.queue[reach.counters[TAKEN]]
        reach.counters[TAKEN] += 1
        value, distance = reach.values[number], reach.distances[number] + 1
        begin = 0 if number == 0 else reach.befores[number - 1]
        for step in range(begin, reach.befores[number]):
            source = reach.sources[step]
            if reach.distances[source] == NO_END:
                reach.open_steps[source] -= 1
                if value == reach.seats[source] or reach.open_steps[source] == 0:
                    settle(reach, source, value, distance)
    return reach.counters[QUEUED] - reach.counters[TAKEN]
