"""laoCoon, by Alain Couchot and Bernard Klein (1997): move your rings from colour to colour until the opponent cannot move.

A space holds up to two discs; its colour is that of the top disc. Sets of spaces are 64-bit masks. A turn has one or two
moves: move a ring, which gives the disc that it leaves to the opponent, then place the disc in hand. Before the first
turn the rings are placed and, in variants, black may swap two discs: see the phases.

A row of int64 is `upper`, `lower`, `rings`, `hands`, six scalars (HEADER_WORDS in all) and the history. Move ids are
kind * 64 + space, then DECLINE_SWAP; for MOVE_RING the kind includes the direction and the space is the origin. White is
seat 0. Rollouts, evaluation and planes are in `laocoon_heuristics`, which also registers the functions of `repetition`.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..boards import NO_CELL, Board
from ..jit import prng
from ..jit.intrinsics import bit, bit_count, clear_lowest_bit, highest_bit, lowest_bit, to_signed64
from ..jit.kernel import implements, kernel
from ..jit.prng import Rng, rand_below, random_set_bit
from . import interface, repetition
from .generic import Moves, random_listed_move
from .interface import DRAW, ONGOING

WHITE, BLACK = 0, 1
NO_DISC = 0  # discs are 1 to 4: blue, purple, orange, yellow
NUM_SPACES = 64
NUM_DIRECTIONS = 8

PLACE_RING, MOVE_RING, PLACE_DISC, SWAP_DISC = 0, 1, 9, 10  # kinds of moves; a direction is added to MOVE_RING
DECLINE_SWAP = 11 * NUM_SPACES  # id of black's decision not to swap
RING_PHASE, SWAP_PHASE, SECOND_SWAP_PHASE, MOVE_PHASE, DISC_PHASE = range(5)
HEADER_WORDS = 20  # words of a row before the history

I64: TypeAlias = NDArray[np.int64]
Bitboard: TypeAlias = int  # a set of spaces, one bit each


class LaocoonRules(NamedTuple):
    """Board, hash keys and options of a game of laoCoon."""

    neighbours: NDArray[np.int16]  # [64, 8]: clockwise from N
    neighbour_mask: I64  # [64]: bitboards of the neighbours of each space
    direction_between: NDArray[np.int16]  # [64, 64]: the direction from a space to a neighbour
    disc_keys: NDArray[np.int64]  # [64, 2, 5]: hash keys of a disc on a space, lower (0) or upper (1)
    ring_keys: NDArray[np.int64]  # [64, 2]: hash keys of a player's ring on a space
    hand_keys: NDArray[np.int64]  # [2, 5]: hash keys of a disc in a player's hand
    black_to_play_key: int  # hash key
    swap: int  # 1 if black may swap two discs after the rings are placed
    quick: int  # 1 if a disc that a ring leaves is removed from the game
    draw_by_repetition: int  # 1 if the third occurrence of a position is a draw


class LaocoonState(NamedTuple):
    """A position, before any move of a turn."""

    upper: I64  # [5]: bitboards of the spaces by top disc, NO_DISC included
    lower: I64  # [5]: bitboards of the spaces by the disc beneath the top one, NO_DISC included
    rings: I64  # [2]: bitboards of each player's rings
    hands: I64  # [2]: the disc that each player has to place, or NO_DISC
    history: repetition.Hashes  # hashes of the positions at the start of turns since the last disc left the game
    to_play: int  # WHITE or BLACK
    phase: int  # RING_PHASE to DISC_PHASE
    swap_first: int  # in SECOND_SWAP_PHASE the first space of the swap, else NO_CELL
    result: int  # ONGOING, a seat, or DRAW
    position_hash: int  # Zobrist hash of discs, rings, hands and player; valid once the setup is over
    history_length: int  # hashes in `history`


@implements(interface.load_state, LaocoonRules)
@kernel
def load_laocoon_state(rules: LaocoonRules, row: I64) -> LaocoonState:
    """Implement `interface.load_state`."""
    return LaocoonState(
        upper=row[0:5],
        lower=row[5:10],
        rings=row[10:12],
        hands=row[12:14],
        history=row[HEADER_WORDS:],
        to_play=row[14],
        phase=row[15],
        swap_first=row[16],
        result=row[17],
        position_hash=row[18],
        history_length=row[19],
    )


@implements(interface.store_state, LaocoonRules)
@kernel
def store_laocoon_state(rules: LaocoonRules, state: LaocoonState, row: I64) -> None:
    """Implement `interface.store_state`."""
    row[14] = state.to_play
    row[15] = state.phase
    row[16] = state.swap_first
    row[17] = state.result
    row[18] = state.position_hash
    row[19] = state.history_length


@kernel
def disc_on(layer: I64, space: int) -> int:
    """Return the disc on a space in a layer (`upper` or `lower`), or NO_DISC."""
    disc_at_space = NO_DISC
    for disc in range(1, 5):
        disc_at_space += disc * (layer[disc] >> space & 1)
    return disc_at_space


@kernel
def available_spaces(state: LaocoonState) -> Bitboard:
    """Return the spaces with a disc and without a ring."""
    return ~(state.upper[NO_DISC] | state.rings[WHITE] | state.rings[BLACK])


@kernel
def controlled_spaces(state: LaocoonState, player: int) -> Bitboard:
    """Return all spaces of the colours that a player controls: those under the player's rings."""
    return colours_under(state, state.rings[player])


