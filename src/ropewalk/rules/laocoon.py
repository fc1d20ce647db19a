"""laoCoon, by Alain Couchot and Bernard Klein (1997): move your rings between colours until the others cannot move."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import chance
from ..bits import bit, bit_count, highest_bit, lowest_bit, signed, without_lowest
from ..boards import NO_CELL, Board
from ..chance import Rng, below, random_bit
from ..kernels import answers, kernel
from . import history, questions
from .questions import DRAW, ONGOING
from .stepping import Moves, pick_listed

SPACES = 64
NO_DISC = 0  # discs are 1 to 4: blue, purple, orange, yellow
WHITE, BLACK = 0, 1
DIRECTIONS = 8
PLACE_RING, MOVE_RING, PLACE_DISC, SWAP_DISC = 0, 1, 9, 10  # kinds of moves; moving a ring takes a direction
KEEP = 11 * SPACES  # id of black's decision not to swap
RING, SWAP, SECOND_SWAP, MOVE, DISC = range(5)
COLOUR, STUCK, NEAR, SECOND_DISC = 13, 39, 6, 9  # of the evaluation, in hundredths of the odds' logarithm
FILE_A, FILE_H, RANK_8 = 0x0101010101010101, signed(0x8080808080808080), signed(0xFF << 56)
HEAD = 20  # words of a row before the past positions
Numbers: TypeAlias = NDArray[np.int64]
Mask: TypeAlias = int  # a set of spaces


class LaocoonRules(NamedTuple):
    """What the kernels know of a variant."""

    neighbours: NDArray[np.int16]  # [64, 8]
    around: Numbers  # [64]: the spaces next to each one, a mask
    direction: NDArray[np.int16]  # [64, 64]: the direction from a space to one next to it
    disc_keys: NDArray[np.int64]  # [64, 2, 5]: a disc on a space, lower or upper
    ring_keys: NDArray[np.int64]  # [64, 2]
    hand_keys: NDArray[np.int64]  # [2, 5]
    black_to_play: int  # hash key
    swap: int  # 1 when black may swap two discs after the rings
    quick: int  # 1 when a disc that is left behind leaves the game
    repetition: int  # 1 when the third occurrence of a position is a draw


class LaocoonState(NamedTuple):
    """A position, at any point of a turn."""

    upper: Numbers  # [5]: the spaces whose top disc, their colour, is NO_DISC, blue, ...; a mask each
    lower: Numbers  # [5]: the spaces whose disc beneath the top one is NO_DISC, blue, ...
    rings: Numbers  # [2]: the spaces of each player's rings, a mask
    hands: Numbers  # [2]: the disc that was given to each player, or NO_DISC
    past: history.Hashes  # all starts of turns since the last disc left the game
    to_play: int  # WHITE or BLACK
    phase: int
    picked: int  # the first space of a swap
    result: int  # ONGOING, a seat, or DRAW
    hashed: int  # of discs, rings, hands and player; kept up to date while rings move
    remembered: int  # positions in `past`


@answers(questions.load, LaocoonRules)
@kernel
def load_laocoon(rules: LaocoonRules, row: Numbers) -> LaocoonState:
    """The state in a row: discs, rings, hands, six numbers, past positions."""
    return LaocoonState(
        upper=row[0:5],
        lower=row[5:10],
        rings=row[10:12],
        hands=row[12:14],
        past=row[HEAD:],
        to_play=row[14],
        phase=row[15],
        picked=row[16],
        result=row[17],
        hashed=row[18],
        remembered=row[19],
    )


@answers(questions.save, LaocoonRules)
@kernel
def save_laocoon(rules: LaocoonRules, state: LaocoonState, row: Numbers) -> None:
    """Store the numbers behind the arrays."""
    row[14] = state.to_play
    row[15] = state.phase
    row[16] = state.picked
    row[17] = state.result
    row[18] = state.hashed
    row[19] = state.remembered


@kernel
def disc_on(layer: Numbers, space: int) -> int:
    """The disc of a layer on a space, or NO_DISC."""
    found = NO_DISC
    for disc in range(1, 5):
        found += disc * (layer[disc] >> space & 1)
    return found


@kernel
def available(state: LaocoonState) -> Mask:
    """The spaces with a disc and without a ring."""
    return ~(state.upper[NO_DISC] | state.rings[WHITE] | state.rings[BLACK])


@kernel
def controlled(state: LaocoonState, player: int) -> Mask:
    """All spaces of the colours under a player's rings."""
    return shown_under(state, state.rings[player])


