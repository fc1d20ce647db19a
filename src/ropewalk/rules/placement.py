"""Kernels for games in which two colours place stones on empty cells in turn until one of them wins.

With the pie rule, seat 1 may swap colours instead of its first placement. A full board has exactly one winner, and stones
never lose a won game, so that playouts fill the board at random and determine the winner once.

A game's rules have the fields `num_cells` and `pie` (0 or 1), and its positions are `PlacementState`. It implements
`place_stone`, `full_board_winner` and `interface.encode_planes`, and calls `register`. A row of int16 is the three arrays
of the state, then its four scalars. Move ids are cells, then the swap.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..jit.kernel import dispatch_by_rules, implements, kernel, to_int64
from ..jit.prng import Rng, rand_below
from . import interface
from .generic import list_empty_cells, random_move_by_rejection

EMPTY, FIRST, SECOND = range(3)  # FIRST: the colour that moves first

Cells: TypeAlias = NDArray[np.int16]  # [cells]
NUM_ARRAYS = 3
NUM_SCALARS = 4  # to_play, winner, swapped, num_stones


class PlacementState(NamedTuple):
    """A position. `play_placement` writes into the arrays."""

    stones: Cells  # [cells]: EMPTY, FIRST, SECOND, or another value where no stone may be placed
    parent: Cells  # [cells]: parent in the disjoint-set forest of groups; a root is its own parent
    labels: Cells  # [cells]: data of the game for each stone, such as properties of a group at its root
    to_play: int  # FIRST or SECOND
    winner: int  # EMPTY while the game is ongoing
    swapped: int  # 1 if seat 0 plays SECOND
    num_stones: int  # on the board


@dispatch_by_rules
def place_stone(rules: Any, state: Any, cell: Any, colour: Any) -> Any:
    """Put a stone on an empty cell and unite it with the groups around it; return whether its colour wins by it."""


@dispatch_by_rules
def full_board_winner(rules: Any, state: Any, scratch: Any) -> Any:
    """Return the winning colour of a full board. May overwrite `parent`, `labels` and `scratch` [cells + 1]."""


@kernel
def opponent(colour: int) -> int:
    """Return the other colour, FIRST or SECOND."""
    return 3 - colour


@kernel
def load_placement_state(rules: Any, row: Cells) -> PlacementState:
    """Implement `interface.load_state`."""
    num_cells = rules.num_cells
    scalars = row[NUM_ARRAYS * num_cells :]
    return PlacementState(
        stones=row[:num_cells],
        parent=row[num_cells : 2 * num_cells],
        labels=row[2 * num_cells : 3 * num_cells],
        to_play=to_int64(scalars[0]),
        winner=to_int64(scalars[1]),
        swapped=to_int64(scalars[2]),
        num_stones=to_int64(scalars[3]),
    )


@kernel
def store_placement_state(rules: Any, state: PlacementState, row: Cells) -> None:
    """Implement `interface.store_state`."""
    scalars = row[NUM_ARRAYS * rules.num_cells :]
    scalars[0] = state.to_play
    scalars[1] = state.winner
    scalars[2] = state.swapped
    scalars[3] = state.num_stones


@kernel
def can_swap(rules: Any, state: PlacementState) -> bool:
    """Return whether seat 1 may swap colours now (pie rule): the first stone is the only one."""
    return rules.pie == 1 and state.num_stones == 1 and state.swapped == 0


@kernel
def list_placements(rules: Any, state: PlacementState, moves: Cells) -> int:
    """Write all empty cells, then the swap if it is legal; return their number."""
    count = list_empty_cells(state.stones, rules.num_cells, moves)
    if can_swap(rules, state):
        moves[count] = rules.num_cells
        count += 1
    return count


@kernel
def mask_placements(rules: Any, state: PlacementState, mask: Any, moves: Cells) -> None:
    """Implement `interface.write_action_mask`: the empty cells, and the swap if it is legal."""
    for cell in range(rules.num_cells):
        mask[cell] = state.stones[cell] == EMPTY
    if len(mask) > rules.num_cells:
        mask[rules.num_cells] = can_swap(rules, state)


@kernel
def is_legal_placement(rules: Any, state: PlacementState, move: int) -> bool:
    """Return whether `move` (any integer) is an empty cell, or the swap if it is legal."""
    if 0 <= move < rules.num_cells:
        return state.stones[move] == EMPTY
    return move == rules.num_cells and can_swap(rules, state)


@kernel
def random_placement(rules: Any, state: PlacementState, moves: Cells, rng: Rng) -> int:
    """Return a random legal move by rejection sampling."""
    return random_move_by_rejection(rules, state, rules.num_cells + rules.pie, moves, rng)


@kernel
def play_placement(rules: Any, state: PlacementState, move: int) -> PlacementState:
    """Place a stone of the colour to play, or swap colours. Writes into the arrays of `state`."""
    if move == rules.num_cells:
        return swap_colours(state)
    winner = state.to_play if place_stone(rules, state, move, state.to_play) else EMPTY
    return with_scalars(state, opponent(state.to_play), winner, state.swapped, state.num_stones + 1)


@kernel
def swap_colours(state: PlacementState) -> PlacementState:
    """Return the state after a swap: the stone keeps its colour; seat 0 plays SECOND now and moves next."""
    return with_scalars(state, state.to_play, state.winner, 1, state.num_stones)


@kernel
def with_scalars(state: PlacementState, to_play: int, winner: int, swapped: int, num_stones: int) -> PlacementState:
    """Return a state with other scalars over the same arrays."""
    return PlacementState(
        stones=state.stones,
        parent=state.parent,
        labels=state.labels,
        to_play=to_play,
        winner=winner,
        swapped=swapped,
        num_stones=num_stones,
    )


@kernel
def winning_seat(rules: Any, state: PlacementState) -> int:
    """Implement `interface.outcome`: the seat whose colour has won, or ONGOING (-1)."""
    return -1 if state.winner == EMPTY else (state.winner - FIRST) ^ state.swapped


@kernel
def placing_seat(rules: Any, state: PlacementState) -> int:
    """Implement `interface.seat_to_move`: seat 0 plays FIRST until the seats have swapped colours."""
    return (state.to_play - FIRST) ^ state.swapped


@kernel
def write_placement_codes(rules: Any, state: PlacementState, codes: Any) -> None:
    """Write the stones, then the colour to play and whether the seats have swapped, as position codes."""
    for cell in range(rules.num_cells):
        codes[cell] = state.stones[cell]
    codes[rules.num_cells] = state.to_play + 2 * state.swapped


@kernel
def playout_by_random_fill(rules: Any, state: PlacementState, moves: Cells, rng: Rng) -> int:
    """Implement `interface.playout`: fill the board at random and return the seat that wins the full board."""
    if state.winner == EMPTY:
        random_fill(rules, state, moves, rng)
        winner = full_board_winner(rules, state, moves)
    else:
        winner = state.winner
    return (winner - FIRST) ^ state.swapped


@kernel
def random_fill(rules: Any, state: PlacementState, moves: Cells, rng: Rng) -> None:
    """Fill all empty cells as random play in turn would: a random half, rounded down, with stones of the opponent."""
    count = 0
    for cell in range(rules.num_cells):
        if state.stones[cell] == EMPTY:
            moves[count] = cell
            count += 1
            state.stones[cell] = state.to_play
    for taken in range(count // 2):
        index = taken + rand_below(rng, count - taken)
        state.stones[moves[index]] = opponent(state.to_play)
        moves[index] = moves[taken]


@kernel
def rollout_by_random_fill(rules: Any, state: PlacementState, moves: Cells, rng: Rng, amaf_moves: Any, heavy: int) -> float:
    """Implement `interface.rollout` by random fill, whatever `heavy` is. AMAF moves are the final stones."""
    result = playout_by_random_fill(rules, state, moves, rng)
    mark_stones(rules, state, amaf_moves)
    return interface.outcome_value(result)


@kernel
def mark_stones(rules: Any, state: PlacementState, amaf_moves: Any) -> None:
    """Set amaf_moves[seat, cell] to 1 where the seat has a stone, else to 0."""
    for cell in range(rules.num_cells):
        amaf_moves[state.swapped, cell] = 1 if state.stones[cell] == FIRST else 0
        amaf_moves[1 - state.swapped, cell] = 1 if state.stones[cell] == SECOND else 0


def register(rules_type: type) -> None:
    """Register the shared kernels for one type of rules."""
    implements(interface.load_state, rules_type)(load_placement_state)
    implements(interface.store_state, rules_type)(store_placement_state)
    implements(interface.legal_moves, rules_type)(list_placements)
    implements(interface.sorted_legal_moves, rules_type)(list_placements)
    implements(interface.write_action_mask, rules_type)(mask_placements)
    implements(interface.is_legal, rules_type)(is_legal_placement)
    implements(interface.random_move, rules_type)(random_placement)
    implements(interface.apply_move, rules_type)(play_placement)
    implements(interface.outcome, rules_type)(winning_seat)
    implements(interface.seat_to_move, rules_type)(placing_seat)
    implements(interface.position_codes, rules_type)(write_placement_codes)
    implements(interface.playout, rules_type)(playout_by_random_fill)
    implements(interface.rollout, rules_type)(rollout_by_random_fill)