@kernel
def colours_under(state: LaocoonState, rings: Bitboard) -> Bitboard:
    """Return all spaces of the colours under the given rings."""
    spaces = 0
    for disc in range(1, 5):
        spaces |= state.upper[disc] if state.upper[disc] & rings != 0 else 0
    return spaces


@kernel
def enterable_spaces(state: LaocoonState, player: int) -> Bitboard:
    """Return the available spaces of colours that the opponent of `player` does not control."""
    return available_spaces(state) & ~controlled_spaces(state, 1 - player)


@kernel
def disc_targets(state: LaocoonState, disc: int) -> Bitboard:
    """Return the available spaces with exactly one disc, of another colour than `disc`."""
    return available_spaces(state) & state.lower[NO_DISC] & ~state.upper[disc]


@implements(interface.legal_moves, LaocoonRules)
@kernel
def list_steps(rules: LaocoonRules, state: LaocoonState, moves: Moves) -> int:
    """Write the legal moves of the current phase; return their number."""
    player = state.to_play
    if state.phase == MOVE_PHASE:
        return list_ring_moves(rules, state.rings[player], enterable_spaces(state, player), moves)
    if state.phase == DISC_PHASE:
        return list_moves_of_kind(disc_targets(state, state.hands[player]), PLACE_DISC, moves)
    if state.phase == RING_PHASE:
        return list_moves_of_kind(enterable_spaces(state, player), PLACE_RING, moves)
    if state.phase == SECOND_SWAP_PHASE:
        return list_moves_of_kind(~bit(state.swap_first), SWAP_DISC, moves)
    count = list_moves_of_kind(-1, SWAP_DISC, moves)
    moves[count] = DECLINE_SWAP
    return count + 1


@implements(interface.is_legal, LaocoonRules)
@kernel
def is_legal_step(rules: LaocoonRules, state: LaocoonState, move: int) -> bool:
    """Return whether `move` (any integer) is a legal move of the current phase."""
    if not 0 <= move < DECLINE_SWAP:
        return move == DECLINE_SWAP and state.phase == SWAP_PHASE
    kind, space = move >> 6, move & 63
    player = state.to_play
    if state.phase == MOVE_PHASE:
        return MOVE_RING <= kind < PLACE_DISC and can_move_ring(rules, state, space, kind - MOVE_RING)
    if state.phase == DISC_PHASE:
        return kind == PLACE_DISC and disc_targets(state, state.hands[player]) >> space & 1 == 1
    if state.phase == RING_PHASE:
        return kind == PLACE_RING and enterable_spaces(state, player) >> space & 1 == 1
    return kind == SWAP_DISC and not (state.phase == SECOND_SWAP_PHASE and space == state.swap_first)


@implements(interface.random_move, LaocoonRules)
@kernel
def random_step(rules: LaocoonRules, state: LaocoonState, moves: Moves, rng: Rng) -> int:
    """Return a random legal move of the current phase; in the setup, from the list of legal moves."""
    player = state.to_play
    if state.phase == MOVE_PHASE:
        return random_ring_move(rules, state.rings[player], enterable_spaces(state, player), rng)
    if state.phase == DISC_PHASE:
        return PLACE_DISC * NUM_SPACES + random_set_bit(rng, disc_targets(state, state.hands[player]))
    return random_listed_move(rules, state, moves, rng)


