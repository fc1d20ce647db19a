"""Playouts of laoCoon: a ring takes the better of two random steps, discs go anywhere; then the position is judged.

They neither hash nor remember positions: so few steps hardly ever repeat one three times.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit.intrinsics import bit, bit_count
from ..jit.kernel import implements, kernel
from ..jit.prng import Rng, random_set_bit
from . import questions
from .laocoon import (
    MOVE_PHASE,
    MOVE_RING,
    NO_DISC,
    NUM_SPACES,
    PLACE_DISC,
    LaocoonRules,
    LaocoonState,
    apply_step,
    available_spaces,
    can_move,
    colours_under,
    disc_targets,
    enterable_spaces,
    evaluate_mobility,
    move_ring_and_lift_disc,
    random_ring_move,
    random_step,
    ring_neighbours,
    stack_disc,
)
from .questions import ONGOING, outcome_value, win_probability
from .stepping import Moves, uniform_rollout


@kernel
def heavy_rollout(
    rules: LaocoonRules, state: LaocoonState, moves: Moves, rng: Rng, amaf_moves: NDArray[np.float32], heavy: int
) -> float:
    """A random game, or with `sensible` so many careful steps (to the end of a turn) and then the evaluation."""
    if heavy == 0:
        return uniform_rollout(rules, state, moves, rng, amaf_moves, 0)
    steps = 0
    while state.result == ONGOING and state.phase != MOVE_PHASE and steps < heavy:  # until a turn begins
        move = random_step(rules, state, moves, rng)
        amaf_moves[state.to_play, move] = 1
        state = apply_step(rules, state, move)
        steps += 1
    if state.result != ONGOING:
        return outcome_value(state.result)
    player = state.to_play
    while steps < heavy and can_move(rules, state, player):
        steps += play_heavy_turn(rules, state, player, rng, amaf_moves)
        player = 1 - player
    return win_probability(evaluate_mobility(rules, state)) if can_move(rules, state, player) else outcome_value(1 - player)


@kernel
def play_heavy_turn(rules: LaocoonRules, state: LaocoonState, player: int, rng: Rng, amaf_moves: NDArray[np.float32]) -> int:
    """Play a turn of someone who can move; how many steps it had."""
    move = choose_heavy_move(rules, state, player, rng)
    amaf_moves[player, move] = 1
    move_ring_and_lift_disc(rules, state, player, move & 63, ring_move_target(rules, move))
    if state.hands[player] == NO_DISC:
        return 1
    spaces = disc_targets(state, state.hands[player])
    if spaces == 0:
        state.hands[player] = NO_DISC
        return 1
    space = random_set_bit(rng, spaces)
    amaf_moves[player, PLACE_DISC * NUM_SPACES + space] = 1
    stack_disc(state, player, space)
    return 2


@kernel
def choose_heavy_move(rules: LaocoonRules, state: LaocoonState, player: int, rng: Rng) -> int:
    """Of two random moves of the rings the one that leaves the mover more room beside the opponent."""
    rings, free = state.rings[player], enterable_spaces(state, player)
    move, other = random_ring_move(rules, rings, free, rng), random_ring_move(rules, rings, free, rng)
    return other if mobility_gain(rules, state, player, other) > mobility_gain(rules, state, player, move) else move


@kernel
def mobility_gain(rules: LaocoonRules, state: LaocoonState, player: int, move: int) -> int:
    """How many more spaces the mover's rings could enter than the opponent's, were a move the whole turn."""
    rings = state.rings[player] ^ (bit(move & 63) | bit(ring_move_target(rules, move)))
    opponent_rings = state.rings[1 - player]
    free = available_spaces(state) & ~rings
    own_targets = ring_neighbours(rules, rings) & free & ~colours_under(state, opponent_rings)
    opponent_targets = ring_neighbours(rules, opponent_rings) & free & ~colours_under(state, rings)
    return bit_count(own_targets) - bit_count(opponent_targets)


@kernel
def ring_move_target(rules: LaocoonRules, move: int) -> int:
    """The space that a move of a ring leads to."""
    return rules.neighbours[move & 63, (move >> 6) - MOVE_RING]


def register_rollout() -> None:
    """Let searches of laoCoon play on in this way."""
    implements(questions.rollout, LaocoonRules)(heavy_rollout)
