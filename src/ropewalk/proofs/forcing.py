"""Whether a seat can force a win: depth-first proof-number search over the questions that every game answers.

The search goes where a proof or a disproof seems nearest, and keeps only the path to there and a table; where the ends
of games are far and nothing seems nearer than the rest, a *stubborn* one follows each line to its end, best moves first.
A call works for a while and returns; the next one goes on from the same place. In games where play can go round, a win is
asked for within a number of turns: then nothing comes again on the way, and what is found holds in any case.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..kernels import kernel
from ..rules.questions import (
    ONGOING,
    apply_move,
    legal_moves,
    load_state,
    outcome,
    position_codes,
    seat_to_move,
    store_state,
)
from ..rules.stepping import copy_row
from .identity import Codes, Identity, identify
from .numbers import DISPROVEN, NEVER, PROVEN, SHIFT, UNKNOWN, Table, packed, recall, store

AT_WORK, SETTLED, TOO_DEEP = range(3)  # what a call to `search` ends with
NO_LIMIT = -1  # of turns
LEVEL, NODES, SEAT, STUBBORN = range(4)  # places of `counters`
UNSEEN = -1  # in place of a count of moves


class Path(NamedTuple):
    """The line that is being looked at: level 0 is the position asked about, level 1 all that follow it, and so on.

    A level knows its own position, the one chosen, and something of all others that the one above leads to.
    """

    rows: NDArray[Any]  # [levels + 1, words]
    moves: NDArray[np.int64]  # [levels + 1, moves]: those that lead to this level
    ones: NDArray[np.int64]  # [levels + 1, moves]: hashes of the positions after them
    twos: NDArray[np.int64]
    numbers: NDArray[np.int64]  # [levels + 1, moves]: of the positions after them, packed
    chosen: NDArray[np.int64]  # [levels + 1]: which of them is being looked at
    counts: NDArray[np.int64]  # [levels]: how many moves lead on, or UNSEEN
    movers: NDArray[np.int64]  # [levels]: the seat to move
    turns: NDArray[np.int64]  # [levels]: turns left, or NO_LIMIT
    limits: NDArray[np.int64]  # [levels]: numbers at which to go back, packed
    began: NDArray[np.int64]  # [levels]: positions searched before
    codes: Codes
    scratch: NDArray[np.int64]  # [moves]
    scores: NDArray[np.int64]  # [levels, move ids]: how often each has reached its aim there
    counters: NDArray[np.int64]  # level, positions searched, the seat that shall win, whether to end each line


@kernel
def search(rules: Any, identity: Identity, path: Path, table: Table, patience: int) -> int:
    """Look at so many positions more, or fewer when the first one is settled or the path too short."""
    last = path.counters[NODES] + patience
    while path.counters[NODES] < last:
        level = path.counters[LEVEL]
        if path.counts[level] == UNSEEN:
            enter(rules, path, level)
            expand(rules, identity, path, table, level)
        numbers, closest, limits = pick(path, level) if path.counters[STUBBORN] else weigh(path, level)
        if exceeds(numbers, path.limits[level]):
            leave(path, table, level, numbers)
            if level == 0:
                return SETTLED
        else:
            known, _ = recall(table, path.ones[level + 1, closest], path.twos[level + 1, closest])
            if known != UNKNOWN and known != path.numbers[level + 1, closest]:
                path.numbers[level + 1, closest] = known
            elif level + 1 == len(path.counts):
                return TOO_DEEP
            else:
                descend(path, level, closest, limits)
    return AT_WORK


@kernel
def descend(path: Path, level: int, closest: int, limits: int) -> None:
    """Turn to the position after a move, with limits at which to come back."""
    path.chosen[level + 1] = closest
    path.limits[level + 1] = limits
    path.counts[level + 1] = UNSEEN
    path.counters[LEVEL] = level + 1


@kernel
def exceeds(numbers: int, limits: int) -> bool:
    """Whether one of two numbers has reached its limit."""
    return numbers >> SHIFT >= limits >> SHIFT or numbers & (2 * NEVER - 1) >= limits & (2 * NEVER - 1)


@kernel
def weigh(path: Path, level: int) -> tuple[int, int, int]:
    """The numbers of a position by those after its moves; which move is closest to success, and limits for it.

    The mover's *aim* is to prove or to disprove, their *fear* the other of the two.
    """
    proves = path.movers[level] == path.counters[SEAT]
    aim, second, fear, feared, closest = NEVER, NEVER, 0, 0, 0
    for index in range(path.counts[level]):
        mine, other = split(path.numbers[level + 1, index], proves)
        if mine < aim:
            aim, second, closest = mine, aim, index
        elif mine < second:
            second = mine
        fear = max(fear, other)
        feared += 1 if other > 0 else 0
    if 0 < fear < NEVER:
        fear = min(fear + feared - 1, NEVER - 1)
    aim_limit, fear_limit = split(path.limits[level], proves)
    aim_limit = min(aim_limit, second + second // 4 + 1)
    fear_limit = fear_limit if fear_limit == NEVER else fear_limit - feared + 1
    return joined(aim, fear, proves), closest, joined(aim_limit, fear_limit, proves)


@kernel
def pick(path: Path, level: int) -> tuple[int, int, int]:
    """What `weigh` says when each line is followed to its end: the move that was right most often beside it, no limits."""
    proves = path.movers[level] == path.counters[SEAT]
    most, closest = -1, -1
    for index in range(path.counts[level]):
        move = path.moves[level + 1, index]
        aim, fear = split(path.numbers[level + 1, index], proves)
        if aim == 0:
            path.scores[level, move] += 1
            return joined(0, NEVER, proves), index, 0
        if fear > 0 and path.scores[level, move] > most:
            most, closest = path.scores[level, move], index
    if closest < 0:
        return joined(NEVER, 0, proves), 0, 0
    return packed(1, 1), closest, packed(NEVER, NEVER)


@kernel
def split(numbers: int, proves: bool) -> tuple[int, int]:
    """What the mover aims at and what they fear."""
    proof, disproof = numbers >> SHIFT, numbers & (2 * NEVER - 1)
    return (proof, disproof) if proves else (disproof, proof)


@kernel
def joined(aim: int, fear: int, proves: bool) -> int:
    """The opposite of `split`."""
    return packed(aim, fear) if proves else packed(fear, aim)


@kernel
def leave(path: Path, table: Table, level: int, numbers: int) -> None:
    """Leave a position and remember its numbers, in the table and on the path."""
    chosen = path.chosen[level]
    work = path.counters[NODES] - path.began[level]
    store(table, path.ones[level, chosen], path.twos[level, chosen], numbers, max(1, work))
    path.numbers[level, chosen] = numbers
    path.counters[LEVEL] = level - 1


@kernel
def enter(rules: Any, path: Path, level: int) -> None:
    """Play the move that leads to a level; the first level has its position already."""
    path.began[level] = path.counters[NODES]
    if level > 0:
        copy_row(path.rows[level - 1], path.rows[level])
        state = apply_move(rules, load_state(rules, path.rows[level]), path.moves[level, path.chosen[level]])
        store_state(rules, state, path.rows[level])
        path.turns[level] = turns_left(path.turns[level - 1], path.movers[level - 1], seat_to_move(rules, state))


@kernel
def turns_left(turns: int, mover: int, following: int) -> int:
    """One fewer when the other seat is to move, if they are counted at all."""
    return turns if turns == NO_LIMIT or mover == following else turns - 1


@kernel
def expand(rules: Any, identity: Identity, path: Path, table: Table, level: int) -> None:
    """List the moves of a position with what is known of each; a move that settles it is enough."""
    below = level + 1
    state = load_state(rules, path.rows[level])
    mover = seat_to_move(rules, state)
    wanted = PROVEN if mover == path.counters[SEAT] else DISPROVEN
    path.movers[level] = mover
    path.counts[level] = legal_moves(rules, state, path.moves[below])
    for index in range(path.counts[level]):
        path.counters[NODES] += 1
        known = look_ahead(rules, identity, path, table, level, index)
        path.numbers[below, index] = known
        if known == wanted:
            path.counts[level] = 1
            path.moves[below, 0], path.numbers[below, 0] = path.moves[below, index], known
            path.ones[below, 0], path.twos[below, 0] = path.ones[below, index], path.twos[below, index]
            break


@kernel
def look_ahead(rules: Any, identity: Identity, path: Path, table: Table, level: int, index: int) -> int:
    """The numbers of the position after one move: final, remembered, or a first guess."""
    below = level + 1
    copy_row(path.rows[level], path.rows[below])
    state = apply_move(rules, load_state(rules, path.rows[below]), path.moves[below, index])
    following = seat_to_move(rules, state)
    turns = turns_left(path.turns[level], path.movers[level], following)
    position_codes(rules, state, path.codes)
    path.ones[below, index], path.twos[below, index] = hashes(identity, path, turns)
    result = outcome(rules, state)
    if result != ONGOING:
        return PROVEN if result == path.counters[SEAT] else DISPROVEN
    if turns == 0:
        return DISPROVEN
    known, _ = recall(table, path.ones[below, index], path.twos[below, index])
    if known != UNKNOWN:
        return known
    count = legal_moves(rules, state, path.scratch)
    return packed(1, count) if following == path.counters[SEAT] else packed(count, 1)  # one to find, or all to answer


@kernel
def hashes(identity: Identity, path: Path, turns: int) -> tuple[int, int]:
    """What stands for the position in `codes`, the seat that shall win it and the turns left."""
    path.codes[len(path.codes) - 1] = 2 * (turns + 1) + path.counters[SEAT]
    return identify(identity, path.codes)


@kernel
def begin(rules: Any, identity: Identity, path: Path, table: Table, turns: int) -> int:
    """Set out from the position in rows[0]; its numbers as far as the table knows them."""
    position_codes(rules, load_state(rules, path.rows[0]), path.codes)
    path.ones[0, 0], path.twos[0, 0] = hashes(identity, path, turns)
    path.counters[LEVEL] = 0
    path.chosen[0] = 0
    path.counts[0] = UNSEEN
    path.turns[0] = turns
    path.limits[0] = packed(NEVER, NEVER)
    path.numbers[0, 0], _ = recall(table, path.ones[0, 0], path.twos[0, 0])
    return path.numbers[0, 0]