@kernel
def random_ring_move(rules: LaocoonRules, rings: Bitboard, spaces: Bitboard, rng: Rng) -> int:
    """Return a uniformly random move of a player's two rings to one of `spaces`; there must be one."""
    low, high = lowest_bit(rings), highest_bit(rings)
    num_low_targets, num_high_targets = (
        bit_count(rules.neighbour_mask[low] & spaces),
        bit_count(rules.neighbour_mask[high] & spaces),
    )
    ring = low if rand_below(rng, num_low_targets + num_high_targets) < num_low_targets else high
    target = random_set_bit(rng, rules.neighbour_mask[ring] & spaces)
    return (MOVE_RING + rules.direction_between[ring, target]) * NUM_SPACES + ring


@kernel
def can_move_ring(rules: LaocoonRules, state: LaocoonState, space: int, direction: int) -> bool:
    """Return whether the mover has a ring on a space that can enter the neighbour in a direction."""
    target = rules.neighbours[space, direction]
    has_ring = state.rings[state.to_play] >> space & 1 == 1
    return has_ring and target != NO_CELL and enterable_spaces(state, state.to_play) >> target & 1 == 1


@kernel
def list_moves_of_kind(spaces: Bitboard, kind: int, moves: Moves) -> int:
    """Write a move of one kind for each of `spaces`; return their number."""
    count = 0
    while spaces != 0:
        moves[count] = kind * NUM_SPACES + lowest_bit(spaces)
        count += 1
        spaces = clear_lowest_bit(spaces)
    return count


@kernel
def list_ring_moves(rules: LaocoonRules, rings: Bitboard, spaces: Bitboard, moves: Moves) -> int:
    """Write all moves of the given rings to one of `spaces`; return their number."""
    count = 0
    while rings != 0:
        ring = lowest_bit(rings)
        targets = rules.neighbour_mask[ring] & spaces
        while targets != 0:
            moves[count] = (MOVE_RING + rules.direction_between[ring, lowest_bit(targets)]) * NUM_SPACES + ring
            count += 1
            targets = clear_lowest_bit(targets)
        rings = clear_lowest_bit(rings)
    return count


@implements(interface.apply_move, LaocoonRules)
@kernel
def apply_step(rules: LaocoonRules, state: LaocoonState, move: int) -> LaocoonState:
    """Apply one move of a turn and determine the next player and phase. Writes into the arrays of `state`."""
    kind, space = move >> 6, move & 63
    player, phase, position_hash = state.to_play, state.phase, state.position_hash
    next_player, next_phase, swap_first, disc_removed = player, MOVE_PHASE, NO_CELL, False
    if phase == MOVE_PHASE:
        position_hash ^= move_ring(rules, state, space, rules.neighbours[space, kind - MOVE_RING])
        disc_removed = rules.quick == 1
        if state.hands[player] == NO_DISC:
            next_player = 1 - player
        elif disc_targets(state, state.hands[player]) != 0:
            next_phase = DISC_PHASE
        else:  # no space can take the disc: it leaves the game
            position_hash ^= rules.hand_keys[player, state.hands[player]]
            state.hands[player] = NO_DISC
            next_player, disc_removed = 1 - player, True
    elif phase == DISC_PHASE:
        position_hash ^= place_disc(rules, state, space)
        next_player = 1 - player
    else:
        next_player, next_phase, swap_first = apply_setup_step(rules, state, move)
        if next_phase == MOVE_PHASE:
            position_hash = compute_laocoon_hash(rules, state)
    if next_player != player and phase in (MOVE_PHASE, DISC_PHASE):
        position_hash ^= rules.black_to_play_key
    result, history_length = start_turn(rules, state, next_player, next_phase, position_hash, disc_removed)
    return LaocoonState(
        upper=state.upper,
        lower=state.lower,
        rings=state.rings,
        hands=state.hands,
        history=state.history,
        to_play=next_player,
        phase=next_phase,
        swap_first=swap_first,
        result=result,
        position_hash=position_hash,
        history_length=history_length,
    )


