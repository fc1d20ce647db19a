"""Playouts of laoCoon: a ring takes the better of two random steps, discs go anywhere; then the position is judged.

They neither hash nor remember positions: so few steps hardly ever repeat one three times.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..bits import bit, bit_count
from ..chance import Rng, random_bit
from ..kernels import answers, kernel
from . import questions
from .laocoon import (
    MOVE,
    MOVE_RING,
    NO_DISC,
    PLACE_DISC,
    SPACES,
    LaocoonRules,
    LaocoonState,
    available,
    beside,
    can_move,
    cover,
    enterable,
    freedom,
    leave,
    open_to_disc,
    random_ring_move,
    random_step,
    shown_under,
    take_step,
)
from .questions import ONGOING, chance_of, worth
from .stepping import Moves, noted_game


@kernel
def careful_game(
    rules: LaocoonRules, state: LaocoonState, moves: Moves, rng: Rng, played: NDArray[np.float32], sensible: int
) -> float:
    """A random game, or with `sensible` so many careful steps (to the end of a turn) and then the evaluation."""
    if sensible == 0:
        return noted_game(rules, state, moves, rng, played, 0)
    steps = 0
    while state.result == ONGOING and state.phase != MOVE and steps < sensible:  # until a turn begins
        move = random_step(rules, state, moves, rng)
        played[state.to_play, move] = 1
        state = take_step(rules, state, move)
        steps += 1
    if state.result != ONGOING:
        return worth(state.result)
    player = state.to_play
    while steps < sensible and can_move(rules, state, player):
        steps += careful_turn(rules, state, player, rng, played)
        player = 1 - player
    return chance_of(freedom(rules, state)) if can_move(rules, state, player) else worth(1 - player)


@kernel
def careful_turn(rules: LaocoonRules, state: LaocoonState, player: int, rng: Rng, played: NDArray[np.float32]) -> int:
    """Play a turn of someone who can move; how many steps it had."""
    move = careful_move(rules, state, player, rng)
    played[player, move] = 1
    leave(rules, state, player, move & 63, target_of(rules, move))
    if state.hands[player] == NO_DISC:
        return 1
    spaces = open_to_disc(state, state.hands[player])
    if spaces == 0:
        state.hands[player] = NO_DISC
        return 1
    space = random_bit(rng, spaces)
    played[player, PLACE_DISC * SPACES + space] = 1
    cover(state, player, space)
    return 2


@kernel
def careful_move(rules: LaocoonRules, state: LaocoonState, player: int, rng: Rng) -> int:
    """Of two random moves of the rings the one that leaves the mover more room beside the opponent."""
    rings, free = state.rings[player], enterable(state, player)
    move, other = random_ring_move(rules, rings, free, rng), random_ring_move(rules, rings, free, rng)
    return other if room_after(rules, state, player, other) > room_after(rules, state, player, move) else move


@kernel
def room_after(rules: LaocoonRules, state: LaocoonState, player: int, move: int) -> int:
    """How many more spaces the mover's rings could enter than the opponent's, were a move the whole turn."""
    rings = state.rings[player] ^ (bit(move & 63) | bit(target_of(rules, move)))
    others = state.rings[1 - player]
    free = available(state) & ~rings
    mine = beside(rules, rings) & free & ~shown_under(state, others)
    theirs = beside(rules, others) & free & ~shown_under(state, rings)
    return bit_count(mine) - bit_count(theirs)


@kernel
def target_of(rules: LaocoonRules, move: int) -> int:
    """The space that a move of a ring leads to."""
    return rules.neighbours[move & 63, (move >> 6) - MOVE_RING]


def register() -> None:
    """Let searches of laoCoon play on in this way."""
    answers(questions.rollout, LaocoonRules)(careful_game)
