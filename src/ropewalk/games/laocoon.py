"""laoCoon, by Alain Couchot and Bernard Klein (1997): move your rings between colours until the others cannot move."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .. import chance
from ..bits import bit, bit_count, bits, highest_bit, lowest_bit, signed, without_lowest
from ..boards import NO_CELL, Board, squares
from ..errors import IllegalMove, PositionError
from ..kernels import answers, kernel, plain
from . import history, questions, stepping
from .claiming import listed, with_ending
from .claims import Claim
from .game import Game, Outcome, Position, Symmetry
from .grid import beyond_name, direction_moves, turned_moves
from .layouts import LAYOUTS, LETTERS, random_layout, require_layout
from .notation import one_of
from .questions import DRAW, ONGOING
from .specs import LARGEST_SEED, Spec, in_range
from .stepping import Moves, Row

SPACES = 64
NO_DISC = 0  # discs are 1 to 4: blue, purple, orange, yellow
WHITE, BLACK = 0, 1
COLOURS = ("white", "black")
DISCS = ("no disc", "blue", "purple", "orange", "yellow")
DIRECTIONS = 8
PLACE_RING, MOVE_RING, PLACE_DISC, SWAP_DISC = 0, 1, 9, 10  # kinds of moves; moving a ring takes a direction
KEEP = 11 * SPACES  # id of black's decision not to swap
PHASES = ("ring", "swap", "swap2", "move", "disc")
RING, SWAP, SECOND_SWAP, MOVE, DISC = range(5)
HEAD = 20  # words of a row before the past positions

CYCLE = (  # rings step to and fro, every disc goes back where it came from
    "(o),y,1,p,[o],y,b,p/b,p,o,y,b,p,o,y/o,y,b,p,[py],1,b,p/b,p,o,y,b,p,o,y/"
    "o,y,b,p,o,y,b,p/b,op,o,y,b,1,o,y/o,(pb),b,p,o,y,b,p/b,1,o,y,b,p,o,y white move white:y",
    "b2-b3/e5 e6-e5/b2 b3-b2/e6 e5-e6/b3",
)

BEGINNING = "Placing the rings"
MOVING = "Moving a ring"
GIVING = "Giving and placing discs"
VARIANTS = "Random setup"
LOSING = "The end of the game"
REPETITION = "Repetition (ruling)"

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
    for disc in range(1, 5):
        if layer[disc] >> space & 1:
            return disc
    return NO_DISC


@kernel
def available(state: LaocoonState) -> Mask:
    """The spaces with a disc and without a ring."""
    return ~(state.upper[NO_DISC] | state.rings[WHITE] | state.rings[BLACK])


@kernel
def controlled(state: LaocoonState, player: int) -> Mask:
    """All spaces of the colours under a player's rings."""
    spaces = 0
    for disc in range(1, 5):
        if state.upper[disc] & state.rings[player] != 0:
            spaces |= state.upper[disc]
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
    state.rings[player] ^= bit(origin) | bit(target)
    change = rules.ring_keys[origin, player] ^ rules.ring_keys[target, player]
    over, under = disc_on(state.upper, origin), disc_on(state.lower, origin)
    state.upper[over] ^= bit(origin)
    state.upper[under] ^= bit(origin)
    state.lower[under] ^= bit(origin)
    state.lower[NO_DISC] ^= bit(origin)
    keys = rules.disc_keys
    change ^= keys[origin, 0, under] ^ keys[origin, 1, over] ^ keys[origin, 0, NO_DISC] ^ keys[origin, 1, under]
    if rules.quick == 0:
        state.hands[1 - player] = over
        change ^= rules.hand_keys[1 - player, over]
    return change


