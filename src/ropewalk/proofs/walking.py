"""The walk of a proof by strategy, compiled: through all that one seat can do against the other's answers.

It knows the rules and nothing of any solver. Positions are told apart by 126 bits, the same for turned and mirrored ones;
the keys behind them are drawn anew for every walk, so that no file can be made to confuse two positions.
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
    is_legal,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from ..rules.stepping import copy_row
from .identity import Codes, Identity, identify

AT_WORK, DONE, ASKS, ILLEGAL, LOST, GOES_ROUND, TOO_DEEP, FULL = range(8)  # what a call to `walk` ends with
ARRIVED, ASKING, LEADS_ON = range(3)  # stages of a level
NEW, ON_THE_PATH, WALKED_THROUGH = range(3)  # of a position
LEVEL, WALKED, TAKEN, SEAT, DRAWS = range(5)  # places of `counters`


class Trail(NamedTuple):
    """The way from the first position to the one that the walk stands at."""

    rows: NDArray[Any]  # [levels, words]
    moves: NDArray[np.int64]  # [levels, moves]: those to walk on by
    counts: NDArray[np.int64]  # [levels]: how many they are
    nexts: NDArray[np.int64]  # [levels]: the next of them
    stages: NDArray[np.int64]  # [levels]
    ones: NDArray[np.int64]  # [levels]: hashes
    twos: NDArray[np.int64]
    codes: Codes
    counters: NDArray[np.int64]  # level, positions walked through, answers taken, the seat that answers, whether it may draw


class Seen(NamedTuple):
    """Positions that the walk has come to, by hash."""

    ones: NDArray[np.int64]
    twos: NDArray[np.int64]
    states: NDArray[np.int8]


@kernel
def walk(rules: Any, identity: Identity, trail: Trail, seen: Seen, answers: NDArray[np.int64], patience: int) -> int:
    """Walk on for so many steps, or until something is needed or wrong."""
    counters = trail.counters
    for _ in range(patience):
        level = counters[LEVEL]
        stage = trail.stages[level]
        if stage == ARRIVED:
            found = arrive(rules, identity, trail, seen, level)
            if found != AT_WORK:
                return found
        elif stage == ASKING:
            if counters[TAKEN] == len(answers):
                return ASKS
            if not take(rules, trail, answers[counters[TAKEN]], level):
                return ILLEGAL
            counters[TAKEN] += 1
        elif trail.nexts[level] == trail.counts[level]:
            seen.states[place_of(seen, trail.ones[level], trail.twos[level])] = WALKED_THROUGH
            counters[LEVEL] = level - 1
        elif level + 1 == len(trail.counts):
            return TOO_DEEP
        else:
            step(rules, trail, level)
        if counters[LEVEL] < 0:
            return DONE
    return AT_WORK


@kernel
def arrive(rules: Any, identity: Identity, trail: Trail, seen: Seen, level: int) -> int:
    """Judge a position, go back from one that was seen before, and list where a new one leads."""
    counters = trail.counters
    state = load_state(rules, trail.rows[level])
    result = outcome(rules, state)
    if result != ONGOING:
        counters[LEVEL] = level - 1
        fine = result == counters[SEAT] or (counters[DRAWS] == 1 and result == DRAW)
        return AT_WORK if fine else LOST
    position_codes(rules, state, trail.codes)
    one, two = identify(identity, trail.codes)
    place = place_of(seen, one, two)
    if seen.states[place] != NEW:
        counters[LEVEL] = level - 1
        return GOES_ROUND if seen.states[place] == ON_THE_PATH and counters[DRAWS] == 0 else AT_WORK
    if 2 * counters[WALKED] >= len(seen.states):
        return FULL
    seen.ones[place], seen.twos[place], seen.states[place] = one, two, ON_THE_PATH
    trail.ones[level], trail.twos[level] = one, two
    trail.nexts[level] = 0
    counters[WALKED] += 1
    if seat_to_move(rules, state) == counters[SEAT]:
        trail.stages[level] = ASKING
    else:
        trail.counts[level] = legal_moves(rules, state, trail.moves[level])
        trail.stages[level] = LEADS_ON
    return AT_WORK


@kernel
def take(rules: Any, trail: Trail, answer: int, level: int) -> bool:
    """Make an answer the only way on, if it is a legal move."""
    if not is_legal(rules, load_state(rules, trail.rows[level]), answer):
        return False
    trail.moves[level, 0], trail.counts[level] = answer, 1
    trail.stages[level] = LEADS_ON
    return True


@kernel
def step(rules: Any, trail: Trail, level: int) -> None:
    """Go to the position after the next move."""
    copy_row(trail.rows[level], trail.rows[level + 1])
    state = apply_move(rules, load_state(rules, trail.rows[level + 1]), trail.moves[level, trail.nexts[level]])
    store_state(rules, state, trail.rows[level + 1])
    trail.nexts[level] += 1
    trail.stages[level + 1] = ARRIVED
    trail.counters[LEVEL] = level + 1


@kernel
def place_of(seen: Seen, one: int, two: int) -> int:
    """Where a position stands, or an empty place for it."""
    place = one % len(seen.states)
    while seen.states[place] != NEW and (seen.ones[place] != one or seen.twos[place] != two):
        place = place + 1 if place + 1 < len(seen.states) else 0
    return place


@kernel
def move_over(old: Seen, new: Seen) -> None:
    """Put all positions into a larger table."""
    for index in range(len(old.states)):
        if old.states[index] != NEW:
            place = place_of(new, old.ones[index], old.twos[index])
            new.ones[place], new.twos[place], new.states[place] = old.ones[index], old.twos[index], old.states[index]