@kernel
def shown_under(state: LaocoonState, rings: Mask) -> Mask:
    """All spaces of the colours under some rings."""
    spaces = 0
    for disc in range(1, 5):
        spaces |= state.upper[disc] if state.upper[disc] & rings != 0 else 0
    return spaces


@kernel
def enterable(state: LaocoonState, player: int) -> Mask:
    """The available spaces of a colour that is free for a player."""
    return available(state) & ~controlled(state, 1 - player)


@kernel
def open_to_disc(state: LaocoonState, disc: int) -> Mask:
    """The available spaces with exactly one disc, of another colour than this one."""
    return available(state) & state.lower[NO_DISC] & ~state.upper[disc]


@answers(questions.legal_moves, LaocoonRules)
@kernel
def steps(rules: LaocoonRules, state: LaocoonState, moves: Moves) -> int:
    """The steps of the phase that the turn is in."""
    player = state.to_play
    if state.phase == MOVE:
        return ring_moves(rules, state.rings[player], enterable(state, player), moves)
    if state.phase == DISC:
        return list_spaces(open_to_disc(state, state.hands[player]), PLACE_DISC, moves)
    if state.phase == RING:
        return list_spaces(enterable(state, player), PLACE_RING, moves)
    if state.phase == SECOND_SWAP:
        return list_spaces(~bit(state.picked), SWAP_DISC, moves)
    count = list_spaces(-1, SWAP_DISC, moves)
    moves[count] = KEEP
    return count + 1


@answers(questions.is_legal, LaocoonRules)
@kernel
def may_step(rules: LaocoonRules, state: LaocoonState, move: int) -> bool:
    """A step of the kind that the phase asks for, to or on a space that it may use."""
    if not 0 <= move < KEEP:
        return move == KEEP and state.phase == SWAP
    kind, space = move >> 6, move & 63
    player = state.to_play
    if state.phase == MOVE:
        return MOVE_RING <= kind < PLACE_DISC and may_move(rules, state, space, kind - MOVE_RING)
    if state.phase == DISC:
        return kind == PLACE_DISC and open_to_disc(state, state.hands[player]) >> space & 1 == 1
    if state.phase == RING:
        return kind == PLACE_RING and enterable(state, player) >> space & 1 == 1
    return kind == SWAP_DISC and not (state.phase == SECOND_SWAP and space == state.picked)


@answers(questions.random_move, LaocoonRules)
@kernel
def random_step(rules: LaocoonRules, state: LaocoonState, moves: Moves, rng: Rng) -> int:
    """A step of the phase that the turn is in; the rare ones from their list."""
    player = state.to_play
    if state.phase == MOVE:
        return random_ring_move(rules, state.rings[player], enterable(state, player), rng)
    if state.phase == DISC:
        return PLACE_DISC * SPACES + random_bit(rng, open_to_disc(state, state.hands[player]))
    return pick_listed(rules, state, moves, rng)


@kernel
def random_ring_move(rules: LaocoonRules, rings: Mask, spaces: Mask, rng: Rng) -> int:
    """A step of either ring to one of these spaces: a ring is as likely as it has steps."""
    low, high = lowest_bit(rings), highest_bit(rings)
    of_low, of_high = bit_count(rules.around[low] & spaces), bit_count(rules.around[high] & spaces)
    ring = low if below(rng, of_low + of_high) < of_low else high
    target = random_bit(rng, rules.around[ring] & spaces)
    return (MOVE_RING + rules.direction[ring, target]) * SPACES + ring


@kernel
def may_move(rules: LaocoonRules, state: LaocoonState, space: int, direction: int) -> bool:
    """Whether the mover has a ring on a space that can enter the next one in a direction."""
    target = rules.neighbours[space, direction]
    has_ring = state.rings[state.to_play] >> space & 1 == 1
    return has_ring and target != NO_CELL and enterable(state, state.to_play) >> target & 1 == 1


@kernel
def list_spaces(spaces: Mask, kind: int, moves: Moves) -> int:
    """A move of one kind on each of these spaces."""
    count = 0
    while spaces != 0:
        moves[count] = kind * SPACES + lowest_bit(spaces)
        count += 1
        spaces = without_lowest(spaces)
    return count