@kernel
def place_disc(rules: LaocoonRules, state: LaocoonState, space: int) -> int:
    """Put the disc in hand on top of a space; returns the change of the hash."""
    player = state.to_play
    disc, under = state.hands[player], disc_on(state.upper, space)
    state.hands[player] = NO_DISC
    state.upper[under] ^= bit(space)
    state.upper[disc] ^= bit(space)
    state.lower[NO_DISC] ^= bit(space)
    state.lower[under] ^= bit(space)
    keys = rules.disc_keys
    change = keys[space, 0, NO_DISC] ^ keys[space, 1, under] ^ keys[space, 0, under] ^ keys[space, 1, disc]
    return change ^ rules.hand_keys[player, disc]


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
        history.forget(state.past, remembered)
        remembered = 0
    if phase == MOVE:
        if not can_move(rules, state, player):
            result = 1 - player
        elif rules.repetition == 1:
            if history.occurrences(state.past, hashed) >= 2:
                result = DRAW
            remembered = history.remember(state.past, remembered, hashed)
    return result, remembered


@kernel
def can_move(rules: LaocoonRules, state: LaocoonState, player: int) -> bool:
    """Whether a player can move either ring."""
    rings = state.rings[player]
    reached = rules.around[lowest_bit(rings)] | rules.around[highest_bit(rings)]
    return reached & enterable(state, player) != 0


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


@answers(questions.outcome, LaocoonRules)
@kernel
def result_of(rules: LaocoonRules, state: LaocoonState) -> int:
    """What the last turn decided."""
    return state.result


@answers(questions.seat_to_move, LaocoonRules)
@kernel
def seat_of_mover(rules: LaocoonRules, state: LaocoonState) -> int:
    """White is seat 0."""
    return state.to_play


@answers(questions.has_room, LaocoonRules)
@kernel
def has_room(rules: LaocoonRules, state: LaocoonState) -> bool:
    """Whether another position can be remembered."""
    return history.has_space(state.past, state.remembered)


answers(questions.playout, LaocoonRules)(stepping.random_game)


