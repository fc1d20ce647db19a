"""Heuristics of laoCoon: heavy rollout, mobility evaluation, and the planes of the net.

In a heavy rollout a ring makes the better of two random moves by mobility, discs are placed at random, and the position
is evaluated after a number of moves. It updates neither hash nor history: so few moves hardly ever repeat a position
three times.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..jit.intrinsics import bit, bit_count, highest_bit, lowest_bit, to_signed64
from ..jit.kernel import implements, kernel
from ..jit.prng import Rng, random_set_bit
from . import interface, repetition
from .generic import Moves, uniform_rollout
from .interface import ONGOING, outcome_value, win_probability
from .laocoon import (
    BLACK,
    DISC_PHASE,
    MOVE_PHASE,
    MOVE_RING,
    NO_DISC,
    NUM_SPACES,
    PLACE_DISC,
    RING_PHASE,
    SECOND_SWAP_PHASE,
    SWAP_PHASE,
    WHITE,
    Bitboard,
    LaocoonRules,
    LaocoonState,
    apply_step,
    available_spaces,
    can_move,
    colours_under,
    disc_targets,
    enterable_spaces,
    move_ring_and_lift_disc,
    random_ring_move,
    random_step,
    ring_neighbours,
    stack_disc,
)

W_COLOUR, W_STUCK, W_NEAR, W_SECOND_DISC = 13, 39, 6, 9  # weights of the evaluation, in hundredths of log-odds
FILE_A, FILE_H, RANK_8 = 0x0101010101010101, to_signed64(0x8080808080808080), to_signed64(0xFF << 56)  # bitboards


@kernel
def heavy_rollout(
    rules: LaocoonRules, state: LaocoonState, moves: Moves, rng: Rng, amaf_moves: NDArray[np.float32], heavy: int
) -> float:
    """Implement `interface.rollout`: heavy turns until at least `heavy` moves are made, then the evaluation.

    With `heavy` 0 the rollout is uniformly random to the end.
    """
    if heavy == 0:
        return uniform_rollout(rules, state, moves, rng, amaf_moves, 0)
    steps = 0
    while state.result == ONGOING and state.phase != MOVE_PHASE and steps < heavy:  # setup, or the rest of a turn
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
    if state.rings[player] == 0:  # cut off in the setup
        return win_probability(evaluate_mobility(rules, state))
    return win_probability(evaluate_mobility(rules, state)) if can_move(rules, state, player) else outcome_value(1 - player)


@kernel
def play_heavy_turn(rules: LaocoonRules, state: LaocoonState, player: int, rng: Rng, amaf_moves: NDArray[np.float32]) -> int:
    """Play a turn of `player`, who must be able to move; return its number of moves. Sets `amaf_moves` for them."""
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
    """Return the better of two random ring moves by `mobility_gain`; the first if they are equal."""
    rings, free = state.rings[player], enterable_spaces(state, player)
    move, other = random_ring_move(rules, rings, free, rng), random_ring_move(rules, rings, free, rng)
    return other if mobility_gain(rules, state, player, other) > mobility_gain(rules, state, player, move) else move


@kernel
def mobility_gain(rules: LaocoonRules, state: LaocoonState, player: int, move: int) -> int:
    """Return the number of spaces that the player's rings could enter after a ring move, less that of the opponent's."""
    rings = state.rings[player] ^ (bit(move & 63) | bit(ring_move_target(rules, move)))
    opponent_rings = state.rings[1 - player]
    free = available_spaces(state) & ~rings
    own_targets = ring_neighbours(rules, rings) & free & ~colours_under(state, opponent_rings)
    opponent_targets = ring_neighbours(rules, opponent_rings) & free & ~colours_under(state, rings)
    return bit_count(own_targets) - bit_count(opponent_targets)


@kernel
def ring_move_target(rules: LaocoonRules, move: int) -> int:
    """Return the target space of a ring move."""
    return rules.neighbours[move & 63, (move >> 6) - MOVE_RING]


@implements(interface.evaluate, LaocoonRules)
@kernel
def evaluate_mobility(rules: LaocoonRules, state: LaocoonState) -> int:
    """Evaluate mobility for white (seat 0) in hundredths of log-odds."""
    return player_mobility(rules, state, WHITE) - player_mobility(rules, state, BLACK)


@kernel
def player_mobility(rules: LaocoonRules, state: LaocoonState, player: int) -> int:
    """Return the weighted mobility of a player's rings, 0 before any is placed.

    Counts colours beside each ring (with three, a ring cannot be shut in), rings that cannot move, available spaces
    within two moves, and second discs near the rings.
    """
    rings = state.rings[player]
    if rings == 0:
        return 0
    open_spaces, free = available_spaces(state), enterable_spaces(state, player)
    first_neighbours, second_neighbours = rules.neighbour_mask[lowest_bit(rings)], rules.neighbour_mask[highest_bit(rings)]
    near = (first_neighbours | second_neighbours) & open_spaces
    value = W_COLOUR * (
        count_colours(state, first_neighbours & open_spaces) + count_colours(state, second_neighbours & open_spaces)
    )
    value -= W_STUCK * ((1 if first_neighbours & free == 0 else 0) + (1 if second_neighbours & free == 0 else 0))
    value += W_NEAR * bit_count((near | dilate(near)) & open_spaces)
    return value + W_SECOND_DISC * bit_count((near | rings) & ~state.lower[NO_DISC])


@kernel
def count_colours(state: LaocoonState, spaces: Bitboard) -> int:
    """Return the number of colours on `spaces`."""
    count = 0
    for disc in range(1, 5):
        count += 1 if state.upper[disc] & spaces != 0 else 0
    return count


@kernel
def dilate(spaces: Bitboard) -> Bitboard:
    """Return `spaces` and all their neighbours."""
    dilated = spaces | (spaces & ~FILE_H) << 1 | (spaces & ~FILE_A) >> 1 & ~FILE_H
    return dilated | dilated << 8 | (dilated >> 8 & ~RANK_8)


@kernel
def colour_rank(state: LaocoonState, player: int, disc: int) -> int:
    """Return the rank of a colour, 0 to 3, in the order of `control_rank` and then of disc number."""
    count = 0
    own_control = control_rank(state, player, disc)
    for other in range(1, 5):
        other_control = control_rank(state, player, other)
        count += 1 if other_control < own_control or (other_control == own_control and other < disc) else 0
    return count


@kernel
def control_rank(state: LaocoonState, player: int, disc: int) -> int:
    """Return who controls a colour: 0 the player, 1 neither, 2 the opponent alone."""
    if state.upper[disc] & state.rings[player] != 0:
        return 0
    return 2 if state.upper[disc] & state.rings[1 - player] != 0 else 1


@implements(interface.encode_planes, LaocoonRules)
@kernel
def encode_laocoon_planes(rules: LaocoonRules, state: LaocoonState, planes: NDArray[np.int8]) -> None:
    """Write planes: rings, enterable spaces and discs per space; hands, phase, repetitions and options on every space.

    Colours are ordered by `colour_rank`, because the game is symmetric under permutations of the colours.
    """
    mover = state.to_play
    own_enterable, opponent_enterable = enterable_spaces(state, mover), enterable_spaces(state, 1 - mover)
    repetitions = (
        min(2, repetition.count_occurrences(state.history, state.history_length, state.position_hash))
        if state.phase == MOVE_PHASE
        else 0
    )
    for disc in range(1, 5):
        plane = 5 + colour_rank(state, mover, disc)
        for space in range(NUM_SPACES):
            planes[space, plane] = state.upper[disc] >> space & 1
            planes[space, plane + 4] = state.lower[disc] >> space & 1
            planes[space, plane + 8] = 1 if state.hands[mover] == disc else 0
            planes[space, plane + 12] = 1 if state.hands[1 - mover] == disc else 0
    for space in range(NUM_SPACES):
        planes[space, 0] = 1
        planes[space, 1] = state.rings[mover] >> space & 1
        planes[space, 2] = state.rings[1 - mover] >> space & 1
        planes[space, 3] = own_enterable >> space & 1
        planes[space, 4] = opponent_enterable >> space & 1
        planes[space, 21] = 1 if state.phase == RING_PHASE else 0
        planes[space, 22] = 1 if state.phase == SWAP_PHASE else 0
        planes[space, 23] = 1 if state.phase == SECOND_SWAP_PHASE else 0
        planes[space, 24] = 1 if state.phase == DISC_PHASE else 0
        planes[space, 25] = 1 if state.phase == SECOND_SWAP_PHASE and state.swap_first == space else 0
        planes[space, 26] = repetitions
        planes[space, 27] = rules.quick
        planes[space, 28] = rules.swap


repetition.register(LaocoonRules, rollout=heavy_rollout)