@kernel
def ring_moves(rules: LaocoonRules, rings: Mask, spaces: Mask, moves: Moves) -> int:
    """One step of either ring to one of these spaces."""
    count = 0
    while rings != 0:
        ring = lowest_bit(rings)
        reached = rules.around[ring] & spaces
        while reached != 0:
            moves[count] = (MOVE_RING + rules.direction[ring, lowest_bit(reached)]) * SPACES + ring
            count += 1
            reached = without_lowest(reached)
        rings = without_lowest(rings)
    return count


@answers(questions.play, LaocoonRules)
@kernel
def take_step(rules: LaocoonRules, state: LaocoonState, move: int) -> LaocoonState:
    """Make one step of a turn, then go on to its next step or to the opponent's turn."""
    kind, space = move >> 6, move & 63
    player, phase, hashed = state.to_play, state.phase, state.hashed
    next_player, next_phase, picked, disc_left = player, MOVE, NO_CELL, False
    if phase == MOVE:
        hashed ^= move_ring(rules, state, space, rules.neighbours[space, kind - MOVE_RING])
        disc_left = rules.quick == 1
        if state.hands[player] == NO_DISC:
            next_player = 1 - player
        elif open_to_disc(state, state.hands[player]) != 0:
            next_phase = DISC
        else:  # no space can take the disc: it leaves the game
            hashed ^= rules.hand_keys[player, state.hands[player]]
            state.hands[player] = NO_DISC
            next_player, disc_left = 1 - player, True
    elif phase == DISC:
        hashed ^= place_disc(rules, state, space)
        next_player = 1 - player
    else:
        next_player, next_phase, picked = prepare(rules, state, move)
        if next_phase == MOVE:
            hashed = hash_of(rules, state)
    if next_player != player and phase in (MOVE, DISC):
        hashed ^= rules.black_to_play
    result, remembered = begin_turn(rules, state, next_player, next_phase, hashed, disc_left)
    return LaocoonState(
        upper=state.upper,
        lower=state.lower,
        rings=state.rings,
        hands=state.hands,
        past=state.past,
        to_play=next_player,
        phase=next_phase,
        picked=picked,
        result=result,
        hashed=hashed,
        remembered=remembered,
    )


@kernel
def prepare(rules: LaocoonRules, state: LaocoonState, move: int) -> tuple[int, int, int]:
    """Place a ring, or swap discs after black's second one; who is next, in which phase, and the space picked."""
    space = move & 63
    if state.phase == RING:
        state.rings[state.to_play] |= bit(space)
        if bit_count(state.rings[BLACK]) < 2:
            return 1 - state.to_play, RING, NO_CELL
        return (BLACK, SWAP, NO_CELL) if rules.swap == 1 else (WHITE, MOVE, NO_CELL)
    if move == KEEP:
        return WHITE, MOVE, NO_CELL
    if state.phase == SWAP:
        return BLACK, SECOND_SWAP, space
    exchange_tops(state, space, state.picked)
    return WHITE, MOVE, NO_CELL


@kernel
def exchange_tops(state: LaocoonState, space: int, other: int) -> None:
    """Swap the top discs of two spaces."""
    one, two = disc_on(state.upper, space), disc_on(state.upper, other)
    both = bit(space) | bit(other)
    state.upper[one] ^= both
    state.upper[two] ^= both


@kernel
def move_ring(rules: LaocoonRules, state: LaocoonState, origin: int, target: int) -> int:
    """Move a ring and hand the disc it was on to the opponent; returns the change of the hash."""
    player = state.to_play
    over, under = leave(rules, state, player, origin, target)
    change = rules.ring_keys[origin, player] ^ rules.ring_keys[target, player]
    keys = rules.disc_keys
    change ^= keys[origin, 0, under] ^ keys[origin, 1, over] ^ keys[origin, 0, NO_DISC] ^ keys[origin, 1, under]
    if rules.quick == 0:
        change ^= rules.hand_keys[1 - player, over]
    return change


@kernel
def leave(rules: LaocoonRules, state: LaocoonState, player: int, origin: int, target: int) -> tuple[int, int]:
    """Move a ring; its space loses the top disc to the opponent, or in quick to nobody. Which disc, and what was beneath."""
    state.rings[player] ^= bit(origin) | bit(target)
    over, under = disc_on(state.upper, origin), disc_on(state.lower, origin)
    state.upper[over] ^= bit(origin)
    state.upper[under] ^= bit(origin)
    state.lower[under] ^= bit(origin)
    state.lower[NO_DISC] ^= bit(origin)
    if rules.quick == 0:
        state.hands[1 - player] = over
    return over, under