class Laocoon(Game):
    """laoCoon with one of its setups and variants."""

    name = "laoCoon"
    designer = "Alain Couchot and Bernard Klein"
    year = "1997"
    colours = ("white", "black")
    separator = ","
    pitch = 5
    rules: LaocoonRules
    most_moves = SPACES + 1

    def __init__(self, setup: str, layout: str, *, variant: str = "", repetition: bool = True) -> None:
        self.board = squares()
        self.options = {"setup": setup, "layout": layout, "variant": variant, "repetition": repetition}
        words = [word for word in ("laocoon", variant, setup) if word]
        self.spec = "-".join(words) + ("" if repetition or variant == "quick" else "-norepetition")
        self.rules = rules_for(self.board, variant, repetition)

    def start_row(self) -> Row:
        """One disc on each space, no rings, white to place."""
        return self.row_of(list(self.options["layout"]), ["white", "ring"])

    def all_texts(self) -> Sequence[str]:
        """d4 places a ring, d4-e5 moves it, /b2 places a disc, ~a1 picks a space of the swap."""
        names = self.board.names
        discs = [f"/{name}" for name in names]
        return [*names, *direction_moves(self.board, "-"), *discs, *(f"~{name}" for name in names), "keep"]

    def move_help(self) -> str:
        """The kinds of steps."""
        return (
            "a step is d4 (place a ring), d4-e5 (move one), /b2 (place a disc), ~a1 (swap a disc) or keep; a turn d4-e5/b2"
        )

    def steps(self, turn: str) -> list[str]:
        """d4-e5/b2 is d4-e5 and /b2; ~a1~b2 is ~a1 and ~b2."""
        return [step for step in re.split(r"(?=[/~])", turn) if step] or [turn]

    def all_symmetries(self) -> Sequence[Symmetry]:
        """The eight of the square."""
        kinds = [False, True, False, False]
        return [
            Symmetry(cells=cells, moves=turned_moves(self.board, cells, kinds, 1), exchanges=False)
            for cells in self.board.symmetries
        ]

    def claims(self) -> Sequence[Claim]:
        """A space for every ring, discs that do not come from nowhere, and play that can go round for ever."""
        from . import endless_claims

        words = "each turn of quick takes one disc out of the game" if self.rules.quick else "no disc comes from nowhere"
        found = [
            *endless_claims.claims(self, "whoever does not lose has a step, at every point of a turn"),
            endless_claims.per_game(self.wrong_discs, words, self),
        ]
        if self.rules.quick:
            return found
        note = "the sheet names no draw; answered by the ruling on repetition: the third occurrence is a draw"
        return [*found, endless_claims.cycle_claim("a position never comes again", self, *CYCLE, note)]

    def wrong_discs(self, step: tuple[Position, Position]) -> int:
        """1 if a step makes discs, or loses any that the rules keep."""
        before, after = (self.discs_in_game(position.state) for position in step)
        lost = before - after
        if self.rules.quick:
            return int(lost != (1 if step[0].state.phase == MOVE else 0))
        return int(lost not in (0, 1))

    @staticmethod
    def discs_in_game(state: LaocoonState) -> int:
        """Discs on the board and in hand."""
        on_board = sum(bit_count(layer[disc]) for layer in (state.lower, state.upper) for disc in range(1, 5))
        return on_board + int((state.hands != NO_DISC).sum())

    # Texts

    def tokens(self, row: Row) -> list[str]:
        """Discs from bottom to top, in round brackets under a white ring, in square ones under a black ring."""
        state = self.state(row)
        tokens = [""] * SPACES
        for layer in (state.lower, state.upper):
            for disc in range(1, 5):
                for space in bits(layer[disc]):
                    tokens[space] += LETTERS[disc]
        for player, brackets in enumerate(("()", "[]")):
            for space in bits(state.rings[player]):
                tokens[space] = brackets[0] + tokens[space] + brackets[1]
        return tokens

    def fields(self, row: Row) -> list[str]:
        """The player, the phase, the discs in hand, the first space of a swap, `drawn`."""
        state = self.state(row)
        hands = [f"{COLOURS[player]}:{LETTERS[disc]}" for player, disc in enumerate(state.hands) if disc != NO_DISC]
        picked = [f"picked:{self.board.names[state.picked]}"] if state.phase == SECOND_SWAP else []
        drawn = ["drawn"] if state.result == DRAW else []
        return [COLOURS[state.to_play], PHASES[state.phase], *hands, *picked, *drawn]

    def mirrored_fields(self, fields: list[str], symmetry: Symmetry) -> list[str]:
        """The first space of a swap moves with the board."""
        names = self.board.names
        return [
            f"picked:{names[symmetry.cells[names.index(field[7:])]]}" if field.startswith("picked:") else field
            for field in fields
        ]

    def is_token(self, token: str) -> bool:
        """One or two discs, perhaps with a ring."""
        return re.fullmatch(r"[bpoy]{1,2}|\([bpoy]{1,2}\)|\[[bpoy]{1,2}\]", token) is not None

    def line_labels(self) -> Sequence[str]:
        """Ranks from the top."""
        return [str(rank) for rank in range(8, 0, -1)]

    def header(self, pitch: int) -> str:
        """File letters."""
        return "".join(file.ljust(pitch) for file in "abcdefgh").rstrip()

    def row_of(self, tokens: Sequence[str], fields: Sequence[str]) -> Row:
        """Check discs, rings and hands against each other and against the phase."""
        words = list(fields) if len(fields) > 1 else [*(fields or ["white"]), "move" if "(" in "".join(tokens) else "ring"]
        player = COLOURS.index(one_of(words[0], COLOURS, "a player to move"))
        phase = PHASES.index(one_of(words[1], PHASES, "a phase"))
        row = np.zeros(HEAD + history.ROOM, np.int64)
        state = self.state(row)
        self.set_spaces(state, tokens)
        picked, drawn = self.set_fields(state, words[2:])
        self.require_phase(state, player, phase, picked)
        self.require_discs(state)
        state = state._replace(to_play=player, phase=phase, picked=picked, result=ONGOING)
        plain(save_laocoon)(self.rules, self.judged(state, drawn), row)
        return row

    def set_spaces(self, state: LaocoonState, tokens: Sequence[str]) -> None:
        """Put discs and rings on the board."""
        upper, lower, rings = [0] * 5, [0] * 5, [0] * 2
        for space, token in enumerate(tokens):
            discs = token.strip("()[]")
            lower[LETTERS.index(discs[0]) if len(discs) == 2 else NO_DISC] |= 1 << space
            upper[LETTERS.index(discs[-1]) if discs else NO_DISC] |= 1 << space
            if token != discs:
                rings[WHITE if token[0] == "(" else BLACK] |= 1 << space
        for player in (WHITE, BLACK):
            if rings[player].bit_count() > 2:
                names = self.named(bits(rings[player]))
                raise PositionError(f"{COLOURS[player]} has two rings, not {len(names)} ({listed(names)})")
        state.upper[:] = list(map(signed, upper))
        state.lower[:] = list(map(signed, lower))
        state.rings[:] = list(map(signed, rings))

    def set_fields(self, state: LaocoonState, fields: Sequence[str]) -> tuple[int, bool]:
        """Put discs into hands; the first space of a swap (or NO_CELL), and whether the game was drawn."""
        picked, drawn = NO_CELL, False
        for field in fields:
            key, _, value = field.partition(":")
            if key in COLOURS and len(value) == 1 and value in LETTERS[1:]:
                state.hands[COLOURS.index(key)] = LETTERS.index(value)
            elif key == "picked" and value in self.board.index:
                picked = self.board.index[value]
            elif field == "drawn" and self.rules.repetition:
                drawn = True
            else:
                raise PositionError(f"{field!r} is not a field of {self.spec}: white:y, black:o, picked:a1 or drawn")
        return picked, drawn

    def require_phase(self, state: LaocoonState, player: int, phase: int, picked: int) -> None:
        """Refuse a phase that the rings and hands on the board do not fit."""
        white, black = (bit_count(rings) for rings in state.rings)
        if phase == RING and (white, black, player) not in ((0, 0, 0), (1, 0, 1), (1, 1, 0), (2, 1, 1)):
            raise PositionError(f"rings are placed in turn, white first: with {white} white and {black} black rings on "
                                f"the board it is not {COLOURS[player]}'s turn to place one")  # fmt: skip
        if phase != RING and (white, black) != (2, 2):
            raise PositionError(f"phase {PHASES[phase]} needs two rings of each player, not {white} white and {black} black")
        if phase in (SWAP, SECOND_SWAP) and (not self.rules.swap or player != BLACK):
            raise PositionError("only black swaps discs, and only with a random setup")
        if (phase == SECOND_SWAP) != (picked != NO_CELL):
            raise PositionError("phase swap2 and no other names the space picked first, such as picked:a1")
        if phase == DISC and state.hands[player] == NO_DISC:
            raise PositionError(f"phase disc needs a disc in {COLOURS[player]}'s hand, such as {COLOURS[player]}:y")
        if phase != DISC and ((phase != MOVE and state.hands.any()) or state.hands[1 - player] != NO_DISC):
            raise PositionError("a disc is in hand only between an opponent's turn and the end of one's own")

    def require_discs(self, state: LaocoonState) -> None:
        """Sixteen of each colour, and one under each ring."""
        for disc in range(1, 5):
            on_board = bit_count(state.lower[disc]) + bit_count(state.upper[disc])
            if (count := on_board + int((state.hands == disc).sum())) > 16:
                raise PositionError(f"there are 16 {DISCS[disc]} discs, not {count}")

    def judged(self, state: LaocoonState, drawn: bool) -> LaocoonState:
        """The state with hash, first occurrence, and the result if a turn has just begun."""
        if state.phase in (RING, SWAP, SECOND_SWAP):
            return state
        hashed = int(plain(hash_of)(self.rules, state)) ^ self.rules.black_to_play * state.to_play
        if state.phase == DISC:
            if plain(open_to_disc)(state, state.hands[state.to_play]) == 0:
                raise PositionError("no space can take the disc in hand, so it would have left the game")
            return state._replace(hashed=hashed)
        result, remembered = plain(begin_turn)(self.rules, state, state.to_play, MOVE, hashed, False)
        result = DRAW if drawn and result == ONGOING else result
        return state._replace(hashed=hashed, result=result, remembered=remembered)

    def grown(self, row: Row) -> Row:
        """More room for past positions."""
        return history.grown(row, len(row) - HEAD)

    # Words

    def refusal(self, position: Position, move: int) -> IllegalMove:
        """The wrong kind of step, or a space that is not available, not free, or not fit for the disc."""
        state = position.state
        kind, space = divmod(move, SPACES)
        wanted = {RING: PLACE_RING, MOVE: MOVE_RING, DISC: PLACE_DISC, SWAP: SWAP_DISC, SECOND_SWAP: SWAP_DISC}[state.phase]
        kind = MOVE_RING if MOVE_RING <= kind < PLACE_DISC else kind
        player = COLOURS[state.to_play]
        if kind != wanted:
            words, clause = self.due(state)
            return self.refuse(move, f"{player} {words}", reason="wrong-step", clause=clause)
        if kind == SWAP_DISC:
            words = f"{self.board.names[space]} is picked already: a swap needs two different spaces"
            return self.refuse(move, words, reason="same-space", clause=VARIANTS, witness=[space])
        if kind == PLACE_DISC:
            return self.disc_refusal(state, move, space)
        if kind == PLACE_RING:
            return self.entry_refusal(state, move, space, BEGINNING)
        return self.move_refusal(state, move, space)

    def due(self, state: LaocoonState) -> tuple[str, str]:
        """What the turn asks for now, and the clause."""
        disc = DISCS[state.hands[state.to_play]]
        return {
            RING: ("is to place a ring, such as d4", BEGINNING),
            SWAP: ("may swap two discs, ~a1 then ~b2, or keep", VARIANTS),
            SECOND_SWAP: ("is to pick the second space of the swap, such as ~b2", VARIANTS),
            MOVE: ("is to move a ring, such as d4-e5", MOVING),
            DISC: (f"is to place the {disc} disc in hand, such as /b2", GIVING),
        }[state.phase]

    def move_refusal(self, state: LaocoonState, move: int, space: int) -> IllegalMove:
        """No ring of the mover there, or no way."""
        name, player = self.board.names[space], COLOURS[state.to_play]
        mine = bits(state.rings[state.to_play])
        if space not in mine:
            words = f"{player} has no ring on {name}; {player}'s rings are on {listed(self.named(mine))}"
            return self.refuse(move, words, reason="no-ring", clause=MOVING, witness=mine)
        direction = move // SPACES - MOVE_RING
        target = int(self.board.neighbours[space, direction])
        if target == NO_CELL:
            words = f"{beyond_name(self.board, space, direction)} is not on the board"
            return self.refuse(move, words, reason="off-board", clause=MOVING, witness=[space])
        return self.entry_refusal(state, move, target, MOVING)

    def entry_refusal(self, state: LaocoonState, move: int, space: int, clause: str) -> IllegalMove:
        """Occupied, without discs, or of a colour that the opponent controls."""
        name = self.board.names[space]
        if ringed(state, space):
            return self.refuse(move, f"{name} has a ring on it", reason="occupied", clause=clause, witness=[space])
        colour = plain(disc_on)(state.upper, space)
        if colour == NO_DISC:
            return self.refuse(move, f"{name} has no disc left", reason="no-disc", clause=clause, witness=[space])
        other = 1 - state.to_play
        holders = bits(state.rings[other] & state.upper[colour])
        hue, rings = DISCS[colour], listed(self.named(holders))
        words = f"{name} is {hue}, and {COLOURS[other]} controls {hue} with the ring on {rings}"
        return self.refuse(move, words, reason="not-free", clause=clause, witness=holders)

    def disc_refusal(self, state: LaocoonState, move: int, space: int) -> IllegalMove:
        """The space is taken, empty, full, or has the disc's own colour."""
        name, disc = self.board.names[space], DISCS[state.hands[state.to_play]]
        if ringed(state, space):
            words, reason = f"{name} has a ring on it", "occupied"
        elif state.upper[NO_DISC] >> space & 1:
            words, reason = f"{name} has no disc left: a disc goes on a space with exactly one", "no-disc"
        elif not state.lower[NO_DISC] >> space & 1:
            words, reason = f"{name} has two discs already", "two-discs"
        else:
            words, reason = f"{name} is {disc} already: the {disc} disc goes on another colour", "same-colour"
        return self.refuse(move, words, reason=reason, clause=GIVING, witness=[space])

    def explanation(self, position: Position, move: int) -> str:
        """Which colours change hands, and what becomes of the turn."""
        state, after = position.state, position.play_id(move)
        said = [f"{COLOURS[state.to_play]} {self.deed(state, move)}"]
        if state.phase == MOVE and state.hands[state.to_play] != NO_DISC:
            disc = DISCS[state.hands[state.to_play]]
            placing = after.state.phase == DISC and after.state.to_play == state.to_play
            said.append(f"and next places the {disc} disc in hand" if placing
                        else f"and the {disc} disc in hand leaves the game, for no space can take it")  # fmt: skip
        return with_ending(", ".join(said), after)

    def deed(self, state: LaocoonState, move: int) -> str:
        """The step itself."""
        kind, space = divmod(move, SPACES)
        if move == KEEP:
            return "keeps the discs as they are"
        name, colour = self.board.names[space], colour_of(state, space)
        if kind == PLACE_RING:
            return f"places a ring on {name} and controls {colour}"
        if kind == PLACE_DISC:
            return f"places the {DISCS[state.hands[state.to_play]]} disc on {name}, which was {colour}"
        if state.phase == SECOND_SWAP:
            other = self.board.names[state.picked]
            return f"swaps the {colour_of(state, state.picked)} disc on {other} with the {colour} one on {name}"
        if kind == SWAP_DISC:
            return f"picks the {colour} disc on {name} for the swap"
        target = int(self.board.neighbours[space, kind - MOVE_RING])
        fate = "which leaves the game" if self.rules.quick else f"which goes to {COLOURS[1 - state.to_play]}"
        new = colour_of(state, target)
        return f"moves the ring from {name} to {self.board.names[target]} ({new}) and takes up the {colour} disc, {fate}"

    def verdict(self, position: Position, winner: int | None) -> Outcome:
        """Rings that cannot move, or the third occurrence."""
        if winner is None:
            return Outcome(None, "repetition", (), REPETITION, "drawn: the same position for the third time")
        loser = 1 - winner
        rings = bits(position.state.rings[loser])
        words = f"{COLOURS[loser]} can move neither ring ({listed(self.named(rings))}), so {COLOURS[winner]} wins"
        return Outcome(winner, "cannot-move", self.named(rings), LOSING, words)