@kernel
def apply_setup_step(rules: LaocoonRules, state: LaocoonState, move: int) -> tuple[int, int, int]:
    """Place a ring, or take a move of the swap; return the next player, the next phase and `swap_first`."""
    space = move & 63
    if state.phase == RING_PHASE:
        state.rings[state.to_play] |= bit(space)
        if bit_count(state.rings[BLACK]) < 2:
            return 1 - state.to_play, RING_PHASE, NO_CELL
        return (BLACK, SWAP_PHASE, NO_CELL) if rules.swap == 1 else (WHITE, MOVE_PHASE, NO_CELL)
    if move == DECLINE_SWAP:
        return WHITE, MOVE_PHASE, NO_CELL
    if state.phase == SWAP_PHASE:
        return BLACK, SECOND_SWAP_PHASE, space
    swap_top_discs(state, space, state.swap_first)
    return WHITE, MOVE_PHASE, NO_CELL


@kernel
def swap_top_discs(state: LaocoonState, space: int, other: int) -> None:
    """Swap the top discs of two spaces in place."""
    disc, other_disc = disc_on(state.upper, space), disc_on(state.upper, other)
    both = bit(space) | bit(other)
    state.upper[disc] ^= both
    state.upper[other_disc] ^= both


@kernel
def move_ring(rules: LaocoonRules, state: LaocoonState, origin: int, target: int) -> int:
    """Move a ring of the mover and lift the disc that it leaves; return the change of the hash, to be XORed."""
    player = state.to_play
    top_disc, lower_disc = move_ring_and_lift_disc(rules, state, player, origin, target)
    hash_change = rules.ring_keys[origin, player] ^ rules.ring_keys[target, player]
    keys = rules.disc_keys
    hash_change ^= (
        keys[origin, 0, lower_disc] ^ keys[origin, 1, top_disc] ^ keys[origin, 0, NO_DISC] ^ keys[origin, 1, lower_disc]
    )
    if rules.quick == 0:
        hash_change ^= rules.hand_keys[1 - player, top_disc]
    return hash_change


@kernel
def move_ring_and_lift_disc(
    rules: LaocoonRules, state: LaocoonState, player: int, origin: int, target: int
) -> tuple[int, int]:
    """Move a ring and lift the top disc of its origin into the opponent's hand; in the quick variant, out of the game.

    Returns the lifted disc and the disc that was beneath it, or NO_DISC. Does not update the hash.
    """
    state.rings[player] ^= bit(origin) | bit(target)
    top_disc, lower_disc = disc_on(state.upper, origin), disc_on(state.lower, origin)
    state.upper[top_disc] ^= bit(origin)
    state.upper[lower_disc] ^= bit(origin)
    state.lower[lower_disc] ^= bit(origin)
    state.lower[NO_DISC] ^= bit(origin)
    if rules.quick == 0:
        state.hands[1 - player] = top_disc
    return top_disc, lower_disc


@kernel
def place_disc(rules: LaocoonRules, state: LaocoonState, space: int) -> int:
    """Place the mover's disc in hand on top of a space; return the change of the hash, to be XORed."""
    player = state.to_play
    disc = state.hands[player]
    lower_disc = stack_disc(state, player, space)
    keys = rules.disc_keys
    hash_change = keys[space, 0, NO_DISC] ^ keys[space, 1, lower_disc] ^ keys[space, 0, lower_disc] ^ keys[space, 1, disc]
    return hash_change ^ rules.hand_keys[player, disc]


@kernel
def stack_disc(state: LaocoonState, player: int, space: int) -> int:
    """Place the disc in a player's hand on top of a space; return the disc beneath. Does not update the hash."""
    disc, lower_disc = state.hands[player], disc_on(state.upper, space)
    state.hands[player] = NO_DISC
    state.upper[lower_disc] ^= bit(space)
    state.upper[disc] ^= bit(space)
    state.lower[NO_DISC] ^= bit(space)
    state.lower[lower_disc] ^= bit(space)
    return lower_disc