@kernel
def place_disc(rules: LaocoonRules, state: LaocoonState, space: int) -> int:
    """Put the disc in hand on top of a space; returns the change of the hash."""
    player = state.to_play
    disc = state.hands[player]
    under = cover(state, player, space)
    keys = rules.disc_keys
    change = keys[space, 0, NO_DISC] ^ keys[space, 1, under] ^ keys[space, 0, under] ^ keys[space, 1, disc]
    return change ^ rules.hand_keys[player, disc]


@kernel
def cover(state: LaocoonState, player: int, space: int) -> int:
    """Put the disc in a player's hand on top of a space; returns the disc beneath."""
    disc, under = state.hands[player], disc_on(state.upper, space)
    state.hands[player] = NO_DISC
    state.upper[under] ^= bit(space)
    state.upper[disc] ^= bit(space)
    state.lower[NO_DISC] ^= bit(space)
    state.lower[under] ^= bit(space)
    return under


@kernel
def begin_turn(
    rules: LaocoonRules, state: LaocoonState, player: int, phase: int, hashed: int, disc_left: bool
) -> tuple[int, int]:
    """At the start of a turn: who cannot move has lost; a position come for the third time is a draw.

    Returns the result and how many positions are remembered; none from before a disc left the game.
    """
    remembered = state.remembered
    result = ONGOING
    if disc_left and rules.repetition == 1:
        remembered = 0
    if phase == MOVE:
        if not can_move(rules, state, player):
            result = 1 - player
        elif rules.repetition == 1:
            if history.occurrences(state.past, remembered, hashed) >= 2:
                result = DRAW
            remembered = history.remember(state.past, remembered, hashed)
    return result, remembered


@kernel
def can_move(rules: LaocoonRules, state: LaocoonState, player: int) -> bool:
    """Whether a player can move either ring."""
    return beside(rules, state.rings[player]) & enterable(state, player) != 0


@kernel
def beside(rules: LaocoonRules, rings: Mask) -> Mask:
    """The spaces next to one or two rings."""
    return rules.around[lowest_bit(rings)] | rules.around[highest_bit(rings)]


@answers(questions.contents, LaocoonRules)
@kernel
def spaces_and_mover(rules: LaocoonRules, state: LaocoonState, codes: Moves) -> None:
    """Discs, rings and the pick of a swap on each space; then hands, phase and player."""
    for space in range(SPACES):
        codes[space] = 0
    for disc in range(1, 5):
        add_to_spaces(state.upper[disc], disc, codes)
        add_to_spaces(state.lower[disc], 5 * disc, codes)
    add_to_spaces(state.rings[WHITE], 25, codes)
    add_to_spaces(state.rings[BLACK], 50, codes)
    if state.phase == SECOND_SWAP:
        codes[state.picked] += 75
    codes[SPACES] = (state.hands[WHITE] * 5 + state.hands[BLACK]) * 10 + state.phase * 2 + state.to_play


@kernel
def add_to_spaces(spaces: Mask, number: int, codes: Moves) -> None:
    """Add a number to the code of each of these spaces."""
    while spaces != 0:
        codes[lowest_bit(spaces)] += number
        spaces = without_lowest(spaces)


@kernel
def hash_of(rules: LaocoonRules, state: LaocoonState) -> int:
    """The hash of the position with white to move a ring, from nothing."""
    hashed = 0
    for space in range(SPACES):
        hashed ^= rules.disc_keys[space, 0, disc_on(state.lower, space)]
        hashed ^= rules.disc_keys[space, 1, disc_on(state.upper, space)]
        for player in range(2):
            if state.rings[player] >> space & 1:
                hashed ^= rules.ring_keys[space, player]
    for player in range(2):
        if state.hands[player] != NO_DISC:
            hashed ^= rules.hand_keys[player, state.hands[player]]
    return hashed


@answers(questions.evaluate, LaocoonRules)
@kernel
def freedom(rules: LaocoonRules, state: LaocoonState) -> int:
    """How much freer white's rings are than black's."""
    return freedom_of(rules, state, WHITE) - freedom_of(rules, state, BLACK)