def ringed(state: LaocoonState, space: int) -> bool:
    """Whether any ring is on a space."""
    return bool((state.rings[WHITE] | state.rings[BLACK]) >> space & 1)


def colour_of(state: LaocoonState, space: int) -> str:
    """The colour of a space in words."""
    return DISCS[plain(disc_on)(state.upper, space)]


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


def from_spec(spec: Spec) -> Laocoon:
    """laocoon-weave, -blocks or -LAYOUT; -random- or -quick- with a seed or a layout; -norepetition."""
    wanted = "weave, blocks, random, quick, or a layout of 64 letters b p o y"
    setup = spec.word(r"[a-z]+", wanted)
    variant = setup if setup in ("random", "quick") else ""
    if variant:
        setup = spec.word(r"\d+|[a-z]+", f"a seed 0 to {LARGEST_SEED} or a layout of 64 letters b p o y")
    if setup.isdigit():
        in_range(spec, int(setup), 0, LARGEST_SEED, "seed")
        setup, layout = str(int(setup)), random_layout(int(setup))
    elif setup in LAYOUTS and not variant:
        layout = LAYOUTS[setup]
    else:
        layout = require_layout(spec, setup, wanted)
        named = {text: name for name, text in LAYOUTS.items()}
        setup = setup if variant else named.get(layout, setup)
    spec.ends(["norepetition"])
    return Laocoon(setup, layout, variant=variant, repetition=not spec.flag("norepetition"))