@kernel
def start_turn(
    rules: LaocoonRules, state: LaocoonState, player: int, phase: int, position_hash: int, disc_removed: bool
) -> tuple[int, int]:
    """Determine the result at the start of a turn, and update the history; in other phases the game is ongoing.

    A player who cannot move a ring loses; the third occurrence of a position is a draw. Returns the result and the
    history length. `disc_removed` empties the history first, because no earlier position can recur.
    """
    history_length = state.history_length
    result = ONGOING
    if disc_removed and rules.draw_by_repetition == 1:
        history_length = 0
    if phase == MOVE_PHASE:
        if not can_move(rules, state, player):
            result = 1 - player
        elif rules.draw_by_repetition == 1:
            if repetition.count_occurrences(state.history, history_length, position_hash) >= 2:
                result = DRAW
            history_length = repetition.push_hash(state.history, history_length, position_hash)
    return result, history_length


@kernel
def can_move(rules: LaocoonRules, state: LaocoonState, player: int) -> bool:
    """Return whether a player can move a ring."""
    return ring_neighbours(rules, state.rings[player]) & enterable_spaces(state, player) != 0


@kernel
def ring_neighbours(rules: LaocoonRules, rings: Bitboard) -> Bitboard:
    """Return the neighbours of one or two rings."""
    return rules.neighbour_mask[lowest_bit(rings)] | rules.neighbour_mask[highest_bit(rings)]


@implements(interface.position_codes, LaocoonRules)
@kernel
def write_laocoon_codes(rules: LaocoonRules, state: LaocoonState, codes: Moves) -> None:
    """Write discs, rings and the first space of a swap per space, then hands, phase and player, as position codes."""
    for space in range(NUM_SPACES):
        codes[space] = 0
    for disc in range(1, 5):
        add_to_codes(state.upper[disc], disc, codes)
        add_to_codes(state.lower[disc], 5 * disc, codes)
    add_to_codes(state.rings[WHITE], 25, codes)
    add_to_codes(state.rings[BLACK], 50, codes)
    if state.phase == SECOND_SWAP_PHASE:
        codes[state.swap_first] += 75
    codes[NUM_SPACES] = (state.hands[WHITE] * 5 + state.hands[BLACK]) * 10 + state.phase * 2 + state.to_play


@kernel
def add_to_codes(spaces: Bitboard, number: int, codes: Moves) -> None:
    """Add a number to the code of each of `spaces`."""
    while spaces != 0:
        codes[lowest_bit(spaces)] += number
        spaces = clear_lowest_bit(spaces)


@kernel
def compute_laocoon_hash(rules: LaocoonRules, state: LaocoonState) -> int:
    """Compute the hash of a position with white to move from its discs, rings and hands."""
    position_hash = 0
    for space in range(NUM_SPACES):
        position_hash ^= rules.disc_keys[space, 0, disc_on(state.lower, space)]
        position_hash ^= rules.disc_keys[space, 1, disc_on(state.upper, space)]
        for player in range(2):
            if state.rings[player] >> space & 1:
                position_hash ^= rules.ring_keys[space, player]
    for player in range(2):
        if state.hands[player] != NO_DISC:
            position_hash ^= rules.hand_keys[player, state.hands[player]]
    return position_hash


def make_laocoon_rules(board: Board, variant: str, draw_by_repetition: bool) -> LaocoonRules:
    """Return the rules for a variant: "" (no swap), "random" (with swap) or "quick"."""
    direction_between = np.zeros((NUM_SPACES, NUM_SPACES), np.int16)
    neighbour_mask = [0] * NUM_SPACES
    for (space, slot), other in np.ndenumerate(board.neighbours):
        if other != NO_CELL:
            direction_between[space, other] = slot
            neighbour_mask[space] |= 1 << int(other)
    return LaocoonRules(
        neighbours=board.neighbours,
        neighbour_mask=np.array(list(map(to_signed64, neighbour_mask)), np.int64),
        direction_between=direction_between,
        disc_keys=prng.zobrist_keys(3, (NUM_SPACES, 2, 5)),
        ring_keys=prng.zobrist_keys(4, (NUM_SPACES, 2)),
        hand_keys=prng.zobrist_keys(5, (2, 5)),
        black_to_play_key=int(prng.zobrist_keys(6, (1,))[0]),
        swap=int(variant != ""),
        quick=int(variant == "quick"),
        draw_by_repetition=int(draw_by_repetition and variant != "quick"),
    )