@kernel
def freedom_of(rules: LaocoonRules, state: LaocoonState, player: int) -> int:
    """Colours around the rings (who has three beside a ring cannot be shut in), spaces within two steps, second discs."""
    rings = state.rings[player]
    if rings == 0:
        return 0
    open_spaces, free = available(state), enterable(state, player)
    first, second = rules.around[lowest_bit(rings)], rules.around[highest_bit(rings)]
    near = (first | second) & open_spaces
    value = COLOUR * (colours_in(state, first & open_spaces) + colours_in(state, second & open_spaces))
    value -= STUCK * ((1 if first & free == 0 else 0) + (1 if second & free == 0 else 0))
    value += NEAR * bit_count((near | spread(near)) & open_spaces)
    return value + SECOND_DISC * bit_count((near | rings) & ~state.lower[NO_DISC])


@kernel
def colours_in(state: LaocoonState, spaces: Mask) -> int:
    """How many colours these spaces show."""
    count = 0
    for disc in range(1, 5):
        count += 1 if state.upper[disc] & spaces != 0 else 0
    return count


@kernel
def spread(spaces: Mask) -> Mask:
    """The spaces a step away from these, and these."""
    wide = spaces | (spaces & ~FILE_H) << 1 | (spaces & ~FILE_A) >> 1 & ~FILE_H
    return wide | wide << 8 | (wide >> 8 & ~RANK_8)


@kernel
def colours_before(state: LaocoonState, player: int, disc: int) -> int:
    """How many colours come before one: first those that a player controls, last those that the opponent does."""
    count = 0
    own = control(state, player, disc)
    for other in range(1, 5):
        near = control(state, player, other)
        count += 1 if near < own or (near == own and other < disc) else 0
    return count


@kernel
def control(state: LaocoonState, player: int, disc: int) -> int:
    """Who controls a colour: 0 the player, 1 nobody, 2 the opponent alone."""
    if state.upper[disc] & state.rings[player] != 0:
        return 0
    return 2 if state.upper[disc] & state.rings[1 - player] != 0 else 1


@answers(questions.features, LaocoonRules)
@kernel
def laocoon_planes(rules: LaocoonRules, state: LaocoonState, planes: NDArray[np.int8]) -> None:
    """Rings, discs and what may be entered on each space; hands, phase and repetitions everywhere.

    Colours come in the order of who controls them, since any other names would make the same position.
    """
    mover = state.to_play
    mine, theirs = enterable(state, mover), enterable(state, 1 - mover)
    times = min(2, history.occurrences(state.past, state.remembered, state.hashed)) if state.phase == MOVE else 0
    for disc in range(1, 5):
        place = 5 + colours_before(state, mover, disc)
        for space in range(SPACES):
            planes[space, place] = state.upper[disc] >> space & 1
            planes[space, place + 4] = state.lower[disc] >> space & 1
            planes[space, place + 8] = 1 if state.hands[mover] == disc else 0
            planes[space, place + 12] = 1 if state.hands[1 - mover] == disc else 0
    for space in range(SPACES):
        planes[space, 0] = 1
        planes[space, 1] = state.rings[mover] >> space & 1
        planes[space, 2] = state.rings[1 - mover] >> space & 1
        planes[space, 3] = mine >> space & 1
        planes[space, 4] = theirs >> space & 1
        planes[space, 21] = 1 if state.phase == RING else 0
        planes[space, 22] = 1 if state.phase == SWAP else 0
        planes[space, 23] = 1 if state.phase == SECOND_SWAP else 0
        planes[space, 24] = 1 if state.phase == DISC else 0
        planes[space, 25] = 1 if state.phase == SECOND_SWAP and state.picked == space else 0
        planes[space, 26] = times
        planes[space, 27] = rules.quick
        planes[space, 28] = rules.swap


history.register(LaocoonRules)


def rules_for(board: Board, variant: str, repetition: bool) -> LaocoonRules:
    """The variant as the kernels read it."""
    direction = np.zeros((SPACES, SPACES), np.int16)
    around = [0] * SPACES
    for (space, slot), other in np.ndenumerate(board.neighbours):
        if other != NO_CELL:
            direction[space, other] = slot
            around[space] |= 1 << int(other)
    return LaocoonRules(
        neighbours=board.neighbours,
        around=np.array(list(map(signed, around)), np.int64),
        direction=direction,
        disc_keys=chance.keys(3, (SPACES, 2, 5)),
        ring_keys=chance.keys(4, (SPACES, 2)),
        hand_keys=chance.keys(5, (2, 5)),
        black_to_play=int(chance.keys(6, (1,))[0]),
        swap=int(variant != ""),
        quick=int(variant == "quick"),
        repetition=int(repetition and variant != "quick"),
    )
